"""Where a report comes from: command, code, time taken and machine; no names of people or folders."""

import os
import platform
import re
import shlex
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import facedown

FOLDERS = re.compile(r"(?<![^\s:=,|])(?:~[^\s:=,|/]*|\.\.?)?/(?:[^\s:=,|]*/)?")  # from a root, a home, here or above
GIT_SECONDS = 5.0  # that git may take to answer


@dataclass(frozen=True)
class Origin:
    """How a report was made."""

    command: str
    code: str
    took: str
    machine: str


def origin_of(words: Sequence[str], seconds: float, before: str = "") -> Origin:
    """The origin of what a command has made; `before` says what was there already when it began."""
    command = shlex.join(["facedown", *(without_folders(word) for word in words)])
    return Origin(command, code_version(), f"{duration(seconds)}{f', {before}' if before else ''}", machine())


def without_folders(word: str) -> str:
    """A word of a command with no more of a path than its last name."""
    return FOLDERS.sub("", word)


def duration(seconds: float) -> str:
    """A time as a person says it."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {rest} s"


def code_version() -> str:
    """The version, with the commit where this is a checkout of facedown itself."""
    commit = git("rev-parse", "--short=12", "HEAD") if git("ls-files", "--error-unmatch", "__init__.py") else ""
    if not commit:
        return f"facedown {facedown.__version__}"
    changed = " with changes" if git("status", "--porcelain", "--untracked-files=no", ".") else ""
    return f"facedown {facedown.__version__}, commit {commit}{changed}"


def git(*arguments: str) -> str:
    """What git says of the folder this lies in; nothing where there is no git, or no checkout."""
    command = ["git", "-C", str(Path(__file__).parent), *arguments]
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_SECONDS, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""
    return ""


def machine() -> str:
    """The processor, how many there are, and what runs on them."""
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
