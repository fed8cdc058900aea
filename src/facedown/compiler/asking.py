"""The compiled room behind the Python door: what a state or a view is asked, on arrays of records, in one call each."""

from collections.abc import Callable
from typing import Any

from facedown import rules
from facedown.compiler.questions import signature_of
from facedown.kernel import Array, door
from facedown.rewards import MATCH


def on_records(question: Callable[..., Any]) -> Callable[..., Any]:
    """The question, of a record and at most one thing more, asked of the first record of an array.

    Python calls a kernel with an array many times faster than with a single record, whose type takes long to find.
    """

    def ask(data: Array) -> Any:
        return question(data[0])

    def ask_with(data: Array, argument: Any) -> Any:
        return question(data[0], argument)

    name = question.__name__
    function = ask if len(signature_of(name)) == 1 else ask_with
    function.__doc__ = question.__doc__
    function.__name__ = function.__qualname__ = f"{name}_on_records"  # the cache of kernels knows them by this
    return door(function)


seat_to_move = on_records(rules.to_move)
is_over = on_records(rules.is_over)
side_of_seat = on_records(rules.side_of)
turns_taken = on_records(rules.turns)
deal_cards = on_records(rules.deal)
write_scores = on_records(rules.scores)
hide_from = on_records(rules.hide)
is_decided_for = on_records(rules.is_decided)


@door
def describe_unseen(data: Array, seat: int, hidden: Array) -> None:
    """Write who may hold what."""
    rules.unseen(data[0], seat, hidden[0])


@door
def write_rewards_of_deal(data: Array, kind: int, out: Array) -> None:
    """Write each seat's reward of any kind but that of the match."""
    rules.reward(data[0], kind, out)


@door
def write_match_rewards(data: Array, out: Array) -> None:
    """Write each seat's reward of the match."""
    rules.reward(data[0], MATCH, out)


def write_rewards(data: Array, kind: int, out: Array) -> None:
    """Write each seat's reward of a kind for a finished deal."""
    if kind == MATCH:
        write_match_rewards(data, out)
    else:
        write_rewards_of_deal(data, kind, out)


@door
def place_cards(data: Array, seat: int, hidden: Array, rng: Array) -> None:
    """Turn a view into a whole state with the cards that hidden.held says."""
    rules.place(data[0], seat, hidden[0], rng)


@door
def look(data: Array, actions: Array) -> int:
    """Write the legal actions and return how many there are; -1 when the deal is over."""
    if rules.is_over(data[0]):
        return -1
    return rules.legal(data[0], actions)


@door
def make_move(data: Array, action: int, seen: Array) -> bool:
    """Play an action and write how each seat sees it; return whether the deal is over."""
    for seat in range(seen.shape[0]):
        seen[seat] = rules.seen_as(data[0], seat, action)
    rules.apply(data[0], action)
    return rules.is_over(data[0])
