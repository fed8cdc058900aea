"""The agent of ensemble determinization: many trees with a world each, for games of compound moves."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from facedown.agents.budget import UNLIMITED
from facedown.agents.heuristic import rule_choice
from facedown.agents.tree import MOST_CONSTANT, MOST_ITERATIONS, MOST_SECONDS, MOST_THREADS, MOST_TREES, SearchAgent
from facedown.errors import BadOption
from facedown.kernel import Array
from facedown.options import Option
from facedown.search.compound_moves import ASCENDING, DESCENDING, DOMINATED, NO_PRUNING, NON_PAYING, SHUFFLED
from facedown.search.decision import Decision, decide
from facedown.search.ensemble import EnsembleOptions, EnsembleSearch, make_streams
from facedown.search.ensemble_moves import is_for_search, most_visited_move, only_beginning
from facedown.search.playouts.policies import PLAYOUTS
from facedown.search.search import Settings
from facedown.view import View

PRUNINGS = {"none": NO_PRUNING, "non-paying": NON_PAYING, "dominated": DOMINATED}
ORDERS = {"descending": DESCENDING, "ascending": ASCENDING, "random": SHUFFLED}
PLAYED = ("reduced", "rules", "uniform")
TOP = "top"  # chance has its say once, before the first move
MOST_INTEREST = 0.5
LEAF_SHARE = 0.01  # of all iterations, at each leaf
TIMED_LEAF_TRIALS = 100  # at most, where time is counted
TREES_A_SECOND = 20_000  # more than get their first iterations
FIXED: dict[str, Any] = {"final": "visits", "endgame": 0, "last_stand": True}  # what this agent has no option for


class Ensemble(SearchAgent):
    """Ensemble determinization; by default the baseline of Cowling, Ward and Powley 2012, Table I."""

    name = "ensemble"
    summary = "ensemble determinization: many trees with a world each, and compound moves"
    declared = (
        Option("trees", 40, "how many trees grow, each with a world of its own", least=1, most=MOST_TREES),
        Option("simulations", 250, "how many iterations each tree gets", least=1, most=MOST_ITERATIONS),
        Option(
            "iterations",
            0,
            "how many all trees get together, in place of simulations; 0 counts those",
            most=MOST_ITERATIONS,
        ),
        Option(
            "seconds", 0.0, "how long a decision may take, in place of iterations; 0 counts iterations", most=MOST_SECONDS
        ),
        Option("exploration", 1.5, "the exploration constant of UCB1", most=MOST_CONSTANT),
        Option("discount", 0.99, "what a reward is worth for each turn it lies ahead", least=0.01, most=1.0),
        Option("bt", False, "binary trees: each part of a move is a choice of its own"),
        Option("order", "descending", "in which order of cost the parts of a move are asked about", choices=tuple(ORDERS)),
        Option(
            "mp",
            "non-paying",
            "moves left out: none; those without a part that would pay for others; or (true) those that are part of another",
            choices=tuple(PRUNINGS),
            words={True: "dominated", False: "non-paying", "non-land": "non-paying"},
        ),
        Option("nl", False, "a loss counts -1, not 0"),
        Option("ir", False, "trees get worlds in which moves matter, as far as 5 % of their iterations find them"),
        Option("interest", 0.05, "the share of a tree's iterations that may be spent on that", most=MOST_INTEREST),
        Option("il", False, "so do playouts, as far as at each leaf 1 % of the iterations, on top of them, find them"),
        Option(
            "ap",
            "false",
            "all possible deals: (true) what is drawn is a step of the tree; or (top) each iteration has a deal of its own",
            choices=("false", "true", TOP),
            words={True: "true", False: "false"},
        ),
        Option("playout", "reduced", "how games are played out", choices=PLAYED, words={"expert": "rules"}),
        Option("fixed_order", False, "playouts too draw the cards that the tree's world has for them"),
        Option("lazy", False, "what is drawn is drawn for each state of a tree by itself, not in one order for all"),
        Option(
            "decides",
            "cards",
            "what is searched: cards, with the game's rules for what it does not leave to searches; or all questions",
            choices=("cards", "all"),
        ),
        Option(
            "ahead",
            "game",
            "how far trees look: to the end of the game, or of what the seat does now; the rest is played out",
            choices=("game", "phase"),
        ),
        Option("threads", 1, "how many threads search, each some of the trees", least=1, most=MOST_THREADS),
    )

    def __init__(self, seed: int = 0, **values: Any) -> None:
        """See SearchAgent."""
        super().__init__(seed, **values)
        self.asks = PLAYOUTS[self.value("playout")].asks

    def value(self, name: str) -> Any:
        """An option's value, or what stands for one."""
        if name == "iterations":
            whole: Any = super().value("iterations")
            return whole or super().value("trees") * super().value("simulations")
        if name == "reward":
            return "wl" if self.value("nl") else "pwl"
        return FIXED[name] if name in FIXED else super().value(name)

    def settings(self) -> Settings:
        """What the kernels need to know; refuses options that contradict each other."""
        given = [name for name, option in self.options.items() if option.value != option.default]
        for one, other in CONTRADICTIONS:
            if one in given and other in given:
                raise BadOption(f"option {one}: goes against {other}, leave one of them out")
        if self.value("ap") == TOP and (self.value("seconds") or self.value("iterations") > MOST_TREES):
            raise BadOption(f"option ap: expected at most {MOST_TREES} iterations and no time for {TOP}, a tree for each")
        memory, figures = PLAYOUTS[self.value("playout")]()
        return Settings(
            self.value("exploration"),
            self.kind,
            discount=self.value("discount"),
            playout=memory,
            figures=figures,
        )

    def ensemble_options(self) -> EnsembleOptions:
        """How the trees grow."""
        per_tree = self.value("iterations") // self.trees()
        return EnsembleOptions(
            binary=self.value("bt"),
            pruning=PRUNINGS[self.value("mp")],
            order=ORDERS[self.value("order")],
            random_rest=self.value("playout") != "rules",
            pruned_rest=self.value("playout") == "uniform",
            settles=self.value("decides") == "cards",
            chances=self.value("ap") == "true",
            keeps_order=self.value("fixed_order"),
            lazy=self.value("lazy"),
            near=self.value("ahead") == "phase",
            root_trials=int(self.value("interest") * per_tree) if self.value("ir") else 0,
            leaf_trials=self.leaf_trials() if self.value("il") else 0,
        )

    def leaf_trials(self) -> int:
        """Playouts at each leaf; where time is counted, not more than an iteration may take."""
        trials = int(LEAF_SHARE * self.value("iterations"))
        return min(trials, TIMED_LEAF_TRIALS) if self.value("seconds") else trials

    def trees(self) -> int:
        """How many trees there are: not more than iterations, nor than can have any where time is counted."""
        if self.value("ap") == TOP:
            return int(self.value("iterations"))
        seconds = self.value("seconds")
        most = max(1, int(seconds * TREES_A_SECOND) * self.threads()) if seconds else self.value("iterations")
        return int(min(self.value("trees"), most))

    def best_so_far(self) -> int | None:
        """The action that the search under way prefers by now; None before there is one."""
        searches: Sequence[Any] = self._searches
        return next(iter(plan(searches)), None) if searches else None

    def search(self, view: View) -> Decision:
        """Grow all trees, and make the move with most visits; questions that are left to rules are not searched."""
        rng = self.stream(view)
        if self.value("decides") == "cards":
            view.game.rules.require("decides=cards", "settle")
            actions = np.empty(view.game.actions, np.int64)
            if not is_for_search(view.data, actions, rng.copy()):
                return ruled(view, int(rule_choice(view.data, actions, rng)))
        for name in ("ap", "lazy"):
            if self.value(name) in (True, "true"):
                view.game.rules.require(name, "chance_outcome", "shuffle_stock")
        if self.value("ahead") == "phase":
            view.game.rules.require("ahead=phase", "turns")
        settings, options, salt = self.settings(), self.ensemble_options(), rng[1]
        only = only_beginning(view, options.draft(salt))
        if only is not None:
            return ruled(view, only)
        rngs = np.empty((self.trees(), 2), np.uint64)
        make_streams(rngs, rng)
        searches = [
            EnsembleSearch(view, settings, options, left, streams, salt)
            for left, streams in zip(self.parted(self.shares()), self.parted(rngs), strict=True)
        ]
        self.spend(searches, [int(search.arrays.left.sum()) for search in searches])
        move = plan(searches)
        return decide(view.game, searches, "visits", plan=move, worlds=self.trees(), seconds=self.seconds_spent)

    def shares(self) -> Array:
        """How many iterations each tree is to have; the first ones take what is left over."""
        trees, whole = self.trees(), self.value("iterations")
        if self.value("seconds"):
            return np.full(trees, UNLIMITED // trees)
        return np.array([(whole + trees - 1 - index) // trees for index in range(trees)])

    def parted(self, rows: Array) -> list[Array]:
        """The trees that each thread grows."""
        return np.array_split(rows, min(self.threads(), len(rows)))


CONTRADICTIONS = [
    ("iterations", "simulations"),
    ("iterations", "seconds"),
    ("simulations", "seconds"),
    ("ap", "ir"),
    ("ap", "il"),
    ("ap", "fixed_order"),
    ("ap", "lazy"),
    ("ir", "lazy"),
    ("il", "fixed_order"),
]


def plan(searches: Sequence[EnsembleSearch]) -> list[int]:
    """The move with most visits over all trees, as small actions."""
    return most_visited_move(searches[0].view, searches[0].new_draft(), [search.roots() for search in searches])


def ruled(view: View, action: int) -> Decision:
    """A decision that took no search."""
    return Decision(action, view.game.text(action), [], [view.game.text(action)])
