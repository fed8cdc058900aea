"""What experiments measure without games, kept item by item, so that a long one resumes; and what games have cost."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, insert, select

from facedown.store.database import take_lock
from facedown.store.tables import GAMES, MEASURED, RUNS


class Spent(NamedTuple):
    """What the games of some runs have cost."""

    seconds: float  # one after another, as far as that is known
    cpu_seconds: float  # as far as that is known
    uncounted: int  # games whose processor time is not known


class Measurement(NamedTuple):
    """What was measured of an item."""

    value: Any  # plain data
    cpu_seconds: float  # that it took


def spent_on(connection: Connection, runs: Sequence[str]) -> Spent:
    """What the games of some runs have cost; runs that are not there cost nothing."""
    sums = func.sum(GAMES.c.seconds), func.sum(GAMES.c.cpu_seconds), func.count(), func.count(GAMES.c.cpu_seconds)
    seconds, cpu, games, counted = connection.execute(select(*sums).join(RUNS).where(RUNS.c.name.in_(runs))).one()
    return Spent(seconds or 0.0, cpu or 0.0, games - counted)


def measurements(connection: Connection, name: str) -> dict[str, Measurement]:
    """All that was measured under a name, by item."""
    rows = connection.execute(select(MEASURED).where(MEASURED.c.name == name))
    return {row.item: Measurement(json.loads(row.value), row.cpu_seconds) for row in rows}


def keep_measurement(connection: Connection, name: str, item: str, measured: Measurement) -> None:
    """Keep what was measured of an item; where another program was faster, its result stays."""
    take_lock(connection)
    here = MEASURED.c.name == name, MEASURED.c.item == item
    if connection.scalar(select(func.count()).select_from(MEASURED).where(*here)) == 0:
        row = {"name": name, "item": item, "value": json.dumps(measured.value), "cpu_seconds": measured.cpu_seconds}
        connection.execute(insert(MEASURED), [row])
