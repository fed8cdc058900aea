"""How right the inference of spade honours is: Manzke 2025, figures 6.3 to 6.6, by trick and in all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from facedown import stats
from facedown.lab.experiments.claims import Claim, equal, larger, no_difference, smaller
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Table, bars, curves
from facedown.stats import Estimate
from facedown.training.honour_accuracy import Judged

TRICKS = range(1, 13)  # the last trick leaves no choice
SAMPLED = 1000  # worlds for a decision
ROUNDS = 9000
SEATINGS = 4  # rounds of a deal
OTHERS = 3  # players
TOTALS = {"sampled": 23_489_000, "inferred": 8_256_824, "uniform": 4_462_770}  # worlds, and those that were right
ALL, BEFORE_QUEEN = "all decisions", "while Q♠ is in the game"
BELIEVED = "while Q♠ is in the game, all three newest histories in the table"
A_ROUND = Published(round(TOTALS["sampled"] / ROUNDS / SAMPLED, 2), count=ROUNDS)  # decisions
KINDS = ("inferred", "uniform")
SAME, TWICE = 0.02, 1.5  # accuracies that are the same, and a ratio that counts as about 2
LATE = 7  # the tricks from this one on count as those of a round that has progressed
MARGIN = 0.03
DRAWN_MARGIN = 500  # worlds a round, of which there are 1,000 for a decision

PUBLISHED = {
    f"{BEFORE_QUEEN}: inferred": Published(0.35, rate=True),
    f"{BEFORE_QUEEN}: uniform": Published(0.19, rate=True),
    **{f"all tricks: {name}": Published(round(count / ROUNDS, 1), count=ROUNDS) for name, count in TOTALS.items()},
    **dict.fromkeys((f"{name}: a round" for name in (ALL, BEFORE_QUEEN, BELIEVED)), A_ROUND),
}
Figure = Callable[[Judged], float]


@dataclass(frozen=True)
class Decisions:
    """Decisions where inference matters, with the numbers of their rounds, of so many rounds."""

    judged: Sequence[tuple[int, Judged]]
    rounds: int

    @classmethod
    def of(cls, rounds: Sequence[Sequence[Judged]]) -> "Decisions":
        """Those of some rounds, from the first one on."""
        return cls([(number, one) for number, found in enumerate(rounds) for one in found], len(rounds))

    def where(self, keep: Callable[[Judged], bool]) -> "Decisions":
        """Some of them, of the same rounds."""
        return Decisions([(number, one) for number, one in self.judged if keep(one)], self.rounds)

    @property
    def before_queen(self) -> "Decisions":
        """Those before Q♠ is played."""
        return self.where(lambda one: one.queen_left)

    def at(self, trick: int) -> "Decisions":
        """Those of a trick."""
        return self.where(lambda one: one.trick == trick)

    def rate(self, figure: Figure) -> Estimate:
        """The mean of a share, over deals."""
        return stats.win_rate_by_deal(
            [figure(one) for _, one in self.judged], [number // SEATINGS for number, _ in self.judged]
        )

    def a_round(self, figure: Figure) -> Estimate:
        """The sum of a figure in a round."""
        return stats.mean_by_deal(self.sums(figure), [number // SEATINGS for number in range(self.rounds)]).unsigned()

    def sums(self, figure: Figure) -> list[float]:
        """The sum of a figure in each round."""
        sums = [0.0] * self.rounds
        for number, one in self.judged:
            sums[number] += figure(one)
        return sums

    # --- Figures ------------------------------------------------------------------------------------------------------

    def tables(self) -> list[Table]:
        """Figures 6.3 to 6.6."""
        before = self.before_queen
        tricks = [(trick, some) for trick in TRICKS if (some := before.at(trick)).judged]
        groups = {ALL: self, BEFORE_QUEEN: before, **{f"trick {trick}": some for trick, some in tricks}}
        right = [
            Row(f"{name}: {kind}", PUBLISHED.get(f"{name}: {kind}"), some.rate(accuracy(kind)))
            for name, some in groups.items()
            for kind in KINDS
            if some.judged
        ]
        counts = [Row(f"trick {trick}", None, before.at(trick).a_round(lambda _: 1.0)) for trick in TRICKS]
        likelier = [Row(f"{name}: likelier", None, some.rate(better)) for name, some in groups.items() if some.judged]
        return [
            Table("Decisions where inference matters, a round (figure 6.3)", counts, curves("trick", up="decisions")),
            Table("Worlds whose honours lie right (figure 6.4)", right, curves("trick")),
            Table("How often inference makes the truth likelier (figure 6.5)", likelier, curves("trick")),
            Table(
                "Worlds that are drawn, and those that are right, a round (figure 6.6)",
                before.worlds(),
                curves("trick", up="worlds"),
            ),
            Table("Decisions where inference matters, a round, by what counts", self.counts(), bars("decisions")),
        ]

    def counts(self) -> list[Row]:
        """Decisions a round, in each way to count them."""
        believed = self.before_queen.where(lambda one: one.known == OTHERS)
        ways = {ALL: self, BEFORE_QUEEN: self.before_queen, BELIEVED: believed}
        return [Row(f"{name}: a round", A_ROUND, some.a_round(lambda _: 1.0)) for name, some in ways.items()]

    def worlds(self) -> list[Row]:
        """Figure 6.6."""
        rows = []
        for name in TOTALS:
            for text, some in {"all tricks": self, **{f"trick {trick}": self.at(trick) for trick in TRICKS}}.items():
                own = f"{text}: {name}"
                rows.append(Row(own, PUBLISHED.get(own), some.a_round(worlds_of(name))))
        return rows

    # --- Claims -------------------------------------------------------------------------------------------------------

    def claims(self) -> list[Claim]:
        """What the paper says of its accuracy, as far as it was measured."""
        before = self.before_queen
        first, late = before.at(1), before.where(lambda one: one.trick >= LATE)
        if not (first.judged and late.judged):
            return []
        inferred, uniform = (before.rate(accuracy(kind)) for kind in KINDS)
        return [
            *before.claims_of_counts(),
            drawn_as_printed(before.a_round(worlds_of("sampled"))),
            equal("inferred worlds whose honours lie right", PUBLISHED[f"{BEFORE_QUEEN}: inferred"], inferred, MARGIN),
            equal("uniform worlds whose honours lie right", PUBLISHED[f"{BEFORE_QUEEN}: uniform"], uniform, MARGIN),
            larger("inferred worlds are right more often than uniform ones", "35 % and 19 %", before.gain()),
            no_difference(
                "in the first trick inferred worlds are as right as uniform ones: inferred more",
                "figure 6.4",
                first.gain(),
                SAME,
            ),
            larger(f"from trick {LATE} on inferred worlds are about twice as right: times", "about 2", late.ratio(), TWICE),
            larger("inference makes the truth likelier in most decisions", "figure 6.5", before.rate(better), 0.5),
            larger(
                "even in the first trick inference makes the truth likelier in most decisions",
                "figure 6.5",
                first.rate(better),
                0.5,
            ),
        ]

    def claims_of_counts(self) -> list[Claim]:
        """Figure 6.3: fewer decisions as the round goes on, and fewer in the first trick than in the second."""
        deals = [number // SEATINGS for number in range(self.rounds)]
        first, second, seventh, last = (self.at(trick).sums(lambda _: 1.0) for trick in (1, 2, LATE, 12))
        return [
            smaller(
                "inference matters less often in the first trick than in the second, decisions a round",
                "figure 6.3",
                stats.paired_difference(first, second, deals),
            ),
            *(
                smaller(
                    f"inference matters less often in trick {later} than in trick {earlier}, decisions a round",
                    "figure 6.3",
                    stats.paired_difference(less, more, deals),
                )
                for (earlier, more), (later, less) in (((2, second), (LATE, seventh)), ((LATE, seventh), (12, last)))
            ),
        ]

    def gain(self) -> Estimate:
        """By how much the share of right worlds is larger by inference."""
        ours, theirs = ([getattr(one, kind) for _, one in self.judged] for kind in KINDS)
        return stats.paired_difference(ours, theirs, [number // SEATINGS for number, _ in self.judged])

    def ratio(self) -> Estimate:
        """How many times as right inferred worlds are, over all of these decisions."""
        ours, theirs = ([getattr(one, kind) for _, one in self.judged] for kind in KINDS)
        return stats.ratio(ours, theirs, [number // SEATINGS for number, _ in self.judged])


def drawn_as_printed(ours: Estimate) -> Claim:
    """The claim of figure 6.6 of how many worlds are drawn, which tells how many decisions count."""
    text = "worlds that are drawn a round, 1,000 for each decision where inference matters"
    return equal(text, PUBLISHED["all tricks: sampled"], ours, DRAWN_MARGIN)


def accuracy(kind: str) -> Figure:
    """The share of worlds that are right."""
    return lambda one: float(getattr(one, kind))


def better(one: Judged) -> float:
    """Whether inference makes the truth likelier than a uniform draw does."""
    return float(one.inferred > one.uniform)


def worlds_of(name: str) -> Figure:
    """How many worlds are drawn for a decision, or are right of them."""
    return lambda one: SAMPLED * (1.0 if name == "sampled" else float(getattr(one, name)))
