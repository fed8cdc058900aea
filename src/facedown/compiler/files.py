"""Files of compiled code that are what was written, and that nobody else could have written.

Loading compiled code runs it. So a file is read only if it lies in a folder that belongs to this user (or to root, who may
do anything anyhow) and that nobody else may write to, and if it begins with what it is the code of and a digest of the rest:

    MAGIC | digest of the key, 32 bytes | digest of that and of the content, 32 bytes | content

Whatever is odd counts as absent: the code is compiled, and where the folder is this user's, written anew.
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

KEPT_DAYS = 30  # a folder of compiled code nobody has used for so long is removed
NAME_SIZE = 16  # letters of a folder's name
ONLY_OURS = 0o700
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
HAS_OWNERS = hasattr(os, "geteuid")  # where not, the system keeps others out of a user's own folders by other means
FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def read(file: Path, key: bytes) -> bytes | None:
    """The content that was written under this key; None for anything else."""
    try:
        if not is_ours(file.parent):
            return None
        descriptor = os.open(file, os.O_RDONLY | FLAGS)
        with os.fdopen(descriptor, "rb") as opened:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode) or not is_trusted(about):
                return None
            data = opened.read()
    except OSError:
        return None
    head, content = data[:HEAD], memoryview(data)[HEAD:]
    return bytes(content) if head == head_of(key, content) else None


def write(file: Path, key: bytes, content: bytes) -> None:
    """Keep content under a key; a folder that cannot be written only costs the next start its speed."""
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
    """What a file begins with."""
    name = DIGEST(key).digest()
    whole = DIGEST(MAGIC + name)
    whole.update(content)
    return MAGIC + name + whole.digest()


# --- Folders ----------------------------------------------------------------------------------------------------------


def is_trusted(about: os.stat_result) -> bool:
    """Whether only this user, or root, can have written something."""
    return not HAS_OWNERS or (about.st_uid in (os.geteuid(), 0) and not about.st_mode & WRITABLE_BY_OTHERS)


@cache
def is_ours(folder: Path) -> bool:
    """Whether a folder and the one it lies in are only ours; looked at once, for then nobody else can change that.

    One that is ours but open to others is closed; the inner one is emptied, for any of its files may be somebody else's.
    Raises OSError, and looks again the next time, where there is no such folder.
    """
    for one in (folder.parent, folder):
        about = one.lstat()
        is_folder = stat.S_ISDIR(about.st_mode)  # a link may lead anywhere
        if is_folder and is_trusted(about):
            continue
        if not is_folder or about.st_uid != os.geteuid():
            say_once(one)
            return False
        one.chmod(stat.S_IMODE(about.st_mode) & ~WRITABLE_BY_OTHERS)
        remove(one.glob("*") if one == folder else ())
    return True


def make(folder: Path) -> None:
    """Make a folder for this user only, and remove old ones beside it."""
    folder.parent.mkdir(ONLY_OURS, parents=True, exist_ok=True)
    if stat.S_ISDIR(folder.parent.lstat().st_mode) and is_trusted(folder.parent.lstat()):
        forget_unused(folder.parent)
    folder.mkdir(ONLY_OURS, exist_ok=True)


@cache
def say_once(folder: Path) -> None:
    """Tell why every start takes so long; where a process has workers, they need not say it too."""
    if parent_process() is None:
        logging.getLogger("facedown").warning(
            "compiled code is not kept: expected a folder that only this user can write to, got %s", folder
        )


def forget_unused(folder: Path) -> None:
    """Remove folders of compiled code that no process has opened for a month; what else lies there is left alone."""
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    for old in folder.glob("[0-9a-f]" * NAME_SIZE):
        with suppress(OSError):  # another process may be at it
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
