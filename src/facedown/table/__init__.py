"""What lies on a table, as plain data."""
