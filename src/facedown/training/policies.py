"""From recorded games to the learnt policy of a game: its weights, and how well it predicts games it has not seen."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

import facedown
from facedown.arena.progress import WorkProgress
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.games import load
from facedown.inference.policy import Policy
from facedown.options import parse_text
from facedown.record import GameRecord
from facedown.store import Store
from facedown.training.choices import Choices, choices_of, deals_of
from facedown.training.fitting import first_guess, fit_mixture, log_chances, mode_chances
from facedown.training.hands import judge_hands, with_hands
from facedown.training.policy_judgement import judge_policy

ROUNDS = 4  # of expectation maximization, where there are two modes
ONE_IN = 10  # recorded games that are kept apart to test on

Watch = Callable[[WorkProgress], None]


def records_in(store: Store, name: str, run: str | None, most: int | None = None) -> list[GameRecord]:
    """The finished games of a run, or of all a store has, that are of this game, whatever its options."""
    found = []
    for line in store.lines(run):
        record, place = GameRecord.placed(line)
        if parse_text(record.game)[0] == name and not record.forfeit and (most is None or place["deal"] < most):
            found.append(record)
    return found


def parted(records: Sequence[GameRecord]) -> tuple[list[GameRecord], list[GameRecord]]:
    """Games to train on, and others to test on."""
    tests = list(records[ONE_IN - 1 :: ONE_IN])
    return [record for place, record in enumerate(records) if place % ONE_IN != ONE_IN - 1], tests


def train_policy(
    name: str, records: Sequence[GameRecord], tests: Sequence[GameRecord], about: dict[str, Any], players: str, watch: Watch
) -> Policy:
    """The policy of these games, with figures of how well it predicts the test games."""
    game = load(name)
    if not game.features:
        raise FacedownError(f"expected a game that answers action_features, got {name}")
    choices = gathered(game, records, players, "reading games", watch)
    guess = first_guess(choices) if game.seat_features else np.ones((len(choices.seats), 1))
    watch(WorkProgress("fitting", 0, 1, 0, 0.0))
    weights, modes, _ = fit_mixture(choices, guess, ROUNDS if game.seat_features else 1)
    modes = modes if game.seat_features else np.zeros((1, 0))
    policy = with_hands(Policy(game.features, weights, modes, game.seat_features), records, choices.seats)
    tested = gathered(game, tests, players, "reading test games", watch)
    policy.about.update(
        {
            **about,
            "facedown": facedown.__version__,
            "games": len(records),
            "deals": choices.deals,
            "choices": choices.count,
            "test": {
                "games": len(tests),
                "choices": tested.count,
                "log_chance": round(likelihood(tested, policy), 4),
                "log_chance_uniform": round(uniform_likelihood(tested), 4),
                **judge_policy(policy, tests, watch),
                **judge_hands(policy, tests, choices.seats),
            },
        }
    )
    return policy


def gathered(game: Game, records: Sequence[GameRecord], players: str, doing: str, watch: Watch) -> Choices:
    """The choices of some games."""

    def watched() -> Iterator[GameRecord]:
        begin = time.perf_counter()
        for done, record in enumerate(records):
            watch(WorkProgress(doing, done, len(records), done, time.perf_counter() - begin))
            yield record

    return choices_of(game, each_deal(watched(), players))


def each_deal(records: Iterable[GameRecord], players: str) -> Iterator[Any]:
    """Their deals, one after another."""
    for record in records:
        yield from deals_of(record, players)


def likelihood(choices: Choices, policy: Policy) -> float:
    """The mean logarithm of the chance that a policy gives a choice."""
    logs = np.stack([log_chances(choices, weights) for weights in policy.weights], axis=1)
    if len(policy.weights) > 1:
        logs += mode_chances(choices, policy.modes)
    highest = logs.max(axis=1)
    return float((highest + np.log(np.exp(logs - highest[:, None]).sum(axis=1))).sum() / choices.count)


def uniform_likelihood(choices: Choices) -> float:
    """The same if all actions were equally likely."""
    return float(-sum(np.log(kind.counts).sum() for kind in choices.kinds) / choices.count)
