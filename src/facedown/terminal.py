"""Drawing for the terminal: cards, the table as one seat sees it, decisions and results.

A person's table is drawn from a view alone, so it cannot show what the seat does not know. No game is known by name here:
what is drawn depends on which facts a game tells.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from facedown.cards import RANKS, SUIT_SIGNS, SUITS
from facedown.decision import Decision
from facedown.game import Facts, Game, View, listed
from facedown.terminal_board import battlefield, has_board, question_line
from facedown.terminal_claims import choices, claims_table, has_claims

WIDTH = 80  # a narrow terminal; wider ones leave the rest empty
CANDIDATES_SHOWN = 13
BAR_LENGTH = 16

SUIT_COLOURS = {"C": "default", "D": "red", "S": "default", "H": "red"}
TURN_STYLE = "bold yellow"

# Facts that the table draws in a place of their own.
DRAWN = {"hand", "hands", "hand_sizes", "trick", "points", "totals", "voids", "to_move", "leader", "opener", "played"}
DRAWN |= {"dealer", "holds", "partner"}


@dataclass(frozen=True)
class Trick:
    """A finished trick, in the order it was played."""

    cards: list[tuple[int, str]]  # seat and card
    taker: int | None  # None where the facts do not tell
    points: int | None


@dataclass(frozen=True)
class Scene:
    """What there is to draw for a person."""

    view: View
    players: Sequence[str]  # who sits where, in a word
    last: Trick | None = None
    lies_there: bool = False  # the last trick has not been taken up yet
    for_seat: bool = True  # told to the seat itself, which is "you" then

    @property
    def own(self) -> int | None:
        """The seat spoken to."""
        return self.view.seat if self.for_seat else None


# --- Cards and words --------------------------------------------------------------------------------------------------


def is_card(word: Any) -> bool:
    """Whether a text names a card of the usual packs."""
    return isinstance(word, str) and len(word) == 2 and word[0] in RANKS and word[1] in SUITS


def face(word: str) -> str:
    """A card as people write it: 10♠."""
    return word[0].replace("T", "10") + SUIT_SIGNS[SUITS.index(word[1])]


def card(word: str, style: str = "bold") -> Text:
    """A card, or a suit, in its colour, with its sign; any other text as it is."""
    if word in SUIT_COLOURS:
        return Text(SUIT_SIGNS[SUITS.index(word)], f"{style} {SUIT_COLOURS[word]}")
    return Text(face(word), f"{style} {SUIT_COLOURS[word[1]]}") if is_card(word) else Text(word)


def row_of(words: Iterable[Any]) -> Text:
    """Texts side by side, cards in their colours; with commas where a text has several words."""
    texts = [said(word) for word in words]
    return Text(", " if any(" " in text.plain for text in texts) else " ").join(texts)


def said(value: Any) -> Text:
    """A fact's value in words."""
    if isinstance(value, bool):
        return Text("yes" if value else "no")
    if isinstance(value, list | tuple):
        return row_of(value) if value else Text("-")
    return card(value) if isinstance(value, str) else Text("-" if value is None else f"{value}")


def seat_name(seat: int, own: int | None = None) -> str:
    """A seat as it is spoken of."""
    return "you" if seat == own else f"seat {seat}"


def counted(number: int, noun: str) -> str:
    """So many of something."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def suits_line(hand: Iterable[str], signs: bool = True) -> Text:
    """A hand in one line: by suit with signs, or just its texts."""
    words = list(hand)
    if not signs or not all(is_card(word) for word in words):
        return row_of(words) if signs else Text(listed(words))
    groups = groupby(words, key=lambda word: word[1])
    return Text("   ").join(
        Text(f"{face(suit * 2)[-1]} {' '.join(face(word)[:-1] for word in group)}", f"bold {SUIT_COLOURS[suit]}")
        for suit, group in groups
    )


def trump_line(facts: Facts, own: int | None, signs: bool = True) -> Text | None:
    """Trumps, who is known to hold the card that named them, the stock and the partner, as far as a game tells them."""
    if "trump" not in facts:
        return None
    show = card if signs else Text
    parts = [Text("trump ").append_text(show(facts["trump"]))]
    if "shown" in facts:
        parts.append(Text("shown ").append_text(show(facts["shown"])))
        holders = [seat for seat, held in enumerate(facts.get("holds", ())) if facts["shown"] in held]
        parts[-1].append(f" ({seat_name(holders[0], own)})" if holders else "")
    if facts.get("stock_left"):
        parts.append(Text(f"stock {facts['stock_left']}"))
    if "partner" in facts and own is not None:
        parts.append(Text(f"partner {seat_name(facts['partner'])}"))
    return Text(", ").join(parts)


# --- Cards as boxes ---------------------------------------------------------------------------------------------------


def boxed(word: str, style: str = "bold", border: str = "") -> tuple[Text, ...]:
    """A card as three lines; a longer text makes a wider box."""
    label = card(word, style)
    label.pad_left(max(0, 3 - len(label)))
    edge = "─" * len(label)
    return Text(f"╭{edge}╮", border), Text.assemble(("│", border), label, ("│", border)), Text(f"╰{edge}╯", border)


@dataclass(frozen=True)
class Hand:
    """A hand as boxes, a gap between suits; cards that may not be played are dim."""

    cards: Sequence[str]
    legal: Collection[str] | None  # None: nothing to choose now

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As many boxes to a row as fit."""
        rows: list[list[Text]] = [[Text(" ") for _ in range(3)]]
        suit = self.cards[0][-1]
        for word in self.cards:
            playable = self.legal is None or word in self.legal
            gap = "  " if word[-1] != suit else ""
            suit = word[-1]
            if rows[-1][0].cell_len + len(gap) + 5 > min(WIDTH, options.max_width):
                rows.append([Text(" ") for _ in range(3)])
            for line, part in zip(rows[-1], boxed(word) if playable else boxed(word, "dim", "dim"), strict=True):
                line.append(gap).append_text(part)
        yield Text("\n").join(line for row in rows for line in row)


# --- The table --------------------------------------------------------------------------------------------------------


def table(scene: Scene) -> RenderableType:
    """The table as the seat sees it, with its own hand below."""
    return Group(*middle(scene, scene.view.facts), *own_side(scene.view))


def middle(scene: Scene, facts: Facts) -> list[RenderableType]:
    """All that lies on the table, and what is told beside it."""
    round_table = has_tricks(facts)
    felt = Panel(
        drawing(scene, facts),
        box=box.ROUNDED,
        border_style="green",
        title=Text(scene.view.game.full_name, "bold"),
        width=WIDTH,
    )
    return [felt, *beside(scene, facts, recent=not round_table)]


def drawing(scene: Scene, facts: Facts) -> RenderableType:
    """What fits the facts that a game tells."""
    for fits, draw in ((has_tricks, around), (has_board, board), (has_claims, claims)):
        if fits(facts):
            return draw(scene, facts)
    return seat_rows(scene, facts)


def board(scene: Scene, facts: Facts) -> RenderableType:
    """The battlefield, with the seat's own side below."""
    view = scene.view
    names = ["you" if seat == scene.own else f"{seat_name(seat)} {player}" for seat, player in enumerate(scene.players)]
    return battlefield(facts, view.seat, names, view.to_move, WIDTH - 4)


def claims(scene: Scene, facts: Facts) -> RenderableType:
    """The pile and who has claimed what of it."""
    view = scene.view
    names = ["you" if seat == scene.own else f"{seat_name(seat)} {player}" for seat, player in enumerate(scene.players)]
    return claims_table(facts, view.seat, names, view.to_move, card)


def has_tricks(facts: Facts) -> bool:
    """Whether the facts tell a trick card by card."""
    trick = facts.get("trick")
    return isinstance(trick, list) and all(isinstance(play, dict) and {"seat", "card"} <= play.keys() for play in trick)


def around(scene: Scene, facts: Facts) -> RenderableType:
    """The seats around the table, each with its card of the trick before it: the next to move sits on the left."""
    own, count = scene.view.seat, scene.view.game.seats
    seats = [(own + step) % count for step in range(1, count)]
    sides, across = ([], seats) if len(seats) == 1 else (seats[:: len(seats) - 1], seats[1:-1])
    laid = dict(scene.last.cards if scene.lies_there and scene.last else laid_cards(facts))
    parts: list[RenderableType] = []
    if across:
        parts.append(grid(["center"] * len(across), [label(seat, scene, facts, " · ") for seat in across]))
        parts.append(grid(["center"] * len(across), [place(seat, laid) for seat in across]))
    if sides:
        left, right = sides
        words = [label(seat, scene, facts, "\n") for seat in sides]
        parts.append(
            grid(["left", "center", "center", "right"], [words[0], place(left, laid), place(right, laid), words[1]])
        )
    parts.append(grid(["center"], [place(own, laid)]))
    parts.append(grid(["center"], [label(own, scene, facts, " · ")]))
    return Group(*parts)


def laid_cards(facts: Facts) -> list[tuple[int, str]]:
    """The trick so far: seat and card."""
    return [(play["seat"], play["card"]) for play in facts["trick"]]


def grid(columns: Sequence[Any], cells: Sequence[RenderableType]) -> Table:
    """Cells side by side, in columns of one width."""
    table = Table.grid(expand=True, padding=(0, 2))
    for justify in columns:
        table.add_column(justify=justify, ratio=1)
    table.add_row(*cells)
    return table


def place(seat: int, laid: dict[int, str]) -> Text:
    """A seat's card of the trick, or its empty place; the card that was led has a bright edge."""
    if seat not in laid:
        return Text("\n\n")
    return Text("\n").join(boxed(laid[seat], border="cyan" if seat == next(iter(laid)) else ""))


def label(seat: int, scene: Scene, facts: Facts, joint: str) -> Text:
    """Who sits there, with points, cards, those that all know of, and the suits shown to be missing."""
    moving = seat == scene.view.to_move
    name = seat_name(seat, scene.own)
    title = name if seat == scene.own else f"{name} {scene.players[seat]}"
    title += " (partner)" if facts.get("partner") == seat else ""
    parts = [Text(f"▶ {title}" if moving else title, TURN_STYLE if moving else "bold")]
    if "points" in facts:
        parts.append(Text(counted(facts["points"][seat], "point")))
    if any(facts.get("totals", ())):
        parts[-1].append(f", total {facts['totals'][seat]}")
    if "hand_sizes" in facts and seat != scene.own:
        parts.append(Text(counted(facts["hand_sizes"][seat], "card"), "dim"))
    if facts.get("voids") and facts["voids"][seat] and seat != scene.own:
        parts[-1].append(f", no {''.join(SUIT_SIGNS[SUITS.index(suit)] for suit in facts['voids'][seat])}")
    if facts.get("holds") and facts["holds"][seat] and seat != scene.own:
        parts[-1] = Text.assemble(parts[-1], ", ", ("has ", "dim"), row_of(facts["holds"][seat]))
    return Text(joint).join(parts)


def seat_rows(scene: Scene, facts: Facts) -> RenderableType:
    """A row for each seat: for games that tell nothing the round table could show."""
    view = scene.view
    columns = [
        name
        for name in readable(view, facts)
        if isinstance(facts[name], list) and len(facts[name]) == view.game.seats and facts[name] != view.scores
    ]
    rows = Table(box=None, padding=(0, 2, 0, 0))
    for title in ["", "", "score", *(name.replace("_", " ") for name in columns)]:
        rows.add_column(title, header_style="dim")
    for seat in range(view.game.seats):
        style = TURN_STYLE if seat == view.to_move else "bold"
        cells = [said(value) for value in (view.scores[seat], *(facts[name][seat] for name in columns))]
        rows.add_row(Text(seat_name(seat, scene.own), style), scene.players[seat], *cells)
    return rows


def readable(view: View, facts: Facts) -> list[str]:
    """The facts a person can read, of those with no place of their own: not sets of cards in bits."""
    types = view.data.dtype
    bits = {name for name in types.names or () if types[name].base == np.uint64 and is_number(facts.get(name))}
    drawn = DRAWN if has_tricks(facts) else {"hand", "hands", "to_move", "trick"}
    return [name for name in facts if name not in bits | drawn]


def is_number(value: Any) -> bool:
    """Whether a fact is a number, or a list of numbers."""
    return all(isinstance(one, int) for one in value) if isinstance(value, list) else isinstance(value, int)


def named(facts: Facts, names: Iterable[str]) -> Text:
    """Facts in a line, each with its name."""
    parts = (Text.assemble((f" {name.replace('_', ' ')} ", "dim"), said(facts[name])) for name in names)
    return Text("  ").join(parts)


def beside(scene: Scene, facts: Facts, recent: bool) -> list[RenderableType]:
    """Lists of cards the seat knows of, and what was played last."""
    view = scene.view
    names = [] if has_board(facts) or has_claims(facts) else readable(view, facts)
    single = [
        name for name in names if isinstance(facts[name], str | bool) or (isinstance(facts[name], int) and facts[name])
    ]
    lists = [name for name in names if facts[name] and is_cards(facts[name])]
    lines: list[RenderableType] = [named(facts, shown) for shown in (single, lists) if shown]
    lines += [question_line(facts)] if has_board(facts) else []
    if scene.last and not scene.lies_there:
        lines.append(Text.assemble((" last trick  ", "dim"), trick_line(scene.last, scene.own)))
    elif recent and view.history:
        actions = view.history[-2 * view.game.seats :]
        played = ((seat_name(seat, scene.own), card(view.game.text(action))) for seat, action in actions)
        parts = (Text.assemble((f"{name} ", "dim"), word) for name, word in played)
        lines.append(Text.assemble((" so far  ", "dim"), Text("  ").join(parts)))
    return lines


def is_cards(value: Any) -> bool:
    """Whether a fact is a list of cards."""
    return isinstance(value, list) and all(is_card(word) for word in value)


def trick_line(trick: Trick, own: int | None, signs: bool = True) -> Text:
    """A finished trick in words."""
    show = card if signs else Text
    line = Text("  ").join(Text.assemble((f"{seat_name(seat, own)} ", "dim"), show(word)) for seat, word in trick.cards)
    if trick.taker is not None:
        line.append(f" {'→' if signs else '->'} {seat_name(trick.taker, own)}")
        line.append(f", {counted(trick.points, 'point')}" if trick.points is not None else "")
    return line


def own_side(view: View) -> list[RenderableType]:
    """The seat's own hand, and what it may do beside playing a card of it."""
    hand, legal = hand_of(view), legal_texts(view)
    if legal and "lays" in view.facts:
        return [Hand(hand, None), choices(view.facts, legal, card)]
    others = [word for word in legal or () if word not in hand]
    parts: list[RenderableType] = [Hand(hand, None if others == legal else legal)] if hand else []
    if others:
        parts.append(Text.assemble((" you may  ", "dim"), " · ".join(others)))
    return parts


def hand_of(view: View) -> list[str]:
    """The seat's own cards, if the game has hands at all."""
    facts = view.facts
    if "hand" in facts:
        return list(facts["hand"])
    return view.hand(view.seat) if view.game.has_hands else []


def legal_texts(view: View) -> list[str] | None:
    """What the seat may do, as text; None when it is not its turn."""
    return [view.game.text(action) for action in view.legal] if view.to_move == view.seat else None


# --- Decisions and results --------------------------------------------------------------------------------------------


def hint_line(decision: Decision) -> Text:
    """A decision in one line."""
    line = Text.assemble("hint: ", card(decision.text), f", {in_short(decision)}")
    return line.append("; more: why") if decision.candidates else line


def in_short(decision: Decision) -> str:
    """How a search came to its choice, in a few words."""
    if decision.forced or not decision.candidates:
        return "the only choice"
    best = decision.candidates[0]
    low, high = best.interval
    share = best.visits / max(1, decision.iterations)
    return f"{share:.0%} of {decision.iterations} visits, mean reward {best.mean:.3f} ({low:.3f} to {high:.3f})"


def decision_table(decision: Decision, taken: int | None = None, whose: str = "yours") -> RenderableType:
    """The candidates of a decision with their figures, and the line it expects; `taken` is marked."""
    if not decision.candidates:
        return Text.assemble(card(decision.text), " was the only choice: there was nothing to search")
    rows = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    for title in ("", "visits", "share", "mean reward", "95 % interval", ""):
        rows.add_column(title, justify="left" if title in ("", "share") else "right")
    visits = sum(candidate.visits for candidate in decision.candidates)
    for candidate in decision.candidates[:CANDIDATES_SHOWN]:
        share = candidate.visits / max(1, visits)
        low, high = candidate.interval
        rows.add_row(
            card(candidate.text),
            f"{candidate.visits}",
            Text.assemble(("█" * round(share * BAR_LENGTH), "cyan"), f" {share:.0%}"),
            f"{candidate.mean:.3f}",
            f"{low:.3f} to {high:.3f}",
            f"← {whose}" if candidate.action == taken else "",
        )
    seconds = f" in {decision.seconds:.2f} s" if decision.seconds else ""  # records do not keep them
    about = (
        f"{decision.iterations} iterations{seconds}; depth {decision.depth_mean:.1f} on average, "
        f"{decision.depth_most} at most; reward 0 to 1"
    )
    if len(decision.beliefs) > 1:
        about += f"; the last action's kinds believed {', '.join(f'{belief:.0%}' for belief in decision.beliefs)}"
    return Group(rows, Text.assemble(" expected line  ", row_of(decision.line)), Text(f" {about}", "dim"))


def winners(game: Game, scores: Sequence[float]) -> list[int]:
    """The seats with the best score."""
    best = min(scores) if game.lower_is_better else max(scores)
    return [seat for seat, score in enumerate(scores) if score == best]


def result_table(game: Game, players: Sequence[str], scores: Sequence[float], own: int | None) -> RenderableType:
    """Who sat where, how each did, and who won; seats of one side win together."""
    best = winners(game, scores)
    rows = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    for title in ("seat", "player", "score", ""):
        rows.add_column(title, justify="right" if title == "score" else "left")
    for seat, score in enumerate(scores):
        won = seat in best
        rows.add_row(f"{seat}", players[seat], f"{score:g}", "wins" if won else "", style="bold green" if won else "")
    sides = game.sides
    partners = len({sides[seat] for seat in best}) == 1
    return Group(rows, Text(" " + verdict(best, own, partners), "bold"))


def verdict(best: Sequence[int], own: int | None, partners: bool = False) -> str:
    """Who won, in words."""
    names = [seat_name(seat, own) for seat in best]
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]} {'win' if partners else 'share the win'}"
    return "you win" if names == ["you"] else f"{names[0]} wins"


def deal_table(players: Sequence[str], before: Facts, after: Facts) -> RenderableType:
    """What a deal of a match brought, and the totals."""
    rows = Table(box=box.SIMPLE_HEAD, padding=(0, 1), title=f"deal {after['deals_over']}")
    for title in ("seat", "player", "this deal", "total"):
        rows.add_column(title, justify="left" if title in ("seat", "player") else "right")
    for seat, total in enumerate(after["totals"]):
        rows.add_row(f"{seat}", players[seat], f"{total - before['totals'][seat]}", f"{total}")
    return rows
