"""Magic, compiled: the deal, the questions of a turn, the main phase and the end. Rule numbers are the package's."""

from typing import Any

import numpy as np

from facedown.games.magic.combat import fight, whole
from facedown.games.magic.decks import DECK_SIZE
from facedown.games.magic.record import (
    ATTACKING,
    BLOCKING,
    HAND_SIZE,
    KINDS,
    LAND,
    LIFE,
    MAIN,
    NO_CARD,
    NO_CREATURES,
    NOBODY,
    OVER,
    SEATS,
)
from facedown.kernel import Array, Record, kernel, lowest_bit
from facedown.rng import shuffle

# --- The deal and the turn ----------------------------------------------------------------------------------------------


@kernel
def deal(state: Record, rng: Array) -> None:
    """Shuffle both decks and deal seven cards each; seat 0 begins (rules 1 and 2)."""
    for seat in range(SEATS):
        size = 0
        for kind in range(KINDS):
            state.hand[seat, kind] = 0
            state.played[seat, kind] = 0
            for _ in range(state.deck[seat, kind]):
                state.library[seat, size] = kind
                size += 1
        shuffle(rng, state.library[seat], 0, size)
        state.in_library[seat] = size
        state.in_hand[seat] = 0
        for _ in range(HAND_SIZE):
            draw_card(state, seat)
        for place in range(DECK_SIZE):
            state.creatures[seat, place] = 0
            state.blocked[place] = NOBODY
        state.in_play[seat] = 0
        state.tapped[seat] = NO_CREATURES
        state.life[seat] = LIFE
    state.attackers = NO_CREATURES
    state.winner = NOBODY
    state.turn = 0
    state.active = 0
    begin_turn(state)


@kernel
def draw_card(state: Record, seat: int) -> None:
    """Take the next card of the library into the hand."""
    left = state.in_library[seat] - 1
    state.hand[seat, state.library[seat, left]] += 1
    state.library[seat, left] = NO_CARD
    state.in_library[seat] = left
    state.in_hand[seat] += 1


@kernel
def begin_turn(state: Record) -> None:
    """Untap and draw (rule 4); who cannot draw has lost. The first player does not draw in the first turn."""
    seat = state.active
    state.tapped[seat] = NO_CREATURES
    state.land_played = False
    state.spent = 0
    state.asked = 0
    if state.turn > 0 or state.first_draw:
        if state.in_library[seat] == 0:
            end(state, 1 - seat)
            return
        draw_card(state, seat)
    state.phase = ATTACKING if state.in_play[seat] > 0 else MAIN


@kernel
def end(state: Record, winner: int) -> None:
    """The game is over."""
    state.phase = OVER
    state.asked = 0
    state.winner = winner


@kernel
def end_turn(state: Record) -> None:
    """The other seat's turn begins (rule 9)."""
    state.active = 1 - state.active
    state.turn += 1
    begin_turn(state)


# --- Combat -------------------------------------------------------------------------------------------------------------


@kernel
def place_bit(place: Any) -> Any:
    """The set that holds one creature."""
    return np.uint64(1) << np.uint64(place)


@kernel
def everyone(state: Record, seat: int) -> Any:
    """The set of a seat's creatures in play."""
    return (np.uint64(1) << np.uint64(state.in_play[seat])) - np.uint64(1)


@kernel
def able_blockers(state: Record) -> Any:
    """The creatures that may block: those of the other seat that are untapped (rule 6)."""
    other = 1 - state.active
    return everyone(state, other) & ~state.tapped[other]


@kernel
def declare_attack(state: Record) -> None:
    """All have been asked: attackers tap, and the other seat is asked for blocks (rules 5 and 6)."""
    state.tapped[state.active] |= state.attackers
    if state.attackers == NO_CREATURES:
        begin_main(state)
    elif able_blockers(state) == NO_CREATURES:
        resolve(state)
    else:
        state.phase = BLOCKING
        state.asked = lowest_bit(able_blockers(state))


@kernel
def resolve(state: Record) -> None:
    """Fight (rules 7 and 8); perhaps the game is over, otherwise the main phase follows."""
    fight(state)
    if state.life[1 - state.active] <= 0:
        end(state, state.active)
    else:
        begin_main(state)


@kernel
def begin_main(state: Record) -> None:
    """The active seat may play cards."""
    state.phase = MAIN
    state.asked = 0


# --- The main phase -----------------------------------------------------------------------------------------------------


@kernel
def mana_left(state: Record) -> int:
    """What the active seat may still spend: one for each land in play (rule 9)."""
    return int(state.played[state.active, LAND]) - int(state.spent)


@kernel
def play_land(state: Record) -> None:
    """A land comes into play."""
    seat = state.active
    state.hand[seat, LAND] -= 1
    state.played[seat, LAND] += 1
    state.in_hand[seat] -= 1
    state.land_played = True


@kernel
def play_creature(state: Record, kind: int) -> None:
    """A creature comes into play, untapped, behind those of its kind."""
    seat = state.active
    state.hand[seat, kind] -= 1
    state.played[seat, kind] += 1
    state.in_hand[seat] -= 1
    state.spent += state.cost[kind]
    place = whole(state.in_play[seat])
    while place > 0 and state.creatures[seat, place - 1] > kind:
        state.creatures[seat, place] = state.creatures[seat, place - 1]
        place -= 1
    state.creatures[seat, place] = kind
    state.in_play[seat] += 1
    before = place_bit(place) - np.uint64(1)
    tapped = state.tapped[seat]
    state.tapped[seat] = (tapped & before) | ((tapped & ~before) << np.uint64(1))


# --- Questions and answers ----------------------------------------------------------------------------------------------
# Actions in order: a land; a creature of each kind; done; attack and hold, by kind; block, by the attacker's name and the
# blocker's kind; no block, by kind.


@kernel
def done_action(state: Record) -> int:
    """The action that ends the main phase."""
    return int(state.kinds) + 1


@kernel
def attack_action(state: Record, kind: int) -> int:
    """The action that attacks with a creature of a kind."""
    return int(state.kinds) + 1 + int(kind)


@kernel
def hold_action(state: Record, kind: int) -> int:
    """The action that holds it back."""
    return 2 * int(state.kinds) + 1 + int(kind)


@kernel
def block_action(state: Record, name: int, kind: int) -> int:
    """The action that blocks the attacker of a name by a creature of a kind."""
    return (3 + int(name)) * int(state.kinds) + 1 + int(kind)


@kernel
def no_block_action(state: Record, kind: int) -> int:
    """The action that blocks nobody by it."""
    return block_action(state, state.names, kind)


@kernel
def attacker_named(state: Record, name: int) -> int:
    """The place of the attacker that has a name; -1 if none has."""
    left = state.attackers
    kind = -1
    number = 0
    while left != NO_CREATURES:
        place = lowest_bit(left)
        left &= left - np.uint64(1)
        number = number + 1 if state.creatures[state.active, place] == kind else 0
        kind = whole(state.creatures[state.active, place])
        if state.first_name[kind] + number == name:
            return place
    return NOBODY


@kernel
def to_move(state: Record) -> int:
    """The seat to act: the other seat blocks."""
    return int(1 - state.active) if state.phase == BLOCKING else int(state.active)


@kernel
def legal(state: Record, actions: Array) -> int:
    """Write the answers to the question that is asked."""
    if state.phase == MAIN:
        return legal_cards(state, actions)
    if state.phase == ATTACKING:
        kind = state.creatures[state.active, state.asked]
        actions[0] = attack_action(state, kind)
        actions[1] = hold_action(state, kind)
        return 2
    return legal_blocks(state, actions)


@kernel
def legal_cards(state: Record, actions: Array) -> int:
    """One land a turn, creatures that can be paid for, or done (rule 9)."""
    seat = state.active
    count = 0
    if not state.land_played and state.hand[seat, LAND] > 0:
        actions[0] = LAND
        count = 1
    mana = mana_left(state)
    for kind in range(1, whole(state.kinds) + 1):
        if state.hand[seat, kind] > 0 and state.cost[kind] <= mana:
            actions[count] = kind
            count += 1
    actions[count] = done_action(state)
    return count + 1


@kernel
def legal_blocks(state: Record, actions: Array) -> int:
    """Any attacker, or none (rule 6)."""
    blocker = state.creatures[1 - state.active, state.asked]
    left = state.attackers
    count = 0
    kind = -1
    number = 0
    while left != NO_CREATURES:
        place = lowest_bit(left)
        left &= left - np.uint64(1)
        number = number + 1 if state.creatures[state.active, place] == kind else 0
        kind = whole(state.creatures[state.active, place])
        actions[count] = block_action(state, state.first_name[kind] + number, blocker)
        count += 1
    actions[count] = no_block_action(state, blocker)
    return count + 1


@kernel
def apply(state: Record, action: int) -> None:
    """Take the answer, and ask the next question."""
    if state.phase == MAIN:
        if action == LAND:
            play_land(state)
        elif action <= state.kinds:
            play_creature(state, action)
        else:
            end_turn(state)
    elif state.phase == ATTACKING:
        if action <= 2 * int(state.kinds) + 1:
            state.attackers |= place_bit(state.asked)
        state.asked += 1
        if state.asked == state.in_play[state.active]:
            declare_attack(state)
    else:
        name = (int(action) - 2) // int(state.kinds) - 3
        state.blocked[state.asked] = attacker_named(state, name) if name < state.names else NOBODY
        left = able_blockers(state) & ~((place_bit(state.asked) << np.uint64(1)) - np.uint64(1))
        if left == NO_CREATURES:
            resolve(state)
        else:
            state.asked = lowest_bit(left)


# --- The end ------------------------------------------------------------------------------------------------------------


@kernel
def is_over(state: Record) -> bool:
    """Whether somebody has won."""
    return bool(state.phase == OVER)


@kernel
def scores(state: Record, out: Array) -> None:
    """Write 1 for who has won, 0 for who has lost, and a half for each before that."""
    for seat in range(SEATS):
        out[seat] = 0.5 if state.winner == NOBODY else 1.0 if state.winner == seat else 0.0


@kernel
def turns(state: Record) -> int:
    """How many turns are over, of both seats."""
    return int(state.turn)


@kernel
def moves_left(state: Record) -> int:
    """The most questions there can be: each turn takes a card from a library, and asks each creature there may be once."""
    creatures = 0
    unplayed = 0
    for seat in range(SEATS):
        creatures += int(state.in_play[seat])
        unplayed += int(state.in_hand[seat]) + int(state.in_library[seat])
    turns_left = int(state.in_library[0]) + int(state.in_library[1]) + 2
    return turns_left * (creatures + unplayed + 1) + unplayed
