"""Agents for games with hidden actions (Bitan and Kraus 2018): they weigh hypotheses about the last action.

A model of the opponent is one method: `beliefs(view)`, a weight for each kind that the last action may have been of.

The paper's c = 0.0025 and d = 0.0025 are not on the grids it says they were found on (18 to 27, and 0.006 to 0.051). Here d
is the paper's, and `exploration` that of the other searches.
"""

from collections.abc import Sequence
from typing import Any

from facedown.agents.player import cards_seen
from facedown.agents.tree import (
    MOST_CONSTANT,
    MOST_ITERATIONS,
    MOST_SECONDS,
    MOST_THREADS,
    STANDS_LAST,
    SearchAgent,
)
from facedown.errors import BadOption
from facedown.options import Option
from facedown.rewards import REWARDS
from facedown.rng import draw, stream, uniform
from facedown.search.decision import Decision, decide
from facedown.search.playouts.policies import PLAYOUTS
from facedown.search.sdmcts import Expectation, SetsSearch, shares
from facedown.search.search import Search, Settings
from facedown.state import State
from facedown.view import View
from facedown.worlds.hypothetical import count_hypotheses, hypotheses_of

PEEKING = 0x9EE7  # a path of random numbers of its own


def options(iterations: int = 10_000, exploration: float = 0.4) -> tuple[Option, ...]:
    """The options that these agents share."""
    return (
        Option(
            "iterations",
            iterations,
            "how many simulations a decision gets, all hypotheses together",
            least=1,
            most=MOST_ITERATIONS,
        ),
        Option(
            "seconds", 0.0, "how long a decision may take, in place of iterations; 0 counts iterations", most=MOST_SECONDS
        ),
        Option("exploration", exploration, "the exploration constant of UCB1", most=MOST_CONSTANT),
        Option("eta", 0.9, "how often UCB1 decides at first; else the average strategy", most=1.0),
        Option("gamma", 0.1, "how often UCB1 decides at least", most=1.0),
        Option("d", 0.0025, "how fast UCB1's share falls with the visits", most=MOST_CONSTANT),
        Option("reward", "pwl", "what the search maximizes", choices=tuple(REWARDS)),
        Option(
            "discount",
            0.995,
            "what a reward is worth for each turn it lies ahead; 1 is its full worth",
            least=0.01,
            most=1.0,
        ),
        Option(
            "playout",
            "rules",
            "how games are played out",
            choices=tuple(name for name, playout in PLAYOUTS.items() if playout.by_action),
        ),
        Option("parameter", 0.0, "how often playout=rules plays a plain action", most=1.0),
        Option("threads", 1, "how many threads search, each with trees of its own", least=1, most=MOST_THREADS),
        STANDS_LAST,
    )


class HypothesisAgent(SearchAgent):
    """What agents share that search under hypotheses: all kinds of the last hidden action, weighed by beliefs."""

    asks = ("information_set",)
    declared = options()
    _weights: Sequence[float] = ()  # beliefs of the decision under way, as probabilities

    def beliefs(self, view: View) -> Sequence[float]:
        """How likely each kind is that the last action may have been of: weights, in the order of the game's `assume`."""
        return [1.0] * count_hypotheses(view)

    def settings(self) -> Settings:
        """See SearchAgent."""
        memory, figures = PLAYOUTS[self.value("playout")](parameter=self.value("parameter"))
        return Settings(
            self.value("exploration"),
            self.kind,
            discount=self.value("discount"),
            playout=memory,
            figures={**figures, **{name: self.value(name) for name in ("eta", "gamma", "d")}},
        )

    def solved(self, view: State | View) -> Decision | None:
        """Never: exact solutions know no hypotheses."""
        return None

    def search(self, view: View) -> Decision:
        """Tables for all seats; one lot for each thread."""
        self._searches = ()  # those of the last decision do not go with these beliefs
        hypotheses = hypotheses_of(view)
        count = count_hypotheses(view)
        self._weights = shares(self.beliefs(view), hypotheses, count)
        streams = self.streams(view, self.searches())
        searches = [SetsSearch(view, self.settings(), hypotheses, rng) for rng in streams]
        return self.run(view, searches, 0)

    def decided(self, position: State | View, searches: Sequence[Search], **figures: Any) -> Decision:
        """The action with the greatest expected reward; as long as none can be expected, that with most visits."""
        expected = self._expectation(searches)
        final = "mean" if expected.complete else "visits"
        count = expected.figure("simulations")
        return decide(position.game, [expected], final, iterations=count, beliefs=self._weights, **figures)

    def best_so_far(self) -> int | None:
        """See SearchAgent."""
        if not self._searches:
            return None
        expected = self._expectation(self._searches)
        arms = expected.arms()
        if expected.complete:
            arms.sort(key=lambda arm: -arm.reward / arm.visits)
        return arms[0].action if arms else None

    def _expectation(self, searches: Sequence[Search]) -> Expectation:
        return Expectation([search for search in searches if isinstance(search, SetsSearch)], self._weights)


class Sdmcts(HypothesisAgent):
    """Semi-determinized MCTS without a model."""

    name = "sdmcts"
    summary = "Semi-Determinized MCTS with Smooth-UCT; all kinds of the last hidden action equally likely"


class Mga(HypothesisAgent):
    """The same by the name that the paper gives it for Cheat."""

    name = "mga"
    summary = "Smooth-UCT without a model (Cheat): true and false claims equally likely"


class Fpmga(HypothesisAgent):
    """The agent with a simulated model: it peeks at the last action, and is wrong on purpose now and then."""

    name = "fpmga"
    summary = "Smooth-UCT that peeks at the kind of the last hidden action (a cheat, for upper bounds)"
    sees_all = True
    _kind = 0  # that of the last action
    declared = (*options(), Option("right", 0.85, "how often what it believes is true", most=1.0))

    def choose(self, state: Any) -> int:
        """Search on what the seat sees, with the kind of the last action peeked at."""
        if not isinstance(state, State):
            raise BadOption(f"expected a state, for {self.name} peeks at the last action, got {state!r}")
        if state.seat is None:
            return super().choose(state)
        self._kind = state.game.hypothesis(state.record, state.seat)
        return super().choose(state.view(state.seat))

    def beliefs(self, view: View) -> Sequence[float]:
        """The true kind, or now and then another, with the weight of being right; the others share the rest."""
        count, right = count_hypotheses(view), self.value("right")
        if count == 1:
            return [1.0]
        rng = stream(self.seed, PEEKING, cards_seen(view))
        believed = self._kind
        if uniform(rng) >= right:
            believed = (believed + 1 + draw(rng, count - 1)) % count
        return [right if which == believed else (1.0 - right) / (count - 1) for which in range(count)]
