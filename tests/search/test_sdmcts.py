"""Search under hypotheses: the tables of a literal version, expected values, beliefs, peeking, refusals."""

import io
import json
import threading
import time
from collections import Counter
from collections.abc import Sequence
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import coin_guess
import contract
import facedown as fd
import fibs
from facedown import rules
from facedown.agents.sdmcts import Fpmga, HypothesisAgent
from facedown.arena.replay import decision_from
from facedown.games import GAMES
from facedown.kernel import COMPILED, copied, kernel, new_records
from facedown.rng import draw, stream, uniform
from facedown.rules import EXPERT
from facedown.search.decision import Decision
from facedown.search.sdmcts import EMPTY, SetsSearch
from facedown.search.search import Settings
from facedown.search.smooth import average_arm, share_of_bandit
from facedown.search.tree import NODE
from facedown.state import State
from facedown.terminal.decisions import decision_table
from facedown.view import View
from facedown.worlds import exact
from facedown.worlds.hypothetical import describe_hypothesis, hypotheses_of
from facedown.worlds.source import deal_unseen
from interpreting import interpreted

AGENTS = ["mga", "sdmcts"]


def claimed(seed: int = 1, claim: str = "false") -> State:
    """Seat 0 has laid a card, and seat 1 has cards of both colours and the choice between three answers."""
    while True:
        state = fibs.GAME.deal(seed)
        if claim in map(fibs.GAME.text, state.legal):
            state.play(claim)
            if len(state.legal) == 3:
                return state
        seed += 1


def decided(agent: str | fd.Agent, state: State, seed: int = 0) -> Decision:
    player = fd.agent(agent, seed=seed)
    player.choose(state if player.sees_all else state.view(state.seat or 0))
    assert player.decision is not None
    return player.decision


def settings() -> Settings:
    """What a search is told by default."""
    return Sure().settings()


class Sure(HypothesisAgent):
    """An agent told what to believe."""

    name = "sure"
    weights: Sequence[float] = (1.0, 0.0)

    def beliefs(self, view: View) -> Sequence[float]:
        return self.weights


def sure(*weights: float, **options: Any) -> Sure:
    agent = Sure(**{"iterations": 2000, "discount": 1.0, **options})
    agent.weights = weights
    return agent


def test_the_game_of_these_tests_keeps_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "fibs", "fibs:GAME")  # records are replayed by name
    deals = [fibs.GAME.deal(seed) for seed in range(31)]
    seeds = [seed for seed in range(30) if deals[seed] != deals[seed + 1]]  # of 560 deals, some come twice in a row
    contract.check(fibs.GAME, seeds, look=0.5)


# --- A literal version ------------------------------------------------------------------------------------------------


@kernel
def fill(data: Any, seat: int, hidden: Any, ways: Any, rng: Any) -> None:
    """Draw a world."""
    deal_unseen(data[0], seat, hidden[0], ways, rng)


@kernel
def key_of(data: Any, seat: int) -> int:
    """The information set."""
    return rules.information_set(data[0], seat)


@kernel
def ruled(data: Any, rng: Any) -> int:
    """An action of a playout."""
    return rules.choose(data[0], EXPERT, np.empty(8, np.int64), rng)


def literal(view: View, simulations: int, rng: Any, c: float, eta: float, gamma: float, d: float, discount: float) -> Any:
    """Algorithms 1 to 3 of Bitan and Kraus 2018, with dictionaries and recursion: the trees by (seat, information set)."""
    trees: dict[tuple[int, int], dict[int, list[float]]] = {}  # arms by action: visits and sum of rewards
    begin = len(view.history)

    def select(arms: dict[int, list[float]], legal: list[int]) -> int:
        untried = [action for action in legal if action not in arms]
        if untried:
            return untried[draw(rng, len(untried))]
        known = [action for action in arms if action in legal]
        total = sum(arms[action][0] for action in known)
        visits = sum(arm[0] for arm in arms.values())
        if uniform(rng) < max(gamma, eta / (1 + d * sqrt(visits))):
            bounds = [arms[one][1] / arms[one][0] + c * sqrt(log(total) / arms[one][0]) for one in known]
            return known[bounds.index(max(bounds))]
        left = draw(rng, int(total))
        for action in known:
            left -= int(arms[action][0])
            if left < 0:
                break
        return action

    def simulate(world: State, out_of_tree: set[int]) -> list[float]:
        if world.over:
            worth = 1.0
            for _ in range(len(world.history) - begin):
                worth *= discount
            return [score * worth for score in world.scores]
        seat = world.seat
        assert seat is not None
        if seat in out_of_tree:
            world.play(ruled(world.data, rng))
            return simulate(world, out_of_tree)
        place = (seat, key_of(world.data, seat))
        if place not in trees:
            trees[place] = {}
            action = ruled(world.data, rng)
            out_of_tree.add(seat)
        else:
            action = select(trees[place], world.legal)
        arm = trees[place].setdefault(action, [0, 0.0])
        world.play(action)
        rewards = simulate(world, out_of_tree)
        arm[0] += 1
        arm[1] += rewards[seat]
        return rewards

    kinds = []
    for which in range(1 if not view.history else 2):
        hidden = exact.new_hidden()
        describe_hypothesis(view.data, view.seat, which, hidden)
        kinds.append((hidden, exact.prepare(hidden)))
    for number in range(simulations):
        data = copied(view.data)
        fill(data, view.seat, *kinds[number % len(kinds)], rng)
        simulate(State(view.game, data, 0, view.history), set())
    return trees


def tables(search: SetsSearch) -> dict[tuple[int, int], dict[int, list[float]]]:
    """The trees of a search, in the same shape."""
    filled = search.table.slots[search.table.slots["node"] != EMPTY]
    return {
        (int(slot["seat"]), int(slot["key"])): {arm.action: [arm.visits, arm.reward] for arm in search.arms(slot["node"])}
        for slot in filled
    }


@pytest.mark.parametrize(
    ("moves", "eta", "gamma", "d", "discount"),
    [
        (0, 0.9, 0.1, 0.0025, 1.0),
        (1, 0.9, 0.1, 0.0025, 0.9),
        (1, 0.9, 0.1, 0.5, 1.0),
        (1, 1.0, 1.0, 0.0, 1.0),  # plain UCT
        (1, 0.0, 0.0, 0.0, 1.0),  # by visits alone
        (2, 0.9, 0.1, 0.0025, 0.995),
    ],
)
def test_a_search_grows_the_tables_of_a_literal_one(moves: int, eta: float, gamma: float, d: float, discount: float) -> None:
    for seed in range(4):
        state = fibs.GAME.deal(seed)
        for _ in range(moves):
            state.play(state.legal[0])
        if len(hypotheses_of(state.view(state.seat or 0))) < (2 if moves else 1):
            continue
        agent: Any = fd.agent(f"sdmcts:iterations=700,eta={eta},gamma={gamma},d={d},discount={discount}", seed=seed)
        view = state.view(state.seat or 0)
        agent.choose(view)
        expected = literal(view, 700, agent.stream(view), 0.4, eta, gamma, d, discount)
        found = tables(agent._searches[0])
        assert found.keys() == expected.keys()
        for place, arms in expected.items():
            assert found[place].keys() == arms.keys()
            for action, arm in arms.items():
                assert found[place][action] == pytest.approx(arm, rel=1e-12)


def test_a_simulation_adds_one_information_set_for_each_seat_at_most() -> None:
    view = claimed().view(1)
    search = SetsSearch(view, settings(), hypotheses_of(view), stream(1))
    before: Counter[int] = Counter()
    for _ in range(300):
        search.advance(1, 1)
        filled = search.table.slots[search.table.slots["node"] != EMPTY]
        now = Counter(int(seat) for seat in filled["seat"])
        assert all(now[seat] - before[seat] in (0, 1) for seat in now)
        before = now
    assert before[0] > 1
    assert before[1] > 1


def test_tables_grow_without_losing_anything() -> None:
    """With more room from the start, the same search."""
    view = claimed().view(1)
    small, large = (SetsSearch(view, settings(), hypotheses_of(view), stream(1)) for _ in range(2))
    for _ in range(3):
        large._make_room()
    small.advance(500, 500)
    small._make_room()
    small.advance(500, 500)
    large.advance(1000, 1000)
    assert tables(small) == tables(large)


# --- Smooth-UCT -------------------------------------------------------------------------------------------------------


def test_the_share_of_the_bandit_falls_to_gamma() -> None:
    run = np.rec.array([(0.9, 0.1, 0.0025)], dtype=[("eta", float), ("gamma", float), ("d", float)])[0]
    ask = getattr(share_of_bandit, "py_func", share_of_bandit)
    assert ask(run, 0) == 0.9
    assert ask(run, 10_000) == pytest.approx(0.9 / 1.25)
    assert ask(run, 10**9) == 0.1


def test_the_average_strategy_draws_by_visits() -> None:
    tree = new_records(3, NODE)
    tree["visits"] = [60, 30, 10]
    rng = stream(5)
    drawn = Counter(average_arm(tree, np.arange(3), 100, rng) for _ in range(10_000))
    assert [drawn[arm] / 10_000 for arm in range(3)] == pytest.approx([0.6, 0.3, 0.1], abs=0.02)


# --- Beliefs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blind", [False, True])
def test_an_answer_follows_from_what_is_believed(blind: bool) -> None:
    """To call wins against a false claim and loses against a true one: so its worth is the belief in a false one.

    It is so too where the information set does not distinguish true claims from false ones.
    """
    state = claimed()
    state.data["blind"] = blind
    for belief in (0.0, 0.25, 1.0):
        decision = decided(sure(1 - belief, belief), state)
        call = next(one for one in decision.candidates if one.text == "call")
        assert call.mean == pytest.approx(belief)
        assert decision.beliefs == [1 - belief, belief]
    assert decided(sure(0, 1), state).text == "call"
    assert decided(sure(1, 0), state).text != "call"


def test_a_reward_is_expected_over_all_hypotheses() -> None:
    state, weights = claimed(), (0.3, 0.7)
    agent = sure(*weights, discount=0.9)
    decision = decided(agent, state)
    search: Any = agent._searches[0]
    roots = [{arm.action: arm.reward / arm.visits for arm in search.arms(root)} for root in range(2)]
    for one in decision.candidates:
        expected = sum(weight * root[one.action] for weight, root in zip(weights, roots, strict=True))
        assert one.mean == pytest.approx(expected)
    assert decision.candidates[0].mean == max(one.mean for one in decision.candidates)
    assert decision.iterations == sum(one.visits for one in decision.candidates) == 2000


def test_an_interval_is_that_of_the_expected_reward() -> None:
    """Independent means, weighed: their variances add up with the squares of the weights."""
    weights = (0.3, 0.7)
    agent = sure(*weights)
    decision = decided(agent, claimed())
    search: Any = agent._searches[0]
    for one in decision.candidates:
        variance = 0.0
        for root, weight in enumerate(weights):
            arm = next(arm for arm in search.arms(root) if arm.action == one.action)
            own = arm.squares / arm.visits - (arm.reward / arm.visits) ** 2
            variance += weight**2 * own / arm.visits
        assert one.interval[1] - one.mean == pytest.approx(1.96 * sqrt(variance), abs=1e-6)


@pytest.mark.parametrize("weights", [(2.0, 6.0), (0.25, 0.75)])
def test_beliefs_need_not_add_up_to_one(weights: tuple[float, float]) -> None:
    assert decided(sure(*weights), claimed()).beliefs == [0.25, 0.75]


@pytest.mark.parametrize("weights", [(1.0,), (0.5, -0.5), (0.5, float("nan")), (1.0, float("inf"))])
def test_beliefs_that_are_none_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(fd.FacedownError, match="expected 2 weights from 0 up, one for each hypothesis, got"):
        decided(sure(*weights), claimed())


def only_lies() -> State:
    """Seat 1 holds all red cards, and seat 0 has laid a card."""
    for seed in range(1000):
        state = fibs.GAME.deal(seed)
        if int(state.record.hands[1]) == int(fibs.REDS):
            state.play("false")
            return state
    raise AssertionError("expected such a deal")


@pytest.mark.parametrize("agent", ["mga", "sdmcts", "fpmga:right=0", sure(1.0, 0.0)])
def test_what_cannot_be_is_not_believed(agent: str | fd.Agent) -> None:
    decision = decided(agent, only_lies())
    assert decision.beliefs == [0.0, 1.0]
    assert decision.text == "call"


def test_a_position_without_any_world_is_refused() -> None:
    view = claimed().view(1)
    view.data["hands"][0][1] = fibs.PACK
    with pytest.raises(fd.NoWorlds, match="got one with none under any hypothesis"):
        fd.agent("mga").choose(view)


def test_where_there_is_no_hypothesis_there_is_one_belief() -> None:
    decision = decided("mga", fibs.GAME.deal(3))
    assert decision.beliefs == [1.0]
    assert decision.text == "true", "all see a lie here"


@pytest.mark.parametrize("iterations", [1, 2, 3, 4])
def test_a_few_simulations_are_enough_to_choose(iterations: int) -> None:
    state = claimed()
    decision = decided(f"mga:iterations={iterations}", state)
    assert decision.action in state.legal
    assert decision.iterations == iterations


# --- Peeking ----------------------------------------------------------------------------------------------------------


def worlds(state: State) -> list[State]:
    """Other states that the seat to move cannot tell from this one."""
    view = state.view(state.seat or 0)
    found = [view.sample(seed) for seed in range(12)]
    assert all(world.view(view.seat) == view for world in found)
    return found


@pytest.mark.parametrize("name", AGENTS)
def test_hidden_cards_have_no_say(name: str) -> None:
    state = claimed()
    mine = decided(f"{name}:iterations=300", state).candidates
    assert all(decided(f"{name}:iterations=300", world).candidates == mine for world in worlds(state))


def test_the_cheat_sees_the_kind_of_the_last_action_and_nothing_else() -> None:
    assert Fpmga.sees_all
    assert not any(fd.agent(name).sees_all for name in AGENTS)
    state = claimed()
    found = {0: set(), 1: set()}  # type: dict[int, set[str]]
    for world in worlds(state):
        decision = decided("fpmga:iterations=300", world)
        kind = int(int(world.record.last) & int(fibs.REDS) == 0)
        found[kind].add(repr((decision.beliefs, decision.candidates)))
    assert len(found[0]) == len(found[1]) == 1
    assert found[0] != found[1]


def test_the_cheat_is_right_as_often_as_it_says() -> None:
    state = claimed()
    found = [decided("fpmga:iterations=1,right=0.7", state, seed).beliefs for seed in range(400)]
    assert sum(beliefs[1] == 0.7 for beliefs in found) / 400 == pytest.approx(0.7, abs=0.06)
    assert all(sorted(beliefs) == pytest.approx([0.3, 0.7]) for beliefs in found)


def test_the_cheat_wants_a_state() -> None:
    with pytest.raises(fd.BadOption, match="expected a state, for fpmga peeks at the last action, got <View"):
        fd.agent("fpmga").choose(claimed().view(1))


@pytest.mark.parametrize("name", [*AGENTS, "fpmga"])
def test_a_position_that_is_over_is_refused(name: str) -> None:
    state = claimed()
    state.play("call")
    with pytest.raises(fd.BadOption, match="expected a position with somebody to move"):
        decided(name, state)


# --- Agents -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*AGENTS, "fpmga"])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_seed_gives_the_same_decision(name: str, threads: int) -> None:
    text = f"{name}:iterations=1000,threads={threads}"
    first, second = decided(text, claimed()), decided(text, claimed())
    assert first.tree(3) == second.tree(3)
    assert first.candidates == second.candidates
    assert first.iterations == 1000


def test_the_agent_of_the_paper_is_the_same_under_both_names() -> None:
    assert decided("mga", claimed()).candidates == decided("sdmcts", claimed()).candidates


def test_threads_are_merged_hypothesis_by_hypothesis() -> None:
    state = claimed()
    agent = sure(0.3, 0.7, threads=2)
    decision = decided(agent, state)
    searches: Any = agent._searches
    assert len(searches) == 2
    for one in decision.candidates:
        expected = 0.0
        for root, weight in enumerate((0.3, 0.7)):
            arms = [arm for search in searches for arm in search.arms(root) if arm.action == one.action]
            expected += weight * sum(arm.reward for arm in arms) / sum(arm.visits for arm in arms)
        assert one.mean == pytest.approx(expected)


def test_a_search_keeps_its_time_and_can_be_interrupted() -> None:
    view = claimed().view(1)
    agent: Any = fd.agent("mga:seconds=0.2")
    assert agent.best_so_far() is None
    agent.choose(view)  # compiled by now
    begin = time.perf_counter()
    assert agent.choose(view) in view.legal
    assert time.perf_counter() - begin < 0.4
    assert agent.best_so_far() == agent.decision.action
    endless: Any = fd.agent("mga:iterations=1000000000")
    timer = threading.Timer(0.2, endless.interrupt)
    timer.start()
    assert endless.choose(view) in view.legal
    assert time.perf_counter() - begin < 5
    timer.join()


def test_a_game_is_played_to_its_end() -> None:
    for seed in range(3):
        record = fd.play(fibs.GAME, ["mga:iterations=200", "fpmga:iterations=200"], seed=seed, decisions=True)
        assert sorted(record.scores) == [0, 1]


def test_a_decision_explains_itself() -> None:
    decision = decided("mga", claimed())
    assert decision.line[0] == decision.text
    assert decision.nodes > 10
    assert decision.depth_most > 1
    data = decision.to_dict()
    assert data["beliefs"] == [0.5, 0.5]
    assert "beliefs" not in Decision(0, "x").to_dict()
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(decision_table(decision))
    assert "the last action's kinds believed 50%, 50%" in console.export_text()
    again = decision_from(json.loads(json.dumps(data)))
    assert again.beliefs == [0.5, 0.5]
    with pytest.raises(fd.BadText, match="expected a decision's beliefs as numbers, got perhaps"):
        decision_from({**json.loads(json.dumps(data)), "beliefs": "perhaps"})


@pytest.mark.parametrize("silent", ["information_set", "choose", "turns"])
def test_a_game_that_does_not_answer_is_refused_in_words(silent: str) -> None:
    asker = {"information_set": "mga", "choose": "playout=rules", "turns": "discount"}[silent]
    state = fibs.game(f"fibs-{silent}", silent).deal(3)
    asked = "'choose' in the style 'expert'" if silent == "choose" else f"'{silent}'"
    with pytest.raises(fd.MissingAnswer, match=f"{asker} asks {asked}, which the game 'fibs-{silent}' does not answer"):
        decided("mga", state)


def test_a_game_that_knows_nothing_of_it_is_refused() -> None:
    with pytest.raises(fd.MissingAnswer, match="sdmcts asks 'information_set', which the game 'coin-guess' does not answer"):
        decided("sdmcts", coin_guess.GAME.deal(1))


def test_playouts_that_learn_are_refused() -> None:
    with pytest.raises(fd.BadOption, match="option playout: expected one of uniform, rules, got 'mast'"):
        fd.agent("mga:playout=mast")


def test_plain_playouts_do_too() -> None:
    assert decided("mga:playout=uniform", only_lies()).text == "call"
    assert decided("mga:parameter=0.5", only_lies()).text == "call"


# --- Compiled and interpreted -----------------------------------------------------------------------------------------


def found(texts: list[str]) -> Any:
    """What searches decide after a claim, and their trees."""
    decisions = [decided(text, claimed()) for text in texts]
    return json.loads(json.dumps([[one.tree(3), {**one.to_dict(), "seconds": 0}] for one in decisions]))


def test_interpreted_and_compiled_searches_agree() -> None:
    assert COMPILED
    agents = ["mga:iterations=150", "fpmga:iterations=100,threads=2,d=1", "sdmcts:iterations=60,playout=uniform"]
    assert interpreted("test_sdmcts", "found", agents) == found(agents)
