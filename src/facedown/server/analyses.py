"""What an agent thinks of each decision of a finished game, or of a position: found out beside the tables."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from facedown.agents import agent
from facedown.agents.player import Agent
from facedown.analysis.grades import span_of
from facedown.analysis.judgement import Wanted, judged, unjudged
from facedown.analysis.moments import Moment, Moments, moments_of_position, moments_of_record
from facedown.analysis.players import players_of
from facedown.analysis.value import Measure, kind_of, measure, measure_of
from facedown.arena.replay import name_of, same_agent
from facedown.errors import FacedownError, IllegalMove
from facedown.game import Game
from facedown.record import GameRecord
from facedown.server.caps import Caps, checked_agent
from facedown.server.hall import Hall
from facedown.server.listeners import Listener
from facedown.server.messages import Data, encoded, measure_data
from facedown.server.refusals import Refusal, unknown
from facedown.server.thinking import AgentFailed, Shown, player, record_of
from facedown.server.tokens import new_id
from facedown.server.wire_analysis import NewAnalysis
from facedown.state import State

MOST_KEPT = 50  # analyses in memory
RECORDED = "recorded"  # in place of an agent: who made each decision


@dataclass(frozen=True)
class Study:
    """A decision, and who is asked about it."""

    shown: Shown
    moves: int
    deal: int
    action: int | None
    whole: bytes | None  # the record with all cards, where these may be looked at
    recorded: Data | None
    agent: str
    seed: int
    wanted: Wanted

    @classmethod
    def of(cls, moment: Moment, adviser: Agent, wanted: Wanted) -> "Study":
        """All cards go with it only where they are needed."""
        needs_all = moment.state is not None and (wanted.hindsight or adviser.sees_all)
        whole = moment.state.data.tobytes() if needs_all and moment.state is not None else None
        shown, recorded = Shown.of(moment.view), moment.recorded if wanted.recorded else None
        return cls(shown, moment.moves, moment.deal, moment.action, whole, recorded, adviser.text, adviser.seed, wanted)

    def answer(self) -> Data:
        """What the agent thinks, in a worker."""
        view = self.shown.view()
        state = None if self.whole is None else State(view.game, record_of(view.game, self.whole), 0, [])
        moment = Moment(view, self.moves, self.deal, self.action, state, self.recorded)
        return judged(player(self.agent, self.seed), moment, self.wanted)


@dataclass(frozen=True)
class Advisers:
    """Who is asked about the decisions of each seat, and on which scale they think."""

    text: str
    by_seat: Sequence[Agent | str]  # or the reason why nobody is
    kind: str  # of reward
    measure: Measure

    @classmethod
    def of(cls, game: Game, by_seat: Sequence[Agent | str], text: str) -> "Advisers":
        """The scale is that of the first who can be asked; those on another are asked, but their figures are left out."""
        first = next((one for one in by_seat if isinstance(one, Agent)), None)
        if first is None:
            return cls(text, by_seat, "points", measure(game))
        return cls(text, by_seat, kind_of(first, game), measure_of(first, game))

    def is_comparable(self, adviser: Agent, game: Game) -> bool:
        """Whether an agent's figures are on the common scale."""
        return (kind_of(adviser, game), measure_of(adviser, game)) == (self.kind, self.measure)


class Analysis:
    """One analysis."""

    def __init__(self, game: Game, wish: NewAnalysis, advisers: Advisers, moments: Moments, names: Sequence[str]) -> None:
        self.id = new_id()
        self.game = game
        self.seed = wish.seed
        self.wanted = Wanted(wish.depth, wish.hindsight, wish.agent == RECORDED)
        self.advisers = advisers
        self.moments = moments
        self.names = names  # of the players of a record
        self.total = len(moments.found)
        self.decisions: dict[int, Data] = {}  # by the number of actions before
        self.players: list[Data] | None = None
        self.failure: str | None = None
        self.over = False
        self.listeners: list[Listener] = []

    @property
    def status(self) -> str:
        """Running, done, or failed."""
        if self.failure is not None:
            return "failed"
        return "done" if self.over else "running"

    def facts(self) -> Data:
        """What is known so far."""
        return {
            "id": self.id,
            "game": self.game.full_name,
            "agent": self.advisers.text,
            "seed": self.seed,
            "status": self.status,
            "failure": self.failure,
            "done": len(self.decisions),
            "total": self.total,
            "measure": measure_data(self.advisers.measure),
            "players": self.players,
            "decisions": [self.decisions[key] for key in sorted(self.decisions)],
        }

    async def run(self, hall: Hall) -> None:
        """Ask about every decision, as many at once as there are workers."""
        waiting = list(reversed(self.moments.found))
        self.moments = replace(self.moments, found=[])  # which take much more memory than what is found out

        async def work() -> None:
            while waiting and self.failure is None:
                moment = waiting.pop()
                try:
                    told = await self.judge(moment, hall)
                except AgentFailed as error:
                    self.failure = str(error)
                    return
                self.decisions[moment.moves] = told
                self.tell({"event": "decision", "done": len(self.decisions), "total": self.total, **told})

        await asyncio.gather(*(work() for _ in range(hall.thinkers.count)))
        self.end()

    async def judge(self, moment: Moment, hall: Hall) -> Data:
        """What is thought of one decision."""
        adviser = self.advisers.by_seat[moment.view.seat]
        if isinstance(adviser, str):
            return unjudged(moment, adviser)
        told: Data = await hall.thinkers.ask(self.id, Study.of(moment, adviser, self.wanted))
        if not self.advisers.is_comparable(adviser, self.game):
            told.update(value=None, regret=None, regret_half=0.0, grade=None, hindsight=None)
        return told

    def give_up(self) -> None:
        """Nobody can ask for it any more: begin with no more of its decisions."""
        if not self.over:
            self.failure = self.failure or f"forgotten: expected at most {MOST_KEPT} analyses, got as many newer ones"

    def end(self) -> None:
        """Sum up, and tell that it is over."""
        if self.failure is None and self.names:
            decisions = list(self.decisions.values())
            self.players = players_of(self.names, decisions, self.moments, span_of(self.advisers.kind))
        self.over = True
        over = {"status": self.status, "failure": self.failure, "players": self.players}
        self.tell({"event": "analysis_over", **over})
        for listener in self.listeners:
            listener.close(1000)

    def tell(self, message: Data) -> None:
        """Tell all who listen."""
        text = encoded(message)
        for listener in self.listeners:
            listener.tell(text)

    def join(self, listener: Listener) -> None:
        """Tell a new listener what is known so far, and then what comes."""
        listener.tell(encoded({"event": "analysis", **self.facts()}))
        if self.over:
            listener.close(1000)
        else:
            self.listeners.append(listener)


class Analyses:
    """The analyses of a server; the oldest are forgotten."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.by_id: OrderedDict[str, Analysis] = OrderedDict()

    def find(self, id: str) -> Analysis:
        """An analysis by its id."""
        if id not in self.by_id:
            raise unknown("analysis", id)
        return self.by_id[id]

    async def new(self, wish: NewAnalysis, record: GameRecord | None) -> Analysis:
        """An analysis of a record, or of a position."""
        text = record.game if record is not None else wish.game
        if text is None or (record is None and wish.position is None):
            raise Refusal(422, "bad_request", "expected a record, or a game and a position, got neither")
        game = await self.hall.game(text)
        record = None if record is None else replace(record, trusted=False)  # its agents are asked in workers
        try:
            found: Analysis = await asyncio.to_thread(new_analysis, game, wish, record, self.hall.caps)
        except IllegalMove as error:
            raise Refusal(422, "bad_text", f"the record breaks the rules: {error}") from None
        self.by_id[found.id] = found
        while len(self.by_id) > MOST_KEPT:
            _, oldest = self.by_id.popitem(last=False)
            oldest.give_up()
        self.hall.spawn(found.run(self.hall))
        return found


def new_analysis(game: Game, wish: NewAnalysis, record: GameRecord | None, caps: Caps) -> Analysis:
    """An analysis that has not begun."""
    advisers = advisers_of(game, wish, record, caps)
    only = None if wish.moves is None else frozenset(wish.moves)
    names: list[str] = []
    if record is None:
        assert wish.position is not None
        moments = moments_of_position(game, wish.position)
        if wish.hindsight and moments.found[0].state is None:
            raise Refusal(422, "bad_request", "expected a whole position for hindsight, got what one seat sees")
    else:
        moments = moments_of_record(record, advisers.kind, only)
        names = [name_of(text) for text in record.agents]
    return Analysis(game, wish, advisers, moments, names)


def advisers_of(game: Game, wish: NewAnalysis, record: GameRecord | None, caps: Caps) -> Advisers:
    """Who is asked: one agent for all seats, or for each seat its own of the record."""
    if wish.agent != RECORDED:
        text = checked_agent(wish.agent, game, caps)
        return Advisers.of(game, [agent(text, wish.seed, trusted=False)] * game.seats, text)
    if record is None:
        raise Refusal(422, "bad_request", "expected a record, whose own agents are asked again, got a position")
    if len(record.agents) != game.seats:
        raise Refusal(422, "bad_text", f"expected {game.seats} agents in the record, got {len(record.agents)}")
    return Advisers.of(game, [recorded_agent(record, seat, game, caps) for seat in range(game.seats)], RECORDED)


def recorded_agent(record: GameRecord, seat: int, game: Game, caps: Caps) -> Agent | str:
    """The agent of a seat as it was, or the reason why it is not asked again."""
    found: Any = same_agent(record, seat)
    if isinstance(found, Agent):
        try:
            found.check_game(game.deal(0))
            caps.check(found)
        except FacedownError as error:
            return str(error)
    return found  # type: ignore[no-any-return]
