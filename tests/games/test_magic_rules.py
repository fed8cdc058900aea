"""The rules of Magic, one sentence each."""

import pytest

import facedown as fd
from magic_boards import board, legal, play


def test_a_game_begins_with_seven_cards_and_twenty_life_and_no_draw_for_the_first_player() -> None:
    facts = fd.load("magic").deal(seed=1).facts
    assert (facts["hand_sizes"], facts["libraries"], facts["life"]) == ([7, 7], [33, 33], [20, 20])
    assert (facts["phase"], facts["to_move"], facts["lands"]) == ("main", 0, [0, 0])
    assert fd.load("magic:first_draw=true").deal(seed=1).facts["hand_sizes"] == [8, 7]


def test_the_deck_has_17_lands_and_23_creatures() -> None:
    facts = fd.load("magic").deal(seed=1).facts
    for seat in range(2):
        deck = facts["hands"][seat] + facts["library"][seat]
        assert len(deck) == 40
        assert deck.count("land") == 17
        assert (deck.count("1/1 for 1"), deck.count("2/2 for 2"), deck.count("6/6 for 7")) == (2, 3, 1)


def test_the_second_player_draws_in_the_first_turn() -> None:
    state = play(fd.load("magic").deal(seed=1), "done")
    assert state.facts["hand_sizes"] == [7, 8]


def test_one_land_a_turn() -> None:
    state = play(board(hand="land, land"), "land")
    assert legal(state) == "done"
    assert state.facts["lands"] == [1, 0]
    with pytest.raises(fd.IllegalMove, match="one land a turn, and it has been played"):
        state.play("land")


def test_creatures_cost_lands_and_all_of_a_turn_together_at_most_the_lands_in_play() -> None:
    state = board(hand="2/2 for 2, 2/2 for 2, 3/2 for 3, land", lands=3)
    assert legal(state) == "land, 3/2 for 3, 2/2 for 2, done"
    play(state, "2/2 for 2")
    assert legal(state) == "land, done"
    play(state, "land")  # a land that comes into play pays at once
    assert legal(state) == "2/2 for 2, done"
    play(state, "2/2 for 2")
    assert state.facts["creatures"] == [["2/2", "2/2"], []]
    with pytest.raises(fd.IllegalMove, match="it costs 3, and there is 0 mana left"):
        state.play("3/2 for 3")


def test_identical_cards_are_one_action() -> None:
    assert legal(board(hand="land, land, 1/1 for 1, 1/1 for 1", lands=1)) == "land, 1/1 for 1, done"


def test_each_creature_attacks_or_is_held_the_strongest_first() -> None:
    state = board("2/2, 3/3, 3/2, 3/3")
    asked = []
    while state.facts["phase"] == "attack":
        asked.append(legal(state))
        state.play(state.legal[1])
    assert asked == ["attack 3/3, hold 3/3", "attack 3/3, hold 3/3", "attack 3/2, hold 3/2", "attack 2/2, hold 2/2"]


def test_attackers_tap_and_cannot_block_until_they_untap() -> None:
    state = play(board("3/3, 2/2", "4/4"), "attack 3/3, hold 2/2, no block 4/4, done")
    assert state.facts["creatures"] == [["3/3 tapped", "2/2"], ["4/4"]]
    play(state, "attack 4/4")
    assert legal(state) == "block 4/4 by 2/2, no block 2/2"
    play(state, "no block 2/2, done")
    assert state.facts["creatures"][0] == ["3/3", "2/2"]
    assert state.facts["creatures"][1] == ["4/4 tapped"]


def test_nobody_is_asked_to_block_without_an_attack_or_without_untapped_creatures() -> None:
    assert play(board("3/3", "4/4"), "hold 3/3").facts["phase"] == "main"
    state = play(board("3/3", "4/4 t"), "attack 3/3")
    assert (state.facts["phase"], state.facts["life"]) == ("main", [20, 17])


def test_attackers_that_nobody_blocks_take_life() -> None:
    state = play(board("5/5, 2/2", "1/1"), "attack 5/5, attack 2/2, block 2/2 by 1/1")
    assert state.facts["life"] == [20, 15]
    assert state.facts["creatures"] == [["5/5 tapped", "2/2 tapped"], []]


def test_at_zero_life_the_game_is_lost() -> None:
    state = play(board("5/5", "", life=(20, 5)), "attack 5/5")
    assert (state.over, state.scores, state.facts["winner"]) == (True, [1, 0], 0)
    assert play(board("5/5", "", life=(20, 6)), "attack 5/5").scores == [0.5, 0.5]


def test_any_number_may_block_the_same_attacker_and_their_power_counts_together() -> None:
    state = play(board("5/5", "2/2, 2/2, 1/1"), "attack 5/5, block 5/5 by 2/2, block 5/5 by 2/2, block 5/5 by 1/1")
    assert state.facts["creatures"] == [[], []]  # all of them die: 5 damage is enough for 2, 2 and 1
    assert state.facts["dead"] == [["5/5"], ["2/2", "2/2", "1/1"]]


def test_attackers_that_look_alike_are_told_apart_by_numbers() -> None:
    state = play(board("3/3, 3/3, 2/2", "4/4, 1/1"), "attack 3/3, attack 3/3, attack 2/2")
    assert legal(state) == "block 3/3 by 4/4, block 3/3 #2 by 4/4, block 2/2 by 4/4, no block 4/4"
    play(state, "block 3/3 #2 by 4/4")
    assert state.facts["creatures"] == [["3/3 attacks", "3/3 #2 attacks", "2/2 attacks"], ["4/4 blocks 3/3 #2", "1/1"]]
    play(state, "no block 1/1")
    assert state.facts["life"] == [20, 15]
    assert state.facts["creatures"] == [["3/3 tapped", "2/2 tapped"], ["4/4", "1/1"]]


@pytest.mark.parametrize(
    ("attacker", "blockers", "dead"),
    [
        ("3/3", "3/2, 2/2", ["3/2"]),  # the one that costs more
        ("4/4", "3/3, 2/2, 2/2", ["2/2", "2/2"]),  # equal costs in all: the greater number
        ("2/3", "3/2, 2/3", ["3/2"]),  # only one can be killed
        ("2/2", "2/3, 2/4", []),  # none
        ("6/6", "5/5, 3/2, 3/3, 2/1", ["3/3", "3/2", "2/1"]),  # 9 of cost against 8
        ("5/3", "3/3, 3/2, 2/3", ["3/3", "3/2"]),
    ],
)
def test_damage_kills_the_blockers_that_cost_most_together(attacker: str, blockers: str, dead: list[str]) -> None:
    state = play(board(attacker, blockers), f"attack {attacker}")
    while state.facts["phase"] == "block":
        state.play(state.legal[0])
    assert state.facts["dead"][1] == dead


def test_who_cannot_draw_has_lost() -> None:
    state = board()
    state.record.library[1] = -1
    state.record.in_library[1] = 0
    state.play("done")
    assert (state.over, state.scores) == (True, [1, 0])


def test_a_creature_that_comes_into_play_blocks_next_turn_and_attacks_the_turn_after() -> None:
    state = play(board("", "4/4", hand="2/2 for 2", lands=2), "2/2 for 2, done, attack 4/4")
    assert legal(state) == "block 4/4 by 2/2, no block 2/2"
    play(state, "no block 2/2, done")
    assert legal(state) == "attack 2/2, hold 2/2"


@pytest.mark.parametrize(
    ("played", "action", "reason"),
    [
        ("attack 3/3, hold 2/2, no block 4/4", "attack 3/3", "3/3 is tapped: it has attacked"),
        ("attack 3/3, hold 2/2, no block 4/4", "attack 2/2", "creatures attack before cards are played"),
        ("attack 3/3", "attack 3/3", "3/3 has been asked; the question is does 2/2 attack"),
        ("", "attack 2/2", "2/2 is not the creature asked; the question is does 3/3 attack"),
        ("", "hold 6/6", "there is no 6/6 in play on this side"),
        ("", "land", "cards are played after combat; the question is does 3/3 attack"),
        ("", "block 3/3 by 4/4", "there is no attack to block; the question is does 3/3 attack"),
        ("attack 3/3, hold 2/2", "attack 3/3", "the attack has been declared, and this seat blocks"),
        ("attack 3/3, hold 2/2", "block 2/2 by 4/4", "no such creature attacks; the question is whom does 4/4 block"),
        ("attack 3/3, hold 2/2", "no block 2/4", "2/4 is tapped; the question is whom does 4/4 block"),
        ("attack 3/3, hold 2/2", "no block 1/1", "1/1 is not the creature asked; the question is whom does 4/4 block"),
        ("attack 3/3, hold 2/2, block 3/3 by 4/4", "block 3/3 by 4/4", "4/4 is already blocking; the question is whom does"),
        ("attack 3/3, hold 2/2, no block 4/4", "6/6 for 7", "that card is not in the hand"),
        ("attack 3/3, hold 2/2, no block 4/4", "2/1 for 2", "it costs 2, and there is 1 mana left"),
    ],
)
def test_what_the_rules_forbid_is_refused_in_words_and_nothing_changes(played: str, action: str, reason: str) -> None:
    other = "4/4, 2/4 t, 1/1" if "1/1" in action or "already" in reason else "4/4, 2/4 t"
    state = play(board("3/3, 2/2", other, hand="2/1 for 2", lands=1), played)
    before, history = state.data.tobytes(), state.history
    with pytest.raises(fd.IllegalMove) as error:
        state.play(action)
    assert reason in str(error.value)
    assert (state.data.tobytes(), state.history) == (before, history)
    with pytest.raises(fd.IllegalMove, match="there is no such action"):
        state.play(9999)
