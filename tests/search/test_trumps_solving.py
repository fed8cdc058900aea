"""Sueca's and Bisca's abstraction loses nothing, and their endgames are solved exactly: both against plain minimax."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.kernel import COMPILED
from facedown.search.endgame import Solver
from facedown.state import State
from facedown.view import View
from positions import play
from solving import after, key_of, relative_legal
from trump_positions import late as position

FOUR = "bisca:seats=4,hand_size=3"
MATCH = "sueca:match=10"
GAMES = [("sueca", 12), (MATCH, 11), ("bisca", 8), ("bisca:hand_size=3", 8), (FOUR, 13)]  # with cards left to play
SEEDS = 8 if COMPILED else 2


def late(game: str, moves: int, seed: int) -> State:
    """A deal played at random until so many cards are left to play, in hands or in the stock."""
    state = fd.load(game).deal(seed)
    rng = np.random.default_rng(seed)
    while len(state.history) < 40 - moves or len(state.legal) < 2:
        state.play(state.legal[rng.integers(len(state.legal))])
        if len(state.history) > 37:
            return late(game, moves, seed + 1000)
    return state


def mine(state: State) -> View:
    return state.view(state.seat or 0)


def lead(state: State) -> float:
    return state.scores[0] - state.scores[1]


def value(state: State, seen: dict[tuple[int, int], Any] | None = None, merge: bool = False) -> float:
    """What side 0 gains over side 1 in this deal by the best play of all, with no table.

    Positions met go into `seen` by their key, with their relative actions and gains: one key must always have the same.
    """
    if state.over or len(state.history) == 40:
        return 0.0
    gains = {}
    for name, action in relative_legal(state, -1, merge).items():
        following = after(state, action)
        gains[name] = lead(following) - lead(state) + value(following, seen, merge)
    if seen is not None:
        found = (state.seat, gains)
        assert seen.setdefault(key_of(state, -1, merge), found) == found
    return (max if (state.seat or 0) % 2 == 0 else min)(gains.values())


# --- The solver ---------------------------------------------------------------------------------------------------------


def leads(state: State) -> dict[int, float]:
    """What each action gains the side to move."""
    sign = 1 if (state.seat or 0) % 2 == 0 else -1
    followers = {action: after(state, action) for action in state.legal}
    return {action: sign * (lead(next) - lead(state) + value(next)) for action, next in followers.items()}


@pytest.mark.parametrize(("game", "moves"), [*GAMES, ("sueca", 8), ("bisca", 7), ("bisca:hand_size=3", 9), (FOUR, 12)])
def test_alpha_beta_agrees_with_plain_minimax(game: str, moves: int) -> None:
    solver = None
    for seed in range(SEEDS // 2):
        state = late(game, moves, seed)
        solver = solver or Solver(state.game, state.data)
        assert solver.two_sides
        assert solver.solve(state.data, state.legal) == leads(state)


def test_a_tiny_table_that_forgets_gives_the_same_values() -> None:
    for game, moves in GAMES:
        state = late(game, moves, 3)
        assert Solver(state.game, state.data, table_bits=2).solve(state.data, state.legal) == leads(state)


def test_in_a_match_the_points_already_taken_decide_what_a_trick_is_worth() -> None:
    """One deal, the same cards left: a side with 80 points plays for game points that one with 20 cannot get."""
    hands = ["A2.-.-.-", "-.K3.-.-", "34.-.-.-", "-.45.-.-"]  # all 15 points go to side 0, whatever happens
    solver = None
    for points, gain in (((80, 25), 2), ((60, 45), 1), ((45, 60), 0), ((20, 85), -1), ((5, 100), -2)):
        state = position(MATCH, hands, trump="S", points=points)
        solver = solver or Solver(state.game, state.data)
        assert solver.solve(state.data, state.legal) == dict.fromkeys(state.legal, gain)


@pytest.mark.skipif(not COMPILED, reason="thirty thousand positions")
def test_once_its_stock_is_gone_bisca_is_solved_to_the_end() -> None:
    for seed in range(3):
        state = late("bisca", 18, seed)
        assert state.facts["stock_left"] == 0
        agent = fd.agent("ismcts:endgame=18")
        agent.choose(mine(state))
        decision = agent.decision
        assert decision is not None
        assert (decision.solved, decision.worlds) == (True, 1)
        solver = Solver(state.game, state.data)
        expected = set()
        while not state.over:  # both sides play what the solver says, and get what it says
            solved = solver.solve(state.data, state.legal) or {}
            expected.add(lead(state) + (1 if state.seat == 0 else -1) * max(solved.values()))
            state.play(max(solved, key=lambda action: solved[action]))
        assert expected == {lead(state)}


# --- The abstraction ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize(("game", "moves"), GAMES)
def test_positions_with_equal_keys_have_equal_actions_and_values(game: str, moves: int, merge: bool) -> None:
    seen: dict[tuple[int, int], Any] = {}
    met = 0
    for seed in range(SEEDS):
        state = late(game, moves, seed)
        met += sum(1 for _ in below(state))
        value(state, seen, merge)
    assert len(seen) < met - (500 if COMPILED else 20)


def below(state: State) -> Iterator[State]:
    """A position and all that follow from it in this deal."""
    if not state.over and len(state.history) < 40:
        yield state
        for action in state.legal:
            yield from below(after(state, action))


@pytest.mark.parametrize(("game", "moves"), [("sueca", 12), ("sueca:mandar_abaixo=true", 12), ("bisca", 10), (FOUR, 14)])
def test_a_seats_equal_keys_mean_equal_knowledge(game: str, moves: int) -> None:
    """Over the ways of one deal: as many worlds, the same actions, the same turn, and the same cards in hand."""
    for seed in range(3):
        known: dict[tuple[int, int], Any] = {}
        pairs = 0
        start = late(game, moves, seed)
        seat = start.seat or 0
        for _, state in zip(range(400), below(start), strict=False):
            mover = state.to_move
            actions = sorted(relative_legal(state, seat)) if mover == seat else []
            found = (mover, state.view(seat).worlds(), actions, len(state.hands[seat]))
            pairs += key_of(state, seat) in known
            assert known.setdefault(key_of(state, seat), found) == found
        assert pairs > 5


@pytest.mark.parametrize("game", ["sueca", "sueca:mandar_abaixo=true", "bisca", "bisca:hand_size=3", FOUR])
@pytest.mark.parametrize("merge", [False, True])
def test_a_seats_key_does_not_depend_on_what_it_cannot_see(game: str, merge: bool) -> None:
    for seed in range(10):
        state = late(game, 12 + 2 * seed, seed)
        seat = state.seat or 0
        worlds = [mine(state).sample(one) for one in range(8)]
        assert len({key_of(world, seat, merge) for world in worlds}) == 1
        assert len({tuple(relative_legal(world, seat, merge).items()) for world in worlds}) == 1


TWO = ["62.-.-.3", "53.-.-.4"]


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        (["62.-.-.3", "53.-.-.4"], ["52.-.-.5", "43.-.-.6"], True),  # only places count among cards without points
        (["62.-.-.3", "53.-.-.4"], ["62.-.-.5", "43.-.-.6"], True),
        (["62.-.-.3", "53.-.-.4"], ["65.-.-.3", "32.-.-.4"], False),
        (["A2.-.-.3", "73.-.-.4"], ["A2.-.-.3", "K3.-.-.4"], False),  # ranks with points are what they are
        (["Q2.-.-.3", "63.-.-.4"], ["Q3.-.-.3", "64.-.-.4"], True),
        (["62.-.-.3", "53.-.-.4"], ["2.6.-.3", "3.5.-.4"], False),
    ],
)
def test_what_makes_a_position_another(one: list[str], two: list[str], same: bool) -> None:
    assert (key_of(position("bisca", one, trump="S")) == key_of(position("bisca", two, trump="S"))) == same


def test_trumps_are_kept_apart() -> None:
    plain = position("bisca", TWO, trump="S")
    trumps = position("bisca", TWO, trump="C")
    assert key_of(plain) != key_of(trumps)
    assert key_of(plain, -1, True) != key_of(trumps, -1, True)
    assert {name // 13 for name in relative_legal(trumps)} == {2, 3}


def test_leader_trick_and_points_in_it_make_another_key() -> None:
    hands = ["A72.-.-.3", "K43.-.-.4"]
    states = [position("bisca", hands, trump="S"), position("bisca", hands, trump="S", leader=1)]
    states += [play(position("bisca", hands, trump="S"), word) for word in ("AC", "7C", "2C", "3H")]
    assert len({key_of(state) for state in states}) == len(states)


def test_a_trick_that_was_trumped_is_another() -> None:
    followed = play(position("sueca", ["2.-.-.2", "3.-.-.3", "5.-.-.4", "6.-.-.5"], trump="D"), "2C 3C")
    trumped = play(position("sueca", ["2.-.-.2", "-.2.-.3", "5.-.-.4", "6.-.-.5"], trump="D"), "2C 2D")
    assert followed.hands == trumped.hands
    assert key_of(followed) != key_of(trumped)


def test_what_mandar_abaixo_tells_of_a_hand_is_part_of_what_a_seat_knows() -> None:
    hands = ["A2.-.-.3", "73.-.-.4", "64.-.-.5", "K5.-.-.6"]
    for game, same in (("sueca", True), ("sueca:mandar_abaixo=true", False)):
        state = position(game, hands, trump="S")
        low = fd.cards.mask_of(map(fd.cards.parse, ["2D", "3D", "4D", "5D", "6D", "QD", "2H"]))
        gone = np.bitwise_or.reduce(state.record.played)
        state.record.played[:] = [0, low, gone & ~low, 0]
        twin = state.copy()
        twin.record.played[:] = [0, gone & ~low, low, 0]
        assert (key_of(state, 0) == key_of(twin, 0)) == same
        assert key_of(state) == key_of(twin)


def test_points_taken_count_in_a_match_only() -> None:
    hands = ["A.-.-.-", "2.-.-.-", "3.-.-.-", "4.-.-.-"]
    keys = {key_of(position("sueca", hands, trump="S", points=points)) for points in ((50, 59), (49, 60))}
    assert len(keys) == 1
    keys = {key_of(position(MATCH, hands, trump="S", points=points)) for points in ((50, 59), (49, 60))}
    assert len(keys) == 2


def test_the_order_of_the_stock_counts_where_all_is_seen_and_only_there() -> None:
    state = late("bisca:hand_size=3", 12, 1)
    assert state.facts["stock_left"] == 6
    twin = state.copy()
    twin.record.stock[2], twin.record.stock[3] = state.record.stock[3], state.record.stock[2]
    assert key_of(state) != key_of(twin)
    assert key_of(state, 0) == key_of(twin, 0)


def renamed(state: State, first: int, second: int) -> State:
    """The same position with two suits' names exchanged."""
    twin = state.copy()
    record = twin.record

    def other(card: int) -> int:
        suit = {first: second, second: first}.get(card // 13, card // 13)
        return suit * 13 + card % 13 if card >= 0 else card

    for field in ("hands", "played", "not_held"):
        masks = getattr(record, field)
        for seat in range(4):
            masks[seat] = fd.cards.mask_of(other(card) for card in fd.cards.cards_of(masks[seat]))
    for field in ("stock", "trick"):
        getattr(record, field)[:] = [other(int(card)) for card in getattr(record, field)]
    record.shown, record.winning_card = other(int(record.shown)), other(int(record.winning_card))
    record.suit_led = {first: second, second: first}.get(int(record.suit_led), int(record.suit_led))
    twin._legal = None
    return twin


@pytest.mark.parametrize(("game", "moves"), [("sueca", 14), ("bisca", 18), ("bisca:hand_size=3", 20), (FOUR, 20)])
def test_suits_that_are_not_trumps_may_be_merged(game: str, moves: int) -> None:
    for seed in range(12):
        state = late(game, moves, seed)
        seat = state.seat or 0
        plain = [suit for suit in range(4) if suit != state.record.trump]
        first, second = plain[seed % 3], plain[(seed + 1) % 3]
        twin = renamed(state, first, second)
        assert key_of(state, seat) != key_of(twin, seat)
        for viewer in (seat,) if state.facts["stock_left"] else (-1, seat):
            assert key_of(state, viewer, True) == key_of(twin, viewer, True)
            assert relative_legal(state, viewer, True).keys() == relative_legal(twin, viewer, True).keys()
