"""Every game there is, against the contract that all games keep."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import contract
import facedown as fd
from facedown.kernel import COMPILED

SEEDS = 80 if COMPILED else 4
BLOCKS = 2


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("name", fd.games())
def test_every_game_keeps_the_contract(name: str, block: int) -> None:
    contract.check(fd.load(name), range(block * SEEDS, (block + 1) * SEEDS), look=0.03)


@pytest.mark.parametrize("name", fd.games())
def test_every_state_of_a_game_keeps_the_contract(name: str) -> None:
    contract.check(fd.load(name), range(1000, 1003 if COMPILED else 1001), look=1.0)


MATCHES = ["hearts:match=40", "hearts32:match=30,passing=true,early_end=true", "sueca:match=10", "bisca:match=10"]
OTHERS = ["sueca:mandar_abaixo=true", "bisca:seats=4", "bisca:hand_size=3", "bisca:seats=4,hand_size=7"]
OTHERS += ["magic:first_draw=true", "magic:balanced=true", "magic:deck1=16xland+8x2/2for2+8x2/2for3+8x0/5for1"]
OTHERS += ["cheat:ranks=5,hand_size=3", "cheat:turn_limit=9,lies_with=fewest"]


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_keeps_the_contract(name: str) -> None:
    contract.check(fd.load(name), range(10 if COMPILED else 1), look=0.03)


@pytest.mark.parametrize("name", OTHERS)
def test_a_game_with_other_options_keeps_the_contract(name: str) -> None:
    contract.check(fd.load(name), range(10 if COMPILED else 1), look=0.2)


@pytest.mark.parametrize("name", fd.games())
def test_a_game_played_by_agents_is_recorded_and_played_again(name: str) -> None:
    game = fd.load(name)
    for seed in range(10 if COMPILED else 2):
        record = fd.play(game, ["random"] * game.seats, seed=seed)
        assert record == fd.play(name, ["random"] * game.seats, seed=seed)
        again = fd.GameRecord.from_json(record.to_json())
        assert again == record
        assert again.replay().scores == record.scores
        assert record.actions == [game.text(action) for _, action in record.history]


@pytest.mark.parametrize("name", fd.games())
def test_any_seed_from_zero_up_is_taken_however_large(name: str) -> None:
    game = fd.load(name)
    for seed in (0, 1, 2**63, 2**64, 10**40):
        assert game.deal(seed) == game.deal(seed)
    dealt = {game.deal(seed).data.tobytes() for seed in (*range(200), 2**32, 2**63, 2**64, 10**40)}
    assert len(dealt) == 204


@pytest.mark.parametrize("seed", [-1, 1.0, "7", None, True])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    with pytest.raises(fd.BadOption, match="expected a seed that is a whole number from 0 up, got "):
        fd.load("hearts").deal(seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [-1, 4, 1.0, "0", None, True])
def test_what_is_no_seat_is_refused(seat: object) -> None:
    with pytest.raises(fd.FacedownError, match="expected a seat from 0 to 3, got "):
        fd.load("hearts").deal(seed=1).view(seat)  # type: ignore[arg-type]


@settings(derandomize=True, deadline=None, max_examples=300 if COMPILED else 30)
@given(name=st.sampled_from(fd.games()), text=st.text(max_size=8))
def test_any_text_is_an_action_or_refused(name: str, text: str) -> None:
    game = fd.load(name)
    try:
        action = game.parse(text)
    except fd.BadText:
        return
    assert 0 <= action < game.actions
    assert game.parse(game.text(action)) == action


def test_a_record_of_other_rules_or_with_the_wrong_seat_is_refused() -> None:
    record = fd.play("hearts32", ["random"] * 4, seed=1)
    line = record.to_json()
    with pytest.raises(fd.BadText, match="rules version 1, got version 2"):
        fd.GameRecord.from_json(line.replace('"version":1', '"version":2')).replay()
    seat, action = record.history[0]
    wrong = line.replace(f"[[{seat},{action}]", f"[[{(seat + 1) % 4},{action}]")
    with pytest.raises(fd.BadText, match=f"expected seat {seat} to move, got an action of seat {(seat + 1) % 4}"):
        fd.GameRecord.from_json(wrong).replay()
    with pytest.raises(fd.BadText, match="expected a game record of format 2"):
        fd.GameRecord.from_json(line.replace('"format":2', '"format":9'))
    with pytest.raises(fd.BadText, match="expected a game record of format 2"):
        fd.GameRecord.from_json("{")
