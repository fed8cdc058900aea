"""EPIMC: open cards only after the searching seat's first actions."""

import json
import threading
from typing import Any

import pytest

import coin_guess
import facedown as fd
from facedown.cards import NO_CARDS
from facedown.kernel import Record
from facedown.options import Option

SAFE = Option("safe", 100, "what safety is worth, in per cent", most=100)
SIX = ["hearts", "hearts32", "sueca", "bisca", "cheat", "magic"]


def decided(text: str, view: fd.View, seed: int = 0) -> Any:
    agent = fd.agent(text, seed=seed)
    assert agent.choose(view) in view.legal
    return agent.decision


def coin(safe: int = 80) -> fd.View:
    return coin_guess.GAME.with_options(safe=safe).deal(0).view(0)


def means(decision: Any) -> dict[str, float]:
    return {one.text: one.mean for one in decision.candidates}


# --- Strategy fusion --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_guess_of_a_coin_is_worth_a_half_where_pimc_is_sure_of_it(seed: int) -> None:
    assert decided("pimc:iterations=2000,worlds=5,exploration=1", coin(), seed).text == "guess"
    decision = decided("epimc:iterations=4000,depth=2,exploration=1", coin(), seed)
    assert decision.text == "safe"
    assert means(decision)["guess"] == pytest.approx(0.5, abs=0.2)


def test_with_depth_one_it_believes_in_a_guess_as_pimc_does() -> None:
    decision = decided("epimc:iterations=4000,depth=1,exploration=1", coin())
    assert decision.text == "guess"
    assert means(decision)["guess"] > 0.9


def test_a_second_choice_is_shared_by_the_worlds_that_look_alike() -> None:
    shared, open_cards = (decided(f"epimc:iterations=500,depth={depth}", coin(0)) for depth in (2, 1))
    assert [search.figure("sets") for search in shared._searches] == [1]  # after "guess", one for both sides of the coin
    assert [search.figure("sets") for search in open_cards._searches] == [0]


@fd.kernel
def hide(state: Record, seat: int) -> None:
    """The coin is shown to all after "guess"."""
    if not state.guessing:
        state.coin = state.aside = NO_CARDS


def test_what_the_seat_sees_divides_information_sets() -> None:
    """No action tells the seat which side it sees: only its view does."""
    same: list[Any] = [
        coin_guess.deal,
        coin_guess.to_move,
        coin_guess.legal,
        coin_guess.apply,
        coin_guess.is_over,
        coin_guess.scores,
    ]
    answers = [*same, hide, coin_guess.unseen, coin_guess.place]
    rules = fd.register("coin-shown", coin_guess.STATE, answers, score_range=(0, 1))
    game = fd.Game("coin-shown", rules, seats=2, actions=4, summary="Safe, or look", options=[SAFE])
    decision = decided("epimc:iterations=4000,depth=2,exploration=1", game.with_options(safe=80).deal(0).view(0))
    assert decision.action == coin_guess.GUESS
    assert decision.candidates[0].mean > 0.9


# --- Every game -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SIX)
def test_it_plays_every_game_and_explains_itself(name: str) -> None:
    state = fd.load(name).deal(1)
    decision = decided("epimc:iterations=400,worlds=8,depth=3,passer=steps", state.view(state.seat or 0))
    assert decision.iterations == sum(one.visits for one in decision.candidates) == 400
    assert decision.worlds == 8
    assert all(one.available >= one.visits for one in decision.candidates)
    assert decision.line[0] == decision.text
    root = json.loads(json.dumps(decision.tree(3)))
    assert sum(child["visits"] for child in root["children"]) == 400
    for child in root["children"]:  # the open trees, added up
        assert sum(below["visits"] for below in child["children"]) <= child["visits"]
    assert any(child["children"] for child in root["children"])


@pytest.mark.parametrize(
    "options", ["depth=1", "depth=3", "depth=3,threads=2", "depth=2,playout=mast", "depth=2,discount=0.9"]
)
def test_the_same_seed_gives_the_same_decision(options: str) -> None:
    view = fd.load("sueca").deal(4).view(0)
    first, second = (decided(f"epimc:iterations=600,{options}", view, 7).to_dict() for _ in range(2))
    assert {**first, "seconds": 0} == {**second, "seconds": 0}


def test_more_iterations_than_the_first_room_go_on_in_the_same_search() -> None:
    """Both the tree and the table of information sets are enlarged; slices of another size change nothing."""
    view = fd.load("bisca").deal(2).view(0)
    text = "epimc:iterations=30000,depth=4,exploration=1"
    decision = decided(text, view)
    assert decision.nodes > 30_000
    assert decision._searches[0].figure("sets") > 1024
    assert decision.candidates == decided(text, view).candidates


@pytest.mark.parametrize("name", ["hearts", "magic"])
def test_it_keeps_to_its_seconds(name: str) -> None:
    state = fd.load(name).deal(1)
    view = state.view(state.seat or 0)
    decided("epimc:iterations=10", view)  # compiled before the clock runs
    assert decided("epimc:seconds=0.1,worlds=10000,depth=100", view).seconds < 0.5


def test_an_interruption_ends_it_with_an_action() -> None:
    agent = fd.agent("epimc:iterations=1000000000")
    view = fd.load("hearts").deal(1).view(0)
    timer = threading.Timer(0.2, agent.interrupt)  # type: ignore[attr-defined]
    timer.start()
    assert agent.choose(view) in view.legal
    assert agent.decision is not None
    assert agent.decision.iterations < 1_000_000_000
