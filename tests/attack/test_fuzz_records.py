"""Records, models and decisions that somebody has changed: read or refused in one line, and never a store half filled."""

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import facedown as fd
from facedown.arena.replay import Replay
from facedown.compiler import files as kernel_files
from facedown.inference.cheat import NAMES
from facedown.inference.forest import COLUMNS, Forest, read_forest
from facedown.store import Store
from hostile import HUGE, NEGATIVE, NUMBERS, SMALL, TEXTS, contents_of, damaged, settled, tried

GAMES = ["hearts32", "bisca", "cheat", "magic"]

Json = st.recursive(
    st.none() | st.booleans() | SMALL | HUGE | NEGATIVE | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=5,
)


@cache
def lines() -> tuple[str, ...]:
    """Records of every kind: of each game, with decisions, with times, with a forfeit, with a place in a run."""
    plain = [fd.play(game, ["random"] * fd.load(game).seats, seed=3).to_json() for game in GAMES]
    record = json.loads(plain[0])
    decision = {"action": record["history"][0][1], "candidates": [], "iterations": 0}
    rich = {
        **record,
        "decisions": [decision] + [None] * (len(record["history"]) - 1),
        "seconds": [0.5] * len(record["history"]),
        "run": "spring",
        "deal": 0,
        "seating": 1,
    }
    forfeit = {**record, "forfeit": {"seat": 0, "reason": "took too long", "traceback": None}, "history": [], "actions": []}
    return (*plain, json.dumps(rich), json.dumps({**forfeit, "seen": None}))


def places_in(data: Any) -> list[tuple[Any, ...]]:
    """The way to each value in a piece of JSON."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [(key, *rest) for key, value in inner for rest in [(), *places_in(value)]]


@st.composite
def changed_lines(draw: st.DrawFn) -> str:
    """The line of a record with values changed, doubled or left out."""
    data = json.loads(draw(st.sampled_from(lines())))
    for _ in range(draw(st.integers(1, 3))):
        top = draw(st.sampled_from(sorted(data)))
        inside = [(top, *rest) for rest in [(), *places_in(data[top])]]
        *way, last = draw(st.sampled_from(inside))
        holder = data
        for key in way:
            holder = holder[key]
        kind = draw(st.sampled_from(["change", "remove", "add", "alike", "alike"]))
        if kind == "remove":
            del holder[last]
        elif kind == "alike" and isinstance(holder[last], int | float):
            holder[last] = draw(st.just(holder[last] + 1) | HUGE | NEGATIVE | SMALL)
        elif kind == "alike" and isinstance(holder[last], str):
            holder[last] = draw(TEXTS)
        elif kind == "add" and isinstance(holder, dict):
            holder[draw(TEXTS)] = draw(Json)
        else:
            holder[last] = draw(Json)
        if not data:
            break
    return json.dumps(data)


def shown(line: str) -> None:
    """Read a record and show it to everybody and to each seat."""
    record = settled(fd.GameRecord.from_json, line)
    if record is None:
        return
    assert fd.GameRecord.from_json(record.to_json()) == record
    settled(record.replay)
    for seat in (None, 0):
        replay = settled(Replay, record, seat)
        if replay is not None:
            json.dumps(settled(replay.to_dict, seat))
            settled(replay.ending, seat)


@tried(250)
@given(changed_lines())
def test_a_changed_record_is_shown_or_refused(line: str) -> None:
    shown(line)


@tried(150)
@given(st.data())
def test_a_damaged_line_is_shown_or_refused(data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(lines()))
    shown(data.draw(damaged(line.encode())).decode(errors="surrogateescape"))


NESTED = ["[" * 100_000, '{"format":' * 50_000, '{"format":2,"game":' + "[" * 50_000 + "]" * 50_000 + "}"]
LONG = ['{"format":2,"version":' + "9" * 5000 + "}", "1e999999999", '"' + "x" * 100_000, "9" * 100_000]


@pytest.mark.parametrize("line", [*NESTED, *LONG], ids=range(7))
def test_a_line_without_end_is_refused(line: str) -> None:
    assert settled(fd.GameRecord.from_json, line) is None
    assert settled(fd.GameRecord.from_json, line[:-1]) is None


@tried(60)
@given(Json)
def test_any_json_is_no_record(data: Any) -> None:
    assert settled(lambda: fd.GameRecord.from_json(json.dumps(data))) is None
    assert settled(fd.GameRecord.from_json, data) is None


# --- Into a store -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records") / "store.sqlite"


@tried(120)
@given(changed=st.lists(changed_lines(), min_size=1, max_size=3), first=st.booleans(), run=st.none() | TEXTS)
def test_lines_go_into_a_store_all_or_none(changed: list[str], first: bool, run: str | None, store: Path) -> None:
    """A good line before a bad one is not kept either."""
    given_lines = [*([lines()[0]] if first else []), *changed]
    with Store.open(store) as opened:
        before = list(opened.lines())
        files_before = contents_of(store.parent).keys()
        imported = settled(opened.add_lines, given_lines, run)
        after = settled(lambda: list(opened.lines()))
        assert after is not None, "a store that took it gives it back"
        assert len(after) - len(before) == (imported.new if imported else 0)
        assert imported or after == before
        assert settled(opened.runs) is not None
        assert contents_of(store.parent).keys() >= files_before
    for line in after[len(before) :]:
        assert settled(fd.GameRecord.from_json, line) is not None, "and so it can be read again"


# --- Models -----------------------------------------------------------------------------------------------------------


@cache
def model() -> bytes:
    return (files("facedown.inference") / "cheat.npz").read_bytes()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models") / "model.npz"


ROWS = np.vstack([np.zeros(len(NAMES)), np.full(len(NAMES), np.nan), np.full(len(NAMES), 1e30), np.arange(len(NAMES))])


def asked(path: Path) -> None:
    """Read a model, and ask it: chances, or a refusal."""
    found = settled(read_forest, path, NAMES)
    if found is not None:
        chances = settled(found.chance, ROWS)
        assert chances is not None
        assert chances.shape == (len(ROWS),)
        assert ((chances >= 0) & (chances <= 1)).all(), chances


@tried(120)
@given(content=damaged(model()))
def test_a_damaged_model_is_asked_or_refused(content: bytes, file: Path) -> None:
    file.write_bytes(content)
    asked(file)


@cache
def small_model() -> tuple[dict[str, Any], dict[str, Any]]:
    """A tree of three nodes."""
    columns = {
        "feature": np.array([2, -1, -1], np.int16),
        "threshold": np.array([0.5, 0, 0], np.float32),
        "left": np.array([1, -1, -1], np.int32),
        "right": np.array([2, -1, -1], np.int32),
        "missing": np.array([True, False, False]),
        "value": np.array([0.5, 0.2, 0.8], np.float32),
        "roots": np.array([0], np.int32),
        "scores": np.array([0.2, 0.8]),
        "chances": np.array([0.1, 0.9]),
    }
    return columns, {"format": 1, "features": list(NAMES)}


ARRAYS = st.sampled_from(
    [
        np.array(3),
        np.zeros(0),
        np.zeros((3, 3)),
        np.full(3, np.nan),
        np.array([0.5, np.inf, -np.inf]),
        np.array([2**62, -(2**62), 0]),
        np.array(["a", "b", "c"]),
        np.array([b"a", b"b", b"c"]),
        np.array([1j, 2j, 3j]),
        np.array([True, False, True]),
        np.array(["2020-01-01"] * 3, "datetime64[D]"),
        np.zeros(3, [("a", int)]),
        np.array([99, 99, 99]),
        np.array([-7, -7, -7]),
        np.zeros(5000, np.int8),
    ]
)


def is_numbers(column: Any) -> bool:
    return bool(column.dtype.kind in "biuf" and column.ndim == 1 and column.size)


@tried(200)
@given(data=st.data())
def test_a_model_with_other_arrays_is_asked_or_refused(file: Path, data: st.DataObject) -> None:
    columns, about = small_model()
    columns, about = {name: column.copy() for name, column in columns.items()}, dict(about)
    for name in data.draw(st.lists(st.sampled_from([*COLUMNS, "about"]), min_size=1, max_size=2, unique=True)):
        kind = data.draw(st.sampled_from(["other", "number", "remove", "type"]))
        if name == "about":
            about[data.draw(st.sampled_from(["format", "features", "x"]))] = data.draw(
                st.integers(0, 3) | NUMBERS | st.none()
            )
        elif kind == "remove":
            columns.pop(name, None)
        elif kind == "type" and name in columns and is_numbers(columns[name]):
            with np.errstate(invalid="ignore"):
                columns[name] = columns[name].astype(data.draw(st.sampled_from([np.float64, np.uint8, np.complex64, bool])))
        elif kind == "number" and name in columns and is_numbers(columns[name]):
            number = data.draw(st.sampled_from([-1, 0, 1, 2, 3, 100]))
            columns[name][data.draw(st.integers(0, len(columns[name]) - 1))] = number
        else:
            columns[name] = data.draw(ARRAYS)
    word = np.frombuffer(json.dumps(about).encode(), np.uint8)
    with file.open("wb") as opened:
        np.savez(opened, about=word, **columns)
    asked(file)


@tried(60)
@given(content=st.binary(max_size=40), data=st.data())
def test_a_damaged_file_of_compiled_code_is_not_read(content: bytes, data: st.DataObject, tmp_path_factory: Any) -> None:
    file = tmp_path_factory.getbasetemp() / "kernels" / "0123456789abcdef" / "code.nbc"
    kernel_files.write(file, b"key", content)
    assert kernel_files.read(file, b"key") == content
    whole = file.read_bytes()
    file.write_bytes(data.draw(damaged(whole).filter(lambda found: found != whole)))
    assert settled(kernel_files.read, file, b"key") is None


def test_the_small_model_is_one(file: Path) -> None:
    columns, about = small_model()
    Forest(columns, about).save(file)
    assert read_forest(file, NAMES).chance(ROWS)[0] == pytest.approx(0.1)
