"""Boards of Magic from text, so that a test reads as the rulebook does.

A board is given for the active seat and the other: creatures in play as `3/3 for 4` or `3/3`, tapped ones with a `t` after
them, and cards in hand; separated by commas.
"""

import numpy as np

from facedown import State, load, rules
from facedown.games.magic.record import ATTACKING, KINDS, MAIN
from facedown.rng import stream

SEAT = 0  # whose turn it is


def kind_of(state: State, text: str) -> int:
    """The number of a kind, by its text."""
    record = state.record
    words = text.replace(" for ", "/").split("/")
    for kind in range(1, int(record.kinds) + 1):
        body = [int(record.power[kind]), int(record.toughness[kind]), int(record.cost[kind])]
        if [str(number) for number in body][: len(words)] == words:
            return kind
    raise ValueError(f"expected a creature of the deck, got {text!r}")


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
    state = load(game).deal(seed=0)
    record = state.record
    for seat, creatures in ((SEAT, own), (1 - SEAT, other)):
        places = sorted((kind_of(state, part.removesuffix(" t")), not part.endswith(" t")) for part in listed(creatures))
        held = listed(hand) if seat == SEAT else []
        record.played[seat] = 0
        record.hand[seat] = 0
        record.creatures[seat] = 0
        record.tapped[seat] = sum(1 << place for place, (_, untapped) in enumerate(places) if not untapped)
        for place, (kind, _) in enumerate(places):
            record.creatures[seat, place] = kind
            record.played[seat, kind] += 1
        for card in held:
            record.hand[seat, 0 if card == "land" else kind_of(state, card)] += 1
        record.in_play[seat] = len(places)
        record.in_hand[seat] = len(held)
        record.life[seat] = life[seat]
        record.played[seat, 0] = (lands, other_lands)[seat]
        left = [
            kind
            for kind in range(KINDS)
            for _ in range(max(0, int(record.deck[seat, kind] - record.played[seat, kind] - record.hand[seat, kind])))
        ]
        record.library[seat] = -1
        record.library[seat][: len(left)] = left
        record.in_library[seat] = len(left)
    record.turn = 10
    record.phase = ATTACKING if own else MAIN
    state._legal = None
    return state


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
