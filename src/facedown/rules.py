"""The questions a game answers; docs/questions.md lists them all.

A game is a NumPy record and compiled functions on it. Search calls the questions below with a record of any game, and
reaches that game's own answers: compiler/questions.py.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np

from facedown.compiler.questions import (
    EXPERT,
    QUESTIONS,
    REDUCED,
    REQUIRED,
    STYLED,
    STYLES,
    UNIFORM,
    Answer,
    Rules,
    new_rules,
    optional_question,
    question,
    question_of_kinds,
    rules_of,
    special_question,
    style,
    styled,
    styled_question,
)
from facedown.compiler.registration import check_complete, check_record, checked_answers, refuse_styled
from facedown.kernel import Array, Record, kernel
from facedown.rewards import REWARDS, WIN, WIN_OR_LOSS
from facedown.rng import draw

__all__ = ["EXPERT", "QUESTIONS", "REDUCED", "REQUIRED", "STYLES", "UNIFORM", "Rules", "register", "rules_of", "style"]

# --- Playing ----------------------------------------------------------------------------------------------------------


@question
def deal(state: Record, rng: Array) -> None:
    """Set up a new deal; the options already stand in the record, and perhaps the remains of the last deal."""


@question
def to_move(state: Record) -> int:
    """The seat to act."""
    raise NotImplementedError


@question
def legal(state: Record, actions: Array) -> int:
    """Write the legal actions, lowest first, and return how many there are."""
    raise NotImplementedError


@question
def apply(state: Record, action: int) -> None:
    """Play a legal action, or another that the game `allows`."""


@question
def is_over(state: Record) -> bool:
    """Whether the deal has ended."""
    raise NotImplementedError


@question
def scores(state: Record, out: Array) -> None:
    """Write the game's own score of each seat."""


# --- What search asks beside ------------------------------------------------------------------------------------------


@question_of_kinds({number: name for name, number in REWARDS.items()})
def reward(state: Record, kind: int, out: Array) -> None:
    """Write each seat's reward for a finished deal, of a kind listed in rewards.py; seats of one side share it.

    A game that registers the range of its scores need not answer: the score on that range, and who has won, are its rewards.
    Where the kind `match` takes much code, it may be registered as an answer of its own, `match_reward`: only searches for
    the match compile it then.
    """


@styled_question("style `expert`: agent `expert`, `playout=rules`, advice; `reduced`: agent `reduced`, `playout=reduced`")
def choose(state: Record, style: int, actions: Array, rng: Array) -> int:
    """An action in a style, from what the seat to act may see; `actions` has room for all legal ones."""
    raise NotImplementedError


@styled_question("faster playouts in a style than action by action")
def play_out(state: Record, style: int, actions: Array, rng: Array) -> None:
    """Play a deal to its end in a style; only `scores`, `reward` and `turns` are asked afterwards."""


@optional_question("`ensemble:decides=cards`: a search leaves some questions to the game's rules")
def settle(state: Record, actions: Array, rng: Array) -> bool:
    """Answer by the game's best rules what a search may leave to them, up to the next question that it decides, or the end.

    Return whether there was anything to answer; here never. Asked of views too.
    """
    return False


@optional_question("partners: seats of one side share rewards")
def side_of(state: Record, seat: int) -> int:
    """The side a seat plays for, from 0 up: partners share one; here each seat has its own."""
    return int(seat)


@optional_question("`reward=pwl-sd`: the score counts once the win is decided")
def is_decided(state: Record, seat: int) -> bool:
    """Whether nothing that may still be played can change who of a seat and the others wins the deal; False if in doubt.

    Asked of views too.
    """
    return False


@optional_question("`discount`, `ahead=phase`, `ensemble`")
def turns(state: Record) -> int:
    """How many turns of the deal have been taken, as the game counts them; asked of views, and after a playout."""
    return 0


@optional_question("`playout=epic`: what is learnt of a trick, or of another part of a deal that is played again and again")
def episode(state: Record) -> int:
    """The number of the episode under way, from 0, as the tricks of a trick game; here the turns that have been taken."""
    return turns(state)


@special_question(
    "learning playouts (`mast`, `nast`, `epic`, `last-good-reply`), `rave`, `mo-ismcts`, `ismcts-t`, `minimax`, `endgame`"
)
def moves_left(state: Record) -> int:
    """How many actions the deal takes to its end, at most; asked of views too."""
    raise NotImplementedError


@special_question("`sdmcts`, `mga`, `pmga`, `fpmga`")
def information_set(state: Record, seat: int) -> int:
    """The information set of the seat to act, as coarse as the game likes: one number from 0, of at most 62 bits.

    What was hidden of the last action (see `hypothesis`) goes in as if it had been played openly. Positions with equal
    numbers may differ in what is legal.
    """
    raise NotImplementedError


@special_question("transpositions: `ismcts-t`, `minimax`, `endgame`")
def position_key(state: Record, seat: int, merge: bool, key: Array) -> None:
    """Write two numbers that are equal for positions in which a seat faces the same game.

    All that the seat knows and that still matters goes in, and nothing else; for seat -1, all there is. `merge` asks to
    take suits that differ only in name for the same, where the game can.
    """


@special_question("`ismcts-t`")
def relative_action(state: Record, seat: int, merge: bool, action: int) -> int:
    """The name of an action that is the same in all positions with the same key; below the number of actions."""
    raise NotImplementedError


# --- Compound moves: a subset of parts, asked for one by one --------------------------------------------------------------


@optional_question("`ensemble`: a turn's cards chosen as one move")
def compound_move(state: Record, menu: Array) -> tuple[int, int, int]:
    """Write the menu of the compound move under way; here there is none.

    Return the action that ends the move, or -1 where the question is a plain one; how many rows the menu has; and what the
    parts taken may cost together, below 64. A row is an action, how many times it may be taken, and what it costs each time.
    A part that costs less than nothing pays for others.
    """
    return -1, 0, 0


# --- Chance that is still to come -----------------------------------------------------------------------------------------


@optional_question("`ensemble:ap=true` and `lazy=true`, and new orders of the stock for its playouts")
def shuffle_stock(state: Record, rng: Array) -> None:
    """Put what lies face down for nobody in any order; all that seats hold stays theirs."""


@optional_question("`ensemble:ap=true`: chance nodes; `ensemble:lazy=true`: draws for each state")
def chance_outcome(state: Record, action: int) -> int:
    """What chance brings if an action is played, as a number from 0; -1 if it has no part in it. Asked of whole states."""
    return -1


# --- What a seat knows ------------------------------------------------------------------------------------------------


@question
def hide(state: Record, seat: int) -> None:
    """Erase what a seat cannot know: the record becomes that seat's view."""


@question
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """Write who may hold which of the cards a seat cannot see into a record that is all zero: see worlds.knowledge."""


@question
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Put the cards drawn, hidden.held, into a view, so that it becomes a whole state."""


@optional_question("`sdmcts` and its kin: each hypothesis about a hidden action is searched")
def assume(state: Record, seat: int, which: int, hidden: Record) -> int:
    """Narrow `hidden`, as `unseen` has written it, to the worlds in which a hypothesis about the last action is true.

    Return how many hypotheses there are, for all that the seat saw of the action; here one: nothing is hidden. For a
    hypothesis that cannot be true, `hidden` must allow no world: some card or some place must be left over.
    """
    return 1


@optional_question("actions that others see face down; `mo-ismcts`")
def seen_as(state: Record, seat: int, action: int) -> int:
    """How a seat sees an action that is about to be played by another; here openly."""
    return int(action)


# --- What actions tell of hidden cards --------------------------------------------------------------------------------


@special_question("learnt policies: `facedown train`, `inference=policy`, `playout=policy`")
def action_features(state: Record, actions: Array, count: int, out: Array) -> tuple[int, int]:
    """Write a row of numbers for each legal action: what a player may look at who chooses among them.

    Return which of `Game.features` the columns are, the first and the one after the last: all others are 0. Only what the
    seat to act may see goes in; asked of whole states.
    """
    raise NotImplementedError


@optional_question("learnt policies: how a seat's cards tell which mode it plays in, and what it may hold")
def seat_features(state: Record, seat: int, out: Array) -> int:
    """Write what a seat may look at when it decides how to play this deal; return how many numbers, 0 where it is too early.

    Their names are `Game.seat_features`. Asked of whole states, before each action of the seat until there are some, when a
    playout by a policy begins, and of worlds: how likely one is, by what the other seats hold in it now. Numbers that are 0
    for every seat when play begins serve only that: they may look at all hands, but all must see whether they are 0.
    """
    return 0


@special_question("`inference=policy`: what the actions of a deal tell of the cards behind them")
def recall(state: Record, world: Record, seat: int, actions: Array) -> int:
    """Turn a new deal into an earlier position of the one that a seat's world comes from, so that its actions lead there.

    `actions` are those of the deal as the seat saw them. Return how many of them lie before that position, the same in all
    worlds: where there are none, nobody asks for `hidden_choices`.
    """
    raise NotImplementedError


@optional_question("`inference=policy`: what choices tell that the seat did not see, as cards passed face down")
def hidden_choices(state: Record, seat: int, weights: Array, chances: Array, room: Array, rng: Array) -> float:
    """How likely the choices were that others made out of a seat's sight, before the position that `recall` has made.

    By a policy, see inference/policy.py; as a logarithm, up to the same constant for all worlds of a view. `chances` has the
    logarithms of how likely each seat is to play in each mode. Where a world leaves these choices open, the mean over some
    draws; what the record says of them may be written over. `room` is to work in: a row for each action, a column for each
    feature.
    """
    return 0.0


# --- What is derived --------------------------------------------------------------------------------------------------


@kernel
def any_action(state: Record, style: int, actions: Array, rng: Array) -> int:
    """Any legal action, uniformly: the answer to `choose` of a game that has no faster one."""
    return int(actions[draw(rng, legal(state, actions))])


@cache
def action_by_action(number: int) -> Answer:
    """The answer to `play_out` of a game that has no faster one in a style."""

    @kernel
    def play_out(state: Record, style: int, actions: Array, rng: Array) -> None:
        while not is_over(state):
            apply(state, choose(state, number, actions, rng))

    return play_out


@kernel
def win_rewards(state: Record, sign: float, kind: int, out: Array) -> None:
    """Turn scores into rewards for winning, the same for all of a side; `sign` is -1 where few points are good."""
    best = sign * out[0]
    for seat in range(out.shape[0]):
        best = max(best, sign * out[seat])
    winner = -1
    tied = False
    for seat in range(out.shape[0]):
        if sign * out[seat] == best:
            side = side_of(state, seat)
            tied |= winner >= 0 and winner != side
            winner = side
    for seat in range(out.shape[0]):
        reward = 0.0
        if sign * out[seat] == best:
            reward = 0.5 if tied else 1.0
        out[seat] = reward if kind != WIN_OR_LOSS else 2.0 * reward - 1.0


def reward_from_scores(worst: float, best: float) -> Answer:
    """The answer to `reward` of a game that has none: the place of a score in its range, or who has won."""
    sign = 1.0 if best > worst else -1.0

    @kernel
    def reward(state: Record, kind: int, out: Array) -> None:
        scores(state, out)
        if kind in (WIN, WIN_OR_LOSS):
            win_rewards(state, sign, kind, out)
            return
        for seat in range(out.shape[0]):
            out[seat] = (out[seat] - worst) / (best - worst)

    return reward


MATCH_REWARD = styled("reward", "match")


# --- Registering a game -----------------------------------------------------------------------------------------------


def register(
    name: str,
    state: np.dtype[Any],
    functions: Iterable[Answer],
    *,
    styles: Mapping[str, Iterable[Answer]] | None = None,
    score_range: tuple[float, float] | None = None,
    match_reward: Answer | None = None,
) -> Rules:
    """Make rules of a record type and the functions that answer questions, each named after its question.

    `styles` has the answers to `choose` and `play_out` in each style that the game plays: `expert`, `reduced`, its own ones,
    and `uniform`, where the game is faster than the questions one by one. `score_range` is the worst score and the best; a
    game that does not answer `reward` needs it. `match_reward` answers `reward` for the kind `match` alone.
    """
    check_record(name, state)
    functions = list(functions)
    refuse_styled(name, functions, STYLED)
    answers = checked_answers(name, functions, QUESTIONS)
    own = set(answers)
    if score_range is not None:
        answers.setdefault("reward", reward_from_scores(*map(float, score_range)))
    check_complete(name, answers, QUESTIONS, REQUIRED)
    if match_reward is not None:
        answers[MATCH_REWARD] = checked_answers(name, [match_reward], {"reward": QUESTIONS["reward"]})["reward"]
        own.add(MATCH_REWARD)
    for name_of_style, listed in {STYLES[UNIFORM]: (), **(styles or {})}.items():
        in_style = checked_answers(name, listed, {question: QUESTIONS[question] for question in STYLED})
        own |= {styled(question, name_of_style) for question in in_style}
        answers[styled("choose", name_of_style)] = in_style.get("choose", any_action)
        answers[styled("play_out", name_of_style)] = in_style.get("play_out", action_by_action(style(name_of_style)))
    return new_rules(name, state, answers, frozenset(own))
