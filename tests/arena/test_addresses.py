"""Games and agents as objects: sent to other processes by a text that finds them again, or refused in one line."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import coin_guess
import facedown as fd
import little_duel
from facedown.arena.addresses import agent_text, game_text
from facedown.arena.supervise import TournamentSpec, game_of
from facedown.arena.tournament import tournament


class Lowest(fd.Agent):
    """The lowest action."""

    name = "lowest"
    declared = (fd.Option("depth", 3, "nothing"),)

    def choose(self, view: Any) -> int:
        return int(min(view.legal))


HERE = f"{__name__}:Lowest"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("random", "random"),
        (fd.agent("ismcts:iterations=7"), "ismcts:iterations=7"),
        (Lowest, HERE),
        (Lowest(depth=5), f"{HERE}:depth=5"),
        (fd.agent(HERE), HERE),
    ],
)
def test_an_agent_is_known_by_its_text(given: Any, text: str) -> None:
    assert agent_text(given) == text
    assert type(fd.agent(text)) is type(fd.agent(given) if not isinstance(given, type) else given())


def test_an_agent_that_no_module_has_is_refused() -> None:
    class Hidden(Lowest):
        pass

    with pytest.raises(
        fd.FacedownError, match=r"expected an agent by its text, such as file.py:NAME, or of a class that a "
    ):
        agent_text(Hidden)


@pytest.mark.parametrize("text", ["hearts32", "hearts32:moon=false", "magic:deck=40x2/2for2", "little_duel:GAME"])
def test_a_game_is_known_by_its_text(text: str) -> None:
    game = fd.load(text)
    assert game_text(game) == game.full_path


def test_a_game_that_came_from_no_text_is_known_by_the_module_that_has_it() -> None:
    game = coin_guess.GAME.with_options()
    game.path = None
    assert game_text(game).startswith("coin_guess:")
    spec = TournamentSpec(game_text(game), ("random", "random"), ((0, 1),), 0, game_path=None)
    assert game_of(spec).rules is game.rules
    assert game_of(spec).full_path == game.full_path, "records call it the same here and there"


def test_a_game_that_only_this_process_has_is_refused(tmp_path: Path) -> None:
    game = fd.Game("nobody's", replace(coin_guess.GAME.rules), seats=2, actions=4)
    store = tmp_path / "store.sqlite"
    with pytest.raises(
        fd.FacedownError, match=r"^expected a game that other processes can load, such as file.py:NAME, got "
    ) as e:
        tournament(game, ["random", HERE], deals=1, on="processes", store=store)
    assert "\n" not in str(e.value)
    assert not store.exists()


SCRIPT = """
import sys
import facedown as fd
sys.path.append({toys!r})
from little_duel import GAME
DUEL = GAME.with_options()

class Mine(fd.Agent):
    name = "mine"

    def choose(self, view):
        return view.legal[0]

if __name__ == "__main__":
    for on, workers in (("local", None), ("processes", 1)):
        result = fd.tournament(DUEL, [Mine(), "random"], deals=2, on=on, workers=workers, store=f"{{on}}.sqlite", name="run")
        print([record.to_json() for record in fd.Store.open(f"{{on}}.sqlite").run("run").records()])
"""


def test_games_and_agents_of_a_script_play_the_same_in_other_processes(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT.format(toys=str(Path(little_duel.__file__).parent)))
    command = [sys.executable, "script.py"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
    here, there = result.stdout.splitlines()
    assert here == there
    assert "script.py:Mine" in here
