"""The table of a game that does not describe its own: zones found by the names of its facts.

trick            a list of {"seat", "card"}: then seats sit around a table, and `points`, `totals`, `voids` (suits), `holds`
                 (cards that everybody knows of), `leader`, `tricks_played` belong to it
hand, hands      the cards of the seat that looks, or of all; `hand_sizes` counts the others
trump            a suit, or a card of it; `shown` is the card that names it, `stock_left` counts the stock
partner          a seat, where the game does not answer `side_of`
choose           how many actions the seat to move still chooses together, face down
deals_over       how many deals of a match are over

Of all other facts, one number, text or list for each seat becomes a fact of the seat, a list of cards becomes a pile, and a
single number or text a fact of the table. What else there is stays in the facts.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from facedown.cards import RANKS, SUITS
from facedown.errors import MissingAnswer
from facedown.table.zones import (
    Table,
    Zone,
    for_each_seat,
    hand_zones,
    hands_told,
    known_zones,
    new_table,
    new_zone,
    trick_zone,
    void_zones,
)

if TYPE_CHECKING:
    from facedown.state import State
    from facedown.view import Facts, View

# Facts that have a zone of their own, or that other zones show.
PLACED = {"hand", "hands", "to_move", "trick", "choose"}
PLACED_WITH_TRICKS = PLACED | {"hand_sizes", "points", "totals", "voids", "leader", "opener", "played", "dealer", "holds"}
PLACED_WITH_TRICKS |= {"partner", "in_trick", "score", "scores"}


def default_table(position: "State | View", facts: "Facts", seat: int | None) -> Table:
    """What can be recognised of a position."""
    tricks = is_trick(facts.get("trick"))
    zones = [*hands_of(position, facts, seat)]
    if tricks:
        played = facts.get("tricks_played")
        zones.append(trick_zone(facts["trick"], facts.get("leader"), played + 1 if isinstance(played, int) else None))
        zones += around_the_table(position, facts)
    else:
        zones += for_each_seat("score", "score", position.scores)
    zones += other_zones(position, facts, PLACED_WITH_TRICKS if tricks else PLACED)
    deals_over, choose = facts.get("deals_over", 0), facts.get("choose")
    return new_table(
        seat,
        position.to_move,
        sides_of(position, facts, seat),
        zones,
        deals_over=deals_over if isinstance(deals_over, int) else 0,
        choose=choose if isinstance(choose, int) and choose > 0 and seat in (None, position.to_move) else None,
    )


def hands_of(position: "State | View", facts: "Facts", seat: int | None) -> list[Zone]:
    """The hands, as far as they can be seen."""
    seats = position.game.seats
    held = position.hands if position.game.has_hands else []
    known: dict[int, Sequence[str]] = {other: cards for other, cards in enumerate(held) if cards is not None}
    if "hand" in facts:
        known |= hands_told(facts, seat)
    sizes = [len(known[other]) if other in known else None for other in range(seats)]
    told = facts.get("hand_sizes")
    return hand_zones(told if is_per_seat(told, seats) else sizes, known) if known or told else []


def around_the_table(position: "State | View", facts: "Facts") -> list[Zone]:
    """What stands beside each seat where tricks are played: points, or else scores, totals, and what is known of a hand."""
    seats = position.game.seats
    points = facts.get("points")
    zones = for_each_seat("score", "points", points if is_per_seat(points, seats) else list(position.scores))
    for name, made in (
        ("totals", lambda values: for_each_seat("total", "total", values)),
        ("voids", void_zones),
        ("holds", lambda values: known_zones("has", values)),
    ):
        if is_per_seat(facts.get(name), seats):
            zones += made(facts[name])
    return zones


def other_zones(position: "State | View", facts: "Facts", placed: set[str]) -> Iterator[Zone]:
    """A zone for each fact that has no other place."""
    seats = position.game.seats
    has_trump = isinstance(facts.get("trump"), str)
    for name in facts:
        value, label = facts[name], name.replace("_", " ")
        if name in placed or is_bits(position, name, value):
            continue
        if name == "trump" and has_trump:
            yield trump_zone(facts)
        elif name == "stock_left" and isinstance(value, int):
            yield new_zone("stock", "stock", count=value)
        elif name == "shown" and has_trump and is_card(value):
            continue  # beside the trump
        elif is_per_seat(value, seats) and not is_cards(value):
            yield from () if value == position.scores else for_each_seat("fact", label, value)
        elif is_cards(value):
            yield new_zone("pile", label, value)
        elif isinstance(value, str | bool | int | float):
            yield new_zone("fact", label, value=value)


def trump_zone(facts: "Facts") -> Zone:
    """Trumps, the card that names them, and who is known to hold it."""
    cards = [facts["shown"]] if is_card(facts.get("shown")) else []
    holders = [seat for seat, held in enumerate(facts.get("holds", ())) if cards and cards[0] in held]
    return new_zone("trump", cards=cards, value=facts["trump"], seat=holders[0] if holders else None)


def sides_of(position: "State | View", facts: "Facts", seat: int | None) -> list[int]:
    """The side of each seat: as the game answers, or that of the seat and its partner against all others, or its own."""
    seats = range(position.game.seats)
    if seat is not None and facts.get("partner") in seats:
        return [int(other not in (seat, facts["partner"])) for other in seats]
    try:
        position.game.rules.require("the table", "side_of")
    except MissingAnswer:
        return list(seats)
    return position.game.sides


# --- What a fact is ---------------------------------------------------------------------------------------------------


def is_trick(value: Any) -> bool:
    """Whether a fact is a trick card by card."""
    return isinstance(value, list) and all(isinstance(play, dict) and {"seat", "card"} <= play.keys() for play in value)


def is_per_seat(value: Any, seats: int) -> TypeGuard[list[Any]]:
    """Whether a fact has a part for each seat."""
    return isinstance(value, list) and len(value) == seats


def is_card(value: Any) -> bool:
    """Whether a fact is a card of the usual packs."""
    return isinstance(value, str) and len(value) == 2 and value[0] in RANKS and value[1] in SUITS


def is_cards(value: Any) -> bool:
    """Whether a fact is a list of cards."""
    return isinstance(value, list) and all(map(is_card, value))


def is_bits(position: "State | View", name: str, value: Any) -> bool:
    """Whether a fact is a set of cards in bits, which nobody can read."""
    types = position.data.dtype
    values = value if isinstance(value, list) else [value]
    masks = name in (types.names or ()) and types[name].base == np.uint64
    return masks and all(isinstance(one, int) for one in values)
