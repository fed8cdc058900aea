"""Players that search as the program of Bax 2020 does, which its paper names: github.com/freekbax/UCTHearts.

What the program does and the paper does not say:

1.  A node's value is its mean points as a **whole number**, rounded down, divided by 26 (not 16), and taken from 1.
2.  The exploration term is doubled: 2 c √(2 ln N / n), so c = 0.1 is 0.283 on that scale.
3.  The action that is played has the best upper bound, not the most visits: of several with one whole mean, the one that
    was tried least.
4.  All children of a leaf are added at once. One of them is played out, the others follow in order before any other choice.
5.  Nobody shoots the moon, neither in play nor in playouts.
6.  Each world has one vote; of several actions with as many, the last one is played.
7.  The "random" hands are the same each time: all cards but the own, in order of suits and ranks, to one opponent after the
    other.

`means=exact` leaves out 1 and keeps the rest. These players are for 32 cards without moons. The samplers are ours, but for
`in-order`: the program's sampler of suits reads past the end of a list, so what it drew for the paper is not known.
"""

from math import sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np

from facedown import rules
from facedown.agents.player import Agent
from facedown.agents.tree import MOST_ITERATIONS, MOST_TREES
from facedown.cards import CLUBS, DECK_SIZE, DIAMONDS, HEARTS, SPADES, SUIT_SIZE
from facedown.errors import BadOption
from facedown.games.hearts.rules import SEATS
from facedown.kernel import Array, kernel
from facedown.options import Option
from facedown.rng import draw
from facedown.rules import UNIFORM
from facedown.state import State
from facedown.view import View
from facedown.worlds.drawing import Drawing
from facedown.worlds.knowledge import SAMPLERS

SCALE = 26.0  # the points of a deal with 52 cards
HAND = 8
WHOLE, EXACT = "whole", "exact"
IN_ORDER = "in-order"
SUIT_ORDER = (CLUBS, DIAMONDS, SPADES, HEARTS)
PACK = [suit * SUIT_SIZE + rank for suit in SUIT_ORDER for rank in range(SUIT_SIZE - HAND, SUIT_SIZE)]  # in its order


class Room(NamedTuple):
    """The arrays of a tree, by node."""

    visits: Array
    points: Array  # of each seat, summed
    parent: Array
    first_child: Array
    children: Array  # how many
    action: Array
    votes: Array  # by action


def new_room(iterations: int) -> Room:
    """Room for one search after another."""
    size = HAND * (iterations + 1) + 1
    parent, first_child, children, action = (np.zeros(size, np.int64) for _ in range(4))
    points, votes = np.zeros((size, SEATS), np.int64), np.zeros(DECK_SIZE, np.int64)
    return Room(np.zeros(size, np.int64), points, parent, first_child, children, action, votes)


@kernel
def best_child(room: Room, node: int, seat: int, constant: float, whole: bool) -> int:
    """The child with the best upper bound for a seat; one never tried comes first."""
    visits, points, first = room.visits, room.points, room.first_child[node]
    trials = np.log(float(visits[node]))
    best = first
    highest = 0.0
    for child in range(first, first + room.children[node]):
        if visits[child] == 0:
            return int(child)
        mean = float(points[child, seat] // visits[child]) if whole else points[child, seat] / visits[child]
        bound = abs(mean / SCALE - 1.0) + constant * sqrt(trials / visits[child])
        if bound > highest:
            highest = bound
            best = child
    return int(best)


@kernel
def add_children(room: Room, node: int, size: int, actions: Array, count: int) -> int:
    """Add a child for each action; the size of the tree after that."""
    room.first_child[node] = size
    room.children[node] = count
    for place in range(count):
        child = size + place
        room.visits[child] = room.children[child] = 0
        room.points[child, :] = 0
        room.parent[child] = node
        room.action[child] = actions[place]
    return int(size + count)


@kernel
def vote(worlds: Array, iterations: int, constant: float, whole: bool, room: Room, rng: Array) -> None:
    """Search each world, and count one vote for the action it prefers."""
    here = worlds[:1].copy()
    world = here[0]
    actions = np.empty(DECK_SIZE, np.int64)
    room.votes[:] = 0
    for which in range(worlds.shape[0]):
        room.visits[0] = room.children[0] = 0
        size = 1
        for _ in range(iterations):
            here[0] = worlds[which]
            node = 0
            fresh = False
            while not fresh and not rules.is_over(world):
                if room.children[node] > 0:
                    node = best_child(room, node, rules.to_move(world), constant, whole)
                    fresh = room.visits[node] == 0
                else:
                    count = rules.legal(world, actions)
                    size = add_children(room, node, size, actions, count)
                    node = size - count + draw(rng, count)
                    fresh = True
                rules.apply(world, int(np.int64(room.action[node])))
            if not rules.is_over(world):
                rules.play_out(world, UNIFORM, actions, rng)
            while node > 0:
                room.visits[node] += 1
                for seat in range(SEATS):
                    room.points[node, seat] += world.points[seat]
                node = room.parent[node]
            room.visits[0] += 1
        here[0] = worlds[which]
        room.votes[room.action[best_child(room, 0, rules.to_move(world), constant, whole)]] += 1


OPTIONS = (
    Option("iterations", 250, "how many iterations each world gets", least=HAND, most=MOST_ITERATIONS),
    Option("exploration", 0.1, "the paper's c"),
    Option("means", WHOLE, "whether a node's mean points are a whole number", choices=(WHOLE, EXACT)),
)


class ProgramPlayer(Agent):
    """What both players share."""

    plays = ("hearts32",)
    declared: ClassVar[tuple[Option, ...]] = OPTIONS

    def value(self, name: str) -> Any:
        """An option's value."""
        return self.options[name].value

    def voted(self, worlds: Array, legal: list[int], rng: Array) -> int:
        """The action that most worlds prefer, the last one of several."""
        iterations = self.value("iterations")
        room = new_room(iterations)
        vote(worlds, iterations, 2 * sqrt(2) * self.value("exploration"), self.value("means") == WHOLE, room, rng)
        return max(legal, key=lambda action: (room.votes[action], PACK.index(action)))


class ProgramUct(ProgramPlayer):
    """The program's player with open cards."""

    name = "program-uct"
    summary = "Bax's own UCT with open cards (32 cards, no moons)"
    sees_all = True

    def choose(self, view: State) -> int:
        """The action with the best upper bound."""
        check(self, view)
        return view.legal[0] if len(view.legal) == 1 else self.voted(view.data, view.legal, self.stream(view))


class ProgramPimc(ProgramPlayer):
    """The program's determinized player."""

    name = "program-pimc"
    summary = "Bax's own determinized UCT (32 cards, no moons)"
    declared = (
        *OPTIONS,
        Option("worlds", 25, "how many worlds are searched", least=1, most=MOST_TREES),
        Option("sampler", "cards-played", "how hidden cards are drawn", choices=(*SAMPLERS, IN_ORDER)),
    )

    def choose(self, view: View) -> int:
        """The action with most votes."""
        check(self, view)
        if len(view.legal) == 1:
            return view.legal[0]
        rng, count, sampler = self.stream(view), self.value("worlds"), self.value("sampler")
        drawing = Drawing(view, count, rng, "random" if sampler == IN_ORDER else sampler)
        drawing.advance(count, count)
        if sampler == IN_ORDER:
            drawing.worlds["hands"] = hands_in_order(view)
        return self.voted(drawing.worlds, view.legal, rng)


def check(player: Agent, view: State | View) -> None:
    """Refuse what the program could not play."""
    player.check_game(view)
    if view.game.options["moon"].value:
        raise BadOption(f"expected hearts32:moon=false, which is all that {player.name} can play, got moons")


def hands_in_order(view: View) -> Any:
    """The hands that the program calls random: all cards but the own, one opponent after the other."""
    hands = view.record.hands.copy()
    own = int(hands[view.seat])
    left = [card for card in PACK if not own >> card & 1]
    for seat in range(SEATS):
        if seat != view.seat:
            size = cards_held(view, seat)
            hands[seat] = sum(1 << card for card in left[:size])
            left = left[size:]
    return hands


def cards_held(view: View, seat: int) -> int:
    """How many cards a seat has left."""
    return HAND - int(view.record.played[seat]).bit_count()
