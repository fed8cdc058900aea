"""Telling a game played elsewhere: what is asked, what is refused and why, taking back and correcting."""

import pytest

import facedown as fd
from facedown.advisor import Session, possible_actions
from facedown.advisor.worlds import plays_cards
from telling import Seen, random_game
from telling import told as told_whole

HAND = "2C 5C KC 3D 9D AD 4S QS AS 2H 6H TH KH"
KEPT = "hearts:passing=hold"


def told(text: str = KEPT, hand: str = HAND, *entries: str, seat: int = 0) -> Session:
    """A session after some entries."""
    session = Session(fd.load(text), seat, hand)
    session.tell(*entries)
    return session


def refusal(session: Session, *entries: str) -> str:
    """What is said of the last of some entries, which is not taken."""
    session.tell(*entries[:-1])
    before, view = list(session.entries), session.view
    with pytest.raises(fd.ImpossibleEntry) as caught:
        session.tell(entries[-1])
    assert caught.value.entry == len(before)
    assert session.entries == before
    assert session.view == view
    return str(caught.value)


# --- What is asked ----------------------------------------------------------------------------------------------------


def test_the_hand_is_asked_for_first() -> None:
    session = Session(fd.load("sueca"), 1)
    assert (session.expects.kind, session.expects.count) == ("hand", 10)
    session.tell("2c 3c 4c 5c 6c qd jd kd 7d ad")
    assert session.expects.name == "shown"
    session.tell("2s")
    assert session.expects.words == "an action of seat 0"


@pytest.mark.parametrize(
    "hand", ["2c5ckc 3d9dad 4sqsas 2h6h10hkh", "♣25K ♦39A ♠4QA ♥2610K", "2♣,5♣,K♣,3♦,9♦,A♦,4♠,Q♠,A♠,2♥,6♥,10♥,K♥"]
)
def test_cards_are_read_in_any_usual_notation(hand: str) -> None:
    assert told(KEPT, hand).view == told(KEPT, HAND).view


def test_who_leads_is_asked_where_another_seat_holds_the_lowest_club() -> None:
    session = told(KEPT, HAND.replace("2C", "7C"))
    assert (session.expects.kind, session.expects.words) == ("seat", "the seat that leads")
    session.tell("2: 2C")
    assert session.view is not None
    assert session.view.to_move == 3


def test_passed_cards_are_told_at_once_and_the_others_not_at_all() -> None:
    session = told("hearts", HAND, "QS AS KH")
    assert session.expects.words == "the 3 cards that were passed to you"
    session.tell("JD 7S")
    assert session.expects.count == 1
    session.tell("8S")
    assert session.view is not None
    assert session.view.facts["received"] == ["JD", "7S", "8S"]
    assert session.expects.words == "your action"


def test_a_drawn_card_that_all_have_seen_is_not_asked_for() -> None:
    """Who draws last from the stock of Bisca gets the shown trump, which lies open."""
    game, seat = fd.load("bisca"), 1
    seen = next(one for seed in range(20) if last_drawn(one := random_game(game, seat, seed)) == one.views[0].facts["shown"])
    session = Session(game, seat, seen.views[0].hands[seat])
    told_whole(session, seen)
    drawn = sum(map(len, seen.cards))
    assert len(session.entries) == 1 + 40 + drawn - 1  # the shown card is told at first, and not again


def last_drawn(seen: Seen) -> str:
    """The last card that came into the hand."""
    return next(cards for cards in reversed(seen.cards) if cards)[0]


def test_the_direction_of_passing_and_the_points_so_far_may_be_told() -> None:
    session = Session(fd.load("hearts:match=100"), 0, HAND, {"pass": "across", "totals": [10, 26, 3, 13]})
    assert session.view is not None
    assert session.view.facts["pass"] == "across"
    assert session.view.facts["totals"] == [10, 26, 3, 13]


def test_inference_works_on_a_told_view() -> None:
    session = told(KEPT, HAND, "2C AC 9C 8C", "3C 4C 6C 5C")
    assert session.view is not None
    assert session.view.to_move is not None
    assert set(session.view.beliefs("policy")) == set(session.view.beliefs())


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("2C 5C KC 3D 9D AD 4S QS AS 2H 6H TH", "expected 13 cards, got 12"),
        ("2C 5C KC 3D 9D AD 4S QS AS 6H 6H TH KH", "6H is twice in the hand"),
        ("2C 5C KC 3D 9D AD 4S QS AS 2H 6H TH xx", "expected a card such as QS, 10c or 2♥, got 'xx'"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(hand: str, words: str) -> None:
    with pytest.raises(fd.ImpossibleEntry, match=words) as caught:
        told(KEPT, hand)
    assert caught.value.entry is None


def test_a_card_that_the_game_has_not_is_refused() -> None:
    with pytest.raises(fd.ImpossibleEntry, match="TH is no card of sueca"):
        told("sueca", "2c 3c 4c 5c 6c qd jd kd 7d th")


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (["2C AC 9C 8C", "8C"], "8C was played by seat 3 in trick 1"),
        (["2C", "2C"], "2C was played by you in trick 1"),
        (["2C", "KC"], "KC is in your own hand"),
        (["3D"], "the first trick is opened with 2C"),
        (["2C JD TC 8C", "3C", "6C", "KC", "4C"], "seat 1 has shown to have no clubs"),
        (["2C", "2: 3C"], "expected an action of seat 1, got one of seat 2"),
        (["2C", ""], "expected an action of seat 1, got nothing"),
        (["2C", "nonsense"], "expected a card such as QS, TC or 2H, got 'nonsense'"),
    ],
)
def test_what_cannot_have_happened_is_refused_with_the_reason(entries: list[str], words: str) -> None:
    assert words in refusal(told(), *entries)


def test_a_seat_that_does_not_follow_shows_that_it_cannot() -> None:
    session = told(KEPT, HAND, "2C 3S")
    assert session.view is not None
    assert session.view.facts["voids"][1] == ["C"]


def test_a_seat_that_is_known_to_hold_a_card_of_the_suit_must_follow() -> None:
    session = told("hearts", HAND, "5C KC AD", "3S 4D 7D", "2C")  # to seat 1 go 5C KC AD
    assert "seat 1 cannot have played 9H: it holds 5C KC, which had to be played" in refusal(session, "9H")


def test_a_heart_led_before_they_are_broken_shows_a_hand_of_hearts_only() -> None:
    session = told(KEPT, "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD", "2C AC 2D 3D", "3H")
    assert session.view is not None
    assert set(session.view.facts["voids"][1]) == {"C", "D", "S"}


def test_cards_passed_to_a_seat_are_not_its_own() -> None:
    assert "2H is your own card" in refusal(told("hearts", HAND), "QS AS KH", "2H 7S 8S")


def test_a_pile_is_told_in_the_order_in_which_it_was_laid() -> None:
    session = told("cheat", "2C 3C 4C 5C 6C 7C 8C 9C", "TC", "take", "QH", "2 J", "call")
    assert session.expects.words == "the 2 cards of the other seat in the pile, in the order in which they were laid"
    assert "2C lies elsewhere, as you can see" in refusal(session, "JD 2C")
    session.tell("JD 5H")
    assert session.view is not None
    assert session.view.facts["shown"][1] == ["5H", "TC", "JD"]
    assert session.view.facts["lies_shown"] == [0, 1]


def test_a_claim_is_not_taken_for_the_card_that_has_its_number() -> None:
    session = told("cheat", "2C 3C 4C 5C 7C 8C 9C TC", "QH", "up false 1", "take", "take")
    session.tell("6C")
    assert session.view is not None
    assert "6C" in session.view.facts["hand"]


def test_what_the_other_may_claim_is_not_looked_for_card_by_card() -> None:
    session = told("cheat", "2C 3C 4C 5C 7C 8C 9C TC", "QH", "up false 1")
    assert session.view is not None
    assert not plays_cards(session.view)  # or each card takes a third of a second
    assert possible_actions(session.view) == ["take", "call", "1 Q", "2 Q", "3 Q", "4 Q", "1 A", "2 A", "3 A", "4 A"]


# --- Taking back and correcting ---------------------------------------------------------------------------------------


def test_entries_are_taken_back() -> None:
    session = told()
    first = session.view
    session.tell("2C", "AC", "9C")
    assert session.undo(3) == ["2C", "AC", "9C"]
    assert session.view == first
    with pytest.raises(fd.FacedownError, match="expected to take back from 0 to 0 of the entries, got 1"):
        session.undo()


def test_an_earlier_entry_is_corrected() -> None:
    session = told(KEPT, HAND, "2C", "AC", "9C", "8C")
    session.fix(2, "TC")
    assert session.view == told(KEPT, HAND, "2C", "AC", "TC", "8C").view


def test_a_correction_that_makes_later_entries_impossible_changes_nothing() -> None:
    session = told(KEPT, HAND, "2C", "AC", "9C", "8C")
    view = session.view
    with pytest.raises(fd.ImpossibleEntry, match="8C was played by seat 1 in trick 1") as caught:
        session.fix(1, "8C")
    assert caught.value.entry == 3
    assert session.view == view
    assert session.entries == ["2C", "AC", "9C", "8C"]
