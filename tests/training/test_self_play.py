from pathlib import Path

import pytest

from facedown.arena.executors import start_workers
from facedown.arena.progress import WorkProgress
from facedown.store import Store
from facedown.training import self_play as module
from facedown.training.self_play import self_play


def lines(store: Store, run: str) -> list[str]:
    return sorted(store.lines(run))


def quiet(progress: WorkProgress) -> None:
    pass


def test_an_agent_plays_itself_at_all_seats_of_any_game(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.sqlite") as store, start_workers("local") as pool:
        for game, seats in (("hearts32", 4), ("bisca", 2)):
            run = self_play(store, game, ["random"], 3, 7, pool, quiet)
            records = list(store.begin(run, {}, may_differ=("game", "agent", "seed", "code", "games")).records())
            assert [record.agents for record in records] == [["random"] * seats] * 3
            assert len({record.seed for record in records}) == 3


def test_several_agents_sit_at_one_table_in_turn(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.sqlite") as store, start_workers("local") as pool:
        run = self_play(store, "hearts32", ["random", "expert", "ismcts:iterations=2"], 2, 7, pool, quiet)
        records = list(store.begin(run, {}, may_differ=("game", "agent", "seed", "code", "games")).records())
    assert [record.agents[:3] for record in records] == [
        ["random", "expert", "ismcts:iterations=2"],
        ["expert", "ismcts:iterations=2", "random"],
    ]
    assert [record.agents[3] for record in records] == ["random", "expert"]


def test_a_run_that_was_stopped_resumes_and_ends_as_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[WorkProgress] = []

    def stop_after_a_task(progress: WorkProgress) -> None:
        seen.append(progress)
        raise KeyboardInterrupt

    with Store.open(tmp_path / "whole.sqlite") as store, start_workers("threads", 2) as pool:
        whole = lines(store, self_play(store, "hearts32", ["random"], 10, 1, pool, quiet))
    with Store.open(tmp_path / "stopped.sqlite") as store, start_workers("local") as pool:
        with pytest.raises(KeyboardInterrupt):
            self_play(store, "hearts32", ["random"], 10, 1, pool, stop_after_a_task)
        [run] = store.runs()
        assert len(lines(store, run["name"])) == seen[0].done == module.FEW_AT_ONCE
        assert seen[0].total == 10
        again = self_play(store, "hearts32", ["random"], 10, 1, pool, seen.append)
        assert again == run["name"]
        assert (seen[-1].done, seen[-1].new) == (10, 6)
        assert lines(store, again) == whole

        monkeypatch.setattr(module, "play_some", lambda *task: pytest.fail("these games are there already"))
        assert self_play(store, "hearts32", ["random"], 8, 1, pool, quiet) == again


def test_other_agents_and_seeds_have_runs_of_their_own(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.sqlite") as store, start_workers("local") as pool:
        names = {
            self_play(store, "hearts32", [agent], 1, seed, pool, quiet)
            for agent, seed in (("random", 0), ("random", 1), ("ismcts:iterations=2", 0))
        }
    assert len(names) == 3
    assert all(name.startswith("train-hearts32-") for name in names)


def test_other_code_has_a_run_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(tmp_path / "a.sqlite") as store, start_workers("local") as pool:
        before = self_play(store, "hearts32", ["random"], 1, 0, pool, quiet)
        monkeypatch.setattr(module, "run_digest", lambda *given: "changed")
        assert self_play(store, "hearts32", ["random"], 1, 0, pool, quiet) != before
