"""Code that several processes have compiled does not get mixed up in one that loads it all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.kernel import COMPILED

# A kernel that is too tangled to be inlined, for two kinds of record: what lies first in one lies second in the other.
SOURCE = '''
"""A kernel, called with the kinds of record that are named."""

import sys

import numpy as np

from facedown.kernel import kernel, new_records


@kernel
def inner(state, depth):
    """As many of the first field as there are ways to climb so many stairs."""
    if depth < 2:
        return np.int64(state.first)
    return inner(state, depth - 1) + inner(state, depth - 2)


@kernel
def outer(data, depth):
    """The same for an array."""
    return inner(data[0], depth)


KINDS = {"one": ["first", "second"], "two": ["second", "first"]}
for name in sys.argv[1:]:
    data = new_records(1, np.dtype([(field, np.int64) for field in KINDS[name]], align=True))
    data["first"], data["second"] = 1, 100
    print(outer(data, 5))
'''


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_code_that_two_processes_compiled_is_told_apart_in_a_third(tmp_path: Path) -> None:
    script = tmp_path / "stairs.py"
    script.write_text(SOURCE)
    environment = {**os.environ, "FACEDOWN_CACHE": str(tmp_path / "cache")}

    def printed(*kinds: str) -> str:
        command = [sys.executable, str(script), *kinds]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=300).stdout

    assert (printed("one"), printed("two")) == ("8\n", "8\n")
    assert printed("one", "two") == "8\n8\n"
    assert printed("two", "one") == "8\n8\n"
