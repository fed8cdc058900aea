"""Whether a seat takes every point that is left: the compiled test against plain Python, rule by rule and by the hundred."""

import numpy as np
import pytest

import facedown as fd
from facedown.cards import SUIT_SIZE, cards_of, mask_of
from facedown.games.hearts.moon import NO, UNKNOWN, YES, new_room, take_all
from facedown.games.hearts.rules import lowest_club
from facedown.kernel import COMPILED
from facedown.rng import draw, stream
from facedown.state import State
from interpreting import interpreted
from positions import late as position
from positions import play
from solving import late, takes_every_point

GAMES = ["hearts:passing=false", "hearts:passing=false,queen_breaks_hearts=true", "hearts32:break_hearts=true", "hearts32"]


def answer(state: State, seat: int) -> int:
    answers = np.zeros(1, np.int64)
    take_all(state.data, seat, new_room(), answers)
    return int(answers[0])


def strengthened(game: str, cards: int, seed: int) -> tuple[State, int]:
    """A late position in which a seat has all points so far and many high cards; in every second one hearts wait."""
    state = late(game, cards, seed)
    rng, collector = stream(seed, 2), seed % 4
    data = state.data
    pool = sorted(cards_of(sum(map(int, data["hands"][0]))), key=lambda card: (card % SUIT_SIZE, card))
    sizes = [int(hand).bit_count() for hand in data["hands"][0]]
    for seat in [collector, *(seat for seat in range(4) if seat != collector)]:
        last = [pool.pop(-1 - draw(rng, min(3, len(pool)))) for _ in range(sizes[seat])]
        data["hands"][0, seat] = mask_of(last)
        if lowest_club(state.record) in last:
            data["opener"] = seat
    data["points"] = [[sum(data["points"][0]) if seat == collector else 0 for seat in range(4)]]
    data["hearts_broken"], data["not_held"] = seed % 8 < 4, 0
    return state.game.position(state.position), collector


@pytest.mark.parametrize("game", GAMES)
def test_the_answer_is_that_of_trying_everything(game: str) -> None:
    room, found, answers = new_room(), {NO: 0, YES: 0}, np.zeros(1, np.int64)
    for seed in range(300 if COMPILED else 12):
        state, collector = strengthened(game, 7 + seed % 7, seed)
        take_all(state.data, collector, room, answers)
        assert int(answers[0]) == (YES if takes_every_point(state, collector) else NO), state.position
        found[int(answers[0])] += 1
    assert min(found.values()) > 60 or not COMPILED


@pytest.mark.parametrize("game", GAMES)
def test_whoever_collects_the_answer_is_right(game: str) -> None:
    room, answers = new_room(), np.zeros(1, np.int64)
    for seed in range(60 if COMPILED else 3):
        state = late(game, 8 + seed % 6, seed)
        taken = sum(state.record.points.tolist())
        for collector in range(4):
            state.data["points"] = [[taken if seat == collector else 0 for seat in range(4)]]
            take_all(state.data, collector, room, answers)
            assert int(answers[0]) == (YES if takes_every_point(state, collector) else NO), state.position


def with_the_queen_to_fall(game: str, last: str) -> State:
    """Seat 0 is about to take the queen of spades, and then has 2C and AH; 3H is the only other heart."""
    hands = ["2.-.K.A", "5.-.Q.3", "3.9.5.-", last]
    return play(position(game, hands, leader=3, hearts_broken=False, points=(11, 0, 0, 0)), "6S")


def test_a_trick_without_points_may_be_lost_after_one_with_points() -> None:
    state = with_the_queen_to_fall("hearts:passing=false", "4.8.6.-")  # 2C loses to 5C, and 3H comes back
    assert (answer(state, 0), takes_every_point(state, 0)) == (YES, True)


@pytest.mark.parametrize(("breaks", "expected"), [("false", NO), ("true", YES)])
def test_the_queen_breaks_hearts_where_the_game_says_so(breaks: str, expected: int) -> None:
    state = with_the_queen_to_fall(f"hearts:passing=false,queen_breaks_hearts={breaks}", "7.8.6.-")  # 2C loses to 7C
    assert (answer(state, 0), takes_every_point(state, 0)) == (expected, expected == YES)


def test_somebody_else_with_a_point_ends_it() -> None:
    state = late("hearts32", 12, 1)
    points = state.record.points.tolist()
    assert max(points) < sum(points)
    assert [answer(state, seat) for seat in range(4)] == [NO] * 4


def test_before_the_second_trick_nothing_is_said() -> None:
    assert answer(fd.load("hearts", passing=False).deal(1), 0) == UNKNOWN


def test_once_all_points_are_taken_the_answer_is_what_happened() -> None:
    state = fd.load("hearts32").deal(1)
    while not state.over:
        state.play(state.legal[0])
    state.data["points"] = (0, 16, 0, 0)
    assert [answer(state, seat) for seat in range(4)] == [NO, YES, NO, NO]


def found() -> list[int]:
    """Answers for late positions."""
    return [answer(late("hearts32", 12, seed), seat) for seed in range(25) for seat in range(4)]


def test_interpreted_and_compiled_answers_agree() -> None:
    assert interpreted("test_hearts_moon", "found") == found()
