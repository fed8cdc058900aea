"""In Cheat no agent but the declared cheater may care what lies hidden: views and choices over worlds that look alike."""

import random

import pytest

import facedown as fd
from facedown.kernel import COMPILED

HONEST = ["random", "ismcts:iterations=40", "mo-ismcts:iterations=40", "pimc:worlds=3,iterations=20", "mga:iterations=40"]
HONEST += ["sdmcts:iterations=40", "pmga:iterations=40", "cheat-person:style=3", "cheat-person:style=77"]
DEALS = 4 if COMPILED else 1


def after_a_claim(seed: int) -> fd.State:
    """A position with a claim to answer, with some piles shown before."""
    rng = random.Random(seed)
    state = fd.load("cheat").deal(seed)
    while len(state.history) < 14 or state.facts["last_action"] != "claim":
        state.play(rng.choice(state.legal), seconds=round(rng.uniform(1, 9), 1))
        if state.over:
            return after_a_claim(seed + 1000)
    return state


@pytest.mark.parametrize("text", HONEST)
def test_a_choice_is_the_same_whatever_lies_hidden(text: str) -> None:
    for seed in range(DEALS):
        state = after_a_claim(seed)
        view = state.view(state.seat or 0)
        choice = fd.agent(text, seed=seed).choose(view)
        for world in range(4):
            other = view.sample(seed=world)
            assert other.data.tobytes() != state.data.tobytes()
            assert fd.agent(text, seed=seed).choose(other.view(view.seat)) == choice


def test_only_the_agent_that_says_so_sees_all() -> None:
    assert fd.agent("fpmga").sees_all
    assert not any(fd.agent(text).sees_all for text in HONEST)


def test_the_one_that_peeks_believes_what_was_laid_as_often_as_it_says() -> None:
    state = after_a_claim(2)
    kind = 0 if state.facts["last_claim_true"] else 1
    right = 0
    for seed in range(400):
        agent = fd.agent("fpmga:iterations=4", seed=seed)
        agent.choose(state)
        assert agent.decision is not None
        assert sorted(agent.decision.beliefs) == pytest.approx([0.15, 0.85])
        right += agent.decision.beliefs[kind] > 0.5
    assert abs(right / 400 - 0.85) < 0.06
