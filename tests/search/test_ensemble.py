"""Ensemble determinization: decisions worked out by hand, what each option does, and what no option may change."""

import json
import threading
import time
from collections import Counter
from typing import Any

import pytest
from scipy.stats import chisquare

import facedown as fd
from facedown.games.magic.record import LAND, MAIN
from facedown.kernel import COMPILED, copied
from facedown.search.decision import Decision
from facedown.search.ensemble_moves import Group
from facedown.search.ensemble_steps import shuffle_for_state
from facedown.state import State
from interpreting import interpreted
from magic_boards import board

SMALL = "trees=8,simulations=50"


def player(options: str, seed: int = 0) -> Any:
    return fd.agent(f"ensemble:{options}", seed)


def decided(options: str, state: State, seed: int = 0) -> Decision:
    agent = player(options, seed)
    action = agent.choose(state.view(state.seat or 0))
    assert action in state.legal
    decision: Decision = agent.decision
    return decision


def searched(options: str, state: State) -> tuple[Any, Decision]:
    """The search itself, and its decision."""
    agent = player(options)
    agent.choose(state.view(state.seat or 0))
    return agent._searches[0], agent.decision


def middle(seed: int = 3, turn: int = 8) -> State:
    """A main phase in the middle of a game between experts, with the land played."""
    state = fd.load("magic").deal(seed)
    expert = fd.agent("expert")
    while state.facts["turn"] < turn or state.facts["phase"] != "main" or len(state.legal) < 3 or state.legal[0] == LAND:
        state.play(expert.choose(state.view(state.seat or 0)))
    return state


# --- By hand --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ways", ["", "bt=true", "mp=true", "bt=true,mp=true", "mp=none", "bt=true,order=ascending"])
def test_two_weak_blockers_save_a_life_that_a_strong_one_does_not(ways: str) -> None:
    """At 3 life, against two attackers of power 3, both must be blocked; there are two lands, big ones are tapped."""
    state = board("6/6 t, 5/5 t", "3/3, 3/3", hand="2/2, 1/1, 1/1", lands=2, life=(3, 11))
    state.record.phase = MAIN
    state._legal = None
    decision = decided(f"{SMALL},{ways}" if ways else SMALL, state)
    assert decision.line == ["1/1 for 1", "1/1 for 1", "done"]


def test_an_attack_that_wins_is_found_where_combat_is_searched() -> None:
    state = board("5/5", "", lands=3, life=(4, 5))
    assert decided(f"{SMALL},decides=all", state).text == "attack 5/5"


def test_a_block_that_saves_the_game_is_found_where_combat_is_searched() -> None:
    state = board("5/5", "1/1", lands=3, life=(20, 5))
    state.play("attack 5/5")
    assert state.seat == 1
    assert decided(f"{SMALL},decides=all,nl=true", state).text == "block 5/5 by 1/1"


def test_combat_is_left_to_the_expert() -> None:
    for state in (board("3/3, 2/2", "2/3", lands=4), board("5/5, 1/1", "4/4, 1/1", lands=5, life=(9, 3))):
        while state.facts["phase"] != "main":
            view = state.view(state.seat or 0)
            decision = decided(SMALL, state)
            assert decision.action == fd.agent("expert").choose(view)
            assert decision.candidates == []
            state.play(decision.action)


def test_what_pruning_leaves_no_choice_about_is_not_searched() -> None:
    state = board("", "", hand="land, 2/2, 2/1", lands=1)
    for pruning, searches in (("none", True), ("non-paying", False), ("non-land", False), ("dominated", False)):
        decision = decided(f"{SMALL},mp={pruning}", state)
        assert decision.text == "land" or searches
        assert bool(decision.candidates) is searches
    assert decided(f"{SMALL},mp=true", board("", "", hand="2/2, 6/6", lands=2)).text == "2/2 for 2"


# --- Options --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "costs"), [("descending", 4), ("ascending", 1)])
def test_binary_trees_ask_in_the_order_of_cost(order: str, costs: int) -> None:
    state = board("", "3/3", hand="3/3, 2/2, 1/1", lands=6)
    search, _ = searched(f"{SMALL},bt=true,order={order}", state)
    firsts = {int(search.arrays.tree["answers"][search.arrays.tree["first_child"][root]]) for root in search.roots().nodes}
    assert [int(state.record.cost[kind]) for kind in firsts] == [costs]


def test_a_random_order_is_one_order_for_all_trees_and_another_for_another_seed() -> None:
    state = board("", "3/3", hand="3/3, 2/2, 1/1, 2/3", lands=8)
    firsts = set()
    for seed in range(12):
        agent = player(f"{SMALL},bt=true,order=random", seed)
        agent.choose(state.view(0))
        tree = agent._searches[0].arrays.tree
        asked = {int(tree["answers"][tree["first_child"][root]]) for root in range(8)}
        assert len(asked) == 1
        firsts |= asked
    assert len(firsts) > 1


def moves_of_each_tree(search: Any) -> list[int]:
    tree, roots = search.roots()
    return [len(Group(tree, roots[place : place + 1]).sums()) for place in range(len(roots))]


def test_binary_nodes_have_two_children_and_whole_moves_have_one_each() -> None:
    state = board("", "3/3", hand="3/3, 2/2, 2/2, 1/1", lands=5)
    binary, _ = searched("trees=4,simulations=400,bt=true", state)
    parents = Counter(int(parent) for parent in binary.arrays.tree["parent"][4 : binary.figure("nodes")])
    assert max(parents.values()) == 2
    whole, _ = searched("trees=4,simulations=400,mp=none", state)
    # 5 mana: the 3/3 and perhaps the 1/1, or up to two 2/2 with or without the 1/1
    assert moves_of_each_tree(whole) == [2 + 6] * 4
    pruned, _ = searched("trees=4,simulations=400,mp=dominated", state)
    assert moves_of_each_tree(pruned) == [2] * 4


def test_a_loss_counts_below_nothing_with_nl() -> None:
    lost = board("", "6/6, 5/5, 5/5, 4/4", hand="1/1, 2/2", lands=2, life=(5, 20))
    plain, negative = decided(SMALL, lost), decided(f"{SMALL},nl=true", lost)
    assert all(0 <= one.mean < 0.2 for one in plain.candidates)
    assert all(-1 <= one.mean < -0.5 for one in negative.candidates)


def test_rewards_are_discounted_by_the_turns_until_the_end() -> None:
    won = board("5/5", "", hand="1/1, 2/2", lands=2, life=(20, 4))
    won.play("hold 5/5")
    assert all(0.8 < one.mean <= 0.99**2 for one in decided(SMALL, won).candidates)
    assert max(one.mean for one in decided(f"{SMALL},discount=1", won).candidates) > 0.99


@pytest.mark.parametrize("flags", ["", "bt=true", "bt=true,mp=true", "nl=true", "il=true", "ap=true", "decides=all"])
def test_visits_add_up_to_the_iterations(flags: str) -> None:
    decision = decided(f"{SMALL},{flags}" if flags else SMALL, middle())
    assert sum(one.visits for one in decision.candidates) == decision.iterations == 400
    assert decision.worlds == 8


def test_iterations_are_a_whole_that_trees_divide() -> None:
    search, decision = searched("trees=7,iterations=100", middle())
    assert decision.iterations == 100
    visits = [int(search.arrays.tree["visits"][root]) for root in search.roots().nodes]
    assert sorted(visits) == [14] * 5 + [15] * 2
    assert searched("trees=50,iterations=9", middle())[1].worlds == 9


def test_worlds_in_which_moves_matter_cost_at_most_a_twentieth() -> None:
    search, decision = searched("trees=10,simulations=200,ir=true", middle())
    assert 0 < search.figure("trials") <= 0.05 * 2000
    assert 0 < search.figure("interesting") <= 10
    assert decision.iterations + search.figure("trials") == 2000


def test_orders_in_which_moves_matter_are_looked_for_at_each_leaf() -> None:
    search, decision = searched("trees=10,simulations=200,il=true", middle())
    assert decision.iterations == 2000
    assert search.figure("trials") > 2000
    assert search.figure("interesting") > 1000


@pytest.mark.parametrize("ways", ["ap=true", "ap=true,bt=true", "ap=true,playout=uniform,mp=none,discount=1"])
def test_all_possible_deals_come_as_often_as_their_cards(ways: str) -> None:
    """The other seat's hand is empty, so what it draws is any card that it has not played."""
    state = board("", "3/3, 2/2", hand="2/2, 1/1", lands=3, other_lands=4)
    search, _ = searched(f"trees=4,simulations=3000,{ways}", state)
    tree = search.arrays.tree
    drawn: Counter[int] = Counter()
    for node in range(4, search.figure("nodes")):
        above = int(tree["parent"][node])
        while tree["seat"][above] == 0:
            above = int(tree["parent"][above])
        if tree["seat"][node] == -1 and above < 4:
            drawn[int(tree["label"][node])] += int(tree["visits"][node])
    left = Counter(int(kind) for kind in state.record.library[1] if kind >= 0)
    assert drawn.keys() == left.keys()
    expected = [sum(drawn.values()) * left[kind] / left.total() for kind in left]
    assert chisquare([drawn[kind] for kind in left], expected).pvalue > 0.001


def test_without_chance_nodes_each_tree_draws_one_card() -> None:
    state = board("", "3/3, 2/2", hand="2/2, 1/1", lands=3, other_lands=4)
    search, _ = searched(SMALL, state)
    assert (search.arrays.tree["seat"][8 : search.figure("nodes")] >= 0).all()
    assert all(len(set(world["library"][1].tolist())) > 3 for world in search.arrays.fixed)
    assert len({world["library"].tobytes() for world in search.arrays.fixed}) == 8


def drawn_after(search: Any, done: int) -> list[list[int]]:
    """For each tree, the card that the other seat draws after each move of the first seat."""
    arrays = search.arrays
    drawn: list[list[int]] = []
    for root in search.roots().nodes:
        drawn.append([])
        child = int(arrays.tree["first_child"][root])
        while child >= 0:
            world = copied(arrays.fixed[root : root + 1])
            shuffle_for_state(arrays.ensemble[0], arrays.tree, child, world[0], done)
            drawn[-1].append(int(world["library"][0][1][world["in_library"][0][1] - 1]))
            child = int(arrays.tree["next_sibling"][child])
    return drawn


def test_a_lazy_tree_draws_a_card_of_its_own_for_each_state_and_always_the_same() -> None:
    """The other seat's hand is empty, so what it draws is any card that it has not played."""
    state = board("", "3/3, 2/2", hand="2/2, 1/1, 2/1", lands=3, other_lands=4)
    done = state.game.parse("done")
    search, _ = searched("trees=400,simulations=10,lazy=true", state)
    drawn = drawn_after(search, done)
    assert drawn == drawn_after(search, done)
    firsts, seconds = ([cards[place] for cards in drawn] for place in (0, 1))
    left = Counter(int(kind) for kind in state.record.library[1] if kind >= 0)
    alike = sum((count / left.total()) ** 2 for count in left.values())
    same = sum(one == other for one, other in zip(firsts, seconds, strict=True))
    assert abs(same - 400 * alike) < 4 * (400 * alike * (1 - alike)) ** 0.5
    for cards in (firsts, seconds):
        counts = Counter(cards)
        expected = [400 * left[kind] / left.total() for kind in left]
        assert chisquare([counts[kind] for kind in left], expected).pvalue > 0.001


def test_a_single_chance_node_at_the_top_gives_each_deal_one_simulation() -> None:
    search, decision = searched("iterations=300,ap=top,playout=uniform", middle())
    assert decision.worlds == decision.iterations == 300
    assert (search.arrays.tree["visits"][:300] == 1).all()
    moves = sorted(one.visits for one in decided("iterations=4000,ap=top,mp=none", middle()).candidates)
    assert len(moves) > 1
    assert moves[0] > 0.1 * moves[-1], "visits say nothing about moves: all are tried alike"


def test_a_share_of_the_iterations_finds_worlds_that_matter() -> None:
    few, most = (searched(f"trees=10,simulations=200,ir=true,interest={share}", middle())[0] for share in (0.01, 0.05))
    assert 0 < few.figure("trials") <= 0.01 * 2000
    assert few.figure("interesting") <= most.figure("interesting") <= 10


def test_a_near_tree_ends_with_what_the_seat_does_now() -> None:
    state = board("3/3, 2/2, 1/1", "2/3, 2/2", hand="2/2, 1/1, 3/3", lands=5)
    near, _ = searched(f"{SMALL},decides=all,ahead=phase,bt=true", state)
    far, _ = searched(f"{SMALL},decides=all,bt=true", state)
    assert {int(seat) for seat in near.arrays.tree["seat"][8 : near.figure("nodes")]} == {0}
    assert {int(seat) for seat in far.arrays.tree["seat"][8 : far.figure("nodes")]} == {0, 1}
    assert 3 <= near.figure("depth_most") <= 6, "who attacks; if nobody does, which cards are played"
    cards, decision = searched(f"{SMALL},ahead=phase", board("", "2/3", hand="2/2, 1/1, 3/3", lands=5))
    assert cards.figure("depth_most") == 1
    assert decision.iterations == 400


def test_all_sixteen_combinations_of_the_paper_play() -> None:
    state = middle()
    for number in range(16):
        flags = [f"{name}={str(bool(number >> place & 1)).lower()}" for place, name in enumerate(("bt", "mp", "nl", "ir"))]
        decision = decided(f"trees=4,simulations=40,{','.join(flags)}", state)
        assert decision.text == decision.line[0]


# --- What an agent owes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ways", ["bt=true,mp=true", "mp=none,ir=true", "il=true", "ap=true", "bt=true,decides=all"])
def test_the_same_view_and_seed_give_the_same_choice(ways: str) -> None:
    view = middle().view(middle().seat or 0)
    one, other = player(f"{SMALL},{ways}", 4), player(f"{SMALL},{ways}", 4)
    for world in (view, *(view.sample(seed).view(view.seat) for seed in range(3))):
        assert one.choose(world) == other.choose(view)
        assert one.decision.candidates == other.decision.candidates


@pytest.mark.parametrize("ways", ["bt=true,mp=true", "ir=true", "ap=true", "lazy=true"])
def test_threads_divide_the_trees_and_change_nothing(ways: str) -> None:
    alone, three = decided(f"{SMALL},{ways}", middle()), decided(f"{SMALL},{ways},threads=3", middle())
    assert alone.line == three.line
    assert [(one.action, one.visits) for one in alone.candidates] == [(one.action, one.visits) for one in three.candidates]


def test_a_time_limit_is_kept_and_a_search_can_be_interrupted() -> None:
    view = middle().view(middle().seat or 0)
    agent = player("seconds=0.2,bt=true")
    agent.choose(view)  # compiled by now
    begin = time.perf_counter()
    agent.choose(view)
    assert 0.15 < time.perf_counter() - begin < 2
    search = agent._searches[0]
    visits = [int(search.arrays.tree["visits"][root]) for root in search.roots().nodes]
    assert max(visits) - min(visits) <= 32, "trees grow evenly"
    long = player("seconds=30,bt=true")
    assert long.best_so_far() is None
    thread = threading.Thread(target=long.choose, args=(view,))
    thread.start()
    time.sleep(0.3)
    best = long.best_so_far()
    long.interrupt()
    thread.join(5)
    assert not thread.is_alive()
    assert best in view.legal
    assert long.decision.action in view.legal


def test_a_decision_explains_itself() -> None:
    decision = decided(f"{SMALL},bt=true", middle())
    best = decision.candidates[0]
    assert best.action == decision.action
    assert best.interval[0] < best.mean < best.interval[1]
    assert decision.line[0] == decision.text
    assert decision.line[-1] == "done"
    json.dumps(decision.to_dict())


def whole_moves(node: dict[str, Any]) -> dict[tuple[str, ...], int]:
    """The visits of the leaves of a tree, by the way there."""
    if not node["children"]:
        return {(): node["visits"]}
    return {(child["text"], *rest): visits for child in node["children"] for rest, visits in whole_moves(child).items()}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_decision_has_the_moves_of_all_trees_card_by_card(threads: int) -> None:
    decision = decided(f"{SMALL},threads={threads}", board("", "3/3", hand="3/3, 2/2, 1/1", lands=6))
    tree = decision.tree(9)
    moves = whole_moves(tree)
    assert sum(moves.values()) == tree["visits"] == 400
    assert all(move[-1] == "done" and "done" not in move[:-1] for move in moves)
    assert max(moves, key=lambda move: moves[move]) == tuple(decision.line)
    for child in tree["children"]:
        assert child["visits"] == sum(visits for move, visits in moves.items() if move[0] == child["text"])
    assert len(moves) > len(tree["children"]) > 1
    json.dumps(tree)


def test_a_binary_tree_has_its_moves_too_less_those_that_were_broken_off() -> None:
    decision = decided(f"{SMALL},bt=true", board("", "3/3", hand="3/3, 2/2, 1/1", lands=6))
    tree = decision.tree(9)
    moves = whole_moves(tree)
    assert tree["visits"] == 400
    assert tuple(decision.line) in moves
    for child in tree["children"]:
        assert sum(below["visits"] for below in child["children"]) <= child["visits"]
        assert all(0 <= below["mean"] <= 1 and below["seat"] == 0 for below in child["children"])


def test_a_plain_question_has_one_level() -> None:
    tree = decided(f"{SMALL},decides=all", board("5/5", "2/2", lands=3)).tree(3)
    assert {child["text"] for child in tree["children"]} == {"attack 5/5", "hold 5/5"}
    assert not any(child["children"] for child in tree["children"])


@pytest.mark.parametrize(
    "options",
    [
        "iterations=100,simulations=20",
        "iterations=100,seconds=1",
        "ap=true,ir=true",
        "ap=true,il=true",
        "il=true,fixed_order=true",
        "ap=true,lazy=true",
        "ap=top,ir=true",
        "ap=top,seconds=1",
        "ap=top,iterations=20000",
        "ap=some",
        "ir=true,lazy=true",
        "interest=0.6",
        "mp=most",
        "order=upwards",
        "decides=some",
        "ahead=far",
        "playout=mast",
        "trees=0",
        "discount=0",
        "reward=sd",
    ],
)
def test_options_that_contradict_or_do_not_exist_are_refused(options: str) -> None:
    with pytest.raises(fd.FacedownError):
        player(options)


def test_words_for_prunings_and_playouts() -> None:
    assert player("mp=true").options["mp"].value == "dominated"
    assert player("mp=false").text == player("ap=false").text == "ensemble"
    assert player("ap=true").text == "ensemble:ap=true"
    assert player("playout=expert").text == "ensemble:playout=rules"


def test_other_games_are_searched_without_compound_moves() -> None:
    state = fd.load("hearts", passing=False).deal(1)
    state.play(state.legal[0])
    with pytest.raises(fd.MissingAnswer, match="settle"):
        decided(f"{SMALL},playout=uniform", state)
    assert decided(f"{SMALL},decides=all,playout=uniform", state).iterations == 400


def test_ensemble_beats_random_and_with_combat_the_expert_and_ismcts_plays_too() -> None:
    result = fd.tournament("magic", ["ensemble:bt=true,mp=true,iterations=400", "random"], deals=5, seed=1)
    assert result.standings[0].wins.value >= 0.9
    strong = "ensemble:bt=true,mp=true,decides=all,ahead=phase,playout=expert,exploration=0.5,iterations=300"
    result = fd.tournament("magic", [strong, "expert"], deals=6, seed=1)
    assert result.standings[0].agent.startswith("ensemble")
    state = board("", "3/3, 3/3", hand="2/2, 1/1, 1/1", lands=2, life=(3, 20))
    agent = fd.agent("ismcts:iterations=300,reward=pwl,playout=reduced")
    assert agent.choose(state.view(0)) in state.legal
    assert state.game.parse("1/1 for 1") in state.legal


WAYS = [
    "bt=true,mp=true",
    "lazy=true,bt=true",
    "ap=top",
    "ir=true,nl=true",
    "mp=none,il=true",
    "ap=true,playout=uniform",
    "order=random,bt=true",
]


def found(ways: list[str]) -> list[Any]:
    """What ensembles decide in one position."""
    decisions = [decided(f"trees=3,simulations=12,{way}", middle(turn=14), seed=1) for way in ways]
    return [[one.line, [[arm.text, arm.visits, arm.mean] for arm in one.candidates]] for one in decisions]


def test_interpreted_and_compiled_ensembles_agree() -> None:
    assert COMPILED
    assert interpreted("test_ensemble", "found", WAYS) == found(WAYS)
