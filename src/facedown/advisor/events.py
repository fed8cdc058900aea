"""What happens in a game played elsewhere, and all that may come of it: a deal, or an action and what it brings to light."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from facedown.advisor.dealing import check_hand, opened, own_cards, with_hand
from facedown.advisor.worlds import Acting, each_world, masks_given
from facedown.cards import parse as card_number
from facedown.cards import texts_of
from facedown.errors import BadText, FacedownError
from facedown.game import Game
from facedown.games.speech import is_card
from facedown.kernel import copied
from facedown.state import State
from facedown.view import View

Facts = Mapping[str, Any]

LOOKED_AT = 40  # outcomes that must look the same before nothing more is asked: of three equally likely ones, none is missed
RARE = 16  # the same where it takes many worlds to find one
CERTAIN = 1000  # the same for cards that come into a hand: each of 52 is among them, but for a chance in a billion
MOST_DEALS = 4000  # tried for what all see of a deal
MOST_WORLDS = 6000  # tried for cards that come to light
ROUNDS = 4  # deals of a match after which its seats and its passing begin again
MATCH_FIELDS = ("totals", "deals")  # of records: points of the deals that are over, and how many these are


@dataclass(frozen=True)
class Start:
    """The first deal: `match` has the fields of a match that is under way."""

    game: Game
    seat: int
    match: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_deal(self) -> bool:
        """It is one."""
        return True

    @property
    def looked_at(self) -> int:
        """How many outcomes must look the same."""
        return LOOKED_AT

    def after(self, cards: Sequence[str] | None, facts: Facts) -> Iterator[State]:
        """Deals with a hand, in which all see what was told: after no others, or after as many as it takes."""
        if cards is not None:
            check_hand(self.dealt(0, 0).view(self.seat), cards)
        in_matches = "deals" in (self.game.rules.state.names or ()) and "deals" not in self.match and facts
        for deals in range(ROUNDS if in_matches else 1):
            some = False
            for state in self.some(deals, cards, facts):
                some = True
                yield state
            if some:
                return

    def some(self, deals: int, cards: Sequence[str] | None, facts: Facts) -> Iterator[State]:
        """The deals after a number of others that agree; cards change places in those that show what was told."""
        shown = Shown(facts)
        agreed = False
        for number in range(MOST_DEALS if facts else LOOKED_AT):
            state = self.dealt(number, deals)
            if shown.by(state.view(self.seat)):
                agreed = True
                placed = state if cards is None else with_hand(state, self.seat, cards)
                if placed is not None and shown.by(placed.view(self.seat)):
                    yield placed
            elif number > LOOKED_AT and not agreed and len(shown.known) == 1:  # all deals show the same
                return

    def dealt(self, number: int, deals: int) -> State:
        """A deal by its number."""
        fields = {**({"deals": deals} if deals else {}), **self.match}
        return opened(self.game.state_of(self.game.new_record(), number), fields)


def start_choices(game: Game, seat: int) -> dict[str, list[Any]]:
    """Facts of a first deal that somebody may choose, since they differ from deal to deal of a match; what they may be."""
    if "deals" not in (game.rules.state.names or ()):
        return {}
    views = [Start(game, seat).dealt(0, deals).view(seat) for deals in range(ROUNDS)]
    facts = [game.facts(view.record, seat) for view in views]
    named = [name for name in facts[0] if name in game.elsewhere.words]
    found = {name: list(dict.fromkeys(each[name] for each in facts if is_plain(each[name]))) for name in named}
    return {name: values for name, values in found.items() if len(values) > 1 and name not in ("shown", "to_move")}


def is_plain(value: Any) -> bool:
    """Whether a fact is a word or a number."""
    return isinstance(value, str | int)


class Action:
    """An action, as the viewer sees it; it may end a deal, and bring the next."""

    def __init__(self, view: View, action: int) -> None:
        """Refuse what no cards allow."""
        self.view, self.action = view, action
        self.acting = Acting(view, action)
        game = view.game
        uncovers = game.elsewhere.uncovers
        self.uncovered = uncovers(view.record, view.seat, action) if uncovers else 0
        self.hidden = self.acting.hidden()
        self.is_deal = False  # whether another deal follows
        if self.acting.own:
            next(each_world(view, view.unseen(), 1)).check(action)

    @property
    def possible(self) -> bool:
        """Whether there are cards that allow it."""
        return self.hidden is not None

    def after(self, cards: Sequence[str] | None, facts: Facts) -> Iterator[State]:
        """Worlds after the action, in which these cards came to light, and all see what was told."""
        shown, seat = Shown(facts), self.view.seat
        for world in self.before(cards, facts):
            way = self.acting.way(world)
            if way is None:
                continue
            world.play(way)
            after: State | None = world
            if self.is_deal and cards is not None:
                after = with_hand(world, seat, cards) if shown.by(world.view(seat)) else None
            elif cards is not None and not self.fits(Counter(self.gained(world)), Counter(cards)):
                continue
            if after is not None and shown.by(after.view(seat)):
                yield after

    @property
    def looked_at(self) -> int:
        """How many outcomes must look the same, once it is told which cards came to light."""
        return LOOKED_AT if self.uncovered or self.is_deal else RARE

    def fits(self, gained: Counter[str], cards: Counter[str]) -> bool:
        """Whether cards that came into the hand are those told; of cards turned up, they may be more, or none at all."""
        return (not gained or cards <= gained) if self.uncovered else gained == cards

    def before(self, cards: Sequence[str] | None, facts: Facts) -> Iterator[State]:
        """Worlds before the action, as likely as can be to agree with cards that come to light by it."""
        assert self.hidden is not None
        if self.uncovered and cards is not None:
            yield from self.with_uncovered(cards)
        elif cards is None or self.is_deal:
            yield from each_world(self.view, self.hidden, MOST_DEALS if facts else CERTAIN)
        else:
            known = [card_number(word) for word in cards] if all(map(is_card, cards)) else []
            kinds = masks_given(self.hidden, self.view.seat, known) if known else [self.hidden]
            yield from in_turn([each_world(self.view, kind, MOST_WORLDS, place + 1) for place, kind in enumerate(kinds)])

    def with_uncovered(self, cards: Sequence[str]) -> Iterator[State]:
        """Worlds in which these cards lie where the action turns them up."""
        assert self.hidden is not None
        assert self.view.game.elsewhere.uncover
        for world in each_world(self.view, self.hidden, MOST_WORLDS):
            reason = self.view.game.elsewhere.uncover(world.record, self.view.seat, [card_number(word) for word in cards])
            if reason:
                raise BadText(reason)
            yield world

    def gained(self, world: State) -> list[str]:
        """The cards in the viewer's hand after the action that were not there before."""
        seat, game = self.view.seat, self.view.game
        if "hands" in (world.data.dtype.names or ()):  # many worlds are looked at: masks are fifty times as fast as texts
            return texts_of(world.data["hands"][0][seat] & ~self.view.data["hands"][0][seat])
        return list((Counter(world.hands[seat]) - Counter(own_cards(self.view))).elements()) if game.has_hands else []


def in_turn(sources: Sequence[Iterator[State]]) -> Iterator[State]:
    """One world of each source after another."""
    left = list(sources)
    while left:
        for source in list(left):
            world = next(source, None)
            if world is None:
                left.remove(source)
            else:
                yield world


# --- What all see ---------------------------------------------------------------------------------------------------------


def value_of(view: View, name: str) -> Any:
    """A fact that a viewer sees; `to_move` is one in every game."""
    if name == "to_move":
        return view.to_move
    facts = view.game.facts(view.record, view.seat)
    if name not in facts:
        raise FacedownError(f"expected one of the facts {', '.join(facts)}, got {name!r}")
    return facts[name]


def agrees(view: View, facts: Facts) -> bool:
    """Whether a viewer sees these facts."""
    return all(matches(value_of(view, name), wanted) for name, wanted in facts.items())


class Shown:
    """Whether viewers see some facts: worked out once for views that differ in hands only, for that takes long."""

    def __init__(self, facts: Facts) -> None:
        """What was told."""
        self.facts = facts
        self.known: dict[bytes, bool] = {}

    def by(self, view: View) -> bool:
        """Whether a viewer sees them."""
        if not self.facts:
            return True
        public = copied(view.data)
        if "hands" in (public.dtype.names or ()):
            public["hands"] = 0
        key = public.tobytes()
        if key not in self.known:
            self.known[key] = agrees(view, self.facts)
        return self.known[key]


def matches(value: Any, wanted: Any) -> bool:
    """Whether a fact is as somebody told it, as text or as data."""
    if value == wanted:
        return True
    if isinstance(value, list) and len(value) == 1 and not isinstance(wanted, list):
        return matches(value[0], wanted)
    if isinstance(value, bool) and isinstance(wanted, str):
        return wanted.lower() in (("yes", "true") if value else ("no", "false"))
    if isinstance(wanted, str) and isinstance(value, str | int):
        return wanted.strip().lower() == str(value).lower()
    return False


def outcomes(event: Start | Action, cards: Sequence[str] | None, facts: Facts, most: int) -> dict[bytes, View]:
    """The different views that may come of an event, of the first worlds that agree."""
    seat = event.seat if isinstance(event, Start) else event.view.seat
    found: dict[bytes, View] = {}
    for state in islice(event.after(cards, facts), most):
        view = state.view(seat)
        found.setdefault(bytes(view), view)
    return found
