"""Positions of Hearts from text, so that a test reads as the rulebook does.

A hand is `clubs.diamonds.spades.hearts`, high or low cards first as one likes, `-` for a void: `2.AK.Q.-`. Cards played are
words: `2C 5C KC AC`.
"""

from collections.abc import Mapping, Sequence

from facedown import Game, State, load
from facedown.cards import parse

SUITS = "CDSH"


def cards_in(hand: str) -> list[str]:
    """A hand's cards as texts."""
    suits = hand.split(".")
    assert len(suits) == len(SUITS), f"expected clubs.diamonds.spades.hearts, got {hand!r}"
    return [rank + suit for ranks, suit in zip(suits, SUITS, strict=True) for rank in ranks if rank != "-"]


def legal(state: State) -> str:
    """The legal cards in one line."""
    return " ".join(state.game.text(action) for action in state.legal)


def play(state: State, words: str) -> State:
    """Play the cards named, one after another."""
    for word in words.split():
        state.play(word)
    return state


def first_deal(game: Game, hands: Sequence[Sequence[str]]) -> State:
    """A first deal of these hands; the holder of the lowest club leads, once cards are passed or held."""
    return game.position(f"{game.full_name}/1 hands={'|'.join(map(by_suits, hands))}")


def deal(game: str, hands: Mapping[int, str]) -> State:
    """A first deal in which some seats hold the cards named, and the others what is left, in order."""
    rules = load(game)
    named = {seat: cards_in(hand) for seat, hand in hands.items()}
    taken = {card for hand in named.values() for card in hand}
    rest = sorted({card for hand in rules.deal(seed=0).hands for card in hand} - taken, key=parse)
    size = len(rest) // (4 - len(named))
    for seat in range(4):
        if seat not in named:
            named[seat], rest = rest[:size], rest[size:]
    return first_deal(rules, [named[seat] for seat in range(4)])


def late(
    game: str,
    hands: Sequence[str],
    *,
    leader: int = 0,
    hearts_broken: bool = True,
    points: Sequence[int] = (0, 0, 0, 0),
    totals: Sequence[int] = (0, 0, 0, 0),
) -> State:
    """A position between two tricks: four hands of one size. Who has played which of the other cards does not matter."""
    rules = load(game)
    held = [cards_in(hand) for hand in hands]
    deck = [card for hand in load(game).deal(seed=0).hands for card in hand]
    gone = [card for card in deck if all(card not in hand for hand in held)]
    size = len(gone) // 4
    assert size > 0, "expected a trick to have been played"
    played = [gone[seat * size : (seat + 1) * size] for seat in range(4)]
    fields = {
        "hands": "|".join(map(by_suits, held)),
        "played": "|".join(map(by_suits, played)),
        "trick": ",".join(cards[-1] for cards in played),
        "points": ",".join(map(str, points)),
        "totals": ",".join(map(str, totals)),
        "hearts_broken": "yes" if hearts_broken else "no",
        "deals": 3 if rules.options["passing"].value == "cycle" else 0,  # a deal in which no cards are passed
        "leader": leader,
    }
    return rules.position(" ".join([f"{rules.full_name}/1", *(f"{name}={value}" for name, value in fields.items())]))


def by_suits(cards: Sequence[str]) -> str:
    """Cards as a position has them: clubs.diamonds.spades.hearts."""
    return ".".join("".join(card[0] for card in cards if card[1] == suit) or "-" for suit in SUITS)
