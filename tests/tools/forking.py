"""Commands run in forks of one process that has imported the program: each starts at once, and none knows of another."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

SERVER = """
import atexit, gc, json, os, sys, threading, traceback
import alembic, facedown as fd, facedown.audit, facedown.store, facedown.training.training, scipy.stats
import facedown.lab.bench.strength, facedown.lab.experiments, facedown.lab.tuning.tuning
from facedown.cli import main

fd.play("hearts32", ["ismcts:iterations=2", "random", "random", "random"], seed=1)  # what most commands load
gc.collect()
gc.freeze()  # a fork that looks through all of this for garbage would copy it

# Run a command, and end as Python does, but for taking apart what came with the fork: that would copy it, too.
def run(words):
    code = 0
    try:
        main(words)
    except SystemExit as exit:
        code = exit.code
    except BaseException:
        traceback.print_exc()
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or 0)

for line in sys.stdin:
    order = json.loads(line)
    child = os.fork()
    if not child:
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            os.dup2(os.open(order[name], os.O_RDONLY if name == "stdin" else os.O_WRONLY | os.O_TRUNC), number)
        sys.stdin = open(0, closefd=False)
        exec(order["before"])
        sys.argv = ["facedown", *order["words"]]
        run(order["words"])
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # threads do not survive a fork


class ForkServer:
    """A process that runs commands of facedown in a folder, one after another."""

    def __init__(self, folder: Path, environment: Mapping[str, str], scratch: Path) -> None:
        self.files = {name: scratch / name for name in ("stdin", "stdout", "stderr")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER],
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

    def run(self, words: Sequence[str], typed: str, before: str, seconds: float) -> subprocess.CompletedProcess[str]:
        """Run a command with something typed into it, and some Python before it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        for name, file in self.files.items():
            file.write_text(typed if name == "stdin" else "")
        order = {**{name: str(file) for name, file in self.files.items()}, "words": list(words), "before": before}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            os.kill(self.process.pid, 9)
            raise TimeoutError(f"expected {words} to end in {seconds} seconds")
        code = int(self.process.stdout.readline())
        return subprocess.CompletedProcess(words, code, self.files["stdout"].read_text(), self.files["stderr"].read_text())
