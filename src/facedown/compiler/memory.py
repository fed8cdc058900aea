"""How much memory is free, and when it is collected: what does not fit is refused, or the system would kill the program."""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from typing import TypeVar

from facedown.errors import NoRoom

Made = TypeVar("Made")

LARGE = 1 << 26  # bytes; smaller arrays are not checked
SHARE = 0.9  # of what is free that one array may take
GIGABYTE = 1e9
CONTAINER = Path("/sys/fs/cgroup")
frozen = False  # whether somebody was seen to have frozen objects


def with_room(size: int, make: Callable[[], Made]) -> Made:
    """What `make` returns, or a refusal if `size` bytes are not free."""
    free = SHARE * free_bytes() if size >= LARGE else inf
    try:
        if size <= free:
            return make()
    except (MemoryError, ValueError, OverflowError):  # what NumPy raises for impossible sizes
        pass
    wanted, got = f"{size / GIGABYTE:.3g} GB", "less" if free == inf else f"{free / GIGABYTE:.3g} GB"
    raise NoRoom(f"expected {wanted} of free memory, got {got}: fewer iterations, worlds or seconds need less")


def free_bytes() -> float:
    """The memory still free in the machine, and in the container this runs in."""
    return min(free_in_machine(), free_in_container())


def free_in_machine() -> float:
    """Free memory, with the caches that the system can drop."""
    with suppress(OSError, ValueError, IndexError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        return 1024.0 * next(float(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    with suppress(OSError, ValueError, AttributeError):
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return inf


def free_in_container() -> float:
    """What a container may still take; infinite where there is no limit."""
    with suppress(OSError, ValueError):
        return float((CONTAINER / "memory.max").read_text()) - float((CONTAINER / "memory.current").read_text())
    return inf


@contextmanager
def uncollected() -> Iterator[None]:
    """Postpone Python's garbage collection: it may take 100 ms of a choice, and a twentieth of the time to compile."""
    collecting = gc.isenabled()
    if collecting:
        gc.disable()
    try:
        yield
    finally:
        if collecting:  # unless another thread has postponed it, which will then enable it
            gc.enable()


def promote() -> None:
    """Let Python's garbage collection take all that there is for old: it would look through what a compilation left at once.

    Garbage goes when all that is old is collected. What somebody has frozen stays so, and nothing is promoted from then on.
    """
    global frozen
    frozen = frozen or gc.get_freeze_count() > 0  # which counts one by one, and there may be a million
    if not frozen:
        gc.freeze()
        gc.unfreeze()  # to the oldest
