"""Advice for a game played elsewhere: typed and clicked, refused and corrected, and not lost by a reload."""

import pytest
from playwright.sync_api import Page, expect

from browsing import PHONE, Visit

pytestmark = pytest.mark.browser

HAND = "7h 8h 9h qs ks 7d 8d 10c"
GAME = "/advise/hearts32"


def tell(page: Page, text: str) -> None:
    page.locator("#entry").fill(text)
    page.locator("#entry").press("Enter")


def expects(page: Page, words: str) -> None:
    expect(page.locator(".expects")).to_contain_text(words)


def begun(visit: Visit, **options: object) -> Page:
    """A game whose hand is told, and the first action of another seat."""
    page: Page = visit(GAME, **options).page
    expects(page, "your hand, 8 cards")
    page.locator("[aria-label='how long to think']").select_option("0.3")
    tell(page, HAND)
    return page


def test_a_game_is_chosen_on_a_page_of_all(visit: Visit) -> None:
    page = visit("/advise").page
    page.locator("[data-advise=hearts32]").click()
    expects(page, "your hand, 8 cards")


def test_a_hand_is_typed_and_advice_comes_when_it_is_the_own_turn(visit: Visit) -> None:
    page = begun(visit)
    expects(page, "the seat that leads")
    tell(page, "3: 7c")
    expects(page, "your action")
    expect(page.locator("[data-advice]")).to_have_text("10♣")
    expect(page.locator("#table")).to_be_visible()
    expect(page.locator("#beliefs [data-worlds]")).to_be_visible()
    expect(page.locator("#beliefs td.belief").first).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")  # its share
    expect(page.locator(".other-hand .card-row").first).to_have_css("flex-wrap", "nowrap")
    expect(page.locator("#entry")).to_be_focused()
    page.locator("#play-it").click()
    expects(page, "an action of seat 1")
    expect(page.locator("#entries li")).to_have_count(3)


def test_a_hand_is_clicked_and_what_others_may_play_too(visit: Visit) -> None:
    page = visit(GAME).page
    for card in ("7H", "8H", "9H", "QS", "KS", "7D", "8D"):
        page.locator(f".picks [data-card='{card}']").click()
    page.locator(".picks [data-card='8D']").click()  # a slip
    for card in ("9D", "TC"):
        page.locator(f".picks [data-card='{card}']").click()
    expects(page, "the seat that leads")
    page.locator("[data-action='1']").click()
    page.locator(".picks [data-card='7C']").click()
    expects(page, "an action of seat 2")
    assert page.locator(".picks [data-card]").count() == 32 - 8 - 1
    page.locator(".picks [data-card='AC']").click()
    expects(page, "an action of seat 3")


def test_what_cannot_be_is_refused_with_the_reason_and_comes_back_to_the_line(visit: Visit) -> None:
    visitor = visit(GAME)
    page = visitor.page
    expects(page, "your hand")
    with visitor.trouble():
        tell(page, "7h 7h 9h qs ks 7d 8d 10c")
        expect(page.locator("#refused")).to_contain_text("twice in the hand")
        expect(page.locator("#entry")).to_have_value("7h 7h 9h qs ks 7d 8d 10c")
    tell(page, HAND)
    expects(page, "the seat that leads")
    with visitor.trouble():
        tell(page, "3: 7c")
        expects(page, "your action")
        tell(page, "as")
        expect(page.locator("#refused")).to_contain_text("not in the hand")
    expect(page.locator("#entries li")).to_have_count(2)


def test_several_entries_are_told_at_once_and_taken_back_one_by_one(visit: Visit) -> None:
    page = begun(visit)
    expects(page, "the seat that leads")
    tell(page, "3: 7c")
    expects(page, "your action")
    tell(page, "10c jc")
    expects(page, "an action of seat 2")
    expect(page.locator("#entries li")).to_have_count(4)
    expect(page.locator("#entries")).to_contain_text("Seat 1")
    page.locator("#undo").click()
    expects(page, "an action of seat 1")
    expect(page.locator("#entry")).to_have_value("jc")


def test_an_entry_is_corrected_and_what_it_makes_impossible_is_said(visit: Visit) -> None:
    visitor = visit(GAME)
    page = visitor.page
    expects(page, "your hand")
    tell(page, HAND)
    expects(page, "the seat that leads")
    tell(page, "3: 7c")
    expects(page, "your action")
    tell(page, "10c")
    expects(page, "an action of seat 1")
    page.locator("[data-entry='0']").click()
    field = page.get_by_label("Entry 1", exact=True)
    with visitor.trouble():
        field.fill("7h 8h 9h qs ks 7d 8d jc")
        field.press("Enter")
        expect(page.locator("#entries .problem")).to_contain_text("entry 3")
    page.get_by_role("button", name="take back what follows").click()
    expects(page, "your action")
    expect(page.locator("[data-advice]")).to_have_text("J♣")
    expect(page.locator("#entries li")).to_have_count(2)


def test_a_reload_loses_nothing(visit: Visit) -> None:
    page = begun(visit, viewport=PHONE)
    expects(page, "the seat that leads")
    tell(page, "3: 7c")
    expects(page, "your action")
    page.reload()
    expects(page, "your action")
    expect(page.locator("#entries li")).to_have_count(2)
    page.locator("#new").click()
    expects(page, "your hand")
    expect(page.locator("#entries")).to_contain_text("Nothing yet")
