"""Results as pages, plots and tables."""
