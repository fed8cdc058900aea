"""Bax 2020: Hearts with 32 cards and determinized UCT."""
