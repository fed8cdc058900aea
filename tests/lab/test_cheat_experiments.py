"""What the experiments on Bitan & Kraus 2018 count, and that their parts agree with each other."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.games.cheat.keys import attributes
from facedown.kernel import COMPILED, Array, new_records
from facedown.lab.experiments import ExperimentSettings, Lab, experiment
from facedown.lab.experiments.bitan_kraus.cheat_agents import FIGURES, as_many, claims_of
from facedown.lab.experiments.bitan_kraus.cheat_lookups import enter_naively, look_up, look_up_naively
from facedown.lab.experiments.bitan_kraus.cheat_meetings import Match, Turns, ahead, average, over_people, share
from facedown.lab.experiments.bitan_kraus.cheat_models import judged_claims, scored
from facedown.lab.experiments.claims import larger
from facedown.search.sdmcts import EMPTY, SLOT, enter, slot_of
from facedown.training import models
from facedown.training.claims import Claims
from facedown.training.evaluation import lies_found

pytestmark = pytest.mark.skipif(not COMPILED, reason="these games take minutes when interpreted")


def test_a_match_is_counted_turn_by_turn() -> None:
    record = fd.play("cheat", ["cheat-person:style=61", "cheat-person:style=75"], seed=9)
    state = fd.load("cheat").deal(9)
    sides, differences, settled = [Turns(), Turns()], [], []
    for seat, action in record.history:
        state.play(action)
        side, text = sides[seat], state.facts["last_action"]
        side.turns += 1
        side.claims += text == "claim"
        side.lies += text == "claim" and not state.facts["last_claim_true"]
        side.takes += text == "take"
        side.calls += text == "call"
        differences.append(len(state.hands[1] or []) - len(state.hands[0] or []))
        if text != "claim":
            settled.append(differences[-1])
    for side, right in zip(sides, state.record.calls_right, strict=True):
        side.calls_right = int(right)
    found = Match.of(record, 1)
    assert (found.agent, found.person) == (sides[1], sides[0])
    assert (found.score, found.rounds) == (record.scores[1], len(record.history))
    assert (found.differences, found.settled) == (differences, settled)
    assert found.at_limit == (len(record.history) == 100)


def test_deals_are_claims_of_each_person_where_classifiers_are_compared() -> None:
    found = experiment("cheat-models").run(ExperimentSettings(deals=1))
    assert "1 claim of each person, where the quick form has 2." in found.notes
    assert any("; 6 were judged" in note for note in found.notes), "six people"


def test_people_whom_nobody_called_say_nothing_of_calls() -> None:
    nothing = share([], lambda match: match.agent.calls_right, lambda match: match.agent.calls)
    assert np.isnan(nothing)
    assert np.isnan(average([]))
    some = over_people([0.5, nothing, 0.7])
    assert some is not None
    assert some.count == 2
    assert over_people([nothing, nothing]) is None
    lead = ahead({"pmga": [0.9, 0.8, nothing, 0.7], "mga": [0.5, nothing, 0.5, 0.2]}, "pmga", "mga")
    assert lead.value == pytest.approx(0.45)
    assert lead.count == 2
    assert larger("more", "", ahead({"pmga": [0.9, nothing], "mga": [nothing, 0.5]}, "pmga", "mga")).verdict == "not decided"


def test_variants_are_compared_on_the_deals_that_they_have_played() -> None:
    matches = [["a", "b", "c", "d"], ["e", "f"]]
    assert as_many(matches, [["x", "y"], ["z"]]) == [["a", "b"], ["e"]]


def test_behaviour_is_read_off_the_matches_of_the_agents(tmp_path: Path) -> None:
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        agents = experiment("cheat-agents").run(ExperimentSettings(store=store))
        games = store.count()
        behaviour = experiment("cheat-behaviour").run(ExperimentSettings(store=store))
        assert store.count() == games
    assert set(behaviour.runs) < set(agents.runs)


@pytest.mark.parametrize(("gain", "verdict"), [(0.1, "confirmed"), (-0.1, "refuted")])
def test_an_order_of_agents_is_judged_by_the_differences_of_people(gain: float, verdict: str) -> None:
    by_agent = {
        agent: [0.5 + gain * place + 0.001 * person * place * place for person in range(9)]  # all differences vary
        for place, agent in enumerate(("mga", "pmga", "fpmga"))
    }
    wins = [claim for claim in claims_of(dict.fromkeys(FIGURES, by_agent)) if "wins more" in claim.text]
    assert len(wins) == 3
    assert {claim.verdict for claim in wins} == {verdict}


# --- Models -----------------------------------------------------------------------------------------------------------


def some_claims() -> tuple[Claims, Array]:
    """Claims of three tables of two, twenty each; the first feature is their number."""
    count = 60
    number = np.arange(count)
    features = np.zeros((count, 21))
    features[:, 0] = number
    players = np.array([f"{place // 20} {place % 2}" for place in number])
    return Claims(features, number % 3 == 0, players, number // 10, number % 10), number // 20


def test_as_many_claims_of_each_person_are_judged() -> None:
    claims, _ = some_claims()
    judged = judged_claims(claims, 4)
    assert [int((claims.players[judged] == player).sum()) for player in np.unique(claims.players)] == [4] * 6
    assert list(judged) == sorted(set(judged))
    assert list(judged_claims(claims, 1)) == [10, 11, 30, 31, 50, 51]  # from the middle: the first have no past


@pytest.mark.parametrize("past", [True, False])
def test_models_know_other_tables_and_of_this_one_no_more_than_its_past(
    past: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    claims, tables = some_claims()
    known: list[set[int]] = []
    tested: list[set[int]] = []

    def fitted(kind: str, rows: Array, *_: Any) -> None:
        known.append(set(rows[:, 0].astype(int)))

    def scores(_: None, rows: Array) -> Array:
        tested.append(set(rows[:, 0].astype(int)))
        return rows[:, 0]

    monkeypatch.setattr(models, "fitted", fitted)
    monkeypatch.setattr(models, "scores", scores)
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        lab = Lab("cheat-models", ExperimentSettings(), store)
        judged = np.array([3, 25, 39, 59])
        found = scored(lab, claims, tables, judged, past)
    assert all(list(values) == list(judged) for values in found.values())
    for rows, some in zip(known, tested, strict=True):
        own = {number for number in range(60) if number // 20 == min(some) // 20}
        assert rows == set(range(60)) - {number for number in own if not past or number >= min(some)}


def test_a_curve_is_read_off_where_it_stands() -> None:
    lies = np.array([False, False, True, False, True, True])
    found = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert lies_found(lies, found, 0.0) == pytest.approx(2 / 3)
    assert lies_found(lies, found, 0.5) == 1.0
    assert np.isnan(lies_found(np.ones(6, np.bool_), found, 0.5))


# --- The encoding -----------------------------------------------------------------------------------------------------


def test_sets_are_found_by_sixteen_attributes_as_by_one_number() -> None:
    rng = np.random.default_rng(3)
    keys = np.unique(rng.integers(1 << 31, size=300))
    seats = np.zeros(len(keys), np.int32)
    slots = new_records(1024, SLOT)
    slots["node"] = EMPTY
    for number, key in enumerate(keys):
        enter(slots, slot_of(slots, 0, key), 0, key, number)
    rows = np.array([list(attributes(int(key)).values()) for key in keys], np.uint8)
    table = np.full(1024, EMPTY, np.int32)
    enter_naively(table, rows)
    for number in range(len(keys)):
        order = np.array([number])
        assert look_up(slots, seats, keys, order) == look_up_naively(table, rows, order) == number
