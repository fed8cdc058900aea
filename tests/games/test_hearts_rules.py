"""The rules of Hearts one by one, each as a sentence of the rulebook."""

import pytest

from facedown import IllegalMove, load
from positions import deal, late, legal, play

HOLD = "hearts:passing=hold"
ANY_LEAD = "hearts:passing=hold,lowest_club_leads=false"


# --- The deal and the passing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "cards", "lowest"), [("hearts", 13, "2"), ("hearts32", 8, "7")])
def test_all_cards_are_dealt_to_four_seats(game: str, cards: int, lowest: str) -> None:
    hands = load(game).deal(seed=5).hands
    assert [len(hand) for hand in hands] == [cards] * 4
    assert len({card for hand in hands for card in hand}) == 4 * cards
    assert min((card[0] for hand in hands for card in hand), key="23456789TJQKA".index) == lowest


@pytest.mark.parametrize(("direction", "seats_on"), [("left", 1), ("across", 2), ("right", 3)])
@pytest.mark.parametrize("game", ["hearts", "hearts32"])
def test_each_seat_passes_three_cards(game: str, direction: str, seats_on: int) -> None:
    state = load(game, passing=direction).deal(seed=3)
    before = state.hands
    chosen = [hand[seat : seat + 3] for seat, hand in enumerate(before)]
    for seat, cards in enumerate(chosen):
        for card in cards:
            assert state.seat == seat
            state.play(card)
    for seat in range(4):
        kept = set(before[seat]) - set(chosen[seat])
        assert set(state.hands[seat]) == kept | set(chosen[(seat - seats_on) % 4])
    assert state.facts["phase"] == "playing"


def test_the_first_deal_passes_left_when_the_passing_goes_round() -> None:
    assert load("hearts").deal(seed=1).facts["pass"] == "left"


def test_passing_may_be_agreed_or_not_in_words_or_as_true_and_false() -> None:
    assert load("hearts", passing=False).deal(seed=1).facts["pass"] == "hold"
    assert load("hearts32", passing=True).deal(seed=1).facts["pass"] == "left"
    assert load("hearts:passing=false").full_name == "hearts:passing=hold"
    assert load("hearts32:passing=false").full_name == "hearts32"


def test_a_card_is_passed_only_once() -> None:
    state = deal("hearts", {0: "2.AKQJT98765.Q.A"})
    play(state, "QS AH")
    assert legal(state) == "2C 5D 6D 7D 8D 9D TD JD QD KD AD"


def test_received_cards_are_not_picked_up_before_all_have_passed() -> None:
    state = deal("hearts", {0: "2.AKQJT98765.Q.A", 1: "AKQJT9876543.-.A.-"})
    play(state, "QS AH AD  AS AC KC")
    play(state, " ".join(state.hands[2][:3]))
    play(state, " ".join(state.hands[3][:2]))
    assert state.hands[1] == [rank + "C" for rank in "3456789TJQ"]
    assert state.facts["hand_sizes"] == [10, 10, 10, 11]
    state.play(state.legal[0])
    assert {"QS", "AH", "AD"} < set(state.hands[1])


def test_received_cards_may_not_be_passed_on() -> None:
    state = deal("hearts", {0: "2.AKQJT98765.Q.A"})
    play(state, "QS AH AD")
    assert not {"QS", "AH", "AD"} & set(legal(state).split())
    with pytest.raises(IllegalMove, match="QS is not legal for seat 1: that card is not in the hand"):
        state.play("QS")


def test_who_gets_the_two_of_clubs_by_passing_leads_it() -> None:
    state = deal("hearts", {0: "2.AKQJT98765.Q.A", 1: "AKQJT9876543.-.A.-"})
    play(state, "QS AH 2C  AS AC KC")
    for _ in range(6):
        state.play(state.legal[0])
    assert (state.seat, legal(state), state.facts["opener"]) == (1, "2C", 1)


# --- The first trick ----------------------------------------------------------------------------------------------------


def test_the_holder_of_the_two_of_clubs_leads_it_to_the_first_trick() -> None:
    state = deal(HOLD, {2: "2.AKQJT98765.Q.A"})
    assert (state.seat, legal(state)) == (2, "2C")


def test_with_32_cards_the_holder_of_the_seven_of_clubs_leads_any_card() -> None:
    state = deal("hearts32", {3: "7A.AK.Q.A98"})
    assert (state.seat, legal(state)) == (3, "7C AC KD AD QS 8H 9H AH")


def test_with_32_cards_it_may_be_agreed_that_the_seven_of_clubs_is_led() -> None:
    state = deal("hearts32:lowest_club_leads=true", {3: "7A.AK.Q.A98"})
    assert legal(state) == "7C"


def test_it_may_be_agreed_that_the_holder_of_the_two_of_clubs_leads_any_card() -> None:
    state = deal(ANY_LEAD + ",first_trick_points=true,break_hearts=false", {0: "2.KQJT98765.Q.A2"})
    assert legal(state) == "2C 5D 6D 7D 8D 9D TD JD QD KD QS 2H AH"


def test_a_void_hand_may_not_discard_points_on_the_first_trick() -> None:
    state = deal(HOLD, {0: "2.AKQJT98765.A.A", 1: "-.432.QJ.KQJT9876"})
    assert legal(play(state, "2C")) == "2D 3D 4D JS"


def test_a_hand_of_nothing_but_points_may_play_any_of_them_on_the_first_trick() -> None:
    state = deal(HOLD, {0: "2.AKQJT98765.A.A", 1: "-.-.Q.KQJT98765432"})
    assert legal(play(state, "2C")) == "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"


def test_a_hand_that_can_follow_must_do_so_on_the_first_trick() -> None:
    state = deal(HOLD, {0: "2.AKQJT98765.A.A", 1: "3.432.QJ.KQJT987"})
    assert legal(play(state, "2C")) == "3C"


def test_it_may_be_agreed_that_points_may_be_discarded_on_the_first_trick() -> None:
    state = deal(HOLD + ",first_trick_points=true", {0: "2.AKQJT98765.A.A", 1: "-.432.QJ.KQJT9876"})
    assert legal(play(state, "2C")) == "2D 3D 4D JS QS 6H 7H 8H 9H TH JH QH KH"


def test_points_may_be_discarded_from_the_second_trick_on() -> None:
    state = deal(HOLD, {0: "2A.AKQJT9876.A.A", 1: "-.432.QJ.KQJT9876", 2: "3.5.KT98765432.2"})
    assert legal(play(state, "2C 2D 3C 4C  5C AC")) == "3D 4D JS QS 6H 7H 8H 9H TH JH QH KH"


def test_with_32_cards_points_may_be_discarded_on_the_first_trick() -> None:
    state = deal("hearts32", {0: "7.AKQJT98.-.-", 1: "-.7.QJ.KQJT9"})
    assert legal(play(state, "7C")) == "7D JS QS 9H TH JH QH KH"


def test_points_may_not_be_led_to_the_first_trick_where_they_may_not_be_played() -> None:
    hands = {0: "2.KQJT98765.Q.A2"}
    assert legal(deal(ANY_LEAD, hands)) == "2C 5D 6D 7D 8D 9D TD JD QD KD"
    assert legal(deal(ANY_LEAD + ",break_hearts=false", hands)) == "2C 5D 6D 7D 8D 9D TD JD QD KD"


def test_the_queen_may_not_follow_suit_to_the_first_trick_while_another_spade_is_held() -> None:
    state = deal(ANY_LEAD, {0: "2.AKQJT98765.A.A", 1: "-.432.QJ9.KQJT987"})
    assert legal(play(state, "AS")) == "9S JS"


def test_the_queen_follows_suit_to_the_first_trick_if_it_is_the_only_spade() -> None:
    state = deal(ANY_LEAD, {0: "2.AKQJT98765.A.A", 1: "-.432.Q.KQJT98765"})
    assert legal(play(state, "AS")) == "QS"


# --- Following, and breaking hearts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["hearts", "hearts32"])
def test_the_suit_led_must_be_followed_if_possible(game: str) -> None:
    state = late(game, ["A.-.-.78", "79.-.Q.-", "8.78.-.-", "T.9T.-.-"])
    assert legal(play(state, "AC")) == "7C 9C"


@pytest.mark.parametrize("game", ["hearts", "hearts32"])
def test_a_seat_that_cannot_follow_may_play_any_card(game: str) -> None:
    state = late(game, ["A.-.-.78", "-.A.Q.K", "8.78.-.-", "T.9T.-.-"])
    assert legal(play(state, "AC")) == "AD QS KH"


@pytest.mark.parametrize("game", ["hearts", "hearts32"])
def test_play_goes_clockwise(game: str) -> None:
    state = late(game, ["A.-.-.-", "7.-.-.-", "8.-.-.-", "T.-.-.-"], leader=2)
    for seat in (2, 3, 0, 1):
        assert state.seat == seat
        state.play(state.legal[0])


def test_hearts_may_not_be_led_until_they_are_broken() -> None:
    state = late("hearts", ["A.-.Q.78", "79.-.-.9T", "8.789.-.-", "T.TJQ.-.-"], hearts_broken=False)
    assert legal(state) == "AC QS"
    with pytest.raises(
        IllegalMove, match="7H is not legal for seat 0: hearts have not been broken, and another suit is held"
    ):
        state.play("7H")


def test_hearts_may_be_led_when_nothing_else_is_held() -> None:
    state = late("hearts", ["-.-.-.78", "7.-.-.9", "8.7.-.-", "T.T.-.-"], hearts_broken=False)
    assert legal(state) == "7H 8H"
    assert play(state, "7H").facts["hearts_broken"]


def test_hearts_are_broken_by_a_heart_that_is_discarded() -> None:
    state = late("hearts", ["A3.-.-.7", "-.-.-.89T", "8.78.-.-", "T.TJ.-.-"], hearts_broken=False)
    play(state, "AC 8H 8C TC")
    assert legal(state) == "3C 7H"


def test_the_queen_of_spades_does_not_break_hearts() -> None:
    state = late("hearts", ["A3.-.-.7", "-.-.Q.89", "8.78.-.-", "T.TJ.-.-"], hearts_broken=False)
    play(state, "AC QS 8C TC")
    assert (legal(state), state.facts["hearts_broken"]) == ("3C", False)


def test_it_may_be_agreed_that_the_queen_of_spades_breaks_hearts() -> None:
    state = late("hearts:queen_breaks_hearts=true", ["A3.-.-.7", "-.-.Q.89", "8.78.-.-", "T.TJ.-.-"], hearts_broken=False)
    play(state, "AC QS 8C TC")
    assert (legal(state), state.facts["hearts_broken"]) == ("3C 7H", True)


def test_the_queen_of_spades_may_be_led_while_hearts_are_unbroken() -> None:
    state = late("hearts", ["-.-.Q.7", "-.-.K.8", "8.7.-.-", "T.T.-.-"], hearts_broken=False)
    assert legal(state) == "QS"


def test_it_may_be_agreed_that_hearts_need_not_be_broken() -> None:
    hands = {0: "2.AKQJT98765.A.A", 1: "A.234.2345.23456"}
    assert legal(play(deal(HOLD, hands), "2C AC 3C 8S")) == "2D 3D 4D 2S 3S 4S 5S"
    state = play(deal(HOLD + ",break_hearts=false", hands), "2C AC 3C 8S")
    assert legal(state) == "2D 3D 4D 2S 3S 4S 5S 2H 3H 4H 5H 6H"


def test_with_32_cards_it_may_be_agreed_that_hearts_must_be_broken() -> None:
    assert legal(deal("hearts32:break_hearts=true", {3: "7A.AK.Q.A98"})) == "7C AC KD AD QS"


# --- Tricks and points --------------------------------------------------------------------------------------------------

LAST_TRICK = ["A.-.-.-", "-.-.Q.-", "-.-.-.7", "-.-.-.8"]  # seat 0 leads and takes the queen and two hearts
LAST_TWO = ["AK.-.-.-", "-.7.Q.-", "-.8.-.7", "-.9.-.8"]
FIRST_OF_TWO = "AC QS 7H 8H"
GAMES = [("hearts", 13, 11), ("hearts32", 8, 6)]  # with the points of the queen, and of the hearts taken before


def test_the_highest_card_of_the_suit_led_takes_the_trick_and_its_player_leads() -> None:
    state = late("hearts", ["7.2.-.-", "-.K.A.-", "T.3.-.-", "8.4.-.-"])
    play(state, "7C AS TC 8C")
    assert (state.seat, state.facts["leader"], legal(state)) == (2, 2, "3D")


def test_an_ace_of_another_suit_takes_nothing() -> None:
    state = late("hearts", ["2.2.-.-", "-.A.A.-", "-.K.K.-", "-.Q.-.A"])
    assert play(state, "2C AS KS AH").seat == 0


@pytest.mark.parametrize(("game", "queen", "before"), GAMES)
def test_each_heart_scores_one_and_the_queen_as_much_as_all_hearts(game: str, queen: int, before: int) -> None:
    state = late(game, LAST_TRICK, points=(0, before, 0, 0))
    play(state, "AC QS 7H 8H")
    assert state.scores == [queen + 2, before, 0, 0]
    assert sum(state.scores) == 2 * queen


@pytest.mark.parametrize(("game", "queen", "before"), GAMES)
def test_who_takes_every_point_shoots_the_moon(game: str, queen: int, before: int) -> None:
    state = late(game, LAST_TRICK, points=(before, 0, 0, 0))
    assert play(state, "AC QS 7H 8H").scores == [0, 2 * queen, 2 * queen, 2 * queen]


@pytest.mark.parametrize(("game", "queen", "before"), GAMES)
def test_it_may_be_agreed_that_the_moon_counts_as_points(game: str, queen: int, before: int) -> None:
    state = late(game + ":moon=false", LAST_TRICK, points=(before, 0, 0, 0))
    assert play(state, "AC QS 7H 8H").scores == [2 * queen, 0, 0, 0]


@pytest.mark.parametrize(("game", "queen", "before"), GAMES)
def test_all_points_but_one_are_no_moon(game: str, queen: int, before: int) -> None:
    state = late(game, LAST_TRICK, points=(before - 1, 0, 0, 1))
    assert play(state, "AC QS 7H 8H").scores == [2 * queen - 1, 0, 0, 1]


@pytest.mark.parametrize(("game", "queen", "before"), GAMES)
def test_all_hearts_without_the_queen_are_no_moon(game: str, queen: int, before: int) -> None:
    state = late(game, ["A.-.-.-", "-.-.J.-", "-.-.-.7", "-.-.-.8"], points=(before, queen, 0, 0))
    assert play(state, "AC JS 7H 8H").scores == [queen, queen, 0, 0]


@pytest.mark.parametrize(("game", "clubs", "most"), [(HOLD, "23456789TJQKA", 26), ("hearts32", "789TJQKA", 16)])
def test_a_hand_of_all_clubs_shoots_the_moon(game: str, clubs: str, most: int) -> None:
    state = deal(game, {2: f"{clubs}.-.-.-"})
    for club in clubs:
        state.play(club + "C")
        for _ in range(3):
            state.play(state.legal[0])
        assert state.over == (club == "A")
    assert state.scores == [most, most, 0, most]


# --- The end of a deal and of a match -----------------------------------------------------------------------------------


def test_a_deal_lasts_until_all_cards_are_played() -> None:
    state = late("hearts", LAST_TWO, points=(0, 11, 0, 0))
    assert not play(state, FIRST_OF_TWO).over
    assert play(state, "KC 7D 8D 9D").over


def test_it_may_be_agreed_that_a_deal_ends_when_all_points_are_taken() -> None:
    state = late("hearts:early_end=true", LAST_TWO, points=(0, 11, 0, 0))
    assert not play(state, "AC QS 7H").over
    assert play(state, "8H").over
    assert state.scores == [15, 11, 0, 0]
    assert (state.seat, state.legal, state.hands[0]) == (None, [], ["KC"])


def test_the_moon_may_be_shot_before_the_last_trick() -> None:
    state = late("hearts:early_end=true", LAST_TWO, points=(11, 0, 0, 0))
    assert play(state, FIRST_OF_TWO).scores == [0, 26, 26, 26]


@pytest.mark.parametrize("game", ["hearts", "hearts32"])
def test_a_deal_that_ends_early_scores_as_if_it_were_played_on(game: str) -> None:
    ended_early = 0
    for seed in range(40):
        short, long = load(game, early_end=True, passing=False).deal(seed), load(game, passing=False).deal(seed)
        while not short.over:
            action = max(short.legal)
            short.play(action)
            long.play(action)
        ended_early += not long.over
        while not long.over:
            long.play(long.legal[0])
        assert short.scores == long.scores
    assert ended_early > 5


def test_a_game_is_a_single_deal_unless_a_match_is_agreed() -> None:
    state = late("hearts:passing=hold", LAST_TRICK, points=(0, 11, 0, 0))
    assert play(state, "AC QS 7H 8H").over
    assert (state.facts["deals_over"], state.facts["totals"]) == (1, [15, 11, 0, 0])


@pytest.mark.parametrize("before", [85, 86, 99])
def test_a_match_ends_when_a_seat_reaches_or_exceeds_the_limit(before: int) -> None:
    state = late("hearts:match=100", LAST_TRICK, points=(0, 11, 0, 0), totals=(before, 50, 20, 30))
    assert play(state, "AC QS 7H 8H").over
    assert state.scores == [before + 15, 61, 20, 30]


def test_a_match_goes_on_while_no_seat_has_reached_the_limit() -> None:
    state = late("hearts:passing=hold,match=100", LAST_TRICK, points=(0, 11, 0, 0), totals=(84, 50, 20, 30))
    assert not play(state, "AC QS 7H 8H").over
    assert state.scores == [99, 61, 20, 30]
    assert [len(hand) for hand in state.hands] == [13] * 4
    assert (state.facts["deals_over"], state.facts["points"]) == (1, [0, 0, 0, 0])


def test_a_moon_may_end_a_match_for_the_others() -> None:
    state = late("hearts32:match=75", LAST_TRICK, points=(6, 0, 0, 0), totals=(74, 59, 58, 59))
    assert play(state, "AC QS 7H 8H").over
    assert state.scores == [74, 75, 74, 75]


def test_the_fewest_points_win_and_equal_scores_are_a_tie() -> None:
    state = late("hearts:match=100", LAST_TRICK, points=(0, 11, 0, 0), totals=(90, 9, 20, 30))
    assert play(state, "AC QS 7H 8H").scores == [105, 20, 20, 30]
    assert state.game.lower_is_better


@pytest.mark.parametrize(
    ("passing", "expected"), [("cycle", ["left", "across", "right", "hold", "left", "across"]), ("right", ["right"] * 6)]
)
def test_the_direction_of_passing_changes_from_deal_to_deal(passing: str, expected: list[str]) -> None:
    state = load("hearts", passing=passing, match=400).deal(seed=2)
    directions = {0: state.facts["pass"]}
    while len(directions) < 6:
        state.play(state.legal[0])
        directions.setdefault(int(state.record.deals), state.facts["pass"] if state.record.tricks_played == 0 else "")
    assert list(directions.values()) == expected


def test_each_deal_of_a_match_has_other_cards() -> None:
    state = load("hearts32:match=75").deal(seed=1)
    first = state.hands
    while state.record.deals == 0:
        state.play(state.legal[0])
    assert state.hands != first


@pytest.mark.parametrize(("game", "totals"), [("hearts", (0, 0, 0, 0)), ("hearts:match=100", (10, 20, 30, 40))])
def test_scores_so_far_count_a_moon_that_is_certain(game: str, totals: tuple[int, ...]) -> None:
    state = late(game, LAST_TWO, points=(11, 0, 0, 0), totals=totals)
    scored = [before + points for before, points in zip(totals, [0, 26, 26, 26], strict=True)]
    assert play(state, FIRST_OF_TWO).scores == scored
