"""Positions of Cheat as text: which fields follow from others, and which positions are possible."""

from facedown.cards import NO_CARD, mask_of
from facedown.game import Game
from facedown.games.cheat.claims import MOST_LAID
from facedown.games.cheat.rules import CLAIM, MOST_BATCHES, NO_WINNER, NOBODY, SEATS, pack
from facedown.kernel import Record, record_in
from facedown.notation.cells import CARD, RANK, Cells, words
from facedown.notation.position import Notation, each_card_once

COUNTED = ("claims", "lies_shown", "truths_shown", "caught", "takes", "calls", "calls_right")


def cells(game: Game) -> dict[str, Cells]:
    """How the fields are written."""
    record = record_in(game.new_record())
    cards, ranks = Cells(within=int(pack(record))), words(*RANK.words[: int(record.ranks)])
    number = Cells(0, MOST_BATCHES)
    return {
        **dict.fromkeys(("hands", "face_up", "batch_cards", "had"), cards),
        **dict.fromkeys(("held", "stock_left", "pile_size", "batches", "batch_fresh", "fresh", "claimed"), number),
        **dict.fromkeys(("to_move", "batch_seat"), Cells(0, SEATS - 1)),
        **dict.fromkeys(("last_rank", "batch_rank"), ranks),
        **dict.fromkeys(("turn", *COUNTED), Cells(0, int(record.turn_limit))),
        "batch_size": Cells(0, MOST_LAID),
        "caught_on": Cells(0, (1 << int(record.ranks)) - 1),
        "last_action": words("claim", "take", "call"),
        "stock": CARD,
        "winner": Cells(NOBODY, NO_WINNER, NOBODY),
    }


def follow(state: Record) -> None:
    """Write what follows from the cards; in a view most of them are hidden, and these fields are given."""
    state.batches = sum(int(size) > 0 for size in state.batch_size)
    batches = range(int(state.batches))
    state.pile_size = int(state.face_up).bit_count() + sum(int(state.batch_size[batch]) for batch in batches)
    state.stock_left = int((state.stock != NO_CARD).sum())
    state.claimed[:] = 0
    for batch in batches:
        seat, rank = int(state.batch_seat[batch]), int(state.batch_rank[batch])
        state.claimed[seat, rank] = int(state.claimed[seat, rank]) + int(state.batch_size[batch])
    for seat in range(SEATS):
        laid = sum(int(state.batch_size[batch]) for batch in batches if state.batch_seat[batch] == seat)
        state.held[seat] = int(state.hands[seat]).bit_count()
        state.fresh[seat] = int(state.held[seat]) + laid - int(state.had[seat]).bit_count()
    if state.batches:
        state.last_rank = state.batch_rank[int(state.batches) - 1]
    state.winner = winner(state)


def winner(state: Record) -> int:
    """Who has won (rules 6 and 7)."""
    held = state.held.tolist()
    if state.turn and held[state.to_move] == 0:
        return int(state.to_move)
    if state.turn < state.turn_limit:
        return NOBODY
    return NO_WINNER if held[0] == held[1] else int(held[1] < held[0])


def check(state: Record) -> str | None:
    """Why the cards cannot lie so."""
    count, stock = int(state.batches), [int(card) for card in state.stock[: state.stock_left]]
    if NO_CARD in stock or len({*stock}) < len(stock):
        return "the stock has a gap, or a card twice"
    laid = [int(cards) for cards in state.batch_cards]
    if reason := each_card_once([*state.hands, state.face_up, *laid, mask_of(stock)], pack(state)):
        return reason
    if [cards.bit_count() for cards in laid] != state.batch_size.tolist() or not all(laid[:count]):
        return "the batches are not of their sizes"
    if any(state.batch_seat[count:]) or any(state.batch_rank[count:]) or any(state.batch_fresh[count:]):
        return "there are fields of batches that are not there"
    for seat in range(SEATS):
        if reason := check_seat(state, seat, laid):
            return reason
    last_by_other = count > 0 and state.batch_seat[count - 1] != state.to_move
    if state.last_action == CLAIM and not (last_by_other and state.turn):
        return "the last action is a claim, and the last batch is not the other seat's, or no turn is taken"
    if (
        state.winner == NOBODY
        and 0 in state.held.tolist()
        and not (state.last_action == CLAIM and state.held[state.to_move])
    ):
        return "a seat without cards has not just laid them"
    most = [name for name in COUNTED if max(getattr(state, name).tolist()) > max(int(state.turn), MOST_BATCHES)]
    return f"{most[0]} are more than the turns taken" if most else None


def check_seat(state: Record, seat: int, laid: list[int]) -> str | None:
    """Why what is known of a seat's cards does not fit where they lie."""
    had = int(state.had[seat])
    own = [batch for batch in range(int(state.batches)) if state.batch_seat[batch] == seat]
    if had & ~(int(state.hands[seat]) | sum(laid[batch] for batch in own)):
        return f"seat {seat} has not got the cards that all saw it take up"
    before = fresh_laid = 0
    for batch in own:
        fresh_laid += (laid[batch] & ~had).bit_count()
        fresh = int(state.batch_fresh[batch])
        if not max(before, fresh_laid) <= fresh <= state.fresh[seat]:
            return f"batch_fresh of seat {seat} does not grow with the cards it has had"
        before = fresh
    return None


NOTATION = Notation(
    cells,
    follow,
    follows=("batches", "pile_size", "stock_left", "claimed", "held", "fresh", "last_rank", "winner"),
    check=check,
)
