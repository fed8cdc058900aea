"""The table drawn for the terminal, as one seat sees it.

A person's table is drawn from a view alone, so it cannot show what the seat does not know. No game is known by name here:
what is drawn depends on which facts a game tells. Where the screen has little room, cards become words.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from facedown.cards import SUIT_SIGNS, SUITS
from facedown.games.speech import counted, is_card, seat_name
from facedown.terminal.board import battlefield, has_board, question_line
from facedown.terminal.claims import choices, claims_table, has_claims
from facedown.terminal.hand import Hand, boxed
from facedown.terminal.menu import menu_of, others_line
from facedown.terminal.tricks import Trick, has_tricks, laid_cards, trick_line
from facedown.terminal.words import TURN_STYLE, WIDTH, card, hand_of, legal_texts, packed, row_of, said
from facedown.view import Facts, View

# How much room the drawing takes: cards as boxes; the hand in words; all in words; and the felt's edge left out.
BOXES, HAND_IN_WORDS, WORDS, NO_EDGE = range(4)

SO_FAR = " so far  "

# Facts that the table draws in a place of their own.
DRAWN = {"hand", "hands", "hand_sizes", "trick", "points", "totals", "voids", "to_move", "leader", "opener", "played"}
DRAWN |= {"dealer", "holds", "partner", "in_trick", "score", "scores"}


@dataclass(frozen=True)
class Scene:
    """What there is to draw for a person."""

    view: View
    players: Sequence[str]  # who sits where, in a word
    last: Trick | None = None
    lies_there: bool = False  # the last trick has not been taken up yet
    for_seat: bool = True  # told to the seat itself, which is "you" then
    chosen: Sequence[str] = ()  # of this turn's cards, and not sent yet
    legal: Sequence[str] | None = None  # what may be chosen after these; None: what the view says
    wanted: int = 1  # how many choices the turn needs
    pointed: str | None = None  # what the arrow keys point at
    recent: Sequence[Text] = ()  # the last actions in words

    @property
    def own(self) -> int | None:
        """The seat spoken to."""
        return self.view.seat if self.for_seat else None


# --- Room -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fitted:
    """A drawing that takes less room step by step until it fits."""

    draw: Callable[[int], RenderableType]
    room: int | None = None  # lines; None: all that the terminal has

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The largest drawing that fits; the smallest is cut if even that does not."""
        room = options.max_height if self.room is None else self.room
        width = options.update(width=min(WIDTH, options.max_width), height=None)
        lines: list[list[Segment]] = []
        for step in (BOXES, HAND_IN_WORDS, WORDS, NO_EDGE):
            lines = console.render_lines(self.draw(step), width, pad=False)
            if len(lines) <= room:
                break
        for line in lines[: max(1, room)]:
            yield from line
            yield Segment.line()


# --- The table --------------------------------------------------------------------------------------------------------


def table(scene: Scene, room: int | None = None) -> RenderableType:
    """The table as the seat sees it, with its own hand below, in so many lines."""
    facts = scene.view.facts
    return Fitted(lambda step: Group(*middle(scene, facts, step), *own_side(scene, facts, step)), room)


def middle(scene: Scene, facts: Facts, step: int = BOXES) -> list[RenderableType]:
    """All that lies on the table, and what is told beside it."""
    felt = drawing(scene, facts, step)
    if step < NO_EDGE:
        felt = Panel(felt, box=box.ROUNDED, border_style="green", title=Text(scene.view.game.full_name, "bold"))
    return [felt, *beside(scene, facts, recent=not has_tricks(facts))]


def drawing(scene: Scene, facts: Facts, step: int) -> RenderableType:
    """What fits the facts that a game tells."""
    view = scene.view
    if has_tricks(facts):
        return around(scene, facts, step)
    names = ["you" if seat == scene.own else f"{seat_name(seat)} {player}" for seat, player in enumerate(scene.players)]
    if has_board(facts):
        return battlefield(facts, view.seat, names, view.to_move, compact=step >= WORDS)
    if has_claims(facts):
        return claims_table(facts, view.seat, names, view.to_move, compact=step >= WORDS)
    return seat_rows(scene, facts)


def around(scene: Scene, facts: Facts, step: int) -> RenderableType:
    """The seats around the table, each with its card of the trick before it: the next to move sits on the left."""
    own, count = scene.view.seat, scene.view.game.seats
    seats = [(own + step) % count for step in range(1, count)]
    sides, across = ([], seats) if len(seats) == 1 else (seats[:: len(seats) - 1], seats[1:-1])
    laid = dict(scene.last.cards if scene.lies_there and scene.last else laid_cards(facts))
    spot = place if step < WORDS else spot_in_words
    parts: list[RenderableType] = []
    if across:
        parts.append(grid(["center"] * len(across), [label(seat, scene, facts, " · ") for seat in across]))
        parts.append(grid(["center"] * len(across), [spot(seat, laid) for seat in across]))
    if sides:
        left, right = sides
        words = [label(seat, scene, facts, "\n") for seat in sides]
        parts.append(grid(["left", "center", "center", "right"], [words[0], spot(left, laid), spot(right, laid), words[1]]))
    parts.append(grid(["center"], [spot(own, laid)]))
    parts.append(grid(["center"], [label(own, scene, facts, " · ")]))
    return Group(*parts)


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


def spot_in_words(seat: int, laid: dict[int, str]) -> Text:
    """The same in one line."""
    return Text.assemble("[", card(laid[seat]), "]") if seat in laid else Text()


def label(seat: int, scene: Scene, facts: Facts, joint: str) -> Text:
    """Who sits there, with points, cards, those that all know of, and the suits shown to be missing."""
    moving = seat == scene.view.to_move
    name = seat_name(seat, scene.own)
    title = name if seat == scene.own else f"{name} {scene.players[seat]}"
    title += " (partner)" if facts.get("partner") == seat else ""
    parts = [Text(f"▶ {title}" if moving else title, TURN_STYLE if moving else "bold")]
    parts.append(Text(counted(points_of(scene.view, facts)[seat], "point")))
    if any(facts.get("totals", ())):
        parts[-1].append(f", total {facts['totals'][seat]}")
    if "hand_sizes" in facts and seat != scene.own:
        parts.append(Text(counted(facts["hand_sizes"][seat], "card"), "dim"))
    if facts.get("voids") and facts["voids"][seat] and seat != scene.own:
        parts[-1].append(f", no {''.join(SUIT_SIGNS[SUITS.index(suit)] for suit in facts['voids'][seat])}")
    if facts.get("holds") and facts["holds"][seat] and seat != scene.own:
        parts[-1] = Text.assemble(parts[-1], ", ", ("has ", "dim"), row_of(facts["holds"][seat]))
    return Text(joint).join(parts)


def points_of(view: View, facts: Facts) -> Sequence[float]:
    """The points of each seat as the facts tell them, or else the scores."""
    points = facts.get("points")
    return points if isinstance(points, list) and len(points) == view.game.seats else view.scores


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
        lines.append(recent_line(scene))
    return lines


def named(facts: Facts, names: Iterable[str]) -> Text:
    """Facts in a line, each with its name."""
    return packed([Text.assemble((f"{name.replace('_', ' ')} ", "dim"), said(facts[name])) for name in names], WIDTH, "   ")


def recent_line(scene: Scene) -> Text:
    """As many of the last actions as a line has room for, as the seat saw them."""
    view = scene.view
    actions = view.history[-2 * view.game.seats :]
    played = ((seat_name(seat, scene.own), card(view.game.text(action))) for seat, action in actions)
    parts = list(scene.recent) or [Text.assemble((f"{name} ", "dim"), word) for name, word in played]
    line = Text()
    while parts and len(SO_FAR) + line.cell_len + parts[-1].cell_len + 2 <= WIDTH:
        line = Text.assemble(parts.pop(), "  " if line else "", line)
    return Text.assemble((SO_FAR, "dim"), line)


def is_cards(value: Any) -> bool:
    """Whether a fact is a list of cards."""
    return isinstance(value, list) and all(is_card(word) for word in value)


# --- The seat's own side ----------------------------------------------------------------------------------------------


def own_side(scene: Scene, facts: Facts, step: int = BOXES) -> list[RenderableType]:
    """The seat's own hand, and what it may do beside playing a card of it; chosen cards are raised, and counted."""
    view, in_words = scene.view, step >= HAND_IN_WORDS
    hand = hand_of(view)
    legal = legal_texts(view) if scene.legal is None else list(scene.legal)
    menu = menu_of(view, legal or [])
    if legal and "lays" in facts:
        return [*([Hand(hand, None, compact=in_words)] if hand else []), choices(facts, menu, scene.pointed)]
    parts: list[RenderableType] = []
    if hand:
        choosable = legal if legal is not None and (scene.chosen or set(hand) & set(legal)) else None
        numbers = menu.numbers if menu.by_card else {}
        parts.append(Hand(hand, choosable, numbers, scene.chosen, scene.pointed, in_words))
    if scene.wanted > 1 and scene.chosen:
        parts.append(
            Text(f" chosen {len(scene.chosen)} of {scene.wanted}: ", "bold yellow").append_text(row_of(scene.chosen))
        )
    if menu.others:
        parts.append(others_line(menu, scene.pointed, WIDTH, step >= WORDS))
    return parts
