"""The tool that looks for hidden cards in pages finds them."""

import json

import pytest

import facedown as fd
from page_leaks import cards_in, seen_by, shown_too_early, told_too_early

GAMES = ["hearts", "hearts32:passing=right", "sueca", "bisca", "cheat"]


def record_of(game: str) -> fd.GameRecord:
    return fd.play(game, ["random"] * fd.load(game).seats, seed=3)


def frames_for(record: fd.GameRecord, seat: int) -> list[str]:
    """The views of a seat after each action, as a server tells them."""
    found = []
    for moves, state in enumerate(record.steps()):
        view = state.view(seat)
        history = [[mover, view.game.text(action)] for mover, action in view.history]
        told = {"event": "view", "moves": moves, "table": view.table, "history": history, "over": state.over}
        found.append(json.dumps(told))
    return found


def test_a_card_is_found_in_every_form() -> None:
    assert cards_in('<b data-card="QS" aria-label="ten of hearts">10♦</b> "2 K: 7C"') == {"QS", "TH", "TD", "7C"}
    assert cards_in('<path d="M0 9C-4 4.5 8S">QST SQS') == set()


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_is_told_nothing_too_early_by_its_own_views(game: str) -> None:
    record = record_of(game)
    for seat in (0, 1):
        assert told_too_early(frames_for(record, seat), seen_by(record, seat)) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_view_of_another_seat_would_be_found(game: str) -> None:
    record = record_of(game)
    assert told_too_early(frames_for(record, 1), seen_by(record, 0))
    assert told_too_early(frames_for(record, 1), seen_by(record, None))
    assert shown_too_early(enumerate(frames_for(record, 1)), seen_by(record, 0))
