"""Who meets whom, and where they sit."""

from collections import Counter
from typing import Any

import pytest

import facedown as fd
import little_duel
from facedown.arena.schedule import agent_seed, arrangements, deal_seed, schedule, tables

HEARTS = fd.load("hearts32")


def test_two_agents_have_half_of_the_sides_each_in_every_arrangement() -> None:
    plan = schedule(HEARTS, ["a", "b"], 10, 0)
    assert len(plan.lineups) == len(set(plan.lineups)) == 6
    assert all(sorted(lineup) == [0, 0, 1, 1] for lineup in plan.lineups)
    assert plan.games == len(list(plan.places())) == 60


def test_turning_the_table_gives_two_agents_two_seatings() -> None:
    assert schedule(HEARTS, ["a", "b"], 1, 0, seating="rotations").lineups == ((0, 1, 0, 1), (1, 0, 1, 0))


def test_four_agents_meet_at_one_table_in_all_orders() -> None:
    assert len(schedule(HEARTS, ["a", "b", "c", "d"], 1, 0).lineups) == 24
    assert len(schedule(HEARTS, ["a", "b", "c", "d"], 1, 0, seating="rotations").lineups) == 4


def test_of_five_agents_every_four_meet() -> None:
    plan = schedule(HEARTS, list("abcde"), 1, 0, seating="rotations")
    assert len(plan.lineups) == 5 * 4
    assert Counter(number for lineup in plan.lineups for number in lineup) == dict.fromkeys(range(5), 16)


def test_a_field_sets_the_first_agent_alone_against_each_other_at_every_place() -> None:
    plan = schedule(HEARTS, ["a", "b", "c"], 1, 0, pairing="field")
    assert sorted(plan.lineups) == sorted(
        tuple(0 if seat == place else other for seat in range(4)) for other in (1, 2) for place in range(4)
    )


def test_every_agent_sits_everywhere_as_often() -> None:
    for seating in ("all", "rotations"):
        for agents in (2, 3, 4, 5):
            plan = schedule(HEARTS, list("abcde")[:agents], 1, 0, seating=seating)
            counts = Counter((number, seat) for lineup in plan.lineups for seat, number in enumerate(lineup))
            assert len(set(counts.values())) == 1


def test_two_seats_have_two_seatings() -> None:
    assert schedule(little_duel.GAME, ["a", "b"], 1, 0).lineups == ((0, 1), (1, 0))


def test_an_odd_number_of_sides_is_shared_both_ways() -> None:
    assert tables(2, 3, "round-robin") == [(0, 1, 0), (1, 0, 1)]
    assert len(arrangements((0, 1, 0), "all")) == 3


def test_seeds_depend_on_place_alone_and_differ() -> None:
    assert deal_seed(5, 3) == deal_seed(5, 3)
    assert len({deal_seed(seed, deal) for seed in range(3) for deal in range(100)}) == 300
    assert len({agent_seed(1, *place) for place in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]}) == 4
    assert all(0 <= deal_seed(seed, 0) < 2**63 for seed in range(100))


@pytest.mark.parametrize(
    ("agents", "deals", "options", "message"),
    [
        ([], 1, {}, "expected at least two agents, got 0"),
        (["a"], 1, {}, "expected at least two agents, got 1"),
        (["a", "a"], 1, {}, "expected each agent once, got 'a' twice"),
        (["a", "b"], 0, {}, "expected at least one deal, got 0"),
        (["a", "b"], 1, {"pairing": "swiss"}, "option pairing: expected one of round-robin, field, got 'swiss'"),
        (["a", "b"], 1, {"seating": "none"}, "option seating: expected one of all, rotations, got 'none'"),
    ],
)
def test_what_is_no_schedule_is_refused(agents: list[str], deals: int, options: dict[str, Any], message: str) -> None:
    with pytest.raises(fd.BadOption, match=message):
        schedule(HEARTS, agents, deals, 0, **options)


def test_chosen_deals_that_come_again_are_no_further_observations() -> None:
    """Magic has 100 balanced deals, which begin again from the first."""
    players = ["expert", "reduced"]
    once, twice = (fd.tournament("magic:balanced=true", players, deals=deals, seed=3) for deals in (100, 200))
    plan = twice.schedule
    assert [plan.first_alike(deal) for deal in (0, 99, 100, 199)] == [0, 99, 0, 99]
    assert schedule(HEARTS, ["a", "b"], 200, 0).first_alike(199) == 199
    for result, games in ((once, 200), (twice, 400)):
        assert [(one.games, one.wins.count, one.lead.count) for one in result.standings] == [(games, 100, 100)] * 2
        assert result.comparisons[0].difference.count == 100
    assert twice.ledger.deal_scores(*players) == once.ledger.deal_scores(*players), "a sequential test reads no deal twice"
    assert len(twice.ledger.complete_deals()) == 200
