"""What a seat believes of the cards it cannot see: shares of worlds, against all worlds one by one and many drawn."""

import random

import pytest

import facedown as fd
from facedown.rng import stream

GAMES = [
    "hearts:passing=left",
    "hearts32",
    "sueca:mandar_abaixo=true",
    "bisca",
    "bisca:seats=4,hand_size=3",
    "cheat:ranks=5,hand_size=3",
]
FEW = 3000  # worlds that are tried one by one


def states(text: str, seed: int) -> list[fd.State]:
    """The states of a random game."""
    rng = random.Random(seed)
    state = fd.load(text).deal(seed)
    found = []
    while not state.over:
        found.append(state.copy())
        actions = [action for action in state.legal if state.game.text(action) != "call"] or state.legal
        state.play(rng.choice(actions))
    return found


def counted(view: fd.View) -> dict[str, list[float]]:
    """The same by looking at every world."""
    worlds = [fd.State(view.game, world, 0, []).hands for world in view.each_world()]
    return {
        card: [sum(card in hands[seat] for hands in worlds) / len(worlds) for seat in range(view.game.seats)]
        for card in view.beliefs()
    }


@pytest.mark.parametrize("text", GAMES)
def test_beliefs_are_the_shares_of_all_worlds(text: str) -> None:
    tried = 0
    for seed in range(6):
        for state in states(text, seed):
            view = state.view(state.seat or 0)
            if (
                tried < 8
                and 1 < view.worlds() <= FEW
                and not (text.startswith("hearts:") and view.facts["phase"] == "passing")
            ):
                tried += 1
                found, expected = view.beliefs(), counted(view)
                assert found.keys() == expected.keys()
                assert all(found[card] == pytest.approx(expected[card]) for card in found)
    assert tried > 2


def test_beliefs_at_the_opening_are_those_of_the_worlds_drawn() -> None:
    view = fd.load("hearts:passing=hold").deal(1).view(2)
    beliefs = view.beliefs()
    assert len(beliefs) == 39
    assert all(row[2] == 0 and sum(row) == pytest.approx(1) for row in beliefs.values())
    opener = view.facts["opener"]
    assert opener == 2 or beliefs["2C"][opener] == 1
    drawn = view.sample_many(2000, stream(1))
    worlds = [fd.State(view.game, drawn[place : place + 1], 0, []).hands for place in range(len(drawn))]
    for card, row in list(beliefs.items())[::7]:
        for seat in (0, 1, 3):
            assert sum(card in hands[seat] for hands in worlds) / len(worlds) == pytest.approx(row[seat], abs=0.06)


def test_what_is_missing_to_one_lies_in_the_stock() -> None:
    view = fd.load("bisca").deal(1).view(0)
    beliefs = view.beliefs()
    shown = view.facts["shown"]
    assert beliefs[shown] == [0, 0]
    assert beliefs[next(card for card in beliefs if card != shown)] == pytest.approx([0, 9 / 30])


def test_beliefs_that_cannot_be_had_are_refused() -> None:
    with pytest.raises(fd.UnknownName, match="unknown inference 'luck'; known: none, policy"):
        fd.load("hearts32").deal(1).view(0).beliefs("luck")
    with pytest.raises(fd.BadOption, match="expected a game with a learnt policy, got hearts32"):
        fd.load("hearts32").deal(1).view(0).beliefs("policy")
    with pytest.raises(fd.FacedownError, match="expected a game in which no two cards look alike, got magic"):
        fd.load("magic").deal(1).view(0).beliefs()
    with pytest.raises(fd.HiddenInformation, match="got a spectator's"):
        fd.load("hearts32").deal(1).view(fd.SPECTATOR).beliefs()
