"""Each game's strongest known settings, and weaker players for people: less thought and honest mistakes.

A game names its strongest searching agent in `Game.best`, and its `opponent` stands in where it names none.
"""

from dataclasses import replace
from math import exp
from typing import Any, ClassVar

from facedown.agents.player import Agent
from facedown.errors import BadOption
from facedown.game import Game
from facedown.options import Option, parse_text
from facedown.rng import stream, uniform
from facedown.search.decision import Decision
from facedown.state import State
from facedown.view import View

SLIPS = 1  # a step of the path of random numbers, beside those of the search


class Best(Agent):
    """The strongest known settings of any game."""

    name = "best"
    summary = "each game's strongest known settings"
    declared: ClassVar[tuple[Option, ...]] = (
        Option("seconds", 1.0, "how long a decision may take", least=0.001, most=86_400.0),
        Option("iterations", 0, "how many iterations a decision gets, in place of seconds; 0 counts seconds", most=10**9),
    )

    def __init__(self, seed: int = 0, **values: Any) -> None:
        """See Agent."""
        super().__init__(seed, **values)
        self._players: dict[str, Agent] = {}  # by the game's text

    def player(self, game: Game) -> Agent:
        """The agent that plays a game."""
        from facedown.agents import agent_class

        if game.full_name not in self._players:
            name, options = parse_text(game.best)
            self._players[game.full_name] = agent_class(name)(self.seed, **{**options, **self.budget()})
        return self._players[game.full_name]

    def budget(self) -> dict[str, Any]:
        """What a decision may cost."""
        iterations = self.options["iterations"].value
        return {"iterations": iterations} if iterations else {"seconds": self.options["seconds"].value}

    def choose(self, view: State | View) -> int:
        """What the game's agent chooses."""
        player = self.player(view.game)
        action = player.choose(view)
        self.decision = player.decision
        return action

    def interrupt(self) -> None:
        """See SearchAgent."""
        for player in self._players.values():
            if hasattr(player, "interrupt"):
                player.interrupt()

    def best_so_far(self) -> int | None:
        """See SearchAgent."""
        found = [player.best_so_far() for player in self._players.values() if hasattr(player, "best_so_far")]
        return found[-1] if found else None


class Level(Best):
    """A weaker player: a small budget, and now and then an action that it knows to be worse, the less the worse it is."""

    temper: float  # how much worse an action may be, in reward, to be played a third as often as the best

    def choose(self, view: State | View) -> int:
        """The game's agent's choice, or a slip."""
        super().choose(view)
        if self.decision is None:
            raise BadOption(f"expected a searching agent as the best of {view.game.name}, got {view.game.best}")
        action = self.slip(view, self.decision)
        if action != self.decision.action:
            text = view.game.text(action)
            self.decision = replace(self.decision, action=action, text=text, line=[text])
        return action

    def slip(self, view: State | View, decision: Decision) -> int:
        """An action by chance: the nearer its reward to the best one, the likelier."""
        best = max((one.mean for one in decision.candidates), default=0.0)
        chances = [exp((one.mean - best) / self.temper) if one.visits else 0.0 for one in decision.candidates]
        own = self.stream(view)
        point = uniform(stream(self.seed, int(own[0]), SLIPS)) * sum(chances)
        for one, chance in zip(decision.candidates, chances, strict=True):
            point -= chance
            if point < 0.0:
                return one.action
        return decision.action


def level_options(iterations: int) -> tuple[Option, ...]:
    """A level counts iterations."""
    return (Option("iterations", iterations, "how many iterations a decision gets", least=1, most=10**9),)


class Easy(Level):
    """For beginners."""

    name = "easy"
    summary = "for beginners: little thought, and slips"
    declared = level_options(60)
    temper = 0.06

    def budget(self) -> dict[str, Any]:
        """See Best."""
        return {"iterations": self.options["iterations"].value}


class Normal(Easy):
    """For people who know the game."""

    name = "normal"
    summary = "for people who know the game: some thought, few slips"
    declared = level_options(400)
    temper = 0.015


class Hard(Easy):
    """For good players."""

    name = "hard"
    summary = "for good players: the game's best with thought enough, and no slips"
    declared = level_options(8000)
    temper = 1e-9
