"""The client against a real server over real sockets."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.arena.match import PLAYERS
from facedown.client import (
    Client,
    CompetitionOver,
    Moved,
    Over,
    Seat,
    ServerRefused,
    ServerUnreachable,
    Turn,
    Viewed,
    YourTurn,
    by_agent,
    play,
    play_all,
)
from facedown.client import session as sessions
from facedown.client.events import Event, Other, read_event
from facedown.client.players import answer
from facedown.rng import stream
from serving import Served, ServerProcess, Wire, free_port, served

OPEN = {"open": True}
RANDOM = {"agent": "random"}
HIGHEST_WAIT = 60.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served") / "store.sqlite") as running:
        yield running


def run(work: Coroutine[Any, Any, Any]) -> Any:
    async def limited() -> Any:
        return await asyncio.wait_for(work, HIGHEST_WAIT)

    return asyncio.run(limited())


def at_random(seed: int = 0) -> Callable[[Turn], str]:
    rng = random.Random(seed)
    return lambda turn: rng.choice(turn.legal)


async def bot_and_three(client: Client, game: str, seed: int = 1) -> str:
    seats = fd.load(game).seats
    return (await client.new_table(game, [OPEN, *[RANDOM] * (seats - 1)], seed=seed)).id


# --- Requests -------------------------------------------------------------------------------------------------------------


def test_a_client_asks_what_there_is(server: Served) -> None:
    async def ask() -> None:
        async with Client(server.url) as client:
            assert (await client.health())["status"] == "ok"
            assert [game["name"] for game in await client.games()] == fd.games()
            assert "ismcts" in [agent["name"] for agent in await client.agents()]
            table = await client.new_table("hearts32", [OPEN], name="for two", move_seconds=30)
            assert (table.status, table.name, table.move_seconds) == ("waiting", "for two", 30)
            assert table.id in [one.id for one in await client.tables()]
            assert await client.table(table.id) == table

    run(ask())


def test_a_game_can_be_played_by_requests_alone(server: Served) -> None:
    async def ask() -> None:
        async with Client(server.url) as client:
            table = await bot_and_three(client, "hearts32")
            taken = await client.take_seat(table, "slow bot")
            spectator = await client.view(table)
            assert (spectator.seat, spectator.legal) == (None, [])
            while not (view := await client.view(table, taken.token)).over:
                if view.legal:
                    assert await client.move(table, taken.token, view.legal[0], view.moves) == view.moves + 1
                    assert await client.move(table, taken.token, view.legal[0], view.moves) == view.moves + 1
            while (facts := await client.table(table)).status != "over":
                await asyncio.sleep(0.01)  # the record is being stored
            assert facts.seats[0].name == "slow bot"
            assert facts.record is not None
            record = await client.record(facts.record)
            assert record["agents"][0] == "slow bot"
            again = await client.rematch(table, taken.token)
            assert again.seats[1].name == "slow bot"
            assert (await client.view(again.id, taken.token)).seat == 1

    run(ask())


def test_what_the_server_refuses_is_an_exception_with_its_code(server: Served) -> None:
    async def refused(request: Awaitable[Any]) -> tuple[str, int | None]:
        with pytest.raises(ServerRefused) as error:
            await request
        assert isinstance(error.value, fd.FacedownError)
        assert str(error.value) == error.value.message
        return error.value.code, error.value.status

    async def ask() -> None:
        async with Client(server.url) as client:
            table = await bot_and_three(client, "hearts32")
            token = (await client.take_seat(table, "bot")).token
            assert await refused(client.table("nowhere")) == ("not_found", 404)
            assert await refused(client.take_seat(table, "late")) == ("seat_taken", 409)
            assert await refused(client.move(table, "forged", "QS")) == ("forbidden", 403)
            assert await refused(client.new_table("whist")) == ("unknown_name", 422)
            assert await refused(client.new_table("hearts32", seed=-1)) == ("bad_request", 422)
            assert await refused(client.hint("nowhere", token)) == ("not_found", 404)
            assert (await refused(client.rematch(table, token)))[1] == 409
            assert await refused(client.competition("nowhere")) == ("not_found", 404)
            assert await refused(client.take_part("nowhere", "bot")) == ("not_found", 404)

    run(ask())


@pytest.mark.parametrize("url", ["ftp://here", "", "http://127.0.0.1:99999", "http://[bad", "127.0.0.1:8000"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    async def ask() -> None:
        async with Client(url) as client:
            await client.health()

    with pytest.raises(ServerUnreachable, match="expected"):
        run(ask())


def test_nobody_at_the_address_is_one_line() -> None:
    async def ask() -> None:
        async with Client(f"http://127.0.0.1:{free_port()}") as client:
            await client.health()

    with pytest.raises(ServerUnreachable, match=r"expected a server at http://127.0.0.1:\d+, got nobody who answers"):
        run(ask())


def test_somebody_else_at_the_address_is_one_line() -> None:
    async def page(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello")
        await writer.drain()
        writer.close()

    async def ask() -> None:
        other = await asyncio.start_server(page, "127.0.0.1", 0)
        async with other, Client(f"http://127.0.0.1:{other.sockets[0].getsockname()[1]}") as client:
            with pytest.raises(ServerUnreachable, match="got no JSON"):
                await client.health()
            with pytest.raises(ServerUnreachable, match="expected an arena server"):
                await client.watch("table")._start()

    run(ask())


# --- Seats ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["hearts32", "sueca", "bisca", "cheat:turn_limit=60", "magic"])
def test_a_whole_game_is_played_over_a_socket(server: Served, game: str) -> None:
    async def ask() -> Over:
        async with Client(server.url) as client:
            table = await bot_and_three(client, game)
            async with client.sit(table, "random bot") as seat:
                over = await play(seat, at_random())
                assert (seat.number, seat.moves) == (0, (await client.table(table)).moves)
                return over

    over = run(ask())
    assert len(over.scores) == fd.load(game).seats
    assert over.outcome is not None
    assert over.record is not None


def test_events_are_typed_and_in_order(server: Served) -> None:
    async def ask() -> list[Event]:
        async with Client(server.url) as client, client.sit(await bot_and_three(client, "bisca"), "bot") as seat:
            seen = []
            async for event in seat.events():
                seen.append(event)
                if isinstance(event, YourTurn):
                    assert await seat.play(event.legal[0]) == event.moves + 1
            assert [event async for event in seat.events()] == []
            return seen

    events = run(ask())
    assert isinstance(events[0], Viewed)
    assert isinstance(events[-1], Over)
    moves = [event.moves for event in events if isinstance(event, Moved)]
    assert moves == [*range(moves[0], moves[0] + len(moves))]
    assert [event.view.moves for event in events[1:] if isinstance(event, Viewed)] == moves


def test_who_looks_on_sees_every_action_and_may_not_play(server: Served) -> None:
    async def ask() -> None:
        async with Client(server.url) as client:
            table = await bot_and_three(client, "hearts32")
            async with client.watch(table, views=False) as spectator, client.sit(table, "bot", 0) as seat:
                with pytest.raises(ServerRefused) as refused:
                    await spectator.play("QS")
                assert refused.value.code == "forbidden"
                await play(seat, at_random())
                seen = [event.action async for event in spectator.events() if isinstance(event, Moved)]
                assert seen == [action for _, action in seat.track.history]
                assert spectator.number is None

    run(ask())


def test_a_refused_action_is_raised_where_it_was_played_and_another_one_may_follow(server: Served) -> None:
    async def ask() -> None:
        async with Client(server.url) as client, client.sit(await bot_and_three(client, "hearts32"), "bot") as seat:
            async for event in seat.events():
                if isinstance(event, YourTurn):
                    with pytest.raises(ServerRefused, match="expected") as refused:
                        await seat.play("no card")
                    assert refused.value.code == "illegal_move"
                    await seat.play(event.legal[0])
                    with pytest.raises(ServerRefused) as refused:
                        await seat.play(event.legal[0])
                    assert refused.value.code in ("not_your_turn", "stale", "illegal_move")
                    break

    run(ask())


@pytest.mark.parametrize(("table", "code"), [("nowhere", "not_found"), ("", "")])
def test_a_seat_that_is_not_there_is_refused_when_it_is_entered(server: Served, table: str, code: str) -> None:
    async def ask() -> None:
        async with Client(server.url, patience=0.1) as client, client.watch(table or "../health"):
            pass

    with pytest.raises((ServerRefused, ServerUnreachable)) as refused:
        run(ask())
    assert not code or (isinstance(refused.value, ServerRefused) and refused.value.code == code)


def test_a_forged_token_is_refused(server: Served) -> None:
    async def ask() -> None:
        async with Client(server.url) as client:
            table = await bot_and_three(client, "hearts32")
            async with client.rejoin(table, "forged"):
                pass

    with pytest.raises(ServerRefused, match="expected a token that is good for this"):
        run(ask())


def test_who_is_too_late_has_forfeited_and_the_game_ends(server: Served) -> None:
    async def slowly(turn: Turn) -> str:
        await asyncio.sleep(0.3)
        return turn.legal[0]

    async def ask() -> Over:
        async with Client(server.url) as client:
            table = await client.new_table("bisca", [OPEN, RANDOM], move_seconds=0.1)
            async with client.sit(table.id, "late bot") as seat:
                return await play(seat, slowly)

    over = run(ask())
    assert over.outcome.reason == "forfeit"
    assert "took longer than 0.1 s" in over.outcome.words


# --- Agents ---------------------------------------------------------------------------------------------------------------


def test_an_agent_of_ours_chooses_over_the_network_as_it_does_at_home(server: Served) -> None:
    own = fd.play("hearts32", ["expert", "expert", "expert", "expert"], seed=5)

    async def ask() -> list[str]:
        async with Client(server.url) as client:
            table = await client.new_table("hearts32", [OPEN, *[{"agent": "expert"}] * 3], seed=5)
            async with client.sit(table.id, "expert bot") as seat:
                await play(seat, by_agent("expert", int(stream(5, PLAYERS, 0)[0])))
                return [action for _, action in seat.track.history]

    assert run(ask()) == own.actions


def test_a_searching_agent_plays_a_game_with_hidden_passes(server: Served) -> None:
    async def ask() -> Over:
        async with Client(server.url) as client, client.sit(await bot_and_three(client, "hearts"), "search") as seat:
            return await play(seat, by_agent(fd.agent("ismcts:iterations=5", 1)))

    assert len(run(ask()).scores) == 4


def test_an_agent_that_sees_all_cannot_play_over_the_network() -> None:
    with pytest.raises(fd.FacedownError, match="expected an agent that needs no more than its view, got uct"):
        by_agent("uct")


def test_an_agent_needs_whole_views(server: Served) -> None:
    async def ask() -> None:
        client = Client(server.url)
        async with client, client.sit(await bot_and_three(client, "bisca"), "bot", views=False) as seat:
            await play(seat, by_agent("random"))

    with pytest.raises(fd.FacedownError, match="expected a session with `views`"):
        run(ask())


def test_a_turn_that_somebody_else_has_answered_is_left_alone(server: Served) -> None:
    async def ask() -> None:
        async with Client(server.url) as client, client.sit(await bot_and_three(client, "bisca"), "bot") as seat:
            await answer(seat, YourTurn(legal=[], moves=99), seat.game, lambda turn: pytest.fail("asked"))

    run(ask())


# --- Lost connections -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("views", [True, False])
def test_no_action_is_lost_or_told_twice_when_the_connection_breaks_again_and_again(server: Served, views: bool) -> None:
    async def ask() -> None:
        rng = random.Random(3)
        async with Wire(server.port) as wire, Client(wire.url) as client, Client(server.url) as other:
            table = await other.new_table("sueca", [OPEN, RANDOM, OPEN, RANDOM], seed=2)
            partner = asyncio.create_task(partner_plays(other, table.id))
            async with client.sit(table.id, "unlucky", 0, views=views) as seat:
                seen: list[Moved] = []
                asked: list[int] = []
                async for event in seat.events():
                    if rng.random() < 0.3:
                        wire.cut()
                    if isinstance(event, Moved):
                        seen.append(event)
                    if isinstance(event, YourTurn):
                        asked.append(event.moves)
                        playing = asyncio.create_task(seat.play(rng.choice(event.legal)))
                        await asyncio.sleep(0)
                        if rng.random() < 0.5:
                            await asyncio.sleep(rng.random() * 0.01)
                            wire.cut()
                        assert await playing == event.moves + 1
                assert seat.connections > 5
                assert len(asked) == len(set(asked)) == 10
            await partner
            record = await other.record((await other.table(table.id)).record or 0)
            assert [event.moves for event in seen] == [*range(seen[0].moves, 41)]
            assert [event.action for event in seen] == record["actions"][seen[0].moves - 1 :]
            assert record["agents"][0] == "unlucky"

    async def partner_plays(client: Client, table: str) -> None:
        async with client.sit(table, "partner", 2) as seat:
            await play(seat, at_random(1))

    run(ask())


def test_a_game_goes_on_when_the_server_is_killed_and_started_again(tmp_path: Path) -> None:
    async def ask(server: ServerProcess) -> None:
        async with Client(server.url) as client:
            table = await bot_and_three(client, "hearts32", seed=8)
            async with client.sit(table, "patient") as seat:
                turns = 0
                seen = []
                async for event in seat.events():
                    if isinstance(event, Moved):
                        seen.append(event.moves)
                    if isinstance(event, YourTurn):
                        turns += 1
                        playing = asyncio.create_task(seat.play(event.legal[-1]))
                        if turns == 4:
                            await asyncio.sleep(0.002)
                            await asyncio.to_thread(server.kill)
                            await asyncio.to_thread(server.start)
                        await playing
                assert seat.connections == 2
                assert seen == [*range(seen[0], 33)]
                assert turns == 8

    with ServerProcess(tmp_path / "store.sqlite") as server:
        run(ask(server))


def test_who_never_answers_again_is_given_up_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "LONGEST_DELAY", 0.05)

    async def ask(url: str, stop: Callable[[], None]) -> None:
        client = Client(url, patience=0.3)
        async with client, client.sit(await bot_and_three(client, "bisca"), "bot") as seat:
            await asyncio.to_thread(stop)
            await play(seat, at_random())

    with ServerProcess(tmp_path / "store.sqlite") as server, pytest.raises(ServerUnreachable, match="expected a server at"):
        run(ask(server.url, server.kill))


# --- Competitions ---------------------------------------------------------------------------------------------------------


def test_an_entrant_plays_all_its_games_over_one_socket(server: Served) -> None:
    async def ask() -> tuple[CompetitionOver, list[Over], int | None]:
        async with Client(server.url) as client:
            made = await client.new_competition("bisca", [RANDOM, {"agent": "expert"}, OPEN], deals=2, seed=1)
            ended: list[Over] = []
            async with client.enter(made.id, "remote expert", at_once=2) as entry:
                over = await play_all(entry, by_agent("expert", 1), ended.append)
                assert entry.connections == 1
            facts = await client.competition(made.id)
            assert facts.status == "over"
            return over, ended, facts.games

    over, ended, games = run(ask())
    assert {one["agent"] for one in over.standings} == {"random", "expert", "remote expert"}
    assert games is not None
    assert len(ended) == games * 2 // 3
    assert len({one.table for one in ended}) == len(ended)


def test_an_entrant_whose_connection_breaks_misses_no_game(server: Served) -> None:
    async def ask() -> None:
        rng = random.Random(4)
        async with Wire(server.port) as wire, Client(wire.url) as client:
            made = await client.new_competition("bisca", [RANDOM, OPEN], deals=2, seed=2)
            ended: list[Over] = []

            def unlucky(turn: Turn) -> str:
                if rng.random() < 0.1:
                    asyncio.get_running_loop().call_later(rng.random() * 0.01, wire.cut)
                return rng.choice(turn.legal)

            async with client.enter(made.id, "unlucky", at_once=2, views=False) as entry:
                await play_all(entry, unlucky, ended.append)
                assert entry.connections > 2
            assert len({one.table for one in ended}) == len(ended) == 4
            for table, track in {place[0]: track for place, track in entry.tracks.items()}.items():
                record = await client.record((await client.table(table or "")).record or 0)
                assert [action for _, action in track.history] == record["actions"]
                assert record["forfeit"] is None

    run(ask())


def test_a_competition_that_ended_meanwhile_is_over_for_who_comes_back(server: Served) -> None:
    async def ask() -> None:
        async with Client(server.url) as client:
            made = await client.new_competition("bisca", [RANDOM, OPEN], deals=1, seed=2)
            async with client.enter(made.id, "first") as entry:
                await play_all(entry, at_random())
                token = entry.token or ""
            async with client.reenter(made.id, token) as again:
                assert len((await play_all(again, at_random())).standings) == 2
            with pytest.raises(ServerRefused) as refused:
                async with client.enter(made.id, "late"):
                    pass
            assert refused.value.code == "full"

    run(ask())


def test_an_error_of_a_player_ends_its_competition_with_that_error(server: Served) -> None:
    async def ask() -> None:
        async with Client(server.url) as client:
            made = await client.new_competition("bisca", [RANDOM, OPEN], deals=1)
            async with client.enter(made.id, "broken") as entry:
                await play_all(entry, lambda turn: "no card")

    with pytest.raises(ServerRefused, match="expected"):
        run(ask())


# --- Messages -------------------------------------------------------------------------------------------------------------


def test_an_event_of_a_later_version_is_passed_on() -> None:
    event = read_event({"event": "applause", "loud": True})
    assert isinstance(event, Other)
    assert event.data == {"event": "applause", "loud": True}


@pytest.mark.parametrize("data", [[], {}, {"event": 3}, {"event": "move"}, {"event": "rematch"}, {"event": "view"}])
def test_an_event_that_is_none_is_refused(data: Any) -> None:
    with pytest.raises(ServerUnreachable, match="expected an event"):
        read_event(data)


def test_one_action_at_a_time(server: Served) -> None:
    async def ask(seat: Seat) -> None:
        first = asyncio.create_task(seat.play("no card"))
        await asyncio.sleep(0)
        with pytest.raises(fd.FacedownError, match="one action at a time"):
            await seat.play("no card")
        with pytest.raises(ServerRefused):
            await first
        await seat.close()
        with pytest.raises(ServerRefused, match="expected a connection that has not ended"):
            await seat.play("no card")

    async def sit() -> None:
        async with Client(server.url) as client, client.sit(await bot_and_three(client, "bisca"), "bot") as seat:
            await ask(seat)

    run(sit())
