"""Positions of trick games as text: what follows from the cards played, and which cards of a trick are possible."""

from collections.abc import Callable

from facedown.cards import NO_CARD, suit_of
from facedown.kernel import Record
from facedown.notation.position import member_text

FOLLOWS = ("tricks_played", "in_trick", "suit_led", "winner", "winning_card", "trick_points", "to_move")


def follow_trick(state: Record, seats: int, beats: Callable[[int, int], bool], points: Callable[[int], int]) -> None:
    """Write what follows from the cards played, those of the trick and who leads to it."""
    count = sum(int(cards).bit_count() for cards in state.played)
    state.tricks_played, state.in_trick = divmod(count, seats)
    leader = int(state.leader)
    state.to_move = (leader + int(state.in_trick)) % seats
    led = int(state.trick[leader])
    state.suit_led = suit_of(led) if led != NO_CARD else NO_CARD
    winner = leader if led != NO_CARD else -1  # between two tricks, who won the last leads to the next
    for seat in in_trick(state, seats)[1:]:
        if beats(int(state.trick[seat]), int(state.trick[winner])):
            winner = seat
    state.winner = winner
    state.winning_card = state.trick[winner] if winner >= 0 else NO_CARD
    state.trick_points = sum(points(int(state.trick[seat])) for seat in in_trick(state, seats))


def in_trick(state: Record, seats: int) -> list[int]:
    """The seats that have played to this trick, in order."""
    return [(int(state.leader) + step) % seats for step in range(int(state.in_trick))]


def check_played(state: Record, seats: int) -> str | None:
    """Why the cards of the trick and those played do not fit."""
    playing = in_trick(state, seats)
    for seat in range(seats):
        played, card = int(state.played[seat]), int(state.trick[seat])
        if played.bit_count() != state.tricks_played + (seat in playing):
            return f"seat {seat} has played {played.bit_count()} cards in {state.tricks_played} tricks and this one"
        if played and not (card >= 0 and played >> card & 1):
            return f"seat {seat} has not played its card of the trick"
        if int(state.not_held[seat]) & int(state.hands[seat]):
            return f"seat {seat} holds {member_text(int(state.not_held[seat]) & int(state.hands[seat]))}, in not_held"
    return None
