"""Positions of Cheat that tests set up by hand."""

from collections.abc import Sequence

import facedown as fd
from facedown.cards import NO_CARD, NO_CARDS, mask_of, parse
from facedown.games.cheat.rules import CLAIM, NOBODY, TOOK


def cards(words: str) -> object:
    """A set of cards from text."""
    return mask_of(parse(word) for word in words.split())


def set_up(
    own: str,
    other: str,
    rank: str,
    *,
    claims: Sequence[tuple[int, str, str]] = (),
    stock: str = "",
    options: str = "cheat",
) -> fd.State:
    """Seat 0 to move with a hand, the other hand, the last rank named, and claims that lie on the table, the last last."""
    state = fd.load(options).deal(0)
    record = state.record
    hands = [cards(own), cards(other)]
    record.hands[:] = hands
    record.held[:] = [len(own.split()), len(other.split())]
    record.face_up, record.pile_size = NO_CARDS, 0
    record.stock[:] = NO_CARD
    for place, word in enumerate(reversed(stock.split())):
        record.stock[place] = parse(word)
    record.stock_left = len(stock.split())
    record.last_rank = "23456789TJQKA".index(rank)
    record.last_action = CLAIM if claims else TOOK
    record.had[:] = NO_CARDS
    for seat in (0, 1):
        laid = sum(len(words.split()) for layer, _, words in claims if layer == seat)
        record.fresh[seat] = record.held[seat] + laid
    for number, (layer, named, words) in enumerate(claims):
        size, place = len(words.split()), "23456789TJQKA".index(named)
        record.batch_cards[number] = cards(words)
        record.batch_seat[number], record.batch_rank[number], record.batch_size[number] = layer, place, size
        record.batch_fresh[number] = record.fresh[layer]
        record.claimed[layer, place] += size
        record.pile_size += size
        record.last_rank = place
    record.batches = len(claims)
    record.to_move, record.turn, record.winner = 0, 10, NOBODY
    state._legal = None
    return state
