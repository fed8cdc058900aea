"""How each player did in a game: luck and skill apart.

All figures are rewards, and those of a match are added up over its deals.

regret       what the decisions cost against the search's own, each as its seat could know: the skill that was missing
expected     what the search expected at the seat's first decision of a deal: the cards dealt, and equal play from there on
result       the reward at the end
luck         result - expected + regret: all that neither the first cards nor the own mistakes explain, which is
             how the hidden cards lay and what the others did

So result = expected + luck - regret.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean

from facedown.analysis.grades import accuracy
from facedown.analysis.moments import Moments
from facedown.record import Data


def players_of(names: Sequence[str], decisions: Sequence[Data], moments: Moments, span: float) -> list[Data]:
    """A summary for each seat."""
    by_seat: dict[int, list[Data]] = {seat: [] for seat in range(len(names))}
    for decision in decisions:
        by_seat[decision["seat"]].append(decision)
    return [player(seat, name, by_seat[seat], moments, span) for seat, name in enumerate(names)]


def player(seat: int, name: str, decisions: Sequence[Data], moments: Moments, span: float) -> Data:
    """How one seat did; its expectation and luck only where all of a game was looked at."""
    priced = [one for one in decisions if one["regret"] is not None]
    regret = sum(one["regret"] for one in priced)
    opened = [one["hindsight"]["regret"] for one in decisions if one["hindsight"]]
    known = [loss for loss in opened if loss is not None]
    expected = expected_of(decisions, moments)
    result = sum(deal[seat] for deal in moments.results) if moments.complete else None
    return {
        "seat": seat,
        "name": name,
        "decisions": len(decisions),
        "priced": len(priced),
        "regret": regret,
        "regret_half": sqrt(sum(one["regret_half"] ** 2 for one in priced)),
        "hindsight_regret": sum(known) if known else None,
        "accuracy": fmean(accuracy(one["regret"] / span) for one in priced) if priced else None,
        "agreed": sum(one["agreed"] for one in decisions),
        "expected": expected,
        "result": result,
        "luck": None if expected is None or result is None else result - expected + regret,
    }


def expected_of(decisions: Sequence[Data], moments: Moments) -> float | None:
    """What was expected at the first decision of each deal; None where one of them has no figure."""
    if not moments.complete:
        return None
    first: dict[int, float | None] = {}
    for one in sorted(decisions, key=lambda one: int(one["moves"])):
        if first.get(one["deal"]) is None:
            first[one["deal"]] = one["value"]
    values = [first.get(deal) for deal in range(1, len(moments.results) + 1)]
    return None if any(value is None for value in values) else sum(value for value in values if value is not None)
