"""What a seat may do, as a person chooses it: by text, by number, or with the arrow keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text

from facedown.games.speech import is_card
from facedown.table.zones import own_hand
from facedown.terminal.words import card, legal_texts, packed
from facedown.view import View

LEAST_SHARED = 3  # actions with the same words before these are written only once


@dataclass(frozen=True)
class Menu:
    """A seat's cards and other actions; the cards are numbered by their places in the hand, the others after them."""

    hand: Sequence[str]
    legal: Sequence[str]

    @property
    def by_card(self) -> bool:
        """Whether cards of the hand are played by their own texts."""
        return bool(self.hand) and all(is_card(word) for word in self.hand) and bool(set(self.hand) & set(self.legal))

    @property
    def others(self) -> list[str]:
        """What can be done beside playing one of the numbered cards."""
        return [word for word in self.legal if not self.by_card or word not in self.hand]

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each choice; none where numbers are actions themselves."""
        if any(word.isdecimal() for word in self.legal):
            return {}
        return {word: number for number, word in enumerate([*(self.hand if self.by_card else ()), *self.others], 1)}

    @property
    def choices(self) -> list[str]:
        """What may be chosen, in the order of the numbers."""
        return [word for word in (self.numbers or self.legal) if word in self.legal]

    def at(self, number: int) -> str | None:
        """The choice that has a number."""
        return next((word for word, place in self.numbers.items() if place == number), None)


def menu_of(view: View, legal: Sequence[str] | None = None) -> Menu:
    """The menu of a view; `legal` is what may be chosen by now, where that is not what the view allows."""
    return Menu(own_hand(view.table), legal_texts(view) or [] if legal is None else legal)


def others_line(menu: Menu, pointed: str | None, width: int, compact: bool = False) -> Text:
    """What may be done beside playing a card; where there is little room, words that many share are written once."""
    parts: list[Text] = []
    for words, same in groupby(menu.others, key=lambda text: shared(text) if compact else (text, "")):
        texts = list(same)
        before, after = words
        if compact and len(texts) >= LEAST_SHARED:
            parts.append(Text(f"{before} … {after}:"))
            parts += [entry(menu, text, pointed, Text(" ".join(text.split()[1:-2]))) for text in texts]
        else:
            parts += [entry(menu, text, pointed) for text in texts]
    return packed([Text("you may", "dim"), *parts], width, "  " if menu.numbers else " · ")


def shared(text: str) -> tuple[str, str]:
    """The first word of a text and the last two."""
    words = text.split()
    return (words[0], " ".join(words[-2:])) if len(words) > 3 else (text, "")


def entry(menu: Menu, text: str, pointed: str | None, label: Text | None = None) -> Text:
    """An action with its number, under its own text or another label; the one pointed at stands out."""
    word = label or card(text)
    number = Text(f"{menu.numbers[text]}) " if text in menu.numbers else "", "dim")
    if text == pointed:
        return Text.assemble(("»", "bold green"), word, ("«", "bold green"))
    return Text.assemble(number, word)
