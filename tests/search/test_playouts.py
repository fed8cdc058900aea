"""Policies of playouts: their formulas, what they learn, and Hearts by rules of thumb."""

import json
import math
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.cards import text
from facedown.errors import BadOption, UnknownName
from facedown.games.hearts.heuristics import rule_card
from facedown.kernel import COMPILED, Array
from facedown.rewards import REWARDS
from facedown.rng import draw, stream
from facedown.search.endgame import moves_left_in
from facedown.search.ismcts import TreeSearch
from facedown.search.ismcts_t import GraphSearch
from facedown.search.mo_ismcts import TreesSearch
from facedown.search.playouts import ngrams, replies
from facedown.search.playouts.policies import PLAYOUTS
from facedown.search.run import new_run
from facedown.search.search import Search, Settings
from facedown.worlds.source import fixed, fresh
from positions import late, play

SEATS, ACTIONS = 4, 53


def new_memory(name: str, reward: str = "points", **options: Any) -> tuple[Array, Array]:
    """An empty memory, and a RUN record for it."""
    factory, figures = PLAYOUTS[name](**options)
    return factory(), new_run(seats=SEATS, actions=ACTIONS, reward=REWARDS[reward], **figures)


def sequence(*moves: tuple[int, int]) -> Array:
    """Moves by (seat, action), as policies keep them: their number comes first."""
    return np.array([len(moves), *(seat * ACTIONS + action for seat, action in moves)], np.int64)


NO_MOVES = sequence()


def learnt(memory: Array, run: Array, seat: int, action: int, before: Array = NO_MOVES) -> tuple[int, float]:
    """Visits and reward of an action after others; nothing where it was never seen."""
    key = ngrams.first_key(run[0], before, before[0], seat) + action
    entry = memory[ngrams.place_of(memory, key)]
    return (int(entry["visits"]), float(entry["reward"])) if entry["key"] == key else (0, 0.0)


# --- The four policies ------------------------------------------------------------------------------------------------

TABLE = {3: (3.0, 4), 7: (1.0, 4), 9: (1.5, 2), 20: (0.5, 5)}  # by action: rewards in total, visits


def probabilities(
    policy: str,
    table: dict[int, tuple[float, int]],
    actions: list[int],
    parameter: float | None = None,
    reward: str = "points",
) -> list[float]:
    """How likely seat 2 plays each action, when it has learnt a table."""
    memory, run = new_memory("mast", reward, policy=policy, parameter=parameter)
    for action, (total, visits) in table.items():
        for _ in range(visits):
            ngrams.learn_ngrams(memory, run[0], sequence((2, action)), np.full(SEATS, total / visits))
    weights = np.zeros(len(actions))
    ngrams.weigh(memory, run[0], ngrams.first_key(run[0], NO_MOVES, 0, 2), np.array(actions), weights)
    return list(weights / weights.sum())


def test_gibbs_is_equation_5_1() -> None:
    powers = [math.exp(mean / 0.5) for mean in (0.75, 0.25, 0.75, 0.1)]
    expected = [power / sum(powers) for power in powers]
    assert probabilities("gibbs", TABLE, [3, 7, 9, 20], 0.5) == pytest.approx(expected)


def test_gibbs_never_overflows() -> None:
    assert probabilities("gibbs", TABLE, [3, 7, 20], 1e-6) == pytest.approx([1, 0, 0])


def test_epsilon_greedy_is_equation_5_3() -> None:
    assert probabilities("epsilon-greedy", TABLE, [3, 7, 9, 20], 0.2) == pytest.approx([0.4, 0.1, 0.4, 0.1])


def test_epsilon_greedy_among_equals_is_uniform() -> None:
    assert probabilities("epsilon-greedy", TABLE, [3, 9], 0.2) == pytest.approx([0.5, 0.5])


def test_roulette_is_equation_5_4() -> None:
    expected = np.array([0.75, 0.25, 0.75, 0.1]) / 1.85
    assert probabilities("roulette", TABLE, [3, 7, 9, 20]) == pytest.approx(list(expected))


def test_roulette_moves_rewards_below_zero_up() -> None:
    table = {1: (-2.0, 2), 2: (0.0, 3), 3: (2.0, 2)}
    assert probabilities("roulette", table, [1, 2, 3], reward="wl") == pytest.approx([0, 1 / 3, 2 / 3])


def test_ucb1_is_equation_5_5() -> None:
    def bound(action: int) -> float:
        total, visits = TABLE[action]
        return total / visits + 0.7 * math.sqrt(math.log(15) / visits)

    assert max(TABLE, key=bound) == 9
    assert probabilities("ucb1", TABLE, [3, 7, 9, 20]) == [0, 0, 1, 0]
    assert probabilities("ucb1", {**TABLE, 10: TABLE[9]}, [3, 9, 10]) == [0, 0.5, 0.5]


def test_ucb1_tries_first_what_it_has_never_seen() -> None:
    assert probabilities("ucb1", TABLE, [3, 30, 9, 31]) == [0, 0.5, 0, 0.5]


def test_what_was_never_seen_counts_as_the_mean_of_the_others() -> None:
    assert probabilities("roulette", TABLE, [3, 7, 30]) == pytest.approx([0.5, 1 / 6, 1 / 3])
    assert probabilities("gibbs", TABLE, [30, 31]) == [0.5, 0.5]


def test_actions_are_drawn_as_often_as_they_weigh() -> None:
    rng = stream(4)
    weights = np.array([0.0, 1.0, 0.0, 3.0, 0.0])
    drawn = np.bincount([ngrams.drawn_by(weights, rng) for _ in range(4000)], minlength=5)
    assert drawn[[0, 2, 4]].tolist() == [0, 0, 0]
    assert abs(drawn[1] - 1000) < 120
    assert {ngrams.drawn_by(np.zeros(3), rng) for _ in range(50)} == {0, 1, 2}


# --- What is learnt ---------------------------------------------------------------------------------------------------


def test_mast_gives_each_action_the_reward_of_its_seat() -> None:
    memory, run = new_memory("mast")
    rewards = np.array([0.1, 0.2, 0.3, 0.4])
    ngrams.learn_ngrams(memory, run[0], sequence((0, 5), (1, 6), (1, 5)), rewards)
    ngrams.learn_ngrams(memory, run[0], sequence((0, 5), (3, 6)), rewards)
    assert learnt(memory, run, 0, 5) == (2, 0.2)
    assert learnt(memory, run, 1, 5) == (1, 0.2)
    assert learnt(memory, run, 1, 6) == (1, 0.2)
    assert learnt(memory, run, 3, 6) == (1, 0.4)
    assert int(memory["visits"].sum()) == 5


@pytest.mark.parametrize("length", [2, 3, 4])
def test_sequences_are_told_apart_by_their_seat_and_by_what_came_before(length: int) -> None:
    memory, run = new_memory("nast", length=length)
    before = sequence((0, 5), (1, 6), (2, 7), (3, 8))
    ngrams.learn_ngrams(memory, run[0], sequence((0, 5), (1, 6), (2, 7), (3, 8), (0, 9)), np.array([0.1, 0.2, 0.3, 0.4]))
    assert learnt(memory, run, 0, 9, before) == (1, 0.1)
    assert learnt(memory, run, 1, 9, before) == (0, 0.0)
    assert learnt(memory, run, 0, 8, before) == (0, 0.0)
    # Only the last n - 1 actions count, and all of these do.
    for place in range(4):
        others = before.copy()
        others[1 + place] += 1
        assert learnt(memory, run, 0, 9, others) == ((1, 0.1) if place < 4 - (length - 1) else (0, 0.0))


def test_a_full_table_gives_up_what_was_seen_least() -> None:
    memory, run = new_memory("mast")
    memory = memory[: ngrams.BUCKET]
    for action, times in ((0, 3), (1, 2), (2, 4), (3, 5), (4, 1)):
        for _ in range(times):
            ngrams.learn_ngrams(memory, run[0], sequence((0, action)), np.ones(SEATS))
    assert [learnt(memory, run, 0, action)[0] for action in range(5)] == [3, 0, 4, 5, 1]


def reply_to(memory: Array, run: Array, moves: Array, seat: int) -> int:
    """The reply a seat knows to the last move, or -1."""
    return int(memory[replies.place_of(memory, run[0], moves, moves[0], seat)]["reply"]) - 1


def test_the_reply_that_last_won_is_kept() -> None:
    memory, run = new_memory("last-good-reply")
    moves = sequence((0, 5), (1, 6), (2, 7))
    replies.learn_replies(memory, run[0], moves, np.array([0.4, 0.8, 0.5, 0.3]))
    assert reply_to(memory, run, sequence((0, 5)), 1) == 6
    assert reply_to(memory, run, sequence((0, 5), (1, 6)), 2) == -1
    assert reply_to(memory, run, NO_MOVES, 0) == -1
    assert reply_to(memory, run, sequence((0, 5)), 2) == -1
    replies.learn_replies(memory, run[0], sequence((0, 5), (1, 9)), np.array([0.4, 0.8, 0.5, 0.3]))
    assert reply_to(memory, run, sequence((0, 5)), 1) == 9


@pytest.mark.parametrize(("forgetting", "left"), [(1.0, -1), (0.0, 6)])
def test_a_reply_that_loses_is_forgotten_if_one_likes(forgetting: float, left: int) -> None:
    memory, run = new_memory("last-good-reply", parameter=forgetting)
    moves = sequence((0, 5), (1, 6))
    replies.learn_replies(memory, run[0], moves, np.full(SEATS, 0.8))
    replies.learn_replies(memory, run[0], sequence((0, 5), (1, 7)), np.full(SEATS, 0.2))
    assert reply_to(memory, run, sequence((0, 5)), 1) == 6
    replies.learn_replies(memory, run[0], moves, np.full(SEATS, 0.2))
    assert reply_to(memory, run, sequence((0, 5)), 1) == left


def test_rewards_below_zero_lose() -> None:
    assert replies.has_won(0.25, REWARDS["sd"])
    assert not replies.has_won(0.0, REWARDS["wl"])
    assert not replies.has_won(0.25, REWARDS["pwl"])


# --- Hearts by rules of thumb -----------------------------------------------------------------------------------------


def ruled(state: fd.State, seed: int = 0) -> str:
    """The card that rules of thumb play."""
    return text(rule_card(state.data[0], stream(seed)))


@pytest.mark.parametrize("game", ["hearts", "hearts32", "hearts:passing=hold,early_end=true"])
def test_rules_of_thumb_are_legal_everywhere(game: str) -> None:
    for seed in range(40):
        state = fd.load(game).deal(seed)
        rng = stream(seed)
        while not state.over:
            card = rule_card(state.data[0], rng)
            assert card in state.legal
            state.play(card if seed % 2 else state.legal[draw(rng, len(state.legal))])


def test_it_ducks_with_the_highest_card_that_ducks() -> None:
    state = play(late("hearts", ["T.2.-.-", "J3.-.-.-", "K9.-.-.-", "A.-.-.4"]), "TC")
    assert ruled(state) == "3C"
    play(state, "JC")
    assert ruled(state) == "9C"


def test_the_last_hand_takes_a_trick_without_points_with_its_highest_card() -> None:
    assert ruled(play(late("hearts", ["T.2.-.-", "J3.-.-.-", "K9.-.-.-", "A5.-.-.-"]), "TC JC 9C")) == "AC"
    assert ruled(play(late("hearts", ["T.2.-.-", "3.4.-.-", "-.-.-.42", "A5.-.-.-"]), "TC 3C 4H")) == "5C"


def test_a_void_hand_gets_rid_of_the_queen_then_of_what_catches_her_then_of_hearts() -> None:
    led = "T4.2.-.-"
    assert ruled(play(late("hearts", [led, "-.A.Q.A", "32.-.K.-", "-.KQ.-.2"]), "TC")) == "QS"
    assert ruled(play(late("hearts", [led, "-.A.K.A", "32.-.Q.-", "-.KQ.-.2"]), "TC")) == "KS"
    assert ruled(play(late("hearts", [led, "-.A.K.J", "32.-.2.-", "-.KQ.-.2"]), "TC")) == "JH"
    assert ruled(play(late("hearts", [led, "-.93.J.-", "32.-.2.-", "-.KQ.-.2"]), "TC")) == "JS"


def test_the_queen_goes_under_the_king() -> None:
    assert ruled(play(late("hearts", ["-.2.K.-", "-.-.QJ.-", "-.-.32.-", "-.-.54.-"]), "KS")) == "QS"


def test_nobody_leads_high_spades_into_the_queen() -> None:
    hands = ["-.Q.A.-", "-.J.Q.-", "-.2.2.-", "-.3.3.-"]
    assert ruled(late("hearts", hands)) == "QD"
    assert ruled(late("hearts", ["-.-.A4.-", *hands[1:]])) == "4S"


def test_a_low_card_that_others_must_beat_is_led() -> None:
    assert {ruled(late("hearts", ["2.9.-.-", "3.8.-.-", "4.7.-.-", "5.T.-.-"]), seed) for seed in range(8)} == {"2C"}


def test_equal_leads_are_chosen_at_random() -> None:
    state = late("hearts", ["2.2.-.-", "3.8.-.-", "4.7.-.-", "5.T.-.-"])
    assert {ruled(state, seed) for seed in range(20)} == {"2C", "2D"}


def test_points_are_kept_from_a_seat_that_may_shoot_the_moon() -> None:
    hands = ["-.-.-.T9", "-.-.-.J3", "-.-.-.42", "-.-.-.65"]
    assert ruled(play(late("hearts", hands), "TH")) == "3H"
    assert ruled(play(late("hearts", hands, points=(18, 0, 0, 0)), "TH")) == "JH"
    assert ruled(play(late("hearts", hands, points=(17, 0, 0, 1)), "TH")) == "3H"
    void = ["T.-.-.9", "-.8.-.J", "4.-.-.2", "5.-.-.6"]
    assert ruled(play(late("hearts", void), "TC")) == "JH"
    assert ruled(play(late("hearts", void, points=(22, 0, 0, 0)), "TC")) == "8D"


def test_rules_of_thumb_beat_chance() -> None:
    total = np.zeros(4)
    for seed in range(200):
        state = fd.load("hearts:passing=hold").deal(seed)
        rng = stream(seed)
        while not state.over:
            chance = state.legal[draw(rng, len(state.legal))]
            state.play(rule_card(state.data[0], rng) if state.seat == seed % 4 else chance)
        total += np.roll(state.scores, -(seed % 4))
    assert total[0] < 0.5 * total[1:].mean()


def test_an_unseen_hand_does_not_matter_to_the_rules_of_thumb() -> None:
    for seed in range(20):
        state = fd.load("hearts:passing=hold").deal(seed)
        rng = stream(seed)
        while not state.over:
            view = state.view(state.seat or 0)
            assert rule_card(view.data[0], stream(seed)) == rule_card(state.data[0], stream(seed))
            state.play(state.legal[draw(rng, len(state.legal))])


# --- Searches ---------------------------------------------------------------------------------------------------------

ENOUGH = 300 if COMPILED else 20  # iterations
CASES: list[tuple[str, dict[str, Any]]] = [
    ("uniform", {}),
    *(("mast", {"policy": policy}) for policy in ngrams.KINDS),
    *(("nast", {"length": length}) for length in (2, 3, 4)),
    ("last-good-reply", {}),
    ("rules", {}),
    ("rules", {"parameter": 0.3}),
]


def settings(name: str, reward: str = "points", **options: Any) -> Settings:
    factory, figures = PLAYOUTS[name](**options)
    return Settings(exploration=0.4, reward=REWARDS[reward], playout=factory, figures=figures)


def advanced(search: Search, iterations: int) -> Search:
    """The search after so many iterations."""
    search.advance(iterations, iterations)
    return search


def test_a_view_knows_how_many_moves_are_left() -> None:
    state = fd.load("hearts:passing=hold").deal(3)
    assert moves_left_in(state.view(0).data) == moves_left_in(state.data) == 52


def found(name: str, iterations: int, game: str = "hearts:passing=hold", **options: Any) -> list[list[float]]:
    """The arms of a search, in figures."""
    state = fd.load(game).deal(3)
    while len(state.legal) < 2:
        state.play(state.legal[0])
    view = state.view(state.seat or 0)
    search = TreeSearch(view, settings(name, **options), fresh(view.data, view.seat, view.unseen()), stream(1))
    return [[arm.action, arm.visits, arm.available, arm.reward] for arm in advanced(search, iterations).arms()]


@pytest.mark.parametrize(("name", "options"), CASES)
@pytest.mark.parametrize("game", ["hearts", "hearts32"])
def test_searches_repeat_themselves(name: str, options: dict[str, Any], game: str) -> None:
    first = found(name, ENOUGH, game, **options)
    assert sum(arm[1] for arm in first) == ENOUGH
    assert first == found(name, ENOUGH, game, **options)


@pytest.mark.skipif(not COMPILED, reason="takes more iterations than an interpreted search can make")
def test_each_policy_searches_in_its_own_way() -> None:
    results = [str(found(name, ENOUGH, **options)) for name, options in CASES]
    assert len(set(results)) == len(results)


@pytest.mark.parametrize("name", ["nast", "last-good-reply", "rules"])
def test_every_tree_takes_every_policy(name: str) -> None:
    state = fd.load("hearts32").deal(3)
    view = state.view(state.seat or 0)
    searches: list[Search] = [
        TreesSearch(view, settings(name), fresh(view.data, view.seat, view.unseen()), stream(1)),
        GraphSearch(view, settings(name), fixed(view.sample_many(20, stream(2))), stream(1)),
    ]
    for search in searches:
        assert sum(arm.visits for arm in advanced(search, ENOUGH).arms()) == ENOUGH


def printed(script: str, **environment: str) -> Any:
    """What a script prints as JSON, in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_interpreted_searches_find_the_same() -> None:
    assert COMPILED
    script = "import json, test_playouts as t; print(json.dumps([t.found(name, 8, **options) for name, options in t.CASES]))"
    expected = [found(name, 8, **options) for name, options in CASES]
    assert printed(script, NUMBA_DISABLE_JIT="1") == expected


# --- Names ------------------------------------------------------------------------------------------------------------


def test_policies_say_which_special_questions_they_ask() -> None:
    assert {name: playout.asks for name, playout in PLAYOUTS.items()} == {
        "uniform": (),
        "mast": ("moves_left",),
        "nast": ("moves_left",),
        "epic": ("moves_left", "turns"),
        "last-good-reply": ("moves_left",),
        "rules": ("choose:expert",),
        "reduced": ("choose:reduced",),
    }


def test_the_text_names_the_defaults() -> None:
    for policy, parameter in (("gibbs", 1.0), ("epsilon-greedy", 0.2), ("ucb1", 0.7)):
        assert PLAYOUTS["mast"](length=3, policy=policy)[1] == {
            "ngram": 1,
            "policy": ngrams.KINDS[policy],
            "parameter": parameter,
        }


def test_options_out_of_range_are_refused() -> None:
    for options in ({"length": 5}, {"length": 0}, {"policy": "gibbs", "parameter": 0.0}, {"parameter": 1.1}):
        with pytest.raises(BadOption):
            PLAYOUTS["nast"](**options)
    with pytest.raises(UnknownName, match="softmax"):
        PLAYOUTS["nast"](policy="softmax")
