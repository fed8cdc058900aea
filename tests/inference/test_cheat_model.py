import json
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import as_file, files
from math import comb, isnan, nan, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

import facedown as fd
from facedown import cards
from facedown.agents.pmga import SHIPPED, Pmga
from facedown.games.cheat.styles import TEST_STYLES
from facedown.inference import forest as forests
from facedown.inference.cheat import FEATURES, NAMES, features, may_call
from facedown.inference.forest import Forest, read_forest, shipped
from facedown.kernel import Array
from facedown.training.claims import Claims, claims_of, collected
from facedown.training.evaluation import auc, best_threshold, evaluate, fold_of, left_out_scores, rates_at, reliability, roc
from facedown.training.games import pairs
from facedown.training.models import as_forest, calibration, rounded_down


def dealt(first: str, second: str, face_up: str) -> fd.State:
    """A deal of these hands; the stock has the rest."""
    state = fd.load("cheat").deal(0)
    record = state.record
    masks = [sum(1 << cards.parse(card) for card in hand.split()) for hand in (first, second, face_up)]
    record.hands[0], record.hands[1], record.face_up = masks
    record.last_rank = cards.parse(face_up) % 13
    rest = [card for card in range(52) if not sum(masks) >> card & 1]
    record.stock[: len(rest)] = rest
    return state


def played(*moves: tuple[str, float | None]) -> fd.State:
    """The worked position, so far."""
    state = dealt("6C 6D 7C 8C 9C TC JC QC", "6H KC KD KH KS AC AD AH", "5C")
    for text, seconds in moves:
        state.play(text, seconds)
    return state


def features_of(state: fd.State) -> dict[str, float]:
    assert state.seat is not None
    return dict(zip(NAMES, features(state.view(state.seat)).tolist(), strict=True))


def check(found: dict[str, float], expected: dict[str, float]) -> None:
    for name, value in expected.items():
        assert (isnan(found[name]) and isnan(value)) or found[name] == pytest.approx(value), name
    assert set(found) == set(expected)


OPENING: list[tuple[str, float | None]] = [("2 6: 6C 6D", 10.0)]
CAUGHT = [*OPENING, ("1 7: KC", 5.0), ("call", 3.0)]  # seat 1 takes up 5C 6C 6D KC
SECOND = [*CAUGHT, ("2 6: 6C 6H", 20.0)]
THIRD = [*SECOND, ("take", 1.0), ("take", 2.0), ("take", 1.0), ("1 7: AC", None)]


# --- Features ---------------------------------------------------------------------------------------------------------


def test_there_are_21_features_each_explained() -> None:
    assert len(NAMES) == 21
    page = (Path(__file__).parents[2] / "docs" / "cheat-people.md").read_text()
    for name, meaning in FEATURES.items():
        assert f"| `{name}` | {meaning} |" in page


def test_features_of_a_first_claim() -> None:
    expected = dict.fromkeys(NAMES, 0.0) | {
        "turns": 1,
        "seconds": 10,
        "seconds_to_usual": nan,
        "caught_per_lie": nan,
        "lie_share": nan,
        "count": 2,
        "cards_left": 6,
        "own_cards": 8,
        "pile": 3,
        "stock": 35,
        "rank_elsewhere": 1,  # 6H
        "same_direction": nan,
        "able": 1 - (comb(40, 8) + 3 * comb(40, 7)) / comb(43, 8),  # two of three sixes among eight of 43 cards
    }
    check(features_of(played(*OPENING)), expected)


def test_features_after_a_pile_was_taken_up() -> None:
    expected = dict.fromkeys(NAMES, 0.0) | {
        "turns": 4,
        "seconds": 20,
        "seconds_to_usual": 4,
        "caught_per_lie": 1,
        "lie_share": 1,
        "claims_shown": 1,
        "caught": 1,
        "calls_against": 1,
        "count": 2,
        "cards_left": 9,
        "own_cards": 6,
        "pile": 2,
        "stock": 35,
        "rank_had": 2,  # 6C 6D
        "same_direction": 0,  # up to 7, now down to 6
        "able": 1,
    }
    check(features_of(played(*SECOND)), expected)


def test_features_of_somebody_whom_nobody_timed() -> None:
    expected = dict.fromkeys(NAMES, 0.0) | {
        "turns": 8,
        "seconds": nan,
        "seconds_to_usual": nan,
        "caught_per_lie": 1,
        "takes_per_turn": 1 / 4,
        "lie_share": 1,
        "claims_shown": 1,
        "caught": 1,
        "caught_on_rank": 1,
        "calls_against": 1,
        "count": 1,
        "cards_left": 9,
        "own_cards": 8,
        "pile": 3,
        "stock": 32,
        "rank_elsewhere": 1,  # 7C
        "other_rank_had": 1,  # 5C
        "same_direction": 0,
        "able": 1 - comb(37, 8) / comb(40, 8),  # two of the four cards shown are taken for laid: eight of ten are unseen
    }
    check(features_of(played(*THIRD)), expected)


def test_a_rank_claimed_twice_is_counted() -> None:
    found = features_of(played(*SECOND, ("1 7: 7C", 1.0), ("1 6: 6D", 10.0)))
    assert found["rank_claimed"] == 2
    assert found["rank_had"] == 0
    assert found["seconds_to_usual"] == pytest.approx(10 / sqrt(5 * 20))
    assert found["same_direction"] == 1


def test_own_claims_by_direction_say_the_same_as_by_cards() -> None:
    by_cards = played(*OPENING, ("1 7: KC", 5.0), ("1 8: 8C", 2.0), ("1 9: AC", 4.0))
    by_direction = played(*OPENING, ("1 7: KC", 5.0), ("up true 1", 2.0), ("1 9: AC", 4.0))
    assert features(by_cards.view(0)).tobytes() == features(by_direction.view(0)).tobytes()


def test_features_need_a_claim_to_call() -> None:
    state = played(*CAUGHT)
    assert not may_call(state.view(0))
    with pytest.raises(fd.FacedownError, match="just after the other's claim"):
        features(state.view(1))
    with pytest.raises(fd.FacedownError, match="just after the other's claim"):
        features(played(*OPENING).view(0))  # its own


def people_game(seed: int, first: int = 61, second: int = 75) -> fd.GameRecord:
    return fd.play("cheat", [f"cheat-person:style={first}", f"cheat-person:style={second}"], seed=seed)


def test_features_stay_the_same_when_only_hidden_cards_change() -> None:
    record = people_game(4)
    state = fd.load("cheat").deal(4)
    different = 0
    for turn, ((seat, action), seconds) in enumerate(zip(record.history, record.seconds or [], strict=True)):
        state.play(action, seconds)
        if state.over or not may_call(state.view(1 - seat)):
            continue
        view = state.view(1 - seat)
        for number in range(3):
            world = view.sample(seed=turn * 10 + number)
            different += world.hands != state.hands
            assert features(world.view(1 - seat)).tobytes() == features(view).tobytes()
    assert different > 20


def test_rows_say_who_claimed_and_whether_it_was_a_lie() -> None:
    record = people_game(9)
    state = fd.load("cheat").deal(9)
    expected = []
    for turn, (seat, action) in enumerate(record.history):
        state.play(action)
        if state.facts["last_action"] == "claim" and not state.over:
            expected.append((not state.facts["last_claim_true"], record.agents[seat], 7, turn))
    assert [row[1:] for row in claims_of(record, 7)] == expected
    assert [row[1:] for row in claims_of(record, 7, lambda seat: seat == 1)] == [
        row for row in expected if row[1] == record.agents[1]
    ]


# --- The forest -------------------------------------------------------------------------------------------------------


def random_rows(count: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, len(NAMES)))
    rows[rng.random(rows.shape) < 0.15] = np.nan
    rows[:, 3] = rng.integers(0, 4, count)  # many equal values
    return rows


@pytest.fixture(scope="module")
def model() -> RandomForestClassifier:
    rows = random_rows(3000, 1)
    lies = np.nan_to_num(rows[:, 0]) + np.isnan(rows[:, 1]) + rows[:, 3] + np.random.default_rng(2).normal(size=3000) > 2
    return RandomForestClassifier(25, min_samples_leaf=5, class_weight="balanced", random_state=0).fit(rows, lies)


def as_model(model: RandomForestClassifier) -> Forest:
    return as_forest(model, (np.array([0.0, 1.0]), np.array([0.1, 0.9])), {"features": list(NAMES)})


def test_our_predictor_says_what_scikit_learn_says(model: RandomForestClassifier) -> None:
    rows = random_rows(2000, 3)
    assert np.isnan(rows).any()
    ours, theirs = as_model(model).score(rows), model.predict_proba(rows)[:, 1]
    np.testing.assert_allclose(ours, theirs, atol=1e-6)
    np.testing.assert_allclose(as_model(model).chance(rows), 0.1 + 0.8 * theirs, atol=1e-6)


def test_thresholds_are_rounded_so_that_no_answer_changes() -> None:
    exact = np.array([0.1, 1 / 3, -0.7, 2.0, 1e-30])
    single = rounded_down(exact)
    assert (single <= exact).all()
    assert (np.nextafter(single, np.float32(np.inf)) > exact).all()


def test_a_model_comes_back_from_its_file(model: RandomForestClassifier, tmp_path: Path) -> None:
    as_model(model).save(tmp_path / "one.npz")
    as_model(model).save(tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    rows = random_rows(50, 4)
    assert read_forest(tmp_path / "one.npz", NAMES).chance(rows).tolist() == as_model(model).chance(rows).tolist()


def test_files_that_are_no_models_are_refused(model: RandomForestClassifier, tmp_path: Path) -> None:
    with pytest.raises(fd.FacedownError, match="expected the file of a model, got none at"):
        read_forest(tmp_path / "none.npz", NAMES)
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(fd.FacedownError, match="expected the file of a model, got"):
        fd.agent(f"pmga:model={tmp_path / 'text.npz'}")
    np.savez(tmp_path / "other.npz", about=np.zeros(3))
    with pytest.raises(fd.FacedownError, match="expected the file of a model, got"):
        read_forest(tmp_path / "other.npz", NAMES)
    as_model(model).save(tmp_path / "one.npz")
    with pytest.raises(fd.FacedownError, match="expected a model of format 1 for these features: a, b"):
        read_forest(tmp_path / "one.npz", ("a", "b"))
    endless = as_model(model)
    endless.columns["right"][:] = 0  # a way that never ends
    endless.save(tmp_path / "endless.npz")
    with pytest.raises(fd.FacedownError, match="damaged: expected children after their parents"):
        read_forest(tmp_path / "endless.npz", NAMES)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("value", lambda column: column * np.nan, "expected numbers as value, got NaN or infinity"),
        ("chances", lambda column: column * np.inf, "expected numbers as chances, got NaN or infinity"),
        ("threshold", lambda column: column * np.nan, "expected numbers as threshold, got NaN"),
        ("chances", lambda column: column + 1, "expected shares from 0 to 1"),
        ("value", lambda column: -column - 1, "expected shares from 0 to 1"),
        ("scores", lambda column: column[::-1], "expected scores that rise"),
        ("scores", lambda column: column[:-1], "expected lists of one length"),
        ("left", lambda column: column[:-1], "expected lists of one length"),
        ("roots", lambda column: column + 10**6, "expected roots among the nodes"),
        ("roots", lambda column: column[:0], r"expected roots to be a list of whole numbers, got int32 of shape \(0,\)"),
        ("roots", lambda column: column[0], r"expected roots to be a list of whole numbers, got int32 of shape \(\)"),
        ("feature", lambda column: np.where(column >= 0, 100, column), "expected features from 0 to 20"),
        ("feature", lambda column: np.where(column >= 0, -2, column), "expected features from 0 to 20"),
        ("feature", lambda column: column.astype(float), "expected feature to be a list of whole numbers, got float64"),
        ("left", lambda column: column.reshape(1, -1), "expected left to be a list of whole numbers, got int32 of shape"),
        ("missing", lambda column: column.astype(str), "expected missing to be a list of true and false, got <U5"),
        ("value", lambda column: column.astype(complex), "expected value to be a list of numbers, got complex"),
    ],
)
def test_models_with_wrong_numbers_or_shapes_are_refused_in_one_line(
    model: RandomForestClassifier, tmp_path: Path, name: str, change: Callable[[Any], Any], message: str
) -> None:
    with np.errstate(invalid="ignore"):
        columns: dict[str, Any] = {**as_model(model).columns}
        columns[name] = np.asarray(change(columns[name]))
    about = np.frombuffer(json.dumps({"format": 1, "features": NAMES}).encode(), np.uint8)
    np.savez(tmp_path / "wrong.npz", about=about, **columns)
    with pytest.raises(fd.FacedownError, match=message) as refused:
        fd.agent(f"pmga:model={tmp_path / 'wrong.npz'}")
    assert "\n" not in str(refused.value)


def test_a_model_cut_short_or_with_a_flipped_bit_is_refused_in_one_line(tmp_path: Path) -> None:
    with as_file(files("facedown.inference") / SHIPPED) as path:
        whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 40):
        for damaged in (whole[:place], whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]):
            (tmp_path / "damaged.npz").write_bytes(damaged)
            with pytest.raises(fd.FacedownError, match="expected") as refused:
                read_forest(tmp_path / "damaged.npz", NAMES)
            assert "\n" not in str(refused.value)


def test_a_name_of_thousands_of_letters_is_no_model() -> None:
    with pytest.raises(fd.FacedownError, match="expected the file of a model, got none at 'xxx"):
        fd.agent(f"pmga:model={'x' * 5000}")


# --- Figures ----------------------------------------------------------------------------------------------------------


def some_claims(players: int = 6, each: int = 40) -> Claims:
    """Claims whose first feature is the number of the player who made it, and whose second that of its game."""
    count = players * each
    who = np.repeat(np.arange(players), each)
    games = np.arange(count) // 10
    games[who % 2 == 1] -= each // 10  # two players share their games
    rows = random_rows(count, 5)
    rows[:, 0], rows[:, 1] = who, games
    lies = np.random.default_rng(6).random(count) < 0.4
    return Claims(rows, lies, np.char.add("player ", who.astype(str)), games, np.zeros(count, int))


def test_leaving_one_player_out_never_trains_on_that_player() -> None:
    claims = some_claims()
    tested: list[set[float]] = []

    def fit(rows: Array, lies: Array) -> Callable[[Array], Array]:
        assert len(rows) == len(lies)

        def score(others: Array) -> Array:
            assert not set(rows[:, 0]) & set(others[:, 0])
            assert not set(rows[:, 1]) & set(others[:, 1]), "nor on what others did in that player's games"
            tested.append(set(others[:, 0]))
            return others[:, 0] / 10

        return score

    found = left_out_scores(claims, fit)
    assert tested == [{number} for number in map(float, range(6))]
    assert found.tolist() == (claims.features[:, 0] / 10).tolist()
    tested.clear()
    left_out_scores(claims, fit, most_folds=3)
    assert [len(players) for players in tested] == [2, 2, 2]


def test_a_fold_has_all_claims_of_its_players() -> None:
    claims = some_claims()
    out, trained = fold_of(claims, np.array(["player 2"]))
    assert out.sum() == 40
    assert trained.sum() == 160  # without the player it shares games with


def test_somebody_who_sat_in_all_games_is_left_out_alone() -> None:
    claims = some_claims(players=4)
    everywhere = Claims(claims.features, claims.lies, claims.players, np.arange(len(claims)) % 40, claims.turns)
    out, trained = fold_of(everywhere, np.array(["player 1"]))
    assert (trained == ~out).all()
    honest = Claims(claims.features, claims.players == "player 1", claims.players, claims.games, claims.turns)
    with pytest.raises(fd.FacedownError, match="expected true and false claims by others than player 1"):
        fold_of(honest, np.array(["player 1"]))


def test_auc_and_curve_count_lies_that_score_higher_than_truths() -> None:
    rng = np.random.default_rng(0)
    found = np.round(rng.random(500), 1)  # with ties
    lies = rng.random(500) < found
    pairs = np.sign(found[lies][:, None] - found[~lies][None, :])
    assert auc(lies, found) == pytest.approx((1 + pairs.mean()) / 2)
    assert isnan(auc(np.ones(3, bool), np.ones(3)))
    corners = sorted({rates_at(lies, found, threshold) for threshold in (*found, 2.0)})  # TPR and TNR
    alarms, hits = [1 - right for _, right in corners], [right for right, _ in corners]
    for x, y in roc(lies, found):
        assert y == pytest.approx(np.interp(x, alarms, hits), abs=0.01)


def test_rates_threshold_and_reliability_by_hand() -> None:
    lies = np.array([True, True, True, False, False])
    found = np.array([0.9, 0.8, 0.3, 0.4, 0.1])
    assert rates_at(lies, found, 0.5) == pytest.approx((2 / 3, 1.0))
    assert 0.4 < best_threshold(lies, found) <= 0.8
    assert reliability(lies, np.array([0.95, 0.91, 0.35, 0.35, 0.35])) == [
        {"claims": 3, "chance": 0.35, "lies": 0.3333},
        {"claims": 2, "chance": 0.93, "lies": 1.0},
    ]


def test_intervals_are_over_players() -> None:
    claims = some_claims(players=12)
    found = np.where(claims.lies, 0.7, 0.3) + np.random.default_rng(1).normal(0, 0.4, len(claims))
    one = evaluate(claims, found, np.clip(found, 0, 1), 0.5)
    assert one.auc.low < one.auc.value < one.auc.high
    assert (one.auc.count, one.auc.unit) == (12, "players")
    same = Claims(claims.features, claims.lies, np.full(len(claims), "one"), claims.games, claims.turns)
    alone = evaluate(same, found, np.clip(found, 0, 1), 0.5)
    assert alone.auc.low == alone.auc.high, "one player alone has no spread"


def test_chances_are_calibrated() -> None:
    rng = np.random.default_rng(3)
    found = rng.random(20000)
    lies = rng.random(20000) < found**2
    at, chances = calibration(found, lies)
    assert (np.diff(chances) >= 0).all()
    assert np.interp([0.3, 0.6, 0.9], at, chances) == pytest.approx([0.09, 0.36, 0.81], abs=0.06)


# --- What is shipped, and who plays by it -----------------------------------------------------------------------------


def test_the_shipped_model_says_what_it_was_trained_on() -> None:
    about = shipped(SHIPPED, NAMES).about
    assert about["trained_on"] == "simulated players: agents cheat-person"
    assert (about["people"], about["test_people"]) == ("0-59", "60-89")
    assert about["command"].startswith("facedown train cheat --games ")
    assert about["figures"]["test"]["auc"]["value"] >= 0.82
    size = (Path(forests.__file__).parent / SHIPPED).stat().st_size
    assert size < 2_000_000


def test_the_shipped_model_tells_lies_of_people_it_has_not_met() -> None:
    games = enumerate(pairs(TEST_STYLES, 60))
    records = [people_game(10_000 + number, *styles) for number, styles in games]
    claims = collected(row for number, record in enumerate(records) for row in claims_of(record, number))
    chances = shipped(SHIPPED, NAMES).chance(claims.features)
    assert auc(claims.lies, chances) > 0.76
    assert chances.mean() == pytest.approx(claims.lies.mean(), abs=0.06)


def test_pmga_believes_what_the_model_says_and_only_of_claims() -> None:
    agent = fd.agent("pmga:iterations=200")
    assert isinstance(agent, Pmga)
    view = played(*SECOND).view(0)
    true, false = agent.beliefs(view)
    assert true + false == pytest.approx(1.0)
    assert false == pytest.approx(float(shipped(SHIPPED, NAMES).chance(features(view)[None])[0]))
    assert list(agent.beliefs(played(*CAUGHT).view(1))) == [1.0]
    agent.choose(view)
    assert agent.decision is not None
    assert agent.decision.beliefs == pytest.approx([true, false])


def test_pmga_sees_its_view_only() -> None:
    view = played(*THIRD).view(0)
    chosen = fd.agent("pmga:iterations=300", seed=2).choose(view)
    for seed in range(4):
        assert fd.agent("pmga:iterations=300", seed=2).choose(view.sample(seed=seed).view(0)) == chosen


def test_pmga_plays_cheat_only() -> None:
    with pytest.raises(fd.BadOption, match="expected the game cheat"):
        fd.agent("pmga").choose(fd.load("hearts32").deal(0).view(0))


def test_playing_by_the_model_does_not_import_scikit_learn() -> None:
    script = "import sys, facedown as fd; fd.agent('pmga'); assert 'sklearn' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)
