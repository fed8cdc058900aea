"""The five studies, the experiments that make their tables and figures again, and what cannot be made again."""

from dataclasses import dataclass
from importlib import import_module
from inspect import cleandoc

from facedown.lab.experiments.claims import Claim, impossible


@dataclass(frozen=True)
class Study:
    """A study, and where its claims are tried."""

    name: str  # of its page
    title: str
    source: str
    experiments: tuple[str, ...]
    impossible: tuple[Claim, ...] = ()
    shared: str = ""  # a module that says more of how they are played than the experiments themselves
    shared_title: str = "What the experiments of this study share"
    shared_by: tuple[str, ...] = ()  # the experiments that it is about; without any, all
    terms: str = ""  # what the short names in its claims mean

    @property
    def sharing(self) -> tuple[str, ...]:
        """The experiments that share something."""
        return (self.shared_by or self.experiments) if self.shared else ()

    @property
    def shared_words(self) -> str:
        """What that module says at its top; nothing without one."""
        return cleandoc(import_module(self.shared).__doc__ or "") if self.shared else ""


EXPERIMENTS = "facedown.lab.experiments"
FIGURES = (  # of Fernandes 2016, chapter 6
    "tricks-determinization",
    "tricks-iterations",
    "tricks-bounds",
    "tricks-rewards",
    "tricks-exploration",
    "tricks-nast-policies",
    "tricks-ngrams",
    "tricks-minimax",
    "tricks-proposals",
    "tricks-readings",
)
STUDIES = (
    Study(
        "manzke-2025",
        "Transpositions and inference in Hearts",
        "H. B. Manzke, Monte Carlo Tree Search with Transposition Detection and Probabilistic Inference for the Card Game "
        "of Hearts, UFRGS, 2025",
        ("hearts-transpositions", "hearts-depths", "hearts-inference", "hearts-moons"),
        terms="ISMCTS-T is ISMCTS with transpositions; ISMCTS-TI also infers from plays who holds Q♠, K♠ and A♠. Places are "
        "seats in the order of play, of which the only player of its kind has the first (among three ISMCTS-T the last).",
        impossible=(
            impossible(
                "how ISMCTS-TI fares against people on PlayOk",
                "table 6.3, figure 6.7",
                "The games were played against people on a web site; there are no such people here.",
            ),
        ),
    ),
    Study(
        "bitan-kraus-2018",
        "A model of bluffing in Cheat",
        "M. Bitan and S. Kraus, Combining Prediction of Human Decisions with ISMCTS in Imperfect Information Games, 2018",
        ("cheat-models", "cheat-agents", "cheat-behaviour", "cheat-lies", "cheat-grid", "cheat-encoding"),
        shared=f"{EXPERIMENTS}.bitan_kraus.cheat_meetings",
        shared_title="The matches of cheat-agents and cheat-behaviour",
        shared_by=("cheat-agents", "cheat-behaviour"),
        terms="MGA takes true and false claims for equally likely, PMGA asks a model of bluffing, and FPMGA is told whether "
        "the last claim was true, correctly 85 % of the time. In Smooth-UCT c is the constant of UCB1 and d how fast its "
        "share falls with the visits.",
    ),
    Study(
        "cowling-2012",
        "Ensemble determinization in Magic",
        "P. I. Cowling, C. D. Ward and E. J. Powley, Ensemble Determinization in Monte Carlo Tree Search for the Imperfect "
        "Information Card Game Magic: The Gathering, IEEE TCIAIG, 2012",
        (
            "magic-expert-reduced",
            "magic-preliminaries",
            "magic-orders",
            "magic-all-deals",
            "magic-table-2",
            "magic-trees-100k",
            "magic-table-3",
            "magic-table-4",
            "magic-table-5",
            "magic-table-6",
        ),
        shared=f"{EXPERIMENTS}.cowling.magic_published",
        terms="BA is the baseline, an ensemble of 40 trees; AP searches all deals at once. The others are the baseline with "
        "one change: NL (a loss counts -1), MP (dominated moves are pruned), BT (binary decisions), IR and IL (worlds in "
        "which moves matter, at the root and at the leaves). Leads are percentage points of wins.",
    ),
    Study(
        "bax-2020",
        "Determinized UCT in Hearts with 32 cards",
        "F. Bax, Determinization with Monte Carlo Tree Search for the card game Hearts, Utrecht University, 2020",
        ("hearts32-table-1", "hearts32-table-2", "hearts32-readings", "hearts32-program"),
        shared=f"{EXPERIMENTS}.bax.bax_program",
        shared_title="The author's program, which hearts32-program plays by",
        shared_by=("hearts32-readings", "hearts32-program"),
        terms="UCT 50 sees all cards and makes 50 iterations. Samples of hidden cards are random, or keep to the cards "
        "played, or to these and to the suits that others are known to lack.",
    ),
    Study(
        "fernandes-2016",
        "Sueca, Bisca and Hearts",
        "P. R. O. Fernandes, Framework for Monte Carlo Tree Search-related strategies in Competitive Card Based Games, "
        "FEUP, 2016",
        ("tricks-samplers", "tricks-trees", *FIGURES),
        terms="PWL, WL and SD are rewards: 1 for a win and 0 for a loss; 1 and -1; the score difference. NAST learns "
        "playouts from sequences of actions. Leads are percentage points of wins more than the baseline has.",
        shared=f"{EXPERIMENTS}.fernandes.three_games",
        shared_by=FIGURES,
    ),
)


def background_of(experiment: str) -> tuple[str, str] | None:
    """What its study says beside the experiment's own setup, with a title; None if it says nothing or there is none."""
    study = next((study for study in STUDIES if experiment in study.sharing), None)
    return (study.shared_title, study.shared_words) if study else None
