import numpy as np
import pytest
from scipy import stats

from facedown.rng import draw, random_bits, rotate_left, shuffle, stream, uniform

MASK = 2**64 - 1


def xoroshiro(a: int, b: int) -> tuple[int, int, int]:
    """The generator as its authors print it, on Python's own integers."""

    def rotated(number: int, places: int) -> int:
        return (number << places | number >> 64 - places) & MASK

    result = (rotated((a + b) & MASK, 17) + a) & MASK
    b ^= a
    return result, rotated(a, 49) ^ b ^ (b << 21 & MASK), rotated(b, 28)


def test_numbers_are_those_of_xoroshiro128plusplus() -> None:
    rng = stream(5)
    a, b = int(rng[0]), int(rng[1])
    for _ in range(100):
        expected, a, b = xoroshiro(a, b)
        assert int(random_bits(rng)) == expected >> 32


def test_a_rotation_brings_high_bits_round() -> None:
    assert int(rotate_left(np.uint64(1 << 63), 1)) == 1


def test_the_same_seed_and_path_give_the_same_stream() -> None:
    assert stream(3, 1, 4).tolist() == stream(3, 1, 4).tolist()


def test_other_paths_give_other_streams() -> None:
    seen = {tuple(stream(seed, *path).tolist()) for seed in range(20) for path in [(), (0,), (1,), (0, 0), (0, 1)]}
    assert len(seen) == 100


@pytest.mark.parametrize("choices", [2, 3, 13, 52])
def test_draws_are_uniform(choices: int) -> None:
    rng = stream(11, choices)
    counts = np.bincount([draw(rng, choices) for _ in range(20_000)], minlength=choices)
    assert stats.chisquare(counts).pvalue > 0.001


def test_shuffles_are_uniform_and_stay_inside_their_range() -> None:
    rng = stream(2)
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(12_000):
        items = np.array([9, 1, 2, 3, 4, 9])
        shuffle(rng, items, 1, 5)
        assert items[0] == 9
        assert items[5] == 9
        order = tuple(items[1:5].tolist())
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_uniform_numbers_fill_the_unit_interval() -> None:
    rng = stream(8)
    numbers = np.array([uniform(rng) for _ in range(20_000)])
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert stats.kstest(numbers, "uniform").pvalue > 0.001
