"""A game of a stranger's: the example, copied elsewhere under another name, is loaded by its path and played."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import contract
import facedown as fd
from facedown import cards
from facedown.games import GAMES
from facedown.kernel import COMPILED
from facedown.rng import stream
from facedown.search.ismcts import grow

EXAMPLE = Path(__file__).parent.parent / "examples" / "little_knaves.py"
SEATS, TRICKS = 3, 7
PACK = [rank + suit for suit in "CDSH" for rank in "9TJQKA"]
COSTS = {"JC": 2, "JD": 3, "JS": 1, "JH": 4}

compiled_only = pytest.mark.skipif(not COMPILED, reason="for compiled code: slow or pointless without")

Hands = list[list[str]]  # of the seats, and the widow last


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copy(EXAMPLE, tmp_path_factory.mktemp("stranger") / "somebodys_game.py"))


@pytest.fixture(scope="module")
def game(path: Path) -> fd.Game:
    return fd.load(f"{path}:GAME")


# --- The rules, once more and slowly ----------------------------------------------------------------------------------


def all_hands(state: fd.State) -> Hands:
    """The hands with the widow after them."""
    return [*state.hands, cards.texts_of(state.record.widow)]


def may_play(hand: list[str], led: str | None) -> list[str]:
    following = [card for card in hand if led and card[1] == led[1]]
    return following or hand


def replay(hands: Hands, actions: list[str], costs: dict[str, int] = COSTS) -> list[int] | None:
    """The scores after some actions from these hands; None if the rules forbid one of them."""
    left = [list(hand) for hand in hands]
    scores = [0] * SEATS
    leader = 0
    for start in range(0, len(actions), SEATS):
        trick = actions[start : start + SEATS]
        order = [(leader + place) % SEATS for place in range(SEATS)]
        for seat, card in zip(order, trick, strict=False):
            if card not in may_play(left[seat], trick[0] if seat != leader else None):
                return None
            left[seat].remove(card)
        if len(trick) == SEATS:
            best = max((card for card in trick if card[1] == trick[0][1]), key=lambda card: "9TJQKA".index(card[0]))
            leader = order[trick.index(best)]
            scores[leader] += 1 - sum(costs.get(card, 0) for card in trick)
    return scores


def positions(game: fd.Game, seed: int) -> Iterator[fd.State]:
    """The positions of a game of random play."""
    state = game.deal(seed)
    rng = np.random.default_rng(seed)
    yield state
    while not state.over:
        state.play(int(rng.choice(state.legal)))
        yield state


def texts(game: fd.Game, state: fd.State) -> list[str]:
    return [game.text(action) for _, action in state.history]


def test_every_seat_is_dealt_seven_cards_and_the_widow_three(game: fd.Game) -> None:
    for seed in range(50):
        hands = all_hands(game.deal(seed))
        assert [len(hand) for hand in hands] == [7, 7, 7, 3]
        assert sorted(chain(*hands)) == sorted(PACK)


def test_legal_cards_and_scores_are_those_of_the_rules_read_slowly(game: fd.Game) -> None:
    for seed in range(100):
        dealt = all_hands(game.deal(seed))
        for state in positions(game, seed):
            actions = texts(game, state)
            assert replay(dealt, actions) == state.scores
            if not state.over:
                led = actions[-(len(actions) % SEATS)] if len(actions) % SEATS else None
                seat = state.seat
                assert seat is not None
                assert [game.text(action) for action in state.legal] == may_play(state.hands[seat], led)
        assert len(actions) == SEATS * TRICKS


def test_rewards_keep_the_order_of_the_scores_and_stay_between_0_and_1(game: fd.Game) -> None:
    out = np.zeros(SEATS)
    for seed in range(100):
        *_, state = positions(game, seed)
        game.rules.answers["reward"](state.record, 0, out)
        assert all(0 <= reward <= 1 for reward in out)
        assert np.argsort(out, kind="stable").tolist() == np.argsort(state.scores, kind="stable").tolist()


def test_it_keeps_the_contract_of_all_games(game: fd.Game, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, game.name, f"{path}:GAME")  # as an entry point would: records are replayed by name
    contract.check(game, range(20 if COMPILED else 3), look=0.3)


# --- Play -------------------------------------------------------------------------------------------------------------


@compiled_only
def test_searching_beats_random_play(game: fd.Game) -> None:
    leads = []
    for seed in range(200):
        seat = seed % SEATS
        agents = ["random"] * SEATS
        agents[seat] = "ismcts:iterations=200"
        scores = fd.play(game, agents, seed=seed).scores
        leads.append(scores[seat] - (sum(scores) - scores[seat]) / (SEATS - 1))
    assert mean(leads) > 4 * stdev(leads) / len(leads) ** 0.5  # four standard errors ahead


def test_a_record_tells_the_whole_game(game: fd.Game) -> None:
    record = fd.play(game, ["ismcts:iterations=50", "uct:iterations=50", "random"], seed=3)
    assert record.scores == replay(all_hands(game.deal(3)), record.actions)
    assert fd.GameRecord.from_json(record.to_json()) == record


@compiled_only
def test_rules_and_search_are_compiled(game: fd.Game) -> None:
    fd.play(game, ["ismcts:iterations=10", "random", "random"], seed=0)
    for answer in game.rules.answers.values():
        assert hasattr(answer, "nopython_signatures"), f"{answer} is interpreted"
    mark = game.rules.state.names[-1] if game.rules.state.names else ""
    assert any(mark in str(signature) for signature in grow.nopython_signatures)  # type: ignore[attr-defined]


def test_two_games_with_equal_records_stay_apart(game: fd.Game, path: Path) -> None:
    other_path = path.with_name("another_game.py")
    other_path.write_text(path.read_text().replace("np.array([2, 3, 1, 4])", "np.array([0, 0, 0, 0])"))
    other = fd.load(f"{other_path}:GAME")
    for seed in range(20):
        record = fd.play(other, ["random"] * SEATS, seed=seed)
        dealt = all_hands(other.deal(seed))
        assert record.scores == replay(dealt, record.actions, costs={})
        assert sum(record.scores) == TRICKS
        record = fd.play(game, ["random"] * SEATS, seed=seed)
        assert record.scores == replay(dealt, record.actions)


def test_a_game_that_leaves_a_question_open_is_refused(game: fd.Game) -> None:
    answers = [answer for name, answer in game.rules.answers.items() if name in ("deal", "to_move")]
    with pytest.raises(fd.MissingAnswer, match=r"the game 'half' must answer 'apply': Play a legal action"):
        fd.register("half", np.dtype([("to_move", np.int8)]), answers)


# --- Worlds -----------------------------------------------------------------------------------------------------------


def possible_worlds(game: fd.Game, state: fd.State, seat: int) -> set[str]:
    """The worlds of a seat by brute force: all ways to deal the cards it cannot see from which the game could be played."""
    actions = texts(game, state)
    played: Hands = [[] for _ in range(SEATS + 1)]
    for (mover, _), card in zip(state.history, actions, strict=True):
        played[mover].append(card)
    own = state.hands[seat]
    unseen = [card for card in PACK if card not in own and card not in chain(*played)]
    first, second = (other for other in range(SEATS) if other != seat)
    worlds = set()
    for one in combinations(unseen, TRICKS - len(played[first])):
        rest = [card for card in unseen if card not in one]
        for two in combinations(rest, TRICKS - len(played[second])):
            held = {seat: own, first: list(one), second: list(two), SEATS: [card for card in rest if card not in two]}
            if replay([held[holder] + played[holder] for holder in range(SEATS + 1)], actions) is not None:
                worlds.add(world_text([held[holder] for holder in range(SEATS + 1)]))
    return worlds


def world_text(hands: Hands) -> str:
    return " | ".join(" ".join(sorted(hand)) for hand in hands)


def worlds_drawn(game: fd.Game, view: fd.View, count: int) -> Counter[str]:
    """How often each world came out."""
    records = view.sample_many(count, stream(11))
    hands = zip(records["hands"], records["widow"], strict=True)
    return Counter(world_text([cards.texts_of(hand) for hand in (*seats, widow)]) for seats, widow in hands)


def test_worlds_are_counted_as_brute_force_counts_them(game: fd.Game) -> None:
    counts = []
    for seed in range(6):
        for state in positions(game, seed):
            if len(state.history) in (13, 14, 17):
                for seat in range(SEATS):
                    worlds = possible_worlds(game, state, seat)
                    assert state.view(seat).worlds() == len(worlds)
                    counts.append(len(worlds))
    assert min(counts) < 20 < 500 < max(counts)  # with voids and without


def test_worlds_come_out_equally_often(game: fd.Game) -> None:
    state = next(state for state in positions(game, 5) if len(state.history) == 14)
    assert state.record.not_held.any()  # somebody has shown a void
    for seat in range(SEATS):
        worlds = possible_worlds(game, state, seat)
        drawn = worlds_drawn(game, state.view(seat), 40 * len(worlds))
        assert drawn.keys() == worlds
        assert chisquare(list(drawn.values())).pvalue > 0.001


# --- Compiled code is what the sources say ----------------------------------------------------------------------------

SCRIPT = """
import sys
import facedown as fd

game = fd.load("game.py:GAME")
for seed in range(3):
    print(fd.play(game, sys.argv[1:], seed=seed).to_json())
"""
PLAYERS = ("ismcts:iterations=60", "uct:iterations=30", "random")
ONE_SEARCH = ("ismcts:iterations=60", "random", "random")  # where each edit compiles what plays anew


def records_from(folder: Path, players: tuple[str, ...], **environment: str) -> list[dict[str, Any]]:
    """The records of three games that a new process plays by the rules in game.py."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *players],
        cwd=folder,
        env={**os.environ, "FACEDOWN_CACHE": str(folder / "cache"), **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_interpreted_and_compiled_play_the_same_games(game: fd.Game, tmp_path: Path) -> None:
    shutil.copy(EXAMPLE, tmp_path / "game.py")
    other_way = records_from(tmp_path, PLAYERS, NUMBA_DISABLE_JIT="1" if COMPILED else "0")
    for seed, record in enumerate(other_way):
        here = fd.play(game, PLAYERS, seed=seed)
        assert record == {**json.loads(here.to_json()), "game": "game.py:GAME"}


RULE = "HAND_SIZE = 7"
COST_LINE = "JACK_COST = np.array([2, 3, 1, 4])"


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """Games played by a file of rules and the module it imports: as first written, each edited in turn, and put back."""
    folder = tmp_path_factory.mktemp("edited")
    rules, costs = folder / "game.py", folder / "costs.py"
    source = EXAMPLE.read_text().replace(f"{COST_LINE}  # clubs", "from costs import JACK_COST  # clubs")
    assert RULE in source
    assert COST_LINE not in source

    def played(rule: str, cost_line: str, players: tuple[str, ...] = ONE_SEARCH) -> list[dict[str, Any]]:
        rules.write_text(source.replace(RULE, rule))
        costs.write_text(f"import numpy as np\n\n{cost_line}\n")
        return records_from(folder, players, NUMBA_DISABLE_JIT="0")

    found = {
        "first": played(RULE, COST_LINE),
        "rule edited": played("HAND_SIZE = 5", COST_LINE, ("random",) * 3),  # the other edit is for searches
        "helper edited": played(RULE, "JACK_COST = np.array([-2, -3, -1, -4])"),
    }
    compiled = set((folder / "cache").rglob("*.nbc"))
    found["put back"] = played(RULE, COST_LINE)
    assert compiled
    assert set((folder / "cache").rglob("*.nbc")) == compiled, "the first code should have been found again"
    return found


@compiled_only
def test_an_edited_rule_is_never_run_stale(edited: dict[str, list[dict[str, Any]]], game: fd.Game) -> None:
    assert [len(record["actions"]) for record in edited["first"]] == [21, 21, 21]
    assert [len(record["actions"]) for record in edited["rule edited"]] == [15, 15, 15]


@compiled_only
def test_an_edited_helper_of_a_game_is_never_run_stale(edited: dict[str, list[dict[str, Any]]], game: fd.Game) -> None:
    gains = {jack: -cost for jack, cost in COSTS.items()}
    for seed in range(3):
        dealt = all_hands(game.deal(seed))
        before, after = edited["first"][seed], edited["helper edited"][seed]
        assert before["scores"] == replay(dealt, before["actions"])
        assert after["scores"] == replay(dealt, after["actions"], gains)
        assert before["actions"] != after["actions"]  # the search, too, wants the jacks now


@compiled_only
def test_an_edit_undone_brings_the_old_games_back(edited: dict[str, list[dict[str, Any]]]) -> None:
    assert edited["put back"] == edited["first"]


def test_the_record_of_a_game_from_a_file_says_where_it_was_found() -> None:
    game = fd.load(f"{EXAMPLE}:GAME")
    record = fd.play(game, ["random"] * game.seats, seed=3)
    assert record.game == f"{EXAMPLE}:GAME"
    assert fd.load(record.game).full_name == game.full_name
    assert record.replay().scores == record.scores
