"""What the pages are made of: files that are small, served with a strict policy, and never markup from texts."""

import re
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from facedown.server.pages import FOLDER, PAGES
from serving import served

MOST_BYTES = 200_000  # of JavaScript and style sheets
IMPORT = re.compile(r"""(?:\bfrom|^import) ["']([^"']+)["'];$""", re.MULTILINE)
FILES = sorted(file for file in FOLDER.rglob("*") if file.is_file())
SCRIPTS = [file for file in FILES if file.suffix == ".js"]
HTML = [file for file in FILES if file.suffix == ".html"]
ADDRESSES = [re.sub(r"\{[^}]+\}", "some", address) for address in PAGES]


class Parts(HTMLParser):
    """The elements of a page, and the text of those that would be run or applied."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.loaded: list[str] = []
        self._in: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._in = tag if tag in ("script", "style") else None
        self.inline += [f"{tag} {name}" for name, _ in attributes if name == "style" or name.startswith("on")]
        self.loaded += [str(value) for name, value in attributes if name == "src" or (tag == "link" and name == "href")]

    def handle_endtag(self, tag: str) -> None:
        self._in = None

    def handle_data(self, data: str) -> None:
        if self._in and data.strip():
            self.inline.append(f"{self._in}: {data.strip()}")


def loaded_by(file: Path) -> set[Path]:
    """The scripts and styles of a page, with all that they import."""
    found: set[Path] = set()
    waiting = [FOLDER / address.removeprefix("/web/") for address in Parts(file.read_text()).loaded]
    while waiting:
        one = waiting.pop()
        if one not in found and one.suffix in (".js", ".css"):
            found.add(one)
            waiting += [one.parent / address for address in IMPORT.findall(one.read_text())]
    return found


@pytest.mark.parametrize("file", HTML, ids=lambda file: file.stem)
def test_the_scripts_and_styles_of_a_page_are_small(file: Path) -> None:
    assert sum(one.stat().st_size for one in loaded_by(file)) <= MOST_BYTES


def test_all_scripts_and_styles_together_are_small_as_they_are_sent(tmp_path: Path) -> None:
    with served(tmp_path / "store.sqlite") as server, httpx.Client(base_url=server.url, timeout=20) as client:
        answers = [client.get(f"/web/{file.relative_to(FOLDER)}") for file in FILES if file.suffix in (".js", ".css")]
    assert sum(int(answer.headers["content-length"]) for answer in answers) <= MOST_BYTES


@pytest.mark.parametrize("file", HTML, ids=lambda file: file.stem)
def test_a_page_has_no_script_and_no_style_inside_and_loads_only_files_of_the_package(file: Path) -> None:
    parts = Parts(file.read_text())
    assert not parts.inline
    assert parts.loaded
    for address in parts.loaded:
        assert address.startswith("/web/"), address
        assert (FOLDER / address.removeprefix("/web/")).is_file(), address


def test_a_script_or_a_style_inside_a_page_would_be_found() -> None:
    parts = Parts('<p style="color: red" onclick="f()">a</p><script>f()</script><style>p {}</style>')
    assert parts.inline == ["p style", "p onclick", "script: f()", "style: p {}"]


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.stem)
def test_a_script_imports_only_files_of_the_package(file: Path) -> None:
    for address in IMPORT.findall(file.read_text()):
        assert address.startswith("./"), address
        assert (file.parent / address).is_file(), address


def test_every_page_and_every_file_is_served_with_the_policy(tmp_path: Path) -> None:
    loaded = [f"/web/{file.relative_to(FOLDER)}" for file in FILES]
    with served(tmp_path / "store.sqlite") as server, httpx.Client(base_url=server.url, timeout=20) as client:
        for address in [*ADDRESSES, *loaded]:
            answer = client.get(address)
            assert answer.status_code == 200, address
            policy = answer.headers["content-security-policy"]
            assert {"script-src 'self'", "style-src 'self'", "default-src 'self'"} <= set(policy.split("; ")), address
            assert "unsafe" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
