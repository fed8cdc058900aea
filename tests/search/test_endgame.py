"""Endgames solved exactly, against plain Python; and what agents make of them."""

from itertools import permutations
from pathlib import Path

import pytest

import facedown as fd
import little_duel
from facedown.analysis.value import kind_of
from facedown.errors import BadOption, FacedownError, MissingAnswer
from facedown.search.endgame import Solver
from facedown.state import State
from facedown.view import View
from solving import after, late, leads

KNAVES = str(Path(__file__).parents[2] / "examples" / "little_knaves.py") + ":GAME"

HEARTS = "hearts:passing=false"
GAMES = [HEARTS, "hearts:passing=false,moon=false", "hearts32", "hearts32:moon=false", "hearts32:early_end=true"]


def mine(state: State) -> View:
    return state.view(state.seat or 0)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("moves", [8, 11, 12])
def test_the_solver_agrees_with_plain_max_n(game: str, moves: int) -> None:
    solver = None
    for seed in range(6):
        state = late(game, moves, seed)
        solver = solver or Solver(state.game, state.data)
        assert solver.solve(state.data, state.legal) == leads(state)


def test_a_tiny_table_that_forgets_gives_the_same_values() -> None:
    for seed in range(6):
        state = late(HEARTS, 12, seed)
        assert Solver(state.game, state.data, table_bits=2).solve(state.data, state.legal) == leads(state)


def test_points_already_taken_count_towards_a_moon() -> None:
    """Positions in which one seat alone has points: their values depend on how many are left for it."""
    found = 0
    for seed in range(150):
        state = late("hearts32", 12, seed)
        if sum(points > 0 for points in state.record.points) == 1:
            found += 1
            assert Solver(state.game, state.data).solve(state.data, state.legal) == leads(state)
    assert found > 0


@pytest.mark.parametrize("moves", [5, 6, 8])
def test_alpha_beta_agrees_with_plain_minimax(moves: int) -> None:
    start = little_duel.GAME.deal(0)
    solver = Solver(start.game, start.data)
    assert solver.two_sides
    for seed in range(12):
        state = late(little_duel.GAME, moves, seed)
        assert solver.solve(state.data, state.legal) == leads(state)


def test_a_budget_of_positions_ends_the_solution() -> None:
    state = late(HEARTS, 12, 1)
    assert Solver(state.game, state.data).solve(state.data, state.legal, budget=3) is None


@pytest.mark.parametrize("game", [HEARTS, "hearts", "hearts32", little_duel.GAME])
def test_every_world_is_each_possible_world_once(game: str | fd.Game) -> None:
    for seed in range(6):
        view = mine(late(game, 8, seed))
        worlds = view.every_world()
        hands = {tuple(int(hand) for hand in world["hands"]) for world in worlds}
        assert len(worlds) == len(hands) == view.worlds()
        drawn = view.sample_many(50, fd.agent("random").stream(view))
        assert {tuple(int(hand) for hand in world["hands"]) for world in drawn} <= hands


def test_every_world_agrees_with_brute_force() -> None:
    for seed in range(4):
        state = late("hearts32", 7, seed)
        view, seat = mine(state), state.seat or 0
        others = [other for other in range(4) if other != seat]
        cards = [card for other in others for card in state.hands[other]]
        sizes = [len(state.hands[other]) for other in others]
        found = set()
        for order in permutations(cards):
            hands = [frozenset(order[sum(sizes[:i]) : sum(sizes[: i + 1])]) for i in range(3)]
            shown = [fd.cards.texts_of(state.record.not_held[other]) for other in others]
            if all(not hand & set(gone) for hand, gone in zip(hands, shown, strict=True)):
                found.add(tuple(hands))
        assert len(found) == view.worlds() == len(view.every_world())


def test_minimax_solves_all_worlds_where_they_are_few() -> None:
    view = next(view for view in (mine(late(HEARTS, 11, seed)) for seed in range(99)) if 200 < view.worlds() <= 4200)
    agent = fd.agent("minimax")
    agent.choose(view)
    decision = agent.decision
    assert decision is not None
    assert decision.solved
    assert decision.worlds == view.worlds()
    solver = Solver(view.game, view.every_world())
    solved = [solver.solve(world, view.legal) or {} for world in (w.reshape(1) for w in view.every_world())]
    for one in decision.candidates:
        assert one.mean == pytest.approx(sum(values[one.action] for values in solved) / len(solved))
        assert one.interval == (one.mean, one.mean)
    assert sum(one.votes for one in decision.candidates) == pytest.approx(view.worlds())
    assert decision.candidates[0].votes == max(one.votes for one in decision.candidates)


def test_a_sample_of_worlds_has_an_interval() -> None:
    view = next(view for view in (mine(late(HEARTS, 12, seed)) for seed in range(99)) if view.worlds() > 50)
    agent = fd.agent("minimax:endgame_worlds=20")
    agent.choose(view)
    assert agent.decision is not None
    assert agent.decision.worlds == 20
    assert any(one.interval[0] < one.mean < one.interval[1] for one in agent.decision.candidates)


def worth_by_win(state: State, side: int) -> float:
    """Fernandes 2016, section 6.6 and algorithm 4, in plain Python: the win, then the own score, all others against it."""
    game, sign = state.game, -1 if state.game.lower_is_better else 1
    if state.over:
        best = max(sign * score for score in state.scores)
        winners = {game.sides[seat] for seat, score in enumerate(state.scores) if sign * score == best}
        win = (side in winners) / min(2, len(winners))
        return 1000 * (2 * win - 1) + sign * state.scores[game.sides.index(side)]
    choose = max if game.sides[state.seat or 0] == side else min
    return choose(worth_by_win(after(state, action), side) for action in state.legal)


@pytest.mark.parametrize("game", ["hearts32", "sueca", "bisca"])
def test_solutions_for_the_win_agree_with_plain_minimax(game: str) -> None:
    for seed in range(8):
        state = late(game, 8, seed)
        side = state.game.sides[state.seat or 0]
        expected = {action: worth_by_win(after(state, action), side) for action in state.legal}
        assert Solver(state.game, state.data, aim="win").solve(state.data, state.legal) == pytest.approx(expected)


def test_reviews_refuse_solutions_for_the_win() -> None:
    message = "option endgame_aim: expected lead to compare decisions by, got 'win'"
    with pytest.raises(fd.FacedownError, match=message):
        kind_of(fd.agent("minimax:endgame_aim=win"), fd.load("sueca"))


@pytest.mark.parametrize("name", ["ismcts", "ismcts-t", "mo-ismcts", "pimc", "uct"])
def test_the_endgame_option_solves_what_is_small_enough(name: str) -> None:
    agent = fd.agent(f"{name}:endgame=8,iterations=20")
    for moves, solved in ((8, True), (12, False)):
        state = next(s for s in (late(HEARTS, moves, seed) for seed in range(99)) if sum(map(len, s.hands)) == moves)
        agent.choose(state if agent.sees_all else mine(state))
        assert agent.decision is not None
        assert agent.decision.solved == solved


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ismcts:endgame=33", "option endgame: expected a whole number from 0 to 32, got 33"),
        ("pimc:threads=1000", "option threads: expected a whole number from 1 to 256, got 1000"),
        ("ismcts:threads=0", "option threads: expected a whole number from 1 to 256, got 0"),
        ("ismcts:final=best", "option final: expected one of visits, mean, votes, got 'best'"),
        ("pimc:worlds=0", "option worlds: expected a whole number from 1 to 10000, got 0"),
        ("ismcts-t:worlds=1", "option worlds: expected a whole number from 2 up, got 1"),
    ],
)
def test_options_beyond_reason_are_refused_before_any_search(text: str, message: str) -> None:
    with pytest.raises(BadOption) as refused:
        fd.agent(text)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("agent", "question"),
    [("ismcts-t", "moves_left"), ("minimax", "moves_left"), ("mo-ismcts", "moves_left"), ("ismcts:endgame=8", "moves_left")],
)
def test_a_search_says_which_question_a_game_lacks(agent: str, question: str) -> None:
    asker = "endgame" if "endgame" in agent else agent
    with pytest.raises(MissingAnswer, match=f"{asker} asks '{question}', which the game 'little-knaves' does not answer"):
        fd.agent(agent).choose(fd.load(KNAVES).deal(0).view(0))


def test_a_reward_that_the_game_lacks_is_refused() -> None:
    with pytest.raises(BadOption, match="option reward: little-duel has points, pwl, wl, got 'sd'"):
        fd.agent("ismcts:reward=sd").choose(little_duel.GAME.deal(0).view(0))


@pytest.mark.parametrize("name", ["ismcts", "minimax", "uct"])
def test_a_finished_game_is_not_searched(name: str) -> None:
    state = late("hearts32", 8, 1)
    while not state.over:
        state.play(state.legal[0])
    agent = fd.agent(name)
    with pytest.raises(FacedownError, match=r"expected a position with somebody to move, got .*, which is over"):
        agent.choose(state if agent.sees_all else state.view(0))
