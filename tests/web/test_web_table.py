"""The page of a table: what is there when things go well, and that nothing is lost when they do not."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

import facedown as fd
from browsing import PHONE, Visit
from clicking import Hand, action, card, offered, seat_taken
from page_leaks import seen_by, shown_too_early, told_too_early
from serving import ServerProcess, wait_for
from sitting import Door

pytestmark = pytest.mark.browser

HEARTS = "hearts32"
OTHERS = ["random"] * 3
FOCUSED = """() => { const one = document.activeElement; return one?.dataset.card ?? one?.dataset.action ?? null; }"""
UNREADABLE = """(one) => getComputedStyle(one).color === getComputedStyle(one).backgroundColor"""
HAND = """() => [...document.querySelectorAll(".hand [data-card]")].map((one) => one.dataset.card)"""


def hand_of(page: Page) -> list[str]:
    """The cards that a page shows in its own hand."""
    found: list[str] = page.evaluate(HAND)
    return found


# --- Sitting down -----------------------------------------------------------------------------------------------------


def test_play_now_deals_at_once_and_the_game_can_be_played_to_its_end(visit: Visit) -> None:
    visitor = visit("/")
    visitor.page.locator('button[data-play="hearts32"]').click()
    visitor.page.wait_for_url(re.compile(r"/table/\w+"))
    first = offered(visitor.page)
    assert first.cards
    visitor.page.locator("#rules summary").click()
    expect(visitor.page.locator("#rules")).to_contain_text("Q♠ 8; the fewest points win")
    assert Hand(visitor).play().over
    expect(visitor.page.locator("#result")).to_be_visible()


def test_a_game_of_ones_own_is_played_without_a_line_of_javascript(visit: Visit) -> None:
    visitor = visit("/")
    visitor.page.locator('button[data-play*="knaves"]').click()
    visitor.page.wait_for_url(re.compile(r"/table/\w+"))
    assert Hand(visitor).play().over
    assert "2♣ 3♣" not in visitor.page.locator("#table").inner_text()  # suits that a seat has not are told in one sign


def test_two_browsers_play_at_one_table_and_see_the_same_end(visit: Visit, door: Door) -> None:
    table = door.table("bisca:hand_size=3", None, None, seed=3)
    both = [visit(f"/table/{table}") for _ in range(2)]
    for seat, visitor in enumerate(both):
        visitor.page.locator(f'button[data-sit="{seat}"]').click()
    wait_for(lambda: door.facts(table)["status"] == "playing")
    hands = [Hand(visitor) for visitor in both]
    moves = 0
    wait_for(lambda: door.facts(table)["to_move"] is not None)  # both have sat down
    for _ in range(8):
        mover = door.facts(table)["to_move"]
        hands[mover].turn(hands[mover].look(moves))
        moves += 1
        wait_for(lambda: door.facts(table)["moves"] == moves)  # noqa: B023
    for visitor in both:
        expect(visitor.page.locator("#table")).to_have_attribute("data-moves", str(moves))
    names = [visitor.page.locator("#scores").inner_text() for visitor in both]
    assert names[0] != names[1]  # each is "You" to oneself
    assert not set(hand_of(both[0].page)) & set(hand_of(both[1].page))


def test_a_spectator_sees_no_hidden_card(visit: Visit, door: Door) -> None:
    table, tokens = door.full_table(HEARTS, 4, seed=9)
    visitor = visit(f"/table/{table}")
    pictures = []
    for moves in range(1, 33):
        door.play(table, tokens, 1)
        expect(visitor.page.locator("#table")).to_have_attribute("data-moves", str(moves))
        if moves < 32:
            pictures.append((moves, visitor.page.content().replace(table, "")))
    assert visitor.page.locator("button[data-card]").count() == 0
    wait_for(lambda: door.facts(table)["record"])
    record = fd.GameRecord.from_json(door.get(f"records/{door.facts(table)['record']}").text)
    seen = seen_by(record, None)
    assert told_too_early(visitor.frames, seen) == []
    assert shown_too_early(pictures, seen) == []


# --- Playing ----------------------------------------------------------------------------------------------------------


def test_three_cards_are_passed_together_and_can_be_changed_before(visit: Visit, door: Door) -> None:
    visitor = visit()
    seat_taken(door, visitor, door.table("hearts:passing=left", None, *OTHERS, seed=2))
    page = visitor.page
    first, second, third, fourth = offered(page).cards[:4]
    send = action(page, "pass")
    assert not send.evaluate(UNREADABLE)
    for text in (first, second, third):
        expect(send).to_be_disabled()
        card(page, text).click()
    expect(send).to_be_enabled()
    card(page, first).click()
    expect(send).to_be_disabled()
    card(page, fourth).click()
    before = set(hand_of(page))
    send.click()
    expect(page.locator("#table")).to_have_attribute("data-moves", re.compile(r"1[2-5]"))
    after = set(hand_of(page))
    assert before & after == before - {second, third, fourth}


def test_a_card_that_is_not_legal_cannot_be_clicked(visit: Visit, door: Door) -> None:
    visitor = visit()
    table = door.table(HEARTS, None, *OTHERS, seed=5)
    token = seat_taken(door, visitor, table)
    hand = Hand(visitor)
    for _ in range(8):
        found = hand.look(0)
        legal = door.view(table, token)["legal"]
        assert sorted(found.cards) == sorted(legal)
        if len(legal) < len(hand_of(visitor.page)):
            return
        hand.turn(found)
        hand.look(found.moves + 1)
    pytest.fail("expected a turn at which not all cards are legal, got none")


def test_a_slip_can_be_taken_back_where_two_clicks_play_a_card(visit: Visit, door: Door) -> None:
    visitor = visit()
    visitor.context.add_init_script("localStorage.setItem('facedown.settings', JSON.stringify({ confirm: 'on' }))")
    table = door.table(HEARTS, None, *OTHERS, seed=5)
    seat_taken(door, visitor, table)
    page = visitor.page
    found = offered(page)
    wrong, right = found.cards[:2] if len(found.cards) > 1 else found.cards * 2
    card(page, wrong).click()
    page.keyboard.press("Escape")
    card(page, right).click()
    assert door.facts(table)["moves"] == found.moves
    card(page, right).click()
    wait_for(lambda: door.facts(table)["moves"] > found.moves)
    assert [0, right] in door.view(table)["history"]


def test_a_hint_names_an_action_and_why_its_reasons(visit: Visit, door: Door) -> None:
    visitor = visit()
    table = door.table(HEARTS, None, *OTHERS, seed=8)
    seat_taken(door, visitor, table)
    page = visitor.page
    found = offered(page)
    page.locator("#hint").click()
    marked = page.locator("#table .marked")
    expect(marked).to_have_count(1)
    assert marked.get_attribute("data-card") in found.cards
    page.locator("#why").click()
    rows = page.locator("#advice tbody tr")
    expect(rows).to_have_count(len(found.cards))
    assert offered(page).actions == []  # what the page itself offers is no action of the game
    assert door.facts(table)["moves"] == found.moves


def test_a_whole_game_can_be_played_by_keys_alone(visit: Visit, door: Door) -> None:
    visitor = visit()
    seat_taken(door, visitor, door.table(HEARTS, None, *OTHERS, seed=4))
    page = visitor.page
    tabs = 0

    def by_keys(button: Locator) -> None:
        nonlocal tabs
        wanted = button.get_attribute("data-card") or button.get_attribute("data-action")
        while page.evaluate(FOCUSED) is None:
            page.keyboard.press("Tab")
            tabs += 1
            assert tabs < 60, "the cards cannot be reached by Tab"
        for _ in range(60):
            if page.evaluate(FOCUSED) == wanted:
                break
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")

    assert Hand(visitor, by_keys).play().over
    assert tabs < 40  # once there, the keyboard stays with the cards


def test_every_card_is_said_in_words(visit: Visit, door: Door) -> None:
    visitor = visit()
    seat_taken(door, visitor, door.table(HEARTS, None, *OTHERS, seed=4))
    offered(visitor.page)
    names = visitor.page.locator(".hand [data-card]").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('aria-label'))"
    )
    assert len(names) == 8
    assert all(re.fullmatch(r"(\w+) of (clubs|diamonds|spades|hearts).*", name) for name in names)


def test_a_game_can_be_played_by_touch_on_a_phone(visit: Visit, door: Door) -> None:
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    seat_taken(door, visitor, door.table("hearts:passing=hold", None, *OTHERS, seed=6))
    page = visitor.page
    offered(page)
    assert len(hand_of(page)) == 13
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    Hand(visitor, lambda button: button.tap()).play(turns=3)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


# --- When things go wrong ---------------------------------------------------------------------------------------------


def test_a_reload_in_mid_game_loses_nothing(visit: Visit, door: Door) -> None:
    visitor = visit()
    table = door.table("sueca", None, *OTHERS, seed=7)
    seat_taken(door, visitor, table)
    hand = Hand(visitor)
    before = hand.play(turns=3)
    held, scores = hand_of(visitor.page), visitor.page.locator("#scores").inner_text()
    visitor.page.reload()
    after = hand.look(0)
    assert (after.moves, after.cards, hand_of(visitor.page)) == (before.moves, before.cards, held)
    assert visitor.page.locator("#scores").inner_text() == scores
    assert hand.play(turns=1).moves > after.moves


def test_a_lost_connection_comes_again_and_a_card_played_meanwhile_is_not_lost(
    visit: Visit, door: Door, site: ServerProcess
) -> None:
    visitor = visit()
    table = door.table("sueca", None, *OTHERS, seed=7)
    seat_taken(door, visitor, table)
    hand = Hand(visitor)
    found = hand.play(turns=1)
    with visitor.trouble():
        site.kill()
        expect(visitor.page.locator("#table")).to_have_attribute("data-connected", "false")
        text = found.cards[0]
        card(visitor.page, text).click()
        site.start()
        after = hand.look(found.moves + 1)
    assert [0, text] in door.view(table)["history"]
    assert hand.play(turns=1).moves > after.moves


def test_an_unknown_table_is_said_so(visit: Visit) -> None:
    visitor = visit()
    with visitor.trouble():
        visitor.open("/table/nowhere")
        expect(visitor.page.get_by_role("heading", level=1)).to_have_text("No such table")


def test_names_of_people_are_texts_never_markup_and_no_wider_than_a_phone(visit: Visit, door: Door) -> None:
    table = door.table("bisca", None, None, name=f"<img src=x onerror=alert(1)> {'m' * 40}")
    door.sit(table, "<b>Eve<b>", 0)
    door.sit(table, "W" * 40, 1)
    page = visit("/", viewport=PHONE).page
    expect(page.locator(".list").get_by_text("<b>Eve<b>")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.goto(page.url + f"table/{table}")
    expect(page.locator("#scores")).to_contain_text("<b>Eve<b>")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(page.locator("h1")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("h1 img, #scores b").count() == 0
