"""What measures: benchmarks, experiments, tuning, reports."""
