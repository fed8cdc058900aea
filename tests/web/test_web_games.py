"""A whole game of each kind by clicking; and no card that is hidden comes to the page."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser

import facedown as fd
from browsing import Visitor
from clicking import Hand, Offered, seat_taken
from page_leaks import seen_by, shown_too_early, told_too_early
from serving import ServerProcess, wait_for
from sitting import Door

pytestmark = pytest.mark.browser

SINGLE_CARDS = ["hearts", "hearts32:passing=hold", "sueca", "bisca", "cheat"]
GAMES = [*SINGLE_CARDS, "magic:deck=24xland+16x6/6for1"]  # whose cards are kinds, many of each
SEAT = 0


@dataclass
class Played:
    """A game that was played to its end, and all that its page was told and showed meanwhile."""

    record: fd.GameRecord
    last: Offered
    frames: list[str]
    pictures: list[tuple[int, str]]


@pytest.fixture(scope="module")
def played(request: pytest.FixtureRequest, site: ServerProcess, browser: Browser) -> Iterator[Played]:
    """A game against agents that play at random."""
    with Door(site.url) as door:
        others = ["random"] * (fd.load(request.param).seats - 1)
        table = door.table(request.param, None, *others, seed=5)
        visitor = Visitor(browser, site.url)
        token = seat_taken(door, visitor, table, SEAT)
        hand = Hand(visitor)
        last = hand.play()
        wait_for(lambda: door.facts(table)["record"])  # it is stored just after the last action is told
        record = fd.GameRecord.from_json(door.get(f"records/{door.facts(table)['record']}").text)
        assert all("/view" not in answer.url for answer in visitor.answers)  # views come over the socket alone
        pictures = [(moves, without(html, (table, token))) for moves, html in hand.pictures]
        yield Played(record, last, visitor.frames, pictures)
        visitor.close()


def without(text: str, words: tuple[str, ...]) -> str:
    """A text without random words, in which any two letters may stand side by side."""
    for word in words:
        text = text.replace(word, "")
    return text


@pytest.mark.parametrize("played", GAMES, indirect=True)
def test_a_whole_game_can_be_played_by_clicking(played: Played) -> None:
    assert played.last.over
    assert played.last.moves == len(played.record.history)
    assert played.record.outcome is not None
    assert any(seat == SEAT for seat, _ in played.record.history)


@pytest.mark.parametrize("played", GAMES, indirect=True)
def test_no_hand_of_another_seat_comes_to_the_page(played: Played) -> None:
    views = [event for event in map(json.loads, played.frames) if event["event"] == "view" and not event["over"]]
    hands = [zone for view in views for zone in view["table"]["zones"] if zone["kind"] == "hand"]
    assert any("cards" in hand for hand in hands if hand["seat"] == SEAT)
    assert [hand for hand in hands if hand["seat"] != SEAT and hand.get("cards")] == []


@pytest.mark.parametrize("played", SINGLE_CARDS, indirect=True)
def test_no_card_comes_to_the_page_or_is_shown_there_before_its_seat_has_seen_it(played: Played) -> None:
    seen = seen_by(played.record, SEAT)
    assert told_too_early(played.frames, seen) == []
    assert shown_too_early(played.pictures, seen) == []
    assert told_too_early(played.frames, seen_by(played.record, SEAT + 1))  # another seat would have learnt something
