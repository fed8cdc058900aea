"""The table of Cheat as plain data."""

from typing import Any

from facedown.games.cheat.rules import SEATS
from facedown.games.speech import counted, of_rank
from facedown.table.zones import Claim, Table, Zone, hand_zones, hands_told, known_zones, new_table, new_zone
from facedown.view import Facts


def table(facts: Facts, seat: int | None) -> Table:
    """Hands, the pile claim by claim, what may be claimed next, the stock, and what each seat was caught on."""
    up, down = map(_spoken, facts["ranks_to_claim"])
    caught = [
        new_zone("fact", "caught", seat=other, value=f"{counted(times, 'time')}, on {' '.join(map(_spoken, ranks))}")
        for other, (times, ranks) in enumerate(zip(facts["caught"], facts["caught_on"], strict=True))
        if times
    ]
    zones = [
        *hand_zones(facts["hand_sizes"], hands_told(facts, seat)),
        new_zone("claims", "pile", facts["face_up"], count=facts["pile_size"], claims=list(map(_claim, facts["pile"]))),
        *caught,
        *known_zones("took up, for all to see", facts["shown"]),
        new_zone("fact", "last named", value=_spoken(facts["last_rank"])),
        new_zone("fact", "next is", value=f"{up} up or {down} down"),
        new_zone("stock", "stock", facts.get("stock"), count=facts["stock_left"]),
        new_zone("fact", "turns left", value=facts["turns_left"]),
        *_choices(facts),
    ]
    return new_table(seat, facts["to_move"], range(SEATS), zones)


def _claim(batch: dict[str, Any]) -> Claim:
    """A claim in words; whether it is a lie, where its cards are known."""
    claim = Claim(seat=batch["seat"], count=batch["count"], rank=batch["rank"], label=of_rank(batch["count"], batch["rank"]))
    if "cards" in batch:
        claim["cards"] = batch["cards"]
        claim["lie"] = any(card[0] != batch["rank"] for card in batch["cards"])
    return claim


def _choices(facts: Facts) -> list[Zone]:
    """The cards that each claim of the seat to move would lay, and the rank it would name."""
    ranks = dict(zip(("up", "down"), facts["ranks_to_claim"], strict=True))
    return [
        new_zone("choice", text, cards, seat=facts["to_move"], value=ranks[text.split()[0]])
        for text, cards in facts.get("lays", {}).items()
    ]


def _spoken(rank: str) -> str:
    return "10" if rank == "T" else rank
