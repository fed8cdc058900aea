"""Agents whose worlds vote: a search with open cards for each of some worlds, or an exact solution (Fernandes 2016)."""

from facedown.agents.tree import MOST_TREES, RAVE, SearchAgent, options
from facedown.agents.worlds import world_options
from facedown.options import Option
from facedown.search.decision import VOTES, Decision
from facedown.search.ismcts import TreeSearch
from facedown.search.search import FIRST_ROOM, Search
from facedown.view import View
from facedown.worlds.source import fixed

VOTE = Option("vote", "visits", "what a world votes for: its action with most visits, or with the best mean", choices=VOTES)
WORTH_A_VOTE = 200  # iterations for each world, where time is counted; rather fewer worlds than less


class Pimc(SearchAgent):
    """Perfect information Monte Carlo, or determinized UCT: a search with open cards for each of some worlds."""

    name = "pimc"
    summary = "determinized UCT: a vote of searches with open cards, one for each of some worlds"
    declared = (
        *options(250, final="votes", each="each world"),
        Option("worlds", 25, "how many worlds are searched", least=1, most=MOST_TREES),
        *world_options(),
        VOTE,
        RAVE,
    )

    def search(self, view: View) -> Decision:
        """One tree for each world; they vote, or add up. Where time runs out, worlds are left out."""
        first, count = self.stream(view), self.value("worlds")
        worlds = self.drawn(view, count, self.stream_beside(first, count))
        whole = self.value("iterations") * (count if len(worlds) == 1 else 1)  # the only world has the budget of all
        settings, steps = self.settings(), self.steps(whole)
        begun: list[Search] = []
        self._searches = begun

        def search(index: int) -> Search | None:
            if begun and self.budget.over:
                return None
            rng = self.stream_beside(first, index) if index else first.copy()
            source = fixed(worlds[index : index + 1])
            one = TreeSearch(view, settings, source, rng, room=min(FIRST_ROOM, steps + 1))
            begun.append(one)
            waiting = (len(worlds) - 1 - index) // self.threads()
            self.budget.spend(one, steps, share=1 / (waiting + 1), enough=WORTH_A_VOTE)
            return one

        searches = self.in_threads(search, len(worlds))
        return self.decided(view, searches, worlds=len(searches), seconds=self.seconds_spent, vote=self.value("vote"))


class Minimax(Pimc):
    """Exact solution of the worlds once it is possible, of all where they are few; and determinized UCT before."""

    name = "minimax"
    summary = "exact play of each world, by vote, once few actions are left; determinized UCT before that"
    asks = ("moves_left", "position_key")
    declared = (
        *options(250, final="votes", each="each world", endgame=20, solved_worlds=0),
        *Pimc.declared[len(options()) :],
    )
