"""Grades, accuracy, and luck and skill apart."""

import json
from dataclasses import replace
from math import exp, inf

import pytest

import facedown as fd
from facedown.agents import agent
from facedown.analysis.grades import Regret, accuracy, grade, span_of
from facedown.analysis.judgement import Wanted, judged, unjudged
from facedown.analysis.moments import Moments, moments_of_position, moments_of_record
from facedown.analysis.players import players_of
from facedown.analysis.value import leads, measure
from facedown.arena.replay import same_agent
from facedown.record import Data, GameRecord
from facedown.search.decision import Candidate, Decision


def decision(*means: float, half: float = 0.0, visits: int = 100) -> Decision:
    candidates = [
        Candidate(n, f"card {n}", visits, visits, mean, (mean - half, mean + half)) for n, mean in enumerate(means)
    ]
    return Decision(0, "card 0", candidates, solved=half == 0.0)


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.0, "best"),
        (0.001, "good"),
        (0.019, "good"),
        (0.02, "inaccuracy"),
        (0.05, "mistake"),
        (0.1, "blunder"),
        (1, "blunder"),
    ],
)
def test_a_grade_follows_from_what_an_action_cost(share: float, expected: str) -> None:
    assert grade(share) == expected


def test_what_chance_may_explain_is_no_mistake() -> None:
    assert grade(0.3, half=0.3) == "good"
    assert grade(0.3, half=0.2) == "blunder"


def test_regret_is_what_the_preferred_action_is_worth_more() -> None:
    found = decision(0.7, 0.4, 0.8)
    costs = [Regret(found, action).loss for action in range(3)]
    assert costs == [0.0, pytest.approx(0.3), 0.0]  # never below 0, though the last has the better mean
    assert [Regret(found, action).agreed for action in range(3)] == [True, False, False]


def test_an_action_that_the_search_did_not_try_has_no_regret_and_no_grade() -> None:
    found = Regret(decision(0.7, 0.4), 5)
    assert (found.loss, found.grade(1.0)) == (None, None)
    assert Regret(Decision(3, "card 3"), 3).loss is None  # chosen without a search


def test_the_interval_of_a_regret_has_both_actions_in_it() -> None:
    assert Regret(decision(0.7, 0.4, half=0.03), 1).half == pytest.approx(0.03 * 2**0.5)


def test_a_share_counts_of_all_that_a_reward_can_be() -> None:
    assert (span_of("points"), span_of("wl")) == (1.0, 2.0)
    assert Regret(decision(0.5, 0.42), 1).grade(1.0) == "mistake"
    assert Regret(decision(0.5, 0.42), 1).grade(2.0) == "inaccuracy"


def test_accuracy_falls_from_100() -> None:
    assert accuracy(0.0) == 100.0
    assert accuracy(0.1) == pytest.approx(100 * exp(-1))


# --- A whole game -----------------------------------------------------------------------------------------------------


def analysed(record: GameRecord, text: str, only: frozenset[int] | None = None) -> tuple[list[Data], Moments]:
    moments, adviser = moments_of_record(record, "points", only), agent(text)
    return [judged(adviser, moment, Wanted(hindsight=True)) for moment in moments.found], moments


@pytest.mark.parametrize("name", ["bisca", "hearts32:match=40"])
def test_luck_and_skill_add_up_to_the_result(name: str) -> None:
    game = fd.load(name)
    record = fd.play(game, ["ismcts:iterations=50", *["random"] * (game.seats - 1)], seed=4)
    decisions, moments = analysed(record, "ismcts:iterations=100")
    players = players_of(record.agents, decisions, moments, 1.0)
    deals = record.replay().deals
    assert len(moments.results) == deals
    for player in players:
        assert player["result"] == pytest.approx(player["expected"] + player["luck"] - player["regret"])
        own = [one for one in decisions if one["seat"] == player["seat"]]
        assert player["decisions"] == len(own)
        assert player["regret"] == pytest.approx(sum(one["regret"] for one in own if one["regret"] is not None))
        assert 0 <= player["accuracy"] <= 100
    scale = measure(game)
    lead = [deals * scale.zero + scale.scale * player["result"] for player in players]
    assert lead == pytest.approx(leads(record.replay()).tolist())


def test_the_first_decision_of_a_deal_is_what_was_expected() -> None:
    record = fd.play("bisca", ["random", "random"], seed=2)
    decisions, moments = analysed(record, "ismcts:iterations=60")
    for seat, player in enumerate(players_of(record.agents, decisions, moments, 1.0)):
        assert player["expected"] == next(one["value"] for one in decisions if one["seat"] == seat)


def test_a_part_of_a_game_has_no_luck() -> None:
    record = fd.play("bisca", ["random", "random"], seed=2)
    decisions, moments = analysed(record, "ismcts:iterations=60", frozenset({0, 3, 6}))
    assert [one["moves"] for one in decisions] == [0, 3, 6]
    assert {player["luck"] for player in players_of(record.agents, decisions, moments, 1.0)} == {None}


def test_a_forfeited_game_has_no_luck() -> None:
    whole = fd.play("bisca", ["random", "random"], seed=2)
    forfeit = {"seat": whole.history[10][0], "reason": "too late", "traceback": None}
    worst, best = fd.load("bisca").forfeit_scores
    scores = [worst if seat == forfeit["seat"] else best for seat in range(2)]
    record = replace(
        whole, history=whole.history[:10], actions=whole.actions[:10], scores=scores, forfeit=forfeit, seen=None
    )
    decisions, moments = analysed(record, "ismcts:iterations=60")
    assert {player["result"] for player in players_of(record.agents, decisions, moments, 1.0)} == {None}


def test_a_record_that_breaks_the_rules_is_refused() -> None:
    record = fd.play("bisca", ["random", "random"], seed=2)
    with pytest.raises(fd.FacedownError, match="expected the scores"):
        moments_of_record(replace(record, scores=[120, 0]), "points")
    with pytest.raises(fd.IllegalMove):
        moments_of_record(replace(record, history=[record.history[0], (1, record.history[0][1])]), "points")


def test_a_decision_of_a_person_is_told_without_figures() -> None:
    record = fd.play("bisca", ["random", "random"], seed=2)
    moment = moments_of_record(record, "points").found[0]
    told = unjudged(moment, "a person played")
    assert told.keys() == judged(agent("ismcts:iterations=20"), moment, Wanted()).keys()
    assert (told["regret"], told["decision"]["reason"]) == (None, "a person played")


# --- Again ------------------------------------------------------------------------------------------------------------


def searched_again(record: GameRecord) -> list[bool]:
    found = []
    for moment in moments_of_record(record, "points").found:
        player = same_agent(record, moment.view.seat)
        assert not isinstance(player, str)
        found.append(judged(player, moment, Wanted(recorded=True))["identical"])
    return found


def test_a_recorded_decision_is_found_again_to_the_last_figure() -> None:
    agents = ["ismcts:iterations=60", "easy:iterations=30"]
    record = GameRecord.from_json(fd.play("bisca", agents, seed=5, decisions=True).to_json())
    assert set(searched_again(record)) == {True}


def test_a_figure_that_differs_is_no_identical_decision() -> None:
    record = fd.play("bisca", ["ismcts:iterations=60"] * 2, seed=5, decisions=True)
    data = json.loads(record.to_json())
    choices = [moment.moves for moment in moments_of_record(record, "points").found]
    data["decisions"][choices[3]]["candidates"][0]["visits"] += 1
    data["decisions"][choices[5]] = {"nonsense": 1}
    found = searched_again(GameRecord.from_json(json.dumps(data)))
    assert [place for place, same in enumerate(found) if not same] == [3, 5]


# --- Positions --------------------------------------------------------------------------------------------------------


def test_a_position_has_one_decision_and_a_view_no_open_cards() -> None:
    state = fd.load("bisca").deal(1)
    [whole] = moments_of_position(state.game, state.position).found
    [seen] = moments_of_position(state.game, state.view(0).position).found
    assert (whole.view.position, seen.state) == (seen.view.position, None)
    assert whole.state is not None
    told = judged(agent("ismcts:iterations=30"), seen, Wanted(hindsight=True))
    assert (told["played"], told["regret"], told["hindsight"]) == (None, None, None)
    assert -inf < told["value"] < inf


def test_a_position_without_a_decision_is_refused() -> None:
    game = fd.load("bisca")
    with pytest.raises(fd.FacedownError, match="the end of a game"):
        moments_of_position(game, fd.play(game, ["random"] * 2, seed=1).replay().position)
    with pytest.raises(fd.FacedownError, match="view of the seat to move"):
        moments_of_position(game, game.deal(1).view(1).position)
