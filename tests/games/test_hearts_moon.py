"""Whether a seat takes every point that is left: the compiled test against plain Python, rule by rule and by the hundred."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import facedown as fd
from facedown.games.hearts.moon import NO, UNKNOWN, YES, new_room, take_all
from facedown.kernel import COMPILED
from facedown.state import State
from solving import late, takes_every_point

GAMES = ["hearts:passing=false", "hearts:passing=false,queen_breaks_hearts=true", "hearts32:break_hearts=true", "hearts32"]
SCRIPT = """
import json
import sys
sys.path.insert(0, {oracles!r})
import numpy as np
from facedown.games.hearts.moon import new_room, take_all
from solving import late
room, found = new_room(), []
for seed in range(25):
    for seat in range(4):
        answers = np.zeros(1, np.int64)
        take_all(late("hearts32", 12, seed).data, seat, room, answers)
        found.append(int(answers[0]))
print(json.dumps(found))
"""


def answer(state: State, seat: int) -> int:
    answers = np.zeros(1, np.int64)
    take_all(state.data, seat, new_room(), answers)
    return int(answers[0])


@pytest.mark.parametrize("game", GAMES)
def test_the_answer_is_that_of_trying_everything(game: str) -> None:
    """Points are given to the collector, as if it had taken all that went: otherwise few positions have one."""
    room, found, answers = new_room(), {NO: 0, YES: 0}, np.zeros(1, np.int64)
    for seed in range(100 if COMPILED else 4):
        state = late(game, 8 + seed % 6, seed)
        taken = sum(state.record.points.tolist())
        for collector in range(4):
            state.data["points"] = 0
            state.data["points"][0, collector] = taken
            take_all(state.data, collector, room, answers)
            assert int(answers[0]) == (YES if takes_every_point(state, collector) else NO), state.position
            found[int(answers[0])] += 1
    assert min(found.values()) > 20 or not COMPILED


def test_somebody_else_with_a_point_ends_it() -> None:
    state = late("hearts32", 12, 1)
    points = state.record.points.tolist()
    assert max(points) < sum(points)
    assert [answer(state, seat) for seat in range(4)] == [NO] * 4


def test_before_the_second_trick_nothing_is_said() -> None:
    assert answer(fd.load("hearts", passing=False).deal(1), 0) == UNKNOWN


def test_once_all_points_are_taken_the_answer_is_what_happened() -> None:
    state = fd.load("hearts32").deal(1)
    while not state.over:
        state.play(state.legal[0])
    state.data["points"] = (0, 16, 0, 0)
    assert [answer(state, seat) for seat in range(4)] == [NO, YES, NO, NO]


def test_interpreted_and_compiled_answers_agree() -> None:
    script = SCRIPT.format(oracles=os.path.join(os.path.dirname(__file__), "..", "oracles"))

    def answers(interpreted: str) -> object:
        environment = {**os.environ, "NUMBA_DISABLE_JIT": interpreted}
        run = [sys.executable, "-W", "error", "-c", script]
        return json.loads(subprocess.run(run, env=environment, capture_output=True, text=True, check=True).stdout)

    assert answers("1") == answers("0")
