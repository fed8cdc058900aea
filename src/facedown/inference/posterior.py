"""Worlds that believe what was played: weighed by how likely a learnt policy would have taken the actions seen.

A world is drawn uniformly among those possible. Its deal is played again, action by action; the product of the chances of
the other seats' actions is its weight. Choices that were not seen, such as cards passed face down, count too, but less.
And what the other seats hold now counts, as far as the policy has learnt that plays alone do not tell it. Worlds are then
drawn in proportion to their weights.
"""

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown import rules
from facedown.cards import cards_of
from facedown.cards import text as card_text
from facedown.compiler.asking import deal_cards, turns_taken
from facedown.inference.policy import Policy, log_chance, mode_utilities, policy_of, utilities
from facedown.kernel import Array, Record, by_field, copied, door, kernel, new_records, room_for
from facedown.rng import stream, uniform
from facedown.worlds.drawing import Drawing

if TYPE_CHECKING:
    from facedown.view import View

HIDDEN_SHARE = 0.5  # exponent on the chance of choices that the seat did not see: players differ in these
SOME_HIDDEN = "some_hidden"  # a field that says by being there that the seat did not see all choices
HOW = np.dtype([("actions", np.int64), ("seats", np.int64)])  # how many there are
HOW_WITH_HIDDEN = np.dtype([(SOME_HIDDEN, np.int64), *HOW.descr])
BELIEVING, WEIGHING = 2, 3  # first step of the path of a random stream: no deal (0) and no sample (1) shares one


@kernel
def log_sum(terms: Array) -> float:
    """The logarithm of a sum, from logarithms."""
    highest = terms[0]  # a loop, since `max` of an array would take 0.3 s to compile
    for term in terms:
        highest = max(highest, term)
    total = 0.0
    for term in terms:
        total += np.exp(term - highest)
    return float(highest + np.log(total))


@kernel
def weigh_modes(state: Record, seat: int, modes: Array, features: Array, chance: Array, out: Array) -> bool:
    """Add the logarithm of how likely a seat is to play in each mode; return whether it was time for it.

    `features` and `chance` are room to write in.
    """
    if mode_utilities(state, seat, modes, features, chance) == 0:
        return False
    whole = log_sum(chance)
    for mode in range(modes.shape[0]):
        out[mode] += chance[mode] - whole
    return True


@kernel
def add_held(world: Record, seat: int, features: Array, out: Array) -> None:
    """Write what the hands of the seats other than `seat` promise in a world, added up; `features` is room to write in."""
    out[:] = 0.0
    for other in range(features.shape[0]):
        if other != seat:
            for column in range(rules.seat_features(world, other, features[other])):
                out[column] += features[other, column]


@kernel
def write_held(worlds: Array, seat: int, room: Array, out: Array) -> None:
    """Write what the others hold in each of some worlds."""
    for place in range(worlds.shape[0]):
        add_held(worlds[place], seat, room, out[place])


def held(worlds: Array, seat: int, policy: Policy, seats: int) -> Array:
    """A row for each of some worlds."""
    out = np.zeros((len(worlds), len(policy.seat_features)))
    write_held(worlds, seat, np.zeros((seats, len(policy.seat_features))), out)
    return out


@kernel
def weigh_hidden_choices(how: Record, state: Record, seat: int, policy: Any, room: Any) -> float:
    """What choices tell that the seat did not see; `room` is arrays to write in."""
    weights, modes, _, _, rng = policy
    rows, features, chance, total = room
    total[:] = 0.0
    if weights.shape[0] > 1:
        for other in range(how.seats):
            if other != seat:
                weigh_modes(state, other, modes, features, chance, total[other])
    return HIDDEN_SHARE * rules.hidden_choices(state, seat, weights, total, rows, rng)


@kernel
def weigh_no_choices(how: Record, state: Record, seat: int, policy: Any, room: Any) -> float:
    """The seat has seen all choices."""
    return 0.0


weigh_hidden = by_field(SOME_HIDDEN, weigh_hidden_choices, weigh_no_choices)


@kernel
def log_likelihood(worlds: Array, deal: Array, seen: Array, seat: int, policy: Any, out: Array) -> None:
    """Write how likely the actions seen are in each world, as logarithms, up to the same constant for all."""
    weights, modes, hands, hows, _ = policy
    room, seats = hows[0].actions, hows[0].seats
    state = deal.copy()
    actions = np.empty(room, np.int64)
    rows = np.empty((room, weights.shape[1]))
    utility = np.empty((weights.shape[0], room))
    features, chance = np.empty(modes.shape[1]), np.empty(modes.shape[0])
    held, held_by = np.empty(hands.shape[0]), np.empty((seats, hands.shape[0]))
    total = np.zeros((seats, weights.shape[0]))  # by seat and mode
    begun = np.zeros(seats, np.bool_)  # whose mode is weighed
    for index in range(worlds.shape[0]):
        state[0] = deal[0]
        first = rules.recall(state[0], worlds[index], seat, seen)
        out[index] = weigh_hidden(hows[0], state[0], seat, policy, (rows, features, chance, total))
        total[:] = 0.0
        begun[:] = weights.shape[0] == 1
        for place in range(first, seen.shape[0]):
            mover = rules.to_move(state[0])
            if mover != seat:
                if not begun[mover]:
                    begun[mover] = weigh_modes(state[0], mover, modes, features, chance, total[mover])
                count = utilities(state[0], weights, actions, rows, utility)
                if count > 1:
                    chosen = 0
                    while chosen < count - 1 and actions[chosen] != seen[place]:
                        chosen += 1
                    for mode in range(weights.shape[0]):
                        total[mover, mode] += log_chance(utility[mode], count, chosen)
            rules.apply(state[0], seen[place])
        for other in range(seats):
            if other != seat:
                out[index] += total[other, 0] if weights.shape[0] == 1 else log_sum(total[other])
        if hands.shape[0] > 0:
            add_held(worlds[index], seat, held_by, held)
            for column in range(hands.shape[0]):
                out[index] += hands[column] * held[column]


def actions_of_deal(view: "View") -> Array | None:
    """The actions of this deal as the seat saw them; None where they are not known, as in a position set up by hand."""
    count = int(turns_taken(view.data))
    history = view.history
    return np.array([action for _, action in history[len(history) - count :]], np.int64) if count <= len(history) else None


def deal_before(view: "View") -> Array:
    """A record with the same options and match so far, newly dealt."""
    data = copied(view.data)
    deal_cards(data, np.ones(2, np.uint64))
    return data


@door
def actions_before(worlds: Array, deal: Array, seen: Array, seat: int) -> int:
    """How many actions lie before the position that is recalled, in the first of some worlds; the deal is written over."""
    return rules.recall(deal[0], worlds[0], seat, seen)


class Weigher:
    """Weighs worlds of a view by what was played in it."""

    def __init__(self, view: "View", policy: Policy) -> None:
        """The policy by which the other seats are taken to play."""
        self._seen = actions_of_deal(view)
        self._deal = deal_before(view)
        self._seat = view.seat
        self._game, self._learnt = view.game, (policy.weights, policy.modes, policy.hands)
        self._rng = stream(0, WEIGHING)
        self._how: Array | None = None

    def __call__(self, worlds: Array, out: Array) -> None:
        """Write how likely the actions seen are in each world, as logarithms."""
        if self._seen is None or len(worlds) == 0:
            out[:] = 0.0
            return
        if self._how is None:
            answers = "hidden_choices" in self._game.rules.own
            some = answers and actions_before(worlds, copied(self._deal), self._seen, self._seat) > 0
            self._how = new_records(1, HOW_WITH_HIDDEN if some else HOW)
            self._how["actions"], self._how["seats"] = self._game.actions, self._game.seats
        policy = (*self._learnt, self._how, self._rng)
        log_likelihood(worlds, self._deal, self._seen, self._seat, policy, out)


class InferredDrawing:
    """Worlds drawn uniformly and weighed, in slices; and then drawn among these by their weights."""

    deadline = inf

    def __init__(self, view: "View", policy: Policy, candidates: int, rng: Array) -> None:
        """There are `candidates` to be drawn and weighed."""
        self._drawing = Drawing(view, candidates, rng)
        self._weigh = Weigher(view, policy)
        self._likelihoods = np.empty(candidates)
        self._rng = rng

    def advance(self, count: int, most: int) -> int:
        """Draw and weigh `count` more; return how many."""
        before = len(self._drawing.worlds)
        made = self._drawing.advance(count, most)
        self._weigh(self._drawing.worlds[before:], self._likelihoods[before : before + made])
        return made

    @property
    def candidates(self) -> Array:
        """The worlds drawn so far."""
        return self._drawing.worlds

    @property
    def likelihoods(self) -> Array:
        """How likely the actions seen are in each of these, as logarithms."""
        return self._likelihoods[: len(self.candidates)]

    def weights(self, share: float) -> Array:
        """Of the candidates: a share of the whole by their likelihoods, the rest uniformly; they add up to 1."""
        return share * shares(self.likelihoods) + (1.0 - share) / len(self.candidates)

    def worlds(self, count: int, share: float) -> Array:
        """So many worlds, drawn among the candidates by weight."""
        chosen = np.empty(count, np.int64)
        resample(self.weights(share), self._rng, chosen)
        found = room_for(count, self.candidates.dtype)
        found[:] = self.candidates[chosen]
        return found


def card_beliefs(view: "View", worlds: Array, weights: Array) -> dict[str, list[float]]:
    """For each unseen card how likely each seat is to hold it, by worlds with weights; none where hands are no masks."""
    if "hands" not in (worlds.dtype.names or ()) or worlds.dtype["hands"].base != np.uint64:
        return {}
    hands = worlds["hands"][:, : view.game.seats]
    found = {}
    for card in cards_of(view.unseen()[0].unseen):
        held = (hands >> np.uint64(card) & np.uint64(1)).astype(np.float64)
        found[card_text(card)] = [round(float(share), 6) for share in weights @ held]
    return found


def inferred_beliefs(view: "View", candidates: int, seed: int = 0) -> dict[str, list[float]]:
    """The same by the policy that is shipped for the game."""
    drawing = InferredDrawing(view, policy_of(view.game), candidates, stream(seed, BELIEVING))
    drawing.advance(candidates, candidates)
    return card_beliefs(view, drawing.candidates, drawing.weights(1.0))


def shares(likelihoods: Array) -> Array:
    """Weights that add up to 1."""
    weights: Array = np.exp(likelihoods - likelihoods.max())
    weights /= weights.sum()
    return weights


@kernel
def resample(weights: Array, rng: Array, chosen: Array) -> None:
    """Systematic resampling: write which world each place gets, in proportion to their weights."""
    step = 1.0 / chosen.shape[0]
    point = uniform(rng) * step
    index = 0
    reached = weights[0]
    for place in range(chosen.shape[0]):
        while reached < point and index < weights.shape[0] - 1:
            index += 1
            reached += weights[index]
        chosen[place] = index
        point += step
