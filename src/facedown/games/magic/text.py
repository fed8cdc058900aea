"""Magic in words: the texts of actions, the facts on the table, and why an action is not allowed."""

from typing import Any

from facedown.errors import BadOption, BadText
from facedown.game import Game
from facedown.games.magic.decks import STANDARD, Kinds, kinds_of
from facedown.games.magic.record import ATTACKING, BLOCKING, KINDS, LAND, MAIN, NOBODY, OVER, SEATS
from facedown.games.magic.rules import attacker_named, mana_left
from facedown.games.speech import does, gained, seat_name
from facedown.kernel import Record
from facedown.view import SPECTATOR, Facts

PHASES = ("attack", "block", "main", "over")

HELP = """\
 attack 3/3          this creature attacks; hold 3/3 keeps it back
 block 2/2 by 3/3    3/3 blocks the attacker 2/2; no block 3/3 blocks none
 land                plays a land
 3/3 for 4           plays this creature for 4 lands
 done                ends the turn; an action's beginning is enough: a, h, d
 A creature kills another if its power is at least the other's toughness.
 Attackers are tapped until their next turn."""


class Words:
    """The texts of the actions of two decks, both ways."""

    def __init__(self, kinds: Kinds) -> None:
        """All texts, in the order of the actions."""
        bodies = [f"{kind.power}/{kind.toughness}" for kind in kinds.creatures]
        # Two kinds may differ in cost alone: then the cost is named too.
        self.creatures = [
            body if bodies.count(body) == 1 else str(kind) for body, kind in zip(bodies, kinds.creatures, strict=True)
        ]
        self.cards = ["land", *map(str, kinds.creatures)]
        attackers = [
            creature if number == 1 else f"{creature} #{number}"
            for creature, most in zip(self.creatures, kinds.most_alike[1:], strict=True)
            for number in range(1, most + 1)
        ]
        self.texts = [
            *self.cards,
            "done",
            *(f"attack {creature}" for creature in self.creatures),
            *(f"hold {creature}" for creature in self.creatures),
            *(f"block {attacker} by {blocker}" for attacker in attackers for blocker in self.creatures),
            *(f"no block {creature}" for creature in self.creatures),
        ]
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def text(self, action: int) -> str:
        """An action as text."""
        if not 0 <= action < len(self.texts):
            raise BadText(f"expected an action from 0 to {len(self.texts) - 1}, got {action}")
        return self.texts[action]

    def parse(self, text: str) -> int:
        """An action from text; the first of several creatures may be called #1."""
        words = " ".join(text.lower().replace("#1 ", "").split())
        if words not in self._numbers:
            expected = "land, 3/3 for 4, done, attack 3/3, hold 3/3, block 2/2 by 3/3, block 2/2 #2 by 3/3 or no block 3/3"
            raise BadText(f"expected an action such as {expected}, with creatures of these decks, got {text!r}")
        return self._numbers[words]


def decks_of(game: Game) -> Kinds:
    """The kinds of card that a game is played with."""
    own, other = str(game.options["deck"].value), str(game.options["deck1"].value)
    return kinds_of(own, own if other == SAME else other)


SAME = "same"


def bind(game: Game) -> None:
    """Give a game the actions and texts of its decks."""
    values = {name: option.value for name, option in game.options.items()}
    if values["balanced"] and (values["first_draw"] or (values["deck"], values["deck1"]) != (STANDARD, SAME)):
        raise BadOption("option balanced: expected the standard deck for both seats and first_draw=false, got other options")
    words = Words(decks_of(game))
    game.actions = len(words.texts)
    game.speak(words.text, words.parse)


def set_up(game: Game, record: Record) -> None:
    """Write the decks into a new record."""
    kinds = decks_of(game)
    record.kinds = len(kinds.creatures)
    name = 0
    for number, kind in enumerate(kinds.creatures, 1):
        record.power[number], record.toughness[number], record.cost[number] = kind.power, kind.toughness, kind.cost
        record.first_name[number] = name
        name += kinds.most_alike[number]
    record.names = name
    for seat in range(SEATS):
        record.deck[seat][: len(kinds.creatures) + 1] = kinds.decks[seat]


# --- Facts --------------------------------------------------------------------------------------------------------------


def card_texts(state: Record) -> list[str]:
    """The text of each kind of card."""
    rows = zip(state.power.tolist(), state.toughness.tolist(), state.cost.tolist(), strict=True)
    return ["land", *(f"{power}/{toughness} for {cost}" for power, toughness, cost in list(rows)[1:])]


def creature_texts(state: Record) -> list[str]:
    """The text of each kind of creature in play; its cost only where two kinds would look the same."""
    cards = card_texts(state)
    bodies = [card.partition(" ")[0] for card in cards]
    return [body if bodies.count(body) == 1 else card for body, card in zip(bodies, cards, strict=True)]


def facts(state: Record, seat: int | None) -> Facts:
    """Everything on the table, as far as a seat knows it; all of it for seat None."""
    seats = range(SEATS)
    active, phase = int(state.active), int(state.phase)
    played = state.played.tolist()
    known: dict[str, Any] = {
        "turn": int(state.turn) + 1,
        "phase": PHASES[phase],
        "active": active,
        "to_move": None if phase == OVER else 1 - active if phase == BLOCKING else active,
        "question": question(state),
        "life": state.life.tolist(),
        "lands": [played[other][LAND] for other in seats],
        "mana": int(mana_left(state)) if phase == MAIN else None,
        "land_played": bool(state.land_played),
        "hand_sizes": state.in_hand.tolist(),
        "libraries": state.in_library.tolist(),
        "creatures": [creatures(state, other) for other in seats],
        "dead": [dead(state, other) for other in seats],
        "winner": None if state.winner == NOBODY else int(state.winner),
    }
    if seat is None:
        cards = card_texts(state)
        known["hands"] = [hand_texts(state, other) for other in seats]
        known["library"] = [
            [cards[kind] for kind in state.library[other].tolist()[: state.in_library[other]][::-1]] for other in seats
        ]
    elif seat != SPECTATOR:
        known["hand"] = hand_texts(state, seat)
    return known


def hand_texts(state: Record, seat: int) -> list[str]:
    """A hand: lands first, then creatures from the cheapest."""
    cards, costs, hand = card_texts(state), state.cost.tolist(), state.hand[seat].tolist()
    order = sorted((kind for kind in range(KINDS) if hand[kind]), key=lambda kind: (costs[kind], -kind))
    return [cards[kind] for kind in order for _ in range(hand[kind])]


def attackers(state: Record) -> dict[int, str]:
    """The attackers declared so far: their places, and the names by which they are blocked."""
    names, mask = creature_texts(state), int(state.attackers)
    seen: list[str] = []
    found = {}
    for place, kind in enumerate(state.creatures[state.active].tolist()):
        if mask >> place & 1:
            number = seen.count(names[kind]) + 1
            found[place] = names[kind] if number == 1 else f"{names[kind]} #{number}"
            seen.append(names[kind])
    return found


def creatures(state: Record, seat: int) -> list[str]:
    """A seat's creatures in play, the strongest first, and what each is doing."""
    names, attacking = creature_texts(state), attackers(state)
    tapped, blocked = int(state.tapped[seat]), state.blocked.tolist()
    found = []
    for place, kind in enumerate(state.creatures[seat].tolist()[: state.in_play[seat]]):
        name = names[kind]
        if seat == state.active and place in attacking:
            name = f"{attacking[place]} attacks"
        elif seat != state.active and blocked[place] != NOBODY:
            name += f" blocks {attacking[blocked[place]]}"
        elif tapped >> place & 1:
            name += " tapped"
        found.append(name)
    return found


def dead(state: Record, seat: int) -> list[str]:
    """A seat's creatures that have died."""
    names, counts = creature_texts(state), state.played[seat].tolist()
    for kind in state.creatures[seat].tolist()[: state.in_play[seat]]:
        counts[kind] -= 1
    return [names[kind] for kind in range(1, KINDS) for _ in range(counts[kind])]


def question(state: Record) -> str | None:
    """What the seat to move is asked."""
    if state.phase == OVER:
        return None
    if state.phase == MAIN:
        return f"which card next, with {mana_left(state)} mana"
    seat = state.active if state.phase == ATTACKING else 1 - state.active
    name = creature_texts(state)[state.creatures[seat, state.asked]]
    return f"does {name} attack" if state.phase == ATTACKING else f"whom does {name} block"


# --- For people ------------------------------------------------------------------------------------------------------------


def outcome(state: Record) -> tuple[str, str]:
    """Why the game ended (rules 4 and 8)."""
    loser = 1 - int(state.winner)
    if state.life[loser] <= 0:
        return "life", f"seat {loser} has no life left"
    return "library empty", f"seat {loser} cannot draw: its library is empty"


def news(before: Facts, after: Facts, own: int | None) -> list[str]:
    """What a fight cost, what the seat draws, and how the game ended."""
    sentences = []
    for seat in range(SEATS):
        lost = before["life"][seat] - after["life"][seat]
        if lost:
            sentences.append(f"{does(seat, own, 'lose')} {lost} life, {max(0, after['life'][seat])} left")
        if fallen := gained(before["dead"][seat], after["dead"][seat]):
            whose = "your" if seat == own else f"seat {seat}'s"
            sentences.append(f"{whose} {', '.join(fallen)} {'dies' if len(fallen) == 1 else 'die'}")
    if after["turn"] != before["turn"] and after["active"] == own and after["winner"] is None:
        sentences.append(f"you draw {', '.join(gained(before['hand'], after['hand']))}")
    if after["winner"] is not None:
        loser = 1 - after["winner"]
        reason = "has no life left" if after["life"][loser] <= 0 else "cannot draw: the library is empty"
        reason = reason if loser != own else reason.replace("has", "have")
        sentences.append(f"{seat_name(loser, own)} {reason}; {does(after['winner'], own, 'win')}")
    return sentences


# --- Refusals -----------------------------------------------------------------------------------------------------------


def why_illegal(state: Record, action: int) -> str:
    """The rule that an action would break, for a person who tried it."""
    kinds = int(state.kinds)
    if not 0 <= action < (4 + int(state.names)) * kinds + 2:
        return "there is no such action"
    now = f"the question is {question(state)}"
    if action <= kinds + 1:
        return _why_no_card(state, action) if state.phase == MAIN else f"cards are played after combat; {now}"
    kind = (action - 2) % kinds + 1
    if action <= 3 * kinds + 1:
        return _why_no_attack(state, kind) + (f"; {now}" if state.phase != BLOCKING else "")
    return _why_no_block(state, (action - 2) // kinds - 3, kind) + f"; {now}"


def _why_no_card(state: Record, card: int) -> str:
    if card == LAND and state.land_played:
        return "one land a turn, and it has been played"
    if state.hand[state.active, card] == 0:
        return "that card is not in the hand"
    return f"it costs {state.cost[card]}, and there is {mana_left(state)} mana left"


def _places(state: Record, seat: int, kind: int) -> list[int]:
    return [place for place in range(int(state.in_play[seat])) if state.creatures[seat, place] == kind]


def _why_no_attack(state: Record, kind: int) -> str:
    if state.phase == BLOCKING:
        return "the attack has been declared, and this seat blocks"
    places = _places(state, int(state.active), kind)
    name = creature_texts(state)[kind]
    if not places:
        return f"there is no {name} in play on this side"
    if state.phase == MAIN:
        tapped = all(int(state.tapped[state.active]) >> place & 1 for place in places)
        return f"{name} is tapped: it has attacked" if tapped else "creatures attack before cards are played"
    return f"{name} has been asked" if max(places) < state.asked else f"{name} is not the creature asked"


def _why_no_block(state: Record, name: int, kind: int) -> str:
    if state.phase != BLOCKING:
        return "there is no attack to block"
    seat = 1 - int(state.active)
    places = _places(state, seat, kind)
    blocker = creature_texts(state)[kind]
    if not places:
        return f"there is no {blocker} in play on this side"
    if all(int(state.tapped[seat]) >> place & 1 for place in places):
        return f"{blocker} is tapped"
    if kind != state.creatures[seat, state.asked]:
        if all(place < state.asked for place in places):
            busy = any(state.blocked[place] != NOBODY for place in places)
            return f"{blocker} is already blocking" if busy else f"{blocker} has been asked, and does not block"
        return f"{blocker} is not the creature asked"
    if name < state.names and attacker_named(state, name) == NOBODY:
        return "no such creature attacks"
    return "the rules do not allow it"
