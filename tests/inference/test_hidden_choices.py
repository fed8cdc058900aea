"""What passes tell in Hearts, by the policy that is shipped."""

from itertools import combinations

import numpy as np
import pytest

import facedown as fd
from facedown import cards, rules
from facedown.cards import cards_of, mask_of
from facedown.games.hearts.rules import PASSED_CARDS, PASSING, PLAYING, SEATS
from facedown.inference.policy import Policy, policy_of
from facedown.inference.posterior import InferredDrawing, Weigher, card_beliefs, weigh_modes
from facedown.kernel import COMPILED, Array, copied, kernel
from facedown.rng import stream
from facedown.view import View
from interpreting import interpreted

WORLDS = 2000
DIRECTIONS = ["left", "across", "right"]

compiled_only = pytest.mark.skipif(not COMPILED, reason="many worlds: slow without")


@kernel
def mean_chance(deal: Array, seat: int, policy: tuple[Array, Array, int], room: Array, rng: Array) -> float:
    """The mean of so many answers, as chances."""
    weights, modes, times = policy
    state = deal.copy()
    total = 0.0
    chances = np.zeros((SEATS, len(weights)))
    if len(weights) > 1:
        for other in range(SEATS):
            weigh_modes(deal[0], other, modes, room[0], room[1, : len(weights)], chances[other])
    for _ in range(times):
        state[0] = deal[0]
        total += np.exp(rules.hidden_choices(state[0], seat, weights, chances, room, rng))
    return total / times


@kernel
def write_features(data: Array, actions: Array, out: Array) -> int:
    count = rules.legal(data[0], actions)
    rules.action_features(data[0], actions, count, out)
    return count


@kernel
def write_seat_features(data: Array, seat: int, out: Array) -> int:
    return rules.seat_features(data[0], seat, out)


def passed_by(state: fd.State, sets: list[list[str]]) -> fd.State:
    """The deal with these cards passed, seat by seat."""
    for chosen in sets:
        for card in chosen:
            state.play(card)
    return state


def after_passing(text: str, seed: int) -> fd.State:
    """A deal after the rules' passes."""
    state = fd.load(text).deal(seed)
    while state.data["phase"][0] == PASSING:
        state.play(fd.agent("expert").choose(state.view(state.seat or 0)))
    return state


def inferred(view: View) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Beliefs by what was passed, and by the rules alone."""
    drawing = InferredDrawing(view, policy_of(view.game), WORLDS, stream(1))
    drawing.advance(WORLDS, WORLDS)
    return card_beliefs(view, drawing.candidates, drawing.weights(1.0)), view.beliefs()


def chances_of_passes(game: fd.Game, data: Array, giver: int, dealt: int, policy: Policy) -> dict[int, Array]:
    """Each three cards of a hand and how likely they are passed in each mode, worked out one by one."""
    state = copied(data)
    state["phase"], state["to_move"], state["chosen"], state["passed"] = PASSING, giver, PASSED_CARDS * giver, 0
    state["hands"][0, giver] = dealt
    rows, actions = np.zeros((game.actions, len(game.features))), np.empty(game.actions, np.int64)
    count = write_features(state, actions, rows)
    worth = np.exp(rows[:count] @ np.pad(policy.weights[:, :18], ((0, 0), (0, len(game.features) - 18))).T)
    found = {
        int(mask_of(actions[list(three)].tolist())): worth[list(three)].prod(axis=0)
        for three in combinations(range(count), PASSED_CARDS)
    }
    whole = sum(found.values())
    return {three: chance / whole for three, chance in found.items()}


@compiled_only
@pytest.mark.parametrize("passing", DIRECTIONS)
def test_draws_have_the_mean_of_all_passes_there_may_have_been(passing: str) -> None:
    game = fd.load(f"hearts32:passing={passing}")
    state = after_passing(f"hearts32:passing={passing}", 3)
    policy, data, seat = policy_of(fd.load("hearts")), state.data, 0
    hands, passed = [int(hand) for hand in data["hands"][0]], [int(three) for three in data["passed"][0]]
    step = 1 + DIRECTIONS.index(passing)
    likely = []
    for giver in range(SEATS):
        out = np.zeros(len(policy.seat_features))
        assert write_seat_features(data, giver, out) == len(out)
        worth = np.exp(policy.modes @ out)
        likely.append(worth / worth.sum())
    kept: dict[tuple[int, int], dict[int, Array]] = {}

    def chance(giver: int, received: int, three: int) -> float:
        dealt = hands[giver] & ~received | three
        if (giver, dealt) not in kept:
            kept[giver, dealt] = chances_of_passes(game, data, giver, dealt, policy)
        return float(likely[giver] @ kept[giver, dealt][three])

    open_to = [giver for giver in (1, 2, 3) if (giver + step) % SEATS != seat]
    sets = [[int(mask_of(three)) for three in combinations(cards_of(hands[(giver + step) % SEATS]), 3)] for giver in open_to]
    expected = 0.0
    for first in sets[0]:
        for second in sets[1]:
            passed[open_to[0]], passed[open_to[1]] = first, second
            expected += float(np.prod([chance(giver, passed[(giver - step) % SEATS], passed[giver]) for giver in (1, 2, 3)]))
    room = np.empty((game.actions, len(game.features)))
    found = mean_chance(data, seat, (policy.weights, policy.modes, 4000), room, stream(2))
    assert found == pytest.approx(expected, rel=0.1)


def deal_where(wanted: dict[int, list[str]], unwanted: dict[int, list[str]]) -> fd.State:
    """The first deal, passing left, in which seats hold some cards and lack others."""
    game = fd.load("hearts:passing=left")
    for seed in range(20_000):
        state = game.deal(seed)
        hands = state.data["hands"][0]
        holds = all(int(hands[seat]) >> cards.parse(card) & 1 for seat, some in wanted.items() for card in some)
        if holds and not any(int(hands[seat]) >> cards.parse(card) & 1 for seat, some in unwanted.items() for card in some):
            return state
    raise AssertionError(f"expected a deal with {wanted}, got none")


def any_three(state: fd.State, seat: int) -> list[str]:
    """Three cards of a seat's hand that tell little: no spades."""
    hand = [cards.text(card) for card in cards_of(state.data["hands"][0, seat])]
    return [card for card in hand if card[1] != "S"][:3]


@compiled_only
def test_who_passed_ace_and_king_of_spades_has_few_spades_to_guard_the_queen() -> None:
    state = deal_where({3: ["AS", "KS", "2C"]}, {0: ["QS"], 3: ["QS"]})
    passed_by(state, [*(any_three(state, seat) for seat in range(3)), ["AS", "KS", "2C"]])
    believed, uniform = inferred(state.view(0))
    low = [card for card in believed if card[1] == "S" and card != "QS"]
    assert sum(believed[card][3] for card in low) < 0.9 * sum(uniform[card][3] for card in low)


@compiled_only
def test_who_was_dealt_the_queen_of_spades_has_passed_her_on() -> None:
    state = deal_where({0: ["2C", "3C", "4C"]}, {0: ["QS", "KS", "AS"]})
    passed_by(state, [["2C", "3C", "4C"], *(any_three(state, seat) for seat in range(1, 4))])
    believed, uniform = inferred(state.view(0))
    assert believed["QS"][1] < 0.85 * uniform["QS"][1]
    assert believed["QS"][2] > 1.05 * uniform["QS"][2]


@compiled_only
def test_who_passed_low_cards_kept_high_ones() -> None:
    state = deal_where({3: ["2C", "2D", "3H", "KD"]}, {0: ["AH", "KH", "AD"]})
    passed_by(state, [*(any_three(state, seat) for seat in range(3)), ["2C", "2D", "3H"]])
    believed, uniform = inferred(state.view(0))
    for card in ("AS", "KS", "AH", "AD"):
        assert believed[card][3] > 1.1 * uniform[card][3]


@pytest.mark.parametrize("passing", DIRECTIONS)
def test_what_is_hidden_does_not_change_the_weights(passing: str) -> None:
    state = after_passing(f"hearts:passing={passing}", 5)
    view = state.view(2)
    other = view.sample(seed=4).view(2)
    assert other.data["phase"][0] == PLAYING
    found = []
    for one in (view, other):
        drawing = InferredDrawing(one, policy_of(one.game), 100, stream(6))
        drawing.advance(100, 100)
        found.append(drawing)
    assert np.array_equal(found[0].candidates["hands"], found[1].candidates["hands"])
    assert np.array_equal(found[0].likelihoods, found[1].likelihoods)
    assert np.ptp(found[0].likelihoods) > 1.0


def test_weights_are_the_same_however_worlds_are_sliced() -> None:
    view = after_passing("hearts:passing=left", 5).view(0)
    whole, parts = (InferredDrawing(view, policy_of(view.game), 60, stream(6)) for _ in range(2))
    whole.advance(60, 60)
    for count in (7, 20, 33):
        parts.advance(count, count)
    assert np.array_equal(whole.likelihoods, parts.likelihoods)


def test_without_passing_and_while_cards_are_passed_nothing_is_told() -> None:
    for state in (fd.load("hearts:passing=hold").deal(1), fd.load("hearts:passing=left").deal(1)):
        out = np.ones(10)
        view = state.view(state.seat or 0)
        Weigher(view, policy_of(view.game))(view.sample_many(10, stream(1)), out)
        assert np.ptp(out) == 0.0


def weighed() -> list[float]:
    """Weights of a few worlds after a pass."""
    state = fd.load("hearts:passing=left").deal(5)
    while len(state.history) < 18:
        state.play(state.legal[0])
    view, out = state.view(1), np.zeros(5)
    Weigher(view, policy_of(view.game))(view.sample_many(5, stream(1)), out)
    return [float(weight) for weight in out]


@compiled_only
def test_compiled_and_interpreted_weights_are_the_same() -> None:
    assert interpreted("test_hidden_choices", "weighed") == pytest.approx(weighed(), rel=1e-12)
