"""What an action cost, compared with a slow and literal solution of the last tricks."""

from collections.abc import Iterator
from random import Random

import pytest

import facedown as fd
from facedown.agents import agent
from facedown.analysis.hindsight import hindsight
from facedown.analysis.judgement import Wanted, judged
from facedown.analysis.moments import Moment
from facedown.analysis.value import leads, measure, measure_of

LATE = {"bisca": 6, "sueca": 9, "hearts32": 8}  # actions left


def late_positions(name: str, seeds: range) -> Iterator[fd.State]:
    """Positions near the end of random games in which there is something to choose."""
    game = fd.load(name)
    for seed in seeds:
        chance, states = Random(seed), [game.deal(seed)]
        while not states[-1].over:
            states.append(states[-1].copy())
            states[-1].play(chance.choice(states[-1].legal))
        yield from [state for state in states[-LATE[name] - 1 :] if len(state.legal) > 1][:2]


def final_leads(state: fd.State) -> list[float]:
    """The lead of each seat at the end if all play their best from here on, by trying everything."""
    if state.over:
        return [float(lead) for lead in leads(state)]
    seat, best = state.seat or 0, None
    for action in state.legal:
        found = final_leads(after(state, action))
        if best is None or found[seat] > best[seat] + 1e-9:
            best = found
    assert best is not None
    return best


def after(state: fd.State, action: int) -> fd.State:
    twin = state.copy()
    twin.play(action)
    return twin


@pytest.mark.parametrize("name", list(LATE))
def test_with_open_cards_values_and_costs_are_those_of_trying_everything(name: str) -> None:
    compared = 0
    for state in late_positions(name, range(5)):
        scale, seat = measure(state.game), state.seat or 0
        ends = {action: final_leads(after(state, action))[seat] for action in state.legal}
        for action, lead in ends.items():
            found = hindsight(state, action, scale, "points", 1000, 0)
            assert found is not None
            assert found["exact"]
            assert scale.value(found["value"]) == pytest.approx(max(ends.values()))
            assert found["regret"] * scale.scale == pytest.approx(max(ends.values()) - lead)
            compared += lead < max(ends.values())
    assert compared  # of actions that cost something


def test_an_agent_that_solves_a_decision_with_one_world_left_finds_the_same_by_what_could_be_known() -> None:
    compared = 0
    solver = agent("minimax:endgame=20,final=mean")
    for state in late_positions("bisca", range(8)):
        view, scale, seat = state.view(state.seat or 0), measure(state.game), state.seat or 0
        if view.worlds() > 1:
            continue
        ends = {action: final_leads(after(state, action))[seat] for action in state.legal}
        for action, lead in ends.items():
            told = judged(solver, Moment(view, 0, 1, action, state), Wanted(hindsight=True))
            assert scale.value(told["value"]) == pytest.approx(max(ends.values()))
            assert told["regret"] * scale.scale == pytest.approx(max(ends.values()) - lead)
            assert (told["regret"], told["grade"]) == pytest.approx(
                (told["hindsight"]["regret"], told["hindsight"]["grade"])
            )
            compared += 1
    assert compared


def test_the_figures_of_a_solved_decision_are_on_the_scale_of_rewards() -> None:
    solver = agent("minimax:endgame=20")
    state = next(late_positions("sueca", range(1)))
    told = judged(solver, Moment(state.view(state.seat or 0), 0, 1, state.legal[0], state), Wanted())
    scale = measure_of(solver, state.game)
    assert told["decision"]["solved"]
    assert all(-120 <= scale.value(one["mean"]) <= 120 for one in told["decision"]["candidates"])
    assert told["value"] == told["decision"]["candidates"][0]["mean"]


def test_a_position_too_far_from_the_end_is_searched_with_open_cards() -> None:
    state = fd.load("hearts:passing=hold").deal(1)
    while len(state.legal) < 2:
        state.play(state.legal[0])
    found = hindsight(state, state.legal[0], measure(state.game), "points", 300, 0)
    assert found is not None
    assert not found["exact"]
    assert found == hindsight(state, state.legal[0], measure(state.game), "points", 300, 0)  # the same again


def test_a_blunder_is_graded_as_one_and_the_best_card_as_best() -> None:
    """A position of Bisca with all cards known, in which some card loses an eighth of all there is."""
    for state in late_positions("bisca", range(30)):
        view, seat = state.view(state.seat or 0), state.seat or 0
        ends = {action: final_leads(after(state, action))[seat] for action in state.legal}
        if view.worlds() > 1 or max(ends.values()) - min(ends.values()) < 0.12 * 240:
            continue
        searcher = agent("ismcts:iterations=2000")
        for action, lead in ends.items():
            told = judged(searcher, Moment(view, 0, 1, action, state), Wanted(hindsight=True))
            expected = {max(ends.values()): "best", min(ends.values()): "blunder"}.get(lead)
            if expected:
                assert (told["grade"], told["hindsight"]["grade"]) == (expected, expected)
        return
    pytest.fail("expected a position with a blunder")
