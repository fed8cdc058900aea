"""Where a seat knows every card there is one world, and a search of it may be UCT (Fernandes 2016, section 6.6)."""

import pytest

import facedown as fd
from facedown.agents.worlds import only_world
from facedown.state import State
from solving import late


def known_world(state: State, seat: int) -> bool:
    """Whether a seat is certain of the world, which is then the true one."""
    view = state.view(seat)
    world = only_world(view, view.unseen())
    if world is not None:
        assert view.worlds() == 1
        assert world.tobytes() == state.data.tobytes()
    return world is not None


@pytest.mark.parametrize("game", fd.games())
def test_the_only_world_is_the_true_one(game: str) -> None:
    for seed in range(3):
        state = fd.load(game).deal(seed)
        known = [known_world(state, 0)]
        while not state.over:
            state.play(state.legal[seed % len(state.legal)])
            known.append(known_world(state, 0))
        assert not known[0]
        assert game in ("cheat", "magic", "hearts") or known[-2]  # which may end before all cards are known


@pytest.mark.parametrize(
    "agent",
    [
        "ismcts",
        "ismcts:worlds=50",
        "ismcts:inference=policy",
        "ismcts:sampler=possibility-matrix",
        "ismcts-t",
        "ismcts-t:inference=policy",
        "mo-ismcts",
        "mo-ismcts:inference=policy",
        "epimc",
        "pimc:worlds=5",
        "pimc:worlds=5,inference=policy",
    ],
)
def test_every_search_has_one_world_and_its_whole_budget_where_bisca_has_no_stock(agent: str) -> None:
    state = next(state for state in (late("bisca", 11, seed) for seed in range(9)) if len(state.legal) > 1)
    player = fd.agent(f"{agent}{',' if ':' in agent else ':'}iterations=40,one_world=uct")
    player.choose(state.view(state.seat or 0))
    assert player.decision is not None
    assert player.decision.iterations == (200 if agent.startswith("pimc") else 40)
    assert player.decision.worlds == (0 if agent.startswith("mo-ismcts") else 1)
