"""A whole game of each kind by clicking; and no card that is hidden comes to the page."""

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

GAMES = ["hearts", "hearts32:passing=hold", "sueca", "bisca", "cheat", "magic:deck=24xland+16x6/6for1"]
SEAT = 0


@dataclass
class Played:
    """A game that was played to its end, and all that its page was told and showed meanwhile."""

    record: fd.GameRecord
    last: Offered
    frames: list[str]
    answers: list[str]
    pictures: list[tuple[int, str]]


@pytest.fixture(scope="module", params=GAMES)
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
        answers = [answer.text() for answer in visitor.answers]
        hidden = (table, token)
        pictures = [(moves, without(html, hidden)) for moves, html in hand.pictures]
        yield Played(record, last, visitor.frames, [without(text, hidden) for text in answers], pictures)
        visitor.close()


def without(text: str, words: tuple[str, ...]) -> str:
    """A text without random words, in which any two letters may stand side by side."""
    for word in words:
        text = text.replace(word, "")
    return text


def test_a_whole_game_can_be_played_by_clicking(played: Played) -> None:
    assert played.last.over
    assert played.last.moves == len(played.record.history)
    assert played.record.outcome is not None
    assert any(seat == SEAT for seat, _ in played.record.history)


def test_no_hidden_card_comes_to_the_page_or_is_shown_there(played: Played) -> None:
    if played.record.game.startswith("magic"):  # its cards are kinds, not single cards: tests/server compares its bytes
        return
    seen = seen_by(played.record, SEAT)
    assert played.frames
    assert told_too_early(played.frames, seen) == []
    assert shown_too_early(played.pictures, seen) == []


def test_the_frames_of_another_seat_would_be_found(played: Played) -> None:
    if not played.record.game.startswith("magic"):
        assert told_too_early(played.frames, seen_by(played.record, SEAT + 1))
