"""What long commands tell of themselves where there is no terminal."""

import pytest

from facedown.arena.progress import WorkProgress
from facedown.cli import bar as cli_bar
from facedown.cli.bar import Bar, Lines, Pace, StepBar, clock, cut
from facedown.compiler.activity import COMPILER


class Clock:
    """A clock that goes when it is told to."""

    now = 100.0

    def monotonic(self) -> float:
        """The time."""
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the lines."""
    own = Clock()
    monkeypatch.setattr(cli_bar, "time", own)
    monkeypatch.setattr(cli_bar, "FIRST_LINE", 2.0)
    return own


def test_a_time_to_go_is_minutes_and_seconds_and_hours_if_there_are_any() -> None:
    assert [clock(seconds) for seconds in (0.4, 61, 3723, 450_000)] == ["0:00", "1:01", "1:02:03", "125 h"]


def test_lines_come_after_two_seconds_then_more_seldom_then_once_a_minute(
    time: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Lines(quiet=False)
    told = []
    for second in range(240):
        time.now = 100.0 + second
        lines.report("playing")
        if capsys.readouterr().err:
            told.append(second)
    assert told == [2, 6, 18, 54, 114, 174, 234]


def test_a_log_tells_what_is_done_how_much_of_it_and_how_long_it_takes(
    time: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with Bar(quiet=False) as bar:
        bar.show(WorkProgress("first", 0, 40, 0, 0.0))
        time.now += 1
        bar.show(WorkProgress("first", 1, 40, 1, 1.0))
        assert capsys.readouterr() == ("", "")
        time.now += 9
        bar.show(WorkProgress("second", 10, 40, 10, 10.0, "so far c = 0.4"))
    assert capsys.readouterr() == ("", "second, so far c = 0.4, 10 of 40 games, 0:10 elapsed, 0:30 left\n")


def test_no_time_to_go_is_told_before_a_second_piece_of_work_and_the_first_never_counts(time: Clock) -> None:
    """The first game compiles for 20 s; the others take half a second each."""
    pace = Pace()
    pace.note(0, 271)
    time.now += 20
    assert pace.words == ["0:20 elapsed"]
    pace.note(1, 271)
    assert pace.words == ["0:20 elapsed"], "one game a 20 s would be 1:30:00 left"
    time.now += 0.5
    pace.note(2, 271)
    assert pace.words == ["0:20 elapsed", "2:14 left"]
    assert pace.speed == "2 games/s"


def test_a_time_to_go_follows_the_later_half_of_the_time_and_counts_down(time: Clock) -> None:
    pace = Pace()
    pace.note(100, 1000)  # of an earlier run
    for second in range(1, 201):
        time.now = 100.0 + second
        pace.note(100 + (second if second <= 80 else 80 + 3 * (second - 80)), 1000)
    assert pace.left == pytest.approx((1000 - 540) / 3)
    time.now += 50
    assert pace.left == pytest.approx((1000 - 540) / 3 - 50)
    assert len(pace.seen) < 110


def test_many_small_steps_are_not_all_remembered(time: Clock) -> None:
    pace = Pace()
    for line in range(100_000):
        time.now = 100.0 + line / 10_000
        pace.note(line, 200_000)
    assert len(pace.seen) < 100
    assert pace.left == pytest.approx(10.0, rel=0.01)


def test_other_work_has_a_pace_of_its_own(time: Clock) -> None:
    pace = Pace()
    for done in (0.0, 0.5, 1.0):
        pace.note(done, 1.0)
        time.now += 1
    pace.note(0.0, 1.0)
    assert pace.left is None


def test_a_bar_says_that_it_compiles(time: Clock) -> None:
    pace = Pace()
    COMPILER.start()
    time.now += 94
    assert pace.words == ["compiling, 1:34 elapsed"]
    COMPILER.end()


def test_steps_and_fractions_are_told_in_per_cent(time: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with StepBar("reading", 200) as bar:
        time.now += 3
        bar.advance(50)
        assert capsys.readouterr().err.startswith("reading, 25 %")
        time.now += 30
        bar.report("hearts: worlds", 0.5)
        assert capsys.readouterr().err.startswith("hearts: worlds, 50 %")


def test_who_stops_it_is_told_of_games_only(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar(quiet=True) as bar:
        bar.show(WorkProgress("first", 1, 40, 1, 1.0))
        bar.say_where_it_stopped("here")
        bar.show(WorkProgress("seconds", 1, 7, 1, 1.0, unit="players"))
        bar.say_where_it_stopped("here")
    told = capsys.readouterr().err.splitlines()
    assert [line.split(" are kept")[0] for line in told] == ["stopped: 1 of 40 games", "stopped: all games so far"]


def test_who_wants_json_only_is_told_nothing(time: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Bar(quiet=True) as bar:
        time.now += 100
        bar.show(WorkProgress("first", 1, 40, 1, 100.0))
    assert capsys.readouterr() == ("", "")


def test_a_line_that_is_too_long_ends_with_dots() -> None:
    assert cut("Sueca: random", 13) == "Sueca: random"
    assert cut("playouts by the expert, against the reduced player", 25) == "playouts by the expert…"
