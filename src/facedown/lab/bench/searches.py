"""The searches measured: iterations of each algorithm, how deep they reach, what threads add, and exact solutions."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

from facedown.agents import agent
from facedown.agents.player import shown_to
from facedown.errors import BadOption, MissingAnswer
from facedown.game import Game
from facedown.lab.bench.measurements import ITERATIONS, Figure, Measurement, cpu_seconds, first_choice
from facedown.rewards import POINTS
from facedown.rng import stream
from facedown.search.endgame import Solver, moves_left_in
from facedown.search.ismcts import TreeSearch
from facedown.search.ismcts_t import GraphSearch
from facedown.search.search import Search, Settings
from facedown.state import State
from facedown.view import View
from facedown.worlds.source import fixed, fresh

ALGORITHMS = {
    "uct iterations": "uct:iterations={0}",
    "pimc iterations": "pimc:worlds=10,iterations={1}",
    "mo-ismcts iterations": "mo-ismcts:iterations={0}",
    "ismcts-t iterations": "ismcts-t:iterations={0}",
    "sdmcts iterations": "sdmcts:iterations={0}",
    "ensemble iterations": "ensemble:iterations={0},bt=true,mp=none",
    "rule playouts": "ismcts:iterations={0},playout=rules",
    "mast playouts": "ismcts:iterations={0},playout=mast",
    "nast playouts": "ismcts:iterations={0},playout=nast",
    "good reply playouts": "ismcts:iterations={0},playout=last-good-reply",
}
PARALLEL = ("root", "leaf", "tree")
PARALLEL_ITERATIONS = 10 * ITERATIONS
DEPTH = 9
DEEP_ITERATIONS = 8000
DEEP_POSITIONS = 6
WORLDS = 1000  # of ismcts-t
MOST_ITERATIONS = 2_000_000  # in which a depth is to be reached
SOLVED_ACTIONS = 20  # before the end
SOLVED_POSITIONS = 6
TARGETS = {"hearts": {"share": 5.0, "deepest": 15.0, "root": 1.8}}  # where the literature gives a figure


def search_measurements(game: Game) -> list[Measurement]:
    """The measurements of all searches that can play a game."""
    states = [first_choice(game, seed) for seed in range(DEEP_POSITIONS)]
    targets = TARGETS.get(game.name, {})
    found = [
        Measurement((Figure(name, "/s"),), partial(speed, text.format(ITERATIONS, ITERATIONS // 10), states[:3]))
        for name, text in ALGORITHMS.items()
        if can_play(text.format(1, 1), states[0])
    ]
    ratios = tuple(Figure(f"{kind} parallel, 2 threads", "x", targets.get(kind), lower_is_better=False) for kind in PARALLEL)
    found.append(Measurement(ratios, partial(gains_by_threads, states[0]), weight=8))
    if can_play("ismcts-t:iterations=1", states[0]):
        depth = (
            Figure(f"depth {DEPTH}: ismcts-t's share", "%", targets.get("share"), lower_is_better=True),
            Figure(f"deepest ismcts-t, {DEEP_ITERATIONS}", "", targets.get("deepest")),
        )
        found.append(Measurement(depth, partial(depths, states), rounds=1, warm=False, weight=40))
    if can_play("minimax:iterations=1", states[0]) and (late := late_positions(game)):
        solved = (Figure(f"solution, {SOLVED_ACTIONS} actions left", "ms"), Figure("positions solved", "/s"))
        found.append(Measurement(solved, partial(solutions, late), weight=4))
    return found


def can_play(text: str, state: State) -> bool:
    """Whether the game answers the questions of a search, and has its reward."""
    player = agent(text)
    try:
        player.choose(shown_to(player, state))
    except (BadOption, MissingAnswer):
        return False
    return True


def speed(text: str, states: Sequence[State]) -> list[float]:
    """Iterations a CPU second, at the first decision of some deals."""
    player = agent(text)
    seconds = iterations = 0.0
    for state in states:
        seconds += cpu_seconds(partial(player.choose, shown_to(player, state)))
        iterations += player.decision.iterations if player.decision else 0
    return [iterations / seconds]


def gains_by_threads(state: State) -> list[float]:
    """The speed of two threads divided by that of one, for each kind of parallel search."""
    view = state.view(state.seat or 0)

    def rate(options: str) -> float:
        begin = time.perf_counter()
        agent(f"ismcts:iterations={PARALLEL_ITERATIONS}{options}").choose(view)
        return PARALLEL_ITERATIONS / (time.perf_counter() - begin)

    alone = rate("")
    return [rate(f",threads=2,parallel={kind}") / alone for kind in PARALLEL]


def depths(states: Sequence[State]) -> list[float]:
    """Iterations that a graph needs to reach a depth, as a share of a tree's; and the largest depth it reaches."""
    exploration = agent("ismcts").options["exploration"].value
    assert isinstance(exploration, float)
    settings = Settings(exploration, POINTS)
    tree_total = graph_total = deepest = 0
    for seed, state in enumerate(states):
        view = state.view(state.seat or 0)
        in_tree = needed(partial(_tree, view, settings, seed))
        in_graph = needed(partial(_graph, view, settings, seed))
        if in_tree < MOST_ITERATIONS and in_graph < MOST_ITERATIONS:
            tree_total += in_tree
            graph_total += in_graph
        graph = _graph(view, settings, seed)
        graph.advance(DEEP_ITERATIONS, DEEP_ITERATIONS)
        deepest = max(deepest, graph.figure("depth_most"))
    return [100 * graph_total / max(1, tree_total), float(deepest)]


def needed(make: Callable[[], Search]) -> int:
    """The number of iterations in which a search reaches the depth, to 5 %."""
    search = make()
    done = 0
    while search.figure("depth_most") < DEPTH and done < MOST_ITERATIONS:
        more = max(20, done // 20)
        done += search.advance(more, more)
    return done


def _tree(view: View, settings: Settings, seed: int) -> Search:
    return TreeSearch(view, settings, fresh(view.data, view.seat, view.unseen()), stream(seed))


def _graph(view: View, settings: Settings, seed: int) -> Search:
    return GraphSearch(view, settings, fixed(view.sample_many(WORLDS, stream(seed, 1))), stream(seed))


def late_positions(game: Game) -> list[State]:
    """Positions of random play near the end; none where deals end at any time, long before they must."""
    found = []
    for seed in range(SOLVED_POSITIONS):
        state = game.deal(seed)
        walker = agent("random", seed)
        while state.seat is not None and moves_left_in(state.data) > SOLVED_ACTIONS:
            state.play(walker.choose(state.view(state.seat)))
        if state.seat is not None:
            found.append(state)
    return found


def solutions(states: Sequence[State]) -> list[float]:
    """Milliseconds for the exact solution of a position with all cards open, and positions searched per second."""
    seconds, searched = [], 0
    for state in states:
        solver = Solver(state.game, state.data)
        seconds.append(cpu_seconds(partial(solver.solve, state.data, state.legal)))
        searched += solver.looked
    return [1000 * median(seconds), searched / sum(seconds)]
