"""What an agent thinks of one decision: its candidates, what the action cost, and what it cost with all cards open."""

from dataclasses import dataclass

from facedown.agents import Agent
from facedown.analysis.grades import Regret, preferred, span_of
from facedown.analysis.hindsight import hindsight
from facedown.analysis.leads import as_rewards
from facedown.analysis.moments import Moment
from facedown.analysis.value import kind_of, measure_of, option_of
from facedown.arena.replay import decision_from, figures_differ
from facedown.errors import FacedownError
from facedown.record import Data
from facedown.search.decision import Decision

DEFAULT_ITERATIONS = 1000  # with all cards open, of an agent that counts none


@dataclass(frozen=True)
class Wanted:
    """What is asked about a decision beside the agent's candidates."""

    depth: int = 0  # of the tree
    hindsight: bool = False
    recorded: bool = False  # whether the agent is the one that made the decision, to be compared with then


def judged(agent: Agent, moment: Moment, wanted: Wanted) -> Data:
    """What an agent thinks of a decision; `regret` is how much reward it expects the action to have cost."""
    game, seat = moment.view.game, moment.view.seat
    position = moment.state if agent.sees_all and moment.state is not None else moment.view
    measure, kind = measure_of(agent, game), kind_of(agent, game)
    action = int(agent.choose(position))
    found = agent.decision or Decision(action, game.text(action))
    decision = as_rewards(found, position, seat, measure, kind) or Decision(action, game.text(action), solved=True)
    told = {**decision.to_dict(), "texts": found.texts}
    if wanted.depth:
        told["tree"] = decision.tree(wanted.depth)
    best, regret = preferred(decision), Regret(decision, moment.action)
    opened = None
    if wanted.hindsight and moment.state is not None:
        opened = hindsight(moment.state, moment.action, measure, kind, iterations_of(agent, moment), agent.seed)
    return {
        "moves": moment.moves,
        "deal": moment.deal,
        "seat": seat,
        "played": None if moment.action is None else game.text(moment.action),
        "value": None if best is None else best.mean,
        "regret": regret.loss,
        "regret_half": regret.half,
        "grade": regret.grade(span_of(kind)),
        "agreed": regret.agreed,
        "identical": is_identical(moment, action, agent.decision) if wanted.recorded else None,
        "hindsight": opened,
        "decision": told,
    }


def unjudged(moment: Moment, reason: str) -> Data:
    """A decision that the agent cannot be asked about again."""
    return {
        "moves": moment.moves,
        "deal": moment.deal,
        "seat": moment.view.seat,
        "played": None if moment.action is None else moment.view.game.text(moment.action),
        **dict.fromkeys(("value", "regret", "grade", "identical", "hindsight")),
        "regret_half": 0.0,
        "agreed": False,
        "decision": {"candidates": [], "reason": reason},
    }


def iterations_of(agent: Agent, moment: Moment) -> int:
    """As many iterations with all cards open as the agent makes."""
    by_clock = option_of(agent, moment.view.game, "seconds", 0.0)
    return DEFAULT_ITERATIONS if by_clock else int(option_of(agent, moment.view.game, "iterations", DEFAULT_ITERATIONS))


def is_identical(moment: Moment, action: int, decision: Decision | None) -> bool:
    """Whether an agent has chosen the recorded action again, with the recorded figures where there are some."""
    if action != moment.action:
        return False
    try:
        return moment.recorded is None or figures_differ(decision_from(moment.recorded), decision) is None
    except FacedownError:  # the record's figures are none
        return False
