"""What a state or a view is asked through the Python door, on arrays of records, in one call each."""

from collections.abc import Callable
from typing import Any

from facedown import rules
from facedown.kernel import Array, kernel
from facedown.worlds import literature


def on_records(question: Callable[..., Any]) -> Callable[..., Any]:
    """The question, asked of the first record of an array: a call from Python enters the game's own compiled answer."""
    name = question.__name__

    def ask(data: Array, *rest: Any) -> Any:
        return rules.rules_of(data).answers[name](data[0], *rest)

    ask.__name__, ask.__doc__ = name, question.__doc__
    return ask


allowed = on_records(rules.allows)
seat_to_move = on_records(rules.to_move)
side_of_seat = on_records(rules.side_of)
turns_taken = on_records(rules.turns)
deal_cards = on_records(rules.deal)
write_scores = on_records(rules.scores)
hide_from = on_records(rules.hide)
true_hypothesis = on_records(rules.hypothesis)


def describe_unseen(data: Array, seat: int, hidden: Array) -> None:
    """Write who may hold what."""
    rules.unseen(data[0], seat, hidden[0])


def place_cards(data: Array, seat: int, hidden: Array, rng: Array) -> None:
    """Turn a view into a whole state with the cards that hidden.held says."""
    rules.place(data[0], seat, hidden[0], rng)


def describe_hypothesis(data: Array, seat: int, which: int, hidden: Array) -> int:
    """Write who may hold what if a hypothesis about the last action is true; return how many there are."""
    rules.unseen(data[0], seat, hidden[0])
    return int(rules.assume(data[0], seat, which, hidden[0]))


@kernel
def look(data: Array, actions: Array) -> int:
    """Write the legal actions and return how many there are; -1 when the deal is over."""
    if rules.is_over(data[0]):
        return -1
    return rules.legal(data[0], actions)


@kernel
def make_move(data: Array, action: int, seen: Array) -> bool:
    """Play an action and write how each seat sees it; return whether the deal is over and another follows."""
    for seat in range(seen.shape[0]):
        seen[seat] = rules.seen_as(data[0], seat, action)
    rules.apply(data[0], action)
    return rules.is_over(data[0]) and rules.another_deal_follows(data[0])


@kernel
def follows(data: Array) -> bool:
    """Whether the deal is over and another follows."""
    return rules.is_over(data[0]) and rules.another_deal_follows(data[0])


@kernel
def fill_in(data: Array, seat: int, hidden: Array, ways: Array, rng: Array) -> None:
    """Turn views into whole states, one world each, by the exact sampler or with less knowledge."""
    for index in range(data.shape[0]):
        rules.deal_unseen(data[index], seat, hidden[0], ways, rng)


@kernel
def fill_in_otherwise(data: Array, seat: int, hidden: Array, ways: Array, rng: Array) -> None:
    """Turn views into whole states, one world each, by any sampler of facedown.worlds."""
    for index in range(data.shape[0]):
        literature.draw_world(hidden[0], ways, rng)
        rules.place(data[index], seat, hidden[0], rng)
