"""A seat at a table, and an entrant's part in a competition: async contexts with events and actions."""

from typing import TYPE_CHECKING

from facedown.client.errors import ServerRefused
from facedown.client.events import Competing, CompetitionOver, Event, Over
from facedown.client.session import Place, Session, Track
from facedown.server.wire import ViewFacts

if TYPE_CHECKING:
    from facedown.client.client import Client

HERE: Place = (None, None)


class Seat(Session):
    """A seat at a table, or a spectator's place; `token` is good for `client.rejoin`."""

    def __init__(
        self,
        client: "Client",
        table: str,
        *,
        name: str | None = None,
        wanted: int | None = None,
        token: str | None = None,
        views: bool = True,
    ) -> None:
        """With a name it takes an open seat when it is entered."""
        super().__init__(client, f"/api/tables/{table}/live", token, views)
        self.table = table
        self.name = name
        self.game = ""  # its text, once entered
        self.over: Over | None = None
        self._wanted = wanted

    async def __aenter__(self) -> "Seat":
        if self.name is not None and self.token is None:
            self.token = (await self.client.take_seat(self.table, self.name, self._wanted)).token
        self.game = (await self.client.table(self.table)).game
        await self._start()
        return self

    @property
    def track(self) -> Track:
        """What is known of the game."""
        return self.tracks[HERE]

    @property
    def view(self) -> ViewFacts:
        """The last view that came; after each action only with `views`."""
        view = self.track.view
        assert view is not None  # it is the first event
        return view

    @property
    def number(self) -> int | None:
        """The seat's number; None for a spectator."""
        return self.view.seat

    @property
    def moves(self) -> int:
        """How many actions were played, as far as is known here."""
        return len(self.track.history)

    async def play(self, action: str) -> int:
        """Play an action, and wait until it is played: returns how many there were then, or raises ServerRefused."""
        return await self._play(HERE, action)

    def _over(self, event: Over) -> None:
        super()._over(event)
        self.over, self._ended = event, True


class Entry(Session):
    """An entrant's part in a competition: all its games; `token` is good for `client.reenter`."""

    many = True

    def __init__(
        self,
        client: "Client",
        competition: str,
        *,
        name: str | None = None,
        at_once: int = 1,
        token: str | None = None,
        views: bool = True,
    ) -> None:
        """With a name it takes an open place when it is entered."""
        super().__init__(client, f"/api/competitions/{competition}/live", token, views)
        self.competition = competition
        self.name = name
        self.game = ""
        self._at_once = at_once

    async def __aenter__(self) -> "Entry":
        if self.name is not None and self.token is None:
            self.token = (await self.client.take_part(self.competition, self.name, self._at_once)).token
        self.game = (await self.client.competition(self.competition)).game
        await self._start()
        return self

    async def play(self, table: str, viewer: int, action: str) -> int:
        """Play an action for a seat at one of the tables, and wait until it is played."""
        return await self._play((table, viewer), action)

    async def _take(self, event: Event) -> None:
        if isinstance(event, Competing):
            await self._catch_up_on_games(event.facts.tables)
        await super()._take(event)
        if isinstance(event, Competing) and event.facts.status == "over":
            facts = await self.client.competition(self.competition)
            await super()._take(CompetitionOver(standings=facts.standings))
            self._ended = True
        self._ended |= isinstance(event, CompetitionOver)

    async def _catch_up_on_games(self, tables: list[str]) -> None:
        """Tell the end of games that came to it while nobody was connected."""
        for (table, viewer), track in list(self.tracks.items()):
            if table is None or track.over is not None or table in tables:
                continue
            try:
                view, facts = await self.client.view(table, self.token), await self.client.table(table)
            except ServerRefused:
                continue  # it is gone
            if view.seat == viewer:
                self._catch_up((table, viewer), view)
            self._over(Over(table=table, viewer=viewer, scores=view.scores, outcome=view.outcome, record=facts.record))
