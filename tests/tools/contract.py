"""What every game must do, whatever its rules: call `check` with a game and seeds. No game is excused by name."""

import random
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pytest

from facedown import Game, GameRecord, IllegalMove, State, View
from facedown.cards import parse
from facedown.compiler.asking import write_rewards
from facedown.errors import BadText
from facedown.rewards import REWARDS

LONGEST_GAME = 20_000  # actions; a game that takes longer does not end


def check(game: Game, seeds: Iterable[int], look: float = 0.1) -> None:
    """Play a game at random for each seed and check it; the checks that cost more come with probability `look`."""
    check_texts(game)
    for seed in seeds:
        rng = random.Random(f"{game.full_name} {seed}")
        state = game.deal(seed)
        check_dealt(state)
        copies = [state.copy()]
        while not state.over:
            assert len(state.history) < LONGEST_GAME
            check_turn(state)
            if rng.random() < look:
                copies[1:] = [state.copy()]
                check_refusals(state, rng)
                check_copy(state)
                check_cards(state)
                check_views(state, rng)
            state.play(rng.choice(state.legal))
        for copy in copies:
            for _, action in state.history[len(copy.history) :]:
                copy.play(action)
            assert copy == state
        check_end(state)
        check_record(state)


def check_texts(game: Game) -> None:
    """Text and action are one to one."""
    texts = [game.text(action) for action in range(game.actions)]
    assert len(set(texts)) == game.actions
    assert [game.parse(text) for text in texts] == list(range(game.actions))
    for text in ("", "no such action", "🂡"):
        with pytest.raises(BadText, match="expected"):
            game.parse(text)


def check_dealt(state: State) -> None:
    """The same seed deals the same cards, and another seed other ones."""
    same, other = state.game.deal(state.seed), state.game.deal(state.seed + 1)
    assert state.data.tobytes() == same.data.tobytes()
    assert state.data.tobytes() != other.data.tobytes()
    assert state.history == []
    assert state.facts == same.facts


def check_turn(state: State) -> None:
    """It is somebody's turn, who has something to do; the legal actions come in order, each once."""
    assert state.seat in range(state.game.seats)
    legal = state.legal
    assert legal
    assert legal == sorted(set(legal))
    assert all(0 <= action < state.game.actions for action in legal)


def check_refusals(state: State, rng: random.Random) -> None:
    """An illegal action is refused, and nothing has changed; a legal one may be named by number or by text."""
    before, history, legal = state.data.tobytes(), state.history, state.legal
    illegal = [action for action in range(-1, state.game.actions + 1) if action not in legal]
    wrong: list[Any] = [*rng.sample(illegal, min(3, len(illegal))), None, 0.5]
    for action in wrong:
        with pytest.raises(IllegalMove, match="expected"):
            state.play(action)
    with pytest.raises(BadText, match="expected"):
        state.play("no such action")
    assert (state.data.tobytes(), state.history, state.legal) == (before, history, legal)
    action = rng.choice(legal)
    named, numbered = state.copy(), state.copy()
    named.play(state.game.text(action))
    numbered.play(action)
    assert named == numbered
    assert named.history == [*history, (state.seat, action)]


def check_copy(state: State) -> None:
    """A copy is equal, plays on alike, and shares nothing."""
    before, history = state.data.tobytes(), state.history
    twin, again = state.copy(), state.copy()
    assert twin == state
    assert not np.shares_memory(twin.data, state.data)
    for _ in range(3):
        if not twin.over:
            again.play(twin.legal[-1])
            twin.play(twin.legal[-1])
    assert twin == again
    assert (state.data.tobytes(), state.history) == (before, history)
    twin.history.clear()
    twin.legal.clear()
    assert twin == again
    assert twin.legal == again.legal


def check_cards(state: State) -> None:
    """No card is in two hands, and the facts of a state name every card of the deal, wherever it lies."""
    if "hands" not in (state.data.dtype.names or ()):
        return
    hands = [card for hand in state.hands for card in hand]
    assert len(hands) == len(set(hands))
    dealt = state.game.deal(state.seed)
    assert cards_named(dealt.facts) <= cards_named(state.facts)


def cards_named(fact: Any) -> set[str]:
    """All cards that stand in a fact, however deep."""
    if isinstance(fact, dict):
        fact = list(fact.values())
    if isinstance(fact, list | tuple):
        return set().union(*(cards_named(part) for part in fact))
    return {fact} if isinstance(fact, str) and is_card(fact) else set()


@cache
def is_card(text: str) -> bool:
    """Whether a text names a card."""
    try:
        parse(text)
    except BadText:
        return False
    return True


def check_views(state: State, rng: random.Random) -> None:
    """A seat's view is the same however it is made; the worlds drawn from it keep all that the seat knows."""
    before = state.data.tobytes()
    for seat in range(state.game.seats):
        view = state.view(seat)
        assert view == state.copy().view(seat)
        assert view.to_move == state.seat
        assert [action for _, action in view.history if not 0 <= action < state.game.actions] == []
        assert [mover for mover, _ in view.history] == [mover for mover, _ in state.history]
        if seat == state.seat:
            assert view.legal == state.legal
            assert view.worlds() >= 1
        check_world(view, state, rng.randrange(2**32))
    assert state.data.tobytes() == before


def check_world(view: View, state: State, seed: int) -> None:
    """A world drawn from a view keeps all that the seat knows, and every hand's size."""
    world = view.sample(seed)
    assert world == view.sample(seed)
    assert bytes(world.view(view.seat)) == bytes(view)
    check_turn(world)
    if view.seat == state.seat:
        assert world.legal == state.legal
    if "hands" in (state.data.dtype.names or ()):
        assert [len(hand) for hand in world.hands] == [len(hand) for hand in state.hands]
        assert world.hands[view.seat] == state.hands[view.seat]
        assert cards_named(world.facts) == cards_named(state.facts)


def check_end(state: State) -> None:
    """At the end nobody may act, and every seat has a score and, of each kind the game has, a reward in its range."""
    assert (state.seat, state.legal) == (None, [])
    assert len(state.scores) == state.game.seats
    with pytest.raises(IllegalMove, match="expected no more actions: the game is over"):
        state.play(0)
    for kind in state.game.rewards:
        rewards = np.full(state.game.seats, np.nan)
        write_rewards(state.data, REWARDS[kind], rewards)
        assert ((rewards >= (-1 if kind in ("wl", "sd") else 0)) & (rewards <= 1)).all()
    for seat in range(state.game.seats):
        assert state.view(seat).over
        assert state.view(seat).scores == state.scores


def check_record(state: State) -> None:
    """A record survives its text, and playing it again gives the same game."""
    record = GameRecord(
        game=state.game.full_name,
        version=state.game.version,
        seed=state.seed,
        agents=["random"] * state.game.seats,
        history=state.history,
        actions=[state.game.text(action) for _, action in state.history],
        scores=state.scores,
    )
    again = GameRecord.from_json(record.to_json())
    assert again == record
    replayed = again.replay()
    assert replayed == state
    assert replayed.scores == record.scores
