import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import facedown as fd
import naive_spades
from facedown import cards
from facedown.arena.executors import start_workers
from facedown.inference.spade_history import HONOURS, ActionHistory, honours_in
from facedown.inference.spade_honours import HonourInference
from facedown.rng import stream
from facedown.store import Store
from facedown.training.honour_accuracy import figures, judge_deal, judged
from facedown.training.honours import build_table, counts_of, deals_in, digest_of_games, reached_in, train_on_records

HOLD = "hearts:passing=hold"


def deals(count: int, game: str = HOLD, agent: str = "random") -> list[fd.GameRecord]:
    return [fd.play(game, [agent] * 4, seed=seed) for seed in range(count)]


def mover_view(state: fd.State) -> fd.View:
    assert state.seat is not None
    return state.view(state.seat)


def literally(record: fd.GameRecord) -> Counter[tuple[int, int]]:
    """Each history once for each player that reached it, with the honours in its hand."""
    found: Counter[tuple[int, int]] = Counter()
    passed = len(record.history) - 52
    plays = [(seat, cards.text(card)) for seat, card in record.history[passed:]]
    queen = [card for _, card in plays].index("QS")
    for seat in range(4):
        reached = {}
        for count in range(queen + 1):
            left = {card for who, card in plays[count:] if who == seat}
            value = sum(1 << place for place, card in enumerate(HONOURS) if cards.text(card) in left)
            reached[ActionHistory(*naive_spades.properties(plays[:count], seat)).key] = value
        found.update(reached.items())
    return found


@pytest.mark.parametrize("game", [HOLD, "hearts:passing=left"])
def test_a_history_is_counted_once_for_each_player_that_reaches_it(game: str) -> None:
    records = deals(3, game)
    counts, number = counts_of("*", [record.to_json() for record in records])
    assert counts == sum(map(literally, records), Counter())
    assert number == 3


def test_only_the_players_asked_for_are_counted() -> None:
    record = fd.play(HOLD, ["random", "ismcts:iterations=2", "random", "random"], seed=1)
    whole, some = (sum(1 for _ in reached_in(record, pattern)) for pattern in ("*", "ismcts*"))
    assert 0 < some < whole / 2
    assert not list(reached_in(record, "human"))


def test_the_table_keeps_histories_of_ten_observations(tmp_path: Path) -> None:
    lines = [record.to_json() for record in deals(30)]
    with start_workers("local") as pool:
        table = build_table(lines, {"seed": 4}, pool, lambda progress: None)
    counts = sum((literally(fd.GameRecord.from_json(line)) for line in lines), Counter())
    rows: dict[int, list[int]] = {}
    for (key, value), number in counts.items():
        rows.setdefault(key, [0] * 8)[value] = number
    assert {key: table.row(key) for key in table.keys.tolist()} == {key: row for key, row in rows.items() if sum(row) >= 10}
    about = table.about
    assert (about["deals"], about["histories"], about["histories_reached"]) == (30, len(table), len(rows))
    assert (about["observations"], about["observations_made"]) == (int(table.counts.sum()), sum(counts.values()))
    assert about["seed"] == 4
    assert about["games_digest"] == digest_of_games(reversed(lines)) != digest_of_games(lines[1:])


def test_only_whole_deals_of_hearts_are_read(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.sqlite") as store, start_workers("local") as pool:
        for game in ("hearts32", "hearts:match=20", "bisca"):
            agents = ["random"] * fd.load(game).seats
            store.add_game(fd.play(game, agents, seed=1))
        assert deals_in(store, None) == []
        with pytest.raises(fd.FacedownError, match="expected whole deals of hearts to count, got none"):
            train_on_records(store, None, "*", pool, lambda progress: None)
        for record in deals(20):
            store.add_game(record)
        assert len(deals_in(store, None)) == 20
        table = train_on_records(store, None, "*", pool, lambda progress: None)
    assert (table.about["deals"], table.about["test"]["deals"]) == (18, 2), "every tenth is left out to test on"


def test_a_deal_that_ended_before_an_honour_was_played_is_not_counted() -> None:
    record = deals(1)[0]
    last = max(place for place, (_, card) in enumerate(record.history) if card in HONOURS)
    assert list(reached_in(replace(record, history=record.history[: last + 1])))
    assert not list(reached_in(replace(record, history=record.history[:last])))


# --- Accuracy ---------------------------------------------------------------------------------------------------------


def test_accuracy_is_the_share_of_worlds_whose_honours_lie_right() -> None:
    with start_workers("local") as pool:
        table = build_table([record.to_json() for record in deals(60)], {}, pool, lambda progress: None)
    inference = HonourInference(table)
    rng, checked = random.Random(3), 0
    for seed in range(100, 110):
        state = fd.load("hearts", passing=False).deal(seed)
        for _ in range(4 + rng.randrange(20)):
            state.play(rng.choice(state.legal))
        one = judged(state, inference)
        if one is None:
            continue
        view, count = mover_view(state), 6000
        hands = [honours_in(hand) for hand in state.record.hands]
        for expected, worlds in (
            (one.inferred, inference.worlds(view, count, stream(seed))),
            (one.uniform, view.sample_many(count, stream(seed))),
        ):
            right = sum([honours_in(hand) for hand in world["hands"].tolist()] == hands for world in worlds)
            assert right / count == pytest.approx(expected, abs=0.025)
        assert one.trick == state.record.tricks_played + 1
        checked += 1
    assert checked > 4


def test_only_decisions_where_inference_matters_are_judged() -> None:
    record = deals(1)[0]
    with start_workers("local") as pool:
        inference = HonourInference(build_table([record.to_json()], {}, pool, lambda progress: None))
    found = list(judge_deal(record, inference))
    expected = 0
    for state in record.steps():
        if not state.over and len(state.legal) > 1:
            view = mover_view(state)
            expected += (
                len({tuple(map(honours_in, world["hands"].tolist())) for world in view.sample_many(300, stream(1))}) > 1
            )
    assert len(found) == expected > 5
    result = figures([found])
    assert result["decisions"] == len(found) == sum(row["decisions"] for row in result["by_trick"])
    assert 0 < result["queen_left"]["decisions"] <= len(found)
    assert figures([[]]) == {"deals": 1, "decisions": 0, "queen_left": {"decisions": 0}, "by_trick": []}
