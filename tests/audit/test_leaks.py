"""No seat is told what it cannot know, and no agent plays by it: pairs of games that a seat cannot tell apart.

tests/tools/leaks.py finds them without asking the library what is hidden. The audit looks for the same by the library's own
worlds: a mistake that samplers and views share would be lost on it.
"""

from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

import pytest

import facedown as fd
import planted_faults
from facedown.kernel import COMPILED
from leaks import TABLES, Pair, leaks, pairs

KNAVES = str(Path(__file__).parents[2] / "examples" / "little_knaves.py") + ":GAME"
TREES = [
    "ismcts:iterations=30",
    "ismcts:iterations=20,playout=rules",
    "mo-ismcts:iterations=20",
    "pimc:worlds=2,iterations=10",
]
TRICKS = [*TREES, "ismcts-t:iterations=20,worlds=5", "minimax:worlds=2,iterations=10,endgame=8,endgame_worlds=5"]
TRICKS += ["ismcts:iterations=20,sampler=possibility-matrix", "ismcts:iterations=20,endgame=8,endgame_worlds=5", "random"]
BLUFFS = ["mga:iterations=20", "pmga:iterations=20", "sdmcts:iterations=20", "cheat-person:style=3", "random", *TREES]
DUELS = [
    "ensemble:trees=2,simulations=10",
    "ensemble:trees=2,simulations=10,bt=true,decides=all",
    "expert",
    "reduced",
    *TREES,
]

GAMES: dict[str, Sequence[str]] = {  # with the agents that are asked
    "hearts": TRICKS,
    "hearts:passing=hold,queen_breaks_hearts=true": TRICKS,
    "hearts:match=30,passing=across": TRICKS,
    "hearts32:passing=right": TRICKS,
    "sueca": TRICKS,
    "sueca:mandar_abaixo=true,match=4": TRICKS,
    "bisca": TRICKS,
    "bisca:seats=4,hand_size=3": TRICKS,
    "cheat": BLUFFS,
    "cheat:ranks=6,hand_size=5": BLUFFS,
    "magic": DUELS,
    "magic:first_draw=true,deck1=16xland+12x2/2for2+12x3/1for3": DUELS,
    KNAVES: [TREES[0], TREES[3], "random"],
}
AT_ONCE = 3  # agents asked about a pair
ENOUGH, ENOUGH_TURNS = 30, 8  # pairs of a game, and those in which the seat is to move
POSITIONS = 5  # of a game


def seeds(game: fd.Game) -> range:
    """The games to look at: as many as it takes to have enough pairs, one for each seat of a position."""
    return range({2: 5, 3: 4, 4: 3}[game.seats] if COMPILED else 1)


def has_choice(pair: Pair) -> bool:
    """Whether the seat is to move, and may do one thing or another."""
    return pair.one.seat == pair.seat and len(pair.one.legal) > 1


@pytest.mark.parametrize("text", GAMES, ids=[text.rpartition("/")[2] if text == KNAVES else text for text in GAMES])
def test_a_seat_that_observed_the_same_is_told_the_same_and_plays_the_same(text: str) -> None:
    agents = GAMES[text] if COMPILED else GAMES[text][:1]
    game = fd.load(text)
    found = list(pairs(game, seeds(game), POSITIONS))
    in_turn = cycle(agents)
    asked = set[str]()
    for pair in found:
        some = list(islice(in_turn, AT_ONCE)) if has_choice(pair) else []
        asked.update(some)
        assert not leaks(pair, some), f"{text}, seat {pair.seat}, {pair.swap}, {pair.one.history}"
    if COMPILED:
        assert len(found) >= ENOUGH
        assert len([pair for pair in found if has_choice(pair)]) >= ENOUGH_TURNS
        assert asked == set(agents)


# --- Would a leak be found? ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["hearts", "sueca", "bisca", "cheat", "magic"])
def test_the_agents_that_see_all_are_found_out(text: str) -> None:
    cheat = "fpmga:iterations=20" if text == "cheat" else "uct:iterations=60"
    game = fd.load(text)
    found = [pair for pair in pairs(game, seeds(game), POSITIONS) if has_choice(pair)]
    caught = [pair for pair in found if leaks(pair, [cheat])]
    assert caught or not COMPILED
    assert all(leaks(pair, [cheat]) == [cheat] for pair in caught[:3])


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (planted_faults.forgetful, "bytes"),
        (planted_faults.drawing, "facts"),
        (planted_faults.blabbing, "errors"),
        (planted_faults.hasty, "spectator's bytes"),
    ],
)
def test_a_leak_that_was_planted_is_found(game: object, told: str) -> None:
    assert callable(game)
    found = list(pairs(game(), range(4), 4))
    assert len(found) > 5
    assert any(told in leaks(pair) for pair in found)


def test_a_duel_without_a_fault_tells_nothing() -> None:
    found = list(pairs(planted_faults.faulty("honest-duel"), range(4), 4))
    assert len(found) > 5
    assert not [leak for pair in found for leak in leaks(pair)]


def test_every_game_has_an_observer_of_its_own() -> None:
    assert set(fd.games()) == set(TABLES)
