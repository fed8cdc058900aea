import shutil
from collections import Counter
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.agents import agents
from facedown.errors import BadOption, FacedownError, UnknownName


@pytest.mark.parametrize("name", agents())
def test_every_agent_plays_every_game(name: str) -> None:
    small = {"iterations": 20, "endgame_worlds": 10}
    options = ",".join(f"{option}={value}" for option, value in small.items() if option in fd.agent(name).options)
    for game in fd.games():
        agent: Any = fd.agent(f"{name}:{options}" if options else name)
        if agent.plays and game not in agent.plays:
            with pytest.raises(BadOption, match=f"expected the game {agent.plays[0]}, which is all that {name} can play"):
                fd.play(game, [agent] * fd.load(game).seats, seed=1)
            continue
        if not set(getattr(agent, "asks", ())) <= fd.load(game).rules.answers.keys():
            with pytest.raises(fd.MissingAnswer, match=f"{name} asks '.*', which the game '.*' does not answer"):
                fd.play(game, [agent] * fd.load(game).seats, seed=1)
            continue
        record = fd.play(game, [agent] * fd.load(game).seats, seed=1)
        assert record.replay().scores == record.scores


@pytest.mark.parametrize("name", agents())
def test_every_agent_says_what_it_is(name: str) -> None:
    agent = fd.agent(name)
    assert agent.name == name
    assert agent.summary
    assert all(option.meaning for option in agent.options.values())


def test_an_agents_text_makes_it_again() -> None:
    agent = fd.agent("ismcts:exploration=0.7,iterations=50")
    assert agent.text == "ismcts:iterations=50,exploration=0.7"
    assert fd.agent(agent.text).text == agent.text


def test_only_a_declared_cheat_is_handed_the_state() -> None:
    assert fd.agent("uct").sees_all
    assert not fd.agent("ismcts").sees_all

    handed: list[object] = []

    class Curious(fd.Agent):
        name = "curious"

        def choose(self, view: fd.View) -> int:
            handed.append(view)
            return view.legal[0]

    fd.play("hearts32", [Curious(), "random", "random", "random"], seed=1)
    assert handed
    assert all(isinstance(view, fd.View) for view in handed)


class Lowest(fd.Agent):
    """The four lines of the documentation."""

    name = "lowest"

    def choose(self, view: fd.View) -> int:
        return min(view.legal)


def test_an_own_agent_is_found_by_module_and_attribute() -> None:
    agent = fd.agent(f"{__name__}:Lowest")
    assert fd.play("hearts32", [agent] * 4, seed=2).agents == [f"{__name__}:Lowest"] * 4, "by its path it is found again"


def test_what_is_no_agent_is_refused() -> None:
    with pytest.raises(FacedownError, match=r"to be a subclass of facedown\.Agent"):
        fd.agent("facedown.games:load")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("ismct", UnknownName, "unknown agent 'ismct'; known: best, cheat-person, easy, ensemble, "),
        ("ismcts:iteration=5", UnknownName, "unknown option of ismcts 'iteration'; known: "),
        ("random:iterations=5", UnknownName, "unknown option of random 'iterations'; known: none"),
        ("ismcts:iterations=0", BadOption, "option iterations: expected a whole number from 1 up, got 0"),
        ("ismcts:iterations=1.5", BadOption, "option iterations: expected a whole number from 1 up, got 1.5"),
        ("ismcts:iterations=many", BadOption, "option iterations: expected a whole number from 1 up, got 'many'"),
        ("ismcts:iterations=true", BadOption, "option iterations: expected a whole number from 1 up, got True"),
        ("ismcts:exploration=-1", BadOption, "option exploration: expected a number from 0 up, got -1"),
        ("ismcts:exploration=nan", BadOption, "option exploration: expected a number from 0 up, got nan"),
        ("ismcts:seconds=inf", BadOption, "option seconds: expected a number from 0 to 86400, got inf"),
        (
            "ismcts:reward=fun",
            BadOption,
            "option reward: expected one of points, pwl, wl, sd, hybrid, match, pwl-sd, got 'fun'",
        ),
        ("ismcts:sampler=best", BadOption, "option sampler: expected one of exact, suits-and-cards-played"),
        ("ismcts:iterations=5,iterations=6", BadOption, "expected each option once, got 'iterations' twice"),
        ("ismcts:iterations=5,", BadOption, "expected option=value after 'ismcts', got ''"),
        ("ismcts:iterations", BadOption, "expected ismcts:option=value,option=value, got 'ismcts:iterations'"),
        ("", BadOption, "expected a name or name:option=value,..., got ''"),
    ],
)
def test_a_malformed_agent_text_is_refused_clearly(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as refused:
        fd.agent(text)
    assert str(refused.value).startswith(message)
    assert isinstance(refused.value, fd.FacedownError)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True])
def test_a_malformed_seed_is_refused_clearly(seed: Any) -> None:
    for use in (
        fd.load("hearts").deal,
        lambda seed: fd.agent("random", seed=seed),
        lambda seed: fd.play("hearts", ["random"] * 4, seed),
    ):
        with pytest.raises(BadOption, match="expected a seed that is a whole number from 0 up, got"):
            use(seed)


def test_a_wrong_number_of_agents_is_refused() -> None:
    with pytest.raises(FacedownError, match="expected 4 agents for hearts, got 2"):
        fd.play("hearts", ["random", "random"])


@pytest.mark.parametrize("sampler", ["cards-played", "accept-reject", "possibility-matrix", "random"])
def test_a_search_may_use_another_sampler(sampler: str) -> None:
    state = fd.load("hearts32").deal(seed=1)
    view = state.view(state.seat or 0)
    assert fd.agent(f"ismcts:iterations=50,sampler={sampler}").choose(view) in view.legal


@pytest.mark.parametrize("game", ["hearts", "hearts:match=60", "hearts32"])
def test_a_game_of_random_players_is_the_same_in_one_call_as_one_by_one(game: str) -> None:
    for seed in range(5):
        one_by_one = fd.play(game, ["random"] * 4, seed=seed, watch=lambda state, agent, action: None)
        assert fd.play(game, ["random"] * 4, seed=seed) == one_by_one


def test_random_play_takes_each_action_as_often() -> None:
    view = fd.load("hearts", passing=False).deal(1).copy()
    while len(view.legal) != 4:
        view.play(view.legal[0])
    seen = view.view(view.seat or 0)
    counts = Counter(fd.agent("random", seed=seed).choose(seen) for seed in range(4000))
    assert sorted(counts) == seen.legal
    assert max(abs(count - 1000) for count in counts.values()) < 4 * 27.4  # standard deviations


def test_random_play_differs_from_turn_to_turn_and_seat_to_seat() -> None:
    records = [fd.play("hearts", ["random"] * 4, seed=seed) for seed in range(50)]
    assert len({tuple(record.actions) for record in records}) == 50


def test_a_random_player_says_when_there_is_nothing_to_choose() -> None:
    state = fd.load("hearts").deal(0)
    while not state.over:
        state.play(state.legal[0])
    with pytest.raises(fd.BadOption, match=r"expected a position with somebody to move, got .*, which is over"):
        fd.agent("random").choose(state.view(0))


def test_a_relative_path_names_the_agent_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, name in (("here", "first"), ("there", "second")):
        (tmp_path / folder).mkdir()
        source = f"import facedown as fd\n\nclass Mine(fd.Agent):\n    name = {name!r}\n"
        (tmp_path / folder / "my_agent.py").write_text(source)
    for folder, name in (("here", "first"), ("there", "second"), ("here", "first")):
        monkeypatch.chdir(tmp_path / folder)
        assert fd.agent("my_agent.py:Mine").name == name


def test_a_file_option_may_begin_with_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with as_file(files("facedown.inference") / "cheat.npz") as shipped:
        shutil.copy(shipped, tmp_path / "mine.npz")
    (tmp_path / "mine.deck").write_text("17 land\n23 2/2 for 2\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert fd.agent("pmga:model=~/mine.npz").text == f"pmga:model={tmp_path}/mine.npz"
    assert fd.load("magic:deck=~/mine.deck").options["deck"].value == "17xland+23x2/2for2"
