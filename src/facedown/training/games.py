"""Games to train on: those of simulated players, played into a store, and those that a store has."""

import hashlib
import time
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from importlib.resources import files

from facedown.arena.progress import WorkProgress
from facedown.arena.workers import Workers
from facedown.errors import FacedownError
from facedown.options import parse_text
from facedown.record import GameRecord
from facedown.store import Store
from facedown.training.claims import Claims, Row, claims_of, collected
from facedown.training.self_play import Watch, in_parts, play_run

GAME = "cheat"
PLAYING = ("people.py", "styles.py", "styles.json", "rules.py", "knowledge.py", "text.py", "plain.py")  # files of the game
AT_ONCE = 25  # games of a task
HUMAN = "human"  # the text of a person in a record, whoever it is


def pairs(people: Sequence[int], games: int) -> Iterator[tuple[int, int]]:
    """Who plays whom: rounds of the circle method, so that all play equally often, and change seats."""
    ring: list[int | None] = [*people, *([None] if len(people) % 2 else [])]
    half, count = len(ring) // 2, 0
    while True:
        for first, second in zip(ring[:half], reversed(ring[half:]), strict=True):
            if first is None or second is None:
                continue
            lap, number = divmod(count, len(people) * (len(people) - 1) // 2)
            yield (first, second) if (lap + number // half) % 2 == 0 else (second, first)
            count += 1
            if count == games:
                return
        ring = [ring[0], ring[-1], *ring[1:-1]]


# --- Simulated players ------------------------------------------------------------------------------------------------


def play_people(store: Store, people: Sequence[int], games: int, seed: int, workers: Workers, watch: Watch) -> str:
    """Let simulated players play into a run of a store, which is resumed if it is there; the name of the run."""
    name = f"train-{GAME}-people-{span(people)}-seed-{seed}-{people_digest()}"
    settings = {"game": GAME, "people": list(people), "seed": seed, "games": games}
    seatings = ([f"cheat-person:style={style}" for style in pair] for pair in pairs(people, games))
    play_run(store, name, settings, seatings, workers, watch, AT_ONCE)
    return name


def people_digest() -> str:
    """A digest of how simulated players play: games of other players, or by other rules, are not resumed."""
    folder = files("facedown.games.cheat")
    digest = hashlib.blake2b(digest_size=4)
    for name in PLAYING:
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()


def span(people: Sequence[int]) -> str:
    """Numbers in a row as text."""
    return f"{people[0]}-{people[-1]}"


# --- Claims of a store ------------------------------------------------------------------------------------------------


def claims_in(
    store: Store, run: str | None, players: str, workers: Workers, watch: Watch, most: int | None = None
) -> Claims:
    """The claims of a run's games, or of all games of a store, by players whose text matches a pattern."""
    lines = [line for line in store.lines(run) if '"game":"cheat' in line]
    lines = lines if most is None else [line for line in lines if GameRecord.placed(line)[1]["deal"] < most]
    rows: list[Row] = []
    begin = time.perf_counter()
    parts = [(number, part, players) for number, part in enumerate(in_parts(lines, AT_ONCE))]
    for done, found in enumerate(workers.run(rows_of, parts), 1):
        rows += found
        watch(WorkProgress("reading claims", done, len(parts), done, time.perf_counter() - begin))
    rows.sort(key=lambda row: (row[3], row[4]))  # workers end in any order
    return collected(rows)


def rows_of(task: tuple[int, Sequence[str], str]) -> list[Row]:
    """The claims of some games, numbered through; a person of no name is somebody else in each game."""
    part, lines, pattern = task
    rows: list[Row] = []
    for place, line in enumerate(lines):
        record, number = GameRecord.placed(line)[0], part * AT_ONCE + place
        if parse_text(record.game)[0] != GAME or record.forfeit:
            continue
        seats = [seat for seat, text in enumerate(record.agents) if fnmatchcase(text, pattern)]
        for features, lie, player, _, turn in claims_of(record, number, seats.__contains__):
            rows.append((features, lie, f"{player} {number}" if player == HUMAN else player, number, turn))
    return rows


def check_enough(claims: Claims, where: str, players: str, least: int) -> None:
    """Refuse to train on next to nothing."""
    if not len(claims):
        raise FacedownError(f"expected games of {GAME} by players that match {players!r} in {where}, got none")
    rarer = min(int(claims.lies.sum()), int((~claims.lies).sum()))
    if rarer < least:
        raise FacedownError(f"expected at least {least} true and {least} false claims in {where}, got {rarer} of one kind")
    if len(set(claims.players.tolist())) < 3:
        raise FacedownError(
            f"expected claims of 3 players at least, to leave one out, got {len(set(claims.players.tolist()))}"
        )
