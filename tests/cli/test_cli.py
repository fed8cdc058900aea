import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import facedown as fd
from facedown.arena.match import seated
from facedown.terminal import audience
from terminals import ALTERNATE, NORMAL, Open, Run

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "little_knaves.py") + ":GAME"

# --- Mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "chess"], "unknown game 'chess'; known: bisca, cheat, hearts, hearts32, magic, sueca"),
        (["watch", "hearts", "nobody"], "unknown agent 'nobody'; known: "),
        (["play", "hearts", "nobody"], "unknown agent 'nobody'; known: "),
        (["play", "hearts:color=red"], "unknown option of hearts 'color'; known: "),
        (["play", "hearts:match=many"], "option match: expected a whole number from 0 to 10000, got 'many'"),
        (["watch", "hearts", "ismcts:depth=3"], "unknown option of ismcts 'depth'; known: "),
        (["watch", "hearts", "ismcts:iterations"], "expected ismcts:option=value,option=value, got 'ismcts:iterations'"),
        (["watch", "hearts", "random", "random"], "expected 1 or 4 agents for hearts, got 2: random random"),
        (["play", "hearts", "random", "random"], "expected 1 or 3 agents for the other seats of hearts, got 2"),
        (["play", "hearts", "--seat", "4"], "expected a seat from 0 to 3, got 4"),
        (["play", "hearts", "--seat", "north"], "expected a seat from 0 to 3, got 'north'"),
        (["watch", "hearts", "random", "--seat", "-1"], "expected a seat from 0 to 3, got -1"),
        (["play", "hearts", "--seed", "seven"], "expected a seed that is a whole number from 0 up, got 'seven'"),
        (["play", "hearts", "--seed", "-7"], "expected a seed that is a whole number from 0 up, got -7"),
        (["play", "hearts", "--seed", "1.5"], "expected a seed that is a whole number from 0 up, got 1.5"),
        (["watch", "hearts", "random", "--delay", "nan"], "option delay: expected a number from 0 up, got nan"),
        (["play", "nowhere.py:GAME"], "expected a Python file, got 'nowhere.py', which is not there"),
        (["play", "nowhere:GAME"], "expected a module that can be imported, got 'nowhere'"),
        (["bench", "--repeats", "0"], "option repeats: expected a whole number from 1 up, got 0"),
        (["play"], "Missing argument"),
        (["play", "hearts", "--loud"], "No such option: --loud"),
        (["win"], "No such command 'win'."),
    ],
)
def test_a_mistake_is_answered_by_one_line_and_exit_code_2(run: Run, arguments: Sequence[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("source", "message"), [("GAME = = 1", "SyntaxError: invalid syntax"), ("GAME = 1 / 0", "ZeroDivisionError")]
)
def test_a_game_file_that_does_not_load_is_one_line_with_the_place(
    run: Run, tmp_path: Path, source: str, message: str
) -> None:
    file = tmp_path / "broken.py"
    file.write_text(f'"""A game."""\n{source}\n')
    code, out, err = run("play", f"{file}:GAME")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert re.search(r"broken\.py.*line 2", err)


def test_a_module_in_the_current_folder_is_found(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_hearts.py").write_text("import facedown\nGAME = facedown.load('hearts32')\n")
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("watch", "my_hearts:GAME", "random", "--seed", "1")
    assert code == 0
    assert "trick  8:" in out


def test_help_and_mistakes_do_not_wait_for_the_compiler() -> None:
    check = "import facedown.cli, sys; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_help_is_plain_and_the_version_is_told(run: Run) -> None:
    assert run()[:2] == run("--help")[:2]
    code, out, _ = run("play", "--help")
    assert code == 0
    assert "╭" not in out
    assert run("--version") == (0, f"facedown {fd.__version__}\n", "")


# --- Lists ------------------------------------------------------------------------------------------------------------


def test_games_lists_seats_and_options(run: Run) -> None:
    entries = json.loads(run("games", "--json")[1])
    hearts = next(entry for entry in entries if entry["name"] == "hearts")
    assert hearts["seats"] == 4
    assert (hearts["options"][-1]["name"], hearts["options"][-1]["default"]) == ("match", 0)
    out = run("games")[1]
    assert all(
        word in out for entry in entries for word in (entry["name"], *(option["name"] for option in entry["options"]))
    )


def test_agents_lists_who_sees_all(run: Run) -> None:
    entries = {entry["name"]: entry for entry in json.loads(run("agents", "--json")[1])}
    assert [name for name, entry in entries.items() if entry["sees_all"]] == ["fpmga", "uct"]
    assert "iterations" in [option["name"] for option in entries["ismcts"]["options"]]
    assert "sees all cards" in run("agents")[1]


# --- Watch ------------------------------------------------------------------------------------------------------------


def test_watch_prints_the_record_as_json(run: Run) -> None:
    code, out, err = run("watch", "hearts", "random", "--seed", "3", "--json")
    assert (code, err) == (0, "")
    record = fd.GameRecord.from_json(out)
    assert record == fd.play("hearts", ["random"] * 4, seed=3)
    assert record.replay().scores == record.scores


def test_watch_adds_decisions_on_request(run: Run) -> None:
    agents = ["ismcts:iterations=50", "random", "random", "random"]
    data = json.loads(run("watch", "hearts32", *agents, "--seed", "1", "--json", "--why")[1])
    assert len(data["decisions"]) == len(data["history"]) == 32
    decisions = [decision for decision in data["decisions"] if decision]
    assert [decision["action"] for decision in decisions] == [action for seat, action in data["history"] if seat == 0]
    assert any(len(decision["candidates"]) > 1 for decision in decisions)


def test_watch_is_plain_text_and_ends_with_the_result(run: Run) -> None:
    code, out, _ = run("watch", "hearts", "random", "--seed", "3", "--why")
    assert code == 0
    assert "\x1b" not in out
    assert len(re.findall(r"^trick ", out, re.MULTILINE)) == 13
    assert re.search(r"\n all 13 tricks are played; seat \d wins\n seed 3\n$", out)


def test_watching_one_seat_tells_no_other_seats_reasons(run: Run) -> None:
    out = run("watch", "hearts", "ismcts:iterations=20", "--seed", "3", "--why", "--seat", "1")[1]
    assert {line[:8] for line in out.splitlines() if " | " in line} == {"  seat 1"}
    assert "seat 0: ?? ?? ??" in out


def test_a_strangers_game_can_be_watched(run: Run) -> None:
    code, out, _ = run("watch", EXAMPLE, "random", "--seed", "1")
    assert code == 0
    assert re.search(r"seat \d( and seat \d)?( share the win| wins)", out)


# --- Play without a terminal ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", ["", None])
def test_play_without_input_lets_the_default_agent_play_on(run: Run, lines: str | None) -> None:
    code, out, _ = run("play", "hearts32", "random", "--seed", "5", lines=lines)
    assert code == 0
    assert "\x1b" not in out
    assert "no more input: ismcts:iterations=2000,playout=rules plays on" in out
    assert len(re.findall(r"^trick ", out, re.MULTILINE)) == 8
    assert re.search(r"^ all 8 tricks are played; (you win|.*seat \d wins|.* share the win)$", out, re.MULTILINE)
    assert "facedown play hearts32 random --seed 5" in out


def test_play_without_input_is_the_game_the_agents_would_play(run: Run) -> None:
    played = json.loads(run("play", "hearts32", "random", "--seat", "2", "--seed", "5", "--json")[1])
    seats = ["random", "random", "ismcts:iterations=2000,playout=rules", "random"]
    assert played == json.loads(run("watch", "hearts32", *seats, "--seed", "5", "--json")[1])


def own_cards(game: fd.Game, seed: int) -> list[str]:
    """The first legal card at each turn of seat 0 against random players."""
    state = game.deal(seed)
    players = seated(["random"] * game.seats, game, seed)
    chosen = []
    while (seat := state.seat) is not None:
        action = state.legal[0] if seat == 0 else players[seat].choose(state.view(seat))
        if seat == 0:
            chosen.append(game.text(action))
        state.play(action)
    return chosen


def test_play_reads_cards_from_a_pipe(run: Run) -> None:
    chosen = own_cards(fd.load("hearts"), 5)
    lines = "\n".join(["hint", "zz", "why", " ".join(chosen[:3]), "undo", *(card.lower() for card in chosen[3:])])
    code, out, _ = run("play", "hearts", "random", "--seed", "5", lines=lines)
    assert code == 0
    assert "hint: " in out
    assert "expected a card such as QS, TC or 2H, got 'zz'" in out
    assert "points ahead" in out
    assert "no more input" not in out
    assert re.search(r"0 +human", out)


def test_play_prints_only_the_record_with_json(run: Run) -> None:
    chosen = own_cards(fd.load("hearts32"), 5)
    code, out, err = run("play", "hearts32", "random", "--seed", "5", "--json", lines="\n".join(chosen))
    assert (code, err) == (0, "")
    record = fd.GameRecord.from_json(out)
    assert record.agents == ["human", "random", "random", "random"]
    assert [text for (seat, _), text in zip(record.history, record.actions, strict=True) if seat == 0] == chosen


def test_the_seed_is_told_when_none_was_given_but_not_before_the_end(run: Run) -> None:
    out = run("play", "hearts32", "random")[1]
    assert re.search(r"^hearts32\n(.*\n)* seed (\d+)\n.* --seed \2\n$", out)
    assert out.count("seed") == 2


def test_a_silent_pipe_does_not_hold_up_the_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience, "FIRST_LINE_SECONDS", 0.1)
    reading, writing = os.pipe()
    with os.fdopen(reading) as silent, os.fdopen(writing, "w"):
        monkeypatch.setattr(sys, "stdin", silent)
        monkeypatch.setattr(io, "StringIO", lambda lines: silent)
        code, out, _ = run("play", "hearts32", "random", "--seed", "5")
    assert code == 0
    assert "no more input" in out


# --- Play at a terminal -----------------------------------------------------------------------------------------------


def test_a_whole_game_at_a_terminal(terminal: Open) -> None:
    chosen = own_cards(fd.load("hearts"), 5)
    game = terminal("play", "hearts", "random", "--seed", "5", "--delay", "0")
    game.wait_for("choose 3")
    game.type(" ".join(chosen[:3]) + "\n\n" + "".join(f"{card}\n" for card in chosen[3:]))
    assert game.exit_code() == 0
    table, result = game.shown.split(NORMAL)
    assert ALTERNATE in table
    assert re.search(r"(you win|wins|share the win)", result)
    assert "seed 5" in result
    assert "\x1b[2;31m" in table, "red cards that may not be played are dim"


@pytest.mark.parametrize("way", ["ctrl-c", "ctrl-d", "quit"])
def test_leaving_is_clean_and_says_how_to_come_back(terminal: Open, way: str) -> None:
    game = terminal("play", "hearts:match=100", "random", "--seat", "1", "--seed", "5")
    game.wait_for("? for help")
    if way == "ctrl-c":
        game.interrupt()
    else:
        game.type("\x04" if way == "ctrl-d" else "quit\n")
    assert game.exit_code() == 0
    farewell = game.shown.split(NORMAL)[1].strip().replace("\r\n", "")
    assert farewell.endswith("The same deal again: facedown play hearts:match=100 random --seat 1 --seed 5")
    assert "Traceback" not in game.shown


def test_no_colour_is_honoured(terminal: Open) -> None:
    game = terminal("play", "hearts32", "random", "--seed", "5", NO_COLOR="1")
    game.wait_for("? for help")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7][;m]", game.shown)


def test_ctrl_c_stops_watching_without_a_traceback(terminal: Open) -> None:
    game = terminal("watch", "hearts", "random", "--delay", "5")
    game.wait_for("seat 0")
    game.interrupt()
    assert game.exit_code() == 130
    assert "Traceback" not in game.shown


# --- Bench ------------------------------------------------------------------------------------------------------------


def test_bench_hands_over_what_was_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def measure(games: Any, against: Any, repeats: int, progress: Callable[..., None]) -> Any:
        progress("hearts: playouts", 0.5)
        asked.append((games, against, repeats))
        return SimpleNamespace(to_dict=lambda: {"hearts": 1}, table=lambda: "a table")

    monkeypatch.setitem(sys.modules, "facedown.lab.bench.speed", SimpleNamespace(measure=measure))
    assert run("bench") == (0, "a table\n", "")
    assert run("bench", "hearts", "--against", "open-spiel", "--repeats", "3", "--json") == (0, '{"hearts": 1}\n', "")
    assert asked == [(None, None, 5), (["hearts"], "open-spiel", 3)]
