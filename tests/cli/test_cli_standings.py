"""Standings at a terminal keep their labels, whatever its width, and say why games were forfeited."""

import json
import re

import pytest
from rich.console import Console

from facedown.cli.standings import Standings, brief_labels, broken
from results import LONG, result_of
from terminals import Run

OTHER = LONG.replace("exploration=0.7", "exploration=0.9")


def lines_of(width: int, brief: bool = False) -> list[str]:
    result = result_of([LONG, OTHER, "random", "ismcts"], forfeits=True)
    console = Console(width=width, highlight=False)
    with console.capture() as captured:
        console.print(Standings(result.ledger, result.standings, brief))
    return captured.get().splitlines()


@pytest.mark.parametrize("width", [24, 40, 60, 80, 200])
def test_every_row_keeps_its_label_and_every_figure_is_whole(width: int) -> None:
    lines = lines_of(width)
    assert all(len(line.rstrip()) <= width for line in lines)
    rows = [line for line in lines if re.match(r"[ABCD] +[\d+-]", line)]
    tables = len(rows) // 4
    assert [line[0] for line in rows] == ["A", "B", "C", "D"] * tables
    assert (tables == 1) == (width >= 80)
    assert sum("±" in line for line in rows) >= 4
    assert not any("…" in line for line in lines)


def test_an_agents_text_is_whole_and_broken_after_commas() -> None:
    lines = lines_of(80)
    assert lines[0].endswith(",")
    assert f"{lines[0][3:]}{lines[1].strip()}" == LONG
    assert broken("x" * 30, 8) == ["x" * 8] * 3 + ["x" * 6]
    assert broken("ab,cd", 5) == ["ab,cd"]
    assert broken("ab", 0) == ["a", "b"]


def test_while_it_is_played_each_agent_has_one_line_that_tells_it_apart() -> None:
    lines = lines_of(40, brief=True)
    assert lines[:2] == ["A  ismcts-t:exploration=0.7,…", "B  ismcts-t:exploration=0.9,…"]
    assert brief_labels(["random", LONG]) == {"random": "random", LONG: LONG}
    assert brief_labels(["m.py:A:x=1,y=2", "m.py:A:y=2"]) == {"m.py:A:x=1,y=2": "m.py:A:x=1,…", "m.py:A:y=2": "m.py:A:…"}


def test_forfeits_say_why(run: Run) -> None:
    command = ["tournament", "hearts32", "strange_agents:Crashing", "random", "--deals", "1", "--on", "local"]
    code, out, _ = run(*command)
    assert code == 0
    said = "A forfeited 6 games: ZeroDivisionError: no cards to divide"
    assert said in out.splitlines()
    again = run(*command)[1]
    assert said in again.splitlines(), "also when the games come out of the store"
    (standing,) = [one for one in json.loads(run(*command, "--json")[1])["standings"] if one["forfeits"]]
    assert standing["reasons"] == {"ZeroDivisionError: no cards to divide": 6}


def test_only_the_commonest_reasons_are_said() -> None:
    result = result_of(["a", "b"], forfeits=True)
    one = result.standings[0]
    object.__setattr__(one, "forfeits", 10)
    object.__setattr__(one, "reasons", {f"reason {number}\x1b": 5 - number for number in range(5)})
    (line,) = [line for line in Standings(result.ledger, result.standings).forfeits() if line.startswith("A")]
    assert line == ("A forfeited 10 games: 5 x reason 0\\x1b; 4 x reason 1\\x1b; 3 x reason 2\\x1b; 2 other reasons")
