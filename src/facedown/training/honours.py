"""From recorded deals of Hearts to the table of spade honours: how often which was held after which history."""

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
from facedown.options import parse_text
from facedown.record import GameRecord
from facedown.store import Store
from facedown.training.self_play import Watch, in_parts

AT_ONCE = 200  # deals of a task

Counts = Counter[tuple[int, int]]  # by history and value of the feature


def deals_in(store: Store, run: str | None, most: int | None = None) -> list[str]:
    """The lines of all deals of Hearts in a store or a run of it; of its first `most` deals."""
    lines = [line for line in store.lines(run) if f'"game":"{GAME}' in line]
    return lines if most is None else [line for line in lines if GameRecord.placed(line)[1]["deal"] < most]


def deal_of(line: str) -> GameRecord | None:
    """A record of a whole deal of Hearts; None for other games, matches of several deals, and games given up."""
    record = GameRecord.from_json(line)
    name, options = parse_text(record.game)
    return None if name != GAME or options.get("match", 0) or record.forfeit else record


def reached_in(record: GameRecord) -> Iterator[tuple[Reached, int]]:
    """Each history that a player reached in a deal, and the value of its feature then."""
    start = record.start().record
    plays = record.history[SEATS * PASSED_CARDS if start.phase == PASSING else 0 :]
    holder = {card: seat for seat, card in plays}
    if any(card not in holder for card in HONOURS):
        return  # the deal ended early, and nobody knows who held it
    for seat, reached in enumerate(histories(plays, points_barred=not start.first_trick_points)):
        held = sum(1 << place for place, card in enumerate(HONOURS) if holder[card] == seat)
        for one in reached:
            yield one, held & ~one.played


def counts_of(lines: Sequence[str]) -> tuple[Counts, int]:
    """How often each history was reached with each value, and in how many deals."""
    counts: Counts = Counter()
    deals = 0
    for line in lines:
        record = deal_of(line)
        found = [] if record is None else [(one.key, value) for one, value in reached_in(record)]
        counts.update(found)
        deals += bool(found)
    return counts, deals


def count_honours(lines: Sequence[str], workers: Workers, watch: Watch) -> tuple[Counts, int]:
    """The same by several workers."""
    total: Counts = Counter()
    deals, begin = 0, time.perf_counter()
    parts = list(in_parts(lines, AT_ONCE))
    for done, (counts, some) in enumerate(workers.run(counts_of, parts), 1):
        total.update(counts)
        deals += some
        watch(WorkProgress("counting", done, len(parts), done, time.perf_counter() - begin, unit="parts"))
    return total, deals


def build_table(lines: Sequence[str], about: dict[str, Any], workers: Workers, watch: Watch) -> HonourTable:
    """The table of some deals; histories that were reached too seldom to be believed are left out."""
    counts, deals = count_honours(lines, workers, watch)
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
