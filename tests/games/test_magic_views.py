"""What a seat knows in Magic: views that tell nothing more, and worlds that are exact."""

import random
from collections import Counter
from math import comb

import numpy as np
import pytest
from scipy.stats import hypergeom

import facedown as fd
from facedown import rules
from facedown.kernel import COMPILED
from facedown.rng import stream
from facedown.state import State
from facedown.stats import chi_squared
from magic_boards import board, play


def after(seed: int, moves: int) -> State:
    """A position of a random game."""
    state, rng = fd.load("magic").deal(seed), random.Random(seed)
    while not state.over and len(state.history) < moves:
        state.play(rng.choice(state.legal))
    return state


def test_a_view_shows_the_own_hand_and_neither_the_other_hand_nor_a_library() -> None:
    state = after(1, 40)
    view = state.view(0)
    assert view.facts["hand"] == state.facts["hands"][0]
    for name in ("hands", "library"):
        with pytest.raises(fd.HiddenInformation):
            view.facts[name]
    assert not view.record.hand[1].any()
    assert (view.record.library == -1).all()


def test_worlds_are_the_choices_of_copies_for_the_other_hand() -> None:
    state = fd.load("magic").deal(1)
    assert state.view(0).worlds() == comb(40, 7)
    for seed in range(10):
        state = after(seed, 60)
        for seat in range(2):
            held, left = state.facts["hand_sizes"][1 - seat], state.facts["libraries"][1 - seat]
            assert state.view(seat).worlds() == comb(held + left, held)


def test_every_world_keeps_what_is_known_and_all_cards_of_both_decks() -> None:
    for seed in range(5):
        state = after(seed, 50)
        for seat in range(2):
            view = state.view(seat)
            worlds = view.sample_many(200 if COMPILED else 10, stream(seed))
            assert (worlds["hand"].sum(axis=2) == state.record.in_hand).all()
            for number in range(len(worlds)):
                world = worlds[number]
                for owner in range(2):
                    library = world["library"][owner]
                    left = np.bincount(library[library >= 0], minlength=25)
                    assert (left + world["hand"][owner] + world["played"][owner] == world["deck"][owner]).all()
            assert (worlds["hand"][:, seat] == state.record.hand[seat]).all()


@pytest.mark.skipif(not COMPILED, reason="takes long when interpreted")
def test_lands_in_the_other_hand_are_as_likely_as_in_a_shuffled_deck() -> None:
    view = fd.load("magic").deal(1).view(0)
    draws = 100_000
    lands = Counter(view.sample_many(draws, stream(5))["hand"][:, 1, 0].tolist())
    expected = [float(hypergeom.pmf(count, 40, 17, 7)) * draws for count in range(8)]
    assert chi_squared([lands[count] for count in range(8)], expected).p > 0.001


@pytest.mark.skipif(not COMPILED, reason="takes long when interpreted")
def test_worlds_of_a_small_position_and_both_libraries_are_uniform() -> None:
    state = board("2/2", "3/3", lands=15, other_lands=15)
    record = state.record
    rest = [1, 3, 5]  # three different cards are all that seat 1 has left: one in hand
    record.played[1] = record.deck[1]
    for kind in rest:
        record.played[1, kind] -= 1
    record.library[1] = -1
    record.library[1][:2] = rest[:2]
    record.hand[1, rest[2]] = 1
    record.in_hand[1], record.in_library[1] = 1, 2
    view = state.view(0)
    assert view.worlds() == 3
    worlds = view.sample_many(60_000, stream(3))
    seen = Counter((tuple(world["library"][1][:2]), int(world["hand"][1].argmax())) for world in worlds)
    assert len(seen) == 6
    assert chi_squared(list(seen.values())).p > 0.001
    tops = Counter(worlds["library"][:, 0, int(record.in_library[0]) - 1].tolist())
    left = Counter(record.library[0][: record.in_library[0]].tolist())
    kinds = sorted(left)
    expected = [left[kind] / sum(left.values()) * len(worlds) for kind in kinds]
    assert chi_squared([tops[kind] for kind in kinds], expected).p > 0.001


def test_the_search_plays_the_game_with_each_kind_of_playout() -> None:
    state = after(3, 30)
    for playout in ("uniform", "rules", "reduced", "mast"):
        agent = fd.agent(f"ismcts:iterations=40,playout={playout},reward=wl,discount=0.99", seed=1)
        assert agent.choose(state.view(state.seat or 0)) in state.legal


def test_turns_are_counted_for_both_seats_and_moves_left_is_a_bound() -> None:
    for seed in range(5):
        state, rng = fd.load("magic").deal(seed), random.Random(seed)
        bounds = []
        while not state.over:
            bounds.append(len(state.history) + rules.moves_left(state.record))
            assert rules.turns(state.record) == state.facts["turn"] - 1
            state.play(rng.choice(state.legal))
        assert min(bounds) >= len(state.history)


def key_of(state: State, seat: int) -> tuple[int, int]:
    key = np.zeros(2, np.uint64)
    rules.position_key(state.record, seat, False, key)
    return int(key[0]), int(key[1])


def test_the_order_of_cards_played_does_not_make_another_position_and_all_else_that_matters_does() -> None:
    start = board("", "3/3", hand="2/2 for 2, 1/1 for 1, land", lands=3)
    ways = [play(start.copy(), texts) for texts in ("land, 2/2 for 2, 1/1 for 1", "1/1 for 1, 2/2 for 2, land")]
    assert key_of(ways[0], 0) == key_of(ways[1], 0)
    assert key_of(ways[0], -1) == key_of(ways[1], -1)
    assert key_of(ways[0], 0) != key_of(ways[0], 1)
    others = [play(start.copy(), texts) for texts in ("", "land", "1/1 for 1", "2/2 for 2", "land, 2/2 for 2", "done")]
    assert len({key_of(state, 0) for state in [*others, ways[0]]}) == 7
    for seed in range(3):
        state = after(seed, 45)
        for seat in range(2):
            view = state.view(seat)
            assert {key_of(view.sample(number), seat) for number in range(5)} == {key_of(state, seat)}
            assert len({key_of(view.sample(number), -1) for number in range(5)}) == 5


def test_a_state_tells_all_hands_and_a_view_its_own() -> None:
    state = fd.load("magic").deal(1)
    assert [len(hand) for hand in state.hands] == [7, 7]
    assert state.hands == state.facts["hands"]
    view = state.view(1)
    assert view.hands == [None, state.hands[1]]
    assert view.hand(1) == state.hands[1]
    with pytest.raises(fd.HiddenInformation):
        view.hand(0)
