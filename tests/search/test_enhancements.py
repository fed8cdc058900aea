"""Episodes (EPIC), and several playout policies at once: what is learnt, who decides, every game."""

import json
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.kernel import COMPILED, Array, kernel, new_records
from facedown.rng import stream
from facedown.search.playouts.combined import Chain, Noted
from facedown.search.playouts.episodes import EPISODE, key_in_episode, learn_episodes
from facedown.search.playouts.ngrams import first_key, learn_sequence, ngram_table, place_of
from facedown.search.playouts.playout import one_move, uniform
from facedown.search.playouts.replies import place_of as place_of_reply
from facedown.search.playouts.replies import reply_table
from facedown.search.run import new_run
from interpreting import interpreted
from solving import late

SEATS, ACTIONS = 4, 53
ALL_AT_ONCE = "ismcts:iterations=3,rave=20,playout=last-good-reply+epic"


# --- Episodes ---------------------------------------------------------------------------------------------------------


def moves_of(*moves: tuple[int, int, int]) -> Array:
    """Moves by (episode, seat, action), as policies keep them: their number comes first."""
    coded = [(episode * SEATS + seat) * ACTIONS + action for episode, seat, action in moves]
    return np.array([len(coded), *coded], np.int64)


def learnt(memory: Array, key: int) -> tuple[int, float]:
    """Visits and reward of a sequence."""
    entry = memory[place_of(memory, key)]
    return (int(entry["visits"]), float(entry["reward"])) if entry["key"] == key else (0, 0.0)


def test_a_sequence_is_the_same_in_every_episode_and_no_longer_than_one() -> None:
    """Powley, Cowling and Whitehouse 2014: what is learnt of a position in an episode serves all episodes."""
    run = new_run(seats=SEATS, actions=ACTIONS)
    moves = moves_of((0, 0, 5), (1, 0, 7), (1, 1, 9), (2, 0, 7), (2, 1, 9))
    memory = new_records(64, EPISODE)
    learn_episodes(memory, run[0], moves, np.array([0.25, 1.0, 0.0, 0.0]))
    led, answered = (key_in_episode(run[0], moves, count, seat, 2) for count, seat in ((3, 0), (4, 1)))
    assert learnt(memory, led + 7) == (2, 0.5)
    assert learnt(memory, answered + 9) == (2, 2.0)
    assert learnt(memory, led + 9) == (0, 0.0)


def test_an_episode_that_began_before_the_root_is_kept_apart() -> None:
    run = new_run(seats=SEATS, actions=ACTIONS)
    moves = moves_of((3, 0, 7), (4, 0, 7))
    assert key_in_episode(run[0], moves, 0, 0, 3) != key_in_episode(run[0], moves, 1, 0, 4)


@pytest.mark.parametrize(("game", "size"), [("hearts32", 4), ("sueca", 4), ("bisca", 2)])
def test_an_episode_is_a_trick(game: str, size: int) -> None:
    state = fd.load(game).deal(1)
    found = []
    while not state.over:
        found.append(int(episode_of(state.data)))
        state.play(state.legal[0])
    assert found == [found[0] + place // size for place in range(len(found))]


@kernel
def episode_of(data: Any) -> int:
    """The number of the episode."""
    return fd.rules.episode(data[0])


# --- Several at once --------------------------------------------------------------------------------------------------


@kernel
def next_move(memory: Any, runs: Any, data: Any, moves: Any, actions: Any, rng: Any) -> int:
    """What a chain of policies plays."""
    return int(one_move(memory, runs[0], data[0], moves, actions, rng))


def test_the_first_policy_that_prefers_an_action_decides() -> None:
    state = next(state for state in (late("hearts32", 16, seed) for seed in range(9)) if len(state.legal) > 2)
    seat, legal, actions = state.seat or 0, state.legal, state.game.actions
    run = new_run(seats=SEATS, actions=actions, ngram=1, policy=1, parameter=0.0)
    replies, means = reply_table(), ngram_table(1)
    chain = Chain(replies, run, Chain(means, run, Noted(uniform())))
    moves, room = np.zeros(20, np.int64), np.empty(actions, np.int64)

    def played() -> set[int]:
        rng = stream(1)
        return {int(next_move(chain, run, state.data, moves, room, rng)) for _ in range(60)}

    assert played() == set(legal)  # neither has learnt anything: any action
    key = int(first_key(run[0], moves, 0, seat))
    for action, reward in zip(legal, (0.2, 0.9, 0.4), strict=False):
        learn_sequence(means, key + action, reward)
    assert played() == {legal[1]}
    replies["reply"][place_of_reply(replies, run[0], moves, 0, seat)] = legal[2] + 1
    assert played() == {legal[2]}


@pytest.mark.parametrize("game", fd.games())
def test_every_game_is_played_with_everything_at_once(game: str) -> None:
    agents = [ALL_AT_ONCE] + ["random"] * (fd.load(game).seats - 1)
    first, second = fd.play(game, agents, seed=2), fd.play(game, agents, seed=2)
    assert first.actions == second.actions


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "ismcts:playout=rules+mast",
            "option playout: expected rules last, since it always has an action, got 'rules\\+mast'",
        ),
        ("ismcts:playout=mast+mast", "option playout: expected one of uniform, .*, or some of them joined by \\+, got"),
        ("ismcts:playout=mast+luck", "option playout: expected one of uniform, .* joined by \\+, got 'mast\\+luck'"),
        ("ismcts:playout=policy+", "option playout: expected one of uniform, .* joined by \\+, got 'policy\\+'"),
        (
            "ismcts:playout=mast+rules,opponents=policy",
            "option opponents: expected playout=policy with opponents=policy, got",
        ),
    ],
)
def test_an_order_that_makes_no_sense_is_refused(text: str, message: str) -> None:
    with pytest.raises(fd.BadOption, match=message):
        fd.agent(text)


def test_other_searches_take_several_policies_too() -> None:
    state = next(state for state in (late("hearts32", 14, seed) for seed in range(9)) if len(state.legal) > 2)
    agent: Any = fd.agent("epimc:iterations=20,playout=nast+rules", seed=1)
    assert agent.choose(state.view(state.seat or 0)) == agent.choose(state.view(state.seat or 0))


# --- Compiled and interpreted -----------------------------------------------------------------------------------------

TEXTS = ["ismcts:iterations=30,rave=20", "ismcts:iterations=30,playout=epic", ALL_AT_ONCE.replace("=3,", "=30,")]


def found(texts: list[str]) -> Any:
    """What searches decide in one position, and their trees."""
    state = next(state for state in (late("hearts32", 16, seed) for seed in range(9)) if len(state.legal) > 2)
    results = []
    for text in texts:
        agent: Any = fd.agent(text, seed=4)
        agent.choose(state.view(state.seat or 0))
        results.append([[one.action, one.visits, round(one.mean, 9)] for one in agent.decision.candidates])
    return json.loads(json.dumps(results))


def test_interpreted_and_compiled_searches_agree() -> None:
    assert COMPILED
    assert found(TEXTS) == interpreted("test_enhancements", "found", TEXTS)
