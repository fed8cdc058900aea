"""Simulated players of Cheat, who play as people do; styles.py says what a style is.

A simulated player decides in four steps: whether to call; whether to tell the truth, lie or take a card; what to lay; and
how long it took, which may give a lie away. It knows its view, or less if its memory is bad.
"""

from math import cos, exp, log, log1p, pi, sqrt

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
IMPOSSIBLE = 5.0  # how much a claim that cannot be true raises suspicion (log odds)
RANKS = 13


def choice(view: View, number: int, rng: Array) -> tuple[int, float]:
    """What a simulated player of style `number` does in a view, and how many seconds it took."""
    turn = Deciding(view, style(number), rng)
    action = turn.action()
    return action, turn.seconds(action)


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
        if not self.hand or self.takes_card(any(true)):
            return TAKE
        if self.lying:
            direction = self.direction([1.0 if self.could_lie(rank) else 0.4 for rank in ranks])
            return claim_of(ranks[direction], self.cards_of_lie(ranks[direction], true[direction]))
        direction = self.direction([exp(self.person.greed * len(cards)) if cards else 0.0 for cards in true])
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
        """Whether the other's claim is not believed."""
        person, rank, size = self.person, self.table.last_rank, self.last_size
        if self.others_cards == 0:
            return self.happens(person.last_call)
        elsewhere = sum(card % RANKS == rank for card in self.hand) if self.happens(person.attention) else 0
        elsewhere += sum(card % RANKS == rank and self.happens(person.memory) for card in self.laid)
        known = sum(card % RANKS == rank and self.happens(person.memory) for card in self.had)
        again = self.table.claimed[self.other][rank] > size and self.happens(person.memory)
        doubt = person.suspicion + 0.35 * (size - 1) + 0.5 * elsewhere + person.stakes * (self.table.pile_size - 5)
        shown_lies, shown_truths = self.table.lies_shown[self.other], self.table.truths_shown[self.other]
        doubt += person.resentment * max(-3, min(3, shown_lies - shown_truths))
        doubt += 0.6 * again - 1.2 * min(2, known) + 0.5 * (self.others_cards <= FEW)
        if elsewhere + size > SUITS:
            doubt += IMPOSSIBLE
        return self.leans(doubt)

    def takes_card(self, can_be_true: bool) -> bool:
        """Whether a card is taken; if not, `lying` says what will be laid."""
        person = self.person
        wish = (
            person.dishonesty
            - person.shame * min(3, self.table.caught[self.seat])
            + 0.06 * person.risk * (self.table.pile_size - 5)
        )
        wish += person.desperation * (self.others_cards <= FEW)
        if self.table.last_action == CALLED:
            wish += 0.3  # an empty table: little to lose
        if can_be_true:
            self.lying = self.leans(wish - person.honour)
            return False
        self.lying = self.table.stock_left == 0 or self.leans(wish - person.taking)
        return not self.lying

    def direction(self, weights: list[float]) -> int:
        """Up or down: by what there is to lay, by liking and by habit."""
        person = self.person
        pull = person.upward + person.habit * self.last_direction()
        return self.one_of([weights[UP] * exp(pull / 2), weights[DOWN] * exp(-pull / 2)])

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
