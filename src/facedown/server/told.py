"""Games played elsewhere: what a client tells of one seat's game, made into that seat's view in a worker."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from facedown.advisor import Expectation, Session, cards_to_name, possible_actions, start_choices
from facedown.errors import BadText, FacedownError
from facedown.server.beliefs import BeliefsQuestion
from facedown.server.hall import Hall
from facedown.server.hints import HintQuestion
from facedown.server.messages import Data, view_data
from facedown.server.refusals import Refusal, refused
from facedown.server.thinking import AgentFailed, Shown, loaded
from facedown.server.wire_analysis import ToldGame
from facedown.view import View

MOST_SESSIONS = 16  # kept by each worker, so that one more entry need not tell all the others again
KEPT: OrderedDict[str, Session] = OrderedDict()  # by game, seat, hand and start


@dataclass(frozen=True)
class Told:
    """What was told of a game; plain data for other processes."""

    game: str
    seat: int
    hand: tuple[str, ...] | None
    entries: tuple[str, ...]
    start: tuple[tuple[str, Any], ...] = ()

    def session(self) -> Session:
        """The session of it: one that is known, as far as the entries are the same, and the rest told."""
        key = repr((self.game, self.seat, self.hand, self.start))
        session = KEPT.pop(key, None) or Session(loaded(self.game), self.seat, self.hand, dict(self.start))
        same = 0
        while same < min(len(session.entries), len(self.entries)) and session.entries[same] == self.entries[same]:
            same += 1
        session.undo(len(session.entries) - same)
        try:
            session.tell(*self.entries[same:])
        finally:
            KEPT[key] = session.copy()
            while len(KEPT) > MOST_SESSIONS:
                KEPT.popitem(last=False)
        return session

    def view(self) -> View:
        """The view of the seat; refused where something has happened that is not told."""
        session = self.session()
        if session.view is None or session.pending:
            raise BadText(f"expected {session.expects.words}, got no more entries")
        return session.view


@dataclass(frozen=True)
class Failure:
    """Why there is no answer: an error of the library is one that the client can mend."""

    code: str
    message: str
    entry: int | None

    @classmethod
    def of(cls, error: FacedownError) -> "Failure":
        """As the client is told it."""
        return cls(refused(error).code, str(error), getattr(error, "entry", None))

    def refusal(self) -> Refusal:
        """The answer."""
        refusal = Refusal(422, self.code, self.message)
        refusal.entry = self.entry
        return refusal


@dataclass(frozen=True)
class ViewQuestion:
    """The view that comes of a told game."""

    told: Told

    def answer(self) -> Shown | Failure:
        """The view as data."""
        try:
            return Shown.of(self.told.view())
        except FacedownError as error:
            return Failure.of(error)


@dataclass(frozen=True)
class AdviceQuestion:
    """All that is asked of a told game: the view, what to tell next, and what to do."""

    told: Told
    seconds: float
    agent: str | None = None
    inferred: bool = False

    def answer(self) -> Data | Failure:
        """The answer, in a worker."""
        try:
            return self._answer(self.told.session())
        except FacedownError as error:
            return Failure.of(error)

    def _answer(self, session: Session) -> Data:
        view, ready = session.view, session.view is not None and not session.pending
        own = ready and view is not None and view.to_move == session.seat
        shown = None if view is None else Shown.of(view)
        beliefs = None
        if view is not None and shown is not None and view.game.look_alike is None and not view.over:
            beliefs = BeliefsQuestion(shown, self.inferred).answer()
        worlds = None if view is None or view.over else str(view.worlds())
        return {
            "view": None if view is None else view_data(view),
            "expects": expects_data(session.expects),
            "start": start_choices(session.game, session.seat),
            "to_move": view.to_move if ready and view is not None else None,
            "legal": view.game.texts(view.legal) if own and view is not None else [],
            "possible": possible_actions(view) if ready and view is not None and not own else [],
            "cards": cards_to_name(session),
            "played": [[seat, text] for seat, text in session.spoken],
            "advice": HintQuestion(shown, self.seconds, self.agent).answer() if own and shown is not None else None,
            "beliefs": beliefs,
            "worlds": worlds,
        }


def expects_data(expects: Expectation) -> Data:
    """What has to be told next, as plain data."""
    return {
        "kind": expects.kind,
        "words": expects.words,
        "seat": expects.seat,
        "count": expects.count,
        "name": expects.name,
        "values": list(expects.values),
    }


def told_game(wish: ToldGame, game: str) -> Told:
    """What a request tells, as a worker takes it."""
    hand = None if wish.hand is None else tuple(wish.hand)
    return Told(game, wish.seat or 0, hand, tuple(wish.entries or ()), tuple((wish.start or {}).items()))


async def view_of_entries(hall: Hall, told: Told) -> View:
    """The view of a told game, found out in a worker."""
    found: Shown = await answered(hall, ViewQuestion(told))
    return found.view()


async def answered(hall: Hall, question: Any) -> Any:
    """The answer to a question about a told game; a failure is refused."""
    try:
        found = await hall.thinkers.ask("told", question)
    except AgentFailed as error:
        raise Refusal(422, "no_advice", str(error)) from None
    if isinstance(found, Failure):
        raise found.refusal()
    return found
