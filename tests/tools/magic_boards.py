"""Boards of Magic from text, so that a test reads as the rulebook does.

A board is given for the active seat and the other: creatures in play as `3/3 for 4` or `3/3`, tapped ones with a `t` after
them, and cards in hand; separated by commas.
"""

from collections import Counter

import numpy as np

from facedown import State, load, rules
from facedown.games.magic.text import card_texts
from facedown.rng import stream


def kind_of(state: State, text: str) -> str:
    """A kind as positions have it, by the beginning of its text: 3/3 is 3/3for4."""
    wanted = text.replace(" ", "")
    for kind in kinds_of(state):
        if kind == wanted or kind.startswith(f"{wanted}for"):
            return kind
    raise ValueError(f"expected a card of the deck, got {text!r}")


def kinds_of(state: State) -> list[str]:
    """The kinds of card in the decks, in order."""
    return [text.replace(" ", "") for text in card_texts(state.record)[: int(state.record.kinds) + 1]]


def listed(text: str) -> list[str]:
    """The parts of a list."""
    return [part.strip() for part in text.split(",") if part.strip()]


def board(
    own: str = "",
    other: str = "",
    *,
    hand: str = "",
    lands: int = 0,
    other_lands: int = 0,
    life: tuple[int, int] = (20, 20),
    game: str = "magic",
) -> State:
    """Seat 0's turn, before it is asked for attackers (or for cards, without creatures), on a board of one's own."""
    dealt = load(game).deal(seed=0)
    first, second = seat_fields(dealt, 0, own, hand, lands), seat_fields(dealt, 1, other, "", other_lands)
    fields = {name: f"{first[name]}|{second[name]}" for name in first}
    fields |= {"life": f"{life[0]},{life[1]}", "turn": "10", "phase": "attack" if own else "main"}
    return dealt.game.position(" ".join([f"{dealt.game.full_name}/1", *(f"{name}={text}" for name, text in fields.items())]))


def seat_fields(dealt: State, seat: int, creatures: str, hand: str, lands: int) -> dict[str, str]:
    """What a position says of a seat's cards; those that are neither in play nor in hand are its library."""
    kinds = kinds_of(dealt)
    tapped = [(part.removesuffix(" t"), part.endswith(" t")) for part in listed(creatures)]
    in_play = sorted((kinds.index(kind_of(dealt, text)), not lies) for text, lies in tapped)
    names = [kinds[kind] for kind, _ in in_play]
    held, played = [kind_of(dealt, card) for card in listed(hand)], [kinds[0]] * lands + names
    left = Counter({kind: int(count) for kind, count in zip(kinds, dealt.record.deck[seat], strict=False)})
    left.subtract([*held, *played])
    return {
        "hand": counted(held),
        "creatures": ",".join(names) or "-",
        "tapped": "+".join(str(place) for place, (_, stands) in enumerate(in_play) if not stands) or "-",
        "played": counted(played),
        "library": ",".join(left.elements()) or "-",
    }


def counted(cards: list[str]) -> str:
    """Cards as a hand in a position: 2x1/1for1,land."""
    return ",".join(f"{count}x{card}" for card, count in Counter(cards).items()) or "-"


def play(state: State, texts: str) -> State:
    """Play the actions named, one after another, separated by commas."""
    for text in listed(texts):
        state.play(text)
    return state


def legal(state: State) -> str:
    """The legal actions in one line."""
    return ", ".join(state.game.text(action) for action in state.legal)


def answers(state: State, style: int = rules.EXPERT) -> str:
    """What the rule player answers, question by question, until the phase is over."""
    state = state.copy()
    phase = state.facts["phase"]
    given: list[str] = []
    actions = np.empty(state.game.actions, np.int64)
    while not state.over and state.facts["phase"] == phase and (not given or given[-1] != "done"):
        given.append(state.game.text(int(rules.choose(state.record, style, actions, stream(0)))))
        state.play(given[-1])
    return ", ".join(given)
