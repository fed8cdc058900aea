"""A competition: entrants, built-in and remote, on the games of a tournament's schedule, each game at a table of its own.

Schedule, seeds, forfeits and statistics are those of `facedown tournament`; the games are stored as a run. So a competition
among built-in agents has the same records, and a server that was killed continues where it was.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from facedown.arena.schedule import Schedule, agent_seed, deal_seed, schedule
from facedown.arena.standings import results_of
from facedown.game import Game
from facedown.server import storage
from facedown.server.figures import Figures
from facedown.server.hall import Hall
from facedown.server.listeners import Listener
from facedown.server.messages import Data, encoded
from facedown.server.refusals import Refusal, no_token, wrong_token
from facedown.server.seats import AGENT, OPEN, REMOTE, Seat
from facedown.server.shown_table import OVER, PLAYING, WAITING, TableSettings
from facedown.server.storage import StoredCompetition
from facedown.server.table import TRIES_AGAIN, Table
from facedown.server.tokens import fits, hash_of, new_token
from facedown.store.results import GameResult, PlayedGame
from facedown.store.runs import Run, begin_run

MOST_TABLES = 64  # of one competition at once
MOST_GAMES = 200_000  # of one competition: a schedule of millions would hold up everybody
VIEW_HEAD = '{"event":"view",'

Place = tuple[int, int]  # deal and seating


def run_of(id: str) -> str:
    """The name of a competition's run in the store."""
    return f"competition-{id}"


@dataclass
class Entrant:
    """Who takes part: a built-in agent, or somebody with a token."""

    kind: str = OPEN
    name: str = ""  # an agent's text, or the name that somebody has chosen
    token_hash: str | None = None
    at_once: int = 1  # games that a remote entrant plays at a time


class Competition:
    """One competition."""

    def __init__(self, id: str, settings: Data, entrants: Sequence[Entrant], game: Game, hall: Hall) -> None:
        self.id = id
        self.settings = settings  # game, deals, seed, seating, pairing, move_seconds, name
        self.entrants = list(entrants)
        self.game = game
        self.hall = hall
        self.over = False
        self.plan: Schedule | None = None  # once all entrants are known
        self.run: Run | None = None
        self.results: dict[Place, GameResult] = {}
        self.tables: dict[Place, Table] = {}
        self.sockets: dict[int, list[Listener]] = {}  # of each entrant
        self.spectators: list[Listener] = []
        self.places: list[Place] = []  # of games that have not begun, the next one last
        self.figures = Figures()
        self.lock = asyncio.Lock()  # held while games are started

    @classmethod
    def restored(cls, stored: StoredCompetition, game: Game, hall: Hall) -> "Competition":
        """A competition as it was left."""
        found = cls(stored.id, stored.settings, [Entrant(**one) for one in stored.entrants], game, hall)
        found.over = stored.over
        return found

    @property
    def status(self) -> str:
        """Waiting for entrants, playing, or over."""
        if self.over:
            return OVER
        return WAITING if self.plan is None else PLAYING

    @property
    def run_name(self) -> str:
        """The name of its run in the store."""
        return run_of(self.id)

    @property
    def names(self) -> list[str]:
        """The entrants' names, which are different."""
        return [entrant.name for entrant in self.entrants]

    # --- Facts --------------------------------------------------------------------------------------------------------

    def summary(self) -> Data:
        """What everybody may know, without the standings."""
        total = self.plan.games if self.plan else None
        return {
            "id": self.id,
            "name": self.settings["name"],
            "game": self.settings["game"],
            "status": self.status,
            "entrants": [
                {"name": one.name, "kind": one.kind, "connected": one.kind == AGENT or bool(self.sockets.get(number))}
                for number, one in enumerate(self.entrants)
            ],
            "deals": self.settings["deals"],
            "seating": self.settings["seating"],
            "pairing": self.settings["pairing"],
            "move_seconds": self.settings["move_seconds"],
            "games": total,
            "games_played": len(self.results),
            "tables": [table.id for table in self.tables.values()],
            "run": self.run.name if self.run else None,
            "seed": self.settings["seed"] if self.over else None,
        }

    async def facts(self) -> Data:
        """The same with standings and comparisons, each figure with its interval; counted beside the event loop."""
        told: Data = {"standings": [], "comparisons": [], "running": []}
        if self.plan is not None and self.results:
            told = await asyncio.to_thread(self.figures.now, self.plan, self.results, self.over)
        return {**self.summary(), **told}

    # --- Entrants -----------------------------------------------------------------------------------------------------

    async def enter(self, name: str, at_once: int) -> str:
        """Take an open place; returns the token for all games."""
        async with self.lock:
            number = next((number for number, one in enumerate(self.entrants) if one.kind == OPEN), None)
            if number is None:
                raise Refusal(409, "full", "expected a competition with an open place, got one without")
            if name in self.names:
                raise Refusal(409, "name_taken", f"expected a name that no other entrant has, got {name!r}")
            token = new_token()
            entrants = [*self.entrants]
            entrants[number] = Entrant(REMOTE, name, hash_of(token), at_once)
            data = json.dumps([asdict(one) for one in entrants])
            await self.hall.journal.write(lambda connection: storage.update_competition(connection, self.id, entrants=data))
            self.entrants = entrants
        self.hall.log("entrant", competition=self.id, name=name)
        if all(one.kind != OPEN for one in self.entrants):
            await self.begin_soon()
        return token

    def entrant_of(self, token: str | None) -> int:
        """The entrant that a token belongs to."""
        if not token:
            raise no_token()
        for number, one in enumerate(self.entrants):
            if fits(token, one.token_hash):
                return number
        raise wrong_token()

    # --- Games --------------------------------------------------------------------------------------------------------

    def make_plan(self) -> Schedule:
        """The schedule of a tournament of these entrants."""
        told = self.settings
        how = told["pairing"], told["seating"]
        return schedule(self.game, self.names, told["deals"], told["seed"], *how, most=MOST_GAMES)

    async def begin(self) -> None:
        """All entrants are known: begin the run, or resume it."""
        async with self.lock:
            if self.plan is None:
                await self._begin(self.make_plan())
        await self.start_games()

    async def begin_soon(self) -> None:
        """Begin, now or when the store can be written: whoever was the last to enter has entered in any case."""
        try:
            await self.begin()
        except Refusal as error:
            self.hall.log("not_stored", competition=self.id, reason=error.message)
            self.hall.spawn(self._begin_later())

    async def _begin_later(self) -> None:
        await asyncio.sleep(TRIES_AGAIN)
        await self.begin_soon()

    async def _begin(self, plan: Schedule) -> None:
        kept = {key: self.settings[key] for key in ("seed", "deals", "pairing", "seating", "move_seconds")}
        settings = {"competition": self.id, "game": self.game.full_name, "version": self.game.version, "agents": self.names}
        engine, name = self.hall.store.engine, self.run_name

        def store(connection: Any) -> Run:
            storage.update_competition(connection, self.id, run=name)
            return begin_run(connection, engine, name, {**settings, **kept}, ())

        run = await self.hall.journal.write(store)
        found = await self.hall.read(lambda: list(results_of(run, self.game.seats)))
        self.run, self.plan = run, plan
        ended = self.results  # games that ended while the store was read
        self.results = {(one.deal, one.seating): one for one in found} | ended
        known = self.results.keys() | self.tables.keys()
        self.places = [place for place in plan.places() if place not in known][::-1]

    async def start_games(self) -> None:
        """Start as many games as may be played at once; the next that wait for an entrant are passed over."""
        async with self.lock:
            if self.plan is None or self.over:
                return
            if not self.places and not self.tables:
                await self.end()
                return
            passed: list[Place] = []
            while self.places and len(self.tables) < MOST_TABLES and len(passed) < MOST_TABLES:
                place = self.places.pop()
                if not self.may_begin(place):
                    passed.append(place)
                    continue
                try:
                    await self.start_game(place)
                except Refusal as error:
                    passed.append(place)
                    self.hall.log("not_stored", competition=self.id, reason=error.message)
                    self.hall.spawn(self.start_later())
                    break
            self.places += reversed(passed)

    async def start_later(self) -> None:
        """Try again when the store may be there again."""
        await asyncio.sleep(TRIES_AGAIN)
        await self.start_games()

    def may_begin(self, place: Place) -> bool:
        """Whether all remote entrants of a game are there and have time, and agents do not crowd out other tables."""
        assert self.plan is not None
        numbers = {*self.plan.lineups[place[1]]}
        remote = [number for number in numbers if self.entrants[number].kind == REMOTE]
        if not remote:
            return len(self.tables) < 2 * self.hall.thinkers.count
        busy = [number for table in self.tables.values() for number in self.numbers_at(table)]
        return all(self.sockets.get(number) and busy.count(number) < self.entrants[number].at_once for number in remote)

    def numbers_at(self, table: Table) -> set[int]:
        """The entrants of a game."""
        assert self.plan is not None
        assert table.settings.place is not None
        return {*self.plan.lineups[table.settings.place[2]]}

    async def start_game(self, place: Place) -> None:
        """Set up a game's table."""
        assert self.plan is not None
        assert self.run is not None
        deal, seating = place
        seed = self.settings["seed"]
        chosen = deal if self.game.chosen_deals else deal_seed(seed, deal)
        settings = TableSettings(
            self.game.full_name,
            chosen,
            f"{self.settings['name'] or 'competition'} {len(self.results) + len(self.tables) + 1}",
            move_seconds=self.settings["move_seconds"],
            hints=False,
            place=(self.run.name, deal, seating),
        )
        seats = []
        for seat, number in enumerate(self.plan.lineups[seating]):
            one = self.entrants[number]
            own = agent_seed(seed, deal, seating, seat)
            agent = one.name if one.kind == AGENT else None
            seats.append(Seat(one.kind, one.name, agent, own, one.token_hash))
        self.tables[place] = table = await self.hall.add(settings, seats, self.game, self.id)
        for number in self.numbers_at(table):
            for socket in self.sockets.get(number, ()):
                self.connect(table, number, socket)

    def adopt(self, table: Table) -> None:
        """A game that was under way when the server stopped."""
        assert table.settings.place is not None
        self.tables[table.settings.place[1:]] = table

    async def game_over(self, table: Table) -> None:
        """Count a game, and start the next."""
        assert table.settings.place is not None
        assert table.finished is not None
        place = table.settings.place[1:]
        self.tables.pop(place, None)
        self.results[place] = GameResult.of(PlayedGame(*place, table.finished, None))
        self.tell({"event": "progress", "games": self.plan.games if self.plan else None, "games_played": len(self.results)})
        await self.start_games()

    async def end(self) -> None:
        """All games are played."""
        self.over = True
        try:
            await self.hall.journal.write(lambda connection: storage.update_competition(connection, self.id, over=True))
        except Refusal as error:  # it will be found to be over when the server starts again
            self.hall.log("not_stored", competition=self.id, reason=error.message)
        self.hall.log("competition_over", competition=self.id)
        facts = await self.facts()
        self.tell({"event": "competition_over", "standings": facts["standings"]})

    # --- Sockets ------------------------------------------------------------------------------------------------------

    def join(self, number: int | None, listener: Listener) -> None:
        """An entrant is there: it gets all events of its games under way, and new ones; a spectator, the progress."""
        listener.tell(encoded({"event": "competition", **self.summary()}))
        if number is None:
            self.spectators.append(listener)
            return
        self.sockets.setdefault(number, []).append(listener)
        for table in self.tables.values():
            if number in self.numbers_at(table):
                self.connect(table, number, listener)
        self.hall.spawn(self.start_games())

    def connect(self, table: Table, number: int, listener: Listener) -> None:
        """Let an entrant's socket hear of a table, at each of its seats."""
        assert self.plan is not None
        for seat, other in enumerate(self.plan.lineups[table.settings.place[2]]):  # type: ignore[index]  # it has a place
            if other == number:
                table.join(seat, TableListener(listener, table.id, seat), None)

    def leave(self, number: int | None, listener: Listener) -> None:
        """A socket has gone."""
        if number is None:
            self.spectators.remove(listener)
            return
        if listener in self.sockets.get(number, ()):
            self.sockets[number].remove(listener)
        for table in self.tables.values():
            for seat, listeners in list(table.listeners.items()):
                for one in [one for one in listeners if isinstance(one, TableListener) and one.whole is listener]:
                    table.leave(seat, one)

    def tell(self, message: Data) -> None:
        """Tell all entrants and spectators the same."""
        text = encoded(message)
        for listeners in [*self.sockets.values(), self.spectators]:
            for listener in listeners:
                listener.tell(text)

    async def move(self, number: int, table_id: str, action: str, moves: int | None) -> None:
        """Play an entrant's action at one of its tables."""
        table = next((table for table in self.tables.values() if table.id == table_id), None)
        if table is None or number not in self.numbers_at(table):
            raise Refusal(404, "not_found", f"expected the table of a game under way, got {table_id[:40]!r}")
        assert self.plan is not None
        assert table.settings.place is not None
        own = [seat for seat, other in enumerate(self.plan.lineups[table.settings.place[2]]) if other == number]
        mover = table.to_move
        await table.move(mover if mover is not None and mover in own else own[0], action, moves)

    def stored(self) -> tuple[Data, list[Data]]:
        """Settings and entrants as they are stored."""
        return self.settings, [asdict(one) for one in self.entrants]


class TableListener(Listener):
    """An entrant's one socket as it hears of one seat at one table: each event says which.

    `table` is its id in every event; what lies on the table, which a view has under that name, is called `zones`.
    """

    def __init__(self, whole: Listener, table: str, seat: int) -> None:
        self.whole = whole
        self.views = whole.views
        self._head = f'{{"table":"{table}","viewer":{seat},'

    def tell(self, message: str) -> None:
        """See Listener."""
        if message.startswith(VIEW_HEAD):
            view = json.loads(message)
            message = encoded({"zones" if key == "table" else key: value for key, value in view.items()})
        self.whole.tell(self._head + message[1:])

    def close(self, code: int = 1012) -> None:
        """See Listener."""
        self.whole.close(code)


def checked_entrants(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Entrants of whom no two are the same."""
    names = [one.name for one in entrants if one.kind != OPEN]
    for name in names:
        if names.count(name) > 1:
            raise Refusal(422, "bad_option", f"expected each agent once, got {name!r} twice")
    return [replace(one) for one in entrants]
