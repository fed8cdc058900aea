"""Commands run in forks of one process that has imported the program: each starts at once, and none knows of another."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

# Whatever a fork writes to is copied: so it looks for no garbage in what it came with, and ends as Python does but for
# taking that apart.
SERVER = """
import atexit, fcntl, gc, json, os, sys, termios, threading, traceback
import facedown as fd
from facedown.cli import main

for module in sys.argv[1:]:
    __import__(module)
fd.play("hearts32", ["ismcts:iterations=2", "random", "random", "random"], seed=1)
gc.collect()
gc.freeze()

def run(order, files):
    if order["terminal"]:
        os.setsid()
        fcntl.ioctl(files[0], termios.TIOCSCTTY, 0)
    for number, file in enumerate(files):
        os.dup2(file, number)
    sys.stdin = open(0, closefd=False)
    sys.stdout, sys.stderr = (open(number, "w", buffering, closefd=False) for number, buffering in ((1, -1), (2, 1)))
    os.environ.update(order["environment"])
    sys.argv = ["facedown", *order["words"]]
    code = 0
    try:
        exec(order["before"], {})
        main(order["words"])
    except SystemExit as exit:
        code = exit.code
    except BaseException:
        traceback.print_exc()
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(code or 0)

for line in sys.stdin:
    order = json.loads(line)
    if "ended" in order:
        child, status = os.waitpid(order["ended"], 0 if order["wait"] else os.WNOHANG)
        print(os.waitstatus_to_exitcode(status) if child else "", flush=True)
        continue
    files = [os.open(name, way | os.O_NOCTTY) for name, way in zip(order["files"], (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY))]
    child = os.fork()
    if not child:
        run(order, files)
    for file in files:
        os.close(file)
    print(child, flush=True)
"""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # threads do not survive a fork
ROOMS = "audit store training.training lab.bench.strength lab.experiments lab.tuning.tuning"  # of all kinds of commands
ALL_ROOMS = ["alembic", "scipy.stats", *(f"facedown.{room}" for room in ROOMS.split())]
LONGEST_ANSWER = 60.0  # seconds, on a machine where much else runs


class Fork:
    """A command under way."""

    def __init__(self, server: "ForkServer", pid: int) -> None:
        self.server, self.pid = server, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, if it has ended."""
        if self.returncode is None:
            answer = self.server.ask({"ended": self.pid, "wait": False})
            self.returncode = int(answer) if answer else None
        return self.returncode

    def wait(self, seconds: float = LONGEST_ANSWER) -> int:
        """The exit code."""
        if self.returncode is None:
            self.returncode = int(self.server.ask({"ended": self.pid, "wait": True}, seconds))
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """A process that runs commands of facedown in a folder."""

    def __init__(self, folder: Path, environment: Mapping[str, str], scratch: Path, modules: Sequence[str] = ()) -> None:
        self.files = [scratch / name for name in ("stdin", "stdout", "stderr")]
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, *modules],
            cwd=folder,
            env={**environment, **ONE_THREAD},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def ask(self, order: Mapping[str, object], seconds: float = LONGEST_ANSWER) -> str:
        """Have something done: the answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            os.kill(self.process.pid, signal.SIGKILL)
            raise TimeoutError(f"expected an answer in {seconds} seconds to {order}")
        return self.process.stdout.readline().strip()

    def start(
        self,
        words: Sequence[str],
        files: Sequence[Path | str],
        before: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> Fork:
        """Start a command on files, or on a terminal, with some Python before it."""
        order = {"words": list(words), "files": [str(file) for file in files], "before": before}
        return Fork(self, int(self.ask({**order, "terminal": len({*files}) == 1, "environment": {**(environment or {})}})))

    def run(self, words: Sequence[str], typed: str, before: str, seconds: float) -> subprocess.CompletedProcess[str]:
        """Run a command to its end with something typed into it, and some Python before it."""
        for file in self.files:
            file.write_text(typed if file.name == "stdin" else "")
        code = self.start(words, self.files, before).wait(seconds)
        return subprocess.CompletedProcess(words, code, *(file.read_text() for file in self.files[1:]))
