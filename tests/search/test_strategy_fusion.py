"""Strategy fusion: a search of single worlds believes that it can choose differently in worlds it cannot tell apart."""

import pytest

import coin_guess
import facedown as fd


def means(agent: str, seed: int = 0, safe: int = 100) -> tuple[str, dict[str, float]]:
    searcher = fd.agent(agent, seed=seed)
    searcher.choose(coin_guess.GAME.with_options(safe=safe).deal(0).view(0))
    assert searcher.decision is not None
    return searcher.decision.text, {one.text: one.mean for one in searcher.decision.candidates}


def test_the_coin_may_be_either_way() -> None:
    view = coin_guess.GAME.deal(0).view(0)
    assert view.worlds() == len(view.every_world()) == 2
    assert {bytes(view.sample(seed).data.tobytes()) for seed in range(30)} == {
        world.tobytes() for world in view.every_world()
    }


def test_pimc_takes_a_guess_for_as_good_as_safety() -> None:
    _, values = means("pimc:iterations=4000,worlds=25")
    assert values["safe"] == 1
    assert values["guess"] == pytest.approx(1, abs=0.03)


def test_pimc_gives_up_a_little_safety_for_a_guess() -> None:
    for seed in range(5):
        assert means("pimc:iterations=2000,worlds=5,exploration=1", seed, safe=80)[0] == "guess"
        assert means("ismcts:iterations=2000", seed, safe=80)[0] == "safe"


@pytest.mark.parametrize("agent", ["ismcts:iterations=4000,exploration=3", "ismcts:iterations=4000,worlds=50,exploration=3"])
def test_ismcts_knows_that_a_guess_is_worth_a_half_and_plays_safe(agent: str) -> None:
    for seed in range(5):
        choice, values = means(agent, seed)
        assert choice == "safe"
        assert values["safe"] == 1
        assert values["guess"] == pytest.approx(0.5, abs=0.2)
