"""The figures of each place at a table of Hearts with one player of a kind, as Manzke 2025 prints them (tables 6.1 and 6.2).

Places are counted from that player on, in the order of play: 0 is its own.
"""

from collections.abc import Callable

from facedown import stats
from facedown.arena.tournament import TournamentResult
from facedown.lab.experiments.published import Published, half_of_share
from facedown.stats import Estimate
from facedown.store import GameResult

SEATS = 4
ALL_POINTS = 26


def moons_printed(moons: int, rounds: int) -> Published:
    """A share of rounds with a moon as it was printed, with the interval that follows from the number of rounds."""
    share = moons / rounds
    half = half_of_share(share, rounds)
    return Published(share, half, rounds, rate=True, printed=f"{100 * share:.1f} % ({moons:,} of {rounds:,})")


def reward(game: GameResult, seat: int) -> float:
    """The reward of eq. 4.1: the sum of the leads over the others."""
    return sum(game.scores) - SEATS * game.scores[seat]


def moon(game: GameResult, seat: int) -> float:
    """Whether a seat shot the moon."""
    return float(sum(game.scores) == 3 * ALL_POINTS and game.scores[seat] == 0)


def taken(game: GameResult, seat: int) -> float:
    """The points that a seat took: all of them with a moon."""
    return ALL_POINTS * moon(game, seat) if sum(game.scores) == 3 * ALL_POINTS else game.scores[seat]


class Places:
    """The rounds of a table with one player of a kind, `number` in the list of agents, in all seats."""

    def __init__(self, result: TournamentResult, number: int = 0) -> None:
        self.games = result.ledger.results
        self.seats = [lineup.index(number) for lineup in result.schedule.lineups]
        self.deals = [game.deal for game in self.games]

    def values(self, figure: Callable[[GameResult, int], float], place: int) -> list[float]:
        """A figure of each round at a place."""
        return [figure(game, (self.seats[game.seating] + place) % SEATS) for game in self.games]

    def reward(self, place: int) -> Estimate:
        """The mean reward at a place."""
        return stats.mean_by_deal(self.values(reward, place), self.deals)

    def moons(self, place: int) -> Estimate:
        """The share of rounds in which this place shot the moon."""
        return stats.win_rate_by_deal(self.values(moon, place), self.deals)

    def share(self, place: int) -> Estimate:
        """The share of the points that this place took."""
        return stats.win_rate_by_deal([points / ALL_POINTS for points in self.values(taken, place)], self.deals)

    def moons_more(self) -> Estimate:
        """How many moons more the one player shot than one of the others did, a round."""
        own, others = self.values(moon, 0), [self.values(moon, place) for place in range(1, SEATS)]
        means = [sum(one) / len(one) for one in zip(*others, strict=True)]
        return stats.paired_difference(own, means, self.deals)


class Kind:
    """The rounds of all players of a kind together, `number` in the list of agents."""

    def __init__(self, result: TournamentResult, number: int) -> None:
        self.games = result.ledger.results
        self.seats = [[seat for seat, agent in enumerate(lineup) if agent == number] for lineup in result.schedule.lineups]

    def rate(self, figure: Callable[[GameResult, int], float], most: int = 1) -> Estimate:
        """A figure that they have together, as a share of what there is in a round."""
        values = [sum(figure(game, seat) for seat in self.seats[game.seating]) / most for game in self.games]
        return stats.win_rate_by_deal(values, [game.deal for game in self.games])

    def moons(self) -> Estimate:
        """The share of rounds in which one of them shot the moon."""
        return self.rate(moon)

    def share(self) -> Estimate:
        """The share of the points that they took."""
        return self.rate(taken, ALL_POINTS)
