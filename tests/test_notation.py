"""Positions as text: every position of every game goes there and back, and reads as somebody would write it."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

import facedown as fd
from facedown.kernel import COMPILED
from facedown.notation.cells import CARD, Cells, field_text, read_field

KNAVES = str(Path(__file__).parents[1] / "examples" / "little_knaves.py") + ":GAME"
GAMES = [
    *("hearts", "hearts:passing=hold,queen_breaks_hearts=true", "hearts:match=30", "hearts32:passing=right,early_end=true"),
    *("sueca", "sueca:mandar_abaixo=true,match=4", "bisca", "bisca:seats=4,hand_size=3,match=2"),
    *("cheat", "cheat:ranks=6,hand_size=5,turn_limit=60", "magic", "magic:deck=17xland+12x2/2for2+11x2/2for3"),
    KNAVES,
]
OPENING = "hearts:passing=hold/1 hands=2468TQA.3579JK.-.-|3579JK.2468TQA.-.-|-.-.2468TQA.3579JK|-.-.3579JK.2468TQA"
LATE = (
    "sueca/1 hands=-.-.-.A|-.-.-.K|-.-.-.Q|-.-.-.J played=234567JQK.-.-.-|A.23456JK.-.7|-.7QA.2345JQ.-|-.-.67KA.23456"
    " trick=KC,AC,7D,6S points=10,20 shown=6H leader=2"
)


def line_of(game: fd.Game) -> str:
    return f"{game.full_name}/{game.version}"


# --- There and back -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", GAMES, ids=[text.rpartition("/")[2] if text == KNAVES else text for text in GAMES])
def test_every_position_goes_there_and_back(text: str) -> None:
    game = fd.load(text)
    lengths = set[int]()
    for seed in range(2 if COMPILED else 1):
        rng = random.Random(f"{text} {seed}")
        state = game.deal(seed)
        while True:
            position = state.position
            assert position.startswith(f"{line_of(game)} ")
            assert position.isprintable()
            again = game.position(position)
            assert again.data.tobytes() == state.data.tobytes()
            assert len(lengths) > 9 or again.position == position
            assert (again.seat, again.legal, again.scores, again.outcome) == (
                *(state.seat, state.legal, state.scores, state.outcome),
            )
            lengths.add(len(position))
            if state.over:
                break
            state.play(rng.choice(state.legal))
    assert max(lengths) < 900


def test_a_claim_of_any_cards_goes_there_and_back() -> None:
    state = fd.load("cheat").deal(3)
    rng = random.Random(5)
    for _ in range(30):
        if state.over:
            break
        rank = state.facts["ranks_to_claim"][0]
        cards = rng.sample(state.hands[state.seat or 0], 2) if len(state.hands[state.seat or 0]) > 2 else []
        state.play(f"2 {rank}: {' '.join(cards)}" if cards and rng.random() < 0.7 else "take")
        assert state.game.position(state.position).data.tobytes() == state.data.tobytes()


def test_a_field_of_any_shape_goes_there_and_back() -> None:
    import numpy as np

    rng = np.random.default_rng(1)
    for kind in (np.int8, np.uint8, np.int16, np.uint16, np.int64, np.uint64, np.float64, np.bool_):
        for shape in ((), (3,), (2, 4), (2, 3, 2)):
            raw = rng.integers(0, 256, (*shape, np.dtype(kind).itemsize), np.uint8)
            value = raw.view(kind).reshape(shape) if kind is not np.bool_ else raw.reshape(shape) % 2 == 0
            value = np.nan_to_num(value) if kind is np.float64 else value
            empty = np.zeros(shape, kind)
            again = read_field(Cells(), "field", field_text(Cells(), value), empty)
            assert again.tobytes() == value.tobytes(), (kind, shape)
    strange = np.array([60, -1, 3, -7, 51], np.int8)
    text = field_text(replace(CARD, loose=True), strange)
    assert text == "60,-,5C,-7,AH"
    assert read_field(replace(CARD, loose=True), "trick", text, strange).tobytes() == strange.tobytes()
    with pytest.raises(fd.BadText, match="a whole number from -1 to 51, got '60'"):
        read_field(CARD, "trick", text, strange)


def test_what_is_set_up_and_changes_in_play_goes_there_and_back_too() -> None:
    from facedown.notation.position import Notation

    rules = fd.load(KNAVES).rules
    game = fd.Game("knaves-from-five", rules, seats=3, actions=52, fixed={"score": 5})
    state = game.deal(1)
    while not state.over:
        assert game.position(state.position).data.tobytes() == state.data.tobytes()
        state.play(state.legal[0])
    careful = fd.Game(
        "knaves-from-six", rules, seats=3, actions=52, fixed={"score": 6}, notation=Notation(check=lambda _: None)
    )
    with pytest.raises(fd.BadGame, match="expected 'score' of knaves-from-six in its notation's `cells`, for it changes"):
        print(careful.deal(1).position)
    with pytest.raises(fd.IllegalMove) as refused:
        careful.deal(1).play(0)
    assert refused.value.position is None


def test_a_mistake_in_a_notation_is_one_line() -> None:
    from facedown.notation.position import Notation

    def follow(state: object) -> None:
        state.no_such_field = 1 + "one"  # type: ignore[attr-defined, operator]

    game = fd.Game("knaves-faulty", fd.load(KNAVES).rules, seats=3, actions=52, notation=Notation(follow=follow))
    with pytest.raises(fd.BadText, match=r"expected the game's `follow` to answer, got TypeError: .*test_notation.py, line"):
        game.position("knaves-faulty/1")


# --- As somebody would write it -------------------------------------------------------------------------------------------


def test_a_position_can_be_written_by_hand() -> None:
    state = fd.load("hearts:passing=hold").position(OPENING)
    assert state.seat == 0
    assert [state.game.text(action) for action in state.legal] == ["2C"]
    assert state.hands[2] == ["2S", "4S", "6S", "8S", "TS", "QS", "AS", "3H", "5H", "7H", "9H", "JH", "KH"]
    assert state.position == OPENING


def test_what_follows_from_the_cards_is_left_out_and_may_be_given() -> None:
    game = fd.load("hearts:passing=hold")
    given = game.position(f"{OPENING} opener=0 leader=0 to_move=0 phase=playing tricks_played=0")
    assert given.data.tobytes() == game.position(OPENING).data.tobytes()


def test_a_position_is_played_on_from() -> None:
    state = fd.load("sueca").position(LATE)
    for card in ("QH", "JH", "AH", "KH"):
        state.play(card)
    assert state.scores == [10 + 20, 20, 10 + 20, 20]
    assert state.outcome is not None
    assert state.outcome.words == "all 10 tricks are played, 30 card points to 20; seats 0 and 2 win"


def test_a_state_from_text_has_no_history_and_makes_no_record() -> None:
    state = fd.load("hearts:passing=hold").position(OPENING)
    assert (state.history, state.dealt, state.copy().dealt) == ([], False, False)
    state.play("2C")
    assert state.history == [(0, 0)]
    with pytest.raises(fd.FacedownError, match="expected a state played from its deal, got one set up from a position"):
        fd.GameRecord.of(state, ["random"] * 4)


def test_a_claim_is_judged_without_its_history() -> None:
    from facedown.inference.cheat import features

    played = fd.load("cheat").deal(1)
    played.play("up false 2")
    assert len(features(played.game.position(played.position).view(1))) == 21


def test_a_match_from_text_goes_on_with_the_deals_of_its_seed() -> None:
    game = fd.load("hearts32:match=75")
    state = game.deal(1)
    while state.deals == 1:
        last = state.copy()
        state.play(state.legal[0])
    ends = [game.position(last.position, seed) for seed in (1, 1, 2)]
    for one in ends:
        one.play(last.legal[0])
    assert ends[0].data.tobytes() == state.data.tobytes() == ends[1].data.tobytes() != ends[2].data.tobytes()


# --- Views ----------------------------------------------------------------------------------------------------------------


def test_the_position_of_a_view_shows_what_the_seat_sees() -> None:
    state = fd.load("hearts:passing=hold").position(OPENING)
    hand = "-.-.2468TQA.3579JK"
    assert state.view(2).position == f"hearts:passing=hold/1 view:2 hands=-|-|{hand} opener=0"
    assert state.view(fd.SPECTATOR).position == "hearts:passing=hold/1 view:spectator opener=0"


@pytest.mark.parametrize("text", GAMES[:-1])
def test_the_position_of_a_view_is_the_same_in_every_world(text: str) -> None:
    game = fd.load(text)
    state = game.deal(2)
    rng = random.Random(2)
    for _ in range(25):
        if state.over:
            break
        for seat in range(game.seats):
            view = state.view(seat)
            world = view.sample(seed=rng.randrange(100))
            assert world.view(seat).position == view.position
            assert world.view(fd.SPECTATOR).position == state.view(fd.SPECTATOR).position
        state.play(rng.choice(state.legal))


def test_an_illegal_move_carries_what_its_seat_sees() -> None:
    state = fd.load("sueca").position(LATE)
    with pytest.raises(fd.IllegalMove) as refused:
        state.play("2C")
    assert refused.value.position == state.view(2).position
    assert "A|" not in str(refused.value.position)
    state.play("QH")
    with pytest.raises(fd.IllegalMove) as refused:
        state.play(99)
    assert refused.value.position == state.view(3).position


# --- Views there and back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", GAMES, ids=[text.rpartition("/")[2] if text == KNAVES else text for text in GAMES])
def test_every_view_goes_there_and_back(text: str) -> None:
    game = fd.load(text)
    rng = random.Random(text)
    state = game.deal(1)
    while True:
        for viewer in (*range(game.seats), fd.SPECTATOR):
            view = state.view(viewer)
            history = [(seat, game.text(action)) for seat, action in view.history]
            assert bytes(game.view(view.position, history)) == bytes(view)
        if state.over:
            break
        state.play(rng.choice(state.legal))


@pytest.mark.parametrize("name", fd.games())
def test_the_view_of_a_seat_to_move_is_taken_from_outside(name: str) -> None:
    game = fd.load(name)
    rng = random.Random(name)
    state = game.deal(2)
    while (seat := state.seat) is not None:
        view = state.view(seat)
        again = game.view(view.position, view.history, trusted=False)
        assert (again, again.legal) == (view, view.legal)
        state.play(rng.choice(state.legal))


def test_an_agent_chooses_from_a_view_that_was_read_as_from_the_view_itself() -> None:
    game = fd.load("hearts32")
    state = game.deal(4)
    for _ in range(9):
        state.play(state.legal[-1])
    view = state.view(state.seat or 0)
    again = game.view(view.position, view.history)
    assert fd.agent("ismcts:iterations=50", 3).choose(again) == fd.agent("ismcts:iterations=50", 3).choose(view)


VIEW = fd.load("hearts:passing=hold").position(OPENING).view(0).position


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (OPENING, "expected a view, such as view:2 after the name of the game, got a whole position"),
        (VIEW.replace("view:0", "view:4"), "expected a seat from 0 to 3, got 4"),
        (VIEW.replace("view:0", "view:"), "expected a view, such as view:2"),
        (VIEW.replace("view:0", "view:zero"), "expected a seat from 0 to 3, got 'zero'"),
        (VIEW.replace("hold/1", "hold/2"), "expected a position of hearts:passing=hold/1, got"),
        (VIEW + " to_move=7", "in the field 'to_move' of a position a whole number from"),
        (VIEW.replace("2468TQA", "468TQA"), "expected "),
        (VIEW + " played=-.-.2.-", "expected "),
    ],
)
def test_a_view_that_cannot_be_is_refused(text: str, reason: str) -> None:
    with pytest.raises(fd.FacedownError) as refused:
        fd.load("hearts:passing=hold").view(text, trusted=False)
    assert reason in str(refused.value)


@pytest.mark.parametrize("history", [[(4, "2C")], [(0, "2X")], [(0, 2.5)]])
def test_a_history_that_cannot_be_is_refused(history: list[tuple[int, int | str]]) -> None:
    with pytest.raises(fd.FacedownError):
        fd.load("hearts:passing=hold").view(VIEW, history)


def test_a_view_of_a_game_that_checks_no_positions_is_not_taken_from_outside() -> None:
    game = fd.load(KNAVES)
    state = game.deal(0)
    with pytest.raises(fd.BadText, match="its notation has no `check`"):
        game.view(state.view(0).position, trusted=False)


# --- Refusals -------------------------------------------------------------------------------------------------------------

CHEAT = (
    "cheat:ranks=5,hand_size=2/1 hands=2.2.-.-|3.3.-.- face_up=-.-.6.- last_rank=6 last_action=take "
    "stock=4C,5C,6C,4D,5D,6D,2S,3S,4S,5S,2H,3H,4H,5H,6H"
)


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("hearts", OPENING, "expected a position of hearts/1, got 'hearts:passing=hold/1 hands="),
        ("hearts:passing=hold", OPENING.replace("hold/1", "hold/2"), "expected a position of hearts:passing=hold/1, got"),
        ("hearts:passing=hold", OPENING.replace("hold/1", "hold/12"), "expected a position of hearts:passing=hold/1, got"),
        ("hearts:passing=hold", "", "expected a position of hearts:passing=hold/1, got ''"),
        ("hearts:passing=hold", "hearts:passing=hold/1 view:0", "expected a whole position, got a view"),
        ("hearts:passing=hold", f"{OPENING} hands=-", "expected each field of a position once, got 'hands' twice"),
        ("hearts:passing=hold", f"{OPENING} hearts", "expected fields such as to_move=0 in a position, got 'hearts'"),
        ("hearts:passing=hold", f"{OPENING} passing=left", "unknown field in a position of hearts 'passing'; known: "),
        (
            "hearts:passing=hold",
            f"{OPENING} leader=4",
            "in the field 'leader' of a position a whole number from -1 to 3, got '4'",
        ),
        ("hearts:passing=hold", f"{OPENING} phase=begun", "one of passing playing over, got 'begun'"),
        ("hearts:passing=hold", f"{OPENING} trick=2C,3C,4C,5C,6C", "at most 4 numbers, got 5"),
        ("hearts:passing=hold", f"{OPENING} passed=-|-|-|-|-", "at most 4 rows, got 5"),
        ("hearts:passing=hold", f"{OPENING} passed=22.-.-.-", "ranks of 23456789TJQKA, each once, got '22'"),
        (
            "hearts:passing=hold",
            f"{OPENING} passed=2.-.-",
            "cards as clubs.diamonds.spades.hearts, such as 2.AK.Q.-, got '2.-.-'",
        ),
        ("hearts:passing=hold", f"{OPENING} played=~-", "a set of cards that the game has, got '~-'"),
        ("hearts:passing=hold", f"{OPENING} to_move=1", "to_move does not follow from the other fields: they say 0"),
        ("hearts:passing=hold", OPENING.replace("|-.-.24", "|2.-.4"), "2C is in two hands"),
        ("hearts:passing=hold", OPENING.replace("|-.-.24", "|-.-.4"), "2S is missing"),
        ("hearts:passing=hold", f"{OPENING} points=0,5", "5 points are taken, and only 0 are played"),
        ("hearts:passing=hold", f"{OPENING} not_held=*.-.-.-", "seat 0 holds 2C, in not_held"),
        ("hearts", OPENING.replace(":passing=hold", "") + " passed=2.-.-.-", "2C is in two places"),
        ("sueca", LATE.replace("points=10,20", "points=100,20"), "120 points are taken, and only 100 are played"),
        ("sueca", LATE.replace(" shown=6H", ""), "the fields do not fit together"),
        (
            "sueca",
            LATE.replace("|-.-.-.K|", "|-.-.-.-|").replace("A.23456JK.-.7", "A.23456JK.-.7K"),
            "seat 1 has played 10 cards in 9 tricks",
        ),
        ("sueca", LATE.replace("trick=KC,AC", "trick=KD,AC"), "seat 0 has not played its card of the trick"),
        ("cheat:ranks=5,hand_size=2", CHEAT.replace("4C,5C", "5C"), "4C is missing"),
        ("cheat:ranks=5,hand_size=2", f"{CHEAT} had=4.-.-.-", "seat 0 has not got the cards that all saw it take up"),
        ("cheat:ranks=5,hand_size=2", CHEAT.replace("take", "claim"), "the last batch is not the other seat's"),
        ("cheat:ranks=5,hand_size=2", f"{CHEAT} turn=101", "a whole number from 0 to 100, got '101'"),
        (
            "cheat:ranks=5,hand_size=2",
            f"{CHEAT} stock_left=3",
            "stock_left does not follow from the other fields: they say 15",
        ),
        ("magic", "magic/1 hand=land", "seat 0 has other cards than its deck"),
        ("magic", "magic/1 hand=9/9for9", "each of land 6/6for7 5/5for6"),
    ],
)
def test_a_position_that_cannot_be_is_refused(game: str, text: str, reason: str) -> None:
    with pytest.raises(fd.FacedownError) as refused:
        fd.load(game).position(text)
    assert reason in str(refused.value)


def test_the_positions_changed_in_these_refusals_are_right() -> None:
    assert fd.load("cheat:ranks=5,hand_size=2").position(CHEAT).seat == 0
    assert fd.load("sueca").position(LATE).seat == 2


def test_the_end_of_a_deal_in_a_match_that_goes_on_is_no_position() -> None:
    game = fd.load("sueca:match=4")
    text = LATE.replace("sueca/1", line_of(game))
    state = game.position(text)
    for card in ("QH", "JH", "AH"):
        state.play(card)
    over = fd.load("sueca").position(state.position.replace(line_of(game), "sueca/1"))
    over.play("KH")
    with pytest.raises(fd.BadText, match="the deal is over and the next one of the match is not dealt"):
        game.position(over.position.replace("sueca/1", line_of(game)))


def test_text_from_outside_needs_a_game_that_checks_it() -> None:
    game = fd.load(KNAVES)
    position = game.deal(1).position
    assert game.position(position).position == position
    with pytest.raises(fd.BadText, match="expected a game that checks positions from outside, got little-knaves"):
        game.position(position, trusted=False)
    with pytest.raises(fd.BadText, match="QH is in two hands"):
        game.position("little-knaves/1 hands=-.-.-.Q|-.-.-.Q")
    assert fd.load("sueca").position(LATE, trusted=False).seat == 2
