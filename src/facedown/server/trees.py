"""Search trees: grown and flattened in workers, kept by the server, and shown part by part."""

from collections import OrderedDict
from dataclasses import dataclass

from facedown.agents import agent
from facedown.analysis.flat_tree import FlatTree, flatten
from facedown.analysis.leads import as_rewards
from facedown.analysis.value import kind_of, measure_of
from facedown.errors import BadOption
from facedown.server.caps import checked_agent
from facedown.server.hall import Hall
from facedown.server.messages import Data, measure_data
from facedown.server.refusals import Refusal, unknown
from facedown.server.sources import Sight
from facedown.server.thinking import AgentFailed, Shown, player
from facedown.server.tokens import new_id
from facedown.server.wire_analysis import NewTree

MOST_KEPT = 20  # trees in memory


@dataclass(frozen=True)
class GrownTree:
    """What a search found, and its tree."""

    decision: Data
    flat: FlatTree


@dataclass(frozen=True)
class TreeQuestion:
    """A view, and who searches."""

    shown: Shown
    agent: str
    seed: int

    def answer(self) -> GrownTree:
        """The search's whole tree, or as much as can be shown."""
        view, asked = self.shown.view(), player(self.agent, self.seed)
        asked.choose(view)
        if asked.decision is None:
            raise BadOption(f"expected an agent that searches, got {asked.name}")
        measure, kind = measure_of(asked, view.game), kind_of(asked, view.game)
        decision = as_rewards(asked.decision, view, view.seat, measure, kind) or asked.decision
        return GrownTree({**decision.to_dict(), "texts": decision.texts}, flatten(decision))


class Trees:
    """The trees of a server; the oldest are forgotten."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.by_id: OrderedDict[str, FlatTree] = OrderedDict()
        self._searching: set[str] = set()  # tables

    def find(self, id: str) -> FlatTree:
        """A tree by its id."""
        if id not in self.by_id:
            raise unknown("tree", id)
        return self.by_id[id]

    def children(self, id: str, node: int, start: int, limit: int) -> Data:
        """Some of the children of a node."""
        tree = self.find(id)
        if node >= tree.nodes:
            raise Refusal(404, "not_found", f"expected a node below {tree.nodes}, got {node}")
        children, more = tree.children(node, start, limit)
        return {"node": node, "children": children, "more": more}

    async def grow(self, sight: Sight, wish: NewTree) -> Data:
        """Search a view, and keep the tree; one at a time for a table."""
        game, view = sight.view.game, sight.view
        text = checked_agent(wish.agent, game, self.hall.caps)
        if view.to_move != view.seat:
            raise Refusal(
                409, "not_your_turn", f"expected the view of seat {view.to_move}, who is to move, got seat {view.seat}"
            )
        if sight.table in self._searching:
            raise Refusal(409, "busy", "expected one search at a time for a table, got another while the first is under way")
        id = new_id()
        busy = set() if sight.table is None else {sight.table}
        self._searching |= busy
        try:
            grown = await self.hall.thinkers.ask(sight.table or id, TreeQuestion(Shown.of(view), text, wish.seed))
        except AgentFailed as error:
            raise Refusal(422, "no_tree", str(error)) from None
        finally:
            self._searching -= busy
        self.by_id[id] = grown.flat
        while len(self.by_id) > MOST_KEPT:
            self.by_id.popitem(last=False)
        return {
            "id": id,
            "agent": text,
            "seed": wish.seed,
            "seat": view.seat,
            "nodes": max(grown.decision["nodes"], grown.flat.nodes),
            "kept": grown.flat.nodes,
            "iterations": grown.decision["iterations"],
            "root": grown.flat.root,
            "line": grown.decision["line"],
            "measure": measure_data(measure_of(agent(text, trusted=False), game)),
            "decision": grown.decision,
        }
