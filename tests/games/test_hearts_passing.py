"""Passing in Hearts: three cards as one choice, by search or with caution."""

import time
from collections.abc import Sequence
from copy import copy
from functools import cache
from itertools import combinations, islice
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown import cards
from facedown.analysis.advice import advice
from facedown.analysis.reasons import in_short
from facedown.games.hearts import passing
from facedown.games.hearts.bold import losers
from facedown.games.hearts.rules import STATE
from facedown.search.joint_choice import begin_of
from facedown.state import State
from facedown.view import View

GAME = fd.load("hearts:passing=left")
MOON = "AC KC 2D AS KS QS JS 4S AH KH QH JH 3H"  # nearly all tricks
DEFENCE = "3C 6C JC 2D 4D 8D 5S QS 2H 4H 6H 9H TH"  # a queen of spades with one guard, and low cards


def dealt(*hands: str) -> State:
    """A deal in which the first seats have these hands."""
    state = GAME.deal(seed=1)
    given = [cards.mask_of(GAME.parse(word) for word in hand.split()) for hand in hands]
    rest = [card for card in range(52) if not any(int(mask) >> card & 1 for mask in given)]
    np.random.default_rng(5).shuffle(rest)
    for seat in range(4):
        mask = (
            given[seat]
            if seat < len(given)
            else cards.mask_of(rest[13 * (seat - len(given)) : 13 * (seat - len(given) + 1)])
        )
        state.record.hands[seat] = mask
    return state


def passed(agent: Any, state: State) -> list[str]:
    """The three cards that the seat to move passes."""
    seat = state.seat or 0
    texts = []
    while state.seat == seat and state.facts["phase"] == "passing":
        action = agent.choose(state.view(seat))
        texts.append(GAME.text(action))
        state.play(action)
    return texts


def searching(**options: Any) -> Any:
    text = ",".join(f"{name}={value}" for name, value in {"iterations": 4000, **options}.items())
    return fd.agent(f"ismcts:{text}", seed=3)


# --- Three cards together ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("passer", ["search", "cautious"])
def test_three_cards_are_one_choice(passer: str) -> None:
    agent, state = searching(passer=passer, iterations=300), GAME.deal(seed=7)
    agent.choose(state.view(0))
    line = agent.decision.line
    assert len(line) == 3
    assert passed(agent, state) == line


def test_the_decision_lists_sets_of_three_and_each_card_has_one() -> None:
    agent, view = searching(iterations=6000), GAME.deal(seed=7).view(0)
    agent.choose(view)
    decision = agent.decision
    assert decision.candidates[0].text == " ".join(decision.line)
    assert all(len(one.actions) == 3 and one.action == one.actions[0] for one in decision.candidates)
    assert len({one.actions for one in decision.candidates}) == len(decision.candidates)
    assert {action for one in decision.candidates for action in one.actions} == set(view.legal)
    assert sum(int(one.visits) for one in decision.candidates) <= decision.iterations


@pytest.mark.parametrize("passer", ["search", "cautious"])
@pytest.mark.parametrize("seat", [0, 2])
def test_an_agent_that_is_asked_for_the_second_card_only_chooses_the_same_set(passer: str, seat: int) -> None:
    state = GAME.deal(seed=11)
    while state.seat != seat:
        state.play(state.legal[0])
    asked = searching(passer=passer, iterations=300)
    first = asked.choose(state.view(seat))
    state.play(first)
    second = asked.choose(state.view(seat))
    assert searching(passer=passer, iterations=300).choose(state.view(seat)) == second


def test_the_same_view_and_seed_give_the_same_set_whatever_was_asked_before() -> None:
    views = [GAME.deal(seed=seed).view(0) for seed in (1, 2)]
    agent = searching(iterations=300)
    found = []
    for view in [*views, *views]:
        agent.choose(view)
        found.append(agent.decision.to_dict() | {"seconds": 0})
    assert found[:2] == found[2:]
    assert found[0] != found[1]


@pytest.mark.parametrize("passer", ["search", "cautious"])
def test_after_another_first_card_the_rest_goes_with_it(passer: str) -> None:
    agent, state = searching(passer=passer, iterations=300), GAME.deal(seed=7)
    agent.choose(state.view(0))
    other = next(action for action in state.legal if GAME.text(action) not in agent.decision.line)
    state.play(other)
    agent.choose(state.view(0))
    assert len(agent.decision.line) == 2
    assert GAME.text(other) not in agent.decision.line


def test_what_other_seats_have_passed_changes_nothing() -> None:
    found = set()
    for place in (0, -1):
        state = GAME.deal(seed=11)
        while state.seat != 1:
            state.play(state.legal[place])
        found.add(" ".join(passed(searching(iterations=300), state)))
    assert len(found) == 1


def test_the_tree_of_a_joint_choice_has_sets_as_leaves() -> None:
    agent = searching(iterations=300)
    agent.choose(GAME.deal(seed=7).view(0))
    found, best = agent.decision.tree(3)["children"][0], agent.decision.candidates[0]
    assert (found["text"], found["visits"], found["children"]) == (best.text, best.visits, [])


def test_with_few_playouts_what_looks_bad_gets_none() -> None:
    agent = searching(iterations=300)
    agent.choose(dealt(DEFENCE).view(0))
    assert agent.decision.iterations <= 450
    assert all("QS" in one.text.split() for one in agent.decision.candidates)


def test_the_hint_names_three_cards() -> None:
    decision = advice(GAME.deal(seed=7).view(0), iterations=200)
    assert len(decision.texts) == 3


# --- The question -----------------------------------------------------------------------------------------------------


def test_a_view_is_rewound_to_before_the_pass() -> None:
    state = GAME.deal(seed=3)
    before = state.view(1)
    for _ in range(5):
        state.play(state.legal[2])
    begin, size = begin_of(state.view(1))
    assert size == 3
    assert begin.data.tobytes() == before.data.tobytes()


def test_play_is_no_joint_choice() -> None:
    state = fd.load("hearts:passing=hold").deal(seed=3)
    assert begin_of(state.view(state.seat or 0))[1] == 0


def test_games_without_joint_choices_play_as_before() -> None:
    view = fd.load("sueca").deal(seed=3).view(0)
    choices = [fd.agent(f"ismcts:iterations=100,passer={passer}").choose(view) for passer in ("search", "cautious", "steps")]
    assert len(set(choices)) == 1


def test_who_sees_all_cards_passes_step_by_step_only() -> None:
    with pytest.raises(fd.BadOption, match="option passer: expected one of steps, got 'search'"):
        fd.agent("uct:passer=search")


def test_an_unknown_passer_is_refused() -> None:
    with pytest.raises(fd.BadOption, match="option passer: expected one of search, cautious, steps, got 'bold'"):
        fd.agent("ismcts:passer=bold")


# --- Hands ------------------------------------------------------------------------------------------------------------


def test_a_moon_hand_keeps_what_takes_tricks() -> None:
    assert set(passed(searching(), dealt(MOON))) <= {"2D", "4S", "3H", "JS", "KC", "AC", "JH"}
    assert "2D" in passed(searching(), dealt(MOON))


def test_caution_gives_the_moon_away() -> None:
    assert set(passed(searching(passer="cautious"), dealt(MOON))) & {"QS", "KS", "AS", "AH", "KH"}


@pytest.mark.parametrize("passer", ["search", "cautious"])
def test_an_unguarded_queen_of_spades_is_passed(passer: str) -> None:
    assert "QS" in passed(searching(passer=passer), dealt(DEFENCE))


@pytest.mark.parametrize("passer", ["search", "cautious"])
def test_low_spades_stay_under_a_guarded_queen(passer: str) -> None:
    found = passed(searching(passer=passer), dealt("KC 8C 4C KD JD 7D QS 9S 6S 4S 2S AH 5H"))
    assert not set(found) & {"9S", "6S", "4S", "2S"}


def test_few_losers_make_a_moon_hand() -> None:
    def of(hand: str) -> int:
        held = cards.mask_of(GAME.parse(word) for word in hand.split())
        return int(losers(held, cards.ALL_CARDS & ~held, 99))

    assert of(MOON) < 5 < of(DEFENCE)
    assert of("AC KC QC AD KD QD AS KS QS AH KH QH JH") == 0
    assert of("2H") == 2


# --- Caution, literally -----------------------------------------------------------------------------------------------


def literal_damage(hand: Sequence[str]) -> int:
    """The damage of a hand as its docstring says it, in tenths of a point."""
    total = 0
    for suit in "CDSH":
        ranks = sorted("23456789TJQKA".index(card[0]) for card in hand if card[1] == suit)
        if suit == "S":
            low = sum(rank < 10 for rank in ranks)
            high = [rank for rank in ranks if rank > 10]
            total += max(0, 100 - 15 * (len(ranks) - 1)) if 10 in ranks else len(high) * max(0, 60 - 15 * low)
        elif not ranks:
            total -= 20
        else:
            total += sum(max(0, rank - 2 - 3 * place) for place, rank in enumerate(ranks)) * (3 if suit == "H" else 2)
    return total


def literal_damages(hand: Sequence[str], pack: Sequence[str], given: Sequence[str], worst: int) -> float:
    """The mean of the most damaging outcomes of a pass, by looking at each."""
    kept = [card for card in hand if card not in given]
    unseen = [card for card in pack if card not in hand]
    outcomes = sorted((literal_damage([*kept, *got]) for got in combinations(unseen, 3)), reverse=True)
    return sum(outcomes[:worst]) / len(outcomes[:worst]) / 10


@pytest.mark.parametrize("seed", [1, 2])
def test_damages_are_those_of_a_literal_count(seed: int) -> None:
    state = GAME.deal(seed=seed)
    hand, pack = state.hands[0], [cards.text(card) for card in range(52)]
    sets = list(islice(combinations(hand, 3), 0, None, 95))
    rows, out = np.array([[GAME.parse(word) for word in one] for one in sets], np.int64), np.zeros(len(sets))
    passing.damages(state.data[0], 0, rows, out)
    assert out.tolist() == pytest.approx([literal_damages(hand, pack, one, 1000) for one in sets])


def test_caution_takes_the_pass_with_the_least_damage() -> None:
    view: View = GAME.deal(seed=5).view(0)
    agent = searching(passer="cautious")
    agent.choose(view)
    sets = list(combinations(view.legal, 3))
    out = np.zeros(len(sets))
    passing.damages(view.data[0], 0, np.array(sets, np.int64), out)
    assert GAME.texts(sets[int(out.argmin())]) == agent.decision.line


def test_caution_names_cards_and_no_figures() -> None:
    agent = searching(passer="cautious")
    agent.choose(GAME.deal(seed=5).view(0))
    assert not agent.decision.candidates
    assert in_short(agent.decision) == "without a search"


# --- Time -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("passer", ["search", "cautious"])
def test_an_interrupted_choice_is_three_cards_too(passer: str) -> None:
    agent, view = searching(passer=passer, iterations=10**7), GAME.deal(seed=5).view(0)
    agent.interrupt()
    agent.choose(view)
    assert len(agent.decision.line) == 3


def test_a_time_limit_is_for_all_three_cards() -> None:
    agent, state = searching(seconds=0.05), GAME.deal(seed=5)
    agent.choose(state.view(0))  # compiled by now
    before = time.process_time()
    assert len(passed(agent, state)) == 3
    assert time.process_time() - before < 0.5
    assert agent.decision.iterations > 100


# --- Games that answer less -------------------------------------------------------------------------------------------


@cache
def bare_game() -> fd.Game:
    """Hearts whose author has written nothing but how cards are passed."""
    known = GAME.rules
    silent = {"position_key", "relative_action", "moves_left"}
    game = copy(GAME)
    game.name = "bare"
    game._functions = {"joint_choice": passing.joint_choice, "text": GAME.text, "parse": GAME.parse}
    game.rules = fd.register(
        "bare", STATE, [known.answers[one] for one in known.own if ":" not in one and one not in silent]
    )
    return game


def test_a_game_of_ones_own_needs_only_say_that_sets_are_chosen() -> None:
    agent, view = searching(iterations=50), bare_game().deal(seed=1).view(0)
    agent.choose(view)
    assert len(agent.decision.line) == 3
    assert agent.decision.iterations >= 286


def test_caution_asks_for_damages() -> None:
    with pytest.raises(fd.MissingAnswer, match="passer=cautious asks 'damages', which the game 'bare' does not answer"):
        searching(passer="cautious").choose(bare_game().deal(seed=1).view(0))
