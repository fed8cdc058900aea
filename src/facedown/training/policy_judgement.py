"""How well worlds weighed by a policy fit games it has not seen: by quarter of the deal, beside uniform worlds.

At some decisions of each deal, worlds are drawn and weighed. The true world's likelihood is compared with the mean of these:
above 0, inference finds the truth more often than chance. And for each unseen card, how likely its true holder has it.
"""

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from facedown.arena.progress import WorkProgress
from facedown.compiler.asking import turns_taken
from facedown.inference.policy import Policy
from facedown.inference.posterior import InferredDrawing, Weigher
from facedown.kernel import Array
from facedown.record import GameRecord
from facedown.rng import stream
from facedown.search.endgame import moves_left_in
from facedown.state import State
from facedown.stats import mean_by_deal

WORLDS = 500
EVERY = 7  # decisions
QUARTERS = 4
MOST_DEALS = 150
MOST_ACTIONS = 200  # of a game that are looked at: in a long match, its first deals


class Judged(NamedTuple):
    """A decision."""

    deal: int
    quarter: int
    log_ratio: float  # likelihood of the true world over the mean of uniform ones
    inferred: float  # mean probability of the true holder of an unseen card
    uniform: float
    effective: float  # share of the worlds that count, by their weights
    seconds: float  # a world


def judge_state(state: State, policy: Policy, deal: int, rng: Array) -> Judged | None:
    """What inference says at one decision; None where there is nothing hidden."""
    view = state.view(state.seat or 0)
    drawing = InferredDrawing(view, policy, WORLDS, rng)
    begin = time.process_time()
    drawing.advance(WORLDS, WORLDS)
    seconds = (time.process_time() - begin) / WORLDS
    weights, truth = drawing.weights(1.0), np.zeros(1)
    Weigher(view, policy)(state.data, truth)
    highest = drawing.likelihoods.max()
    ratio = truth[0] - highest - np.log(np.exp(drawing.likelihoods - highest).mean())
    others = [seat for seat in range(state.game.seats) if seat != view.seat]
    right, cards = np.zeros(WORLDS), 0
    for seat in others:
        held = state.data["hands"][0, seat]
        right += np.bitwise_count(drawing.candidates["hands"][:, seat] & held)
        cards += int(held).bit_count()
    if not cards:
        return None
    done, left = int(turns_taken(view.data)), moves_left_in(view.data)
    quarter = QUARTERS * done // (done + left)
    plain = float(right.mean() / cards)
    return Judged(
        deal, quarter, float(ratio), float(weights @ right / cards), plain, float(1 / (weights @ weights) / WORLDS), seconds
    )


def judged_decisions(policy: Policy, records: Sequence[GameRecord], watch: Any) -> Iterator[Judged]:
    """Some decisions of some games."""
    begin = time.perf_counter()
    chosen = records[:MOST_DEALS]
    for number, record in enumerate(chosen):
        watch(WorkProgress("judging", number, len(chosen), number, time.perf_counter() - begin))
        for place, state in enumerate(record.steps()):
            if state.seat is None or place % EVERY != number % EVERY or turns_taken(state.data) == 0:
                continue
            if len(state.legal) > 1 and place < MOST_ACTIONS:
                found = judge_state(state, policy, number, stream(number, place))
                if found:
                    yield found


def judge_policy(policy: Policy, records: Sequence[GameRecord], watch: Any) -> dict[str, Any]:
    """The figures as plain data."""
    found = list(judged_decisions(policy, records, watch))
    rows = []
    for quarter in range(QUARTERS):
        some = [one for one in found if one.quarter == quarter]
        if len({one.deal for one in some}) < 2:
            continue
        deals = [one.deal for one in some]
        ratio = mean_by_deal([one.log_ratio for one in some], deals)
        gain = mean_by_deal([one.inferred - one.uniform for one in some], deals)
        rows.append(
            {
                "quarter": quarter + 1,
                "decisions": len(some),
                "log_ratio": [round(value, 3) for value in (ratio.value, ratio.low, ratio.high)],
                "better": round(float(np.mean([one.log_ratio > 0 for one in some])), 3),
                "right_holder": round(float(np.mean([one.inferred for one in some])), 4),
                "right_holder_uniform": round(float(np.mean([one.uniform for one in some])), 4),
                "gain": [round(value, 4) for value in (gain.value, gain.low, gain.high)],
                "effective_share": round(float(np.median([one.effective for one in some])), 3),
            }
        )
    cost = float(np.median([one.seconds for one in found])) if found else 0.0
    return {"by_quarter": rows, "microseconds_a_world": round(1e6 * cost, 1)}
