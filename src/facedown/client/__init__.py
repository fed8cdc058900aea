"""A client of the arena server."""
