"""Texts of agents, games, decks and actions from somebody who means harm: a result or one line, and no state changed."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import facedown as fd
from facedown.agents import agent_class
from facedown.games.magic.decks import STANDARD_LINES, parse_deck, read_deck
from facedown.options import parse_text
from hostile import HUGE, NUMBERS, SMALL, TEXTS, VALUES, damaged, option_texts, settled, tried

GAMES = ["bisca", "cheat", "hearts", "hearts32", "magic", "sueca"]
AGENTS = [name for name in fd.agents() if ":" not in name]


def options_of_agent(name: str) -> list[str]:
    return [option.name for option in agent_class(name).declared]


def options_of_game(name: str) -> list[str]:
    return list(fd.load(name).options)


# --- Agents -----------------------------------------------------------------------------------------------------------


@tried(500)
@given(option_texts(AGENTS, options_of_agent), st.sampled_from([0, 1, 2**64]))
def test_an_agent_is_made_or_refused(text: str, seed: int) -> None:
    made = settled(fd.agent, text, seed)
    if made is not None:
        assert fd.agent(made.text, seed).text == made.text, "its text makes it again"


@tried(200)
@given(VALUES, VALUES)
def test_an_agent_of_anything_and_any_seed_is_made_or_refused(text: Any, seed: Any) -> None:
    settled(fd.agent, text, seed)
    settled(fd.agent, "random", seed)


@tried(400)
@given(st.data())
def test_each_option_takes_a_value_or_refuses_it(data: st.DataObject) -> None:
    kind = agent_class(data.draw(st.sampled_from(AGENTS)))
    names = [option.name for option in kind.declared if option.name != "model"]
    chosen = data.draw(st.dictionaries(st.sampled_from(names), VALUES, min_size=1, max_size=2)) if names else {}
    settled(kind, 0, **chosen)


@tried(150)
@given(option_texts(AGENTS, options_of_agent))
def test_a_text_from_outside_is_made_or_refused_and_reads_no_file(text: str) -> None:
    settled(fd.agent, text, trusted=False)
    settled(fd.load, text, trusted=False)


PLAYED = ["ismcts", "ismcts-t", "mo-ismcts", "pimc", "uct", "minimax", "random"]
COUNTED = {"iterations": st.integers(1, 30), "worlds": st.integers(1, 3), "endgame_worlds": st.integers(1, 3)}
KEPT = {"seconds", "threads", "endgame"}  # as they are: the first two cost time, and so does the last early in a game


@pytest.fixture(scope="module")
def late() -> fd.State:
    """A position near the end, where a search takes no time."""
    state = fd.load("hearts32").deal(5)
    while sum(map(len, state.hands)) > 12 or len(state.legal) < 2:
        state.play(state.legal[0])
    return state


@tried(120)
@given(data=st.data())
def test_an_agent_with_strange_numbers_chooses_what_is_legal_or_refuses(late: fd.State, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(PLAYED))
    options: dict[str, Any] = {"iterations": 8}
    for option in agent_class(name).declared:
        if option.name in COUNTED:
            options[option.name] = data.draw(COUNTED[option.name])
        elif isinstance(option.default, int | float) and not option.choices and option.name not in KEPT:
            options[option.name] = data.draw(st.just(option.default) | st.floats() | SMALL | HUGE)
    known = options_of_agent(name)
    player = settled(agent_class(name), 0, **{key: value for key, value in options.items() if key in known})
    if player is not None:
        action = settled(lambda: player.choose(late if player.sees_all else late.view(late.seat or 0)))
        assert action is None or action in late.legal


# --- Games ------------------------------------------------------------------------------------------------------------


@tried(250)
@given(option_texts(GAMES, options_of_game), NUMBERS)
def test_a_game_is_loaded_and_dealt_or_refused(text: str, seed: str) -> None:
    game = settled(fd.load, text)
    if game is not None:
        assert fd.load(game.full_path).full_path == game.full_path, "its text loads it again"
        settled(lambda: game.deal(int(seed) if len(seed) < 4000 and seed.isdecimal() else seed))  # type: ignore[arg-type]
        state = game.deal(1)
        while not state.over and len(state.history) < 12:
            state.play(state.legal[-1])


@tried(150)
@given(VALUES, VALUES)
def test_anything_is_loaded_and_dealt_or_refused(name: Any, seed: Any) -> None:
    settled(fd.load, name)
    settled(lambda: fd.load("hearts32").deal(seed))
    settled(lambda: fd.load("hearts32").deal(3).view(seed))
    settled(fd.play, "hearts32", ["random"] * 4, seed=seed)


@tried(200)
@given(st.text("0123456789x/+ landfors#\n\t-%", max_size=60) | TEXTS)
def test_a_deck_is_read_or_refused(text: str) -> None:
    deck = settled(parse_deck, text, "deck")
    assert deck is None or deck.total() == 40
    if len(text) < 4000 and "/dev" not in text:
        settled(read_deck, text)


@st.composite
def decks(draw: st.DrawFn) -> str:
    """A line of cards that is almost a deck."""
    lines = STANDARD_LINES.splitlines()
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        numbers = st.integers(0, 120).map(str) | NUMBERS
        creature = f"{draw(numbers)} {draw(numbers)}/{draw(numbers)} for {draw(numbers)}"
        lines[place] = draw(st.sampled_from([creature, "17 land", "40 land", "", "# nothing", f"{draw(numbers)} land"]))
    return "\n".join(lines)


@tried(120)
@given(text=decks())
def test_a_deck_in_a_file_is_played_or_refused(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.getbasetemp() / "deck.txt"
    file.write_text(text)
    game = settled(lambda: fd.load("magic", deck=str(file)))
    if game is not None:
        state = game.deal(1)
        while not state.over and len(state.history) < 20:
            state.play(state.legal[0])


@tried(60)
@given(content=damaged(STANDARD_LINES.encode()))
def test_a_damaged_file_of_a_deck_is_read_or_refused(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.getbasetemp() / "damaged-deck.txt"
    file.write_bytes(content)
    settled(lambda: fd.load("magic", deck=str(file)))


# --- Actions ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def states() -> list[fd.State]:
    """A position of each game, not far from its beginning."""
    found = []
    for name in GAMES:
        state = fd.load(name).deal(2)
        for number in range(9):
            state.play(state.legal[number % len(state.legal)])
        found.append(state)
    return found


ACTION_WORDS = st.text("0123456789TJQKA CDHSpastcluprfe:/#nokbyl♠♥", max_size=14)


@tried(600)
@given(place=st.integers(0, len(GAMES) - 1), given_action=VALUES | ACTION_WORDS)
def test_an_action_is_played_or_refused_and_then_nothing_has_changed(
    place: int, given_action: Any, states: list[fd.State]
) -> None:
    state = states[place].copy()
    game, before, view = state.game, state.copy(), state.view(states[place].seat or 0)
    legal, history = state.legal, state.history
    parsed = settled(game.parse, given_action)
    if parsed is not None:
        settled(game.text, parsed)
    settled(game.text, given_action)
    settled(state.play, given_action)
    if len(state.history) == len(history):
        assert (state, state.history, state.legal) == (before, history, legal)
    else:
        assert len(state.history) == len(history) + 1
    settled(before.play, legal[0], given_action)
    assert view == states[place].view(states[place].seat or 0)


@tried(150)
@given(place=st.integers(0, len(GAMES) - 1), data=st.data())
def test_a_text_with_letters_changed_is_played_or_refused(place: int, data: st.DataObject, states: list[fd.State]) -> None:
    state = states[place].copy()
    words = state.game.text(data.draw(st.sampled_from(state.legal)))
    text = data.draw(damaged(words.encode())).decode(errors="surrogateescape")
    settled(state.play, text)


# --- Texts that name files --------------------------------------------------------------------------------------------


@pytest.fixture
def places(tmp_path: Path) -> list[str]:
    """Where no file can be read."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "link")
    (tmp_path / "empty").touch()
    names = ["", ".", "pipe", "link", "empty", "nowhere", "x" * 5000, "a\0b", "\udcff", "empty/below", "a\nb"]
    return [str(tmp_path / name) for name in names] + ["/dev/null", "/dev/zero", "/"]


def test_a_deck_or_model_that_is_no_file_is_refused(places: list[str]) -> None:
    for place in places:
        assert settled(fd.load, "magic", deck=place) is None, place
        assert settled(fd.agent, f"pmga:model={place}") is None, place
        settled(fd.load, f"{place}:GAME")
        settled(fd.load, f"{place}.py:GAME")
        settled(fd.agent, f"{place}.py:NAME")


def test_texts_of_options_are_read_or_refused() -> None:
    for text in ["a:b=", "a:=b", ":", "a:b=c,b=c", "a:b=c,", "=", "a:b", "a:b=c=d"]:
        settled(parse_text, text)
