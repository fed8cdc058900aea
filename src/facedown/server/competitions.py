"""All competitions of a server."""

import asyncio

from facedown.arena.schedule import Schedule
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.server import storage
from facedown.server.caps import checked_agent, checked_game, checked_title
from facedown.server.competition import Competition, Entrant, checked_entrants, run_of
from facedown.server.hall import LOG, Hall
from facedown.server.messages import Data
from facedown.server.refusals import Refusal, unknown
from facedown.server.seats import AGENT, OPEN
from facedown.server.table import Table
from facedown.server.tokens import new_id, new_seed
from facedown.server.wire import NewCompetition, NewEntrant


class Competitions:
    """The competitions, which play at the hall's tables."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.by_id: dict[str, Competition] = {}
        self.not_resumed: dict[str, bool] = {}  # by id, whether it was over: its game is gone, and may come again
        hall.on_end, hall.may_watch = self.table_over, self.may_watch

    def find(self, id: str) -> Competition:
        """A competition by its id."""
        if id not in self.by_id:
            raise unknown("competition", id)
        return self.by_id[id]

    def _runs(self) -> dict[str, bool]:
        """Runs of competitions by name, and whether these are over."""
        known = {id: one.over for id, one in self.by_id.items()}
        return {run_of(id): over for id, over in {**self.not_resumed, **known}.items()}

    def closed_runs(self) -> set[str]:
        """The runs whose deals may still be played."""
        return {run for run, over in self._runs().items() if not over}

    def open_runs(self) -> set[str]:
        """The runs of competitions that are over."""
        return {run for run, over in self._runs().items() if over}

    async def new(self, wish: NewCompetition) -> Competition:
        """A competition as somebody wants it; it begins at once where no place is open."""
        found, _ = await asyncio.to_thread(self._planned, wish, await self.hall.game(wish.game))
        data = found.stored()
        await self.hall.journal.write(lambda connection: storage.add_competition(connection, found.id, *data))
        self.by_id[found.id] = found
        self.hall.log("competition", competition=found.id, game=found.game.full_name)
        if all(one.kind == AGENT for one in found.entrants):
            await found.begin_soon()
        return found

    async def cost(self, wish: NewCompetition) -> Data:
        """How many games a competition would have."""
        _, plan = await asyncio.to_thread(self._planned, wish, checked_game(wish.game))
        return {"games": plan.games, "seatings": len(plan.lineups)}

    def _planned(self, wish: NewCompetition, game: Game) -> tuple[Competition, Schedule]:
        """A competition as somebody wants it, and its games; or it refuses."""
        entrants = checked_entrants([self._entrant(one, game) for one in wish.entrants])
        settings = wish.model_dump(exclude={"entrants", "seed"})
        settings["game"], settings["name"] = game.full_name, checked_title(wish.name)
        settings["seed"] = new_seed() if wish.seed is None else wish.seed
        found = Competition(new_id(), settings, entrants, game, self.hall)
        named = [one.name or f"open {number}" for number, one in enumerate(entrants)]
        return found, Competition(found.id, settings, [Entrant(OPEN, name) for name in named], game, self.hall).make_plan()

    def _entrant(self, wish: NewEntrant, game: Game) -> Entrant:
        if wish.open == (wish.agent is not None):
            raise Refusal(422, "bad_option", "expected each entrant to be an agent or open, got both or neither")
        if wish.agent is None:
            return Entrant()
        return Entrant(AGENT, checked_agent(wish.agent, game, self.hall.caps))

    def table_over(self, table: Table) -> None:
        """A game is over: its competition goes on."""
        if table.competition in self.by_id:
            self.hall.spawn(self.by_id[table.competition].game_over(table))

    def may_watch(self, table: Table) -> bool:
        """Whether spectators may see a game: not while remote entrants may still play the same deal in other seats."""
        found = self.by_id.get(table.competition or "")
        if found is None:
            return self.not_resumed.get(table.competition or "", True)
        return found.over or all(one.kind == AGENT for one in found.entrants)

    async def restore(self) -> None:
        """Resume all competitions; the hall has restored its tables."""
        for stored in await self.hall.read(storage.all_competitions, self.hall.store.engine):
            try:
                game = await self.hall.game(stored.settings["game"])
                found = Competition.restored(stored, game, self.hall)
                for table in self.hall.tables.values():
                    if table.competition == found.id:
                        found.adopt(table)
                self.by_id[found.id] = found
                if stored.run is not None or all(one.kind != OPEN for one in found.entrants):
                    await found.begin()
            except (FacedownError, Refusal) as error:
                self.not_resumed[stored.id] = stored.over
                LOG.error("competition %s cannot be resumed: %s", stored.id, error)
