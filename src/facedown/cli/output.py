"""What a command prints: results on stdout, and nothing that agents or games print."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from errno import ENOSPC, EPIPE

import typer

from facedown.errors import FacedownError

STDOUT, STDERR = 1, 2


@contextmanager
def stdout_for_results(wanted: bool = True) -> Iterator[None]:
    """Send all that is printed meanwhile to stderr, however it is printed: agents and games are other people's code."""
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


@contextmanager
def unbroken_pipe() -> Iterator[None]:
    """Stop quietly when whoever reads stdout has read enough, and with one line when there is no room for it."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in (EPIPE, ENOSPC):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)  # Python flushes once more when it ends
        if error.errno == ENOSPC:
            raise FacedownError(f"expected room to write to, got {error.strerror}") from None
        raise typer.Exit(0) from None


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Progress on stderr, for a person who waits."""
    from facedown.cli.bar import StepBar

    with StepBar(what, total) as bar:
        yield bar.advance


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 game, 2 games."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
