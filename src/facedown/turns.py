"""The compiled room behind the Python door: what a state or a view is asked, on arrays of records, in one call each."""

from facedown import rules
from facedown.kernel import Array, kernel


@kernel
def look(data: Array, actions: Array) -> int:
    """Write the legal actions and return how many there are; -1 when the deal is over."""
    if rules.is_over(data[0]):
        return -1
    return rules.legal(data[0], actions)


@kernel
def allowed(data: Array, action: int) -> bool:
    """Whether an action that is not listed may be played as well."""
    return rules.allows(data[0], action)


@kernel
def seat_to_move(data: Array) -> int:
    """The seat to act."""
    return rules.to_move(data[0])


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
def side_of_seat(data: Array, seat: int) -> int:
    """The side a seat plays for."""
    return rules.side_of(data[0], seat)


@kernel
def turns_taken(data: Array) -> int:
    """How many turns of the deal have been taken."""
    return rules.turns(data[0])


@kernel
def deal_cards(data: Array, rng: Array) -> None:
    """Set up a deal."""
    rules.deal(data[0], rng)


@kernel
def write_scores(data: Array, out: Array) -> None:
    """Write the score of each seat."""
    rules.scores(data[0], out)


@kernel
def hide_from(data: Array, seat: int) -> None:
    """Turn a state into a view."""
    rules.hide(data[0], seat)


@kernel
def describe_unseen(data: Array, seat: int, hidden: Array) -> None:
    """Write who may hold what."""
    rules.unseen(data[0], seat, hidden[0])


@kernel
def kind_of_last(data: Array, seat: int) -> int:
    """Of which kind the last action was, of those that a seat holds possible; asked of whole states."""
    return rules.supposed(data[0], seat)


@kernel
def place_cards(data: Array, seat: int, hidden: Array, rng: Array) -> None:
    """Turn a view into a whole state with the cards that hidden.held says."""
    rules.place(data[0], seat, hidden[0], rng)
