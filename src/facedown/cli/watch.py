"""The command facedown watch."""

import json as jsons
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from facedown.cli.arguments import AS_JSON, GAME, SEED, chosen_seed, delay_of
from facedown.cli.output import stdout_for_results
from facedown.cli.seats import loaded_game, one_for_each, print_result, seated_agents
from facedown.options import read_number

if TYPE_CHECKING:
    from rich.text import Text

    from facedown.agents import Agent
    from facedown.search.decision import Decision
    from facedown.state import State

TOP_CANDIDATES = 4


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
    wait = delay_of(delay)
    shown = None if seat is None else rules.check_seat(read_number(seat))
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

    shown_seed = f", seed {deal_seed}" if shown is None or seed else ""  # one drawn by chance would give away all hands
    with audience.stage(f"{rules.full_name}{shown_seed}"), stdout_for_results(json):
        state = first_deal(rules, deal_seed, players, audience.notes)
        record = play_out(state, players, audience, decided)
    print_result(console, state, players, None)
    if json:
        whole = GameRecord.of(state, players, decisions=decisions) if why else record
        print(whole.to_json() if shown is None else jsons.dumps(Replay(whole).to_dict(shown)))


def decision_line(state: "State", player: "Agent", signs: bool) -> "Text":
    """An action with the search's best candidates: their shares of the visits, and what it expects of them."""
    from rich.text import Text

    from facedown.analysis.reasons import expected, in_short, share_of
    from facedown.analysis.value import measure_of
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
