"""The rule players of Magic: Algorithms 1 to 3 branch by branch, on boards worked out by hand, with their line numbers."""

from collections import Counter

import numpy as np
import pytest

import facedown as fd
from facedown import rules
from facedown.games.magic.plans import PRINTED
from facedown.kernel import COMPILED, copied
from facedown.rng import stream
from facedown.stats import chi_squared
from magic_boards import answers, board, play
from playing import play_by_questions

BOTH = (rules.EXPERT, PRINTED)
ODD = "magic:deck=20xland+10x3/2for1+5x4/2for4+5x2/2for2"


def attack(own: str, other: str, style: int = rules.EXPERT, **more: object) -> str:
    """The attackers that the expert chooses."""
    given = answers(board(own, other, **more), style)  # type: ignore[arg-type]
    return ", ".join(text.removeprefix("attack ") for text in given.split(", ") if text.startswith("attack"))


def block(attackers: str, blockers: str, life: int = 20, style: int = rules.EXPERT) -> str:
    """The blocks by which the expert meets an attack of all."""
    state = board(attackers, blockers, life=(20, life))
    while state.facts["phase"] == "attack":
        state.play(state.legal[0])
    return answers(state, style)


# --- Algorithm 1 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", BOTH)
def test_all_attack_where_nobody_can_block(style: int) -> None:  # line 15
    assert attack("3/3, 1/1", "", style) == "3/3, 1/1"
    assert attack("3/3, 1/1", "6/6 t", style) == "3/3, 1/1"


@pytest.mark.parametrize("style", BOTH)
def test_all_attack_where_there_are_too_few_blockers_to_prevent_the_end(style: int) -> None:  # line 16
    assert attack("2/2, 2/2, 1/1", "6/6", style, life=(20, 3)) == "2/2, 2/2, 1/1"
    assert attack("2/2, 2/2, 1/1", "6/6", style, life=(20, 4)) == ""


@pytest.mark.parametrize("style", BOTH)
def test_nobody_attacks_who_is_needed_as_a_blocker(style: int) -> None:  # line 17
    assert attack("3/3", "2/1", style, life=(2, 20)) == ""
    assert attack("3/3", "2/1", style, life=(3, 20)) == "3/3"
    assert attack("3/3", "2/1", style, life=(2, 20), hand="1/1 for 1", lands=1) == "3/3"  # a new creature blocks instead
    assert attack("3/3", "2/1", style, life=(2, 20), hand="1/1 for 1, land") == "3/3"  # paid by the land in hand
    assert attack("3/3", "2/1", style, life=(2, 20), hand="2/2 for 2", lands=1) == ""


@pytest.mark.parametrize("style", BOTH)
def test_all_attack_where_the_next_turn_is_lost_anyway(style: int) -> None:  # line 18
    assert attack("1/1", "5/5, 5/5, 6/6", rules.EXPERT, life=(4, 20)) == "1/1"
    assert attack("1/1", "5/5, 5/5, 6/6", style, life=(10, 20)) == "1/1"


def test_an_attacker_is_held_that_blockers_kill_without_a_loss() -> None:  # line 24
    assert attack("3/3", "2/4") == "3/3"
    assert attack("3/3", "2/4, 2/4", game="magic:deck=17xland+13x3/3for4+10x2/4for4") == ""
    assert attack("3/3", "4/4") == ""


def test_an_attacker_is_held_that_blockers_kill_for_one_cheaper_creature() -> None:  # lines 25 and 26
    assert attack("5/5", "5/3") == ""
    assert attack("3/3", "3/2") == ""
    assert attack("3/3", "3/3") == "3/3"  # as dear as itself
    assert attack("3/3", "2/4, 1/3") == ""  # the 2/4 lives
    assert attack("3/3", "2/3, 1/3") == "3/3"  # both would be within its reach


@pytest.mark.parametrize("style", BOTH)
def test_an_attacker_is_held_that_would_rather_block_and_kill_a_dearer_creature(style: int) -> None:  # line 27
    assert attack("3/2", "4/2", style, game=ODD) == ""
    assert attack("2/2", "4/2", style, game=ODD) == "2/2"  # its power does not exceed the toughness


def test_no_more_attack_than_can_be_spared() -> None:  # line 32
    assert attack("3/3, 3/3", "2/1", life=(2, 20)) == "3/3"


def test_blockers_needed_are_counted_from_the_strongest_by_the_prose_and_from_the_weakest_by_the_letter() -> None:  # line 8
    assert attack("3/3, 3/3, 3/3", "5/3, 1/1, 1/1", life=(6, 20)) == "3/3, 3/3"
    assert attack("3/3, 3/3, 3/3", "5/3, 1/1, 1/1", PRINTED, life=(6, 20)) == ""


# --- Algorithm 2 --------------------------------------------------------------------------------------------------------


def test_nobody_blocks_where_the_game_is_lost_anyway() -> None:  # line 16
    assert block("5/5, 5/5", "3/3", life=5) == "no block 3/3"


@pytest.mark.parametrize("style", BOTH)
def test_the_cheapest_group_blocks_that_kills_and_lives(style: int) -> None:  # line 24
    assert block("2/2", "3/3, 2/3", style=style) == "no block 3/3, block 2/2 by 2/3"
    assert block("1/3", "5/5, 2/2, 1/3", style=style) == "no block 5/5, block 1/3 by 2/2, block 1/3 by 1/3"


@pytest.mark.parametrize("style", BOTH)
def test_a_cheaper_creature_blocks_that_kills_and_dies(style: int) -> None:  # line 26
    assert block("3/3", "3/2", style=style) == "block 3/3 by 3/2"
    assert block("3/3", "3/3", style=style) == "no block 3/3"


def test_a_pair_blocks_that_kills_and_loses_one_cheaper_creature() -> None:  # line 28
    assert block("4/4", "2/3, 2/2") == "block 4/4 by 2/3, block 4/4 by 2/2"
    assert block("4/4", "2/2, 2/2") == "no block 2/2, no block 2/2"  # both would die
    assert block("4/4", "3/3, 2/3, 2/2, 1/3") == "no block 3/3, block 4/4 by 2/3, block 4/4 by 2/2, no block 1/3"


def test_a_pair_may_lose_as_dear_a_creature_by_the_letter_only() -> None:  # line 27
    assert block("2/2", "2/2, 1/1") == "no block 2/2, no block 1/1"
    assert block("2/2", "2/2, 1/1", style=PRINTED) == "block 2/2 by 2/2, block 2/2 by 1/1"


@pytest.mark.parametrize("style", BOTH)
def test_a_creature_blocks_that_neither_kills_nor_dies(style: int) -> None:  # line 30
    assert block("3/3", "2/4", style=style) == "block 3/3 by 2/4"


@pytest.mark.parametrize("style", BOTH)
def test_who_must_block_kills_at_any_price(style: int) -> None:  # line 32
    assert block("6/6", "3/3, 3/2, 1/1", life=6, style=style) == "block 6/6 by 3/3, block 6/6 by 3/2, no block 1/1"
    assert block("6/6", "3/3, 3/2, 1/1", life=7, style=style) == "no block 3/3, no block 3/2, no block 1/1"


@pytest.mark.parametrize("style", BOTH)
def test_who_must_block_and_cannot_kill_gives_up_the_cheapest(style: int) -> None:  # line 33
    assert block("6/6", "2/2, 1/1", life=6, style=style) == "no block 2/2, block 6/6 by 1/1"


def test_the_attackers_that_must_be_blocked_are_the_strongest() -> None:  # line 6
    assert block("5/5, 1/1, 1/1", "1/1", life=6) == "block 5/5 by 1/1"
    assert block("5/5, 1/1, 1/1", "1/1", life=6, style=PRINTED) == "no block 1/1"  # it counts three, and gives up


def test_the_strongest_attacker_is_met_first_and_a_blocker_blocks_once() -> None:
    assert block("3/3, 2/2", "4/4") == "block 3/3 by 4/4"


# --- Algorithm 3, and the reduced player --------------------------------------------------------------------------------


@pytest.mark.parametrize("style", BOTH)
def test_a_land_and_then_the_dearest_creatures_are_played(style: int) -> None:
    assert answers(board(hand="land, 2/2 for 2, 3/3 for 4, 1/1 for 1", lands=5), style) == "land, 3/3 for 4, 2/2 for 2, done"
    assert answers(board(hand="2/2 for 2, 4/4 for 5, 1/1 for 1", lands=4), style) == "2/2 for 2, 1/1 for 1, done"
    assert answers(board(hand="4/4 for 5", lands=4), style) == "done"


def test_the_reduced_player_plays_a_land_and_then_any_set_of_cards_that_nothing_can_be_added_to() -> None:
    state = board(hand="land, 2/2 for 2, 2/3 for 3, 3/3 for 4, 1/1 for 1", lands=4)
    found: Counter[tuple[str, ...]] = Counter()
    for seed in range(300):
        twin = copied(state.data)
        actions = np.empty(state.game.actions, np.int64)
        rng = stream(seed)
        cards: list[str] = []
        while not cards or cards[-1] != "done":
            action = int(rules.choose(twin[0], rules.REDUCED, actions, rng))
            cards.append(state.game.text(action))
            rules.apply(twin[0], action)
        assert cards[0] == "land"
        found[tuple(sorted(cards[1:-1]))] += 1
    assert set(found) == {
        ("2/2 for 2", "2/3 for 3"),
        ("1/1 for 1", "3/3 for 4"),
        ("1/1 for 1", "2/2 for 2"),
        ("1/1 for 1", "2/3 for 3"),
    }


def test_the_reduced_player_takes_every_attack_and_every_block_as_often() -> None:
    state = board("3/3, 2/2", "4/4, 1/1")
    actions = np.empty(state.game.actions, np.int64)
    rng = stream(1)
    draws = 3000 if COMPILED else 300
    for position in (state, play(state.copy(), "attack 3/3, attack 2/2")):
        found = Counter(int(rules.choose(position.record, rules.REDUCED, actions, rng)) for _ in range(draws))
        assert set(found) == set(position.legal)
        assert chi_squared(list(found.values())).p > 0.001


@pytest.mark.skipif(not COMPILED, reason="takes long when interpreted")
def test_whole_phases_by_chance_have_the_results_of_single_questions() -> None:
    state = fd.load("magic").deal(5)
    actions = np.empty(state.game.actions, np.int64)
    wins = np.zeros((2, 2))
    rng = stream(1)
    for number in range(8000):
        phases, questions = copied(state.data), copied(state.data)
        rules.play_out(phases[0], rules.REDUCED, actions, rng)
        if number % 4 == 0:
            play_by_questions(questions, actions, rng)
            wins[1, questions["winner"][0]] += 1
        wins[0, phases["winner"][0]] += 1
    assert chi_squared(wins).p > 0.001


# --- As agents ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="takes long when interpreted")
def test_the_expert_beats_the_reduced_player_and_that_one_the_random_one() -> None:
    result = fd.tournament("magic", ["expert", "reduced", "random"], deals=60, seed=1)
    assert [row.agent for row in result.standings] == ["expert", "reduced", "random"]


def test_the_same_view_and_seed_give_the_same_choice() -> None:
    for name in ("expert", "expert:printed=true", "reduced"):
        view = board("3/3, 2/2", "4/4, 1/1", hand="land, 2/2 for 2", lands=3).view(0)
        assert fd.agent(name, seed=3).choose(view) == fd.agent(name, seed=3).choose(view)


def test_rule_players_refuse_a_game_without_such_rules() -> None:
    with pytest.raises(
        fd.FacedownError, match="reduced asks 'choose' in the style 'reduced', which the game 'hearts' does not answer"
    ):
        fd.play("hearts", ["reduced", *["random"] * 3], seed=1)


def test_the_expert_plays_other_games_by_their_rules_of_thumb() -> None:
    record = fd.play("bisca", ["expert", "random"], seed=1)
    assert len(record.scores) == 2
