"""Agents that play as people do, by what a game says about its players: for training models, and for company."""

from facedown.agents.player import Agent
from facedown.errors import BadOption
from facedown.games.cheat import people as cheat_people
from facedown.games.cheat.styles import STYLES
from facedown.kernel import Array
from facedown.options import Option
from facedown.view import View


class Simulated(Agent):
    """A simulated player; the option `style` says which."""

    def choose(self, view: View) -> int:
        """What this player does; `seconds` says how long it took."""
        self.check_game(view)
        if view.to_move != view.seat:
            raise BadOption(f"expected a position with seat {view.seat} to move, got {view!r}")
        number = self.options["style"].value
        assert isinstance(number, int)
        action, self.seconds = self.choice(view, number, self.stream(view))
        return action

    @staticmethod
    def choice(view: View, number: int, rng: Array) -> tuple[int, float]:
        """The game's own answer: the action of a style, and how many seconds it took."""
        raise NotImplementedError


class CheatPerson(Simulated):
    """A player of Cheat with one of ninety styles."""

    name = "cheat-person"
    summary = "a simulated player of Cheat with one of 90 styles; reports how long it thought"
    plays = ("cheat",)
    declared = (Option("style", 0, "which player: 0 to 59 to train models on, 60 to 89 to test them", most=STYLES - 1),)
    choice = staticmethod(cheat_people.choice)
