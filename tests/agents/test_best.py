import pytest

import facedown as fd


@pytest.mark.parametrize("game", ["hearts:passing=hold", "sueca", "cheat"])
def test_best_is_the_game_s_own_choice_with_a_budget(game: str) -> None:
    state = fd.load(game).deal(1)
    while len(state.legal) == 1:
        state.play(state.legal[0])
    view = state.view(state.seat or 0)
    best = fd.agent("best:iterations=200", seed=5)
    strongest = fd.agent(f"{view.game.best}{',' if ':' in view.game.best else ':'}iterations=200", seed=5)
    assert best.choose(view) == strongest.choose(view)
    assert best.decision is not None
    assert best.decision.candidates


def test_levels_see_no_more_than_others_and_repeat_themselves() -> None:
    state = fd.load("hearts:passing=hold").deal(2)
    for name in ("easy", "normal", "hard:iterations=300"):
        agent = fd.agent(name, seed=3)
        assert not agent.sees_all
        view = state.view(state.seat or 0)
        assert agent.choose(view) == fd.agent(name, seed=3).choose(view)


def test_a_beginner_slips_and_a_good_player_does_not() -> None:
    state = fd.load("sueca").deal(4)
    view = state.view(state.seat or 0)
    chosen = set()
    for seed in range(30):
        easy = fd.agent("easy", seed=seed)
        chosen.add(easy.choose(view))
        assert easy.decision is not None
        assert easy.choose(view) == easy.decision.action  # a slip is what the decision says
    assert len(chosen) > 2
    for seed in range(3):
        hard = fd.agent("hard:iterations=300", seed=seed)
        assert hard.choose(view) == (hard.decision.action if hard.decision else None)


def test_best_takes_seconds_or_iterations() -> None:
    best = fd.agent("best:seconds=0.05", seed=1)
    view = fd.load("sueca").deal(1).view(0)
    best.choose(view)
    assert best.decision is not None
    assert best.decision.seconds < 0.5
