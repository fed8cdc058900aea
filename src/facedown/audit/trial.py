"""Random games in which every answer of a game is tried, interpreted: whether it keeps to its arrays and to its word.

Compiled, an index beyond an array reads or writes foreign memory. Interpreted, it raises an error that knows its line. So a
game that can be loaded by its text is tried in a process of its own, in which nothing is compiled. A negative index counts
from an array's end either way, as Python has it, and is not found.
"""

import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass, replace
from math import isnan

import numpy as np

from facedown import rules
from facedown.audit.report import Example, Finding
from facedown.audit.trial_questions import QUESTIONS, Asking
from facedown.compiler.asking import write_rewards
from facedown.errors import FacedownError, one_line, origin
from facedown.game import Game
from facedown.games import games, load
from facedown.kernel import COMPILED
from facedown.limits import broken
from facedown.rewards import LOWEST, REWARDS
from facedown.state import State

MOST_DEALS = 5  # interpreted games are slow
LONG_QUESTIONS = ("play_out",)  # whole playouts
LONG_EVERY = 8  # positions
LONGEST_GAME = 500  # actions of a game that are tried
ROUNDING = 1e-9
UNCHECKED = "array bounds were not checked: that takes a game that can be loaded by its name or file"
START = "from facedown.audit.trial import answer_parent; answer_parent()"


def check_limits(game: Game, deals: int, seed: int) -> Finding:
    """Try all answers, interpreted where that can be."""
    if COMPILED and (game.path or game.name in games()):
        return in_another_process(game.full_path, deals, seed)
    finding = tried(game, deals, seed)
    return replace(finding, remark=UNCHECKED) if COMPILED else finding


# --- In another process -----------------------------------------------------------------------------------------------


def in_another_process(text: str, deals: int, seed: int) -> Finding:
    """The same in a process that compiles nothing."""
    places = os.pathsep.join(os.path.abspath(place) for place in sys.path)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": places, "PYTHONSAFEPATH": "1"}
    environment["PYTHONWARNINGS"] = "ignore"
    request = json.dumps({"text": text, "deals": deals, "seed": seed})
    run = subprocess.run(
        [sys.executable, "-c", START], input=request, env=environment, capture_output=True, text=True, check=False
    )
    try:
        answer = json.loads(run.stdout.splitlines()[-1])  # the game's file may have printed something before
        example = answer.pop("example")
        return Finding(**answer, example=Example(**example) if example else None)
    except (ValueError, IndexError, TypeError, AttributeError):
        last = (run.stderr.strip().splitlines() or ["nothing"])[-1]
        words = f"expected the game to be tried without compiling, got exit code {run.returncode}: {last}"
        return Finding("limits", looked_at=1, failures=1, unit="answers", example=Example(words, 0, seed))


def answer_parent() -> None:
    """What the other process does."""
    request = json.loads(sys.stdin.read())
    try:
        finding = tried(load(request["text"]), request["deals"], request["seed"])
    except FacedownError as error:
        example = Example(str(error), 0, request["seed"])
        finding = Finding("limits", looked_at=1, failures=1, unit="answers", example=example)
    names = ("name", "positions", "looked_at", "unit", "failures", "remark")
    answer = {name: getattr(finding, name) for name in names}
    print(f"\n{json.dumps({**answer, 'example': finding.example and finding.example.to_dict()})}", flush=True)


# --- Trying -----------------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """How much has been tried."""

    positions: int = 0
    answers: int = 0


def tried(game: Game, deals: int, seed: int) -> Finding:
    """Play random games until an answer fails."""
    tally = Tally()
    example = None
    for deal in range(min(deals, MOST_DEALS)):
        deal_seed = seed * 1_000_003 + deal
        played: list[State] = []
        try:
            try_game(game, deal_seed, tally, played)
        except Exception as error:
            where = origin(error)
            words = str(error) if isinstance(error, FacedownError) else f"{one_line(error)}{f' ({where})' if where else ''}"
            example = faulty(words, deal_seed, played[0] if played else None)
            tally.answers += 1
            break
    return Finding("limits", tally.positions, tally.answers, "answers", int(example is not None), example)


def faulty(words: str, seed: int, state: State | None) -> Example:
    """A fault with the actions that led to it, where there are any."""
    if state is None:
        return Example(words, 0, seed)
    try:
        actions = [state.game.text(action) for _, action in state.history]
    except FacedownError:
        actions = [str(action) for _, action in state.history]
    return Example(words, state._mover or 0, seed, actions)


def try_game(game: Game, seed: int, tally: Tally, played: list[State]) -> None:
    """Play one game at random, trying all that the game answers at each position."""
    rng = random.Random(f"{game.name} {seed}")
    state = game.deal(seed)
    played.append(state)
    promised: list[tuple[int, int]] = []  # after how many actions, and how many more the deal would take at most
    while not state.over and len(state.history) < LONGEST_GAME:
        tally.positions += 1
        tally.answers += try_position(state)
        if "moves_left" in game.rules.answers:
            promised.append((len(state.history), int(rules.moves_left(state.record))))
        deals = state.deals
        state.play(rng.choice(state.legal))
        if state.over or state.deals > deals:
            check_promise(state, promised)
            promised.clear()
    if state.over:
        tally.answers += try_end(state)


def try_position(state: State) -> int:
    """Try a position; return how many questions were asked."""
    game, mover, turn = state.game, state.seat, len(state.history)
    legal = state.legal
    assert mover is not None  # the game is not over
    if legal != sorted(set(legal)):
        raise broken(game, "legal", f"each action once, the lowest first, got {' '.join(map(str, legal))}", turn)
    for seat in range(game.seats):
        state.view(seat).unseen()
    if state.view(mover).legal != legal:
        raise broken(
            game, "legal", "the same actions in the view of the seat to act, which must not need hidden cards", turn
        )
    game.texts(legal)
    game.facts(state.record, None)
    assert len(state.scores) == game.seats  # asked for, and checked, at any time
    asked = 0
    if not COMPILED:
        state.view(mover).sample(seed=turn)
        for name, ask in QUESTIONS.items():
            if answered(game, name) and (name not in LONG_QUESTIONS or turn % LONG_EVERY == 0):
                ask(Asking(state, name))
                asked += 1
    return asked + 2 * game.seats + 4


def answered(game: Game, question: str) -> bool:
    """Whether a game gives an answer of its own, in some style at least; or has a function of that name."""
    return game.has(question) or any(answer.partition(":")[0] == question for answer in game.rules.own)


def check_promise(state: State, promised: list[tuple[int, int]]) -> None:
    """No deal takes more actions than `moves_left` has said: searches have room for no more."""
    for turn, most in promised:
        taken = len(state.history) - turn
        if taken > most:
            raise broken(state.game, "moves_left", f"at least {taken}, as many as were played, got {most}", turn)


def try_end(state: State) -> int:
    """Scores and all kinds of rewards of a finished deal; return how many were asked for."""
    game, turn = state.game, len(state.history)
    sides = game.sides
    if not all(0 <= side < game.seats for side in sides):
        raise broken(game, "side_of", f"sides from 0 to {game.seats - 1}, got {sides}", turn)
    for kind in game.rewards:
        number = REWARDS[kind]
        out = np.full(game.seats, np.nan)
        write_rewards(state.data, number, out)
        for seat, reward in enumerate(out.tolist()):
            low = LOWEST[number]
            if isnan(reward) or not low - ROUNDING <= reward <= 1 + ROUNDING:
                if "reward" not in game.rules.own:
                    words = f"scores in the score_range that the game registers, got {state.scores}"
                    raise broken(game, "scores", words, turn)
                got = "none" if isnan(reward) else f"{reward:g}"
                words = f"a reward from {low:g} to 1 for each seat, got {got} for seat {seat}, {kind!r}"
                raise broken(game, "reward", words, turn)
            if abs(reward - out[sides.index(sides[seat])]) > ROUNDING:
                raise broken(game, "reward", f"the same reward for all of a side, got {out.tolist()}, {kind!r}", turn)
    return len(game.rewards) + 1
