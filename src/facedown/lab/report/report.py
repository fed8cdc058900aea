"""A tournament as an HTML page and as CSV.

The page is one file that fetches nothing and runs no script. It has no time stamp: without its origin (the command, the
code, the time taken and the machine), the same result gives the same file.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from html import escape
from math import isfinite

import numpy as np

from facedown import stats
from facedown.arena.standings import UNKNOWN, Comparison, Ledger, Standing
from facedown.arena.tournament import TournamentResult
from facedown.lab.report.origin import Origin
from facedown.lab.report.parts import (
    chance,
    code,
    counted,
    facts,
    facts_of_origin,
    figure,
    html_table,
    number,
    page,
    section,
    shown,
)
from facedown.lab.report.plots import Band, Bars, Interval, binned, forest, histogram, running
from facedown.stats import Estimate
from facedown.stats.means import mean_and_error, student_estimate

POINTS = 240  # at which a running mean is drawn
MOST_PAIRS = 6  # with a plot each; if there are more, only those of the best agent
LEAST_DEALS = 5  # for a plot of a running mean
FORFEITS_LISTED = 50

NOTES = {
    "Interval": "Every figure has its 95 % interval over deals: the games of one deal share its cards and count as "
    "one observation. Of 100 tournaments like this one, 95 would have intervals that contain the true value.",
    "Score": "The mean of the game's own score; over its seats, where an agent has several in a game.",
    "Lead": "The sum of the differences to each other side: the number of sides times the own score, minus the sum of all "
    "scores, negated where fewer points are better. Leads add up to zero, so above zero is better than the field.",
    "Wins and par": "The share of games won; a shared win is a part of one. Par is the share of an agent that is as good as "
    "the others.",
    "Elo": "The Bradley-Terry rating: 100 more is a score of 64 % against the other. The mean is zero. A bound of ∞ "
    "belongs to an agent that won, or lost, everything.",
    "OpenSkill": "mu and sigma of the Plackett-Luce model. Sigma is no 95 % interval: games count as independent.",
    "p": "The probability of a difference at least as large if there is none. Holm's p is adjusted for all comparisons of "
    "the tournament: if those below 0.05 are claimed, the probability of even one wrong claim is below 5 %.",
}


def html_report(result: TournamentResult, origin: Origin | None = None) -> str:
    """The result as one HTML page with plots; its origin is at the top."""
    game = result.schedule.game
    title = f"{game.name}: {counted(len(result.schedule.agents), 'agent')}, {counted(len(result.ledger.results), 'game')}"
    body = [
        f"<h1>{escape(title)}</h1>",
        facts_of(result, origin),
        warnings_of(result),
        section("Standings", standings_table(result)) if result.standings else "",
        section("Leads and ratings", *forests(result)) if result.standings else "",
        section("Comparisons", comparisons_table(result), *convergence(result)) if result.comparisons else "",
        section("Distribution of scores", *distributions(result)) if result.standings else "",
        section("Forfeits", forfeits(result)) if any(one.forfeit is not None for one in result.ledger.results) else "",
        section("What the figures mean", notes()),
    ]
    return page(title, body)


# --- Head and notes ---------------------------------------------------------------------------------------------------


def facts_of(result: TournamentResult, origin: Origin | None) -> str:
    """What was played, with all that is needed to play it again."""
    plan = result.schedule
    options = ", ".join(f"{option.name}={str(option.value).lower()}" for option in plan.game.options.values())
    deals, seatings = len({one.deal for one in result.ledger.results}), len(plan.lineups)
    rows = {
        "game": f"{code(plan.game.full_name)}, rules version {plan.game.version}",
        "options": code(options) if options else "",
        "agents": "<br>".join(code(text) for text in plan.agents),
        "deals": f"{counted(deals, 'deal')} in {counted(seatings, 'seating')} each, "
        f"{counted(len(result.ledger.results), 'game')}",
        "seed": f"{plan.seed}" if plan.seed >= 0 else "",  # that of games from a file is not known
        "run": code(result.name) if result.name else "",
    }
    return facts({**rows, **facts_of_origin(origin)})


def warnings_of(result: TournamentResult) -> str:
    """Warnings: a test that stopped the tournament, games that are missing."""
    parts = []
    played, planned = len(result.ledger.results), result.schedule.games
    test = result.sequential
    if test is not None:
        low, high = test.bounds
        hypotheses = f"H0, {stats.elo_of(test.mean0):+.1f} Elo, against H1, {stats.elo_of(test.mean1):+.1f} Elo"
        verdict = f"<strong>{test.verdict}</strong>" if test.verdict else "no verdict yet"
        parts.append(
            f"<p>Sequential test of {hypotheses}: {verdict} after {counted(test.deals, 'deal')} "
            f"(log likelihood ratio {number(test.llr)}, bounds {number(low)} and {number(high)}).</p>"
        )
    if result.stopped_early:
        parts.append(
            '<p class="warning"><strong>Stopped early by its own results.</strong> The figures that led to the verdict are '
            "favoured, and all intervals here are too narrow; those figures are marked †. The claim to make is the verdict. "
            "For a figure to quote, play a fixed number of deals.</p>"
        )
    elif played < planned:
        parts.append(f'<p class="warning"><strong>Not finished:</strong> {played:,} of {planned:,} games are played.</p>')
    return "\n".join(parts)


def notes() -> str:
    """The meaning of each figure."""
    rows = "\n".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in NOTES.items())
    return f'<dl class="notes">\n{rows}\n</dl>\n<p>More in docs/statistics.md of facedown.</p>'


def forfeits(result: TournamentResult) -> str:
    """The games that were forfeited, the reasons, and the commands that replay them."""
    plan = result.schedule
    found = [one for one in result.ledger.results if one.forfeit is not None]
    rows = []
    for one in found[:FORFEITS_LISTED]:
        text = plan.agents[plan.lineups[one.seating][one.forfeit or 0]]
        replay = f"<br>{code(f'facedown replay {result.name}:{one.deal}:{one.seating}')}" if result.name else ""
        rows.append(
            [f"{one.deal}", f"{one.seating}", f"{one.forfeit}", code(text), f"{escape(one.reason or UNKNOWN)}{replay}"]
        )
    more = len(found) - len(rows)
    left = f"<p>and {more:,} more; the games' CSV has all of them</p>" if more else ""
    return (
        html_table("Games that an agent failed to play to the end", ["deal", "seating", "seat", "agent", "why"], rows) + left
    )


# --- Figures ----------------------------------------------------------------------------------------------------------


def standings_table(result: TournamentResult) -> str:
    """All agents, the best lead first."""
    rows = []
    for one in result.standings:
        wins = f"{shown(one.wins)}<br><small>par {100 * one.par:.1f} %</small>"
        skill = f"{one.skill[0]:.1f}<br><small>sigma {one.skill[1]:.1f}</small>" if one.skill else "–"
        figures = [shown(one.score).removeprefix("+"), shown(one.lead), wins, shown(one.elo) if one.elo else "–", skill]
        rows.append([code(one.agent), f"{one.games:,}", *figures, f"{one.forfeits:,}"])
    columns = ["agent", "games", "score", "lead", "wins", "Elo", "OpenSkill", "forfeits"]
    better = "fewer points are better" if result.schedule.game.lower_is_better else "more points are better"
    return html_table(f"The best lead first; {better}", columns, rows)


def comparisons_table(result: TournamentResult) -> str:
    """Every two agents that met."""
    rows = [
        [
            code(one.first),
            code(one.second),
            shown(one.difference),
            chance(one.difference.p),
            chance(one.p_adjusted),
            f"{one.difference.count:,}",
        ]
        for one in result.comparisons
    ]
    columns = ["first", "second", "lead of first less second", "p", "Holm's p", "deals"]
    return html_table("Every two agents on the deals where both played", columns, rows)


def forests(result: TournamentResult) -> list[str]:
    """Leads, and Elo where there is any."""
    leads = [(one, one.lead) for one in result.standings]
    elo = [(one, one.elo) for one in result.standings if one.elo]
    plots = [figure(forest([interval(*pair) for pair in leads], "Lead of each agent", "lead"), "Mean lead, 95 % interval")]
    if elo:
        plots.append(figure(forest([interval(*pair) for pair in elo], "Elo of each agent", "Elo"), "Elo, 95 % interval"))
    return plots


def interval(standing: Standing, estimate: Estimate) -> Interval:
    """A figure of an agent, for a plot."""
    return Interval(standing.agent, estimate.value, estimate.low, estimate.high, shown(estimate))


def convergence(result: TournamentResult) -> list[str]:
    """Plots of how the differences converge, deal by deal."""
    introduction = []
    if len(result.comparisons) > MOST_PAIRS:
        introduction = ["<p>How the differences of the best agent to the others converged:</p>"]
    return introduction + [
        figure(
            running(band, f"{one.first} less {one.second}", f"{shown(one.difference)} at the end", "deals"),
            f"Running mean of the lead of {code(one.first)} less that of {code(one.second)}, with its 95 % interval",
        )
        for one, band in bands_of(result.ledger, result.standings, result.comparisons)
    ]


def bands_of(
    ledger: Ledger, standings: Sequence[Standing], comparisons: Sequence[Comparison], points: int = POINTS
) -> list[tuple[Comparison, Band]]:
    """How the differences converge: of every two agents, or of the best one to each other if those are many."""
    wanted = list(comparisons)
    if len(wanted) > MOST_PAIRS:
        wanted = [one for one in wanted if standings[0].agent in (one.first, one.second)]
    found = [(one, band_of(ledger, one, points)) for one in wanted]
    return [(one, band) for one, band in found if band is not None]


def band_of(ledger: Ledger, comparison: Comparison, points: int) -> Band | None:
    """The difference of two agents after n deals, for growing n; None where there are too few deals."""
    agents = ledger.schedule.agents
    numbers = agents.index(comparison.first), agents.index(comparison.second)
    deals, differences = (np.array(column) for column in zip(*ledger.meetings[numbers], strict=True))
    _, numbered, sizes = np.unique(deals, return_inverse=True, return_counts=True)
    if len(sizes) < LEAST_DEALS:
        return None
    ends = np.cumsum(sizes)  # the number of games up to each deal: they are in order of deals
    at = np.unique(np.linspace(2, len(sizes), points).round().astype(int))
    found = [
        student_estimate(*mean_and_error(differences[: ends[count - 1]], numbered[: ends[count - 1]]), "deals")
        for count in at
    ]
    return Band(at.tolist(), [one.value for one in found], [one.low for one in found], [one.high for one in found])


def distributions(result: TournamentResult) -> list[str]:
    """The scores of each agent, plotted on one scale."""
    bars = bars_of(result)
    most = max(count for one in bars.values() for count in one.counts)
    return [
        figure(
            histogram(one, most, f"Scores of {text}", f"mean {one.mean:.2f}, games {sum(one.counts)}", "score"),
            f"Games by score of {code(text)}; the line is the mean, {one.mean:.2f}",
        )
        for text, one in bars.items()
    ]


def bars_of(result: TournamentResult) -> dict[str, Bars]:
    """How often each agent had which scores, in the same bins for all."""
    scores_of = {one.agent: result.ledger.figures[one.agent].scores for one in result.standings}
    every = [score for scores in scores_of.values() for score in scores]
    low, high = min(every, default=0.0), max(every, default=0.0)
    return {text: binned(scores, low, high if high > low else low + 1) for text, scores in scores_of.items()}


# --- Comma-separated values -------------------------------------------------------------------------------------------


def csv_report(result: TournamentResult) -> str:
    """A row for each agent; an infinite bound is empty."""
    names = ("score", "lead", "wins", "elo")
    head = ["agent", "games", "deals", *(f"{name}{end}" for name in names for end in ("", "_low", "_high"))]
    rows = []
    for one in result.standings:
        estimates = (one.score, one.lead, one.wins, one.elo)
        figures = [plain(end) for each in estimates for end in ((each.value, each.low, each.high) if each else (None,) * 3)]
        skill = one.skill or (None, None)
        rows.append([one.agent, one.games, one.lead.count, *figures, plain(one.par), *map(plain, skill), one.forfeits])
    return csv_text([[*head, "par", "openskill_mu", "openskill_sigma", "forfeits"], *rows])


def games_csv(result: TournamentResult) -> str:
    """A row for each seat of each game; partners have the lead and the share of the win that their side has."""
    plan, ledger = result.schedule, result.ledger
    sides = plan.game.sides
    order = sorted(set(sides))
    sign = -1.0 if plan.game.lower_is_better else 1.0
    rows: list[list[object]] = []
    for game in ledger.results:
        points = [sign * game.scores[seat] for seat in ledger.first_seats]
        share = 1 / points.count(max(points))
        for seat, agent in enumerate(plan.lineups[game.seating]):
            own = points[order.index(sides[seat])]
            figures = [game.scores[seat], len(points) * own - sum(points), share if own == max(points) else 0.0]
            place = [game.deal, game.seating, seat, plan.agents[agent]]
            rows.append([*place, *map(plain, figures), int(game.forfeit == seat)])
    return csv_text([["deal", "seating", "seat", "agent", "score", "lead", "win_share", "forfeit"], *rows])


def plain(value: float | None) -> str:
    """A number without digits that come from rounding errors."""
    return f"{value + 0.0:.12g}" if value is not None and isfinite(value) else ""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
