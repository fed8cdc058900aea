"""What a game can say of a deal that was dealt elsewhere, beyond its rules: how to ask for it, and how to write it down."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from facedown.kernel import Record


@dataclass(frozen=True)
class Elsewhere:
    """How a game is told from outside, by somebody who sees one seat's cards; a game needs none of this to be told."""

    words: Mapping[str, str] = field(default_factory=dict)  # for facts that are asked for: what they are, in a sentence
    gained: str = "came into your hand"  # of cards: the end of a sentence that begins with `the 3 cards that`
    hold: Callable[[Record, int, Sequence[str]], str | None] | None = None  # write a seat's hand into a deal, or say why not
    disguised: Callable[[Record, int], int] | None = None  # an action of the seat to move that others see as the given one
    uncovers: Callable[[Record, int, int], int] | None = None  # of a view: how many cards of others an action turns up
    uncover: Callable[[Record, int, Sequence[int]], str | None] | None = None  # put these there in a world, or say why not


PLAIN = Elsewhere()
