"""A flattened tree tells what the tree itself does."""

import pickle
from typing import Any

import pytest

import facedown as fd
from facedown.agents import agent
from facedown.analysis.flat_tree import FlatTree, flatten
from facedown.search.decision import Decision

GROWN = [
    ("hearts:passing=hold", "ismcts:iterations=600"),
    ("hearts:passing=hold", "ismcts:iterations=600,threads=2"),  # two trees, added up
    ("hearts:passing=hold", "ismcts-t:iterations=600"),  # a graph
    ("hearts:passing=hold", "pimc:iterations=60"),  # a tree for each world
    ("hearts:passing=hold", "mo-ismcts:iterations=300"),
    ("hearts:passing=left", "ismcts:iterations=200"),  # sets of cards, without a tree
    ("cheat", "sdmcts:iterations=400"),  # a graph of information sets
    ("magic", "ensemble:iterations=200"),  # whole moves
]


def decision_of(name: str, text: str) -> Decision:
    """The first search of a game in which there is something to search."""
    state, player = fd.load(name).deal(2), agent(text)
    while not state.over:
        action = player.choose(state.view(state.seat or 0))
        if player.decision is not None and len(player.decision.candidates) > 1:
            return player.decision
        state.play(action)
    raise AssertionError("expected a decision with several candidates")


def below(flat: FlatTree, node: int) -> list[dict[str, Any]]:
    children, more = flat.children(node, 0, 1 << 30)
    assert more == 0
    return children


def compare(flat: FlatTree, node: int, tree: dict[str, Any]) -> int:
    """How many nodes of a tree are as the flat one tells them."""
    found, same = below(flat, node), 0
    if tree["children"]:
        assert len(found) == len(tree["children"])
    for one, branch in zip(found, tree["children"], strict=False):
        for name in ("text", "seat", "visits", "available"):
            assert one[name] == branch[name]
        assert one["mean"] == pytest.approx(branch["mean"], abs=1e-9)
        same += 1 + compare(flat, one["node"], branch)
    return same


@pytest.mark.parametrize(("name", "text"), GROWN)
def test_it_agrees_with_the_tree_of_the_decision(name: str, text: str) -> None:
    decision = decision_of(name, text)
    flat = pickle.loads(pickle.dumps(flatten(decision)))
    assert compare(flat, 0, decision.tree(4)) >= len(decision.candidates) > 1
    assert sum(one["share"] for one in below(flat, 0)) == pytest.approx(1.0)


def test_the_expected_line_is_marked_all_the_way() -> None:
    decision = decision_of("hearts:passing=hold", "ismcts:iterations=600")
    flat, node, line = flatten(decision), 0, []
    while marked := [one for one in below(flat, node) if one["on_line"]]:
        assert len(marked) == 1
        line.append(marked[0]["text"])
        node = marked[0]["node"]
    assert line == decision.line
    assert len(line) > 1


def test_a_node_of_a_graph_is_there_once_and_said_to_hang_elsewhere() -> None:
    flat = flatten(decision_of("hearts:passing=hold", "ismcts-t:iterations=600"))
    ways: dict[int, int] = {}
    again: dict[int, bool] = {}
    for node in range(flat.nodes):
        for one in below(flat, node):
            ways[one["node"]] = ways.get(one["node"], 0) + 1
            again[one["node"]] = one["again"]
    assert max(ways.values()) > 1
    assert again == {node: count > 1 for node, count in ways.items()}
    assert sorted(ways) == list(range(1, flat.nodes))


def test_no_node_of_a_tree_hangs_elsewhere() -> None:
    flat = flatten(decision_of("hearts:passing=hold", "ismcts:iterations=600"))
    assert not any(one["again"] for node in range(flat.nodes) for one in below(flat, node))
    assert flat.nodes == 601


def test_a_large_tree_keeps_its_most_visited_nodes() -> None:
    decision = decision_of("hearts:passing=hold", "ismcts:iterations=2000")
    whole, part = flatten(decision), flatten(decision, most=300)
    assert whole.nodes == 2001
    assert 250 < part.nodes <= 300
    assert below(part, 0) == below(whole, 0)
    inside = [one["visits"] for node in range(part.nodes) for one in below(part, node) if one["children"]]
    assert min(inside) > 1


def test_children_come_page_by_page() -> None:
    flat = flatten(decision_of("hearts:passing=hold", "ismcts:iterations=600"))
    whole = below(flat, 0)
    first, more = flat.children(0, 0, 2)
    rest, none = flat.children(0, 2, 100)
    assert (first + rest, more, none) == (whole, len(whole) - 2, 0)
    assert flat.children(0, 1000, 10) == ([], 0)
    assert [one["visits"] for one in whole] == sorted((one["visits"] for one in whole), reverse=True)
