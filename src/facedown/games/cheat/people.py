"""Simulated players of Cheat, who play as people do; styles.py says what a style is.

A simulated player decides in four steps: whether to call; whether to tell the truth, lie or take a card; what to lay; and
how long it took, which may give a lie away. It knows its view, or less if its memory is bad.
"""

from math import comb, cos, exp, log, log1p, pi, sqrt

from facedown.cards import cards_of
from facedown.games.cheat.claims import CALL, CLAIMS, DOWN, MOST_LAID, SUITS, TAKE, UP
from facedown.games.cheat.plain import plain
from facedown.games.cheat.rules import CALLED, CLAIM
from facedown.games.cheat.styles import Style, style
from facedown.games.cheat.text import claim_of
from facedown.kernel import Array
from facedown.rng import draw, uniform
from facedown.view import View

SIZES = (0.258, 0.091, 0.045, 0.035)  # of lies: figure 2, both directions together
FEW = 3  # cards of the other's hand that make one desperate
SHORTEST, LONGEST = 0.5, 180.0  # seconds
LEAST_CHANCE = 0.0005  # that the cards of a claim are there: what is impossible counts as this
LAST_CARD = 3.0  # how little it wants to lay its last card as a lie (log odds)
USUAL_PILE = 5  # cards: with more on the table, there is more to lose
RANKS = 13


def choice(view: View, number: int, rng: Array) -> tuple[int, float]:
    """What a simulated player of style `number` does in a view, and how many seconds it took."""
    turn = Deciding(view, style(number), rng)
    action = turn.action()
    return action, turn.seconds(action)


def at_least(needed: int, right: int, cards: int, drawn: int) -> float:
    """The chance that `drawn` of some cards have `needed` of the `right` ones among them."""
    if needed <= 0:
        return 1.0
    if needed > min(right, drawn):
        return 0.0
    drawn = min(drawn, cards)
    fewer = sum(comb(right, count) * comb(cards - right, drawn - count) for count in range(needed))
    return 1 - fewer / comb(cards, drawn)


class Deciding:
    """One turn of a simulated player."""

    def __init__(self, view: View, person: Style, rng: Array) -> None:
        """What the player sees, and its random numbers."""
        self.view, self.person, self.rng = view, person, rng
        self.seat, self.other = view.seat, 1 - view.seat
        self.table = table = plain(view)
        self.hand = cards_of(table.hands[self.seat])
        self.had = cards_of(table.had[self.other])
        batches = range(table.batches)
        own = [table.batch_cards[batch] for batch in batches if table.batch_seat[batch] == self.seat]
        self.laid = [card for cards in own for card in cards_of(cards)]
        self.last_size = table.batch_size[table.batches - 1] if table.batches else 0
        self.others_cards = table.held[self.other]
        self.lying = False
        self.lapsed = False

    # --- Chance -------------------------------------------------------------------------------------------------------

    def happens(self, chance: float) -> bool:
        """Whether an event of this probability happens."""
        return uniform(self.rng) < chance

    def leans(self, log_odds: float) -> bool:
        """The same for log odds."""
        return self.happens(1 / (1 + exp(-log_odds)))

    def one_of(self, weights: list[float]) -> int:
        """A random index, with probability in proportion to its weight."""
        target = uniform(self.rng) * sum(weights)
        for place, weight in enumerate(weights):
            target -= weight
            if target < 0:
                return place
        return len(weights) - 1

    # --- The four steps -----------------------------------------------------------------------------------------------

    def action(self) -> int:
        """Call, claim or take."""
        if self.happens(self.person.lapses):
            return self.lapse()
        if self.table.last_action == CLAIM and self.calls():
            return CALL
        ranks = [(self.table.last_rank + 1) % self.table.ranks, (self.table.last_rank - 1) % self.table.ranks]
        true = [[card for card in self.hand if card % RANKS == rank] for rank in ranks]
        if not self.hand or self.takes_card(true):
            return TAKE
        if self.lying:
            direction = self.direction([1.0 if self.could_lie(rank) else 0.4 for rank in ranks], ranks)
            return claim_of(ranks[direction], self.cards_of_lie(ranks[direction], true[direction]))
        direction = self.direction([exp(self.person.greed * len(cards)) if cards else 0.0 for cards in true], ranks)
        most = len(true[direction])
        size = 1 + self.one_of([exp(self.person.greed * 2 * (size - most)) for size in range(1, most + 1)])
        return claim_of(ranks[direction], true[direction][:size])

    def lapse(self) -> int:
        """A random legal action; a lie if it is one."""
        legal = self.view.legal
        action = legal[draw(self.rng, len(legal))]
        self.lapsed = True
        self.lying = action < CLAIMS and action % 8 >= 4
        return action

    def calls(self) -> bool:
        """Whether the other's claim is not believed: by its chance to be true, and by what this player is like."""
        person, rank, size = self.person, self.table.last_rank, self.last_size
        if self.others_cards == 0:
            return self.happens(person.last_call)
        chance = min(1 - LEAST_CHANCE, max(LEAST_CHANCE, self.chance_of_claim()))
        doubt = person.suspicion - person.insight * log(chance / (1 - chance))
        doubt += person.stakes * (self.table.pile_size - USUAL_PILE)
        shown_lies, shown_truths = self.table.lies_shown[self.other], self.table.truths_shown[self.other]
        doubt += person.resentment * max(-3, min(3, shown_lies - shown_truths))
        again = self.table.claimed[self.other][rank] > size and self.happens(person.memory)
        return self.leans(doubt + 0.6 * again + 0.5 * (self.others_cards <= FEW))

    def chance_of_claim(self) -> float:
        """How likely the other held the cards it claims, as far as this player notices and remembers where cards are."""
        person, rank, size = self.person, self.table.last_rank, self.last_size
        seen = self.hand if self.happens(person.attention) else []
        seen = [*seen, *(card for card in self.laid if self.happens(person.memory))]
        had = [card for card in self.had if self.happens(person.memory)]
        of_rank = sum(card % RANKS == rank for card in had)
        known = max(0, of_rank - (self.table.claimed[self.other][rank] - size))  # less those it has claimed before
        needed = size - known
        left = SUITS - of_rank - sum(card % RANKS == rank for card in seen)
        unseen = int(self.table.ranks) * SUITS - len(seen) - len(had)
        drawn = max(needed, self.others_cards + size - len(had))
        return at_least(needed, left, unseen, drawn)

    def takes_card(self, true: list[list[int]]) -> bool:
        """Whether a card is taken; if not, `lying` says what will be laid."""
        person, pile = self.person, self.table.pile_size
        wish = person.dishonesty - person.shame * min(3, self.table.caught[self.seat])
        wish -= person.prudence * (pile - USUAL_PILE)
        wish += person.desperation * (self.others_cards <= FEW)
        if self.table.last_action == CALLED:
            wish += 0.3  # an empty table: little to lose
        last = self.happens(person.foresight)  # whether it sees that a last claim will be called
        if last and any(len(cards) == len(self.hand) for cards in true):
            return False
        if any(true):
            self.lying = self.leans(wish - person.honour) and not (last and len(self.hand) == 1)
            return False
        if last and len(self.hand) == 1:
            wish = -LAST_CARD
        self.lying = self.table.stock_left == 0 or self.leans(wish - person.taking)
        return not self.lying

    def direction(self, weights: list[float], ranks: list[int]) -> int:
        """Up or down: by what there is to lay, by what can follow, by liking and by habit."""
        person = self.person
        pull = person.upward + person.habit * self.last_direction()
        if self.happens(person.foresight):
            pull += 0.5 * (self.prospects(ranks[UP]) - self.prospects(ranks[DOWN]))
        return self.one_of([weights[UP] * exp(pull / 2), weights[DOWN] * exp(-pull / 2)])

    def prospects(self, rank: int) -> int:
        """How many cards of the hand could be laid truly two turns on, if this rank is named now."""
        ranks = int(self.table.ranks)
        return sum(card % RANKS in ((rank + 2) % ranks, (rank - 2) % ranks) for card in self.hand)

    def last_direction(self) -> int:
        """1 if the ranks of the person's last two claims rise, -1 if they fall, 0 if neither."""
        table = self.table
        ranks = [table.batch_rank[batch] for batch in range(table.batches) if table.batch_seat[batch] == self.seat]
        if len(ranks) < 2:
            return 0
        step = (ranks[-1] - ranks[-2]) % table.ranks
        return 0 if step == 0 else (1 if step <= table.ranks // 2 else -1)

    def could_lie(self, rank: int) -> bool:
        """Whether a lie about a rank seems safe: neither claimed already, nor known to be in the other's hand."""
        again = self.table.claimed[self.seat][rank] > 0
        there = any(card % RANKS == rank for card in self.had)
        return not ((again or there) and self.happens(self.person.memory))

    def cards_of_lie(self, rank: int, true: list[int]) -> list[int]:
        """The cards of a lie: rather few; those of no use soon, or random ones."""
        person = self.person
        false = [card for card in self.hand if card not in true]
        if not false:
            self.lying = False
            return true[:MOST_LAID]
        most = min(MOST_LAID, len(self.hand))
        size = 1 + self.one_of([SIZES[place] * exp(0.35 * person.risk * place) for place in range(most)])
        if self.happens(person.foresight):
            size = max(1, min(size, len(self.hand) - 1))  # a last claim will be called
        mixed = true[:1] if size > 1 and true and self.happens(person.mixing) else []
        size = min(size, len(false) + len(mixed))
        by_use = self.happens(person.planning)
        order = {card: (-self.distance(card, rank) if by_use else 0, uniform(self.rng)) for card in false}
        return sorted([*mixed, *sorted(false, key=order.__getitem__)[: size - len(mixed)]])

    def distance(self, card: int, rank: int) -> int:
        """How many steps a card's rank is away on the circle."""
        ranks = int(self.table.ranks)
        return min((card % RANKS - rank) % ranks, (rank - card % RANKS) % ranks)

    def seconds(self, action: int) -> float:
        """How long it took: log-normal, longer with many cards, shorter for a lapse; a lie by this person's own tell."""
        person = self.person
        normal = sqrt(-2 * log(max(uniform(self.rng), 1e-12))) * cos(2 * pi * uniform(self.rng))
        mean = log(person.tempo) + person.care * (len(self.hand) - 8) + person.care * log1p(self.table.pile_size)
        mean += person.unsteadiness * person.tell * self.lying
        mean -= 0.5 * self.lapsed + 0.3 * (action in (TAKE, CALL))
        return round(min(LONGEST, max(SHORTEST, exp(mean + person.unsteadiness * normal))), 1)
