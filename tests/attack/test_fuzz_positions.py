"""Positions from somebody who means harm: a state that can be played to its end, looked at and searched, or one line."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import facedown as fd
from facedown.kernel import COMPILED
from facedown.notation.position import LONGEST
from hostile import TEXTS, settled, tried, watched

GAMES = [
    *("hearts", "hearts:passing=hold", "hearts32:passing=across,early_end=true", "hearts:match=30"),
    *(
        "sueca",
        "sueca:mandar_abaixo=true",
        "bisca",
        "bisca:seats=4,hand_size=3",
        "cheat",
        "cheat:ranks=6,hand_size=5",
        "magic",
    ),
]
MARKS = ["=", "|", ",", ".", "-", "~", "*", "+", "0x", " ", "x", ":", "/"]
PARTS = [
    "-1",
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "13",
    "26",
    "39",
    "52",
    "63",
    "64",
    "127",
    "128",
    "255",
    "-128",
    "99999999999999999999",
]
WORDS = [
    "yes",
    "no",
    "playing",
    "over",
    "passing",
    "claim",
    "call",
    "QS",
    "2C",
    "*.-.-.-",
    "~-",
    "0xffffffffffffffff",
    "land",
    "A",
    "S",
]


def reached(game: fd.Game, seed: int) -> fd.State:
    """A state that random play has led to."""
    rng = random.Random(f"{game.full_name} {seed}")
    state = game.deal(seed)
    for _ in range(rng.randrange(60)):
        if state.over:
            break
        state.play(rng.choice(state.legal))
    return state


def changed(game: fd.Game, text: str, rng: random.Random) -> str:
    """A position with a few fields or letters changed."""
    header = f"{game.full_name}/{game.version}"
    fields = dict(word.split("=", 1) for word in text[len(header) :].split())
    names = [name for name in game.rules.state.names or () if name not in game.options][:-1]
    for _ in range(rng.randrange(1, 4)):
        name = rng.choice([*fields, *names])
        cells = fields.get(name, "0").replace("|", ",").split(",")
        kind = rng.randrange(6)
        if kind == 0:
            fields.pop(name, None)
        elif kind == 1:
            cells[rng.randrange(len(cells))] = rng.choice(PARTS + WORDS)
            fields[name] = rng.choice([",", "|"]).join(cells)
        elif kind == 2:
            fields[name] = fields.get(rng.choice([*fields, name]), "1")
        elif kind == 3 and fields.get(name):
            place = rng.randrange(len(fields[name]))
            fields[name] = (
                fields[name][:place] + rng.choice(MARKS + PARTS + list("23456789TJQKA")) + fields[name][place + 1 :]
            )
        elif kind == 4 and len(fields.get(name, "")) > 1:
            one, two = sorted(rng.sample(range(len(fields[name])), 2))
            letters = list(fields[name])
            letters[one], letters[two] = letters[two], letters[one]
            fields[name] = "".join(letters)
        else:
            fields[name] = rng.choice(PARTS)
    return " ".join([header, *(f"{name}={value}" for name, value in fields.items())])


def try_out(state: fd.State, seed: int) -> None:
    """Look at a state from all sides, search it and play it to its end."""
    rng = random.Random(seed)
    assert state.game.position(state.position).data.tobytes() == state.data.tobytes()
    assert isinstance(state.facts, dict)
    for seat in range(state.game.seats):
        view = state.view(seat)
        assert view.sample(seed).view(seat).data.tobytes() == view.data.tobytes()
        assert view.worlds() > 0
    assert state.view(fd.SPECTATOR).facts
    if COMPILED and state.seat is not None:
        fd.agent("ismcts:iterations=20").choose(state.view(state.seat))
    for _ in range(3000):
        if state.over:
            assert state.outcome is not None
            return
        state.play(rng.choice(state.legal))


@pytest.mark.parametrize("text", GAMES)
def test_a_changed_position_is_refused_or_can_be_played(text: str) -> None:
    game = fd.load(text)
    rng = random.Random(text)
    taken = 0
    try_out(reached(game, 0), 0)  # what is compiled takes its time, and is not watched
    for seed in range(60 if COMPILED else 8):
        position = changed(game, reached(game, seed).position, rng)
        state = settled(game.position, position, trusted=False)
        if state is not None:
            taken += 1
            with watched():
                try_out(state, seed)
    assert taken > 0 or not COMPILED, "some changes do no harm"


@tried(300)
@given(st.sampled_from(GAMES), TEXTS)
def test_any_text_is_a_position_or_refused(text: str, words: str) -> None:
    game = fd.load(text)
    settled(game.position, words)
    settled(game.position, f"{game.full_name}/{game.version} {words}")
    settled(game.position, f"{game.full_name}/{game.version} hands={words}")


def test_a_text_without_end_is_refused_at_once() -> None:
    with pytest.raises(fd.BadText, match="expected a position of hearts/1 as text"):
        fd.load("hearts").position("hearts/1 hands=" + "2" * LONGEST)
