"""Where all is lost: no agent plays what loses at once where something else does not, and all hold out as they can."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
import lost_cause
from cheat_positions import set_up
from facedown.agents.last_stand import Aim, last_stand
from facedown.kernel import COMPILED
from facedown.rewards import POINTS, WIN_OR_LOSS
from facedown.rng import stream
from facedown.search.decision import Candidate, Decision
from trump_positions import late


def decided(text: str, state: fd.State, seed: int = 0) -> Decision:
    agent = fd.agent(text, seed=seed)
    agent.choose(state if agent.sees_all else state.view(state.seat or 0))
    assert agent.decision is not None
    return agent.decision


# --- Cheat: an opponent's last claim ----------------------------------------------------------------------------------


def last_claim(seed: int) -> fd.State:
    """Seat 1 has laid its only card: whatever is not a call ends the game."""
    state = fd.load("cheat:hand_size=1").deal(seed)
    state.play("take")
    state.play(next(action for action in state.legal if state.game.text(action) not in ("take", "call")))
    assert state.seat == 0
    assert len(state.legal) > 3
    return state


CHEATS = [
    "ismcts:iterations=1",
    "ismcts:iterations=5",
    "ismcts:iterations=200,reward=wl",
    "ismcts:iterations=9,reward=wl,discount=0.9",
    "mo-ismcts:iterations=3",
    "pimc:worlds=1,iterations=3",
    "pimc:worlds=3,iterations=3,vote=mean",
    "sdmcts:iterations=1",
    "mga:iterations=6",
    "mga:iterations=40,playout=uniform",
    "pmga:iterations=4",
    "fpmga:iterations=30,right=1",
    "uct:iterations=2",
]


@pytest.mark.parametrize("text", CHEATS)
def test_an_opponents_last_claim_is_called(text: str) -> None:
    for seed in range(16 if COMPILED else 2):
        decision = decided(text, last_claim(seed), seed)
        assert decision.text == "call"
        assert decision.candidates[0].action == decision.action


def test_where_every_action_loses_at_once_one_is_played() -> None:
    """Three queens in the own hand, the fourth seen in the other's: the claim is true for sure."""
    state = set_up("QC QD QS 2C", "", "J", claims=[(1, "Q", "QH")], stock="")
    assert decided("uct:iterations=50", state).action in state.legal


# --- Trick games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["ismcts:", "uct:", "mo-ismcts:", "ismcts-t:worlds=20,", "pimc:worlds=3,", "ismcts:reward=wl,"]
)
def test_a_lost_game_of_bisca_is_played_for_its_points(text: str) -> None:
    """The other seat has more than half of the points. The ace takes the king; after the two it falls to the other."""
    state = late("bisca", ["2A.-.-.-", "K.3.-.-"], trump="H", points=(10, 91))
    reward = "" if "reward" in text else "reward=pwl,"
    for seed in range(5):
        assert decided(f"{text}{reward}iterations=100", state, seed).text == "AC"


def test_without_a_last_stand_a_lost_game_is_played_as_the_search_leaves_it() -> None:
    state = late("bisca", ["2A.-.-.-", "K.3.-.-"], trump="H", points=(10, 91))
    text = "ismcts:iterations=100,reward=pwl,last_stand=false"
    decisions = [decided(text, state, seed) for seed in range(8)]
    assert {decision.candidates[0].mean for decision in decisions} == {0.0}
    assert {decision.text for decision in decisions} == {"2C"}


def test_a_game_that_is_not_lost_is_decided_by_the_search() -> None:
    state = late("bisca", ["2A.-.-.-", "K.3.-.-"], trump="H", points=(50, 51))
    decision = decided("uct:iterations=100,reward=pwl", state)
    aim, view = Aim(POINTS), state.view(0)
    assert decision.candidates[0].mean > 0
    assert last_stand(view, decision, aim, stream(1)) is decision


# --- A game that is nothing but lost ----------------------------------------------------------------------------------

LOSERS = [
    "uct",
    "pimc:worlds=4",
    "ismcts",
    "ismcts:threads=2,parallel=leaf",
    "ismcts:threads=2,parallel=tree",
    "ismcts:playout=mast",
    "mo-ismcts",
    "ismcts-t",
    "sdmcts",
    "mga",
    "fpmga",
    "ensemble:decides=all,playout=uniform,trees=4,discount=1",
]


@pytest.mark.parametrize("text", LOSERS)
@pytest.mark.parametrize("reward", ["pwl", "wl"])
def test_a_lost_game_is_held_out_as_long_as_can_be(text: str, reward: str) -> None:
    joined = f"{text}{',' if ':' in text else ':'}"
    option = f"nl={'true' if reward == 'wl' else 'false'}" if "ensemble" in text else f"reward={reward}"
    for seed in range(5):
        decision = decided(f"{joined}{option},iterations=60", lost_cause.GAME.deal(seed), seed)
        assert decision.text == "talk"
        assert decision.candidates[0].text == "talk"
        assert decision.line[0] == "talk"


@pytest.mark.parametrize("text", ["minimax:reward=pwl", "uct:endgame=8", "ismcts:endgame=8,reward=wl", "ismcts-t:endgame=4"])
def test_what_is_solved_as_lost_is_held_out_too(text: str) -> None:
    decision = decided(text, lost_cause.GAME.deal(1))
    assert decision.solved
    assert decision.text == "talk"


def test_what_was_never_tried_may_be_what_does_not_lose_at_once() -> None:
    chosen = {decided("ismcts:iterations=1,reward=pwl", lost_cause.GAME.deal(0), seed).text for seed in range(20)}
    assert "give up" not in chosen


def test_a_value_above_the_lowest_is_left_alone() -> None:
    view = lost_cause.GAME.deal(0).view(0)
    lost = Candidate(0, "give up", 5, 5, 0.0, (0.0, 0.0))
    slightly = Candidate(0, "give up", 5, 5, 0.001, (0.0, 0.01))
    for aim, candidate, expected in [
        (Aim(POINTS), lost, "briefly"),
        (Aim(POINTS), slightly, "give up"),
        (Aim(WIN_OR_LOSS), lost, "give up"),
    ]:
        decision = Decision(0, "give up", [candidate])
        assert last_stand(view, decision, aim, stream(0)).text == expected


def test_nothing_is_looked_at_where_nothing_was_searched() -> None:
    view = lost_cause.GAME.deal(0).view(0)
    forced = Decision(0, "give up")
    assert last_stand(view, forced, Aim(POINTS), stream(0)) is forced


SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
import lost_cause
from test_last_stand import decided, last_claim
print([decided("ismcts:iterations=5", last_claim(1)).text, decided("ismcts:iterations=30", lost_cause.GAME.deal(1)).text])
"""


def test_interpreted_agents_hold_out_too() -> None:
    command = [sys.executable, "-W", "error", "-c", SCRIPT, str(Path(__file__).parent)]
    environment: Any = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "['call', 'talk']"
