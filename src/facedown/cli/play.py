"""The command facedown play."""

import shlex
import sys
from collections.abc import Sequence
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from facedown.cli.arguments import AS_JSON, GAME, SEED, WHERE, chosen_seed, delay_of
from facedown.cli.output import stdout_for_results
from facedown.cli.seats import PERSON, loaded_game, one_for_each, print_result, seated_agents
from facedown.errors import FacedownError
from facedown.options import read_number

if TYPE_CHECKING:
    from facedown.game import Game
    from facedown.record import GameRecord
    from facedown.terminal.audience import Lines
    from facedown.terminal.person import Person

INTERRUPTED = 130


def play(
    game: str = GAME,
    agents: list[str] = typer.Argument(
        None, help="The other seats' agents: one for all of them, or one for each. Among all seats, human stands for you."
    ),
    seat: str = typer.Option(None, metavar="N", help="Your seat; 0 by default, or where human stands."),
    seed: str = SEED,
    confirm: bool = typer.Option(
        None, "--confirm/--no-confirm", help="Ask before cards are sent; by default only where several are chosen."
    ),
    delay: str = typer.Option("0.4", metavar="SECONDS", help="How long each card of the others is shown."),
    store: str = WHERE,
    no_store: bool = typer.Option(False, "--no-store", help="Do not keep the game."),
    review: bool = typer.Option(True, "--review/--no-review", help="Look back at your costliest cards; Ctrl-C skips it."),
    json: bool = AS_JSON,
) -> None:
    """Play a game at the terminal against agents, and keep it; without a terminal, an agent plays your seat."""
    from facedown.analysis.advice import searcher
    from facedown.terminal.audience import PlayerQuit
    from facedown.terminal.person import Person
    from facedown.terminal.play import first_deal, play_out

    if store is not None and no_store:
        raise FacedownError("expected --store or --no-store, got both")
    rules, deal_seed = loaded_game(game), chosen_seed(seed)
    wait = delay_of(delay)
    own, others = places(rules, agents or [], seat)
    players = seated_agents([*others[:own], searcher(rules), *others[own:]], rules, deal_seed)
    audience = audience_for(own, wait, json)
    deputy = players[own]
    players[own] = person = Person(audience, deputy, confirm)
    again = f"The same deal again: {shlex.join(same_again(game, agents or [], own, deal_seed))}"
    try:
        with stdout_for_results(json):
            state = first_deal(rules, deal_seed, [*players, deputy], audience.notes)
        shown_seed = f", seed {deal_seed}" if seed else ""  # one drawn by chance would give away all hands
        with audience.stage(f"{rules.full_name}{shown_seed}"), stdout_for_results(json):
            record = play_out(state, players, audience)
    except (PlayerQuit, KeyboardInterrupt):
        audience.console.print(f"You have left the game, and it is not kept. {again}", soft_wrap=True)
        raise typer.Exit(0 if audience.for_person and not json else INTERRUPTED) from None
    print_result(audience.console, state, players, own)
    audience.console.print(again, soft_wrap=True)
    if json:
        print(record.to_json())
    if store is not None or (audience.for_person and not no_store):
        audience.notes.print(keep(record, store), soft_wrap=True)
    if review and audience.for_person and not json:
        tell_costs(person, rules, audience.console)


def keep(record: "GameRecord", store: str | None) -> str:
    """Keep a game in a store, or where it will not go there in a file; where it is now."""
    from facedown.store import Store

    try:
        with Store.open(store) as opened:
            number = opened.add_game(record)
    except (FacedownError, OSError) as error:
        return put_aside(record, " ".join(str(error).split()))
    place = "" if store is None else f" --store {shlex.quote(store)}"
    return f"kept as game {number}: facedown replay last{place}"


def put_aside(record: "GameRecord", reason: str) -> str:
    """Keep a game in a file of its own, for a store did not take it."""
    try:
        with NamedTemporaryFile("w", prefix="facedown-game-", suffix=".jsonl", delete=False) as file:
            file.write(record.to_json() + "\n")
    except OSError as error:
        return f"the game is not kept: {reason}; nor in a file: {error}"
    return f"the game is not in the store: {reason}; but in a file: facedown replay {shlex.quote(file.name)}"


def tell_costs(person: "Person", game: "Game", console: Console) -> None:
    """Tell a person which choices cost most; Ctrl-C goes without."""
    from facedown.analysis.review import look_back, looks
    from facedown.cli.bar import StepBar
    from facedown.terminal.review import review_lines

    count = looks(person.choices)
    if not count:
        return
    try:
        with StepBar("looking back (Ctrl-C skips)", count) as bar:
            found = look_back(person.choices, lambda: bar.advance(1))
    except KeyboardInterrupt:
        console.print("no review, as you wish")
        return
    console.print(review_lines(game, found), soft_wrap=True)


def audience_for(seat: int, delay: float, json: bool) -> "Lines":
    """A screen for a person at a terminal, lines of text otherwise; neither writes to stdout where JSON goes there."""
    from facedown.terminal.audience import Lines
    from facedown.terminal.screen import Screen

    console = Console(stderr=json, highlight=False)
    if is_terminal(sys.stdin) and is_terminal(console.file):
        return Screen(console, seat, delay)
    console.quiet = json
    return Lines(console, Console(stderr=True, highlight=False), seat, seat)


def places(game: "Game", named: Sequence[str], seat: str | None) -> tuple[int, list[str]]:
    """The person's seat, and who sits at the others; where all seats are named, the person's is where `human` stands."""
    from facedown.analysis.advice import searcher

    own = None if seat is None else game.check_seat(read_number(seat))
    others = [text for text in named if text != PERSON]
    if len(named) - len(others) > 1:
        raise FacedownError(f"expected one {PERSON} at the most, got {len(named) - len(others)}: {' '.join(named)}")
    if PERSON in named and len(named) == game.seats:
        stands = named.index(PERSON)
        if own not in (None, stands):
            raise FacedownError(f"expected --seat {stands}, where {PERSON} stands among the agents, got {own}")
        own = stands
    return own or 0, one_for_each(others or [searcher(game)], game.seats - 1, f"the other seats of {game.name}")


def same_again(game: str, agents: Sequence[str], own: int, seed: int) -> list[str]:
    """The words of the command that deals the same cards to the same players."""
    seat = ["--seat", f"{own}"] if own else []
    return ["facedown", "play", game, *agents, *seat, "--seed", f"{seed}"]


def is_terminal(file: Any) -> bool:
    """Whether somebody sits there; a closed stdin is None."""
    return file is not None and bool(file.isatty())
