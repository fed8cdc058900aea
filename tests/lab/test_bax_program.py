"""Players that search as Bax's program does: compared with a slow and literal search, rule by rule."""

from math import log, sqrt
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown import rules
from facedown.kernel import COMPILED
from facedown.lab.experiments import ExperimentSettings, Lab, Row, Table
from facedown.lab.experiments.bax import hearts32_readings
from facedown.lab.experiments.bax.bax_figures import TABLE_1, TABLE_2, deviation, deviations_of, labels
from facedown.lab.experiments.bax.bax_program import PACK, ProgramPimc, ProgramUct, hands_in_order, new_room, vote
from facedown.lab.experiments.bax.hearts32_readings import HEARTS32_PROGRAM, WAYS, holding, verdicts_in_words
from facedown.lab.experiments.bax.hearts32_tables import HEARTS32_TABLE_2
from facedown.lab.experiments.claims import larger
from facedown.rng import draw, stream
from facedown.rules import UNIFORM
from facedown.stats import Estimate

pytestmark = pytest.mark.skipif(not COMPILED, reason="these searches take minutes when interpreted")

GAME = "hearts32:moon=false"


class Slow:
    """A node of the literal search: a position, the points of its playouts and its children by action."""

    def __init__(self, state: fd.State) -> None:
        self.state = state
        self.visits = 0
        self.points = [0, 0, 0, 0]
        self.children: dict[int, Slow] = {}

    def grow(self) -> None:
        for action in self.state.legal:
            after = self.state.copy()
            after.play(action)
            self.children[action] = Slow(after)

    def best(self, constant: float, whole: bool) -> int:
        untried = [action for action, child in self.children.items() if child.visits == 0]
        if untried:
            return untried[0]

        def bound(child: Slow) -> float:
            mean = child.points[self.state.seat or 0] / child.visits
            return abs((int(mean) if whole else mean) / 26 - 1) + constant * sqrt(log(self.visits) / child.visits)

        return max(self.children, key=lambda action: bound(self.children[action]))


def slow_search(state: fd.State, iterations: int, constant: float, whole: bool, rng: Any) -> Slow:
    root, actions = Slow(state), np.empty(52, np.int64)
    for _ in range(iterations):
        path = [root]
        while not path[-1].state.over:
            node = path[-1]
            if node.children:
                path.append(node.children[node.best(constant, whole)])
            else:
                node.grow()
                path.append(list(node.children.values())[draw(rng, len(node.children))])
            if path[-1].visits == 0:
                break
        end = path[-1].state.data.copy()
        if not path[-1].state.over:
            rules.play_out(end[0], UNIFORM, actions, rng)
        for node in path:
            node.visits += 1
            node.points = [sum(pair) for pair in zip(node.points, end[0]["points"].tolist(), strict=True)]
    return root


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_search_is_that_of_a_slow_and_literal_one(seed: int, whole: bool) -> None:
    state = fd.load(GAME).deal(seed=seed)
    for _ in range(12):
        state.play(state.legal[-1])
    room = new_room(150)
    vote(state.data, 150, 0.283, whole, room, stream(seed))
    slow = slow_search(state, 150, 0.283, whole, stream(seed))
    first, count = int(room.first_child[0]), int(room.children[0])
    found = {int(room.action[child]): int(room.visits[child]) for child in range(first, first + count)}
    assert found == {action: child.visits for action, child in slow.children.items()}
    assert int(room.votes.argmax()) == slow.best(0.283, whole)
    assert room.votes.sum() == 1


def test_the_same_view_and_seed_give_the_same_choice() -> None:
    state = fd.load(GAME).deal(seed=5)
    view = state.view(state.seat or 0)
    assert len({ProgramPimc(seed=3, iterations=20, worlds=3).choose(view) for _ in range(3)}) == 1


def test_hands_in_order_are_dealt_from_the_whole_pack_without_the_own_cards() -> None:
    state = fd.load(GAME).deal(seed=5)
    for _ in range(6):
        state.play(state.legal[0])
    seat = state.seat or 0
    view = state.view(seat)
    hands = hands_in_order(view)
    left = [card for card in PACK if not int(state.record.hands[seat]) >> card & 1]
    for other in range(4):
        held = [card for card in PACK if int(hands[other]) >> card & 1]
        if other == seat:
            assert int(hands[seat]) == int(state.record.hands[seat])
        else:
            assert held == left[: len(held)]
            assert len(held) == len(state.hands[other])
            left = left[len(held) :]


def test_in_order_hands_can_be_searched_to_the_end_of_a_deal() -> None:
    players: list[fd.Agent | str] = [
        ProgramPimc(iterations=10, worlds=2, sampler="in-order"),
        ProgramUct(iterations=10),
        "random",
        "random",
    ]
    assert sum(fd.play(GAME, players, seed=4).scores) == 16


def test_what_the_program_could_not_play_is_refused() -> None:
    with pytest.raises(
        fd.BadOption, match="expected hearts32:moon=false, which is all that program-uct can play, got moons"
    ):
        ProgramUct().choose(fd.load("hearts32").deal(seed=1))
    with pytest.raises(fd.BadOption, match="expected the game hearts32, which is all that program-uct can play, got sueca"):
        ProgramUct().choose(fd.load("sueca").deal(seed=1))


# --- Readings ---------------------------------------------------------------------------------------------------------


def tables_with(wins: dict[str, Estimate]) -> list[Table]:
    """Points as printed in every reading, and these wins."""
    points, others, share, _ = TABLE_2["cards played"]
    close = {
        printed.value: Estimate(printed.value, printed.value - 1, printed.value + 1, 40, "series")
        for printed in (points, others)
    }
    return [
        Table("Points", [Row(f"{name}: points", points, close[points.value]) for name in WAYS]),
        Table("Others", [Row(f"{name}: points of the opponents", others, close[others.value]) for name in WAYS]),
        Table("Wins", [Row(f"{name}: wins", share, wins.get(name, wide())) for name in WAYS]),
    ]


def wide() -> Estimate:
    return Estimate(0.3, 0.13, 0.41, 10, "series", rate=True)


def test_a_wide_interval_does_not_make_a_reading_right() -> None:
    near, far = Estimate(0.37, 0.36, 0.38, 160, "series", rate=True), Estimate(0.2, 0.18, 0.22, 160, "series", rate=True)
    right, missed, unsure = verdicts_in_words(tables_with({"program": near, "no moons": far}))
    assert right == "Readings that have all three printed figures: program."
    assert missed == "Readings that miss some: no moons (wins)."
    assert unsure.startswith("Readings of which that is not decided: as table 2 here (wins); 250 for all worlds (wins); ")
    assert verdicts_in_words(tables_with({}))[0] == "Readings that have all three printed figures: none."


def test_one_refuted_claim_is_enough_and_an_open_one_leaves_it_open() -> None:
    yes, no, open_one = (larger("", "", Estimate(value, value - 1, value + 1, 9, "series")) for value in (2, -2, 0))
    assert holding([yes, yes]) == "confirmed"
    assert holding([yes, open_one]) == "not decided"
    assert holding([yes, open_one, no]) == "refuted"


def test_readings_that_others_play_too_are_the_same_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, str | None] = {}

    class Played(Exception):
        pass

    def play(lab: Lab, pairs: Any, played_as: str | None = None) -> Any:
        asked.update(dict.fromkeys(pairs, played_as))
        return {name: name for name in pairs}

    def stop(results: dict[str, Any], columns: Any) -> Any:
        assert list(results) == list(WAYS)
        raise Played

    monkeypatch.setattr(hearts32_readings, "play", play)
    monkeypatch.setattr(hearts32_readings, "tables_of", stop)
    with fd.Store.open(":memory:") as store, pytest.raises(Played):
        hearts32_readings.measure_readings(Lab("hearts32-readings", ExperimentSettings(), store))
    assert {name: shared for name, shared in asked.items() if shared} == {
        "as table 2 here": HEARTS32_TABLE_2.name,
        "program": HEARTS32_PROGRAM.name,
    }


# --- Standard deviations ----------------------------------------------------------------------------------------------


def test_a_standard_deviation_is_that_of_all_values_with_an_interval_over_series() -> None:
    values = [40.0, 60.0, 30.0, 70.0, 45.0, 55.0, 20.0, 80.0]
    found = deviation(values, [0, 0, 1, 1, 2, 2, 3, 3])
    assert found.value == pytest.approx(np.std(values))
    assert found.low < found.value < found.high
    assert (found.count, found.unit) == (4, "series")
    assert deviation([10.0, 30.0], [0, 0]).high == float("inf")


def test_deviations_are_those_of_single_players_beside_the_printed_ones() -> None:
    played = fd.tournament(GAME, ["random", "ismcts:iterations=2"], 3, seed=2)
    rows = deviations_of({"UCT 50": played}, TABLE_1).rows
    lineups = played.schedule.lineups
    games = played.ledger.results
    own = [game.scores[seat] for game in games for seat in range(4) if lineups[game.seating][seat] == 0]
    assert rows[0].ours
    assert rows[0].ours.value == pytest.approx(np.std(own))
    assert [str(row.published) for row in rows] == ["18.66", "19.14"]
    assert {row.label for row in rows} <= set(labels(TABLE_1))


def test_samples_that_respect_the_cards_played_have_no_printed_deviation() -> None:
    assert "cards played: SD of points" not in labels(TABLE_2)
    assert "cards played: points" in labels(TABLE_2)


def test_the_last_column_of_table_2_is_the_third_of_table_1_from_the_other_side() -> None:
    one, other = TABLE_1["UCT 125"], TABLE_2["UCT 250"]
    assert (one.points, one.others) == (other.others, other.points)
    assert one.wins.value + other.wins.value == pytest.approx(1.002)
