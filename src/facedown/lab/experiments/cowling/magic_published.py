"""The figures of Cowling, Ward and Powley 2012, as they were printed, and what all its experiments share.

As there: 40 cards, 10,000 simulations a decision (100,000 in Table VI), deals that favour no seat, both seats. Departures of
all experiments:

1. The paper does not list its deck, and its expert wins 63.7 % against the reduced player where ours wins far more: see
   docs/magic.md. So no figure against rule players is comparable.
2. Its positions offer 5 to 6 moves, those of the standard deck fewer. A wide deck offers 5 before moves are pruned
   (magic_decks.py; `magic-preliminaries` counts them), and some experiments are made with both; its deals are any, not
   balanced ones.
3. A main phase is asked card by card, and searched again at each question that is not forced: 10,000 simulations for each.
   Times are those of the whole phase.
4. The paper draws the order of the cards anew at each state of a tree; here a tree has one order, but for the player `lazy`
   of `magic-preliminaries`, which does as the paper says.

The players: BA is the baseline, 40 trees of one world each; AP has one tree over all deals, with chance nodes. The others
are BA with one change. NL: a loss counts -1, not 0. MP: moves that are part of another possible move are left out. BT: each
card is a choice of its own, not the whole move. IR: a tree's world is one in which moves matter. IL: so is the order of the
cards in each playout. A row such as (BT, MP, -, -) has those that it names.
"""

from facedown.lab.experiments.claims import Claim, equal
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.running import Lab
from facedown.stats import Estimate

SOURCE = "Cowling, Ward and Powley 2012"
EVEN = 0.5
MARGIN = 0.05  # of wins, within which a figure counts as the published one


def rate(percent: float, half: float | None = None) -> Published:
    """A published win rate."""
    return Published(percent / 100, None if half is None else half / 100, rate=True)


def as_printed(text: str, points: float, ours: Estimate) -> Claim:
    """A claim of how many points of wins something is worth: ours is to differ by less than half of it, or than 1."""
    return equal(text, Published(round(points, 1)), ours, max(1.0, abs(points) / 2))


def notes(lab: Lab) -> list[str]:
    """What a reader has to know."""
    return [] if lab.full else ["Quick: few deals and tiny searches, so the figures are not comparable."]
