"""Who forfeits, and why: the seat that was to move, however it fails, and nobody else."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.arena import crashes, supervise
from facedown.arena.crashes import GRACE, GameCrashHandler, by_itself
from facedown.arena.game_log import HEAD, MOST_MOVES, THINKING, GameLog, read_log
from facedown.arena.match import GameCancelled, TurnTracker
from facedown.arena.schedule import schedule
from facedown.arena.supervise import Supervised, TooSlow, TournamentSpec, play_game
from facedown.arena.tournament import tournament
from facedown.arena.workers import SHARED_BYTES, SHARED_HEAD, Crash
from facedown.compiler.activity import is_compiling
from facedown.store import PlayedGame, Store

GAME = "hearts32"


def spec(*agents: str, **given: Any) -> TournamentSpec:
    plan = schedule(fd.load(GAME), agents, 1, 0)
    return TournamentSpec(plan.game, tuple(agents), plan.lineups, 0, **given)


# --- Too late ---------------------------------------------------------------------------------------------------------


class Late(fd.Agent):
    """Thinks at its second turn until it may continue, whatever is raised in its thread, and then answers as if in time."""

    name = "late"
    turns = 0
    go_on = threading.Event()
    answered = threading.Event()

    def choose(self, view: Any) -> int:
        self.turns += 1
        while self.turns == 2 and not Late.go_on.is_set():
            try:
                time.sleep(0.01)
            except TooSlow:
                continue
        if self.turns == 2:
            Late.answered.set()
        return int(min(view.legal))


LATE = f"{__name__}:Late"


def late_seat(played: PlayedGame) -> int:
    return played.record.agents.index(LATE)


def test_a_timeout_is_the_fault_of_who_was_thinking_even_if_it_answers_a_moment_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between the verdict and the record, the late agent answers, and the next one would be asked."""
    Late.go_on.clear()
    stop = Supervised.stop

    def answer_first(thread: Supervised) -> None:
        Late.go_on.set()
        thread.join(10)
        assert not thread.is_alive(), "it was not let any further"
        stop(thread)

    monkeypatch.setattr(Supervised, "stop", answer_first)
    game = fd.load(GAME)
    played = play_game(spec(LATE, "random", move_seconds=0.3), game, 0, 0)
    assert played.record.forfeit is not None
    assert played.record.forfeit["reason"] == "took longer than 0.3 s for an action"
    assert played.record.agents[played.record.forfeit["seat"]] == LATE
    assert played.record.replay().seat == played.record.forfeit["seat"]


def test_nothing_is_played_after_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    Late.go_on.clear()
    Late.answered.clear()
    states: list[fd.State] = []
    deal = supervise.dealt

    def kept(*given: Any) -> fd.State:
        states.append(deal(*given))
        return states[0]

    monkeypatch.setattr(supervise, "dealt", kept)
    played = play_game(spec(LATE, "random", move_seconds=0.3), fd.load(GAME), 0, 0)
    before = states[0].copy()
    Late.go_on.set()
    assert Late.answered.wait(10)
    time.sleep(0.2)
    assert states[0] == before
    assert states[0].history == played.record.history


def test_a_turn_is_called_off_only_while_its_seat_thinks() -> None:
    turn = TurnTracker()
    assert not turn.cancel(0), "nobody was asked"
    turn.begin(2)
    assert not turn.cancel(0), "that was an earlier question"
    turn.act()
    assert not turn.cancel(1), "it has answered"
    turn.end()
    turn.begin(3)
    assert turn.cancel(2)
    assert turn.seat == 3
    with pytest.raises(GameCancelled):
        turn.act()


def test_a_thread_that_has_ended_is_not_stopped() -> None:
    """Its id may be another thread's by then, which would be stopped in its place."""
    thread = Supervised(lambda: None)
    thread.start()
    thread.join()
    thread._ident = threading.get_ident()  # type: ignore[attr-defined]
    thread.stop()
    time.sleep(0.01)


class Patient(fd.Agent):
    """Sees to it that the clock leaps an hour while it thinks, as it does while a process is stopped."""

    name = "patient"
    clock = 0.0

    def choose(self, view: Any) -> int:
        Patient.clock += 3600
        time.sleep(0.3)
        return int(min(view.legal))


def test_time_in_which_the_whole_process_stood_still_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: real() + Patient.clock)
    game = fd.load(GAME)
    agents = (f"{__name__}:Patient", "random")
    played = play_game(spec(*agents, move_seconds=60.0), game, 0, 0)
    assert played.record.forfeit is None


def test_compiling_does_not_count_as_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    Late.go_on.clear()
    looks = []

    def compiling() -> bool:
        looks.append(True)
        if len(looks) == 8:
            Late.go_on.set()
        return True

    monkeypatch.setattr(supervise, "is_compiling", compiling)
    played = play_game(spec(LATE, "random", move_seconds=0.3), fd.load(GAME), 0, 0)
    assert played.record.forfeit is None


def test_the_compiler_is_seen_at_work() -> None:
    from numba.core.compiler_lock import global_compiler_lock

    with ThreadPoolExecutor(1) as other:
        assert not other.submit(is_compiling).result()
        with global_compiler_lock:
            assert other.submit(is_compiling).result()


# --- Crashes----------------------------------------------------------------------------------------------------------


def memory_of(place: int, seat: int, moves: list[int], doing: int = THINKING, begun: int = 1) -> bytes:
    """What a worker has written when it dies."""
    memory = bytearray(SHARED_BYTES)
    np.frombuffer(memory, HEAD, 1)[0] = (begun, place, seat, doing, len(moves), 0)
    for number, action in enumerate(moves):
        np.frombuffer(memory, np.int64, 1, SHARED_HEAD + 16 * number)[0] = action
        np.frombuffer(memory, np.float64, 1, SHARED_HEAD + 16 * number + 8)[0] = np.nan
    return bytes(memory)


@pytest.fixture
def places() -> list[tuple[int, int]]:
    return [(0, 0), (0, 1), (0, 2)]


def exit_at(seat: int, code: int = 7, place: int = 1, **given: Any) -> Crash:
    return Crash(code, memory_of(place, seat, [], **given))


def test_a_game_in_which_a_worker_died_is_played_again_alone_and_the_others_too(places: list[tuple[int, int]]) -> None:
    results, tasks = GameCrashHandler(spec("random", LATE)).after(places, exit_at(2))
    assert (results, tasks) == ([], [[(0, 1)], [(0, 0), (0, 2)]])


def test_who_ends_two_workers_by_itself_forfeits(places: list[tuple[int, int]]) -> None:
    handler = GameCrashHandler(spec("random", LATE, decisions=True))
    handler.after(places, exit_at(2))
    [[played]], tasks = handler.after([(0, 1)], exit_at(3, code=-signal.SIGSEGV, place=0))
    assert tasks == []
    assert (played.deal, played.seating, played.seconds) == (0, 1, None)
    assert played.record.forfeit == {"seat": 3, "reason": "ended its process by SIGSEGV", "traceback": None}
    assert played.record.scores == [0, 0, 0, 16]
    assert played.record.decisions == []


def test_a_worker_that_is_killed_from_outside_makes_nobody_forfeit_unless_it_is_always_at_the_same_action() -> None:
    alone = [(0, 1)]
    handler = GameCrashHandler(spec("random", LATE))
    for seat in (1, 1):
        assert handler.after(alone, exit_at(seat, -signal.SIGKILL, 0)) == ([], [alone])
    [[played]], _ = handler.after(alone, exit_at(1, -signal.SIGKILL, 0))
    assert played.record.forfeit is not None
    other = GameCrashHandler(spec("random", LATE))
    for seat in (1, 2):
        other.after(alone, exit_at(seat, -signal.SIGKILL, 0))
    with pytest.raises(
        fd.FacedownError, match=r"expected workers to survive deal 0, seating 1, but 3 died in it .*, the last by SIGKILL"
    ):
        other.after(alone, exit_at(1, -signal.SIGKILL, 0))


def test_nobody_forfeits_for_a_crash_in_the_rules_or_between_games() -> None:
    handler = GameCrashHandler(spec("random", LATE))
    alone = [(0, 1)]
    for _ in range(2):
        assert handler.after(alone, exit_at(1, 7, 0, doing=0)) == ([], [alone])
    with pytest.raises(fd.FacedownError, match=r"expected workers to survive deal 0, seating 1, .* with exit code 7"):
        handler.after(alone, exit_at(1, 7, 0, doing=0))
    for _ in range(2):
        assert handler.after(alone, exit_at(1, 7, 0, begun=0)) == ([], [alone])
    with pytest.raises(fd.FacedownError, match="expected workers to survive their tasks, but 3 died one after another"):
        handler.after(alone, exit_at(1, 7, 0, begun=0))


def test_an_agent_that_stops_even_the_clock_is_late_when_its_worker_is_ended_for_it() -> None:
    handler = GameCrashHandler(spec("random", LATE, move_seconds=5.0))
    shared = memoryview(memory_of(0, 1, []))
    assert [handler.overdue(shared, seconds) for seconds in (5.0, 5.0 + GRACE, 5.1 + GRACE)] == [False, False, True]
    assert not handler.overdue(memoryview(memory_of(0, 1, [], doing=0)), 1e9), "the rules are at work"
    assert not GameCrashHandler(spec("random", LATE)).overdue(shared, 1e9), "there is no limit"
    [[played]], _ = handler.after([(0, 1)], Crash(-signal.SIGKILL, bytes(shared), overdue=True))
    assert played.record.forfeit is not None
    assert played.record.forfeit["reason"] == "took longer than 5 s for an action"


def test_a_game_too_long_to_be_written_down_is_not_invented() -> None:
    handler = GameCrashHandler(spec("random", LATE))
    memory = bytearray(memory_of(0, 1, []))
    np.frombuffer(memory, HEAD, 1)["moves"] = MOST_MOVES + 1
    handler.after([(0, 1)], Crash(7, bytes(memory)))
    with pytest.raises(fd.FacedownError, match=f"expected at most {MOST_MOVES} actions in a game that a worker died of"):
        handler.after([(0, 1)], Crash(7, bytes(memory)))


def test_signals_of_no_name_and_unknown_ends() -> None:
    assert by_itself(Crash(0, b""))
    assert not by_itself(Crash(None, b""))
    assert by_itself(Crash(-250, b""))


def test_a_game_log_has_the_progress_of_a_game() -> None:
    memory = memoryview(bytearray(SHARED_BYTES))
    log = GameLog(memory, 4)
    state = log.state = fd.load(GAME).deal(5)
    assert (read_log(memory).place, read_log(memory).seat) == (4, None)
    log.prepare(3)
    assert read_log(memory).seat == 3
    log.prepare(None)
    for seconds in (None, 1.5):
        assert state.seat is not None
        log.begin(state.seat)
        assert read_log(memory).seat == state.seat
        log.act()
        assert read_log(memory).seat is None
        state.play(state.legal[0], seconds)
        log.end()
    assert read_log(memory).moves == [(state.history[0][1], None), (state.history[1][1], 1.5)]
    before = bytes(memory[:SHARED_HEAD])
    log.clock_checked()
    assert bytes(memory[:SHARED_HEAD]) != before
    log.close()
    assert read_log(memory).place is None


# --- In a tournament --------------------------------------------------------------------------------------------------


def records(place: Path) -> list[fd.GameRecord]:
    with Store.open(place) as store:
        return list(store.run("run").records())


def test_who_lets_no_other_thread_run_is_ended_and_forfeits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(crashes, "GRACE", 1.0)
    place = tmp_path / "store.sqlite"
    given: dict[str, Any] = {"deals": 1, "store": place, "name": "run", "on": "processes", "workers": 1}
    tournament("bisca", ["random", "strange_agents:Selfish"], move_seconds=0.5, **given)
    for record in records(place):
        assert record.forfeit is not None
        assert record.forfeit["reason"] == "took longer than 0.5 s for an action"
        assert record.agents[record.forfeit["seat"]] == "strange_agents:Selfish"
