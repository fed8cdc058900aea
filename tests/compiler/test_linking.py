"""Kernels that only kernels call are linked into these; nothing else about them is different."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core import types

from facedown.compiler.linking import Linked
from facedown.kernel import COMPILED, compile_as, kernel

pytestmark = pytest.mark.skipif(not COMPILED, reason="interpreted code is not linked")

ADDENDS = np.array([3, 5])


@kernel
def innermost(number: int) -> int:
    return int(number * 2 + ADDENDS[0])


@kernel
def inner(number: int) -> int:
    return innermost(number) + 1


@kernel
def outer(number: int) -> int:
    return inner(number) * 10


def entry_points(function: object) -> list[object]:
    return [compiled.entry_point for compiled in function.overloads.values()]  # type: ignore[attr-defined]


def test_what_only_kernels_call_is_linked_and_called_from_python_it_is_compiled_for_that() -> None:
    assert outer(4) == 120
    assert [isinstance(one, Linked) for one in entry_points(inner)] == [True]
    assert inner(4) == 12
    assert [isinstance(one, Linked) for one in entry_points(inner)] == [False]
    assert (outer(5), inner(5), innermost(5)) == (140, 14, 13)


def test_a_kernel_of_another_type_is_another() -> None:
    assert outer(np.uint8(4)) == 120  # type: ignore[arg-type]
    assert inner(True) == 6


@kernel
def doubled(number: int) -> int:
    """Called with integers of several sizes."""
    return 2 * number


@kernel
def sum_of_doubles(small: int, large: int) -> int:
    """Calls it with three kinds of integers."""
    return doubled(small) + doubled(large) + doubled(3)


def test_kernels_call_one_version_of_a_kernel_with_integers_of_all_sizes_and_with_constants() -> None:
    assert sum_of_doubles(np.int8(4), 5) == 24  # type: ignore[arg-type]
    assert list(doubled.overloads) == [(types.int64,)]  # type: ignore[attr-defined]


@kernel
def plus_one(number: int, kind: int) -> int:
    """What a constant 0 chooses."""
    return number + 1


@kernel
def plus_ten(number: int, kind: int) -> int:
    """What a constant 1 chooses."""
    return number + 10


def increased(number: int, kind: int) -> int:
    """Which kernel it is depends on a constant."""
    return (plus_one, plus_ten)[kind](number, kind)


def by_constant(_: object, kind: object) -> object:
    """The kernel, if there is a constant."""
    return (plus_one, plus_ten)[kind.literal_value] if hasattr(kind, "literal_value") else None


compile_as(increased, by_constant, int, True)


@kernel
def passed_on(number: int, kind: int) -> int:
    """Compiles only where its last argument is a constant."""
    return increased(number, kind)


@kernel
def both(number: int) -> int:
    """Calls it with two constants."""
    return passed_on(number, 0) + 100 * passed_on(number, 1)


def test_a_kernel_that_needs_a_constant_gets_it() -> None:
    assert both(4) == 5 + 100 * 14


SCRIPT = """
import sys
from facedown.kernel import kernel

@kernel
def half(number):
    if number % 2:
        raise ValueError("an odd number")
    return number // 2

@kernel
def quarter(number):
    return half(half(number))

@kernel
def eighth(number):
    return half(quarter(number))

for name in sys.argv[1:]:
    print(name, globals()[name](8))
try:
    eighth(4)
except ValueError as error:
    print(error)
"""


def test_later_processes_take_from_the_disk_what_an_earlier_one_linked_or_called(tmp_path: Path) -> None:
    file = tmp_path / "halves.py"
    file.write_text(SCRIPT)
    environment = {**os.environ, "FACEDOWN_CACHE": str(tmp_path / "cache")}
    for names in (["eighth"], ["quarter", "eighth"], ["half", "quarter", "eighth"], ["eighth", "half"]):
        command = [sys.executable, str(file), *names]
        shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split("\n")
        results = {"half": "half 4", "quarter": "quarter 2", "eighth": "eighth 1"}
        assert shown == [*[results[name] for name in names], "an odd number", ""]
    kept = sorted(path.name.split("-")[0] for path in (tmp_path / "cache").rglob("*.nbc"))
    assert kept == ["eighth", "half", "half", "quarter", "quarter"]  # to be called, and to be linked
