"""Why the best action is best, in words."""

from facedown.analysis.reasons import reasons
from facedown.analysis.value import LEAD, Measure
from facedown.games import load
from facedown.search.decision import Candidate, Decision, forced

POINTS = Measure(LEAD, 52.0, -26.0)


def candidate(action: int, text: str, mean: float) -> Candidate:
    return Candidate(action, text, 500, 1000, mean, (mean - 0.01, mean + 0.01))


def test_the_next_action_costs_something() -> None:
    found = reasons(Decision(0, "QS", [candidate(0, "QS", 0.6), candidate(1, "KH", 0.5)], iterations=1000), POINTS)
    assert found == {
        "best": "5.2 ± 0.5 points ahead, 50% of 1000 visits",
        "next": "Q♠ is best: K♥ would cost a lead of 5.2 points.",
        "cost": "a lead of 5.2 points",
    }


def test_an_action_that_does_as_well_costs_nothing() -> None:
    found = reasons(Decision(0, "QS", [candidate(0, "QS", 0.6), candidate(1, "KH", 0.6)], iterations=1000), POINTS)
    assert found["cost"] is None
    assert "does as well" in found["next"]


def test_the_only_action_has_no_next() -> None:
    assert reasons(forced(load("bisca"), 3), POINTS) == {"best": "the only choice", "next": None, "cost": None}
