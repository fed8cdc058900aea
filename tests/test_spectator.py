"""Somebody without a seat sees what all seats see, and nothing else."""

import copy
import pickle
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import facedown as fd

KNAVES = str(Path(__file__).parents[1] / "examples" / "little_knaves.py") + ":GAME"
GAMES = ["hearts", "hearts32:passing=across", "sueca", "bisca", "bisca:seats=4,hand_size=3", "cheat", "magic", KNAVES]
OWN_FACTS = {"hand", "hands", "passed", "received", "partner", "lays", "stock", "library", "last_claim_true"}


def states(text: str, seeds: int = 2) -> Iterator[fd.State]:
    """States of random games."""
    for seed in range(seeds):
        rng = random.Random(seed)
        state = fd.load(text).deal(seed)
        while not state.over:
            yield state
            state.play(rng.choice(state.legal))
        yield state


@pytest.mark.parametrize("text", GAMES, ids=[text.rpartition("/")[2] if text == KNAVES else text for text in GAMES])
def test_a_spectator_sees_no_hand_and_what_all_seats_see(text: str) -> None:
    for state in states(text):
        view = state.view(fd.SPECTATOR)
        assert view.hands == [None] * state.game.seats
        assert view.facts.keys().isdisjoint(OWN_FACTS) or text == KNAVES
        assert (view.to_move, view.over, view.scores, view.outcome) == (state.seat, state.over, state.scores, state.outcome)
        seats = [state.view(seat).facts for seat in range(state.game.seats)]
        for name, fact in view.facts.items():
            if text != KNAVES and name not in ("pile", "holds"):  # in which seats see cards of their own
                assert [facts[name] for facts in seats] == [fact] * len(seats)


@pytest.mark.parametrize("text", GAMES[:-1])
def test_what_a_spectator_sees_is_seen_by_every_seat(text: str) -> None:
    for state in states(text, 1):
        spectator = state.view(fd.SPECTATOR).record
        for seat in range(state.game.seats):
            record = state.view(seat).record
            for field in record.dtype.names:
                shown, own = getattr(spectator, field), getattr(record, field)
                if shown.dtype == "uint64" and field != "not_held":
                    assert not (shown & ~own).any(), f"a card in {field} that seat {seat} does not see"


def test_hidden_actions_are_seen_from_behind() -> None:
    state = fd.load("hearts:passing=left").deal(1)
    while state.facts["phase"] == "passing":
        state.play(state.legal[0])
    state.play(state.legal[0])
    history = state.view(fd.SPECTATOR).history
    assert [state.game.text(action) for _, action in history] == ["??"] * 12 + ["2C"]
    assert [seat for seat, _ in history] == [seat for seat, _ in state.history]


def test_a_claim_is_seen_as_the_other_seat_sees_it() -> None:
    state = fd.load("cheat").deal(1)
    for text in ("up false 2", "take", "take", "down false 1", "call"):
        state.play(text)
    spectator = [state.game.text(action) for _, action in state.view(fd.SPECTATOR).history]
    others = [state.game.text(state.view(1 - seat).history[place][1]) for place, (seat, _) in enumerate(state.history)]
    assert spectator == others
    assert spectator[1:3] == ["take", "take"]


def test_the_pile_is_shown_without_its_cards() -> None:
    state = fd.load("cheat").deal(1)
    state.play("up false 2")
    (batch,) = state.view(fd.SPECTATOR).facts["pile"]
    assert set(batch) == {"seat", "count", "rank"}


def test_who_holds_the_shown_trump_is_known_when_the_stock_is_gone() -> None:
    for state in states("bisca", 1):
        facts = state.facts
        if facts["stock_left"] == 0 and not any(facts["shown"] in played for played in facts["played"]):
            held = state.view(fd.SPECTATOR).facts["holds"]
            assert held == [[facts["shown"]] if facts["shown"] in hand else [] for hand in facts["hands"]]


@pytest.mark.parametrize("text", ["hearts", "cheat", "magic", "bisca"])
def test_a_spectator_draws_no_worlds_and_no_agent_plays_for_one(text: str) -> None:
    state = fd.load(text).deal(1)
    view = state.view(fd.SPECTATOR)
    for ask in (view.worlds, view.unseen, lambda: view.sample(1), lambda: next(view.each_world())):
        with pytest.raises(fd.HiddenInformation, match="expected the view of a seat, whose worlds can be drawn"):
            ask()
    with pytest.raises(fd.HiddenInformation, match="depend on cards that a spectator cannot see"):
        print(view.legal)
    with pytest.raises(fd.HiddenInformation, match="a spectator cannot see the hand of seat 0"):
        view.hand(0)
    with pytest.raises(fd.HiddenInformation, match="a spectator cannot know 'hands'"):
        print(view.facts["hands"])
    agents = ["random", "expert", "ismcts:iterations=5", "pimc:worlds=1,iterations=5", "mo-ismcts:iterations=5", "epimc"]
    agents += {
        "cheat": ["mga:iterations=5", "pmga:iterations=5", "cheat-person"],
        "magic": ["ensemble:trees=2,simulations=4"],
    }.get(text, ["ismcts-t:iterations=5", "minimax:worlds=1"])
    for agent in agents:
        with pytest.raises(fd.FacedownError):
            fd.agent(agent).choose(view)


def test_no_number_is_taken_for_a_spectator() -> None:
    state = fd.load("hearts32").deal(1)
    assert state.view(pickle.loads(pickle.dumps(fd.SPECTATOR))).seat is fd.SPECTATOR
    assert copy.deepcopy(fd.SPECTATOR) is fd.SPECTATOR
    assert repr(state.view(fd.SPECTATOR)) == "<View of hearts32 by a spectator, 0 actions>"
    with pytest.raises(fd.FacedownError, match="expected a seat from 0 to 3, got -1"):
        state.view(-1)


def test_spectators_of_equal_knowledge_have_equal_views() -> None:
    game = fd.load("hearts:passing=left")
    one, two = game.deal(1), game.deal(2)
    assert one.view(fd.SPECTATOR) == two.view(fd.SPECTATOR)
    assert hash(one.view(fd.SPECTATOR)) == hash(two.view(fd.SPECTATOR))
    assert one.view(fd.SPECTATOR) != one.view(0)
    for state in (one, two):
        for _ in range(12):
            state.play(state.legal[0])
    leads = [state.seat for state in (one, two)]
    assert (one.view(fd.SPECTATOR) == two.view(fd.SPECTATOR)) == (leads[0] == leads[1])
