"""Results at the terminal: of a deal, of a game, and who won."""

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Rows
from rich.text import Text

from facedown.game import Game
from facedown.games.speech import seat_name
from facedown.table.outcome import Outcome, winners_of
from facedown.table.zones import Table, numbers_of


def result_table(
    game: Game, players: Sequence[str], scores: Sequence[float], own: int | None, outcome: Outcome | None = None
) -> RenderableType:
    """Who sat where, how each did, why the game ended and who won; seats of one side share a win."""
    best = winners_of(scores, game.lower_is_better)
    rows = Rows(box=box.SIMPLE_HEAD, padding=(0, 1))
    for title in ("seat", "player", "score", ""):
        rows.add_column(title, justify="right" if title == "score" else "left")
    for seat, score in enumerate(scores):
        won = seat in best
        rows.add_row(f"{seat}", players[seat], f"{score:g}", "wins" if won else "", style="bold green" if won else "")
    sides = game.sides
    partners = len({sides[seat] for seat in best}) == 1
    cause = f"{outcome.cause}; " if outcome else ""
    return Group(rows, Text.assemble(f" {cause}", (verdict(best, own, partners), "bold")))


def verdict(best: Sequence[int], own: int | None, partners: bool = False) -> str:
    """Who won, in words."""
    names = [seat_name(seat, own) for seat in best]
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]} {'win' if partners else 'share the win'}"
    return "you win" if names == ["you"] else f"{names[0]} wins"


def deal_table(players: Sequence[str], before: Table, after: Table) -> RenderableType:
    """What a deal of a match brought, and the totals."""
    rows = Rows(box=box.SIMPLE_HEAD, padding=(0, 1), title=f"deal {before['deal']}")
    for title in ("seat", "player", "this deal", "total"):
        rows.add_column(title, justify="left" if title in ("seat", "player") else "right")
    totals = zip(numbers_of(before, "total"), numbers_of(after, "total"), strict=True)
    for seat, (earlier, total) in enumerate(totals):
        rows.add_row(f"{seat}", players[seat], f"{total - earlier}", f"{total}")
    return rows
