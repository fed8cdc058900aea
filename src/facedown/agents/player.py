"""What an agent is: one class with one method.

class Lowest(Agent):
    name = "lowest"

    def choose(self, view):
        return min(view.legal)
"""

from typing import Any, ClassVar

from facedown.agents.asking import one_thread_at_a_time
from facedown.errors import BadOption
from facedown.kernel import Array
from facedown.options import Option, Value, check_seed, full_text, set_options
from facedown.rng import stream
from facedown.search.decision import Decision
from facedown.state import State
from facedown.view import View


class Agent:
    """A player: given a view, it chooses an action. Only an agent with `sees_all` is given the state."""

    name: ClassVar[str]
    summary: ClassVar[str] = ""
    sees_all: ClassVar[bool] = False
    plays: ClassVar[tuple[str, ...]] = ()  # the only games it can play; empty: all
    asks: tuple[str, ...] = ()  # the special questions that a game must answer
    declared: ClassVar[tuple[Option, ...]] = ()  # the options it takes
    seconds: float | None = (
        None  # that its last choice took, if it reports them; searches do not, since times differ on every run
    )

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Allow one thread at a time to ask an agent: `decision` belongs to the last choice."""
        super().__init_subclass__(**keywords)
        if "choose" in vars(cls):
            cls.choose = one_thread_at_a_time(cls.choose)  # type: ignore[method-assign]  # the same method, guarded

    def __init__(self, seed: int = 0, **options: Value) -> None:
        """Options as keywords; `agent.options` lists them with their meaning."""
        self.seed = check_seed(seed)
        self.path: str | None = None  # where it was found, if not by its name
        self.options = set_options(self.name, self.declared, options)
        self.decision: Decision | None = None

    def __repr__(self) -> str:
        """The agent's text."""
        return f"<Agent {self.text}>"

    @property
    def text(self) -> str:
        """The text that makes this agent again."""
        return full_text(self.path or self.name, self.options)

    def choose(self, view: Any) -> int:
        """The action to play: the same for the same view and seed."""
        raise NotImplementedError

    def check_game(self, view: State | View) -> None:
        """Refuse a game that it cannot play."""
        if self.plays and view.game.name not in self.plays:
            games = " or ".join(self.plays)
            raise BadOption(f"expected the game {games}, which is all that {self.name} can play, got {view.game.name}")

    def stream(self, position: State | View) -> Array:
        """Random numbers for one decision, determined by the agent's seed and what it sees, not by any clock."""
        return stream(self.seed, cards_seen(position) if isinstance(position, View) else position.data.tobytes())


def shown_to(player: Agent, state: State) -> State | View:
    """What an agent is given when its seat is to move: the seat's view, or a copy of the state if it sees all."""
    seat = state.seat
    assert seat is not None
    return state.copy() if player.sees_all else state.view(seat)


def cards_seen(view: View) -> bytes:
    """What a view shows, without the seconds that players took, which never repeat."""
    return bytes(View(view.game, view.data, view.seat, view.history))
