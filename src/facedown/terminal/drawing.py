"""The table drawn for the terminal, as one seat sees it.

A person's table is drawn from a view alone, so it cannot show what the seat does not know. No game is known by name here:
what is drawn depends on the kinds of zones on the table. Where the screen has little room, cards become words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table as Rows
from rich.text import Text

from facedown.cards import SUIT_SIGNS, SUITS
from facedown.games.speech import counted, seat_name
from facedown.table.zones import Table, Zone, first_zone, numbers_of, own_hand, zones
from facedown.terminal.board import battlefield
from facedown.terminal.claims import choices, claims_table
from facedown.terminal.hand import Hand, boxed
from facedown.terminal.menu import menu_of, others_line
from facedown.terminal.tricks import Trick, has_trick, laid_cards, trick_line
from facedown.terminal.words import (
    TURN_STYLE,
    WIDTH,
    card,
    figure,
    in_words,
    legal_texts,
    named,
    packed,
    partners,
    row_of,
    shared_facts,
)
from facedown.view import View

# How much room the drawing takes: cards as boxes; the hand in words; all in words; and the felt's edge left out.
BOXES, HAND_IN_WORDS, WORDS, NO_EDGE = range(4)

SO_FAR = " so far  "


@dataclass(frozen=True)
class Scene:
    """What there is to draw for a person."""

    view: View
    players: Sequence[str]  # who sits where, in a word
    last: Trick | None = None
    lies_there: bool = False  # the last trick has not been taken up yet
    for_seat: bool = True  # shown to the seat itself, which is "you" then
    chosen: Sequence[str] = ()  # of this turn's cards, and not sent yet
    legal: Sequence[str] | None = None  # what may be chosen after these; None: what the view allows
    wanted: int = 1  # how many choices the turn needs
    pointed: str | None = None  # what the arrow keys point at
    recent: Sequence[Text] = ()  # the last actions in words
    open_table: Table | None = None  # drawn in place of the view's, where all cards are shown

    @property
    def own(self) -> int | None:
        """The seat spoken to."""
        return self.view.seat if self.for_seat else None

    @property
    def table(self) -> Table:
        """What is drawn."""
        return self.open_table or self.view.table


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
    """The table as the seat sees it, with its own hand below, in `room` lines."""
    seen = scene.table
    return Fitted(lambda step: Group(*middle(scene, seen, step), *own_side(scene, seen, step)), room)


def middle(scene: Scene, seen: Table, step: int = BOXES) -> list[RenderableType]:
    """All that lies on the table, and what stands beside it."""
    felt = drawing(scene, seen, step)
    if step < NO_EDGE:
        felt = Panel(felt, box=box.ROUNDED, border_style="green", title=Text(scene.view.game.full_name, "bold"))
    return [felt, *beside(scene, seen)]


def drawing(scene: Scene, seen: Table, step: int) -> RenderableType:
    """What fits the kinds of zones."""
    if has_trick(seen):
        return around(scene, seen, step)
    near, compact = scene.view.seat, step >= WORDS
    names = ["you" if seat == scene.own else f"{seat_name(seat)} {player}" for seat, player in enumerate(scene.players)]
    if first_zone(seen, "board"):
        return battlefield(seen, near, names, compact=compact)
    if first_zone(seen, "claims"):
        return claims_table(seen, near, names, compact=compact)
    return seat_rows(scene, seen)


def around(scene: Scene, seen: Table, step: int) -> RenderableType:
    """The seats around the table, each with its card of the trick before it: the next to move sits on the left."""
    own, count = scene.view.seat, scene.view.game.seats
    seats = [(own + step) % count for step in range(1, count)]
    sides, across = ([], seats) if len(seats) == 1 else (seats[:: len(seats) - 1], seats[1:-1])
    laid = dict(scene.last.cards if scene.lies_there and scene.last else laid_cards(seen))
    spot = place if step < WORDS else spot_in_words
    parts: list[RenderableType] = []
    if across:
        parts.append(grid(["center"] * len(across), [label(seat, scene, seen, " · ") for seat in across]))
        parts.append(grid(["center"] * len(across), [spot(seat, laid) for seat in across]))
    if sides:
        left, right = sides
        words = [label(seat, scene, seen, "\n") for seat in sides]
        parts.append(grid(["left", "center", "center", "right"], [words[0], spot(left, laid), spot(right, laid), words[1]]))
    parts.append(grid(["center"], [spot(own, laid)]))
    parts.append(grid(["center"], [label(own, scene, seen, " · ")]))
    return Group(*parts)


def grid(columns: Sequence[Any], cells: Sequence[RenderableType]) -> Rows:
    """Cells side by side, in columns of one width."""
    rows = Rows.grid(expand=True, padding=(0, 2))
    for justify in columns:
        rows.add_column(justify=justify, ratio=1)
    rows.add_row(*cells)
    return rows


def place(seat: int, laid: dict[int, str]) -> Text:
    """A seat's card of the trick, or its empty place; the card that was led has a bright edge."""
    if seat not in laid:
        return Text("\n\n")
    return Text("\n").join(boxed(laid[seat], border="cyan" if seat == next(iter(laid)) else ""))


def spot_in_words(seat: int, laid: dict[int, str]) -> Text:
    """The same in one line."""
    return Text.assemble("[", card(laid[seat]), "]") if seat in laid else Text()


def label(seat: int, scene: Scene, seen: Table, joint: str) -> Text:
    """Who sits there, with points, cards, those that all know of, and the suits shown to be missing."""
    moving = seat == seen["to_move"]
    name = seat_name(seat, scene.own)
    title = name if seat == scene.own else f"{name} {scene.players[seat]}"
    title += " (partner)" if seat in partners(seen) else ""
    parts = [Text(f"▶ {title}" if moving else title, TURN_STYLE if moving else "bold"), Text(score_words(seen, seat))]
    if seat != scene.own:
        hand = first_zone(seen, "hand", seat)
        parts += [Text(counted(hand["count"], "card"), "dim")] if hand and "count" in hand else []
        for zone in zones(seen, "void", seat):
            parts[-1].append(f", no {''.join(SUIT_SIGNS[SUITS.index(suit)] for suit in suits_of(zone))}")
        for zone in zones(seen, "known", seat):
            parts[-1] = Text.assemble(
                parts[-1], ", ", (f"{zone.get('label', 'has')} ", "dim"), row_of(zone.get("cards", ()))
            )
    return Text(joint).join(parts)


def suits_of(zone: Zone) -> list[str]:
    """The suits that a zone names."""
    value = zone.get("value")
    return value if isinstance(value, list) else []


def score_words(seen: Table, seat: int) -> str:
    """A seat's scores, and its totals once somebody has one."""
    totals = zones(seen, "total", seat) if any(numbers_of(seen, "total")) else []
    scores = [scored(zone) for zone in zones(seen, "score", seat)]
    return ", ".join([*scores, *map(figure, totals)])


def scored(zone: Zone) -> str:
    """A score with its unit: `1 point`, or `life 20` where its label is no plural."""
    value, label = zone.get("value"), zone.get("label", "")
    return counted(value, label[:-1]) if label.endswith("s") and isinstance(value, int | float) else figure(zone)


def seat_rows(scene: Scene, seen: Table) -> RenderableType:
    """A row for each seat: for tables without tricks, boards and claims."""
    owned = [zone for kind in ("score", "total", "fact") for zone in zones(seen, kind) if "seat" in zone]
    columns = list(dict.fromkeys(zone.get("label", "") for zone in owned))
    rows = Rows(box=None, padding=(0, 2, 0, 0))
    for title in ["", "", *columns]:
        rows.add_column(title, header_style="dim")
    for seat in range(scene.view.game.seats):
        style = TURN_STYLE if seat == seen["to_move"] else "bold"
        values = {zone.get("label", ""): zone.get("value") for zone in owned if zone["seat"] == seat}
        cells = [in_words(values.get(title)) for title in columns]
        rows.add_row(Text(seat_name(seat, scene.own), style), scene.players[seat], *cells)
    return rows


def beside(scene: Scene, seen: Table) -> list[RenderableType]:
    """What is asked, what belongs to nobody, lists of cards that the seat knows of, and what was played last."""
    lines: list[RenderableType] = []
    if seen["turn"] is not None or seen["question"]:
        lines.append(question_line(seen))
    if not first_zone(seen, "claims"):  # where these stand beside the pile
        lines += [packed(parts, WIDTH, "   ") for parts in (shared_facts(seen), open_cards(seen)) if parts]
    if scene.last and not scene.lies_there:
        lines.append(Text.assemble((" last trick  ", "dim"), trick_line(scene.last, scene.own)))
    elif not has_trick(seen) and scene.view.history:
        lines.append(recent_line(scene))
    return lines


def open_cards(seen: Table) -> list[Text]:
    """The piles and stocks whose cards are known, of the seat that looks and of nobody; boards show their own."""
    if first_zone(seen, "board"):
        return []
    piles = [zone for kind in ("pile", "stock") for zone in zones(seen, kind) if zone.get("seat") in (None, seen["seat"])]
    return [named(zone.get("label", zone["kind"]), zone["cards"]) for zone in piles if zone.get("cards")]


def question_line(seen: Table) -> Text:
    """Which turn it is, and what is asked."""
    line = Text.assemble((" turn ", "dim"), f"{seen['turn']}") if seen["turn"] is not None else Text()
    if seen["question"]:
        line.append("   " if line else " ").append(seen["question"], "bold")
    return line


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


# --- The seat's own side ----------------------------------------------------------------------------------------------


def own_side(scene: Scene, seen: Table, step: int = BOXES) -> list[RenderableType]:
    """The seat's own hand, and what it may do beside playing a card of it; chosen cards are raised, and counted."""
    view, compact = scene.view, step >= HAND_IN_WORDS
    hand = own_hand(seen)
    legal = legal_texts(view) if scene.legal is None else list(scene.legal)
    menu = menu_of(view, legal or [])
    if legal and hand and first_zone(seen, "choice"):
        return [Hand(hand, None, compact=compact), choices(seen, menu, scene.pointed)]
    parts: list[RenderableType] = []
    if hand:
        choosable = legal if legal is not None and (scene.chosen or set(hand) & set(legal)) else None
        numbers = menu.numbers if menu.by_card else {}
        parts.append(Hand(hand, choosable, numbers, scene.chosen, scene.pointed, compact))
    if scene.wanted > 1 and scene.chosen:
        parts.append(
            Text(f" chosen {len(scene.chosen)} of {scene.wanted}: ", "bold yellow").append_text(row_of(scene.chosen))
        )
    if menu.others:
        parts.append(others_line(menu, scene.pointed, WIDTH, step >= WORDS))
    return parts
