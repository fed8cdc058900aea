"""The policies of playouts by name, with what each takes and which questions it asks a game."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from facedown.errors import BadOption, UnknownName
from facedown.search.playouts.episodes import episode_table
from facedown.search.playouts.ngrams import KINDS, LONGEST, PARAMETERS, ngram_table
from facedown.search.playouts.playout import uniform
from facedown.search.playouts.replies import reply_table
from facedown.search.playouts.rules import erring, experts, reduced, reduced_erring

Prepared: TypeAlias = tuple[Callable[[], Any], dict[str, float]]  # Settings.playout and Settings.figures


@dataclass(frozen=True)
class Playout:
    """A policy, as people choose it."""

    summary: str
    prepare: Callable[[int, str, float | None], Prepared]
    asks: tuple[str, ...] = ()  # the questions a game must answer itself; choose:expert is one in a style
    by_action: bool = False  # whether it can be asked for one action at a time

    def __call__(self, *, length: int = 2, policy: str = "epsilon-greedy", parameter: float | None = None) -> Prepared:
        """What makes its memory, and the fields of RUN it reads; without a parameter, the policy's own default.

        `length` is for nast, `policy` for mast, nast and epic. The parameter is tau, epsilon or c for these; for
        last-good-reply whether losing replies are forgotten; for rules how often a plain action is played.
        """
        return self.prepare(length, policy, parameter)


def _ngrams(length: int, policy: str, parameter: float | None) -> Prepared:
    if not 1 <= length <= LONGEST:
        raise BadOption(f"option length: expected 1 to {LONGEST} actions, got {length}")
    if policy not in KINDS:
        raise UnknownName("policy", policy, KINDS)
    value = PARAMETERS[policy] if parameter is None else parameter
    most = 1.0 if policy == "epsilon-greedy" else float("inf")
    if not 0.0 <= value <= most or (policy == "gibbs" and value == 0.0):
        raise BadOption(f"option parameter: {value} is out of range for {policy}")
    return partial(ngram_table, length), {"ngram": length, "policy": KINDS[policy], "parameter": value}


PLAYOUTS = {
    "uniform": Playout("any legal action", lambda length, policy, parameter: (uniform, {}), by_action=True),
    "mast": Playout(
        "actions by their mean reward", lambda length, policy, parameter: _ngrams(1, policy, parameter), ("moves_left",)
    ),
    "nast": Playout("actions by the mean reward of sequences that they end", _ngrams, ("moves_left",)),
    "epic": Playout(
        "actions by the mean reward of sequences since the episode began, as a trick",
        lambda length, policy, parameter: (episode_table, _ngrams(1, policy, parameter)[1]),
        ("moves_left", "turns"),
    ),
    "last-good-reply": Playout(
        "the reply that last won",
        lambda length, policy, parameter: (reply_table, {"parameter": 1.0 if parameter is None else parameter}),
        ("moves_left",),
    ),
    "rules": Playout(
        "the game's rules of thumb",
        lambda length, policy, parameter: (erring if parameter else experts, {"parameter": parameter or 0.0}),
        ("choose:expert",),
        by_action=True,
    ),
    "reduced": Playout(
        "the simpler of the game's rules, with chance in them",
        lambda length, policy, parameter: (reduced_erring if parameter else reduced, {"parameter": parameter or 0.0}),
        ("choose:reduced",),
    ),
}
