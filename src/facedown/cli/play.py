"""The command line of games at the terminal: facedown play and watch."""

import json as jsons
import secrets
import shlex
import sys
from collections.abc import Sequence
from math import inf
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from facedown.cli.output import stdout_for_results
from facedown.cli.store import AS_JSON, WHERE
from facedown.errors import FacedownError, loading
from facedown.options import Option, check_seed, read_number

if TYPE_CHECKING:
    from rich.text import Text

    from facedown.agents import Agent
    from facedown.game import Game
    from facedown.record import GameRecord
    from facedown.search.decision import Decision
    from facedown.state import State
    from facedown.terminal.audience import Lines
    from facedown.terminal.person import Person

INTERRUPTED = 130
SEED_BITS = 63  # of a seed nobody chose: too many to try, and the number fits into every database
LONGEST_DELAY = 60.0
TOP_CANDIDATES = 4
PERSON = "human"  # as people name themselves among agents

GAME = typer.Argument(help="A game: hearts, hearts:match=100,passing=false, file.py:NAME or module:NAME.")
SEED = typer.Option(None, metavar="N", help="The seed that fixes the deal and the agents; by default another each time.")


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
    from facedown.terminal.advice import searcher
    from facedown.terminal.audience import PlayerQuit
    from facedown.terminal.person import Person
    from facedown.terminal.play import first_deal, play_out

    if store is not None and no_store:
        raise FacedownError("expected --store or --no-store, got both")
    rules, deal_seed = loaded_game(game), chosen_seed(seed)
    wait = min(LONGEST_DELAY, number("delay", delay, 0.0))
    own, others = places(rules, agents or [], seat)
    players = seated_agents([*others[:own], searcher(rules), *others[own:]], rules, deal_seed)
    audience = audience_for(own, wait, json)
    deputy = players[own]
    players[own] = person = Person(audience, deputy, confirm)
    again = f"The same deal again: {shlex.join(same_again(game, agents or [], own, deal_seed))}"
    try:
        with stdout_for_results(json):
            state = first_deal(rules, deal_seed, [*players, deputy], audience.notes)
        told = f", seed {deal_seed}" if seed else ""  # one drawn by chance would tell all hands to who reads this
        with audience.stage(f"{rules.full_name}{told}"), stdout_for_results(json):
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


def watch(
    game: str = GAME,
    agents: list[str] = typer.Argument(help="The agents: one for all seats, or one for each."),
    seat: str = typer.Option(None, metavar="N", help="Show what this seat sees; by default all hands are shown."),
    seed: str = SEED,
    why: bool = typer.Option(False, "--why", help="Show each decision's best candidates, or put decisions into the JSON."),
    delay: str = typer.Option("0", metavar="SECONDS", help="How long to wait after each line."),
    json: bool = AS_JSON,
) -> None:
    """Watch agents play a game."""
    from facedown.arena.replay import Replay
    from facedown.record import GameRecord
    from facedown.terminal.audience import Lines
    from facedown.terminal.play import first_deal, play_out

    rules, deal_seed = loaded_game(game), chosen_seed(seed)
    wait = min(LONGEST_DELAY, number("delay", delay, 0.0))
    shown = None if seat is None else rules.check_seat(value_of(seat))
    players = seated_agents(one_for_each(agents, rules.seats, rules.name), rules, deal_seed)
    console = Console(highlight=False, quiet=json)
    audience = Lines(console, Console(stderr=True, highlight=False), shown, None, wait)
    decisions: list[Decision | None] = []

    def decided(state: "State", player: "Agent") -> None:
        decisions.append(player.decision)
        seat = state.history[-1][0]
        if why and shown in (None, seat):
            audience.reporter.flush(but=seat)
            audience.print(decision_line(state, player, console.is_terminal))

    told = f", seed {deal_seed}" if shown is None or seed else ""  # one drawn by chance would tell a seat all hands
    with audience.stage(f"{rules.full_name}{told}"), stdout_for_results(json):
        state = first_deal(rules, deal_seed, players, audience.notes)
        record = play_out(state, players, audience, decided)
    print_result(console, state, players, None)
    if json:
        whole = GameRecord.of(state, players, decisions=decisions) if why else record
        print(whole.to_json() if shown is None else jsons.dumps(Replay(whole).to_dict(shown)))


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
    from facedown.cli.bar import StepBar
    from facedown.terminal.review import look_back, looks, review_lines

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


def loaded_game(text: str) -> "Game":
    """The game a text names."""
    from facedown.games import load

    with loading(text), stdout_for_results():
        return load(text)


def seated_agents(texts: Sequence[str], game: "Game", seed: int) -> "list[Agent]":
    """The agents some texts name, one for each seat."""
    from facedown.arena.match import seated

    if PERSON in texts:
        raise FacedownError(f"expected agents, got {PERSON}: people play by facedown play")
    with loading(" ".join(texts)), stdout_for_results():
        return seated(texts, game, seed)


def places(game: "Game", named: Sequence[str], seat: str | None) -> tuple[int, list[str]]:
    """The person's seat, and who sits at the others; where all seats are named, the person's is where `human` stands."""
    from facedown.terminal.advice import searcher

    own = None if seat is None else game.check_seat(value_of(seat))
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


def one_for_each(texts: Sequence[str], seats: int, whose: str) -> list[str]:
    """A text for each seat: those given, or the only one for all."""
    if len(texts) not in (1, seats):
        expected = f"1 or {seats} agents" if seats > 1 else "1 agent"
        raise FacedownError(f"expected {expected} for {whose}, got {len(texts)}: {' '.join(texts)}")
    return list(texts) * (seats if len(texts) == 1 else 1)


def chosen_seed(text: str | None) -> int:
    """The seed given, or one by chance."""
    if text is None:
        return secrets.randbits(SEED_BITS)
    return check_seed(value_of(text))


def number(name: str, text: str, default: float, least: float = 0, most: float = inf) -> float:
    """A number given as an option; the default says whether it is a whole one."""
    value = Option(name, default, "", least=least, most=most).with_value(value_of(text)).value
    assert isinstance(value, int | float)
    return value


def value_of(text: str) -> int | float | str:
    """A number, or the text itself, for a check that will say what was expected."""
    return read_number(text)


def is_terminal(file: Any) -> bool:
    """Whether somebody sits there; a closed stdin is None."""
    return file is not None and bool(file.isatty())


def decision_line(state: "State", player: "Agent", signs: bool) -> "Text":
    """An action with the search's best candidates: their shares of the visits, and what it expects of them."""
    from rich.text import Text

    from facedown.terminal.decisions import expected, in_short, share_of
    from facedown.terminal.value import measure_of
    from facedown.terminal.words import card

    show = card if signs else Text
    seat, action = state.history[-1]
    line = Text.assemble(f"  seat {seat} ", show(state.game.text(action)))
    decision = player.decision
    if decision is None or not decision.candidates:
        return line.append(f"  ({in_short(decision)})" if decision else "")
    measure = measure_of(player, state.game, decision.solved)
    for candidate in decision.candidates[:TOP_CANDIDATES]:
        share = share_of(candidate, decision)
        line.append_text(Text.assemble(" | ", show(candidate.text), f" {share:.0%} {expected(candidate, measure)}"))
    return line


def print_result(console: Console, state: "State", players: "Sequence[Agent]", own: int | None) -> None:
    """Print the scores, the winner and the seed."""
    from facedown.terminal.results import result_table

    console.print(result_table(state.game, [player.text for player in players], state.scores, own))
    console.print(f" seed {state.seed}")
