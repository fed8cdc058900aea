"""The exact sampler against enumeration, and the samplers of the literature beside it."""

from collections import Counter
from functools import cache
from itertools import combinations
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
from scipy import stats

import facedown as fd
from drawing_worlds import draw_many, impossible_worlds
from facedown.cards import cards_of, mask_of, parse
from facedown.errors import FacedownError, UnknownName
from facedown.rng import draw, stream
from facedown.worlds import exact
from facedown.worlds.counting import count_worlds, every_world

World = tuple[int, ...]


def hidden_cards(may_hold: list[str], room: list[int], known: list[str] | None = None, sampler: str = "exact") -> Any:
    """A HIDDEN record from text: the cards each holder may have, how many it has, and which are known."""
    hidden = exact.new_hidden(sampler)
    record = hidden[0]
    record.holders = len(room)
    for holder, text in enumerate(may_hold):
        record.may_hold[holder] = mask_of(parse(word) for word in text.split())
        record.room[holder] = room[holder]
        record.unseen |= record.may_hold[holder]
    for holder, text in enumerate(known or []):
        record.known[holder] = mask_of(parse(word) for word in text.split())
    record.pool = record.unseen
    return hidden


def all_worlds(hidden: Any) -> list[World]:
    """Every way to give the unseen cards to the holders, by trying them all."""
    record = hidden[0]
    holders = range(int(record.holders))
    unseen = set(cards_of(record.unseen))

    def assign(holder: int, left: frozenset[int]) -> list[World]:
        if holder == len(holders):
            return [()] if not left else []
        known = set(cards_of(record.known[holder]))
        possible = left & set(cards_of(record.may_hold[holder]))
        worlds = []
        for hand in combinations(sorted(possible), int(record.room[holder])):
            if known <= set(hand):
                worlds += [(int(mask_of(hand)), *rest) for rest in assign(holder + 1, left - set(hand))]
        return worlds

    return assign(0, frozenset(unseen))


def sampled(hidden: Any, count: int, seed: int = 1) -> Counter[World]:
    out = np.zeros((count, int(hidden[0].holders)), np.uint64)
    draw_many(hidden, exact.prepare(hidden), stream(seed), out)
    return Counter(tuple(row) for row in out.tolist())


def uniformity(hidden: Any, draws_a_world: int = 200) -> float:
    """The p-value of a chi-squared test that all worlds are equally likely."""
    worlds = all_worlds(hidden)
    counts = sampled(hidden, draws_a_world * len(worlds))
    assert counts.keys() <= set(worlds), "an impossible world was drawn"
    return float(stats.chisquare([counts[world] for world in worlds]).pvalue)


# Voids that overlap in many ways; a known card; a stock as a fourth holder; a holder with nothing; forced cards.
POSITIONS = {
    "no restriction": (["2C 3C 4D 5D 6S 7S"] * 3, [2, 2, 2], None),
    "one void": (["2C 3C 4D 5D 6S 7S", "4D 5D 6S 7S", "2C 3C 4D 5D 6S 7S"], [2, 2, 2], None),
    "voids that overlap": (["2C 3C 4D 5D", "4D 5D 6S 7S", "2C 3C 6S 7S 8H"], [3, 2, 2], None),
    "a known card": (["2C 3C 4D 5D 6S", "2C 3C 4D 5D 6S"], [3, 2], ["5D", ""]),
    "a stock is one more holder": (["2C 3C 4D 5D", "2C 3C 6S", "2C 3C 4D 5D 6S 7S 8H"], [2, 1, 4], None),
    "a card for one holder only": (["2C 3C 4D AH", "2C 3C 4D", "2C 3C 4D"], [2, 1, 1], None),
    "nothing to draw": (["2C", "3C", ""], [1, 1, 0], None),
    "four holders": (["2C 3C 4C", "3C 4C 5C 6C", "2C 5C 6C", "2C 4C 6C 7C"], [1, 2, 1, 2], None),
    "seven holders": (["2C 3C 4C", "2C 3C", "3C 4C 5C", "5C 6C", "6C 7C 8C", "7C 8C", "8C 2C"], [1] * 7, None),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_every_world_is_equally_likely(name: str) -> None:
    hidden = hidden_cards(*POSITIONS[name])
    assert len(all_worlds(hidden)) == 1 or uniformity(hidden) > 0.001


@pytest.mark.parametrize("name", POSITIONS)
def test_the_count_of_worlds_is_exact(name: str) -> None:
    hidden = hidden_cards(*POSITIONS[name])
    assert count_worlds(hidden) == len(all_worlds(hidden))


@pytest.mark.parametrize("name", POSITIONS)
def test_accept_reject_is_uniform_too(name: str) -> None:
    hidden = hidden_cards(*POSITIONS[name], sampler="accept-reject")
    assert len(all_worlds(hidden)) == 1 or uniformity(hidden, 100) > 0.001


@pytest.mark.parametrize("seed", range(40))
def test_random_restrictions_agree_with_enumeration(seed: int) -> None:
    rng = stream(seed, 77)
    texts = ["2C", "3C", "4D", "5D", "6S", "7S", "8H"]
    room = [2, 2, 3]
    home = [0, 0, 1, 1, 2, 2, 2]  # a world that stays possible
    may_hold = [
        [text for text, owner in zip(texts, home, strict=True) if owner == holder or draw(rng, 3)] for holder in range(3)
    ]
    hidden = hidden_cards([" ".join(cards) for cards in may_hold], room)
    worlds = all_worlds(hidden)
    assert count_worlds(hidden) == len(worlds)
    assert len(worlds) == 1 or uniformity(hidden, 100) > 0.0005


def in_need(seed: int, sampler: str = "exact") -> Any:
    """Three holders of eight cards, with voids; what they hold is known to be worth something together."""
    rng = stream(seed, 78)
    texts = ["2C", "3C", "4D", "5D", "6S", "7S", "8H", "9H"]
    home = [0, 0, 1, 1, 1, 2, 2, 2]  # a world that stays possible
    may_hold = [
        [text for text, owner in zip(texts, home, strict=True) if owner == holder or draw(rng, 4)] for holder in range(3)
    ]
    hidden = hidden_cards([" ".join(cards) for cards in may_hold], [2, 3, 3], ["3C", "", ""], sampler)
    for text, owner in zip(texts, home, strict=True):
        hidden[0].worth[parse(text)] = draw(rng, 5)
        hidden[0].need[owner] += int(hidden[0].worth[parse(text)]) - draw(rng, 2)
    return hidden


def meets_needs(hidden: Any, world: World) -> bool:
    worths = [sum(int(hidden[0].worth[card]) for card in cards_of(held)) for held in world]
    return all(worth >= need for worth, need in zip(worths, hidden[0].need, strict=False))


@pytest.mark.parametrize("sampler", ["exact", "accept-reject"])
def test_worlds_that_leave_somebody_in_need_are_neither_drawn_nor_counted(sampler: str) -> None:
    excluded = 0
    for seed in range(12):
        hidden = in_need(seed, sampler)
        worlds = [world for world in all_worlds(hidden) if meets_needs(hidden, world)]
        excluded += len(all_worlds(hidden)) - len(worlds)
        assert count_worlds(hidden) == len(worlds)
        assert {tuple(held[:3]) for held in every_world(hidden)} == set(worlds)
        counts = sampled(hidden, 200 * len(worlds))
        assert counts.keys() <= set(worlds)
        assert len(worlds) == 1 or stats.chisquare([counts[world] for world in worlds]).pvalue > 0.0005
    assert excluded > 100


def test_the_matrix_minds_needs_and_samplers_with_less_knowledge_do_not() -> None:
    for seed in range(6):
        hidden = in_need(seed, "possibility-matrix")
        assert all(meets_needs(hidden, world) for world in sampled(hidden, 200))
    hidden = in_need(1, "cards-played")
    assert not all(meets_needs(hidden, world) for world in sampled(hidden, 200))


def test_a_position_that_no_world_fits_is_refused() -> None:
    for may_hold, room in [(["2C", "2C 3C"], [0, 1]), (["2C 3C", "4C"], [1, 2]), (["2C", "2C"], [1, 1])]:
        with pytest.raises(FacedownError, match="at least one possible world"):
            exact.prepare(hidden_cards(may_hold, room))


def test_an_unknown_sampler_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="unknown sampler 'exct'; known: accept-reject, biased-matrix"):
        exact.new_hidden("exct")


# --- The possibility matrix (Fernandes 2016, section 4.1) -------------------------------------------------------------


def fernandes_example(sampler: str) -> Any:
    """The paper's own example: nine worlds, which its table 4.1 could not distinguish from uniform."""
    everything = "AH 7H KS QS JS 2D"
    return hidden_cards([everything, "KS QS JS", "AH 7H 2D"], [2, 2, 2], sampler=sampler)


def test_the_example_of_the_paper_has_nine_worlds_and_looks_uniform() -> None:
    hidden = fernandes_example("possibility-matrix")
    assert len(all_worlds(hidden)) == 9
    assert uniformity(hidden, 1111) > 0.001


def lopsided(sampler: str) -> Any:
    """A position in which the most restricted holder chooses first, and so shuts out worlds of the others."""
    return hidden_cards(["2C 3C 4C 5C", "2C 3C 4C 5C 6D 7D", "4C 5C 6D 7D"], [2, 2, 2], sampler=sampler)


def test_the_possibility_matrix_is_not_uniform_where_the_exact_sampler_is() -> None:
    assert uniformity(lopsided("possibility-matrix"), 2000) < 1e-12
    assert uniformity(lopsided("exact"), 2000) > 0.001


def test_the_possibility_matrix_reaches_every_world() -> None:
    hidden = lopsided("possibility-matrix")
    assert sampled(hidden, 20_000).keys() == set(all_worlds(hidden))


def test_beliefs_bias_the_matrix() -> None:
    hidden = fernandes_example("biased-matrix")
    queen = parse("QS")
    hidden[0].belief[1, queen] = 0.05
    counts = sampled(hidden, 20_000)
    with_queen = sum(count for world, count in counts.items() if world[1] >> queen & 1)
    assert counts.keys() == set(all_worlds(hidden)), "an unlikely card is still possible"
    assert with_queen / 20_000 < 0.2, "two thirds would hold it without the belief"


def test_a_belief_of_nothing_rules_a_card_out() -> None:
    """Section 4.1.0.2: what is above 0 counts as possible, and 0 does not."""
    hidden = fernandes_example("biased-matrix")
    queen = parse("QS")
    hidden[0].belief[1, queen] = 0.0
    counts = sampled(hidden, 2000)
    without = {world for world in all_worlds(fernandes_example("exact")) if not world[1] >> queen & 1}
    assert counts.keys() == without


def test_what_is_known_stands_whatever_is_believed() -> None:
    hidden = hidden_cards(["2C 3C 4C", "2C 3C 4C"], [1, 2], sampler="biased-matrix")
    card = parse("2C")
    hidden[0].known[0] = mask_of([card])
    hidden[0].belief[0, card] = 0.0
    assert all(world[0] >> card & 1 for world in sampled(hidden, 50))


def test_beliefs_that_leave_no_world_are_refused() -> None:
    view = fd.load("sueca").deal(1).view(0)
    with pytest.raises(FacedownError, match="expected a position with at least one possible world, got one with none"):
        view.sample(1, "biased-matrix", np.zeros((4, 52)))


def test_a_player_believed_without_a_suit_is_dealt_none() -> None:
    view = fd.load("sueca").deal(1).view(0)
    beliefs = np.ones((4, 52))
    beliefs[1, :13] = 0.0  # no clubs
    for seed in range(20):
        assert not any(card.endswith("C") for card in view.sample(seed, "biased-matrix", beliefs).hands[1])


@pytest.mark.parametrize(
    ("beliefs", "got"),
    [
        ([[-1.0] * 52], "-1"),
        ([[float("nan")] * 52], "nan"),
        ([[float("inf")] * 52], "inf"),
        (np.ones((9, 52)), "9 x 52"),
        (np.ones(52), "52"),
    ],
)
def test_beliefs_that_are_no_weights_are_refused(beliefs: Any, got: str) -> None:
    view = fd.load("sueca").deal(1).view(0)
    with pytest.raises(
        fd.BadOption, match=f"expected beliefs as weights from 0 up, at most 8 holders x 64 cards, got {got}"
    ):
        view.sample(1, "biased-matrix", beliefs)


# --- Bax 2020: three qualities of memory ------------------------------------------------------------------------------


def late_view() -> fd.View:
    """A 32-card deal after some tricks, with a void shown in a suit that others still hold."""
    state = fd.load("hearts32").deal(seed=4)
    rng = stream(5)
    while len(state.history) < 18:
        state.play(state.legal[draw(rng, len(state.legal))])
    view = state.view(state.seat or 0)
    record = view.unseen()[0]
    assert any(record.unseen & ~record.may_hold[seat] for seat in range(4) if seat != view.seat)
    return view


@pytest.mark.parametrize("sampler", exact.SAMPLERS)
def test_every_sampler_fills_every_hand(sampler: str) -> None:
    view = late_view()
    sizes = view.facts["hand_sizes"]
    for seed in range(50):
        sample = view.sample(seed, sampler)
        assert [len(hand) for hand in sample.hands] == sizes
        assert sample.hands[view.seat] == view.hand(view.seat)


def played_again(view: fd.View, sampler: str) -> bool:
    played = {card for cards in view.facts["played"] for card in cards}
    return any(played & set(hand) for seed in range(50) for hand in view.sample(seed, sampler).hands)


def breaks_a_void(view: fd.View, sampler: str) -> bool:
    voids = view.facts["voids"]
    return any(
        card[1] in voids[seat]
        for seed in range(50)
        for seat, hand in enumerate(view.sample(seed, sampler).hands)
        for card in hand
    )


def test_the_random_sample_forgets_cards_that_were_played() -> None:
    assert played_again(late_view(), "random")


def test_the_cards_played_sample_remembers_cards_but_not_voids() -> None:
    assert not played_again(late_view(), "cards-played")
    assert breaks_a_void(late_view(), "cards-played")


@pytest.mark.parametrize("sampler", ["suits-and-cards-played", "exact", "accept-reject", "possibility-matrix"])
def test_the_careful_samplers_remember_both(sampler: str) -> None:
    assert not played_again(late_view(), sampler)
    assert not breaks_a_void(late_view(), sampler)


# --- Hearts -----------------------------------------------------------------------------------------------------------


def test_at_the_opening_every_deal_of_the_other_hands_is_possible() -> None:
    state = fd.load("hearts", passing=False).deal(seed=1)
    opener = state.seat or 0
    assert state.view(opener).worlds() == factorial(39) // factorial(13) ** 3
    assert state.view((opener + 1) % 4).worlds() == factorial(38) // (factorial(12) * factorial(13) ** 2)


def test_no_impossible_world_in_a_million() -> None:
    state = fd.load("hearts").deal(seed=2)
    rng = stream(9)
    drawn = 0
    while not state.over:
        view = state.view(state.seat or 0)
        if len(state.history) >= 12:
            records = view.sample_many(20_000, rng)
            assert impossible_worlds(records, view.seat, view.unseen()) == 0
            drawn += len(records)
        state.play(state.legal[draw(rng, len(state.legal))])
    assert drawn >= 1_000_000


def test_worlds_of_a_late_position_are_drawn_uniformly() -> None:
    view = late_view()
    hidden = view.unseen()
    worlds = all_worlds(hidden)
    assert view.worlds() == len(worlds) > 10
    records = view.sample_many(300 * len(worlds), stream(1))
    counts = Counter(
        tuple(int(hand) if seat != view.seat else 0 for seat, hand in enumerate(row)) for row in records["hands"]
    )
    assert counts.keys() <= set(worlds)
    assert stats.chisquare([counts[world] for world in worlds]).pvalue > 0.001


@cache
def multinomial(*sizes: int) -> int:
    return factorial(sum(sizes)) // prod(factorial(size) for size in sizes)


def test_large_counts_are_exact_whole_numbers() -> None:
    everything = " ".join(f"{rank}{suit}" for suit in "CDSH" for rank in "23456789TJQKA")
    hidden = hidden_cards([everything] * 4, [13] * 4)
    assert count_worlds(hidden) == multinomial(13, 13, 13, 13)
