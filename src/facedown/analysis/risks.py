"""How likely a game's risks are: sampled worlds, played to the end of the deal by rules of thumb."""

from collections.abc import Sequence

import numpy as np

from facedown.agents.heuristic import rule_choice
from facedown.analysis.advice import has_rule_play
from facedown.compiler.asking import look, make_move
from facedown.errors import asked
from facedown.kernel import Array, record_in
from facedown.rng import draw, stream
from facedown.search.decision import Key
from facedown.view import View

WORLDS = 150
RISKING = 7  # first step of the path of its random numbers


def risks_of(view: View, actions: Sequence[Key], worlds: int = WORLDS) -> dict[str, dict[Key, float]]:
    """For each risk of the game the share of worlds in which it comes true after each of some actions, or sets of them."""
    if not view.game.risks:
        return {}
    found: dict[str, dict[Key, float]] = {risk: {} for risk in view.game.risks}
    for action in actions:
        rng = stream(0, RISKING)  # the same worlds for each action
        ends = [played_on(view, world, action, rng) for world in np.split(view.sample_many(worlds, rng), worlds)]
        for risk, came_true in view.game.risks.items():
            found[risk][action] = sum(bool(asked(risk, came_true, record_in(end))) for end in ends) / worlds
    return found


def played_on(view: View, world: Array, action: Key, rng: Array) -> Array:
    """A world after an action, or a set of them, and all that follows in this deal."""
    actions, seen = np.empty(view.game.actions, np.int64), np.empty(view.game.seats, np.int64)
    by_rule = has_rule_play(view.game)
    for one in action if isinstance(action, tuple) else (action,):
        make_move(world, one, seen)
    while (count := look(world, actions)) > 0:
        make_move(world, rule_choice(world, actions, rng) if by_rule else actions[draw(rng, count)], seen)
    return world
