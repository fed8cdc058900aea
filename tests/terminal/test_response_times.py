"""How long a player takes is seen by all at the table, and kept with the game."""

import json
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import facedown as fd
from facedown.arena.replay import Replay
from facedown.arena.supervise import TournamentSpec, play_game
from facedown.terminal.person import Person
from facedown.terminal.play import play_out
from test_terminal import begun

SCHEMA = json.loads(files("facedown").joinpath("record.schema.json").read_text())
HOLD = "hearts:passing=hold"


class Hesitant(fd.Agent):
    """Any legal action, and the longer the later it stands."""

    name = "hesitant"

    def choose(self, view: fd.View) -> int:
        place = int(self.stream(view)[0]) % len(view.legal)
        self.seconds = 0.25 * place if place else None
        return view.legal[place]


class Boastful(fd.Agent):
    """Says nonsense of its time."""

    name = "boastful"

    def choose(self, view: fd.View) -> int:
        self.seconds = -1.0
        return view.legal[0]


def hesitated(seed: int = 3) -> fd.GameRecord:
    return fd.play("hearts", [Hesitant(), "random", Hesitant(), "random"], seed=seed)


# --- Positions --------------------------------------------------------------------------------------------------------


def test_times_run_beside_the_history_and_are_none_where_nobody_knows_them() -> None:
    state = fd.load(HOLD).deal(seed=7)
    for seconds in [None, 1.5, None, 2, None]:
        state.play(state.legal[0], seconds)
    assert state.seconds == [None, 1.5, None, 2.0, None]
    assert len(state.seconds) == len(state.history)
    assert [state.view(seat).seconds for seat in range(4)] == [state.seconds] * 4


def test_without_times_there_is_nothing_but_none() -> None:
    state = fd.load(HOLD).deal(seed=7)
    state.play("2C")
    assert state.seconds == state.view(0).seconds == [None]


def test_a_face_down_pass_shows_its_time_and_not_its_card() -> None:
    state = fd.load("hearts").deal(seed=7)
    state.play(state.legal[0], 4.0)
    assert state.view(1).seconds == [4.0]
    assert state.view(1).history != state.history


def test_a_copy_and_a_sampled_world_keep_the_times_and_share_none() -> None:
    state = fd.load(HOLD).deal(seed=7)
    state.play("2C", 1.25)
    view = state.view(state.seat or 0)
    for twin in (state.copy(), view.sample(seed=1)):
        assert twin.view(view.seat) == view
        twin.play(twin.legal[0], 9.0)
        assert twin.seconds == [1.25, 9.0]
    assert state.seconds == view.seconds == [1.25]


def test_other_times_are_other_knowledge() -> None:
    quick, slow, untimed = (fd.load(HOLD).deal(seed=7) for _ in range(3))
    quick.play("2C", 0.5)
    slow.play("2C", 5)
    untimed.play("2C")
    assert len({state.view(0) for state in (quick, slow, untimed)}) == 3
    assert quick != slow
    assert quick == quick.copy()


def test_a_view_without_times_has_the_bytes_that_older_seeds_were_drawn_from() -> None:
    state = fd.load(HOLD).deal(seed=7)
    state.play("2C", None)
    view = state.view(2)
    assert bytes(view) == repr((state.game.full_name, 2, view.history)).encode() + view.data.tobytes()


@pytest.mark.parametrize("seconds", [-0.1, float("nan"), float("inf"), True, "1"])
def test_what_is_no_time_is_refused_and_the_state_unchanged(seconds: Any) -> None:
    state = fd.load(HOLD).deal(seed=7)
    before = state.copy()
    with pytest.raises(fd.FacedownError, match="expected seconds from 0 up, or None where they are not known, got "):
        state.play("2C", seconds)
    assert state == before


def test_an_illegal_action_leaves_no_time_behind() -> None:
    state = fd.load(HOLD).deal(seed=7)
    with pytest.raises(fd.IllegalMove):
        state.play("AC", 2.0)
    assert state.seconds == []


def test_numbers_of_numpy_are_times_too() -> None:
    state = fd.load(HOLD).deal(seed=7)
    state.play("2C", np.float32(0.5))  # type: ignore[arg-type]
    assert state.seconds == [0.5]
    assert type(state.seconds[0]) is float


# --- Agents and records -----------------------------------------------------------------------------------------------


def test_what_agents_declare_is_recorded_and_the_same_each_time() -> None:
    record = hesitated()
    assert record.seconds is not None
    assert len(record.seconds) == len(record.history)
    assert {seat for (seat, _), one in zip(record.history, record.seconds, strict=True) if one is not None} == {0, 2}
    assert hesitated() == record


def test_searches_declare_nothing() -> None:
    record = fd.play("hearts32", ["ismcts:iterations=5"] * 4, seed=1)
    assert record.seconds is None
    assert "seconds" not in json.loads(record.to_json())


def test_a_line_with_times_gives_the_record_back_and_satisfies_the_schema() -> None:
    record = hesitated()
    line = record.to_json()
    assert fd.GameRecord.from_json(line) == record
    assert fd.GameRecord.from_json(line).to_json() == line
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(line))


def test_a_line_that_says_null_is_read_as_one_that_says_nothing() -> None:
    line = fd.play("hearts32", ["random"] * 4, seed=1).to_json()
    assert fd.GameRecord.from_json(json.dumps({**json.loads(line), "seconds": None})).to_json() == line


def test_a_replay_gives_the_times_back() -> None:
    record = hesitated()
    assert record.replay().seconds == record.seconds
    replay = Replay(record)
    assert replay.states[-1].seconds == record.seconds
    assert [move["seconds"] for move in replay.to_dict(seat=1)["moves"]] == record.seconds


def test_choices_can_be_made_again_from_a_record_with_times() -> None:
    record = hesitated()
    for move in Replay(record).moves:
        if move.seat in (0, 2):
            again = Hesitant((record.agent_seeds or [])[move.seat])
            assert again.choose(move.state.view(move.seat)) == move.action
            assert again.seconds == (record.seconds or [])[move.number - 1]


def test_a_store_keeps_the_times(tmp_path: Path) -> None:
    record = hesitated()
    with fd.Store.open(tmp_path / "games.sqlite") as store, fd.Store.open(tmp_path / "other.sqlite") as other:
        number = store.add_game(record, seconds=0.1)
        assert store.game(number).record == record
        run = store.begin("spring", {})
        run.add([(0, 0, record, None)])
        assert list(run.records()) == [record]
        assert run.add([(0, 0, record, None)]) == 0
        other.add_lines(store.lines("spring"))
        assert list(other.run("spring").records()) == [record]


def test_a_tournament_keeps_the_times() -> None:
    agents = (f"{__name__}:Hesitant", "random")
    spec = TournamentSpec("hearts", agents, ((0, 1, 1, 1),), seed=1)
    record = play_game(spec, fd.load("hearts"), 0, 0).record
    assert record.seconds is not None
    assert record.forfeit is None


def test_an_agent_that_declares_nonsense_forfeits() -> None:
    spec = TournamentSpec("hearts", (f"{__name__}:Boastful", "random"), ((0, 1, 1, 1),), seed=1)
    forfeit = play_game(spec, fd.load("hearts"), 0, 0).record.forfeit
    assert forfeit is not None
    assert "expected seconds from 0 up" in forfeit["reason"]


# --- People -----------------------------------------------------------------------------------------------------------


def test_a_person_is_measured_from_the_question_to_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, players = begun("hearts", ["", "wrong", "2C 3C 6C", ""], seat=1)
    ticks = count()
    monkeypatch.setattr("facedown.terminal.person.time.perf_counter", lambda: next(ticks) * 1.23456)
    record = play_out(screen.state, players, screen)
    assert record.seconds is not None
    by_person = [one for (seat, _), one in zip(record.history, record.seconds, strict=True) if seat == 1]
    assert by_person[0] == 1.23
    assert by_person[1:3] == [None, None]  # sent together with the first
    assert all(one is None for (seat, _), one in zip(record.history, record.seconds, strict=True) if seat != 1)


def test_a_deputy_is_not_measured() -> None:
    screen, players = begun(HOLD, [], seat=1)
    screen.ask = lambda prompt: None  # type: ignore[method-assign,assignment,return-value]
    players[1] = Person(screen, players[0])
    record = play_out(screen.state, players, screen)
    assert record.seconds is None


def test_a_deputy_that_declares_its_time_is_believed() -> None:
    screen, players = begun(HOLD, [], seat=1)
    screen.ask = lambda prompt: None  # type: ignore[method-assign,assignment,return-value]
    players[1] = Person(screen, Hesitant(1))
    assert play_out(screen.state, players, screen).seconds is not None
