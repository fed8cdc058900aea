"""The commands that the pages for people show, and the form in which the suite runs each.

A command is run as it stands, but for what SHORTER makes smaller. Pages also show the beginning of a command, or one with
names to fill in: ARGUMENTS and FILLED_IN say what a reader would type. What cannot be run here is listed in NOT_RUN with
the reason. A new command in the docs that does not run, and is in none of these tables, fails the suite.
"""

import os
import re
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*.md")])

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
COMMAND = re.compile(r"([A-Z_]+=\S+ )*(\.venv/bin/)?(facedown|make|python|pytest|pip)( |$)")
NOT_SHELL = ("python", "output", "toml")  # blocks that hold no commands
PACKAGE = re.compile(r"^facedown$")  # by itself it is the package's name as often as the program's; it prints the help

# What is left out, and why.
NOT_RUN = {
    "make test": "this is the suite itself",
    "make lint": "make test begins with it",
    "make format": "it changes the sources",
    "make bench": "it installs OpenSpiel from the net and takes many minutes; facedown bench --against open-spiel is run",
    "make clean": "it removes the environment that the suite runs in",
    "facedown serve": "it runs until it is stopped; tests/server/test_server_page.py starts and stops it",
    **dict.fromkeys(
        ("facedown serve --game examples/little_knaves.py", "facedown serve --game examples/little_knaves.py:GAME"),
        "it runs until it is stopped; tests/server/test_server_own_games.py starts and stops it",
    ),
    "facedown bench web": "it needs a browser, which tests/web/test_web_bench.py has",
    "make serve": "it sets up an environment of its own; what it then starts, facedown serve, is run",
    "make play": "it sets up an environment of its own; what it then starts, facedown play hearts, is run",
    ".venv/bin/pytest tests/worlds/test_exact.py": "this is a part of the suite",
    "NUMBA_DISABLE_JIT=1 .venv/bin/pytest": "this is the suite itself, for hours",
    "FACEDOWN_FUZZ=20 .venv/bin/pytest tests/attack tests/arena/test_kills.py": "this is a part of the suite, for an hour",
    ".venv/bin/python tests/test_docs.py": "it writes the pages anew; tests/test_docs.py compares them",
    "python tests/test_questions.py": "it writes the page of questions anew; the same file compares it",
    "python -m facedown.games.magic.balanced": "it takes a minute; test_magic_decks.py finds the first deals again",
    "python -m facedown.training.calibration": "it takes many minutes and writes a file of the package anew",
    "pip install 'facedown[postgres]'": "it needs the net; the extra is looked up",
    "pip install 'facedown[tune]'": "it needs the net; the extra is looked up",
    "pip install 'facedown[all]'": "it needs the net; the extra is looked up",
    "pip install 'facedown[stats]'": "it needs the net; the extra is looked up",
    "pip install 'facedown[train]'": "it needs the net; the extra is looked up",
    "pip install 'facedown[dev]'": "it needs the net; the extra is looked up",
    "pip install 'facedown[server]'": "it needs the net; the extra is looked up",
    "pip install facedown[cluster]": "it needs the net; the extra is looked up",
}

# tests/client/test_bot_command.py has a server, and runs them as they stand.
NOT_RUN |= dict.fromkeys(
    (
        'facedown bot http://127.0.0.1:8000 --agent "ismcts:seconds=0.2"',
        "facedown bot http://127.0.0.1:8000 --agent expert --table ID --name Ada",
        "facedown bot http://127.0.0.1:8000 --agent random --game hearts --json",
        "facedown bot http://127.0.0.1:8000 --agent expert --competition ID --at-once 4",
        "facedown bot",
        "python examples/bot.py http://127.0.0.1:8000",
    ),
    "it needs a server, which tests/client/test_bot_command.py has",
)

# The quick form of every experiment is run by tests/lab/test_experiments.py, as this command; here one of them is enough.
QUICK_FORM = re.compile(
    r"facedown reproduce (?!hearts-transpositions )([\w-]+) --scale quick( --(seed|deals) \d+)* --on local"
)

# What a reader would put after the name of a command, where a page shows nothing but its name and flags.
ARGUMENTS = {
    "audit": "hearts32 random",
    "bench": "hearts32",
    "check": "examples/little_knaves.py",
    "export": "spring",
    "import": "spring.jsonl --store other.sqlite",
    "play": "hearts32",
    "query": '"SELECT id FROM games"',
    "replay": "17",
    "tournament": "hearts32 ismcts:iterations=100 random --deals 2",
    "train": "cheat",
    "tune": "hearts32 ismcts:iterations=100 --over iterations=5|20 --method knockout",
    "watch": "hearts32 ismcts",
}
VALUES = {"--seed": "1"}  # of flags that have one
NAME_AND_FLAGS = re.compile(r"facedown (\w+)((?: --[\w-]+)*)")

# Words that stand for others.
FILLED_IN = {
    "GAME": "hearts32",
    "[AGENT]": "random",
    "PLAYER": "expert",
    "OTHER": "reduced",
    "FILE": "spring.jsonl",
    "my_game.py": "examples/little_knaves.py",  # the same game, which other pages show under its own name
    "N": "2",
    "S": "1",
}

# Commands that would do too much here, and a part of what they do.
WHOLE = {
    ".venv/bin/facedown": "facedown",
    "facedown bench --against open-spiel": "facedown bench hearts --against open-spiel",
}

# Exit codes that say something else than success.
EXIT_CODES = {"facedown audit open-spiel:hearts --deals 1": 1}  # worlds that could not have come about, as the page tells

# What makes a command small enough for a test: patterns, and what takes their place.
SHORTER = [
    (r"iterations=\d{3,}", "iterations=20"),
    (r"--scale full", "--scale quick"),
    (r"^facedown bench server$", "facedown bench server --seconds 0.5 --tables 2 --spectators 3"),
    (r"^(facedown reproduce \S+)$", r"\1 --scale quick"),  # which it is without being told
    (r"^(facedown reproduce magic-table-\d --scale quick).*", r"\1 --deals 1"),
    (r"--deals \d\d+", "--deals 2"),
    (r"--trials \d+", "--trials 3"),
    (
        r"exploration=0\.1\.\.1\.0\.\.0\.1,discount=0\.97\.\.1\.0\.\.0\.005",
        "exploration=0.1..1.0..0.9,discount=0.99..1.0..0.01",
    ),
    (r"--method knockout$", "--method knockout --deals 2 --fresh 2"),
    (r"^(facedown tune .*--trials 3) --seed", r"\1 --deals 2 --fresh 2 --seed"),
    (r"--games \d+ --test-games \d+ --ceiling \d+", "--games 12 --test-games 8 --ceiling 8"),
    (r"--people \d+-\d+ --test-people \d+-\d+ --trees \d+", "--people 0-3 --test-people 60-62 --trees 5"),
    (r"^facedown train cheat$", "facedown train cheat --games 12 --test-games 8 --people 0-3 --test-people 60-62 --trees 5"),
    (r"^(facedown train cheat --from-store.*)", r"\1 --trees 5"),
    (r"^facedown train sueca( .*)?$", "facedown train sueca --games 6 --test-games 3 --agent expert"),
    (
        r"^(facedown train hearts:\S*) .*--model policy .*",
        r"\1 --model policy --games 4 --test-games 2 --agent random --agent expert",
    ),
    (r"^facedown train hearts( .*)?$", "facedown train hearts --games 12 --test-games 3 --agent random"),
    (r"^(facedown (?!tournament hearts32 \S+ random --deals 2$)(tune|train|reproduce|tournament) *\S.*)", r"\1 --on local"),
    (r"^(facedown audit .*)", r"\1 --deals 1"),
    (r"^(facedown play .*)", r"\1 --seed 7 --delay 0"),  # nobody waits for the cards of the others
    (r"^(facedown bench (?!.*--strength).*)", r"\1 --repeats 1"),
]

# `facedown bench` measures by the clock; this takes the place of its sizes. tests/lab/test_bench.py asks for every figure.
LITTLE_BENCH = """
from facedown.lab.bench import limits, searches, speed, strength, measurements
for module in (measurements, searches):
    for name in vars(module).copy():
        if name.endswith("ITERATIONS"):
            setattr(module, name, 200)
for name in ("SEARCHED_DEALS", "CONSTRAINED_GAMES", "SLOW_ROUNDS"):
    setattr(measurements, name, 1)
for part in (searches.ALGORITHMS, limits.AGENTS):
    for name in list(part)[2:]:
        del part[name]
searches.SOLVED_ACTIONS = 8
limits.SECONDS, limits.CHOICES, limits.DEALS, limits.EVERY = 0.001, 2, 1, 9
measurements.SLICE_SECONDS = 1e-4
speed.SIGNATURE_ITERATIONS = 50
strength.TIMED_DECISIONS = 2
strength.measure_strength.__defaults__ = (strength.DUELS[:3], 100, None)
measurements._starts = lambda name: [1.0] * len(measurements.STARTS)  # new processes
measurements._memory = lambda name, iterations, whose: [40.0]
"""
# `facedown train` draws players again and again for its intervals; tests/inference/test_cheat_model.py looks at these.
LITTLE_TRAINING = "from facedown.training import evaluation; evaluation.RESAMPLES = 20"
SMALLER = {"bench": LITTLE_BENCH, "train": LITTLE_TRAINING}  # Python that is run before a command

# Said of other games in the same sentence, or started by make.
SAID_TOO = {
    "facedown play bisca": "README.md",
    "facedown play cheat": "README.md",
    "facedown play magic": "README.md",
    "facedown play hearts": "Makefile",
}


def commands_of(page: Path) -> list[str]:
    """The commands a page shows, in blocks and between its words."""
    text = page.read_text()
    lines = [line for fence in FENCE.finditer(text) if fence[1] not in NOT_SHELL for line in fence[2].splitlines()]
    shown = [re.sub(r"\s+#.*", "", line).strip() for line in lines]
    shown += [" ".join(span[1].split()) for span in INLINE.finditer(FENCE.sub("", text))]
    return [command for command in shown if COMMAND.match(command) and not PACKAGE.match(command)]


def documented() -> dict[str, list[str]]:
    """All commands, each with the pages that show it."""
    found = {command: [page] for command, page in SAID_TOO.items()}
    for page in PAGES:
        for command in commands_of(page):
            found.setdefault(command, []).append(str(page.relative_to(ROOT)))
    return found


def whole(command: str) -> str:
    """A command with all that a reader would type."""
    bare = NAME_AND_FLAGS.fullmatch(command)
    if bare and bare[1] in ARGUMENTS:
        flags = [f"{flag} {VALUES.get(flag, '')}".strip() for flag in bare[2].split()]
        return " ".join(["facedown", bare[1], ARGUMENTS[bare[1]], *flags])
    return " ".join(FILLED_IN.get(word, word) for word in WHOLE.get(command, command).split(" "))


def short(command: str) -> str:
    """The form in which the suite runs a command."""
    command = whole(command)
    for pattern, smaller in SHORTER:
        command = re.sub(pattern, smaller, command)
    return command


def to_run() -> list[str]:
    """The different commands that the suite runs."""
    forms = {short(command) for command in documented() if command not in NOT_RUN}
    return sorted(form for form in forms if not QUICK_FORM.fullmatch(form))


def is_played(command: str) -> bool:
    """Whether a person sits before it."""
    return command.startswith("facedown play ")


def program(command: str) -> tuple[list[str], dict[str, str]]:
    """The words of a command, with this Python in place of the program on the path; and what it sets in the environment."""
    words = shlex.split(command)
    environment = {}
    while re.match(r"[A-Z_]+=", words[0]):
        name, _, environment[name] = words.pop(0).partition("=")
    if words[0] == "python":
        return [sys.executable, *words[1:]], environment
    assert words[0] == "facedown", command
    return [sys.executable, "-c", f"{before(words)}\nfrom facedown.cli import main; main()", *words[1:]], environment


def before(words: list[str]) -> str:
    """What is run before a command to make it smaller."""
    return SMALLER.get(words[1], "") if len(words) > 1 else ""


def is_forked(command: str) -> bool:
    """Whether a fork of a process that has imported the program stands for a new one; not where it starts workers."""
    return command.startswith("facedown") and (not command.startswith("facedown tournament") or "--on local" in command)


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of a command: a store of its own, and nothing that colours or widens what it prints."""
    plain = {
        name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "LINES")
    }
    path = os.pathsep.join([str(folder / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**plain, "FACEDOWN_STORE": str(folder / "own.sqlite"), "PYTHONPATH": path, "TERM": "xterm-256color"}
