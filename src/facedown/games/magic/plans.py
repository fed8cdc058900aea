"""The expert's plans for combat, compiled: Algorithms 1 and 2 of Cowling, Ward and Powley 2012, section IV-A.

A plan is made for a whole phase, from what lies on the table when the phase begins; the answers given since do not matter.
Where the paper's printed algorithms contradict its prose, the plan follows the prose, or in the style PRINTED the letter:

1.  How many blockers are needed (a_max and b_min): by the prose as many as leave attackers, the weakest, that do not kill;
    by the letter as many as the weakest attackers it takes to kill.
2.  A pair of blockers (lines 27 and 28 of Algorithm 2): by the prose the one that is lost costs less than the attacker, and
    as little as possible; by the letter not more, and the cheaper of the two as little as possible.

Creatures stand in the order that the algorithms ask for, the strongest first. Ties that they leave open go to the cheaper
group, then to the smaller one, then to the creatures that stand last.
"""

from typing import Any

import numpy as np

from facedown.games.magic.combat import ONE, whole, worth
from facedown.games.magic.record import LAND, NO_CREATURES, NOBODY
from facedown.games.magic.rules import able_blockers, everyone, place_bit
from facedown.kernel import Array, Record, count_ones, kernel, lowest_bit
from facedown.rules import style as style_number

PRINTED = style_number("printed")  # by the letter of the printed algorithms
PER_COST = 64  # a group is compared by cost, then by size: fewer than this
TOO_MUCH = 1 << 40


# --- Algorithm 1: who attacks -------------------------------------------------------------------------------------------


@kernel
def plan_attack(state: Record, style: int) -> Any:
    """The creatures that attack (Algorithm 1)."""
    active = whole(state.active)
    blockers = able_blockers(state)
    count = whole(state.in_play[active])
    attackers = everyone(state, active)
    if blockers == NO_CREATURES or wins_by_numbers(state, count, count_ones(blockers)):  # lines 15 and 16
        return attackers
    needed = blockers_needed(state, 1 - active, blockers, whole(state.life[active]), style)
    most = count + castable(state) - needed if needed > 0 else count
    if most == 0:  # line 17
        return NO_CREATURES
    if most < 0:  # line 18
        return attackers
    chosen = NO_CREATURES
    size = 0
    kind = 0
    good = False
    for place in range(count):
        if state.creatures[active, place] != kind:
            kind = whole(state.creatures[active, place])
            good = may_attack(state, kind, blockers)
        if good:
            chosen |= place_bit(place)
            size += 1
            if size >= most:
                break
    return chosen


@kernel
def wins_by_numbers(state: Record, attackers: int, blockers: int) -> bool:
    """Whether the weakest attackers, which are left over if the others are blocked, do enough (line 16)."""
    through = 0
    for place in range(blockers, attackers):
        through += whole(state.power[state.creatures[state.active, place]])
    return attackers > blockers and through >= state.life[1 - state.active]


@kernel
def blockers_needed(state: Record, seat: int, attackers: Any, life: int, style: int) -> int:
    """How many of a seat's attackers have to be blocked, so that the others do not take all of a life."""
    total = 0
    left = attackers
    while left != NO_CREATURES:
        total += whole(state.power[state.creatures[seat, lowest_bit(left)]])
        left &= left - ONE
    if total < life:
        return 0
    needed = 0
    if style == PRINTED:
        total = 0
        place = whole(state.in_play[seat])
        while total < life:
            place -= 1
            if attackers & place_bit(place) != NO_CREATURES:
                total += whole(state.power[state.creatures[seat, place]])
                needed += 1
        return needed
    left = attackers
    while total >= life:
        total -= whole(state.power[state.creatures[seat, lowest_bit(left)]])
        left &= left - ONE
        needed += 1
    return needed


@kernel
def castable(state: Record) -> int:
    """How many creatures the active seat can play this turn, at most: the cheapest first (m_A)."""
    seat = state.active
    mana = whole(state.played[seat, LAND]) + (1 if state.hand[seat, LAND] > 0 else 0)
    cost = 1
    count = 0
    while cost <= mana:
        for kind in range(1, whole(state.kinds) + 1):
            if state.cost[kind] == cost:
                bought = min(whole(state.hand[seat, kind]), mana // cost)
                count += bought
                mana -= bought * cost
        cost += 1
    return count


@kernel
def may_attack(state: Record, kind: int, blockers: Any) -> bool:
    """Whether nothing speaks against an attack by a creature of a kind (lines 24 to 27)."""
    other = 1 - state.active
    power, toughness, cost = state.power[kind], state.toughness[kind], state.cost[kind]
    unharmed = 0  # power of the blockers that it cannot kill
    lost = -1  # and of the strongest one that it can, among those that cost less than itself
    left = blockers
    while left != NO_CREATURES:
        blocker = state.creatures[other, lowest_bit(left)]
        left &= left - ONE
        if state.toughness[blocker] > power:
            unharmed += whole(state.power[blocker])
        elif state.cost[blocker] < cost:
            lost = max(lost, whole(state.power[blocker]))
        if power > state.toughness[blocker] and cost < state.cost[blocker]:  # line 27: it blocks better than it attacks
            return False
    return unharmed < toughness and (lost < 0 or lost + unharmed < toughness)


# --- Algorithm 2: who blocks --------------------------------------------------------------------------------------------


@kernel
def plan_blocks(state: Record, style: int, plan: Array) -> None:
    """Write the place of the attacker that each creature of the other seat blocks, or -1 (Algorithm 2)."""
    other = 1 - whole(state.active)
    free = able_blockers(state)
    attackers = state.attackers
    for place in range(whole(state.in_play[other])):
        plan[place] = NOBODY
    needed = blockers_needed(state, 1 - other, attackers, whole(state.life[other]), style)
    if needed > count_ones(free):  # line 16
        return
    while attackers != NO_CREATURES and free != NO_CREATURES:
        attacker = lowest_bit(attackers)
        attackers &= attackers - ONE
        chosen = blockers_for(state, whole(state.creatures[1 - other, attacker]), free, needed > 0, style)
        needed -= 1
        free &= ~chosen
        while chosen != NO_CREATURES:
            plan[lowest_bit(chosen)] = attacker
            chosen &= chosen - ONE


@kernel
def blockers_for(state: Record, kind: int, free: Any, must: bool, style: int) -> Any:
    """The blockers of one attacker: the first kind of block that there is, from the best down (lines 23 to 33)."""
    other = 1 - state.active
    power, toughness, cost = state.power[kind], state.toughness[kind], state.cost[kind]
    unharmed = NO_CREATURES
    cheapest = cheapest_killer = cheapest_wall = NO_CREATURES
    least = least_killer = least_wall = TOO_MUCH
    left = free
    while left != NO_CREATURES:
        place = lowest_bit(left)
        left &= left - ONE
        blocker = state.creatures[other, place]
        price = whole(state.cost[blocker])
        if price <= least:
            cheapest, least = place_bit(place), price
        if state.power[blocker] >= toughness and price < cost and price <= least_killer:
            cheapest_killer, least_killer = place_bit(place), price
        if state.toughness[blocker] > power:
            unharmed |= place_bit(place)
            if price <= least_wall:
                cheapest_wall, least_wall = place_bit(place), price
    chosen = cheapest_group(state, other, unharmed, whole(toughness))  # line 24: kill it, lose nothing
    if chosen == NO_CREATURES:
        chosen = cheapest_killer  # line 26: a cheaper creature for it
    if chosen == NO_CREATURES:
        chosen = best_pair(state, kind, free, style)  # line 28: a cheaper creature of two for it
    if chosen == NO_CREATURES:
        chosen = cheapest_wall  # line 30: nothing dies
    if chosen == NO_CREATURES and must:
        chosen = cheapest_group(state, other, free, whole(toughness))  # line 32: kill it at any price
        if chosen == NO_CREATURES:
            chosen = cheapest  # line 33: stay alive
    return chosen


@kernel
def cheapest_group(state: Record, seat: int, creatures: Any, power: int) -> Any:
    """The creatures that together have a power, at the least total cost; none if they cannot."""
    total = 0
    left = creatures
    while left != NO_CREATURES:
        total += whole(state.power[state.creatures[seat, lowest_bit(left)]])
        left &= left - ONE
    if total < power:
        return NO_CREATURES
    if creatures & (creatures - ONE) == NO_CREATURES:
        return creatures
    # least[p]: the cheapest set with a power of p; a set has the first place as its highest bit, to compare by order.
    least = np.empty(power + 1, np.int64)
    chosen = np.zeros(power + 1, np.uint64)
    least[0] = 0
    for wanted in range(1, power + 1):  # `np.full` would take 0.1 s to compile
        least[wanted] = TOO_MUCH
    left = creatures
    while left != NO_CREATURES:
        place = lowest_bit(left)
        left &= left - ONE
        kind = state.creatures[seat, place]
        mark = ONE << np.uint64(63 - place)
        price = whole(state.cost[kind]) * PER_COST + 1
        for wanted in range(power, 0, -1):
            rest = max(0, wanted - whole(state.power[kind]))
            more = least[rest] + price
            marks = chosen[rest] | mark
            if more < least[wanted] or (more == least[wanted] and marks < chosen[wanted]):
                least[wanted] = more
                chosen[wanted] = marks
    group = NO_CREATURES
    left = creatures
    while left != NO_CREATURES:
        place = lowest_bit(left)
        left &= left - ONE
        group |= (chosen[power] >> np.uint64(63 - place) & ONE) << np.uint64(place)
    return group


@kernel
def best_pair(state: Record, attacker: int, free: Any, style: int) -> Any:
    """Two blockers that kill an attacker, of which it can kill but one, and that one a cheap one (lines 27 and 28)."""
    other = 1 - state.active
    best = NO_CREATURES
    least = TOO_MUCH
    left = free
    while left != NO_CREATURES:
        first = lowest_bit(left)
        left &= left - ONE
        rest = left
        while rest != NO_CREATURES:
            second = lowest_bit(rest)
            rest &= rest - ONE
            one, two = state.creatures[other, first], state.creatures[other, second]
            if (
                whole(state.power[one]) + whole(state.power[two]) < state.toughness[attacker]
                or whole(state.toughness[one]) + whole(state.toughness[two]) <= state.power[attacker]
            ):
                continue
            price = price_of_pair(state, attacker, one, two, style)
            if price <= least and price < TOO_MUCH:
                best, least = place_bit(first) | place_bit(second), price
    return best


@kernel
def price_of_pair(state: Record, attacker: int, one: int, two: int, style: int) -> int:
    """What decides between pairs: the cost of the blocker that is lost, then of both; TOO_MUCH if it is too dear."""
    power = state.power[attacker]
    dies_one, dies_two = state.toughness[one] <= power, state.toughness[two] <= power
    both = whole(state.cost[one]) + whole(state.cost[two])
    if style == PRINTED:
        too_dear = (dies_one and state.cost[one] > state.cost[attacker]) or (
            dies_two and state.cost[two] > state.cost[attacker]
        )
        price = whole(min(state.cost[one], state.cost[two]))
    else:
        lost = one if dies_one and (not dies_two or worth(state, one) >= worth(state, two)) else two
        too_dear = (dies_one or dies_two) and state.cost[lost] >= state.cost[attacker]
        price = whole(state.cost[lost])
    return TOO_MUCH if too_dear else price * 256 + both
