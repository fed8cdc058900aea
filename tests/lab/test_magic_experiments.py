"""What the experiments on Magic measure without tournaments: mixtures of rule players, moves of decks, shapes of trees."""

import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

import facedown as fd
from facedown.arena.progress import WorkProgress
from facedown.games.magic.plans import PRINTED
from facedown.kernel import Array
from facedown.lab.experiments.claims import CONFIRMED, ORDER, READING, larger
from facedown.lab.experiments.cowling.magic_combinations import EIGHT, SIXTEEN, TRIALS_5, TRIALS_6, printed
from facedown.lab.experiments.cowling.magic_decks import (
    CREATURES,
    WIDE_DECK,
    moves_by_deal,
    moves_offered_by,
    random_deck,
    varied_deck,
    widest_deck,
)
from facedown.lab.experiments.cowling.magic_mixtures import (
    ALL_EXPERT,
    ALL_REDUCED,
    KNOWS_LANDS,
    alike_rows,
    deck_rows,
    mixture_rows,
    three_at_once,
    wins_on,
)
from facedown.lab.experiments.cowling.magic_phases import ANY_CARDS, winner_of
from facedown.lab.experiments.cowling.magic_players import lead_of, main_phases, wins_by_deal
from facedown.lab.experiments.cowling.magic_preliminaries import even
from facedown.lab.experiments.cowling.magic_published import STANDARD, WIDE, as_printed, half_width, lead, rate, with_deck
from facedown.lab.experiments.cowling.magic_seven import average_of, printed_average
from facedown.lab.experiments.cowling.magic_shapes import DEEPEST, shape
from facedown.lab.experiments.cowling.magic_trees import BEST, OTHERS, TREES
from facedown.lab.experiments.running import ExperimentSettings, Lab
from facedown.rng import stream
from facedown.rules import EXPERT, REDUCED, UNIFORM
from facedown.stats import Estimate

ALL_PRINTED = (PRINTED, PRINTED, PRINTED)


@pytest.fixture(scope="module")
def dealt() -> Array:
    """The records of sixty deals."""
    return np.concatenate([fd.load("magic").deal(seed).data for seed in range(60)])


def wins(dealt: Array, one: tuple[int, ...], other: tuple[int, ...]) -> list[float]:
    """What a player wins on each deal."""
    return wins_on(dealt, (one, other), stream(1))


def test_equals_without_chance_in_them_win_each_deal_once(dealt: Array) -> None:
    assert set(wins(dealt, ALL_EXPERT, ALL_EXPERT)) == {0.5}
    ours, theirs = wins(dealt, ALL_EXPERT, ALL_PRINTED), wins(dealt, ALL_PRINTED, ALL_EXPERT)
    assert [one + other for one, other in zip(ours, theirs, strict=True)] == [1.0] * len(dealt)
    assert set(ours) != {0.5}


def test_a_seat_plays_as_the_agent_of_its_style_would() -> None:
    game = fd.load("magic")
    styles = np.array([ALL_EXPERT, ALL_PRINTED])
    agents = fd.agent("expert"), fd.agent("expert:printed=true")
    for seed in range(8):
        winner = winner_of(game.deal(seed).data.copy(), styles, np.empty(game.actions, np.int64), stream(1))
        state = game.deal(seed)
        while not state.over:
            seat = state.seat or 0
            state.play(agents[seat].choose(state.view(seat)))
        assert state.scores[winner] == 1


def test_a_style_is_for_a_phase(dealt: Array) -> None:
    reduced = np.mean(wins(dealt, ALL_EXPERT, ALL_REDUCED))
    careful = np.mean(wins(dealt, ALL_EXPERT, (EXPERT, REDUCED, REDUCED)))
    even = np.mean(wins(dealt, ALL_EXPERT, (EXPERT, EXPERT, REDUCED)))
    assert 0.35 < even < 0.65 < careful < 0.9 < reduced


def test_decks_of_chance_are_decks_and_differ() -> None:
    decks = {random_deck(random.Random(seed)) for seed in range(20)}
    assert len(decks) == 20
    for deck in decks:
        fd.load("magic", deck=deck)
        assert deck.startswith("17xland+")


def test_rows_are_over_deals_and_over_decks_and_tell_how_far_they_are(tmp_path: Path) -> None:
    reports: list[WorkProgress] = []
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        lab = Lab("readings", ExperimentSettings(progress=reports.append), store)
        assert [row.count for row in mixture_rows(lab, 4)] == ["4 deals"] * 7
        rows, spans = deck_rows(lab, 3, 4)
        assert [row.count for row in rows] == ["3 decks"] * 7
        assert spans.startswith("With 3 random decks")
        assert deck_rows(lab, 3, 4) == (rows, spans)
    assert [(one.done, one.total, one.unit) for one in reports[7:10]] == [(0, 3, "decks"), (1, 3, "decks"), (2, 3, "decks")]


def test_a_player_that_knows_of_lands_alone_is_better_than_chance_and_worse_than_the_expert(dealt: Array) -> None:
    by_chance = (EXPERT, EXPERT, UNIFORM)
    assert 0.05 < np.mean(wins(dealt, KNOWS_LANDS, ALL_EXPERT)) < 0.4
    assert np.mean(wins(dealt, KNOWS_LANDS, by_chance)) > 0.6
    assert KNOWS_LANDS[2] == ANY_CARDS


def test_three_readings_and_decks_of_one_creature_are_over_deals_and_decks(tmp_path: Path) -> None:
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        lab = Lab("readings", ExperimentSettings(), store)
        found = three_at_once(lab, 10, 3)
        assert {deck: {one.unit for one in figures.values()} for deck, figures in found.items()} == {
            "standard deck": {"deals"},
            "best of 24 decks": {"deals"},
            "mean of other decks": {"decks"},
        }
        rates = {row.label: row.ours.value for row in alike_rows(lab, 40) if row.ours}
        assert rates["1/1 for 1"] < 0.8 < 0.9 < rates["1/3 for 2"], "creatures that die together level players"


def moves_by_hand(state: fd.State) -> tuple[int, int, int]:
    """How many sets of cards a main phase allows; of them with a land if there is one; and of them part of no other."""
    facts = state.facts
    hand = facts["hands"][state.seat or 0]
    lands = facts["lands"][state.seat or 0]
    sets = set()
    for size in range(len(hand) + 1):
        for cards in combinations(sorted(hand), size):
            cost = sum(int(card.split("for ")[1]) for card in cards if card != "land")
            if cards.count("land") <= 1 and cost <= lands + cards.count("land"):
                sets.add(cards)
    landed = {cards for cards in sets if "land" in cards or "land" not in hand}
    whole = {cards for cards in landed if not any(Counter(cards) < Counter(other) for other in landed)}
    return len(sets), len(landed), len(whole)


@pytest.mark.parametrize("deck", ["standard", WIDE_DECK])
def test_moves_are_counted_as_sets_of_cards(deck: str) -> None:
    game, expert = fd.load("magic", deck=deck), fd.agent("expert")
    counted = moves_by_deal(game, 1, 5)[0]
    state, turn, found = game.deal(5), -1, []
    while not state.over:
        facts = state.facts
        if facts["phase"] == "main" and facts["turn"] != turn:
            turn = facts["turn"]
            found.append(moves_by_hand(state))
        state.play(expert.choose(state.view(state.seat or 0)))
    assert counted.tolist() == [list(one) for one in found]


def test_the_wide_deck_offers_as_many_moves_as_the_paper_says_and_the_standard_one_does_not() -> None:
    wide, standard = moves_offered_by(WIDE_DECK, 150, 0), moves_offered_by("standard", 150, 0)
    assert 4.7 < wide["all moves"].value < 6
    assert standard["all moves"].value < 3.5


def test_phases_with_a_choice_are_those_with_more_than_one_move() -> None:
    found = moves_offered_by("standard", 20, 3)
    whole = [count for _, _, count in np.concatenate(moves_by_deal(fd.load("magic", deck="standard"), 20, 3))]
    assert found["not part of another"].value == pytest.approx(np.mean(whole))
    chosen = [count for count in whole if count > 1]
    assert found["not part of another, phases with a choice"].value == pytest.approx(np.mean(chosen))
    assert len(chosen) < len(whole) / 3


def test_the_widest_of_varied_decks_offers_fewer_than_five_moves_that_are_not_part_of_another() -> None:
    deck = varied_deck(random.Random(1))
    fd.load("magic", deck=deck)
    assert deck.startswith("17xland+1x")
    assert deck.count("+") == CREATURES
    one, widest = (moves_offered_by(widest_deck(decks, 20, 0), 100, 50)["not part of another"].value for decks in (1, 40))
    assert one < widest < 5


def test_main_phases_are_of_different_games() -> None:
    phases = main_phases(6, 0)
    seeds = [phase.seed for phase in phases]
    assert len(set(seeds)) == 6


def test_a_players_average_is_that_of_its_pairs_on_the_same_deals(tmp_path: Path) -> None:
    results = {
        ("AP", "BA"): fd.tournament("magic:balanced=true", ["expert", "reduced"], deals=6),
        ("BA", "IL"): fd.tournament("magic:balanced=true", ["reduced", "random"], deals=6),
    }
    rates = [fmean(wins_by_deal(result)) for result in results.values()]
    both = average_of("BA", results)
    assert both.value == pytest.approx(((1 - rates[0]) + rates[1]) / 2)
    assert (both.count, both.unit) == (6, "deals"), "a deal counts once, in however many pairs it is played"
    assert average_of("AP", results).value == pytest.approx(rates[0])
    results["BA", "IL"] = fd.tournament("magic:balanced=true", ["reduced", "random"], deals=5)
    with pytest.raises(ValueError, match="zip"):
        average_of("BA", results)


def test_claims_with_the_wide_deck_do_not_count_again() -> None:
    claim = larger("20 trees win more", "", Estimate(2.0, 1.0, 3.0, 9, "deals"))
    [standard], [wide] = with_deck([claim], STANDARD), with_deck([claim], WIDE)
    assert (standard.text, standard.kind) == ("20 trees win more, standard deck", ORDER)
    assert (wide.text, wide.kind, wide.verdict) == ("20 trees win more, wide deck", READING, CONFIRMED)


def test_a_shape_counts_nodes_at_each_depth_of_one_tree() -> None:
    parents = [-1, -1, 0, 0, 1, 2, 2, 5]
    tree = np.zeros(len(parents), [("parent", np.int32)])
    tree["parent"] = parents
    assert shape(tree, 2) == [6 / 4, 1.5, 1.0, 0.5, *[0.0] * (DEEPEST - 3)]


def test_what_was_printed_is_worth_what_the_text_says() -> None:
    assert printed(SIXTEEN, TRIALS_5, lambda name: "BT" in name).value == pytest.approx(2.7, abs=0.1)
    assert printed(EIGHT, TRIALS_6, lambda name: "BT" in name).value > 8
    assert printed_average("AP") == pytest.approx(23.2, abs=0.05)
    assert printed_average("BA") == pytest.approx(48.0, abs=0.05)


def test_a_printed_rate_has_the_spread_of_its_games() -> None:
    assert rate(50, 100).half == pytest.approx(0.098)
    assert str(rate(50, 100)) == "50.0 %"
    assert half_width([50, 50], 100) == pytest.approx(9.8 / 2**0.5)
    figure = lead([50, 50], [40], 100)
    assert (figure.value, str(figure)) == (10.0, "+10.0")
    assert figure.half == pytest.approx((half_width([50, 50], 100) ** 2 + half_width([40], 100) ** 2) ** 0.5)


def test_no_number_of_deals_tells_a_lead_from_a_printed_one_that_is_as_uncertain() -> None:
    claim = as_printed("leads", lead([46], [40], 100), Estimate(1.0, 0.5, 1.5, 9, "deals"))
    assert (claim.verdict, claim.more) == ("not decided", float("inf"))


def test_numbers_of_trees_are_compared_with_those_between_20_and_100() -> None:
    assert {*BEST, *OTHERS["1 to 10"], *OTHERS["250 to 1,000"]} == set(TREES)


def test_a_lead_is_what_players_win_more_on_the_same_deals_in_points() -> None:
    careful, careless = (
        fd.tournament("magic", [one, "expert"], deals=4, seed=3) for one in ("expert:printed=true", "reduced")
    )
    lead = lead_of([careful], [careless])
    better, worse = (np.mean(wins_by_deal(one)) for one in (careful, careless))
    assert lead.value == pytest.approx(100 * (better - worse))
    assert (lead.count, lead_of([careless], [careful]).value) == (4, -lead.value)


def test_players_as_good_as_each_other_need_a_narrow_interval_around_a_half() -> None:
    def verdict(value: float, half: float) -> str:
        return even("equal", Estimate(value, value - half, value + half, 9, "deals", rate=True)).verdict

    assert [verdict(0.51, 0.03), verdict(0.51, 0.2), verdict(0.7, 0.1)] == ["confirmed", "not decided", "refuted"]
