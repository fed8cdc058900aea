"""How well time limits are kept: how late each agent chooses, also with options that make steps expensive."""

import time
from collections.abc import Sequence
from functools import partial

import numpy as np

from facedown.agents import agent
from facedown.agents.player import shown_to
from facedown.game import Game
from facedown.lab.bench.measurements import Figure, Measurement, first_choice
from facedown.lab.bench.searches import can_play
from facedown.state import State

SECONDS = 0.05
CHOICES = 100  # timed, of each agent
DEALS = 4
EVERY = 5  # actions from one position to the next
LATEST = 10.0  # milliseconds
AGENTS = {
    "ismcts": "ismcts",
    "ismcts, leaf": "ismcts:threads=2,parallel=leaf",
    "ismcts, 256 threads": "ismcts:threads=256",
    "ismcts, 10^6 worlds": "ismcts:worlds=1000000",
    "ismcts, accept-reject": "ismcts:sampler=accept-reject",
    "ismcts, endgame 32": "ismcts:endgame=32,endgame_worlds=100000",
    "mo-ismcts": "mo-ismcts",
    "ismcts-t": "ismcts-t",
    "ismcts-t, 10^6 worlds": "ismcts-t:worlds=1000000",
    "pimc": "pimc",
    "pimc, 5000 worlds": "pimc:worlds=5000",
    "minimax, endgame 32": "minimax:endgame=32",
    "uct, endgame 32": "uct:endgame=32",
    "sdmcts": "sdmcts",
    "pmga": "pmga",
    "ensemble": "ensemble",
    "ensemble, 10^4 trees": "ensemble:trees=10000,decides=all,il=true",
}


def limit_measurements(game: Game) -> list[Measurement]:
    """How late the choices of all agents that can play a game are: median and 99 % quantile, in milliseconds."""
    states = positions(game)
    some = states[:: max(1, len(states) // 4)]
    return [
        Measurement(
            (Figure(f"{name}: late, median", "ms"), Figure(f"{name}: late, 99 %", "ms", LATEST, lower_is_better=True)),
            partial(lateness, timed(text, SECONDS), states),
            rounds=1,
            warm=False,  # it warms up by itself
            weight=20,
        )
        for name, text in AGENTS.items()
        if all(can_play(timed(text, 0.001), state) for state in some)
    ]


def timed(text: str, seconds: float) -> str:
    """An agent's text with a time limit."""
    return f"{text}{',' if ':' in text else ':'}seconds={seconds}"


def positions(game: Game) -> list[State]:
    """Positions with a choice, from the beginnings of deals to their ends."""
    found = []
    for seed in range(DEALS):
        state = first_choice(game, seed)
        walker = agent("random", seed)
        while state.seat is not None:
            if len(state.history) % EVERY == 0 and len(state.legal) > 1:
                found.append(state.copy())
            state.play(walker.choose(state.view(state.seat)))
    return found


def lateness(text: str, states: Sequence[State]) -> list[float]:
    """How many milliseconds choices come after their time limit: median and 99 % quantile.

    Each position is searched once before, so that nothing is compiled while the clock runs.
    """
    player = agent(text)
    late = []
    for place in range(-len(states), CHOICES):
        state = states[place % len(states)]
        position = shown_to(player, state)
        begin = time.perf_counter()
        player.choose(position)
        if place >= 0:
            late.append(1000 * max(0.0, time.perf_counter() - begin - SECONDS))
    return [float(np.median(late)), float(np.quantile(late, 0.99))]
