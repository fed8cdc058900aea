"""facedown play, as a person meets it."""

import io
import json
import os
import re
import stat
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import facedown as fd
from facedown.agents import agent
from facedown.analysis.advice import advice, searcher
from facedown.analysis.review import Review, half_of, look_back, looks
from facedown.arena.match import seated
from facedown.cli import play as cli_play
from facedown.cli.arguments import chosen_seed
from facedown.compiler.activity import COMPILER, Compiler
from facedown.errors import FacedownError
from facedown.kernel import COMPILED
from facedown.search.decision import Candidate, Decision
from facedown.terminal import person as terminal_person
from facedown.terminal.audience import COMPILING, Elapsed, Lines, Turn
from facedown.terminal.person import Person
from facedown.terminal.play import first_deal, idler, play_out, trial_positions
from facedown.terminal.review import review_lines
from facedown.terminal.screen import Screen
from terminals import NORMAL, Open, Run, Terminal

KNAVES = str(Path(__file__).parents[2] / "examples" / "little_knaves.py") + ":GAME"


def cards_typed(name: str, others: str, seed: int) -> list[str]:
    """What seat 0 may type to the end of a game if it always takes its first choice."""
    game = fd.load(name)
    state, players = game.deal(seed), seated([others] * game.seats, game, seed)
    chosen = []
    while (seat := state.seat) is not None:
        action = state.legal[0] if seat == 0 else players[seat].choose(state.view(seat))
        chosen += [game.text(action)] if seat == 0 else []
        state.play(action)
    return chosen


def game_of(name: str, **changes: object) -> fd.Game:
    """A game that differs in what is given."""
    game = fd.load(name).with_options()
    for key, value in changes.items():
        setattr(game, key, value)
    return game


# --- Who plays and advises ----------------------------------------------------------------------------------------------


def test_the_readmes_own_game_is_played_to_its_end_with_hint_and_why_and_kept(
    terminal: Open, run: Run, tmp_path: Path
) -> None:
    store = str(tmp_path / "own.sqlite")
    chosen = cards_typed(KNAVES, searcher(fd.load(KNAVES)), 5)
    game = terminal("play", KNAVES, "--seed", "5", "--delay", "0", "--store", store, "--no-review")
    game.wait_for("? for help")
    game.type("hint\n")
    game.wait_for("hint: ")
    game.type("why\n")
    game.wait_for("expected line")
    game.type("".join(f"{card}\n" for card in chosen))
    assert game.exit_code() == 0
    assert re.search(r"(you win|wins|share the win)", game.shown.split(NORMAL)[1])
    code, out, err = run("replay", "last", "--store", store)
    assert (code, err) == (0, "")
    assert "little_knaves.py:GAME" in out


def test_a_named_agent_at_the_table_leaves_hint_as_it_is(run: Run) -> None:
    chosen = cards_typed(KNAVES, "random", 5)
    code, out, err = run("play", KNAVES, "random", "--seed", "5", lines="\n".join(["hint", "why", *chosen, ""]))
    assert (code, err) == (0, "")
    assert "hint: " in out


@pytest.mark.parametrize(
    ("name", "opponent", "text"),
    [
        ("hearts", "ismcts", "ismcts:iterations=2000,playout=rules"),
        ("hearts", "ismcts:playout=uniform", "ismcts:playout=uniform,iterations=2000"),
        ("hearts", "ismcts:iterations=50", "ismcts:iterations=50,playout=rules"),
        ("hearts", "ismcts:seconds=0.1,playout=mast", "ismcts:seconds=0.1,playout=mast"),
        ("hearts", "random", "random"),
        ("magic", "ensemble:trees=5,simulations=10", "ensemble:trees=5,simulations=10,playout=rules"),
        (KNAVES, "ismcts", "ismcts:iterations=2000"),
        ("cheat", "pmga", "pmga:iterations=2000,playout=rules"),
    ],
)
def test_the_games_own_choice_is_told_only_what_it_does_not_say(name: str, opponent: str, text: str) -> None:
    assert searcher(game_of(name, opponent=opponent)) == text
    assert agent(text)


@pytest.mark.parametrize("opponent", ["ismcts:playout=uniform", "random"])
def test_any_choice_of_an_adviser_gives_a_hint(opponent: str) -> None:
    game = game_of("hearts32", opponent=opponent)
    view = game.deal(3).view(game.deal(3).seat or 0)
    found = advice(view, 20)
    assert found.action in view.legal
    assert found.text == game.text(found.action)


# --- One seed, one game -------------------------------------------------------------------------------------------------


def record_of(game: Terminal) -> fd.GameRecord:
    """What --json has printed."""
    assert game.exit_code() == 0
    return fd.GameRecord.from_json(re.findall(r"\{\"format.*\}", game.shown.replace("\r", ""))[-1])


def test_one_seed_and_the_same_cards_give_the_same_game_however_long_a_person_thinks(
    terminal: Open, run: Run, tmp_path: Path
) -> None:
    others = "ismcts:iterations=60"
    chosen = cards_typed("hearts32", others, 6)
    records = []
    for seconds in (0.0, 0.7):
        game = terminal("play", "hearts32", others, "--seed", "6", "--delay", "0", "--json", "--no-store")
        for card in chosen:
            shown = len(game.shown)
            game.wait_for_prompt(shown)
            time.sleep(seconds if card == chosen[0] else 0.0)
            game.type(f"{card}\n")
        records.append(record_of(game))
    quick, slow = records
    assert quick.actions == slow.actions
    assert quick.seconds != slow.seconds
    assert max(one or 0.0 for one in slow.seconds or []) >= 0.7
    (tmp_path / "slow.jsonl").write_text(slow.to_json() + "\n")
    code, out, _ = run("replay", str(tmp_path / "slow.jsonl"), "--research")
    assert code == 0
    assert "identical: 24 of 32 actions" in out


def timed(name: str, seconds: float | None, length: int, seed: int = 2) -> fd.State:
    """A game under way, in which everybody took so long."""
    state = fd.load(name).deal(seed)
    player = fd.agent("random", seed=4)
    while len(state.history) < length or len(state.legal) < 2:
        state.play(player.choose(state.view(state.seat or 0)), seconds)
    return state


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hearts", "ismcts:iterations=40"),
        ("hearts", "pimc:iterations=10,worlds=4"),
        ("hearts", "uct:iterations=40"),
        ("hearts", "minimax:endgame=8,endgame_worlds=5,iterations=10"),
        ("cheat", "sdmcts:iterations=40"),
        ("cheat", "fpmga:iterations=40"),
        ("cheat", "cheat-person:style=7"),
        ("magic", "ensemble:trees=4,simulations=10"),
    ],
)
def test_no_clock_changes_what_an_agent_does(name: str, text: str) -> None:
    told = []
    for seconds in (None, 1.0, 2.5):
        state, player = timed(name, seconds, 7), fd.agent(text, seed=9)
        position = state.copy() if player.sees_all else state.view(state.seat or 0)
        action = player.choose(position)
        figures = [(one.action, one.visits, one.mean) for one in player.decision.candidates] if player.decision else []
        told.append((action, figures, player.stream(position).tolist()))
    assert told[0] == told[1] == told[2]


def test_who_reads_the_clock_still_does() -> None:
    views = [timed("cheat", seconds, 9).view(0) for seconds in (None, 1.0)]
    assert [view.seconds[-1] for view in views] == [None, 1.0]
    assert views[0] != views[1]
    assert fd.agent("pmga").stream(views[0]).tolist() == fd.agent("pmga").stream(views[1]).tolist()


# --- Where a person sits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "named", "seat", "expected"),
    [
        ("cheat", ["human", "cheat-person:style=7"], None, (0, ["cheat-person:style=7"])),
        ("cheat", ["cheat-person:style=7", "human"], None, (1, ["cheat-person:style=7"])),
        ("hearts", ["human", "random", "uct", "pimc"], None, (0, ["random", "uct", "pimc"])),
        ("hearts", ["random", "uct", "human", "pimc"], "2", (2, ["random", "uct", "pimc"])),
        ("hearts", ["human", "random"], "3", (3, ["random"] * 3)),
        ("hearts32", ["human"], None, (0, ["ismcts:iterations=2000,playout=rules"] * 3)),
        ("sueca", ["human"], None, (0, ["ismcts:inference=policy,playout=policy,iterations=2000"] * 3)),
        ("hearts", ["random"], "1", (1, ["random"] * 3)),
    ],
)
def test_a_person_may_be_named_among_the_agents(
    name: str, named: list[str], seat: str | None, expected: tuple[int, list[str]]
) -> None:
    assert cli_play.places(fd.load(name), named, seat) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "hearts", "human", "human"], "expected one human at the most, got 2: human human"),
        (["play", "cheat", "human", "pmga", "--seat", "1"], "expected --seat 0, where human stands among the agents, got 1"),
        (["play", "cheat", "pmga", "mga"], "expected 1 agent for the other seats of cheat, got 2: pmga mga"),
        (["play", "hearts", "human", "random", "random"], "expected 1 or 3 agents for the other seats of hearts, got 2"),
        (["watch", "cheat", "human", "pmga"], "expected agents, got human: people play by facedown play"),
        (["play", "hearts", "--store", "x.sqlite", "--no-store"], "expected --store or --no-store, got both"),
    ],
)
def test_a_seat_that_cannot_be_is_one_line(run: Run, arguments: Sequence[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


def test_the_documented_game_against_a_make_believe_person_is_played(run: Run) -> None:
    code, out, _ = run("play", "cheat", "human", "cheat-person:style=7", "--seed", "3", "--json")
    assert code == 0
    assert fd.GameRecord.from_json(out).agents[1] == "cheat-person:style=7"


# --- Seeds ----------------------------------------------------------------------------------------------------------------


def test_a_seed_nobody_chose_is_too_large_to_find_by_trying() -> None:
    seeds = {chosen_seed(None) for _ in range(40)}
    assert len(seeds) == 40
    assert 2**60 < max(seeds) < 2**63


def test_a_long_seed_deals_the_same_again(run: Run) -> None:
    first = fd.GameRecord.from_json(run("watch", "hearts32", "random", "--json")[1])
    assert fd.GameRecord.from_json(run("watch", "hearts32", "random", "--seed", f"{first.seed}", "--json")[1]) == first


# --- Compiling ------------------------------------------------------------------------------------------------------------


class TypingScreen(Screen):
    """A screen whose person gives these answers, then always the first choice."""

    def __init__(self, answers: Sequence[str]) -> None:
        super().__init__(Console(file=io.StringIO(), width=80, height=24, force_terminal=True), 0)
        self.answers = list(answers)
        self.view: fd.View | None = None

    def show(self, turn: Turn, note: object, pointed: str | None = None) -> None:
        self.view = turn.view

    def ask(self, prompt: str) -> str:
        assert self.view is not None
        return self.answers.pop(0) if self.answers else "" if "Enter" in prompt else self.view.game.text(self.view.legal[0])


@pytest.mark.parametrize(
    ("text", "idle"),
    [
        ("ismcts:iterations=5000,playout=rules", "ismcts:iterations=1,playout=rules"),
        ("ismcts:seconds=3,threads=4,parallel=tree", "ismcts:iterations=4,threads=4,parallel=tree"),
        ("ensemble:trees=5,simulations=10,bt=true", "ensemble:iterations=1,trees=5,bt=true"),
        ("minimax:endgame=8", "minimax:iterations=1,endgame=8"),
        ("cheat-person:style=7", "cheat-person:style=7"),
    ],
)
def test_what_is_compiled_before_the_first_card_is_what_will_play(text: str, idle: str) -> None:
    made = idler(agent(text))
    assert made is not None
    assert made.text == agent(idle).text


def test_agents_from_elsewhere_are_not_asked_to_play_before_the_game() -> None:
    class Stranger(fd.Agent):
        name = "stranger"

    assert idler(Stranger()) is None


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize("name", ["hearts32", KNAVES])
def test_neither_hint_nor_the_first_card_compiles_anything_more(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is first needed later is asked for from the cache of compiled code."""
    from facedown.kernel_cache import KernelCache

    asked: list[str] = []
    load = KernelCache.load_overload

    def noted(cache: KernelCache, *given: Any) -> Any:
        asked.append(repr(cache))
        return load(cache, *given)

    monkeypatch.setattr(KernelCache, "load_overload", noted)
    game, screen = fd.load(name), TypingScreen(["hint", "why", "table"])
    players = seated([searcher(game)] * game.seats, game, 3)
    deputy = players[0]
    players[0] = Person(screen, deputy)
    state = first_deal(game, 3, [*players, deputy], screen.notes)
    asked.clear()
    person = players[0]
    while state.seat != 0:
        state.play(state.legal[0])
    person.choose(state.view(0))
    assert asked == []


def test_a_trial_is_never_the_deal_that_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that remembers what it was asked would know cards."""
    game = fd.load("hearts32")
    asked: list[fd.View] = []
    kind = type(agent("ismcts"))

    def noted(player: fd.Agent, view: fd.View) -> int:
        asked.append(view)
        return view.legal[0]

    monkeypatch.setattr(kind, "choose", noted)
    state = first_deal(game, 3, [agent("ismcts")], Console(file=io.StringIO()))
    hands = {card for hand in state.hands for card in hand}
    assert asked
    assert all(view.hand(view.seat) != state.hands[view.seat] for view in asked if not view.history), hands


def test_endgames_are_tried_too() -> None:
    positions = trial_positions(fd.load("hearts32:match=50").deal(1))
    assert len(positions[0].hands[0]) > len(positions[-1].hands[0])
    assert all(position.deals == 1 for position in positions)


def test_the_compiler_is_listened_to() -> None:
    compiler = Compiler()
    compiler.start()
    compiler.start()
    assert compiler.at_work
    compiler.end()
    assert compiler.at_work
    compiler.end()
    assert not compiler.at_work
    assert compiler.seconds >= 0.0


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_numba_tells_when_it_compiles() -> None:
    import numba

    COMPILER.listen()
    before = COMPILER.seconds
    numba.njit(lambda number: number + 1)(1)
    assert COMPILER.seconds > before
    assert not COMPILER.at_work


def test_compiling_is_not_called_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    elapsed = Elapsed("seat 1 ismcts thinks")
    COMPILER.start()
    clock[0] += 20.0
    assert COMPILING in elapsed.__rich__().plain
    assert "20 s" in elapsed.__rich__().plain
    COMPILER.end()
    clock[0] += 3.0
    assert "seat 1 ismcts thinks" in elapsed.__rich__().plain
    assert " 3 s" in elapsed.__rich__().plain


def test_a_persons_clock_counts_neither_compiling_nor_the_adviser(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])

    def slow_advice(view: fd.View) -> Decision:
        COMPILER.start()
        clock[0] += 30.0
        COMPILER.end()
        clock[0] += 5.0
        return Decision(view.legal[0], view.game.text(view.legal[0]))

    class Thinking(TypingScreen):
        def ask(self, prompt: str) -> str:
            clock[0] += 2.0
            return super().ask(prompt)

    monkeypatch.setattr(terminal_person, "advice", slow_advice)
    state = fd.load("hearts:passing=false").deal(1)
    person = Person(Thinking(["hint"]), fd.agent("random"))
    person.audience.meet([person] * 4)
    person.choose(state.view(state.seat or 0))
    assert person.seconds == 4.0


# --- Kept and looked back at --------------------------------------------------------------------------------------------


def whole_game(terminal: Open, *more: str, **environment: str) -> Terminal:
    """A game of one person, to its end."""
    game = terminal("play", "hearts32", "random", "--seed", "5", "--delay", "0", *more, **environment)
    game.wait_for("? for help")
    game.type("".join(f"{card}\n" for card in cards_typed("hearts32", "random", 5)))
    assert game.exit_code() == 0, game.shown
    return game


def test_a_game_at_the_terminal_is_kept_looked_back_at_and_shown_again(
    terminal: Open,
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = str(tmp_path / "own.sqlite")
    monkeypatch.setenv("FACEDOWN_STORE", store)
    result = whole_game(terminal, FACEDOWN_STORE=store).shown.split(NORMAL)[1]
    assert "kept as game 1: facedown replay last" in result
    assert re.search(r"costliest choices|cost more than chance", result)
    code, out, _ = run("replay", "last", "--json")
    told = json.loads(out)
    assert (code, told["id"], told["agents"][0]) == (0, 1, "human")


@pytest.mark.parametrize("more", [["--no-store"], []])
def test_games_are_not_kept_where_nobody_wants_it_or_they_have_no_end(
    terminal: Open, tmp_path: Path, more: list[str]
) -> None:
    store = tmp_path / "own.sqlite"
    if more:
        game = whole_game(terminal, *more, "--no-review", FACEDOWN_STORE=str(store))
    else:
        game = terminal("play", "hearts32", "random", "--seed", "5", FACEDOWN_STORE=str(store))
        game.wait_for("? for help")
        game.type("quit\n")
        assert game.exit_code() == 0
        assert "it is not kept" in game.shown
    assert "kept as game" not in game.shown
    assert not store.exists()


def test_without_a_terminal_games_are_kept_only_where_a_store_is_named(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FACEDOWN_STORE", str(tmp_path / "own.sqlite"))
    assert run("play", "hearts32", "random", "--seed", "5")[0] == 0
    assert not (tmp_path / "own.sqlite").exists()
    store = str(tmp_path / "named.sqlite")
    code, _, err = run("play", "hearts32", "random", "--seed", "5", "--store", store)
    assert (code, err) == (0, f"kept as game 1: facedown replay last --store {store}\n")


def test_a_store_that_takes_no_game_loses_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    code, out, err = run("play", "hearts32", "random", "--seed", "5", "--json", "--store", str(tmp_path / "folder"))
    assert code == 0
    assert err.count("\n") == 1
    file = re.search(r"the game is not in the store: .* but in a file: facedown replay (\S+)", err)
    assert file
    assert Path(file[1]).read_text() == out
    assert stat.S_IMODE(os.stat(file[1]).st_mode) == 0o600
    assert run("replay", file[1])[0] == 0
    Path(file[1]).unlink()


def test_a_full_disk_loses_a_game_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*given: object, **options: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(cli_play, "NamedTemporaryFile", no_room)
    record = fd.play("hearts32", ["random"] * 4, seed=1)
    assert (
        cli_play.put_aside(record, "read-only") == "the game is not kept: read-only; nor in a file: No space left on device"
    )


def test_the_last_game_of_an_empty_store_is_one_line(run: Run, tmp_path: Path) -> None:
    store = str(tmp_path / "empty.sqlite")
    fd.Store.open(store).close()
    assert run("replay", "last", "--store", store) == (2, "", f"error: expected a game in {store}, got none yet\n")


def a_choice(worst: bool) -> tuple[fd.View, int]:
    """A position of Hearts, and the best or the worst that the adviser knows."""
    state = timed("hearts32", None, 8, seed=1)
    view = state.view(state.seat or 0)
    return view, advice(view, 4000, 7).candidates[-1 if worst else 0].action


def test_a_review_names_what_was_clearly_worse_with_its_price() -> None:
    view, action = a_choice(worst=True)
    steps: list[int] = []
    found = look_back([(view, action)], lambda: steps.append(1))
    assert len(steps) == looks([(view, action)]) == 2
    assert [cost.action for cost in found.worst] == [action]
    lines = Console(file=io.StringIO(), width=100)
    lines.print(review_lines(view.game, found))
    assert isinstance(lines.file, io.StringIO)
    assert re.search(r"9 .* cost a lead of \d+\.\d ± \d+\.\d points; better: ", lines.file.getvalue())


def test_a_review_of_good_play_says_so() -> None:
    view, action = a_choice(worst=False)
    found = look_back([(view, action)], lambda: None)
    assert found == Review([], 1, 1)
    assert "No choice of yours cost more than chance" in str(review_lines(view.game, found))


def test_a_choice_that_the_search_does_not_think_of_is_not_judged() -> None:
    game = fd.load("cheat")
    state = game.deal(3)
    view = state.view(state.seat or 0)
    unlisted = game.parse(f"3 Q: {' '.join(view.hand(view.seat)[:3])}")
    assert unlisted not in view.legal
    found = look_back([(view, unlisted)], lambda: None)
    assert found == Review([], 1, 0)
    assert "cannot say" in str(review_lines(game, found))
    assert "of the 1 that the search had in mind" in str(review_lines(game, Review([], 2, 1)))


def test_playouts_that_all_came_out_alike_leave_a_doubt() -> None:
    alike = Candidate(1, "x", 150, 150, 0.0, (0.0, 0.0))
    assert half_of(alike, solved=False) == 0.02
    assert half_of(alike, solved=True) == 0.0


def test_forced_cards_are_not_looked_at() -> None:
    state = fd.load("hearts:passing=false").deal(1)
    view = state.view(state.seat or 0)
    assert len(view.legal) == 1
    assert looks([(view, view.legal[0])]) == 0
    assert look_back([(view, view.legal[0])], lambda: None) == Review([], 0, 0)


def test_ctrl_c_skips_the_review(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("facedown.analysis.review.look_back", stopped)
    console = Console(file=io.StringIO())
    person = Person(Lines(console, console, 0, 0), fd.agent("random"))
    person.choices.append(a_choice(worst=True))
    cli_play.tell_costs(person, fd.load("hearts32"), console)
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == "no review, as you wish\n"


def test_what_a_person_chose_is_remembered_and_nothing_of_the_deputy() -> None:
    game = fd.load("hearts32")
    screen = TypingScreen([])
    players = seated(["random"] * 4, game, 3)
    players[0] = person = Person(screen, players[0])
    state = game.deal(3)
    play_out(state, players, screen)
    assert [action for _, action in person.choices] == [action for seat, action in state.history if seat == 0]
    with pytest.raises(FacedownError):
        cli_play.places(game, ["human"] * 2, None)
