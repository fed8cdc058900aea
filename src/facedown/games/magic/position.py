"""Positions of Magic as text: which fields follow from others, and which positions are possible."""

from facedown.game import Game
from facedown.games.magic.decks import DECK_SIZE
from facedown.games.magic.record import ATTACKING, BLOCKING, KINDS, LAND, LIFE, MAIN, NO_CARD, NOBODY, OVER, SEATS
from facedown.games.magic.text import PHASES, card_texts
from facedown.kernel import Record, record_in
from facedown.notation.cells import Cells, words
from facedown.notation.position import Notation

MOST_TURNS = 1000
MOST_SPENT = 99


def cells(game: Game) -> dict[str, Cells]:
    """How the fields are written: kinds of card by the texts of this game's decks, without their spaces."""
    record = record_in(game.new_record())
    kinds = tuple(text.replace(" ", "") for text in card_texts(record)[: int(record.kinds) + 1])
    number = Cells(0, DECK_SIZE)
    places = Cells(within=(1 << DECK_SIZE) - 1, places=True)
    return {
        **dict.fromkeys(("hand", "played"), Cells(0, DECK_SIZE, words=kinds, counts=True)),
        **dict.fromkeys(("in_hand", "in_library", "in_play", "asked"), number),
        **dict.fromkeys(("tapped", "attackers"), places),
        "library": Cells(NO_CARD, len(kinds) - 1, NO_CARD, ("-", *kinds)),
        "creatures": Cells(0, len(kinds) - 1, words=kinds),
        "life": Cells(-10_000, 10_000, LIFE),
        "turn": Cells(0, MOST_TURNS),
        "active": Cells(0, SEATS - 1),
        "phase": words(*PHASES),
        "blocked": Cells(NOBODY, DECK_SIZE - 1, NOBODY),
        "spent": Cells(0, MOST_SPENT),
        "winner": Cells(NOBODY, SEATS - 1, NOBODY),
    }


def follow(state: Record) -> None:
    """Write how many cards lie where; in a view some are hidden, and these numbers are given."""
    for seat in range(SEATS):
        state.in_hand[seat] = state.hand[seat].sum()
        state.in_library[seat] = (state.library[seat] != NO_CARD).sum()
        state.in_play[seat] = (state.creatures[seat] != LAND).sum()


def check(state: Record) -> str | None:
    """Why the cards cannot lie so."""
    for seat in range(SEATS):
        if reason := check_seat(state, seat):
            return reason
    if (state.phase == OVER) != (state.winner != NOBODY):
        return "a game that is over has no winner, or one that is not has"
    if state.phase != OVER and min(state.life.tolist()) <= 0:
        return "a seat without life plays on"
    if not 0 <= state.spent <= state.played[state.active, LAND]:
        return "more is spent than there are lands"
    return check_combat(state)


def check_seat(state: Record, seat: int) -> str | None:
    """Why a seat's cards do not fit its deck."""
    library = state.library[seat].tolist()[: state.in_library[seat]]
    if NO_CARD in library:
        return f"the library of seat {seat} has a gap"
    creatures = state.creatures[seat].tolist()[: state.in_play[seat]]
    if LAND in creatures or creatures != sorted(creatures):
        return f"the creatures of seat {seat} do not stand in order"
    for kind in range(KINDS):
        if int(state.hand[seat, kind]) + int(state.played[seat, kind]) + library.count(kind) != state.deck[seat, kind]:
            return f"seat {seat} has other cards than its deck"
        if creatures.count(kind) > state.played[seat, kind]:
            return f"seat {seat} has creatures in play that it has not played"
    return f"creatures of seat {seat} are tapped that are not there" if int(state.tapped[seat]) >> len(creatures) else None


def check_combat(state: Record) -> str | None:
    """Why the question that is asked does not fit the creatures."""
    active, other = int(state.active), 1 - int(state.active)
    attackers, asked, in_play = int(state.attackers), int(state.asked), state.in_play.tolist()
    blocked = state.blocked.tolist()
    answered = range(0)
    if state.phase == ATTACKING:
        if asked >= in_play[active] or attackers >> asked:
            return "a creature is asked, or attacks, that cannot be"
    elif state.phase == BLOCKING:
        if not attackers or attackers >> in_play[active] or attackers & ~int(state.tapped[active]):
            return "there are no attackers, or some that are not tapped"
        if asked >= in_play[other] or int(state.tapped[other]) >> asked & 1:
            return "a creature is asked to block that cannot"
        answered = range(asked)
    elif attackers or asked:
        return "there are attackers, and no combat"
    for place, attacker in enumerate(blocked):
        able = place in answered and not int(state.tapped[other]) >> place & 1
        if attacker != NOBODY and not (able and attackers >> attacker & 1):
            return "a creature blocks that cannot, or nobody that attacks"
    if state.phase == MAIN and state.land_played and not state.played[active, LAND]:
        return "a land was played, and there is none"
    return None


NOTATION = Notation(cells, follow, follows=("in_hand", "in_library", "in_play"), check=check)
