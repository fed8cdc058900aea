"""Time limits and interruptions reach everything that takes time; figures are counts, or CPU seconds with much room.

How well limits are kept is a figure of `facedown bench`.
"""

import gc
import os
import sys
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

import facedown as fd
from facedown.agents.budget import FIRST_SLICE, Budget
from facedown.agents.voting import WORTH_A_VOTE
from facedown.compiler.memory import uncollected
from facedown.rng import stream
from facedown.search.endgame import Solver
from facedown.search.solution import Solution
from facedown.worlds.drawing import SHORT_PATIENCE, Drawing


def at(game: str, actions_left: int, seed: int = 3) -> fd.State:
    """A position of a random game in which so many actions are left, or a few less, and there is a choice."""
    state = fd.load(game).deal(seed)
    walker = fd.agent("random", seed)
    total = 52 if game.startswith("hearts") else 40
    while total - len(state.history) > actions_left or len(state.legal) < 2:
        assert state.seat is not None
        state.play(walker.choose(state.view(state.seat)))
    return state


def position(agent: Any, state: fd.State) -> Any:
    return state.copy() if agent.sees_all else state.view(state.seat or 0)


# --- By the clock -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("ismcts:endgame=32", 32),
        ("minimax:endgame=32", 28),
        ("uct:endgame=32", 32),
        ("ismcts:endgame=32,endgame_worlds=1000000", 20),
        ("ismcts:worlds=1000000", 40),
        ("ismcts:worlds=1000000,sampler=accept-reject", 20),
        ("ismcts-t:worlds=1000000,threads=2", 40),
        ("pimc:worlds=10000", 40),
        ("ismcts:threads=256", 40),
        ("mo-ismcts", 36),
    ],
)
def test_no_option_breaks_a_time_limit(text: str, left: int) -> None:
    """Each of these took from 1 to 50 seconds of the 0.05 that it had, or could."""
    agent: Any = fd.agent(f"{text}{',' if ':' in text else ':'}seconds=0.05")
    state = at("sueca", left)
    agent.choose(position(agent, state))  # compiled by now
    before = time.process_time()
    assert agent.choose(position(agent, state)) in state.legal
    assert time.process_time() - before < 0.6
    assert agent.decision.iterations > 0


def test_where_time_is_short_worlds_are_left_out_rather_than_searched_too_little() -> None:
    agent: Any = fd.agent("pimc:worlds=10000,seconds=0.05")
    view = at("sueca", 40).view(0)
    agent.choose(view)
    agent.choose(view)
    assert 1 <= agent.decision.worlds < 5000
    assert agent.decision.iterations >= WORTH_A_VOTE * (agent.decision.worlds - 1)


def test_fewer_worlds_are_drawn_beforehand_where_time_is_short() -> None:
    agent: Any = fd.agent("ismcts-t:worlds=1000000,seconds=0.05")
    view = at("sueca", 40).view(0)
    agent.choose(view)
    assert 2 <= agent.decision.worlds < 500_000


def test_what_can_be_solved_in_time_is_solved() -> None:
    agent: Any = fd.agent("minimax:seconds=20")
    state = at("sueca", 8)
    agent.choose(position(agent, state))  # compiled by now
    before = time.process_time()
    agent.choose(position(agent, state))
    assert agent.decision.solved
    assert time.process_time() - before < 3, "it does not use up its time"


def test_by_the_clock_no_more_threads_search_than_there_are_processors() -> None:
    agent: Any = fd.agent("ismcts:threads=256,seconds=0.01")
    agent.choose(at("sueca", 40).view(0))
    assert len(agent._searches) <= (os.cpu_count() or 1)


def test_an_ensemble_has_no_more_trees_than_get_their_turn() -> None:
    agent: Any = fd.agent("ensemble:trees=10000,il=true,seconds=0.05,threads=1")
    assert agent.trees() <= 1000
    assert agent.ensemble_options().leaf_trials <= 100
    assert fd.agent("ensemble:il=true", seed=1).ensemble_options().leaf_trials == 100  # type: ignore[attr-defined]


def test_garbage_is_collected_when_the_choice_is_made() -> None:
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()
    fd.agent("ismcts:seconds=0.001").choose(at("sueca", 40).view(0))
    assert gc.isenabled()
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled(), "who has put it off for good is obeyed"
    finally:
        gc.enable()


# --- Interruptions ----------------------------------------------------------------------------------------------------

INTERRUPTED = [
    "ismcts:",
    "mo-ismcts:",
    "ismcts-t:",
    "uct:",
    "pimc:worlds=2000,",
    "pimc:worlds=2000,threads=2,",
    "minimax:endgame=32,",
    "uct:endgame=32,",
    "ismcts:worlds=1000000,",
]


@pytest.mark.parametrize("text", INTERRUPTED)
def test_an_interruption_just_before_a_choice_counts_and_only_for_that(text: str) -> None:
    agent: Any = fd.agent(f"{text}iterations=1000000")
    state = at("sueca", 32)
    agent.interrupt()
    assert agent.choose(position(agent, state)) in state.legal
    assert agent.decision.iterations <= 2 * FIRST_SLICE
    assert agent.decision.worlds <= 2 * FIRST_SLICE
    assert not agent._stop.is_set()


def test_the_choice_after_an_interrupted_one_is_whole() -> None:
    agent: Any = fd.agent("ismcts:iterations=500")
    view = at("sueca", 32).view(at("sueca", 32).seat or 0)
    agent.interrupt()
    agent.choose(view)
    assert agent.decision.iterations < 500
    agent.choose(view)
    assert agent.decision.iterations == 500


@pytest.mark.parametrize("text", ["uct:endgame=32", "ismcts:endgame=32", "ismcts:worlds=1000000,iterations=100000000"])
def test_an_interruption_is_heard_while_worlds_are_solved_or_drawn(text: str) -> None:
    agent: Any = fd.agent(text)
    state = at("hearts", 32)
    agent.interrupt()
    agent.choose(position(agent, state))  # compiled by now
    timer = threading.Timer(0.2, agent.interrupt)
    timer.start()
    before = time.process_time()
    assert agent.choose(position(agent, state)) in state.legal
    assert time.process_time() - before < 3, "a solution would take far longer"
    timer.join()


@pytest.mark.parametrize("text", ["mga:", "sdmcts:threads=2,", "pmga:"])
def test_an_interruption_before_a_choice_counts_under_hypotheses_too(text: str) -> None:
    state = fd.load("cheat").deal(1)
    agent: Any = fd.agent(f"{text}iterations=100000000")
    agent.interrupt()
    assert agent.choose(state.view(0)) in state.legal
    assert agent.decision.iterations <= 2 * FIRST_SLICE


# --- Slices -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "left"), [("sueca", 12), ("hearts", 10), ("bisca", 10)])
def test_a_solution_in_slices_is_the_same_as_at_once(game: str, left: int) -> None:
    state = at(game, left)
    whole, sliced = Solver(state.game, state.data), Solver(state.game, state.data)
    leads = whole.solve(state.data, state.legal)
    sliced.begin(state.data)
    slices = 1
    while not sliced.resume(7):
        slices += 1
    assert sliced.leads(state.legal) == leads
    assert sliced.looked == whole.looked
    assert slices >= whole.looked // 7


def test_worlds_in_slices_are_the_same_as_at_once() -> None:
    view = at("sueca", 30).view(2)
    for sampler in ("exact", "accept-reject", "possibility-matrix"):
        drawing = Drawing(view, 100, stream(5), sampler)
        while len(drawing.worlds) < 100:
            drawing.advance(min(7, 100 - len(drawing.worlds)), 100)
        assert drawing.worlds.tobytes() == view.sample_many(100, stream(5), sampler).tobytes()


def test_a_slow_sampler_gives_up_early_where_a_clock_runs() -> None:
    view = at("sueca", 30).view(2)
    drawing = Drawing(view, 10, stream(5), "accept-reject")
    assert drawing._hidden[0].patience == 1_000_000
    Budget(seconds=10).spend(drawing, 10, least=2)
    assert drawing._hidden[0].patience == SHORT_PATIENCE
    assert len(drawing.worlds) == 10


def test_a_solution_ends_by_itself_and_counts_its_worlds() -> None:
    state = at("sueca", 8)
    view = state.view(state.seat or 0)
    solution = Solution(view, 5, stream(1))
    Budget().spend(solution, 1 << 60)
    assert solution.ended
    assert solution.exact == (len(solution.leads) == view.worlds() <= 5)
    assert solution.advance(100, 100) == 0


class Ticking:
    """Work that takes a tick of a clock for each step."""

    deadline = float("inf")

    def __init__(self) -> None:
        self.steps, self.slices = 0, 0

    def advance(self, steps: int, most: int) -> int:
        self.steps += steps
        self.slices += 1
        return steps


def test_a_budget_is_spent_to_its_end_and_not_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Ticking()
    clock = SimpleNamespace(perf_counter=lambda: work.steps * 1e-4)
    monkeypatch.setattr(sys.modules[Budget.__module__], "time", clock)
    budget = Budget(seconds=1.0, begin=0.0)
    budget.spend(work, 1 << 60, share=0.5)
    assert 5000 <= work.steps <= 5002
    budget.spend(work, 1 << 60)
    assert 10_000 <= work.steps <= 10_002
    assert work.deadline == 1.0
    budget.spend(work, 1 << 60, least=1)
    assert work.steps <= 10_003, "the least there is, when nothing is left"
    assert work.slices >= 1.0 / 0.004
