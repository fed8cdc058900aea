"""What a command prints: results, and nothing that agents or games have to say."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

STDOUT, STDERR = 1, 2


@contextmanager
def stdout_for_results(wanted: bool = True) -> Iterator[None]:
    """Send all that is printed meanwhile to stderr, by whatever means: agents and games are other people's code."""
    if not wanted:
        yield
        return
    if sys.stdout is not None:
        sys.stdout.flush()
    try:
        kept = os.dup(STDOUT)
        os.dup2(STDERR, STDOUT)
    except OSError:  # one of them is closed
        kept = None
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        if kept is not None:
            os.dup2(kept, STDOUT)
            os.close(kept)
