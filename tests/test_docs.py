"""The pages for people hold true: every Python block runs and prints what the page says, every link leads somewhere.

The blocks of a page run one after another, as one module. A block marked `output` is what the block before it prints;
`python tests/test_docs.py` writes these blocks anew after a change of play.
"""

import contextlib
import io
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

import facedown as fd
from facedown.kernel import COMPILED

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*.md")])
EXAMPLE = ROOT / "examples" / "little_knaves.py"

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@dataclass
class Block:
    """A Python block of a page, and what the page says that it prints."""

    code: str
    line: int  # of the page, counted from 0
    output: str | None = None


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text()
    blocks: list[Block] = []
    for fence in FENCE.finditer(text):
        if fence[1] == "python":
            blocks.append(Block(fence[2], text[: fence.start(2)].count("\n")))
        elif fence[1] == "output":
            blocks[-1].output = fence[2]
    return blocks


def printed_by(page: Path, folder: Path) -> list[str]:
    """What each block of a page prints. The page becomes a module in a file, so that kernels have a source of their own."""
    blocks = blocks_of(page)
    file = folder / f"page_{page.stem.replace('-', '_')}.py"
    lines = [""] * len(page.read_text().splitlines())
    for block in blocks:
        lines[block.line : block.line + block.code.count("\n")] = block.code.splitlines()
    file.write_text("\n".join(lines) + "\n")
    module = ModuleType(file.stem)
    module.__file__ = str(file)
    sys.modules[file.stem] = module
    found = []
    try:
        with contextlib.chdir(ROOT):
            for block in blocks:
                with contextlib.redirect_stdout(io.StringIO()) as printed:
                    exec(compile("\n" * block.line + block.code, file, "exec"), module.__dict__)
                found.append(printed.getvalue())
    finally:
        del sys.modules[file.stem]
    return found


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.skipif(not COMPILED, reason="the searches of the pages take minutes when interpreted")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page)], ids=name_of)
def test_every_python_block_runs_and_prints_what_the_page_says(page: Path, tmp_path: Path) -> None:
    for block, printed in zip(blocks_of(page), printed_by(page, tmp_path), strict=True):
        assert printed == (block.output or ""), f"{name_of(page)}, line {block.line + 1}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_to_a_file(page: Path) -> None:
    for link in LINK.findall(page.read_text()):
        assert (page.parent / link).exists(), f"{name_of(page)} links to {link}"


def test_the_tutorial_shows_the_example_and_nothing_else() -> None:
    tutorial = ROOT / "docs" / "add-a-game.md"
    example = EXAMPLE.read_text()
    first_use = tutorial.read_text().split("## 6.")[0].count("\n")
    shown = [block.code for block in blocks_of(tutorial) if block.line < first_use]
    for code in shown:
        assert code.strip() in example
    lines = {line for code in shown for line in code.splitlines()}
    rules = example.split('"""', 2)[2]
    assert set(rules.splitlines()) <= lines | {""}


@pytest.mark.parametrize("name", ["hearts", "hearts32"])
def test_the_page_of_hearts_lists_every_option_with_its_default(name: str) -> None:
    page = (ROOT / "docs" / "hearts.md").read_text()
    column = {"hearts": 2, "hearts32": 3}[name]
    rows = {cells[1].strip(" `"): cells for cells in (line.split("|") for line in page.splitlines()) if len(cells) == 6}
    for option in fd.load(name).options.values():
        default = str(option.default).lower() if isinstance(option.default, bool) else str(option.default)
        assert rows[option.name][column].strip(" `") == default
        assert rows[option.name][4].strip() == option.meaning


@pytest.mark.parametrize("name", ["sueca", "bisca", "magic"])
def test_the_pages_of_other_games_list_every_option_with_its_default(name: str) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text()
    rows = {cells[1].strip(" `"): cells for cells in (line.split("|") for line in page.splitlines()) if len(cells) == 5}
    for option in fd.load(name).options.values():
        default = str(option.default).lower() if isinstance(option.default, bool) else str(option.default)
        assert [cell.strip(" `") for cell in rows[option.name][2:4]] == [default, option.meaning]


@pytest.mark.parametrize("name", ["hearts", "sueca", "magic"])
def test_the_page_of_a_game_lists_every_field_of_its_record(name: str) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text()
    for field in (fd.load(name).rules.state.names or ())[:-1]:
        assert f"`{field}`" in page


def test_every_game_has_a_page() -> None:
    pages = " ".join(page.stem for page in PAGES)
    assert all(name.rstrip("0123456789") in pages for name in fd.games())


def test_the_page_of_the_python_door_names_every_public_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    for name in fd.__all__:
        assert f"fd.{name}" in page


def write_outputs() -> None:
    """Put what the blocks print now into the pages, where it differs."""
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            printed = printed_by(page, Path(folder))
        texts = iter(printed)
        last = ""

        def renewed(fence: re.Match[str]) -> str:
            nonlocal last
            if fence[1] == "python":
                last = next(texts)  # noqa: B023  # used before the next page
            return f"```output\n{last}```" if fence[1] == "output" else fence[0]

        page.write_text(FENCE.sub(renewed, page.read_text()))


if __name__ == "__main__":
    write_outputs()
