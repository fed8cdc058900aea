import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import facedown as fd
from facedown.record import FORMAT

SCHEMA = json.loads(files("facedown").joinpath("record.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

RANDOM = ["random"] * 4
OLD_LINE = (
    '{"format": 1, "game": "hearts32", "version": 1, "seed": 1, "agents": ["random", "random", "random", "random"], '
    '"history": [[0, 2]], "actions": ["4C"], "scores": [0, 1.5, 0, 0]}'
)


def played(game: str = "hearts", **options: Any) -> fd.GameRecord:
    return fd.play(game, ["ismcts:iterations=20", "random", "random", "uct:iterations=20"], seed=3, **options)


@pytest.fixture(scope="module")
def line() -> str:
    return played("hearts32", decisions=True).to_json()


def damaged(line: str, **values: Any) -> str:
    return json.dumps({**json.loads(line), **values})


# --- What a record holds ----------------------------------------------------------------------------------------------


def test_a_record_says_who_played_from_which_seeds_and_by_which_program() -> None:
    record = played()
    assert record.facedown == fd.__version__
    assert record.agents == ["ismcts:iterations=20", "random", "random", "uct:iterations=20"]
    assert record.agent_seeds is not None
    assert len(set(record.agent_seeds)) == 4
    assert record.lower_is_better


def test_each_decision_can_be_made_again_from_the_record() -> None:
    record = played("hearts32", decisions=True)
    assert record.decisions is not None
    assert record.agent_seeds is not None
    agents = [fd.agent(text, seed) for text, seed in zip(record.agents, record.agent_seeds, strict=True)]
    state = fd.load(record.game).deal(record.seed)
    for (seat, action), decision in zip(record.history, record.decisions, strict=True):
        agent = agents[seat]
        assert agent.choose(state if agent.sees_all else state.view(seat)) == action
        assert (decision is None) == (agent.decision is None)
        if agent.decision and decision:
            assert decision["nodes"] == agent.decision.nodes
            assert "seconds" not in decision
        state.play(action)


def test_decisions_are_kept_only_on_request() -> None:
    assert played("hearts32").decisions is None
    assert played("hearts32", decisions=True) == replace(
        played("hearts32"), decisions=played("hearts32", decisions=True).decisions
    )


def test_a_record_says_who_saw_what() -> None:
    record = played("hearts")
    assert record.seen is not None
    state = fd.load("hearts").deal(3)
    for _, action in record.history:
        state.play(action)
    for seat in range(4):
        as_seen = [
            (mover, row[seat] if row else action) for (mover, action), row in zip(record.history, record.seen, strict=True)
        ]
        assert as_seen == state.view(seat).history
    passes, rest = record.seen[:12], record.seen[12:]
    assert all(row and len(set(row)) == 2 for row in passes)
    assert rest == [None] * 52


def test_where_every_action_is_open_there_is_nothing_to_say_of_it() -> None:
    assert played("hearts:passing=false").seen is None


def test_the_best_scores_are_those_of_the_game() -> None:
    record = replace(played("hearts32"), scores=[3, 0, 5, 0])
    assert record.best == [False, True, False, True]
    assert replace(record, lower_is_better=False).best == [False, False, True, False]
    assert replace(record, lower_is_better=None).best is None


def test_a_forfeit_ends_the_history_and_says_why() -> None:
    state = fd.load("hearts32").deal(1)
    forfeit = {"seat": 2, "reason": "ValueError: no idea", "traceback": "Traceback ..."}
    record = fd.GameRecord.of(state, RANDOM, forfeit=forfeit, scores=[0, 0, 26, 0])
    assert (record.history, record.scores, record.agent_seeds) == ([], [0, 0, 26, 0], None)
    assert fd.GameRecord.from_json(record.to_json()) == record
    VALIDATOR.validate(json.loads(record.to_json()))


# --- Its line ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["hearts", "hearts32:passing=false", "hearts:match=30"])
@pytest.mark.parametrize("decisions", [False, True])
def test_a_line_gives_the_record_back_and_satisfies_the_schema(game: str, decisions: bool) -> None:
    record = played(game, decisions=decisions)
    line = record.to_json()
    assert "\n" not in line
    assert fd.GameRecord.from_json(line) == record
    assert fd.GameRecord.from_json(line).to_json() == line == played(game, decisions=decisions).to_json()
    VALIDATOR.validate(json.loads(line))


def test_a_seed_may_be_larger_than_any_machine_word() -> None:
    record = fd.play("hearts32", RANDOM, seed=10**40)
    assert fd.GameRecord.from_json(record.to_json()).seed == 10**40


def test_a_line_of_format_1_can_still_be_read() -> None:
    record = fd.GameRecord.from_json(OLD_LINE)
    assert (record.history, record.scores) == ([(0, 2)], [0, 1.5, 0, 0])
    assert (record.facedown, record.agent_seeds, record.lower_is_better, record.best) == (None, None, None, None)
    VALIDATOR.validate(json.loads(record.to_json()))


def test_a_line_may_say_its_place_in_a_tournament(line: str) -> None:
    place = {"run": "spring", "deal": 3, "seating": 1}
    record, found = fd.GameRecord.placed(damaged(line, **place))
    assert found == place
    assert record == fd.GameRecord.from_json(line)
    VALIDATOR.validate(json.loads(damaged(line, **place)))


@pytest.mark.parametrize(
    "values",
    [
        {"format": 3},
        {"format": None},
        {"colour": "red"},
        {"game": ""},
        {"game": 7},
        {"version": -1},
        {"version": True},
        {"seed": -1},
        {"seed": 1.5},
        {"seed": None},
        {"agents": []},
        {"agents": "random"},
        {"history": [[0, 1, 2]] * 32},
        {"history": [[0]] * 32},
        {"history": [[0, -1]] * 32},
        {"history": None},
        {"actions": [1] * 32},
        {"scores": ["0"] * 4},
        {"scores": [None] * 4},
        {"lower_is_better": 1},
        {"agent_seeds": [-1] * 4},
        {"seen": [1] * 32},
        {"decisions": ["why"] * 32},
        {"seconds": 3},
        {"seconds": ["1"] * 32},
        {"seconds": [-0.5] * 32},
        {"forfeit": {"seat": 1}},
        {"forfeit": {"seat": 1, "reason": "", "traceback": None}},
        {"forfeit": {"seat": 1, "reason": "tired", "traceback": None, "time": 1.0}},
        {"facedown": 2},
        {"run": None},
        {"deal": -1},
        {"seating": "first"},
    ],
    ids=str,
)
def test_a_damaged_line_is_refused_here_and_by_the_schema(line: str, values: dict[str, Any]) -> None:
    with pytest.raises(fd.BadText, match=f"expected a game record of format {FORMAT}, got .*: "):
        fd.GameRecord.from_json(damaged(line, **values))
    assert not VALIDATOR.is_valid({**json.loads(line), **values})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"history": [[4, 1]] * 32}, r"history: expected a list of \[seat, action\], got \[\[4, 1\]"),
        ({"actions": ["QS"] * 31}, "actions: expected a text for each action"),
        ({"scores": [0, 0, 0]}, "scores: expected a number for each seat, got"),
        ({"agent_seeds": [1, 2]}, "agent_seeds: expected a whole number for each seat"),
        ({"seen": [[1, 1]] * 32}, "seen: expected an action for each seat, or null, for each action"),
        ({"decisions": []}, "decisions: expected one for each action"),
        ({"seconds": [1.5] * 31}, "seconds: expected a number from 0 up, or null, for each action"),
        ({"seconds": [True] * 32}, "seconds: expected a number from 0 up, or null, for each action"),
        ({"forfeit": {"seat": 4, "reason": "tired", "traceback": None}}, "forfeit: expected seat, reason and traceback"),
    ],
)
def test_what_a_schema_cannot_say_is_checked_too(line: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(fd.BadText, match=message):
        fd.GameRecord.from_json(damaged(line, **values))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", "null", '"record"', '{"format": 2}', "[" * 100_000, OLD_LINE.replace("1.5", "NaN"), OLD_LINE[:-9]],
    ids=lambda text: text[:12],
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(fd.BadText, match="expected a game record of format 2, got "):
        fd.GameRecord.from_json(text)


def test_every_field_of_the_schema_is_a_field_of_the_record(line: str) -> None:
    assert set(SCHEMA["properties"]) == {*json.loads(line), "seconds", "run", "deal", "seating"}
    assert set(SCHEMA["required"]) == set(json.loads(line))


def test_the_page_of_records_explains_every_field() -> None:
    page = (Path(__file__).parent.parent / "docs" / "records.md").read_text()
    for name in [*SCHEMA["required"], "seconds"]:
        assert f"\n| `{name}` | " in page
