"""Exact solution of positions with all cards open: alpha-beta for two sides, max^n for more, with a transposition table.

Alpha-beta tries the actions first that have cut off most so far (the history heuristic); max^n has nothing to cut off.

A value is what the seats still gain in score from a position on, under the best play of each; so positions reached with
different scores share one entry of the table. A seat's aim is its lead: its own score against all the others'
(Manzke 2025, eq. 4.1); for two sides that is the difference. In max^n (Luckhardt and Irani 1986) a seat that has several
best actions takes the first: other solutions of equal lead for the mover may exist.

    frames:   depth 0 ── action ──> depth 1 ── action ──> ...      one record, one list of actions, one best value each

A seat may also aim for the win: endgame_aims.py.

A solution is made in slices of positions, so that a clock or an interruption can end it: what it has at each depth stays
in the arrays of `new_work`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from facedown import rules
from facedown.compiler.asking import seat_to_move, side_of_seat
from facedown.game import Game
from facedown.kernel import Array, door, kernel, new_records
from facedown.search.endgame_aims import LEAD_AIM, WIN_AIM, add_to_key, end_value, gain_of, home_of, new_solving
from facedown.view import View

MOST_SEATS = 8
ORDERS = 16
TABLE_BITS = 18
MOST_POSITIONS = 200_000_000
EXACT, AT_LEAST, AT_MOST = range(3)

ENTRY = np.dtype(  # one solved position
    [
        ("key", np.uint64),
        ("check", np.uint64),
        ("gains", np.float32, MOST_SEATS),  # for two sides only the first: of side 0 over side 1
        ("bound", np.int8),
        ("used", np.bool_),
    ],
    align=True,
)


def new_table(bits: int) -> Array:
    """A table for 2^bits positions; later ones replace earlier ones."""
    return new_records(1 << bits, ENTRY)


@kernel
def sides_of(positions: Array, seats: int) -> int:
    """How many sides play."""
    count = 0
    for seat in range(seats):
        first = True
        for other in range(seat):
            first &= rules.side_of(positions[0], other) != rules.side_of(positions[0], seat)
        count += first
    return count


@kernel
def lead(gains: Array, seat: int, sign: float) -> float:
    """A seat's own gain against all the others'; `sign` is -1 where few points are good."""
    total = 0.0
    for other in range(gains.shape[0]):
        total += gains[other]
    return float(sign * (gains.shape[0] * gains[seat] - total))


@kernel
def slot_of(table: Array, key: Array) -> Any:
    """Where in the table a position belongs."""
    return key[0] & np.uint64(table.shape[0] - 1)


@kernel
def solve_many_sides(frames: Array, table: Array, values: Array, work: Any, runs: Array, budget: int) -> bool:
    """Write values[action, seat], the gains after each legal action of frames[0], by max^n.

    There are as many frames as the position has moves left, and two more. Whether the end was reached before `budget`
    positions in all were looked at; if not, it can be resumed.
    """
    run = runs[0]
    choices, counts, tried, scores, keys, best = work
    seats = values.shape[1]
    gains = np.zeros(seats)
    sign = run.sign
    looked = run.looked
    depth = run.depth
    if not run.begun:
        rules.scores(frames[0], scores[0])
        counts[0] = rules.legal(frames[0], choices[0])
        run.begun = True
    while looked < budget:
        # Step 1. Down to the next action of this frame, if there is one.
        if tried[depth] < counts[depth]:
            frames[depth + 1] = frames[depth]
            rules.apply(frames[depth + 1], choices[depth, tried[depth]])
            depth += 1
            looked += 1
            rules.scores(frames[depth], scores[depth])
            tried[depth] = 0
            counts[depth] = 0
            if rules.is_over(frames[depth]):
                best[depth] = 0.0
            else:
                # Step 2. A position met before is solved already.
                rules.position_key(frames[depth], -1, False, keys[depth])
                entry = table[slot_of(table, keys[depth])]
                if entry.used and entry.key == keys[depth, 0] and entry.check == keys[depth, 1]:
                    for seat in range(seats):
                        best[depth, seat] = entry.gains[seat]
                else:
                    counts[depth] = rules.legal(frames[depth], choices[depth])
                    continue
        else:
            # Step 3. All actions tried: keep the value.
            if depth == 0:
                run.looked = looked
                return True
            entry = table[slot_of(table, keys[depth])]
            entry.used = True
            entry.key = keys[depth, 0]
            entry.check = keys[depth, 1]
            entry.bound = EXACT
            for seat in range(seats):
                entry.gains[seat] = best[depth, seat]
        # Step 4. Back to the frame above, with what its action gained.
        above = depth - 1
        for seat in range(seats):
            gains[seat] = scores[depth, seat] - scores[above, seat] + best[depth, seat]
        mover = rules.to_move(frames[above])
        if above == 0:
            values[choices[0, tried[0]]] = gains
        if tried[above] == 0 or lead(gains, mover, sign) > lead(best[above], mover, sign):
            best[above] = gains
        tried[above] += 1
        depth = above
    run.looked = looked
    run.depth = depth
    return False


@kernel
def put_in_order(actions: Array, count: int, merits: Array) -> None:
    """The most deserving actions first: those that refuted most elsewhere are the likeliest to refute here."""
    for place in range(1, count):
        action = actions[place]
        before = place - 1
        while before >= 0 and merits[actions[before]] < merits[action]:
            actions[before + 1] = actions[before]
            before -= 1
        actions[before + 1] = action


@kernel
def solve_two_sides(frames: Array, table: Array, values: Array, work: Any, runs: Array, budget: int) -> bool:
    """Write values[action, 0], what each legal action of frames[0] is worth to the side `home_of`, by alpha-beta.

    Whether the end was reached, as above.
    """
    run = runs[0]
    choices, counts, tried, scores, keys, best, alpha, beta, floor, ceiling, step, merits = work
    depths = frames.shape[0]
    looked = run.looked
    depth = run.depth
    if not run.begun:
        rules.scores(frames[0], scores[0])
        counts[0] = rules.legal(frames[0], choices[0])
        run.begun = True
    home = home_of(run, frames[0])
    while looked < budget:
        if (tried[depth] < counts[depth] and alpha[depth] < beta[depth]) or (depth == 0 and tried[0] < counts[0]):
            # Step 1. Down to the next action; the root's own actions each get a full window, so that all values are exact.
            frames[depth + 1] = frames[depth]
            rules.apply(frames[depth + 1], choices[depth, tried[depth]])
            depth += 1
            looked += 1
            rules.scores(frames[depth], scores[depth])
            step[depth] = gain_of(run, frames[depth], scores[depth - 1], scores[depth])
            tried[depth] = 0
            counts[depth] = 0
            floor[depth] = -np.inf if depth == 1 else alpha[depth - 1] - step[depth]
            ceiling[depth] = np.inf if depth == 1 else beta[depth - 1] - step[depth]
            alpha[depth] = floor[depth]
            beta[depth] = ceiling[depth]
            if rules.is_over(frames[depth]):
                best[depth] = end_value(run, frames[depth], home, scores[depth])
            else:
                # Step 2. A position met before narrows the window, or ends the matter.
                rules.position_key(frames[depth], -1, False, keys[depth])
                add_to_key(run, keys[depth], scores[depth])
                entry = table[slot_of(table, keys[depth])]
                known = False
                if entry.used and entry.key == keys[depth, 0] and entry.check == keys[depth, 1]:
                    gain = float(entry.gains[0])
                    known = entry.bound == EXACT
                    known |= entry.bound == AT_LEAST and gain >= beta[depth]
                    known |= entry.bound == AT_MOST and gain <= alpha[depth]
                    best[depth] = gain
                if not known:
                    counts[depth] = rules.legal(frames[depth], choices[depth])
                    mine = rules.side_of(frames[depth], rules.to_move(frames[depth])) == home
                    best[depth] = -np.inf if mine else np.inf
                    put_in_order(choices[depth], counts[depth], merits[int(mine)])
                    continue
        else:
            # Step 3. All actions tried, or one of them refuted: keep the value and what it says.
            if depth == 0:
                run.looked = looked
                return True
            entry = table[slot_of(table, keys[depth])]
            entry.used = True
            entry.key = keys[depth, 0]
            entry.check = keys[depth, 1]
            entry.gains[0] = best[depth]
            entry.bound = EXACT
            if alpha[depth] >= beta[depth]:
                mine = rules.side_of(frames[depth], rules.to_move(frames[depth])) == home
                merits[int(mine), choices[depth, tried[depth] - 1]] += (depths - depth) ** 2
            if best[depth] <= floor[depth]:
                entry.bound = AT_MOST
            elif best[depth] >= ceiling[depth]:
                entry.bound = AT_LEAST
        # Step 4. Back to the frame above.
        above = depth - 1
        gain = step[depth] + best[depth]
        if above == 0:
            values[choices[0, tried[0]], 0] = gain
        elif rules.side_of(frames[above], rules.to_move(frames[above])) == home:
            best[above] = max(best[above], gain)
            alpha[above] = max(alpha[above], gain)
        else:
            best[above] = min(best[above], gain)
            beta[above] = min(beta[above], gain)
        tried[above] += 1
        depth = above
    run.looked = looked
    run.depth = depth
    return False


# --- The Python door --------------------------------------------------------------------------------------------------


def new_work(depths: int, actions: int, seats: int, two_sides: bool) -> tuple[Array, ...]:
    """What a solution has at each depth."""
    choices = np.empty((depths, actions), np.int64)
    counts, tried = np.zeros(depths, np.int64), np.zeros(depths, np.int64)
    scores, keys = np.zeros((depths, seats)), np.zeros((depths, 2), np.uint64)
    if not two_sides:
        return choices, counts, tried, scores, keys, np.zeros((depths, seats))
    best = np.zeros(depths)
    alpha, beta = np.zeros(depths), np.zeros(depths)  # side 0 can have this much from here, side 1 can hold it to that
    floor, ceiling = np.zeros(depths), np.zeros(depths)  # the window a frame began with
    step = np.zeros(depths)  # gained by the action that led here
    merits = np.zeros((2, actions))  # by side and action: how much it has cut off
    return choices, counts, tried, scores, keys, best, alpha, beta, floor, ceiling, step, merits


class Solver:
    """Solves worlds of one game, and remembers positions from one to the next."""

    def __init__(self, game: Game, world: Array, table_bits: int = TABLE_BITS, aim: str = LEAD_AIM) -> None:
        """Any world of the game will do."""
        self.game = game
        self.table = new_table(table_bits)
        self.for_win = aim == WIN_AIM
        self.two_sides = self.for_win or int(sides_of(world, game.seats)) == 2
        self.looked = 0  # positions

    def begin(self, world: Array) -> None:
        """Take up a world."""
        game, depths = self.game, int(moves_left_in(world)) + 2
        self._world = world
        self._frames = new_records(depths, world.dtype)
        self._frames[0] = world[0]
        self._values = np.zeros((game.actions, game.seats))
        self._work = new_work(depths, game.actions, game.seats, self.two_sides)
        self._run = new_solving(self.for_win)
        self._run["sign"] = -1.0 if game.lower_is_better else 1.0

    def resume(self, positions: int) -> bool:
        """Look at some more positions of the world, at most; whether it is solved."""
        solve = solve_two_sides if self.two_sides else solve_many_sides
        before = int(self._run["looked"][0])
        ended = solve(self._frames, self.table, self._values, self._work, self._run, before + positions)
        self.looked += int(self._run["looked"][0]) - before
        return bool(ended)

    def leads(self, legal: Sequence[int]) -> dict[int, float]:
        """The lead in score that each legal action brings the seat to move, exactly, in the world that has been solved.

        Where the aim is the win, what the action is worth by that.
        """
        seat, values = int(seat_to_move(self._world)), self._values
        if self.for_win:
            return {action: float(values[action, 0]) for action in legal}
        if self.two_sides:
            home = side_of_seat(self._world, seat) == side_of_seat(self._world, 0)
            return {action: float(values[action, 0]) * (1 if home else -1) for action in legal}
        sign = float(self._run["sign"][0])
        return {action: float(lead(values[action], seat, sign)) for action in legal}

    def solve(self, world: Array, legal: Sequence[int], budget: int = MOST_POSITIONS) -> dict[int, float] | None:
        """Solve a world at once; None if the budget of positions does not suffice."""
        self.begin(world)
        return self.leads(legal) if self.resume(budget) else None


@kernel
def key_of(world: Array, key: Array) -> None:
    """Write the key of a position with all cards open."""
    rules.position_key(world[0], -1, False, key)


def is_whole(view: View) -> bool:
    """Whether the cards of each hand are all there is to know, so that solving every world is exact.

    Not where a stock lies in an order that nobody knows; some orders of one world are tried to see.
    """
    keys = np.zeros((ORDERS, 2), np.uint64)
    for seed in range(ORDERS):
        key_of(view.every_world(1, seed), keys[seed])
    return bool((keys == keys[0]).all())


@door
def moves_left_in(world: Array) -> int:
    """How many actions are left, at most."""
    return rules.moves_left(world[0])
