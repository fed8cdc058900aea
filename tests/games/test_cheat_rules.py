"""Cheat, rule by rule, against a slow oracle, and what it refuses."""

import random

import pytest

import facedown as fd
from cheat_positions import set_up
from facedown.games.cheat.text import laid_text
from facedown.kernel import COMPILED
from naive_cheat import NaiveCheat

GAMES = 150 if COMPILED else 6


@pytest.fixture(scope="module")
def game() -> fd.Game:
    return fd.load("cheat")


def any_claim(state: fd.State, rng: random.Random) -> str:
    """A claim of cards that a person might lay, listed or not."""
    hand = state.hands[state.seat or 0]
    laid = rng.sample(hand, rng.randint(1, min(4, len(hand))))
    return f"{len(laid)} {rng.choice(state.facts['ranks_to_claim'])}: {' '.join(laid)}"


@pytest.mark.parametrize("options", ["cheat", "cheat:ranks=5,hand_size=3,turn_limit=40", "cheat:turn_limit=31"])
def test_games_go_as_the_oracle_says(options: str) -> None:
    for seed in range(GAMES):
        rng = random.Random(seed)
        state = fd.load(options).deal(seed)
        facts = state.facts
        ranks = "23456789TJQKA"[: int(state.record.ranks)]
        limit = int(state.record.turn_limit)
        naive = NaiveCheat(
            [list(hand) for hand in state.hands], facts["face_up"], facts["stock"], facts["last_rank"], ranks, limit
        )
        while not state.over:
            texts = [state.game.text(action) for action in state.legal]
            assert texts == naive.legal()
            assert state.seat == naive.mover
            lays = state.facts["lays"]
            for text in texts:
                if text not in ("take", "call"):
                    assert sorted(lays[text]) == sorted(naive.cards_of(text)[1])
            words = any_claim(state, rng) if rng.random() < 0.3 else rng.choice(texts)
            state.play(words)
            naive.play(words)
            facts = state.facts
            assert [sorted(hand) for hand in facts["hands"]] == [sorted(hand) for hand in naive.hands]
            assert facts["stock"] == naive.stock
            assert [(claim["seat"], claim["rank"], sorted(claim["cards"])) for claim in facts["pile"]] == [
                (claim.seat, claim.rank, sorted(claim.cards)) for claim in naive.pile
            ]
            assert facts["pile_size"] == len(naive.face_up) + sum(len(claim.cards) for claim in naive.pile)
            assert [set(cards) for cards in facts["shown"]] == naive.shown
            assert [set(ranks) for ranks in facts["caught_on"]] == naive.caught_on
            assert {name: facts[name] for name in naive.tallies} == naive.tallies
            assert facts["last_rank"] == naive.last_rank
        assert state.scores == naive.scores


def test_each_seat_has_eight_cards_and_the_next_names_the_rank(game: fd.Game) -> None:
    state = game.deal(7)
    assert [len(hand) for hand in state.hands] == [8, 8]
    assert state.facts["stock_left"] == 35
    assert state.facts["face_up"][0][0] == state.facts["last_rank"]
    assert state.seat == 0
    assert "call" not in [game.text(action) for action in state.legal]


def test_a_lie_takes_the_cards_furthest_from_the_rank_then_by_suit() -> None:
    state = set_up("3C 9H 9S 8D 4H QC", "2C", "2")
    assert state.facts["lays"]["up false 1"] == ["9S"]  # six ranks from 3, as is the other nine: spades before hearts
    assert state.facts["lays"]["up false 3"] == ["8D", "9S", "9H"]
    assert state.facts["lays"]["up true 1"] == ["3C"]
    assert state.facts["lays"]["down false 1"] == ["8D"]  # six from the ace, as is the seven


def test_kings_are_next_to_aces_and_aces_to_twos() -> None:
    assert set_up("3C", "2C", "A").facts["ranks_to_claim"] == ["2", "K"]
    assert set_up("3C", "2C", "K").facts["ranks_to_claim"] == ["A", "Q"]
    assert set_up("3C", "2C", "2").facts["ranks_to_claim"] == ["3", "A"]


def test_a_liar_who_is_called_takes_the_pile_and_is_next() -> None:
    state = set_up("3C", "2C", "5", claims=[(0, "6", "6C"), (1, "7", "7H KD")])
    state.play("call")
    assert sorted(state.hands[1]) == ["2C", "6C", "7H", "KD"]
    assert state.seat == 1
    assert state.facts["last_rank"] == "7"
    assert state.facts["caught"] == [0, 1]
    assert "call" not in [state.game.text(action) for action in state.legal]


def test_a_true_claim_that_is_called_gives_the_pile_to_the_caller() -> None:
    state = set_up("3C", "2C", "5", claims=[(0, "6", "KC"), (1, "7", "7H 7D")])
    state.play("call")
    assert sorted(state.hands[0]) == ["3C", "7D", "7H", "KC"]
    assert state.facts["calls_right"] == [0, 0]


def test_one_wrong_card_makes_a_claim_false() -> None:
    state = set_up("3C", "2C", "5", claims=[(1, "7", "7H 7D 7C 8S")])
    assert state.facts["last_claim_true"] is False


def test_a_last_claim_can_still_be_called() -> None:
    state = set_up("3C 9C", "", "5", claims=[(1, "7", "8H")])
    state.play("call")
    assert not state.over
    assert state.hands[1] == ["8H"]


@pytest.mark.parametrize("answer", ["call", "take", "up false 1", "1 6: 9C", "2 8: 3C 9C"])
def test_who_has_no_cards_after_the_answer_has_won(answer: str) -> None:
    state = set_up("3C 9C", "", "5", claims=[(1, "7", "7H")], stock="2H")
    state.play(answer)
    assert state.over
    assert state.scores == [0, 1]  # also where the answer lays the last card of the other hand


def test_after_the_last_turn_the_smaller_hand_wins() -> None:
    for own, other, scores in (("3C 4C", "2C", [0, 1]), ("3C", "2C 4C", [1, 0]), ("3C", "2C", [0.5, 0.5])):
        state = set_up(own + " 8C", other, "5", options="cheat:turn_limit=11")
        state.play("1 6: 8C")
        assert state.over
        assert state.scores == scores


def test_what_a_pile_showed_is_remembered_until_it_is_shown_again() -> None:
    state = set_up("3C 6H", "2C", "5", claims=[(0, "6", "KC"), (1, "7", "7H 7D")], stock="9H")
    state.play("call")
    assert set(state.facts["shown"][0]) == {"KC", "7H", "7D"}
    state.play("take")
    state.play("2 8: KC 3C")
    assert set(state.view(1).facts["shown"][0]) == {"KC", "7H", "7D"}  # seat 1 cannot know which cards were laid
    state.play("call")
    assert set(state.facts["shown"][0]) == {"KC", "3C", "7H", "7D"}


# --- Texts and views ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["take", "call", "up true 2", "down false 1", "2 Q", "2 Q: 5D QH", "4 A: AC AD AS AH", "1 T: TC"]
)
def test_text_and_action_are_one_to_one(game: fd.Game, words: str) -> None:
    assert game.text(game.parse(words)) == words


def test_cards_of_a_claim_come_in_any_order_and_spelling(game: fd.Game) -> None:
    assert game.parse("2 q: qh, 5d") == game.parse("2 Q: QH 5D") == game.parse("2 Q: 5♦ Q♥")
    assert game.parse("1 10: 10c") == game.parse("1 T: TC")
    assert game.parse("cheat") == game.parse("call")


def test_the_other_seat_sees_rank_and_count_of_a_claim_and_never_its_truth(game: fd.Game) -> None:
    state = game.deal(3)
    for words in ("up false 2", "down false 1"):
        state.play(words)
    assert [game.text(action) for _, action in state.view(0).history] == ["up false 2", f"1 {state.facts['last_rank']}"]
    assert [game.text(action) for _, action in state.view(1).history][1] == "down false 1"
    assert game.text(state.view(1).history[0][1]).startswith("2 ")
    assert "cards" not in state.view(0).facts["pile"][1]
    with pytest.raises(fd.HiddenInformation):
        state.view(0).facts["last_claim_true"]


def test_true_and_false_claims_look_the_same_to_the_other_seat() -> None:
    views = []
    for laid in ("1 6: 6C", "1 6: KC"):
        state = set_up("6C KC 9D", "2C 3D", "5", stock="8H 8D")
        state.play(laid)
        views.append(state.view(1))
    assert views[0] == views[1]


def test_an_action_with_its_cards_in_words() -> None:
    state = set_up("6C KC 9D", "2C 3D", "5")
    assert laid_text(state.record, state.game.parse("up false 2")) == "2 6: 9D KC"
    assert laid_text(state.record, state.game.parse("take")) == "take"


# --- Refusals ---------------------------------------------------------------------------------------------------------

REFUSED = {
    "1 6: AS": "AS is not in the hand",
    "2 6: 6C AS": "AS is not in the hand",
    "1 9: 6C": "a claim must name 6 or 4",
    "1 5: 6C": "a claim must name 6 or 4",
    "up true 2": "not so many cards of that rank",
    "down false 4": "not so many cards of another rank",
    "call": "there is no claim to call",
    "take": "the stock is empty",
    "1 6": "a claim needs its cards",
    "0 6:": "expected a claim of 1 to 4 cards",
    "5 6: 6C KC 9D 2C 3C": "expected a claim of 1 to 4 cards",
    "2 6: 6C": "expected as many cards as claimed, 2, got 1",
    "2 6: 6C 6C": "expected 2 different cards",
    "up true 0": "expected a claim of 1 to 4 cards",
    "up true 5": "expected a claim of 1 to 4 cards",
    "1 6: XX": "expected a card",
    "sideways true 1": "expected take, call",
    "": "expected take, call",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_allowed_is_refused_in_words_and_changes_nothing(words: str) -> None:
    state = set_up("6C KC 9D", "2C 3D", "5")
    before = state.copy()
    with pytest.raises(fd.FacedownError, match=REFUSED[words]):
        state.play(words)
    assert state == before


def test_numbers_that_are_no_action_are_refused(game: fd.Game) -> None:
    state = game.deal(0)
    before = state.copy()
    for action in (-1, 18, 69, 70, 10**6, 2**40, 2**70):
        with pytest.raises(fd.FacedownError):
            state.play(action)
    assert state == before
