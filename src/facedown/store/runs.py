"""A run: the games of one tournament, each known by its deal and its seating."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby, repeat
from typing import Any, TypeAlias

from sqlalchemy import Connection, Engine, Select, func, insert, select, text, update

import facedown
from facedown.errors import StoreError, shown
from facedown.record import GameRecord
from facedown.store.database import name_of, reading, revision_of, take_lock, writing
from facedown.store.places import settings_in
from facedown.store.results import GameResult, PlayedGame
from facedown.store.tables import GAMES, PLAYERS, RUNS

RunSettings: TypeAlias = dict[str, Any]

ROWS_AT_ONCE = 2000  # fetched of a long answer
NAMES_AT_ONCE = 500  # listed in a query
MISSING = "nothing"


class Run:
    """A tournament in a store."""

    def __init__(self, engine: Engine, id: int, name: str, settings: RunSettings, resumed: bool) -> None:
        """Made by `store.begin()`."""
        self._engine = engine
        self.id = id
        self.name = name
        self.settings = settings
        self.resumed = resumed  # whether it was in the store before

    def __repr__(self) -> str:
        """Its name."""
        return f"<Run {self.name} of {name_of(self._engine.url)}>"

    def add(self, played: Iterable[PlayedGame | tuple[Any, ...]]) -> int:
        """Store finished games, all of them or none; return how many are new.

        A game that is stored already is left as it is if the record is the same, and refused otherwise.
        """
        with writing(self._engine) as connection:
            return add_to_run(connection, self.id, self.name, [PlayedGame(*one) for one in played])

    def check_kept(self, games: int) -> None:
        """Open the store again, and refuse one that has lost some of the `games` stored."""
        self._engine.dispose()
        whole = func.count(GAMES.c.actions)  # in no index: the rows themselves are read
        with reading(self._engine) as connection:
            revision_of(connection)
            kept = connection.scalar(select(whole).join(RUNS).where(RUNS.c.name == self.name)) or 0
        if kept < games:
            raise StoreError(f"expected {games} games in the run {self.name!r} of {name_of(self._engine.url)}, got {kept}")

    def done(self) -> set[tuple[int, int]]:
        """The deals and seatings that are stored."""
        with reading(self._engine) as connection:
            rows = connection.execute(select(GAMES.c.deal, GAMES.c.seating).where(GAMES.c.run_id == self.id))
            return {(deal, seating) for deal, seating in rows}

    def record(self, deal: int, seating: int) -> GameRecord:
        """The game at one deal and seating."""
        here = (GAMES.c.run_id == self.id, GAMES.c.deal == deal, GAMES.c.seating == seating)
        with reading(self._engine) as connection:
            found = connection.execute(select(GAMES.c.record, GAMES.c.trusted).where(*here)).first()
        if not found:
            raise StoreError(f"expected a game that the run {self.name!r} has, got none at deal {deal}, seating {seating}")
        return GameRecord.from_json(found.record, trusted=found.trusted)

    def results(self) -> Iterator[GameResult]:
        """Agents and scores, game by game in order of deal and seating, without reading whole records."""
        game = (GAMES.c.deal, GAMES.c.seating, GAMES.c.forfeit)
        question = (
            select(*game, PLAYERS.c.agent, PLAYERS.c.score)
            .join(PLAYERS)
            .where(GAMES.c.run_id == self.id)
            .order_by(GAMES.c.deal, GAMES.c.seating, PLAYERS.c.seat)
        )
        with reading(self._engine) as connection, connection.execute(in_pieces(question)) as rows:
            for (deal, seating, forfeit), seats in groupby(rows, key=lambda row: tuple(row[:3])):
                agents, scores = zip(*(row[3:] for row in seats), strict=True)
                yield checked(GameResult(deal, seating, scores, forfeit, agents=agents))

    def games(self) -> list[str]:
        """The texts of the games that were played, in order."""
        question = select(GAMES.c.game).where(GAMES.c.run_id == self.id).distinct().order_by(GAMES.c.game)
        with reading(self._engine) as connection:
            return list(connection.scalars(question))

    def reasons(self) -> dict[tuple[int, int], str]:
        """Why games were forfeited, by deal and seating."""
        question = select(GAMES.c.deal, GAMES.c.seating, GAMES.c.record).where(
            GAMES.c.run_id == self.id, GAMES.c.forfeit.is_not(None)
        )
        with reading(self._engine) as connection, connection.execute(in_pieces(question)) as rows:
            found = {(deal, seating): GameRecord.from_json(line).forfeit for deal, seating, line in rows}
        return {place: str(forfeit["reason"]) for place, forfeit in found.items() if forfeit}

    def records(self) -> Iterator[GameRecord]:
        """The whole records in order of deal and seating."""
        question = select(GAMES.c.record, GAMES.c.trusted).where(GAMES.c.run_id == self.id)
        ordered = question.order_by(GAMES.c.deal, GAMES.c.seating)
        with reading(self._engine) as connection, connection.execute(in_pieces(ordered)) as rows:
            for line, trusted in rows:
                yield GameRecord.from_json(line, trusted=trusted)


def checked(result: GameResult) -> GameResult:
    """The same result, or a ValueError if a value has the wrong type."""
    numbers = all(isinstance(number, int) for number in (result.deal, result.seating))
    numbers = numbers and all(isinstance(score, int | float) for score in result.scores)
    if not numbers or result.forfeit not in (None, *range(len(result.scores))):
        raise ValueError(f"expected the scores of a game, got {shown(tuple(result))}")
    return result


def in_pieces(question: Select[Any]) -> Select[Any]:
    """A query whose answer is fetched piece by piece."""
    return question.execution_options(yield_per=ROWS_AT_ONCE)


def now() -> datetime:
    """The time in UTC, without saying so: SQLite keeps no time zones."""
    return datetime.now(UTC).replace(tzinfo=None)


# --- Runs -------------------------------------------------------------------------------------------------------------


def begin_run(connection: Connection, engine: Engine, name: str, settings: RunSettings, may_differ: Sequence[str]) -> Run:
    """The run of that name, new or as it was left."""
    wanted: RunSettings = json.loads(json.dumps(settings))  # as it will be read back
    take_lock(connection)
    row = connection.execute(select(RUNS.c.id, RUNS.c.settings).where(RUNS.c.name == name)).first()
    if row is None:
        values = {"name": name, "settings": json.dumps(wanted), "facedown": facedown.__version__, "created": now()}
        id = connection.scalar(insert(RUNS).returning(RUNS.c.id), values)
        assert isinstance(id, int)
        return Run(engine, id, name, wanted, resumed=False)
    stored: RunSettings = settings_in(row.settings)
    check_settings(name, stored, wanted, may_differ)
    merged = {**stored, **{key: larger(stored.get(key), wanted[key]) for key in may_differ if key in wanted}}
    if merged != stored:
        connection.execute(update(RUNS).where(RUNS.c.id == row.id).values(settings=json.dumps(merged)))
    return Run(engine, row.id, name, merged, resumed=True)


def check_settings(name: str, stored: RunSettings, wanted: RunSettings, may_differ: Sequence[str]) -> None:
    """Refuse to resume a run with other settings than it began with."""
    differing = [
        f"{key} expected {setting(stored, key)}, got {setting(wanted, key)}"
        for key in {**stored, **wanted}
        if key not in may_differ and (key not in stored or key not in wanted or stored[key] != wanted[key])
    ]
    if differing:
        raise StoreError(f"the run {name!r} began with other settings: {'; '.join(differing)}")


def setting(settings: RunSettings, key: str) -> str:
    """A setting as JSON, shortened."""
    value = json.dumps(settings[key]) if key in settings else MISSING
    return value if len(value) <= 80 else f"{value[:77]}..."


def larger(stored: Any, wanted: Any) -> Any:
    """The larger of two numbers, so that resuming a run never makes it look shorter than it is."""
    both = isinstance(stored, int | float) and isinstance(wanted, int | float)
    return max(stored, wanted) if both else wanted


# --- Games ------------------------------------------------------------------------------------------------------------


def add_to_run(connection: Connection, run_id: int, name: str, played: Sequence[PlayedGame]) -> int:
    """Store those games of a run that are new; return how many."""
    if connection.scalar(select(RUNS.c.id).where(RUNS.c.id == run_id).with_for_update()) is None:
        raise StoreError(f"expected the run {name!r}, which is no longer there")
    lines: dict[tuple[int, int], tuple[str, PlayedGame]] = {}
    for game in played:
        line = game.record.to_json()
        known = lines.setdefault((game.deal, game.seating), (line, game))
        check_equal(known[0], line, name, game.deal, game.seating)
    for deal, seating, stored in games_at(connection, run_id, list(lines)):
        check_equal(stored, lines.pop((deal, seating))[0], name, deal, seating)
    insert_games(
        connection,
        [
            ({**times_of(game), "run_id": run_id, "deal": deal, "seating": seating, "record": line}, game.record)
            for (deal, seating), (line, game) in lines.items()
        ],
    )
    return len(lines)


def times_of(game: PlayedGame) -> dict[str, float | None]:
    """What a game took, as columns."""
    return {"seconds": game.seconds, "cpu_seconds": game.cpu_seconds}


def games_at(connection: Connection, run_id: int, places: Sequence[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """The records a run has at some deals and seatings."""
    wanted = set(places)
    deals = sorted({deal for deal, _ in places})
    found: list[tuple[int, int, str]] = []
    for start in range(0, len(deals), NAMES_AT_ONCE):
        question = select(GAMES.c.deal, GAMES.c.seating, GAMES.c.record).where(
            GAMES.c.run_id == run_id, GAMES.c.deal.in_(deals[start : start + NAMES_AT_ONCE])
        )
        rows = connection.execute(question)
        found += [(deal, seating, record) for deal, seating, record in rows if (deal, seating) in wanted]
    return found


def check_equal(stored: str, line: str, name: str, deal: int, seating: int) -> None:
    """Refuse another game at the same deal and seating."""
    if stored != line:
        raise StoreError(
            f"expected the game that run {name!r} has at deal {deal}, seating {seating}, got another: "
            "the agents, the game or the program have changed since"
        )


def new_ids(connection: Connection, count: int) -> Sequence[int]:
    """Ids for new games, reserved in one query: rows that return their ids are inserted one by one."""
    if connection.dialect.name == "postgresql":
        sequence = text("SELECT nextval(pg_get_serial_sequence('games', 'id')) FROM generate_series(1, :count)")
        return connection.scalars(sequence, {"count": count}).all()
    first = (connection.scalar(select(func.max(GAMES.c.id))) or 0) + 1
    return range(first, first + count)


def insert_games(connection: Connection, games: Sequence[tuple[dict[str, Any], GameRecord]]) -> list[int]:
    """Store games with their players; return their ids."""
    if not games:
        return []
    finished = now()
    ids = new_ids(connection, len(games))
    rows = [
        {
            **values,
            "id": id,
            "game": record.game,
            "version": record.version,
            "seed": str(record.seed),
            "actions": len(record.history),
            "forfeit": record.forfeit and record.forfeit["seat"],
            "finished": finished,
            "trusted": record.trusted,
        }
        for id, (values, record) in zip(ids, games, strict=True)
    ]
    connection.execute(insert(GAMES), rows)
    players = [
        {"game_id": id, "seat": seat, "agent": agent, "score": score, "best": best}
        for id, (_, record) in zip(ids, games, strict=True)
        for seat, (agent, score, best) in enumerate(
            zip(record.agents, record.scores, record.best or repeat(None), strict=False)
        )
    ]
    connection.execute(insert(PLAYERS), players)
    return list(ids)
