"""Results of tournaments whose games were made up."""

import random
from collections.abc import Sequence
from dataclasses import replace

import facedown as fd
from facedown import stats
from facedown.arena.schedule import schedule
from facedown.arena.standings import GameResult, Ledger
from facedown.arena.tournament import TournamentResult

LONG = "ismcts-t:iterations=20000,exploration=0.7,reward=hybrid,playout=nast,ngram=3,final=mean,threads=4,worlds=5000"


def result_of(
    agents: Sequence[str], deals: int = 20, *, name: str | None = None, forfeits: bool = False, stopped: bool = False
) -> TournamentResult:
    """A result whose games were made up: the first agents have fewer points."""
    rng = random.Random(1)
    plan = schedule(fd.load("hearts"), agents, deals, 7, seating="rotations")
    outcomes = []
    for deal, seating in plan.places():
        scores = [rng.randrange(2 + 5 * agent) for agent in plan.lineups[seating]]
        forfeit = seating if forfeits and deal == 3 and seating < 2 else None
        reason = None if forfeit is None else f"ValueError: {'<b>' * (seating + 1)}"
        outcomes.append(GameResult(deal, seating, tuple(scores), forfeit, reason))
    test = None
    if stopped:
        test = stats.sprt(0, 20)
        while not test.verdict:
            test.add(0.9 if test.deals % 2 else 0.7)
    ledger = Ledger(plan, outcomes)
    standings, comparisons = ledger.standings(), ledger.comparisons()
    if stopped:
        standings = [replace(one, lead=one.lead.after_stopping()) for one in standings]
    return TournamentResult(name, plan, ledger, standings, comparisons, test)
