"""The main phase as one move, and the libraries as chance: what a search may ask about them."""

from facedown.games.magic.combat import whole
from facedown.games.magic.record import LAND, MAIN, SEATS
from facedown.games.magic.rules import done_action, mana_left
from facedown.kernel import Array, Record, kernel
from facedown.rng import shuffle


@kernel
def compound_move(state: Record, menu: Array) -> tuple[int, int, int]:
    """The cards in hand that mana pays for; a land, one a turn, gives mana; `done` ends the main phase."""
    if state.phase != MAIN:
        return -1, 0, 0
    seat = state.active
    mana = mana_left(state)
    land = 0
    if not state.land_played and state.hand[seat, LAND] > 0:
        menu[0, 0] = LAND
        menu[0, 1] = 1
        menu[0, 2] = -1
        land = 1
    count = land
    for kind in range(1, whole(state.kinds) + 1):
        if state.hand[seat, kind] > 0 and state.cost[kind] <= mana + land:
            menu[count, 0] = kind
            menu[count, 1] = state.hand[seat, kind]
            menu[count, 2] = state.cost[kind]
            count += 1
    return done_action(state), count, mana


@kernel
def shuffle_stock(state: Record, rng: Array) -> None:
    """Both libraries."""
    for seat in range(SEATS):
        shuffle(rng, state.library[seat], 0, whole(state.in_library[seat]))


@kernel
def chance_outcome(state: Record, action: int) -> int:
    """The card that the other seat draws when the turn ends."""
    other = 1 - state.active
    if state.phase != MAIN or action != done_action(state) or state.in_library[other] == 0:
        return -1
    return whole(state.library[other, state.in_library[other] - 1])
