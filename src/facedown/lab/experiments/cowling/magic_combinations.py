"""Cowling, Ward and Powley 2012, section VII-D: enhancements together (Table V), and with 100,000 simulations (Table VI).

Departures beside those of the whole study:

1. A trial of Tables V and VI is taken to be 50 deals with both seats, as in section VII-A.
2. Of the sentences below Table V, that playouts by the reduced player are better and that all players with an enhancement
   beat that player, four combinations are tried: BT and MP, one of them, none.
3. The paper says which enhancements interact, not in which direction. The claims have the direction of its tables.
4. Table VI is tried with the standard deck.
"""

from collections.abc import Callable, Mapping

from facedown import stats
from facedown.arena.tournament import TournamentResult
from facedown.errors import BadData
from facedown.lab.experiments.claims import Claim, larger, smaller
from facedown.lab.experiments.cowling.magic_players import (
    BUDGET,
    DECKS,
    EXPERT,
    FLAGS,
    QUICK_BUDGET,
    REDUCED,
    combinations,
    duel,
    ensemble,
    lead_of,
    seconds_rows,
    wins_by_deal,
)
from facedown.lab.experiments.cowling.magic_published import EVEN, GAMES, SOURCE, STANDARD, as_printed, lead, rate, with_deck
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Significance, Table, forest
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.stats import Estimate

Results = Mapping[str, TournamentResult]
SIXTEEN = {
    "(BT, MP, NL, IR)": (49.5, 0.21),
    "(BT, MP, NL, -)": (50.5, 0.17),
    "(BT, MP, -, IR)": (50.4, 0.27),
    "(BT, MP, -, -)": (50.5, 0.20),
    "(BT, -, NL, IR)": (47.0, 0.31),
    "(BT, -, NL, -)": (47.7, 0.23),
    "(BT, -, -, IR)": (47.6, 0.28),
    "(BT, -, -, -)": (47.6, 0.19),
    "(-, MP, NL, IR)": (47.4, 1.01),
    "(-, MP, NL, -)": (44.5, 1.05),
    "(-, MP, -, IR)": (47.7, 1.00),
    "(-, MP, -, -)": (46.1, 1.05),
    "(-, -, NL, IR)": (48.3, 1.00),
    "(-, -, NL, -)": (43.6, 0.92),
    "(-, -, -, IR)": (47.7, 1.01),
    "(-, -, -, -)": (43.9, 0.79),
}
EIGHT = {
    "(BT, MP, IR)": (51.2, 3.21),
    "(BT, MP, -)": (51.5, 3.21),
    "(BT, -, IR)": (51.6, 3.63),
    "(BT, -, -)": (52.0, 3.36),
    "(-, MP, IR)": (44.3, 8.38),
    "(-, MP, -)": (44.7, 7.91),
    "(-, -, IR)": (47.2, 6.83),
    "(-, -, -)": (37.3, 6.45),
}
ENOUGH = ("BT", "MP", "IR")  # of Table VI
TRIALS_5, TRIALS_6 = 100, 40
PLAYOUTS_WORTH = Published(10.0, printed="around +10 in most cases")  # points of wins
QUICK_STEP = 3  # every third combination has and lacks each of the four, and each pair
FOUR = ("(BT, MP, -, -)", "(BT, -, -, -)", "(-, MP, -, -)", "(-, -, -, -)")
TOGETHER = (("BT", "MP"), ("BT", "IR"), ("MP", "IR"), ("BT", "MP", "IR"))  # whose interaction was significant at 99 %
SEVERAL_TESTS = (
    "Claims are judged by intervals over deals, which all players share. The analysis of variance, the test of the paper, "
    "takes all results as independent, so the two may differ. How many points an effect is worth was not printed: it "
    "follows from the paper's table."
)


def published(figures: Mapping[str, tuple[float, float]], trials: int) -> dict[str, Published]:
    """The figures of Table V or VI."""
    wins = {name: rate(percent, GAMES * trials) for name, (percent, _) in figures.items()}
    return {**wins, **{f"{name}: seconds": Published(seconds) for name, (_, seconds) in figures.items()}}


TABLE_5, TABLE_6 = published(SIXTEEN, TRIALS_5), published(EIGHT, TRIALS_6)


# --- What an enhancement is worth ---------------------------------------------------------------------------------------

SIDES = {2: ("both or neither", "one"), 3: ("all three or one of them", "two or none")}  # of an interaction


def printed(figures: Mapping[str, tuple[float, float]], trials: int, chosen: Callable[[str], bool]) -> Published:
    """The mean of published rates with something less that of those without it, in points."""
    yes, no = ([percent for name, (percent, _) in figures.items() if chosen(name) is wanted] for wanted in (True, False))
    return lead(yes, no, GAMES * trials)


def worth(results: Results, chosen: Callable[[str], bool]) -> Estimate:
    """The same of ours."""
    yes, no = ([result for name, result in results.items() if chosen(name) is wanted] for wanted in (True, False))
    return lead_of(yes, no)


def enhancement_claims(results: Results) -> list[Claim]:
    """What each enhancement of Table V is worth, and which of them interact, as in an analysis of variance."""
    claims = []
    for flag, level in (("BT", 99), ("MP", 99), ("IR", 99), ("NL", 90)):

        def has(name: str, flag: str = flag) -> bool:
            return flag in name

        text = f"{flag} improves wins against the expert"
        figure, ours = printed(SIXTEEN, TRIALS_5, has), worth(results, has)
        claims.append(larger(text, told(figure, level), ours))
        claims.append(as_printed(f"{flag} is worth as many points as printed", figure, ours))
    for flags in TOGETHER:

        def alike(name: str, flags: tuple[str, ...] = flags) -> bool:
            return sum(flag not in name for flag in flags) % 2 == 0

        figure = printed(SIXTEEN, TRIALS_5, alike)
        judge, word = (larger, "more") if figure.value > 0 else (smaller, "less")
        some, others = SIDES[len(flags)]
        names = f"{', '.join(flags[:-1])} and {flags[-1]}"
        text = f"{names} interact: players with {some} win {word} than those with {others}"
        claims.append(judge(text, told(figure, 99), worth(results, alike)))
    return claims


def told(figure: Published, level: int) -> str:
    """An effect as it was published: its size follows from the table, its significance is in the text."""
    return f"{figure} points by the table; significant at {level} % in the text"


def strongest_claims(results: Results) -> list[Claim]:
    """The players with BT and MP of Table V are the strongest, and a little better than the expert."""

    def both(name: str) -> bool:
        return "BT" in name and "MP" in name

    won = [wins_by_deal(result) for name, result in results.items() if both(name)]
    wins = stats.win_rate_by_deal(
        [one for by_deal in won for one in by_deal], [deal for one in won for deal in range(len(one))]
    )
    rates = [percent for name, (percent, _) in SIXTEEN.items() if both(name)]
    figure, ours = printed(SIXTEEN, TRIALS_5, both), worth(results, both)
    return [
        larger("players with BT and MP win more than all others", f"{figure} points", ours),
        as_printed("players with BT and MP win as many points more as printed", figure, ours),
        larger("players with BT and MP beat the expert", f"{sum(rates) / len(rates):.1f} %", wins, EVEN),
    ]


def analysis(results: Results, names: tuple[str, ...], deck: str) -> list[Significance]:
    """The paper's analysis of variance, as far as the results have any."""
    values: list[float] = []
    factors: dict[str, list[bool]] = {name: [] for name in names}
    for label, result in results.items():
        won = wins_by_deal(result)
        values += won
        for name in names:
            factors[name] += [name in label] * len(won)
    try:
        return [Significance(f"wins, deal by deal, {deck}", stats.multiway_anova(values, factors, interactions=3))]
    except BadData:  # one deal each, or the same result in all of them
        return []


# --- Table V ------------------------------------------------------------------------------------------------------------


def play(lab: Lab, players: Mapping[str, str], opponent: str, deals: int, deck: str, title: str = "") -> Results:
    """Players against one by rule."""
    names = {name: f"{deck}, {name}{title} against {opponent}" for name in players}
    results = lab.play({names[name]: duel(text, opponent, deals, DECKS[deck]) for name, text in players.items()})
    return {name: results[names[name]] for name in players}


def measure_sixteen(lab: Lab) -> Findings:
    """All combinations of four enhancements against the expert, with both decks; and the sentences below the table."""
    budget, deals = (BUDGET, 50 * TRIALS_5) if lab.full else (QUICK_BUDGET, 3)
    players = {name: ensemble(option, budget) for name, option in combinations(FLAGS).items()}
    tables: list[Table] = []
    tests: list[Significance] = []
    claims: list[Claim] = []
    results: dict[str, Results] = {}
    for deck in DECKS:
        some = list(players)[:: 1 if lab.full or deck == STANDARD else QUICK_STEP]
        results[deck] = play(lab, {name: players[name] for name in some}, EXPERT, deals, deck)
        rows = [Row(name, TABLE_5[name], result.standing(0).wins) for name, result in results[deck].items()]
        tables.append(Table(f"Wins against the expert, {deck}", rows))
        tests += analysis(results[deck], FLAGS, deck)
        claims += with_deck([*enhancement_claims(results[deck]), *strongest_claims(results[deck])], deck)
    below, more = sentences(lab, players, results[STANDARD], deals)
    tables += [
        below,
        Table(f"CPU seconds a move, {STANDARD}", seconds_rows(lab, players, TABLE_5), forest("seconds", log=True)),
    ]
    return Findings(tables, tests, [SEVERAL_TESTS], claims + more)


def sentences(lab: Lab, players: Mapping[str, str], results: Results, deals: int) -> tuple[Table, list[Claim]]:
    """Playouts by the expert against the expert, and the usual ones against the reduced player."""
    by_expert = {name: f"{players[name]},playout=rules" for name in FOUR}
    expert = play(lab, by_expert, EXPERT, deals, STANDARD, ", playouts by the expert,")
    reduced = play(lab, {name: players[name] for name in FOUR}, REDUCED, deals, STANDARD)
    wins = {f"{name}: playouts by the expert, against the expert": one.standing(0).wins for name, one in expert.items()}
    wins |= {f"{name}: against the reduced player": one.standing(0).wins for name, one in reduced.items()}
    gain = lead_of([results[name] for name in FOUR], list(expert.values()))
    claims = [
        larger("playouts by the reduced player win more than the expert's: points", str(PLAYOUTS_WORTH), gain),
        as_printed("playouts by the reduced player win around 10 points more than the expert's", PLAYOUTS_WORTH, gain),
    ]
    for name in FOUR[:-1]:
        text = f"{name} outperforms the reduced player: wins"
        claims.append(larger(text, "significantly", wins[f"{name}: against the reduced player"], EVEN))
    return Table(f"The sentences below Table V, {STANDARD}", [Row(name, None, one) for name, one in wins.items()]), claims


# --- Table VI -----------------------------------------------------------------------------------------------------------


def binary(name: str) -> bool:
    """Whether a player has binary trees."""
    return "BT" in name


def measure_eight(lab: Lab) -> Findings:
    """Ten times the simulations, in as many trees; and the same players with those of Table V on the same deals."""
    budget, deals = (BUDGET, 50 * TRIALS_6) if lab.full else (QUICK_BUDGET, 4)
    options = combinations(ENOUGH)
    players = {name: ensemble(option, 10 * budget if lab.full else budget) for name, option in options.items()}
    results = play(lab, players, EXPERT, deals, STANDARD)
    before = {name: ensemble(option, budget) for name, option in options.items()}
    fewer = play(lab, before, EXPERT, deals, STANDARD, " of Table V")
    tables = [
        Table(
            f"Wins against the expert, {STANDARD}",
            [Row(name, TABLE_6[name], one.standing(0).wins) for name, one in results.items()],
        ),
        Table(
            f"Wins with 10,000 simulations, same deals, {STANDARD}",
            [Row(f"{name}: 10,000", None, one.standing(0).wins) for name, one in fewer.items()],
        ),
        Table(f"CPU seconds a move, {STANDARD}", seconds_rows(lab, players, TABLE_6), forest("seconds", log=True)),
    ]
    return Findings(tables, analysis(results, ENOUGH, STANDARD), [SEVERAL_TESTS], more_claims(results, fewer))


def more_claims(results: Results, fewer: Results) -> list[Claim]:
    """What ten times the simulations are worth, with binary trees and without."""

    def gain(wanted: bool) -> Estimate:
        return lead_of(*([one for name, one in group.items() if binary(name) is wanted] for group in (results, fewer)))

    text = f"BT improves wins against the expert with 100,000 simulations, {STANDARD}: points"
    figure, ours = printed(EIGHT, TRIALS_6, binary), worth(results, binary)
    more, less = (
        f"ten times the simulations win {word} against the expert, {STANDARD}: points" for word in ("more", "less")
    )
    return [
        larger(text, str(figure), ours),
        as_printed(f"BT is worth as many points as printed with 100,000 simulations, {STANDARD}", figure, ours),
        larger(f"with BT {more}", "modest improvements", gain(True)),
        smaller(f"without BT {less}", "no better, slightly worse", gain(False)),
    ]


MAGIC_TABLE_5 = Experiment(
    "magic-table-5", "Magic: sixteen combinations of enhancements", f"{SOURCE}, Table V", TABLE_5, measure_sixteen
)
MAGIC_TABLE_6 = Experiment(
    "magic-table-6", "Magic: eight combinations with 100,000 simulations", f"{SOURCE}, Table VI", TABLE_6, measure_eight
)
