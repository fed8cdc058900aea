"""Pairs of games that a seat cannot tell apart, found without the library's own idea of what is hidden.

Two cards are exchanged in the deal, the game is played again with the same actions, and the pair is kept if the seat
observed the same: its own cards after each action, and what a rulebook lets it see of the action. No sampler, no `hide`,
no `seen_as` has a part in this. What a seat is told, and what an agent in its place does, must then be the same in both.
"""

import io
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from rich.console import Console

import facedown as fd
from facedown.cards import text as card_text
from facedown.terminal import drawing

RANKS = "23456789TJQKA"
PASSING = 0  # the phase of Hearts, in its record
POINTS = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}  # of Sueca and Bisca

ATTEMPTS = 4  # exchanges tried for a position and a seat

Observed = tuple[Any, ...]


class Table:
    """What the rulebook of a game says that a seat sees; here for games in which all cards are played openly."""

    def hidden(self, state: fd.State, seat: int) -> list[int]:
        """The cards that lie face down for a seat: in other hands, in a stock, among those laid aside."""
        record = state.record
        masks = [int(mask) for other, mask in enumerate(record.hands) if other != seat]
        masks += [int(getattr(record, field)) for field in ("widow", "rest") if field in record.dtype.names]
        found = [card for mask in masks for card in range(64) if mask >> card & 1]
        if "stock" in record.dtype.names:
            found += [int(card) for card in record.stock[: int(record.stock_left)]]
        return found

    def couple(self, state: fd.State, seat: int, rng: random.Random) -> list[int]:
        """Two of these cards; fewer where there are no two."""
        hidden = self.hidden(state, seat)
        return rng.sample(hidden, min(2, len(hidden)))

    def exchange(self, dealt: fd.State, one: int, two: int) -> None:
        """Let two cards of a new deal change places."""
        for field in dealt.record.dtype.names:
            values = dealt.data[field]
            if values.dtype == np.uint64:
                bits = values >> np.uint64(one) ^ values >> np.uint64(two)
                differ = bits & np.uint64(1)
                values ^= differ << np.uint64(one) | differ << np.uint64(two)
            elif field == "stock":
                first, second = values == one, values == two
                values[first], values[second] = two, one
        dealt._legal = None

    def is_dealt(self, dealt: fd.State) -> bool:
        """Whether such a deal is ever dealt, with the same public facts."""
        return True

    def event(self, before: fd.State, mover: int, text: str, seat: int) -> Observed:
        """What a seat sees of an action."""
        return (text,)

    def again(self, before: fd.State, mover: int, text: str, seat: int, swap: dict[str, str]) -> str:
        """The action in the other game: the same, but for cards laid face down by others."""
        return text

    def wrong(self, state: fd.State, swap: dict[str, str], rng: random.Random) -> list[str]:
        """Actions to try that may not be legal."""
        return [*swap, *rng.sample([rank + suit for rank in RANKS for suit in "CDSH"], 4)]

    def some_action(self, state: fd.State, rng: random.Random) -> str:
        """Any action, as text."""
        return state.game.text(rng.choice(state.legal))


class Hearts(Table):
    """Cards are passed face down; who holds the lowest club leads, for all to see."""

    def is_dealt(self, dealt: fd.State) -> bool:
        lowest = "2C" if dealt.record.deck_size == 52 else "7C"
        return self.passing(dealt) or lowest in dealt.hands[int(dealt.record.leader)]

    def passing(self, state: fd.State) -> bool:
        """Whether cards are passed now."""
        return int(state.record.phase) == PASSING

    def event(self, before: fd.State, mover: int, text: str, seat: int) -> Observed:
        face_down = self.passing(before) and mover != seat
        return ("a card",) if face_down else (text,)

    def again(self, before: fd.State, mover: int, text: str, seat: int, swap: dict[str, str]) -> str:
        return swap.get(text, text) if self.passing(before) and mover != seat else text


class Trumps(Table):
    """One card is shown, and its suit is trumps; a hand without trumps and 10 points may have to be dealt anew."""

    def hidden(self, state: fd.State, seat: int) -> list[int]:
        return [card for card in super().hidden(state, seat) if card != int(state.record.shown)]

    def is_dealt(self, dealt: fd.State) -> bool:
        if not dealt.record.mandar_abaixo:
            return True
        trump = dealt.facts["trump"]
        worth = [sum(POINTS.get(card[0], 0) for card in hand) for hand in dealt.hands]
        return all(
            points >= 10 or any(card[1] == trump for card in hand) for points, hand in zip(worth, dealt.hands, strict=True)
        )


class Cheat(Table):
    """Cards are laid face down under a rank; a call shows the whole pile."""

    def hidden(self, state: fd.State, seat: int) -> list[int]:
        record = state.record
        laid = [int(cards) for cards, layer in zip(record.batch_cards, record.batch_seat, strict=True) if layer != seat]
        return super().hidden(state, seat) + [card for mask in laid for card in range(52) if mask >> card & 1]

    def couple(self, state: fd.State, seat: int, rng: random.Random) -> list[int]:
        """Often a card of the last claim and one of the rank that was named: what was a lie may be true then."""
        record, last = state.record, int(state.record.batches) - 1
        if last < 0 or record.batch_seat[last] == seat or rng.random() < 0.5:
            return super().couple(state, seat, rng)
        laid = [card for card in range(52) if int(record.batch_cards[last]) >> card & 1]
        named = [card for card in self.hidden(state, seat) if card % 13 == record.batch_rank[last] and card not in laid]
        return [rng.choice(laid), rng.choice(named)] if named else super().couple(state, seat, rng)

    def claim(self, before: fd.State, text: str) -> tuple[int, str, list[str]]:
        """How many cards a claim lays, as which rank, and which they are."""
        if ":" in text:
            named, cards = text.split(":")
            return int(named.split()[0]), named.split()[1], cards.split()
        direction, _, count = text.split()
        ranks = RANKS[: int(before.record.ranks)]
        step = 1 if direction == "up" else -1
        rank = ranks[(ranks.index(before.facts["last_rank"]) + step) % len(ranks)]
        return int(count), rank, list(before.facts["lays"][text])

    def event(self, before: fd.State, mover: int, text: str, seat: int) -> Observed:
        if text == "call":
            pile = [before.record.face_up, *before.record.batch_cards]
            return text, sorted(card for mask in pile for card in range(52) if int(mask) >> card & 1)
        return (text,) if text == "take" or mover == seat else self.claim(before, text)[:2]

    def again(self, before: fd.State, mover: int, text: str, seat: int, swap: dict[str, str]) -> str:
        if text in ("take", "call") or mover == seat:
            return text
        count, rank, cards = self.claim(before, text)
        return f"{count} {rank}: {' '.join(swap.get(card, card) for card in cards)}"

    def wrong(self, state: fd.State, swap: dict[str, str], rng: random.Random) -> list[str]:
        rank = rng.choice(RANKS)
        return ["call", "take", *(f"1 {rank}: {card}" for card in swap), "up true 4"]

    def some_action(self, state: fd.State, rng: random.Random) -> str:
        text = super().some_action(state, rng)
        if text == "call" and rng.random() < 0.6:  # else hardly a card stays face down
            text = super().some_action(state, rng)
        if text in ("take", "call") or rng.random() < 0.5:
            return text
        count, rank, _ = self.claim(state, text)
        hand = state.hands[state.seat or 0]
        cards = rng.sample(hand, min(count, len(hand)))
        return f"{len(cards)} {rank}: {' '.join(cards)}"


class Magic(Table):
    """All that is played lies open, hands and libraries do not. Cards are numbered by their seat and place in the deal."""

    def cards_of(self, state: fd.State, seat: int) -> list[int]:
        """A seat's cards by kind: the hand, then the library from its bottom."""
        record = state.record
        hand = [kind for kind, count in enumerate(record.hand[seat]) for _ in range(int(count))]
        return hand + [int(kind) for kind in record.library[seat][: int(record.in_library[seat])]]

    def hidden(self, state: fd.State, seat: int) -> list[int]:
        """Places in the deal: all of the other seat, and of the own library what has not been drawn yet."""
        other = 1 - seat
        left = int(state.record.in_library[seat])
        return [100 * other + place for place in range(40)] + [100 * seat + 7 + place for place in range(left)]

    def couple(self, state: fd.State, seat: int, rng: random.Random) -> list[int]:
        """Two of one deck: no seat has a card of the other's."""
        owner = rng.randrange(2)
        places = [card for card in self.hidden(state, seat) if card // 100 == owner]
        return rng.sample(places, min(2, len(places)))

    def exchange(self, dealt: fd.State, one: int, two: int) -> None:
        seat, record = one // 100, dealt.record
        cards = self.cards_of(dealt, seat)
        cards[one % 100], cards[two % 100] = cards[two % 100], cards[one % 100]
        size = int(record.in_hand[seat])
        record.hand[seat] = [cards[:size].count(kind) for kind in range(len(record.hand[seat]))]
        record.library[seat][: len(cards) - size] = cards[size:]
        dealt._legal = None

    def wrong(self, state: fd.State, swap: dict[str, str], rng: random.Random) -> list[str]:
        return [
            "land",
            "attack 6/6",
            "block 5/5 by 1/1",
            *rng.sample(["1/1 for 1", "6/6 for 7", "5/5 for 6", "2/2 for 2"], 2),
        ]

    def some_action(self, state: fd.State, rng: random.Random) -> str:
        texts = [state.game.text(action) for action in state.legal]
        return texts[0] if "done" in texts and rng.random() < 0.5 else rng.choice(texts)


TABLES = {"hearts": Hearts(), "hearts32": Hearts(), "sueca": Trumps(), "bisca": Trumps(), "cheat": Cheat(), "magic": Magic()}


# --- Pairs --------------------------------------------------------------------------------------------------------------


@dataclass
class Pair:
    """Two states that a seat cannot tell apart, by all that it has observed."""

    one: fd.State
    two: fd.State
    seat: int
    swap: dict[str, str]  # cards that change places


def pairs(game: fd.Game, seeds: Sequence[int], positions: int) -> Iterator[Pair]:
    """Pairs from random games: at most one for each seat in so many positions of each game."""
    table = TABLES.get(game.name, Table())
    for seed in seeds:
        rng = random.Random(f"{game.full_name} {seed}")
        dealt, actions = random_game(game, table, seed, rng)
        for length in sorted(rng.sample(range(len(actions) + 1), min(positions, len(actions) + 1))):
            for seat in range(game.seats):
                found = (twin(table, dealt, actions[:length], seat, rng) for _ in range(ATTEMPTS))
                yield from islice(filter(None, found), 1)


def random_game(game: fd.Game, table: Table, seed: int, rng: random.Random) -> tuple[fd.State, list[tuple[int, str]]]:
    """A deal, mostly the first of a match, and what was played in it."""
    state = game.deal(seed)
    dealt, actions = state.copy(), list[tuple[int, str]]()
    later = rng.random() < 0.5
    while state.seat is not None:
        text = table.some_action(state, rng)
        actions.append((state.seat, text))
        deals = state.deals
        state.play(text)
        if state.deals > deals:
            if not later:
                break
            dealt, actions, later = state.copy(), [], False
    return dealt, actions


def twin(table: Table, dealt: fd.State, actions: Sequence[tuple[int, str]], seat: int, rng: random.Random) -> Pair | None:
    """The game with two cards exchanged that lie hidden at its end; None if the seat would notice, or nothing differs."""
    one = dealt.copy()
    for _, text in actions:
        one.play(text)
    cards = table.couple(one, seat, rng)
    if len(cards) < 2:
        return None
    words = [card_text(card) for card in cards] if not isinstance(table, Magic) else []
    swap = dict(zip(words, reversed(words), strict=True))
    two = dealt.copy()
    table.exchange(two, *cards)
    if not table.is_dealt(two) or not same_observed(table, dealt.copy(), two, actions, seat, swap):
        return None
    return Pair(one, two, seat, swap) if two.data.tobytes() != one.data.tobytes() else None


def same_observed(
    table: Table, one: fd.State, two: fd.State, actions: Sequence[tuple[int, str]], seat: int, swap: dict[str, str]
) -> bool:
    """Play both games; whether the seat observes the same all the way."""
    if one.hands[seat] != two.hands[seat]:
        return False
    for mover, text in actions:
        other = table.again(one, mover, text, seat, swap)
        if two.seat != mover or table.event(one, mover, text, seat) != table.event(two, mover, other, seat):
            return False
        one.play(text)
        try:
            two.play(other)
        except fd.IllegalMove:
            return False
        if one.hands[seat] != two.hands[seat] or public(one) != public(two):
            return False
    return True


def public(state: fd.State) -> Observed:
    """What all see: whose turn it is, how many cards each holds, the scores, and whether it is over."""
    return state.seat, [len(hand) for hand in state.hands], state.scores, state.deals


# --- What a seat is told ------------------------------------------------------------------------------------------------


def told(pair: Pair, state: fd.State, rng: random.Random) -> dict[str, Any]:
    """All that a seat is told of a state: by its view, in errors, on the screen; and a spectator, who knows no more."""
    view = state.view(pair.seat)
    found = told_by(view, state)
    found |= {f"spectator's {name}": value for name, value in told_by(state.view(fd.SPECTATOR), state).items()}
    found["worlds"] = view.worlds()
    found["screen"] = screen(view)
    if state.seat == pair.seat:
        table = TABLES.get(view.game.name, Table())
        found["errors"] = [refusal(state.copy().play, text) for text in table.wrong(state, pair.swap, rng)]
    return found


def told_by(view: fd.View, state: fd.State) -> dict[str, Any]:
    """All that a view tells."""
    found: dict[str, Any] = {"bytes": bytes(view), "repr": repr(view), "hash": hash(view)}
    for name in dir(view):
        if not name.startswith("_"):
            found[name] = plain(asked(view, name))
    found["texts"] = [view.game.text(action) for _, action in view.history]
    facts = view.facts
    found["facts that are hidden"] = [refusal(facts.__getitem__, name) for name in sorted(state.facts)]
    found["hands that are hidden"] = [refusal(view.hand, seat) for seat in range(view.game.seats)]
    return found


def asked(view: fd.View, name: str) -> Any:
    """An attribute, or the words that refuse it."""
    try:
        return getattr(view, name)
    except fd.FacedownError as error:
        return str(error)


def plain(value: Any) -> Any:
    """A value as something that can be compared."""
    if isinstance(value, np.ndarray | np.void | np.record):
        return value.tobytes()
    return "a method" if callable(value) else repr(value)


def refusal(question: Any, argument: Any) -> str:
    """What somebody is told who asks."""
    try:
        return repr(question(argument))
    except fd.FacedownError as error:
        return f"{error} {getattr(error, 'position', '')}"


def screen(view: fd.View) -> str:
    """The table as the terminal draws it."""
    console = Console(file=io.StringIO(), width=80)
    console.print(drawing.table(drawing.Scene(view, ["somebody"] * view.game.seats)))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def chosen(text: str, state: fd.State, seat: int) -> str:
    """What an agent chooses, and all that it says about it, as JSON; without its time."""
    agent = fd.agent(text, seed=1)
    action = int(agent.choose(state.copy() if agent.sees_all else state.view(seat)))
    if agent.decision is None:
        return json.dumps([action, agent.seconds])
    return json.dumps([action, agent.seconds, {**agent.decision.to_dict(), "seconds": 0}, agent.decision.tree(2)])


def leaks(pair: Pair, agents: Sequence[str] = ()) -> list[str]:
    """What tells the two states of a pair apart: names of what the seat is told, or agents."""
    one, two = (told(pair, state, random.Random(1)) for state in (pair.one, pair.two))
    found = [name for name in one if one[name] != two.get(name)]
    if pair.one.seat == pair.seat:
        found += [text for text in agents if chosen(text, pair.one, pair.seat) != chosen(text, pair.two, pair.seat)]
    return found
