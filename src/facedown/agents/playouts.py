"""How searching agents play games out: by a policy of search/playouts, or as recorded players do, by a learnt policy."""

from functools import partial
from typing import TYPE_CHECKING

from facedown.errors import BadOption
from facedown.game import Game
from facedown.inference.playouts import learnt
from facedown.inference.policy import policy_of
from facedown.options import Option
from facedown.search.playouts.policies import PLAYOUTS, Prepared

if TYPE_CHECKING:
    from facedown.agents.tree import SearchAgent

LEARNT = "policy"
NAMES = (*PLAYOUTS, LEARNT)
OPPONENTS = Option(
    "opponents",
    "search",
    "how the other seats choose in the tree: each by search as if it saw all cards, or as playout=policy does",
    choices=("search", LEARNT),
)


def asked(name: str) -> tuple[str, ...]:
    """The questions that a game must answer to be played out so."""
    return ("action_features",) if name == LEARNT else PLAYOUTS[name].asks


def expects(agent: "SearchAgent") -> bool:
    """Whether the other seats play by the policy in the tree too."""
    return "opponents" in agent.options and agent.value("opponents") == LEARNT


def prepared(agent: "SearchAgent", game: Game | None) -> Prepared:
    """What an agent's options ask for; without a game, only what does not depend on it."""
    name = agent.value("playout")
    if expects(agent) and name != LEARNT:
        raise BadOption(f"option opponents: expected playout=policy with opponents=policy, got playout={name}")
    if expects(agent) and agent.value("parallel") != "root":
        raise BadOption(f"option opponents: expected parallel=root with opponents=policy, got {agent.value('parallel')}")
    if name == LEARNT:
        if game is None:
            return PLAYOUTS["uniform"]()
        own = agent.model if isinstance(agent.model, str) else ""  # a table serves inference only
        return partial(learnt, policy_of(game, own), game.actions, game.seats, expects(agent)), {}
    parameter = agent.value("parameter")
    return PLAYOUTS[name](
        length=agent.value("ngram"), policy=agent.value("policy"), parameter=None if parameter < 0 else parameter
    )
