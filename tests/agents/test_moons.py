"""Moons in Hearts on hands made for it: shoot this, stop this, keep the stopper, believe this sign.

Each choice is turned round where there are no moons (option `moon`), so a player that does not see them fails here.
"""

from collections.abc import Callable

import pytest

import facedown as fd
from facedown.kernel import COMPILED
from facedown.state import State
from positions import deal, late, play

pytestmark = pytest.mark.skipif(not COMPILED, reason="these searches take minutes when interpreted")

SEARCHER = "ismcts:iterations=2000,inference=policy,playout=policy"
WITH, WITHOUT = "hearts:passing=hold", "hearts:passing=hold,moon=false"
SEEDS = range(5)
NO_HEART = "-.-.-.23456789TJQKA"


def choices(state: State, agent: str = SEARCHER) -> set[str]:
    """What an agent plays, over some seeds."""
    view = state.view(state.seat or 0)
    return {state.game.text(fd.agent(agent, seed=seed).choose(view)) for seed in SEEDS}


def to_shoot(game: str) -> State:
    """Seat 0 has 23 points and only winners but for 3H, which is one once AH has taken the last heart of the others."""
    state = late(game, ["A.AK.-.A3", "58.6.79.-", "9.59.5T.-", "4.7.68.7"], points=(23, 0, 0, 0), leader=3)
    return play(state, "7H")


def to_stop(game: str) -> State:
    """Seat 1 has 23 points and leads JH; seat 0 plays last, and no heart but its own is left."""
    state = late(game, ["-.-.5.A2", "A.-.K.J", "3.K.4.-", "7.6.T.-"], points=(0, 23, 0, 0), leader=1)
    return play(state, "JH 4S TS")


def to_keep_the_stopper(game: str) -> State:
    """Seat 1 has 23 points, leads AC and holds KH and QH, since the others have shown no heart; seat 0 discards."""
    state = late(game, ["-.25.6.A", "AK.-.-.KQ", "37.4.8.-", "4.9.9T.-"], points=(0, 23, 0, 0), leader=1)
    known = state.game.position(f"{state.position} not_held=-|-|{NO_HEART}|{NO_HEART}")
    return play(known, "AC 3C 4C")


def test_a_hand_that_takes_everything_shoots_the_moon() -> None:
    assert choices(to_shoot(WITH)) == {"AH"}
    assert choices(to_shoot(WITHOUT)) == {"3H"}


def test_a_point_is_taken_to_stop_a_moon() -> None:
    assert choices(to_stop(WITH)) == {"AH"}
    assert choices(to_stop(WITHOUT)) == {"2H"}


def test_the_one_card_that_stops_a_moon_is_not_thrown_away() -> None:
    assert "AH" not in choices(to_keep_the_stopper(WITH))
    assert choices(to_keep_the_stopper(WITHOUT)) == {"AH"}


@pytest.mark.parametrize("position", [to_shoot, to_stop, to_keep_the_stopper])
def test_chance_alone_does_not_find_these_cards(position: Callable[[str], State]) -> None:
    assert len(choices(position(WITH), "random")) > 1


# --- Signs ------------------------------------------------------------------------------------------------------------

SHOOTER = 1


def a_shooters_deal() -> State:
    """Seat 1 can take every trick: it has taken the first one."""
    hands = {0: "2578.246.235.237", SHOOTER: "AKQ.AK.AK.AKQJT9", 2: "36.579Q.6789T.45"}
    return play(deal(WITH, hands), "2C AC 6C 9C")


def believed(state: State, card: str, inference: str = "policy") -> list[float]:
    """How likely each other seat thinks it that seat 1 holds a card."""
    beliefs = [state.view(seat).beliefs(inference) for seat in range(4) if seat != SHOOTER]
    return [table[card][SHOOTER] for table in beliefs if card in table]


def test_who_leads_the_ace_of_spades_early_is_believed_to_hold_more_high_spades() -> None:
    state = play(a_shooters_deal(), "AS 6S JS 2S")
    assert max(believed(state, "KS", "none")) < 0.34
    assert min(believed(state, "KS")) > 0.45


def test_who_took_the_queen_and_leads_the_ace_of_hearts_is_believed_to_hold_the_next_ones() -> None:
    state = play(a_shooters_deal(), "AS 6S JS 2S  KS 7S QS 3S  KC 3C TC 5C  QC 4H JC 7C  AH 5H 8H 2H")
    for card in ("KH", "QH"):
        assert max(believed(state, card, "none")) < 0.34
        assert min(believed(state, card)) > 0.42
