"""What the game's best player would do in a seat, why, and what may come of it; found out in a worker."""

from dataclasses import dataclass

from facedown.analysis.leads import as_rewards
from facedown.analysis.reasons import reasons
from facedown.analysis.risks import risks_of
from facedown.analysis.value import kind_of, measure_of
from facedown.search.decision import Decision
from facedown.server.messages import Data, measure_data
from facedown.server.thinking import Shown, player
from facedown.view import View

COMPARED = 3  # actions whose risks are told
DEPTH = 2  # of the tree
FIRST_SEARCH = "best:iterations=10"

_warm: set[str] = set()  # games that this process has searched


@dataclass(frozen=True)
class HintQuestion:
    """A seat's view, and how long to think; or who is asked instead of the game's best player."""

    shown: Shown
    seconds: float
    agent: str | None = None

    def answer(self) -> Data:
        """The action, or all of a set, and the reasons."""
        view, adviser = self.shown.view(), player(self.agent or f"best:seconds={self.seconds}", 0)
        if self.agent is None:
            warm_up(view)
        action, game = int(adviser.choose(view)), view.game
        found = adviser.decision or Decision(action, game.text(action))
        measure = measure_of(adviser, game)
        in_rewards = as_rewards(found, view, view.seat, measure, kind_of(adviser, game))
        decision = in_rewards or found
        measure = measure if in_rewards else measure_of(adviser, game, found.solved)
        compared = decision.candidates[:COMPARED]
        texts = {one.key: one.text for one in compared}
        risks = risks_of(view, list(texts))
        return {
            "action": game.text(action),
            "actions": decision.texts,
            "decision": {**decision.to_dict(), "texts": decision.texts, "tree": decision.tree(DEPTH)},
            "measure": measure_data(measure),
            "reasons": reasons(decision, measure),
            "risks": {risk: {texts[key]: share for key, share in shares.items()} for risk, shares in risks.items()},
        }


def warm_up(view: View) -> None:
    """Search once for nothing in a worker that is new to a game: its kernels are loaded before the seconds count."""
    if view.game.full_path not in _warm:
        player(FIRST_SEARCH, 0).choose(view)
        _warm.add(view.game.full_path)
