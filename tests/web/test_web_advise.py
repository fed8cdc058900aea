"""Advice for a game played elsewhere: told in one line after another, corrected, and refused where it cannot be."""

import pytest
from playwright.sync_api import Page, expect

import facedown as fd
from browsing import Visit

pytestmark = pytest.mark.browser

SEAT = 0


@pytest.fixture(scope="module")
def record() -> fd.GameRecord:
    return fd.play("hearts32", ["random"] * 4, seed=7)


def tell(page: Page, text: str, then: str) -> None:
    """Type a line, and wait until something else is asked for."""
    page.locator("#entry").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="thinking")).to_have_count(0)
    expect(page.locator(".expects")).to_contain_text(then)


def begin(page: Page, record: fd.GameRecord) -> None:
    """Tell the hand, and who leads."""
    start = next(record.steps())
    expect(page.locator(".expects")).to_contain_text("your hand")
    tell(page, " ".join(start.hands[SEAT]).lower(), "the seat that leads")
    tell(page, str(start.seat), f"an action of seat {start.seat}")


def test_two_tricks_are_told_and_advice_comes_when_it_is_ones_turn(visit: Visit, record: fd.GameRecord) -> None:
    page = visit("/advise/hearts32").page
    page.get_by_label("how long to think").select_option("0.3")
    begin(page, record)
    states = record.steps()
    for moves in range(8):
        state = next(states)
        if state.seat == SEAT:
            advised = page.locator("[data-advice]")
            expect(advised).to_be_visible()
            assert advised.get_attribute("data-advice") in state.game.texts(state.legal)
            expect(page.locator("#beliefs")).to_be_visible()
        following = record.history[moves + 1][0]
        tell(page, record.actions[moves], "your action" if following == SEAT else f"an action of seat {following}")


def test_an_impossible_card_is_refused_with_the_reason_and_can_be_corrected(visit: Visit, record: fd.GameRecord) -> None:
    visitor = visit("/advise/hearts32")
    page = visitor.page
    begin(page, record)
    own = next(record.steps()).hands[SEAT][0]
    with visitor.trouble():
        page.locator("#entry").fill(own)
        page.keyboard.press("Enter")
        expect(page.locator("#refused")).to_be_visible()
    assert page.locator("#entry").input_value() == own
    tell(page, record.actions[0], f"an action of seat {record.history[1][0]}")
    page.locator("#undo").click()
    expect(page.locator(".expects")).to_contain_text(f"an action of seat {record.history[0][0]}")


def test_a_game_that_was_told_is_there_after_a_reload(visit: Visit, record: fd.GameRecord) -> None:
    page = visit("/advise/hearts32").page
    begin(page, record)
    page.reload()
    expect(page.locator(".expects")).to_contain_text(f"an action of seat {record.history[0][0]}")


def test_seats_and_cards_of_others_can_be_clicked(visit: Visit, record: fd.GameRecord) -> None:
    page = visit("/advise/hearts32").page
    start = next(record.steps())
    tell(page, " ".join(start.hands[SEAT]), "the seat that leads")
    page.locator(f'.picks button[data-action="{start.seat}"]').click()
    expect(page.locator(".expects")).to_contain_text(f"an action of seat {start.seat}")
    page.locator(f'.picks button[data-card="{record.actions[0]}"]').click()
    expect(page.locator(".expects")).to_contain_text(f"an action of seat {record.history[1][0]}")
