import io
import re
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console, RenderableType

import facedown as fd
from facedown.arena.match import seated
from facedown.cards import SUIT_SIGNS, SUITS
from facedown.games.speech import face, listed_faces
from facedown.terminal import audience, drawing
from facedown.terminal.audience import Lines, PlayerQuit
from facedown.terminal.choices import Choices, parsed, rehearse
from facedown.terminal.decisions import decision_table, hint_line
from facedown.terminal.drawing import Scene
from facedown.terminal.hand import Hand
from facedown.terminal.person import Person, rules_of
from facedown.terminal.play import play_out
from facedown.terminal.reporter import Reporter, VisibleState
from facedown.terminal.results import result_table
from facedown.terminal.screen import Screen
from facedown.terminal.tricks import Trick

KNAVES = str(Path(__file__).parents[2] / "examples" / "little_knaves.py") + ":GAME"
NAMES = ["ismcts"] * 4


def drawn(what: RenderableType, width: int = 80, colours: bool = False) -> str:
    """What a terminal of that width shows."""
    console = Console(file=io.StringIO(), width=width, force_terminal=colours, color_system="standard" if colours else None)
    console.print(what)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def cards_in(screen: str) -> set[str]:
    """All cards to be seen, as the game writes them."""
    faces = re.findall(rf"(10|[2-9JQKA])([{SUIT_SIGNS}])", screen)
    return {rank.replace("10", "T") + SUITS[SUIT_SIGNS.index(sign)] for rank, sign in faces}


def randomly_played(state: fd.State, seed: int = 0) -> Iterator[fd.State]:
    """The state before each action, and at the end."""
    players = seated(["random"] * state.game.seats, state.game, seed)
    while (seat := state.seat) is not None:
        yield state
        state.play(players[seat].choose(state.view(seat)))
    yield state


def secrets_from(state: fd.State, seat: int) -> set[str]:
    """The cards in other hands that a seat cannot place."""
    known = set(state.view(seat).facts["passed"])
    return {card for other, hand in enumerate(state.hands) if other != seat for card in hand} - known


# --- The table --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hearts", "hearts32", "hearts:match=20"])
@pytest.mark.parametrize("seat", [0, 3])
def test_no_card_of_another_hand_is_on_the_table_before_it_is_played(name: str, seat: int) -> None:
    for state in islice(randomly_played(fd.load(name).deal(seed=seat)), 0, None, 3):
        screen = drawn(drawing.table(Scene(state.view(seat), NAMES)))
        assert not cards_in(screen) & secrets_from(state, seat)


def test_the_own_hand_and_the_trick_are_on_the_table() -> None:
    for state in islice(randomly_played(fd.load("hearts").deal(seed=2)), 0, None, 5):
        expected = {*state.hands[1], *(play["card"] for play in state.facts["trick"])}
        assert expected <= cards_in(drawn(drawing.table(Scene(state.view(1), NAMES))))


def test_states_a_seat_cannot_tell_apart_look_the_same() -> None:
    for state in islice(randomly_played(fd.load("hearts").deal(seed=4)), 0, None, 5):
        view = state.view(0)
        assert drawn(drawing.table(Scene(view, NAMES))) == drawn(drawing.table(Scene(view.sample(seed=1).view(0), NAMES)))


@pytest.mark.parametrize("name", ["hearts", "hearts:match=30", KNAVES])
def test_the_table_fits_a_terminal_of_80_by_24(name: str) -> None:
    for state in islice(randomly_played(fd.load(name).deal(seed=1)), 0, None, 5):
        last = Trick([(1, "TS"), (2, "TC"), (3, "TH"), (0, "TD")], 1, 14)
        lines = drawn(drawing.table(Scene(state.view(0), NAMES, last))).splitlines()
        assert len(lines) <= 21, "room for a note of two lines and the question"
        assert max(len(line.rstrip()) for line in lines) <= 80


def test_the_seats_sit_around_the_table_the_next_to_move_on_the_left() -> None:
    screen = drawn(drawing.table(Scene(fd.load("hearts").deal(seed=1).view(2), NAMES)))
    assert re.search(r"seat 0.*seat 3 .* seat 1.*you", screen, re.DOTALL)


def test_a_finished_trick_lies_on_the_table_until_it_is_taken_up() -> None:
    view = fd.load("hearts:passing=false").deal(seed=1).view(0)
    last = Trick([(1, "TS"), (2, "9S"), (3, "8S"), (0, "7S")], 1, 0)
    assert "last trick" not in drawn(drawing.table(Scene(view, NAMES, last, lies_there=True)))
    assert "last trick" in drawn(drawing.table(Scene(view, NAMES, last)))


def test_cards_that_may_not_be_played_are_dim() -> None:
    screen = drawn(Hand(["2C", "3D"], ["2C"]), colours=True)
    assert re.search(r"\x1b\[1;39m 2♣", screen)
    assert re.search(r"\x1b\[2;31m 3♦", screen)


def test_a_large_hand_takes_several_rows() -> None:
    hand = [fd.load("hearts").text(card) for card in range(52)]
    lines = drawn(Hand(hand, None), width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert cards_in("\n".join(lines)) == set(hand)


def test_a_game_without_words_of_its_own_shows_hand_scores_and_what_was_played() -> None:
    state = fd.load(KNAVES).deal(seed=1)
    first = state.hands[0][0]
    state.play(first)
    screen = drawn(drawing.table(Scene(state.view(0), NAMES)))
    assert "you · 0 points" in screen
    assert f"│{face(first):>3}│" in screen
    assert cards_in(screen) == {first, *state.hands[0]}


# --- Decisions and results --------------------------------------------------------------------------------------------


def test_a_decision_shows_each_candidate_with_its_figures() -> None:
    agent = fd.agent("ismcts:iterations=300,passer=steps")
    agent.choose(fd.load("hearts").deal(seed=1).view(0))
    decision = agent.decision
    assert decision is not None
    screen = drawn(decision_table(decision, taken=decision.candidates[1].action))
    best = decision.candidates[0]
    half = (best.interval[1] - best.interval[0]) / 2
    assert re.search(rf"{best.mean:.3f} ± {half:.3f} .* {best.visits / 300:.0%}", screen)
    assert cards_in(screen) >= {candidate.text for candidate in decision.candidates}
    assert len(re.findall("← yours", screen)) == 1
    assert "300 visits" in drawn(hint_line([decision]))


def test_a_decision_about_three_cards_shows_sets_of_them() -> None:
    agent = fd.agent("ismcts:iterations=300")
    agent.choose(fd.load("hearts").deal(seed=1).view(0))
    decision = agent.decision
    assert decision is not None
    best, ours = decision.candidates[0], next(one for one in decision.candidates if not one.has(decision.action))
    screen = drawn(decision_table(decision, taken=ours.action))
    assert listed_faces(best.text.split()) in screen
    assert len(re.findall("← yours", screen)) == 1
    assert f"hint: {listed_faces(decision.line)}, " in drawn(hint_line([decision]))


def test_a_forced_decision_says_so() -> None:
    agent = fd.agent("ismcts")
    state = fd.load("hearts:passing=false").deal(seed=1)
    agent.choose(state.view(state.seat or 0))
    assert agent.decision is not None
    assert "the only choice" in drawn(decision_table(agent.decision))
    assert "the only choice" in drawn(hint_line([agent.decision]))


@pytest.mark.parametrize(
    ("game", "scores", "words"),
    [
        ("hearts", [3, 9, 5, 9], "you win"),
        ("hearts", [9, 9, 5, 3], "seat 3 wins"),
        ("hearts", [9, 5, 7, 5], "seat 1 and seat 3 share the win"),
        (KNAVES, [1, 3, 2], "seat 1 wins"),
    ],
)
def test_the_result_names_the_winner(game: str, scores: list[float], words: str) -> None:
    assert words in drawn(result_table(fd.load(game), NAMES, scores, own=0))


def test_rules_are_the_words_of_the_games_own_file() -> None:
    assert "shoots the moon" in drawn(rules_of(fd.load("hearts:moon=false")))
    assert "Each jack in it costs its taker" in drawn(rules_of(fd.load(KNAVES)))


# --- Choices that can be taken back -----------------------------------------------------------------------------------


def test_cards_to_pass_are_collected_and_can_be_taken_back() -> None:
    view = fd.load("hearts").deal(seed=1).view(0)
    turn = Choices(view)
    assert turn.missing() == 3
    turn.add(view.legal[:2])
    assert (turn.complete, turn.missing()) == (False, 1)
    turn.take_back()
    turn.add(view.legal[5:7])
    assert turn.complete
    assert turn.actions == [view.legal[0], *view.legal[5:7]]


def test_a_line_with_a_bad_card_chooses_nothing() -> None:
    view = fd.load("hearts").deal(seed=1).view(0)
    turn = Choices(view)
    for cards in ([view.legal[0], view.legal[0]], view.legal[:4]):
        with pytest.raises(fd.IllegalMove):
            turn.add(cards)
        assert (turn.actions, turn.complete, turn.view) == ([], False, view)


def test_an_open_card_ends_the_turn_even_for_the_winner_of_the_trick() -> None:
    for state in islice(randomly_played(fd.load("hearts:passing=false").deal(seed=1)), 0, None, 2):
        if state.seat is not None:
            assert rehearse(state.view(state.seat), state.legal[0]) is None


def test_the_last_to_pass_sees_no_received_card_before_sending() -> None:
    state = fd.load("hearts").deal(seed=1)
    while state.seat != 3:
        state.play(state.legal[0])
    turn = Choices(state.view(3))
    turn.add(state.legal[:3])
    assert turn.complete
    assert turn.view.facts["received"] == []


@pytest.mark.parametrize("line", ["qs ah 10c", "QS,AH,TC", "Q♠  A♥, T♣"])
def test_a_line_may_name_several_cards(line: str) -> None:
    game = fd.load("hearts")
    assert [game.text(action) for action in parsed(game, line)] == ["QS", "AH", "TC"]


# --- A person at a screen ---------------------------------------------------------------------------------------------


class ScriptedScreen(Screen):
    """A screen whose person answers from a list, then with the first legal card; every frame is checked for secrets."""

    def __init__(self, state: fd.State, seat: int, answers: Sequence[str]) -> None:
        super().__init__(Console(file=io.StringIO(), width=80, height=24, force_terminal=True), seat)
        self.state = state
        self.answers = list(answers)
        self.frames: list[str] = []
        self.prompts: list[str] = []
        self.given: list[tuple[int, str]] = []  # length of the history, and an answer by rule

    def frame(self) -> str:
        assert isinstance(self.console.file, io.StringIO)
        frame = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.console.file.getvalue())
        self.console.file = io.StringIO()
        self.frames += [frame] if frame else []
        return frame

    def draw(self, view: fd.State | fd.View, note: RenderableType | None = None, *how: Any, **more: Any) -> None:
        self.frame()
        super().draw(view, note, *how, **more)
        if view.facts["deals_over"] == self.state.facts["deals_over"]:
            assert not cards_in(self.frame()) & secrets_from(self.state, self.own or 0)

    def ask(self, prompt: str) -> str:
        self.frame()
        self.prompts.append(prompt)
        if self.answers:
            return self.answers.pop(0)
        if "Enter" in prompt:
            return ""
        assert len(self.prompts) < 200, "the game does not go on"
        played = len(self.state.history)
        texts = [self.state.game.text(action) for action in self.state.legal]
        answer = next(text for text in texts if (played, text) not in self.given)
        self.given.append((played, answer))
        return answer


def begun(
    name: str, answers: Sequence[str], seat: int = 0, confirm: bool | None = None
) -> tuple[ScriptedScreen, list[fd.Agent]]:
    state = fd.load(name).deal(seed=7)
    screen = ScriptedScreen(state, seat, answers)
    players = seated(["random"] * state.game.seats, state.game, 7)
    players[seat] = Person(screen, players[seat], confirm)
    return screen, players


def left_game(answers: Sequence[str]) -> ScriptedScreen:
    screen, players = begun("hearts", answers)
    with pytest.raises(PlayerQuit):
        play_out(screen.state, players, screen)
    return screen


def game_on_screen(name: str, answers: Sequence[str], seat: int = 0, confirm: bool | None = None) -> ScriptedScreen:
    screen, players = begun(name, answers, seat, confirm)
    record = play_out(screen.state, players, screen)
    screen.frame()
    assert record.replay() == screen.state
    assert record.agents[seat] == "human"
    return screen


def first_cards(count: int) -> list[str]:
    return fd.load("hearts").deal(seed=7).hands[0][:count]


@pytest.mark.parametrize("seat", [0, 2])
def test_a_whole_game_shows_no_secret_on_any_screen(seat: int) -> None:
    screen = game_on_screen("hearts", ["hint", "why", "history", "help", "rules"], seat)
    assert len(screen.frames) > 20


def test_a_match_goes_on_deal_after_deal() -> None:
    screen = game_on_screen("hearts:match=27,passing=false", [])
    deals = [prompt for prompt in screen.prompts if "next deal" in prompt]
    assert len(deals) >= 1
    assert any("this deal" in frame and "total" in frame for frame in screen.frames)


def test_several_cards_are_confirmed_on_a_screen() -> None:
    first, second, third, fourth = first_cards(4)
    screen = game_on_screen("hearts", [f"{first} {second}", third, "undo", fourth, "no", ""])
    assert f"send {face(first)} {face(second)} {face(third)}?" in screen.prompts[2]
    assert f"send {face(first)} {face(second)} {face(fourth)}?" in screen.prompts[4]
    assert any("expected Enter to send, or undo, got 'no'" in frame for frame in screen.frames)
    assert screen.state.history[:3] == [(0, screen.state.game.parse(word)) for word in (first, second, fourth)]


def test_one_card_is_sent_at_once_unless_asked_to_confirm() -> None:
    assert not any("send" in prompt for prompt in game_on_screen("hearts:passing=false", []).prompts)
    confirmed = game_on_screen("hearts:passing=false", [], confirm=True).prompts
    assert sum("send" in prompt for prompt in confirmed) == 13


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("zz", "expected a card such as QS, TC or 2H, got 'zz'"),
        ("2s", "that card is not in the hand"),
        ("undo", "nothing to take back"),
        ("why last", "you have not played yet"),
        ("hint", "more: why"),
        ("why", "points ahead"),
        ("?", "takes back the last choice"),
        ("history", "nothing has been played yet"),
        ("Rules", "Enter for more"),
    ],
)
def test_the_screen_answers(answer: str, reply: str) -> None:
    screen = left_game([answer, "", "quit"])
    assert reply in "".join(screen.frames[1:3]) + screen.prompts[1]


def test_why_last_marks_the_card_that_was_played() -> None:
    screen = left_game([" ".join(first_cards(3)), "", "why last", "", "quit"])
    assert any("← yours" in frame for frame in screen.frames)


# --- Lines ------------------------------------------------------------------------------------------------------------


def told(name: str, seat: int | None) -> list[str]:
    """The lines of a game of random players."""
    console = Console(file=io.StringIO(), width=80)
    state = fd.load(name).deal(seed=3)
    play_out(state, seated(["random"] * state.game.seats, state.game, 3), Lines(console, console, seat, None))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_a_game_is_told_in_a_line_for_each_trick() -> None:
    lines = told("hearts:passing=false", None)
    tricks = [line for line in lines if line.startswith("trick")]
    assert len(tricks) == 13
    assert re.fullmatch(r"trick  1: seat \d 2C(  seat \d \w\w){3} -> seat \d, 0 points", tricks[0])


def test_watching_one_seat_shows_its_hand_only_and_the_backs_of_passed_cards() -> None:
    lines = told("hearts", 2)
    assert [line[:6] for line in lines if "random" in line] == ["seat 2", "seat 2"]
    assert "seat 0: ?? ?? ??" in lines


def test_watching_all_shows_the_hands_again_after_the_pass() -> None:
    assert sum("random" in line for line in told("hearts", None)) == 8


def test_a_match_is_told_with_the_totals_of_each_deal() -> None:
    lines = told("hearts:match=27,passing=false", None)
    assert sum("this deal" in line for line in lines) >= 1
    assert sum(line.startswith("trick  1:") for line in lines) >= 2


def test_a_game_without_tricks_is_told_action_by_action() -> None:
    assert sum(bool(re.match(r"seat \d: (\w+ \w+|take|call)", line)) for line in told("cheat", None)) > 3


def test_waiting_is_told_once_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience, "PATIENCE_SECONDS", 0.01)
    console = Console(file=io.StringIO(), width=80)
    with audience.waiting(console, "compiling"):
        time.sleep(0.2)
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == "compiling ...\n"


def test_waiting_shows_the_seconds_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience, "PATIENCE_SECONDS", 0.0)
    console = Console(file=io.StringIO(), width=80, force_terminal=True)
    with audience.waiting(console, "compiling"):
        pass
    assert isinstance(console.file, io.StringIO)
    assert re.search(r"compiling \.+ +0 s", console.file.getvalue())


def test_a_reporter_keeps_other_actions_of_a_seat_in_one_line() -> None:
    said: list[str] = []
    reporter = Reporter(0, False, lambda line: said.append(line.plain))
    state = fd.load("hearts").deal(seed=1)
    for _ in range(4):
        before = state.view(0)
        state.play(state.legal[0])
        after = state.view(0)
        reporter.report(VisibleState(before), VisibleState(after))
    reporter.flush()
    assert said == [f"you: {' '.join(state.game.text(action) for _, action in state.history[:3])}", "seat 1: ??"]
