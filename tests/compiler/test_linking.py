"""Kernels that only kernels call are linked into these; nothing else about them is different."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.kernel import COMPILED, compile_as, kernel

pytestmark = pytest.mark.skipif(not COMPILED, reason="interpreted code is not linked")

LINKED = """
import sys
import numpy as np
from facedown.compiler.linking import Linked
from facedown.kernel import kernel

ADDENDS = np.array([3, 5])

@kernel
def innermost(number):
    return int(number * 2 + ADDENDS[0])

@kernel
def inner(number):
    return innermost(number) + 1

@kernel
def outer(number):
    return inner(number) * 10

@kernel
def doubled(number):
    return 2 * number

@kernel
def sum_of_doubles(small, large):
    return doubled(small) + doubled(large) + doubled(3)

def is_linked(function):
    return [isinstance(compiled.entry_point, Linked) for compiled in function.overloads.values()]

print(outer(4), is_linked(inner))
print(inner(4), is_linked(inner))
print(outer(5), inner(5), innermost(5), outer(np.uint8(4)), inner(True))
print(sum_of_doubles(np.int8(4), 5), list(doubled.overloads))
"""


def printed(script: Path, cache: Path, *arguments: str) -> list[str]:
    """What a process of its own prints: it finds compiled only what the cache holds."""
    environment = {**os.environ, "FACEDOWN_CACHE": str(cache)}
    command = [sys.executable, str(script), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()


def test_what_only_kernels_call_is_linked_and_called_from_python_it_is_compiled_for_that(tmp_path: Path) -> None:
    script = tmp_path / "linked.py"
    script.write_text(LINKED)
    inner_is_linked, inner_was_called, both_agree, one_version = printed(script, tmp_path / "cache")
    assert inner_is_linked == "120 [True]"
    assert inner_was_called == "12 [False]"
    assert both_agree == "140 14 13 120 6"
    assert one_version == "24 [(int64,)]"  # integers of all sizes and constants


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
    for names in (["eighth"], ["quarter", "eighth"], ["half", "quarter", "eighth"], ["eighth", "half"]):
        results = {"half": "half 4", "quarter": "quarter 2", "eighth": "eighth 1"}
        assert printed(file, tmp_path / "cache", *names) == [*[results[name] for name in names], "an odd number"]
    kept = sorted(path.name.split("-")[0] for path in (tmp_path / "cache").rglob("*.nbc"))
    assert kept == ["eighth", "half", "half", "quarter", "quarter"]  # to be called, and to be linked


OTHERS = """
import sys
import numpy as np
from numba import njit
from facedown.kernel import kernel

@njit
def total(numbers):
    return np.sum(numbers * 2.0) + np.argmax(numbers)

@njit
def fibonacci(number):
    return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)

@kernel
def more(numbers):
    return total(numbers) + fibonacci(int(numbers[0])) + np.argmax(numbers)

numbers = np.array([6.0, 9.0, 2.0])
if sys.argv[1] == "before":
    print(total(numbers), fibonacci(8))
print(more(numbers))
print(total(numbers), fibonacci(8))
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_functions_that_others_compile_with_numba_work_beside_kernels_and_inside_them(tmp_path: Path, when: str) -> None:
    script = tmp_path / "others.py"
    script.write_text(OTHERS)
    for _ in range(2):  # compiled, and from the disk
        lines = printed(script, tmp_path / "cache", when)
        assert lines == ["35.0 21"] * (when == "before") + ["44.0", "35.0 21"]
