"""Arguments that several commands take, and the numbers in them."""

import secrets
from math import inf

import typer

from facedown.options import FAR, LARGEST, SEED_DIGITS, Option, check_seed, read_number

SEED_BITS = 63  # of a seed nobody chose: too many to try, and the number fits into every database
LONGEST_DELAY = 60.0
MOST = {  # more than this is taken for a slip of the finger
    "ceiling": 1_000_000,
    "deals": 1_000_000,
    "fresh": 1_000_000,
    "games": 1_000_000,
    "move_seconds": 31_536_000,  # a year
    "seed": 10**SEED_DIGITS - 1,
    "test_games": 1_000_000,
    "trees": 10_000,
    "trials": 100_000,
    "workers": 1024,
}

GAME = typer.Argument(help="A game: hearts, hearts:match=100,passing=false, file.py:NAME or module:NAME.")
SEED = typer.Option(None, metavar="N", help="The seed that fixes the deal and the agents; by default another each time.")
FIXED_SEED = typer.Option("0", metavar="N", help="The seed that fixes everything.")
WHERE = typer.Option(
    None,
    "--store",
    metavar="FILE|URL",
    help="A file, or postgresql://user@host/database; by default FACEDOWN_STORE or your own.",
)
ON = typer.Option("processes", metavar="PLACE", help="Where: local, threads, processes, ray or ray:ADDRESS.")
WORKERS = typer.Option(None, metavar="N", help="How many workers; by default one for each processor.")
AS_JSON = typer.Option(False, "--json", help="Print one JSON document for machines, and nothing else.")


def number(name: str, text: str, default: float, least: float = 0, most: float = inf) -> float:
    """A number given as an option; the default says whether it is a whole one."""
    value = Option(name, default, "", least=least, most=most).with_value(read_number(text)).value
    assert isinstance(value, int | float)
    return value


def whole(name: str, text: str, least: int) -> int:
    """A whole number given as an option."""
    given, most = read_number(text), MOST.get(name, LARGEST)
    if isinstance(given, str) or given <= most:
        most = max(most, FAR)  # the message names a bound only to who exceeds it
    value = Option(name, least, "", least=least, most=most).with_value(given).value
    assert isinstance(value, int)
    return value


def chosen_seed(text: str | None) -> int:
    """The seed given, or a random one."""
    return secrets.randbits(SEED_BITS) if text is None else check_seed(read_number(text))


def delay_of(text: str) -> float:
    """Seconds to wait after what is shown."""
    return min(LONGEST_DELAY, number("delay", text, 0.0))
