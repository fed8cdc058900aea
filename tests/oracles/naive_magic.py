"""Magic once more, slowly and literally: lists of creatures, no masks, and the published algorithms line by line.

The oracle of the compiled rules and plans: it shares no code with them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple


class Card(NamedTuple):
    """A creature card; None stands for a land."""

    power: int
    toughness: int
    cost: int

    @classmethod
    def read(cls, text: str) -> "Card":
        """From `3/3 for 4`."""
        body, cost = text.split(" for ")
        power, toughness = body.split("/")
        return cls(int(power), int(toughness), int(cost))


def strength(card: Card) -> tuple[int, int, int]:
    """Creatures stand by power, then cost, then toughness."""
    return (-card.power, -card.cost, -card.toughness)


@dataclass(eq=False)
class Creature:
    """A creature in play."""

    card: Card
    tapped: bool = False


@dataclass
class Side:
    """One seat's cards."""

    hand: list[Card | None]
    library: list[Card | None]  # the next to draw first
    creatures: list[Creature] = field(default_factory=list)
    lands: int = 0
    life: int = 20

    def put(self, card: Card) -> None:
        """A creature comes into play behind those that are as strong."""
        self.creatures.append(Creature(card))
        self.creatures.sort(key=lambda creature: strength(creature.card))


def card_of(text: str) -> Card | None:
    """A card from its text."""
    return None if text == "land" else Card.read(text)


class NaiveMagic:
    """A game in progress, told by the texts of actions."""

    def __init__(self, hands: Sequence[Sequence[str]], libraries: Sequence[Sequence[str]]) -> None:
        """As dealt, before the first question; each library with the next card first."""
        self.sides = [Side([*map(card_of, hands[seat])], [*map(card_of, libraries[seat])]) for seat in range(2)]
        kinds = {card for side in self.sides for card in (*side.hand, *side.library) if card is not None}
        bodies = [(card.power, card.toughness) for card in kinds]
        self.twice = {body for body in bodies if bodies.count(body) > 1}  # creatures that differ in cost alone
        self.active = 0
        self.winner: int | None = None
        self.turn = 0
        self.start_turn(draws=False)

    def start_turn(self, draws: bool = True) -> None:
        """Untap, draw, and ask for attackers."""
        side = self.sides[self.active]
        for creature in side.creatures:
            creature.tapped = False
        self.spent, self.land_played = 0, False
        self.attackers: list[Creature] = []
        self.blocks: list[tuple[Creature, Creature]] = []  # blocker and attacker
        if draws:
            if not side.library:
                self.winner = 1 - self.active
                self.phase = "over"
                return
            side.hand.append(side.library.pop(0))
        self.phase = "attack" if side.creatures else "main"
        self.queue = list(side.creatures)

    @property
    def other(self) -> Side:
        """The seat that is not active."""
        return self.sides[1 - self.active]

    @property
    def seat(self) -> int | None:
        """Who is asked."""
        if self.phase == "over":
            return None
        return 1 - self.active if self.phase == "block" else self.active

    def name(self, card: Card) -> str:
        """A creature's text, with its cost where that is needed."""
        return self.body(card) + (f" for {card.cost}" if card[:2] in self.twice else "")

    def body(self, card: Card) -> str:
        """What is printed on a creature beside its cost."""
        return f"{card.power}/{card.toughness}"

    def attacker_names(self) -> list[str]:
        """The attackers, numbered where they look alike."""
        names: list[str] = []
        for place, creature in enumerate(self.attackers):
            alike = sum(before.card == creature.card for before in self.attackers[:place])
            names.append(self.name(creature.card) + (f" #{alike + 1}" if alike else ""))
        return names

    def legal(self) -> set[str]:
        """The texts of what may be answered."""
        if self.phase == "attack":
            return {f"{word} {self.name(self.queue[0].card)}" for word in ("attack", "hold")}
        if self.phase == "block":
            blocker = self.name(self.queue[0].card)
            return {f"block {name} by {blocker}" for name in self.attacker_names()} | {f"no block {blocker}"}
        if self.phase == "over":
            return set()
        side = self.sides[self.active]
        found = {"done"}
        for card in side.hand:
            if card is None and not self.land_played:
                found.add("land")
            if card is not None and self.spent + card.cost <= side.lands:
                found.add(f"{self.body(card)} for {card.cost}")
        return found

    def play(self, text: str) -> None:
        """Answer the question."""
        assert text in self.legal()
        if self.phase == "attack":
            creature = self.queue.pop(0)
            if text.startswith("attack"):
                self.attackers.append(creature)
            if not self.queue:
                self.declare()
        elif self.phase == "block":
            blocker = self.queue.pop(0)
            if not text.startswith("no"):
                name = text.removeprefix("block ").partition(" by ")[0]
                self.blocks.append((blocker, self.attackers[self.attacker_names().index(name)]))
            if not self.queue:
                self.fight()
        else:
            self.main(text)

    def declare(self) -> None:
        """Attackers tap; untapped creatures of the other seat are asked."""
        for creature in self.attackers:
            creature.tapped = True
        self.queue = [creature for creature in self.other.creatures if not creature.tapped]
        if not self.attackers:
            self.phase = "main"
        elif not self.queue:
            self.fight()
        else:
            self.phase = "block"

    def fight(self) -> None:
        """All strike at once."""
        dead: list[Creature] = []
        for attacker in self.attackers:
            blockers = [blocker for blocker, blocked in self.blocks if blocked is attacker]
            if not blockers:
                self.other.life -= attacker.card.power
                continue
            if sum(blocker.card.power for blocker in blockers) >= attacker.card.toughness:
                dead.append(attacker)
            dead += split(attacker, blockers)
        for side in self.sides:
            side.creatures = [creature for creature in side.creatures if all(creature is not one for one in dead)]
        self.phase = "main"
        if self.other.life <= 0:
            self.winner, self.phase = self.active, "over"

    def main(self, text: str) -> None:
        """Play a card, or end the turn."""
        side = self.sides[self.active]
        if text == "done":
            self.active = 1 - self.active
            self.turn += 1
            self.start_turn()
            return
        card = card_of(text)
        side.hand.remove(card)
        if card is None:
            side.lands += 1
            self.land_played = True
        else:
            self.spent += card.cost
            side.put(card)

    # --- The expert, as printed or by the prose ---------------------------------------------------------------------------

    def attack_by_expert(self, printed: bool = False) -> list[Creature]:
        """Algorithm 1."""
        side = self.sides[self.active]
        able = list(side.creatures)  # all have untapped
        blockers = [creature.card for creature in self.other.creatures if not creature.tapped]
        cards = [creature.card for creature in able]
        if not able or not blockers:
            return able
        spare = len(able) - len(blockers)
        if spare > 0 and sum(sorted(card.power for card in cards)[:spare]) >= self.other.life:
            return able
        mana = side.lands + (None in side.hand)
        castable = 0
        for cost in sorted(card.cost for card in side.hand if card is not None):
            if cost <= mana:
                mana -= cost
                castable += 1
        needed = need(sorted(card.power for card in blockers), side.life, printed)
        most = len(able) + castable - needed
        if most == 0:
            return []
        if most < 0:
            return able
        chosen: list[Creature] = []
        for creature in able:
            if len(chosen) >= most and needed:
                break
            if not why_hold(creature.card, blockers):
                chosen.append(creature)
        return chosen

    def block_by_expert(self, printed: bool = False) -> list[tuple[Creature, Creature]]:
        """Algorithm 2: blockers with their attackers."""
        free = [creature for creature in self.other.creatures if not creature.tapped]
        must = need(sorted(creature.card.power for creature in self.attackers), self.other.life, printed)
        if must > len(free):
            return []
        blocks = []
        for number, attacker in enumerate(self.attackers):
            chosen = block_one(attacker.card, free, number < must, printed)
            blocks += [(blocker, attacker) for blocker in chosen]
            free = [creature for creature in free if all(creature is not one for one in chosen)]
        return blocks

    def expert(self, printed: bool = False) -> str:
        """The expert's answer to the question that is asked."""
        if self.phase == "attack":
            asked = self.queue[0]
            attacks = any(creature is asked for creature in self.attack_by_expert(printed))
            return f"{'attack' if attacks else 'hold'} {self.name(asked.card)}"
        if self.phase == "block":
            asked = self.queue[0]
            for blocker, attacker in self.block_by_expert(printed):
                if blocker is asked:
                    place = next(place for place, one in enumerate(self.attackers) if one is attacker)
                    return f"block {self.attacker_names()[place]} by {self.name(asked.card)}"
            return f"no block {self.name(asked.card)}"
        if "land" in self.legal():
            return "land"
        cards = [Card.read(text) for text in self.legal() if "/" in text]
        if not cards:
            return "done"
        best = min(cards, key=lambda card: (-card.cost, *strength(card)))
        return f"{self.body(best)} for {best.cost}"


def split(attacker: Creature, blockers: list[Creature]) -> list[Creature]:
    """The blockers that die: of all sets that the power suffices for, the best."""
    return max(
        (group for group in groups(blockers) if sum(one.card.toughness for one in group) <= attacker.card.power),
        key=lambda group: (
            sum(one.card.cost for one in group),
            len(group),
            sum(one.card.power for one in group),
            sum(one.card.toughness for one in group),
            [any(one is blocker for one in group) for blocker in blockers],
        ),
    )


def groups(creatures: Sequence[Creature]) -> Iterator[list[Creature]]:
    """All sets of creatures, the empty one too."""
    for size in range(len(creatures) + 1):
        yield from map(list, combinations(creatures, size))


def need(powers: Sequence[int], life: int, printed: bool) -> int:
    """How many attackers, weakest first in the list, have to be blocked."""
    if sum(powers) < life:
        return 0
    counts = range(len(powers) + 1)
    if printed:
        return next(count for count in counts if sum(powers[:count]) >= life)
    return next(count for count in counts if sum(powers[: len(powers) - count]) < life)


def card_groups(cards: Iterable[Card]) -> Iterator[tuple[Card, ...]]:
    """All sets of cards that are not empty."""
    cards = list(cards)
    for size in range(1, len(cards) + 1):
        yield from combinations(cards, size)


def why_hold(card: Card, blockers: list[Card]) -> bool:
    """Whether one of the conditions of lines 24 to 27 speaks against an attack."""
    if any(
        all(one.toughness > card.power for one in group) and sum(one.power for one in group) >= card.toughness
        for group in card_groups(blockers)
    ):
        return True
    for place, lost in enumerate(blockers):
        others = blockers[:place] + blockers[place + 1 :]
        if lost.cost < card.cost and any(
            all(one.toughness > card.power for one in group)
            and lost.power + sum(one.power for one in group) >= card.toughness
            for group in [(), *card_groups(others)]
        ):
            return True
    return any(card.power > one.toughness and card.cost < one.cost for one in blockers)


def block_one(attacker: Card, free: list[Creature], must: bool, printed: bool) -> list[Creature]:
    """The blockers of one attacker, lines 23 to 33; ties to the cheaper, then the smaller group, then the last creatures."""

    def cost(group: Sequence[Creature]) -> int:
        return sum(one.card.cost for one in group)

    def kills(group: Sequence[Creature]) -> bool:
        return sum(one.card.power for one in group) >= attacker.toughness

    def lives(one: Creature) -> bool:
        return one.card.toughness > attacker.power

    def standing(group: Sequence[Creature]) -> list[bool]:
        return [any(one is creature for one in group) for creature in free]

    def cheapest(found: list[list[Creature]]) -> list[Creature]:
        return min(found, key=lambda group: (cost(group), len(group), standing(group)))

    every = [group for group in groups(free) if group]
    if found := [group for group in every if all(map(lives, group)) and kills(group)]:
        return cheapest(found)
    if found := [[one] for one in free if kills([one]) and one.card.cost < attacker.cost]:
        return cheapest(found)
    pairs = [
        pair for pair in every if len(pair) == 2 and kills(pair) and sum(one.card.toughness for one in pair) > attacker.power
    ]
    if printed:
        pairs = [pair for pair in pairs if all(lives(one) or one.card.cost <= attacker.cost for one in pair)]
        if pairs:
            return min(pairs, key=lambda pair: (min(one.card.cost for one in pair), cost(pair), standing(pair)))
    else:
        dying = {id(pair): split(Creature(attacker), pair) for pair in pairs}
        pairs = [pair for pair in pairs if cost(dying[id(pair)]) < attacker.cost]
        if pairs:
            return min(pairs, key=lambda pair: (cost(dying[id(pair)]), cost(pair), standing(pair)))
    if found := [[one] for one in free if lives(one)]:
        return cheapest(found)
    if must and free:
        return cheapest([group for group in every if kills(group)] or [[one] for one in free])
    return []
