"""Seeded streams of random numbers, the same in compiled and interpreted code.

Written by hand: NumPy's generators cost ten times as much inside a kernel, and its seeding eight times as much outside.
Streams are seeded by hashing, and drawn by xoroshiro128++ (Blackman and Vigna 2021), all of whose bits are good.
"""

import hashlib
from typing import Any

import numpy as np

from facedown.kernel import Array, kernel, wrapping_product, wrapping_sum

HALF = np.uint64(32)
LOW_HALF = np.uint64(0xFFFF_FFFF)


def stream(seed: int, *path: int | bytes) -> Array:
    """An independent stream for a seed and a path below it, such as (deal, seat): the same on every machine."""
    digest = hashlib.blake2b(repr((seed, *path)).encode(), digest_size=16).digest()
    return np.frombuffer(digest, "<u8").astype(np.uint64)


@kernel
def rotate_left(number: Any, places: Any) -> Any:
    """A 64-bit rotation."""
    return (number << np.uint64(places)) | (number >> np.uint64(64 - places))


@kernel
def random_word(rng: Array) -> Any:
    """The next 64 random bits."""
    a = rng[0]
    b = rng[1]
    result = wrapping_sum(rotate_left(wrapping_sum(a, b), 17), a)
    b ^= a
    rng[0] = rotate_left(a, 49) ^ b ^ (b << np.uint64(21))
    rng[1] = rotate_left(b, 28)
    return result


@kernel
def mixed(word: Any) -> Any:
    """64 bits that depend on all bits of a word, and look unlike those of any other (the finalizer of SplitMix64)."""
    word = wrapping_product(word ^ (word >> np.uint64(30)), np.uint64(0xBF58_476D_1CE4_E5B9))
    word = wrapping_product(word ^ (word >> np.uint64(27)), np.uint64(0x94D0_49BB_1331_11EB))
    return word ^ (word >> np.uint64(31))


@kernel
def random_bits(rng: Array) -> Any:
    """The next 32 random bits."""
    return random_word(rng) >> HALF


@kernel
def draw(rng: Array, choices: int) -> int:
    """A number from 0 to choices - 1, exactly uniformly (Lemire 2019)."""
    count = np.uint64(choices)
    product = random_bits(rng) * count
    if product & LOW_HALF < count:
        uneven = (np.uint64(1) << HALF) % count
        while product & LOW_HALF < uneven:
            product = random_bits(rng) * count
    return int(product >> HALF)


@kernel
def uniform(rng: Array) -> float:
    """A number in [0, 1), from 53 random bits."""
    return float(random_word(rng) >> np.uint64(11)) / 9007199254740992.0


@kernel
def shuffle(rng: Array, items: Array, start: int, stop: int) -> None:
    """Shuffle items[start:stop] in place."""
    for last in range(stop - 1, start, -1):
        other = start + draw(rng, last - start + 1)
        item = items[last]
        items[last] = items[other]
        items[other] = item
