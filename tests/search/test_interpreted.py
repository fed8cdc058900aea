"""Compiled and interpreted, the same code gives the same results for the same seed."""

import json
from typing import Any

import numpy as np

import facedown as fd
from facedown import rules
from facedown.kernel import COMPILED, Array, kernel
from facedown.rng import stream
from facedown.rules import UNIFORM
from interpreting import interpreted

GAMES: list[tuple[str, list[str]]] = [
    ("hearts", ["random", "ismcts:iterations=6", "random", "uct:iterations=4"]),
    ("hearts32:early_end=true", ["ismcts:iterations=8,sampler=possibility-matrix", "random"] * 2),
    ("magic", ["reduced", "expert:printed=true"]),
]
MAGIC = ("ismcts:iterations=4,playout=reduced", "ismcts-t:iterations=3,worlds=4,playout=rules,discount=0.99")


@kernel
def play_out(world: Array, rng: Array) -> None:
    rules.play_out(world[0], UNIFORM, np.empty(64, np.int64), rng)


def searched(text: str, state: fd.State, seed: int) -> list[Any]:
    """What an agent chooses, and its tree."""
    agent: Any = fd.agent(text, seed=seed)
    return [agent.choose(state.view(state.seat or 0)), agent.decision.tree(3)]


def found() -> list[Any]:
    """Games, searches, worlds and playouts."""
    results: list[Any] = []
    for game, agents in GAMES:
        record = fd.play(game, agents, seed=5)
        results.append(record.to_json())
    state = fd.load("magic").deal(seed=5)
    for place, action in enumerate(record.actions):  # a search takes longest in this game: it is asked here and there
        if place % 30 == 4:
            results += [searched(text, state, place) for text in MAGIC]
        state.play(action)
    results.append(searched("ismcts:iterations=60", fd.load("hearts").deal(seed=9), 2))
    state = fd.load("sueca").deal(seed=9)
    for _ in range(6):
        state.play(state.legal[0])
    results.append(searched("ismcts:iterations=12,playout=policy,inference=policy", state, 2))
    results += [state.view(0).sample(4, sampler).hands for sampler in ("exact", "accept-reject", "biased-matrix")]
    record = fd.play("cheat:turn_limit=24", ["mga:iterations=8", "random"], seed=3)
    results.append(record.to_json())
    results += [record.replay().view(0).sample(seed).hands for seed in range(5)]
    for seed in range(3):
        world = fd.load("hearts", passing=False).deal(seed).data
        play_out(world, stream(seed))
        results.append(world["points"][0].tolist())
    return results


def test_interpreted_and_compiled_runs_agree() -> None:
    assert COMPILED
    assert interpreted("test_interpreted", "found") == json.loads(json.dumps(found()))
