import io
import json
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console, RenderableType

import facedown as fd
from facedown import cli
from facedown.analysis.reasons import PLAIN
from facedown.arena import replay
from facedown.arena.replay import Replay, same_agent
from facedown.arena.supervise import TournamentSpec, play_game
from facedown.kernel import COMPILED
from facedown.store import Store
from facedown.terminal import replay as terminal_replay
from facedown.terminal.audience import PlayerQuit
from facedown.terminal.replay import Stepper, frames_of
from facedown.terminal.screen import Screen
from facedown.terminal.words import suits_line
from terminals import ALTERNATE, NORMAL, Open
from test_terminal import cards_in, secrets_from

ITERATIONS = 60 if COMPILED else 3  # interpreted, each takes a moment
AGENTS = [f"ismcts:iterations={ITERATIONS}", "random", f"ismcts-t:iterations={ITERATIONS},worlds=20", "uct:iterations=3"]

Run = Callable[..., tuple[int, str, str]]


@cache
def searched() -> fd.GameRecord:
    """A game with its decisions."""
    return fd.play("hearts", AGENTS, seed=3, decisions=True)


@cache
def match() -> fd.GameRecord:
    return fd.play("hearts:match=27", ["random"] * 4, seed=5)


class Failing(fd.Agent):
    """Gives up at the seventh action."""

    name = "failing"

    def choose(self, view: fd.View) -> int:
        if len(view.history) >= 6:
            raise RuntimeError("no idea what to do")
        return view.legal[0]


def forfeited() -> fd.GameRecord:
    spec = TournamentSpec("hearts32", ("test_replay:Failing", "random"), ((1, 0, 1, 1),), 7)
    return play_game(spec, fd.load("hearts32"), 0, 0).record


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run facedown replay in a folder of its own: its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FACEDOWN_STORE", str(tmp_path / "store.sqlite"))

    def command(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", None)
        monkeypatch.setattr(sys, "path", list(sys.path))
        with pytest.raises(SystemExit) as exit:
            cli.main(["replay", *arguments])
        out, err = capsys.readouterr()
        return int(exit.value.code or 0), out, err

    return command


def write(*records: fd.GameRecord) -> str:
    Path("games.jsonl").write_text("".join(f"{record.to_json()}\n" for record in records))
    return "games.jsonl"


# --- Where games are --------------------------------------------------------------------------------------------------


def test_a_game_is_found_by_its_number_and_by_its_place_in_a_run(run: Run) -> None:
    with Store.open() as store:
        store.begin("spring:1", {}).add([(3, 1, searched(), 0.5)])
        number = store.add_game(match())
    assert "store.sqlite, id 1, run spring:1, deal 3, seating 1\nhearts, seed 3" in run("1")[1]
    assert "store.sqlite, run spring:1, deal 3, seating 1\nhearts, seed 3" in run("spring:1:3:1")[1]
    assert f"id {number}\nhearts:match=27, seed 5" in run(str(number))[1]


@pytest.mark.parametrize(("text", "seed"), [("", 3), ("#1", 3), (":2", 5), ("#2", 5)])
def test_a_game_is_found_in_a_file_by_its_line(run: Run, text: str, seed: int) -> None:
    assert f"seed {seed}," in run(write(searched(), match()) + text)[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing", "expected the number of a game, last, RUN:DEAL:SEATING or a file of records, got 'nothing'"),
        ("a:b:c", "expected the number of a game, last, RUN:DEAL:SEATING or a file of records, got 'a:b:c'"),
        ("9" * 30, "expected the number of a game, last, RUN:DEAL:SEATING or a file of records, got '999"),
        ("7", "expected the number of a game in "),
        ("summer:0:0", "unknown run 'summer'; known: spring"),
        ("spring:5:0", "expected a game that the run 'spring' has, got none at deal 5, seating 0"),
        ("gone.jsonl", "expected a file of records, got 'gone.jsonl'"),
        ("gone.jsonl:3", "expected a file of records, got 'gone.jsonl'"),
        ("games.jsonl:4", "expected a line from 1 to 3 of games.jsonl, got 4"),
        ("games.jsonl:2", "line 2 of games.jsonl: expected a game record of format 2, got 'what'"),
        ("games.jsonl:3", "line 3 of games.jsonl: expected text in UTF-8"),
        ("empty.jsonl", "expected records, got empty.jsonl, which is empty"),
    ],
)
def test_a_game_that_is_not_there_is_one_line_and_exit_code_2(run: Run, text: str, message: str) -> None:
    with Store.open() as store:
        store.begin("spring", {})
    Path("games.jsonl").write_bytes(f"{match().to_json()}\nwhat\n".encode() + b"\xff\n")
    Path("empty.jsonl").write_bytes(b"")
    code, out, err = run(text)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


# --- Damage -----------------------------------------------------------------------------------------------------------


def with_decision(record: fd.GameRecord, number: int, **values: Any) -> fd.GameRecord:
    """The record with something else in one decision."""
    decisions = list(record.decisions or [])
    decisions[number] = {**(decisions[number] or {}), **values}
    return replace(record, decisions=decisions)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 0}, "expected a record of hearts's rules version 1, got version 0: the rules have changed since"),
        ({"game": "whist"}, "unknown game 'whist'"),
        ({"seed": 4}, "the record is damaged at action "),
        ({"scores": [1, 2, 3, 4]}, "the record is damaged: expected the scores"),
        ({"agents": ["random"]}, "expected 4 agents in the record, got 1"),
        ({"actions": ["2C"] * 64}, "the record is damaged at action 1: expected the text"),
        ({"history": [(1, 5)] * 64}, "the record is damaged at action 1: expected seat 0 to move, got an action of seat 1"),
        ({"seen": None, "forfeit": {"seat": 2, "reason": "r", "traceback": None}}, "the record is damaged: expected seat"),
        ({"seen": [None] * 64}, "the record is damaged: expected what each seat saw"),
    ],
)
def test_a_damaged_record_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(fd.FacedownError, match=re.escape(message)):
        Replay(replace(searched(), **change))


@pytest.mark.parametrize("values", [{"candidates": [{"action": 1}]}, {"iterations": "many"}, {"line": [3]}, {"forced": 0}])
def test_a_damaged_decision_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(fd.BadText, match=f"damaged at action 1: expected a decision with its {next(iter(values))}"):
        Replay(with_decision(searched(), 0, **values))


def test_a_record_of_other_rules_is_one_line_and_exit_code_2(run: Run) -> None:
    code, out, err = run(write(replace(match(), version=9)))
    assert (code, out) == (2, "")
    assert err == "error: expected a record of hearts's rules version 1, got version 9: the rules have changed since\n"


# --- Text and JSON ----------------------------------------------------------------------------------------------------


def test_without_a_terminal_the_whole_game_is_plain_text(run: Run) -> None:
    code, out, err = run(write(searched()))
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    record = searched()
    names = ["ismcts", "random", "ismcts-t", "uct"]
    for number, ((seat, _), text) in enumerate(zip(record.history, record.actions, strict=True), 1):
        assert re.search(rf"^ *{number}  seat {seat} {names[seat]} +{text}", out, re.MULTILINE)
    assert len(re.findall(rf"points (ahead|behind), \d+% of {ITERATIONS} visits", out)) > 15
    assert len(re.findall(r"^trick", out, re.MULTILINE)) == 13
    assert re.search(r"^ all 13 tricks are played; seat \d wins$", out, re.MULTILINE)


def test_one_seat_sees_no_other_hand_and_no_other_reasons(run: Run) -> None:
    out = run(write(searched()), "--seat", "1")[1]
    assert "visits" not in out
    assert out.count("??") == 9
    assert re.findall(r"^seat (\d)", out, re.MULTILINE) == ["1", "1"]


def test_a_match_is_told_deal_by_deal(run: Run) -> None:
    out = run(write(match()))[1]
    assert out.count("this deal") == out.count("trick  1:") - 1 >= 1


def test_json_has_every_move_with_its_choices_and_its_decision(run: Run) -> None:
    told = json.loads(run(write(searched()), "--json")[1])
    record = searched()
    assert [move["text"] for move in told["moves"]] == record.actions
    assert [move["decision"] for move in told["moves"]] == record.decisions
    assert all(move["text"] in move["legal"] for move in told["moves"])
    assert (told["scores"], told["line"], told["over"]) == (record.scores, 1, True)


def test_json_for_a_seat_keeps_the_secrets(run: Run) -> None:
    told = json.loads(run(write(searched()), "--json", "--seat", "1")[1])
    assert not {"seed", "agent_seeds"} & told.keys()
    assert "hands" not in told["start"]
    assert all("decision" not in move for move in told["moves"] if move["seat"] != 1)
    assert [move["text"] for move in told["moves"][:3]] == ["??"] * 3


def test_a_forfeited_game_says_who_and_why(run: Run) -> None:
    code, out, _ = run(write(forfeited()))
    assert code == 0
    assert "seat 1 test_replay:Failing forfeited: RuntimeError: no idea what to do" in out
    assert json.loads(run("games.jsonl", "--json")[1])["forfeit"]["seat"] == 1


def test_a_record_that_ends_too_soon_says_so(run: Run) -> None:
    state = fd.load("hearts").deal(seed=1)
    state.play(state.legal[0])
    out = run(write(fd.GameRecord.of(state, ["human"] * 4)))[1]
    assert "the record ends before the game does" in out
    assert "wins" not in out


# --- The same searches again ------------------------------------------------------------------------------------------


def test_the_recorded_searches_come_out_identical(run: Run) -> None:
    code, out, _ = run(write(searched()), "--research")
    assert code == 0
    assert "identical: 64 of 64 actions asked for again; the figures of 48 recorded decisions compared too" in out


def test_without_recorded_decisions_the_actions_are_compared(run: Run) -> None:
    out = run(write(replace(searched(), decisions=None)), "--research")[1]
    assert out.splitlines()[-1] == "identical: 64 of 64 actions asked for again"


def changed_candidate(**values: Any) -> fd.GameRecord:
    decision = (searched().decisions or [])[1] or {}
    candidates = [decision["candidates"][0], {**decision["candidates"][1], **values}, *decision["candidates"][2:]]
    return with_decision(searched(), 1, candidates=candidates)


@pytest.mark.parametrize("change", [{"visits": 999}, {"mean": 0.123}, {"interval": [0.0, 1.0]}, {"votes": 0.25}])
def test_another_figure_in_a_record_is_found(run: Run, change: dict[str, Any]) -> None:
    code, out, _ = run(write(changed_candidate(**change)), "--research", "--seat", "0")
    assert code == 1
    assert "different: 1 of 16 actions" in out
    assert re.search(rf"the first is action 2, seat 0 \S+: {next(iter(change))} of [\w ]+: expected", out)


def test_another_action_in_a_record_is_found(run: Run) -> None:
    record = searched()
    seeds = [*(record.agent_seeds or [])]
    code, out, _ = run(write(replace(record, agent_seeds=[seeds[0], seeds[1] + 1, *seeds[2:]])), "--research", "--seat", "1")
    assert code == 1
    assert re.search(r"the first is action \d+, seat 1 random: expected \w\w, got \w\w", out)


def test_the_verdict_is_told_to_machines(run: Run) -> None:
    told = json.loads(run(write(changed_candidate(visits=999)), "--research", "--seat", "0", "--json")[1])["research"]
    assert (told["checked"], told["decisions"], told["identical"], len(told["differences"])) == (16, 16, False, 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ismcts:seconds=0.1", "its searches end by the clock (seconds)"),
        ("best", "its searches end by the clock (seconds)"),
        ("ismcts:threads=2,parallel=tree", "its threads race on one tree (parallel=tree)"),
        ("human", "a person played"),
        ("nobody", "it cannot be made here: unknown agent 'nobody'"),
    ],
)
def test_an_agent_that_cannot_be_repeated_is_said_to_be_so(run: Run, text: str, reason: str) -> None:
    record = fd.play("hearts32", ["random"] * 4, seed=1)
    code, out, _ = run(write(replace(record, agents=[text, *record.agents[1:]])), "--research")
    assert code == 0
    assert f"not reproducible: seat 0 {text}: {reason}" in out
    assert "identical: 24 of 32 actions" in out


def test_nothing_can_be_checked_without_seeds(run: Run) -> None:
    code, out, _ = run(write(replace(match(), agent_seeds=None)), "--research", "--json")
    assert (code, json.loads(out)["research"]["identical"]) == (0, None)


def test_a_tree_for_one_thread_can_be_repeated() -> None:
    record = replace(searched(), agents=["ismcts:parallel=tree", *AGENTS[1:]])
    assert isinstance(same_agent(record, 0), fd.Agent)


def test_the_best_player_that_counts_iterations_can_be_repeated() -> None:
    record = replace(searched(), agents=["best:iterations=50", *AGENTS[1:]])
    assert isinstance(same_agent(record, 0), fd.Agent)


# --- Another agent ----------------------------------------------------------------------------------------------------


def test_the_same_agent_agrees_with_itself(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "ADVISER_SEED", (searched().agent_seeds or [0])[0])
    code, out, _ = run(write(searched()), "--with", AGENTS[0], "--seat", "0")
    assert code == 0
    assert "would play" not in out
    choices = sum(move.is_choice and move.seat == 0 for move in Replay(searched()).moves)
    assert f"{AGENTS[0]} would have played the same in {choices} of {choices} choices" in out
    assert re.search(r"100\.0 % \(\d\d\.\d-100\.0\)  all", out)


def test_another_agent_says_what_it_would_have_played_and_what_that_is_worth(run: Run) -> None:
    out = run(write(searched()), "--with", AGENTS[0].replace("=", "=1"))[1]
    figures = r"\(\d+%, \d+\.\d ± \d+\.\d points (ahead|behind)\)"
    assert re.search(rf"seat \d \S+ +\w\w {figures}  would play \w\w {figures}", out)
    assert re.search(rf"seat \d \S+ +\w\w  agrees {figures}", out)
    assert len(re.findall(r"of those of", out)) == 4


def test_another_agent_may_play_what_a_game_allows_and_does_not_list(run: Run) -> None:
    record = fd.play("cheat:turn_limit=20", ["cheat-person:style=3", "cheat-person:style=7"], seed=4)
    code, out, _ = run(write(record), "--with", "cheat-person")
    assert code == 0
    assert re.search(r"would play \d .*: .. ..", out), "a claim of cards that the game does not list"


def test_another_agents_choices_are_told_to_machines(run: Run) -> None:
    told = json.loads(run(write(searched()), "--with", "random", "--json")[1])["with"]
    assert told["agreed"] == sum(move["agrees"] for move in told["moves"])
    assert told["asked"] == told["choices"] == len(told["moves"])
    assert told["agreement"]["low"] < told["agreement"]["value"] < told["agreement"]["high"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--with", "nobody"], "unknown agent 'nobody'"),
        (["--with", "test_replay:Failing"], "expected test_replay:Failing to choose at action 7, got RuntimeError: no idea"),
        (["--with", "broken:Agent"], "expected 'broken:Agent' to load, got ZeroDivisionError: division by zero"),
        (["--seat", "4"], "expected a seat from 0 to 3, got 4"),
        (["--seat", "north"], "expected a seat from 0 to 3, got 'north'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(run: Run, arguments: Sequence[str], message: str) -> None:
    Path("broken.py").write_text("1 / 0\n")
    code, out, err = run(write(match()), *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


# --- A screen ---------------------------------------------------------------------------------------------------------


class ScriptedScreen(Screen):
    """Answers questions from a list, and keeps what was shown before each."""

    def __init__(self, answers: Sequence[str]) -> None:
        super().__init__(Console(file=io.StringIO(), width=80, height=24, force_terminal=True), 0)
        self.answers = list(answers)
        self.frames: list[str] = []

    def ask(self, prompt: str) -> str:
        assert isinstance(self.console.file, io.StringIO)
        self.frames.append(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.console.file.getvalue()) + prompt)
        self.console.file = io.StringIO()
        if not self.answers:
            raise PlayerQuit
        return self.answers.pop(0)


def stepped(record: fd.GameRecord, *answers: str, seat: int | None = None) -> list[str]:
    """What the screen showed before each answer, and after the last."""
    screen = ScriptedScreen(answers)
    with pytest.raises(PlayerQuit):
        Stepper(Replay(record), screen, seat).run("a game")
    return screen.frames


def test_every_step_fits_a_terminal_of_80_by_24_and_shows_all_cards() -> None:
    frames = stepped(searched(), *[""] * 64)
    for number, frame in enumerate(frames):
        assert f" {number} of 64" in frame
        assert len(frame.splitlines()) <= 24
        assert max(len(line.rstrip()) for line in frame.splitlines()) <= 80
    for hand in fd.load("hearts").deal(seed=3).hands:
        assert suits_line(hand).plain in frames[0]
    assert frames[-1].count("the end: all 13 tricks are played; scores") == 1


def test_a_seat_steps_through_what_it_saw_and_nothing_more() -> None:
    stepper = Stepper(Replay(searched()), ScriptedScreen([]), 2)
    console = Console(file=io.StringIO(), width=80)
    for frame in stepper.frames:
        secrets = secrets_from(frame.state, 2)
        for part in (stepper.table(frame), stepper.story(frame)):
            assert not cards_in(text_of(part, console)) & secrets


def text_of(part: RenderableType, console: Console) -> str:
    console.file = io.StringIO()
    console.print(part)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("answers", "shown"),
    [
        (["12"], " 12 of 64"),
        (["12", "b"], " 11 of 64"),
        (["b"], " 0 of 64"),
        (["e", ""], " 64 of 64"),
        (["e", "s", "next"], " 1 of 64"),
        (["t 3"], "tricks played 2"),
        (["t 14"], "expected one of the 64 actions, or a trick of this deal, got trick 14"),
        (["65"], "expected one of the 64 actions, or a trick of this deal, got action 65"),
        (["what"], "expected Enter, b, a number, t and a number, s, e, w, q or ?, got 'what'"),
        (["w"], "expected an action to explain, got the deal"),
        (["1", "why"], "← played"),
        (["1", "w", ""], " 1 of 64"),
        (["1", "w", "5"], " 5 of 64"),
        (["4", "w"], "expected an agent that explains itself, got random"),
        (["?"], "to the first card of trick 5"),
    ],
)
def test_the_screen_answers(answers: list[str], shown: str) -> None:
    assert shown in " ".join(stepped(searched(), *answers)[-1].split("\n"))


def test_a_seat_cannot_ask_for_the_reasons_of_another() -> None:
    assert "whose reasons it cannot know" in stepped(searched(), "1", "w", seat=2)[-1]


def test_what_was_not_recorded_is_searched_again() -> None:
    assert "points ahead" in stepped(replace(searched(), decisions=None), "1", "w")[-1]
    frame = stepped(replace(searched(), decisions=None, agent_seeds=None), "1", "w")[-1]
    assert "cannot be asked again: the record has no seeds" in " ".join(frame.split())


def test_a_new_deal_of_a_match_has_a_frame_of_its_own() -> None:
    frames = frames_of(Replay(match()), None)
    dealt = [place for place, frame in enumerate(frames) if frame.dealt]
    assert len(dealt) >= 3
    for place in dealt[1:]:
        assert frames[place - 1].lies_there
        assert frames[place - 1].number == frames[place].number
        assert frames[place].trick == 0
    assert "deal 2" in stepped(match(), str(frames[dealt[1]].number), "")[-1]


def test_a_forfeited_game_ends_where_it_was_forfeited() -> None:
    frame = stepped(forfeited(), "e")[-1]
    assert "forfeited: RuntimeError: no idea what to do" in " ".join(frame.split())


@pytest.mark.parametrize("way", ["q\n", "ctrl-c"])
def test_a_game_is_stepped_through_at_a_terminal(terminal: Open, tmp_path: Path, way: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(searched().to_json() + "\n")
    game = terminal("replay", str(file))
    game.wait_for("0 of 64")
    game.type("\n")
    game.wait_for(" 1 of 64")
    game.type("w\n")
    game.wait_for("expected line")
    game.type("\n")
    if way == "ctrl-c":
        game.interrupt()
    else:
        game.type(way)
    assert game.exit_code() == 0
    screen, after = game.shown.split(NORMAL)
    assert ALTERNATE in screen
    assert "line 1" in after
    assert "Traceback" not in game.shown


def test_ctrl_c_ends_a_research_with_what_is_known(terminal: Open, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(match().to_json() + "\n")
    game = terminal("replay", str(file), "--with", "ismcts:iterations=300000")
    game.wait_for("asking ismcts")
    time.sleep(1.5)
    game.process.send_signal(signal.SIGINT)
    assert game.exit_code() == 130
    assert "interrupted: this is what was known by then" in game.shown
    assert "Traceback" not in game.shown


def test_help_names_everything(run: Run) -> None:
    out = run("--help")[1]
    for word in ("--research", "--with", "--seat", "--store", "--json", "RUN:DEAL:SEATING"):
        assert word in out


def test_runners_up_stand_beside_the_best() -> None:
    decision = Replay(searched()).moves[0].decision
    assert decision is not None
    words = terminal_replay.reasons(decision, PLAIN)
    assert f"{decision.candidates[0].visits / decision.iterations:.0%} of {decision.iterations} visits" in words
    assert f"; then {decision.candidates[1].text} " in words
