"""Worlds with cards laid face down in batches: against all histories there could have been."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

import facedown as fd
from cheat_positions import set_up
from drawing_worlds import draw_many_laid
from facedown import rules
from facedown.cards import mask_of
from facedown.kernel import COMPILED
from facedown.rng import stream
from facedown.worlds import exact
from facedown.worlds.batches import with_batches
from facedown.worlds.counting import count_worlds, every_world
from facedown.worlds.knowledge import HOLDERS

LAYER, STOCK = 1, 2
World = tuple[frozenset[int], ...]  # the hand, the stock and the batches

# Cards the layer is known to have had, how many others it had, and what happened: a card taken, or so many laid.
HISTORIES: dict[str, tuple[int, int, list[int | str], int]] = {
    "one batch": (0, 3, [2], 2),
    "all cards are known": (3, 0, [1, 1], 2),
    "taken after the first batch": (2, 0, [1, "take", 1], 2),
    "taken twice": (2, 1, [2, "take", 1, "take", 1], 1),
    "many batches": (1, 2, [1, "take", 1, 1, "take"], 1),
    "no stock left": (2, 1, [1, "take", 2], 0),
    "a big batch late": (2, 1, [1, "take", "take", 3], 1),
}


def every_history(had: int, fresh: int, events: list[int | str], stock: int) -> Iterator[World]:
    """Play all deals of the fresh cards and all choices of cards to lay; the worlds that come of it, with repetition."""
    known = list(range(had))
    takes = events.count("take")
    others = list(range(had, had + fresh + takes + stock))

    def go(hand: frozenset[int], left: list[int], number: int, batches: tuple[frozenset[int], ...]) -> Iterator[World]:
        if number == len(events):
            yield hand, frozenset(left), *batches
        elif events[number] == "take":
            yield from go(hand | {left[0]}, left[1:], number + 1, batches)
        else:
            for cards in combinations(sorted(hand), int(events[number])):
                yield from go(hand - set(cards), left, number + 1, (*batches, frozenset(cards)))

    for order in permutations(others):
        yield from go(frozenset(known) | set(order[:fresh]), list(order[fresh:]), 0, ())


def described(had: int, fresh: int, events: list[int | str], stock: int) -> Any:
    """The same as a HIDDEN record."""
    hidden = exact.new_hidden(kind=with_batches(4))
    record = hidden[0]
    takes = events.count("take")
    record.holders, record.layer = 3, LAYER
    record.had = mask_of(range(had))
    record.unseen = record.pool = mask_of(range(had + fresh + takes + stock))
    record.room[STOCK] = stock
    came = fresh
    for event in events:
        if event == "take":
            came += 1
        else:
            record.batch_size[record.batches] = event
            record.batch_fresh[record.batches] = came
            record.batches += 1
    record.room[LAYER] = had + fresh + takes - int(record.batch_size.sum())
    return hidden


def world_of(held: Any, batches: int) -> World:
    masks = [int(held[LAYER]), int(held[STOCK]), *(int(held[HOLDERS + batch]) for batch in range(batches))]
    return tuple(frozenset(card for card in range(64) if mask >> card & 1) for mask in masks)


@pytest.mark.parametrize("name", HISTORIES)
def test_the_worlds_are_those_that_some_history_leads_to(name: str) -> None:
    hidden = described(*HISTORIES[name])
    possible = set(every_history(*HISTORIES[name]))
    listed = [world_of(held, int(hidden[0].batches)) for held in every_world(hidden)]
    assert len(set(listed)) == len(listed)
    assert set(listed) == possible
    assert count_worlds(hidden) == len(possible)


@pytest.mark.parametrize("name", HISTORIES)
def test_each_world_is_drawn_as_often_as_any_other(name: str) -> None:
    hidden = described(*HISTORIES[name])
    possible = set(every_history(*HISTORIES[name]))
    exact.prepare(hidden)
    out = np.zeros((len(possible) * (200 if COMPILED else 20), len(hidden[0].held)), np.uint64)
    draw_many_laid(hidden, stream(1), out)
    drawn = Counter(world_of(held, int(hidden[0].batches)) for held in out)
    assert drawn.keys() <= possible
    assert stats.chisquare([drawn[world] for world in possible]).pvalue > 0.001


@pytest.mark.parametrize("marked", [{0}, {0, 1}, {1, 4}, {2, 3, 4}])
@pytest.mark.parametrize("fewest", [(0, 0), (1, 0), (0, 1), (2, 0)])
def test_a_last_batch_with_so_many_marked_cards(marked: set[int], fewest: tuple[int, int]) -> None:
    history: tuple[int, int, list[int | str], int] = (2, 1, [1, "take", 2], 1)
    hidden = described(*history)
    hidden[0].marked = mask_of(marked)
    hidden[0].fewest_marked, hidden[0].fewest_unmarked = fewest
    possible = {
        world
        for world in every_history(*history)
        if len(world[-1] & marked) >= fewest[0] and len(world[-1] - marked) >= fewest[1]
    }
    assert count_worlds(hidden) == len(possible)
    assert {world_of(held, 2) for held in every_world(hidden)} == possible
    if not possible:
        with pytest.raises(fd.NoWorlds):
            exact.prepare(hidden)
        return
    exact.prepare(hidden)
    out = np.zeros((len(possible) * (300 if COMPILED else 20), len(hidden[0].held)), np.uint64)
    draw_many_laid(hidden, stream(2), out)
    drawn = Counter(world_of(held, 2) for held in out)
    assert drawn.keys() <= possible
    assert len(possible) == 1 or stats.chisquare([drawn[world] for world in possible]).pvalue > 0.001


def test_a_card_known_to_be_in_the_hand_is_left_there() -> None:
    history = HISTORIES["taken twice"]
    hidden = described(*history)
    total = count_worlds(hidden)
    for card in range(5):
        fixed = hidden.copy()
        fixed[0].known[LAYER] = mask_of([card])
        with_card = sum(card in world[0] for world in set(every_history(*history)))
        assert count_worlds(fixed) == with_card
        assert with_card <= total


def test_hypotheses_divide_the_worlds_of_a_view() -> None:
    state = set_up("3C 7C", "2C 5D 8H", "5", claims=[(0, "6", "KC"), (1, "7", "7H 9D")], stock="TC TD TH")
    view = state.view(0)
    parts = []
    for which in range(2):
        hidden = view.unseen()
        assert rules.assume(view.record, 0, which, hidden[0]) == 2
        parts.append(count_worlds(hidden))
    assert sum(parts) == view.worlds()
    assert state.game.hypothesis(state.record, 0) == 1


def test_a_claim_that_cannot_be_true_leaves_no_world_for_it() -> None:
    state = set_up("7C 7D 7S", "2C 5D 8H", "5", claims=[(1, "7", "7H 9D")], stock="TC TD TH")
    hidden = state.view(0).unseen()
    rules.assume(state.view(0).record, 0, 0, hidden[0])
    with pytest.raises(fd.NoWorlds):
        exact.prepare(hidden)


def test_only_the_exact_sampler_knows_of_cards_laid() -> None:
    state = set_up("3C 7C", "2C 5D 8H", "5", claims=[(1, "6", "KC")], stock="TC TD TH")
    with pytest.raises(fd.BadOption, match="only exact"):
        state.view(0).sample(seed=1, sampler="accept-reject")
