"""The figures of Cowling, Ward and Powley 2012, as they were printed, and what all its experiments share.

As there: 40 cards, 10,000 simulations a decision (100,000 in Table VI), deals that favour no seat, both seats. Departures of
all experiments:

1. The paper does not list its deck, and its expert wins 63.7 % against the reduced player where ours wins far more: see
   docs/magic.md. So a difference from a figure against rule players may be the deck's or the expert's. Such claims are
   judged all the same: they say whether the figure comes out with our reading, not whether the paper errs.
2. Its positions offer "typically 5-6 moves", those of the standard deck fewer. A wide deck, most of whose creatures cost
   the same, offers 5 before moves are pruned and 2.5 that are not part of another; no deck of varied costs that was tried
   offers more (`magic-preliminaries` counts them). Some experiments are made with both decks: claims count with the
   standard one, and with the wide one they are tried once more. Its deals are any, not balanced ones.
3. A main phase is asked card by card, and searched again at each question that is not forced: 10,000 simulations for each.
   Times are those of the whole phase.
4. The paper draws a card when a state of a tree is first reached, and keeps it for that state; here a tree has one order of
   the cards from the start, but for the player `lazy` of `magic-preliminaries`, which does as the paper says.
5. Its section II prints UCB1 with √(2 ln n / nⱼ) and no constant; Table I has a constant of 1.5 and does not say where it
   stands. Here it stands before √(ln n / nⱼ).
6. Section VII uses 50 deals for each pair of players, and says 100 of Table III in one place; 50 are taken. Of the 100
   balanced deals that there are here, a longer run plays some again: those count as one deal.
7. Attacks and blocks of all ensemble players are the expert's, in their trees and at the table: only cards are searched. The
   paper investigates the choice of cards alone too, but does not say how its players fight.

The players: BA is the baseline, 40 trees of one world each. AP has 40 trees too (Table I): in each every card drawn is a
chance node, so that it is over all orders of the libraries, with one other hand. AP plays out uniformly, prunes nothing and
discounts nothing. Each other player is BA with one change. NL: a loss counts -1, not 0. MP: moves that are part of another
possible move are left out. BT: each card is a choice of its own, not the whole move. IR: a tree's world is one in which
moves matter. IL: so is the order of the cards in each playout. A row such as (BT, MP, -, -) has those that it names.

Rates are printed without intervals, but for the expert's 63.7 %. Their spread follows from their games, taken as
independent: 1,000 in section VII-A, 100 in Tables II and III, and 100 a trial in Tables V and VI, by our reading of a trial.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

from facedown.lab.experiments.claims import Claim, equal, reading
from facedown.lab.experiments.published import Published, half_of_share
from facedown.stats import Estimate

SOURCE = "Cowling, Ward and Powley 2012"
STANDARD, WIDE = "standard deck", "wide deck"
EVEN = 0.5
MARGIN = 0.05  # of wins, within which a figure counts as the published one
GAMES = 100  # of a rate of Tables II and III, and of a trial of Tables V and VI: 50 deals with both seats
EXPERT_WINS = Published(0.637, 0.0094, rate=True, printed="63.7 % ± 0.94")  # against the reduced player


def rate(percent: float, games: int) -> Published:
    """A published win rate, with the spread that follows from its number of games."""
    share = percent / 100
    return Published(share, half_of_share(share, games), games, rate=True, printed=f"{percent:.1f} %")


def lead(better: Sequence[float], worse: Sequence[float], games: int) -> Published:
    """How many points more some published rates have on average than others; its spread follows from the games of each."""
    points = sum(better) / len(better) - sum(worse) / len(worse)
    return Published(points, hypot(half_width(better, games), half_width(worse, games)), printed=f"{points:+.1f}")


def half_width(percents: Sequence[float], games: int) -> float:
    """Half the 95 % interval of the mean of published rates, in points, if each has so many games of its own."""
    return 100 * hypot(*(half_of_share(one / 100, games) for one in percents)) / len(percents)


def as_printed(text: str, figure: Published, ours: Estimate) -> Claim:
    """A claim of how many points of wins something is worth: ours is to differ by less than half of it, or than 1."""
    return equal(text, figure, ours, max(1.0, abs(figure.value) / 2))


def with_deck(claims: Sequence[Claim], deck: str) -> list[Claim]:
    """Claims as they are judged with a deck; with another than the standard one they do not count again."""
    named = [replace(claim, text=f"{claim.text}, {deck}") for claim in claims]
    return named if deck == STANDARD else [reading(claim) for claim in named]
