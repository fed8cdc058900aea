"""What would have been best with all cards open: exactly where that is found quickly, by UCT otherwise."""

from threading import local

from facedown.agents.tree import Uct
from facedown.analysis.grades import Regret, preferred, span_of
from facedown.analysis.leads import as_rewards
from facedown.analysis.value import LEAD, Measure
from facedown.record import Data
from facedown.search.decision import Decision, decide_solved
from facedown.search.endgame import Solver, moves_left_in
from facedown.state import State

MOST_MOVES_LEFT = 32
MOST_POSITIONS = 200_000  # looked at for a solution: some hundredths of a second
TABLE_BITS = 16
NEEDED = ("moves_left", "position_key")


def hindsight(state: State, action: int | None, measure: Measure, kind: str, iterations: int, seed: int) -> Data | None:
    """The best action with all cards open, what it is worth, what another cost, and whether that is exact."""
    if state.seat is None or len(state.legal) < 2:
        return None
    found = solution(state) if measure.unit == LEAD and not measure.at_least else None
    decision = as_rewards(found, state, state.seat, measure, kind) if found else searched(state, kind, iterations, seed)
    best = preferred(decision) if decision else None
    if decision is None or best is None:
        return None
    regret = Regret(decision, action)
    return {
        "best": best.text,
        "value": best.mean,
        "regret": regret.loss,
        "regret_half": regret.half,
        "grade": regret.grade(span_of(kind)),
        "exact": decision.solved,
    }


def solution(state: State) -> Decision | None:
    """The decision by exact solution; None where it cannot be had quickly."""
    answers = state.game.rules.answers
    if not all(name in answers for name in NEEDED) or int(moves_left_in(state.data)) > MOST_MOVES_LEFT:
        return None
    leads = solver_of(state.game.full_path, state).solve(state.data, state.legal, MOST_POSITIONS)
    return None if leads is None else decide_solved(state.game, [leads], "mean", True, 0.0)


HERE = local()  # a solver works for one thread at a time


def solver_of(name: str, state: State) -> Solver:
    """A solver that remembers positions of the last game it was asked about."""
    if getattr(HERE, "name", None) != name:
        HERE.name, HERE.solver = name, Solver(state.game, state.data, TABLE_BITS)
    found: Solver = HERE.solver
    return found


def searched(state: State, kind: str, iterations: int, seed: int) -> Decision | None:
    """The decision of UCT, which sees all cards."""
    player = Uct(seed, iterations=iterations, reward=kind)
    player.choose(state)
    return player.decision
