"""Kinds of models that facedown train makes: which game has which, and what each does for the command."""

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import RenderableType

from facedown.cli.arguments import whole
from facedown.errors import BadOption, UnknownName
from facedown.options import parse_text

if TYPE_CHECKING:
    from facedown.arena.workers import Workers
    from facedown.record import GameRecord
    from facedown.store import Store
    from facedown.training.self_play import Watch

MATCH = "facedown.cli.trainers.match:MatchTrainer"
POLICY = "facedown.cli.trainers.policy:PolicyTrainer"
TRAINERS = {  # by game and model; the first of a game is its default
    "cheat": {"claims": "facedown.cli.trainers.claims:ClaimsTrainer"},
    "hearts": {"table": "facedown.cli.trainers.table:TableTrainer", "policy": POLICY, "match": MATCH},
    "hearts32": {"policy": POLICY, "match": MATCH},
    "sueca": {"policy": POLICY, "match": MATCH},
    "bisca": {"policy": POLICY, "match": MATCH},
}


class Trainer:
    """How one kind of model is trained. Its options are refused or accepted before anything is played."""

    out: ClassVar[str]  # the file that is written, unless another is asked for
    defaults: ClassVar[dict[str, str | None]]  # the options that it takes, as text; None where nothing is the default

    def __init__(self, game: str, options: dict[str, str | None], seed: int, recorded: bool) -> None:
        """All its options; `recorded` says that it is trained on the games of a store, and plays none."""
        self.game = game  # its text
        self.options = options
        self.seed = seed
        self.recorded = recorded

    def number(self, name: str, least: int) -> int:
        """A whole number given as an option."""
        return whole(name, self.options[name] or "", least)

    def train(self, store: "Store", workers: "Workers", watch: "Watch") -> None:
        """Play the games that are missing, and make the model."""
        raise NotImplementedError

    def save(self, out: Path) -> None:
        """Write the model."""
        raise NotImplementedError

    def report(self) -> dict[str, Any]:
        """The figures as plain data."""
        raise NotImplementedError

    def summary(self) -> RenderableType:
        """The figures for a person."""
        raise NotImplementedError

    def use(self, out: Path) -> str:
        """How the file is used, in a few words."""
        raise NotImplementedError


class GamesTrainer(Trainer):
    """A model of whole games: those that an agent plays against itself, or those of a store."""

    model: ClassVar[str]  # its name

    def __init__(self, game: str, options: dict[str, str | None], seed: int, recorded: bool) -> None:
        """See Trainer."""
        from facedown.arena.addresses import agent_text

        super().__init__(game, options, seed, recorded)
        self.counts = (self.number("games", 1), self.number("test_games", 1))
        self.agents = [agent_text(text) for text in str(options["agent"]).split("\n")]

    @property
    def command(self) -> str:
        """What makes the model again."""
        begin = f"facedown train {self.game} --model {self.model}"
        if self.recorded:
            return f"{begin} --from-store ..."
        games, tests = self.counts
        agents = " ".join(f"--agent {text}" for text in self.agents)
        return f"{begin} --games {games} --test-games {tests} {agents} --seed {self.seed}"

    def games(self, store: "Store", workers: "Workers", watch: "Watch") -> "tuple[list[GameRecord], list[GameRecord]]":
        """The games to train on, and others to test on; those that are missing are played."""
        from facedown.training.policies import parted, records_in
        from facedown.training.self_play import self_play

        name = parse_text(self.game)[0]
        if self.recorded:
            return parted(records_in(store, name, self.options["run"]))
        runs = [
            self_play(store, self.game, self.agents, games, self.seed * 10 + step, workers, watch)
            for step, games in enumerate(self.counts)
        ]
        train, test = (records_in(store, name, run, games) for run, games in zip(runs, self.counts, strict=True))
        return train, test


def trainer_of(game: str, model: str | None) -> tuple[str, type[Trainer]]:
    """The name of a game's model and what trains it; by default the game's first."""
    from facedown.games import load

    found = load(game)
    if found.name not in TRAINERS and not found.features:
        raise UnknownName("game to train a model for", game, TRAINERS)
    models = TRAINERS.get(found.name, {"policy": POLICY})
    name = model or next(iter(models))
    if name not in models:
        raise UnknownName(f"model of {game}", name, models)
    module, _, attribute = models[name].partition(":")
    kind: type[Trainer] = getattr(importlib.import_module(module), attribute)
    return name, kind


def options_for(kind: type[Trainer], model: str, given: dict[str, str | None]) -> dict[str, str | None]:
    """All options of a trainer: what was given, and defaults; refuses those that others have."""
    for name, value in given.items():
        if value is not None and name not in kind.defaults:
            raise BadOption(f"option {name}: the model {model} does not have it, got {value!r}")
    return {name: default if given.get(name) is None else given[name] for name, default in kind.defaults.items()}
