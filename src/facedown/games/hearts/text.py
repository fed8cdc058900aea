"""Hearts in words: actions as text, the facts on the table, and why a card may not be played."""

from typing import Any

from facedown import cards
from facedown.cards import DECK_SIZE, HEARTS, SUIT_MASK, bit
from facedown.games.hearts.rules import (
    FACE_DOWN,
    HOLD,
    NO_SEAT,
    OVER,
    PASSED_CARDS,
    PASSES,
    PASSING,
    SEATS,
    begin_play,
    deck_of,
    lowest_club,
)
from facedown.games.speech import all_of, does, listed_faces, seat_name
from facedown.games.tricks.text import trick_facts, voids
from facedown.kernel import Record
from facedown.view import SPECTATOR, Facts, History

PHASES = ("passing", "playing", "over")
HELP = """\
 Follow suit if you can; the highest card of the suit that was led takes the trick.
 Each heart costs a point, and QS {queen}; the fewest points win.
 Who takes them all has shot the moon: the others get them instead (option moon)."""


def text(action: int) -> str:
    """A card, or the back of one."""
    return "??" if action == FACE_DOWN else cards.text(action)


def parse(word: str) -> int:
    """A card from text."""
    return FACE_DOWN if word.strip() == "??" else cards.parse(word)


def facts(state: Record, seat: int | None) -> Facts:
    """Everything on the table, as far as a seat knows it; all of it for seat None."""
    known: dict[str, Any] = {
        "phase": PHASES[state.phase],
        "pass": PASSES[state.direction],
        "to_move": None if state.phase == OVER else int(state.to_move),
        "leader": None if state.leader == NO_SEAT else int(state.leader),
        **trick_facts(state, SEATS),
        "hearts_broken": bool(state.hearts_broken),
        "points": [int(points) for points in state.points],
        "totals": [int(total) for total in state.totals],
        "deals_over": int(state.deals),
        "played": [cards.texts_of(mask) for mask in state.played],
        "hand_sizes": [_hand_count(state, other) for other in range(SEATS)],
        "voids": [voids(state, other, deck_of(state)) for other in range(SEATS)],
        "opener": None if state.opener == NO_SEAT else int(state.opener),
    }
    if seat is None:
        known["hands"] = [cards.texts_of(mask) for mask in state.hands]
        known["passed"] = [cards.texts_of(mask) for mask in state.passed]
    elif seat != SPECTATOR:
        known["hand"] = cards.texts_of(state.hands[seat])
        known["passed"] = cards.texts_of(state.passed[seat])
        known["received"] = _received(state, seat)
    return known


def _hand_count(state: Record, seat: int) -> int:
    aside = min(PASSED_CARDS, max(0, int(state.chosen) - seat * PASSED_CARDS)) if state.phase == PASSING else 0
    return int(state.deck_size) // SEATS - int(state.played[seat]).bit_count() - aside


def _received(state: Record, seat: int) -> list[str]:
    if state.phase == PASSING or state.direction == HOLD:
        return []
    return cards.texts_of(state.passed[(seat - int(state.direction)) % SEATS])


# --- For people ------------------------------------------------------------------------------------------------------------


def is_moon(state: Record) -> bool:
    """Whether a deal that is over ended with a moon."""
    return bool(state.moon) and sum(points > 0 for points in state.points.tolist()) == 1


def outcome(state: Record) -> tuple[str, str]:
    """Why the game ended."""
    totals, size = state.totals.tolist(), int(state.deck_size) // SEATS
    if state.match:
        highest = max(totals)
        return "match won", f"seat {totals.index(highest)} has {highest} points, and the match was to {state.match}"
    if is_moon(state):
        return "moon", f"seat {state.points.argmax()} has shot the moon"
    if state.tricks_played < size:
        return "points decided", f"all points are taken after {state.tricks_played} tricks"
    return "all tricks played", f"all {size} tricks are played"


def news(before: Facts, after: Facts, own: int | None) -> list[str]:
    """Cards passed to the seat, hearts broken, and how a deal ended."""
    sentences = []
    if own is not None and after.get("received") and not before.get("received"):
        sentences.append(f"you are passed {listed_faces(after['received'])}")
    if after["hearts_broken"] and not before["hearts_broken"] and before["trick"]:
        sentences.append("hearts are broken")
    if after["deals_over"] != before["deals_over"]:
        sentences += _deal_report(before, after, own)
    return sentences


def _deal_report(before: Facts, after: Facts, own: int | None) -> list[str]:
    """What a deal brought each seat, and whether somebody has shot the moon."""
    brought = [now - then for now, then in zip(after["totals"], before["totals"], strict=True)]
    sentences = []
    if brought.count(0) == 1 and sum(brought) == (SEATS - 1) * max(brought):  # the others share no points like that
        shooter = brought.index(0)
        others = [seat_name(seat, own) for seat in range(SEATS) if seat != shooter]
        sentences.append(f"{does(shooter, own, 'shoot')} the moon: {max(brought)} points each to {all_of(others)}!")
    parts = [f"{points} to {seat_name(seat, own)}" for seat, points in enumerate(brought)]
    return [*sentences, f"the deal is over, points: {', '.join(parts)}"]


def why_illegal(state: Record, action: int) -> str:
    """The rule that an action would break, for a person who tried it."""
    hand = state.hands[state.to_move]
    if not 0 <= action < DECK_SIZE or not hand & bit(action):
        return "that card is not in the hand"
    if state.in_trick == 0 and state.tricks_played == 0 and state.lowest_club_leads:
        return f"the first trick is opened with {cards.text(lowest_club(state))}"
    leading = state.in_trick == 0
    if leading and cards.suit_of(action) == HEARTS and not state.hearts_broken and hand & ~SUIT_MASK[HEARTS]:
        return "hearts have not been broken, and another suit is held"
    if not leading and cards.suit_of(action) != state.suit_led and hand & SUIT_MASK[state.suit_led]:
        return f"must follow {cards.SUIT_SIGNS[state.suit_led]}"
    return "no card that scores may be played on the first trick while another can be"


def rewind(dealt: Record, world: Record, seat: int, seen: History, actions: History) -> list[int]:
    """Deal the cards of a world as they were before any was passed or played; its actions, with those seen face down."""
    for holder in range(SEATS):
        dealt.hands[holder] = world.hands[holder] | world.played[holder]
        if world.phase != PASSING and world.direction != HOLD:
            dealt.hands[holder] &= ~world.passed[(holder - int(world.direction)) % SEATS]
        dealt.hands[holder] |= world.passed[holder]
    if dealt.phase != PASSING:
        begin_play(dealt)
    passed = [iter(cards.cards_of(mask)) for mask in world.passed]
    return [next(passed[mover]) if action == FACE_DOWN else action for mover, action in seen]
