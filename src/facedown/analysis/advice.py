"""Who plays and advises at the table where nobody else was named, and what it says."""

from facedown.agents import agent, agent_class
from facedown.errors import MissingAnswer
from facedown.game import Game
from facedown.options import Value, parse_text
from facedown.search.decision import Decision
from facedown.view import View

DEPUTY_ITERATIONS = 2000  # of who sits where nobody else was asked to
ADVISER_ITERATIONS = 20000
BUDGETS = {"iterations", "seconds", "simulations"}  # one is enough


def searcher(game: Game, iterations: int = DEPUTY_ITERATIONS) -> str:
    """Who plays and advises at the table: the game's own choice of a search, with its rules of thumb where it has some.

    Options that the game gives stay as they are, and no option is added that the agent does not have.
    """
    name, given = parse_text(game.opponent)
    options = {option.name: option for option in agent_class(name).declared}
    added: dict[str, Value] = {}
    if "iterations" in options and not BUDGETS & given.keys():
        added["iterations"] = iterations
    if "playout" in options and "playout" not in given and "rules" in options["playout"].choices and has_rule_play(game):
        added["playout"] = "rules"
    if not added:
        return game.opponent
    joint = "," if given else ":"
    return f"{game.opponent}{joint}{','.join(f'{key}={value}' for key, value in added.items())}"


def has_rule_play(game: Game) -> bool:
    """Whether the game's author has written rules of thumb."""
    try:
        game.rules.require("advice", "choose:expert")
    except MissingAnswer:
        return False
    return True


def advice(view: View, iterations: int = ADVISER_ITERATIONS, seed: int = 0) -> Decision:
    """What the adviser would do, knowing what the view shows; without figures, where it gives none."""
    adviser = agent(searcher(view.game, iterations), seed)
    action = adviser.choose(view)
    return adviser.decision or Decision(action, view.game.text(action))
