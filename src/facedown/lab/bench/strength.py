"""How strong the searches are: each against a baseline, over duplicate deals, with a 95 % interval.

One side plays the first agent, all the others the second, in all seatings of every deal: a tournament with a field. Where
agents are compared at equal time, the iterations of the first are set beforehand so that both take the same CPU time for the
same decisions: a clock would also measure other load on the machine.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from facedown.agents import agent
from facedown.arena.tournament import Progress, tournament
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.games import load
from facedown.lab.bench.measurements import first_choice
from facedown.lab.bench.searches import can_play
from facedown.stats import Estimate
from facedown.view import View

TIMED_DECISIONS = 60
BASELINE = "ismcts:iterations=1000"

OnProgress: TypeAlias = Callable[[str, float | None], None]


@dataclass(frozen=True)
class Duel:
    """Two agents to be compared."""

    ours: str
    theirs: str = BASELINE
    equal_time: bool = False  # whether to set our iterations so that both take the same time


DUELS = (
    Duel("ismcts:iterations=1000", "random"),
    Duel("uct:iterations=1000"),
    Duel("pimc:worlds=25,iterations=40"),
    Duel("mo-ismcts:iterations=1000", equal_time=True),
    Duel("ismcts-t:iterations=1000", equal_time=True),
    Duel("ismcts-t:iterations=1000,merge_suits=true", "ismcts-t:iterations=1000", equal_time=True),
    Duel("ismcts:iterations=1000,playout=rules", equal_time=True),
    Duel("ismcts:iterations=1000,playout=mast", equal_time=True),
    Duel("ismcts:iterations=1000,playout=nast", equal_time=True),
    Duel("ismcts:iterations=1000,playout=last-good-reply", equal_time=True),
    Duel("ismcts:iterations=1000,endgame=16", equal_time=True),
    Duel("ismcts:iterations=1000,reward=pwl"),
    Duel("ismcts:iterations=1000,reward=sd"),
    Duel("ismcts:iterations=1000,reward=hybrid"),
    Duel("ismcts-t:iterations=8000", "ismcts:iterations=8000"),
)


@dataclass(frozen=True)
class Strength:
    """How far ahead one agent is of the other: the mean lead over deals."""

    game: str
    ours: str
    theirs: str
    lead: Estimate

    @property
    def decided(self) -> bool:
        """Whether the interval excludes zero."""
        return self.lead.low > 0 or self.lead.high < 0

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data."""
        return {**asdict(self), "lead": self.lead.to_dict(), "decided": self.decided}


def measure_strength(
    game: str, duels: tuple[Duel, ...] = DUELS, deals: int = 100, progress: OnProgress | None = None
) -> list[Strength]:
    """Play all duels that the game can play; `progress(text, fraction done)` is called on the way."""
    if deals < 2:
        raise FacedownError(f"expected at least 2 deals, got {deals}")
    report = progress or (lambda text, fraction: None)
    loaded = load(game)
    found = []
    for duel in duels:
        if not all(can_play(text, first_choice(loaded, 0)) for text in (duel.ours, duel.theirs)):
            continue
        ours = duel.ours
        if duel.equal_time:
            report(f"{ours}: how long it takes", None)
            ours = at_equal_time(loaded, duel.ours, duel.theirs)
        heading = f"{ours} against {duel.theirs}"

        def on_progress(state: Progress, heading: str = heading) -> None:
            report(heading, state.done / state.total)

        result = tournament(loaded, [ours, duel.theirs], deals, pairing="field", progress=on_progress)
        found.append(Strength(loaded.full_name, ours, duel.theirs, result.standing(0).lead))
    return found


def at_equal_time(game: Game, ours: str, theirs: str) -> str:
    """Our agent with as many iterations as it makes in the CPU time that the other one takes."""
    positions = decisions(game)
    asked = agent(ours).options["iterations"].value
    assert isinstance(asked, int)
    share = seconds(theirs, positions) / seconds(ours, positions)
    name, _, options = ours.partition(":")
    others = [option for option in options.split(",") if not option.startswith("iterations=")]
    return f"{name}:{','.join([f'iterations={max(1, round(asked * share))}', *others])}"


def decisions(game: Game) -> list[View]:
    """Positions with a choice, from all stages of random games."""
    views: list[View] = []
    seed = 0
    while len(views) < TIMED_DECISIONS:
        state = game.deal(seed)
        walker = agent("random", seed)
        while (seat := state.seat) is not None:
            view = state.view(seat)
            if len(state.legal) > 1 and (len(state.history) + seed) % 5 == 0:
                views.append(view)
            state.play(walker.choose(view))
        seed += 1
    return views


def seconds(text: str, views: list[View]) -> float:
    """CPU time for all decisions; the least of three, since other load only adds to it."""
    player = agent(text)
    times = []
    for _ in range(3):
        begin = time.thread_time()
        for view in views:
            player.choose(view)
        times.append(time.thread_time() - begin)
    return min(times)


def table(found: list[Strength]) -> RenderableType:
    """The strengths for a person."""
    rows = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    for name in ("agent", "against"):
        rows.add_column(name, overflow="fold")
    rows.add_column("deals", justify="right")
    rows.add_column("lead", justify="right", no_wrap=True)
    for one in found:
        style = "" if not one.decided else "green" if one.lead.value > 0 else "red"
        rows.add_row(one.ours, one.theirs, str(one.lead.count), Text(str(one.lead), style))
    return Group(Text(f"{found[0].game}: lead of one side over all others, 95 % interval over deals", style="dim"), rows)
