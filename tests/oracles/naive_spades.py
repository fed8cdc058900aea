"""The twelve properties of a player's history in Hearts, one after another, each by looking at all plays again."""

from collections.abc import Sequence

Play = tuple[int, str]  # seat, card


def until_queen(plays: Sequence[Play]) -> list[Play]:
    cards = [card for _, card in plays]
    return list(plays[: cards.index("QS")] if "QS" in cards else plays)


class Turn:
    """A card that was played, and what lay on the table before."""

    def __init__(self, plays: Sequence[Play], place: int, first_trick_barred: bool) -> None:
        self.seat, self.card = plays[place]
        self.earlier = list(plays[:place])
        self.trick = place // 4 + 1
        self.on_table = [card for _, card in plays[place - place % 4 : place]]
        self.first_trick_barred = first_trick_barred

    @property
    def leads(self) -> bool:
        return not self.on_table

    @property
    def spades_led(self) -> bool:
        return (self.on_table or [self.card])[0].endswith("S")

    @property
    def discards(self) -> bool:
        return bool(self.on_table) and self.card[1] != self.on_table[0][1]

    def void(self, seat: int) -> bool:
        """Whether a seat has discarded on a spade, this card included."""
        plays = [*self.earlier, (self.seat, self.card)]
        for place, (who, card) in enumerate(plays):
            led = plays[place - place % 4][1]
            if who == seat and led.endswith("S") and not card.endswith("S"):
                return True
        return False

    def gone(self, card: str) -> bool:
        return card in [one for _, one in self.earlier]

    def may_lay(self) -> bool:
        """Whether, for all the others know, it could be a spade honour that is played."""
        return not self.void(self.seat) and (self.leads or self.discards or self.spades_led)

    def no_risk(self, honour: str) -> bool:
        """Whether the king or ace cannot take the queen in this trick."""
        if self.discards:
            return True
        if honour == "KS" and "AS" in self.on_table:
            return True
        after = [(self.seat + step) % 4 for step in (1, 2, 3)][: 3 - len(self.on_table)]
        return all(self.void(seat) for seat in after)


def properties(plays: Sequence[Play], seat: int, first_trick_barred: bool = True) -> tuple[int, ...]:
    """In the paper's order."""
    seen = until_queen(plays)
    turns = [Turn(seen, place, first_trick_barred) for place in range(len(seen)) if seen[place][0] == seat]
    risks = [turn for turn in turns if turn.card in ("KS", "AS") and not turn.no_risk(turn.card)]
    later = turns[turns.index(risks[0]) + 1 :] if risks else []

    def queen_was_safe(turn: Turn) -> bool:
        if first_trick_barred and turn.trick == 1:
            return False
        beaten = turn.spades_led and not turn.leads and ("KS" in turn.on_table or "AS" in turn.on_table)
        return turn.may_lay() and (turn.discards or beaten)

    def kept(honour: str) -> int:
        chances = [turn for turn in turns if turn.may_lay() and not turn.gone(honour) and turn.no_risk(honour)]
        return sum(turn.card != honour for turn in chances)

    cards = [card for _, card in seen]
    return (
        sum(map(queen_was_safe, turns)),
        kept("KS"),
        kept("AS"),
        sum(turn.card in ("KS", "AS") and turn.no_risk(turn.card) for turn in turns),
        int("KS" in [turn.card for turn in risks]),
        int("AS" in [turn.card for turn in risks]),
        int(any(turn.card.endswith("S") for turn in later)),
        sum(turn.leads for turn in turns),
        sum(turn.leads and turn.card.endswith("S") and turn.card not in ("KS", "AS") for turn in turns),
        len(seen) // 4 + 1,
        int("KS" not in cards),
        int("AS" not in cards),
    )
