"""Cheat's 32 bits, both ways, and its rollout policy against the figures of the paper."""

import random
from collections import Counter
from math import sqrt

import numpy as np
import pytest
from scipy import stats

import facedown as fd
from cheat_positions import set_up
from facedown.games.cheat.heuristics import PROBABILITY, choose
from facedown.games.cheat.keys import FIELDS, attributes, information_set, packed
from facedown.kernel import COMPILED
from facedown.rng import stream
from facedown.rules import EXPERT

DRAWS = 20_000 if COMPILED else 2_000


def code_of(state: fd.State) -> dict[str, int]:
    return attributes(int(information_set(state.record, state.seat or 0)))


def test_the_layout_is_that_of_figure_1() -> None:
    bits = [bit for first, width in FIELDS.values() for bit in range(first, first + width)]
    assert sorted(bits) == list(range(31))  # bit 31 is empty
    assert FIELDS["last_action"] == (0, 2)
    assert FIELDS["turn"] == (13, 7)
    assert FIELDS["caught"] == (30, 1)
    assert len(FIELDS) == 16


def test_codes_and_attributes_are_one_to_one() -> None:
    rng = random.Random(1)
    for _ in range(500):
        values = {name: rng.randrange(1 << width) for name, (_, width) in FIELDS.items()}
        assert attributes(packed(values)) == values
        assert packed(values) < 1 << 31
        code = rng.randrange(1 << 31)
        assert packed(attributes(code)) == code
    with pytest.raises(ValueError, match="expected hand from 0 to 7, got 8"):
        packed({**attributes(0), "hand": 8})


def test_every_attribute_of_a_position_worked_out_by_hand() -> None:
    state = set_up("8C 8D 3C 4C 5C 9H", "2C", "5", claims=[(0, "8", "KC"), (1, "6", "6C"), (1, "7", "QH QD")], stock="TC TD")
    record = state.record
    record.had[1] = record.hands[1] | np.uint64(1 << 6 | 1 << 19 | 1 << 4)  # 8C 8D (ranks up), 6C
    record.caught_on[0] = 1 << 6
    assert code_of(state) == {
        "last_action": 1,  # a lie
        "true_up": 1,
        "true_down": 0,
        "hand": 5,
        "other_hand": 1,
        "table": 4,
        "turn": 11,
        "other_has_up": 2,
        "other_has_down": 0,  # it had one six, and has claimed one since
        "claimed_up": 1,
        "claimed_down": 0,
        "other_claimed_up": 0,
        "other_claimed_down": 1,
        "caught_up": 1,
        "caught_down": 0,
        "caught": 1,
    }


@pytest.mark.parametrize(("cards", "step"), [(1, 1), (4, 4), (5, 5), (8, 5), (9, 6), (13, 6)])
def test_numbers_of_cards_come_in_steps(cards: int, step: int) -> None:
    hand = [rank + suit for suit in "CD" for rank in "23456789TJQKA"][:cards]
    assert code_of(set_up(" ".join(hand), "2H", "5"))["hand"] == step


def test_the_last_action_is_open_in_the_abstraction() -> None:
    lie, truth = (set_up("3C", "2C", "5", claims=[(1, "6", card)]) for card in ("KC", "6C"))
    assert [code_of(state)["last_action"] for state in (lie, truth)] == [1, 0]
    assert code_of(fd.load("cheat").deal(1))["last_action"] == 2
    lie.play("call")
    assert code_of(lie)["last_action"] == 3


# --- Rollouts -----------------------------------------------------------------------------------------------------------


def drawn(state: fd.State, count: int = DRAWS) -> Counter[str]:
    actions, rng = np.empty(32, np.int64), stream(5)
    return Counter(state.game.text(choose(state.record, EXPERT, actions, rng)) for _ in range(count))


def test_the_probabilities_of_figure_2_add_up_to_one() -> None:
    assert PROBABILITY.sum() == pytest.approx(1.0)
    assert PROBABILITY[[0, 4, 8, 12, 16, 17]].tolist() == [0.173, 0.173, 0.085, 0.085, 0.037, 0.105]


@pytest.mark.parametrize(
    "state",
    [
        set_up("6C 6D 6S 6H 4C 4D 4S 4H 9C", "2C 3H", "5", claims=[(1, "5", "5C")], stock="TC"),  # all eighteen
        set_up("6C 9D 9H", "2C", "5"),
        set_up("9D", "2C", "5", stock="TD"),
        set_up("6C 6D", "2C 3C", "5", claims=[(1, "5", "5C")]),
    ],
    ids=["all", "few", "one card", "no stock"],
)
def test_what_cannot_be_played_is_shared_equally_by_the_rest(state: fd.State) -> None:
    chances = {state.game.text(action): float(PROBABILITY[action]) for action in state.legal}
    share = (1.0 - sum(chances.values())) / len(chances)
    counts = drawn(state)
    assert counts.keys() <= chances.keys()
    expected = [DRAWS * (chance + share) for chance in chances.values()]
    assert stats.chisquare([counts[text] for text in chances], expected).pvalue > 0.001


def test_a_call_is_shared_by_seventeen_where_there_is_nothing_to_call() -> None:
    state = set_up("6C 6D 6S 6H 4C 4D 4S 4H 9C 9D 9H 9S", "2C 3H", "5", stock="TC")
    share = drawn(state)["take"] / DRAWS
    chance = 0.037 + 0.105 / 17
    assert abs(share - chance) < 4 * sqrt(chance / DRAWS)


MUST_CALL = {
    "a) no cards left": set_up("3C", "", "5", claims=[(1, "6", "KC")]),
    "b) more than eight cards": set_up(
        "3C", "2C", "5", claims=[(0, "5", "5C 5D 5H 5S"), (0, "6", "TC TD TH TS"), (1, "7", "KC")]
    ),
    "d) the same claim again": set_up("3C", "2C", "5", claims=[(1, "6", "6C"), (1, "6", "KC")]),
    "e) a card of the rank in hand": set_up("6H", "2C", "5", claims=[(1, "6", "KC")]),
}
OFTEN, ON_RANK = (set_up("3C", "2C", "5", claims=[(1, "6", "KC")]) for _ in range(2))
OFTEN.record.caught[1] = 9
ON_RANK.record.caught_on[1] = 1 << 4
MUST_CALL |= {"c) caught more than eight times": OFTEN, "f) caught on that rank": ON_RANK}


@pytest.mark.parametrize("rule", MUST_CALL)
def test_a_lie_is_called_where_it_would_be_folly_not_to(rule: str) -> None:
    assert drawn(MUST_CALL[rule], 200) == {"call": 200}


def test_a_truth_or_a_lie_without_cause_is_not_always_called() -> None:
    assert drawn(set_up("3C", "2C", "5", claims=[(1, "6", "KC")]), 500)["call"] < 250
    assert drawn(set_up("6H", "2C", "5", claims=[(1, "6", "6C")]), 500)["call"] < 250
    eight = set_up("3C", "2C", "5", claims=[(0, "5", "5C 5D 5H 5S"), (0, "6", "TC TD TH"), (1, "7", "KC")])
    assert drawn(eight, 500)["call"] < 250  # more than eight, not eight
