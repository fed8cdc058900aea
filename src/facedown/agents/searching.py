"""Agents that search: they set up one search or several, let them spend a budget, and explain what came of it."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, ClassVar

from facedown import deals
from facedown.agents.budget import Budget
from facedown.agents.player import Agent
from facedown.decision import FINAL_RULES, Decision, decide, decide_solved, forced
from facedown.errors import BadOption
from facedown.game import State, View
from facedown.kernel import Array
from facedown.options import Option
from facedown.rewards import REWARDS
from facedown.rng import stream
from facedown.search.endgame import Solver, is_whole, moves_left_in
from facedown.search.growing import GraphSearch, Search, Settings, TreeSearch, TreesSearch, together
from facedown.search.ngrams import KINDS, LONGEST
from facedown.search.policies import PLAYOUTS
from facedown.search.sharing import LeafParallelSearch, SharedSearch, TreeParallelSearch

MOST_THREADS = 256
MOST_ITERATIONS = 10**9  # a tree counts its nodes and visits up to twice as many
MOST_SECONDS = 86_400.0  # a day
MOST_CONSTANT = 1e6  # of a formula
MOST_WORLDS = 1_000_000  # drawn before a search
MOST_TREES = 10_000  # side by side
MOST_SOLVED = 32  # actions left; more would neither fit into memory nor end in time


def options(
    iterations: int = 1000,
    exploration: float = 0.4,
    final: str = "visits",
    each: str = "a decision",
    endgame: int = 0,
    parallel: Sequence[str] = ("root",),
) -> tuple[Option, ...]:
    """The options that searching agents share, with an algorithm's own defaults."""
    return (
        Option("iterations", iterations, f"how many iterations {each} gets", least=1, most=MOST_ITERATIONS),
        Option(
            "seconds", 0.0, "how long a decision may take, in place of iterations; 0 counts iterations", most=MOST_SECONDS
        ),
        Option("exploration", exploration, "the exploration constant of UCB1", most=MOST_CONSTANT),
        Option("reward", "points", "what the search maximizes", choices=tuple(REWARDS)),
        Option(
            "discount", 1.0, "what a reward is worth for each turn it lies ahead; 1 is its full worth", least=0.01, most=1.0
        ),
        Option("playout", "uniform", "how games are played out", choices=tuple(PLAYOUTS)),
        Option("ngram", 2, "how many actions a sequence has, for playout=nast", least=1, most=LONGEST),
        Option(
            "policy", "epsilon-greedy", "how playout=mast and nast choose by what they have learnt", choices=tuple(KINDS)
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
        Option("endgame", endgame, "solve the worlds exactly once so few actions are left; 0 never does", most=MOST_SOLVED),
        Option(
            "endgame_worlds",
            200,
            "how many worlds are solved; all of them where there are no more",
            least=1,
            most=MOST_WORLDS,
        ),
    )


SHARED: dict[str, type[SharedSearch]] = {"leaf": LeafParallelSearch, "tree": TreeParallelSearch}
SAMPLER = Option("sampler", "exact", "how hidden cards are drawn", choices=tuple(deals.SAMPLERS))


class SearchAgent(Agent):
    """What searching agents share: a budget, searches side by side, and a decision to explain."""

    declared: ClassVar[tuple[Option, ...]] = options()
    asks: tuple[str, ...] = ()  # the special questions a game must answer

    def __init__(self, seed: int = 0, **values: Any) -> None:
        """See Agent; refuses options that contradict each other."""
        super().__init__(seed, **values)
        self._stop = Event()
        self._searches: Sequence[Search] = ()
        self._begin = 0.0  # when the decision under way was asked for
        self.settings()  # refuses what contradicts itself

    def value(self, name: str) -> Any:
        """An option's value."""
        return self.options[name].value

    def choose(self, view: State | View) -> int:
        """The action that the search prefers."""
        self._begin = time.perf_counter()
        if view.over:
            raise BadOption(f"expected a position with somebody to move, got {view!r}, which is over")
        legal = view.legal
        if len(legal) == 1:
            self.decision = forced(view.game, legal[0])
            return legal[0]
        view.game.rules.require(self.name, *self.asks)
        view.game.rules.require(f"playout={self.value('playout')}", *PLAYOUTS[self.value("playout")].asks)
        if self.value("discount") < 1:
            view.game.rules.require("discount", "turns")
        if self.value("reward") not in view.game.rewards:
            known = ", ".join(view.game.rewards)
            raise BadOption(f"option reward: {view.game.name} has {known}, got {self.value('reward')!r}")
        self._stop.clear()
        self.decision = self.solved(view) or self.search(view)
        return self.decision.action

    def interrupt(self) -> None:
        """End the search under way, from any thread; `choose` returns the best action so far."""
        self._stop.set()

    def best_so_far(self) -> int | None:
        """The action that the search under way prefers by now; None before there is one."""
        arms = together([arm for search in self._searches for arm in search.arms()])
        return arms[0].action if arms else None

    def search(self, view: Any) -> Decision:
        """Search and decide."""
        raise NotImplementedError

    def solved(self, view: State | View) -> Decision | None:
        """The decision by exact solution, where so few actions are left that the option asks for it."""
        if not self.value("endgame"):
            return None
        view.game.rules.require("endgame", "moves_left", "position_key")
        if moves_left_in(view.data) > self.value("endgame"):
            return None
        count = self.value("endgame_worlds")
        exact = isinstance(view, State) or (view.worlds() <= count and is_whole(view))
        if isinstance(view, State):
            worlds = view.data
        else:
            worlds = view.every_world() if exact else view.sample_many(count, self.stream(view))
        solver = Solver(view.game, worlds)
        leads = []
        for index in range(len(worlds)):
            lead = solver.solve(worlds[index : index + 1], view.legal)
            if lead is None:
                return None
            leads.append(lead)
            if self._stop.is_set() or 0 < self.value("seconds") < time.perf_counter() - self._begin:
                break
        exact &= len(leads) == len(worlds)
        return decide_solved(view.game, leads, self.value("final"), exact, time.perf_counter() - self._begin)

    def settings(self) -> Settings:
        """What the kernels are told."""
        parameter = self.value("parameter")
        memory, figures = PLAYOUTS[self.value("playout")](
            length=self.value("ngram"), policy=self.value("policy"), parameter=None if parameter < 0 else parameter
        )
        return Settings(
            self.value("exploration"),
            REWARDS[self.value("reward")],
            discount=self.value("discount"),
            playout=memory,
            figures=figures,
        )

    def run(self, position: State | View, searches: Sequence[Search], worlds: int, each_whole: bool = False) -> Decision:
        """Spend the budget on searches, side by side in threads, and decide.

        The searches divide the iterations, or each gets all of them where it stands for a world of its own.
        """
        count, whole = len(searches), self.value("iterations")
        shares = [(whole + count - 1 - index) // count for index in range(count)]  # the first ones take what is left over
        self.spend(searches, [whole] * count if each_whole else shares)
        return self.decided(position, searches, worlds=worlds, seconds=time.perf_counter() - self._begin)

    def spend(self, searches: Sequence[Search], shares: Sequence[int]) -> None:
        """Let each search have its iterations, or its part of the time."""
        self._searches = searches
        threads = min(self.value("threads"), len(searches))
        budget = Budget(self.value("seconds"), self._stop, begin=self._begin)
        waiting = [(len(searches) - 1 - index) // threads for index in range(len(searches))]
        turns = list(zip(searches, shares, waiting, strict=True))
        try:
            if threads == 1:
                for turn in turns:
                    budget.spend(*turn)
            else:
                with ThreadPoolExecutor(threads) as pool:
                    list(pool.map(lambda turn: budget.spend(*turn), turns))
        finally:
            for search in searches:
                search.close()

    def decided(self, position: State | View, searches: Sequence[Search], **figures: Any) -> Decision:
        """What the searches lead to when they have ended."""
        return decide(position.game, searches, self.value("final"), **figures)

    def searches(self) -> int:
        """How many searches run side by side: one for each thread, if there are iterations for so many."""
        return int(self.value("threads") if self.value("seconds") else min(self.value("threads"), self.value("iterations")))

    def streams(self, position: State | View, count: int) -> list[Array]:
        """Random numbers for so many searches side by side; the first is the one a lone search has."""
        first = self.stream(position)
        return [first, *(stream(self.seed, int(first[0]), int(first[1]), index) for index in range(1, count))]


class TreeAgent(SearchAgent):
    """What agents share that grow one tree: alone, one for each thread, or one for all threads."""

    def ground(self, position: Any, rng: Array) -> tuple[Array, bool, Array]:
        """What a tree grows on: the worlds, whether they are a view to be filled afresh, and the cards it hides."""
        raise NotImplementedError

    def search(self, position: State | View) -> Decision:
        """Grow as many trees as the way of working in parallel asks for."""
        streams = self.streams(position, self.searches())
        shared = SHARED.get(self.value("parallel"))
        searches: list[Search]
        if shared:
            searches = [shared(position, self.settings(), *self.ground(position, streams[0]), streams)]
        else:
            searches = [TreeSearch(position, self.settings(), *self.ground(position, rng), rng) for rng in streams]
        return self.run(position, searches, int(searches[0].run["worlds"][0]))


class Uct(TreeAgent):
    """UCT with all cards open: the strongest a search can hope to be, and a cheat."""

    name = "uct"
    summary = "UCT that sees all cards (a cheat, for upper bounds)"
    sees_all = True
    declared = options(parallel=("root", *SHARED))

    def ground(self, state: State, rng: Array) -> tuple[Array, bool, Array]:
        """One world: the true one."""
        return state.data, False, deals.new_hidden()


class Pimc(SearchAgent):
    """Perfect information Monte Carlo, or determinized UCT: a search with open cards for each of some worlds."""

    name = "pimc"
    summary = "determinized UCT: a vote of searches with open cards, one for each of some worlds"
    declared = (
        *options(250, final="votes", each="each world"),
        Option("worlds", 25, "how many worlds are searched", least=1, most=MOST_TREES),
        SAMPLER,
    )

    def search(self, view: View) -> Decision:
        """One tree for each world; they vote, or add up."""
        streams = self.streams(view, self.value("worlds") + 1)
        worlds = view.sample_many(self.value("worlds"), streams[-1], self.value("sampler"))
        searches = [
            TreeSearch(view, self.settings(), worlds[index : index + 1], False, deals.new_hidden(), streams[index])
            for index in range(len(worlds))
        ]
        return self.run(view, searches, len(worlds), each_whole=True)


class Minimax(Pimc):
    """Exact solution of the worlds once it is possible, and determinized UCT before."""

    name = "minimax"
    summary = "exact play of each world, by vote, once few actions are left; determinized UCT before that"
    asks = ("moves_left", "position_key")
    declared = (
        *options(250, final="votes", each="each world", endgame=20),
        *Pimc.declared[len(options()) :],
    )


class Ismcts(TreeAgent):
    """Single-observer information set MCTS."""

    name = "ismcts"
    summary = "single-observer information set MCTS"
    declared = (
        *options(parallel=("root", *SHARED)),
        Option("worlds", 0, "how many worlds are drawn before; 0 draws a new one each time", most=MOST_WORLDS),
        SAMPLER,
    )

    def ground(self, view: View, rng: Array) -> tuple[Array, bool, Array]:
        """A fresh world each iteration; fixed ones are drawn beforehand, as are those of the slower samplers."""
        sampler, count = self.value("sampler"), self.value("worlds")
        if count == 0 and sampler in deals.BY_EXACT_COUNT:
            return view.data, True, view.unseen(sampler)
        return view.sample_many(count or self.value("iterations"), rng, sampler), False, deals.new_hidden()


class MoIsmcts(SearchAgent):
    """Multiple-observer information set MCTS."""

    name = "mo-ismcts"
    summary = "multiple-observer information set MCTS: one tree for each seat, actions as that seat sees them"
    asks = ("moves_left",)
    declared = (*options(), SAMPLER)

    def search(self, view: View) -> Decision:
        """Trees for all seats, grown together."""
        streams = self.streams(view, self.searches())
        hidden = [view.unseen(self.value("sampler")) for _ in streams]
        return self.run(view, [TreesSearch(view, self.settings(), *pair) for pair in zip(hidden, streams, strict=True)], 0)


class IsmctsT(SearchAgent):
    """Information set MCTS with transpositions."""

    name = "ismcts-t"
    summary = "ISMCTS on a graph of abstracted positions (transpositions), over a fixed set of worlds"
    asks = ("moves_left", "position_key", "relative_action")
    declared = (
        *options(final="mean"),
        Option("worlds", 1000, "how many worlds are drawn before the search", least=2, most=MOST_WORLDS),
        Option("merge_suits", False, "take suits that differ only in name for the same"),
        SAMPLER,
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
            worlds = view.sample_many(self.value("worlds"), rng, self.value("sampler"))
            searches.append(GraphSearch(view, self.settings(), worlds, rng))
        return self.run(view, searches, self.value("worlds"))
