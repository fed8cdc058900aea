"""Agents that search: they set up one search or several, let them spend a budget, and explain what came of it."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from threading import Event
from typing import Any, ClassVar, TypeVar

from facedown.agents import aims, endgames, playouts
from facedown.agents.budget import UNLIMITED, Budget
from facedown.agents.last_stand import Aim, last_stand
from facedown.agents.passing import PASSERS, STEPS, Passer
from facedown.agents.player import Agent
from facedown.agents.worlds import draw_worlds, inferred_count, infers, read_model, searched_world, world_options
from facedown.compiler.memory import uncollected
from facedown.errors import BadOption
from facedown.game import Game
from facedown.kernel import Array
from facedown.options import Option
from facedown.rng import stream
from facedown.search.decision import FINAL_RULES, Decision, decide, forced
from facedown.search.ismcts import TreeSearch
from facedown.search.ismcts_t import GraphSearch
from facedown.search.mo_ismcts import TreesSearch
from facedown.search.parallel import LeafParallelSearch, SharedSearch, TreeParallelSearch
from facedown.search.playouts.ngrams import KINDS, LONGEST
from facedown.search.search import Search, Settings, merge_arms
from facedown.search.solution import SAMPLE
from facedown.state import State
from facedown.view import View
from facedown.worlds.knowledge import BY_EXACT_COUNT
from facedown.worlds.source import Source, fixed, fresh

Found = TypeVar("Found")

MOST_THREADS = 256
MOST_ITERATIONS = 10**9  # a tree counts its nodes and visits up to twice as many
MOST_SECONDS = 86_400.0  # a day
MOST_CONSTANT = 1e6  # of a formula
MOST_WORLDS = 1_000_000  # drawn before a search
MOST_TREES = 10_000  # side by side

LAST_STAND = 1 << 40  # a stream of random numbers that no search has
STANDS_LAST = Option(
    "last_stand",
    True,
    "where every iteration has lost: what holds out longest in random play, or else what the search prefers",
)


def options(
    iterations: int = 1000,
    exploration: float = 0.4,
    final: str = "visits",
    each: str = "a decision",
    endgame: int = 0,
    solved_worlds: int = SAMPLE,
    parallel: Sequence[str] = ("root",),
    passers: Sequence[str] = PASSERS,
) -> tuple[Option, ...]:
    """The options that searching agents share, with an algorithm's own defaults."""
    return (
        Option("iterations", iterations, f"how many iterations {each} gets", least=1, most=MOST_ITERATIONS),
        Option(
            "seconds", 0.0, "how long a decision may take, in place of iterations; 0 counts iterations", most=MOST_SECONDS
        ),
        Option("exploration", exploration, "the exploration constant of UCB1", most=MOST_CONSTANT),
        Option(
            "reward",
            "points",
            "what the search maximizes; pwl-sd is the win until it is decided, then the score difference",
            choices=aims.NAMES,
        ),
        Option(
            "discount", 1.0, "what a reward is worth for each turn it lies ahead; 1 is its full worth", least=0.01, most=1.0
        ),
        Option(
            "playout",
            "uniform",
            "how games are played out; a+b asks a first, and b where a prefers no action",
            choices=playouts.NAMES,
            joint=playouts.JOINT,
        ),
        Option("ngram", 2, "how many actions a sequence has, for playout=nast", least=1, most=LONGEST),
        Option(
            "policy",
            "epsilon-greedy",
            "how playout=mast, nast and epic choose by what they have learnt",
            choices=tuple(KINDS),
        ),
        Option("parameter", -1.0, "tau, epsilon or c of that policy; -1 is its own default", least=-1, most=MOST_CONSTANT),
        Option(
            "final", final, "which action is played: the one with most visits, best mean or most votes", choices=FINAL_RULES
        ),
        Option("threads", 1, "how many threads search", least=1, most=MOST_THREADS),
        Option(
            "parallel",
            "root",
            "how threads divide the work: root, a tree each; leaf, one tree, all play out; tree, all on one tree",
            choices=tuple(parallel),
        ),
        *endgames.options(endgame, solved_worlds),
        Option(
            "passer",
            passers[0],
            "how cards to pass are chosen: as one set, by search or cautiously; or in steps, each like any other action",
            choices=tuple(passers),
        ),
        STANDS_LAST,
    )


RAVE = Option(
    "rave",
    0.0,
    "trials with which an action's mean over all iterations that played it later weighs as much as its own; 0 leaves it out",
    most=MOST_CONSTANT,
)
SHARED: dict[str, type[SharedSearch]] = {"leaf": LeafParallelSearch, "tree": TreeParallelSearch}


class SearchAgent(Agent):
    """What searching agents share: a budget, searches side by side, and a decision to explain."""

    declared: ClassVar[tuple[Option, ...]] = options()

    def __init__(self, seed: int = 0, **values: Any) -> None:
        """See Agent; refuses options that contradict each other."""
        super().__init__(seed, **values)
        self._stop = Event()
        self._searches: Sequence[Search] = ()
        self.budget = Budget()  # of the decision under way
        self.card_beliefs: dict[str, list[float]] = {}  # of the decision under way, where worlds are inferred
        self._passer = Passer()
        self.model: Any = read_model(self)
        self.game: Game | None = None  # of the decision under way
        self.kind = aims.kind_of(self, None)  # of its reward
        self.settings()  # refuses what contradicts itself

    def value(self, name: str) -> Any:
        """An option's value."""
        return self.options[name].value

    def choose(self, view: State | View) -> int:
        """The action that the search prefers."""
        self.budget = Budget(self.value("seconds"), self._stop)
        self.card_beliefs = {}
        try:
            with uncollected() if self.budget.seconds else nullcontext():
                self.decision = self.decide(view)
        finally:
            self._stop.clear()  # an interruption is for one decision, even if it came just before
        return self.decision.action

    def decide(self, view: State | View) -> Decision:
        """What the only action, an exact solution or else the search leads to."""
        legal = view.legal
        if not legal:
            raise BadOption(f"expected a position with somebody to move, got {view!r}, which is over")
        if len(legal) == 1:
            return forced(view.game, legal[0])
        self.game = view.game
        view.game.rules.require(self.name, *self.asks)
        view.game.rules.require(f"playout={self.value('playout')}", *playouts.asked(self.value("playout")))
        if playouts.equivalence(self):
            view.game.rules.require("rave", "moves_left")
        if self.value("discount") < 1:
            view.game.rules.require("discount", "turns")
        aims.check(self, view.game)
        self.kind = aims.kind_of(self, view)
        if jointly := self._passer.decide(self, view):
            return jointly
        found = self.solved(view) or self.search(view)
        if not self.value("last_stand"):
            return found
        aim = Aim(self.kind, self.value("discount"))
        return last_stand(view, found, aim, self.stream_beside(self.stream(view), LAST_STAND), self.budget.deadline)

    def interrupt(self) -> None:
        """End the decision under way, or the next one, from any thread; `choose` returns the best action so far."""
        self._stop.set()

    @property
    def stopped(self) -> bool:
        """Whether the decision under way has been interrupted."""
        return self._stop.is_set()

    def best_so_far(self) -> int | None:
        """The action that the search under way prefers by now; None before there is one."""
        arms = merge_arms([arm for search in list(self._searches) for arm in search.arms()])
        return arms[0].action if arms else None

    def search(self, view: Any) -> Decision:
        """Search and decide."""
        raise NotImplementedError

    def solved(self, view: State | View) -> Decision | None:
        """The decision by exact solution, where as few actions are left as the option says."""
        return endgames.solved(self, view)

    @property
    def seconds_spent(self) -> float:
        """How long the decision under way has taken."""
        return time.perf_counter() - self.budget.begin

    def settings(self) -> Settings:
        """What the kernels need to know."""
        if self.value("reward") == "match" and self.value("endgame"):
            raise BadOption(
                f"option endgame: expected 0 with reward=match, since solutions are leads, got {self.value('endgame')}"
            )
        memory, figures = playouts.prepared(self, self.game)
        return Settings(
            self.value("exploration"),
            self.kind,
            discount=self.value("discount"),
            equivalence=playouts.equivalence(self),
            playout=memory,
            figures=figures,
        )

    def drawn(self, view: View, count: int, rng: Array) -> Array:
        """Worlds drawn before the search."""
        return draw_worlds(self, view, count, rng)

    def fresh_source(self, view: View) -> Source:
        """A fresh world each time, or the only one."""
        return fresh(view.data, view.seat, view.unseen(self.value("sampler")), searched_world(self, view))

    def run(self, position: State | View, searches: Sequence[Search], worlds: int) -> Decision:
        """Spend the budget on searches, which divide the iterations, side by side in threads; and decide."""
        count, whole = len(searches), self.value("iterations")
        shares = [(whole + count - 1 - index) // count for index in range(count)]  # the first ones take what is left over
        self.spend(searches, shares)
        return self.decided(position, searches, worlds=worlds, seconds=self.seconds_spent)

    def spend(self, searches: Sequence[Search], shares: Sequence[int]) -> None:
        """Let each search have its iterations, or all the time that is left."""
        self._searches = searches

        def spend(index: int) -> bool:
            self.budget.spend(searches[index], self.steps(shares[index]))
            return True

        try:
            self.in_threads(spend, len(searches))
        finally:
            for search in searches:
                search.close()

    def steps(self, iterations: int) -> int:
        """How many iterations a search may make: as many as it can where time is counted."""
        return UNLIMITED if self.value("seconds") else iterations

    def in_threads(self, work: Callable[[int], Found | None], count: int) -> list[Found]:
        """What some work gives for each number below a count, in order; side by side in threads, until it gives None."""
        indices, found = iter(range(count)), {}

        def some() -> None:
            for index in indices:
                result = work(index)
                if result is None:
                    return
                found[index] = result

        threads = min(self.threads(), count)
        if threads == 1:
            some()
        else:
            with ThreadPoolExecutor(threads) as pool:
                for future in [pool.submit(some) for _ in range(threads)]:
                    future.result()
        return [found[index] for index in sorted(found)]

    def decided(self, position: State | View, searches: Sequence[Search], **figures: Any) -> Decision:
        """What the searches lead to when they have ended."""
        figures = {**figures, "until": self.budget.deadline, "beliefs": self.card_beliefs}
        return decide(position.game, searches, self.value("final"), **figures)

    def threads(self) -> int:
        """How many threads search: where time is counted not more than there are processors, or some would come late."""
        threads = int(self.value("threads"))
        return min(threads, os.cpu_count() or 1) if self.value("seconds") else threads

    def searches(self) -> int:
        """How many searches run side by side: one for each thread, if there are as many iterations."""
        return self.threads() if self.value("seconds") else min(self.threads(), int(self.value("iterations")))

    def streams(self, position: State | View, count: int) -> list[Array]:
        """Random numbers for searches side by side; the first is the one a lone search has."""
        first = self.stream(position)
        return [first, *(self.stream_beside(first, index) for index in range(1, count))]

    def stream_beside(self, first: Array, index: int) -> Array:
        """Random numbers for a search beside the one that has the first ones, before any are drawn."""
        return stream(self.seed, int(first[0]), int(first[1]), index)


class TreeAgent(SearchAgent):
    """What agents share that grow one tree: alone, one for each thread, or one for all threads."""

    def world_source(self, position: Any, rng: Array) -> Source:
        """Where a tree gets its worlds from."""
        raise NotImplementedError

    def search(self, position: State | View) -> Decision:
        """Grow as many trees as the option `parallel` asks for."""
        streams = self.streams(position, self.searches())
        shared = SHARED.get(self.value("parallel"))
        searches: list[Search]
        if shared:
            searches = [shared(position, self.settings(), self.world_source(position, streams[0]), streams)]
        else:
            searches = [TreeSearch(position, self.settings(), self.world_source(position, rng), rng) for rng in streams]
        return self.run(position, searches, int(searches[0].run["worlds"][0]))


class Uct(TreeAgent):
    """UCT with all cards open: the strongest a search can hope to be, and a cheat."""

    name = "uct"
    summary = "UCT that sees all cards (a cheat, for upper bounds)"
    sees_all = True
    declared = (*options(parallel=("root", *SHARED), passers=(STEPS,)), RAVE)

    def world_source(self, state: State, rng: Array) -> Source:
        """One world: the true one."""
        return fixed(state.data)


class Ismcts(TreeAgent):
    """Single-observer information set MCTS."""

    name = "ismcts"
    summary = "single-observer information set MCTS"
    declared = (
        *options(parallel=("root", *SHARED)),
        Option("worlds", 0, "how many worlds are drawn before; 0 draws a new one each time", most=MOST_WORLDS),
        playouts.OPPONENTS,
        *world_options(),
        RAVE,
    )

    def world_source(self, view: View, rng: Array) -> Source:
        """A fresh world each iteration; fixed ones are drawn beforehand, as are those of the slower samplers."""
        sampler, count = self.value("sampler"), self.value("worlds")
        if infers(self):
            return fixed(self.drawn(view, count or inferred_count(self), rng))
        if count == 0 and sampler in BY_EXACT_COUNT:
            return self.fresh_source(view)
        return fixed(self.drawn(view, count or self.value("iterations"), rng))


class MoIsmcts(SearchAgent):
    """Multiple-observer information set MCTS."""

    name = "mo-ismcts"
    summary = "multiple-observer information set MCTS: one tree for each seat, actions as that seat sees them"
    asks = ("moves_left",)
    declared = (*options(), *world_options(), RAVE)

    def search(self, view: View) -> Decision:
        """Trees for all seats, grown side by side."""
        searches = []
        for rng in self.streams(view, self.searches()):
            source: Source = self.fresh_source(view)
            if infers(self):
                source = fixed(self.drawn(view, inferred_count(self), rng))
            searches.append(TreesSearch(view, self.settings(), source, rng))
        return self.run(view, searches, 0)


class IsmctsT(SearchAgent):
    """Information set MCTS with transpositions."""

    name = "ismcts-t"
    summary = "ISMCTS on a graph of abstracted positions (transpositions), over a fixed set of worlds"
    asks = ("moves_left", "position_key", "relative_action")
    declared = (
        *options(final="mean"),
        Option("worlds", 1000, "how many worlds are drawn before the search", least=2, most=MOST_WORLDS),
        Option("merge_suits", False, "take suits that differ only in name for the same"),
        *world_options(),
    )

    def settings(self) -> Settings:
        """See SearchAgent."""
        settings = super().settings()
        settings.merge = self.value("merge_suits")
        return settings

    def search(self, view: View) -> Decision:
        """A graph over k worlds."""
        searches = []
        for rng in self.streams(view, self.searches()):
            source = fixed(self.drawn(view, self.value("worlds"), rng))
            searches.append(GraphSearch(view, self.settings(), source, rng))
        return self.run(view, searches, int(searches[0].run["worlds"][0]))
