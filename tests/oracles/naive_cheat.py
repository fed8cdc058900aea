"""Cheat once more, slowly: lists of card texts, and each rule as a sentence. Nothing here is shared with the package."""

from dataclasses import dataclass, field

RANKS = "23456789TJQKA"
SUITS = "CDSH"


@dataclass
class Claim:
    """Cards that one seat laid and the rank it called them."""

    seat: int
    rank: str
    cards: list[str]

    @property
    def false(self) -> bool:
        return any(card[0] != self.rank for card in self.cards)


@dataclass
class NaiveCheat:
    """A game in progress."""

    hands: list[list[str]]
    face_up: list[str]
    stock: list[str]  # the next card first
    last_rank: str
    ranks: str = RANKS
    limit: int = 100
    pile: list[Claim] = field(default_factory=list)
    mover: int = 0
    turns: int = 0
    last: str = ""  # "claim", "take" or "call"
    scores: list[float] | None = None
    shown: list[set[str]] = field(default_factory=lambda: [set(), set()])
    tallies: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = ("claims", "lies_shown", "truths_shown", "caught", "takes", "calls", "calls_right")
        self.tallies = {name: [0, 0] for name in names}
        self.caught_on: list[set[str]] = [set(), set()]

    def towards(self, direction: str) -> str:
        """The rank next to the last one named."""
        step = 1 if direction == "up" else -1
        return self.ranks[(self.ranks.index(self.last_rank) + step) % len(self.ranks)]

    def cards_of(self, words: str) -> tuple[str, list[str]]:
        """The rank that a claim in words names, and the cards it lays."""
        if ":" in words:
            head, _, laid = words.partition(":")
            return head.split()[1], laid.split()
        direction, truth, count = words.split()
        rank, hand = self.towards(direction), self.hands[self.mover]
        if truth == "true":
            cards = [card for card in hand if card[0] == rank]
            cards.sort(key=lambda card: SUITS.index(card[1]))
        else:
            cards = [card for card in hand if card[0] != rank]
            cards.sort(key=lambda card: (-self.distance(card[0], rank), SUITS.index(card[1]), RANKS.index(card[0])))
        return rank, cards[: int(count)]

    def distance(self, one: str, other: str) -> int:
        """Steps from rank to rank, the shorter way round."""
        steps = abs(self.ranks.index(one) - self.ranks.index(other))
        return min(steps, len(self.ranks) - steps)

    def legal(self) -> list[str]:
        """The actions that are listed."""
        hand, words = self.hands[self.mover], []
        for direction in ("up", "down"):
            rank = self.towards(direction)
            right = sum(card[0] == rank for card in hand)
            words += [f"{direction} true {count}" for count in range(1, min(4, right) + 1)]
            words += [f"{direction} false {count}" for count in range(1, min(4, len(hand) - right) + 1)]
        if self.stock:
            words.append("take")
        if self.last == "claim":
            words.append("call")
        return words

    def play(self, words: str) -> None:
        """One turn."""
        mover, other = self.mover, 1 - self.mover
        if words == "take":
            self.hands[mover].append(self.stock.pop(0))
            self.tallies["takes"][mover] += 1
            self.last = "take"
        elif words == "call":
            self.call(mover, other)
        else:
            rank, cards = self.cards_of(words)
            for card in cards:
                self.hands[mover].remove(card)
            self.pile.append(Claim(mover, rank, cards))
            self.last_rank = rank
            self.tallies["claims"][mover] += 1
            self.last = "claim"
        self.turns += 1
        self.mover = other
        if not self.hands[other]:
            self.scores = [float(seat == other) for seat in range(2)]
        elif self.turns == self.limit:
            sizes = [len(hand) for hand in self.hands]
            self.scores = [0.5, 0.5] if sizes[0] == sizes[1] else [float(size == min(sizes)) for size in sizes]

    def call(self, caller: int, claimer: int) -> None:
        """The pile is shown to both, and goes to the liar or to the caller."""
        lie = self.pile[-1].false
        taker = claimer if lie else caller
        cards = self.face_up + [card for claim in self.pile for card in claim.cards]
        for claim in self.pile:
            self.tallies["lies_shown" if claim.false else "truths_shown"][claim.seat] += 1
        self.tallies["calls"][caller] += 1
        if lie:
            self.tallies["calls_right"][caller] += 1
            self.tallies["caught"][claimer] += 1
            self.caught_on[claimer].add(self.pile[-1].rank)
        self.hands[taker] += cards
        for seen in self.shown:
            seen -= set(cards)
        self.shown[taker] |= set(cards)
        self.face_up, self.pile = [], []
        self.last = "call"
