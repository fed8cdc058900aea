"""The command facedown replay."""

import json as jsons
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from facedown.cli.arguments import AS_JSON, WHERE
from facedown.cli.output import counted, progress, stdout_for_results, unbroken_pipe
from facedown.cli.records import Found, located
from facedown.errors import loading
from facedown.options import read_number

if TYPE_CHECKING:
    from facedown.agents import Agent
    from facedown.arena.replay import Checked, Move, Opinion, Replay
    from facedown.game import Game
    from facedown.search.decision import Decision
    from facedown.stats import Estimate

DIFFERENT = 1  # exit code
INTERRUPTED = 130


def replay(
    id: str = typer.Argument(
        metavar="ID",
        help="A game's number in the store, last, RUN:DEAL:SEATING, or FILE.jsonl or FILE.jsonl:LINE; - reads stdin.",
    ),
    store: str = WHERE,
    seat: str = typer.Option(
        None, metavar="N", help="Show what this seat saw, and only its reasons; by default everything."
    ),
    research: bool = typer.Option(False, "--research", help="Run the recorded searches again and compare."),
    other: str = typer.Option(None, "--with", metavar="AGENT", help="Ask another agent what it would have done."),
    trust: bool = typer.Option(
        None, "--trust/--no-trust", help="Let the record load the files it names; by default only one that was played here."
    ),
    json: bool = AS_JSON,
) -> None:
    """Step through a recorded game, with the decisions; without a terminal, print it."""
    from facedown.agents import agent
    from facedown.arena.replay import ADVISER_SEED, Replay
    from facedown.terminal.audience import COMPILING, waiting

    with loading(other or ""), stdout_for_results():
        adviser = None if other is None else agent(other, ADVISER_SEED)
    found = located(id, store).with_trust(trust)
    with waiting(Console(stderr=True, highlight=False), COMPILING):
        game = Replay(found.record, None if seat is None else read_number(seat))
    own = game.seat
    moves = [move for move in game.moves if own in (None, move.seat)]
    if adviser or research:
        inspect(found, game, moves, own, research, adviser, json)
    elif json:
        with unbroken_pipe():
            print(jsons.dumps({**found.place, **game.to_dict(own)}))
    else:
        show(found, game, own)


def show(found: Found, game: "Replay", seat: int | None) -> None:
    """Step through a game at a terminal; print it elsewhere."""
    from facedown.terminal.audience import PlayerQuit
    from facedown.terminal.replay import Stepper, print_game
    from facedown.terminal.screen import Screen

    console = Console(highlight=False)
    if console.is_terminal and sys.stdin is not None and sys.stdin.isatty():
        try:
            Stepper(game, Screen(console, seat or 0), seat).run(found.title)
        except (PlayerQuit, KeyboardInterrupt):
            console.print(found.title, soft_wrap=True)
        return
    with unbroken_pipe():
        print(heading(found, seat))
        print_game(game, console, seat)


def heading(found: Found, seat: int | None) -> str:
    """Which game it is; a seat does not see the seed, which would give away all hands."""
    record = found.record
    seed = f", seed {record.seed}" if seat is None else ""
    made = f", made by facedown {record.facedown}" if record.facedown else ""
    return f"{found.title}\n{record.game}{seed}, rules version {record.version}{made}"


# --- Searches again ---------------------------------------------------------------------------------------------------


def inspect(
    found: Found,
    game: "Replay",
    moves: "Sequence[Move]",
    seat: int | None,
    research: bool,
    adviser: "Agent | None",
    json: bool,
) -> None:
    """Run the searches again, or ask another agent, or both; say what came of it, also when interrupted."""
    from facedown.arena.replay import opinions, same_agent
    from facedown.arena.replay import research as run_again

    checked: list[Checked] = []
    heard: list[Opinion] = []
    record = game.record
    with stdout_for_results():
        players = [same_agent(record, place) for place in range(len(record.agents))] if research else []
    interrupted = False
    try:
        if research:
            again = [move for move in moves if not isinstance(players[move.seat], str)]
            collect(run_again(again, players), checked, len(again), "running the searches again")
        if adviser:
            choices = [move for move in moves if move.is_choice]
            collect(opinions(choices, adviser), heard, len(choices), f"asking {adviser.text}")
    except KeyboardInterrupt:
        interrupted = True
    verdicts: dict[str, Any] = {}
    if research:
        verdicts["research"] = research_data(game, moves, players, checked)
    if adviser:
        verdicts["with"] = opinion_data(game, adviser, moves, heard)
    with unbroken_pipe():
        if json:
            data = {**found.place, **game.to_dict(seat), **verdicts, "interrupted": interrupted}
            print(jsons.dumps(data))
        else:
            print(heading(found, seat))
            print_opinions(game, adviser, heard, verdicts.get("with"))
            print_research(verdicts.get("research"))
            if interrupted:
                print("interrupted: this is what was known by then")
    different = research and verdicts["research"]["differences"]
    raise typer.Exit(INTERRUPTED if interrupted else DIFFERENT if different else 0)


def collect(items: Iterator[Any], into: list[Any], total: int, what: str) -> None:
    """Take what comes, and show a person who waits how far it is."""
    with progress(what, total) as advance, stdout_for_results():
        for item in items:
            into.append(item)
            advance(1)


def research_data(
    game: "Replay", moves: "Sequence[Move]", players: "Sequence[Agent | str]", checked: "Sequence[Checked]"
) -> dict[str, Any]:
    """What came of the searches, as plain data; `identical` is None where nothing could be checked."""
    wrong = [one for one in checked if one.difference]
    skipped = [
        {"seat": seat, "agent": game.record.agents[seat], "reason": player}
        for seat, player in enumerate(players)
        if isinstance(player, str) and any(move.seat == seat for move in moves)
    ]
    return {
        "actions": len(moves),
        "checked": len(checked),
        "decisions": sum(one.figures for one in checked),
        "identical": not wrong if checked else None,
        "differences": [
            {
                "number": one.move.number,
                "seat": one.move.seat,
                "agent": game.record.agents[one.move.seat],
                "difference": one.difference,
            }
            for one in wrong
        ],
        "not_reproducible": skipped,
    }


def print_research(verdict: dict[str, Any] | None) -> None:
    """Print the verdict."""
    if verdict is None:
        return
    for one in verdict["not_reproducible"]:
        print(f"not reproducible: seat {one['seat']} {one['agent']}: {one['reason']}")
    compared = (
        f"; the figures of {counted(verdict['decisions'], 'recorded decision')} compared too" if verdict["decisions"] else ""
    )
    if verdict["identical"] is None:
        print("nothing was checked")
    elif verdict["identical"]:
        print(f"identical: {verdict['checked']} of {counted(verdict['actions'], 'action')} asked for again{compared}")
    else:
        first = verdict["differences"][0]
        print(
            f"different: {len(verdict['differences'])} of {counted(verdict['checked'], 'action')} asked for again{compared}"
        )
        print(f"the first is action {first['number']}, seat {first['seat']} {first['agent']}: {first['difference']}")


# --- Another agent ----------------------------------------------------------------------------------------------------


def agreement(heard: "Sequence[Opinion]") -> "Estimate | None":
    """The share of choices in which another agent agrees; each choice is taken for independent."""
    from facedown.stats import win_rate

    return win_rate(sum(one.agrees for one in heard), len(heard)) if heard else None


def opinion_data(game: "Replay", adviser: "Agent", moves: "Sequence[Move]", heard: "Sequence[Opinion]") -> dict[str, Any]:
    """What another agent would have done, as plain data."""
    share = agreement(heard)
    agents = game.record.agents
    by_agent = {text: agreement([one for one in heard if agents[one.move.seat] == text]) for text in dict.fromkeys(agents)}
    return {
        "agent": adviser.text,
        "choices": sum(move.is_choice for move in moves),
        "asked": len(heard),
        "agreed": sum(one.agrees for one in heard),
        "agreement": share.to_dict() if share else None,
        "by_agent": {text: one.to_dict() for text, one in by_agent.items() if one},
        "moves": [
            {
                "number": one.move.number,
                "seat": one.move.seat,
                "played": one.move.text,
                "would_play": one.text,
                "agrees": one.agrees,
                "decision": one.decision.to_dict() if one.decision else None,
            }
            for one in heard
        ],
    }


def print_opinions(
    game: "Replay", adviser: "Agent | None", heard: "Sequence[Opinion]", verdict: dict[str, Any] | None
) -> None:
    """Print each choice with the other agent's, and how often they agree."""
    if adviser is None or verdict is None:
        return
    width = max(len(name) for name in game.names)
    if any(one.decision for one in heard):
        print("(share of the visits, what is expected with its 95 % interval)")
    values = partial(figures, adviser, game.game)
    for one in heard:
        move = one.move
        words = f"{move.number:4}  seat {move.seat} {game.names[move.seat]:{width}}  {move.text}"
        if one.agrees:
            print(f"{words}  agrees{values(one.decision, one.text)}")
        else:
            played = values(one.decision, move.text)
            print(f"{words}{played}  would play {one.text}{values(one.decision, one.text)}")
    agents = game.record.agents
    print(f"{verdict['agent']} would have played the same in {verdict['agreed']} of {counted(verdict['asked'], 'choice')}")
    for text in [None, *dict.fromkeys(agents)] if len(set(agents)) > 1 else [None]:
        share = agreement([one for one in heard if text in (None, agents[one.move.seat])])
        if share:
            print(f"  {share}  {'all' if text is None else f'of those of {text}'}")


def figures(adviser: "Agent", game: "Game", decision: "Decision | None", text: str) -> str:
    """What the other agent makes of an action: its share of the visits, and what it expects in the game's own units."""
    from facedown.analysis.reasons import expected
    from facedown.terminal.replay import units_of

    for one in decision.candidates if decision else []:
        if decision and (one.text == text or (one.actions and text in one.text.split())):
            share = one.visits / max(1, sum(each.visits for each in decision.candidates))
            return f" ({share:.0%}, {expected(one, units_of(game, adviser.text, True, decision.solved))})"
    return ""
