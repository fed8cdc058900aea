"""Models of bluffing, fitted to recorded games; only the command line and developers come here, no agent at play."""
