"""What `reward=match` maximizes in Hearts: the chance to win the match, by a random walk fitted on recorded matches."""

import os
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import facedown as fd
from facedown.compiler.asking import write_rewards
from facedown.errors import BadOption, FacedownError
from facedown.games.hearts.match import DECKS, POINTS_WEIGHT, TABLE, read_model
from facedown.kernel import COMPILED
from facedown.rewards import MATCH
from facedown.rng import stream
from facedown.training.match_model import calibration, chances_after, error_against_walks, fit, matches_in, walked
from positions import late

GAME = "hearts:passing=hold,match=100"
ENDS = [
    (26, 0, 0, 0),
    (0, 26, 0, 0),
    (25, 1, 0, 0),
    (13, 13, 0, 0),
    (0, 0, 13, 13),
    (5, 7, 7, 7),
    (0, 9, 9, 8),
    (1, 0, 12, 13),
]
TOTALS = [(0, 0, 0, 0), (50, 50, 50, 50), (20, 60, 80, 95), (99, 99, 99, 99), (99, 50, 52, 80), (90, 95, 10, 10)]


def rewards(totals: tuple[int, ...], points: tuple[int, ...], game: str = GAME) -> list[float]:
    """What the seats get for a deal that began at some totals."""
    state = fd.load(game).deal(0)
    state.data["totals"][0], state.data["points"][0] = totals, points
    out = np.zeros(4)
    write_rewards(state.data, MATCH, out)
    return [float(reward) for reward in out]


def chosen(agent: str, state: fd.State) -> str:
    player = fd.agent(agent, seed=1)
    return state.game.text(player.choose(state if player.sees_all else state.view(state.seat or 0)))


# --- The chance to win ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DECKS)
def test_chances_are_those_of_random_walks(name: str) -> None:
    """Between nodes too; the walks' own error is 0.004."""
    table, deals, _ = read_model(name)
    typical, greatest = error_against_walks(deals, {"table": table}, positions=40, walks=20_000, seed=5)
    assert typical < 0.008
    assert greatest < 0.035


def test_equal_seats_have_equal_chances_and_all_add_up_to_one() -> None:
    table = read_model("hearts")[0]
    lefts = np.random.default_rng(1).integers(1, 101, (300, 4))
    lefts[:100, 1] = lefts[:100, 3]
    chances = chances_after(table, lefts)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert chances[:100, 1] == pytest.approx(chances[:100, 3], abs=1e-4)


def test_fewer_points_are_never_worse_by_more_than_the_models_error() -> None:
    table = read_model("hearts")[0]
    lefts = np.random.default_rng(2).integers(1, 90, (300, 4))
    assert (chances_after(table, lefts + np.array([5, 0, 0, 0]))[:, 0] > chances_after(table, lefts)[:, 0] - 0.02).all()


def test_only_the_points_left_count_and_not_the_limit() -> None:
    assert rewards((0, 5, 10, 20), (0, 13, 6, 7), "hearts:match=50") == rewards((50, 55, 60, 70), (0, 13, 6, 7))


def test_a_long_match_is_scaled_to_the_model() -> None:
    """A lead of 40 with 400 points to go is worth about as much as one of 20 with 100."""
    table = read_model("hearts")[0]
    far, near = chances_after(table, np.array([[440, 400, 400, 400], [120, 100, 100, 100]]))
    assert far == pytest.approx(near)
    for totals in ((0, 0, 0, 0), (9000, 100, 100, 0)):
        assert all(0 <= reward <= 1 for reward in rewards(totals, (13, 6, 7, 0), "hearts:match=10000"))


# --- Rewards ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [GAME, "hearts32:match=75", "hearts:match=0"])
def test_rewards_lie_between_0_and_1(game: str) -> None:
    most = 26 if game.startswith("hearts:") else 16
    for totals in TOTALS:
        for points in ENDS:
            scaled = tuple(score * most // 26 for score in points)
            assert all(0 <= reward <= 1 for reward in rewards(totals, scaled, game))


@pytest.mark.parametrize("totals", [(0, 0, 0, 0), (20, 60, 80, 95), (31, 44, 44, 57), (77, 70, 68, 93), (88, 88, 73, 73)])
def test_a_better_chance_is_a_better_reward(totals: tuple[int, ...]) -> None:
    """No end of a deal is cut off by the range."""
    ends = sorted({order for end in ENDS for order in permutations(end)})
    scores = [[0 if 26 in end and end[seat] else 26 if 26 in end else end[seat] for seat in range(4)] for end in ends]
    chances = chances_after(TABLE[0], 100 - np.array(totals) - np.array(scores))
    found = np.array([rewards(totals, end) for end in ends])
    for seat in range(4):
        better = chances[:, None, seat] > chances[None, :, seat] + POINTS_WEIGHT
        assert (found[:, None, seat] > found[None, :, seat])[better].all()
    assert np.ptp(found, axis=0).max() > 0.7  # early in a match too, the range is used


def test_seats_are_symmetric() -> None:
    """Whoever sits where, the same totals and points bring the same."""
    totals, points = (20, 45, 45, 80), (3, 10, 10, 3)
    expected = rewards(totals, points)
    assert expected[1] == expected[2]
    for order in permutations(range(4)):
        shuffled = rewards(tuple(totals[seat] for seat in order), tuple(points[seat] for seat in order))
        assert shuffled == [expected[seat] for seat in order]


def test_who_wins_the_match_gets_all_and_equal_ones_share() -> None:
    won = rewards((40, 90, 60, 60), (0, 12, 7, 7))
    assert won[0] > 0.99
    assert max(won[1:]) < 0.03
    shared = rewards((40, 90, 40, 60), (0, 26 - 7, 0, 7))
    assert shared[0] == shared[2]
    assert 0.3 < shared[0] < 0.7


def test_a_seat_at_99_wants_no_point_and_then_does_not_care_how_many() -> None:
    totals = (99, 88, 90, 91)
    none, one, many = (rewards(totals, points)[0] for points in ((0, 11, 8, 7), (1, 10, 8, 7), (13, 0, 6, 7)))
    assert none > one + 0.1
    assert one - many < 0.02


def test_points_decide_where_the_match_is_lost() -> None:
    """Seat 0 cannot win any more."""
    few, many = rewards((99, 0, 0, 0), (1, 9, 8, 8))[0], rewards((99, 0, 0, 0), (20, 2, 2, 2))[0]
    assert few > many


def test_a_single_deal_is_a_match_of_its_own() -> None:
    assert rewards((0, 0, 0, 0), (0, 6, 7, 13), "hearts") == [1, 0, 0, 0]
    assert rewards((0, 0, 0, 0), (13, 13, 0, 0), "hearts") == [0, 0, 0.5, 0.5]


# --- Play -------------------------------------------------------------------------------------------------------------

END_OR_NOT = ["5.-.-.2", "2.9.-.-", "A.3.-.-", "K.4.-.-"]  # seat 1 leads: a heart from seat 0 gives it a point


@pytest.mark.parametrize("agent", ["uct:iterations=300,reward=match", "ismcts:iterations=300,reward=match"])
def test_the_leader_ends_the_match_by_giving_the_right_seat_a_point(agent: str) -> None:
    state = late(GAME, END_OR_NOT, leader=1, points=(8, 0, 9, 8), totals=(40, 99, 45, 42))
    for card in ("9D", "3D", "4D"):
        state.play(card)
    assert chosen(agent, state) == "2H"


@pytest.mark.parametrize("agent", ["uct:iterations=300,reward=match", "ismcts:iterations=300,reward=match"])
def test_who_is_behind_prolongs_the_match(agent: str) -> None:
    state = late(GAME, END_OR_NOT, leader=1, points=(8, 0, 9, 8), totals=(60, 99, 30, 42))
    for card in ("9D", "3D", "4D"):
        state.play(card)
    assert chosen(agent, state) == "5C"


def moon_that_queen_stops(totals: tuple[int, ...]) -> fd.State:
    """Seat 2 has all points so far; the queen of spades stops it, and costs seat 0 14 points."""
    state = late(GAME, ["-.-.3Q.-", "2.-.-.A", "A.-.J.-", "34.-.-.-"], leader=2, points=(0, 0, 12, 0), totals=totals)
    state.play("JS")
    state.play("3C")
    return state


def test_a_moon_is_stopped_at_any_price_where_it_would_lose_the_match() -> None:
    state = moon_that_queen_stops((40, 80, 45, 80))
    assert chosen("uct:iterations=300", state) == "3S"
    assert chosen("uct:iterations=300,reward=match", state) == "QS"


def test_a_moon_is_let_through_where_it_wins_the_match() -> None:
    """It takes the other two over the limit, and the leader wins at once."""
    hands = ["-.-.-.3T", "25.-.-.-", "A.-.-.9", "34.-.-.-"]
    state = late(GAME, hands, leader=2, points=(0, 0, 23, 0), totals=(30, 74, 60, 74))
    state.play("9H")
    state.play("3C")
    assert chosen("uct:iterations=300", state) == "TH"
    assert chosen("uct:iterations=300,reward=match", state) == "3H"


# --- Refusals ---------------------------------------------------------------------------------------------------------


def test_a_single_deal_is_refused() -> None:
    with pytest.raises(
        BadOption, match=r"^option reward: match wants a match of several deals, hearts:match=N, got a single"
    ):
        fd.play("hearts", ["ismcts:iterations=5,reward=match", "random", "random", "random"], seed=1)


def test_exact_endgames_are_refused_for_they_solve_for_points() -> None:
    with pytest.raises(BadOption, match=r"^option endgame: expected 0 with reward=match, since solutions are leads, got 8$"):
        fd.agent("ismcts:endgame=8,reward=match")


# --- Compiled and interpreted -----------------------------------------------------------------------------------------

SCRIPT = """
import sys
sys.path[:0] = sys.argv[1:]
from test_hearts_match import ENDS, GAME, TOTALS, rewards
print([rewards(totals, points, game) for game in (GAME, "hearts:match=400") for totals in TOTALS for points in ENDS])
"""


@pytest.mark.skipif(not COMPILED, reason="needs both")
def test_interpreted_rewards_are_the_compiled_ones() -> None:
    here = Path(__file__).parent
    command = [sys.executable, "-c", SCRIPT, str(here), str(here.parent / "tools"), str(here.parent / "oracles")]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, check=False)
    assert run.returncode == 0, run.stderr
    compiled = [rewards(totals, points, game) for game in (GAME, "hearts:match=400") for totals in TOTALS for points in ENDS]
    assert run.stdout.strip() == str(compiled)


# --- Fitting ----------------------------------------------------------------------------------------------------------


def test_a_model_is_fitted_on_recorded_matches_and_judged_on_others(tmp_path: Path) -> None:
    records = [fd.play("hearts:match=100", ["random"] * 4, seed=seed) for seed in range(24)]
    matches = matches_in(records[:16])
    assert [deals.sum(axis=0).tolist() for deals in matches.deals] == [record.scores for record in records[:16]]
    model = fit(matches, tmp_path / "match_hearts.npz", {"command": "test"}, walks=20)
    with np.load(tmp_path / "match_hearts.npz") as written:
        assert (written["table"] == model["table"]).all()
    found = calibration(matches_in(records[16:]), model)
    assert found.matches == 8
    assert found.brier < found.brier_of_equal


def test_a_seat_that_is_ahead_wins_more_walks() -> None:
    deals = read_model("hearts")[1]
    chances = walked([100, 60, 60, 60], deals, 4000, stream(3))
    assert chances[0] > 0.5
    assert chances[1] == chances[2] == chances[3]


def test_single_deals_are_no_matches() -> None:
    with pytest.raises(FacedownError, match="expected matches of several deals, got hearts"):
        matches_in([fd.play("hearts", ["random"] * 4, seed=1)])
    with pytest.raises(FacedownError, match="expected matches of one game to one limit, got none"):
        matches_in([])
