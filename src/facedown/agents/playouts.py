"""How searching agents play games out: by a policy of search/playouts, or as recorded players do, by a learnt policy."""

from typing import TYPE_CHECKING

from facedown.game import Game
from facedown.inference.playouts import learnt_playouts
from facedown.inference.policy import policy_of
from facedown.search.playouts.policies import PLAYOUTS, Prepared

if TYPE_CHECKING:
    from facedown.agents.tree import SearchAgent

LEARNT = "policy"
NAMES = (*PLAYOUTS, LEARNT)


def asked(name: str) -> tuple[str, ...]:
    """The questions that a game must answer to be played out so."""
    return ("action_features",) if name == LEARNT else PLAYOUTS[name].asks


def prepared(agent: "SearchAgent", game: Game | None) -> Prepared:
    """What an agent's options ask for; without a game, only what does not depend on it."""
    name = agent.value("playout")
    if name == LEARNT:
        if game is None:
            return PLAYOUTS["uniform"]()
        own = agent.model if isinstance(agent.model, str) else ""  # a table serves inference only
        return learnt_playouts(policy_of(game, own), game.actions, game.seats), {}
    parameter = agent.value("parameter")
    return PLAYOUTS[name](
        length=agent.value("ngram"), policy=agent.value("policy"), parameter=None if parameter < 0 else parameter
    )
