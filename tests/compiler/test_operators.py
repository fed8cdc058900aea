"""Operators, `int`, `min` and `max` in kernels: the types and results that Numba and Python have for them."""

from math import isnan, nan
from typing import Any

import numpy as np
import pytest
from numba.core import types

from facedown.kernel import COMPILED, kernel

pytestmark = pytest.mark.skipif(not COMPILED, reason="there are no types without compiling")


@kernel
def whole(number: Any) -> int:
    """The number as an integer."""
    return int(number)


@kernel
def smaller(one: Any, other: Any) -> Any:
    """The smaller of two numbers."""
    return min(one, other)


@kernel
def greater(one: Any, other: Any) -> Any:
    """The greater of two numbers."""
    return max(one, other)


@pytest.mark.parametrize(
    ("number", "expected", "kind"),
    [(np.int8(-3), -3, types.int8), (np.uint64(7), 7, types.uint64), (True, 1, types.int64), (-2.9, -2, types.int64)],
)
def test_an_integer_keeps_its_type_and_other_numbers_become_64_bit_integers(number: Any, expected: int, kind: Any) -> None:
    assert whole(number) == expected
    assert whole.nopython_signatures[-1].return_type == kind  # type: ignore[attr-defined]


@pytest.mark.parametrize("pair", [(1, 2), (2, 1), (np.int16(3), 2), (2, 2.5), (1.5, nan), (nan, 1.5), (0.0, -0.0)])
def test_the_smaller_and_the_greater_of_two_numbers_are_those_of_python(pair: tuple[Any, Any]) -> None:
    for found, expected in ((smaller(*pair), min(pair)), (greater(*pair), max(pair))):
        assert found == expected or (isnan(found) and isnan(expected))
        assert np.signbit(found) == np.signbit(expected)


def test_the_greater_of_two_integers_is_as_wide_as_the_wider_one() -> None:
    assert greater(np.int16(3), np.int32(2)) == 3
    assert greater.nopython_signatures[-1].return_type == types.int32  # type: ignore[attr-defined]


@kernel
def sums(number: Any, row: Any) -> Any:
    """Sums of several types with one operator."""
    return (number + 1, number + 1.5, row + row, row[0] + number)


def test_one_operator_has_a_type_for_each_kind_of_operands() -> None:
    for number in (1, 2.5, np.uint8(3)):
        for row in (np.array([1, 2]), np.array([0.5, 1.5])):
            found: Any = sums(number, row)
            expected: Any = sums.py_func(number, row)  # type: ignore[attr-defined]
            assert found[:2] == expected[:2]
            assert found[2].tolist() == expected[2].tolist()
            assert found[3] == expected[3]
