"""Whether this process is compiling: time that nobody spends on thinking."""

import sys
from typing import Any


def is_compiling() -> bool:
    """Whether another thread compiles functions, or gets compiled ones from the disk."""
    module: Any = sys.modules.get("numba.core.compiler_lock")
    lock = getattr(getattr(module, "global_compiler_lock", None), "_lock", None)  # its own question is about this thread
    if lock is None or lock.acquire(blocking=False):
        if lock is not None:
            lock.release()
        return False
    return True
