"""Magic against the rules and the algorithms written once more, slowly."""

import random

import numpy as np
import pytest

import facedown as fd
from facedown import rules
from facedown.compiler.asking import make_move
from facedown.games.magic.plans import PRINTED
from facedown.kernel import COMPILED, copied
from facedown.rng import stream
from facedown.state import State
from naive_magic import NaiveMagic

GAMES = 20 if COMPILED else 3
TAME = "14xland+5x0/4for1+5x1/1for1+4x3/1for1+3x2/5for2+3x4/4for2+4x5/2for3+2x7/7for3"


def naive_of(state: State) -> NaiveMagic:
    """The oracle for a new deal."""
    facts = state.facts
    return NaiveMagic(facts["hands"], facts["library"])


def assert_same(state: State, naive: NaiveMagic) -> None:
    """Both tell the same of the table."""
    game, facts = state.game, state.facts
    assert state.seat == naive.seat
    assert {game.text(action) for action in state.legal} == naive.legal()
    assert facts["life"] == [side.life for side in naive.sides]
    assert facts["lands"] == [side.lands for side in naive.sides]
    assert facts["libraries"] == [len(side.library) for side in naive.sides]
    assert facts["hand_sizes"] == [len(side.hand) for side in naive.sides]
    for seat, side in enumerate(naive.sides):
        shown = [name.split()[0] for name in facts["creatures"][seat]]
        assert shown == [naive.body(creature.card) for creature in side.creatures]
        tapped = [bool(int(state.record.tapped[seat]) >> place & 1) for place in range(len(side.creatures))]
        assert tapped == [creature.tapped for creature in side.creatures]


@pytest.mark.parametrize("game", ["magic", f"magic:deck={TAME}", f"magic:deck1={TAME}"])
def test_random_games_go_as_the_rules_say(game: str) -> None:
    for seed in range(GAMES):
        state = fd.load(game).deal(seed)
        naive = naive_of(state)
        rng = random.Random(seed)
        while not state.over:
            assert_same(state, naive)
            text = state.game.text(rng.choice(state.legal))
            state.play(text)
            naive.play(text)
        assert naive.winner == state.facts["winner"]
        assert state.scores == [int(naive.winner == seat) for seat in range(2)]


@pytest.mark.parametrize("printed", [False, True])
@pytest.mark.parametrize("game", ["magic", f"magic:deck={TAME}", f"magic:deck1={TAME}"])
def test_the_expert_answers_as_the_algorithms_say_in_any_position(game: str, printed: bool) -> None:
    style = PRINTED if printed else rules.EXPERT
    for seed in range(GAMES // 2):
        state = fd.load(game).deal(seed)
        naive = naive_of(state)
        rng = random.Random(seed)
        actions = np.empty(state.game.actions, np.int64)
        while not state.over and len(state.history) < 300:
            text = state.game.text(int(rules.choose(state.record, style, actions, stream(0))))
            if max(len(side.creatures) for side in naive.sides) <= 9:  # more take the oracle too long
                assert text == naive.expert(printed), (seed, len(state.history))
            if rng.random() < 0.3:
                text = state.game.text(rng.choice(state.legal))
            state.play(text)
            naive.play(text)


def test_a_phase_at_a_time_is_what_question_by_question_is() -> None:
    game = fd.load("magic")
    actions = np.empty(game.actions, np.int64)
    seen = np.empty(2, np.int64)
    for seed in range(GAMES):
        rng = random.Random(seed)
        state = game.deal(seed)
        for _ in range(rng.randrange(150)):
            if not state.over:
                state.play(rng.choice(state.legal))
        for style in (rules.EXPERT, PRINTED):
            slow, fast = copied(state.data), copied(state.data)
            while not rules.is_over(slow[0]):
                make_move(slow, int(rules.choose(slow[0], style, actions, stream(0))), seen)
            rules.play_out(fast[0], style, actions, stream(0))
            assert slow.tobytes() == fast.tobytes()
