"""Hearts by the letter of the rulebook: lists of card texts, slow and obvious, sharing nothing with the package.

The rules in quotation marks are those of Manzke 2025, section 2.1 (52 cards), and of Bax 2020, section 2.1 (32 cards); where
these are silent, the project's design decides. Everything is worked out again from the cards on the table at each question.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "CDSH"
SEATS = range(4)
QUEEN = "QS"
CYCLE = ["left", "across", "right", "hold"]
SEATS_ON = {"left": 1, "across": 2, "right": 3}

Hands = list[list[str]]
Trick = list[tuple[int, str]]  # (seat, card), in the order played


@dataclass(frozen=True)
class Options:
    """What is agreed before the game; the defaults are the 52-card game's."""

    cards: int = 52
    passing: str = "cycle"
    lowest_club_leads: bool = True
    first_trick_points: bool = False
    break_hearts: bool = True
    queen_breaks_hearts: bool = False
    moon: bool = True
    early_end: bool = False
    match: int = 0


GAMES = {
    "hearts": Options(),
    "hearts32": Options(cards=32, passing="hold", lowest_club_leads=False, first_trick_points=True, break_hearts=False),
}


# --- Cards ------------------------------------------------------------------------------------------------------------


@cache
def deck(options: Options) -> list[str]:
    """All cards of the game, from 2 or from 7 up."""
    ranks = RANKS if options.cards == 52 else RANKS[RANKS.index("7") :]
    return [rank + suit for suit in SUITS for rank in ranks]


def in_order(cards: list[str]) -> list[str]:
    """Clubs, diamonds, spades, hearts; low cards first."""
    return sorted(cards, key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))


@cache
def lowest_club(options: Options) -> str:
    """The card whose holder leads first."""
    return next(card for card in deck(options) if card[1] == "C")


@cache
def points_of(card: str, options: Options) -> int:
    """Every heart is worth 1, the queen of spades "the amount of Hearts in the deck"."""
    if card == QUEEN:
        return len([heart for heart in deck(options) if heart[1] == "H"])
    return 1 if card[1] == "H" else 0


def all_points(options: Options) -> int:
    """The points of all cards together."""
    return sum(points_of(card, options) for card in deck(options))


# --- Tricks -----------------------------------------------------------------------------------------------------------


def trick_winner(trick: Trick) -> int:
    """The one who plays the highest-ranking card from the leading suit."""
    suit = trick[0][1][1]
    followers = [(RANKS.index(card[0]), seat) for seat, card in trick if card[1] == suit]
    return max(followers)[1]


def hearts_broken(earlier: list[Trick], trick: Trick, options: Options) -> bool:
    """Whether hearts may be led, by the cards played so far."""
    if not options.break_hearts:
        return True
    played = [card for each in [*earlier, trick] for _, card in each]
    return any(card[1] == "H" or (card == QUEEN and options.queen_breaks_hearts) for card in played)


def may_play(hand: list[str], earlier: list[Trick], trick: Trick, options: Options) -> list[str]:
    """The cards of a hand that may be played to a trick after the earlier tricks.

    "These rules do not apply if a player has no other option but to break them": each leaves all cards where it would
    leave none.
    """
    first_trick = not earlier
    choice = list(hand)
    if trick:
        # "A player must follow the suit of the leading card if possible."
        choice = [card for card in choice if card[1] == trick[0][1][1]] or choice
    elif first_trick and options.lowest_club_leads:
        # "The player holding the 2 of clubs must play it as the first leading card."
        return [lowest_club(options)]
    elif not hearts_broken(earlier, trick, options):
        # "They cannot lead with Hearts until the suit of Hearts has been broken."
        choice = [card for card in choice if card[1] != "H"] or choice
    if first_trick and not options.first_trick_points:
        # "A player cannot play cards worth points during the first trick."
        choice = [card for card in choice if points_of(card, options) == 0] or choice
    return choice


# --- A deal, and a match of deals -------------------------------------------------------------------------------------


class Table:
    """Four players, their cards, and the score sheet. After a deal that others follow, `deal` hands out the next."""

    def __init__(self, options: Options, hands: Hands) -> None:
        self.options = options
        self.totals = [0, 0, 0, 0]
        self.deals_over = 0
        self.deal(hands)

    def deal(self, hands: Hands) -> None:
        """Begin a deal with these cards."""
        self.hands = [list(hand) for hand in hands]
        self.passed: Hands = [[], [], [], []]
        self.earlier: list[Trick] = []
        self.trick: Trick = []
        self.opener: int | None = None
        self.deal_is_over = False
        self.examined = [0, 0, 0, 0]  # how many plays of each seat `excluded` takes into account
        self.excluded: list[set[str]] = [set(), set(), set(), set()]
        self.direction = self.options.passing
        if self.direction == "cycle":
            self.direction = CYCLE[self.deals_over % 4]
        if self.direction == "hold":
            self.begin_play()

    def begin_play(self) -> None:
        """The player with the lowest club leads the first trick."""
        for seat in SEATS:
            if lowest_club(self.options) in self.hands[seat]:
                self.opener = seat

    def receiver(self, seat: int) -> int | None:
        """Who gets the cards this seat passes."""
        return None if self.direction == "hold" else (seat + SEATS_ON[self.direction]) % 4

    def passing(self) -> bool:
        """Whether cards are still being passed."""
        return self.opener is None

    def over(self) -> bool:
        """Whether the deal, and in a match the match, has ended."""
        return self.deal_is_over and not self.another_deal()

    def another_deal(self) -> bool:
        """A match goes on until one of the players "reaches or exceeds" the limit."""
        return self.options.match > 0 and not any(total >= self.options.match for total in self.totals)

    def turn(self) -> int | None:
        """Whose turn it is; in the passing phase the seats choose in order, and nobody sees what."""
        if self.deal_is_over:
            return None
        if self.passing():
            return next(seat for seat in SEATS if len(self.passed[seat]) < 3)
        if self.trick:
            return (self.trick[-1][0] + 1) % 4
        return trick_winner(self.earlier[-1]) if self.earlier else self.opener

    def legal(self) -> list[str]:
        """What the player whose turn it is may pass or play."""
        seat = self.turn()
        if seat is None:
            return []
        if self.passing():
            return in_order(self.hands[seat])  # what it has received it has not picked up yet
        return in_order(may_play(self.hands[seat], self.earlier, self.trick, self.options))

    def play(self, card: str) -> None:
        """Pass or play a card."""
        seat = self.turn()
        assert seat is not None
        assert card in self.legal()
        self.hands[seat].remove(card)
        if self.passing():
            self.passed[seat].append(card)
            if all(len(cards) == 3 for cards in self.passed):
                for giver in SEATS:
                    receiver = self.receiver(giver)
                    assert receiver is not None
                    self.hands[receiver] += self.passed[giver]
                self.begin_play()
            return
        self.trick.append((seat, card))
        if len(self.trick) == 4:
            self.earlier.append(self.trick)
            self.trick = []
            self.end_deal()

    def end_deal(self) -> None:
        """Score when all cards have been played, or, if so agreed, when all points are taken."""
        all_taken = sum(self.points()) == all_points(self.options)
        if not any(self.hands) or (self.options.early_end and all_taken):
            self.deal_is_over = True
            self.deals_over += 1
            self.totals = [total + score for total, score in zip(self.totals, self.deal_scores(), strict=True)]

    def points(self) -> list[int]:
        """The points of the cards each player has taken."""
        points = [0, 0, 0, 0]
        for trick in self.earlier:
            points[trick_winner(trick)] += sum(points_of(card, self.options) for _, card in trick)
        return points

    def deal_scores(self) -> list[int]:
        """The points taken; but who took all "receives 0 points, while all other players are each penalized" with them."""
        points = self.points()
        most = all_points(self.options)
        if self.options.moon and most in points:
            return [0 if taken == most else most for taken in points]
        return points

    def scores(self) -> list[int]:
        """The score sheet with the deal as it stands."""
        if self.options.match == 0:
            return self.deal_scores()
        if self.deal_is_over:
            return self.totals
        return [total + score for total, score in zip(self.totals, self.deal_scores(), strict=True)]

    def played(self, seat: int) -> list[str]:
        """The cards a player has played, in the order played."""
        return [card for trick in [*self.earlier, self.trick] for who, card in trick if who == seat]

    def facts(self) -> dict[str, object]:
        """The table in the words of `state.facts`."""
        phase = "over" if self.deal_is_over else "passing" if self.passing() else "playing"
        leader = self.trick[0][0] if self.trick else trick_winner(self.earlier[-1]) if self.earlier else self.opener
        return {
            "phase": phase,
            "pass": self.direction,
            "to_move": self.turn(),
            "leader": leader,
            "trick": [{"seat": seat, "card": card} for seat, card in self.trick],
            "tricks_played": len(self.earlier),
            "hearts_broken": hearts_broken(self.earlier, self.trick, self.options),
            "points": self.points(),
            "totals": self.totals,
            "deals_over": self.deals_over,
            "played": [in_order(self.played(seat)) for seat in SEATS],
            "hand_sizes": [len(hand) for hand in self.hands],
            "voids": [self.voids(seat) for seat in SEATS],
            "opener": self.opener,
            "hands": [in_order(hand) for hand in self.hands],
            "passed": [in_order(cards) for cards in self.passed],
        }

    # --- What a player can work out ------------------------------------------------------------------------------------

    def plays_of(self, seat: int) -> Iterator[tuple[str, list[Trick], Trick]]:
        """Each card a player has played, with the earlier tricks and the trick as it lay then."""
        for number, trick in enumerate([*self.earlier, self.trick]):
            for place, (who, card) in enumerate(trick):
                if who == seat:
                    yield card, self.earlier[:number], trick[:place]

    def cannot_hold(self, seat: int) -> set[str]:
        """The cards that would have made one of the player's plays illegal, had it held them then."""
        plays = list(self.plays_of(seat))
        for card, earlier, trick in plays[self.examined[seat] :]:
            self.excluded[seat] |= {
                other for other in deck(self.options) if card not in may_play([card, other], earlier, trick, self.options)
            }
        self.examined[seat] = len(plays)
        return self.excluded[seat]

    def voids(self, seat: int) -> list[str]:
        """The suits of which a player has shown to have no card."""
        gone = self.cannot_hold(seat) | set(self.played(seat))
        return [suit for suit in SUITS if all(card in gone for card in deck(self.options) if card[1] == suit)]

    def own(self, viewer: int) -> list[str]:
        """The cards a player has in its hand or has set aside to pass."""
        return self.hands[viewer] + (self.passed[viewer] if self.passing() else [])

    def unseen(self, viewer: int) -> list[str]:
        """The cards that a player has neither in its hand nor seen on the table."""
        seen = set(self.own(viewer)).union(*(self.played(seat) for seat in SEATS))
        return [card for card in deck(self.options) if card not in seen]

    def known(self, viewer: int, seat: int) -> set[str]:
        """The unseen cards that the viewer knows another player to hold: passed to it, or the lowest club."""
        sure = set()
        if not self.passing() and seat != viewer:
            if self.receiver(viewer) == seat:
                sure.update(self.passed[viewer])
            if self.opener == seat:
                sure.add(lowest_club(self.options))
        return sure.intersection(self.unseen(viewer))

    def places(self, viewer: int, seat: int) -> int:
        """How many unseen cards another player has."""
        return 0 if seat == viewer else len(self.own(seat))

    def count_worlds(self, viewer: int) -> int:
        """How many distributions of the unseen cards fit what the viewer can work out, card by card."""
        others = [seat for seat in SEATS if seat != viewer]
        ways = {tuple(self.places(viewer, seat) for seat in others): 1}
        for card in self.unseen(viewer):
            takers = [seat for seat in others if card in self.known(viewer, seat)]
            takers = takers or [seat for seat in others if card not in self.cannot_hold(seat)]
            following: dict[tuple[int, ...], int] = {}
            for places, count in ways.items():
                for index in (others.index(seat) for seat in takers):
                    if places[index] > 0:
                        fewer = (*places[:index], places[index] - 1, *places[index + 1 :])
                        following[fewer] = following.get(fewer, 0) + count
            ways = following
        return ways.get((0, 0, 0), 0)

    def could_have_held(self, seat: int, held: tuple[str, ...]) -> bool:
        """Whether the player's own plays were all legal if it now holds these cards."""
        hand = list(held) + self.played(seat)
        if self.opener is not None and (self.opener == seat) != (lowest_club(self.options) in hand):
            return False
        for card, earlier, trick in self.plays_of(seat):
            if card not in may_play(hand, earlier, trick, self.options):
                return False
            hand.remove(card)
        return True

    def worlds(self, viewer: int) -> list[Hands]:
        """Every distribution of the unseen cards in which all that the viewer has seen could have happened."""
        others = [seat for seat in SEATS if seat != viewer]
        unseen = self.unseen(viewer)
        possible = {
            seat: [
                set(held)
                for held in combinations(unseen, self.places(viewer, seat))
                if self.could_have_held(seat, held) and self.got_what_was_passed(viewer, seat, held)
            ]
            for seat in others
        }
        found = []
        first, second, third = others
        for one in possible[first]:
            for two in possible[second]:
                rest = set(unseen) - one - two
                if not one & two and rest in possible[third]:
                    found.append([in_order(list({first: one, second: two, third: rest}.get(seat, ()))) for seat in SEATS])
        return found

    def got_what_was_passed(self, viewer: int, seat: int, held: tuple[str, ...]) -> bool:
        """Whether the viewer's passed cards went to this player, if they should have, and to no other."""
        if self.passing() or self.direction == "hold":
            return True
        at_first = set(held) | set(self.played(seat))
        expected = set(self.passed[viewer]) if self.receiver(viewer) == seat else set()
        return set(self.passed[viewer]) & at_first == expected
