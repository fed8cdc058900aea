"""Checks of worlds: each is possible, none is missing, and all are drawn equally often."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.audit.positions import OwnPosition, Position
from facedown.audit.report import Example, Finding
from facedown.audit.rewinding import CannotTell
from facedown.audit.slots import card_text
from facedown.cards import bit, cards_of
from facedown.stats import chi_squared, holm, win_rate_by_deal
from facedown.worlds.counting import count_worlds, every_world
from facedown.worlds.knowledge import CARDS, HOLDERS, new_hidden

WORLDS = 8  # drawn at a position and played from their deals
MOST_ARRANGEMENTS = 150  # of the unseen cards, each of which is tried
ARRANGED_POSITIONS = 24
MOST_COUNTED = 500  # worlds that are counted one by one
DRAWS_EACH = 20  # on average, of each world
FEWEST_DRAWS = 1000
MARGINAL_POSITIONS = 10
MARGINAL_DRAWS = 4000
PLACED_AGAIN = 64  # worlds, to find out what `place` draws itself
FALSE_ALARM = 0.001  # how often a correct game fails the check of uniform drawing, by chance


def check_replay(positions: Iterable[Position], worlds: int = WORLDS) -> Finding:
    """Draw worlds and play them from their own deals."""
    scores: list[float] = []
    unit: list[int] = []
    example: Example | None = None
    seen = left_out = 0
    for position in positions:
        seen += 1
        if position.why_no_world is not None:
            scores.append(1.0)
            unit.append(position.deal)
            example = example or position.example(f"no world can be drawn: {position.why_no_world}")
            continue
        if isinstance(position, OwnPosition) and (objection := position.why_not_real):
            scores.append(1.0)
            unit.append(position.deal)
            example = example or position.example(objection)
        for world in position.sample(worlds):
            try:
                fault = position.why_impossible(world)
            except CannotTell:
                left_out += 1
                continue
            scores.append(float(fault is not None))
            unit.append(position.deal)
            if fault is not None:
                example = example or position.example(f"a world that is impossible: {fault}")
    failures = int(sum(scores))
    remark = f"{left_out:,} more worlds were not tried: cards moved unseen, and the game has no `rewind`" if left_out else ""
    share = win_rate_by_deal(scores, unit) if failures else None
    return Finding("replay", seen, len(scores), failures=failures, example=example, share=share, remark=remark)


# --- No more and no fewer -------------------------------------------------------------------------------------------------


def check_complete(positions: Iterable[OwnPosition]) -> Finding:
    """Try all arrangements of the unseen cards where they are few; those that can be played are the worlds."""
    seen = tried = failures = left_out = 0
    example: Example | None = None
    for position in positions:
        if seen == ARRANGED_POSITIONS:
            break
        anything = without_knowledge(position.view.unseen())
        if not 2 <= count_worlds(anything) <= MOST_ARRANGEMENTS:
            continue
        try:
            count, fault = compare_arrangements(position, anything)
        except CannotTell:
            left_out += 1
            continue
        seen += 1
        tried += count
        if fault is not None:
            failures += 1
            example = example or position.example(fault)
    remark = f"{left_out:,} positions were left out: cards moved unseen, and the game has no `rewind`" if left_out else ""
    if not seen:
        nothing = f"no position had so few hidden cards that all of at most {MOST_ARRANGEMENTS} arrangements could be tried"
        return Finding("complete", skipped=True, remark=remark or nothing)
    return Finding("complete", seen, tried, "arrangements", failures, example, remark=remark)


def without_knowledge(hidden: Any) -> Any:
    """The same cards and places, with nothing known of who may hold what."""
    anything = new_hidden(kind=hidden.dtype)
    names = hidden.dtype.names
    for name in ("holders", "pool", "unseen", "room", "batches", "layer", "batch_size"):
        if name in names:
            anything[name] = hidden[name]
    if "batch_fresh" in names:
        anything["batch_fresh"] = CARDS
    anything["may_hold"][0] = np.where(hidden["room"][0] > 0, hidden["unseen"][0], np.uint64(0))
    return anything


def compare_arrangements(position: OwnPosition, anything: Any) -> tuple[int, str | None]:
    """How many arrangements there are, and what is wrong if the possible ones are not the view's worlds."""
    claimed = {tuple(held) for held in every_world(position.view.unseen())}
    counted = position.view.worlds()
    if counted != len(claimed):
        return len(claimed), f"view.worlds() is {counted}, and there are {len(claimed)}"
    tried = 0
    fault = None
    records = set()
    rng = position.stream(1)
    for held in every_world(anything):
        tried += 1
        world = position.world(position.claims.placed(held, rng))
        why = position.why_impossible(world)
        claim = tuple(held) in claimed
        if claim:
            records.add(world.data.tobytes())
        if claim and why is not None:
            fault = fault or f"counted as a world, but impossible ({holdings(held)}): {why}"
        elif not claim and why is None:
            fault = fault or f"possible, but not counted as a world: {holdings(held)}"
    different = len({as_seen(position, held) for held in claimed})
    if fault is None and len(records) < different:
        fault = f"{different} worlds give {len(records)} different states: `place` loses some of the cards drawn"
    return tried, fault


def as_seen(position: OwnPosition, held: Iterable[int]) -> tuple[Any, ...]:
    """What distinguishes a world from others: who has which card, or how many of each kind where cards look alike."""
    if position.state.game.look_alike is None:
        return tuple(held)
    kinds = position.state.game.look_alike(position.view.record, position.seat)
    return tuple(tuple(sorted(kinds[card] for card in cards_of(cards))) for cards in held)


def holdings(held: Iterable[int]) -> str:
    """Who has what, in words; holders after the seats are a stock or the like."""
    parts = [f"holder {holder}: {' '.join(map(card_text, cards_of(cards)))}" for holder, cards in enumerate(held) if cards]
    return ", ".join(parts)


# --- Equally often --------------------------------------------------------------------------------------------------------


def check_uniform(positions: Iterable[OwnPosition]) -> Finding:
    """Draw worlds and test whether all are equally frequent: world by world if there are few, otherwise card by card."""
    tests: list[tuple[float, Example]] = []
    draws = marginal = 0
    for position in positions:
        worlds = position.view.worlds()
        if worlds < 2:
            continue
        if worlds <= MOST_COUNTED:
            test = world_by_world(position) or card_by_card(position)
        elif marginal < MARGINAL_POSITIONS:
            marginal += 1
            test = card_by_card(position)
        else:
            continue
        if test is not None:
            p, words, count = test
            tests.append((p, position.example(words)))
            draws += count
    if not tests:
        return Finding("uniform", skipped=True, remark="no position had a choice of worlds that could be counted")
    adjusted = holm([p for p, _ in tests])
    faults = [example for p, (_, example) in zip(adjusted, tests, strict=True) if p < FALSE_ALARM]
    return Finding("uniform", len(tests), draws, "draws", len(faults), next(iter(faults), None), p=min(adjusted))


Test = tuple[float, str, int]  # p, the largest deviation in words, and how many worlds were drawn


def world_by_world(position: OwnPosition) -> Test | None:
    """Chi-squared of the worlds drawn, where all can be listed; None if `place` makes them look alike."""
    slots, rng = position.rewinding.slots, position.stream(2)
    every = list(every_world(position.view.unseen()))

    def place_all() -> NDArray[np.uint64]:
        return slots.table(np.concatenate([position.claims.placed(held, rng) for held in every]))

    first = place_all()
    steady = np.ones(first.shape[1], np.bool_)  # what `place` does not draw itself, such as the order of a stock
    for _ in range(1 + PLACED_AGAIN // len(every)):
        steady &= (place_all() == first).all(axis=0)
    names = dict(zip(keys(first, steady), every, strict=True))
    if len(names) < len({as_seen(position, held) for held in every}):
        return None
    times = Counter(keys(first, steady))  # the number of worlds with each key
    count = max(FEWEST_DRAWS, DRAWS_EACH * len(every))
    drawn = Counter(keys(slots.table(position.view.sample_many(count, position.stream(3))), steady))
    if stranger := next((key for key in drawn if key not in names), None):
        return 0.0, f"a world was drawn {drawn[stranger]} times in {count} that is not among the {len(every)} counted", count
    observed = [drawn[key] for key in names]
    expected = [times[key] * count / len(every) for key in names]
    _, key, often = max(
        (abs(seen - wanted), key, wanted) for key, seen, wanted in zip(names, observed, expected, strict=True)
    )
    words = f"{count} draws of {len(every)} worlds: {drawn[key]} times, not about {often:.0f}, {holdings(names[key])}"
    return (chi_squared(observed, expected).p if len(names) > 1 else 1.0), words, count


def keys(table: NDArray[np.uint64], columns: NDArray[np.bool_]) -> list[bytes]:
    """Some columns of each row, as one key."""
    return [row.tobytes() for row in np.ascontiguousarray(table[:, columns])]


def card_by_card(position: OwnPosition) -> Test | None:
    """How often each holder has each card, against the exact share of worlds; None if no slot is a holder's own."""
    from scipy.stats import binom

    slots, own_slots = position.rewinding.slots, position.claims.own_slots
    if not own_slots:
        return None
    table = slots.table(position.view.sample_many(MARGINAL_DRAWS, position.stream(3)))
    hidden = position.view.unseen()
    least, words, tests = 1.0, "", 0
    for holder, slot in own_slots.items():
        if holder >= HOLDERS:
            continue  # a batch: its exact shares are not counted card by card
        for card, share in shares(hidden, holder):
            times = int((table[:, slot] >> np.uint64(card) & np.uint64(1)).sum())
            tests += 1
            p = 2 * min(binom.cdf(times, MARGINAL_DRAWS, share), binom.sf(times - 1, MARGINAL_DRAWS, share))
            if p < least or not words:
                expected = f"{times} times in {MARGINAL_DRAWS} draws, not about {MARGINAL_DRAWS * share:.0f}"
                least, words = p, f"{slots.names[slot]} has {card_text(card)} {expected}"
    return (min(1.0, least * tests), words, MARGINAL_DRAWS) if tests else None


def shares(hidden: Any, holder: int) -> Iterator[tuple[int, float]]:
    """Each unseen card, and the exact share of worlds in which a holder has it."""
    total = count_worlds(hidden)
    for card in cards_of(hidden[0].unseen):
        if int(hidden[0].known[holder]) >> card & 1:
            yield card, 1.0
        elif any(int(known) >> card & 1 for known in hidden[0].known) or not int(hidden[0].may_hold[holder]) >> card & 1:
            yield card, 0.0
        else:
            fixed = hidden.copy()
            fixed[0].known[holder] |= bit(card)
            yield card, count_worlds(fixed) / total
