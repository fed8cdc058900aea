"""Sueca and Bisca, the Portuguese games of trumps: https://www.pagat.com/aceten/sueca.html and .../briscola.html.

1.  There are 40 cards, without 8, 9 and 10. They rank A 7 K J Q 6 5 4 3 2, highest first.
2.  Four seats play in two sides, 0 and 2 against 1 and 3; or two seats, each for itself. The last seat deals first, and
    the deal goes round.
3.  Sueca: each seat is dealt ten cards, the whole pack. Bisca: nine (or seven, or three); the rest is the stock.
4.  The last card of the pack is shown, and its suit is trumps. In Sueca it is one of the dealer's own; in Bisca it lies
    face up at the bottom of the stock. The seat after the dealer leads.
5.  Follow the suit led if possible; otherwise play any card. While there is a stock, any card may be played at any time.
6.  The highest trump in it takes a trick, or else the highest card of the suit led; its player leads to the next.
7.  While there is a stock, each seat then draws a card, the trick's winner first. So the last card, the shown trump, goes
    to the last to draw, and all see it.
8.  Cards taken score for the side: ace 11, seven 10, king 4, jack 3, queen 2, the others nothing; 120 in all.
9.  In a match, 61 points win 1 game point, 91 win 2, and all 120 win 4; 60 each win none. The first side to reach the
    limit has won.
10. Mandar abaixo: a deal in which a hand has fewer than 10 points and no trump is dealt anew, before anybody plays.

The two games are one set of rules with other defaults. Rule 10 is an option of Sueca (Fernandes 2016, section 7.2), and
applies by itself: nobody has to ask for it. Deviations: play goes in the order of the seats, whichever direction that is;
the dealer does not choose between the top and the bottom card of the pack, since both are equally likely.

A card number is the action that plays it.
"""

from facedown.cards import DECK_SIZE
from facedown.elsewhere import Elsewhere
from facedown.game import Game
from facedown.games.tricks.play import to_move
from facedown.games.trumps import fast, heuristics, match
from facedown.games.trumps.features import FEATURES, action_features, recall
from facedown.games.trumps.keys import moves_left, position_key, relative_action
from facedown.games.trumps.knowledge import hide, place, unseen
from facedown.games.trumps.position import NOTATION
from facedown.games.trumps.rules import (
    ALL_POINTS,
    STATE,
    another_deal_follows,
    apply,
    deal,
    episode,
    is_decided,
    is_over,
    legal,
    reward,
    scores,
    side_of,
    turns,
)
from facedown.games.trumps.table import table
from facedown.games.trumps.text import HELP, facts, news, outcome, sort_key, why_illegal
from facedown.options import Option
from facedown.rewards import REWARDS
from facedown.rules import register

RULES = register(
    "trumps",
    STATE,
    [
        deal,
        to_move,
        legal,
        apply,
        is_over,
        is_decided,
        scores,
        reward,
        side_of,
        hide,
        unseen,
        place,
        turns,
        episode,
        moves_left,
        position_key,
        relative_action,
        action_features,
        recall,
    ],
    styles={"uniform": [fast.choose, fast.play_out], "expert": [heuristics.choose]},
    match_reward=match.reward,
)

ELSEWHERE = Elsewhere(
    words={"dealer": "the seat that deals", "shown": "the card that is shown, whose suit is trumps"},
    gained="you drew",
)
LONGEST_MATCH = 10_000  # totals are 16-bit numbers
MATCH = Option("match", 0, "game points that end a match; 0 plays a single deal", most=LONGEST_MATCH)


def _game(name: str, summary: str, options: tuple[Option, ...], opponent: str = "ismcts", **fixed: int) -> Game:
    """A game of trumps with its own options."""
    return Game(
        name=name,
        summary=summary,
        version=1,
        rules=RULES,
        seats=fixed.get("seats", 0),
        actions=DECK_SIZE,
        rewards=tuple(REWARDS),
        options=options,
        fixed=fixed,
        sort_key=sort_key,
        facts=facts,
        table=table,
        why_illegal=why_illegal,
        another_deal_follows=another_deal_follows,
        forfeit=lambda game: (0.0, float(game.options["match"].value or ALL_POINTS)),
        help=HELP,
        news=news,
        outcome=outcome,
        notation=NOTATION,
        elsewhere=ELSEWHERE,
        features=FEATURES,
        opponent=opponent,
    )


SUECA = _game(
    "sueca",
    "Sueca: four seats in two sides, trumps, 120 points",
    (Option("mandar_abaixo", False, "a deal in which a hand has fewer than 10 points and no trump is dealt anew"), MATCH),
    opponent="ismcts:inference=policy,playout=policy",
    seats=4,
    hand_size=10,
)

BISCA = _game(
    "bisca",
    "Bisca: two seats or four, a stock to draw from, trumps, 120 points",
    (
        Option("seats", 2, "two seats, or four in two sides", choices=(2, 4)),
        Option("hand_size", 9, "cards dealt to each seat", choices=(3, 7, 9)),
        MATCH,
    ),
)
