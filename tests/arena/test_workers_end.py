"""Workers of other processes: they end with the process that started them, and their crashes are noticed."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.arena.processes import Processes, packed
from facedown.arena.workers import Crash, CrashHandler, end_after_task, shared_memory

TRIES = 12

WORK = """
import os, sys, time
from pathlib import Path
from facedown.arena.executors import start_workers

def work(task):
    folder, kind = task
    (Path(folder) / str(os.getpid())).touch()
    if kind == "asleep":
        time.sleep(600)
    while True:
        pass

if __name__ == "__main__":
    for _ in start_workers("processes", 2).run(work, [(sys.argv[1], sys.argv[2])] * 5):
        pass
"""


def alive(pid: int) -> bool:
    """Whether a process is there, and not only its name."""
    try:
        status = Path(f"/proc/{pid}/status").read_text() if Path("/proc").exists() else ""
        os.kill(pid, 0)
    except OSError:
        return False
    return "State:\tZ" not in status


def wait_until(true: Any, seconds: float = 60) -> bool:
    """Whether something comes true in time."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(true())


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


@pytest.mark.parametrize("ended_by", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent_whatever_ends_it(ended_by: int, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(WORK)
    left = 0
    for number in range(TRIES if ended_by == signal.SIGKILL else 1):
        folder = tmp_path / f"{ended_by}-{number}"
        folder.mkdir()
        command = [sys.executable, str(script), str(folder), "busy" if number % 2 else "asleep"]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        early = number % 3 == 2  # while workers start
        assert wait_until(lambda p=process, f=folder, e=early: children(p.pid) if e else len(list(f.iterdir())) == 2)
        workers = children(process.pid)
        process.send_signal(ended_by)
        process.wait(30)
        left += not wait_until(lambda w=workers: not any(map(alive, w)))
    assert left == 0


def test_a_script_without_a_guard_is_refused_in_words(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(WORK.replace('if __name__ == "__main__"', "if True"))
    result = subprocess.run(
        [sys.executable, str(script), str(tmp_path), "busy"], capture_output=True, text=True, timeout=120
    )
    assert result.returncode != 0
    assert (
        "expected workers to start, but 3 ended at once (exit code 1): a script must start its work below" in result.stderr
    )


# --- What is sent -----------------------------------------------------------------------------------------------------


def square(number: int) -> int:
    return number * number


def refuse(number: int) -> int:
    raise fd.UnknownName("number", str(number), ["1", "2"])


def bow_out(number: int) -> int:
    raise SystemExit(number)


def unsendable(number: int) -> Any:
    return lambda: number


def big(number: int) -> bytes:
    return bytes(10_000_000)


def test_work_that_cannot_be_sent_is_refused_in_one_line() -> None:
    with pytest.raises(
        fd.FacedownError, match=r"^expected work that can be sent to other processes, got '<function .*: "
    ) as e:
        list(Processes(1).run(lambda number: number, [1]))
    assert "\n" not in str(e.value)
    with pytest.raises(fd.FacedownError, match="expected work that can be sent to other processes"):
        packed(lambda: None)


def test_errors_and_results_of_every_kind_come_back() -> None:
    with pytest.raises(fd.FacedownError, match="unknown number '3'; known: 1, 2"):
        list(Processes(1).run(refuse, [3]))
    with pytest.raises(RuntimeError, match="SystemExit: 3"):
        list(Processes(1).run(bow_out, [3]))
    with pytest.raises(Exception, match="pickle"):
        list(Processes(1).run(unsendable, [3]))


def test_large_tasks_and_results_pass_each_other() -> None:
    tasks: list[Any] = [bytes(5_000_000)] * 4
    assert [len(result) for result in Processes(1).run(big, tasks)] == [10_000_000] * 4


# --- Crashes----------------------------------------------------------------------------------------------------------


def note_and_die(number: int) -> int:
    board = shared_memory()
    assert board is not None
    board[0] = number
    if number == 3:
        os._exit(5)
    if number == 4:
        time.sleep(600)
    return number


class Notes(CrashHandler[int, int]):
    """Gives the task of a crashed worker its negative as its result."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[int, Crash]] = []

    def overdue(self, shared: memoryview, seconds: float) -> bool:
        return shared[0] == 4 and seconds > 0.5

    def after(self, task: int, crash: Crash) -> tuple[list[int], list[int]]:
        self.seen.append((task, crash))
        return [-task], []


def test_a_crash_is_handled_with_what_the_worker_wrote_down() -> None:
    handler = Notes()
    assert sorted(Processes(2).run(note_and_die, range(1, 7), handler)) == [-4, -3, 1, 2, 5, 6]
    notes = sorted((task, crash.code, crash.shared[0], crash.overdue) for task, crash in handler.seen)
    assert notes == [(3, 5, 3, False), (4, -signal.SIGKILL, 4, True)]


def say_who(number: int) -> tuple[int, int]:
    if number % 2:
        end_after_task()
    return number, os.getpid()


def test_a_worker_that_leaves_is_replaced_and_nothing_is_lost() -> None:
    results = list(Processes(1).run(say_who, range(1, 6)))
    assert sorted(number for number, _ in results) == [1, 2, 3, 4, 5]
    assert len({pid for _, pid in results}) == 3


def print_much(number: int) -> int:
    print("hello from", number)
    os.write(1, b"and from below\n")
    os.system("echo and from a child")
    return number


def test_what_workers_print_goes_to_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(Processes(1).run(print_much, [1])) == [1]
    out, err = capfd.readouterr()
    assert out == ""
    assert re.findall("hello from 1|and from below|and from a child", err) == [
        "hello from 1",
        "and from below",
        "and from a child",
    ]
