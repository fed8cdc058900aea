"""Magic: The Gathering with creatures and lands alone (Cowling, Ward and Powley 2012, section III).

1.  Two seats, each with a deck of 40 cards and 20 life. Both decks are known to both. A creature P/T for C has power P,
    toughness T and cost C; the other cards are lands.
2.  Each seat is dealt seven cards; the rest is its library. Seat 0 begins.
3.  Seats take turns. A turn goes through rules 4 to 9.
4.  The active seat untaps its creatures and draws a card. If it cannot, it has lost. The first player does not draw in the
    first turn (option first_draw).
5.  Each of its creatures in turn, the strongest first, attacks or is held. Attackers are tapped.
6.  Each untapped creature of the other seat in turn, the strongest first, blocks one attacker or none. Any number may block
    the same attacker.
7.  Attackers and their blockers strike at once. An attacker dies if its blockers' power is together at least its toughness.
    Its own power is split among its blockers so that those die that cost most together; of equals the greater number, then
    the greater power, then the greater toughness, then the first in order.
8.  Attackers that nobody blocks take their power off the other seat's life. At zero or less it has lost.
9.  The active seat plays cards, one at a time, until it is done: at most one land, and creatures whose costs are together at
    most the lands in play. A creature that comes into play now may block in the next turn and attack in the one after.

Creatures stand in a fixed order: by power, then cost, then toughness, the greatest first. There is no summoning sickness to
remember, since cards are played after combat (section III-B). Nothing ever returns to a hand or a library.

An action is a kind of card, `done`, or an answer about the creature that is asked.
"""

from facedown.game import Game
from facedown.games.magic.decks import STANDARD, names_file, read_deck
from facedown.games.magic.elsewhere import ELSEWHERE
from facedown.games.magic.heuristics import choose, play_out, settle
from facedown.games.magic.kept_deals import SEEDS
from facedown.games.magic.keys import position_key, relative_action
from facedown.games.magic.knowledge import hide, look_alike, place, rewind, unseen
from facedown.games.magic.moves import chance_outcome, compound_move, shuffle_stock
from facedown.games.magic.position import NOTATION
from facedown.games.magic.record import SEATS, STATE
from facedown.games.magic.rules import apply, deal, is_over, legal, moves_left, scores, to_move, turns
from facedown.games.magic.table import table
from facedown.games.magic.text import HELP, SAME, bind, facts, hand_texts, news, outcome, set_up, why_illegal
from facedown.options import Option
from facedown.rules import register

BY_RULE = [choose, play_out]
RULES = register(
    "magic",
    STATE,
    [
        deal,
        to_move,
        legal,
        apply,
        is_over,
        scores,
        settle,
        compound_move,
        shuffle_stock,
        chance_outcome,
        turns,
        moves_left,
        position_key,
        relative_action,
        hide,
        unseen,
        place,
    ],
    styles={"uniform": [play_out], "expert": BY_RULE, "reduced": BY_RULE, "printed": BY_RULE},
    score_range=(0, 1),
)


def _deck_or_same(value: object) -> str:
    return SAME if value == SAME else read_deck(value)


def _names_another_file(value: object) -> bool:
    return value != SAME and names_file(value)


MAGIC = Game(
    name="magic",
    summary="Magic with creatures and lands: attack, block, and bring new cards into play",
    version=1,
    rules=RULES,
    seats=SEATS,
    actions=0,
    rewards=("points", "pwl", "wl"),
    options=(
        Option("first_draw", False, "the first player draws a card in the first turn too"),
        Option("balanced", False, "deal only the 100 deals that favour no seat: a seed is the number of one"),
        Option(
            "deck",
            STANDARD,
            "the deck of both seats: a file, or cards such as 17xland+23x2/2for2",
            read=read_deck,
            opens=names_file,
        ),
        Option("deck1", SAME, "the deck of seat 1, if it has another", read=_deck_or_same, opens=_names_another_file),
    ),
    facts=facts,
    table=table,
    hand=hand_texts,
    why_illegal=why_illegal,
    help=HELP,
    opponent="ensemble:bt=true,mp=true,decides=all,ahead=phase,exploration=0.5",
    rewind=rewind,
    look_alike=look_alike,
    bind=bind,
    set_up=set_up,
    news=news,
    outcome=outcome,
    notation=NOTATION,
    elsewhere=ELSEWHERE,
    deals=lambda game: SEEDS if game.options["balanced"].value else (),
)
