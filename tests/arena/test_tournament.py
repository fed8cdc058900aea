"""Tournaments: the same result however they are played, nothing lost when they are killed, failures forfeited."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.arena.run_identity import plays
from facedown.arena.standings import Ledger
from facedown.arena.tournament import Progress, tournament
from facedown.store import GameResult, Store

GAME = "hearts32"
AGENTS = ["ismcts:iterations=30", "random"]
PLACES = [("local", 1), ("threads", 1), ("threads", 2), ("processes", 2)]  # and Ray: see test_executors.py


def lines(place: str, name: str) -> list[str]:
    """All records of a run."""
    with Store.open(place) as store:
        return [record.to_json() for record in store.run(name).records()]


# --- The same everywhere ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], list[str]]:
    place = str(tmp_path_factory.mktemp("reference") / "store.sqlite")
    result = tournament(GAME, AGENTS, deals=6, seed=3, store=place, name="run")
    return result.to_dict(), lines(place, "run")


@pytest.mark.parametrize(("on", "workers"), PLACES)
def test_the_result_is_the_same_wherever_it_is_played(
    on: str, workers: int, reference: tuple[dict[str, Any], list[str]], tmp_path: Path
) -> None:
    place = str(tmp_path / "store.sqlite")
    result = tournament(GAME, AGENTS, deals=6, seed=3, store=place, name="run", on=on, workers=workers)
    assert result.to_dict() == reference[0]
    assert lines(place, "run") == reference[1]


def test_another_seed_is_another_tournament(reference: tuple[dict[str, Any], list[str]]) -> None:
    assert tournament(GAME, AGENTS, deals=6, seed=4).to_dict()["standings"] != reference[0]["standings"]


def test_without_a_store_the_figures_are_the_same(reference: tuple[dict[str, Any], list[str]]) -> None:
    assert {**tournament(GAME, AGENTS, deals=6, seed=3).to_dict(), "name": "run"} == reference[0]


def test_every_deal_is_the_same_in_all_seatings(reference: tuple[dict[str, Any], list[str]]) -> None:
    seeds = [json.loads(line)["seed"] for line in reference[1]]
    assert [len(set(seeds[deal * 6 : deal * 6 + 6])) for deal in range(6)] == [1] * 6
    assert len(set(seeds)) == 6


def test_a_game_of_a_tournament_can_be_played_again(reference: tuple[dict[str, Any], list[str]]) -> None:
    record = fd.GameRecord.from_json(reference[1][7])
    players = [fd.agent(text, seed) for text, seed in zip(record.agents, record.agent_seeds or [], strict=True)]
    assert fd.play(record.game, players, seed=record.seed).history == record.history


# --- Stopped, killed, continued ---------------------------------------------------------------------------------------


def test_a_run_goes_on_in_any_database(place: str) -> None:
    tournament(GAME, AGENTS, deals=1, seed=1, store=place, name="run")
    resumed = tournament(GAME, AGENTS, deals=2, seed=1, store=place, name="run", on="threads", workers=2)
    assert resumed.to_dict() == {**tournament(GAME, AGENTS, deals=2, seed=1).to_dict(), "name": "run"}
    assert len(lines(place, "run")) == 12
    with pytest.raises(fd.StoreError, match="the run 'run' began with other settings: seed expected 1, got 2"):
        tournament(GAME, AGENTS, deals=2, seed=2, store=place, name="run")


def test_a_longer_continuation_plays_only_what_is_new(tmp_path: Path) -> None:
    place = str(tmp_path / "store.sqlite")
    tournament(GAME, AGENTS, deals=2, seed=1, store=place, name="run")
    reports: list[Progress] = []
    longer = tournament(GAME, AGENTS, deals=4, seed=1, store=place, name="run", progress=reports.append)
    assert (reports[0].done, reports[-1].done, reports[-1].total, reports[-1].new) == (12, 24, 24, 12)
    whole = tournament(GAME, AGENTS, deals=4, seed=1)
    assert longer.to_dict() == {**whole.to_dict(), "name": "run"}
    shorter = tournament(GAME, AGENTS, deals=2, seed=1, store=place, name="run")
    assert shorter.to_dict()["games"] == 12, "what was played beyond is left out"


SCRIPT = """
import sys
from facedown.arena.tournament import tournament
if __name__ == "__main__":
    place, on = sys.argv[1:]
    tournament("hearts32", ["ismcts:iterations=400", "random"], deals=10, seed=3, store=place, name="run", on=on,
               workers=1 if on == "local" else 2)
"""


def start(folder: Path, place: str, on: str) -> "subprocess.Popen[bytes]":
    script = folder / "script.py"
    script.write_text(SCRIPT)
    return subprocess.Popen([sys.executable, str(script), place, on], stderr=subprocess.PIPE, start_new_session=True)


def games_in(place: str) -> int:
    if not Path(place).exists():
        return 0
    try:
        with Store.open(place) as store:
            return store.count()
    except fd.StoreError:
        return 0


def test_a_worker_that_is_killed_costs_nothing_but_time(tmp_path: Path) -> None:
    place = str(tmp_path / "store.sqlite")
    process = start(tmp_path, place, "processes")
    deadline = time.monotonic() + 120
    while games_in(place) < 5 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    found = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "spawn_main"], capture_output=True, text=True, check=True)
    os.kill(int(found.stdout.split()[0]), signal.SIGKILL)
    _, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors.decode()
    assert games_in(place) == 60


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agents": ["ismcts:iterations=31", "random"]}, "agents expected"),
        ({"seed": 2}, "seed expected 1, got 2"),
        ({"game": "hearts32:moon=false"}, "game expected"),
        ({"seating": "rotations"}, 'seating expected "all", got "rotations"'),
        ({"decisions": True}, "decisions expected false, got true"),
    ],
)
def test_a_run_is_not_continued_by_something_else(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    place = str(tmp_path / "store.sqlite")
    given: dict[str, Any] = {"game": GAME, "agents": AGENTS, "deals": 1, "seed": 1, "store": place, "name": "run"}
    tournament(**given)
    before = lines(place, "run")
    with pytest.raises(fd.StoreError, match=f"the run 'run' began with other settings: .*{message}"):
        tournament(**{**given, **changes})
    assert lines(place, "run") == before


def test_a_run_is_not_continued_by_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = str(tmp_path / "store.sqlite")
    tournament(GAME, AGENTS, deals=1, store=place, name="run")
    monkeypatch.setattr(sys.modules["facedown.arena.tournament"], "digest_of_sources", lambda sources: "0" * 16)
    with pytest.raises(fd.StoreError, match="the run 'run' began with other settings: code expected"):
        tournament(GAME, AGENTS, deals=1, store=place, name="run")


def test_a_run_goes_on_when_only_what_looks_on_has_changed() -> None:
    package = Path(fd.__file__).parent
    files = {str(file.relative_to(package)) for file in package.rglob("*") if plays(file.relative_to(package))}
    assert {"game.py", "games/cheat/styles.json", "inference/cheat.npz", "search/tree.py", "games/hearts/rules.py"} <= files
    assert not files & {
        "cli/bar.py",
        "terminal/board.py",
        "lab/experiments/running.py",
        "stats/means.py",
        "arena/match.py",
        "py.typed",
    }


def test_the_same_tournament_has_the_same_name_by_itself(tmp_path: Path) -> None:
    place = str(tmp_path / "store.sqlite")
    names = {tournament(GAME, AGENTS, deals=deals, store=place).name for deals in (1, 2)}
    names.add(tournament(GAME, AGENTS, deals=1, seed=1, store=place).name)
    assert len(names) == 2


def empty(place: Path) -> None:
    with closing(sqlite3.connect(place, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM games")


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (Path.unlink, "expected the store .* to stay where it is, but somebody has removed, moved or replaced it"),
        (lambda place: place.write_bytes(b""), "the store .* is damaged: "),
        (empty, r"expected 24 games in the run 'run' of .*, got \d+"),
    ],
)
def test_games_that_a_store_loses_are_not_lost_in_silence(harm: Callable[[Path], Any], message: str, tmp_path: Path) -> None:
    place = tmp_path / "store.sqlite"
    harmed: list[Any] = []

    def watch(progress: Progress) -> None:
        if progress.new and not harmed:
            harmed.append(harm(place))

    with pytest.raises(fd.StoreError, match=message):
        tournament(GAME, ["random", "strange_agents:Strange"], deals=4, store=place, name="run", progress=watch)


# --- Failures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "reason", "traceback"),
    [
        ("Crashing", "ZeroDivisionError: no cards to divide", "happen: raise ZeroDivisionError"),
        ("Exiting", "SystemExit: bye", "happen: raise SystemExit"),
        ("Interrupting", "KeyboardInterrupt: stop", "happen: raise KeyboardInterrupt"),
        ("Closing", "GeneratorExit", "happen: raise GeneratorExit"),
        ("Unborn", "RuntimeError: not for this seed", "__init__: raise RuntimeError"),
        ("Illegal", "is not legal for seat", None),
        ("Hanging", "took longer than 0.5 s for an action", None),
    ],
)
def test_an_agent_that_fails_forfeits_and_the_others_go_on(
    agent: str, reason: str, traceback: str | None, tmp_path: Path
) -> None:
    place = str(tmp_path / "store.sqlite")
    agents = ["random", f"strange_agents:{agent}"]
    result = tournament(GAME, agents, deals=1, store=place, name="run", move_seconds=0.5)
    failing = next(one for one in result.standings if one.agent.endswith(agent))
    assert failing.forfeits == failing.games == 6
    for line in lines(place, "run"):
        record = fd.GameRecord.from_json(line)
        assert record.forfeit is not None
        seat = record.forfeit["seat"]
        assert record.agents[seat].endswith(agent)
        assert reason in record.forfeit["reason"]
        assert (traceback in record.forfeit["traceback"]) if traceback else record.forfeit["traceback"] is None
        assert record.scores == [16 if other == seat else 0 for other in range(4)], "the worst, and the best for all others"
        assert record.replay().seat == seat or not record.history, "the record ends where it happened"


def test_a_traceback_names_no_folders(tmp_path: Path) -> None:
    place = str(tmp_path / "store.sqlite")
    tournament(GAME, ["random", "strange_agents:Crashing"], deals=1, store=place, name="run", move_seconds=0)
    assert all(str(Path(__file__).parent) not in line for line in lines(place, "run"))


def test_an_agent_that_never_fails_never_forfeits() -> None:
    result = tournament(GAME, ["random", "strange_agents:Strange"], deals=1)
    assert [one.forfeits for one in result.standings] == [0, 0]


# --- Figures ----------------------------------------------------------------------------------------------------------


def test_standings_have_the_best_first_and_are_found_by_the_number_of_an_agent() -> None:
    result = tournament(GAME, ["random", "expert"], deals=3)
    assert [one.agent for one in result.standings] == ["expert", "random"]
    assert [result.standing(number).agent for number in range(2)] == ["random", "expert"]


def game_result(deal: int, seating: int, *scores: float) -> GameResult:
    return GameResult(deal, seating, scores)


def test_leads_and_wins_by_hand() -> None:
    """Two agents at turned tables of Hearts: A sits at 0 and 2 first, then at 1 and 3."""
    from facedown.arena.schedule import schedule

    plan = schedule(fd.load(GAME), ["A", "B"], 1, 0, seating="rotations")
    ledger = Ledger(plan, [game_result(0, 0, 1, 8, 1, 6), game_result(0, 1, 16, 0, 16, 16)])
    first, second = (ledger.figures[name] for name in "AB")
    assert first.scores == [1, 8]
    assert second.scores == [7, 16]
    assert first.leads == [16 - 4 * 1, 48 - 4 * 8]
    assert second.leads == [16 - 4 * 7, 48 - 4 * 16]
    assert first.wins == [1, 1]
    assert second.wins == [0, 0]
    assert first.shares == [0.5, 0.5]
    [comparison] = ledger.comparisons()
    assert comparison.difference.value == (24 + 32) / 2


def test_ties_share_a_win() -> None:
    from facedown.arena.schedule import schedule

    plan = schedule(fd.load(GAME), ["A", "B", "C", "D"], 1, 0, seating="rotations")
    ledger = Ledger(plan, [game_result(0, 0, 0, 0, 8, 8)])
    assert sorted(sum(figures.wins) for figures in ledger.figures.values()) == [0, 0, 0.5, 0.5]


def test_search_is_ahead_of_random_play_and_every_figure_says_so() -> None:
    result = tournament(GAME, ["ismcts:iterations=300", "random"], deals=15, seed=2, on="threads", workers=2)
    best, worst = result.standings
    assert best.agent.startswith("ismcts")
    assert best.lead.low > 0 > worst.lead.high
    assert best.wins.value > best.par == 0.5
    assert best.elo is not None
    assert worst.elo is not None
    assert best.elo.value > worst.elo.value
    assert best.skill is not None
    assert worst.skill is not None
    assert best.skill[0] > worst.skill[0]
    [comparison] = result.comparisons
    assert comparison.p_adjusted is not None
    assert comparison.p_adjusted < 0.05
    assert json.loads(json.dumps(result.to_dict())) == result.to_dict()


def test_a_sequential_test_ends_a_tournament_and_says_so() -> None:
    def run(on: str, workers: int) -> fd.TournamentResult:
        return tournament(GAME, ["ismcts:iterations=100", "random"], deals=400, on=on, workers=workers, sprt=(0, 50))

    result = run("local", 1)
    assert result.stopped_early
    assert result.sequential is not None
    assert result.sequential.verdict == "accept H1"
    assert len(result.ledger.complete_deals()) < 400
    assert all(one.lead.stopped_early and one.wins.stopped_early for one in result.standings)
    assert run("threads", 2).to_dict() == result.to_dict(), "deals under way when it ended do not count"


def test_a_sequential_test_is_of_two_agents() -> None:
    with pytest.raises(fd.BadOption, match="expected two agents for a sequential test, got 3"):
        tournament(GAME, ["random", "ismcts", "uct"], sprt=(0, 5))


def test_options_of_agents_are_factors() -> None:
    agents = [f"ismcts:iterations={iterations},exploration={c}" for iterations in (2, 200) for c in (0.2, 0.8)]
    result = tournament(GAME, agents, deals=12, seating="rotations", on="threads", workers=2)
    table = result.anova()
    assert {row.factor for row in table.rows} >= {"iterations", "exploration"}
    assert (table["iterations"].p or 1) < 0.05
    assert (table["exploration"].p or 0) > 0.001


def test_unknown_agents_are_refused_before_anything_is_stored(tmp_path: Path) -> None:
    place = tmp_path / "store.sqlite"
    with pytest.raises(fd.UnknownName, match="unknown agent 'nobody'"):
        tournament(GAME, ["random", "nobody"], store=str(place))
    assert not place.exists()
