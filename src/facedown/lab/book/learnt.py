"""What the verdicts say taken together: counted from the claims, never typed by hand, and in the words of lessons.py."""

from collections.abc import Mapping, Sequence
from math import inf

from facedown.lab.book.lessons import figures, in_words
from facedown.lab.book.markdown import table
from facedown.lab.book.outcomes import Outcome, claims_of
from facedown.lab.book.studies import STUDIES
from facedown.lab.experiments.claims import CONFIRMED, KINDS, OPEN, PROPOSAL, REFUTED, Claim

MEANINGS = {
    "order": "one is larger than another",
    "figure": "how large it is",
    "no difference": "there is none worth speaking of",
    "proposal": "proposed, not tried in the paper",
    "other": "counted, or of another kind",
}

CHANCE = (
    "Each claim is judged by itself at 95 %, with no correction for their number: where there is no difference, one claim "
    "of an order in twenty is decided by chance. The fewer deals were played, the more a verdict may owe to luck."
)


def what_we_learnt(outcomes: Mapping[str, Outcome]) -> list[str]:
    """How many claims of each kind hold in each study, and which do not."""
    claims = {study: [claim for claim, _ in claims_of(study, outcomes)] for study in STUDIES}
    every = [claim for some in claims.values() for claim in some]
    kinds = [kind for kind in KINDS if any(claim.kind == kind and claim.ours for claim in every)]

    def cells(some: Sequence[Claim]) -> list[str]:
        undecided = [claim for claim in tried(some, OPEN) if claim.kind != PROPOSAL]
        return [*(holding(some, kind) for kind in kinds), f"{len(undecided)}"]

    rows = [
        [f"[{study.title}]({study.name}.md)", *cells(some)]
        for study, some in claims.items()
        if any(claim.ours for claim in some)
    ]
    rows.append(["**all**", *(f"**{cell}**" for cell in cells(every))])
    made = [claim for claim in every if claim.kind != PROPOSAL]
    confirmed, refuted, undecided = (len(tried(made, verdict)) for verdict in (CONFIRMED, REFUTED, OPEN))
    lines = [
        "## What we learnt",
        "",
        f"Of {confirmed + refuted + undecided} claims that were tried, {confirmed} hold, {refuted} do not, "
        f"and {undecided} are not decided{out_of_reach(made)}. How many hold of those that are decided, by what they claim:",
        "",
        table(
            [
                "study",
                *(f"{kind}: {MEANINGS[kind]}" for kind in kinds),
                "not decided",
            ],
            rows,
        ),
        "",
    ]
    return [*lines, *in_words(outcomes), CHANCE, "", *refuted_list(outcomes)]


def out_of_reach(claims: Sequence[Claim]) -> str:
    """How many claims stay open however many deals are played here; nothing if none does."""
    open_for_good = sum(claim.more == inf for claim in claims)
    return f", {open_for_good} of them because the printed figure itself is too uncertain (×∞)" if open_for_good else ""


def tried(claims: Sequence[Claim], verdict: str, kind: str | None = None) -> list[Claim]:
    """The claims with a verdict, of a kind or of all."""
    return [claim for claim in claims if claim.verdict == verdict and kind in (None, claim.kind)]


def holding(claims: Sequence[Claim], kind: str) -> str:
    """How many claims of a kind hold of those that are decided."""
    confirmed, refuted = (len(tried(claims, verdict, kind)) for verdict in (CONFIRMED, REFUTED))
    return f"{confirmed} of {confirmed + refuted}" if confirmed + refuted else "–"


def refuted_list(outcomes: Mapping[str, Outcome]) -> list[str]:
    """The claims that do not hold here."""
    lines = []
    for study in STUDIES:
        made = [claim for claim, _ in claims_of(study, outcomes) if claim.kind != PROPOSAL]
        refuted = tried(made, REFUTED)
        if refuted:
            lines += [f"Does not hold, of *{study.title}*:", ""]
            lines += [f"- {figures(claim)}" for claim in refuted]
            lines += [""]
    return lines
