"""How likely each seat is to hold each unseen card, found out in a worker."""

from dataclasses import dataclass

from facedown.errors import BadOption
from facedown.inference.policy import policy_of
from facedown.server.messages import Data
from facedown.server.thinking import Shown
from facedown.view import View


@dataclass(frozen=True)
class BeliefsQuestion:
    """A view, and whether the plays so far are to be weighed, too."""

    shown: Shown
    inferred: bool

    def answer(self) -> Data:
        """Exact counts, and beside them the posterior where the game has a policy."""
        view = self.shown.view()
        return {
            "worlds": str(view.worlds()),
            "seats": view.game.seats,
            "seat": view.seat,
            "cards": view.beliefs(),
            "inferred": view.beliefs("policy") if self.inferred and has_policy(view) else None,
        }


def has_policy(view: View) -> bool:
    """Whether a policy is shipped for the game."""
    try:
        policy_of(view.game)
    except BadOption:
        return False
    return True
