"""Numbers that are too large, and names that are too long, are refused in one line with the bound."""

import subprocess
import sys

import numpy as np
import pytest

import facedown as fd
from facedown.compiler import memory
from facedown.errors import NoRoom
from facedown.kernel import new_records
from facedown.options import Option
from terminals import Run

HUGE = "1" + "0" * 400  # more than a float has room for
DIGITS = "9" * 5000  # more than Python makes a number of


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ismcts:iterations=1000000000000", "option iterations: expected a whole number from 1 to 1000000000, got"),
        ("ismcts:worlds=1000000000000", "option worlds: expected a whole number from 0 to 1000000, got 1000000000000"),
        ("ismcts-t:worlds=1000000000000", "option worlds: expected a whole number from 2 to 1000000, got"),
        ("pimc:worlds=1000000000000", "option worlds: expected a whole number from 1 to 10000, got"),
        ("minimax:endgame_worlds=1e12", "option endgame_worlds: expected a whole number from 0 to 1000000, got"),
        ("ensemble:trees=1000000000000", "option trees: expected a whole number from 1 to 10000, got"),
        ("ensemble:simulations=1000000000000", "option simulations: expected a whole number from 1 to 1000000000, got"),
        ("ismcts:seconds=1e308", r"option seconds: expected a number from 0 to 86400, got 1e\+308"),
        (f"ismcts:seconds={HUGE}", "option seconds: expected a number from 0 to 86400, got a number of more than 80 digits"),
        (f"ismcts:iterations={HUGE}", "option iterations: expected .* to 1000000000, got a number of more than 80 digits"),
        (f"ismcts:iterations={DIGITS}", "option iterations: expected a whole number from 1 up, got '999"),
        ("ismcts:exploration=1e308", "option exploration: expected a number from 0 to 1000000, got"),
        ("ismcts:exploration=nan", "option exploration: expected a number from 0 up, got nan"),
        ("sdmcts:d=inf", "option d: expected a number from 0 to 1000000, got inf"),
        ("ismcts:seed=3", "unknown option of ismcts 'seed'"),
        ("ismcts:self=3", "unknown option of ismcts 'self'"),
        ("x" * 5000, "unknown agent 'xxx"),
        (f"ismcts:{'x' * 5000}=1", "unknown option of ismcts 'xxx"),
    ],
)
def test_an_agents_options_have_bounds(text: str, message: str) -> None:
    with pytest.raises(fd.FacedownError, match=message) as refused:
        fd.agent(text)
    assert len(str(refused.value)) < 400


def test_a_seed_has_a_hundred_digits_at_most() -> None:
    game = fd.load("hearts32")
    assert game.deal(seed=10**100 - 1).seed == 10**100 - 1
    for seed in (10**100, 10**5000):
        with pytest.raises(fd.BadOption, match="expected a seed of at most 100 digits, got a number of more than 80 digits"):
            game.deal(seed=seed)


def test_a_game_has_no_option_named_after_pythons_own() -> None:
    with pytest.raises(fd.UnknownName, match="unknown option of hearts32 'self'"):
        fd.load("hearts32:self=1")


def test_an_option_without_bounds_takes_what_kernels_have_room_for() -> None:
    whole, other = Option("whole", 1, ""), Option("other", 1.0, "")
    assert whole.with_value(10**18).value == 10**18
    with pytest.raises(fd.BadOption, match=r"expected a whole number from 0 to 1e\+18, got 1000000000000000001"):
        whole.with_value(10**18 + 1)
    assert other.with_value(1e308).value == 1e308
    with pytest.raises(fd.BadOption, match="expected a number from 0 up, got a number of more than 80 digits"):
        other.with_value(10**400)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["tournament", "hearts32", "random", "ismcts", "--deals", HUGE],
            "option deals: expected a whole number from 1 to 1000000",
        ),
        (
            ["tournament", "hearts32", "random", "ismcts", "--deals", DIGITS],
            "option deals: expected a whole number from 1 up, got '99",
        ),
        (
            ["tournament", "hearts32", "random", "ismcts", "--seed", "1" * 101],
            "option seed: expected a whole number from 0 to 1e+100",
        ),
        (
            ["tournament", "hearts32", "random", "ismcts", "--workers", HUGE],
            "option workers: expected a whole number from 1 to 1024",
        ),
        (
            ["tournament", "hearts32", "random", "ismcts", "--move-seconds", "1e308"],
            "option move_seconds: expected a number from 0 to",
        ),
        (
            ["tournament", "hearts32", "random", "ismcts", "--sprt", "0,inf"],
            "option sprt: expected two numbers such as 0,5, got '0,inf'",
        ),
        (
            ["tournament", "hearts32", "random", "a", "b", "c", "d", "e", "f", "--deals", "1000000"],
            "unknown agent 'a'",
        ),
        (
            ["tournament", "hearts32", "random", "ismcts", "ismcts-t", "--deals", "1000000"],
            "expected at most 10000000 games, got more",
        ),
        (
            ["tune", "hearts32", "ismcts", "--over", "exploration=0..1..1e-300"],
            "option exploration: expected at most 100000 steps",
        ),
        (
            ["tune", "hearts32", "ismcts", "--over", f"iterations=1..9..{HUGE}"],
            "option iterations: expected a whole step above 0",
        ),
        (
            ["tune", "hearts32", "ismcts", "--over", "iterations=1..900..1,worlds=1..900..1", "--method", "knockout"],
            "expected at most 100000 combinations, got 810000",
        ),
        (
            ["tune", "hearts32", "ismcts", "--over", "iterations=1..9", "--trials", HUGE],
            "option trials: expected a whole number",
        ),
        (["train", "cheat", "--games", HUGE], "option games: expected a whole number from 1 to 1000000"),
        (["train", "cheat", "--trees", DIGITS], "option trees: expected a whole number from 1 up, got '99"),
        (["train", "cheat", "--people", f"0-{DIGITS}"], "option people: expected A-B, from 0-1 to 88-89, got '0-99"),
        (["bench", "--repeats", HUGE], "option repeats: expected a whole number from 1 to 100000"),
        (["audit", "hearts32", "--deals", HUGE], "option deals: expected a whole number from 1 to 1000000"),
        (["play", "hearts32", "--seed", DIGITS], "expected a seed that is a whole number from 0 up, got '99"),
        (["watch", "hearts32", "random", "--seat", DIGITS], "expected a seat from 0 to 3, got '99"),
        (["replay", DIGITS], "expected the number of a game, last, RUN:DEAL:SEATING or a file of records, got '99"),
        (["replay", "x" * 5000], "expected the number of a game, last, RUN:DEAL:SEATING or a file of records, got 'xx"),
        (
            ["query", "SELECT 1", "--limit", "1" + "0" * 30],
            "option limit: expected a whole number from 0 to 1e+18, got 1000",
        ),
        (["query", "SELECT 1", "--limit", DIGITS], "option limit: expected a whole number from 0 up, got '99"),
        (["tournament", "x" * 5000, "random", "ismcts"], "unknown game 'xx"),
    ],
)
def test_what_is_too_much_for_a_command_is_one_line(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert len(err) < 1100


# --- Memory -----------------------------------------------------------------------------------------------------------


def test_an_array_that_does_not_fit_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda: 1e9)
    kind = np.dtype([("one", np.uint64)])
    assert len(new_records(memory.LARGE // 8, kind)) == memory.LARGE // 8
    with pytest.raises(
        NoRoom, match=r"expected 8 GB of free memory, got 0\.9 GB: fewer iterations, worlds or seconds need less"
    ):
        new_records(10**9, kind)


def test_more_than_there_can_be_is_refused_where_nothing_is_known_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda: float("inf"))
    with pytest.raises(NoRoom, match=r"expected 8e\+21 GB of free memory, got less"):
        new_records(10**30, np.dtype([("one", np.uint64)]))


def test_memory_is_known_here() -> None:
    assert 1e6 < memory.free_in_machine() < 1e15
    assert memory.free_in_container() > 0


def test_a_search_that_does_not_fit_is_one_line() -> None:
    script = "from facedown import cli; from facedown.compiler import memory; "
    script += "memory.LARGE = 0; memory.free_bytes = lambda: 2e6; cli.main()"
    agents = ["uct:iterations=200000", "random", "random", "random"]
    done = subprocess.run(
        [sys.executable, "-c", script, "watch", "hearts32", *agents, "--seed", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "of free memory, got 0.0018 GB: fewer iterations, worlds or seconds need less" in done.stderr


@pytest.mark.parametrize("text", ["uct:seconds=20", "ismcts-t:seconds=20,worlds=50"])
def test_a_search_by_the_clock_ends_where_memory_does(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "LARGE", 500_000)
    monkeypatch.setattr(memory, "free_bytes", lambda: 1e6)
    state = fd.load("hearts:passing=false").deal(seed=1)
    state.play(state.legal[0])
    agent = fd.agent(text)
    seen = state if agent.sees_all else state.view(state.to_move or 0)
    assert agent.choose(seen) in state.legal
    assert agent.decision is not None
    assert agent.decision.iterations > 100
    assert agent.decision.seconds < 15
    with pytest.raises(NoRoom):
        fd.agent(text.replace("seconds=20", "iterations=100000")).choose(seen)
