"""From recorded deals of Hearts to the table of spade honours: how often which was held after which history."""

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

import numpy as np

import facedown
from facedown.arena.progress import WorkProgress
from facedown.arena.workers import Workers
from facedown.errors import FacedownError
from facedown.games.hearts.rules import PASSED_CARDS, PASSING, SEATS
from facedown.inference.spade_history import HONOURS, VALUES, Reached, histories
from facedown.inference.spade_honours import GAME
from facedown.inference.spade_table import FORMAT, LEAST_OBSERVATIONS, PROPERTIES, HonourTable
from facedown.record import GameRecord
from facedown.store import Store
from facedown.training.honour_accuracy import deal_of, judge
from facedown.training.self_play import Watch, in_parts, self_play

HOLD = "hearts:passing=hold"  # what the paper's agents play
AT_ONCE = 200  # deals of a task

Counts = Counter[tuple[int, int]]  # by history and value of the feature


def train_by_self_play(
    store: Store, agent: str, counts: tuple[int, int], seed: int, workers: Workers, watch: Watch
) -> HonourTable:
    """The table of an agent's deals against itself, tested on others; `counts` are deals to train on, and to test on."""
    runs = [self_play(store, HOLD, [agent], games, seed * 10 + step, workers, watch) for step, games in enumerate(counts)]
    return train_on_runs(store, runs, agent, counts, seed, workers, watch)


def train_on_runs(
    store: Store, runs: Sequence[str], agent: str, counts: tuple[int, int], seed: int, workers: Workers, watch: Watch
) -> HonourTable:
    """The same from the two runs."""
    lines, tests = (deals_in(store, run, games) for run, games in zip(runs, counts, strict=True))
    about = {
        "trained_on": f"self-play of {agent}",
        "game": HOLD,
        "agent": agent,
        "seed": seed,
        "command": f"facedown train {GAME} --model table --games {counts[0]} --test-games {counts[1]} "
        f"--agent {agent} --seed {seed}",
    }
    return tested(build_table(lines, about, workers, watch), tests, workers, watch)


def train_on_records(store: Store, run: str | None, players: str, workers: Workers, watch: Watch) -> HonourTable:
    """The table of the deals of a store, of which every tenth is left out to test on."""
    lines = deals_in(store, run)
    only = f" --run {run}" if run else ""
    about = {
        "trained_on": f"recorded deals of players that match {players}",
        "command": f"facedown train {GAME} --model table --from-store ...{only} --players '{players}'",
    }
    trained = [line for place, line in enumerate(lines) if place % 10 != 9]
    return tested(build_table(trained, about, workers, watch, players), lines[9::10], workers, watch)


def tested(table: HonourTable, lines: Sequence[str], workers: Workers, watch: Watch) -> HonourTable:
    """The table, with a note of how right it is on some deals."""
    table.about["test"] = judge(table, lines, workers, watch)
    return table


def deals_in(store: Store, run: str | None, most: int | None = None) -> list[str]:
    """The lines of all deals of Hearts in a store or a run of it; of its first `most` deals."""
    found = [line for line in store.lines(run) if f'"game":"{GAME}' in line and deal_of(line)]
    return found if most is None else [line for line in found if GameRecord.placed(line)[1]["deal"] < most]


def reached_in(record: GameRecord, players: str = "*") -> Iterator[tuple[Reached, int]]:
    """Each history that a player whose text matches a pattern reached in a deal, and the value of its feature then."""
    start = record.start().record
    plays = record.history[SEATS * PASSED_CARDS if start.phase == PASSING else 0 :]
    holder = {card: seat for seat, card in plays}
    if any(card not in holder for card in HONOURS):
        return  # the deal ended early, and nobody knows who held it
    for seat, reached in enumerate(histories(plays, points_barred=not start.first_trick_points)):
        if not fnmatchcase(record.agents[seat], players):
            continue
        held = sum(1 << place for place, card in enumerate(HONOURS) if holder[card] == seat)
        for one in reached:
            yield one, held & ~one.played


def counts_of(players: str, lines: Sequence[str]) -> tuple[Counts, int]:
    """How often each history was reached with each value, and in how many deals."""
    counts: Counts = Counter()
    deals = 0
    for line in lines:
        found = [(one.key, value) for one, value in reached_in(GameRecord.from_json(line), players)]
        counts.update(found)
        deals += bool(found)
    return counts, deals


def count_honours(lines: Sequence[str], workers: Workers, watch: Watch, players: str = "*") -> tuple[Counts, int]:
    """The same by several workers."""
    total: Counts = Counter()
    deals, begin = 0, time.perf_counter()
    parts = list(in_parts(lines, AT_ONCE))
    for done, (counts, some) in enumerate(workers.run(partial(counts_of, players), parts), 1):
        total.update(counts)
        deals += some
        watch(WorkProgress("counting", done, len(parts), done, time.perf_counter() - begin, unit="parts"))
    return total, deals


def build_table(
    lines: Sequence[str], about: dict[str, Any], workers: Workers, watch: Watch, players: str = "*"
) -> HonourTable:
    """The table of some deals; histories that were reached too seldom to be believed are left out."""
    counts, deals = count_honours(lines, workers, watch, players)
    if not deals:
        raise FacedownError(f"expected whole deals of {GAME} to count, got none")
    rows: dict[int, list[int]] = {}
    for (key, value), count in counts.items():
        rows.setdefault(key, [0] * len(VALUES))[value] = count
    kept = sorted(key for key, row in rows.items() if sum(row) >= LEAST_OBSERVATIONS)
    table = np.array([rows[key] for key in kept], np.int64).reshape(len(kept), len(VALUES))
    return HonourTable(
        np.array(kept, np.int64),
        table,
        {
            **about,
            "format": FORMAT,
            "facedown": facedown.__version__,
            "properties": PROPERTIES,
            "values": list(VALUES),
            "deals": deals,
            "games_digest": digest_of_games(lines),
            "histories": len(kept),
            "histories_reached": len(rows),
            "observations": int(table.sum()),
            "observations_made": sum(counts.values()),
            "least_observations": LEAST_OBSERVATIONS,
        },
    )


def digest_of_games(lines: Iterable[str]) -> str:
    """A digest of the cards played, in whatever order the games are stored: equal for the same games."""
    digest = hashlib.blake2b(digest_size=8)
    for words in sorted(" ".join(GameRecord.from_json(line).actions) for line in lines):
        digest.update(f"{words}\n".encode())
    return digest.hexdigest()
