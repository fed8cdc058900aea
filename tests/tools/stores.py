"""Games to store, and a look at all that a store holds."""

from functools import cache
from typing import Any

import facedown as fd
from facedown.store import Store, query


@cache
def game(seed: int) -> fd.GameRecord:
    return fd.play("hearts32", ["random"] * 4, seed=seed)


def games(*seeds: int) -> list[tuple[int, int, fd.GameRecord, float | None]]:
    """Games as a tournament hands them over: two seatings for each deal."""
    return [(seed // 2, seed % 2, game(seed), 0.5) for seed in seeds]


def fill(place: str, *seeds: int) -> None:
    """Make a store with a run of some games."""
    with Store.open(place) as store:
        store.begin("spring", {}).add(games(*seeds))


def contents(place: str) -> list[list[tuple[Any, ...]]]:
    """Everything in the tables, to see that nothing has changed."""
    return [query(f"SELECT * FROM {table} ORDER BY 1, 2", place).rows for table in ("runs", "games", "players")]


def is_postgres(place: str) -> bool:
    return place.startswith("postgresql")
