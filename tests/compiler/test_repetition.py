"""What Numba works out once, or late: the answers are its own, in other people's functions too."""

import gc
import weakref
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba.core.registry import cpu_target

from facedown.compiler import memory
from facedown.compiler.memory import promote
from facedown.kernel import COMPILED, kernel

pytestmark = pytest.mark.skipif(not COMPILED, reason="needs compiled code")


class Knot:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_generators_keep_what_lives_between_their_values() -> None:
    @numba.njit
    def running_sums(numbers: Any) -> Any:
        total = 0
        for number in numbers:
            total += number
            yield total

    assert list(running_sums(np.arange(5))) == [0, 1, 3, 6, 10]


def test_functions_in_object_mode_know_which_variables_live() -> None:
    @numba.jit(forceobj=True)
    def spelt(count: int) -> str:
        text = ""
        for number in range(count):
            text = text + str(number) if number % 2 else text + "-"
        return text

    assert spelt(5) == "-1-3-"


def test_a_size_is_the_same_when_it_is_asked_again() -> None:
    context = cpu_target.target_context
    word, byte = ir.IntType(64), ir.IntType(8)
    for _ in range(2):
        assert context.get_abi_sizeof(ir.LiteralStructType([word, byte])) == 16
        assert context.get_abi_sizeof(ir.LiteralStructType([byte, byte])) == 2


def test_a_kernel_may_use_a_name_for_one_array_after_another() -> None:
    @kernel
    def last_of_each(first: Any, second: Any) -> int:
        total = 0
        for turn in range(4):
            numbers = first if turn % 2 == 0 else second
            total += numbers[-1]
        return total

    assert last_of_each(np.arange(3), np.arange(5)) == 12


def test_what_is_promoted_is_collected_in_the_end() -> None:
    knot = weakref.ref(Knot())
    promote()
    gc.collect(1)
    assert knot() is not None
    gc.collect()
    assert knot() is None


def test_what_is_frozen_stays_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "frozen", False)
    gc.freeze()
    try:
        promote()
        assert gc.get_freeze_count() > 0
        assert memory.frozen, "and it is not counted again"
    finally:
        gc.unfreeze()
