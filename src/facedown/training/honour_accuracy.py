"""How right a table of spade honours is on deals it has not seen: Manzke 2025, section 6.3.1.

Decisions count where inference matters: the player has a choice, and does not know the holders of Q♠, K♠ and A♠. The
accuracy of sampling is the share of worlds in which these three lie as they truly do. It is computed from the chances of the
sets of features, so no worlds are drawn.
"""

import time
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from facedown.arena.progress import WorkProgress
from facedown.arena.workers import Workers
from facedown.games.hearts.rules import PLAYING, SEATS
from facedown.inference.spade_history import QUEEN, histories, honours_in
from facedown.inference.spade_honours import GAME, INFERRED_SHARE, HonourInference, HonourSet, legal_sets, plays_of
from facedown.inference.spade_table import HonourTable
from facedown.options import parse_text
from facedown.record import GameRecord
from facedown.state import State
from facedown.training.self_play import Watch, in_parts
from facedown.view import View

AT_ONCE = 10  # deals of a task


class Judged(NamedTuple):
    """A decision where inference matters."""

    trick: int  # from 1
    inferred: float  # the share of worlds that are right, by inference
    uniform: float  # and by drawing uniformly
    known: int  # how many of the other players have a newest history that is believed
    queen_left: bool  # whether Q♠ is still in the game


def judged(state: State, inference: HonourInference, share: float = INFERRED_SHARE) -> Judged | None:
    """The accuracy at one decision; None where inference does not matter."""
    if state.seat is None or state.record.phase != PLAYING or len(state.legal) < 2:
        return None
    view = state.view(state.seat)
    sets = legal_sets(view)
    if len(sets) < 2:
        return None
    truth = tuple(0 if seat == view.seat else honours_in(cards) for seat, cards in enumerate(state.record.hands))
    [right] = (place for place, one in enumerate(sets) if one.held == truth)
    uniform = sets[right].worlds / sum(one.worlds for one in sets)
    inferred = inference.chances(view, sets)[right]
    return Judged(
        int(state.record.tricks_played) + 1,
        share * inferred + (1 - share) * uniform,
        uniform,
        believed_players(view, sets, inference),
        not any(int(cards) >> QUEEN & 1 for cards in state.record.played),
    )


def believed_players(view: View, sets: Sequence[HonourSet], inference: HonourInference) -> int:
    """How many of the other players have a newest history with enough observations."""
    reached = histories(plays_of(view) or [], points_barred=not view.record.first_trick_points)
    count = 0
    for seat in range(SEATS):
        if seat != view.seat:
            played, held = honours_in(view.record.played[seat]), {one.held[seat] for one in sets}
            count += inference.believed(reached[seat][-1:], played, held) is not None
    return count


def judge_deal(record: GameRecord, inference: HonourInference, players: str = "*") -> Iterator[Judged]:
    """The accuracy at the decisions of a deal, of players whose text matches a pattern."""
    for state in record.steps():
        if state.seat is None or not fnmatchcase(record.agents[state.seat], players):
            continue
        found = judged(state, inference)
        if found:
            yield found


def deal_of(line: str) -> GameRecord | None:
    """A record of a whole deal of Hearts; None for other games, matches of several deals, and games given up."""
    record = GameRecord.from_json(line)
    name, options = parse_text(record.game)
    return None if name != GAME or options.get("match", 0) or record.forfeit else record


def judge_some(table: HonourTable, lines: Sequence[str]) -> list[list[Judged]]:
    """One worker's share, deal by deal."""
    inference = HonourInference(table)
    return [list(judge_deal(GameRecord.from_json(line), inference)) for line in lines]


def judge(table: HonourTable, lines: Sequence[str], workers: Workers, watch: Watch) -> dict[str, Any]:
    """The figures of a table on some deals."""
    deals: list[list[Judged]] = []
    parts = list(in_parts(lines, AT_ONCE))
    begin = time.perf_counter()
    for done, found in enumerate(workers.run(partial(judge_some, table), parts), 1):
        deals += found
        watch(WorkProgress("testing", done, len(parts), done, time.perf_counter() - begin, unit="parts"))
    return figures(deals)


def figures(deals: Sequence[Sequence[Judged]]) -> dict[str, Any]:
    """Accuracy and coverage as plain data, over all decisions and by trick."""
    decisions = sorted(one for deal in deals for one in deal)
    tricks = sorted({one.trick for one in decisions})
    return {
        "deals": len(deals),
        **summary_of(decisions),
        "queen_left": summary_of([one for one in decisions if one.queen_left]),
        "by_trick": [{"trick": trick, **summary_of([one for one in decisions if one.trick == trick])} for trick in tricks],
    }


def summary_of(decisions: Sequence[Judged]) -> dict[str, Any]:
    """The figures of some decisions."""
    if not decisions:
        return {"decisions": 0}
    inferred, uniform, known = (np.array([one[place] for one in decisions]) for place in (1, 2, 3))
    numbers = {
        "inferred": inferred.mean(),
        "uniform": uniform.mean(),
        "likelier": (inferred > uniform).mean(),  # decisions where inference makes the truth likelier
        "covered": known.mean() / (SEATS - 1),  # players whose newest history has enough observations
        "all_covered": (known == SEATS - 1).mean(),  # decisions at which all players' have
    }
    return {"decisions": len(decisions), **{name: round(float(number), 4) for name, number in numbers.items()}}
