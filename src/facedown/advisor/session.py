"""A game played elsewhere as one seat sees it: told entry by entry, taken back, corrected.

The view that comes of it is the view that the seat would have had, had the game been played here. An entry is played in a
world of the last view in which it is possible; the view of that world afterwards is the next. What the seat sees beside
actions (its hand, cards that it draws, what is turned up) is asked for when it comes: worlds that differ in what the seat
would see now are what shows that there is something to ask.
"""

import copy as copies
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from facedown.advisor.dealing import own_cards
from facedown.advisor.events import CERTAIN, LOOKED_AT, MATCH_FIELDS, Action, Start, outcomes, value_of
from facedown.advisor.reading import first_action, named_cards, named_things, without_seat, words_in
from facedown.advisor.reasons import Played, why_no_cards, why_not, why_not_card
from facedown.advisor.worlds import looks_the_same
from facedown.cards import parse as card_number
from facedown.errors import BadText, FacedownError, ImpossibleEntry
from facedown.game import Game
from facedown.games.speech import counted, is_card
from facedown.view import View

LONGEST = 2000  # letters of an entry
MOST_ENTRIES = 5000
DEALS_LOOKED_AT = 60  # for the texts of all cards: of 40 cards in hands of seven, none is missed


@dataclass(frozen=True)
class Expectation:
    """What has to be told next."""

    kind: str  # hand, cards, fact, seat, action or over
    words: str
    seat: int | None = None  # whose action, or whose cards
    count: int = 1  # how many cards
    name: str | None = None  # of a fact
    values: tuple[Any, ...] = ()  # some that the fact may have


@dataclass(frozen=True)
class Progress:
    """How far a game has been told: the last certain view, and what has happened since and is not fully told."""

    view: View | None
    event: Start | Action | None
    expects: Expectation
    cards: tuple[str, ...] | None = None  # told of the event
    heard: tuple[str, ...] = ()  # some of the cards that are expected
    facts: Mapping[str, Any] = field(default_factory=dict)
    played: tuple[Played, ...] = ()
    trail: tuple[View, ...] = ()  # all certain views so far


class Session:
    """A game played elsewhere, told by somebody who sees one seat's cards."""

    def __init__(
        self, game: Game, seat: int, hand: str | Sequence[str] | None = None, start: Mapping[str, Any] | None = None
    ) -> None:
        """`start` is what else is seen of the deal, by the names of facts: all of it may be told later, as entries."""
        self.game, self.seat = game, game.check_seat(seat)
        self.entries: list[str] = []
        self.start = dict(start or {})  # as it was told
        self.hand = hand if hand is None or isinstance(hand, str) else list(hand)
        self._told: list[Progress] = []
        self._told.append(self._begin(hand))

    def __repr__(self) -> str:
        """Whose game it is."""
        return f"<Session of {self.game.full_name}, seat {self.seat}, {len(self.entries)} entries>"

    @property
    def view(self) -> View | None:
        """What the seat sees, as far as it is told; None before the hand is."""
        return self._now.view

    @property
    def expects(self) -> Expectation:
        """What has to be told next."""
        return self._now.expects

    @property
    def pending(self) -> bool:
        """Whether something has happened that is not fully told: the view is the one before it."""
        return self._now.event is not None

    @property
    def _now(self) -> Progress:
        return self._told[-1]

    def tell(self, *entries: str) -> None:
        """Take entries, one after another; ImpossibleEntry says which cannot be, and why, and that one is not taken."""
        for entry in entries:
            try:
                self._told.append(self._after(self._now, entry))
            except FacedownError as error:
                raise self._refusal(error, len(self.entries)) from None
            self.entries.append(entry)

    def undo(self, count: int = 1) -> list[str]:
        """Take back the last entries; what they were."""
        if not 0 <= count <= len(self.entries):
            raise FacedownError(f"expected to take back from 0 to {len(self.entries)} of the entries, got {count}")
        taken = self.entries[len(self.entries) - count :]
        del self.entries[len(self.entries) - count :], self._told[len(self._told) - count :]
        return taken

    def fix(self, index: int, entry: str) -> None:
        """Correct an earlier entry, counted from 0; if what came after is impossible then, nothing changes."""
        if not 0 <= index < len(self.entries):
            raise FacedownError(f"expected an entry from 0 to {len(self.entries) - 1}, got {index}")
        kept = list(self.entries), list(self._told)
        following = [entry, *self.entries[index + 1 :]]
        self.undo(len(self.entries) - index)
        try:
            self.tell(*following)
        except ImpossibleEntry:
            self.entries, self._told = kept
            raise

    @property
    def spoken(self) -> list[tuple[int, str]]:
        """The actions so far, as the seat saw them: (seat, text)."""
        return [(one.seat, self.game.text(one.action)) for one in self._now.played]

    @property
    def views(self) -> list[View]:
        """What the seat saw after each action, as far as it is told, the deal first."""
        return list(self._now.trail)

    def copy(self) -> "Session":
        """A session of its own that is equal to this."""
        twin = copies.copy(self)
        twin.entries, twin._told = list(self.entries), list(self._told)
        return twin

    # --- The next step ------------------------------------------------------------------------------------------------

    def _begin(self, hand: str | Sequence[str] | None) -> Progress:
        facts = dict(self.start)
        match = {name: facts.pop(name) for name in MATCH_FIELDS if name in facts}
        if "deals_over" in facts:
            match["deals"] = facts.pop("deals_over")
        event = Start(self.game, self.seat, match)
        view = event.dealt(0, 0).view(self.seat)
        for name in facts:
            value_of(view, name)
        wanted = len(own_cards(view))
        begun = Progress(None, event, self._asks_for_hand(wanted), facts=facts)
        if not wanted:
            return self._settled(replace(begun, cards=()))
        if hand is None:
            return begun
        try:
            return self._after(begun, hand if isinstance(hand, str) else ", ".join(hand), whole=True)
        except FacedownError as error:
            raise self._refusal(error, None) from None

    def _refusal(self, error: FacedownError, index: int | None) -> ImpossibleEntry:
        return ImpossibleEntry(str(error), index)

    def _after(self, now: Progress, text: str, whole: bool = False) -> Progress:
        """How far the game is told after a text, which may tell several things."""
        if not isinstance(text, str) or len(text) > LONGEST or len(self.entries) >= MOST_ENTRIES:
            raise BadText(f"expected an entry of at most {LONGEST} letters, and at most {MOST_ENTRIES} of them")
        if not words_in(text):
            raise BadText(f"expected {now.expects.words}, got nothing")
        rest = text
        while words_in(rest):
            expects = now.expects
            if expects.kind in ("hand", "cards"):
                now, rest = self._take_cards(now, rest, whole)
            elif expects.kind in ("seat", "fact"):
                now, rest = self._take_fact(now, rest)
            elif expects.kind == "action":
                now, rest = self._take_action(now, rest)
            else:
                raise BadText(f"expected no more entries: the game is over, got {rest.strip()!r}")
        return now

    def _take_cards(self, now: Progress, text: str, whole: bool) -> tuple[Progress, str]:
        """Cards of the hand, or cards that have come to light: some or all of those expected."""
        assert now.event is not None
        found = self._cards_in(text)
        wanted = now.expects.count
        if now.expects.kind == "hand" and (whole or len(found) != wanted):  # a hand is told in one piece or card by card
            rest: list[str] = []
        else:
            found, rest = found[:wanted], found[wanted:]
        heard = (*now.heard, *found)
        if len(found) < wanted and not (now.expects.kind == "hand" and (whole or not is_card(found[0]))):
            expects = replace(now.expects, count=wanted - len(found))
            return replace(now, heard=heard, expects=expects), ""
        if isinstance(now.event, Action) and not now.event.is_deal:
            self._check_gained(now, heard)
        settled = self._settled(replace(now, cards=heard, heard=()))
        return settled, " ".join(rest) if all(map(is_card, rest)) else ", ".join(rest)

    def _check_gained(self, now: Progress, cards: Sequence[str]) -> None:
        """Refuse cards that lie elsewhere, at once: to look for worlds that have them takes long."""
        event = now.event
        if isinstance(event, Action) and not event.uncovered and now.view is not None and all(map(is_card, cards)):
            for word in cards:
                if reason := why_not_card(now.view, card_number(word), None, now.played):
                    raise BadText(reason)

    def _cards_in(self, text: str) -> list[str]:
        """The cards that a text names."""
        return named_cards(text) if all(map(is_card, self._words)) else named_things(text, self._words)

    @cached_property
    def _words(self) -> set[str]:
        """The texts of cards, as hands of many deals have them."""
        deals = (Start(self.game, self.seat).dealt(number, 0) for number in range(DEALS_LOOKED_AT))
        return {word for deal in deals for hand in deal.hands for word in hand}

    def _take_fact(self, now: Progress, text: str) -> tuple[Progress, str]:
        """What all see: the rest of a line that begins `2: QS` is still to be told."""
        name = now.expects.name or "to_move"
        seat, rest = without_seat(text)
        if name == "to_move" and seat is not None:
            return self._settled(replace(now, facts={**now.facts, name: seat})), text
        word, rest = words_in(text)[0], " ".join(words_in(text)[1:])
        if all(isinstance(value, list) and len(value) != 1 for value in now.expects.values):
            word, rest = text.strip(), ""
        told: Any = word
        if any(is_card(value) or (isinstance(value, list) and all(map(is_card, value))) for value in now.expects.values):
            cards = named_cards(word)
            told = cards[0] if len(cards) == 1 else cards
        return self._settled(replace(now, facts={**now.facts, name: told})), rest

    def _take_action(self, now: Progress, text: str) -> tuple[Progress, str]:
        """An action of the seat to move; `2: QS` says whose it is."""
        assert now.view is not None
        mover = now.view.to_move
        seat, text = without_seat(text)
        if seat is not None and seat != mover:
            raise BadText(f"expected an action of seat {mover}, got one of seat {seat}")
        action, rest = first_action(self.game, text)
        return self._acted(now, action), rest

    def _acted(self, now: Progress, action: int) -> Progress:
        """An action is played, by the seat itself or as it sees it."""
        assert now.view is not None
        assert now.view.to_move is not None
        event = Action(now.view, action)
        if not event.possible:
            raise BadText(why_not(now.view, event.acting, now.played))
        tricks = "tricks_played" in (self.game.rules.state.names or ())
        played = Played(now.view.to_move, action, int(now.view.record.tricks_played) if tricks else None)
        return self._settled(replace(now, event=event, cards=None, facts={}, played=(*now.played, played)))

    # --- What came of it ----------------------------------------------------------------------------------------------

    def _settled(self, now: Progress) -> Progress:
        """The next view if all that the seat has seen is told, or what has to be told of it."""
        event = now.event
        assert event is not None
        if isinstance(event, Action) and event.uncovered and now.cards is None:
            return self._asking(now, self._asks_for_uncovered(event))
        unsure = isinstance(event, Action) and now.cards is None
        found = outcomes(event, now.cards, now.facts, 2 if unsure else event.looked_at)
        if not found:
            raise BadText(self._why_nothing(now))
        view = next(iter(found.values()))
        if unsure and isinstance(event, Action) and (asked := self._asks_for_gained(event)):
            return self._asking(now, asked)
        if unsure:
            found = outcomes(event, None, now.facts, LOOKED_AT)
        if len(found) > 1:
            return self._asking(now, self._asks_for_fact(list(found.values())))
        played = () if event.is_deal else now.played
        return self._ready(Progress(view, None, self._expects_action(view), played=played, trail=(*now.trail, view)))

    def _asks_for_gained(self, event: Action) -> Expectation | None:
        """The question for cards that came into the hand, if there are any, and if they are not certain."""
        seen: set[bytes] = set()
        for count, world in enumerate(event.after(None, {})):
            if world.deals:
                event.is_deal = True
                return self._asks_for_hand(len(own_cards(world.view(self.seat))))
            gained = event.gained(world)
            if not gained:
                return None
            seen.add(bytes(world.view(self.seat)))
            if len(seen) > 1 or count >= CERTAIN:
                break
        return self._asks_for_cards(len(gained)) if len(seen) > 1 else None

    def _why_nothing(self, now: Progress) -> str:
        """Why no cards agree with what was told last."""
        return why_no_cards(now.cards, now.facts, bool(now.event and now.event.is_deal))

    def _asking(self, now: Progress, expects: Expectation) -> Progress:
        return replace(now, expects=expects, heard=())

    def _ready(self, now: Progress) -> Progress:
        """Play what lies face down and looks the same whatever it is: nobody has to tell that."""
        assert now.view is not None
        look = looks_the_same(now.view)
        return now if look is None else self._acted(now, look)

    # --- Questions ----------------------------------------------------------------------------------------------------

    def _asks_for_hand(self, count: int) -> Expectation:
        return Expectation("hand", f"your hand, {counted(count, 'card')}", self.seat, count)

    def _asks_for_cards(self, count: int) -> Expectation:
        gained = self.game.elsewhere.gained
        words = f"the card that {gained}" if count == 1 else f"the {count} cards that {gained}"
        return Expectation("cards", words, self.seat, count)

    def _asks_for_uncovered(self, event: Action) -> Expectation:
        count = event.uncovered
        words = self.game.elsewhere.words.get("uncovered", "turned up")
        return Expectation("cards", f"the {counted(count, 'card')} {words}", None, count)

    def _asks_for_fact(self, views: Iterable[View]) -> Expectation:
        """The question that tells most of some views apart: who is to move, or else a fact."""
        views = list(views)
        movers = {view.to_move for view in views}
        words = self.game.elsewhere.words
        if len(movers) > 1:
            seats = tuple(sorted(seat for seat in movers if seat is not None))
            return Expectation("seat", words.get("to_move", "the seat to move"), name="to_move", values=seats)
        facts = [self.game.facts(view.record, self.seat) for view in views]
        values = {name: {repr(each[name]): each[name] for each in facts} for name in facts[0]}
        differing = {name: found for name, found in values.items() if len(found) > 1}
        if not differing:
            raise FacedownError(
                f"expected {self.game.name} to show in its facts what its seats see, got nothing that differs"
            )
        plain = [name for name, found in differing.items() if not isinstance(next(iter(found.values())), list | dict)]
        best = max(differing, key=lambda name: (name in words, len(differing[name]), name in plain))
        return Expectation("fact", words.get(best, best), name=best, values=tuple(differing[best].values()))

    def _expects_action(self, view: View) -> Expectation:
        seat = view.to_move
        if seat is None:
            return Expectation("over", "nothing: the game is over", count=0)
        return Expectation("action", "your action" if seat == self.seat else f"an action of seat {seat}", seat)
