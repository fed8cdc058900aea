"""Every search on Sueca and Bisca, which no line of it knows: exact values, a literal oracle, golden trees.

`python tests/search/test_trumps_search.py` writes the golden trees anew; a change of play is declared in the commit.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.kernel import COMPILED
from facedown.search.endgame import is_whole
from interpreting import interpreted
from test_search_family import counts, decided, literal_ismcts, rounded
from test_trumps_solving import late, leads, mine

GOLDEN = Path(__file__).parent / "golden"
GOLDEN_TREES = [(agent, game) for agent in ("ismcts", "ismcts-t", "minimax") for game in ("sueca", "bisca")]
GAMES = ["sueca", "sueca:mandar_abaixo=true", "bisca", "bisca:hand_size=3", "bisca:seats=4"]
NAMES = ["uct", "ismcts", "ismcts-t", "mo-ismcts", "pimc", "minimax"]


@pytest.mark.parametrize("game", GAMES)
def test_all_agents_play_a_whole_game(game: str) -> None:
    seats = fd.load(game).seats
    for step in range(0, len(NAMES), seats):
        agents = [f"{name}:iterations=20" for name in (NAMES + NAMES)[step : step + seats]]
        record = fd.play(game, agents, seed=step)
        assert len(record.history) == 40
        assert record.scores[0] + record.scores[1] == 120
        assert record.replay().scores == record.scores


@pytest.mark.parametrize("game", GAMES)
def test_partners_who_search_win_against_partners_who_do_not(game: str) -> None:
    seats = fd.load(game).seats
    points = []
    for seed in range(12 if COMPILED else 1):
        agents = ["ismcts:iterations=300", "random"] * (seats // 2)
        points.append(fd.play(game, agents if seed % 2 == 0 else agents[::-1], seed=seed).scores[seed % 2])
    assert sum(points) / len(points) > 66 or not COMPILED


@pytest.mark.parametrize("agent", ["uct", "ismcts", "ismcts-t", "mo-ismcts", "pimc:worlds=2"])
def test_where_nothing_is_hidden_a_search_finds_the_exact_best(agent: str) -> None:
    """Bisca once its stock is gone."""
    for seed in range(4):
        state = late("bisca", 8, seed)
        values = leads(state)
        text = f"{agent}{',' if ':' in agent else ':'}iterations={40000 if COMPILED else 300}"
        assert values[decided(text, state).action] == max(values.values()) or not COMPILED


@pytest.mark.parametrize(("game", "moves"), [("sueca", 16), ("bisca", 10), ("bisca:hand_size=3", 14), ("bisca:seats=4", 24)])
def test_ismcts_grows_the_tree_of_a_literal_ismcts(game: str, moves: int) -> None:
    view = mine(late(game, moves, 5))
    agent = fd.agent("ismcts:iterations=200", seed=3)
    agent.choose(view)
    assert agent.decision is not None
    literal = literal_ismcts(view, 200, fd.agent("ismcts", seed=3).stream(view), 0.4)
    assert counts(agent.decision.tree(20)) == counts(literal)


def test_ismcts_grows_the_tree_of_a_literal_uct_where_that_is_asked_for() -> None:
    view = mine(late("bisca", 10, 5))
    agent = fd.agent("ismcts:iterations=200,one_world=uct", seed=3)
    agent.choose(view)
    assert agent.decision is not None
    literal = literal_ismcts(view, 200, fd.agent("ismcts", seed=3).stream(view), 0.4, view.every_world())
    assert counts(agent.decision.tree(20)) == counts(literal)


# --- Golden trees -------------------------------------------------------------------------------------------------------


def golden(agent: str, game: str) -> Any:
    """A decision as data, without its time."""
    state = late(game, 12 if agent == "minimax" else 28, 7)
    decision = decided(f"{agent}:iterations=200", state, seed=1)
    figures = {key: value for key, value in decision.to_dict().items() if key != "seconds"}
    return json.loads(json.dumps(rounded({"decision": figures, "tree": decision.tree(2)})))


@pytest.mark.parametrize(("agent", "game"), GOLDEN_TREES)
def test_a_search_tree_is_the_golden_one(agent: str, game: str) -> None:
    assert golden(agent, game) == json.loads((GOLDEN / f"{agent}_{game}.json").read_text())


# --- Compiled and interpreted -------------------------------------------------------------------------------------------

SEARCHES = ["uct:iterations=20", "ismcts:iterations=30", "ismcts-t:iterations=30,worlds=10,merge_suits=true"]
SAMPLERS = ["exact", "accept-reject", "possibility-matrix"]


def found(game: str) -> Any:
    """Searches, a solution, a game and worlds of one kind of game."""
    state = late(game, 12, 2)
    trees = [decided(agent, state).tree(3) for agent in SEARCHES]
    trees.append(decided("minimax:endgame=14,endgame_worlds=2", late(game, 7, 2)).tree(1))
    record = fd.play(game, ["random"] * state.game.seats, seed=1).to_json()
    worlds = [state.view(0).sample(4, sampler).facts for sampler in SAMPLERS]
    return json.loads(json.dumps([rounded(trees), record, worlds]))


def all_found(games: list[str]) -> list[Any]:
    return [found(game) for game in games]


def test_interpreted_and_compiled_games_and_searches_agree() -> None:
    assert COMPILED
    games = ["sueca:mandar_abaixo=true", "bisca", "bisca:hand_size=3", "bisca:seats=4,match=2"]
    assert interpreted("test_trumps_search", "all_found", games) == all_found(games)


def test_a_stock_in_an_order_nobody_knows_is_not_solved_exactly() -> None:
    state = fd.load("bisca").deal(3)
    whole: dict[int, bool] = {}
    while not state.over:
        view = state.view(state.seat or 0)
        whole.setdefault(view.facts["stock_left"], is_whole(view))
        state.play(state.legal[0])
    assert {left for left, known in whole.items() if known} == {0, 2}, "of two cards the lower one is shown"


if __name__ == "__main__":
    for agent, game in GOLDEN_TREES:
        (GOLDEN / f"{agent}_{game}.json").write_text(json.dumps(golden(agent, game), indent=1) + "\n")
