"""Runs of the store, as the server shows them: tournaments with their standings, and downloads of their games."""

import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Row, Select, func, select, tuple_

from facedown.arena.schedule import PAIRINGS, SEATINGS, schedule
from facedown.arena.stored import is_planned, stored_result
from facedown.arena.tournament import MOVE_SECONDS, TournamentResult, default_name
from facedown.errors import FacedownError, StoreError, plain_line
from facedown.lab.report.origin import Origin, command_of, tournament_words
from facedown.lab.report.report import bars_of, games_csv, html_report
from facedown.server.caps import checked_game
from facedown.server.figures import figures
from facedown.server.hall import Hall
from facedown.server.messages import Data
from facedown.server.refusals import Refusal
from facedown.store.database import reading
from facedown.store.places import settings_in
from facedown.store.reading import placed_line
from facedown.store.runs import Run, RunSettings
from facedown.store.tables import GAMES, PLAYERS, RUNS

RESULTS_KEPT = 4  # in memory: of a large run they take seconds to count
LINES_AT_ONCE = 200  # fetched of a download
FORFEITS_TOLD = 200
HIDDEN = ("seed", "code")  # of a run's settings: the seed is told by itself, what identifies the code says nothing here
DEFAULTS = {"pairing": PAIRINGS[0], "seating": SEATINGS[0], "move_seconds": MOVE_SECONDS, "decisions": False}
REPORT_POLICY = (  # a report has its styles in itself, and nothing else
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)


# --- All of them ------------------------------------------------------------------------------------------------------


def newest(hall: Hall, limit: int, over: Collection[str]) -> list[Data]:
    """The newest runs; `over` are those of competitions that are over."""
    with reading(hall.store.engine) as connection:
        rows = connection.execute(select(RUNS).order_by(RUNS.c.id.desc()).limit(limit)).all()
        counts = counted(connection, [row.id for row in rows])
        return [summary(connection, row, counts.get(row.id), over) for row in rows]


def by_name(hall: Hall, name: str, over: Collection[str]) -> Data:
    """The summary of one run."""
    with reading(hall.store.engine) as connection:
        row = connection.execute(select(RUNS).where(RUNS.c.name == name)).first() if "\0" not in name else None
        if row is None:
            raise Refusal(404, "not_found", f"expected the name of a run, got {name[:60]!r}")
        return summary(connection, row, counted(connection, [row.id]).get(row.id), over)


def counted(connection: Connection, ids: Sequence[int]) -> dict[int, tuple[int, datetime]]:
    """How many games runs have, and when the last one ended; indexes know it, no record is read."""
    found = select(GAMES.c.run_id, func.count().label("games"), func.max(GAMES.c.id).label("last"))
    last = found.where(GAMES.c.run_id.in_(ids)).group_by(GAMES.c.run_id).subquery()
    question = select(last.c.run_id, last.c.games, GAMES.c.finished).join(GAMES, GAMES.c.id == last.c.last)
    return {run: (games, finished) for run, games, finished in connection.execute(question)}


def summary(connection: Connection, row: Row[Any], count: tuple[int, datetime] | None, over: Collection[str]) -> Data:
    """What everybody may know of a run: nothing of deals that may still be played."""
    games, finished = count or (0, None)
    settings = settings_in(row.settings)
    closed = settings.get("competition") is not None and row.name not in over
    game, agents = settings.get("game"), settings.get("agents")
    if not isinstance(game, str) or not isinstance(agents, list):
        game, agents = first_deal(connection, row.id)
    seed = settings.get("seed")
    return {
        "name": row.name,
        "game": game,
        "agents": [str(agent) for agent in agents],
        "games": planned_games(settings),
        "games_played": games,
        "created": utc(row.created),
        "finished": utc(finished) if finished else None,
        "seed": None if closed or seed is None else str(seed),
        "competition": settings.get("competition"),
        "closed": closed,
    }


def first_deal(connection: Connection, run: int) -> tuple[str, list[str]]:
    """The game and the agents of a run whose settings do not tell: those of its first deal."""
    first = select(func.min(GAMES.c.deal)).where(GAMES.c.run_id == run).scalar_subquery()
    here = select(GAMES.c.game, PLAYERS.c.agent).join(PLAYERS).where(GAMES.c.run_id == run, GAMES.c.deal == first)
    rows = connection.execute(here.order_by(GAMES.c.seating, PLAYERS.c.seat)).all()
    return (rows[0].game if rows else "", list(dict.fromkeys(row.agent for row in rows)))


def planned_games(settings: RunSettings) -> int | None:
    """How many games a run was to have; None where that is not known."""
    if not is_planned(settings):
        return None
    try:
        told = settings["game"], len(settings["agents"]), settings["deals"], settings["pairing"], settings["seating"]
        return games_of(*told)
    except (FacedownError, TypeError):  # a game of a file, or that is installed no longer
        return None


@lru_cache(maxsize=1000)
def games_of(game: str, agents: int, deals: int, pairing: str, seating: str) -> int:
    """How many games a schedule has."""
    return schedule(checked_game(game), [str(number) for number in range(agents)], deals, 0, pairing, seating).games


def utc(time: datetime) -> str:
    """A time as text."""
    return time.isoformat(timespec="seconds") + "Z"


# --- One of them ------------------------------------------------------------------------------------------------------


class Results:
    """Results of runs, the last few of them kept: the same games have the same result."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int, str], TournamentResult] = OrderedDict()

    def of(self, hall: Hall, name: str) -> TournamentResult:
        """The result of a run; a Refusal where its games are no tournament that is known here."""
        run = hall.store.run(name)
        key = name, hall.store.count(name), json.dumps(run.settings, sort_keys=True)
        found = self._kept.pop(key, None) or self._read(run)
        self._kept[key] = found
        while len(self._kept) > RESULTS_KEPT:
            self._kept.popitem(last=False)
        return found

    def _read(self, run: Run) -> TournamentResult:
        try:
            return stored_result(run, checked_game)
        except FacedownError as error:
            if isinstance(error, StoreError) and isinstance(error.__cause__, Exception):
                raise  # of the database
            raise Refusal(422, "no_tournament", f"no figures: {error}") from error


def facts(hall: Hall, results: Results, name: str) -> Data:
    """A run with its figures, as far as its games are a tournament."""
    run = hall.store.run(name)
    told: Data = {
        **by_name(hall, name, [name]),
        "settings": {key: value for key, value in run.settings.items() if key not in HIDDEN},
        "command": command(run.settings, name),
    }
    try:
        return {**told, **all_figures(results.of(hall, name)), "problem": None}
    except Refusal as refusal:
        return {**told, **NO_FIGURES, "problem": refusal.message}


NO_FIGURES: Data = {
    "deals": None,
    "seatings": None,
    "lower_is_better": None,
    "standings": [],
    "comparisons": [],
    "forfeits": [],
    "running": [],
    "distributions": [],
}


def all_figures(result: TournamentResult) -> Data:
    """Standings, comparisons, forfeits, and what the report plots."""
    return {
        "deals": len(result.ledger.complete_deals()),
        "seatings": len(result.schedule.lineups),
        "lower_is_better": result.schedule.game.lower_is_better,
        **figures(result.ledger, result.standings, result.comparisons),
        "forfeits": forfeits(result),
        "distributions": [
            {"agent": text, "start": bars.start, "width": bars.width, "counts": list(bars.counts), "mean": bars.mean}
            for text, bars in bars_of(result).items()
        ],
    }


def forfeits(result: TournamentResult) -> list[Data]:
    """The first games that were forfeited, and why."""
    plan = result.schedule
    found = [one for one in result.ledger.results if one.forfeit is not None]
    return [
        {
            "deal": one.deal,
            "seating": one.seating,
            "seat": one.forfeit,
            "agent": plan.agents[plan.lineups[one.seating][one.forfeit or 0]],
            "reason": plain_line(one.reason or ""),
        }
        for one in found[:FORFEITS_TOLD]
    ]


def command(settings: RunSettings, name: str) -> str | None:
    """The command that plays the same games; None for a competition, which a server has played, and for an imported run."""
    if not is_planned(settings) or "competition" in settings:
        return None
    differing = {key: settings[key] for key in DEFAULTS if key in settings and settings[key] != DEFAULTS[key]}
    shown = {key.replace("_", "-"): value if isinstance(value, bool) else f"{value}" for key, value in differing.items()}
    own = None if name == default_name(settings) else name
    told: Mapping[str, str | bool | None] = {"deals": f"{settings['deals']}", "seed": f"{settings['seed']}", "name": own}
    return command_of(tournament_words(settings["game"], settings["agents"], {**told, **shown}))


# --- Downloads --------------------------------------------------------------------------------------------------------


def report(hall: Hall, results: Results, name: str) -> str:
    """The report of `facedown tournament --html`; the time that it took, and the machine, are not known any more."""
    result, run = results.of(hall, name), hall.store.run(name)
    with reading(hall.store.engine) as connection:
        version = connection.scalar(select(RUNS.c.facedown).where(RUNS.c.id == run.id))
    return html_report(result, Origin(command(run.settings, name) or "", f"facedown {version}", "", ""))


def csv(hall: Hall, results: Results, name: str) -> str:
    """The games as CSV, a row for each seat."""
    return games_csv(results.of(hall, name))


async def lines(hall: Hall, name: str) -> AsyncIterator[str]:
    """The records as lines of JSON, as `facedown export` writes them."""
    run: Run = await hall.read(hall.store.run, name)
    after = (-1, -1)
    while found := await hall.read(page, hall, run.id, after):
        yield "".join(f"{placed_line(record, name, deal, seating)}\n" for record, deal, seating in found)
        after = found[-1][1:]


def page(hall: Hall, run: int, after: tuple[int, int]) -> list[tuple[str, int, int]]:
    """Some records of a run, from a place on."""
    place = tuple_(GAMES.c.deal, GAMES.c.seating)
    columns: Select[Any] = select(GAMES.c.record, GAMES.c.deal, GAMES.c.seating)
    question = columns.where(GAMES.c.run_id == run, place > after).order_by(GAMES.c.deal, GAMES.c.seating)
    with reading(hall.store.engine) as connection:
        return [tuple(row) for row in connection.execute(question.limit(LINES_AT_ONCE))]


def disposition(how: str, name: str, ending: str) -> str:
    """The header that gives a download its name, whatever letters the run's name has."""
    name = name.replace("/", "-").replace("\\", "-")
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "-" for letter in name)
    return f"{how}; filename=\"{plain[:100]}{ending}\"; filename*=UTF-8''{quote(name[:100] + ending, safe='')}"
