"""What a person is told in words: claims, news, what a choice is worth, and what may come of it."""

import io
import re

import pytest
from rich.console import Console

import facedown as fd
from cheat_positions import set_up
from facedown.analysis.reasons import in_short, sentences
from facedown.analysis.risks import risks_of
from facedown.analysis.value import LEAD, WIN, Measure
from facedown.arena.match import seated
from facedown.cli.watch import decision_line
from facedown.games import speech
from facedown.games.hearts.text import is_moon
from facedown.search.decision import Candidate, Decision
from facedown.terminal.audience import Lines, PlayerQuit
from facedown.terminal.decisions import decision_table, hint_line
from facedown.terminal.play import play_out
from facedown.terminal.reporter import Reporter, VisibleState
from magic_boards import board
from test_terminal import KNAVES, begun, drawn, left_game

POINTS = Measure(LEAD, 52.0, -26.0)


def told(state: fd.State, action: str, own: int | None) -> list[str]:
    """The lines that one action makes, for a seat."""
    said: list[str] = []
    reporter = Reporter(own, False, lambda line: said.append(line.plain))
    positions = []
    for _ in range(2):
        position = state.copy() if own is None else state.view(own)
        positions.append(VisibleState(position))
        if len(positions) == 1:
            state.play(action)
    reporter.report(*positions)
    reporter.flush()
    return said


def candidate(action: str, mean: float, visits: int, half: float = 0.001) -> Candidate:
    game = fd.load("hearts")
    return Candidate(game.parse(action), action, visits, visits, mean, (mean - half, mean + half))


def decision(*candidates: Candidate) -> Decision:
    best = candidates[0]
    visits = sum(one.visits for one in candidates)
    return Decision(best.action, best.text, list(candidates), [best.text], iterations=visits)


# --- Claims and news ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4 2", "four twos"),
        ("1 6", "one six"),
        ("2 6", "two sixes"),
        ("3 T: QH 5D AC", "three tens (Q♥ 5♦ A♣)"),
        ("take", "take"),
        ("up true 1", "one six (6♣)"),
        ("down false 2", "two fours (6♣ 9♦)"),
    ],
)
def test_a_claim_is_said_in_words(text: str, words: str) -> None:
    state = set_up("6C 9D", "2C", "5", claims=[(1, "5", "5C")], stock="8H")
    assert state.game.say(text, state.view(0).facts) == words


def test_a_claim_of_the_other_seat_is_told_in_words() -> None:
    state = set_up("6C 9D 2D 3D", "2C", "5")
    assert told(state.copy(), "2 6: 9D 2D", 1) == ["seat 0: two sixes"]
    assert told(state.copy(), "2 6: 9D 2D", 0) == ["you: two sixes (2♦ 9♦)"]


@pytest.mark.parametrize(
    ("laid", "own", "words"),
    [
        ("KC", 0, "you call cheat, and rightly: seat 1's one five was a lie; seat 1 takes up the pile, 1 card"),
        ("KC KD", 1, "seat 0 calls cheat, and rightly: your two fives were a lie; you take up the pile, 2 cards"),
        ("5C", 0, "you call cheat, but one five it was; you take up the pile, 1 card"),
        ("5C 5D", None, "seat 0 calls cheat, but two fives it was; seat 0 takes up the pile, 2 cards"),
    ],
)
def test_a_call_is_told_with_what_came_of_it(laid: str, own: int | None, words: str) -> None:
    assert words in told(set_up("6C 9D", "2C 3C", "4", claims=[(1, "5", laid)]), "call", own)


def test_a_card_drawn_is_named_to_who_drew_it() -> None:
    state = set_up("6C 9D", "2C", "5", stock="8H")
    assert "you draw 8♥ from the stock" in told(state.copy(), "take", 0)
    assert "seat 0 draws a card from the stock" in told(state.copy(), "take", 1)
    magic = fd.load("magic").deal(seed=3)
    before = magic.view(1).facts["hand"]
    words = told(magic, "done", 1)
    assert words[-1] == f"you draw {speech.gained(before, magic.view(1).facts['hand'])[0]}"


def test_a_fight_is_told_with_the_life_it_cost() -> None:
    state = board("3/3", life=(20, 2))
    words = told(state, "attack 3/3", 1)
    assert words[-2:] == ["you lose 3 life, 0 left", "you have no life left; seat 0 wins"]


def news_of(name: str, seed: int, seat: int | None, others: str = "random") -> str:
    """All that is said of a game."""
    console = Console(file=io.StringIO(), width=200)
    state = fd.load(name).deal(seed)
    play_out(state, seated([others] * state.game.seats, state.game, seed), Lines(console, console, seat, seat))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_every_deal_ends_in_words() -> None:
    text = news_of("hearts:match=30", 3, 0)
    assert text.count("the deal is over, points: ") == 1 + text.count("this deal")
    assert re.search(r"you are passed( \w\w?[♣♦♠♥]){3}\n", text)
    assert "hearts are broken" in text
    assert re.search(r"the deal is over, card points: \d+ to you, \d+ to seat 1\n", news_of("bisca", 3, 0))
    assert re.search(r"the deal is over: \d game points? to (you|seat 1) and seat \d\n", news_of("sueca:match=2", 3, 0))
    text = news_of("bisca", 3, 1)
    assert len(re.findall(r"you draw \w+[♣♦♠♥]; \d+ cards? left in the stock", text)) == 11
    assert text.count("from now on the suit led must be followed") == 1


def test_a_moon_is_told_as_one() -> None:
    """Seat 2 holds all the high cards, and takes everything."""
    game = fd.load("hearts:passing=false")
    facts = {"totals": [1, 2, 3, 4], "deals_over": 1, "points": [0, 0, 25, 0], "hearts_broken": True, "trick": []}
    after = {**facts, "totals": [27, 28, 3, 30], "deals_over": 2}
    assert game.news(facts, after, 2)[0] == "you shoot the moon: 26 points each to seat 0, seat 1 and seat 3!"
    assert game.news(facts, after, 0)[0] == "seat 2 shoots the moon: 26 points each to you, seat 1 and seat 3!"
    plain = {**facts, "totals": [1, 15, 16, 4], "deals_over": 2}
    assert game.news(facts, plain, 0) == ["the deal is over, points: 0 to you, 13 to seat 1, 13 to seat 2, 0 to seat 3"]


# --- What a choice is worth ---------------------------------------------------------------------------------------------


def test_reasons_are_in_points_and_in_a_sentence() -> None:
    found = decision(candidate("KH", 0.55, 600), candidate("JC", 0.538, 300), candidate("2S", 0.53, 100))
    screen = drawn(decision_table(found, POINTS, taken=found.candidates[2].action))
    assert "mean reward" not in screen
    assert "K♥ is best: J♣ would cost a lead of 0.6 points." in screen
    assert "Yours, 2♠, gave away a lead of 1.0 points." in screen
    assert re.search(r"K♥ +\+2\.6 ± 0\.1", screen)
    assert drawn(hint_line([found], POINTS)).startswith("hint: K♥, 2.6 ± 0.1 points ahead, 60% of 1000 visits")


def test_chances_to_win_are_in_percent() -> None:
    found = decision(candidate("KH", 0.61, 600), candidate("JC", 0.58, 400))
    assert sentences(found, Measure(WIN), None, "yours", {}) == ["K♥ is best: J♣ would cost 3 % of the chance to win."]
    assert "61.0 ± 0.1 % to win" in in_short(found, Measure(WIN))


@pytest.mark.parametrize(
    ("mean", "half", "words"),
    [
        (0.549, 0.02, "K♥ is best: J♣ would cost a lead of 0.1 points, if anything."),
        (0.5499, 0.02, "K♥ was tried most; J♣ does as well, as far as the search can tell."),
        (0.56, 0.02, "K♥ was tried most; J♣ does as well, as far as the search can tell."),
    ],
)
def test_what_is_not_certain_is_not_said_as_if_it_were(mean: float, half: float, words: str) -> None:
    found = decision(candidate("KH", 0.55, 600, half), candidate("JC", mean, 400, half))
    assert sentences(found, POINTS, None, "yours", {}) == [words]


def test_only_a_forced_choice_is_called_the_only_one() -> None:
    """The menu of Magic has `done` beside a land that is worth no search."""
    view = fd.load("magic").deal(seed=3).view(0)
    agent = fd.agent("ensemble:bt=true,mp=true,decides=all,ahead=phase,iterations=40")
    agent.choose(view)
    assert agent.decision is not None
    assert len(view.legal) == 2
    for words in (drawn(hint_line([agent.decision])), drawn(decision_table(agent.decision))):
        assert "land" in words
        assert "only choice" not in words


def test_watching_tells_reasons_in_the_games_units() -> None:
    state = fd.load("hearts:passing=false").deal(seed=2)
    agent = fd.agent("ismcts:iterations=50")
    while len(state.legal) == 1:
        state.play(state.legal[0])
    state.play(agent.choose(state.view(state.seat or 0)))
    assert re.search(r"\| \w\w \d+% \d+\.\d ± \d\.\d points (ahead|behind)", decision_line(state, agent, False).plain)


# --- Risks --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "share"), [([26, 0, 0, 0], 1.0), ([20, 6, 0, 0], 0.0)])
def test_a_moon_that_cannot_be_missed_is_certain_and_one_that_is_broken_impossible(points: list[int], share: float) -> None:
    """In the last trick, with no point in it."""
    for seed in range(20):
        state = last_trick(seed)
        if not any(card[1] == "H" or card == "QS" for hand in state.hands for card in hand):
            state.record.points[:] = points
            view = state.view(state.seat or 0)
            assert risks_of(view, view.legal, worlds=5) == {"a moon": {view.legal[0]: share}}
            return
    raise AssertionError("no such deal")


def last_trick(seed: int) -> fd.State:
    """A deal played by chance up to its last trick."""
    state = fd.load("hearts:passing=false").deal(seed)
    agent = fd.agent("random", seed=seed)
    while state.facts["tricks_played"] < 12:
        state.play(agent.choose(state.view(state.seat or 0)))
    return state


def test_risks_are_shares_of_worlds() -> None:
    view = fd.load("hearts:passing=false").deal(seed=2).view(0)
    while view.to_move != 0:
        state = view.sample(1)
        state.play(state.legal[0])
        view = state.view(0)
    shares = risks_of(view, view.legal[:2], worlds=20)["a moon"]
    assert list(shares) == view.legal[:2]
    assert all(0 <= share <= 1 for share in shares.values())
    assert risks_of(fd.load("sueca").deal(1).view(0), [0]) == {}


def test_risks_are_told_in_a_sentence() -> None:
    found = decision(candidate("KH", 0.55, 600), candidate("JC", 0.52, 400))
    king, jack = (one.action for one in found.candidates)
    told = [sentences(found, POINTS, None, "yours", {"a moon": {king: moon, jack: 0.0}})[-1] for moon in (0.04, 0.0)]
    assert told == ["Risk of a moon: 4% after K♥, 0% after J♣.", "Risk of a moon: below 1 %."]


def test_a_deal_in_which_one_seat_took_everything_was_a_moon() -> None:
    state = fd.load("hearts:passing=false").deal(seed=2)
    record = state.record
    record.points[:] = [0, 26, 0, 0]
    assert is_moon(record)
    record.points[:] = [1, 25, 0, 0]
    assert not is_moon(record)
    record.points[:] = [0, 26, 0, 0]
    record.moon = False
    assert not is_moon(record)


# --- Passing ------------------------------------------------------------------------------------------------------------


def test_a_hint_for_passing_names_all_three_cards_and_they_can_be_passed() -> None:
    screen = left_game(["hint", "quit"])
    words = re.search(r"hint: (\S+) (\S+) (\S+), [\d.]+ ± [\d.]+ points (ahead|behind)", "".join(screen.frames))
    assert words
    game, players = begun("hearts", [" ".join(words.group(1, 2, 3)), "", "quit"])
    with pytest.raises(PlayerQuit):
        play_out(game.state, players, game)
    passed = [speech.face(game.state.game.text(action)) for _, action in game.state.history[:3]]
    assert passed == list(words.group(1, 2, 3))


def test_table_question_and_what_is_chosen_agree() -> None:
    hand = fd.load("hearts").deal(seed=7).hands[0]
    first, second = (speech.face(card) for card in hand[:2])
    screen = left_game(["1", "2", "undo", "hint", "zz", "quit"])
    pairs = list(zip(screen.prompts, [frame for frame in screen.frames if "╰" in frame], strict=False))
    assert "choose 3 (" in pairs[0][0]
    assert "chosen" not in pairs[0][1]
    for prompt, frame in pairs[1:]:
        left = int(re.findall(r"choose (\d) more", prompt)[0])
        assert f"chosen {3 - left} of 3: {first}" in frame
        assert (second in frame.split("chosen")[1].splitlines()[0]) == (left == 1)
        assert len(re.findall(r"│ *(?:10|\w)[♣♦♠♥]│", frame)) == 13, "chosen cards stay in the hand, raised"


def test_a_game_of_ones_own_is_told_trick_by_trick() -> None:
    lines = news_of(KNAVES, 3, None).splitlines()
    tricks = [line for line in lines if line.startswith("trick")]
    assert len(tricks) == 7
    assert re.fullmatch(r"trick  1: seat 0 \w\w(  seat \d \w\w){2} -> seat \d, -?\d+ points?", tricks[0])


# --- Words of an author's own -------------------------------------------------------------------------------------------


def knaves(**words: object) -> fd.Game:
    """A game of one's own with some words."""
    game = fd.load(KNAVES)
    return fd.Game("little-knaves", game.rules, seats=3, actions=game.actions, **words)  # type: ignore[arg-type]


def test_a_games_own_words_are_used() -> None:
    game = knaves(say=lambda text, facts: f"the {text}", news=lambda before, after, own: ["well played"])
    assert told(game.deal(5), "9D", 1) == ["well played"]
    assert game.say("pass", {}) == "the pass"
    assert knaves().say("pass", {}) == "pass"
    assert knaves().news({}, {}) == []


@pytest.mark.parametrize("name", ["say", "news"])
def test_words_that_fail_are_one_line(name: str) -> None:
    game = knaves(**{name: lambda *given: 1 / 0})
    with pytest.raises(fd.FacedownError, match=rf"expected the game's `{name}` to answer, got .*division by zero"):
        getattr(game, name)({}, {})


def test_a_risk_that_is_no_function_is_refused() -> None:
    with pytest.raises(fd.FacedownError, match="expected a function as 'a storm', got 'strong'"):
        knaves(risks={"a storm": "strong"})


def test_a_risk_of_ones_own_is_counted_without_rules_of_thumb() -> None:
    game = knaves(risks={"a loss": lambda record: record.score[0] < record.score[1]})
    view = game.deal(5).view(0)
    shares = risks_of(view, view.legal[:1], worlds=20)["a loss"]
    assert 0 < shares[view.legal[0]] < 1
    assert risks_of(view, view.legal[:1], worlds=20)["a loss"] == shares, "the same worlds each time"
