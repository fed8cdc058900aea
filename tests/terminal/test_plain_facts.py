"""A game without words of its own: its trick and its trumps are cards all the same."""

import re
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.table.plain import plain_facts
from facedown.table.zones import KINDS, Zone, new_table
from facedown.terminal.drawing import Scene, table
from test_terminal import KNAVES, drawn

FIELDS = [
    ("hands", np.uint64, 3),
    ("trick", np.int8, 3),
    ("in_trick", np.int8),
    ("leader", np.int8),
    ("trump", np.int8),
    ("turned_card", np.int8),
    ("last_card", np.int8, 3),
    ("best_suit", np.int8),
    ("counts", np.int8, 3),
    ("key", np.int8),  # what registering adds last
]


def facts_of(fields: Any = FIELDS, **values: object) -> dict[str, object]:
    """The facts of a record with these values."""
    records = np.zeros(1, np.dtype(fields)).view(np.recarray)
    for name, value in values.items():
        records[0][name] = value
    return plain_facts(records[0], None)


def test_a_trick_is_told_in_the_order_of_play() -> None:
    facts = facts_of(trick=[12, 51, 3], in_trick=2, leader=2)
    assert facts["trick"] == [{"seat": 2, "card": "5C"}, {"seat": 0, "card": "AC"}]
    assert facts_of(trick=[12, 51, 3], in_trick=0, leader=2)["trick"] == [], "cards of the last trick may still stand there"


def test_a_trick_without_a_count_has_the_cards_that_are_cards() -> None:
    fields = [("trick", np.int8, 3), ("key", np.int8)]
    assert facts_of(fields, trick=[-1, 51, 3])["trick"] == [{"seat": 1, "card": "AH"}, {"seat": 2, "card": "5C"}]
    assert facts_of([("trick", np.int8), ("key", np.int8)], trick=4)["trick"] == 4, "the number of a trick is none"
    assert facts_of(fields, trick=[60, 1, 2])["trick"] == [60, 1, 2], "nor are cards that are not of the usual pack"


@pytest.mark.parametrize(("number", "text"), [(2, "S"), (3, "H"), (-1, None), (51, "AH"), (4, "6C"), (60, 60)])
def test_trumps_are_a_suit_or_the_card_that_names_it(number: int, text: object) -> None:
    assert facts_of(trump=number)["trump"] == text


def test_cards_and_suits_are_known_by_their_fields_names() -> None:
    facts = facts_of(turned_card=36, last_card=[0, -1, 51], best_suit=1, counts=[1, 2, 3])
    assert facts["turned_card"] == "QS"
    assert facts["last_card"] == ["2C", None, "AH"]
    assert facts["best_suit"] == "D"
    assert facts["counts"] == [1, 2, 3]


def test_the_trick_of_a_game_of_ones_own_lies_on_the_table_as_cards() -> None:
    state = fd.load(KNAVES).deal(seed=5)
    for card in ("9D", state.view(1).game.text(state.copy().legal[0])):
        state.play(card) if state.seat == 0 else state.play(state.legal[0])
    screen = drawn(table(Scene(state.view(2), ["a", "b", "c"])))
    for play in state.facts["trick"]:
        assert f"{play['card'][0].replace('T', '10')}{'♣♦♠♥'['CDSH'.index(play['card'][1])]}│" in screen
    assert "-1" not in screen
    assert "in trick" not in screen


@pytest.mark.parametrize("special", [None, "trick", "board", "claims"])
def test_a_table_with_bare_zones_is_drawn(special: str | None) -> None:
    left_out = {"trick", "board", "claims", "choice"} - {special}
    kinds = [kind for kind in (*KINDS, "of-my-own") if kind not in left_out]
    zones = [Zone(kind=kind, seat=seat) for kind in kinds for seat in range(3)]
    knaves = fd.load(KNAVES)
    game = fd.Game(
        "bare",
        knaves.rules,
        seats=3,
        actions=knaves.actions,
        table=lambda facts, seat: new_table(seat, facts["to_move"], range(3), zones),
    )
    assert "you" in drawn(table(Scene(game.deal(seed=5).view(0), ["a", "b", "c"])))


def test_what_a_game_without_tricks_tells_of_each_seat_is_a_column() -> None:
    knaves = fd.load(KNAVES)
    facts = {"bids": [4, None, 12], "round": 3, "none_yet": 0, "open": ["QS", "2C"]}
    game = fd.Game("columns", knaves.rules, seats=3, actions=knaves.actions, facts=lambda record, seat: facts)
    lines = drawn(table(Scene(game.deal(seed=5).view(1), ["a", "b", "c"]))).splitlines()
    assert re.search(r"score +bids", lines[1])
    assert [re.split(r"  +", line.strip("│ ")) for line in lines[2:5]] == [
        ["seat 0", "a", "0", "4"],
        ["you", "b", "0", "-"],
        ["seat 2", "c", "0", "12"],
    ]
    assert lines[6:8] == [" round 3", " open Q♠ 2♣"]
