"""What searching agents maximize: a kind of reward, or the win until it is decided and the score from then on.

The second, `pwl-sd`, is what Fernandes 2016 proposes in section 6.4: to win, and once nothing that may be played can change
who wins, the score difference. Whether the win is decided is asked of the position that is searched, by the game's question
`is_decided`; all seats of that search then aim for the score.

Departure: a game that has no score difference has its points in the place of it.
"""

from typing import TYPE_CHECKING

from facedown.compiler.asking import is_decided_for
from facedown.errors import BadOption
from facedown.game import Game
from facedown.rewards import REWARDS
from facedown.state import State
from facedown.view import View

if TYPE_CHECKING:
    from facedown.agents.tree import SearchAgent

WIN_THEN_SCORE = "pwl-sd"
NAMES = (*REWARDS, WIN_THEN_SCORE)
WIN, SCORE, OTHER_SCORE = "pwl", "sd", "points"


def check(agent: "SearchAgent", game: Game) -> None:
    """Refuse a reward that a game does not have."""
    name = agent.value("reward")
    if name != WIN_THEN_SCORE and name not in game.rewards:
        raise BadOption(f"option reward: {game.name} has {', '.join(game.rewards)}, got {name!r}")
    if name == "match" and "match" in game.options and not game.options["match"].value:
        raise BadOption(f"option reward: match wants a match of several deals, {game.name}:match=N, got a single deal")


def kind_of(agent: "SearchAgent", position: State | View | None) -> int:
    """The kind of reward, one of rewards.REWARDS, that an agent searches a position for; without one, that of a new deal."""
    name = agent.value("reward")
    if name == WIN_THEN_SCORE:
        name = WIN
        if position is not None and is_decided_for(position.data, position.seat or 0):
            name = SCORE if SCORE in position.game.rewards else OTHER_SCORE
    return REWARDS[name]
