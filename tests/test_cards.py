import numpy as np
import pytest

from facedown import cards
from facedown.errors import BadText
from facedown.kernel import count_ones, lowest_bit, nth_bit
from facedown.rng import stream


def test_a_card_is_written_as_rank_and_suit() -> None:
    assert [cards.text(card) for card in (0, 12, 21, 36, 51)] == ["2C", "AC", "TD", "QS", "AH"]


def test_every_card_reads_back() -> None:
    assert [cards.parse(cards.text(card)) for card in range(52)] == list(range(52))


@pytest.mark.parametrize("spelling", ["QS", "qs", " Qs ", "Q♠", "q♠"])
def test_spellings_a_person_would_use(spelling: str) -> None:
    assert cards.parse(spelling) == 36


def test_ten_may_be_written_with_two_digits() -> None:
    assert cards.parse("10c") == cards.parse("TC")


@pytest.mark.parametrize("wrong", ["", "Q", "SQ", "1S", "QX", "QSS", "queen"])
def test_other_text_is_refused_with_what_was_expected(wrong: str) -> None:
    with pytest.raises(BadText, match=f"expected a card such as QS, TC or 2H, got {wrong!r}"):
        cards.parse(wrong)


def test_a_number_beyond_the_deck_has_no_text() -> None:
    with pytest.raises(BadText, match="expected a card from 0 to 51, got 52"):
        cards.text(52)


def test_sets_go_both_ways() -> None:
    assert cards.cards_of(cards.mask_of([3, 40, 51])) == [3, 40, 51]
    assert cards.texts_of(cards.mask_of([36, 0])) == ["2C", "QS"]


def test_bits_are_counted_and_found() -> None:
    generator = np.random.default_rng(1)
    for _ in range(200):
        places = sorted(generator.choice(64, size=generator.integers(1, 64), replace=False).tolist())
        mask = np.uint64(sum(1 << place for place in places))
        assert count_ones(mask) == len(places)
        assert lowest_bit(mask) == places[0]
        assert [nth_bit(mask, n) for n in range(len(places))] == places


def test_a_random_card_comes_from_the_set_and_each_does() -> None:
    hand = cards.mask_of([1, 30, 50])
    rng = stream(4)
    assert {cards.random_card(hand, rng) for _ in range(100)} == {1, 30, 50}


def test_written_cards_stand_in_order() -> None:
    out = np.empty(64, np.int64)
    assert cards.write_cards(cards.mask_of([50, 2, 17]), out) == 3
    assert out[:3].tolist() == [2, 17, 50]
