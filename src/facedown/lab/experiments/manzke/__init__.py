"""Manzke 2025: Hearts with transpositions and inference."""
