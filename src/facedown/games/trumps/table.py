"""The table of Sueca and Bisca as plain data."""

from facedown.games.trumps.rules import SIDES
from facedown.table.zones import (
    Table,
    for_each_seat,
    hand_zones,
    hands_told,
    known_zones,
    new_table,
    new_zone,
    trick_zone,
    void_zones,
)
from facedown.view import Facts


def table(facts: Facts, seat: int | None) -> Table:
    """Hands, the trick, points and totals, trumps with the shown card and its holder, the stock, and what is known."""
    holders = [other for other, held in enumerate(facts["holds"]) if facts["shown"] in held]
    zones = [
        *hand_zones(facts["hand_sizes"], hands_told(facts, seat)),
        trick_zone(facts["trick"], facts["leader"], facts["tricks_played"] + 1),
        *for_each_seat("score", "points", facts["points"]),
        *for_each_seat("total", "total", facts["totals"]),
        *void_zones(facts["voids"]),
        *known_zones("has", facts["holds"]),
        new_zone("trump", cards=[facts["shown"]], value=facts["trump"], seat=holders[0] if holders else None),
        new_zone("fact", "tricks played", value=facts["tricks_played"]),
        new_zone("stock", "stock", facts.get("stock"), count=facts["stock_left"]),
        new_zone("fact", "deals over", value=facts["deals_over"]),
    ]
    sides = [other % SIDES for other in range(len(facts["points"]))]
    return new_table(seat, facts["to_move"], sides, zones, deals_over=facts["deals_over"])
