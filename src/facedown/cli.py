"""The command line: facedown games, agents, play, watch and bench; cli_store.py has the commands of stores.

Whatever takes long to import is imported by the command that needs it, so that help and mistakes are answered at once.
"""

import json as jsons
import secrets
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from rich.console import Console

import facedown
from facedown import cli_audit, cli_replay, cli_reproduce, cli_store, cli_tournament, cli_train, cli_tune
from facedown.errors import FacedownError, loading
from facedown.options import Option, check_seed

if TYPE_CHECKING:
    from rich.text import Text

    from facedown.agents import Agent
    from facedown.decision import Decision
    from facedown.game import Game, State
    from facedown.terminal_audience import Lines

BAD_INPUT = 2
INTERRUPTED = 130
SEEDS = 1_000_000  # a seed nobody chose is below this: short enough to type again
LONGEST_DELAY = 60.0
TOP_CANDIDATES = 4

USAGE_ERROR: Any = typer.BadParameter.__mro__[1]  # Typer gives the base of its usage errors no public name

app = typer.Typer(
    name="facedown",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GAME = typer.Argument(help="A game: hearts, hearts:match=100,passing=false, file.py:NAME or module:NAME.")
AS_JSON = typer.Option(False, "--json", help="Print one JSON document for machines, and nothing else.")
SEED = typer.Option(None, metavar="N", help="The seed that fixes the deal and the agents; by default another each time.")


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command; a mistake in the input is one line on stderr and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without the suits' signs
    try:
        code = app(arguments, prog_name="facedown", standalone_mode=False)
    except FacedownError as error:
        code = refuse(str(error))
    except USAGE_ERROR as error:
        code = refuse(error.format_message())
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    sys.exit(code if isinstance(code, int) else 0)


def refuse(message: str) -> int:
    """Say in one line what was wrong."""
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    return BAD_INPUT


def show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        print(f"facedown {facedown.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", callback=show_version, is_eager=True, help="Print the version."),
) -> None:
    """Play, watch and study card games whose cards lie face down."""
    if context.invoked_subcommand is None:
        print(context.get_help())


# --- Lists ------------------------------------------------------------------------------------------------------------


@app.command()
def games(json: bool = AS_JSON) -> None:
    """List the games with their options."""
    from facedown.games import games as names
    from facedown.games import load

    entries = [describe_game(load(name)) for name in names()]
    print_list(entries, json, lambda entry: f"{entry['seats']} seats")


def describe_game(game: "Game") -> dict[str, Any]:
    """A game as plain data."""
    return {
        "name": game.name,
        "summary": game.summary,
        "seats": game.seats,
        "version": game.version,
        "lower_is_better": game.lower_is_better,
        "options": describe_options(game.options.values()),
    }


@app.command()
def agents(json: bool = AS_JSON) -> None:
    """List the agents with their options."""
    from facedown.agents import agent_class
    from facedown.agents import agents as names

    entries = [
        {
            "name": name,
            "summary": kind.summary,
            "sees_all": kind.sees_all,
            "options": describe_options(kind.declared),
        }
        for name, kind in ((name, agent_class(name)) for name in names())
    ]
    print_list(entries, json, lambda entry: "sees all cards" if entry["sees_all"] else "")


def describe_options(options: Iterable[Option]) -> list[dict[str, Any]]:
    """Options as plain data."""
    return [
        {
            "name": option.name,
            "default": option.default,
            "meaning": option.meaning,
            **({"choices": list(option.choices)} if option.choices else {}),
        }
        for option in options
    ]


def print_list(entries: Sequence[dict[str, Any]], json: bool, remark: Callable[[dict[str, Any]], str]) -> None:
    """Print games or agents: a line each, and a table of options below it."""
    from rich.table import Table
    from rich.text import Text

    if json:
        print(jsons.dumps(entries))
        return
    console = Console(highlight=False)
    for entry in entries:
        words = ", ".join(word for word in (entry["summary"], remark(entry)) if word)
        console.print(Text.assemble((entry["name"], "bold green"), f"  {words}"), soft_wrap=True)
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, style="cyan")
        table.add_column()
        for option in entry["options"]:
            choices = f" ({', '.join(map(str, option['choices']))})" if "choices" in option else ""
            table.add_row(option["name"], jsons.dumps(option["default"]).strip('"'), Text(option["meaning"] + choices))
        console.print(table)


# --- Play and watch ---------------------------------------------------------------------------------------------------


@app.command()
def play(
    game: str = GAME,
    agents: list[str] = typer.Argument(None, help="The other seats' agents: one for all of them, or one for each."),
    seat: str = typer.Option("0", metavar="N", help="Your seat."),
    seed: str = SEED,
    confirm: bool = typer.Option(
        None, "--confirm/--no-confirm", help="Ask before cards are sent; by default only where several are chosen."
    ),
    delay: str = typer.Option("0.4", metavar="SECONDS", help="How long each card of the others is shown."),
    json: bool = AS_JSON,
) -> None:
    """Play a game at the terminal against agents; without a terminal, an agent plays your seat."""
    from facedown.terminal_advice import searcher
    from facedown.terminal_audience import Left
    from facedown.terminal_person import Person
    from facedown.terminal_play import first_deal, play_out

    rules, deal_seed = loaded_game(game), chosen_seed(seed)
    wait = min(LONGEST_DELAY, number("delay", delay, 0.0))
    own = rules.check_seat(value_of(seat))
    default = searcher(rules)
    others = one_for_each(agents or [default], rules.seats - 1, f"the other seats of {rules.name}")
    players = seated_agents([*others[:own], default, *others[own:]], rules, deal_seed)
    audience = audience_for(own, wait, json)
    deputy = players[own]
    players[own] = Person(audience, deputy, confirm)
    own_seat = ["--seat", f"{own}"] if own else []
    again = shlex.join(["facedown", "play", game, *(agents or []), *own_seat, "--seed", f"{deal_seed}"])
    try:
        state = first_deal(rules, deal_seed, [*players, deputy], audience.notes)
        with audience.stage(f"{rules.full_name}, seed {deal_seed}"):
            record = play_out(state, players, audience)
    except (Left, KeyboardInterrupt):
        audience.console.print(f"You have left the game. The same deal again: {again}", soft_wrap=True)
        raise typer.Exit(0 if audience.for_person and not json else INTERRUPTED) from None
    print_result(audience.console, state, players, own)
    audience.console.print(f"the same deal again: {again}", soft_wrap=True)
    if json:
        print(record.to_json())


@app.command()
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
    from facedown.record import GameRecord
    from facedown.replay import Replay
    from facedown.terminal_audience import Lines
    from facedown.terminal_play import first_deal, play_out

    rules, deal_seed = loaded_game(game), chosen_seed(seed)
    wait = min(LONGEST_DELAY, number("delay", delay, 0.0))
    shown = None if seat is None else rules.check_seat(value_of(seat))
    players = seated_agents(one_for_each(agents, rules.seats, rules.name), rules, deal_seed)
    console = Console(highlight=False, quiet=json)
    audience = Lines(console, Console(stderr=True, highlight=False), shown, None, wait)
    decisions: list[Decision | None] = []

    def decided(state: "State", player: "Agent") -> None:
        decisions.append(player.decision)
        seat, action = state.history[-1]
        if why and shown in (None, seat):
            audience.teller.flush(but=seat)
            audience.say(decision_line(seat, state.game.text(action), player.decision, console.is_terminal))

    told = f", seed {deal_seed}" if shown is None or seed else ""  # one drawn by chance would tell a seat all hands
    with audience.stage(f"{rules.full_name}{told}"):
        state = first_deal(rules, deal_seed, players, audience.notes)
        record = play_out(state, players, audience, decided)
    print_result(console, state, players, None)
    if json:
        whole = GameRecord.of(state, players, decisions=decisions) if why else record
        print(whole.to_json() if shown is None else jsons.dumps(Replay(whole).to_dict(shown)))


def audience_for(seat: int, delay: float, json: bool) -> "Lines":
    """A screen for a person at a terminal, lines of text otherwise; neither writes to stdout where JSON goes there."""
    from facedown.terminal_audience import Lines, Screen

    console = Console(stderr=json, highlight=False)
    if is_terminal(sys.stdin) and is_terminal(console.file):
        return Screen(console, seat, delay)
    console.quiet = json
    return Lines(console, Console(stderr=True, highlight=False), seat, seat)


def loaded_game(text: str) -> "Game":
    """The game a text names."""
    from facedown.games import load

    with loading(text):
        return load(text)


def seated_agents(texts: Sequence[str], game: "Game", seed: int) -> "list[Agent]":
    """The agents some texts name, one for each seat."""
    from facedown.match import seated

    with loading(" ".join(texts)):
        return seated(texts, game, seed)


def one_for_each(texts: Sequence[str], seats: int, whose: str) -> list[str]:
    """A text for each seat: those given, or the only one for all."""
    if len(texts) not in (1, seats):
        raise FacedownError(f"expected 1 or {seats} agents for {whose}, got {len(texts)}: {' '.join(texts)}")
    return list(texts) * (seats if len(texts) == 1 else 1)


def chosen_seed(text: str | None) -> int:
    """The seed given, or one by chance."""
    if text is None:
        return secrets.randbelow(SEEDS)
    return check_seed(value_of(text))


def number(name: str, text: str, default: float, least: float = 0) -> float:
    """A number given as an option; the default says whether it is a whole one."""
    value = Option(name, default, "", least=least).with_value(value_of(text)).value
    assert isinstance(value, int | float)
    return value


def value_of(text: str) -> int | float | str:
    """A number, or the text itself, for a check that will say what was expected."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def is_terminal(file: Any) -> bool:
    """Whether somebody sits there; a closed stdin is None."""
    return file is not None and bool(file.isatty())


def decision_line(seat: int, word: str, decision: "Decision | None", signs: bool) -> "Text":
    """An action with the search's best candidates: their shares of the visits, and mean rewards."""
    from rich.text import Text

    from facedown.terminal import card

    show = card if signs else Text
    line = Text.assemble(f"  seat {seat} ", show(word))
    if decision is None or not decision.candidates:
        return line.append("  (the only choice)" if decision else "")
    for candidate in decision.candidates[:TOP_CANDIDATES]:
        share = candidate.visits / max(1, decision.iterations)
        line.append_text(Text.assemble(" | ", show(candidate.text), f" {share:.0%} {candidate.mean:.3f}"))
    return line


def print_result(console: Console, state: "State", players: "Sequence[Agent]", own: int | None) -> None:
    """Print the scores, the winner and the seed."""
    from facedown.terminal import result_table

    console.print(result_table(state.game, [player.text for player in players], state.scores, own))
    console.print(f" seed {state.seed}")


# --- Speed ------------------------------------------------------------------------------------------------------------


@app.command()
def bench(
    games: list[str] = typer.Argument(None, help="The games to measure; all by default."),
    against: str = typer.Option(None, metavar="PROGRAM", help="Measure another program on the same work: open-spiel."),
    repeats: str = typer.Option("5", metavar="N", help="How often each figure is taken."),
    strength: bool = typer.Option(False, "--strength", help="Measure how strong the searches are, not how fast."),
    deals: str = typer.Option("100", metavar="N", help="Over how many deals strength is measured."),
    json: bool = AS_JSON,
) -> None:
    """Measure how fast this machine plays, searches and starts; or how strong its searches are."""
    from facedown.bench import measure
    from facedown.bench_strength import measure_strength, table
    from facedown.cli_bar import StepBar

    times = int(number("repeats", repeats, 1, least=1))
    many = int(number("deals", deals, 1, least=2))
    with StepBar("getting ready", quiet=json) as bar:
        if strength:
            found = {name: measure_strength(name, deals=many, progress=bar.tell) for name in games or facedown.games()}
        else:
            report = measure(games or None, against, times, bar.tell)
    if strength and json:
        print(jsons.dumps([one.to_dict() for results in found.values() for one in results]))
    elif strength:
        for results in found.values():
            Console(highlight=False).print(table(results))
    elif json:
        print(jsons.dumps(report.to_dict()))
    else:
        Console(highlight=False).print(report.table())


# --- Stores -----------------------------------------------------------------------------------------------------------

app.command()(cli_audit.audit)
app.command()(cli_tournament.tournament)
app.command()(cli_tune.tune)
app.command()(cli_train.train)
app.command()(cli_reproduce.reproduce)
app.command()(cli_replay.replay)
app.command()(cli_store.query)
app.command()(cli_store.export)
app.command("import")(cli_store.import_records)
app.add_typer(cli_store.app, name="store")
