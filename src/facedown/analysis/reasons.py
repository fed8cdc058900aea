"""Why the best action is best, what another gives away and what may come of it, in plain sentences."""

from collections.abc import Mapping

from facedown.analysis.value import Measure
from facedown.games.speech import is_card, listed_faces
from facedown.search.decision import Candidate, Decision, Key

Risks = Mapping[str, Mapping[Key, float]]  # what may come of a deal: how likely after each of some actions, or sets


def sentences(decision: Decision, measure: Measure, taken: int | None, whose: str, risks: Risks) -> list[str]:
    """Why the best action is best, what the one taken gives away, and what may come of it."""
    best, *others = decision.candidates
    name = spoken(best)
    found = []
    if decision.solved:
        found.append(f"{name} is best: all cards from here on were worked out, in {decision.worlds} worlds.")
    elif others:
        found.append(reason(best, max(others, key=lambda one: (one.visits, one.mean)), measure))
    ours = None if taken is None else next((one for one in decision.candidates if one.has(taken)), None)
    if ours and is_loss(best.mean - ours.mean, measure):
        found.append(f"{whose.capitalize()}, {spoken(ours)}, gave away {measure.cost(best.mean - ours.mean)}.")
    for risk, shares in risks.items():
        after = [f"{shares[one.key]:.0%} after {spoken(one)}" for one in decision.candidates if one.key in shares]
        found.append(f"Risk of {risk}: {', '.join(after) if any(shares.values()) else 'below 1 %'}.")
    return found


def reason(best: Candidate, other: Candidate, measure: Measure) -> str:
    """Why one action rather than the other that was tried most."""
    loss = best.mean - other.mean
    if not is_loss(loss, measure):
        return f"{spoken(best)} was tried most; {spoken(other)} does as well, as far as the search can tell."
    clear = loss > half_of(best) + half_of(other)
    return f"{spoken(best)} is best: {spoken(other)} would cost {measure.cost(loss)}{'' if clear else ', if anything'}."


def is_loss(loss: float, measure: Measure) -> bool:
    """Whether a loss is more than nothing, as its figure is written."""
    return loss > 0 and measure.cost(loss) != measure.cost(0.0)


def half_of(candidate: Candidate) -> float:
    """Half the width of a candidate's interval."""
    low, high = candidate.interval
    return (high - low) / 2


def spoken(candidate: Candidate) -> str:
    """A candidate in a sentence."""
    return listed_faces(candidate.text.split()) if are_cards(candidate) else candidate.text


def are_cards(candidate: Candidate) -> bool:
    """Whether a candidate is a card, or a set of cards."""
    return all(is_card(word) for word in candidate.text.split())
