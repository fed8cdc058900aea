"""Sources of worlds: what a search is given when it asks for the next one."""

from typing import Any, NamedTuple

import numpy as np

import facedown as fd
import fibs
from facedown.kernel import Array, copied, kernel, new_records
from facedown.rng import stream
from facedown.search.ismcts import TreeSearch
from facedown.search.search import Settings
from facedown.view import View
from facedown.worlds.hypothetical import hypotheses_of, hypothetical
from facedown.worlds.source import fixed, fresh, kind_of_source, next_world


@kernel
def draw_from(source: Any, world: Array, out: Array, rng: Array) -> None:
    """Fill out with worlds; `world` has room for one."""
    for place in range(out.shape[0]):
        next_world(source, world, rng)
        out[place] = world[0]


def drawn(source: Any, view: View, count: int, seed: int) -> Array:
    """Worlds of a source."""
    out = new_records(count, view.data.dtype)
    draw_from(source, copied(view.data), out, stream(seed))
    return out


def hearts() -> View:
    """A seat's view at the opening."""
    return fd.load("hearts32").deal(seed=3).view(0)


def test_fresh_worlds_are_those_that_the_view_samples() -> None:
    view = hearts()
    worlds = drawn(fresh(view.data, view.seat, view.unseen()), view, 20, seed=1)
    assert worlds.tobytes() == view.sample_many(20, stream(1)).tobytes()


def test_two_threads_draw_from_one_source_without_disturbing_each_other() -> None:
    view = hearts()
    alone = fresh(view.data, view.seat, view.unseen())
    first = fresh(view.data, view.seat, view.unseen())
    second = first.for_another_thread()
    for seed in range(5):
        held = first.hidden.copy()
        drawn(second, view, 1, seed)
        assert held.tobytes() == first.hidden.tobytes()
        assert drawn(first, view, 2, seed).tobytes() == drawn(alone, view, 2, seed).tobytes()


def test_all_worlds_of_a_fixed_set_come_up_and_no_others() -> None:
    view = hearts()
    worlds = view.sample_many(5, stream(2))
    found = {world.tobytes() for world in drawn(fixed(worlds), view, 200, seed=1)}
    assert found == {world.tobytes() for world in worlds}


@kernel
def number_hypotheses(source: Any, world: Array, out: Array, rng: Array) -> None:
    """Write to which hypothesis each world belongs."""
    for place in range(out.shape[0]):
        out[place] = next_world(source, world, rng)


def test_hypotheses_take_turns_also_from_one_slice_to_the_next() -> None:
    state = next(state for state in map(fibs.GAME.deal, range(50)) if fibs_claimed(state))
    view = state.view(state.seat or 0)
    source = hypothetical(view.data, view.seat, hypotheses_of(view))
    numbers: list[int] = []
    for count in (3, 1, 4):
        out = np.zeros(count, np.int64)
        number_hypotheses(source, copied(view.data), out, stream(count))
        numbers += out.tolist()
    assert numbers == [0, 1] * 4


def fibs_claimed(state: Any) -> bool:
    """Play a claim; whether it may be true or false."""
    state.play(state.legal[0])
    return state.seat is not None and len(hypotheses_of(state.view(state.seat))) == 2


@kernel
def next_in_turn(source: Any, world: Array, rng: Array) -> int:
    """The worlds one after another."""
    own = source.kind[0]
    world[0] = source.positions[own.drawn % source.positions.shape[0]]
    own.drawn += 1
    return 0


IN_TURN = kind_of_source("in_turn", [("drawn", np.int64)], next_in_turn)


class InTurn(NamedTuple):
    """A kind of source that the package does not have."""

    kind: Array
    positions: Array

    @property
    def size(self) -> int:
        return len(self.positions)

    def for_another_thread(self) -> "InTurn":
        return self._replace(kind=copied(self.kind))


def test_a_search_takes_its_worlds_from_a_kind_of_source_that_it_has_never_heard_of() -> None:
    view = hearts()
    source = InTurn(new_records(1, IN_TURN), view.sample_many(3, stream(2)))
    search = TreeSearch(view, Settings(exploration=0.4, reward=0), source, stream(1))
    assert search.advance(50, 50) == 50
    assert int(source.kind["drawn"][0]) == 50
