"""The leak audit: whether worlds are possible, all there and drawn uniformly, and whether views and agents keep secrets.

It plays random games and needs to know nothing of the rules but the questions that a game answers. docs/audit.md says what
each check means.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias, TypeVar

from facedown.agents import Agent
from facedown.agents import agent as agent_named
from facedown.audit.hiding import check_choice, check_hide
from facedown.audit.positions import OwnGame, OwnPosition, Position, Subject
from facedown.audit.report import AuditReport, Example, Finding
from facedown.audit.trial import check_limits
from facedown.audit.worlds import check_complete, check_replay, check_uniform
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.games import load
from facedown.options import check_seed

__all__ = ["AuditReport", "Example", "Finding", "Position", "Subject", "audit"]

DEALS = 20

Progress: TypeAlias = Callable[[str, float | None], None]
Any_Position = TypeVar("Any_Position", bound=Position)


def audit(
    game: Game | Subject | str,
    agent: Agent | str | None = None,
    deals: int = DEALS,
    seed: int = 0,
    progress: Progress | None = None,
) -> AuditReport:
    """Audit a game, and an agent that plays it, over random deals; `progress(text, fraction done or None)` is called."""
    if isinstance(deals, bool) or not isinstance(deals, int) or deals < 1:
        raise FacedownError(f"expected at least one deal, got {deals!r}")
    subject = OwnGame(load(game) if isinstance(game, str) else game) if isinstance(game, str | Game) else game
    player = None if agent is None else agent_named(agent, seed)
    report = progress or (lambda text, fraction: None)
    findings = _all_findings(subject, player, deals, check_seed(seed), report)
    return AuditReport(subject.name, None if player is None else player.text, deals, seed, findings)


def _all_findings(subject: Subject, player: Agent | None, deals: int, seed: int, report: Progress) -> list[Finding]:
    """First whether the game keeps to its arrays: if not, its compiled code had better not be run."""
    limits: list[Finding] = []
    if isinstance(subject, OwnGame):
        report(f"{subject.name}: limits", None)
        limits = [check_limits(subject.game, deals, seed)]
        if not limits[0].passed:
            names = ["replay", "complete", "uniform", "hide", *(["choice"] if player else [])]
            left_out = replace(limits[0], remark="the other checks were left out: compiled, such a game is not safe to run")
            return [left_out, *(Finding(name, skipped=True) for name in names)]
    report(f"{subject.name}: playing", None)
    return limits + _findings(subject, list(subject.positions(deals, seed)), player, report)


def _findings(subject: Subject, positions: list[Position], player: Agent | None, report: Progress) -> list[Finding]:
    """All checks, one after another."""

    def with_progress(name: str, items: Iterable[Any_Position]) -> Iterator[Any_Position]:
        for place, item in enumerate(items):
            report(f"{subject.name}: {name}", place / len(positions))
            yield item

    findings = [check_replay(with_progress("replay", positions))]
    own = [position for position in positions if isinstance(position, OwnPosition) and position.why_no_world is None]
    if isinstance(subject, OwnGame):
        findings.append(check_complete(with_progress("complete", own)))
        findings.append(check_uniform(with_progress("uniform", own)))
    else:
        remark = "the other program does not count its worlds"
        findings += [Finding(name, skipped=True, remark=remark) for name in ("complete", "uniform")]
    findings.append(check_hide(with_progress("hide", positions)))
    if player is None:
        return findings
    if not isinstance(subject, OwnGame):
        raise FacedownError(f"expected no agent with a game of another program, got {player.text}")
    if player.sees_all:
        remark = f"{player.text} is declared to see all cards"
        return [*findings, Finding("choice", skipped=True, remark=remark)]
    return [*findings, check_choice(with_progress("choice", own), player)]
