"""OpenSpiel's games for the leak audit: random play, OpenSpiel's own worlds, and its own rules to check them.

A state of OpenSpiel's has its whole history, deals included, and so does a world made by `resample_from_infostate`. So a
world is checked by playing its history from the start: each step must be legal by OpenSpiel's own rules.
"""

import random
from collections.abc import Iterator
from typing import Any

from facedown.audit import Example
from facedown.cards import SUITS
from facedown.errors import UnknownName
from facedown.lab.bench.open_spiel import load_pyspiel
from facedown.options import Option, full_text, parse_text, set_options

PREFIX = "open-spiel:"
RESAMPLING = ("euchre", "hearts", "kuhn_poker", "leduc_poker")  # games whose worlds have the history that led to them
POSITIONS = 20  # of each deal
SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "spades", "hearts"), strict=True))


class OpenSpielGame:
    """A game of OpenSpiel's, as it is audited: `open-spiel:hearts` or `open-spiel:hearts:pass_cards=false`."""

    def __init__(self, text: str) -> None:
        """The text may leave out the prefix."""
        name, values = parse_text(text.removeprefix(PREFIX))
        if name not in RESAMPLING:
            raise UnknownName("game of OpenSpiel's that draws worlds", name, RESAMPLING)
        pyspiel = load_pyspiel()
        parameters = pyspiel.load_game(name).get_parameters()
        options = set_options(name, [Option(key, default, "") for key, default in parameters.items()], values)
        self.name = PREFIX + full_text(name, options)
        self.game = pyspiel.load_game(name, {key: options[key].value for key in values})

    def positions(self, deals: int, seed: int) -> Iterator["OpenSpielPosition"]:
        """Positions of random games in which a seat may choose."""
        for deal in range(deals):
            deal_seed = seed * 1_000_003 + deal
            rng = random.Random(f"{self.name} {deal_seed}")
            actions = self._random_game(rng)
            state = self.game.new_initial_state()
            choices = []
            for number, action in enumerate(actions):
                if not state.is_chance_node():
                    choices.append(number)
                state.apply_action(action)
            for number in sorted(rng.sample(choices, min(POSITIONS, len(choices)))):
                yield OpenSpielPosition(self.game, actions[:number], deal, deal_seed)

    def _random_game(self, rng: random.Random) -> list[int]:
        """The history of a random game, deals included."""
        state = self.game.new_initial_state()
        while not state.is_terminal():
            weights = dict(state.chance_outcomes()) if state.is_chance_node() else {}
            legal = state.legal_actions()  # without passing, outcomes list passes that are not legal
            state.apply_action(rng.choices(legal, [weights.get(action, 1.0) for action in legal])[0])
        history: list[int] = state.history()
        return history


class OpenSpielPosition:
    """A position of a game of OpenSpiel's."""

    why_no_world: str | None = None

    def __init__(self, game: Any, actions: list[int], deal: int, seed: int) -> None:
        """`actions` lead to it, chance's included."""
        self.game, self.deal, self.seed = game, deal, seed
        self.state = game.new_initial_state()
        self.texts = []
        for action in actions:
            if not self.state.is_chance_node():
                self.texts.append(self.state.action_to_string(action))
            self.state.apply_action(action)
        self.seat: int = self.state.current_player()
        self.rng = random.Random(f"{seed} {len(actions)}")

    def sample(self, count: int) -> list[Any]:
        """Worlds as OpenSpiel draws them."""
        return [self.state.resample_from_infostate(self.seat, self.rng.random) for _ in range(count)]

    def why_impossible(self, world: Any) -> str | None:
        """Play the world's own history from the start."""
        state = self.game.new_initial_state()
        plays = 0
        for action in world.history():
            legal = state.legal_actions()
            if action not in legal:
                return self._fault(state, plays, action, legal)
            plays += not state.is_chance_node()
            state.apply_action(action)
        return None if str(state) == str(world) else "its history leads to another state"

    def _fault(self, state: Any, plays: int, action: int, legal: list[int]) -> str:
        """What is wrong with an action: with cards, that a seat did not follow suit though it could."""
        seat, played = state.current_player(), state.action_to_string(action)
        expected = [state.action_to_string(choice) for choice in legal]
        suits = {text[-1] for text in expected}
        if suits <= set(SUITS) and len(suits) == 1 and played[-1] in set(SUITS) - suits:
            suit = SUIT_NAMES[suits.pop()]
            return f"seat {seat} did not follow {suit} with {played}, and holds {' '.join(expected)} in this world"
        return f"action {plays + 1}, {played}, is not legal for seat {seat}: expected one of {' '.join(expected)}"

    def what_differs(self, world: Any) -> str | None:
        """Compare OpenSpiel's text of the seat's knowledge."""
        if world.information_state_string(self.seat) == self.state.information_state_string(self.seat):
            return None
        return "the seat's information state is another in a world that was drawn from it"

    def example(self, words: str) -> Example:
        """A fault found here; the deal is the seed's, in this adapter's random play."""
        return Example(words, self.seat, self.seed, self.texts)
