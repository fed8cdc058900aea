"""All tables of a server: made, found, restored after a crash, and forgotten when they are long over."""

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Connection

from facedown.agents.random import Random
from facedown.arena.match import PLAYERS
from facedown.errors import FacedownError, StoreError
from facedown.game import Game
from facedown.rng import stream
from facedown.server import storage
from facedown.server.caps import Caps, checked_agent, checked_game, checked_title
from facedown.server.event_log import EventLog
from facedown.server.journal import Journal
from facedown.server.metrics import Metrics
from facedown.server.refusals import Refusal, unknown
from facedown.server.seats import AGENT, Seat
from facedown.server.shown_table import OVER, TableSettings
from facedown.server.storage import StoredTable
from facedown.server.table import Table
from facedown.server.thinking import Thinkers
from facedown.server.tokens import new_id, new_seed
from facedown.server.wire import NewSeat, NewTable
from facedown.store import Store
from facedown.view import SPECTATOR

LOG = logging.getLogger("facedown.server")
MOST_TABLES = 5000  # that are not over
MOST_FINISHED = 200  # that are kept in memory
LONGEST_ID = 40
ABANDONED_AFTER = 7 * 86_400.0  # seconds
SWEEPS_EVERY = 3600.0


class Hall:
    """The tables."""

    def __init__(self, store: Store, thinkers: Thinkers, caps: Caps) -> None:
        self.store = store
        self.caps = caps
        self.thinkers = thinkers
        self.journal = Journal(store.engine)
        self.metrics = Metrics(self)
        self.events = EventLog()
        self.tables: dict[str, Table] = {}
        self.finished: OrderedDict[str, Table] = OrderedDict()
        self.on_end: Any = lambda table: None  # what a competition does when one of its games is over
        self.may_watch: Any = lambda table: True  # whether a competition lets others look on
        self._games: dict[str, Game] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._warm = asyncio.Lock()
        self._rematching = asyncio.Lock()

    # --- The house of a table -----------------------------------------------------------------------------------------

    def log(self, event: str, **fields: Any) -> None:
        """One line for an event; never with cards or actions in it."""
        self.events.write(event, fields)

    def moved(self, seconds: float) -> None:
        """Count an action."""
        self.metrics.moves.observe(seconds)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something in the background; a fault in it is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, Refusal):
            LOG.error("fault in the background", exc_info=error)

    def ended(self, table: Table) -> None:
        """Put a table among those that are over."""
        self.tables.pop(table.id, None)
        self.finished[table.id] = table
        while len(self.finished) > MOST_FINISHED:
            self.finished.popitem(last=False)
        self.on_end(table)

    # --- Games --------------------------------------------------------------------------------------------------------

    async def game(self, text: str) -> Game:
        """A game by a text from outside; compiled beside the event loop when it is first asked for."""
        game = checked_game(text)
        known = self._games.get(game.full_name)
        if known is None:
            async with self._warm:
                await asyncio.to_thread(warm_up, game)
            known = self._games[game.full_name] = game
            if len(self._games) > MOST_TABLES:
                del self._games[next(iter(self._games))]
        return known

    # --- Tables -------------------------------------------------------------------------------------------------------

    async def find(self, id: str) -> Table:
        """A table by its id."""
        table = self.tables.get(id) or self.finished.get(id)
        if table is not None:
            return table
        if len(id) <= LONGEST_ID:
            stored = await self.read(storage.finished_table, self.store.engine, id)
            if stored is not None:
                return await self._finished_again(stored)
        raise unknown("table", id)

    async def read(self, question: Any, *arguments: Any) -> Any:
        """Ask the store beside the event loop."""
        try:
            return await asyncio.to_thread(question, *arguments)
        except StoreError as error:
            raise Refusal(503, "no_store", f"please try again: {error}") from error

    async def _finished_again(self, stored: StoredTable) -> Table:
        """A table that is long over, from its record."""
        assert stored.record is not None
        game = (await self.read(self.store.game, stored.record)).record
        state = await asyncio.to_thread(game.replay)
        table = self._table(stored, state)
        table.record, table.finished = stored.record, game
        return table

    def check_watching(self, table: Table) -> None:
        """Refuse a spectator who could tell somebody cards of a deal that is to be played again."""
        if not self.may_watch(table):
            raise Refusal(403, "not_yet", "expected a competition that is over: others may still play the same deal")

    def _table(self, stored: StoredTable, state: Any) -> Table:
        seats = [Seat(**seat) for seat in stored.seats]
        table = Table(stored.id, TableSettings.of(dict(stored.settings)), seats, state, self)
        table.competition = stored.competition
        return table

    async def new_table(self, wish: NewTable) -> Table:
        """A table as somebody wants it."""
        self.check_room()
        game = await self.game(wish.game)
        if len(wish.seats) > game.seats:
            raise Refusal(422, "bad_option", f"expected at most {game.seats} seats for {game.name}, got {len(wish.seats)}")
        seed = new_seed() if wish.seed is None else wish.seed
        settings = TableSettings(
            game.full_name,
            seed,
            checked_title(wish.name),
            wish.seed is not None,
            wish.move_seconds or 0.0,
            wish.game_seconds or 0.0,
            wish.hints,
        )
        return await self.add(settings, self._seats(game, wish.seats, seed), game)

    def check_room(self) -> None:
        """Refuse one table too many."""
        if len(self.tables) >= MOST_TABLES:
            raise Refusal(429, "too_many_tables", f"expected at most {MOST_TABLES} tables at once, got one more")

    def _seats(self, game: Game, wishes: Sequence[NewSeat], seed: int) -> list[Seat]:
        """The seats of a table; where nothing is wished, the game's opponent."""
        seats = []
        for number in range(game.seats):
            wish = wishes[number] if number < len(wishes) else NewSeat()
            if wish.open and wish.agent is not None:
                raise Refusal(422, "bad_option", f"seat {number}: expected an agent or an open seat, got both")
            if wish.open:
                seats.append(Seat())
                continue
            text = checked_agent(wish.agent or game.opponent, game, self.caps)
            seats.append(Seat(AGENT, text, text, int(stream(seed, PLAYERS, number)[0])))
        return seats

    async def add(self, settings: TableSettings, seats: Sequence[Seat], game: Game, competition: str | None = None) -> Table:
        """A new table, stored."""
        state = game.deal(settings.seed)
        table = Table(new_id(), settings, seats, state, self)
        table.competition = competition
        data = table.stored()

        def store(connection: Connection) -> None:
            storage.add_table(connection, table.id, *data, competition)
            if settings.rematch_of is not None:
                storage.set_rematch(connection, settings.rematch_of, table.id)

        await self.journal.write(store)
        self.tables[table.id] = table
        self.log("table", table=table.id, game=settings.game)
        table.begin_turn()
        return table

    async def rematch(self, table: Table, token: str | None) -> Table:
        """The same players at a new table, one seat further round; their tokens are good there too."""
        table.seat_of(token)
        if table.status != OVER or table.competition is not None:
            raise Refusal(409, "not_over", "expected a table whose game is over, and of no competition, for a rematch")
        async with self._rematching:
            table = await self.find(table.id)  # which may have been forgotten, and have a rematch meanwhile
            if table.settings.rematch is None:
                self.check_room()
                seed = new_seed()
                moved = [table.seats[number - 1] for number in range(len(table.seats))]
                seats = [
                    replace(seat, agent_seed=int(stream(seed, PLAYERS, number)[0])) for number, seat in enumerate(moved)
                ]
                settings = replace(table.settings, seed=seed, seed_chosen=False, rematch_of=table.id, rematch=None)
                again = await self.add(settings, seats, table.game)
                table.settings = replace(table.settings, rematch=again.id)
                table.tell_all(json.dumps({"event": "rematch", "table": again.id}))
        assert table.settings.rematch is not None
        return await self.find(table.settings.rematch)

    async def restore(self) -> None:
        """Set up all tables as they were left; competitions continue theirs."""
        for stored in await self.read(lambda: list(storage.unfinished_tables(self.store.engine))):
            try:
                game = await self.game(stored.settings["game"])
                table = self._table(stored, game.deal(stored.settings["seed"]))
                table.restore(stored.moves)
            except FacedownError as error:  # the rules have changed since, or the game is gone
                LOG.error("table %s cannot be resumed: %s", stored.id, error)
                continue
            self.tables[table.id] = table
            table.begin_turn()
        if self.tables:
            self.log("resumed", tables=len(self.tables))

    async def forget_abandoned(self) -> None:
        """Now and then, forget tables at which nobody has played or been for a week."""
        while True:
            await asyncio.sleep(SWEEPS_EVERY)
            for table in [one for one in self.tables.values() if one.abandoned_for > ABANDONED_AFTER]:
                with suppress(Refusal):  # the next time, if the store is not there now
                    await self.journal.write(partial(storage.delete_table, id=table.id))
                    self.tables.pop(table.id, None)
                    self.log("abandoned", table=table.id)

    async def close(self) -> None:
        """Tell everybody that the server goes, and store what is left."""
        for table in [*self.tables.values(), *self.finished.values()]:
            for listeners in table.listeners.values():
                for listener in listeners:
                    listener.close()
        for task in self._tasks:
            task.cancel()
        await self.thinkers.close()
        await self.journal.close()
        self.events.flush()


def warm_up(game: Game) -> None:
    """Compile what every table of a game needs: or else the first action would stop the whole server for seconds."""
    from facedown.agents import agent
    from facedown.server.messages import view_data

    state = game.deal(0)
    random = agent(Random.name)
    for _ in range(2):
        if state.seat is None:
            break
        view = state.view(state.seat)
        state.check(view.legal[0])
        view_data(view)
        state.play(random.choose(view))
    view_data(state.view(SPECTATOR))
