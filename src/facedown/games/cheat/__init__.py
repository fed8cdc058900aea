"""Cheat for two (Bitan & Kraus 2018, section 4), also known as Bullshit or I Doubt It.

1.  52 cards; each seat is dealt eight. The next card starts the pile, face up, and its rank is the first rank named. The
    rest is the stock. Seat 0 begins.
2.  Ranks lie on a circle: 2 3 4 ... Q K A and 2 again. Seats take turns; a turn is one claim, one card taken or one call.
3.  A claim: lay one to four cards face down on the pile and name a rank, one up or one down from the last rank named. They
    need not be of that rank: a claim is false if at least one card is not.
4.  Or take a card from the stock, while there is one.
5.  Or, if the other's last turn was a claim, call cheat: the whole pile is shown to both. It goes to the other if the claim
    was false, and to the caller if it was true. The last rank named stays.
6.  Who has no cards left after the other's next turn has won: so a last claim can still be called.
7.  After 100 turns the smaller hand wins; equal hands share the win.

A search chooses among eighteen actions: claims by direction, truth and count, take and call. A true claim lays the cards of
the rank named suit by suit, a false one the cards that are furthest from it on the circle, suit by suit. A person may lay
any cards; such a claim is an action too. The other seat sees rank and count of a claim only.
"""

from facedown.game import Game
from facedown.games.cheat.claims import CARDS_LAID, LIE_RULES, MOST_RANKS, allows
from facedown.games.cheat.elsewhere import ELSEWHERE
from facedown.games.cheat.heuristics import choose
from facedown.games.cheat.keys import information_set
from facedown.games.cheat.knowledge import KNOWLEDGE, assume, hide, hypothesis, place, seen_as, unseen
from facedown.games.cheat.position import NOTATION
from facedown.games.cheat.rewinding import rewind
from facedown.games.cheat.rules import SEATS, STATE, apply, deal, is_over, legal, moves_left, scores, to_move, turns
from facedown.games.cheat.table import table
from facedown.games.cheat.text import HELP, facts, news, outcome, parse, say, sort_key, text, why_illegal
from facedown.options import Option
from facedown.rules import register

RULES = register(
    "cheat",
    STATE,
    [
        deal,
        to_move,
        legal,
        apply,
        is_over,
        scores,
        hide,
        unseen,
        place,
        seen_as,
        assume,
        information_set,
        turns,
        moves_left,
    ],
    styles={"expert": [choose]},
    score_range=(0, 1),
)

CHEAT = Game(
    name="cheat",
    summary="Cheat: two seats lay cards face down and may lie about them",
    version=1,
    rules=RULES,
    seats=SEATS,
    actions=CARDS_LAID,
    rewards=("points", "pwl", "wl"),
    options=(
        Option("ranks", MOST_RANKS, "how many ranks the pack has, from 2 up", least=5, most=MOST_RANKS),
        Option("hand_size", 8, "cards dealt to each seat", least=1, most=8),
        Option("turn_limit", 100, "turns after which the smaller hand wins", least=1, most=126),
        Option("lies_with", "furthest", "which cards a listed lie is made of, by rank", choices=LIE_RULES),
    ),
    text=text,
    parse=parse,
    sort_key=sort_key,
    facts=facts,
    table=table,
    why_illegal=why_illegal,
    help=HELP,
    opponent="pmga",
    allows=allows,
    hypothesis=hypothesis,
    rewind=rewind,
    say=say,
    news=news,
    knowledge=KNOWLEDGE,
    outcome=outcome,
    notation=NOTATION,
    elsewhere=ELSEWHERE,
)
