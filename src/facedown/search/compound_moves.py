"""Compound moves: which parts of a menu to take, decided part by part in a fixed order, or all at once.

A game asks for one small action after another until a closing one (see rules.compound_move). Here such a move is drafted:
the parts stand in an order of their own, and each is taken or left. So each set of parts comes up once. Copies of a part are
alike: leaving one leaves the others. A question with one possible answer is not asked.

Prunings are named after what they leave out (Cowling, Ward and Powley 2012, section VI-B): NON_PAYING, moves without a part
that pays for others, where it could be taken; DOMINATED, these and moves that are a proper subset of another, so no part is
left that could be paid for.
"""

from typing import Any

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel, wrapping_product
from facedown.rng import draw

MOST_PARTS = 64
MOST_QUESTIONS = 64
MOST_MOVES = 1 << 12  # of one position, that are distinguished

ACTION, COPIES, COST = range(3)  # columns of the menu
LEAVE, TAKE = range(2)  # answers
DESCENDING, ASCENDING, SHUFFLED = range(3)  # orders of cost
NO_PRUNING, NON_PAYING, DOMINATED = range(3)
NEVER = 1 << 30
MIXER = np.uint64(0x9E37_79B9_7F4A_7C15)

DRAFT = np.dtype(
    [
        # Set before:
        ("pruning", np.int64),
        ("order", np.int64),
        ("salt", np.uint64),  # of a shuffled order
        ("random_rest", np.bool_),  # a move that is broken off is completed at random, or else with all that can be taken
        ("pruned_rest", np.bool_),  # and under `pruning`, or else to a move that is not dominated
        # Of the position:
        ("parts", np.int64),  # rows of the menu
        ("menu", np.int64, (MOST_PARTS, 3)),
        ("allowance", np.int64),  # what the parts may cost together
        ("closing", np.int64),  # the action that ends the move; -1 where there is no compound move
        # Of the move:
        ("place", np.int64),  # the part that is asked about
        ("copies", np.int64),  # how many of it are left to ask about
        ("means", np.int64),  # what may still be spent
        ("least_left", np.int64),  # the cost of the cheapest part that was left
        ("picked", np.int64),  # how many parts have been taken
        ("picks", np.int64, MOST_QUESTIONS),  # their actions
        # While moves are counted:
        ("stages", np.int64, (MOST_QUESTIONS, 5)),  # how far the draft had got at each question
        ("used", np.int64, MOST_MOVES),  # the number of the choice for which a move was last seen in the tree
    ],
    align=True,
)
BINARY = "binary"  # a field that says by being there that in a tree each part is a step of its own, not the whole move
BINARY_DRAFT = np.dtype([(BINARY, np.int64), *((name, DRAFT[name]) for name in DRAFT.names or ())], align=True)


@kernel
def open_menu(world: Record, draft: Record) -> int:
    """Write the parts of the compound move under way, in the order in which they are asked about.

    Return the action that ends the move; -1 if there is none.
    """
    draft.closing, draft.parts, draft.allowance = rules.compound_move(world, draft.menu)
    sort_menu(draft)
    return int(draft.closing)


@kernel
def closing_action(world: Record, menu: Array) -> int:
    """The action that ends the compound move under way; -1 if there is none. `menu` is written over."""
    return rules.compound_move(world, menu)[0]


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
def sort_menu(draft: Record) -> None:
    """Sort the menu; parts of the same rank stay as the game wrote them."""
    menu, order, salt = draft.menu, draft.order, draft.salt
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
def begin(draft: Record) -> None:
    """Nothing has been taken or left yet."""
    draft.place = 0
    draft.copies = draft.menu[0, COPIES]
    draft.means = draft.allowance
    draft.least_left = NEVER
    draft.picked = 0


@kernel
def most_spent(draft: Record, place: int, copies: int, means: int) -> int:
    """As much of the means as can be spent on the parts from a place on, with `copies` of the first."""
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
    if pruning != DOMINATED or draft.least_left > left:
        return True
    return bool(left - most_spent(draft, draft.place, draft.copies - 1, left) < draft.least_left)


@kernel
def may_leave(draft: Record, pruning: int) -> bool:
    """Whether the move can do without the part asked about."""
    if pruning == NO_PRUNING:
        return True
    cost = draft.menu[draft.place, COST]
    if cost < 0:
        return False
    if pruning == NON_PAYING:
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
    """Move on to the next question that has two answers; whether there is one."""
    while draft.place < draft.parts:
        take = may_take(draft, pruning)
        if take and may_leave(draft, pruning):
            return True
        answer(draft, take)
    return False


@kernel
def replay(draft: Record, answers: int, count: int) -> bool:
    """Draft from the beginning by the first `count` answers, as bits; whether a question follows them."""
    begin(draft)
    for number in range(count):
        if not asks(draft, draft.pruning):
            return False
        answer(draft, bool(answers >> number & 1))
    return asks(draft, draft.pruning)


@kernel
def complete(draft: Record, rng: Array) -> None:
    """Answer the questions that are left: at random, or take all that can be taken."""
    draft.least_left = NEVER  # what was left before binds nobody now
    pruning = draft.pruning if draft.pruned_rest else DOMINATED
    while asks(draft, pruning):
        answer(draft, not draft.random_rest or draw(rng, 2) == 1)


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
def restore(draft: Record, depth: int) -> None:
    """Take back the answers given since."""
    stage = draft.stages[depth]
    draft.place = stage[0]
    draft.copies = stage[1]
    draft.means = stage[2]
    draft.least_left = stage[3]
    draft.picked = stage[4]


@kernel
def find_move(draft: Record, wanted: int) -> tuple[int, int]:
    """Draft the move with a number, in the order in which taking comes before leaving; its answers, and how many there are.

    Only those up to the wanted one are counted; -1 wants none, and counts all, at most MOST_MOVES.
    """
    begin(draft)
    answers = 0
    depth = 0
    seen = 0
    asked = asks(draft, draft.pruning)
    while True:
        while asked:
            keep(draft, depth)
            answers |= 1 << depth
            depth += 1
            answer(draft, True)
            asked = asks(draft, draft.pruning)
        seen += 1
        if seen == wanted + 1 or seen == MOST_MOVES:
            return answers, seen
        depth -= 1
        while depth >= 0 and answers >> depth & 1 == 0:
            depth -= 1
        if depth < 0:
            return answers, seen
        answers ^= 1 << depth
        restore(draft, depth)
        depth += 1
        answer(draft, False)
        asked = asks(draft, draft.pruning)
