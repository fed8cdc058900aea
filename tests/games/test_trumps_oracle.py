"""Sueca and Bisca against the literal rulebook of naive_trumps.py: random deals with every option."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_trumps as naive
from facedown import State, load, rules
from facedown.kernel import COMPILED
from facedown.rewards import POINTS
from facedown.rng import stream
from facedown.rules import UNIFORM
from playing import play_out
from trump_positions import at_both_tables, cards_of

GAMES = [
    "sueca",
    "sueca:mandar_abaixo=true",
    "bisca",
    "bisca:hand_size=7",
    "bisca:hand_size=3",
    "bisca:seats=4",
    "bisca:seats=4,hand_size=7",
    "bisca:seats=4,hand_size=3",
]
DEALS = 60 if COMPILED else 6


def assert_same_turn(state: State, table: naive.Table) -> list[str]:
    """Whose turn it is, and what may be played; return that."""
    legal = [state.game.text(action) for action in state.legal]
    assert state.seat == table.turn()
    assert sorted(legal) == sorted(table.legal())
    return table.legal()


def assert_same_facts(state: State, table: naive.Table) -> None:
    """Everything on both tables, and the scores."""
    assert state.facts == table.facts()
    assert state.scores == table.scores()
    assert state.hands == table.facts()["hands"]


def play_to_the_end(state: State, table: naive.Table, rng: random.Random, look: float) -> int:
    """Play at both tables at random, comparing all facts with probability `look`; return how many deals there were."""
    deals = 1
    while legal := assert_same_turn(state, table):
        if rng.random() < look:
            assert_same_facts(state, table)
        card = rng.choice(legal)
        state.play(card)
        table.play(card)
        if table.deal_is_over and table.another_deal():
            table.deal(*cards_of(state))
            deals += 1
    assert state.over
    assert table.over()
    assert_same_facts(state, table)
    return deals


@pytest.mark.parametrize("game", GAMES)
def test_any_deal_goes_by_the_rulebook(game: str) -> None:
    rng = random.Random(game)
    for seed in range(DEALS):
        play_to_the_end(*at_both_tables(game, seed), rng, look=0.05)


@pytest.mark.parametrize("game", GAMES)
def test_every_fact_of_every_state_is_the_rulebooks(game: str) -> None:
    rng = random.Random(game)
    for seed in range(4 if COMPILED else 1):
        play_to_the_end(*at_both_tables(game, 20_000 + seed), rng, look=1.0)


@pytest.mark.parametrize("limit", [1, 4, 10])
@pytest.mark.parametrize("game", GAMES[:6])
def test_a_match_goes_by_the_rulebook_from_deal_to_deal(game: str, limit: int) -> None:
    rng = random.Random(f"{game} {limit}")
    for seed in range(3 if COMPILED else 1):
        state, table = at_both_tables(game, seed, match=limit)
        deals = play_to_the_end(state, table, rng, look=0.01)
        assert max(state.scores) >= limit
        assert state.facts["deals_over"] == deals >= limit / 4


def greedy(legal: list[str], table: naive.Table) -> str:
    """The highest card: deals far from those of random play."""
    return max(legal, key=lambda card: (card[1] == table.trump, naive.RANKS.index(card[0])))


def sparing(legal: list[str], table: naive.Table) -> str:
    """The lowest card."""
    return min(legal, key=lambda card: (card[1] == table.trump, naive.RANKS.index(card[0])))


@pytest.mark.parametrize("game", GAMES)
def test_deals_of_players_with_a_plan_go_by_the_rulebook(game: str) -> None:
    for seed in range(DEALS // 2):
        state, table = at_both_tables(game, 30_000 + seed)
        while legal := assert_same_turn(state, table):
            card = (greedy if (table.turn() or 0) % 2 == seed % 2 else sparing)(legal, table)
            state.play(card)
            table.play(card)
        assert_same_facts(state, table)


@settings(derandomize=True, deadline=None, max_examples=40 if COMPILED else 4)
@given(
    game=st.sampled_from(GAMES),
    match=st.sampled_from([0, 0, 0, 2]),
    seed=st.integers(0, 2**64),
    choices=st.lists(st.integers(0, 9), min_size=1, max_size=50),
)
def test_no_sequence_of_choices_leaves_the_rulebook(game: str, match: int, seed: int, choices: list[int]) -> None:
    state, table = at_both_tables(game, seed, match=match)
    step = 0
    while (legal := assert_same_turn(state, table)) and step < 400:
        card = legal[choices[step % len(choices)] % len(legal)]
        step += 1
        state.play(card)
        table.play(card)
        if table.deal_is_over and table.another_deal():
            table.deal(*cards_of(state))
    assert_same_facts(state, table)


def test_mandar_abaixo_deals_what_would_be_dealt_without_it_unless_a_hand_is_poor() -> None:
    poor = 0
    for seed in range(1000 if COMPILED else 100):
        usual, agreed = load("sueca").deal(seed), load("sueca:mandar_abaixo=true").deal(seed)
        hands, _, shown = cards_of(usual)
        if any(naive.is_poor(hand, shown[1]) for hand in hands):
            poor += 1
            assert agreed.hands != usual.hands
        else:
            assert agreed.hands == usual.hands
        hands, _, shown = cards_of(agreed)
        assert not any(naive.is_poor(hand, shown[1]) for hand in hands)
    assert poor or not COMPILED


# --- Playouts, which have their own copy of the rules -------------------------------------------------------------------


def outcomes(table: naive.Table) -> set[int]:
    """Side 0's points in every way in which a deal can end."""
    if table.deal_is_over:
        return {table.points()[0]}
    found = set()
    for card in table.legal():
        following = naive.Table(table.options, table.dealt, table.dealt_stock, table.shown)
        for _, earlier, _, _ in table.plays:
            following.play(earlier)
        following.play(card)
        found |= outcomes(following)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_playouts_reach_every_end_that_the_rulebook_allows_and_no_other(game: str) -> None:
    rng = random.Random(game)
    actions = np.empty(64, np.int64)
    for seed in range(6 if COMPILED else 2):
        state, table = at_both_tables(game, 40_000 + seed)
        while len(table.plays) < 33 or (len(table.plays) < 34 and rng.random() < 0.5):
            card = rng.choice(table.legal())
            state.play(card)
            table.play(card)
        seen = set()
        for draw in range(400):
            end = state.copy()
            play_out(end.data, actions, stream(seed, draw))
            out = np.zeros(state.game.seats)
            rules.reward(end.record, POINTS, out)
            assert out[0] + out[1] == pytest.approx(1.0)
            assert out.tolist() == out[:2].tolist() * (state.game.seats // 2)
            seen.add(round(out[0] * 120))
        assert seen == outcomes(table)


@pytest.mark.parametrize("game", GAMES)
def test_a_playout_is_the_deal_that_single_moves_make(game: str) -> None:
    rng = random.Random(game)
    actions = np.empty(64, np.int64)
    for seed in range(60 if COMPILED else 5):
        state, _ = at_both_tables(game, 50_000 + seed, match=rng.choice([0, 500]))
        for _ in range(rng.randrange(40)):
            state.play(rng.choice(state.legal))
        played_out, stepped = state.copy(), state.copy()
        play_out(played_out.data, actions, stream(seed))
        draws = stream(seed)
        while not rules.is_over(stepped.record):
            rules.apply(stepped.record, rules.choose(stepped.record, UNIFORM, actions, draws))
        assert played_out.facts["points"] == stepped.facts["points"]
        assert played_out.scores == stepped.scores
        assert rules.turns(played_out.record) == rules.turns(stepped.record) == 40
