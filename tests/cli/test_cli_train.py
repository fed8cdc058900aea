import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import facedown as fd
from facedown import cli
from facedown.inference.cheat import NAMES
from facedown.inference.forest import read_forest
from facedown.inference.spade_table import read_table
from facedown.store import Store
from facedown.training import evaluation, self_play

Run = Callable[..., tuple[int, str, str]]
SMALL = ("--games", "12", "--test-games", "8", "--people", "0-3", "--test-people", "60-62", "--trees", "5", "--on", "local")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run facedown train in a folder of its own: exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FACEDOWN_STORE", str(tmp_path / "own.sqlite"))
    monkeypatch.setattr(evaluation, "RESAMPLES", 40)  # intervals are tested in tests/inference/test_cheat_model.py

    def command(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "path", list(sys.path))
        with pytest.raises(SystemExit) as exit:
            cli.main(("train", *arguments))
        out, err = capsys.readouterr()
        return int(exit.value.code or 0), out, err

    return command


def never(*task: object) -> None:
    raise AssertionError("these games are there already")


def people_games(count: int, *texts: str) -> list[fd.GameRecord]:
    """Games of people, each with lies and truths, recorded under other names."""
    seeds = range(2, 2 + count)
    found = [fd.play("cheat", ["cheat-person:style=5", "cheat-person:style=8"], seed=seed) for seed in seeds]
    return [replace(record, agents=list(texts), agent_seeds=None) for record in found]


def test_people_train_a_model_and_the_same_command_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run("cheat", *SMALL, "--ceiling", "8", "--json", "--plot", "roc.svg")
    assert (code, err) == (0, "")
    data = json.loads(out)
    model = read_forest(tmp_path / "cheat-model.npz", NAMES)
    assert model.about == data["about"]
    assert model.about["people"] == "0-3"
    assert model.about["games"] == 12
    assert model.about["players"] == 4
    assert model.about["figures"]["test"]["claims"] == data["test"]["forest"]["claims"] > 100
    assert set(data["left_out"]) == set(data["test"]) == {"forest", "boosting"}
    assert 0.5 < data["left_out"]["forest"]["auc"]["value"] < 1
    assert data["left_out"]["forest"]["auc"]["count"] == 4
    assert data["test"]["forest"]["auc"]["count"] == 3
    assert data["ceiling"]["claims"] == data["test"]["forest"]["claims"]
    assert (tmp_path / "roc.svg").read_text().count("<path") > 5

    monkeypatch.setattr(self_play, "play_some", never)
    before = (tmp_path / "cheat-model.npz").read_bytes()
    code, out, err = run("cheat", *SMALL, "--ceiling", "8", "--out", "again.npz")
    assert code == 0
    assert "again.npz" in err
    assert (tmp_path / "again.npz").read_bytes() == before
    assert "each player left out" in out
    assert "who knows their styles" in out


def test_games_of_a_store_train_a_model(run: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "house.sqlite") as store:
        for record in people_games(10, "human", "mga"):
            store.add_game(record)
        store.add_game(fd.play("hearts32", ["random"] * 4, seed=0))
    code, out, err = run("cheat", "--from-store", "house.sqlite", "--trees", "5", "--on", "local", "--json")
    assert (code, err) == (0, "")
    about = json.loads(out)["about"]
    assert about["trained_on"] == "recorded games of players that match human"
    assert about["players"] == about["games"] == 10, "who has no name is somebody else in each game"
    humans = about["claims"]
    code, out, err = run(
        "cheat", "--from-store", "house.sqlite", "--players", "*", "--trees", "5", "--on", "local", "--json"
    )
    about = json.loads(out)["about"]
    assert about["claims"] > humans
    assert about["players"] == 11
    assert fd.agent("pmga:model=cheat-model.npz").text == "pmga:model=cheat-model.npz"


def test_what_cannot_be_trained_on_is_refused(run: Run, tmp_path: Path) -> None:
    def refused(*arguments: str) -> str:
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1
        assert not (tmp_path / "cheat-model.npz").exists()
        return err

    assert "unknown game to train a model for 'magic'; known: bisca, cheat, hearts, hearts32, sueca" in refused("magic")
    assert "unknown model of cheat 'table'; known: claims" in refused("cheat", "--model", "table")
    assert "option agent: the model claims does not have it, got 'random'" in refused("cheat", "--agent", "random")
    assert "none.sqlite" in refused("cheat", "--from-store", "none.sqlite")
    (tmp_path / "text.sqlite").write_text("hello " * 100)
    assert "text.sqlite" in refused("cheat", "--from-store", "text.sqlite")
    with Store.open(tmp_path / "house.sqlite") as store:
        store.add_game(fd.play("hearts32", ["random"] * 4, seed=0))
    err = refused("cheat", "--from-store", "house.sqlite", "--on", "local")
    assert "expected games of cheat by players that match 'human'" in err
    with Store.open(tmp_path / "house.sqlite") as store:
        store.add_game(people_games(1, "human", "mga")[0])
    assert "expected at least 50 true and 50 false claims" in refused(
        "cheat", "--from-store", "house.sqlite", "--on", "local"
    )
    assert "unknown run 'spring'" in refused("cheat", "--from-store", "house.sqlite", "--run", "spring", "--on", "local")
    assert "expected A-B, from 0-1 to 88-89" in refused("cheat", "--people", "0-90")
    assert "expected A-B" in refused("cheat", "--people", "7")
    assert "expected other people to test on" in refused("cheat", "--people", "0-60")
    assert "option games: expected a whole number" in refused("cheat", "--games", "few")
    assert "expected a folder" in refused("cheat", "--out", "nowhere/model.npz")


def test_self_play_of_hearts_makes_a_table_and_the_same_command_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = ("hearts", "--games", "12", "--test-games", "3", "--agent", "random", "--on", "local")
    code, out, err = run(*small, "--json")
    assert (code, err) == (0, "")
    table = read_table(tmp_path / "hearts-table.npz")
    about = table.about
    assert json.loads(out) == {"model": "hearts-table.npz", "about": about}
    command = "facedown train hearts --model table --games 12 --test-games 3 --agent random --seed 0"
    assert (about["command"], about["deals"], about["test"]["deals"]) == (command, 12, 3)
    assert (about["game"], about["agent"], about["seed"]) == ("hearts:passing=hold", "random", 0)

    monkeypatch.setattr(self_play, "play_some", never)
    code, out, err = run(*small, "--out", "again.npz")
    assert code == 0
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "hearts-table.npz").read_bytes()
    assert f"{len(table)} histories" in out
    assert "Q♠ left" in out
    assert "ismcts-ti:model=again.npz" in err

    code, out, err = run("hearts", "--from-store", "own.sqlite", "--on", "local", "--json")
    assert (code, err) == (0, "")
    recorded = json.loads(out)["about"]
    assert (recorded["deals"], recorded["test"]["deals"]) == (14, 1)
    assert "--players '*'" in recorded["command"]
    code, out, err = run("hearts", "--from-store", "own.sqlite", "--players", "human", "--on", "local")
    assert (code, out) == (2, "")
    assert "expected whole deals of hearts to count, got none" in err


def test_what_the_table_does_not_take_is_refused(run: Run, tmp_path: Path) -> None:
    for arguments, expected in (
        (("--trees", "4"), "option trees: the model table does not have it, got '4'"),
        (("--agent", "nobody"), "unknown agent 'nobody'"),
        (("--games", "0"), "option games: expected"),
        (("--model", "forest"), "unknown model of hearts 'forest'; known: match, policy, table"),
        (("--out", "nowhere/table.npz"), "expected a folder"),
    ):
        code, out, err = run("hearts", *arguments)
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1
        assert expected in err
    assert not list(tmp_path.iterdir())


def test_self_play_makes_a_policy_that_agents_play_by(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    who = ("--agent", "expert", "--agent", "random")
    small = ("sueca", "--games", "6", "--test-games", "3", *who, "--seed", "4", "--on", "local")
    code, out, err = run(*small, "--json")
    assert (code, err) == (0, "")
    about = json.loads(out)["about"]
    assert about["command"] == (
        "facedown train sueca --model policy --games 6 --test-games 3 --agent expert --agent random --seed 4"
    )
    assert (about["games"], about["deals"], about["test"]["games"]) == (6, 6, 3)
    assert about["test"]["log_chance"] > about["test"]["log_chance_uniform"]
    view = fd.load("sueca").deal(1).view(0)
    fd.agent(f"ismcts:iterations=20,inference=policy,model={tmp_path / 'policy.json'}").choose(view)

    monkeypatch.setattr(self_play, "play_some", never)
    code, out, err = run(*small, "--players", "expert", "--out", "half.json", "--json")
    half = json.loads(out)["about"]
    assert half["command"] == f"{about['command']} --players 'expert'"
    assert half["choices"] < about["choices"] < half["choices"] * 3
    code, out, err = run(*small, "--out", "again.json")
    assert code == 0
    again, first = (json.loads((tmp_path / name).read_text()) for name in ("again.json", "policy.json"))
    assert (again["weights"], again["modes"]) == (first["weights"], first["modes"])
    assert "choices in 6 deals" in out
    assert "ismcts:inference=policy,model=again.json" in err

    code, out, err = run("sueca", "--from-store", "own.sqlite", "--players", "nobody*", "--on", "local")
    assert (code, out) == (2, "")
    assert "expected games of sueca with choices to learn from, got none" in err


def test_matches_make_a_model_of_how_matches_end(run: Run, tmp_path: Path) -> None:
    small = ("--model", "match", "--games", "40", "--test-games", "10", "--agent", "random", "--on", "local")
    code, out, err = run("sueca:match=4", *small, "--out", "match.json")
    assert code == 0
    assert "in 40 matches" in out
    assert "Brier score" in out
    model = json.loads((tmp_path / "match.json").read_text())
    assert model["command"].startswith("facedown train sueca:match=4 --model match --games 40")
    assert sum(model["shares"].values()) == pytest.approx(1.0, abs=1e-5)
    code, out, err = run("sueca", *small)
    assert (code, out) == (2, "")
    assert "expected a match to train on, such as sueca:match=100, got sueca" in err
