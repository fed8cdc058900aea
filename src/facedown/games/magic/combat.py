"""Combat, compiled: who dies, and what reaches the other seat. Rule numbers are the package's."""

from typing import Any

import numpy as np

from facedown.games.magic.record import NO_CREATURES
from facedown.kernel import Record, count_ones, gathered, kernel, lowest_bit

ONE = np.uint64(1)

# What a set of blockers is worth to who kills it, as one number: cost first, then how many, then power, then toughness.
# Forty creatures of 99 each stay below a step of the next.
PER_POWER = 1 << 12
PER_CREATURE = 1 << 24
PER_COST = 1 << 30


@kernel
def whole(value: Any) -> int:
    """A number of few bits as one of 64: sums of small fields must not overflow, compiled or interpreted."""
    return int(np.int64(value))


@kernel
def worth(state: Record, kind: int) -> int:
    """What killing a creature is worth to the attacker (rule 7)."""
    value = whole(state.cost[kind]) * PER_COST + PER_CREATURE
    return int(value + whole(state.power[kind]) * PER_POWER + whole(state.toughness[kind]))


@kernel
def fight(state: Record) -> None:
    """Attackers and blockers strike at once (rules 7 and 8); afterwards nobody attacks or blocks."""
    active = whole(state.active)
    other = 1 - active
    dead_attackers = NO_CREATURES
    dead_blockers = NO_CREATURES
    through = 0
    left = state.attackers
    count = whole(state.in_play[other])
    while left != NO_CREATURES:
        place = lowest_bit(left)
        left &= left - ONE
        kind = state.creatures[active, place]
        struck = 0
        toughness = 0
        blockers = NO_CREATURES
        for blocker in range(count):
            if state.blocked[blocker] == place:
                struck += whole(state.power[state.creatures[other, blocker]])
                toughness += whole(state.toughness[state.creatures[other, blocker]])
                blockers |= ONE << np.uint64(blocker)
        if blockers == NO_CREATURES:
            through += whole(state.power[kind])
            continue
        if struck >= state.toughness[kind]:
            dead_attackers |= ONE << np.uint64(place)
        if toughness <= state.power[kind]:
            dead_blockers |= blockers
        elif blockers & (blockers - ONE) != NO_CREATURES:
            dead_blockers |= best_kill(state, other, blockers, whole(state.power[kind]))
    for blocker in range(count):
        state.blocked[blocker] = -1
    state.attackers = NO_CREATURES
    state.life[other] -= through
    if dead_attackers != NO_CREATURES:
        bury(state, active, dead_attackers)
    if dead_blockers != NO_CREATURES:
        bury(state, other, dead_blockers)


@kernel
def best_kill(state: Record, seat: int, blockers: Any, damage: int) -> Any:
    """The blockers that so much damage kills, if not all: those worth most together, and of equals the first in order."""
    if count_ones(blockers) == 2:
        return better_kill(state, seat, lowest_bit(blockers), lowest_bit(blockers & (blockers - ONE)), damage)
    # most[d]: the best that damage d kills; a set is written with the first place as its highest bit, to compare by order.
    most = np.zeros(damage + 1, np.int64)
    chosen = np.zeros(damage + 1, np.uint64)
    while blockers != NO_CREATURES:
        place = lowest_bit(blockers)
        blockers &= blockers - ONE
        kind = state.creatures[seat, place]
        toughness = whole(state.toughness[kind])
        value = worth(state, kind)
        mark = ONE << np.uint64(63 - place)
        for left in range(damage, toughness - 1, -1):
            more = most[left - toughness] + value
            marks = chosen[left - toughness] | mark
            if more > most[left] or (more == most[left] and marks > chosen[left]):
                most[left] = more
                chosen[left] = marks
    killed = NO_CREATURES
    for place in range(whole(state.in_play[seat])):
        killed |= (chosen[damage] >> np.uint64(63 - place) & ONE) << np.uint64(place)
    return killed


@kernel
def better_kill(state: Record, seat: int, first: int, second: int, damage: int) -> Any:
    """Of two blockers that cannot both be killed, the one that is."""
    kind, other = state.creatures[seat, first], state.creatures[seat, second]
    kills_first = state.toughness[kind] <= damage
    kills_second = state.toughness[other] <= damage
    if kills_first and (not kills_second or worth(state, kind) >= worth(state, other)):
        return ONE << np.uint64(first)
    return ONE << np.uint64(second) if kills_second else NO_CREATURES


@kernel
def bury(state: Record, seat: int, dead: Any) -> None:
    """Creatures leave play, and the others close ranks."""
    count = whole(state.in_play[seat])
    place = 0
    for creature in range(count):
        if dead >> np.uint64(creature) & ONE == NO_CREATURES:
            state.creatures[seat, place] = state.creatures[seat, creature]
            place += 1
    for empty in range(place, count):
        state.creatures[seat, empty] = 0
    state.in_play[seat] = place
    state.tapped[seat] = gathered(state.tapped[seat], ~dead)
