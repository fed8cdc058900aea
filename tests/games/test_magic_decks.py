"""Decks of one's own, balanced deals, and the texts that name them."""

import os
import random
from itertools import islice
from pathlib import Path

import pytest

import contract
import facedown as fd
from facedown.arena.schedule import schedule
from facedown.arena.supervise import TournamentSpec, play_games
from facedown.games.magic.balanced import LEAST, MOST, balanced_seeds
from facedown.games.magic.kept_deals import SEEDS
from facedown.kernel import COMPILED

FILE = """\
# Bears and a giant
16 lands
10 2/2 for 2
13 2/2 FOR 3   # the same body for more
1 9/9 for 8
"""
TEXT = "16xland+10x2/2for2+13x2/2for3+1x9/9for8"


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "deck.txt"
    file.write_text(text)
    return file


def test_a_deck_is_read_from_a_file_and_its_cards_become_part_of_the_game_s_name(tmp_path: Path) -> None:
    file = written(tmp_path, FILE)
    game = fd.load("magic", deck=str(file))
    assert game.full_name == f"magic:deck={TEXT}"
    file.unlink()  # the name is enough from now on
    again = fd.load(game.full_name)
    assert again.deal(1) == game.deal(1)
    assert sorted(set(game.deal(1).facts["library"][0])) == ["2/2 for 2", "2/2 for 3", "9/9 for 8", "land"]
    record = fd.play(game, ["expert", "reduced"], seed=1)
    assert fd.GameRecord.from_json(record.to_json()).replay().scores == record.scores


def test_seat_1_may_have_another_deck(tmp_path: Path) -> None:
    game = fd.load("magic", deck1=str(written(tmp_path, FILE)))
    facts = game.deal(1).facts
    assert "9/9 for 8" in facts["hands"][1] + facts["library"][1]
    assert "6/6 for 7" in facts["hands"][0] + facts["library"][0]
    contract.check(game, range(3 if COMPILED else 1), look=0.05)


def test_a_standard_deck_by_any_text_is_the_standard_deck() -> None:
    lines = fd.load("magic").deal(0).facts
    cards = lines["hands"][0] + lines["library"][0]
    text = "+".join(f"1x{card}".replace(" ", "") for card in cards)
    assert fd.load("magic", deck=text).full_name == "magic"


def test_creatures_that_differ_in_cost_alone_are_told_apart_by_it() -> None:
    game = fd.load(f"magic:deck={TEXT}")
    assert game.parse("attack 2/2 for 3") != game.parse("attack 2/2 for 2")
    assert game.parse("block 2/2 for 3 #2 by 9/9") == game.parse("BLOCK  2/2 for 3 #2 by 9/9")
    with pytest.raises(fd.BadText, match=r"expected an action such as land, .* got 'attack 2/2'"):
        game.parse("attack 2/2")
    contract.check(game, range(5 if COMPILED else 1), look=0.05)


def test_the_first_of_several_may_be_called_number_one() -> None:
    game = fd.load("magic")
    assert game.parse("block 3/3 #1 by 2/2") == game.parse("block 3/3 by 2/2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("17 land\n23 unicorns", "deck.txt, line 2: expected a line such as `17 land` or `2 1/1 for 1`, got '23 unicorns'"),
        ("17 land\n\n22 2/2 for 2", "deck.txt: expected a deck of 40 cards, got 39"),
        ("", "deck.txt: expected a deck of 40 cards, got 0"),
        ("17 land\n23 2/0 for 2", "deck.txt, line 2: expected a toughness from 1 to 99, got 0"),
        ("17 land\n23 2/2 for 0", "deck.txt, line 2: expected a cost from 1 to 99, got 0"),
        ("17 land\n23 100/2 for 2", "deck.txt, line 2: expected a power from 0 to 99, got 100"),
        ("0 land\n40 2/2 for 2", "deck.txt, line 1: expected at least one of a card, got '0 land'"),
        ("17 land\n23 2/2", "deck.txt, line 2: expected a line such as"),
    ],
)
def test_a_bad_deck_file_is_refused_with_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(fd.BadOption) as error:
        fd.load("magic", deck=str(written(tmp_path, text)))
    assert message in str(error.value)


def test_what_is_no_deck_is_refused(tmp_path: Path) -> None:
    with pytest.raises(fd.BadOption, match=r"expected a deck file, or a deck such as .* got 'nowhere.txt': No such file"):
        fd.load("magic", deck="nowhere.txt")
    with pytest.raises(fd.BadOption, match="expected a deck of 40 cards, got 39"):
        fd.load("magic", deck="39xland")
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path, "/dev/zero"):
        with pytest.raises(fd.BadOption, match=r"expected a deck file, .*: not a plain file"):
            fd.load("magic", deck=str(place))
    with pytest.raises(fd.BadOption, match="larger than any deck"):
        fd.load("magic", deck=str(written(tmp_path, "# nothing\n" * 200_000)))
    binary = tmp_path / "deck.bin"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(fd.BadOption, match="not a text file"):
        fd.load("magic", deck=str(binary))
    many = "+".join(f"1x{power}/1for1" for power in range(40))
    with pytest.raises(fd.BadOption, match="expected at most 24 kinds of creature in both decks together, got 40"):
        fd.load("magic", deck=many)


def test_decks_of_lands_or_of_creatures_alone_can_be_played() -> None:
    for deck, turns in (("40xland", 68), ("40x1/1for1", 68), ("20xland+20x99/99for1", None)):
        state = fd.load("magic", deck=deck).deal(1)
        rng = random.Random(1)
        while not state.over:
            state.play(rng.choice(state.legal))
        assert turns in (None, state.facts["turn"])  # seat 1, which draws first, is the first that cannot


# --- Balanced deals -----------------------------------------------------------------------------------------------------


def test_balanced_deals_are_a_hundred_and_a_seed_is_the_number_of_one() -> None:
    game = fd.load("magic:balanced=true")
    assert len(set(SEEDS)) == len(game.chosen_deals) == 100
    dealt = [game.deal(seed).facts["library"] for seed in range(101)]
    assert dealt[100] == dealt[0] != dealt[1]
    assert dealt[3] == fd.load("magic").deal(SEEDS[3]).facts["library"]


@pytest.mark.skipif(not COMPILED, reason="takes long when interpreted")
def test_the_balanced_deals_are_found_again() -> None:
    assert LEAST == 1 - MOST
    assert tuple(islice(balanced_seeds(), 5)) == SEEDS[:5]


@pytest.mark.skipif(not COMPILED, reason="takes long when interpreted")
def test_a_tournament_plays_each_balanced_deal_from_both_seats() -> None:
    game = fd.load("magic:balanced=true")
    plan = schedule(game, ["expert", "reduced"], deals=4, seed=9)
    played = play_games(TournamentSpec(game, plan.agents, plan.lineups, plan.seed), list(plan.places()))
    assert [one.record.seed for one in played] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert {tuple(one.record.agents) for one in played} == {("expert", "reduced"), ("reduced", "expert")}


def test_balanced_deals_are_those_of_the_standard_game() -> None:
    with pytest.raises(fd.BadOption, match="option balanced: expected the standard deck"):
        fd.load("magic:balanced=true,first_draw=true")
