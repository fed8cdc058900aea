"""Whole games as recorded transcripts: every fact of every state, so that no rule changes unnoticed.

`python tests/games/test_playthroughs.py` writes them anew; read the difference before you keep it.
"""

from pathlib import Path
from typing import Any

import pytest

from facedown import State, load

FOLDER = Path(__file__).parent / "playthroughs"
PLAYTHROUGHS = {  # file: game and seed
    "hearts_hold": ("hearts:passing=hold", 1),
    "hearts_left": ("hearts:passing=left", 2),
    "hearts_across_early_end": ("hearts:passing=across,early_end=true", 35),
    "hearts_right_no_moon": ("hearts:passing=right,moon=false", 4),
    "hearts_open": ("hearts:lowest_club_leads=false,first_trick_points=true,break_hearts=false", 5),
    "hearts_match": ("hearts:match=50", 6),
    "hearts32": ("hearts32", 7),
    "hearts32_strict": (
        "hearts32:passing=left,lowest_club_leads=true,first_trick_points=false,break_hearts=true,queen_breaks_hearts=true",
        8,
    ),
    "hearts32_match": ("hearts32:match=30,early_end=true", 9),
    "sueca": ("sueca", 1),
    "sueca_match": ("sueca:match=4,mandar_abaixo=true", 2),
    "bisca": ("bisca", 3),
    "bisca_hand_of_three": ("bisca:hand_size=3,match=2", 4),
    "magic": ("magic", 5),
    "magic_decks": ("magic:first_draw=true,deck1=16xland+8x2/2for2+8x2/2for3+8x0/5for1", 6),
    "bisca_four_seats": ("bisca:seats=4,hand_size=7", 5),
    "cheat": ("cheat:turn_limit=60", 1),
    "cheat_small": ("cheat:ranks=5,hand_size=3,lies_with=most", 2),
}


def transcript(game: str, seed: int) -> str:
    """A game in which each seat plays one of its legal cards by a fixed pattern.

    The first state is written in full, after that what has changed.
    """
    state = load(game).deal(seed)
    lines = [f"game: {state.game.full_name}", f"rules version: {state.game.version}", f"seed: {seed}"]
    before: dict[str, str] = {}
    step = 0
    while True:
        now = described(state)
        lines += ["", f"state {step}", *(f"  {name}: {fact}" for name, fact in now.items() if before.get(name) != fact)]
        before = now
        if state.over:
            return "\n".join(lines) + "\n"
        action = state.legal[(step * step + 3 * step) % 7 % len(state.legal)]
        lines.append(f"seat {state.seat} plays {state.game.text(action)}")
        state.play(action)
        step += 1


def described(state: State) -> dict[str, str]:
    """The facts of a state by name."""
    facts: dict[str, Any] = dict(state.facts)
    facts["legal"] = [state.game.text(action) for action in state.legal]
    facts["scores"] = state.scores
    views = [state.view(seat) for seat in range(state.game.seats)]
    for name in sorted(views[0].facts.keys() - facts.keys() - {"hand"}):  # what each seat knows for itself
        facts[name] = [view.facts[name] for view in views]
    facts["last action hidden from"] = [view.seat for view in views if view.history[-1:] != state.history[-1:]]
    if state.seat is not None and not facts.get("trick"):
        facts["worlds for the seat to move"] = views[state.seat].worlds()
    return {name: words(fact) for name, fact in facts.items()}


def words(fact: Any) -> str:
    """A fact as a line of words."""
    if isinstance(fact, dict):
        return ":".join(words(part) for part in fact.values())
    if isinstance(fact, list):
        return (" | " if any(isinstance(part, list) for part in fact) else " ").join(map(words, fact)) or "-"
    return str(fact)


def test_every_recorded_playthrough_is_expected() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.txt")) == sorted(PLAYTHROUGHS)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_game_goes_as_it_was_recorded(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert transcript(*PLAYTHROUGHS[name]) == recorded


if __name__ == "__main__":
    for name, (game, seed) in PLAYTHROUGHS.items():
        (FOLDER / f"{name}.txt").write_text(transcript(game, seed), encoding="utf-8")
