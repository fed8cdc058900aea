"""Playing at a table's page as a person does: by clicking, or by keys, on what the page offers."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page

from browsing import Visitor
from sitting import Door

# What the page offers, as soon as so many actions are played and it is this browser's turn; or that the game is over.
OFFERED = """(least) => {
  const table = document.getElementById("table");
  const moves = Number(table?.dataset.moves ?? -1);
  if (moves < least) return null;
  const over = table.dataset.over === "true";
  const told = { moves, over, html: document.documentElement.outerHTML };
  const all = (selector) => [...table.querySelectorAll(selector)];
  const named = (name, more) => all(`button[data-${name}]:enabled${more}`).map((one) => one.dataset[name]);
  told.cards = named("card", ":not([aria-pressed=true])");
  told.actions = named("action", "");
  return over || told.cards.length || told.actions.length ? told : null;
}"""


@dataclass
class Offered:
    """What can be chosen on a page."""

    moves: int
    over: bool
    cards: list[str]
    actions: list[str]
    html: str = field(repr=False)


def offered(page: Page, least: int = 0) -> Offered:
    """What a page offers, as soon as it is its turn."""
    told: dict[str, Any] = page.wait_for_function(OFFERED, arg=least).json_value()
    return Offered(**told)


def card(page: Page, text: str) -> Locator:
    """The button of a card."""
    return page.locator(f'#table button[data-card="{text}"]:enabled').first


def action(page: Page, text: str) -> Locator:
    """The button of any other action."""
    return page.locator(f'#table button[data-action="{text}"]').first


def click(button: Locator) -> None:
    """Click where a button can be seen even if the next one lies half over it, as cards in a hand do."""
    button.click(position={"x": 8, "y": 20})


class Hand:
    """Somebody who chooses at random among what a page offers."""

    def __init__(self, visitor: Visitor, press: Callable[[Locator], None] | None = None, seed: int = 1) -> None:
        """`press` is how a button is pressed: by a click unless something else is given."""
        self.visitor = visitor
        self.page = visitor.page
        self.press = press or click
        self.random = random.Random(seed)
        self.pictures: list[tuple[int, str]] = []  # the page at each turn: how many actions were played, and its markup

    def play(self, turns: int = 1 << 30) -> Offered:
        """Play to the end, or for some turns; returns what is offered then."""
        found = self.look(0)
        while not found.over and turns:
            turns -= 1
            self.turn(found)
            found = self.look(found.moves + 1)
        return found

    def look(self, least: int) -> Offered:
        found = offered(self.page, least)
        if not found.over:
            self.pictures.append((found.moves, found.html))
        return found

    def turn(self, found: Offered) -> None:
        """Choose, and send it."""
        if action(self.page, "pass").count() and "pass" not in found.actions:
            self.choose_together(found)
        elif found.actions and (not found.cards or self.random.random() < 0.7):
            self.press(action(self.page, self.random.choice(found.actions)))
        else:
            self.press(card(self.page, self.random.choice(found.cards)))
            if (now := self.page.locator("#table button[data-action^='1 ']:enabled")).count():  # a claim of this card
                self.press(now.first)

    def choose_together(self, found: Offered) -> None:
        """Choose cards until they can be passed."""
        for text in found.cards:
            self.press(card(self.page, text))
            if action(self.page, "pass").is_enabled():
                break
        self.press(action(self.page, "pass"))


def seat_taken(door: Door, visitor: Visitor, table: str, seat: int = 0) -> str:
    """Sit down at a table for a browser, and open its page there; returns the token."""
    number, token = door.sit(table, "Ana", seat)
    key = f'{{"{table}": {{"seat": {number}, "token": "{token}", "name": "Ana"}}}}'
    visitor.context.add_init_script(f"localStorage.setItem('facedown.seats', JSON.stringify({key}))")
    visitor.open(f"/table/{table}")
    return token
