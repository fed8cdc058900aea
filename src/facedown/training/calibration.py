"""How often people lie and call, and the leanings by which simulated players do so as often as they should.

`python -m facedown.training.calibration` writes games/cheat/styles.json anew. What a person does depends on how the others
play, so all styles are moved at once from where they are, a step at a time, and the steps become smaller.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from facedown.agents import Agent, agent
from facedown.arena.match import play
from facedown.files import write_text
from facedown.games import load
from facedown.games.cheat import styles as cheat_styles
from facedown.games.cheat.claims import CALL, RANK_MASK, TAKE, cards_of_claim, rank_named
from facedown.games.cheat.rules import CLAIM
from facedown.kernel import Array
from facedown.rng import stream
from facedown.state import State
from facedown.training.games import pairs

ROUNDS = 7
GAMES_EACH = 40  # of a style in a round
WEIGHT = 20  # of the target, in observations: keeps the odds of rare events finite


class Tally(NamedTuple):
    """What each style did: arrays by style."""

    claims: Array
    lies: Array
    faced: Array  # claims it could call
    calls: Array
    takes: Array
    turns: Array
    seconds: Array  # of all turns together

    @property
    def lie_rate(self) -> Array:
        """False claims of all claims."""
        return self.lies / np.maximum(1, self.claims)

    @property
    def call_rate(self) -> Array:
        """Calls of all claims faced."""
        return self.calls / np.maximum(1, self.faced)


def tally(styles: Sequence[int], games: int, seed: int) -> Tally:
    """Let people of these styles play each other, and count."""
    counts = np.zeros((len(Tally._fields), cheat_styles.STYLES))
    game = load("cheat")

    def watch(state: State, player: Agent, action: int) -> None:
        record, number = state.record, int(player.options["style"].value or 0)
        lie = 0
        if action not in (TAKE, CALL):
            lie = int(cards_of_claim(record, action) & ~RANK_MASK[rank_named(record, action)] != 0)
        claims, calls, takes = action not in (TAKE, CALL), action == CALL, action == TAKE
        counts[:, number] += [claims, lie, record.last_action == CLAIM, calls, takes, 1, player.seconds or 0.0]

    for number, (first, second) in enumerate(pairs(styles, games)):
        people = [agent(f"cheat-person:style={style}", seed=number) for style in (first, second)]
        play(game, people, int(stream(seed, number)[0]), watch)
    return Tally(*counts)


def logit(share: Array) -> Array:
    """Log odds."""
    odds: Array = np.log(share / (1 - share))
    return odds


def part(work: tuple[dict[str, list[float]], int, int]) -> Array:
    """One worker's share of a round."""
    leanings, games, seed = work
    cheat_styles.leanings().update(leanings)
    cheat_styles.style.cache_clear()
    return np.array(tally(range(cheat_styles.STYLES), games, seed))


def calibrate(rounds: int = ROUNDS, games_each: int = GAMES_EACH, workers: int = 2) -> dict[str, list[float]]:
    """Leanings by which every style lies and calls as often as it should."""
    styles = range(cheat_styles.STYLES)
    wanted = [cheat_styles.traits(number) for number in styles]
    targets = {"dishonesty": [one["lies"] for one in wanted], "suspicion": [one["calls"] for one in wanted]}
    found = {name: np.array(values) for name, values in cheat_styles.leanings().items()}
    games = len(styles) * games_each // 2 // workers
    with ProcessPoolExecutor(workers) as pool:
        for number in range(rounds):
            plain = {name: values.tolist() for name, values in found.items()}
            parts = pool.map(part, [(plain, games, 1000 * number + worker) for worker in range(workers)])
            done = Tally(*np.sum(list(parts), axis=0))
            step = min(1.2, 3 / (number + 1))
            for name, happened, chances in (
                ("dishonesty", done.lies, done.claims),
                ("suspicion", done.calls, done.faced),
            ):
                target = np.array(targets[name])
                rate = (happened + WEIGHT * target) / (chances + WEIGHT)
                found[name] += step * (logit(target) - logit(rate))
                miss = np.abs(happened / chances - target)
                print(
                    f"round {number + 1}: {name} off by {miss.mean():.3f} on average, {miss.max():.3f} at most", flush=True
                )
    return {name: [round(float(value), 3) for value in values] for name, values in found.items()}


if __name__ == "__main__":
    where = Path(cheat_styles.__file__).with_suffix(".json")
    write_text(where, f"{json.dumps(calibrate())}\n")
