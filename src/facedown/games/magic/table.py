"""The table of Magic as plain data."""

from facedown.games.magic.record import SEATS
from facedown.table.zones import Table, Zone, for_each_seat, hand_zones, hands_told, new_table, new_zone
from facedown.view import Facts

DOING = ("attacks", "blocks", "tapped")  # what a creature in play may do, as its text says


def table(facts: Facts, seat: int | None) -> Table:
    """Life, lands, hands and libraries, the creatures in play and what each is doing, and the dead."""
    seats = range(SEATS)
    libraries = facts.get("library")
    question = facts["question"]
    zones = [
        *hand_zones(facts["hand_sizes"], hands_told(facts, seat)),
        *(board(facts["creatures"][other], other) for other in seats),
        *for_each_seat("score", "life", facts["life"]),
        *(lands(facts, other) for other in seats),
        *(
            new_zone(
                "stock", "library", libraries[other] if libraries else None, seat=other, count=facts["libraries"][other]
            )
            for other in seats
        ),
        *(new_zone("pile", "dead", facts["dead"][other], seat=other) for other in seats),
    ]
    return new_table(seat, facts["to_move"], seats, zones, turn=facts["turn"], question=f"{question}?" if question else None)


def board(creatures: list[str], seat: int) -> Zone:
    """A seat's creatures in play, and a note on what each is doing."""
    pairs = [split(creature) for creature in creatures]
    cards, notes = [body for body, _ in pairs], [doing for _, doing in pairs]
    return new_zone("board", "creatures", cards, seat=seat, notes=notes)


def lands(facts: Facts, seat: int) -> Zone:
    """A seat's lands in play; for the seat that plays cards, how many it has not used yet."""
    left = [f"{facts['mana']} left"] if seat == facts["active"] and facts["mana"] is not None else None
    return new_zone("fact", "lands", seat=seat, value=facts["lands"][seat], notes=left)


def split(creature: str) -> tuple[str, str]:
    """A creature's own text, and what it is doing."""
    for word in DOING:
        body, found, rest = creature.partition(f" {word}")
        if found:
            return body, f"{word}{rest}"
    return creature, ""
