"""Magic by rules (Cowling, Ward and Powley 2012, section IV), compiled: a small question at a time, or a phase at a time.

The expert plans combat as plans.py does, and plays a land and then the dearest creatures (Algorithm 3). The reduced player
attacks with each creature at even odds, lets each creature block any attacker or none, uniformly, and plays a land and
then creatures in random order. Playouts by plain chance do the same in combat, and play any card or none.
"""

from typing import Any

import numpy as np

from facedown.games.magic.combat import whole
from facedown.games.magic.decks import DECK_SIZE
from facedown.games.magic.plans import PRINTED, plan_attack, plan_blocks
from facedown.games.magic.record import ATTACKING, BLOCKING, LAND, MAIN, NO_CREATURES, NOBODY, OVER
from facedown.games.magic.rules import (
    able_blockers,
    attack_action,
    attacker_named,
    block_action,
    declare_attack,
    done_action,
    end_turn,
    everyone,
    hold_action,
    legal,
    legal_cards,
    mana_left,
    no_block_action,
    place_bit,
    play_creature,
    play_land,
    resolve,
)
from facedown.kernel import Array, Record, count_ones, kernel, lowest_bit, nth_bit
from facedown.rng import draw, random_word
from facedown.rules import EXPERT, REDUCED, UNIFORM

# --- A phase at a time --------------------------------------------------------------------------------------------------


@kernel
def play_phase(state: Record, style: int, actions: Array, rng: Array) -> None:
    """Answer the questions that are left of a phase, by rules."""
    if state.phase == ATTACKING:
        plan = attack_in_style(state, style, rng)
        asked_before = place_bit(state.asked) - np.uint64(1)
        state.attackers = (state.attackers & asked_before) | (plan & ~asked_before)
        declare_attack(state)
    elif state.phase == BLOCKING:
        block_in_style(state, style, rng)
        resolve(state)
    else:
        card = card_in_style(state, style, actions, rng)
        while card != done_action(state):
            if card == LAND:
                play_land(state)
            else:
                play_creature(state, card)
            card = card_in_style(state, style, actions, rng)
        end_turn(state)


@kernel
def attack_in_style(state: Record, style: int, rng: Array) -> Any:
    """The creatures that attack: by the expert's plan, or each at even odds."""
    if style in (EXPERT, PRINTED):
        return plan_attack(state, style)
    return random_word(rng) & everyone(state, state.active)


@kernel
def block_in_style(state: Record, style: int, rng: Array) -> None:
    """Declare the blocks of all creatures from the one asked on."""
    left = able_blockers(state) & ~(place_bit(state.asked) - np.uint64(1))
    if style in (EXPERT, PRINTED):
        plan = np.empty(DECK_SIZE, np.int8)
        plan_blocks(state, style, plan)
        while left != NO_CREATURES:
            state.blocked[lowest_bit(left)] = plan[lowest_bit(left)]
            left &= left - np.uint64(1)
        return
    attackers = count_ones(state.attackers)
    while left != NO_CREATURES:
        number = draw(rng, attackers + 1)
        state.blocked[lowest_bit(left)] = nth_bit(state.attackers, number) if number < attackers else NOBODY
        left &= left - np.uint64(1)


@kernel
def card_in_style(state: Record, style: int, actions: Array, rng: Array) -> int:
    """The next card of the main phase, or done: a land first, unless by plain chance."""
    if style == UNIFORM:
        return int(actions[draw(rng, legal_cards(state, actions))])
    if not state.land_played and state.hand[state.active, LAND] > 0:
        return LAND
    if style == REDUCED:
        return any_creature(state, rng)
    return dearest_creature(state)


@kernel
def dearest_creature(state: Record) -> int:
    """The dearest creature in hand that can be paid for; of equals the strongest. Done if there is none (Algorithm 3)."""
    seat = state.active
    mana = mana_left(state)
    best = done_action(state)
    most = 0
    for kind in range(1, whole(state.kinds) + 1):
        if state.hand[seat, kind] > 0 and most < state.cost[kind] <= mana:
            best = kind
            most = whole(state.cost[kind])
    return best


@kernel
def any_creature(state: Record, rng: Array) -> int:
    """A creature in hand that can be paid for, each copy with the same chance; done if there is none.

    So the creatures come as they would in a random order of the hand, leaving out those that are too dear.
    """
    seat = state.active
    mana = mana_left(state)
    kinds = whole(state.kinds)
    copies = 0
    for kind in range(1, kinds + 1):
        if state.cost[kind] <= mana:
            copies += whole(state.hand[seat, kind])
    if copies == 0:
        return done_action(state)
    number = draw(rng, copies)
    kind = 0
    while number >= 0:
        kind += 1
        if state.cost[kind] <= mana:
            number -= whole(state.hand[seat, kind])
    return kind


# --- The questions search and agents ask --------------------------------------------------------------------------------


@kernel
def play_out(state: Record, style: int, actions: Array, rng: Array) -> None:
    """Play to the end, a phase at a time; by plain chance, as any legal answer to each question would."""
    while state.phase != OVER:
        play_phase(state, style, actions, rng)


@kernel
def settle(state: Record, actions: Array, rng: Array) -> bool:
    """Fight by rules, up to the next main phase or the end: a search decides which cards to play."""
    fought = False
    while state.phase < MAIN:
        play_phase(state, EXPERT, actions, rng)
        fought = True
    return fought


@kernel
def choose(state: Record, style: int, actions: Array, rng: Array) -> int:
    """The answer to the question that is asked: its part of the plan for the phase."""
    if state.phase == MAIN:
        return card_in_style(state, style, actions, rng)
    if style == REDUCED:
        return int(actions[draw(rng, legal(state, actions))])
    if state.phase == ATTACKING:
        kind = state.creatures[state.active, state.asked]
        attacks = plan_attack(state, style) & place_bit(state.asked) != NO_CREATURES
        return attack_action(state, kind) if attacks else hold_action(state, kind)
    plan = np.empty(DECK_SIZE, np.int8)
    plan_blocks(state, style, plan)
    return blocking_action(state, whole(plan[state.asked]))


@kernel
def blocking_action(state: Record, attacker: int) -> int:
    """The action by which the creature asked blocks the attacker at a place; -1 for none."""
    kind = state.creatures[1 - state.active, state.asked]
    if attacker == NOBODY:
        return no_block_action(state, kind)
    name = whole(state.first_name[state.creatures[state.active, attacker]])
    while attacker_named(state, name) != attacker:
        name += 1
    return block_action(state, name, kind)
