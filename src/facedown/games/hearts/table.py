"""The table of Hearts as plain data."""

from facedown.games.hearts.rules import PASSED_CARDS, SEATS
from facedown.table.zones import Table, for_each_seat, hand_zones, hands_told, new_table, new_zone, trick_zone, void_zones
from facedown.view import Facts


def table(facts: Facts, seat: int | None) -> Table:
    """Hands, the trick, points and totals, suits shown to be missing, and the cards passed as far as they are known."""
    zones = [
        *hand_zones(facts["hand_sizes"], hands_told(facts, seat)),
        trick_zone(facts["trick"], facts["leader"], facts["tricks_played"] + 1),
        *for_each_seat("score", "points", facts["points"]),
        *for_each_seat("total", "total", facts["totals"]),
        *void_zones(facts["voids"]),
        new_zone("fact", "phase", value=facts["phase"]),
        new_zone("fact", "pass", value=facts["pass"]),
        new_zone("fact", "tricks played", value=facts["tricks_played"]),
        new_zone("fact", "hearts broken", value=facts["hearts_broken"]),
        new_zone("fact", "deals over", value=facts["deals_over"]),
    ]
    if seat is not None:
        zones += [new_zone("pile", label, facts[label], seat=seat) for label in ("passed", "received")]
    elif "hands" in facts:
        zones += [new_zone("pile", "passed", cards, seat=other) for other, cards in enumerate(facts["passed"])]
    left = left_to_pass(facts, seat)
    return new_table(seat, facts["to_move"], range(SEATS), zones, deals_over=facts["deals_over"], choose=left)


def left_to_pass(facts: Facts, seat: int | None) -> int | None:
    """How many cards the seat to move has still to pass, told to itself and to who sees everything."""
    mover = facts["to_move"]
    if facts["phase"] != "passing" or mover is None or "passed" not in facts or seat not in (None, mover):
        return None
    return PASSED_CARDS - len(facts["passed"] if seat is not None else facts["passed"][mover])
