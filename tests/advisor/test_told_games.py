"""A game told entry by entry gives the view that its seat had: for every game, and for one of a user's own."""

import pytest

import facedown as fd
from facedown.advisor import Session
from telling import random_game, told

GAMES = {
    "hearts": 4,
    "hearts:passing=hold": 2,
    "hearts:match=20": 1,
    "hearts32": 4,
    "sueca": 4,
    "sueca:mandar_abaixo=true,match=2": 1,
    "bisca": 2,
    "bisca:seats=4,hand_size=3": 2,
    "bisca:match=1": 1,
    "cheat": 4,
    "cheat:ranks=5,hand_size=3": 8,
    "magic": 1,
    "magic:first_draw=true": 1,
    "examples/little_knaves.py:GAME": 6,
    "coin_guess:GAME": 2,
    "fibs:GAME": 8,
    "little_duel:GAME": 8,
}


@pytest.mark.parametrize("text", GAMES)
def test_the_view_is_the_one_of_the_real_game(text: str) -> None:
    game = fd.load(text)
    for seed in range(GAMES[text]):
        seat = seed % game.seats
        seen = random_game(game, seat, seed, most=150)
        session = Session(game, seat, seen.views[0].hands[seat] if game.has_hands else None)
        assert told(session, seen) > 1
