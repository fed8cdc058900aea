"""What commands write is there whole or not at all, and takes the place of plain files only."""

import ast
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import facedown
from facedown.errors import FacedownError
from facedown.files import check_place, whole_file, write_text
from stores import fill

PACKAGE = Path(facedown.__file__).parent


def export(store: Path, *arguments: str, shell: str = "") -> subprocess.CompletedProcess[str]:
    """Run `facedown export` in a process of its own."""
    command = [sys.executable, "-m", "facedown", "export", "--store", str(store), *arguments]
    line = ["sh", "-c", f'"$@" {shell}', "sh", *command]
    return subprocess.run(line, capture_output=True, text=True, cwd=store.parent, timeout=60, check=False)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    place = tmp_path / "store.sqlite"
    fill(str(place), 0, 1)
    return place


def records_in(text: str) -> int:
    return sum(line.startswith('{"') for line in text.splitlines())


# --- facedown export --------------------------------------------------------------------------------------------------


def test_an_export_to_a_link_replaces_the_file_it_leads_to(store: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "real.jsonl"
    target.write_text("old")
    link = tmp_path / "link.jsonl"
    link.symlink_to("folder/real.jsonl")
    assert export(store, "-o", "link.jsonl").returncode == 0
    assert link.is_symlink()
    assert records_in(target.read_text()) == 2
    assert [one.name for one in target.parent.iterdir()] == ["real.jsonl"]


def test_an_export_to_a_pipe_is_written_through(store: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert export(store, "-o", str(pipe)).returncode == 0
    reader.join(10)
    assert records_in(read[0]) == 2
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_an_export_to_a_device_is_written_through(store: Path, tmp_path: Path) -> None:
    result = export(store, "-o", "/dev/full")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1] == (
        "error: expected a file that can be written, got '/dev/full': No space left on device"
    )
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.parametrize(
    "arguments", ["--version", "games", "export --store store.sqlite", "reproduce --json", "play --help"]
)
def test_no_room_for_what_is_printed_is_one_line(store: Path, arguments: str) -> None:
    command = ["sh", "-c", f"{sys.executable} -m facedown {arguments} > /dev/full"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=store.parent, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (2, "error: expected room to write to, got No space left on device\n")


@pytest.mark.parametrize(("name", "shell"), [("/dev/stdout", ""), ("/dev/stdout", "> out"), ("out", "> out"), ("-", "")])
def test_an_export_to_stdout_is_records_and_nothing_else(store: Path, name: str, shell: str, tmp_path: Path) -> None:
    result = export(store, "-o", name, shell=shell)
    assert result.returncode == 0, result.stderr
    text = (tmp_path / "out").read_text() if shell else result.stdout
    assert (records_in(text), len(text.splitlines())) == (2, 2)


def test_an_export_that_fails_half_way_leaves_what_was_there(store: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")
    assert export(store, "no such run", "-o", "out").returncode == 2
    assert (tmp_path / "out").read_text() == "old"
    assert sorted(one.name for one in tmp_path.iterdir() if "store" not in one.name) == ["out"]


# --- The one function -------------------------------------------------------------------------------------------------


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text("old")
    file.chmod(0o640)
    write_text(file, "new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", 0o640)


def test_a_link_to_nothing_is_filled(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "target").read_text() == "new"
    assert (tmp_path / "link").is_symlink()


def test_a_name_of_full_length_can_be_written(tmp_path: Path) -> None:
    write_text(tmp_path / ("x" * 255), "new")
    assert (tmp_path / ("x" * 255)).read_text() == "new"


def test_a_failure_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "model.npz"
    file.write_text("old")

    def fail() -> None:
        with whole_file(file) as opened:
            opened.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_places_where_nothing_can_be_written_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(FacedownError, match=r"expected a file that can be written, got '.*', which is a folder"):
        check_place(tmp_path)
    with pytest.raises(FacedownError, match=r"expected a file that can be written, got '.*': no name has a NUL in it"):
        check_place(tmp_path / "a\0b")
    with pytest.raises(FacedownError, match=r"expected a folder to write .* to, got none at .*/none"):
        check_place(tmp_path / "none" / "file")
    with pytest.raises(FacedownError, match=r"expected a file that can be written, got '.*': File name too long"):
        check_place(tmp_path / ("x" * 300))
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(FacedownError, match=r"expected a file that can be written, got '.*loop'"):
        write_text(tmp_path / "loop", "new")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_that_may_not_be_written_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "file").chmod(0o400)
    with pytest.raises(FacedownError, match=r"expected a file that can be written, got '.*': Permission denied"):
        check_place(tmp_path / "file")


def test_everything_that_writes_files_does_it_there() -> None:
    found = []
    for source in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in ("write_text", "write_bytes") and not isinstance(node.func.value, ast.Constant):
                    found.append(str(source.relative_to(PACKAGE)))
                modes = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                if node.func.attr in ("open", "fdopen") and any(mode[:1] in ("w", "x", "a") for mode in modes):
                    found.append(str(source.relative_to(PACKAGE)))
    assert set(found) == {"files.py", "compiler/files.py"}
