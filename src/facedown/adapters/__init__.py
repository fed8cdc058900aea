"""Adapters for games of other programs."""
