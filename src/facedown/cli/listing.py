"""A list of games or agents with their options, for people and for machines."""

import json as jsons
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.console import Console

from facedown.options import Option


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
