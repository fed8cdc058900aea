"""Compound moves: which parts of a menu to take, decided part by part in a fixed order, or all at once.

A game asks for one small action after another until a closing one (see rules.compound_move). Here such a turn is one draft:
the parts in an order of their own, each taken or left, so that each set of parts comes up once and in one way only. Of parts
that are alike, leaving one leaves the others too. A question with one possible answer is not asked.

Pruning (Cowling, Ward and Powley 2012, section VI-B): by GAINFUL a part that pays for others is always taken; by MAXIMAL
besides a move is left out that is a proper subset of another, so no part is left that could be paid for.
"""

from typing import Any

import numpy as np

from facedown.kernel import Array, Record, kernel, wrapping_product
from facedown.rng import draw

MOST_PARTS = 64
MOST_QUESTIONS = 64
MOST_MOVES = 1 << 12  # of one position, that are told apart

ACTION, COPIES, COST = range(3)  # of a row of the menu
DESCENDING, ASCENDING, SHUFFLED = range(3)  # orders of cost
ANY, GAINFUL, MAXIMAL = range(3)  # prunings
NEVER = 1 << 30
MIXER = np.uint64(0x9E37_79B9_7F4A_7C15)

DRAFT = np.dtype(
    [
        ("closing", np.int64),  # the action that ends the move
        ("allowance", np.int64),  # what its parts may cost together
        ("parts", np.int64),  # rows of the menu
        ("menu", np.int64, (MOST_PARTS, 3)),
        ("place", np.int64),  # the part that is asked about
        ("copies", np.int64),  # how many of it are left to ask about
        ("means", np.int64),  # what may still be spent
        ("least_left", np.int64),  # the cost of the cheapest part that was left
        ("picked", np.int64),  # how many parts have been taken
        ("picks", np.int64, MOST_QUESTIONS),  # their actions
        ("first", np.int64),  # the first small action of this iteration
        ("stages", np.int64, (MOST_QUESTIONS, 5)),  # how far the draft had got at each question, while moves are counted
        ("used", np.int64, MOST_MOVES),  # the number of the choice for which a move was last seen in the tree
    ],
    align=True,
)


@kernel
def rank(cost: int, action: int, order: int, salt: Any) -> int:
    """Where a part stands in an order; those that pay for others always come first."""
    if cost < 0:
        return cost - NEVER
    if order == SHUFFLED:
        mixed = wrapping_product(np.uint64(action + 1) ^ salt, MIXER)
        return int(wrapping_product(mixed ^ (mixed >> np.uint64(29)), MIXER) >> np.uint64(40))
    return -cost if order == DESCENDING else cost


@kernel
def put_in_order(draft: Record, order: int, salt: Any) -> None:
    """Sort the menu; parts of the same rank stay as the game wrote them."""
    menu = draft.menu
    for place in range(1, draft.parts):
        action, copies, cost = menu[place, ACTION], menu[place, COPIES], menu[place, COST]
        own = rank(cost, action, order, salt)
        hole = place
        while hole > 0 and rank(menu[hole - 1, COST], menu[hole - 1, ACTION], order, salt) > own:
            for column in range(3):
                menu[hole, column] = menu[hole - 1, column]
            hole -= 1
        menu[hole, ACTION], menu[hole, COPIES], menu[hole, COST] = action, copies, cost


@kernel
def begin(draft: Record, means: int) -> None:
    """Nothing has been taken or left yet."""
    draft.place = 0
    draft.copies = draft.menu[0, COPIES]
    draft.means = means
    draft.least_left = NEVER
    draft.picked = 0


@kernel
def most_spent(draft: Record, place: int, copies: int, means: int) -> int:
    """As much of the means as can be spent on the parts from a place on, of which so many of the first are there."""
    menu = draft.menu
    sums = np.uint64(1)  # those that some set of parts costs
    room = (np.uint64(2) << np.uint64(means)) - np.uint64(1)
    for other in range(place, draft.parts):
        cost = menu[other, COST]
        if 0 < cost <= means:
            for _ in range(copies if other == place else menu[other, COPIES]):
                sums |= (sums << np.uint64(cost)) & room
    while sums >> np.uint64(means) & np.uint64(1) == np.uint64(0):
        means -= 1
    return means


@kernel
def may_take(draft: Record, pruning: int) -> bool:
    """Whether the part asked about can be paid for, and the move still become one that is not pruned."""
    left = draft.means - draft.menu[draft.place, COST]
    if left < 0:
        return False
    if pruning != MAXIMAL or draft.least_left > left:
        return True
    return bool(left - most_spent(draft, draft.place, draft.copies - 1, left) < draft.least_left)


@kernel
def may_leave(draft: Record, pruning: int) -> bool:
    """Whether the move can do without the part asked about."""
    if pruning == ANY:
        return True
    cost = draft.menu[draft.place, COST]
    if cost < 0:
        return False
    if pruning == GAINFUL:
        return True
    after = draft.place + 1
    copies = draft.menu[after, COPIES] if after < draft.parts else 0
    return bool(draft.means - most_spent(draft, after, copies, draft.means) < min(cost, draft.least_left))


@kernel
def answer(draft: Record, take: bool) -> None:
    """Take the part asked about, or leave it and all that are like it."""
    cost = draft.menu[draft.place, COST]
    if take:
        draft.picks[draft.picked] = draft.menu[draft.place, ACTION]
        draft.picked += 1
        draft.means -= cost
        draft.copies -= 1
        if draft.copies > 0:
            return
    else:
        draft.least_left = min(draft.least_left, cost)
    draft.place += 1
    draft.copies = draft.menu[draft.place, COPIES] if draft.place < draft.parts else 0


@kernel
def asks(draft: Record, pruning: int) -> bool:
    """Go on to the next question that has two answers; whether there is one."""
    while draft.place < draft.parts:
        take = may_take(draft, pruning)
        if take and may_leave(draft, pruning):
            return True
        answer(draft, take)
    return False


@kernel
def replay(draft: Record, means: int, pruning: int, answers: int, count: int) -> bool:
    """Draft from the beginning by given answers, as bits; whether a question follows them."""
    begin(draft, means)
    for number in range(count):
        if not asks(draft, pruning):
            return False
        answer(draft, bool(answers >> number & 1))
    return asks(draft, pruning)


@kernel
def complete(draft: Record, pruning: int, by_chance: bool, rng: Array) -> None:
    """Answer the questions that are left: by the toss of a coin, or take what can be taken."""
    draft.least_left = NEVER  # what was left before binds nobody now
    while asks(draft, pruning):
        answer(draft, not by_chance or draw(rng, 2) == 1)


@kernel
def keep(draft: Record, depth: int) -> None:
    """Remember how far the draft has got."""
    stage = draft.stages[depth]
    stage[0] = draft.place
    stage[1] = draft.copies
    stage[2] = draft.means
    stage[3] = draft.least_left
    stage[4] = draft.picked


@kernel
def go_back(draft: Record, depth: int) -> None:
    """Take back the answers since."""
    stage = draft.stages[depth]
    draft.place = stage[0]
    draft.copies = stage[1]
    draft.means = stage[2]
    draft.least_left = stage[3]
    draft.picked = stage[4]


@kernel
def find_move(draft: Record, means: int, pruning: int, wanted: int) -> tuple[int, int]:
    """Draft the move with a number, in the order in which taking comes before leaving; its answers, and how many there are.

    Only those up to the wanted one are counted; -1 wants none, and counts all, at most MOST_MOVES.
    """
    begin(draft, means)
    answers = 0
    depth = 0
    seen = 0
    asked = asks(draft, pruning)
    while True:
        while asked:
            keep(draft, depth)
            answers |= 1 << depth
            depth += 1
            answer(draft, True)
            asked = asks(draft, pruning)
        seen += 1
        if seen == wanted + 1 or seen == MOST_MOVES:
            return answers, seen
        depth -= 1
        while depth >= 0 and answers >> depth & 1 == 0:
            depth -= 1
        if depth < 0:
            return answers, seen
        answers ^= 1 << depth
        go_back(draft, depth)
        depth += 1
        answer(draft, False)
        asked = asks(draft, pruning)
