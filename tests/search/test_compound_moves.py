"""Compound moves: the sets of parts that are distinguished, and what prunings leave, against plain enumeration."""

from itertools import product
from random import Random
from typing import Any

import pytest

from facedown.kernel import new_records, record_in
from facedown.rng import stream
from facedown.search.compound_moves import (
    ASCENDING,
    DESCENDING,
    DOMINATED,
    DRAFT,
    NO_PRUNING,
    NON_PAYING,
    SHUFFLED,
    begin,
    complete,
    find_move,
    replay,
    sort_menu,
)

Menu = list[tuple[int, int, int]]  # action, copies, cost
Move = tuple[int, ...]


def drafted(menu: Menu, means: int = 0, pruning: int = NO_PRUNING, order: int = DESCENDING) -> Any:
    draft = record_in(new_records(1, DRAFT))
    draft.allowance, draft.pruning, draft.order, draft.salt = means, pruning, order, stream(5)[0]
    draft.parts = len(menu)
    for row, part in enumerate(menu):
        draft.menu[row] = part
    sort_menu(draft)
    return draft


def picks(draft: Any) -> Move:
    return tuple(sorted(draft.picks[: draft.picked].tolist()))


def moves(menu: Menu, means: int, pruning: int, order: int = DESCENDING) -> list[Move]:
    draft = drafted(menu, means, pruning, order)
    count = find_move(draft, -1)[1]
    found = []
    for number in range(count):
        answers = find_move(draft, number)[0]
        found.append(picks(draft))
        assert not replay(draft, answers, 63)
        assert picks(draft) == found[-1], "the answers of a move give the move again"
    return found


def enumerated(menu: Menu, means: int, pruning: int) -> set[Move]:
    """All sets of parts that can be paid for, and what pruning leaves of them, as section VI-B defines it."""
    costs = {action: cost for action, _, cost in menu}
    counts = product(*(range(copies + 1) for _, copies, _ in menu))
    sets = [tuple(a for (a, _, _), n in zip(menu, taken, strict=True) for _ in range(n)) for taken in counts]
    legal = {tuple(sorted(one)) for one in sets if sum(costs[action] for action in one) <= means}
    if pruning == NO_PRUNING:
        return legal
    gains = {action for action, _, cost in menu if cost < 0}
    legal = {one for one in legal if gains <= set(one)}
    return legal if pruning == NON_PAYING else {one for one in legal if not any(is_part(one, other) for other in legal)}


def is_part(one: Move, other: Move) -> bool:
    """Whether a move is a proper subset of another."""
    return one != other and all(one.count(action) <= other.count(action) for action in one)


def any_menu(random: Random) -> tuple[Menu, int]:
    kinds = random.sample(range(1, 20), random.randint(0, 6))
    menu = [(kind, random.randint(1, 3), random.randint(0 if random.random() < 0.1 else 1, 7)) for kind in kinds]
    return ([(0, 1, -1)] if random.random() < 0.5 else []) + menu, random.randint(0, 10)


@pytest.mark.parametrize("pruning", [NO_PRUNING, NON_PAYING, DOMINATED])
@pytest.mark.parametrize("order", [DESCENDING, ASCENDING, SHUFFLED])
def test_moves_are_those_that_the_paper_defines(pruning: int, order: int) -> None:
    random = Random(3 * pruning + order)
    for _ in range(150):
        menu, means = any_menu(random)
        found = moves(menu, means, pruning, order)
        assert len(found) == len(set(found)), "each move once"
        assert set(found) == enumerated(menu, means, pruning), (menu, means)


def test_figure_3_of_the_paper() -> None:
    """Cards A, B and C for 4, 3 and 2 with 5 mana: five moves; two of them are part of no other."""
    menu = [(1, 1, 4), (2, 1, 3), (3, 1, 2)]
    assert moves(menu, 5, NO_PRUNING) == [(1,), (2, 3), (2,), (3,), ()]
    assert moves(menu, 5, DOMINATED) == [(1,), (2, 3)]


def test_a_land_pays_for_what_follows() -> None:
    menu = [(0, 1, -1), (1, 1, 2)]
    assert moves(menu, 1, NO_PRUNING) == [(0, 1), (0,), ()]
    assert moves(menu, 1, NON_PAYING) == [(0, 1), (0,)]
    assert moves(menu, 1, DOMINATED) == [(0, 1)]


@pytest.mark.parametrize(("order", "first"), [(DESCENDING, 7), (ASCENDING, 1)])
def test_orders_say_what_is_asked_first(order: int, first: int) -> None:
    draft = drafted([(4, 1, 1), (5, 1, 7), (6, 1, 3), (0, 1, -1)], order=order)
    assert draft.menu[0].tolist() == [0, 1, -1]
    assert draft.menu[1, 2] == first
    costs = draft.menu[1:4, 2].tolist()
    assert costs == sorted(costs, reverse=order == DESCENDING)


def test_a_move_completed_at_random_is_maximal_and_may_be_any() -> None:
    menu = [(1, 1, 4), (2, 1, 3), (3, 2, 2), (4, 1, 1)]
    rng = stream(1)
    seen = set()
    for _ in range(400):
        draft = drafted(menu, 6)
        draft.random_rest = True
        begin(draft)
        complete(draft, rng)
        seen.add(picks(draft))
    assert seen == enumerated(menu, 6, DOMINATED)
