"""The main phase as one move, and the libraries as chance: what a search may ask about them."""

from facedown.games.magic.combat import whole
from facedown.games.magic.record import LAND, MAIN, SEATS
from facedown.games.magic.rules import done_action, mana_left
from facedown.kernel import Array, Record, kernel
from facedown.rng import shuffle


@kernel
def closing(state: Record) -> int:
    """`done` ends the main phase."""
    return done_action(state) if state.phase == MAIN else -1


@kernel
def parts(state: Record, menu: Array) -> int:
    """The cards in hand that can be paid for; a land, one a turn, gives mana."""
    seat = state.active
    mana = mana_left(state)
    count = 0
    if not state.land_played and state.hand[seat, LAND] > 0:
        menu[0, 0] = LAND
        menu[0, 1] = 1
        menu[0, 2] = -1
        count = 1
        mana += 1
    for kind in range(1, whole(state.kinds) + 1):
        if state.hand[seat, kind] > 0 and state.cost[kind] <= mana:
            menu[count, 0] = kind
            menu[count, 1] = state.hand[seat, kind]
            menu[count, 2] = state.cost[kind]
            count += 1
    return count


@kernel
def allowance(state: Record) -> int:
    """The mana that is left."""
    return mana_left(state)


@kernel
def shuffle_stock(state: Record, rng: Array) -> None:
    """Both libraries."""
    for seat in range(SEATS):
        shuffle(rng, state.library[seat], 0, whole(state.in_library[seat]))


@kernel
def foresee(state: Record, action: int) -> int:
    """The card that the other seat draws when the turn ends."""
    other = 1 - state.active
    if state.phase != MAIN or action != done_action(state) or state.in_library[other] == 0:
        return -1
    return whole(state.library[other, state.in_library[other] - 1])
