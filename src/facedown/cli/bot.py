"""The command facedown bot."""

import asyncio
import json as jsons
from typing import TYPE_CHECKING, Any

import typer

from facedown.cli.arguments import AS_JSON, SEED, chosen_seed, whole
from facedown.cli.output import counted, stdout_for_results
from facedown.errors import FacedownError, loading, require_extra

if TYPE_CHECKING:
    from facedown.client import Client, Over
    from facedown.client.players import Thinking
    from facedown.server.wire import TableFacts


def bot(
    url: str = typer.Argument(help="The address of an arena server: http://127.0.0.1:8000."),
    agent: str = typer.Option("ismcts", metavar="AGENT", help="Who plays: random, ismcts:seconds=0.2, file.py:NAME."),
    table: str = typer.Option(None, metavar="ID", help="The table; by default the newest one with an open seat."),
    competition: str = typer.Option(None, metavar="ID", help="Play all games of a competition instead."),
    name: str = typer.Option(None, help="The bot's name at the table; by default that of the agent."),
    game: str = typer.Option(None, help="Only tables of this game."),
    at_once: str = typer.Option("1", metavar="N", help="How many games of a competition to play at a time."),
    seed: str = SEED,
    json: bool = AS_JSON,
) -> None:
    """Let an agent play at a table of an arena server, or in a competition."""
    for module in ("httpx", "websockets", "pydantic"):
        require_extra(module, module, "server")
    from facedown.client.players import Thinking

    if table is not None and competition is not None:
        raise FacedownError("expected a table or a competition, got both")
    own_seed, games_at_once = chosen_seed(seed), whole("at_once", at_once, 1)
    with loading(agent), stdout_for_results():
        player = Thinking(agent, own_seed)
    report = Report(name or f"{player.name} bot", agent, quiet=json)
    playing = (
        compete(url, competition, player, report, games_at_once)
        if competition is not None
        else sit_down(url, table, game, player, report)
    )
    try:
        with stdout_for_results(json):
            asyncio.run(playing)
    finally:
        if report.seated:
            report.end()


class Report:
    """What a bot prints: a line for each game and one in the end, or one JSON document."""

    def __init__(self, name: str, agent: str, quiet: bool) -> None:
        """`quiet`: only the document."""
        self.name, self.agent, self.quiet = name, agent, quiet
        self.games: list[dict[str, Any]] = []
        self.standings: list[dict[str, Any]] | None = None  # of a competition
        self.seated = False

    def sits(self, where: str, game: str) -> None:
        """It has taken its seat, or its place in a competition."""
        self.seated = True
        self.say(f"{self.name} plays {game} {where}")

    def say(self, line: str) -> None:
        """Print a line at once."""
        if not self.quiet:
            print(line, flush=True)

    def over(self, table: str, game: str, seats: list[int], over: "Over") -> None:
        """A game is over, in which the bot had one seat or several."""
        outcome = over.outcome
        told = None if outcome is None else outcome.model_dump()
        facts = {"table": table, "game": game, "seats": seats, "scores": over.scores, "outcome": told, "record": over.record}
        self.games.append({**facts, "won": outcome is not None and not set(seats).isdisjoint(outcome.winners)})
        scores = " ".join(f"{score:g}" for score in over.scores)
        reason = f": {outcome.words}" if outcome is not None and outcome.words else ""
        where = f"seat{'s' if len(seats) > 1 else ''} {' and '.join(map(str, seats))}"
        self.say(f"{game} at {table}, {where}: scores {scores}{reason}")

    def end(self) -> None:
        """Print the summary."""
        won = sum(one["won"] for one in self.games)
        if self.quiet:
            data = {"name": self.name, "agent": self.agent, "games": self.games, "won": won, "standings": self.standings}
            print(jsons.dumps(data))
            return
        for place, one in enumerate(self.standings or (), 1):
            print(f"{place}. {one['agent']}: {counted(one['games'], 'game')}, score {one['score']['value']:.4g}")
        print(f"{self.name} has played {counted(len(self.games), 'game')} and won {won}")


async def sit_down(url: str, table: str | None, game: str | None, player: "Thinking", report: Report) -> None:
    """Take a seat and play there."""
    from facedown.client import Client, play

    async with Client(url) as client:
        await client.health()
        facts = await client.table(table) if table is not None else await newest(client, game)
        check_game(facts.game, game)
        await player.warm_up(facts.game)
        async with client.sit(facts.id, report.name) as seat:
            report.sits(f"at table {facts.id}, seat {seat.number}", seat.game)
            over = await play(seat, player)
            assert seat.number is not None  # it has taken one
            report.over(facts.id, seat.game, [seat.number], over)


async def newest(client: "Client", game: str | None) -> "TableFacts":
    """The newest table with an open seat."""
    for facts in await client.tables():
        if facts.status == "waiting" and facts.competition is None and plays(facts.game, game):
            return facts
    kind = f" of {game}" if game else ""
    raise FacedownError(f"expected a table{kind} with an open seat at {client.url}, got none")


def plays(text: str, game: str | None) -> bool:
    """Whether a game is the one that is wanted, with any options where none are wanted."""
    return game is None or text == game or text.partition(":")[0] == game


def check_game(text: str, game: str | None) -> None:
    """Refuse another game than the one that is wanted."""
    if not plays(text, game):
        raise FacedownError(f"expected a table of {game}, got one of {text}")


async def compete(url: str, competition: str, player: "Thinking", report: Report, at_once: int) -> None:
    """Take part in a competition to its end."""
    from facedown.client import Client, play_all

    async with Client(url) as client:
        facts = await client.competition(competition)
        await player.warm_up(facts.game)
        async with client.enter(competition, report.name, at_once) as entry:
            report.sits(f"in competition {competition}", entry.game)

            def told(over: "Over") -> None:
                seats = sorted(seat for table, seat in entry.tracks if table == over.table and seat is not None)
                if over.table is not None and over.viewer == seats[0]:  # each of its seats is told
                    report.over(over.table, entry.game, seats, over)

            report.standings = (await play_all(entry, player, told)).standings
