"""Playouts: which actions they take, and what they learn."""
