"""Bitan & Kraus 2018: Cheat with a model of bluffing."""
