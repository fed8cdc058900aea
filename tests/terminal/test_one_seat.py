"""What is told to one seat names no card that it cannot see: refusals, replays, watching."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import facedown as fd
from facedown.arena.replay import Replay
from facedown.arena.supervise import TournamentSpec, play_game
from facedown.kernel import COMPILED
from test_replay import run, stepped  # noqa: F401  # a fixture

Run = Callable[..., tuple[int, str, str]]
SEED = 987654321


@cache
def played() -> fd.GameRecord:
    return fd.play("hearts", ["random"] * 4, seed=SEED)


class Blunderer(fd.Agent):
    """Plays a card that it does not have, sooner or later."""

    name = "blunderer"

    def choose(self, view: fd.View) -> int:
        missing = [card for card in range(52) if view.game.text(card) not in view.hand(view.seat)]
        return view.legal[0] if len(view.history) < 8 else missing[0]


@cache
def forfeited() -> fd.GameRecord:
    spec = TournamentSpec("hearts32", ("test_one_seat:Blunderer", "random"), ((1, 0, 1, 1),), 7)
    return play_game(spec, fd.load("hearts32"), 0, 0).record


def write(record: fd.GameRecord) -> str:
    Path("game.jsonl").write_text(record.to_json())
    return "game.jsonl"


# --- Refusals ---------------------------------------------------------------------------------------------------------


def refusals(state: fd.State, actions: list[int]) -> list[str]:
    """What is said of each action that is refused."""
    told = []
    for action in actions:
        try:
            state.copy().play(action)
        except fd.IllegalMove as error:
            told.append(str(error))
    return told


@pytest.mark.parametrize("name", [*fd.games(), "hearts:passing=left", "sueca:mandar_abaixo=true", "cheat:ranks=6"])
def test_a_refusal_says_the_same_in_all_worlds_that_the_seat_cannot_tell_apart(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fd.View, "position", "")  # no part of what is said, and most of the work
    game = fd.load(name)
    rng = random.Random(name)
    told = 0
    for seed in range(3 if COMPILED else 1):
        state = game.deal(seed)
        while not state.over and len(state.history) < 120:
            if rng.random() < 0.15:
                actions = [rng.randrange(game.actions) for _ in range(40)] + [-1, game.actions, 1 << 20, 1 << 40]
                view = state.view(state.seat or 0)
                real = refusals(state, actions)
                told += len(real)
                for world in range(3):
                    assert refusals(view.sample(world), actions) == real
            state.play(rng.choice(state.legal))
    assert told


def test_a_record_damaged_at_another_seats_action_tells_none_of_its_cards(run: Run) -> None:  # noqa: F811
    record = played()
    number = next(place for place, (seat, _) in enumerate(record.history) if seat == 2)
    action = next(card for card in range(52) if card not in Replay(record).moves[number].state.legal)
    history = [*record.history]
    history[number] = (2, action)
    file = write(replace(record, history=history))
    assert "is not legal for seat 2: that card is not in the hand; expected one of" in run(file)[2]
    assert "is not legal for seat 2: that card is not in the hand; expected one of" in run(file, "--seat", "2")[2]
    damage = f"error: the record is damaged at action {number + 1}: expected a legal action of seat 2, got another\n"
    assert run(file, "--seat", "0") == (2, "", damage)


# --- Replays ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extra", [[], ["--json"], ["--with", "random"], ["--research"], ["--research", "--json"]])
def test_a_seat_is_not_told_the_seed_of_its_game(run: Run, extra: list[str]) -> None:  # noqa: F811
    file = write(played())
    assert str(SEED) in run(file, *extra)[1]
    code, out, err = run(file, "--seat", "1", *extra)
    assert code == 0
    assert "seed" not in out + err
    assert not any(str(seed) in out for seed in [SEED, *(played().agent_seeds or [])])


def test_a_seat_that_steps_through_a_game_is_not_told_the_seed() -> None:
    assert f"hearts, seed {SEED}: the deal" in stepped(played())[0]
    assert "hearts: the deal" in stepped(played(), seat=1)[0]


def test_a_seat_is_told_that_another_forfeited_and_not_which_cards_it_held(run: Run) -> None:  # noqa: F811
    record = forfeited()
    reason = str((record.forfeit or {})["reason"])
    assert "expected one of" in reason
    file = write(record)
    for seat, told in ((None, True), (1, True), (0, False)):
        extra = [] if seat is None else ["--seat", str(seat)]
        out, data = run(file, *extra)[1], json.loads(run(file, *extra, "--json")[1])
        screen = stepped(record, "e", seat=seat)[-1]
        assert "forfeited" in out
        assert (reason in out, data["forfeit"].get("reason") == reason) == (told, told)
        assert (reason[:20] in " ".join(screen.split()), "forfeited" in screen) == (told, True)
        assert data["forfeit"]["seat"] == 1


# --- Watching ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def watch(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:  # noqa: F811
    from facedown import cli

    main = cli.main
    monkeypatch.setattr(cli, "main", lambda arguments: main(["watch", *arguments[1:]]))
    return run


def test_a_seed_drawn_by_chance_is_told_a_watching_seat_only_at_the_end(watch: Run) -> None:
    first, *_, last = watch("hearts32", "random", "--seat", "1")[1].splitlines()
    assert first == "hearts32"
    assert re.fullmatch(r" seed \d+", last)
    assert watch("hearts32", "random", "--seat", "1", "--seed", "7")[1].startswith("hearts32, seed 7\n")
    assert watch("hearts32", "random")[1].startswith("hearts32, seed ")


def test_the_data_of_a_game_watched_by_a_seat_are_what_it_saw(watch: Run) -> None:
    told = json.loads(watch("hearts", "random", "--seat", "1", "--seed", "3", "--json")[1])
    assert told == Replay(fd.play("hearts", ["random"] * 4, seed=3)).to_dict(1)
    assert json.loads(watch("hearts", "random", "--seed", "3", "--json")[1])["seed"] == 3
