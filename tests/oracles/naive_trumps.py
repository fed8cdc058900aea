"""Sueca and Bisca by the letter of the rulebook: lists of card texts, slow and obvious, sharing nothing with the package.

The rules in quotation marks are those of Fernandes 2016, sections 3.2 and 3.3; where these are silent, the project's design
decides. Everything is worked out again from the cards on the table at each question.
"""

from dataclasses import dataclass
from itertools import chain, combinations

RANKS = "23456QJK7A"  # "A 7 K J Q 6 5 4 3 2", from the lowest up
SUITS = "CDSH"
POINTS = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}
DECK = [rank + suit for suit in SUITS for rank in RANKS]

Hands = list[list[str]]
Trick = list[tuple[int, str]]  # (seat, card), in the order played


@dataclass(frozen=True)
class Options:
    """What is agreed before the game; the defaults are Sueca's."""

    seats: int = 4
    hand_size: int = 10
    mandar_abaixo: bool = False
    match: int = 0


GAMES = {"sueca": Options(), "bisca": Options(seats=2, hand_size=9)}


def in_order(cards: list[str]) -> list[str]:
    """Clubs, diamonds, spades, hearts; weak cards first."""
    return sorted(cards, key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))


def points_of(cards: list[str]) -> int:
    """The points of some cards."""
    return sum(POINTS.get(card[0], 0) for card in cards)


def is_poor(hand: list[str], trump: str) -> bool:
    """ "When one player has less than 10 points and no trumps, cards must be reshuffled and redistributed." """
    return points_of(hand) < 10 and all(card[1] != trump for card in hand)


def trick_winner(trick: Trick, trump: str) -> int:
    """ "If any cards of the trump suit are in a trick, the highest trump wins. Otherwise, the highest card of the leading
    suit."
    """
    for suit in (trump, trick[0][1][1]):
        of_suit = [(RANKS.index(card[0]), seat) for seat, card in trick if card[1] == suit]
        if of_suit:
            return max(of_suit)[1]
    raise AssertionError("the card led is of the suit led")


def may_play(hand: list[str], trick: Trick, stock_is_gone: bool) -> list[str]:
    """ "Players must use cards that follow the same suit"; in Bisca only "when the deck has no remaining cards"."""
    if trick and stock_is_gone:
        return [card for card in hand if card[1] == trick[0][1][1]] or list(hand)
    return list(hand)


def game_points(points: int) -> int:
    """ "61 or more points wins 1 game point", "91 or more counts as 2", "all the 120 points" as 4."""
    return 4 if points == 120 else 2 if points >= 91 else 1 if points >= 61 else 0


class Table:
    """The players, their cards, the stock and the score sheet. After a deal that others follow, `deal` begins the next."""

    def __init__(self, options: Options, hands: Hands, stock: list[str], shown: str, deals_over: int = 0) -> None:
        self.options = options
        self.seats = range(options.seats)
        self.totals = [0, 0]
        self.deals_over = deals_over
        self.deal(hands, stock, shown)

    def deal(self, hands: Hands, stock: list[str], shown: str) -> None:
        """Begin a deal with these cards; the first card of the stock is drawn first."""
        self.dealer = (self.options.seats - 1 + self.deals_over) % self.options.seats
        assert [len(hand) for hand in hands] == [self.options.hand_size] * self.options.seats
        assert sorted(chain(stock, *hands)) == sorted(DECK)
        assert shown == stock[-1] if stock else shown in hands[self.dealer]
        assert not (self.options.mandar_abaixo and any(is_poor(hand, shown[1]) for hand in hands))
        self.dealt = [list(hand) for hand in hands]
        self.dealt_stock = list(stock)
        self.hands = [list(hand) for hand in hands]
        self.stock = list(stock)
        self.shown = shown
        self.trump = shown[1]
        self.shown_taken_by: int | None = None if stock else self.dealer
        self.earlier: list[Trick] = []
        self.trick: Trick = []
        self.plays: list[tuple[int, str, Trick, bool]] = []  # seat, card, the trick as it lay, whether the stock was gone
        self.deal_is_over = False

    def another_deal(self) -> bool:
        """ "The winning team is the first to score" so many game points."""
        return self.options.match > 0 and max(self.totals) < self.options.match

    def over(self) -> bool:
        """Whether the deal, and in a match the match, has ended."""
        return self.deal_is_over and not self.another_deal()

    def turn(self) -> int | None:
        """Whose turn it is."""
        if self.deal_is_over:
            return None
        if self.trick:
            return (self.trick[-1][0] + 1) % self.options.seats
        return self.leader()

    def leader(self) -> int:
        """Who leads, or has led, to the trick on the table."""
        if self.trick:
            return self.trick[0][0]
        return trick_winner(self.earlier[-1], self.trump) if self.earlier else (self.dealer + 1) % self.options.seats

    def legal(self) -> list[str]:
        """What the player whose turn it is may play."""
        seat = self.turn()
        return [] if seat is None else in_order(may_play(self.hands[seat], self.trick, not self.stock))

    def play(self, card: str) -> None:
        """Play a card."""
        seat = self.turn()
        assert seat is not None
        assert card in self.legal()
        self.plays.append((seat, card, list(self.trick), not self.stock))
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) < self.options.seats:
            return
        self.earlier.append(self.trick)
        self.trick = []
        if self.stock:
            for step in self.seats:  # "the trick winning player taking the first card from the top of the deck"
                taker = (self.leader() + step) % self.options.seats
                drawn = self.stock.pop(0)
                self.hands[taker].append(drawn)
                if drawn == self.shown:
                    self.shown_taken_by = taker
        if not any(self.hands):
            self.deal_is_over = True
            self.deals_over += 1
            self.totals = [total + game_points(points) for total, points in zip(self.totals, self.points(), strict=True)]

    def points(self) -> list[int]:
        """The points of the cards each side has taken."""
        points = [0, 0]
        for trick in self.earlier:
            points[trick_winner(trick, self.trump) % 2] += points_of([card for _, card in trick])
        return points

    def scores(self) -> list[int]:
        """The score of each player: the side's card points, or in a match its game points."""
        return [(self.totals if self.options.match else self.points())[seat % 2] for seat in self.seats]

    def played(self, seat: int) -> list[str]:
        """The cards a player has played."""
        return [card for who, card, _, _ in self.plays if who == seat]

    def facts(self) -> dict[str, object]:
        """The table in the words of `state.facts`."""
        return {
            "trump": self.trump,
            "shown": self.shown,
            "dealer": self.dealer,
            "to_move": self.turn(),
            "leader": self.leader(),
            "trick": [{"seat": seat, "card": card} for seat, card in self.trick],
            "tricks_played": len(self.earlier),
            "stock_left": len(self.stock),
            "points": [self.points()[seat % 2] for seat in self.seats],
            "totals": [self.totals[seat % 2] for seat in self.seats],
            "deals_over": self.deals_over,
            "played": [in_order(self.played(seat)) for seat in self.seats],
            "holds": [in_order(self.known_to_all(seat)) for seat in self.seats],
            "hand_sizes": [len(hand) for hand in self.hands],
            "voids": [self.voids(seat) for seat in self.seats],
            "hands": [in_order(hand) for hand in self.hands],
            "stock": self.stock,
        }

    def known_to_all(self, seat: int) -> list[str]:
        """The cards that everybody knows a player to hold; one of two "can know exactly what the adversary holds"."""
        if len(self.seats) == 2 and not self.stock:
            return self.hands[seat]
        return [card for card in self.hands[seat] if card == self.shown and self.shown_taken_by == seat]

    # --- What a player can work out ------------------------------------------------------------------------------------

    def cannot_hold(self, seat: int) -> set[str]:
        """The cards that would have made one of the player's plays illegal, had it held them then.

        Only plays after the stock is gone can be illegal, and nobody draws after that.
        """
        plays = [(card, trick, gone) for who, card, trick, gone in self.plays if who == seat]
        return {other for other in DECK for play in plays if play[0] not in may_play([play[0], other], *play[1:])}

    def voids(self, seat: int) -> list[str]:
        """The suits of which a player has shown to have no card."""
        gone = self.cannot_hold(seat) | set(self.played(seat))
        return [suit for suit in SUITS if all(card in gone for card in DECK if card[1] == suit)]

    def unseen(self, viewer: int) -> list[str]:
        """The cards that a player has neither in its hand nor seen played."""
        seen = set(self.hands[viewer]).union(*(self.played(seat) for seat in self.seats))
        return [card for card in DECK if card not in seen]

    def fits(self, viewer: int, hands: Hands, stock: list[str]) -> bool:
        """Whether all that the viewer has seen could have happened with these cards in the places of the hidden ones.

        The deal is begun once more, with each hidden card's part in it played by another, and all plays are repeated.
        """
        if [len(hand) for hand in hands] != [len(hand) for hand in self.hands] or len(stock) != len(self.stock):
            return False
        if sorted(chain(stock, *hands)) != sorted(chain(self.stock, *self.hands)):
            return False
        if in_order(hands[viewer]) != in_order(self.hands[viewer]):
            return False
        parts = dict(zip(self.stock, stock, strict=True))
        for ours, theirs in zip(self.hands, hands, strict=True):
            common = [card for card in ours if card in theirs]
            parts.update(zip(common, common, strict=True))
            parts.update(zip([c for c in ours if c not in common], [c for c in theirs if c not in common], strict=True))
        replay = [[parts.get(card, card) for card in hand] for hand in self.dealt]
        try:
            pile = [parts.get(card, card) for card in self.dealt_stock]
            again = Table(self.options, replay, pile, self.shown, self.deals_over)
            for _, card, _, _ in self.plays:
                again.play(card)
        except AssertionError:
            return False
        return again.shown_taken_by == self.shown_taken_by and again.stock[-1:] == self.stock[-1:]

    def worlds(self, viewer: int) -> set[tuple[frozenset[str], ...]]:
        """Every way to give the unseen cards to the other hands and the stock that fits: try them all."""
        others = [seat for seat in self.seats if seat != viewer]
        found = set()

        def share(held: Hands, left: list[str]) -> None:
            if len(held) < len(others):
                for hand in combinations(left, len(self.hands[others[len(held)]])):
                    share([*held, list(hand)], [card for card in left if card not in hand])
                return
            hands = [self.hands[viewer] if seat == viewer else held[others.index(seat)] for seat in self.seats]
            stock = [card for card in left if card != self.shown] + [card for card in left if card == self.shown]
            if self.fits(viewer, hands, stock):
                found.add(tuple(frozenset(hand) for hand in [*hands, stock]))

        share([], self.unseen(viewer))
        return found
