"""The parts of a report's page: figures as text, tables, and styles for light, dark, narrow and printed pages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape

import facedown
from facedown.lab.report.origin import Origin
from facedown.stats import Estimate

TEXT_COLUMNS = ("agent", "claim", "first", "second", "verdict", "why")  # of tables; all others have numbers


def shown(estimate: Estimate) -> str:
    """A figure with its interval; a dagger marks games that were stopped early."""
    text = str(replace(estimate, stopped_early=False)).replace("-", "\u2212" if not estimate.rate else "–")
    return f"{text} †" if estimate.stopped_early else text


def code(text: str) -> str:
    """An agent's text, or a command, that may be broken after its commas."""
    return f"<code>{escape(text).replace(',', ',<wbr>')}</code>"


def chance(p: float | None) -> str:
    """A p as it is printed."""
    return "–" if p is None else "&lt; 0.001" if p < 0.001 else f"{p:.3f}"


def number(value: float) -> str:
    """A number with a real minus."""
    return f"{value:.2f}".replace("-", "\u2212").replace("inf", "∞")


def counted(count: int, noun: str) -> str:
    """A number with its noun: `1 deal`, `2 deals`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def facts(rows: Mapping[str, str]) -> str:
    """The facts at the top of a page: names and values as HTML; empty ones are left out."""
    return "<dl>\n" + "\n".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows.items() if value) + "\n</dl>"


def facts_of_origin(origin: Origin | None) -> dict[str, str]:
    """The origin of a page, for its top."""
    if origin is None:
        return {}
    return {
        "command": code(origin.command),
        "code": escape(origin.code),
        "took": escape(origin.took),
        "machine": escape(origin.machine),
    }


def section(title: str, *parts: str) -> str:
    """A part of the page."""
    return f"<section>\n<h2>{escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def figure(plot: str, caption: str) -> str:
    """A plot with its caption."""
    return f"<figure>\n<figcaption>{caption}</figcaption>\n{plot}\n</figure>"


def html_table(name: str, columns: Sequence[str], rows: Iterable[Sequence[str]], caption: bool = True) -> str:
    """A table whose cells are HTML already; the first cell of a row is its heading. One below its name needs no caption."""
    kinds = [' class="text"' if name in TEXT_COLUMNS else "" for name in columns]
    head = "".join(f'<th scope="col"{kind}>{escape(name)}</th>' for name, kind in zip(columns, kinds, strict=True))
    lines = []
    for row in rows:
        cells = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row[1:], kinds[1:], strict=True))
        lines.append(f'<tr><th scope="row"{kinds[0]}>{row[0]}</th>{cells}</tr>')
    body = "\n".join(lines)
    above = f"<caption>{escape(name)}</caption>\n" if caption else ""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(name)}">\n<table>\n'
        f"{above}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>"
    )


def page(title: str, body: Iterable[str]) -> str:
    """A whole page of the parts that are not empty; one file that fetches nothing."""
    head = (
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{escape(title)}</title>\n<style>\n{STYLE}</style>'
    )
    footer = f"<footer>facedown {escape(facedown.__version__)}</footer>"
    content = "\n".join(part for part in (*body, footer) if part)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n<main>\n{content}\n</main>\n</body>\n</html>\n'
    )


# --- How it looks -------------------------------------------------------------------------------------------------------

STYLE = """\
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1b1f24; --quiet: #59636e; --line: #d4d9df; --shade: #f5f7f9;
  --mark: #1f5fbf; --band: #1f5fbf33; --bar: #5b8fd9; --mean: #b3400b; --warning: #fff4d6; --edge: #b7791f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181d; --ink: #e6e9ed; --quiet: #a0a9b4; --line: #333b45; --shade: #1d232a;
    --mark: #7fb0ff; --band: #7fb0ff38; --bar: #4f7fc4; --mean: #ff9d66; --warning: #3a2f12; --edge: #d9a441;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line); }
code { font: .88em/1.4 ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: 0 0 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; }
.notes dt { font-weight: 600; color: inherit; }
.warning { background: var(--warning); border-left: 4px solid var(--edge); padding: .6rem .9rem; margin: 1rem 0; }
.wide, pre { overflow-x: auto; }
pre { font: .85rem/1.4 ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); padding-bottom: .4rem; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
td { white-space: nowrap; }
.text { text-align: left; }
th:first-child { padding-left: 0; text-align: left; }
th { font-weight: 600; }
tbody th { font-weight: 400; }
tbody .text { white-space: normal; min-width: 12rem; }
small { color: var(--quiet); font-size: .85em; }
figure { margin: 1.2rem 0 0; }
figcaption { font-size: .95rem; margin-bottom: .3rem; }
figcaption, p { max-width: 46rem; }
svg { display: block; width: 100%; max-width: 46rem; height: auto; overflow: visible; }
svg text { font-size: 12px; fill: var(--quiet); paint-order: stroke; stroke: var(--page); stroke-width: 4px; }
svg .name { fill: var(--ink); font: 11px ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; }
svg .end { text-anchor: end; }
svg .middle { text-anchor: middle; }
svg .number { font-variant-numeric: tabular-nums; }
svg path { fill: none; }
svg .grid { stroke: var(--line); }
svg .zero { stroke: var(--quiet); stroke-dasharray: 4 3; }
svg .mark { stroke: var(--mark); stroke-width: 2; stroke-linejoin: round; }
svg .dot { fill: var(--mark); }
svg .published { fill: var(--page); stroke: var(--mean); stroke-width: 2; }
svg .whisker { stroke: var(--ink); stroke-width: 1.5; }
svg .band { fill: var(--band); }
svg .bar { fill: var(--bar); }
svg .mean { stroke: var(--mean); stroke-width: 2; }
footer { margin-top: 2.5rem; color: var(--quiet); font-size: .9rem; }
@media (max-width: 60rem) {
  td { white-space: normal; }
  tbody .text { min-width: 9rem; }
}
@media (max-width: 40rem) {
  main { padding: 1rem .8rem 2rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .4rem; }
  table { font-size: .82rem; }
  th, td { padding: .3rem .35rem; }
  tbody .text { min-width: 7rem; }
  figure { overflow-x: auto; }
  svg { min-width: 34rem; }
}
@media print {
  :root {
    --page: #ffffff; --ink: #000000; --quiet: #444444; --line: #cccccc;
    --mark: #1f5fbf; --band: #1f5fbf33; --bar: #5b8fd9; --mean: #b3400b; --warning: #ffffff; --edge: #000000;
  }
  main { max-width: none; padding: 0; }
  body { font-size: 10pt; }
  figure, tr, .warning { break-inside: avoid; }
  h2 { break-after: avoid; }
  .wide, pre { overflow: visible; }
  pre { white-space: pre-wrap; }
  td { white-space: normal; }
}
"""
