"""Compiled and interpreted, the same code gives the same results for the same seed."""

import json
import os
import subprocess
import sys

from facedown.kernel import COMPILED

SCRIPT = """
import json
import facedown as fd
from facedown import rules
from facedown.rng import stream
import numpy as np

results = []
for game, agents in [("hearts", ["random", "ismcts:iterations=6", "random", "uct:iterations=4"]),
                     ("hearts32:early_end=true", ["ismcts:iterations=8,sampler=possibility-matrix", "random"] * 2),
                     ("magic", ["reduced", "expert:printed=true"])]:
    record = fd.play(game, agents, seed=5)
    results.append(record.to_json())
state = fd.load("magic").deal(seed=5)
for place, action in enumerate(record.actions):  # a search takes longest in this game: it is asked here and there
    if place % 30 == 4:
        for text in ("ismcts:iterations=4,playout=reduced", "ismcts-t:iterations=3,worlds=4,playout=rules,discount=0.99"):
            agent = fd.agent(text, seed=place)
            results.append([agent.choose(state.view(state.seat)), agent.decision.tree(3)])
    state.play(action)
agent = fd.agent("ismcts:iterations=60", seed=2)
state = fd.load("hearts").deal(seed=9)
agent.choose(state.view(0))
results.append(agent.decision.tree(3))
state = fd.load("sueca").deal(seed=9)
for _ in range(6):
    state.play(state.legal[0])
agent = fd.agent("ismcts:iterations=12,playout=policy,inference=policy", seed=2)
agent.choose(state.view(state.seat))
results.append(agent.decision.tree(3))
record = fd.play("cheat:turn_limit=24", ["mga:iterations=8", "random"], seed=3)
results.append(record.to_json())
view = record.replay().view(0)
results += [view.sample(seed).hands for seed in range(5)]
for sampler in ("exact", "accept-reject", "biased-matrix"):
    results.append(state.view(0).sample(4, sampler).hands)
for seed in range(3):
    world = fd.load("hearts", passing=False).deal(seed).data
    play_out(world, stream(seed))
    results.append(world["points"][0].tolist())
print(json.dumps(results))
"""
SETUP = """
from facedown.kernel import kernel
from facedown.rules import UNIFORM
@kernel
def play_out(world, rng):
    rules.play_out(world[0], UNIFORM, np.empty(64, np.int64), rng)
"""


def results(**environment: str) -> object:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT.replace("results = []", SETUP + "results = []", 1)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_interpreted_and_compiled_runs_agree() -> None:
    assert COMPILED
    assert results(NUMBA_DISABLE_JIT="1") == results(NUMBA_DISABLE_JIT="0")
