from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

import facedown as fd
from facedown.agents.simulated import CheatPerson
from facedown.games.cheat.claims import CALL, CARDS_LAID, CLAIMS, TAKE
from facedown.games.cheat.people import at_least
from facedown.games.cheat.styles import SPREAD, STYLES, TEST_STYLES, TRAINING_STYLES, Style, style, traits
from facedown.training.calibration import Tally, tally
from facedown.training.games import pairs


@cache
def measured() -> Tally:
    """What all people do in the company of each other."""
    return tally(range(STYLES), 270, seed=77)


@cache
def record(first: int, second: int, seed: int) -> fd.GameRecord:
    return fd.play("cheat", [f"cheat-person:style={first}", f"cheat-person:style={second}"], seed=seed)


def views(first: int, second: int, seed: int) -> list[fd.View]:
    """The view of who is to move at each turn of a game of two people."""
    found = []
    game = record(first, second, seed)
    state = fd.load("cheat").deal(seed)
    for (seat, action), seconds in zip(game.history, game.seconds or [], strict=True):
        found.append(state.view(seat))
        state.play(action, seconds)
    return found


def person(number: int) -> CheatPerson:
    agent = fd.agent(f"cheat-person:style={number}", seed=3)
    assert isinstance(agent, CheatPerson)
    return agent


# --- The population ---------------------------------------------------------------------------------------------------


def test_training_and_test_people_are_apart() -> None:
    assert len(TRAINING_STYLES) >= 60
    assert len(TEST_STYLES) >= 20
    assert not set(TRAINING_STYLES) & set(TEST_STYLES)
    assert len({style(number) for number in range(STYLES)}) == STYLES


def test_traits_are_spread_as_documented() -> None:
    drawn = [traits(number) for number in range(2000)]
    for name, (mean, deviation, least, most) in SPREAD.items():
        values = np.array([one[name] for one in drawn])
        assert values.min() >= least
        assert values.max() <= most
        assert values.mean() == pytest.approx(mean, abs=0.015)
        assert values.std() == pytest.approx(deviation, abs=0.02)
    tells = np.array([one["tell"] for one in drawn])
    assert 0.04 < (tells < 0).mean() < 0.10, "some people are quicker when they lie"


def test_people_lie_as_often_as_published() -> None:
    rates = measured().lie_rate
    assert rates.mean() == pytest.approx(0.476, abs=0.04)
    assert rates.std() == pytest.approx(0.15, abs=0.035)
    wanted = [style(number).lies for number in range(STYLES)]
    assert np.corrcoef(rates, wanted)[0, 1] > 0.9


def test_people_call_as_often_as_published() -> None:
    found = measured()
    rates = found.call_rate
    assert found.calls.sum() / found.turns.sum() == pytest.approx(0.105, abs=0.03)
    assert rates.std() == pytest.approx(0.07, abs=0.03)
    wanted = [style(number).calls for number in range(STYLES)]
    assert np.corrcoef(rates, wanted)[0, 1] > 0.85


def test_a_turn_takes_people_about_25_seconds() -> None:
    found = measured()
    assert 15 < found.seconds.sum() / found.turns.sum() < 35


def test_all_play_equally_often() -> None:
    games = list(pairs(range(7), 42))
    seats = np.array(games)
    assert [int((seats == one).sum()) for one in range(7)] == [12] * 7
    assert len({frozenset(pair) for pair in games}) == 21
    assert all(abs(int((seats[:, 0] == one).sum()) - 6) <= 3 for one in range(7))
    assert list(pairs(range(7), 5)) == games[:5]


# --- One person -------------------------------------------------------------------------------------------------------


def test_the_same_view_and_seed_give_the_same_choice_and_time() -> None:
    for view in views(3, 64, 5):
        first, second = person(3), person(3)
        assert first.choose(view) == second.choose(view)
        assert first.seconds == second.seconds
        assert first.seconds is not None
        assert first.seconds > 0


def test_a_person_knows_its_view_and_no_more() -> None:
    for turn, view in enumerate(views(12, 70, 8)):
        chosen = person(12).choose(view)
        for world in range(3):
            assert person(12).choose(view.sample(seed=100 * turn + world).view(view.seat)) == chosen


def test_people_lay_cards_of_their_own_choice_and_mix_them() -> None:
    game = fd.load("cheat")
    mixed = 0
    for seed in range(8):
        for action, text in zip(
            [action for _, action in record(2, 9, seed).history], record(2, 9, seed).actions, strict=True
        ):
            if action >= CARDS_LAID:
                claim, _, cards = text.partition(":")
                right = sum(card[0] == claim.split()[1] for card in cards.split())
                mixed += 0 < right < len(cards.split())
            else:
                assert action in (TAKE, CALL) or action < CLAIMS
                assert game.text(action)
    assert mixed


def test_lies_take_the_time_that_the_tell_says() -> None:
    for number in (max(range(STYLES), key=lambda one: style(one).tell), min(range(STYLES), key=lambda one: style(one).tell)):
        times: dict[bool, list[float]] = {False: [], True: []}
        for seed in range(12):
            state = fd.load("cheat").deal(seed)
            game = record(number, 1, seed)
            for (seat, action), seconds in zip(game.history, game.seconds or [], strict=True):
                state.play(action, seconds)
                if seat == 0 and action not in (TAKE, CALL):
                    times[not state.facts["last_claim_true"]].append(np.log(seconds or np.nan))
        longer = np.mean(times[True]) - np.mean(times[False])
        assert longer * style(number).tell > 0


def test_how_likely_a_claim_is_is_counted() -> None:
    for needed, right, total, drawn in product(range(4), range(4), range(4, 7), range(5)):
        hands = list(combinations(range(total), drawn))
        enough = sum(sum(card < right for card in hand) >= needed for hand in hands)
        assert at_least(needed, right, total, drawn) == pytest.approx(enough / len(hands))


def test_hardly_anybody_lies_with_its_last_card() -> None:
    state = fd.load("cheat").deal(0)
    rank = "23456789TJQKA".index(state.facts["last_rank"])
    useless = next(card for card in range(52) if card % 13 == (rank + 6) % 13)
    state.record.hands[0], state.record.held[0] = 1 << useless, 1
    chosen = [fd.agent(f"cheat-person:style={number}", seed=number).choose(state.view(0)) for number in range(STYLES)]
    assert np.mean([action == TAKE for action in chosen]) > 0.8


def test_an_impossible_claim_is_called() -> None:
    state = fd.load("cheat").deal(0)
    rank = state.facts["ranks_to_claim"][0]
    record = state.record
    # Seat 1 holds three of the rank that seat 0 claims two of.
    three = [card for card in range(52) if "23456789TJQKA"[card % 13] == rank][:3]
    others = [
        card
        for card in range(52)
        if "23456789TJQKA"[card % 13] != rank and not record.face_up >> np.uint64(card) & np.uint64(1)
    ]
    record.hands[1] = sum(1 << card for card in [*three, *others[:5]])
    record.hands[0] = sum(1 << card for card in others[5:13])
    state.play("up false 2")
    calls = [fd.agent(f"cheat-person:style={number}", seed=number).choose(state.view(1)) == CALL for number in range(STYLES)]
    assert np.mean(calls) > 0.6


@pytest.mark.parametrize("text", ["cheat-person:style=90", "cheat-person:style=-1", "cheat-person:style=x"])
def test_there_are_ninety_people(text: str) -> None:
    with pytest.raises(fd.BadOption, match="option style: expected a whole number from 0 to 89"):
        fd.agent(text)


def test_a_person_plays_cheat_only() -> None:
    with pytest.raises(fd.BadOption, match="expected the game cheat"):
        fd.agent("cheat-person").choose(fd.load("hearts32").deal(0).view(0))


def test_a_style_has_every_trait() -> None:
    assert set(traits(0)) == set(Style.__dataclass_fields__) - {"number", "dishonesty", "suspicion"}
