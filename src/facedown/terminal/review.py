"""A look back at a person's game, in words."""

from rich.console import Group, RenderableType
from rich.text import Text

from facedown.analysis.review import Review
from facedown.game import Game
from facedown.terminal.words import card


def review_lines(game: Game, review: Review) -> RenderableType:
    """The review in words."""
    if not review.priced:
        return Text(" The search had other choices in mind than yours: it cannot say what they cost.")
    found = review.worst
    if not found:
        known = "" if review.priced == review.choices else f" of the {review.priced} that the search had in mind"
        return Text(f" No choice of yours{known} cost more than chance could explain.")
    lines = [Text(" Your costliest choices, as the search sees them (± is a 95 % interval):")]
    for cost in found:
        price = cost.measure.cost(cost.loss, cost.half)
        taken = card(game.text(cost.action))
        lines.append(Text.assemble(f" {cost.number:4}  ", taken, f" cost {price}; better: ", card(cost.better)))
    lines.append(Text(" The numbers are those of facedown replay last.", "dim"))
    return Group(*lines)
