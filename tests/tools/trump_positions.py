"""Positions of Sueca and Bisca from text, so that a test reads as the rulebook does.

A hand is `clubs.diamonds.spades.hearts`, `-` for a void: `2.A7.Q.-`. Cards played are words: `2C 5C KC AC`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import naive_trumps as naive
from facedown import State, load
from positions import by_suits, cards_in


def at_both_tables(text: str, seed: int, **options: Any) -> tuple[State, naive.Table]:
    """The same deal at the table and at the oracle's."""
    state = load(text, **options).deal(seed)
    agreed: dict[str, Any] = {name: option.value for name, option in state.game.options.items()}
    return state, naive.Table(replace(naive.GAMES[state.game.name], **agreed), *cards_of(state))


def cards_of(state: State) -> tuple[list[list[str]], list[str], str]:
    """The hands, the stock and the shown card of a state."""
    facts = state.facts
    return facts["hands"], facts["stock"], facts["shown"]


def deal(game: str, hands: Mapping[int, str], shown: str, stock: str = "") -> State:
    """A first deal in which some seats hold the cards named; the others and the stock get what is left, in order.

    `stock` names the cards that are drawn first, and `shown` is the last card: the dealer's where there is no stock.
    """
    rules = load(game)
    start = rules.deal(seed=0).record
    size, seats, dealer = int(start.hand_size), rules.seats, int(start.dealer)
    named = {seat: cards_in(hand) for seat, hand in hands.items()}
    taken = {card for hand in named.values() for card in hand} | {*stock.split(), shown}
    rest = [card for card in naive.DECK if card not in taken]
    for seat in range(seats):
        if seat not in named:
            own = [shown] if not start.stock_left and seat == dealer else []
            count = size - len(own)
            named[seat], rest = own + rest[:count], rest[count:]
    pile = [*stock.split(), *rest, *([shown] if start.stock_left else [])]
    fields = {
        "hands": "|".join(by_suits(named[seat]) for seat in range(seats)),
        "stock": ",".join(reversed(pile)) or "-",
        "shown": shown,
    }
    return rules.position(" ".join([f"{rules.full_name}/1", *(f"{name}={value}" for name, value in fields.items())]))


def late(
    game: str,
    hands: Sequence[str],
    *,
    trump: str,
    leader: int = 0,
    points: Sequence[int] = (0, 0),
    totals: Sequence[int] = (0, 0),
) -> State:
    """A position between two tricks after the stock is gone: hands of one size; the shown trump has been played.

    Who has played which of the other cards does not matter.
    """
    rules = load(game)
    held = [cards_in(hand) for hand in hands]
    gone = [card for card in naive.DECK if all(card not in hand for hand in held)]
    size = len(gone) // rules.seats
    assert size > 0, "expected a trick to have been played"
    played = [gone[seat * size : (seat + 1) * size] for seat in range(rules.seats)]
    fields = {
        "hands": "|".join(map(by_suits, held)),
        "played": "|".join(map(by_suits, played)),
        "trick": ",".join(cards[-1] for cards in played),
        "points": ",".join(map(str, points)),
        "totals": ",".join(map(str, totals)),
        "shown": next(card for card in gone if card[1] == trump),
        "leader": leader,
    }
    return rules.position(" ".join([f"{rules.full_name}/1", *(f"{name}={value}" for name, value in fields.items())]))
