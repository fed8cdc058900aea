import random

import pytest

import facedown as fd
import naive_spades
from facedown import cards
from facedown.inference.spade_history import ActionHistory, histories

NEW = ActionHistory()


def plays_of(words: str) -> list[tuple[int, int]]:
    """Cards with their seats: '0:2C 1:3C'."""
    return [(int(word[0]), cards.parse(word[2:])) for word in words.split()]


def history(words: str, seat: int) -> ActionHistory:
    """The newest history of a seat."""
    return ActionHistory.of_key(histories(plays_of(words))[seat][-1].key)


CLUBS = "0:2C 1:5C 2:6C 3:AC"  # 3 leads to the second trick
VOID = f"{CLUBS} 3:3S 0:4S 1:5S 2:6D 1:3D 2:4D 3:AD 0:8D"  # 2 has no spades, 3 leads to the fourth


def test_before_the_first_card_nothing_has_happened() -> None:
    assert [ActionHistory.of_key(reached[-1].key) for reached in histories([])] == [NEW] * 4


@pytest.mark.parametrize(
    ("plays", "seat", "expected"),
    [
        # 1. the queen could have been played without taking it back
        (f"{CLUBS} 3:KC 0:3D", 0, {"queen_kept": 1, "king_kept": 1, "ace_kept": 1, "leads": 1, "trick": 2}),
        (f"{CLUBS} 3:AS 0:4S", 0, {"queen_kept": 1, "king_kept": 1, "leads": 1, "trick": 2, "ace_left": 0}),
        (f"{CLUBS} 3:3S 0:4S", 0, {"leads": 1, "trick": 2}),
        # ... but on the first trick the queen may not be discarded; king and ace may
        ("0:2C 1:3D", 1, {"king_kept": 1, "ace_kept": 1}),
        # 2., 3. last to a spade trick, nobody can add the queen
        (f"{CLUBS} 3:3S 0:4S 1:5S 2:6S", 2, {"king_kept": 1, "ace_kept": 1, "trick": 3}),
        (f"{CLUBS} 3:3S 0:4S 1:5S 2:6S", 1, {"trick": 3}),
        # ... nor do those who cannot follow spades
        (f"{VOID} 3:6S 0:7S 1:8S", 1, {"king_kept": 1, "ace_kept": 1, "leads": 1, "trick": 4}),
        (f"{VOID} 3:6S 0:7S", 0, {"leads": 1, "trick": 4}),
        # 4. played without risk: discarded, under the ace, or last
        (
            f"{CLUBS} 3:KC 0:KS",
            0,
            {"queen_kept": 1, "ace_kept": 1, "played_safely": 1, "leads": 1, "trick": 2, "king_left": 0},
        ),
        (
            f"{CLUBS} 3:AS 0:KS",
            0,
            {"queen_kept": 1, "played_safely": 1, "leads": 1, "trick": 2, "king_left": 0, "ace_left": 0},
        ),
        # 5., 6. at risk: somebody plays after it
        (f"{CLUBS} 3:3S 0:KS", 0, {"king_risked": 1, "leads": 1, "trick": 2, "king_left": 0}),
        (f"{CLUBS} 3:AS", 3, {"ace_risked": 1, "leads": 1, "trick": 2, "ace_left": 0}),
        # 7. a spade played after the risk was spare
        (
            f"{CLUBS} 3:AS 0:4S 1:5S 2:6S 3:7S",
            3,
            {"ace_risked": 1, "spare_spade": 1, "leads": 2, "low_spade_leads": 1, "trick": 3, "ace_left": 0},
        ),
        # 8., 9. tricks led, and with a low spade
        (f"{CLUBS} 3:3S", 3, {"leads": 1, "low_spade_leads": 1, "trick": 2}),
        (f"{CLUBS} 3:3D", 3, {"leads": 1, "trick": 2}),
        # Who has discarded on a spade cannot hold an honour: nothing is kept any more.
        (f"{CLUBS} 3:3S 0:4D", 0, {"leads": 1, "trick": 2}),
        # What follows the queen does not count, not even the trick.
        (f"{CLUBS} 3:3S 0:QS 1:AS 2:6S 1:4D", 1, {"trick": 2}),
    ],
)
def test_each_property_counts_what_the_paper_says(plays: str, seat: int, expected: dict[str, int]) -> None:
    assert history(plays, seat) == NEW._replace(**expected)


def test_properties_are_those_of_a_slow_and_literal_reading() -> None:
    rng = random.Random(1)
    seen: dict[str, set[int]] = {name: set() for name in ActionHistory._fields}
    for seed in range(40):
        state = fd.load("hearts", passing=False).deal(seed)
        while not state.over:
            state.play(rng.choice(state.legal))
        plays = [(seat, cards.text(card)) for seat, card in state.history]
        for count in range(0, 53, 1 + seed % 3):
            found = histories(state.history[:count])
            for seat in range(4):
                newest = ActionHistory.of_key(found[seat][-1].key)
                assert newest == naive_spades.properties(plays[:count], seat), (seed, count, seat)
                for name, value in newest._asdict().items():
                    seen[name].add(value)
    assert all(len(values) > 1 for values in seen.values()), "every property varied"


def test_where_points_are_allowed_on_the_first_trick_the_queen_could_have_been_played_there() -> None:
    reached = histories(plays_of("0:2C 1:3D"), points_barred=False)
    assert ActionHistory.of_key(reached[1][-1].key).queen_kept == 1


def test_histories_are_reached_one_after_another_and_older_ones_stay() -> None:
    state = fd.play("hearts:passing=hold", ["random"] * 4, seed=3)
    whole = histories(state.history)
    for count in range(52):
        some = histories(state.history[:count])
        for longer, shorter in zip(whole, some, strict=True):
            assert longer[: len(shorter)] == shorter or longer == shorter[: len(longer)]
            assert len(set(shorter)) == len(shorter)


def test_honours_played_before_a_history_are_noted_with_it() -> None:
    reached = histories(plays_of(f"{CLUBS} 3:AS 0:KS 1:3S 2:4S"))
    assert [one.played for one in reached[3]][-1] == 4
    assert [one.played for one in reached[0]][-1] == 2
    assert [one.played for one in reached[1]][-1] == 0
