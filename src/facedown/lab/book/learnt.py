"""What the verdicts say taken together: how many claims hold, of which kind, and which do not. Lessons are in lessons.py."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import inf

from facedown.lab.book.lessons import figures
from facedown.lab.book.markdown import table
from facedown.lab.book.outcomes import Outcome, claims_of
from facedown.lab.book.studies import STUDIES
from facedown.lab.experiments.claims import (
    CONFIRMED,
    FIGURE,
    IMPOSSIBLE,
    LEVEL,
    OPEN,
    ORDER,
    REFUTED,
    UNCOUNTED,
    VERDICTS,
    Claim,
)

MEANINGS = {
    ORDER: "claims that one is larger than another",
    FIGURE: "claims of how large it is",
    LEVEL: "claims that there is no difference worth speaking of",
}
CHANCE = (
    "Each claim is judged by itself at 95 %, with no correction for their number: where there is no difference, one claim "
    "of an order in twenty is decided by chance. The fewer deals were played, the more a verdict may owe to luck."
)


def counted(claims: Iterable[Claim]) -> list[Claim]:
    """The claims that papers make, each once: without proposals, and without tries by other readings."""
    return [claim for claim in claims if claim.kind not in UNCOUNTED]


def verdicts(claims: Iterable[Claim]) -> dict[str, int]:
    """How many of the claims that papers make have each verdict."""
    counts = Counter(claim.verdict for claim in counted(claims))
    return {verdict: counts[verdict] for verdict in VERDICTS}


def how_many_hold(outcomes: Mapping[str, Outcome]) -> list[str]:
    """How many claims of each study have each verdict, and how many of each kind hold."""
    claims = {study: counted(claim for claim, _ in claims_of(study, outcomes)) for study in STUDIES}
    rows = [[f"[{study.title}]({study.name}.md)", *cells(some)] for study, some in claims.items() if some]
    every = [claim for some in claims.values() for claim in some]
    rows.append(["**all**", *(f"**{cell}**" for cell in cells(every))])
    head = ["study", CONFIRMED, REFUTED, OPEN, "of these ×∞", IMPOSSIBLE]
    return [table(head, rows), "", f"{by_kind(every)} {CHANCE}", ""]


def cells(claims: Sequence[Claim]) -> list[str]:
    """How many claims have each verdict, and how many of those that are not decided stay so."""
    counts = verdicts(claims)
    out_of_reach = sum(claim.more == inf for claim in claims)
    return [f"{one}" for one in (counts[CONFIRMED], counts[REFUTED], counts[OPEN], out_of_reach, counts[IMPOSSIBLE])]


def by_kind(claims: Sequence[Claim]) -> str:
    """How many claims of each kind hold, in a sentence."""
    shares = {kind: holding(claims, kind) for kind in MEANINGS}
    parts = [f"{share} {MEANINGS[kind]}" for kind, share in shares.items() if share]
    return f"Of those that are decided hold: {'; '.join(parts)}." if parts else ""


def holding(claims: Sequence[Claim], kind: str) -> str:
    """How many claims of a kind hold of those that are decided; nothing where none is."""
    found = verdicts(claim for claim in claims if claim.kind == kind)
    decided = found[CONFIRMED] + found[REFUTED]
    return f"{found[CONFIRMED]} of {decided}" if decided else ""


def refuted_list(claims: Iterable[Claim]) -> list[str]:
    """The claims of a study that do not hold here."""
    return [f"- {figures(claim)}" for claim in counted(claims) if claim.verdict == REFUTED]
