"""Files of compiled code that are intact, and that no other user could have written.

Loading compiled code runs it. So a file is read only if it is in a folder that belongs to this user (or to root) and that
nobody else may write to, and if it begins with a digest of its key and a digest of the content:

    MAGIC | digest of the key, 32 bytes | digest of that and of the content, 32 bytes | content

A file that fails a check counts as absent: the code is compiled, and written again if the folder is this user's.
"""

import hashlib
import logging
import os
import stat
import time
import uuid
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from multiprocessing import parent_process
from pathlib import Path

MAGIC = b"facedown kernel\x001\n"
DIGEST = hashlib.sha256
DIGEST_SIZE = DIGEST().digest_size
HEAD = len(MAGIC) + 2 * DIGEST_SIZE

KEPT_DAYS = 30  # a folder of compiled code that was not used for so long is removed
NAME_SIZE = 16  # letters of a folder's name
ONLY_OURS = 0o700
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
HAS_OWNERS = hasattr(os, "geteuid")  # elsewhere the system protects a user's folders by other means
FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def read(file: Path, key: bytes) -> bytes | None:
    """The content that was written under this key; None for anything else."""
    try:
        if not is_ours(file.parent):
            return None
        descriptor = os.open(file, os.O_RDONLY | FLAGS)
        with os.fdopen(descriptor, "rb") as opened:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or not is_trusted(status):
                return None
            data = opened.read()
    except OSError:
        return None
    head, content = data[:HEAD], memoryview(data)[HEAD:]
    return bytes(content) if head == head_of(key, content) else None


def write(file: Path, key: bytes, content: bytes) -> None:
    """Keep content under a key; if the folder cannot be written, the next start is only slower."""
    unfinished = file.with_suffix(f".{uuid.uuid4().hex[:8]}")
    try:
        if not file.parent.is_dir():
            make(file.parent)
        if not is_ours(file.parent):
            return
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | FLAGS, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(head_of(key, content))
            opened.write(content)
        unfinished.replace(file)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()


def head_of(key: bytes, content: bytes | memoryview) -> bytes:
    """The header of a file."""
    name = DIGEST(key).digest()
    whole = DIGEST(MAGIC + name)
    whole.update(content)
    return MAGIC + name + whole.digest()


# --- Folders ----------------------------------------------------------------------------------------------------------


def is_trusted(status: os.stat_result) -> bool:
    """Whether only this user or root can have written a file."""
    return not HAS_OWNERS or (status.st_uid in (os.geteuid(), 0) and not status.st_mode & WRITABLE_BY_OTHERS)


@cache
def is_ours(folder: Path) -> bool:
    """Whether a folder and its parent belong to us alone; checked once, since nobody else can change that later.

    A folder that is ours but writable by others is closed; the inner one is emptied, since its files may be somebody else's.
    Raises OSError if there is no such folder; the next call checks again.
    """
    for one in (folder.parent, folder):
        status = one.lstat()
        is_folder = stat.S_ISDIR(status.st_mode)  # a link may point anywhere
        if is_folder and is_trusted(status):
            continue
        if not is_folder or status.st_uid != os.geteuid():
            warn_once(one)
            return False
        one.chmod(stat.S_IMODE(status.st_mode) & ~WRITABLE_BY_OTHERS)
        remove(one.glob("*") if one == folder else ())
    return True


def make(folder: Path) -> None:
    """Make a folder for this user only, and remove old ones beside it."""
    folder.parent.mkdir(ONLY_OURS, parents=True, exist_ok=True)
    if stat.S_ISDIR(folder.parent.lstat().st_mode) and is_trusted(folder.parent.lstat()):
        forget_unused(folder.parent)
    folder.mkdir(ONLY_OURS, exist_ok=True)


@cache
def warn_once(folder: Path) -> None:
    """Warn why every start takes so long, but not in worker processes too."""
    if parent_process() is None:
        logging.getLogger("facedown").warning(
            "compiled code is not kept: expected a folder that only this user can write to, got %s", folder
        )


def forget_unused(folder: Path) -> None:
    """Remove folders of compiled code that no process has opened for a month; other files are not touched."""
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    for old in folder.glob("[0-9a-f]" * NAME_SIZE):
        with suppress(OSError):  # another process may be using it
            files = list(old.glob("*"))
            if old.is_symlink() or max(old.stat().st_mtime, *(file.lstat().st_atime for file in files), 0) >= oldest:
                continue
            remove(files)
            old.rmdir()


def remove(files: Iterable[Path]) -> None:
    """Remove files; folders stay."""
    for file in files:
        with suppress(OSError):
            file.unlink()
