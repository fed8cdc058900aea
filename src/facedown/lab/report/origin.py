"""The origin of a report: command, code, time taken and machine; no names of people or folders."""

import os
import platform
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import facedown

FOLDERS = re.compile(r"(?<![^\s:=,|])(?:~[^\s:=,|/]*|\.\.?)?/(?:[^\s:=,|]*/)?")  # from a root, a home, here or above
GIT_SECONDS = 5.0  # that git may take to answer


@dataclass(frozen=True)
class Origin:
    """How a report was produced."""

    command: str
    code: str
    took: str
    machine: str


def origin_of(words: Sequence[str], seconds: float, before: str = "") -> Origin:
    """The origin of a command's output; `before` describes what was done before it started."""
    return Origin(command_of(words), code_version(), f"{duration(seconds)}{f', {before}' if before else ''}", machine())


def tournament_words(game: str, agents: Sequence[str], options: Mapping[str, str | bool | None]) -> list[str]:
    """The words of the command that plays the same games, wherever it keeps them and whoever plays them."""
    given = {f"--{name}": value for name, value in options.items() if value not in (None, False)}
    return ["tournament", game, *agents, *(str(word) for pair in given.items() for word in pair if word is not True)]


def command_of(words: Sequence[str]) -> str:
    """A command as a shell takes it, without folders."""
    return shlex.join(["facedown", *(without_folders(word) for word in words)])


def without_folders(word: str) -> str:
    """A word of a command with paths shortened to their last name."""
    return FOLDERS.sub("", word)


def duration(seconds: float) -> str:
    """A time in words: whole seconds below a minute, whole minutes above."""
    if round(seconds) < 60:
        return f"{round(seconds)} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def code_version() -> str:
    """The version, with the commit where this is a checkout of facedown itself."""
    commit = git("rev-parse", "--short=12", "HEAD") if git("ls-files", "--error-unmatch", "__init__.py") else ""
    if not commit:
        return f"facedown {facedown.__version__}"
    changed = " with changes" if git("status", "--porcelain", "--untracked-files=no", ".") else ""
    return f"facedown {facedown.__version__}, commit {commit}{changed}"


def git(*arguments: str) -> str:
    """What git prints in this file's folder; nothing without git or a checkout."""
    command = ["git", "-C", str(Path(__file__).parent), *arguments]
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_SECONDS, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""
    return ""


def machine() -> str:
    """The processor, the number of cores, the system and the Python version."""
    cores = os.cpu_count() or 1
    count = "1 core" if cores == 1 else f"{cores} cores"
    return f"{processor()}, {count}; {platform.system()}, Python {platform.python_version()}"


def processor() -> str:
    """The model of the processor."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(errors="replace").splitlines():
            if line.lower().startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    return platform.processor() or platform.machine() or "a processor without a name"
