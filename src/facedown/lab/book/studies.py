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
    shared: str = ""  # the module that says what its experiments share

    @property
    def shared_words(self) -> str:
        """What its experiments share, as that module says at its top; nothing without one."""
        return cleandoc(import_module(self.shared).__doc__ or "") if self.shared else ""


EXPERIMENTS = "facedown.lab.experiments"
STUDIES = (
    Study(
        "manzke-2025",
        "Transpositions and inference in Hearts",
        "H. B. Manzke, Monte Carlo Tree Search with Transposition Detection and Probabilistic Inference for the Card Game "
        "of Hearts, UFRGS, 2025",
        ("hearts-transpositions", "hearts-depths", "hearts-inference", "hearts-moons"),
        (
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
    ),
    Study(
        "cowling-2012",
        "Ensemble determinization in Magic",
        "P. I. Cowling, C. D. Ward and E. J. Powley, Ensemble Determinization in Monte Carlo Tree Search for the Imperfect "
        "Information Card Game Magic: The Gathering, IEEE TCIAIG, 2012",
        (
            "magic-expert-reduced",
            "magic-preliminaries",
            "magic-all-deals",
            "magic-table-2",
            "magic-trees-100k",
            "magic-table-3",
            "magic-table-4",
            "magic-table-5",
            "magic-table-6",
        ),
        shared=f"{EXPERIMENTS}.cowling.magic_published",
    ),
    Study(
        "bax-2020",
        "Determinized UCT in Hearts with 32 cards",
        "F. Bax, Determinization with Monte Carlo Tree Search for the card game Hearts, Utrecht University, 2020",
        ("hearts32-table-1", "hearts32-table-2", "hearts32-readings", "hearts32-program"),
        shared=f"{EXPERIMENTS}.bax.bax_program",
    ),
    Study(
        "fernandes-2016",
        "Sueca, Bisca and Hearts",
        "P. R. O. Fernandes, Framework for Monte Carlo Tree Search-related strategies in Competitive Card Based Games, "
        "FEUP, 2016",
        (
            "tricks-samplers",
            "tricks-trees",
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
        ),
        shared=f"{EXPERIMENTS}.fernandes.three_games",
    ),
)


def shared_words(experiment: str) -> str:
    """What an experiment shares with the others of its study; nothing if it belongs to none."""
    return "".join(study.shared_words for study in STUDIES if experiment in study.experiments)
