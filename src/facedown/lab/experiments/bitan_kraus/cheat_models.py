"""How well classifiers tell lies from truths in Cheat: Bitan & Kraus 2018, section 4.7 and figure 3a.

There, 60 people played each other, which made 2,432 claims; a claim was judged by a model fitted to the claims of
everybody but the two players at that table, and to what these two had claimed before. The random forest was best.
Departures:

1. People are simulated players: the sixty styles that models are trained on, in 30 pairs, two matches each.
2. Fitting a model for each claim is slow, so ten claims of each person, evenly spread, are judged in that way, or as
   many as the option `deals` says. Verdicts are of these. Without the past of the two a model serves all their claims, and
   all are judged: the areas by this protocol stand beside them.
3. The 21 features are ours (docs/cheat-people.md): the paper names four kinds. The network has two layers: how deep
   theirs was is not said. Where they oversample the rarer kind of claim, here it weighs more.
4. A person counts as one observation: intervals are the middle 95 % of what resampled people gave.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from facedown.games.cheat.styles import TRAINING_STYLES
from facedown.inference.cheat import NAMES
from facedown.kernel import Array
from facedown.lab.experiments.claims import Claim, impossible, larger, no_difference
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Plot, Row, Table, forest
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab
from facedown.stats import Estimate
from facedown.training.claims import Claims, claims_of, collected

KINDS = {"forest": "random forest", "network": "neural network", "svm": "SVM", "tree": "decision tree"}
BEST, WITHOUT_TIMES = "random forest", "random forest without times"
TIMES = ("seconds", "seconds_to_usual")
PEOPLE, QUICK_PEOPLE = TRAINING_STYLES, TRAINING_STYLES[:6]
JUDGED, QUICK_JUDGED = 10, 2  # claims of each person, with the past of both
QUICK_TREES = 4
CHOSEN = "implied: the forest was chosen"
ALARMS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9)  # where figure 3a is read off
ROC = Plot("curves", across="false alarms")
MARGIN = 0.02  # of AUC: less is no difference
RESAMPLES, FEW_PEOPLE = 400, 10
PAST, APART = "with their past", "without"
PUBLISHED = {
    f"AUC, {PAST}: {BEST}": Published(0.821),
    f"TPR: {BEST}": Published(0.753, rate=True),
    f"TNR: {BEST}": Published(0.740, rate=True),
    f"G-mean: {BEST}": Published(0.746, rate=True),
}

Scores = dict[str, Array]  # by classifier, for each claim that is judged
Figure = Callable[[Array, Array], float]  # of lies and scores


def played(lab: Lab) -> tuple[Claims, Array]:
    """The claims of all matches in their order, and the pair that made each."""
    people = PEOPLE if lab.full else QUICK_PEOPLE
    pairs = list(zip(people[::2], people[1::2], strict=True))
    names = [f"styles {first} and {second}" for first, second in pairs]
    lab.play(
        {
            name: Contest("cheat", [f"cheat-person:style={style}" for style in pair], 1, apart=number, most=1)
            for number, (name, pair) in enumerate(zip(names, pairs, strict=True))
        }
    )
    rows, tables = [], []
    for table, name in enumerate(names):
        for match, record in enumerate(lab.records(name)):
            found = list(claims_of(record, 2 * table + match))
            rows += found
            tables += [table] * len(found)
    return collected(rows), np.array(tables)


def judged_claims(claims: Claims, each: int) -> Array:
    """Some claims of each person, evenly spread over its own."""
    chosen = []
    for player in np.unique(claims.players):
        own = np.flatnonzero(claims.players == player)
        chosen.append(own[np.unique(((np.arange(each) + 0.5) * len(own) / each).astype(int))])
    return np.sort(np.concatenate(chosen))


def scored(lab: Lab, claims: Claims, tables: Array, judged: Array, past: bool) -> Scores:
    """Scores of the judged claims by models that know the claims of other tables, and the past of this one if they may."""
    from facedown.training.models import TREES, fitted, scores

    trees = TREES if lab.full else QUICK_TREES
    untimed = np.array([name not in TIMES for name in NAMES])
    number = np.arange(len(claims))  # in the order in which they were made, table by table

    def scores_of(tested: Array) -> dict[str, list[float]]:
        known = tables != tables[tested[0]]
        if past:
            known |= (number < tested[0]) & (tables == tables[tested[0]])
        seen = [(kind, name, claims.features) for kind, name in KINDS.items()]
        seen.append(("forest", WITHOUT_TIMES, claims.features[:, untimed]))
        found = {}
        for kind, name, features in seen:
            model = fitted(kind, features[known], claims.lies[known], lab.settings.seed, trees)
            found[name] = [float(score) for score in scores(model, features[tested])]
        return found

    if past:
        tested = {f"claim {place}": np.array([place]) for place in judged}
    else:
        tested = {f"table {table}": judged[tables[judged] == table] for table in np.unique(tables)}
    found = lab.measured(f"models {PAST if past else APART}", "fits", tested, scores_of)
    return {name: np.concatenate([one[name] for one in found.values()]) for name in (*KINDS.values(), WITHOUT_TIMES)}


def over_resampled_people(claims: Claims, figure: Callable[[Array], float], rate: bool = False) -> Estimate:
    """A figure of chosen claims, with the middle 95 % of what resampled people gave."""
    players = [np.flatnonzero(claims.players == player) for player in np.unique(claims.players)]
    rng = np.random.default_rng(0)
    samples = [
        figure(np.concatenate([players[place] for place in rng.integers(len(players), size=len(players))]))
        for _ in range(RESAMPLES if len(players) > FEW_PEOPLE else FEW_PEOPLE)
    ]
    low, high = np.nanquantile(samples, [0.025, 0.975])
    return Estimate(figure(np.arange(len(claims))), float(low), float(high), len(players), "people", rate, signed=False)


def estimated(claims: Claims, found: Array, figure: Figure, rate: bool = False) -> Estimate:
    """A figure of one classifier."""
    return over_resampled_people(claims, lambda chosen: figure(claims.lies[chosen], found[chosen]), rate)


def measure(lab: Lab) -> Findings:
    """All classifiers, with the past of the two players and without it."""
    from facedown.training.evaluation import auc, best_threshold, rates_at

    claims, tables = played(lab)
    usual = JUDGED if lab.full else QUICK_JUDGED
    each = lab.settings.deals or usual
    judged = judged_claims(claims, each)
    some = claims.where(judged)
    past = scored(lab, claims, tables, judged, past=True)
    apart = scored(lab, claims, tables, np.arange(len(claims)), past=False)
    at = best_threshold(some.lies, past[BEST])
    rates: dict[str, Figure] = {
        "TPR": lambda lies, found: rates_at(lies, found, at)[0],
        "TNR": lambda lies, found: rates_at(lies, found, at)[1],
        "G-mean": lambda lies, found: float(np.sqrt(np.prod(rates_at(lies, found, at)))),
    }
    areas = [(f"AUC, {PAST}: {name}", estimated(some, found, auc)) for name, found in past.items()]
    areas += [(f"AUC, {APART}: {name}", estimated(claims, found, auc)) for name, found in apart.items()]
    shares = [(f"{name}: {BEST}", estimated(some, past[BEST], figure, rate=True)) for name, figure in rates.items()]
    found_tables = [
        Table("Area under the curve", rows(areas), forest("area")),
        Table("At the threshold with the largest TPR x TNR", rows(shares)),
        Table("ROC curves: lies found", rows(curves(some, past)), ROC),
    ]
    past_gain = ahead(some, past[BEST], apart[BEST][judged])
    notes = [
        f"{len(claims):,} claims, {int(claims.lies.sum()):,} of them lies; {len(judged):,} were judged {PAST}.",
        f"What the past of the two players adds to the AUC of the random forest, on the same claims: {past_gain}.",
        "The threshold was chosen on the claims that it is judged on, as the paper seems to have done.",
    ]
    if each != usual:
        notes.append(
            f"{each} {'claim' if each == 1 else 'claims'} of each person, where the {lab.settings.scale} form has {usual}."
        )
    return Findings(found_tables, notes=notes, claims=verdicts(some, past))


def ahead(claims: Claims, one: Array, other: Array) -> Estimate:
    """How much larger the AUC of some scores is than that of others on the same claims."""
    from facedown.training.evaluation import auc

    def difference(chosen: Array) -> float:
        return auc(claims.lies[chosen], one[chosen]) - auc(claims.lies[chosen], other[chosen])

    return replace(over_resampled_people(claims, difference), signed=True)


def rows(figures: Sequence[tuple[str, Estimate]]) -> list[Row]:
    """Figures as rows."""
    return [Row(label, PUBLISHED.get(label), ours) for label, ours in figures]


def curves(claims: Claims, found: Scores) -> list[tuple[str, Estimate]]:
    """Figure 3a, read off at some shares of false alarms."""
    from facedown.training.evaluation import lies_found

    return [
        (
            f"{name}: false alarms {100 * alarms:g} %",
            estimated(claims, found[name], lambda lies, some, at=alarms: lies_found(lies, some, at), rate=True),  # type: ignore[misc]
        )
        for name in KINDS.values()
        for alarms in ALARMS
    ]


def verdicts(claims: Claims, found: Scores) -> list[Claim]:
    """What section 4.7 says of the classifiers, by its own protocol: models that know the past of the two players."""

    def best_over(name: str) -> Estimate:
        return ahead(claims, found[BEST], found[name])

    no_people = "Simulated players are as easy to read as they were made; ours is beside it in the table."
    return [
        larger("the random forest is better than an SVM: AUC", CHOSEN, best_over("SVM")),
        larger("the random forest is better than a decision tree: AUC", CHOSEN, best_over("decision tree")),
        no_difference("a neural network is about as good: AUC", "slightly lower, n.s.", best_over("neural network"), MARGIN),
        larger("the response time is one of the best features: AUC it adds", "no figure", best_over(WITHOUT_TIMES)),
        impossible("the random forest reaches an AUC of 0.821 on people", "0.821", no_people),
    ]


EXPERIMENT = Experiment(
    "cheat-models",
    "Cheat: how well lies are told from truths",
    "Bitan & Kraus 2018, section 4.7, figure 3a",
    PUBLISHED,
    measure,
)
