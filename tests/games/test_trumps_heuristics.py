"""Sueca and Bisca by rules of thumb: sensible, legal, and blind to what the seat cannot see."""

from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown import rules
from facedown.kernel import COMPILED, kernel
from facedown.rng import stream
from facedown.rules import EXPERT, UNIFORM
from facedown.state import State
from positions import play
from trump_positions import deal, late

GAMES = ["sueca", "bisca", "bisca:hand_size=3", "bisca:seats=4"]


@kernel
def play_by_rules(data: Any, side: int, rng: Any) -> bool:
    """Play a deal to its end, one side by rules of thumb, the other at random; False if a card was not legal."""
    actions = np.empty(64, np.int64)
    legal = True
    while not rules.is_over(data[0]):
        if rules.to_move(data[0]) % 2 == side:
            card = rules.choose(data[0], EXPERT, actions, rng)
            count = rules.legal(data[0], actions)
            found = False
            for place in range(count):
                found |= actions[place] == card
            legal &= found
        else:
            card = rules.choose(data[0], UNIFORM, actions, rng)
        rules.apply(data[0], card)
    return legal


@kernel
def card_by_rules(data: Any, rng: Any) -> int:
    return rules.choose(data[0], EXPERT, np.empty(64, np.int64), rng)


def chosen(state: State, seed: int = 1) -> str:
    return state.game.text(card_by_rules(state.data, stream(seed)))


@pytest.mark.parametrize("game", GAMES)
def test_rules_of_thumb_are_legal_and_better_than_chance(game: str) -> None:
    points = []
    for seed in range(200 if COMPILED else 10):
        state = fd.load(game).deal(seed)
        assert play_by_rules(state.data, seed % 2, stream(seed))
        points.append(state.scores[seed % 2])
    assert sum(points) / len(points) > 68


@pytest.mark.parametrize("game", GAMES)
def test_rules_of_thumb_do_not_look_at_hidden_cards(game: str) -> None:
    for seed in range(15):
        state = fd.load(game).deal(seed)
        for step in range(2 * seed):
            state.play(state.legal[step % len(state.legal)])
        view = state.view(state.seat or 0)
        assert len({chosen(view.sample(world)) for world in range(6)} | {chosen(state)}) == 1


def test_a_partner_who_is_sure_of_the_trick_gets_points() -> None:
    state = play(late("sueca", ["A3.-.2.-", "45.-.3.-", "72.-.4.-", "K6.-.5.-"], trump="S"), "AC 4C")
    assert chosen(state) == "7C"
    state = play(late("sueca", ["23.-.2.-", "45.-.3.-", "A6.-.4.-", "KQ.-.5.-"], trump="S"), "2C 4C AC")
    assert chosen(state) == "QC", "the trick is the others': the smaller of two"


def test_a_trick_worth_points_is_trumped_low_and_one_worth_nothing_is_not() -> None:
    state = deal("bisca", {0: "A2.24.2.3456", 1: "34.35.A36.KJ"}, "QS")
    assert chosen(play(state.copy(), "AC")) == "3S"
    assert chosen(play(state.copy(), "2C")) in ("3C", "3D"), "the smallest of those that are no trumps"


def test_with_a_stock_the_smallest_card_is_led_and_without_one_an_ace_is_cashed() -> None:
    assert chosen(deal("bisca", {0: "A2.K4.7.3456"}, "QS")) == "2C"
    assert chosen(deal("sueca", {0: "A2.K4.7.34567"}, "QS")) == "AC"


@pytest.mark.parametrize("game", GAMES)
def test_searches_may_play_out_by_these_rules(game: str) -> None:
    view = fd.load(game).deal(seed=1).view(0)
    agent = fd.agent("ismcts:iterations=50,playout=rules")
    assert agent.choose(view) in view.legal
