"""Files that commands write: completely or not at all, and never in place of something that is not a file."""

import os
import stat
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from facedown.errors import FacedownError

OPEN = ("/dev/fd/", "/dev/stdout", "/dev/stderr", "/proc/")  # paths of files that are open already


def check_place(path: Path) -> None:
    """Refuse a path that cannot be written, before hours are spent on the content."""
    if "\0" in str(path):
        raise FacedownError(f"expected a file that can be written, got {str(path)!r}: no name has a NUL in it")
    with clear_errors(path):
        if path.is_dir():
            raise FacedownError(f"expected a file that can be written, got {str(path)!r}, which is a folder")
        folder = Path(os.path.realpath(path)).parent
        if not is_stream(path) and not folder.is_dir():
            raise FacedownError(f"expected a folder to write {path} to, got none at {path.parent}")
        if not os.access(path if path.exists() else folder, os.W_OK):
            raise FacedownError(f"expected a file that can be written, got {str(path)!r}: Permission denied")


def write_text(path: Path, text: str) -> None:
    """Write a text, completely or not at all."""
    with whole_file(path) as file:
        file.write(text.encode(errors="replace"))


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file that appears when all has been written; what is not a regular file is written directly.

    Of a link, the target is replaced, and the link stays.
    """
    check_place(path)
    with clear_errors(path):
        if is_stream(path):
            with stream_to(path) as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        unfinished = target.with_name(f".facedown-{uuid.uuid4().hex[:12]}.part")  # short, even if the other name is long
        try:
            with beside(target, unfinished) as file:
                yield file
            if unfinished.exists():
                unfinished.replace(target)
        finally:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)


@contextmanager
def beside(target: Path, unfinished: Path) -> Iterator[BinaryIO]:
    """A new file with the mode and, if permitted, the owner of the one it will replace.

    In a folder where no file can be created it is the old one itself.
    """
    try:
        file = unfinished.open("xb")
    except PermissionError:
        if not target.exists():
            raise
        file = target.open("wb")
    with file:
        if target.exists() and unfinished.exists():
            status = target.stat()
            unfinished.chmod(stat.S_IMODE(status.st_mode))
            with suppress(OSError):
                os.chown(unfinished, status.st_uid, status.st_gid)
        yield file


def is_stream(path: Path) -> bool:
    """Whether a path is not a regular file, or one that is open already: pipes, devices, /dev/stdout."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(status.st_mode) or str(path.absolute()).startswith(OPEN) or stdout_is(path)


def stdout_is(path: Path) -> bool:
    """Whether a path is this program's standard output."""
    try:
        return os.path.samestat(path.stat(), os.fstat(sys.__stdout__.fileno()))  # type: ignore[union-attr]  # None is caught
    except (OSError, AttributeError, ValueError):  # no such file, no stdout, or a closed one
        return False


def stream_to(path: Path) -> BinaryIO:
    """Open what is there; stdout continues after what has been printed."""
    if sys.__stdout__ is not None and stdout_is(path):
        sys.stdout.flush()
        return os.fdopen(os.dup(sys.__stdout__.fileno()), "wb")
    after = os.O_APPEND if path.is_file() else 0
    return os.fdopen(os.open(path, os.O_WRONLY | after), "wb")


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Turn an OSError into one line."""
    try:
        yield
    except OSError as error:
        raise FacedownError(f"expected a file that can be written, got {str(path)!r}: {error.strerror}") from None
