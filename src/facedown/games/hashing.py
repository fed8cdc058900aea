"""128-bit hashes of positions: two words, into which the words that describe a position are hashed."""

from typing import Any

import numpy as np

from facedown.kernel import Array, kernel, wrapping_product


@kernel
def mixed(key: Any, word: Any) -> Any:
    """Mix a word into a hash (the finalizer of MurmurHash3)."""
    key = (key ^ word) ^ ((key ^ word) >> np.uint64(33))
    key = wrapping_product(key, np.uint64(0xFF51AFD7ED558CCD))
    key ^= key >> np.uint64(33)
    key = wrapping_product(key, np.uint64(0xC4CEB9FE1A85EC53))
    return key ^ key >> np.uint64(33)


@kernel
def hash_start(key: Array, word: Any) -> None:
    """Start both words of a hash with a first word."""
    key[0] = mixed(np.uint64(0x9E3779B97F4A7C15), word)
    key[1] = mixed(np.uint64(0xD1B54A32D192ED03), word)


@kernel
def hash_in(key: Array, word: Any) -> None:
    """Hash one more word into both words of a hash."""
    key[0] = mixed(key[0], word)
    key[1] = mixed(key[1], word)
