"""What to play when all seems lost: nothing that loses at once, and rather what holds out longest or lets others err.

A search that has lost in every iteration cannot distinguish its actions. Then they are played out once more, at random for
all seats, in worlds that the seat holds possible. What others let through by mistake counts first, then how long it lasts,
and then the lead in score. Values above the lowest reward are never touched.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from facedown import rules
from facedown.compiler.asking import look, make_move, write_rewards
from facedown.kernel import Array, copied, kernel
from facedown.rewards import LOWEST
from facedown.rules import UNIFORM
from facedown.search.decision import Candidate, Decision
from facedown.search.run import new_run, write_reward
from facedown.state import State
from facedown.view import View

WORLDS = 32
AT_ONCE = 4  # worlds, before the clock is read
SECONDS = 0.003  # that it may take when a decision's time is over
ROUNDING = 1e-9


@dataclass(frozen=True)
class Aim:
    """What a seat searches for: a kind of reward, and what a reward is worth a turn later."""

    kind: int
    discount: float = 1.0

    @property
    def lowest(self) -> float:
        """The mean reward of an action that loses at once."""
        lowest = LOWEST[self.kind]
        return lowest * self.discount + ROUNDING if lowest < 0 else lowest + ROUNDING


@kernel
def play_on(worlds: Array, action: int, runs: Array, actions: Array, sums: Array, rng: Array) -> None:
    """Play an action and then at random to the end; add up the seat's rewards, the actions it took, and its leads."""
    run = runs[0]
    here = worlds[:1].copy()
    world = here[0]
    out = np.zeros(run.seats)
    for index in range(worlds.shape[0]):
        here[0] = worlds[index]
        rules.apply(world, action)
        sums[1] += 1.0
        while not rules.is_over(world):
            rules.apply(world, rules.choose(world, UNIFORM, actions, rng))
            sums[1] += 1.0
        write_reward(run, world, out)
        sums[0] += out[run.seat]
        rules.scores(world, out)
        sums[2] += run.seats * out[run.seat] - out.sum()


def last_stand(position: State | View, decision: Decision, aim: Aim, rng: Array, until: float = inf) -> Decision:
    """The same decision, or another action where the one decided on has never brought anything but the lowest reward."""
    candidates = decision.candidates
    if not candidates or (candidates[0].mean > aim.lowest and not decision.solved):
        return decision
    order = [one.action for one in candidates]
    order += [action for action in position.legal if action not in order]
    hopeless = len(order) == len(candidates) and is_hopeless(decision, aim)
    for worlds in grounds(position, rng):
        at_once = loses_at_once(position, worlds, order[0], aim)
        if not at_once and (decision.solved or not hopeless):
            return decision
        if hopeless:
            merits = played_on(position, worlds, order, aim, rng, until)
            if len(set(merits)) > 1:
                return taken(position, decision, order[merits.index(max(merits))], aim)
        else:
            lasting = [action for action in order[1:] if not loses_at_once(position, worlds, action, aim)]
            if lasting:
                return taken(position, decision, lasting[0], aim)
    return decision


def is_hopeless(decision: Decision, aim: Aim) -> bool:
    """Whether no action is better than another: all have the lowest mean, or all are solved to be worth the same."""
    means = [one.mean for one in decision.candidates]
    return min(means) == max(means) if decision.solved else max(means) <= aim.lowest


def grounds(position: State | View, rng: Array) -> Iterator[Array]:
    """The worlds to look at: the true one, for who sees it; if that decides nothing, some that the seat holds possible."""
    if isinstance(position, State):
        yield position.data
        position = position.view(position.seat or 0)
    yield position.sample_many(WORLDS, rng)


def loses_at_once(position: State | View, worlds: Array, action: int, aim: Aim) -> bool:
    """Whether an action ends the deal with the lowest reward in all these worlds."""
    rewards, seen = np.zeros(position.game.seats), np.empty(position.game.seats, np.int64)
    actions = np.empty(position.game.actions, np.int64)
    for place in range(len(worlds)):
        world = copied(worlds[place : place + 1])
        make_move(world, action, seen)
        if look(world, actions) >= 0:
            return False
        write_rewards(world, aim.kind, rewards)
        if rewards[position.seat or 0] > LOWEST[aim.kind] + ROUNDING:
            return False
    return True


def played_on(
    position: State | View, worlds: Array, order: Sequence[int], aim: Aim, rng: Array, until: float
) -> list[tuple[float, ...]]:
    """How each action fares: mean reward, length and lead."""
    game = position.game
    run = new_run(seat=position.seat or 0, seats=game.seats, reward=aim.kind)
    actions, sums = np.empty(game.actions, np.int64), np.zeros((len(order), 3))
    for first in range(0, len(worlds), AT_ONCE):
        for place, action in enumerate(order):
            play_on(worlds[first : first + AT_ONCE], action, run, actions, sums[place], rng.copy())
        if time.perf_counter() > until + SECONDS:
            break
    sums[:, 2] *= -1.0 if game.lower_is_better else 1.0
    return [tuple(np.round(row, 6).tolist()) for row in sums]


def taken(position: State | View, decision: Decision, action: int, aim: Aim) -> Decision:
    """The decision with another action in the first place."""
    text, lowest = position.game.text(action), LOWEST[aim.kind]
    untried = Candidate(action, text, 0, 0, lowest, (lowest, lowest))
    chosen = next((one for one in decision.candidates if one.action == action), untried)
    if chosen is decision.candidates[0]:
        return decision
    others = [one for one in decision.candidates if one is not chosen]
    return replace(decision, action=action, text=text, candidates=[chosen, *others], line=[text])
