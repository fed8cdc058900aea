"""How searching agents end a deal: by exact solutions of its worlds, once few actions are left (Fernandes 2016, 5.5)."""

from typing import TYPE_CHECKING

from facedown.agents.budget import UNLIMITED
from facedown.options import Option
from facedown.search.decision import Decision, decide_solved
from facedown.search.endgame import moves_left_in
from facedown.search.endgame_aims import AIMS, LEAD_AIM
from facedown.search.solution import FEW_WORLDS, SAMPLE, Solution
from facedown.state import State
from facedown.view import View

if TYPE_CHECKING:
    from facedown.agents.tree import SearchAgent

MOST_LEFT = 32  # actions; more would neither fit into memory nor end in time
MOST_WORLDS = 1_000_000

# Where a decision has some seconds:
SOLVING_SHARE = 0.5  # of them for exact solutions, to solve as many worlds as are worth more than a search
ENOUGH = 10  # worlds


def options(endgame: int, worlds: int) -> tuple[Option, ...]:
    """The options, with an algorithm's own defaults; where that of `worlds` is 0, it says how few are few."""
    zero = "" if worlds else f"; 0 is all of up to {FEW_WORLDS:,}, of more {SAMPLE}"
    return (
        Option("endgame", endgame, "solve the worlds exactly once so few actions are left; 0 never does", most=MOST_LEFT),
        Option(
            "endgame_worlds",
            worlds,
            f"how many worlds are solved; all of them where there are no more{zero}",
            least=min(1, worlds),
            most=MOST_WORLDS,
        ),
        Option(
            "endgame_aim",
            LEAD_AIM,
            "what solutions maximize: the lead in score; or the win, then the own score, with all others against it",
            choices=AIMS,
        ),
    )


def solved(agent: "SearchAgent", view: State | View) -> Decision | None:
    """The decision by exact solution, where as few actions are left as the option says.

    None where even a few worlds take too long: the rest of the time is the search's.
    """
    if not agent.value("endgame"):
        return None
    view.game.rules.require("endgame", "moves_left", "position_key")
    if moves_left_in(view.data) > agent.value("endgame"):
        return None
    solution = Solution(view, agent.value("endgame_worlds"), agent.stream(view), agent.value("endgame_aim"))
    agent.budget.spend(solution, UNLIMITED, share=SOLVING_SHARE)
    if len(solution.leads) >= ENOUGH:
        agent.budget.spend(solution, UNLIMITED)
    elif not solution.ended and not agent.stopped:
        return None
    if solution.given_up or not solution.leads:
        return None
    exact = solution.exact and solution.ended
    return decide_solved(view.game, solution.leads, agent.value("final"), exact, agent.seconds_spent)
