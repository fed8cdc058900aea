"""The reward that is the win until it is decided, and the score from then on."""

from collections.abc import Iterator
from typing import Any

import pytest

import facedown as fd
from facedown.analysis.value import kind_of
from facedown.compiler.asking import is_decided_for
from facedown.state import State
from solving import after, late


def ends(state: State) -> Iterator[State]:
    """All ends that a position can come to."""
    if state.over:
        yield state
    else:
        for action in state.legal:
            yield from ends(after(state, action))


def share_of_win(end: State, seat: int) -> float:
    """1 for the only winning side, a half for one of several, 0 for the others."""
    game = end.game
    best = min(end.scores) if game.lower_is_better else max(end.scores)
    sides = {game.sides[one] for one, score in enumerate(end.scores) if score == best}
    return (game.sides[seat] in sides) / min(2, len(sides))


@pytest.mark.parametrize(("game", "moves"), [("hearts32", 8), ("hearts32:moon=false", 8), ("sueca", 8), ("bisca", 6)])
def test_what_is_decided_no_play_in_any_world_can_change(game: str, moves: int) -> None:
    decided = []
    for seed in range(40):
        state = late(game, moves, seed)
        seat = state.seat or 0
        view = state.view(seat)
        decided.append(is_decided_for(view.data, seat))
        if decided[-1]:
            worlds = [view.sample(number) for number in range(3)]
            assert len({share_of_win(end, seat) for world in worlds for end in ends(world)}) == 1
    assert {True, False} == set(decided)


@pytest.mark.parametrize("game", ["sueca", "bisca"])
def test_a_trump_game_is_decided_as_soon_as_a_side_has_more_than_half(game: str) -> None:
    for seed in range(10):
        state = fd.load(game).deal(seed)
        while not state.over:
            assert is_decided_for(state.data, 0) == (max(state.scores) > 60)
            state.play(state.legal[seed % len(state.legal)])


def test_a_seat_that_may_still_shoot_the_moon_has_not_lost() -> None:
    game = fd.load("hearts:passing=hold")
    state = next(state for state in (late(game, 8, seed) for seed in range(200)) if sorted(state.record.points)[2] > 0)
    state.record.points[:] = 0
    state.record.points[1] = 20
    assert not is_decided_for(state.data, 1)
    state.record.moon = False
    assert is_decided_for(state.data, 1)


def choice(text: str, state: State) -> Any:
    """What an agent thinks of a position."""
    agent = fd.agent(text, seed=3)
    agent.choose(state.view(state.seat or 0))
    assert agent.decision is not None
    return {**agent.decision.to_dict(), "seconds": 0}


@pytest.mark.parametrize("game", ["hearts32", "sueca"])
def test_the_win_counts_until_it_is_decided_and_the_score_from_then_on(game: str) -> None:
    seen = set()
    for seed in range(20):
        state = late(game, 11, seed)
        if len(state.legal) > 1:
            decided = bool(is_decided_for(state.data, state.seat or 0))
            kind = "sd" if decided else "pwl"
            assert choice("ismcts:iterations=60,reward=pwl-sd", state) == choice(
                f"ismcts:iterations=60,reward={kind}", state
            )
            seen.add(decided)
    assert seen == {True, False}


@pytest.mark.parametrize("game", fd.games())
def test_every_game_is_played_for_it(game: str) -> None:
    agents = ["ismcts:iterations=3,reward=pwl-sd"] + ["random"] * (fd.load(game).seats - 1)
    first, second = fd.play(game, agents, seed=2), fd.play(game, agents, seed=2)
    assert first.actions == second.actions


def test_reviews_refuse_decisions_that_do_not_compare() -> None:
    with pytest.raises(
        fd.FacedownError, match=r"option reward: expected one of points, .* to compare decisions by, got 'pwl-sd'"
    ):
        kind_of(fd.agent("ismcts:reward=pwl-sd"), fd.load("sueca"))
