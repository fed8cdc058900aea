"""Games to train on, played into a run of a store; a run that is there is resumed.

A game's seed derives from the run's seed and the game's number, so the games are the same wherever they are played, by how
many workers, and in which order.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, islice
from typing import Any, NamedTuple, TypeVar

from facedown.arena.addresses import agent_text, game_text
from facedown.arena.match import play
from facedown.arena.progress import WorkProgress
from facedown.arena.run_identity import run_digest
from facedown.arena.workers import Workers
from facedown.games import load
from facedown.record import GameRecord
from facedown.rng import stream
from facedown.store import Store

FEW_AT_ONCE = 4  # games of a task: searching agents take long

Item = TypeVar("Item")
Watch = Callable[[WorkProgress], None]


class Table(NamedTuple):
    """A game to be played."""

    number: int  # in its run
    agents: Sequence[str]
    seed: int


def self_play(store: Store, game: str, agents: Sequence[str], games: int, seed: int, workers: Workers, watch: Watch) -> str:
    """Let an agent play itself, or several one another; the name of the run. Games of other code are not resumed."""
    loaded, texts = load(game), [agent_text(text) for text in agents]
    settings = {"game": game_text(loaded), "agent": " ".join(texts), "seed": seed, "code": run_digest(loaded, texts)}
    digest = hashlib.blake2b(repr(sorted(settings.items())).encode(), digest_size=4).hexdigest()
    name = f"train-{loaded.name}-{digest}"
    play_run(store, name, {**settings, "games": games}, seatings(texts, loaded.seats), workers, watch, FEW_AT_ONCE)
    return name


def seatings(agents: Sequence[str], seats: int) -> Iterator[list[str]]:
    """Who sits where, game by game: the agents in turn, each game beginning with the next."""
    for number in count():
        yield [agents[(number + seat) % len(agents)] for seat in range(seats)]


def play_run(
    store: Store,
    name: str,
    settings: dict[str, Any],
    seatings: Iterable[Sequence[str]],
    workers: Workers,
    watch: Watch,
    at_once: int,
) -> None:
    """Play the games that a run does not have yet: the agents of each, by the run's game, seed and number of games."""
    games, seed = settings["games"], settings["seed"]
    run = store.begin(name, settings, may_differ=("games",))
    there = {deal for deal, _ in run.done()}
    tables = [
        Table(number, agents, int(stream(seed, number)[0]))
        for number, agents in enumerate(islice(seatings, games))
        if number not in there
    ]
    begin, new = time.perf_counter(), 0
    doing = f"games of {settings['game']}"
    for records in workers.run(partial(play_some, settings["game"]), in_parts(tables, at_once)):
        run.add([(number, 0, record, None) for number, record in records])
        new += len(records)
        watch(WorkProgress(doing, games - len(tables) + new, games, new, time.perf_counter() - begin))


def play_some(game: str, tables: Sequence[Table]) -> list[tuple[int, GameRecord]]:
    """One worker's share."""
    loaded = load(game)
    return [(table.number, play(loaded, table.agents, table.seed)) for table in tables]


def in_parts(items: Iterable[Item], at_once: int) -> Iterator[list[Item]]:
    """The items in parts of some at once."""
    rest = iter(items)
    while part := list(islice(rest, at_once)):
        yield part
