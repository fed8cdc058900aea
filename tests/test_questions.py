"""The questions a game may answer: their page, what makes a function an answer, and what is derived.

`python tests/test_questions.py` writes docs/questions.md anew.
"""

import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coin_guess
import facedown as fd
from coin_guess import STATE, apply, deal, hide, is_over, legal, place, scores, to_move, unseen
from facedown import rules
from facedown.compiler.asking import write_rewards
from facedown.compiler.questions import PURPOSES, REQUIRED, SPECIAL, STYLED, signature_of
from facedown.rewards import REWARDS

PAGE = Path(__file__).parents[1] / "docs" / "questions.md"
NEEDED: list[Any] = [deal, to_move, legal, apply, is_over, scores, hide, unseen, place]

HEAD = """# Questions a game answers

A game is a record and functions that answer questions about it ([add-a-game.md](add-a-game.md)). Search knows the questions
and never a game by name. Answers are compiled into searches; what only Python asks is given to `fd.Game` as a plain function
([add-a-game.md](add-a-game.md#more-functions)). This page is made from the code by `python tests/test_questions.py`.

"""
SECTIONS = {
    "Needed": "Every game answers these. `reward` is derived where `fd.register` is given a `score_range`.",
    "Answered by style": "One answer for each style of play, listed in `fd.register(..., styles={...})`. Every game has the "
    "style `uniform`, any legal action with the same probability.",
    "With an answer for games that are silent": "",
    "Asked by some agents only": "These agents refuse a game that does not answer, in one line that names the question.",
}


def section_of(name: str) -> str:
    """Where the page lists a question."""
    needed, styled, silent, special = SECTIONS
    return needed if name in REQUIRED else styled if name in STYLED else special if name in SPECIAL else silent


def page() -> str:
    """The page, as the code has it."""
    found = {name: fd.load(name).rules for name in fd.games()}
    lines = [HEAD]
    for title, words in SECTIONS.items():
        lines.append(f"## {title}\n\n" + f"{words}\n\n" * bool(words))
        last = "" if title == "Needed" else " makes possible | answered by |"
        lines.append(f"| question | meaning |{last}\n| --- | --- |{' --- | --- |' if last else ''}\n")
        for name, question in rules.QUESTIONS.items():
            if section_of(name) == title:
                arguments = ", ".join(signature_of(name))
                meaning = " ".join((inspect.getdoc(question) or "").split())
                own = [game for game, one in found.items() if any(key.partition(":")[0] == name for key in one.own)]
                by = f" {PURPOSES[name]} | {', '.join(own)} |" if last else ""
                lines.append(f"| `{name}({arguments})` | {meaning} |{by}\n")
        lines.append("\n")
    return "".join(lines).rstrip() + "\n"


def test_the_page_lists_the_questions_as_the_code_has_them() -> None:
    assert PAGE.read_text() == page(), "run: python tests/test_questions.py"


def modules_of_games() -> list[Any]:
    """All modules of the built-in games."""
    package = importlib.import_module("facedown.games")
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [importlib.import_module(module.name) for module in found]


def test_no_helper_of_a_built_in_game_bears_the_name_of_a_question() -> None:
    answers = {id(answer) for name in fd.games() for answer in fd.load(name).rules.answers.values()}
    for module in modules_of_games():
        for name, value in vars(module).items():
            if name in rules.QUESTIONS and getattr(value, "__module__", "") == module.__name__:
                assert id(value) in answers, f"{module.__name__}.{name}"


# --- What makes a function an answer ----------------------------------------------------------------------------------


def test_a_helper_with_the_name_of_a_question_is_not_taken_for_an_answer() -> None:
    @fd.kernel
    def side_of(state: Any, card: int) -> int:
        return card // 13

    with pytest.raises(fd.BadGame, match=r"expected side_of\(state, seat\), got side_of\(state, card\)"):
        fd.register("helped", STATE, [*NEEDED, side_of], score_range=(0, 1))


def test_a_function_that_is_not_listed_answers_nothing() -> None:
    silent = fd.register("silent", STATE, NEEDED, score_range=(0, 1))
    assert "turns" not in silent.own
    assert silent.answers["turns"] is rules.QUESTIONS["turns"]


def test_an_argument_that_is_not_used_may_say_so() -> None:
    @fd.kernel
    def side_of(_state: Any, seat: int) -> int:
        return seat % 2

    assert "side_of" in fd.register("unused", STATE, [*NEEDED, side_of], score_range=(0, 1)).own


def test_a_renamed_question_names_its_successor() -> None:
    @fd.kernel
    def rule_action(state: Any, actions: Any, rng: Any) -> int:
        return 0

    with pytest.raises(
        fd.BadGame,
        match=r"rule_action in .*: 'rule_action' is now choose, in a style; known questions: action_features, apply, assume",
    ):
        fd.register("old", STATE, [*NEEDED, rule_action])


def test_what_only_python_asks_is_a_function_of_the_game() -> None:
    def another_deal_follows(state: Any) -> bool:
        return False

    with pytest.raises(
        fd.BadGame,
        match=r"another_deal_follows in .*: 'another_deal_follows' is no question any more: give it to the game, "
        r"fd\.Game\(\.\.\., another_deal_follows=another_deal_follows\)",
    ):
        fd.register("old", STATE, [*NEEDED, another_deal_follows])


# --- Styles -----------------------------------------------------------------------------------------------------------


@fd.kernel
def choose(state: Any, style: int, actions: Any, rng: Any) -> int:
    return int(actions[legal(state, actions) - 1])


def test_an_answer_in_no_style_is_refused() -> None:
    with pytest.raises(fd.BadGame, match=r"'choose' to be listed in a style, such as styles=\{'expert': \[choose\]\}"):
        fd.register("styleless", STATE, [*NEEDED, choose], score_range=(0, 1))


def test_only_choose_and_play_out_have_styles() -> None:
    with pytest.raises(fd.UnknownName, match="unknown question 'legal'; known: choose, play_out"):
        fd.register("overdressed", STATE, NEEDED, styles={"expert": [legal]}, score_range=(0, 1))


def test_a_style_chooses_its_answer_and_playouts_follow_it() -> None:
    styled = fd.register("styled", STATE, NEEDED, styles={"expert": [choose]}, score_range=(0, 1))
    game = fd.Game("styled", styled, seats=coin_guess.SEATS, actions=coin_guess.GAME.actions)
    state, twin = game.deal(1), game.deal(1)
    actions, rng = np.zeros(64, np.int64), np.array([1, 2], np.uint64)
    assert rules.choose(state.data[0], rules.EXPERT, actions, rng) == max(state.legal)
    rules.play_out(state.data[0], rules.EXPERT, actions, rng)
    while not twin.over:
        twin.play(max(twin.legal))
    assert state.data.tobytes() == twin.data.tobytes()


def test_games_with_the_same_answers_in_other_styles_are_kept_apart() -> None:
    one, other = (fd.register("twins", STATE, NEEDED, styles={style: [choose]}, score_range=(0, 1)) for style in ("a", "b"))
    assert one.state != other.state


# --- Rewards from scores ----------------------------------------------------------------------------------------------


def rewards(score_range: tuple[float, float], kind: str, *scored: float) -> list[float]:
    """Derived rewards for some scores."""

    @fd.kernel
    def scores(state: Any, out: Any) -> None:
        for seat in range(out.shape[0]):
            out[seat] = state.score[seat]

    state = np.dtype([("score", np.float64, 4)])
    answers = [scores, *(answer for answer in NEEDED if answer.__name__ != "scores")]
    registered = fd.register("scored", state, answers, score_range=score_range)
    data = np.zeros(1, registered.state).view(np.recarray)
    data.score[0, : len(scored)] = scored
    out = np.zeros(len(scored))
    registered.answers["reward"](data[0], REWARDS[kind], out)
    return out.tolist()


@pytest.mark.parametrize(
    ("score_range", "kind", "scored", "expected"),
    [
        ((-10, 7), "points", (-10, 7, -1.5), [0.0, 1.0, 0.5]),
        ((26, 0), "points", (26, 0, 13), [0.0, 1.0, 0.5]),
        ((26, 0), "pwl", (26, 0, 13), [0.0, 1.0, 0.0]),
        ((26, 0), "wl", (0, 0, 13), [0.0, 0.0, -1.0]),
    ],
)
def test_rewards_are_derived_from_scores_and_their_range(score_range: Any, kind: str, scored: Any, expected: Any) -> None:
    assert rewards(score_range, kind, *scored) == expected


@fd.kernel
def reward(state: Any, kind: int, out: Any) -> None:
    out[:] = 0.25


def test_a_game_may_answer_for_the_match_alone() -> None:
    registered = fd.register("matched", STATE, NEEDED, score_range=(0, 1), match_reward=reward)
    game = fd.Game("matched", registered, seats=2, actions=coin_guess.GAME.actions, rewards=("points", "match"))
    state, out = game.deal(1), np.zeros(2)
    while not state.over:
        state.play(state.legal[0])
    for kind, expected in (("match", [0.25, 0.25]), ("points", state.scores)):
        write_rewards(state.data, REWARDS[kind], out)
        assert out.tolist() == expected


def test_a_reward_of_the_match_that_is_none_is_refused() -> None:
    with pytest.raises(fd.UnknownName, match="unknown question 'legal'; known: reward"):
        fd.register("mismatched", STATE, NEEDED, score_range=(0, 1), match_reward=legal)


def test_a_game_needs_a_reward_or_the_range_of_its_scores() -> None:
    with pytest.raises(fd.MissingAnswer, match=r"must answer 'reward': .* Or register its score_range\."):
        fd.register("unrewarded", STATE, NEEDED)


def test_rewards_that_scores_do_not_decide_are_refused() -> None:
    derived = fd.register("derived", STATE, NEEDED, score_range=(0, 1))
    with pytest.raises(
        fd.BadGame, match=r"expected rewards that scores decide \(points, pwl, wl\), or an answer to 'reward'"
    ):
        fd.Game("derived", derived, seats=2, actions=2, rewards=("points", "sd"))


if __name__ == "__main__":
    PAGE.write_text(page())
