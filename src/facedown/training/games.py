"""Games to train on: those of make-believe people, played into a store, and those that a store has."""

from collections.abc import Iterator, Sequence


def pairs(people: Sequence[int], games: int) -> Iterator[tuple[int, int]]:
    """Who plays whom: rounds of the circle method, so that all play equally often, and change seats."""
    ring: list[int | None] = [*people, *([None] if len(people) % 2 else [])]
    half, count = len(ring) // 2, 0
    while True:
        for first, second in zip(ring[:half], reversed(ring[half:]), strict=True):
            if first is None or second is None:
                continue
            lap, number = divmod(count, len(people) * (len(people) - 1) // 2)
            yield (first, second) if (lap + number // half) % 2 == 0 else (second, first)
            count += 1
            if count == games:
                return
        ring = [ring[0], ring[-1], *ring[1:-1]]
