"""The table in a terminal, and the person before it."""
