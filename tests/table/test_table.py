"""The table as plain data: it shows what lies there, to each seat what it may see, and to a spectator what all see."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import facedown as fd
from cheat_positions import set_up
from facedown.table.zones import KINDS, Table, new_table, new_zone, own_hand, zones
from leaks import pairs
from magic_boards import board, play

KNAVES = str(Path(__file__).parents[2] / "examples" / "little_knaves.py") + ":GAME"
GAMES = ["hearts", "hearts32", "hearts:match=30", "sueca", "bisca", "bisca:seats=4", "cheat", "magic", KNAVES]


def positions(game: str, step: int = 3) -> Iterator[fd.State]:
    """Some positions of a game, and its end."""
    for seed in range(2):
        state, chance = fd.load(game).deal(seed), Random(seed)
        while not state.over:
            if len(state.history) % step == 0:
                yield state
            state.play(chance.choice(state.legal))
        yield state


def cards_of(table: Table, kind: str) -> list[list[str] | None]:
    return [zone.get("cards") for zone in zones(table, kind)]


@pytest.mark.parametrize("game", GAMES)
def test_every_table_is_plain_data_of_known_kinds(game: str) -> None:
    for state in positions(game, 7):
        for table in (state.table, *(state.view(seat).table for seat in range(state.game.seats))):
            assert json.loads(json.dumps(table)) == table
            assert {zone["kind"] for zone in table["zones"]} <= set(KINDS)
            assert table["to_move"] == state.seat
            assert len(table["sides"]) == state.game.seats


@pytest.mark.parametrize("game", GAMES)
def test_a_state_shows_all_hands_and_a_view_its_own(game: str) -> None:
    for state in positions(game):
        assert cards_of(state.table, "hand") == state.hands
        for seat in range(state.game.seats):
            table = state.view(seat).table
            assert table["seat"] == seat
            assert cards_of(table, "hand") == state.view(seat).hands
            assert own_hand(table) == state.hands[seat]


@pytest.mark.parametrize("game", GAMES)
def test_states_that_a_seat_cannot_distinguish_have_the_same_table(game: str) -> None:
    found = list(islice(pairs(fd.load(game), range(3), 4), 12))
    assert found
    for pair in found:
        assert pair.one.view(pair.seat).table == pair.two.view(pair.seat).table


@pytest.mark.parametrize("game", GAMES)
def test_a_spectator_sees_no_hand_and_no_choice(game: str) -> None:
    for state in positions(game, 7):
        table = state.view(fd.SPECTATOR).table
        assert table["seat"] is None
        assert own_hand(table) == []
        assert not any(cards_of(table, "hand"))
        assert not zones(table, "choice")
        if game != KNAVES:
            assert [zone["count"] for zone in zones(table, "hand")] == [zone["count"] for zone in zones(state.table, "hand")]


@pytest.mark.parametrize("game", GAMES)
def test_a_spectator_sees_the_same_table_in_states_that_a_seat_cannot_distinguish(game: str) -> None:
    for pair in islice(pairs(fd.load(game), range(3), 4), 12):
        assert pair.one.view(fd.SPECTATOR).table == pair.two.view(fd.SPECTATOR).table


def test_a_trick_has_its_cards_in_order_its_seats_its_leader_and_its_number() -> None:
    state = fd.load("hearts:passing=hold").deal(seed=1)
    leader = state.seat
    for _ in range(3):
        state.play(state.legal[0])
    (trick,) = zones(state.table, "trick")
    assert (trick["seat"], trick["number"]) == (leader, 1)
    assert list(zip(trick["seats"], trick["cards"], strict=True)) == [
        (seat, state.game.text(card)) for seat, card in state.history
    ]


def test_partners_share_a_side() -> None:
    assert fd.load("sueca").deal(seed=1).table["sides"] == [0, 1, 0, 1] == fd.load("sueca").sides
    assert fd.load("bisca").deal(seed=1).table["sides"] == [0, 1]


def test_partners_of_a_game_of_ones_own_are_those_its_facts_name() -> None:
    state = game_with(facts=lambda record, seat: {"partner": 2}).deal(seed=1)
    assert state.view(0).table["sides"] == [0, 1, 0]
    assert state.table["sides"] == fd.load(KNAVES).deal(seed=1).table["sides"] == [0, 1, 2]


def test_deals_of_a_match_are_counted_from_one() -> None:
    for state in positions("sueca:match=2", 1):
        assert state.table["deal"] == state.deals == state.view(0).table["deal"]


def test_a_claim_is_a_lie_to_who_knows_its_cards() -> None:
    state = set_up("3C 9C", "2C 4D", "5", claims=[(0, "6", "KC"), (1, "7", "7D")], stock="8H")
    claims = [zones(table, "claims")[0]["claims"] for table in (state.table, state.view(0).table, state.view(1).table)]
    assert [[claim.get("lie") for claim in known] for known in claims] == [[True, False], [True, None], [None, False]]
    assert claims[1][1] == {"seat": 1, "count": 1, "rank": "7", "label": "one seven"}


def test_creatures_have_a_note_on_what_they_do() -> None:
    state = play(board("3/3, 3/3, 2/2", "4/4, 2/4 t, 1/1"), "attack 3/3, attack 3/3, hold 2/2, block 3/3 #2 by 4/4")
    own, other = zones(state.table, "board")
    assert (own["cards"], own["notes"]) == (["3/3", "3/3 #2", "2/2"], ["attacks", "attacks", ""])
    assert (other["cards"], other["notes"]) == (["4/4", "2/4", "1/1"], ["blocks 3/3 #2", "tapped", ""])


# --- Games of one's own -----------------------------------------------------------------------------------------------


def game_with(**words: Any) -> fd.Game:
    knaves = fd.load(KNAVES)
    return fd.Game("knaves-with-words", knaves.rules, seats=knaves.seats, actions=knaves.actions, **words)


def test_facts_of_ones_own_find_their_zones() -> None:
    facts = {"bids": [2, 0, 1], "round": 4, "open": ["QS", "2C"], "nothing": None, "odd": {"a": 1}, "hand": ["AS"]}
    table = game_with(facts=lambda record, seat: facts).deal(seed=1).view(1).table
    assert [zone["value"] for zone in zones(table, "fact")] == [2, 0, 1, 4]
    assert zones(table, "pile") == [{"kind": "pile", "label": "open", "cards": ["QS", "2C"], "count": 2}]
    assert [zone["label"] for zone in zones(table, "score")] == ["score"] * 3
    assert own_hand(table) == ["AS"]


def test_a_table_of_ones_own_is_shown() -> None:
    def table(facts: Any, seat: int | None) -> Table:
        return new_table(seat, facts["to_move"], range(3), [new_zone("fact", "weather", value="fine")])

    state = game_with(table=table).deal(seed=1)
    assert state.view(2).table["zones"] == [{"kind": "fact", "label": "weather", "value": "fine"}]
    assert state.view(2).table["seat"] == 2


@pytest.mark.parametrize("answer", [None, {"zones": []}, []])
def test_what_is_no_table_is_refused(answer: Any) -> None:
    with pytest.raises(fd.BadGame, match="expected the table of knaves-with-words as new_table makes it, got"):
        _ = game_with(table=lambda facts, seat: answer).deal(seed=1).table


def test_a_table_that_fails_says_where() -> None:
    with pytest.raises(fd.BadGame, match="expected the game's `table` to answer, got KeyError"):
        _ = game_with(table=lambda facts, seat: facts["nothing"]).deal(seed=1).table


def test_the_page_explains_every_kind() -> None:
    page = (Path(__file__).parents[2] / "docs" / "table.md").read_text()
    table = page[page.index("| kind |") :].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == KINDS


def test_a_table_tells_the_seat_to_move_alone_how_many_cards_it_still_passes() -> None:
    state = fd.load("hearts:passing=left").deal(seed=3)
    assert [state.view(seat).table["choose"] for seat in range(4)] == [3, None, None, None]
    state.play(state.legal[0])
    assert [state.view(0).table["choose"], state.table["choose"]] == [2, 2]
    while state.facts["phase"] == "passing":
        state.play(state.legal[0])
    assert [state.view(seat).table["choose"] for seat in range(4)] == [None] * 4
