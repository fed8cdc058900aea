"""The command facedown advise."""

import io
import json as json_text
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from facedown.cli.arguments import AS_JSON, GAME
from facedown.cli.output import stdout_for_results
from facedown.cli.play import audience_for
from facedown.cli.seats import loaded_game
from facedown.errors import FacedownError, shown
from facedown.options import read_number
from facedown.record import is_list, is_text

if TYPE_CHECKING:
    from facedown.advisor import Session
    from facedown.game import Game
    from facedown.terminal.advising import Desk
    from facedown.terminal.audience import Lines


def advise(
    game: str = GAME,
    seat: str = typer.Option("0", metavar="N", help="Your seat."),
    hand: str = typer.Option(None, metavar="CARDS", help="Your hand, such as '2c 5c kc ...'; asked for by default."),
    start: list[str] = typer.Option(
        [], "--start", metavar="NAME=VALUE", help="What else is seen of the deal: shown=7H, pass=across, totals=10,3,0,13."
    ),
    agent: str = typer.Option(None, metavar="AGENT", help="Who advises; by default as in facedown play."),
    save: str = typer.Option(None, metavar="FILE", help="Where what is told is kept; by default your own file."),
    json: bool = AS_JSON,
) -> None:
    """Advise on a game that is played elsewhere, as you tell it card by card; kept, and continued by the same command."""
    from facedown.analysis.advice import ADVISER_ITERATIONS, searcher
    from facedown.terminal.advising import Desk
    from facedown.terminal.audience import PlayerQuit

    rules = loaded_game(game)
    own = rules.check_seat(read_number(seat))
    adviser = checked_adviser(agent or searcher(rules, ADVISER_ITERATIONS), rules)
    audience = audience_for(own, 0.0, json)
    in_person = audience.for_person and not json
    kept = Kept(Path(save) if save else own_file(rules, own) if in_person else None)
    if save:
        kept.read(rules, own)  # refuses a file of something else before it is written over
    said = io.StringIO()
    if not audience.for_person:
        audience.console.file = said  # printed when all is told: what is refused is answered by one line alone
    try:
        with stdout_for_results(json):
            session = begun(rules, own, hand, told_start(start), kept, audience)
            desk = Desk(session, audience, adviser, kept.write)
            with audience.stage(f"{rules.full_name}, seat {own}, played elsewhere"):
                desk.run(strict=not in_person)
    except (PlayerQuit, KeyboardInterrupt):
        audience.console.print(kept.words(), soft_wrap=True)
        raise typer.Exit(0) from None
    tell_result(desk, audience.console, json)
    print(said.getvalue(), end="")


def tell_result(desk: "Desk", console: Console, json: bool) -> None:
    """At the end of input: what is expected next, and what to do if that is up to the one who tells."""
    session = desk.session
    own = session.expects.kind == "action" and session.expects.seat == session.seat
    with stdout_for_results(json):
        decisions = desk.advised() if own else []
    if json:
        print(json_text.dumps(result(session, decisions)))
    elif decisions:
        console.print(f"advice: {' '.join(text for one in decisions for text in one.texts)}", soft_wrap=True)


def result(session: "Session", decisions: list[Any]) -> dict[str, Any]:
    """All that is known, as plain data."""
    from facedown.advisor import possible_actions

    view = session.view
    ready = view is not None and not session.pending
    alike = view is None or view.game.look_alike is not None or view.over
    advice = (
        {"actions": [text for one in decisions for text in one.texts], "decision": decisions[0].to_dict()}
        if decisions
        else None
    )
    return {
        "game": session.game.full_name,
        "seat": session.seat,
        "entries": session.entries,
        "expects": vars(session.expects) | {"values": list(session.expects.values)},
        "to_move": view.to_move if view is not None and ready else None,
        "possible": possible_actions(view) if view is not None and ready else [],
        "advice": advice,
        "beliefs": None if alike or view is None else view.beliefs(),
        "worlds": None if view is None or view.over else str(view.worlds()),
    }


def checked_adviser(text: str, game: "Game") -> str:
    """An agent that can advise: it plays the game, and sees what its seat sees."""
    from facedown.agents import agent

    found = agent(text)
    if found.sees_all or (found.plays and game.name not in found.plays):
        raise FacedownError(f"expected an agent that plays {game.name} and sees what its seat sees, got {found.name}")
    return found.text


def told_start(words: list[str]) -> dict[str, Any]:
    """What was told of the deal as options: numbers, and several with commas."""
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not value:
            raise FacedownError(f"expected --start as a name and a value, such as shown=7H, got {shown(word)}")
        parts: list[Any] = [int(part) if re.fullmatch(r"\d{1,5}", part) else part for part in value.split(",")]
        found[name] = parts if len(parts) > 1 else parts[0]
    return found


# --- What is kept -----------------------------------------------------------------------------------------------------


class Kept:
    """The file in which a told game is kept, after each line: nothing is lost when the program ends, however it does."""

    def __init__(self, path: Path | None) -> None:
        """Without a path nothing is kept."""
        self.path = path

    def write(self, session: "Session") -> None:
        """Keep all that was told, or forget a game that is over."""
        from facedown.files import write_text

        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        told = {"game": session.game.full_name, "seat": session.seat, "hand": session.hand, "start": session.start}
        write_text(self.path, json_text.dumps({**told, "entries": session.entries}) + "\n")

    def read(self, game: "Game", seat: int) -> dict[str, Any] | None:
        """What was kept of the same game and seat, if anything was told."""
        try:
            data = json_text.loads(self.path.read_text()) if self.path is not None and self.path.exists() else None
        except (OSError, ValueError) as error:
            raise FacedownError(f"expected a game that was told in {self.path}, got {error}") from None
        if data is None:
            return None
        if not is_told(data):
            raise FacedownError(f"expected a game that was told in {self.path}, got {shown(data)}")
        return data if (data.get("game"), data.get("seat")) == (game.full_name, seat) else None

    def words(self) -> str:
        """Where it is."""
        return "nothing is kept" if self.path is None else f"kept in {self.path}: the same command continues"


def is_told(data: Any) -> bool:
    """Whether data are those of a told game; what was told is judged when it is told again."""
    return (
        isinstance(data, dict)
        and is_list(data.get("entries"), is_text)
        and (data.get("hand") is None or isinstance(data["hand"], str) or is_list(data["hand"], is_text))
        and isinstance(data.get("start"), dict)
    )


def own_file(game: "Game", seat: int) -> Path:
    """Where a person's game is kept."""
    from facedown.store.places import default_file

    name = re.sub(r"[^A-Za-z0-9]+", "-", game.full_name)[:60].strip("-")
    return default_file().parent / "advise" / f"{name}-{seat}.json"


def begun(game: "Game", seat: int, hand: str | None, start: dict[str, Any], kept: Kept, audience: "Lines") -> "Session":
    """The session that was kept, if it is to be continued, or a new one."""
    from facedown.advisor import Session, start_choices
    from facedown.terminal.advising import asked_at_start

    found = None if hand is not None else kept.read(game, seat)
    if found is not None and (not audience.for_person or continues(found, audience)):
        session = Session(game, seat, found.get("hand"), found["start"])
        session.tell(*found["entries"])
        return session
    if audience.for_person and not start and hand is None:
        start = asked_at_start(audience, dict(start_choices(game, seat)), dict(game.elsewhere.words))
    return Session(game, seat, hand, start)


def continues(found: dict[str, Any], audience: "Lines") -> bool:
    """Whether somebody wants to continue what was kept."""
    lines = len(found["entries"])
    answer = audience.ask(f" continue the game that was told before, {lines} lines? (Enter for yes, n for a new one): ")
    return (answer or "").strip().lower() not in ("n", "no", "new")
