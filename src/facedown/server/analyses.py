"""What an agent thinks of each decision of a finished game, or of a position: found out beside the tables."""

import asyncio
from collections import OrderedDict
from typing import Any

from facedown.errors import BadText, FacedownError
from facedown.game import Game
from facedown.record import ENCODER, GameRecord
from facedown.server.caps import checked_agent
from facedown.server.hall import Hall
from facedown.server.listeners import Listener
from facedown.server.messages import Data, encoded
from facedown.server.refusals import Refusal, unknown
from facedown.server.thinking import AgentFailed, Question
from facedown.server.tokens import new_id
from facedown.server.wire import NewAnalysis
from facedown.view import View

MOST_KEPT = 50  # analyses in memory
MOST_DECISIONS = 2000  # of one game


class Moment:
    """A decision to look at: the view it was made from, and what was played."""

    def __init__(self, view: View, moves: int, action: int | None) -> None:
        self.view = view
        self.moves = moves
        self.action = action  # None for a position, where nothing was played yet

    def told(self, decision: Data) -> Data:
        """What the agent thinks of it; `regret` is how much reward it expects the action to have cost."""
        game = self.view.game
        played = None if self.action is None else game.text(self.action)
        return {
            "moves": self.moves,
            "seat": self.view.seat,
            "played": played,
            "regret": regret(decision.get("candidates", []), self.action),
            "decision": decision,
        }


def regret(candidates: list[Data], action: int | None) -> float | None:
    """The best mean less that of an action; None where the search has not tried it."""
    tried = [one for one in candidates if one["visits"]]
    own = [one["mean"] for one in tried if action in (one.get("actions") or (one["action"],))]
    return max(one["mean"] for one in tried) - max(own) if own else None


class Analysis:
    """One analysis."""

    def __init__(self, id: str, game: Game, agent: str, depth: int, moments: list[Moment]) -> None:
        self.id = id
        self.game = game
        self.agent = agent
        self.depth = depth
        self.moments = moments
        self.decisions: dict[int, Data] = {}  # by the number of actions before
        self.failure: str | None = None
        self.listeners: list[Listener] = []

    @property
    def status(self) -> str:
        """Running, done, or failed."""
        if self.failure is not None:
            return "failed"
        return "done" if len(self.decisions) == len(self.moments) else "running"

    def facts(self) -> Data:
        """What is known so far."""
        return {
            "id": self.id,
            "game": self.game.full_name,
            "agent": self.agent,
            "status": self.status,
            "failure": self.failure,
            "done": len(self.decisions),
            "total": len(self.moments),
            "decisions": [self.decisions[key] for key in sorted(self.decisions)],
        }

    async def run(self, hall: Hall) -> None:
        """Ask the agent about every decision, as many at once as there are workers."""
        waiting = list(reversed(self.moments))

        async def work() -> None:
            while waiting and self.failure is None:
                moment = waiting.pop()
                question = Question.of(moment.view, self.agent, 0, explain=True, depth=self.depth)
                try:
                    answer = await hall.thinkers.ask(self.id, question)
                except AgentFailed as error:
                    self.failure = str(error)
                    return
                self.decisions[moment.moves] = told = moment.told(answer.decision or {})
                self.tell({"event": "decision", "done": len(self.decisions), "total": len(self.moments), **told})

        await asyncio.gather(*(work() for _ in range(hall.thinkers.count)))
        self.tell({"event": "analysis_over", "status": self.status, "failure": self.failure})
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
        if self.status == "running":
            self.listeners.append(listener)
        else:
            listener.close(1000)


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
        if text is None:
            raise Refusal(422, "bad_request", "expected a record, or a game and a position, got neither")
        game = await self.hall.game(text)
        agent = checked_agent(wish.agent, game, self.hall.caps)
        try:
            moments = await asyncio.to_thread(moments_of, game, record, wish.position)
        except FacedownError as error:
            raise Refusal(422, "bad_text", str(error)) from None
        found = Analysis(new_id(), game, agent, wish.depth, moments)
        self.by_id[found.id] = found
        while len(self.by_id) > MOST_KEPT:
            self.by_id.popitem(last=False)
        self.hall.spawn(found.run(self.hall))
        return found


def moments_of(game: Game, record: GameRecord | None, position: str | None) -> list[Moment]:
    """The decisions of a record at which there was something to decide, or the one of a position."""
    if record is None:
        if position is None:
            raise BadText("expected a record or a position, got neither")
        state = game.position(position, trusted=False)
        if state.seat is None:
            raise BadText("expected a position in which somebody is to act, got the end of a game")
        return [Moment(state.view(state.seat), 0, None)]
    found: list[Moment] = []
    steps = iter(record.steps())
    for (seat, action), state in zip(record.history, steps, strict=False):
        if len(state.legal) > 1 and len(found) < MOST_DECISIONS:
            found.append(Moment(state.view(seat), state.actions_played, action))
    for _ in steps:  # refuses a record that breaks the rules after its last decision
        pass
    return found


def read_record(data: dict[str, Any]) -> GameRecord:
    """A record that was sent, checked and not trusted."""
    try:
        return GameRecord.from_json(ENCODER.encode(data))
    except ValueError as error:
        raise Refusal(422, "bad_text", str(error)) from None
