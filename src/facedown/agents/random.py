"""The weakest player: any legal action, each as likely."""

from facedown.agents.player import Agent
from facedown.game import View
from facedown.rng import draw


class Random(Agent):
    """Any legal action."""

    name = "random"
    summary = "any legal action, each as likely"

    def choose(self, view: View) -> int:
        """One of the legal actions."""
        legal = view.legal
        return legal[draw(self.stream(view), len(legal))]
