"""Arrays in kernels: those that a kernel makes, and those that it borrows from its caller."""

from typing import Any

import numpy as np
import pytest

from facedown.compiler import borrowing
from facedown.errors import BadGame
from facedown.kernel import COMPILED, kernel

pytestmark = pytest.mark.skipif(not COMPILED, reason="there is nothing to count without compiling")

PAIR = np.dtype([("one", np.int64), ("other", np.int64)], align=True)


@kernel
def made(count: int) -> Any:
    """New arrays of several shapes and types."""
    return np.zeros(count), np.zeros((2, count), np.int8), np.zeros(count, PAIR), np.empty((count, 3), np.uint64)


def test_new_arrays_are_those_of_numpy() -> None:
    floats, table, pairs, room = made(3)
    assert (floats == np.zeros(3)).all()
    assert floats.dtype == np.float64
    assert (table == np.zeros((2, 3))).all()
    assert table.dtype == np.int8
    assert pairs.dtype == PAIR
    assert pairs.tolist() == [(0, 0)] * 3
    assert room.shape == (3, 3)
    assert room.dtype == np.uint64


@kernel
def misshapen(count: float) -> Any:
    """An array of no possible shape."""
    return np.zeros(count * 0.5)


def test_a_shape_that_is_no_number_of_places_is_refused() -> None:
    with pytest.raises(BadGame, match=r"misshapen in .*test_arrays"):
        misshapen(3.0)


@kernel
def first_part(numbers: Any) -> Any:
    """A part that is returned: its owner must count it."""
    return numbers[:2]


@kernel
def total(numbers: Any) -> int:
    """A sum of borrowed numbers, part by part."""
    part = numbers[1:]
    both = (part, numbers)
    result = 0
    for place in range(part.shape[0]):
        result += both[0][place] + both[1][place]
    return int(result)


@kernel
def of_new(count: int) -> int:
    """Borrowing kernels that work on an array that this one makes and gives up."""
    numbers = np.zeros(count, np.int64)
    for place in range(count):
        numbers[place] = place
    numbers = first_part(numbers)
    return total(numbers) + int(numbers[numbers > 0].sum())


def test_who_borrows_does_not_count_and_who_owns_or_returns_does(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, bool] = {}
    decide = borrowing.only_borrows

    def noted(state: Any) -> bool:
        found[state.func_id.func_name] = decide(state)
        return found[state.func_id.func_name]

    monkeypatch.setattr(borrowing, "only_borrows", noted)
    kernels: list[Any] = [first_part, total, of_new]
    for own in kernels:
        own._cache.disable()
    assert of_new(5) == 0 + 1 + 1
    assert found["total"]
    assert not found["first_part"]
    assert not found["of_new"]


def test_borrowed_arrays_stay_with_their_owner() -> None:
    for _ in range(1000):
        assert of_new(5) == 2
    numbers = np.arange(4)
    assert total(numbers) == 1 + 2 + 3 + 0 + 1 + 2
    assert first_part(numbers).base is not None
    assert numbers.tolist() == [0, 1, 2, 3]


@kernel
def copy_into(rows: Any, row: Any) -> None:
    """An array is copied into part of another, which may be its own."""
    rows[0] = row


@kernel
def copy_records(records: Any, more: Any) -> None:
    """The same with parts of records' arrays."""
    records[:2] = more[1:3]


def test_arrays_are_copied_into_others_and_into_themselves() -> None:
    rows = np.arange(6).reshape(2, 3)
    copy_into(rows, rows[1])
    assert rows.tolist() == [[3, 4, 5], [3, 4, 5]]
    numbers = np.arange(5)
    copy_records(numbers, numbers)
    assert numbers.tolist() == [1, 2, 2, 3, 4]


def test_a_kernel_that_turns_out_to_need_references_is_compiled_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    @kernel
    def copy_once_more(rows: Any, row: Any) -> None:
        rows[1] = row

    monkeypatch.setattr(borrowing, "only_borrows", lambda state: True)
    rows = np.arange(6).reshape(2, 3)
    copy_once_more(rows, rows[0])
    assert rows.tolist() == [[0, 1, 2], [0, 1, 2]]


@kernel
def moved(pairs: Any, rows: Any) -> None:
    """Copy records: within an array, from its end, and a row of them."""
    pairs[0] = pairs[2]
    pairs[-2] = pairs[0]
    pairs[2] = pairs[2]
    rows[1] = pairs[0]


def test_records_are_copied_as_a_whole() -> None:
    pairs, rows = np.array([(1, 2), (3, 4), (5, 6)], PAIR), np.zeros((2, 2), PAIR)
    moved(pairs, rows)
    assert pairs.tolist() == [(5, 6)] * 3
    assert rows.tolist() == [[(0, 0)] * 2, [(5, 6)] * 2]


@kernel
def swapped(pairs: Any) -> None:
    """Change one record after it was copied."""
    pairs[1] = pairs[0]
    pairs[0].one = 7


def test_a_copy_of_a_record_is_its_own() -> None:
    pairs = np.array([(1, 2), (3, 4)], PAIR)
    swapped(pairs)
    assert pairs.tolist() == [(7, 2), (1, 2)]
