"""Who plays and advises at the table where nobody else was named."""

from facedown.game import Game

DEPUTY_ITERATIONS = 2000  # of who sits where nobody else was asked to
ADVISER_ITERATIONS = 20000


def searcher(game: Game, iterations: int = DEPUTY_ITERATIONS) -> str:
    """Who plays and advises at the table: the game's own choice of a search, with its rules of thumb where it has some."""
    rules = ",playout=rules" if "rule_action" in game.rules.answers else ""
    joint = "," if ":" in game.opponent else ":"
    return f"{game.opponent}{joint}iterations={iterations}{rules}"
