"""Who sits where, on which deals: every game of a tournament, numbered by deal and seating, each with its seeds.

A table is a choice of agents for the sides of a game; partners are one side, and play the same agent. A seating is one
arrangement of a table. Every deal is played in all seatings, so that the cards favour nobody. Seeds derive from the
tournament's seed, the deal and the seating, never from the worker that plays a game or the order of games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

from facedown.errors import BadOption, shown
from facedown.game import Game
from facedown.rng import stream

PAIRINGS = ("round-robin", "field")
SEATINGS = ("all", "rotations")
MOST_GAMES = 10_000_000  # of a tournament: their results are kept in memory
DEALS, AGENTS = range(10, 12)  # first steps of the paths of random streams

Lineup = tuple[int, ...]  # the number of an agent, for each side or each seat


@dataclass(frozen=True)
class Schedule:
    """The games of a tournament."""

    game: Game
    agents: tuple[str, ...]
    deals: int
    seed: int
    lineups: tuple[Lineup, ...]  # for each seating, the agent at each seat

    def places(self) -> Iterator[tuple[int, int]]:
        """Deal and seating of all games, deal by deal."""
        return ((deal, seating) for deal in range(self.deals) for seating in range(len(self.lineups)))

    @cached_property
    def chosen(self) -> int:
        """How many deals the game has, where they are chosen and begin again after the last; 0 where there is no end."""
        return len(self.game.chosen_deals)

    def first_alike(self, deal: int) -> int:
        """The number of the first deal with the same cards: what is dealt again is no further observation."""
        return deal % self.chosen if self.chosen else deal

    @property
    def games(self) -> int:
        """The number of games."""
        return self.deals * len(self.lineups)


def deal_seed(seed: int, deal: int) -> int:
    """The seed of a deal, the same in every seating; small enough for every database."""
    return int(stream(seed, DEALS, deal)[0]) >> 1


def agent_seed(seed: int, deal: int, seating: int, seat: int) -> int:
    """The seed of an agent in a game."""
    return int(stream(seed, AGENTS, deal, seating, seat)[0]) >> 1


def schedule(
    game: Game,
    agents: Sequence[str],
    deals: int,
    seed: int,
    pairing: str = "round-robin",
    seating: str = "all",
    most: int = MOST_GAMES,
) -> Schedule:
    """The games of a round-robin (all agents against each other) or a field (the first against each of the others)."""
    if len(agents) < 2:
        raise BadOption(f"expected at least two agents, got {len(agents)}")
    twice = [text for number, text in enumerate(agents) if text in agents[:number]]
    if twice:
        raise BadOption(f"expected each agent once, got {twice[0]!r} twice")
    if deals < 1:
        raise BadOption(f"expected at least one deal, got {shown(deals)}")
    for name, value, known in (("pairing", pairing, PAIRINGS), ("seating", seating, SEATINGS)):
        if value not in known:
            raise BadOption(f"option {name}: expected one of {', '.join(known)}, got {value!r}")
    sides = game.sides
    order = sorted(set(sides))
    lineups = []
    for table in tables(len(agents), len(order), pairing):
        for arrangement in arrangements(table, seating):
            lineups.append(tuple(arrangement[order.index(side)] for side in sides))
            if len(lineups) * deals > most:
                raise BadOption(f"expected at most {most} games, got more: fewer deals or agents make fewer games")
    return Schedule(game, tuple(agents), deals, seed, tuple(lineups))


def tables(agents: int, sides: int, pairing: str) -> list[Lineup]:
    """The agents of each table, one for each side.

    In a field, one side plays the first agent and all the others another one. Otherwise every choice of different agents
    meets; where there are fewer agents than sides, every two, with half of the sides each.
    """
    if pairing == "field":
        return [(0, *[other] * (sides - 1)) for other in range(1, agents)]
    if agents >= sides:
        return list(combinations(range(agents), sides))
    pairs = permutations(range(agents), 2) if sides % 2 else combinations(range(agents), 2)  # odd: one has one side more
    return [tuple(pair[place % 2] for place in range(sides)) for pair in pairs]


def arrangements(table: Lineup, seating: str) -> list[Lineup]:
    """The different orders of a table: all, or its rotations."""
    if seating == "all":
        return sorted(set(permutations(table)))
    return sorted({table[turn:] + table[:turn] for turn in range(len(table))})
