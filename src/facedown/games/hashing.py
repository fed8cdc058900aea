"""Hashes that stand for positions: two words, into which the words that describe a position are mixed."""

from typing import Any

import numpy as np

from facedown.kernel import Array, kernel, wrapping_product


@kernel
def mixed(key: Any, word: Any) -> Any:
    """Mix a word into a hash (the finish of MurmurHash3)."""
    key = (key ^ word) ^ ((key ^ word) >> np.uint64(33))
    key = wrapping_product(key, np.uint64(0xFF51AFD7ED558CCD))
    key ^= key >> np.uint64(33)
    key = wrapping_product(key, np.uint64(0xC4CEB9FE1A85EC53))
    return key ^ key >> np.uint64(33)


@kernel
def start_hash(key: Array, word: Any) -> None:
    """Begin two hashes with a word."""
    key[0] = mixed(np.uint64(0x9E3779B97F4A7C15), word)
    key[1] = mixed(np.uint64(0xD1B54A32D192ED03), word)


@kernel
def hash_in(key: Array, word: Any) -> None:
    """Add a word to two hashes."""
    key[0] = mixed(key[0], word)
    key[1] = mixed(key[1], word)
