"""Files of compiled code are read only if they are what was written, and nobody else can have written them."""

import logging
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from facedown.compiler import files
from facedown.kernel import COMPILED, kernel
from facedown.kernel_cache import cache_folder

SOMEBODY = 12345  # a user who is neither this one nor root
KEY = b"what it is the code of"


def thrice(number: int) -> int:
    return 3 * number


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Folders are looked at once in a process: each test starts anew."""
    yield
    files.is_ours.cache_clear()
    files.warn_once.cache_clear()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that was written as it should be."""
    file = tmp_path / "kernels" / "0123456789abcdef" / "code.nbc"
    files.write(file, KEY, b"content")
    assert files.read(file, KEY) == b"content"
    files.is_ours.cache_clear()
    return file


def hits_of_new_start() -> int:
    """Whether compiled code is found by a start that has nothing yet; it must be right in any case."""
    started: Any = kernel(thrice)
    assert started(14) == 42
    return sum(started.stats.cache_hits.values())


def somebody_elses(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0:
        os.chown(folder, SOMEBODY, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: SOMEBODY)


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_bit_flipped_anywhere_is_compiled_and_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    assert hits_of_new_start() == 0
    (file,) = tmp_path.rglob("*.nbc")
    whole = file.read_bytes()
    for bit in range(0, 8 * len(whole), len(whole) // 2):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        file.write_bytes(damaged)
        assert hits_of_new_start() == 0, bit
        assert hits_of_new_start() == 1, "written anew"


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_pickle_of_something_else_is_compiled_and_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    hits_of_new_start()
    (file,) = tmp_path.rglob("*.nbc")
    head = len(files.MAGIC)
    name = file.read_bytes()[head : head + files.DIGEST_SIZE]
    something = pickle.dumps({"something": "else"})
    whole = files.DIGEST(files.MAGIC + name + something).digest()
    for planted in (something, files.MAGIC + name + whole + something):
        file.write_bytes(planted)
        assert hits_of_new_start() == 0
        assert hits_of_new_start() == 1


def test_a_pickle_is_not_even_looked_at_in_a_file_without_its_digest(tmp_path: Path) -> None:
    script = "import facedown.rng as r; print(r.draw(r.stream(1), 6))"
    environment = {**os.environ, "FACEDOWN_CACHE": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}

    def start() -> str:
        return subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        ).stdout

    class Planted:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "planted"),)

    before = start()
    for file in tmp_path.rglob("*.nbc"):
        file.write_bytes(pickle.dumps(Planted()))
    assert start() == before
    assert not (tmp_path / "planted").exists()


def test_a_file_is_read_only_under_its_key(file: Path) -> None:
    assert files.read(file, b"something else") is None


@pytest.mark.parametrize("length", [0, 10, files.HEAD - 1, files.HEAD])
def test_a_file_cut_short_counts_as_absent(file: Path, length: int) -> None:
    file.write_bytes(file.read_bytes()[:length])
    assert files.read(file, KEY) is None


def test_what_is_no_plain_file_counts_as_absent(file: Path, tmp_path: Path) -> None:
    elsewhere = file.rename(tmp_path / "elsewhere")
    file.symlink_to(elsewhere)
    assert files.read(file, KEY) is None
    files.write(file, KEY, b"anew")
    assert files.read(file, KEY) == b"anew"
    assert not file.is_symlink()
    assert elsewhere.exists()
    file.unlink()
    os.mkfifo(file)
    assert files.read(file, KEY) is None, "and nobody waits for a writer"
    file.unlink()
    file.mkdir()
    assert files.read(file, KEY) is None
    files.write(file, KEY, b"anew")
    assert [one.name for one in file.parent.iterdir()] == [file.name], "nothing unfinished is left behind"


def test_folders_are_made_for_this_user_alone(file: Path) -> None:
    for folder in (file.parent, file.parent.parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("place", [0, 1])
def test_a_folder_of_somebody_else_is_left_alone_and_told_once(
    file: Path, place: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = file.parents[place]
    before = file.read_bytes()
    somebody_elses(folder, monkeypatch)
    with caplog.at_level(logging.WARNING, "facedown"):
        assert files.read(file, KEY) is None
        files.write(file, KEY, b"anew")
        assert files.read(file, KEY) is None
    assert file.read_bytes() == before
    (told,) = caplog.messages
    assert told.startswith("compiled code is not kept: expected a folder that only this user can write to, got ")


def test_a_file_of_somebody_else_or_open_to_others_counts_as_absent(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.chmod(0o666)
    assert files.read(file, KEY) is None
    file.chmod(0o600)
    assert files.read(file, KEY) == b"content"
    somebody_elses(file, monkeypatch)
    assert files.read(file, KEY) is None


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_folder_open_to_others_is_closed_and_emptied(file: Path, mode: int) -> None:
    file.parent.chmod(mode)
    assert files.read(file, KEY) is None
    assert file.parent.stat().st_mode & 0o022 == 0
    assert not file.exists()
    files.write(file, KEY, b"anew")
    assert files.read(file, KEY) == b"anew"


def test_the_folder_around_it_is_closed_and_what_lies_there_stays(file: Path) -> None:
    around = file.parent.parent
    (around / "mine.txt").write_text("not compiled code")
    around.chmod(0o777)
    files.read(file, KEY)
    assert around.stat().st_mode & 0o022 == 0
    assert (around / "mine.txt").exists()


def test_a_folder_behind_a_link_is_not_used(file: Path, tmp_path: Path) -> None:
    folder = file.parent.rename(tmp_path / "elsewhere")
    file.parent.symlink_to(folder)
    assert files.read(file, KEY) is None
    files.write(file, KEY, b"anew")
    assert (folder / file.name).read_bytes().endswith(b"content")


def test_folders_nobody_used_for_a_month_are_removed_and_nothing_else(file: Path, tmp_path: Path) -> None:
    around = file.parent.parent
    mine = tmp_path / "mine"
    for folder in (around / ("0" * 16), around / "notes", mine):
        folder.mkdir()
        (folder / "file").write_text("")
    (around / ("1" * 16)).symlink_to(mine)
    long_ago = time.time() - (files.KEPT_DAYS + 1) * 24 * 3600
    for old in (*around.rglob("*"), *mine.rglob("*"), mine):
        if old != file:
            os.utime(old, (long_ago, long_ago))
    files.write(around / ("2" * 16) / "code.nbc", KEY, b"content")
    assert sorted(one.name[:3] for one in around.iterdir()) == ["012", "111", "222", "not"]
    assert (mine / "file").exists()


def test_the_cache_may_be_named_from_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FACEDOWN_CACHE", "~/compiled")
    assert cache_folder() == tmp_path / "compiled" / "kernels"
