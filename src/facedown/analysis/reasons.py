"""Why the best action is best, what another gives away and what may come of it, in plain sentences."""

from collections.abc import Mapping

from facedown.analysis.value import REWARD, Measure
from facedown.games.speech import is_card, listed_faces
from facedown.record import Data
from facedown.search.decision import Candidate, Decision, Key

Risks = Mapping[str, Mapping[Key, float]]  # what may come of a deal: how likely after each of some actions, or sets
PLAIN = Measure(REWARD, name="mean")  # where nothing is known of the rewards


def in_short(decision: Decision, measure: Measure = PLAIN) -> str:
    """How a search came to its choice, in a few words."""
    if decision.forced:
        return "the only choice"
    if not decision.candidates:
        return unsearched(decision)
    best = decision.candidates[0]
    return f"{expected(best, measure)}, {share_of(best, decision):.0%} of {decision.iterations} visits"


def unsearched(decision: Decision) -> str:
    """Why there are no figures: there was one choice, or a set was chosen by the game's own judgement."""
    return "without a search" if len(decision.line) > 1 else "without a search: nothing else was worth one"


def expected(candidate: Candidate, measure: Measure) -> str:
    """What a search expects of an action, in the game's units."""
    return measure.text(candidate.mean, half_of(candidate))


def share_of(candidate: Candidate, decision: Decision) -> float:
    """How much of the search went to an action."""
    return candidate.visits / max(1, decision.iterations)


def reasons(decision: Decision, measure: Measure) -> Data:
    """In words what is expected of the best action, why it is better than the next, and what that one would cost."""
    best, others = next(iter(decision.candidates), None), decision.candidates[1:]
    following = max(others, key=lambda one: (one.visits, one.mean)) if others else None
    loss = best.mean - following.mean if best and following else 0.0
    return {
        "best": in_short(decision, measure),
        "next": reason(best, following, measure) if best and following else None,
        "cost": measure.cost(loss) if is_loss(loss, measure) else None,
    }


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
