"""Hearts for four, with 52 cards or with 32: https://www.pagat.com/reverse/hearts.html.

1.  Each seat is dealt all the cards of its share: 13 of 52, or 8 of 32 (7 to ace).
2.  Each seat passes three cards face down: left, across, right, and in the fourth deal not at all; all pick up at once.
3.  The holder of the lowest club leads to the first trick, and leads that card.
4.  Follow the suit led if possible; otherwise play any card.
5.  On the first trick no card that scores may be played, unless nothing else is held.
6.  Hearts may be led once a heart has been played, or when nothing else is held.
7.  The highest card of the suit led takes the trick; its player leads to the next.
8.  Each heart taken scores 1, the queen of spades as much as all the hearts together: 13, or 8 with 32 cards.
9.  Who takes every scoring card shoots the moon: 0 for that seat, and all the points for each of the others.
10. A match ends when a seat reaches the limit; the fewest points win.

The 32-card game (Bax 2020) has no rules 2, 5 and 6, and in rule 3 any card may be led. Each of these is an option, so the
two games are one set of rules with other defaults. Deviation: the shooter of the moon has no choice of subtracting points
instead.

A card number is both the action that passes it and the action that plays it.
"""

from typing import Any

from facedown.cards import DECK_SIZE
from facedown.game import Game
from facedown.games.hearts import bold, fast, heuristics, match
from facedown.games.hearts.elsewhere import ELSEWHERE
from facedown.games.hearts.feature_names import FEATURES, SEAT_FEATURES
from facedown.games.hearts.features import action_features, seat_features
from facedown.games.hearts.keys import moves_left, position_key, relative_action
from facedown.games.hearts.knowledge import hide, place, recall, seen_as, unseen
from facedown.games.hearts.passes import hidden_choices
from facedown.games.hearts.passing import damages, first_guess, joint_choice
from facedown.games.hearts.position import NOTATION
from facedown.games.hearts.rules import (
    PASSES,
    SEATS,
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
    turns,
)
from facedown.games.hearts.table import table
from facedown.games.hearts.text import HELP, facts, is_moon, news, outcome, parse, rewind, text, why_illegal
from facedown.games.tricks.play import to_move
from facedown.options import Option
from facedown.rewards import REWARDS
from facedown.rules import register

RULES = register(
    "hearts",
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
        hide,
        unseen,
        place,
        seen_as,
        turns,
        episode,
        moves_left,
        position_key,
        relative_action,
        action_features,
        seat_features,
        recall,
        hidden_choices,
    ],
    styles={"uniform": [fast.choose, fast.play_out], "expert": [heuristics.choose], "bold": [bold.choose]},
    match_reward=match.reward,
)


LONGEST_MATCH = 10_000  # totals are 16-bit numbers


def _game(name: str, summary: str, **defaults: Any) -> Game:
    """A game of Hearts with its own defaults."""
    meanings = {
        "passing": "cards passed before play: cycle (left, across, right, hold, deal by deal), one of these, true or false",
        "lowest_club_leads": "the first trick is opened with the lowest club",
        "first_trick_points": "cards that score may be played on the first trick",
        "break_hearts": "hearts may be led only once a heart has been played",
        "queen_breaks_hearts": "the queen of spades breaks hearts too",
        "moon": "who takes every point scores none, and all others score them all",
        "early_end": "the deal ends once all points are taken",
        "match": "points that end a match; 0 plays a single deal",
    }
    return Game(
        name=name,
        summary=summary,
        version=1,
        rules=RULES,
        seats=SEATS,
        actions=DECK_SIZE + 1,
        lower_is_better=True,
        rewards=tuple(REWARDS),
        options=tuple(
            Option(
                key,
                defaults[key],
                meaning,
                choices=PASSES if key == "passing" else (),
                most=LONGEST_MATCH if key == "match" else float("inf"),
                words={True: "cycle", False: "hold"} if key == "passing" else {},
            )
            for key, meaning in meanings.items()
        ),
        fixed={"deck_size": defaults["deck_size"]},
        text=text,
        parse=parse,
        facts=facts,
        table=table,
        why_illegal=why_illegal,
        forfeit=lambda game: (float(game.options["match"].value or game.fixed["deck_size"] // 2), 0.0),
        another_deal_follows=another_deal_follows,
        joint_choice=joint_choice,
        first_guess=first_guess,
        damages=damages,
        rewind=rewind,
        help=HELP.format(queen=defaults["deck_size"] // SEATS),
        news=news,
        outcome=outcome,
        notation=NOTATION,
        elsewhere=ELSEWHERE,
        features=FEATURES,
        opponent="ismcts:inference=policy,playout=policy,opponents=policy,exploration=0.2" if name == "hearts" else "ismcts",
        seat_features=SEAT_FEATURES,
        risks={"a moon": is_moon},
        measured_with={"passing": False},
    )


HEARTS52 = _game(
    "hearts",
    "Hearts with 52 cards and passing",
    deck_size=52,
    passing="cycle",
    lowest_club_leads=True,
    first_trick_points=False,
    break_hearts=True,
    queen_breaks_hearts=False,
    moon=True,
    early_end=False,
    match=0,
)

HEARTS32 = _game(
    "hearts32",
    "Hearts with 32 cards, the Dutch game: no passing, few restrictions",
    deck_size=32,
    passing="hold",
    lowest_club_leads=False,
    first_trick_points=True,
    break_hearts=False,
    queen_breaks_hearts=False,
    moon=True,
    early_end=False,
    match=0,
)
