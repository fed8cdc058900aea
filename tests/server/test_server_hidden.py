"""Hidden means hidden: tables whose states differ only in cards hidden from a seat send it the same, byte by byte.

The pairs of states come from tests/tools/leaks.py, which does not ask the library what is hidden. FACEDOWN_FULL=1
tries more.
"""

import asyncio
import os
import random
from collections.abc import Callable, Coroutine
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import facedown as fd
from facedown.games import load
from facedown.kernel import COMPILED
from facedown.server import shown_table, table
from facedown.server.listeners import Listener
from facedown.server.messages import encoded
from facedown.server.refusals import Refusal
from facedown.server.seats import REMOTE, Seat
from facedown.server.shown_table import TableSettings
from facedown.server.table import Table
from facedown.server.thinking import AgentFailed, Question
from facedown.server.tokens import hash_of
from facedown.view import SPECTATOR
from leaks import TABLES, Pair, pairs, same_observed
from serving import served
from sitting import WAITS, Door

FULL = bool(os.environ.get("FACEDOWN_FULL"))
GAMES = ["hearts", "hearts32:passing=right", "sueca", "bisca", "cheat", "magic"]
POSITIONS = 6 if COMPILED else 1  # of each random game
ACTIONS = 8  # that are played on from each
EXPECTED = (2000 if FULL else 150) if COMPILED else 10  # positions of a game in which streams are compared
SEEDS = range(10_000)


class Queue(Listener):
    """A listener that keeps all it is told."""

    def __init__(self) -> None:
        self.views = True
        self.told: list[str] = []

    def tell(self, message: str) -> None:
        self.told.append(message)


class QuietHouse:
    """A server without a store, whose thinkers only note what they are asked."""

    def __init__(self) -> None:
        self.journal: Any = self
        self.thinkers: Any = self
        self.asked: list[Question] = []
        self.logged: list[tuple[str, Any]] = []
        self.later: list[Coroutine[Any, Any, Any]] = []

    async def write(self, work: Any) -> int:
        return 7

    async def ask(self, owner: str, question: Question) -> Any:
        self.asked.append(question)
        raise AgentFailed("thinks nothing")

    def log(self, event: str, **fields: Any) -> None:
        self.logged.append((event, fields))

    def moved(self, seconds: float) -> None:
        pass

    def ended(self, table: Table) -> None:
        pass

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        self.later.append(work)


class Seen:
    """A table with one state of a pair, and all that a seat and a spectator are told there."""

    def __init__(self, state: fd.State, seat: int) -> None:
        self.house = QuietHouse()
        seats = [Seat(REMOTE, f"player {number}", None, 0, hash_of(f"token {number}")) for number in range(state.game.seats)]
        settings = TableSettings(state.game.full_name, 1, move_seconds=60.0)
        self.table = Table("same", settings, seats, state.copy(), cast(Any, self.house))
        self.seat = seat
        self.queues = {viewer: Queue() for viewer in (seat, SPECTATOR)}
        self.answers: list[str] = []

    def join(self) -> None:
        for viewer, queue in self.queues.items():
            self.table.join(viewer, queue, 0)
        self.table.begin_turn()

    async def tried(self, action: str, moves: int | None) -> None:
        """What the seat is told when it plays something."""
        try:
            self.answers.append(f"{await self.table.move(self.seat, action, moves)}")
        except Refusal as refusal:
            self.answers.append(f"{refusal.status} {encoded(refusal.to_dict())}")

    async def hinted(self) -> None:
        try:
            await self.table.hint(self.seat)
        except Refusal as refusal:
            self.answers.append(f"{refusal.status} {encoded(refusal.to_dict())}")

    async def settle(self) -> None:
        """Do what was to be done in the background."""
        while self.house.later:
            await self.house.later.pop()

    def told(self) -> dict[str, Any]:
        """Everything that the seat, a spectator or a reader of the log gets."""
        return {
            "events": [queue.told for queue in self.queues.values()],
            "views": [encoded(self.table.view(viewer)) for viewer in (self.seat, SPECTATOR)],
            "facts": encoded(self.table.facts()),
            "answers": self.answers,
            "log": self.house.logged,
            "asked": repr(self.house.asked),
        }


async def compare(pair: Pair) -> int:
    """Play on in both states, and compare all that is told after each action; returns how often."""
    rng = random.Random(f"{bytes(pair.one.view(pair.seat))!r}")
    rules = TABLES[pair.one.game.name]
    both = [Seen(state, pair.seat) for state in (pair.one, pair.two)]
    for seen in both:
        seen.join()
        await seen.settle()
    compared = 0
    for _ in range(ACTIONS):
        one, two = (seen.table.state for seen in both)
        wrong = rules.wrong(one, pair.swap, rng)
        moves = rng.choice([None, one.actions_played, one.actions_played - 1, one.actions_played + 1])
        for seen in both:
            if one.seat == pair.seat:
                for action in [text for text in wrong[:3] if not allowed(one, text)]:
                    await seen.tried(action, one.actions_played)
            else:
                for action in wrong[:2]:
                    await seen.tried(action, moves)
            await seen.hinted()
            if seen.table.moves and (last := seen.table.view_of(pair.seat).history[-1])[0] == pair.seat:
                await seen.tried(one.game.text(last[1]), one.actions_played - 1)
        assert both[0].told() == both[1].told()
        compared += 1
        if one.seat is None:
            break
        mover, text = one.seat, rules.some_action(one, rng)
        if not same_observed(rules, one.copy(), two.copy(), [(mover, text)], pair.seat, pair.swap):
            break
        for seen, action in zip(both, (text, rules.again(one, mover, text, pair.seat, pair.swap)), strict=True):
            await seen.table.move(mover, action, None)
            await seen.settle()
    assert both[0].told() == both[1].told()
    return compared + 1


def allowed(state: fd.State, text: str) -> bool:
    try:
        state.check(text)
    except fd.FacedownError:
        return False
    return True


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still, or it would be in the streams."""
    clock = SimpleNamespace(monotonic=lambda: 100.0, perf_counter=lambda: 100.0)
    for module in (table, shown_table):
        monkeypatch.setattr(module, "time", clock)


def compared(name: str, wanted: int) -> int:
    """How many positions of a game were compared, as soon as there are as many as wanted."""

    async def all_pairs() -> int:
        found = 0
        for pair in pairs(load(name), SEEDS, POSITIONS):
            found += await compare(pair)
            if found >= wanted:
                break
        return found

    return asyncio.run(all_pairs())


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("name", GAMES)
def test_a_seat_gets_the_same_bytes_whatever_is_hidden_from_it(name: str) -> None:
    assert compared(name, EXPECTED) >= EXPECTED


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("leak", ["facts", "legality", "log"])
def test_a_table_that_tells_more_would_be_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if leak == "facts":
        facts = Table.facts
        monkeypatch.setattr(Table, "facts", lambda here: {**facts(here), "digest": here.state.data.tobytes().hex()})
    elif leak == "log":
        carry_out = Table._carry_out

        def tell(here: Table, move: Any) -> None:
            here.house.log("holds", hands=here.state.hands)
            carry_out(here, move)

        monkeypatch.setattr(Table, "_carry_out", tell)
    else:

        def checked(here: Table, seat: int, action: str) -> int:
            here.house.log("first", card=here.state.hands[(seat + 1) % here.game.seats][:1])
            raise Refusal(422, "illegal_move", f"the next seat holds {here.state.hands[(seat + 1) % here.game.seats]}")

        monkeypatch.setattr(Table, "_checked", checked)
    with pytest.raises((AssertionError, Refusal)):
        compared("sueca", 300)


# --- Real sockets -----------------------------------------------------------------------------------------------------


def frames(door: Door, live_table: Callable[[str], Table], state: fd.State, seat: int, actions: list[str]) -> list[str]:
    """All bytes that a seat and a spectator get while some actions are played, but the table's id."""
    id, tokens = door.full_table(state.game.full_name, state.game.seats, seed=1)
    live_table(id).state = state.copy()
    live_table(id)._views.clear()
    found: list[str] = []
    with door.live(f"tables/{id}", tokens[seat], since=0, views=True) as own, door.live(f"tables/{id}", since=0) as other:
        mine = state.seat == seat
        found += [str(own.socket.recv(WAITS)) for _ in range(2 + state.actions_played + mine)]
        found += [str(other.socket.recv(WAITS)) for _ in range(1 + state.actions_played)]
        own.send({"action": "nonsense", "moves": state.actions_played})
        found.append(str(own.socket.recv(WAITS)))
        for action in actions:
            mover = door.facts(id)["to_move"]
            answer = door.move(id, tokens[mover], action)
            found.append(answer.text if mover == seat else "")
        found += [str(live.socket.recv(WAITS)) for live in (own, other) for _ in actions]
        for token in (tokens[seat], None):
            found.append(door.get(f"tables/{id}/view", token).text)
        found.append(door.get(f"tables/{id}").text.replace(id, "same"))
    return found


@pytest.mark.parametrize("name", ["hearts", "bisca", "cheat"])
def test_the_bytes_on_real_sockets_are_the_same_too(name: str, tmp_path: Path) -> None:
    game = load(name)
    rules = TABLES[name]
    with served(tmp_path / "store.sqlite") as server, Door(server.url) as door:
        hall = server.app.state.hall
        for pair in islice((pair for pair in pairs(game, SEEDS, POSITIONS) if not pair.one.over), 4):
            action = rules.some_action(pair.one, random.Random(1))
            mover = pair.one.seat or 0
            same = same_observed(rules, pair.one.copy(), pair.two.copy(), [(mover, action)], pair.seat, pair.swap)
            twin = rules.again(pair.one, mover, action, pair.seat, pair.swap)
            first = frames(door, hall.tables.get, pair.one, pair.seat, [action] if same else [])
            second = frames(door, hall.tables.get, pair.two, pair.seat, [twin] if same else [])
            assert first == second
