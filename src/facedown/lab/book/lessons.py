"""What was learnt, in words: sentences by hand, each with the claims that bear on it, whose verdicts a test compares.

A pattern names a whole family of claims, so that none that contradicts is left out. A sentence holds where all of them that
are decided have its verdict. The figures beside it come from the outcomes, and a book of others leaves it out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from facedown.lab.book.markdown import anchor
from facedown.lab.book.outcomes import Outcome, claims_of
from facedown.lab.book.studies import STUDIES, Study
from facedown.lab.experiments.claims import CONFIRMED, OPEN, PROPOSAL, REFUTED, Claim

ABOVE, BELOW = "above", "below"


@dataclass(frozen=True)
class Lesson:
    """A sentence about a study, and the claims that bear on it."""

    study: str
    text: str
    verdict: str  # of all claims that are decided; or that none is
    claims: tuple[str, ...]  # patterns of their texts, in which a star stands for anything
    side: str = ""  # on which our figures lie of what was claimed, where the sentence says it

    def holds(self, claims: Sequence[Claim]) -> bool:
        """Whether the claims that bear on it have its verdict and lie on its side, as far as they are decided."""
        decided = [claim for claim in claims if claim.verdict != OPEN]
        sides = {side_of(claim) for claim in decided} if self.side else {""}
        return bool(claims) and {one.verdict for one in decided} == {self.verdict} - {OPEN} and sides <= {self.side}


def side_of(claim: Claim) -> str:
    """On which side of the claimed range our figure lies: above, below, or neither."""
    low, high = claim.interval or (None, None)
    least, most = claim.claimed or (None, None)
    if low is not None and most is not None and low > most:
        return ABOVE
    return BELOW if high is not None and least is not None and high < least else ""


MANZKE, BITAN, COWLING, BAX, FERNANDES = (study.name for study in STUDIES)
THREE_GAMES = ("Sueca", "Bisca", "Hearts")
LESSONS = (
    Lesson(
        MANZKE,
        "Transpositions make ISMCTS stronger at equal iterations.",
        CONFIRMED,
        ("* leads at equal iterations", "* is behind at equal iterations"),
    ),
    Lesson(
        MANZKE,
        "ISMCTS-T needs far fewer iterations than ISMCTS to look as deep.",
        CONFIRMED,
        ("ISMCTS needs more than * as many *",),
    ),
    Lesson(
        MANZKE,
        "ISMCTS-T looks even deeper here than was printed.",
        REFUTED,
        ("ISMCTS-T looks deeper than 15 in 6.8 %*",),
        ABOVE,
    ),
    Lesson(
        MANZKE,
        "Inference from plays finds the spade honours more often than chance does, and twice as often late in a deal.",
        CONFIRMED,
        (
            "inferred worlds are right more often than uniform ones",
            "from trick 7 on inferred worlds are about twice as right: times",
        ),
    ),
    Lesson(MANZKE, "Whether inference wins points is open, here as there.", OPEN, ("ISMCTS-TI leads ISMCTS-T",)),
    Lesson(
        BITAN,
        "Against simulated players an agent with a model of bluffing wins more matches, and one that is told the truth yet "
        "more.",
        CONFIRMED,
        ("*PMGA wins more matches than *",),
    ),
    Lesson(
        BITAN,
        "An information set as one number makes hardly more simulations possible than bytes in a row, in compiled code.",
        REFUTED,
        ("* the encoding makes twelve times as many simulations possible",),
        BELOW,
    ),
    Lesson(
        BITAN,
        "The exploration constant that is printed does not suit our search, whose rewards are 0 to 1.",
        REFUTED,
        ("c = 0.0025 is the best where *",),
        BELOW,
    ),
    Lesson(
        BITAN,
        "The discount that is printed suits it: 0.975 and 1 lose against it.",
        CONFIRMED,
        ("discount=* loses against the stated value",),
    ),
    Lesson(
        BITAN,
        "The largest d of the grid is better than the one that is printed.",
        REFUTED,
        ("d=0.051 loses against the stated value",),
        ABOVE,
    ),
    Lesson(
        COWLING,
        "The expert, by our reading of its rules, is far stronger than was printed.",
        REFUTED,
        ("the expert wins 63.7 % against the reduced player",),
        ABOVE,
    ),
    Lesson(
        COWLING,
        "An ensemble that fights as the expert does beats the expert and the reduced player.",
        CONFIRMED,
        ("players with BT and MP beat the expert, *", "(*) outperforms the reduced player: wins"),
    ),
    Lesson(
        COWLING,
        "Playouts by the reduced player are no better than the expert's.",
        REFUTED,
        ("playouts by the reduced player win *",),
        BELOW,
    ),
    Lesson(
        COWLING,
        "A tree over all deals with a chance node for each draw is not the weakest player.",
        REFUTED,
        ("AP is weaker than the * player: wins",),
        ABOVE,
    ),
    Lesson(
        COWLING,
        "With one chance node at the top such a tree loses to the expert, more clearly than printed: the reading decides.",
        REFUTED,
        ("AP wins 23 % against the expert player, with one chance node at the top",),
        BELOW,
    ),
    Lesson(
        BAX,
        "Twice the iterations win more, at every number that was tried.",
        CONFIRMED,
        ("UCT * wins less than half of its matches against twice the iterations",),
    ),
    Lesson(
        BAX,
        "Samples that respect the cards played are better than those that do not.",
        CONFIRMED,
        ("*samples by cards played are better than random ones: points less",),
    ),
    Lesson(
        BAX,
        "The best samples still lose against open cards.",
        CONFIRMED,
        ("*the best samples still lose against open cards: wins",),
    ),
    Lesson(
        BAX,
        "Determinized players, as the paper describes them, win less than was printed.",
        REFUTED,
        ("random sample: wins", "cards played: wins", "suits and cards played: wins"),
        BELOW,
    ),
    Lesson(
        BAX,
        "Determinized players, as the paper describes them, take more points than was printed.",
        REFUTED,
        ("random sample: points", "cards played: points", "suits and cards played: points"),
        ABOVE,
    ),
    Lesson(
        FERNANDES,
        "The possibility matrix is not a uniform sampler.",
        REFUTED,
        ("the possibility matrix is uniform in general: *",),
    ),
    Lesson(
        FERNANDES,
        "ISMCTS beats determinized UCT in Sueca and Bisca.",
        CONFIRMED,
        ("Sueca: * (determinized UCT) lose against ISMCTS", "Bisca: * (determinized UCT) lose against ISMCTS"),
    ),
    Lesson(FERNANDES, "More iterations help in Bisca.", CONFIRMED, ("Bisca: * iterations are better than 10,000",)),
    Lesson(
        FERNANDES,
        "With the printed constants, by the equation, win or loss does worse in Bisca than was printed, and the score "
        "difference in Hearts.",
        REFUTED,
        ("Bisca: win or loss wins more often", "Hearts: score difference wins more often"),
        BELOW,
    ),
    Lesson(
        FERNANDES,
        "By the equation, little exploration loses in Bisca, where it was printed to be the best.",
        REFUTED,
        ("Bisca: *, exploration 0.25 is better than 0.7",),
        BELOW,
    ),
    Lesson(
        FERNANDES,
        "By the equation, little exploration loses in Sueca, where no difference was printed.",
        REFUTED,
        ("Sueca: *, exploration 0.25 is as good as 0.7",),
        BELOW,
    ),
    Lesson(
        FERNANDES,
        "By the definition of c beside his algorithms, which makes each constant twice as large, little exploration wins in "
        "Bisca with win or loss, as was printed.",
        CONFIRMED,
        ("by the definition: Bisca: win or loss, exploration 0.25 is better than 0.7",),
    ),
    Lesson(
        FERNANDES,
        "Minimax at the end wins no more often, and scores better, in all three games.",
        CONFIRMED,
        ("*: minimax does not change the win rate", "*: minimax improves the score"),
    ),
    Lesson(
        FERNANDES,
        "To play for the score once the win is decided costs no wins.",
        CONFIRMED,
        ("*: win, then score wins as often as the baseline",),
    ),
    Lesson(
        FERNANDES,
        "To play for the score once the win is decided improves the score, as the paper supposes.",
        CONFIRMED,
        ("*: win, then score improves the score",),
    ),
    Lesson(
        FERNANDES,
        "A constant below 0.25 does not help in Bisca, as the paper supposes it could.",
        REFUTED,
        ("Bisca: *, exploration 0.1 wins more often than 0.25",),
        BELOW,
    ),
    Lesson(
        FERNANDES,
        "Random players and open cards bound what search can reach, as was printed.",
        CONFIRMED,
        tuple(f"{game}: {who} wins as often as printed" for who in ("random", "open cards") for game in THREE_GAMES),
    ),
)


def shown_by(lesson: Lesson, outcomes: Mapping[str, Outcome]) -> list[Claim]:
    """The claims that bear on a lesson, in the order of its patterns."""
    study = next(study for study in STUDIES if study.name == lesson.study)
    claims = [claim for claim, _ in claims_of(study, outcomes)]
    return [claim for pattern in lesson.claims for claim in claims if fnmatchcase(claim.text, pattern)]


def in_words(study: Study, outcomes: Mapping[str, Outcome], page: str = "", most: int | None = None) -> list[str]:
    """The lessons of a study that these outcomes show, with links and figures: all, or some of each."""
    lines = []
    for lesson in LESSONS:
        claims = shown_by(lesson, outcomes)
        if lesson.study == study.name and lesson.holds(claims):
            links = " ".join(f"[{name}]({page}#{anchor(outcomes[name]['title'])})" for name in tried_in(lesson, outcomes))
            lines.append(f"- **{lesson.text}**{counted(lesson, claims)} {links}")
            lines += [f"  - {figures(claim)}" for claim in claims[:most]]
            left = len(claims) - len(claims[:most])
            lines += [f"  - and {left} more"] if left else []
    return lines


def tried_in(lesson: Lesson, outcomes: Mapping[str, Outcome]) -> list[str]:
    """The experiments that try the claims of a lesson."""
    study = next(study for study in STUDIES if study.name == lesson.study)
    shown = {claim.text for claim in shown_by(lesson, outcomes)}
    return list(dict.fromkeys(name for claim, name in claims_of(study, outcomes) if claim.text in shown))


def counted(lesson: Lesson, claims: Sequence[Claim]) -> str:
    """How many of the claims show a lesson, where not all of them do."""
    shown = sum(claim.verdict == lesson.verdict for claim in claims)
    if shown == len(claims):
        return ""
    others = "the other is" if len(claims) - shown == 1 else "the others are"
    return f" ({shown} of {len(claims)} claims; {others} not decided.)"


def figures(claim: Claim) -> str:
    """A claim in a line, with its figures."""
    published = claim.published if claim.kind == PROPOSAL else f"published {claim.published}"
    return f"{claim.text}: {published}, ours {claim.ours}"
