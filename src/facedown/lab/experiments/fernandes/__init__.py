"""Fernandes 2016: Sueca, Bisca and Hearts."""
