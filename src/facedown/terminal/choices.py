"""What a person chooses in a turn: collected until it is sent, and read from what was typed.

A choice is first tried in worlds drawn from the view, so one that is taken back has shown nothing.
"""

from collections.abc import Sequence

from facedown.errors import BadText, FacedownError, IllegalMove
from facedown.game import Game
from facedown.games.speech import is_card
from facedown.terminal.menu import Menu, menu_of
from facedown.terminal.words import legal_texts
from facedown.view import View

WORLDS_TRIED = 3


class Choices:
    """What a person has chosen in this turn and not yet sent.

    Only face-down choices are collected, such as the cards to pass: a card laid open completes the turn.
    """

    def __init__(self, view: View) -> None:
        """Nothing chosen yet."""
        self.actions: list[int] = []
        self.complete = False
        self.sent = False
        self.views = [view]  # what the seat sees before each of its choices
        self.wanted = self.missing()

    @property
    def view(self) -> View:
        """What the seat sees, its earlier choices counted."""
        return self.views[-1]

    @property
    def first_view(self) -> View:
        """What the seat saw before it chose anything."""
        return self.views[0]

    @property
    def menu(self) -> Menu:
        """What there is to choose from: the numbers stay the same while choices are collected."""
        return menu_of(self.first_view)

    @property
    def legal(self) -> list[str]:
        """What may be chosen now."""
        return [] if self.complete else legal_texts(self.view) or []

    @property
    def only(self) -> int | None:
        """The only thing that can be done, if there is just one."""
        legal = [] if self.complete else self.view.legal
        return legal[0] if len(legal) == 1 else None

    @property
    def texts(self) -> list[str]:
        """The choices as text."""
        return [self.view.game.text(action) for action in self.actions]

    def add(self, actions: Sequence[int]) -> None:
        """Choose these, or none of them if one is refused."""
        chosen = len(self.actions)
        try:
            for action in actions:
                if self.complete:
                    raise IllegalMove(f"expected {len(self.actions) - chosen or 'no more'} now, got {len(actions)}")
                after = rehearse(self.view, action)
                self.actions.append(action)
                self.complete = after is None
                self.views += [after] if after else []
        except FacedownError:
            while len(self.actions) > chosen:
                self.take_back()
            raise

    def take_back(self) -> str:
        """Forget the last choice; its text."""
        if not self.complete:
            self.views.pop()
        self.complete = False
        return self.view.game.text(self.actions.pop())

    def missing(self) -> int:
        """How many choices the turn still needs."""
        view, count = None if self.complete else self.view, 0
        while view:
            view = rehearse(view, view.legal[0])
            count += 1
        return count


def rehearse(view: View, action: int) -> View | None:
    """What a seat sees after a choice if its turn continues; None if it is over. Tried in sampled worlds.

    The turn continues only where the choice lies face down and brings nothing to light.
    """
    worlds = [view.sample(seed) for seed in range(WORLDS_TRIED)]
    for world in worlds:
        world.play(action)
    others = [seat for seat in range(view.game.seats) if seat != view.seat]
    face_down = all(worlds[0].view(seat).history[-1] != worlds[0].history[-1] for seat in others)
    afterwards = {world.view(view.seat) for world in worlds}
    continues = face_down and len(afterwards) == 1 and all(world.seat == view.seat for world in worlds)
    return afterwards.pop() if continues else None


# --- What was typed ---------------------------------------------------------------------------------------------------


def chosen(view: View, line: str, menu: Menu | None = None) -> list[int]:
    """The actions that a line names: in words, or by their numbers in a menu.

    The beginning of an action is enough where it is no card and no other begins so.
    """
    try:
        return [view.game.parse(line)]
    except BadText:
        if numbers := numbered(view.game, line, menu or menu_of(view)):
            return numbers
    begun = [action for action in view.legal if view.game.text(action).startswith(" ".join(line.lower().split()))]
    if len(begun) == 1 and not is_card(view.game.text(begun[0])):
        return begun
    return parsed(view.game, line)


def numbered(game: Game, line: str, menu: Menu) -> list[int]:
    """The actions whose numbers stand in a line; none if there is anything else in it."""
    words = line.replace(",", " ").split()
    if not menu.numbers or not all(word.isdecimal() for word in words):
        return []
    found = [menu.at(int(word)) for word in words]
    for word, text in zip(words, found, strict=True):
        if text is None:
            raise BadText(f"expected a number from 1 to {len(menu.numbers)}, got {word}")
    return [game.parse(text) for text in found if text]


def parsed(game: Game, line: str) -> list[int]:
    """The actions a line names: one, or one in each word."""
    try:
        return [game.parse(line)]
    except BadText:
        words = line.replace(",", " ").split()
        if len(words) < 2:
            raise
    return [game.parse(word) for word in words]
