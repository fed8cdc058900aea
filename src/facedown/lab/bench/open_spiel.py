"""OpenSpiel's side of the benchmark: its random play and its ISMCTS, at the same positions as ours.

The random play includes the deal, on both sides; OpenSpiel deals card by card through chance nodes, as its states must.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from facedown.errors import FacedownError
from facedown.game import Game
from facedown.state import State

INSTALL = "pip install 'facedown[openspiel]'"
NO_PASS = 0  # the first chance node's outcome; OpenSpiel draws it at random even where its game has no passing
UNLIMITED_WORLDS = -1


@dataclass(frozen=True)
class Counterpart:
    """A game as OpenSpiel knows it, with the options that make ours the same."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    points_per_reward: float = 1.0  # how far apart its returns are where our rewards differ by 1


COUNTERPARTS = {
    "hearts": Counterpart(
        name="hearts",
        parameters={"pass_cards": False, "qs_breaks_hearts": False},
        options={"passing": False},
        points_per_reward=39.0,  # of a deal's 26 points, one more of one's own lowers our reward by 1/39
    ),
}


def load_pyspiel() -> Any:
    """OpenSpiel's compiled module."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        raise FacedownError(f"expected OpenSpiel to be installed, got no module 'pyspiel': {INSTALL}") from None


class OpenSpiel:
    """One of OpenSpiel's games, and the work that is measured."""

    def __init__(self, game: Game) -> None:
        """`game` is ours, with the options of its counterpart."""
        self.pyspiel = load_pyspiel()
        self.counterpart = COUNTERPARTS[game.name]
        self.game = self.pyspiel.load_game(self.counterpart.name, dict(self.counterpart.parameters))
        self.bots = [self.pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.seats)]
        self.deals = 0

    def new_deal(self) -> Any:
        """A state about to be dealt, without passing."""
        state = self.game.new_initial_state()
        state.apply_action(NO_PASS)
        return state

    def play_deals(self, count: int) -> None:
        """Deal and play at random to the end, n times."""
        for _ in range(count):
            self.deals += 1
            self.pyspiel.evaluate_bots(self.new_deal(), self.bots, self.deals)

    def position(self, state: State) -> Any:
        """The same position: hands as they were dealt, then the same actions."""
        cards = self._dealt(state)
        twin = self.new_deal()
        while twin.is_chance_node():
            self._apply(twin, cards[(len(twin.history()) - 1) % len(cards)].pop())
        for _, action in state.history:
            self._apply(twin, state.game.text(action))
        return twin

    @staticmethod
    def _dealt(state: State) -> list[list[str]]:
        """Each seat's cards at the start of the deal."""
        hands = [list(hand) for hand in state.hands]
        for seat, action in state.history:
            hands[seat].append(state.game.text(action))
        return hands

    @staticmethod
    def _apply(twin: Any, text: str) -> None:
        """Play the action with this text in OpenSpiel."""
        seat = twin.current_player()
        twin.apply_action(next(action for action in twin.legal_actions() if twin.action_to_string(seat, action) == text))

    def search(self, position: Any, iterations: int, exploration: float) -> None:
        """Search, with one random rollout and one world for each iteration."""
        bot = self.pyspiel.ISMCTSBot(
            seed=0,
            evaluator=self.pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=0),
            uct_c=exploration * self.counterpart.points_per_reward,
            max_simulations=iterations,
            max_world_samples=UNLIMITED_WORLDS,
        )
        bot.step(position)
