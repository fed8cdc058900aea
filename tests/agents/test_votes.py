"""How single worlds vote: for the action with most visits, or with the best mean (Fernandes 2016, section 5.1)."""

from typing import Any

import pytest

import facedown as fd
from facedown.search.decision import decide, votes_of
from facedown.search.search import Arm, Search


class Told(Search):
    """A search whose results are given: (action, visits, sum of rewards)."""

    def __init__(self, *arms: tuple[int, int, float]) -> None:
        self.told = arms

    def arms(self, node: int = 0) -> list[Arm]:
        return [Arm(action, 0, visits, visits, reward) for action, visits, reward in self.told] if node == 0 else []

    def figure(self, name: str) -> int:
        return 0


# Two worlds like action 1 best by visits and action 2 by its mean, one action 0 by both; in one, means tie.
WORLDS = [
    Told((0, 5, 1.0), (1, 60, 30.0), (2, 35, 21.0)),
    Told((0, 5, 1.0), (1, 60, 36.0), (2, 35, 21.0)),
    Told((0, 80, 64.0), (1, 10, 5.0), (2, 10, 5.0)),
    Told((0, 5, 1.0), (1, 60, 30.0), (2, 35, 21.0)),
]


def test_worlds_vote_by_visits_or_by_mean_and_share_a_vote_that_ties() -> None:
    arms = [world.arms() for world in WORLDS]
    assert votes_of(arms) == votes_of(arms, "visits") == {1: 3.0, 0: 1.0}
    assert votes_of(arms, "mean") == {2: 2.5, 1: 0.5, 0: 1.0}
    assert votes_of([[], *arms]) == votes_of(arms), "a world without a result has no vote"


@pytest.mark.parametrize(("vote", "action"), [("visits", 1), ("mean", 2)])
def test_the_action_with_most_votes_is_played(vote: str, action: int) -> None:
    decision = decide(fd.load("sueca"), WORLDS, "votes", vote=vote)
    assert decision.action == action
    assert decision.candidates[0].votes == votes_of([world.arms() for world in WORLDS], vote)[action]


@pytest.mark.parametrize("name", ["pimc", "minimax"])
def test_who_votes_has_the_option(name: str) -> None:
    state = fd.load("sueca").deal(3)
    agents: dict[str, Any] = {vote: fd.agent(f"{name}:worlds=9,iterations=40,vote={vote}") for vote in ("visits", "mean")}
    for agent in agents.values():
        agent.choose(state.view(0))
    by_visits, by_mean = ({one.action: one.votes for one in agent.decision.candidates} for agent in agents.values())
    assert sum(by_visits.values()) == pytest.approx(9)
    assert sum(by_mean.values()) == pytest.approx(9)
    assert by_visits != by_mean
    with pytest.raises(fd.BadOption, match="option vote: expected one of visits, mean, got 'luck'"):
        fd.agent(f"{name}:vote=luck")
