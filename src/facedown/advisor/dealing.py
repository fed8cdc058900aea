"""Deals in which a seat has the hand that somebody has told."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from facedown.advisor.worlds import each_world, holds_cards, with_known, without
from facedown.cards import parse as card_number
from facedown.errors import BadText, FacedownError, shown
from facedown.games.speech import counted, is_card
from facedown.state import State
from facedown.view import View

MOST_POINTS = 10_000  # and deals, of a match so far


def own_cards(view: View) -> list[str]:
    """The cards in the viewer's hand."""
    return (view.hands[view.seat] or []) if view.game.has_hands else []


def check_hand(view: View, hand: Sequence[str]) -> None:
    """Refuse a hand that the game never deals, given the view of any deal: a card twice or of another game, or too few."""
    dealt = own_cards(view)
    if all(map(is_card, dealt)):
        if twice := [word for word, times in Counter(hand).items() if times > 1]:
            raise BadText(f"{twice[0]} is twice in the hand")
        pack = int(view.unseen()[0].pool) | sum(1 << card_number(word) for word in dealt)
        if strange := [word for word in hand if not pack >> card_number(word) & 1]:
            raise BadText(f"{strange[0]} is no card of {view.game.name}")
    if len(hand) != len(dealt):
        raise BadText(f"expected {counted(len(dealt), 'card')}, got {len(hand)}")


def with_hand(state: State, seat: int, hand: Sequence[str]) -> State | None:
    """The same deal, but for cards that have changed places so that a seat has a hand; None where they cannot."""
    game = state.game
    if not game.has_hands or Counter(state.hands[seat]) == Counter(hand):
        return state
    if game.elsewhere.hold:
        twin = state.copy()
        reason = game.elsewhere.hold(twin.record, seat, hand)
        if reason:
            raise BadText(reason)
        return twin
    if not holds_cards(state.view(seat)):
        return None
    mask = sum(1 << card_number(word) for word in hand)
    for other in range(game.seats):
        if other != seat and (found := exchanged(state, seat, other, mask)) is not None:
            return found
    return None


def exchanged(state: State, seat: int, other: int, mask: int) -> State | None:
    """A deal in which a seat has a hand, by two worlds: first the other seat gives all these cards away, then it looks.

    Worlds are what the rules themselves say of hidden cards, so that this works for any game.
    """
    own = state.view(seat)
    given = without(own.unseen(), other, mask)
    if given is None:
        return None
    for world in each_world(own, given, 1, state.seed):
        view = world.view(other)
        narrowed = with_known(view.unseen(), seat, mask)
        if narrowed is None or int(narrowed[0].known[seat]) != mask:
            return None
        for found in each_world(view, narrowed, 1, state.seed):
            return restored(state, found)
    return None


def restored(dealt: State, world: State) -> State:
    """A world as a deal: with the history and the seed of the deal that it was made from."""
    twin = dealt.copy()
    twin.data[:] = world.data
    return twin


def opened(state: State, fields: Mapping[str, Any]) -> State:
    """A deal dealt anew after fields of its record were written: the points of a match, or how many deals are over."""
    for name, value in fields.items():
        if name not in (state.data.dtype.names or ()):
            raise FacedownError(f"expected no {name!r} in {state.game.name}, which knows nothing of it")
        numbers = value if isinstance(value, list | tuple) else [value]
        shape = state.data[name][0].shape
        numbers = numbers[: shape[0]] if shape and len(numbers) == state.game.seats else numbers  # partners share theirs
        whole = all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one <= MOST_POINTS for one in numbers)
        if not whole or (isinstance(value, list | tuple) != bool(shape)) or len(numbers) != (shape[0] if shape else 1):
            many = f"{shape[0]} whole numbers" if shape else "a whole number"
            raise FacedownError(f"expected {name} as {many} from 0 to {MOST_POINTS}, got {shown(value)}")
        state.data[name] = numbers if shape else numbers[0]
    state.deal_next()
    return state
