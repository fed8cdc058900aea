"""What a seat knows in Sueca and Bisca: worlds are those that fit the history, and each is as likely as another."""

import random
from collections import Counter
from itertools import islice, permutations, product
from math import comb, factorial
from typing import Any

import numpy as np
import pytest
from scipy import stats

import naive_trumps as naive
from facedown import State, View, load
from facedown.cards import mask_of, parse, texts_of
from facedown.kernel import COMPILED
from facedown.rng import stream
from facedown.worlds.counting import count_worlds
from positions import legal, play
from test_hearts_views import ask_everything, reachable, tells
from trump_positions import at_both_tables, cards_of, deal, late

GAMES = ["sueca", "sueca:mandar_abaixo=true", "bisca", "bisca:hand_size=3", "bisca:seats=4", "bisca:seats=4,hand_size=3"]
MATCHES = ["sueca:match=10,mandar_abaixo=true", "bisca:match=10,seats=4"]


def started(game: str, seed: int, actions: int) -> tuple[State, naive.Table]:
    """A deal after some random actions, at the table and at the oracle's; of a match, the second deal."""
    state, table = at_both_tables(game, seed)
    rng = random.Random(f"{game} {seed}")
    while len(table.plays) < actions or (state.game.options["match"].value and table.deals_over == 0):
        card = rng.choice(legal(state).split())
        state.play(card)
        table.play(card)
        if table.deal_is_over:
            if not table.another_deal():
                return started(game, seed + 1000, actions)
            table.deal(*cards_of(state))
    return state, table


def masks(view: View, field: str) -> list[set[str]]:
    """A field of the record that says who may hold what, as cards by holder."""
    return [set(texts_of(mask)) for mask in view.unseen()[0][field][: view.game.seats + 1]]


def world_of(record: Any, seats: int) -> tuple[frozenset[str], ...]:
    """The hands and the stock of a record, as sets."""
    hands = [frozenset(texts_of(hand)) for hand in record.hands[:seats]]
    return (*hands, frozenset(texts_of(mask_of(int(card) for card in record.stock if card >= 0))))


# --- What a seat can work out -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES + MATCHES)
def test_a_view_knows_all_that_the_rulebook_lets_a_seat_work_out_and_no_more(game: str) -> None:
    for seed in range(12 if COMPILED else 3):
        state, table = started(game, seed, seed * 3)
        for viewer in table.seats:
            view = state.view(viewer)
            unseen = set(table.unseen(viewer))
            place = len(table.seats) if table.shown_taken_by is None else table.shown_taken_by
            known = [unseen & {table.shown} if holder == place else set() for holder in range(len(table.seats) + 1)]
            assert set(texts_of(view.unseen()[0].unseen)) == unseen
            assert masks(view, "known") == known
            assert masks(view, "may_hold") == [
                set() if seat == viewer else unseen - table.cannot_hold(seat) for seat in table.seats
            ] + [unseen]
            assert view.unseen()[0].room[: len(table.seats) + 1].tolist() == [
                0 if seat == viewer else len(table.hands[seat]) for seat in table.seats
            ] + [len(table.stock)]


@pytest.mark.parametrize("game", GAMES + MATCHES)
def test_the_worlds_of_a_view_are_those_found_by_trying_every_deal(game: str) -> None:
    for seed in range(5 if COMPILED else 1):
        state, table = started(game, seed, random.Random(seed).choice([31, 32, 33, 34]))
        viewer = seed % len(table.seats)
        view, worlds = state.view(viewer), table.worlds(viewer)
        assert view.worlds() == len(worlds)
        assert tuple(frozenset(hand) for hand in [*table.hands, table.stock]) in worlds
        assert {world_of(record, len(table.seats)) for record in view.every_world().view(np.recarray)} == worlds
        drawn = view.sample_many(20 * len(worlds), stream(seed)).view(np.recarray)
        seen = {world_of(record, len(table.seats)) for record in drawn}
        assert seen <= worlds
        assert len(worlds) > 100 or seen == worlds


@pytest.mark.parametrize("game", GAMES + MATCHES)
def test_a_sampled_world_is_one_in_which_all_could_have_happened(game: str) -> None:
    for seed in range(10 if COMPILED else 2):
        state, table = started(game, 100 + seed, seed * 4 % 39)
        for viewer in table.seats:
            view = state.view(viewer)
            for draw in range(5):
                world = view.sample(draw)
                assert bytes(world.view(viewer)) == bytes(view)
                assert table.fits(viewer, world.hands, world.facts["stock"])


@pytest.mark.parametrize("game", GAMES)
def test_no_impossible_world_in_many(game: str) -> None:
    """Against what the oracle works out: voids, sizes, the shown trump, poor hands, each card in one place."""
    drawn = 0
    for seed in range(10):
        state, table = started(game, 200 + seed, 4 * seed)
        viewer = seed % len(table.seats)
        records = state.view(viewer).sample_many(5000 if COMPILED else 50, stream(seed))
        drawn += len(records)
        shown = np.uint64(1 << parse(table.shown))
        stock = np.zeros(len(records), np.uint64)
        for place in range(len(table.stock)):
            stock |= np.uint64(1) << records["stock"][:, place].astype(np.uint64)
        assert (records["stock"][:, len(table.stock) :] == -1).all()
        assert not table.stock or (records["stock"][:, 0] == parse(table.shown)).all()
        everything = stock.copy()
        for seat in table.seats:
            hand = records["hands"][:, seat]
            assert not (everything & hand).any()
            everything |= hand
            assert (np.bitwise_count(hand) == len(table.hands[seat])).all()
            assert not (hand & mask_of(map(parse, table.cannot_hold(seat)))).any()
            if table.shown_taken_by == seat and table.shown in table.hands[seat]:
                assert (hand & shown).all()
            if table.options.mandar_abaixo:
                assert not (poor(hand, table, seat)).any()
        own = mask_of(map(parse, table.hands[viewer]))
        assert (records["hands"][:, viewer] == own).all()
        assert (everything == own | mask_of(map(parse, table.unseen(viewer)))).all()
    assert drawn >= 50_000 or not COMPILED


def poor(hands: Any, table: naive.Table, seat: int) -> Any:
    """Which of some hands, with the cards that the seat has played, would have been dealt anew."""
    points = np.full(len(hands), naive.points_of(table.played(seat)))
    for rank, value in naive.POINTS.items():
        points += value * np.bitwise_count(hands & mask_of(parse(rank + suit) for suit in naive.SUITS)).astype(int)
    trumps = mask_of(parse(rank + table.trump) for rank in naive.RANKS)
    return (points < 10) & (hands & trumps == 0) & all(card[1] != table.trump for card in table.played(seat))


# --- Each world as likely -----------------------------------------------------------------------------------------------


def needy(view: View) -> bool:
    """Whether mandar abaixo excludes worlds that would be possible without it."""
    hidden = view.unseen()
    if not hidden[0].need.any():
        return False
    hidden[0].need[:] = 0
    return count_worlds(hidden) > view.worlds()


def few_worlds(game: str, least: int, most: int, with_needs: bool = False) -> tuple[View, naive.Table]:
    """A view that allows so many worlds, with a void shown if the stock is gone; or one in which somebody is in need."""
    for seed in range(3000):
        state, table = started(game, seed, 30 if with_needs else 28 + seed % 6)
        view = state.view(state.seat or 0)
        told = needy(view) if with_needs else table.stock or any(table.voids(seat) for seat in table.seats)
        if told and least <= view.worlds() <= most:
            return view, table
    raise AssertionError("expected such a position")


@pytest.mark.parametrize(
    ("game", "needs"),
    [
        ("sueca", False),
        ("sueca:mandar_abaixo=true", False),
        ("sueca:mandar_abaixo=true", True),
        ("bisca:hand_size=3", False),
        ("bisca:seats=4", False),
        ("bisca:seats=4,hand_size=3", False),
    ],
)
def test_worlds_are_drawn_uniformly(game: str, needs: bool) -> None:
    view, table = few_worlds(game, 20, 700, needs)
    worlds = table.worlds(view.seat)
    assert view.worlds() == len(worlds)
    records = view.sample_many(200 * len(worlds), stream(1))
    counts = Counter(map(tuple, records["hands"].tolist()))  # what is in no hand is in the stock
    assert len(counts) == len(worlds)
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_the_order_of_the_stock_is_drawn_uniformly_with_the_shown_trump_last() -> None:
    state, table = started("bisca:hand_size=3", 3, 30)
    assert len(table.stock) == 4
    view = state.view(state.seat or 0)
    records = view.sample_many(60_000 if COMPILED else 6000, stream(2))
    counts = Counter(tuple(order) for order in records["stock"][:, 1:4].tolist())
    unseen = [parse(card) for card in table.unseen(view.seat) if card != table.shown]
    assert counts.keys() == set(permutations(unseen, 3))
    assert stats.chisquare(list(counts.values())).pvalue > 0.001
    assert (records["stock"][:, 0] == parse(table.shown)).all()


# --- Counts by hand -----------------------------------------------------------------------------------------------------


def test_at_the_opening_all_deals_are_possible_but_for_the_shown_trump() -> None:
    sueca, bisca = load("sueca").deal(seed=1), load("bisca").deal(seed=1)
    assert sueca.view(0).worlds() == factorial(29) // (factorial(10) * factorial(10) * factorial(9))
    assert sueca.view(3).worlds() == factorial(30) // factorial(10) ** 3
    assert bisca.view(0).worlds() == bisca.view(1).worlds() == comb(30, 9)
    four = load("bisca:seats=4").deal(seed=1)
    assert four.view(2).worlds() == factorial(30) // (factorial(9) ** 3 * factorial(3))


def test_once_the_stock_is_gone_two_seats_know_each_others_cards() -> None:
    for seed in range(5):
        state = load("bisca").deal(seed)
        rng = random.Random(seed)
        while not state.over:
            gone = state.facts["stock_left"] == 0
            for seat in (0, 1):
                view = state.view(seat)
                assert (view.worlds() == 1) == gone
                assert (view.facts["holds"] == state.hands) == gone
                assert not gone or view.sample(seed).hands == state.hands
            state.play(rng.choice(state.legal))


def test_a_card_of_another_suit_shows_a_void_only_where_following_is_compulsory() -> None:
    state = play(deal("sueca", {0: "AK.23.23.2345", 1: "-.A74.A74.A7KJ"}, "6D"), "AC 4S")
    assert state.view(0).facts["voids"] == [[], ["C"], [], []]
    assert not any(card[1] == "C" for seed in range(50) for card in state.view(0).sample(seed).hands[1])
    state = play(deal("bisca", {0: "AK.2.2.23456", 1: "72.3.A7.A7KJ"}, "6D"), "AC 3D")
    assert state.view(0).facts["voids"] == [[], []]
    assert any(card[1] == "C" for seed in range(50) for card in state.view(0).sample(seed).hands[1])
    state = play(late("bisca:seats=4", ["A.-.2.-", "-.A.3.-", "3.3.-.-", "4.4.-.-"], trump="D"), "AC 3S")
    assert state.view(0).facts["voids"][1] == ["C"]


def test_all_know_who_holds_the_shown_card_until_it_is_played() -> None:
    state = deal("sueca", {0: "AK.23.23.2345"}, "6D")
    for viewer in (0, 1, 2):
        assert masks(state.view(viewer), "known")[3] == {"6D"}
        assert all("6D" in state.view(viewer).sample(seed).hands[3] for seed in range(20))
    play(state, "2D")
    while state.facts["trick"]:
        state.play("6D" if state.seat == 3 else legal(state).split()[0])
    assert not any(state.facts["holds"])
    assert masks(state.view(0), "known") == [set()] * 5


def poor_pairs(cards: list[str], trump: str) -> tuple[int, int]:
    """In how many ways one hand of ten, and two hands of ten, can be poor."""
    harmless = [card for card in cards if card[1] != trump and card[0] not in "A7"]
    courts = [naive.POINTS[card[0]] for card in harmless if card[0] in naive.POINTS]
    low = len(harmless) - len(courts)
    single = pairs = 0
    for places in product(range(3), repeat=len(courts)):  # a court card lies in the first hand, the second, or neither
        one, two = ([points for points, place in zip(courts, places, strict=True) if place == hand] for hand in (0, 1))
        if sum(one) < 10 and sum(two) < 10 and len(one) <= 10 and len(two) <= 10:
            pairs += comb(low, 10 - len(one)) * comb(max(0, low - 10 + len(one)), 10 - len(two))
            single += 0 if two else comb(low, 10 - len(one))
    return single, pairs


def test_mandar_abaixo_takes_the_poor_hands_out_of_the_count() -> None:
    state, table = at_both_tables("sueca:mandar_abaixo=true", 4)
    for viewer, others, third in ((3, 3, 10), (0, 2, 9)):  # the dealer has a trump, so its hand is never in question
        single, pairs = poor_pairs(table.unseen(viewer), table.trump)
        total = factorial(20 + third) // (factorial(10) ** 2 * factorial(third))
        poor_deals = others * single * comb(10 + third, 10) - comb(others, 2) * pairs
        assert state.view(viewer).worlds() == total - poor_deals < total


# --- Nothing more can be reached ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["sueca", "bisca", "bisca:seats=4", "bisca:match=4"])
@pytest.mark.parametrize("actions", [0, 5, 18, 25])
def test_no_hidden_hand_no_order_of_the_stock_and_no_seed_can_be_reached_from_a_view(game: str, actions: int) -> None:
    state = load(game).deal(seed=0x1234_5678_9ABC_DEF0)
    for _ in range(actions):
        state.play(state.legal[-1])
    for viewer in range(state.game.seats):
        hidden = [hand for seat, hand in enumerate(state.hands) if seat != viewer]
        secrets = {int(mask_of(map(parse, hand))) for hand in hidden} | {state.seed}
        view = state.view(viewer)
        ask_everything(view)
        items = reachable(view)
        assert any(item is view.data for item in items)
        assert not [item for item in items if tells(item, secrets, [*hidden, state.facts["stock"] or hidden[0]])]
        order = bytes(state.record.stock[1 : int(state.record.stock_left)].tobytes())
        assert len(order) < 2 or order not in view.data.tobytes()
        assert any(tells(item, secrets, hidden) for item in reachable(state))


def test_a_view_has_no_stock_but_its_size_and_the_shown_trump() -> None:
    state = load("bisca").deal(seed=1)
    for _ in range(7):
        state.play(state.legal[0])
    facts = state.view(0).facts
    assert (facts["stock_left"], facts["shown"]) == (16, state.facts["stock"][-1])
    with pytest.raises(Exception, match="seat 0 cannot know 'stock'"):
        facts["stock"]
    assert list(islice(state.view(0).record.stock, 1, None)) == [-1] * 33
