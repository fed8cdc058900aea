"""Cheat in words: actions as text, the facts on the table, and why something may not be done."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from facedown import cards
from facedown.cards import NO_CARD, RANKS, SUIT_SIZE
from facedown.errors import BadText
from facedown.games.cheat.claims import (
    ACTIONS,
    ALL_PLACES,
    CALL,
    CARDS_LAID,
    CLAIMS,
    DOWN,
    MOST_LAID,
    NO_MORE,
    PLACE_BITS,
    SEEN,
    TAKE,
    UP,
    card_in,
    cards_of_claim,
    rank_named,
    rank_towards,
    size_of,
)
from facedown.games.cheat.rules import CLAIM, NO_WINNER, NOBODY, SEATS, is_false, legal
from facedown.games.speech import counted, does, gained, listed_faces, of_rank
from facedown.kernel import Record
from facedown.view import SPECTATOR, Facts

DIRECTIONS = ("up", "down")
TRUTHS = ("true", "false")
LAST_ACTIONS = ("claim", "take", "call")

EXPECTED = "take, call, a claim such as 'up true 2' or 'down false 1', or your own cards as in '2 Q: QH 5D'"

HELP = """\
 2 Q: QH 5D    lays these two cards face down and calls them two queens
 up true 2     claims two cards of the next rank up, and they are
 down false 1  claims one card of the next rank down, and it is not
 take          takes a card from the stock
 call          calls cheat: the pile goes to the liar, or to you without a lie
 Ranks lie on a circle: K is next to A, and A is next to 2.
 A claim is one rank up or down from the last."""


def text(action: int) -> str:
    """An action: a claim by direction, truth and count, as the other sees it, or with its cards."""
    if action == TAKE:
        return "take"
    if action == CALL:
        return "call"
    if 0 <= action < CLAIMS:
        return f"{DIRECTIONS[action // 8]} {TRUTHS[action % 8 // 4]} {size_of(action)}"
    if not 0 <= action < CARDS_LAID + (SUIT_SIZE * MOST_LAID << ALL_PLACES):
        raise BadText(f"expected an action of Cheat, got {action}")
    if action < CARDS_LAID:
        return f"{size_of(action)} {RANKS[(action - SEEN) // MOST_LAID]}"
    laid = " ".join(cards.text(card_in(action, place)) for place in range(size_of(action)))
    return f"{size_of(action)} {RANKS[((action - CARDS_LAID) >> ALL_PLACES) // MOST_LAID]}: {laid}"


def parse(words: str) -> int:
    """An action from text."""
    claim, colon, laid = words.partition(":")
    parts = claim.lower().split()
    if not colon and parts == ["take"]:
        return TAKE
    if not colon and parts in (["call"], ["cheat"]):
        return CALL
    if not colon and len(parts) == 3 and parts[0] in DIRECTIONS and parts[1] in TRUTHS:
        return DIRECTIONS.index(parts[0]) * 8 + TRUTHS.index(parts[1]) * 4 + _count(parts[2]) - 1
    if len(parts) == 2 and _rank(parts[1]) is not None:
        rank, count = _rank(parts[1]) or 0, _count(parts[0])
        return claim_of(rank, _cards(laid, count)) if colon else SEEN + rank * MOST_LAID + count - 1
    raise BadText(f"expected {EXPECTED}, got {words!r}")


def claim_of(rank: int, laid: Sequence[int]) -> int:
    """The claim that some cards are of a rank: the cards lowest first."""
    code = rank * MOST_LAID + len(laid) - 1
    for card in [*laid, *[NO_MORE] * (MOST_LAID - len(laid))]:
        code = code << PLACE_BITS | card
    return CARDS_LAID + code


def _rank(word: str) -> int | None:
    rank = word.upper().replace("10", "T")
    return RANKS.index(rank) if len(rank) == 1 and rank in RANKS else None


def _count(word: str) -> int:
    if word.isdecimal() and 1 <= int(word) <= MOST_LAID:
        return int(word)
    raise BadText(f"expected a claim of 1 to {MOST_LAID} cards, got {word}")


def _cards(words: str, count: int) -> list[int]:
    """Different cards, as many as claimed."""
    laid = sorted(cards.parse(word) for word in words.replace(",", " ").split())
    if len(laid) != count:
        raise BadText(f"expected as many cards as claimed, {count}, got {len(laid)}")
    if len(set(laid)) < count:
        raise BadText(f"expected {count} different cards, got {words.strip()}")
    return laid


def laid_text(state: Record, action: int) -> str:
    """A claim of the seat to move with the cards that it lays, which the text of an abstract one does not say."""
    if action in (TAKE, CALL):
        return text(action)
    laid = " ".join(in_order(cards_of_claim(state, action)))
    return f"{size_of(action)} {RANKS[rank_named(state, action)]}: {laid}"


def sort_key(card: int) -> tuple[int, int]:
    """Rank by rank: it is ranks that matter here."""
    return card % SUIT_SIZE, card // SUIT_SIZE


def in_order(mask: Any) -> list[str]:
    """The cards of a set as text, rank by rank."""
    return [cards.text(card) for card in sorted(cards.cards_of(mask), key=sort_key)]


def facts(state: Record, seat: int | None) -> Facts:
    """Everything on the table, as far as a seat knows it; all of it for seat None."""
    over = state.winner != NOBODY
    known: dict[str, Any] = {
        "last_rank": RANKS[state.last_rank],
        "ranks_to_claim": [RANKS[rank_towards(state, UP)], RANKS[rank_towards(state, DOWN)]],
        "last_action": LAST_ACTIONS[state.last_action] if state.turn else None,
        "to_move": None if over else int(state.to_move),
        "winner": int(state.winner) if over and state.winner != NO_WINNER else None,
        "turns": int(state.turn),
        "turns_left": int(state.turn_limit) - int(state.turn),
        "hand_sizes": [int(held) for held in state.held],
        "stock_left": int(state.stock_left),
        "pile_size": int(state.pile_size),
        "face_up": cards.texts_of(state.face_up),
        "pile": [_batch(state, batch, seat) for batch in range(int(state.batches))],
        "shown": [in_order(state.had[other]) for other in range(SEATS)],
        "caught": [int(times) for times in state.caught],
        "caught_on": [[RANKS[rank] for rank in range(SUIT_SIZE) if mask >> rank & 1] for mask in map(int, state.caught_on)],
        "claims": [int(count) for count in state.claims],
        "lies_shown": [int(count) for count in state.lies_shown],
        "truths_shown": [int(count) for count in state.truths_shown],
        "takes": [int(count) for count in state.takes],
        "calls": [int(count) for count in state.calls],
        "calls_right": [int(count) for count in state.calls_right],
    }
    if seat is None:
        known["hands"] = [in_order(mask) for mask in state.hands]
        known["stock"] = [cards.text(int(card)) for card in state.stock[::-1] if card != NO_CARD]  # the next first
        known["last_claim_true"] = not is_false(state, state.batches - 1) if state.last_action == CLAIM else None
    elif seat != SPECTATOR:
        known["hand"] = in_order(state.hands[seat])
    if not over and seat in (None, int(state.to_move)):
        actions = np.empty(ACTIONS, np.int64)
        choices = actions[: legal(state, actions)].tolist()
        known["lays"] = {text(action): in_order(cards_of_claim(state, action)) for action in choices if action < CLAIMS}
    return known


def _batch(state: Record, batch: int, seat: int | None) -> dict[str, Any]:
    """A claim in the pile; its cards for who laid them."""
    layer = int(state.batch_seat[batch])
    claim: dict[str, Any] = {
        "seat": layer,
        "count": int(state.batch_size[batch]),
        "rank": RANKS[state.batch_rank[batch]],
    }
    if seat in (None, layer):
        claim["cards"] = in_order(state.batch_cards[batch])
    return claim


# --- For people ------------------------------------------------------------------------------------------------------------


def say(words: str, known: Facts) -> str:
    """An action as people say it: `4 2` is four twos; one's own claim with its cards."""
    claim, _, laid = words.partition(":")
    parts = claim.split()
    if parts[0] in DIRECTIONS:
        rank = known["ranks_to_claim"][DIRECTIONS.index(parts[0])]
        lays = known.get("lays", {}).get(words)
        return of_rank(int(parts[2]), rank) + (f" ({listed_faces(lays)})" if lays else "")
    if parts[0].isdecimal():
        return of_rank(int(parts[0]), parts[1].upper()) + (f" ({listed_faces(laid.split())})" if laid else "")
    return words


def outcome(state: Record) -> tuple[str, str]:
    """Why the game ended (rules 6 and 7)."""
    if state.winner != NO_WINNER and state.held[state.winner] == 0:
        return "empty hand", f"seat {state.winner} has no card left"
    held = state.held.tolist()
    cause = "both hold as many cards" if held[0] == held[1] else f"{min(held)} cards are fewer than {max(held)}"
    return f"{state.turn} turns", f"{state.turn} turns are taken, and {cause}"


def news(before: Facts, after: Facts, own: int | None) -> list[str]:
    """Who was caught lying, or called for nothing, what was drawn, and how the game ended."""
    mover = before["to_move"]
    sentences = []
    if after["calls"] != before["calls"]:
        sentences.append(_call_report(before, after, mover, own))
    if after["takes"] != before["takes"]:
        drawn = gained(before["hand"], after["hand"]) if mover == own else []
        sentences.append(f"{does(mover, own, 'draw')} {listed_faces(drawn) or 'a card'} from the stock")
    if after["to_move"] is None:
        sentences.append(_end_report(after, own))
    return sentences


def _call_report(before: Facts, after: Facts, caller: int, own: int | None) -> str:
    last = before["pile"][-1]
    liar, claim = last["seat"], of_rank(last["count"], last["rank"])
    caught = after["caught"] != before["caught"]
    taker = liar if caught else caller
    pile = f"{does(taker, own, 'take')} up the pile, {counted(before['pile_size'], 'card')}"
    if caught:
        whose = "your" if liar == own else f"seat {liar}'s"
        lie = f"{whose} {claim} {'was' if last['count'] == 1 else 'were'} a lie"
        return f"{does(caller, own, 'call')} cheat, and rightly: {lie}; {pile}"
    return f"{does(caller, own, 'call')} cheat, but {claim} it was; {pile}"


def _end_report(after: Facts, own: int | None) -> str:
    winner = after["winner"]
    if winner is None:
        return "the turns are up, and both hold as many cards: the win is shared"
    if after["hand_sizes"][winner]:
        return f"the turns are up: {does(winner, own, 'win')} with fewer cards"
    return f"{does(winner, own, 'win')} with no card left"


def why_illegal(state: Record, action: int) -> str:
    """The rule that an action would break, for a person who tried it."""
    if action == TAKE:
        return "the stock is empty"
    if action == CALL:
        return "there is no claim to call: only the other's last action can be"
    if action < 0 or action >= CARDS_LAID + (SUIT_SIZE * MOST_LAID << ALL_PLACES):
        return "there is no such action"
    ranks = [rank_towards(state, UP), rank_towards(state, DOWN)]
    rank = rank_named(state, action)
    if action >= SEEN and rank not in ranks:
        return f"a claim must name {RANKS[ranks[0]]} or {RANKS[ranks[1]]}, one up or down from {RANKS[state.last_rank]}"
    if action < CLAIMS:
        kind = "of that rank" if action % 8 < 4 else "of another rank"
        return f"there are not so many cards {kind} ({RANKS[rank]}) in the hand"
    if action < CARDS_LAID:
        return f"a claim needs its cards, as in '{size_of(action)} {RANKS[rank]}: QH 5D'"
    hand = cards.cards_of(state.hands[state.to_move])
    missing = [card_in(action, place) for place in range(size_of(action)) if card_in(action, place) not in hand]
    return (
        f"{' '.join(cards.text(card) for card in missing)} is not in the hand" if missing else "its cards are not in order"
    )
