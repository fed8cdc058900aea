"""Hearts against the literal rulebook of naive.py: thousands of random deals of both games with random options."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from facedown import Game, State, load, rules
from facedown.kernel import COMPILED
from facedown.rewards import POINTS
from facedown.rng import stream
from facedown.rules import UNIFORM
from playing import play_out

SWITCHES = ["lowest_club_leads", "first_trick_points", "break_hearts", "queen_breaks_hearts", "moon", "early_end"]
PASSES = ["cycle", "left", "across", "right", "hold"]
BLOCKS = 8 if COMPILED else 2
DEALS_PER_BLOCK = 120 if COMPILED else 15


def random_options(rng: random.Random) -> dict[str, Any]:
    """Each switch on or off, each way of passing."""
    options: dict[str, Any] = {name: rng.random() < 0.5 for name in SWITCHES}
    return {**options, "passing": rng.choice(PASSES)}


def seated(name: str, options: dict[str, Any], seed: int) -> tuple[State, naive.Table]:
    """The same deal at both tables."""
    state = load(name, **options).deal(seed)
    return state, naive.Table(replace(naive.GAMES[name], **options), state.hands)


def texts(game: Game, actions: list[int]) -> list[str]:
    return [game.text(action) for action in actions]


def assert_same_turn(state: State, table: naive.Table) -> list[str]:
    """Whose turn it is, and what may be played; return that."""
    legal = texts(state.game, state.legal)
    assert state.seat == table.turn()
    assert legal == table.legal()
    return legal


def assert_same_facts(state: State, table: naive.Table) -> None:
    """Everything on both tables, and the scores."""
    assert state.facts == table.facts()
    assert state.scores == table.scores()


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
            table.deal(state.hands)
            deals += 1
    assert state.over
    assert table.over()
    assert_same_facts(state, table)
    return deals


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("name", naive.GAMES)
def test_any_deal_with_any_options_goes_by_the_rulebook(name: str, block: int) -> None:
    rng = random.Random(f"{name} {block}")
    for seed in range(DEALS_PER_BLOCK):
        state, table = seated(name, random_options(rng), block * DEALS_PER_BLOCK + seed)
        play_to_the_end(state, table, rng, look=0.05)


@pytest.mark.parametrize("name", naive.GAMES)
def test_any_deal_with_the_usual_options_goes_by_the_rulebook(name: str) -> None:
    rng = random.Random(name)
    for seed in range(DEALS_PER_BLOCK):
        state, table = seated(name, {}, 10_000 + seed)
        play_to_the_end(state, table, rng, look=0.05)


@pytest.mark.parametrize("name", naive.GAMES)
def test_every_fact_of_every_state_is_the_rulebooks(name: str) -> None:
    rng = random.Random(name)
    for seed in range(8 if COMPILED else 2):
        state, table = seated(name, random_options(rng), 20_000 + seed)
        play_to_the_end(state, table, rng, look=1.0)


@pytest.mark.parametrize("limit", [1, 26, 40, 100])
@pytest.mark.parametrize("name", naive.GAMES)
def test_a_match_goes_by_the_rulebook_from_deal_to_deal(name: str, limit: int) -> None:
    rng = random.Random(f"{name} {limit}")
    deals = []
    for seed in range(8 if COMPILED else 1):
        options = {**random_options(rng), "match": limit}
        state, table = seated(name, options, seed)
        deals.append(play_to_the_end(state, table, rng, look=0.01))
        assert max(state.scores) >= limit
        assert state.facts["deals_over"] == deals[-1]
    assert max(deals) > 1 or limit == 1


def cautious(legal: list[str], table: naive.Table) -> str:
    """Low cards while points can be lost, points at the first opportunity: deals far from those of random play."""
    scoring = [card for card in legal if naive.points_of(card, table.options)]
    if table.trick and scoring and scoring[0][1] != table.trick[0][1][1]:
        return scoring[-1]
    return min(legal, key=lambda card: naive.RANKS.index(card[0]))


def greedy(legal: list[str], table: naive.Table) -> str:
    """The highest card: whoever leads keeps the lead, and the moon is shot now and then."""
    return max(legal, key=lambda card: naive.RANKS.index(card[0]))


@pytest.mark.parametrize("name", naive.GAMES)
def test_deals_of_players_with_a_plan_go_by_the_rulebook(name: str) -> None:
    rng = random.Random(name)
    moons = 0
    for seed in range(150 if COMPILED else 10):
        state, table = seated(name, {**random_options(rng), "moon": True}, 30_000 + seed)
        shooter = seed % 4
        while legal := assert_same_turn(state, table):
            choose = greedy if table.turn() == shooter else cautious
            card = choose(legal, table)
            state.play(card)
            table.play(card)
        assert_same_facts(state, table)
        moons += sum(state.scores) > naive.all_points(table.options)
    assert moons or not COMPILED


@settings(derandomize=True, deadline=None, max_examples=60 if COMPILED else 5)
@given(
    name=st.sampled_from(sorted(naive.GAMES)),
    options=st.fixed_dictionaries(
        {
            **{name: st.booleans() for name in SWITCHES},
            "passing": st.sampled_from(PASSES),
            "match": st.sampled_from([0, 0, 0, 30]),
        }
    ),
    seed=st.integers(0, 2**64),
    choices=st.lists(st.integers(0, 12), min_size=1, max_size=64),
)
def test_no_sequence_of_choices_leaves_the_rulebook(
    name: str, options: dict[str, Any], seed: int, choices: list[int]
) -> None:
    state, table = seated(name, options, seed)
    step = 0
    while legal := assert_same_turn(state, table):
        card = legal[choices[step % len(choices)] % len(legal)]
        step += 1
        state.play(card)
        table.play(card)
        if table.deal_is_over and table.another_deal():
            table.deal(state.hands)
    assert_same_facts(state, table)


# --- Playouts, which have their own copy of the rules -------------------------------------------------------------------


def outcomes(table: naive.Table) -> set[tuple[int, ...]]:
    """The scores of every way in which a deal can end."""
    if table.deal_is_over:
        return {tuple(table.deal_scores())}
    found = set()
    for card in table.legal():
        following = naive.Table(table.options, table.hands)
        following.opener, following.direction = table.opener, table.direction
        following.earlier, following.trick = list(table.earlier), list(table.trick)
        following.play(card)
        found |= outcomes(following)
    return found


@pytest.mark.parametrize("name", naive.GAMES)
def test_playouts_reach_every_end_that_the_rulebook_allows_and_no_other(name: str) -> None:
    rng = random.Random(name)
    actions = np.empty(64, np.int64)
    for seed in range(20 if COMPILED else 3):
        state, table = seated(name, random_options(rng), 40_000 + seed)
        left = rng.choice([5, 7, 8])  # cards in all hands together
        while sum(map(len, table.hands)) > left and not table.deal_is_over:
            card = rng.choice(table.legal())
            state.play(card)
            table.play(card)
        seen = set()
        for draw in range(500):
            end = state.copy()
            play_out(end.data, actions, stream(seed, draw))
            out = np.zeros(4)
            rules.reward(end.record, POINTS, out)
            seen.add(tuple(round(share, 6) for share in out))
        expected = {rewards(scores, naive.all_points(table.options)) for scores in outcomes(table)}
        assert seen == expected


def rewards(scores: tuple[int, ...], most: int) -> tuple[float, ...]:
    """Each seat's lead over the three others, added up, from 0 to 1 (Manzke 2025, eq. 4.1)."""
    return tuple(round(0.5 + sum(other - own for other in scores) / (6 * most), 6) for own in scores)


@pytest.mark.parametrize("name", naive.GAMES)
def test_a_playout_is_one_of_the_deals_that_single_moves_make(name: str) -> None:
    rng = random.Random(name)
    actions = np.empty(64, np.int64)
    for seed in range(300 if COMPILED else 20):
        state, _ = seated(name, {**random_options(rng), "match": rng.choice([0, 500])}, 50_000 + seed)
        for _ in range(rng.randrange(30)):
            if not state.over:
                state.play(rng.choice(state.legal))
        played_out, stepped = state.copy(), state.copy()
        play_out(played_out.data, actions, stream(seed))
        draws = stream(seed)
        while not rules.is_over(stepped.record):
            rules.apply(stepped.record, rules.choose(stepped.record, UNIFORM, actions, draws))
        assert played_out.facts["points"] == stepped.facts["points"]
        assert played_out.scores == stepped.scores
