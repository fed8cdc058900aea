import json
import random
from collections import Counter
from importlib.resources import files
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import facedown as fd
from facedown import cards
from facedown.inference import spade_table
from facedown.inference.spade_history import HONOURS, VALUES, histories, honours_in
from facedown.inference.spade_honours import HonourInference, HonourSet, check_game, legal_sets, quotas
from facedown.inference.spade_table import PROPERTIES, SHIPPED, HonourTable, read_table, shipped_table
from facedown.rng import stream
from leaks import pairs

ABOUT = {"format": spade_table.FORMAT, "properties": PROPERTIES, "values": list(VALUES)}
PRIOR = [27, 9, 9, 3, 9, 3, 3, 1]  # of 64: each honour with each player alike


def mover_view(state: fd.State) -> fd.View:
    assert state.seat is not None
    return state.view(state.seat)


def table_of(rows: dict[int, list[int]]) -> HonourTable:
    keys = sorted(rows)
    return HonourTable(np.array(keys, np.int64), np.array([rows[key] for key in keys], np.int64).reshape(-1, 8), dict(ABOUT))


def position(seed: int, count: int, passing: str = "hold") -> fd.State:
    """A deal after some random cards."""
    rng = random.Random(seed)
    state = fd.load("hearts", passing=passing).deal(seed)
    for _ in range(count):
        state.play(rng.choice(state.legal))
    return state


def without_honours(count: int, seeds: range = range(200)) -> fd.View:
    """The view of a seat that holds none of the three, while all are in the game and nobody is known to have none."""
    for seed in seeds:
        state = position(seed, count)
        view = mover_view(state)
        if len(legal_sets(view)) == 27:
            return view
    raise AssertionError("expected a position without honours")


def newest(view: fd.View, seat: int) -> int:
    return histories(view.history)[seat][-1].key


def set_of(view: fd.View, world: np.ndarray) -> tuple[int, ...]:
    return tuple(0 if seat == view.seat else honours_in(hand) for seat, hand in enumerate(world["hands"].tolist()))


# --- Sets of features -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("passing", ["hold", "left"])
def test_legal_sets_are_those_that_some_world_has_and_their_worlds_are_counted(passing: str) -> None:
    checked = 0
    for seed in range(12):
        state = position(seed, (36 if passing == "hold" else 50) + seed % 7, passing)
        view = mover_view(state)
        if state.over or not 1 < view.worlds() <= 3000:
            continue
        found = Counter(set_of(view, world) for world in view.every_world())
        assert {one.held: round(one.worlds) for one in legal_sets(view)} == found
        checked += len(found) > 1
    assert checked > 1


def test_a_player_that_has_shown_a_void_holds_none() -> None:
    state = fd.load("hearts", passing=False).deal(2)
    while not any(int(mask) >> HONOURS[0] & 1 for mask in state.record.not_held):
        state.play(random.Random(len(state.history)).choice(state.legal))
    [void] = (seat for seat in range(4) if int(state.record.not_held[seat]) >> HONOURS[0] & 1)
    view = state.view((void + 1) % 4)
    assert {one.held[void] for one in legal_sets(view)} <= {0}


# --- The likelihood of a set ------------------------------------------------------------------------------------------


def test_the_likelihood_is_the_product_of_the_players_normalized_over_legal_sets() -> None:
    view = without_honours(2)
    others = [seat for seat in range(4) if seat != view.seat]
    rng = random.Random(4)
    rows = {newest(view, seat): [rng.randrange(5, 40) for _ in VALUES] for seat in others}
    sets = legal_sets(view)
    expected = {}
    for holders in product(others, repeat=3):
        held = [sum(1 << place for place, holder in enumerate(holders) if holder == seat) for seat in range(4)]
        chance = 1.0
        for seat in others:
            row = rows[newest(view, seat)]
            chance *= row[held[seat]] / sum(row)
        expected[tuple(held)] = chance
    total = sum(expected.values())
    assert total < 0.9, "illegal sets had a part"
    found = dict(zip([one.held for one in sets], HonourInference(table_of(rows)).chances(view, sets), strict=True))
    assert found == pytest.approx({held: chance / total for held, chance in expected.items()})


def test_a_history_below_ten_observations_gives_way_to_an_older_one() -> None:
    view = without_honours(7)
    reached = histories(view.history)
    seat = next(seat for seat in range(4) if seat != view.seat and len(reached[seat]) > 1)
    sets, new, old = legal_sets(view), reached[seat][-1].key, reached[seat][-2].key
    legal = {one.held[seat] for one in sets}
    few, enough, older = [2, 1, 1, 1, 1, 1, 1, 1], [3, 1, 1, 1, 1, 1, 1, 1], PRIOR
    for row, expected in ((few, older), (enough, enough), (None, older)):
        rows = {old: older} if row is None else {old: older, new: row}
        found = HonourInference(table_of(rows)).believed(reached[seat], 0, legal)
        assert found == (expected, 0)
    assert HonourInference(table_of({})).believed(reached[seat], 0, legal) is None


def test_only_observations_of_legal_features_count() -> None:
    view = without_honours(7)
    reached = histories(view.history)
    seat = (view.seat + 1) % 4
    inference = HonourInference(table_of({reached[seat][-1].key: [9, 0, 0, 0, 0, 0, 0, 50]}))
    assert inference.believed(reached[seat][-1:], 0, {0, 1}) is None
    assert inference.believed(reached[seat][-1:], 0, {0, 7}) == ([9, 0, 0, 0, 0, 0, 0, 50], 0)


def test_an_honour_played_since_a_history_was_held_then() -> None:
    reached = histories([(0, cards.parse("2C")), (1, cards.parse("KS"))])[1]
    rows = {reached[0].key: [0, 0, 6, 0, 0, 0, 6, 0]}  # with K, with K and A
    row, since = HonourInference(table_of(rows)).believed(reached, played=2, held={0, 4}) or ([], 0)
    assert (row, since) == (rows[reached[0].key], 2)


def test_without_a_history_or_a_likely_set_worlds_are_as_likely_as_they_are_many() -> None:
    view = without_honours(2)
    sets = legal_sets(view)
    uniform = [one.worlds / sum(other.worlds for other in sets) for one in sets]
    keys = {newest(view, seat) for seat in range(4)}
    impossible = table_of({key: [0, 100, 0, 0, 0, 0, 0, 0] for key in keys})  # all would have the queen
    for table in (table_of({}), impossible):
        assert HonourInference(table).chances(view, sets) == pytest.approx(uniform)


def test_a_position_from_text_has_no_history_to_infer_from() -> None:
    state = position(3, 6)
    view = fd.load("hearts", passing=False).position(state.position).view(state.seat or 0)
    sets = legal_sets(view)
    rows = {one.key: [1, 2, 3, 4, 5, 6, 7, 8] for reached in histories(state.history) for one in reached}
    chances = HonourInference(table_of(rows)).chances(view, sets)
    assert chances == pytest.approx([one.worlds / sum(other.worlds for other in sets) for one in sets])
    assert chances != pytest.approx(HonourInference(table_of(rows)).chances(mover_view(state), sets))


# --- Worlds -----------------------------------------------------------------------------------------------------------


def test_of_a_hundred_worlds_95_are_in_proportion_and_5_are_uniform() -> None:
    view = without_honours(2)
    others = [seat for seat in range(4) if seat != view.seat]
    rows = {newest(view, seat): [50, 0, 0, 0, 0, 0, 0, 50] for seat in others}
    inference, sets = HonourInference(table_of(rows)), legal_sets(view)
    numbers = quotas(inference.chances(view, sets), 950)
    assert sum(numbers) == 950
    found = Counter(set_of(view, world) for world in inference.worlds(view, 1000, stream(5)))
    extra = {one.held: found[one.held] - number for one, number in zip(sets, numbers, strict=True)}
    assert min(extra.values()) >= 0
    assert sum(extra.values()) == 50
    assert max(extra.values()) < 12, "these 50 fall on 27 sets"


def test_every_legal_set_has_a_world_and_the_likeliest_pay_for_it() -> None:
    assert quotas([1.0, 0.0, 0.0], 10) == [8, 1, 1]
    assert quotas([0.5, 0.26, 0.24], 100) == [50, 26, 24]
    assert quotas([0.501, 0.2495, 0.2495], 10) == [5, 3, 2]
    assert quotas([0.2, 0.5, 0.3], 2) == [0, 1, 1], "there are not enough worlds for all"
    assert quotas([0.2, 0.8], 0) == [0, 0]
    view = without_honours(2)
    sets = legal_sets(view)
    table = table_of({newest(view, seat): [1000, 0, 0, 0, 0, 0, 0, 1] for seat in range(4)})
    found = Counter(set_of(view, world) for world in HonourInference(table).worlds(view, 300, stream(1), share=1.0))
    assert len(found) == len(sets) == 27
    assert sum(number > 1 for number in found.values()) == 3, "one player has all three"


@pytest.mark.parametrize("passing", ["hold", "left"])
def test_inferred_worlds_are_worlds_of_the_view(passing: str) -> None:
    table = HonourTable(np.array([histories([])[0][0].key]), np.array([PRIOR]) * 10, dict(ABOUT))
    inference = HonourInference(table)
    for seed in range(6):
        state = position(seed, 5 * seed + (0 if passing == "hold" else 12), passing)
        view = mover_view(state)
        worlds = inference.worlds(view, 60, stream(seed))
        assert len(worlds) == 60
        for place in range(60):
            world = view.game.state_of(worlds[place : place + 1].copy(), 0, view.history)
            assert np.array_equal(world.view(view.seat).data, view.data)
            assert [len(hand) for hand in world.hands] == [len(hand) for hand in state.hands]


def test_all_the_same_seed_gives_the_same_worlds_and_they_come_in_random_order() -> None:
    view = without_honours(2)
    inference = HonourInference(table_of({newest(view, seat): PRIOR for seat in range(4)}))
    one, two = (inference.worlds(view, 200, stream(9)) for _ in range(2))
    assert one.tobytes() == two.tobytes()
    places = [set_of(view, world) for world in one]
    assert places != sorted(places)
    assert len(set(places[:60])) > 10


def test_where_all_is_known_or_cards_are_passed_worlds_are_uniform() -> None:
    inference = HonourInference(table_of({}))
    for view in (position(1, 4, "left").view(1), position(3, 50).view(position(3, 50).seat or 0)):
        assert len(legal_sets(view)) < 2
        assert inference.worlds(view, 20, stream(2)).tobytes() == view.sample_many(20, stream(2)).tobytes()


def test_inference_does_not_know_hidden_cards() -> None:
    table = shipped_table()
    compared = 0
    for pair in pairs(fd.load("hearts", passing=False), range(8), 4):
        one, two = (HonourInference(table).worlds(state.view(pair.seat), 50, stream(1)) for state in (pair.one, pair.two))
        assert one.tobytes() == two.tobytes()
        compared += 1
    assert compared > 10


def test_other_games_are_refused() -> None:
    check_game(fd.load("hearts"))
    with pytest.raises(fd.FacedownError, match="expected hearts, which has a table of honours, got hearts32"):
        check_game(fd.load("hearts32"))


# --- The file ---------------------------------------------------------------------------------------------------------


def test_the_shipped_table_tells_how_it_was_made() -> None:
    about = shipped_table().about
    assert about["deals"] >= 9000
    assert about["histories"] == len(shipped_table()) > 1000
    assert about["observations"] == shipped_table().counts.sum() <= about["observations_made"]
    assert about["game"] == "hearts:passing=hold"
    for word in (f"--games {about['deals']}", f"--agent {about['agent']}", f"--seed {about['seed']}"):
        assert word in about["command"]
    assert about["test"]["deals"] >= 500
    assert about["test"]["inferred"] > 1.3 * about["test"]["uniform"]
    assert {row["trick"] for row in about["test"]["by_trick"]} == set(range(1, 13))
    assert len(about["games_digest"]) == 16
    assert (files("facedown.inference") / SHIPPED).stat().st_size < 1_000_000  # type: ignore[attr-defined]
    assert shipped_table().counts.sum(axis=1).min() >= about["least_observations"] == 10


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = table_of({7: PRIOR, 3: PRIOR[::-1]})
    table.save(tmp_path / "a.npz")
    again = read_table(tmp_path / "a.npz")
    again.save(tmp_path / "b.npz")
    assert (again.row(7), again.row(3), again.row(4)) == (PRIOR, PRIOR[::-1], None)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_files_that_are_no_tables_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "table.npz"

    def refused(keys: object = (1, 2), counts: object = ((1,) * 8, (2,) * 8), about: object = ABOUT) -> str:
        words = np.frombuffer(json.dumps(about).encode(), np.uint8)
        np.savez(place, about=words, keys=np.array(keys), counts=np.array(counts))
        with pytest.raises(fd.FacedownError) as error:
            read_table(place)
        return str(error.value)

    assert "expected histories in rising order" in refused(keys=[2, 1])
    assert "expected 8 counts for each of 2 histories" in refused(counts=[[1], [2]])
    assert "expected whole numbers" in refused(keys=[1.0, 2.0])
    assert "expected counts from 0" in refused(counts=[(1,) * 8, (-1,) * 8])
    assert "of format 1" in refused(about={**ABOUT, "format": 2})
    assert "of format 1" in refused(about={**ABOUT, "values": ["Q"]})
    assert "of format 1" in refused(about=[])
    place.write_bytes(b"PK hello")
    with pytest.raises(fd.FacedownError, match="expected the file of a table of honours"):
        read_table(place)
    with pytest.raises(fd.FacedownError, match="got none at"):
        read_table(tmp_path / "none.npz")


def test_a_set_is_a_feature_for_each_player() -> None:
    """Manzke 2025, section 5.1: Q♠ and K♠ with one player, A♠ with another."""
    view = without_honours(2)
    others = [seat for seat in range(4) if seat != view.seat]
    wanted = [0] * 4
    wanted[others[0]], wanted[others[2]] = VALUES.index("QK"), VALUES.index("A")
    [found] = [one for one in legal_sets(view) if one.held == tuple(wanted)]
    assert isinstance(found, HonourSet)
