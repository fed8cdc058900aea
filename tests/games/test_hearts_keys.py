"""Hearts' abstraction loses nothing: positions with one key are one game."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from facedown.state import State
from positions import late as position
from positions import play
from solving import after, key_of, late, lead, max_n, relative_legal

HEARTS = "hearts:passing=false"
GAMES = [HEARTS, "hearts:passing=false,moon=false", "hearts32", "hearts32:moon=false"]
CLUBS = 0x1FFF


def below(state: State) -> Iterator[State]:
    """A position and all that follow from it."""
    yield state
    for action in state.legal:
        yield from below(after(state, action))


def gains(state: State) -> tuple[float, ...]:
    return tuple(end - now for end, now in zip(max_n(state), state.scores, strict=True))


def solved(state: State, merge: bool = False) -> tuple[Any, ...]:
    """What a key must decide: the relative actions, and what each gains the seat to move."""
    seat = state.seat or 0
    now = lead(state.scores, seat, -1.0)
    found = relative_legal(state, -1, merge)
    return tuple(sorted((name, lead(max_n(after(state, action)), seat, -1.0) - now) for name, action in found.items()))


@pytest.mark.parametrize("game", GAMES)
def test_positions_with_equal_keys_have_equal_actions_and_values(game: str) -> None:
    known: dict[tuple[int, int], Any] = {}
    pairs = 0
    for seed in range(12):
        for state in below(late(game, 9, seed)):
            if not state.over:
                found = (solved(state), gains(state))
                pairs += key_of(state) in known
                assert known.setdefault(key_of(state), found) == found
    assert pairs > 500


@pytest.mark.parametrize("game", [HEARTS, "hearts32", "hearts"])
def test_a_seats_equal_keys_mean_equal_knowledge(game: str) -> None:
    """Over the ways of one deal: as many worlds, the same actions, the same turn, and the same cards in hand."""
    for seed in range(4):
        known: dict[tuple[int, int], Any] = {}
        pairs = 0
        start = late(game, 12, seed)
        seat = start.seat or 0
        for state in list(below(start))[:3000]:
            if state.over:
                continue
            mover = state.to_move
            actions = sorted(relative_legal(state, seat)) if mover == seat else []
            found = (mover, state.view(seat).worlds(), actions, len(state.hands[seat]))
            pairs += key_of(state, seat) in known
            assert known.setdefault(key_of(state, seat), found) == found
        assert pairs > 20


def test_a_seats_key_does_not_depend_on_what_it_cannot_see() -> None:
    for seed in range(10):
        state = late(HEARTS, 20, seed)
        seat = state.seat or 0
        assert len({key_of(state.view(seat).sample(one), seat) for one in range(10)}) == 1


THREE = ["A.2.-.3", "K.3.-.4", "Q.4.-.5", "J.5.-.6"]


def test_gaps_left_by_cards_that_are_gone_do_not_count() -> None:
    lower = ["5.2.-.3", "4.3.-.4", "3.4.-.5", "2.5.-.6"]
    points = (1, 1, 0, 0)
    assert key_of(position(HEARTS, THREE, points=points)) == key_of(position(HEARTS, lower, points=points))


@pytest.mark.parametrize(
    "other",
    [
        {"leader": 1},
        {"hearts_broken": False},
        {"points": (0, 0, 0, 0)},
        {"points": (1, 0, 0, 0)},
        {"points": (0, 1, 0, 0)},
    ],
)
def test_leader_takers_and_broken_hearts_make_another_key(other: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"leader": 0, "hearts_broken": True, "points": (1, 1, 0, 0)}
    assert key_of(position(HEARTS, THREE, **usual)) != key_of(position(HEARTS, THREE, **{**usual, **other}))


def test_how_many_points_several_seats_have_does_not_matter() -> None:
    assert key_of(position(HEARTS, THREE, points=(5, 1, 0, 0))) == key_of(position(HEARTS, THREE, points=(0, 2, 9, 1)))


def test_the_trick_is_known_by_its_winner_and_its_points() -> None:
    tricks = {key_of(play(position(HEARTS, THREE), words)) for words in ("", "AC", "2D", "3H", "AC KC", "2D 3D")}
    assert len(tricks) == 6


def test_the_queens_place_is_part_of_the_key() -> None:
    with_queen = ["2.-.Q.-", "3.-.K.-", "4.-.J.-", "5.-.T.-"]
    without = ["2.-.9.-", "3.-.K.-", "4.-.8.-", "5.-.7.-"]
    higher = ["2.-.K.-", "3.-.Q.-", "4.-.J.-", "5.-.T.-"]
    assert len({key_of(position(HEARTS, hands, points=(1, 1, 0, 0))) for hands in (with_queen, without, higher)}) == 3


def test_a_void_shown_is_part_of_what_a_seat_knows() -> None:
    state, shown = position(HEARTS, THREE), position(HEARTS, THREE)
    shown.record.not_held[1] |= np.uint64(CLUBS)
    assert key_of(state) == key_of(shown)
    assert key_of(state, 0) != key_of(shown, 0)


def swapped(state: State) -> State:
    """The same position with clubs for diamonds and diamonds for clubs."""
    twin = state.copy()
    record = twin.record
    for field in ("hands", "not_held", "played", "passed"):
        masks = getattr(record, field)
        for seat in range(4):
            mask = int(masks[seat])
            masks[seat] = np.uint64(mask >> 26 << 26 | (mask & CLUBS) << 13 | (mask >> 13 & CLUBS))
    if record.in_trick > 0 and record.suit_led < 2:
        record.suit_led = 1 - record.suit_led
        record.winning_card = (record.winning_card + 13) % 26
    twin._legal = None
    return twin


def test_clubs_and_diamonds_may_be_merged() -> None:
    for seed in range(30):
        state = late(HEARTS, 11, seed)
        twin = swapped(state)
        assert key_of(state, -1, True) == key_of(twin, -1, True)
        assert solved(state, True) == solved(twin, True)
        seat = state.seat or 0
        state.record.opener = twin.record.opener = seat
        ours, theirs = relative_legal(state, seat, True), relative_legal(twin, seat, True)
        assert set(ours) == set(theirs)
        for name, card in ours.items():
            assert theirs[name] == ((card + 13) % 26 if card < 26 else card)


def test_positions_with_equal_merged_keys_have_equal_actions_and_leads() -> None:
    known: dict[tuple[int, int], Any] = {}
    plain = set()
    for seed in range(40):
        for state in below(late(HEARTS, 7, seed)):
            if not state.over:
                plain.add(key_of(state))
                found = solved(state, True)
                assert known.setdefault(key_of(state, -1, True), found) == found
    assert len(known) < len(plain)


def test_spades_are_never_merged_while_the_queen_is_in_a_hand() -> None:
    points = (1, 1, 0, 0)
    queen = position(HEARTS, ["2.-.Q.-", "3.-.K.-", "4.-.J.-", "5.-.T.-"], points=points)
    assert {name // 13 for name in relative_legal(queen, -1, True) if relative_legal(queen, -1, True)[name] >= 26} == {2}
    gone = [["2.-.A.-", "3.-.K.-", "4.-.J.-", "5.-.T.-"], ["A.-.2.-", "K.-.3.-", "J.-.4.-", "T.-.5.-"]]
    keys = {key_of(position(HEARTS, hands, points=points), -1, True) for hands in gone}
    assert len(keys) == 1
