"""The rules of Sueca and Bisca one by one, each as a sentence of the rulebook."""

import numpy as np
import pytest

from facedown import load
from facedown.compiler.asking import write_rewards
from facedown.games.trumps.rules import has_poor_hand
from facedown.rewards import REWARDS
from positions import legal, play
from trump_positions import deal, late

# --- The deal -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats", "each", "stock"),
    [
        ("sueca", 4, 10, 0),
        ("bisca", 2, 9, 22),
        ("bisca:hand_size=7", 2, 7, 26),
        ("bisca:hand_size=3", 2, 3, 34),
        ("bisca:seats=4", 4, 9, 4),
        ("bisca:seats=4,hand_size=7", 4, 7, 12),
        ("bisca:seats=4,hand_size=3", 4, 3, 28),
    ],
)
def test_forty_cards_without_8_9_and_10_are_dealt(game: str, seats: int, each: int, stock: int) -> None:
    state = load(game).deal(seed=5)
    facts = state.facts
    assert (state.game.seats, [len(hand) for hand in state.hands]) == (seats, [each] * seats)
    assert len(facts["stock"]) == facts["stock_left"] == stock
    pack = {card for hand in state.hands for card in hand} | set(facts["stock"])
    assert pack == {rank + suit for rank in "A7KJQ65432" for suit in "CDSH"}


def test_in_sueca_the_dealer_shows_a_card_of_its_own_and_its_suit_is_trumps() -> None:
    for seed in range(20):
        state = load("sueca").deal(seed)
        facts = state.facts
        assert facts["shown"] in state.hands[3]
        assert (facts["trump"], facts["dealer"], facts["holds"]) == (facts["shown"][1], 3, [[], [], [], [facts["shown"]]])


@pytest.mark.parametrize(("game", "dealer"), [("bisca", 1), ("bisca:seats=4", 3)])
def test_in_bisca_the_last_card_of_the_stock_lies_face_up_and_names_trumps(game: str, dealer: int) -> None:
    for seed in range(20):
        facts = load(game).deal(seed).facts
        assert facts["stock"][-1] == facts["shown"]
        assert (facts["trump"], facts["dealer"], any(facts["holds"])) == (facts["shown"][1], dealer, False)


@pytest.mark.parametrize("game", ["sueca", "bisca", "bisca:seats=4"])
def test_the_seat_after_the_dealer_leads_any_card(game: str) -> None:
    state = load(game).deal(seed=3)
    assert (state.seat, sorted(legal(state).split())) == (0, sorted(state.hands[0]))


@pytest.mark.parametrize("shown", ["2C", "AH"])
def test_a_hand_is_sorted_by_suit_and_strength(shown: str) -> None:
    state = deal("sueca", {0: "KQJ.7A.23.456"}, shown)
    assert " ".join(state.hands[0]) == "QC JC KC 7D AD 2S 3S 4H 5H 6H"
    assert state.view(0).facts["hand"] == state.hands[0]


# --- Following ------------------------------------------------------------------------------------------------------------


def test_in_sueca_the_suit_led_must_be_followed_if_possible() -> None:
    state = deal("sueca", {0: "AK.23.23.2345", 1: "72.A7.A7.A7KJ"}, "6D")
    assert legal(play(state, "AC")) == "2C 7C"


def test_a_seat_that_cannot_follow_may_play_any_card_and_need_not_trump() -> None:
    state = deal("sueca", {0: "AK.23.23.2345", 1: "-.A74.A74.A7KJ"}, "6D")
    assert legal(play(state, "AC")) == "4D 7D AD 4S 7S AS 7H JH KH AH"


@pytest.mark.parametrize("game", ["bisca", "bisca:seats=4"])
def test_in_bisca_any_card_may_be_played_while_there_is_a_stock(game: str) -> None:
    state = deal(game, {0: "AK.2.2.23456", 1: "72.A7.A7.A7K"}, "6D")
    assert legal(play(state, "AC")) == "2C 7C 7D AD 7S AS 7H KH AH"


@pytest.mark.parametrize(("game", "others"), [("bisca", []), ("bisca:seats=4", ["3.3.-.-", "4.4.-.-"])])
def test_in_bisca_the_suit_led_must_be_followed_once_the_stock_is_gone(game: str, others: list[str]) -> None:
    state = late(game, ["A.-.2.-", "7.A.-.-", *others], trump="D")
    assert legal(play(state, "AC")) == "7C"


def test_in_bisca_the_suit_must_be_followed_from_the_first_trick_after_the_last_draw() -> None:
    state = load("bisca:hand_size=3").deal(seed=2)
    while state.facts["stock_left"]:
        assert legal(state).split() == sorted(state.hands[state.seat or 0], key=lambda card: state.game.parse(card))
        state.play(state.legal[0])
    assert state.facts["tricks_played"] == 17
    state.play(state.legal[0])
    led = state.facts["trick"][0]["card"][1]
    follows = [card for card in state.hands[state.seat or 0] if card[1] == led]
    assert sorted(legal(state).split()) == sorted(follows or state.hands[state.seat or 0])


# --- Tricks ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("higher", "lower"), [("A", "7"), ("7", "K"), ("K", "J"), ("J", "Q"), ("Q", "6"), ("6", "5"), ("5", "4"), ("3", "2")]
)
@pytest.mark.parametrize("trump", ["C", "D"])
def test_cards_rank_a_7_k_j_q_6_5_4_3_2(higher: str, lower: str, trump: str) -> None:
    state = late("bisca", [f"{lower}.-.6.-", f"{higher}.-.5.-"], trump=trump)
    assert play(state, f"{lower}C {higher}C").seat == 1
    state = late("bisca", [f"{higher}.-.6.-", f"{lower}.-.5.-"], trump=trump)
    assert play(state, f"{higher}C {lower}C").seat == 0


FOUR = ["6.-.-.2", "4.-.-.3", "A.-.-.4", "-.2.-.5"]  # the last has no club


def test_the_highest_card_of_the_suit_led_takes_the_trick_where_there_is_no_trump() -> None:
    state = play(late("sueca", FOUR, trump="S"), "6C 4C AC 2D")
    assert (state.seat, state.facts["leader"], state.facts["points"]) == (2, 2, [11, 0, 11, 0])


def test_any_trump_takes_the_trick_from_any_other_suit() -> None:
    assert play(late("sueca", FOUR, trump="D"), "6C 4C AC 2D").seat == 3


def test_the_highest_trump_takes_the_trick() -> None:
    hands = ["6.-.-.2", "-.3.-.3", "A.-.-.4", "-.2.-.5"]
    assert play(late("sueca", hands, trump="D"), "6C 3D AC 2D").seat == 1


def test_a_card_of_another_suit_that_is_no_trump_takes_nothing() -> None:
    assert play(late("bisca", ["2.-.-.2", "-.A.-.A"], trump="S"), "2C AD").seat == 0


def test_while_there_is_a_stock_a_seat_may_hold_the_suit_and_trump() -> None:
    state = deal("bisca", {0: "AK.2.2.23456", 1: "72.3.A7.A7KJ"}, "6D")
    play(state, "AC 3D")
    assert (state.seat, state.facts["points"]) == (1, [0, 11])


@pytest.mark.parametrize(("card", "points"), [("A", 11), ("7", 10), ("K", 4), ("J", 3), ("Q", 2), ("6", 0), ("2", 0)])
def test_each_card_taken_scores_its_points_for_the_side(card: str, points: int) -> None:
    state = late("sueca", ["3.-.-.2", f"{card}.-.-.3", "4.-.-.4", "5.-.-.5"], trump="C")
    play(state, f"3C {card}C 4C 5C")
    taker = state.seat or 0
    assert state.scores == [points if seat % 2 == taker % 2 else 0 for seat in range(4)]


@pytest.mark.parametrize("game", ["sueca", "bisca", "bisca:seats=4,hand_size=3"])
def test_a_deal_lasts_until_all_cards_are_played_and_gives_out_120_points(game: str) -> None:
    state = load(game).deal(seed=8)
    for _ in range(40):
        assert not state.over
        state.play(state.legal[-1])
    assert state.over
    assert state.scores[0] + state.scores[1] == 120


# --- Drawing --------------------------------------------------------------------------------------------------------------


def test_the_winner_of_a_trick_draws_first_and_leads() -> None:
    hands = {0: "AK.2.2.23456", 1: "72.3.A7.A7KJ"}
    won = play(deal("bisca", hands, "6D", stock="AD KD"), "AC 2C")
    assert (won.seat, "AD" in won.hands[0], "KD" in won.hands[1]) == (0, True, True)
    lost = play(deal("bisca", hands, "6D", stock="AD KD"), "AC 3D")
    assert (lost.seat, "AD" in lost.hands[1], "KD" in lost.hands[0]) == (1, True, True)


def test_with_four_seats_all_draw_in_turn_from_the_winner_on() -> None:
    state = deal(
        "bisca:seats=4,hand_size=3", {0: "2.-.-.23", 1: "3.-.-.45", 2: "A.-.-.67", 3: "4.-.-.QJ"}, "6D", "AD KD JD 7D"
    )
    play(state, "2C 3C AC 4C")
    assert ["AD" in state.hands[2], "KD" in state.hands[3], "JD" in state.hands[0], "7D" in state.hands[1]] == [True] * 4


@pytest.mark.parametrize("game", ["bisca", "bisca:hand_size=3", "bisca:seats=4", "bisca:seats=4,hand_size=7"])
def test_the_last_to_draw_takes_the_shown_trump_and_all_know_it(game: str) -> None:
    for seed in range(10):
        state = load(game).deal(seed)
        while state.facts["stock_left"]:
            before = state
            state = state.copy()
            state.play(state.legal[seed % len(state.legal)])
        assert before.facts["stock_left"] == state.game.seats
        last = (state.facts["leader"] - 1) % state.game.seats
        shown = state.facts["shown"]
        assert shown in state.hands[last]
        for seat in range(state.game.seats):
            assert shown in state.view(seat).facts["holds"][last]
            assert shown in state.view(seat).sample(seed).hands[last]


# --- Game points and matches ----------------------------------------------------------------------------------------------

LAST = ["A.-.-.-", "2.-.-.-", "3.-.-.-", "4.-.-.-"]  # 11 points for side 0


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ((49, 60), (0, 0)),
        ((48, 61), (0, 1)),
        ((50, 59), (1, 0)),
        ((79, 30), (1, 0)),
        ((80, 29), (2, 0)),
        ((108, 1), (2, 0)),
        ((109, 0), (4, 0)),
        ((19, 90), (0, 1)),
        ((18, 91), (0, 2)),
    ],
)
@pytest.mark.parametrize("game", ["sueca:match=20", "bisca:match=20,seats=4"])
def test_61_points_win_1_game_point_91_win_2_all_120_win_4_and_60_each_none(
    game: str, points: tuple[int, int], expected: tuple[int, int]
) -> None:
    state = late(game, LAST, trump="S", points=points, totals=(7, 8))
    play(state, "AC 2C 3C 4C")
    assert state.scores == [7 + expected[0], 8 + expected[1]] * 2
    assert state.facts["deals_over"] == 1


def test_a_game_is_a_single_deal_scored_in_card_points_unless_a_match_is_agreed() -> None:
    state = play(late("sueca", LAST, trump="S", points=(49, 60)), "AC 2C 3C 4C")
    assert (state.over, state.scores) == (True, [60, 60, 60, 60])


@pytest.mark.parametrize("totals", [(9, 0), (9, 9), (6, 9)])
def test_a_match_ends_when_a_side_reaches_the_limit(totals: tuple[int, int]) -> None:
    state = late("sueca:match=10", LAST, trump="S", points=(109, 0), totals=totals)
    assert play(state, "AC 2C 3C 4C").over
    assert state.scores == [totals[0] + 4, totals[1]] * 2


def test_who_forfeits_has_nothing_and_the_others_have_all() -> None:
    assert load("sueca").forfeit_scores == load("bisca").forfeit_scores == (0, 120)
    assert load("sueca:match=10").forfeit_scores == (0, 10)


def test_a_match_goes_on_while_no_side_has_reached_the_limit() -> None:
    state = late("sueca:match=10", LAST, trump="S", points=(80, 29), totals=(7, 9))
    assert not play(state, "AC 2C 3C 4C").over
    assert state.scores == [9, 9, 9, 9]
    assert (state.facts["points"], [len(hand) for hand in state.hands]) == ([0] * 4, [10] * 4)


@pytest.mark.parametrize(("game", "seats"), [("sueca:match=10", 4), ("bisca:match=10", 2), ("bisca:match=10,seats=4", 4)])
def test_the_dealer_goes_round_in_a_match_and_the_next_seat_leads(game: str, seats: int) -> None:
    state = load(game).deal(seed=1)
    deals = 0
    while not state.over:
        if not state.facts["tricks_played"] and not state.facts["trick"]:
            assert (state.facts["dealer"], state.seat) == ((deals - 1) % seats, deals % seats)
            holder = state.facts["holds"].index([state.facts["shown"]]) if "sueca" in game else None
            assert holder == ((deals - 1) % 4 if "sueca" in game else None)
            deals += 1
        state.play(state.legal[0])
    assert deals == state.facts["deals_over"] > 3


# --- Mandar abaixo --------------------------------------------------------------------------------------------------------

POOR = "23456.KJQ.23.-"  # 9 points


def test_a_hand_with_fewer_than_10_points_and_no_trump_is_dealt_anew_where_agreed() -> None:
    found = 0
    for seed in range(600):
        facts = load("sueca").deal(seed).facts
        for hand in facts["hands"]:
            values = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}
            if sum(values.get(card[0], 0) for card in hand) < 10 and all(card[1] != facts["trump"] for card in hand):
                found += 1
                assert load("sueca:mandar_abaixo=true").deal(seed).hands != facts["hands"]
    assert found


@pytest.mark.parametrize(
    ("hand", "shown", "poor"),
    [
        (POOR, "AS", False),  # it has trumps
        ("23456.KJQ4.3.-", "AS", False),  # one is enough
        ("23456.KJQ45.-.-", "AS", True),
        ("23456.KQ3.J4.-", "AH", True),
        ("23456.K3.KQ4.-", "AH", False),  # 10 points
    ],
)
def test_what_makes_a_hand_poor(hand: str, shown: str, poor: bool) -> None:
    state = deal("sueca", {1: hand}, shown)
    assert has_poor_hand(state.record) == poor


# --- Rewards --------------------------------------------------------------------------------------------------------------


def rewards(kind: str, points: int, game: str = "sueca") -> list[float]:
    """What the seats get when side 0 has taken so many points."""
    hands = ["2.-.-.-", "3.-.-.-", "4.-.-.-", "5.-.-.-"][: load(game).seats]
    state = late(game, hands, trump="S", points=(points, 120 - points))
    out = np.zeros(state.game.seats)
    write_rewards(state.data, REWARDS[kind], out)
    return [float(reward) for reward in out]


@pytest.mark.parametrize(
    ("points", "step"),
    [(120, 4), (119, 2), (91, 2), (90, 1), (61, 1), (60, 0), (59, -1), (30, -1), (29, -2), (1, -2), (0, -4)],
)
@pytest.mark.parametrize("game", ["sueca", "bisca"])
def test_score_difference_is_that_of_the_table(game: str, points: int, step: int) -> None:
    """Fernandes 2016, section 5.3: differences of 2 to 60, 62 to 118 and 120 are worth 1, 2 and 4."""
    assert rewards("sd", points, game) == [step / 4, -step / 4] * (2 if game == "sueca" else 1)


def test_points_are_the_sides_lead() -> None:
    assert rewards("points", 120) == [1, 0, 1, 0]
    assert rewards("points", 60) == [0.5] * 4
    assert rewards("points", 90, "bisca") == [0.75, 0.25]


def test_partners_win_lose_and_tie_together() -> None:
    assert rewards("pwl", 61) == [1, 0, 1, 0]
    assert rewards("pwl", 60) == [0.5] * 4
    assert rewards("wl", 59) == [-1, 1, -1, 1]
    assert rewards("wl", 60, "bisca") == [0, 0]


def test_the_hybrid_puts_winning_first_and_score_second() -> None:
    assert rewards("hybrid", 120) == pytest.approx([1, 0, 1, 0])
    assert rewards("hybrid", 61) == pytest.approx([0.8 + 0.2 * 0.625, 0.2 * 0.375] * 2)
    assert rewards("hybrid", 60) == pytest.approx([0.5] * 4)
