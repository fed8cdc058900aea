"""How a search goes, and how far it has got: one record that kernels read and count in.

A search for the match has a record type of its own, and kernels are compiled for that type: so a search for anything else
need not be compiled with what a match is worth, and the other way round.
"""

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, by_field, kernel, new_records
from facedown.rewards import MATCH

RUN = np.dtype(
    [
        ("lock", np.int64),  # the first field, where kernel.acquire looks for it: held by a thread that changes the tree
        # Set before:
        ("seat", np.int64),  # whose search it is
        ("seats", np.int64),
        ("actions", np.int64),  # actions are numbers below this
        ("exploration", np.float64),
        ("equivalence", np.float64),  # trials with which the means of AMAF and of visits weigh the same; 0 without AMAF
        ("reward", np.int64),  # one of rewards.REWARDS
        ("virtual_loss", np.float64),  # what a visit counts for until its result is there
        ("discount", np.float64),  # what a reward is worth a turn later
        ("turns", np.int64),  # taken before the search
        ("worlds", np.int64),  # how many different ones there are to come; 0 where each is drawn afresh
        ("merge", np.bool_),  # take suits that differ only in name for the same
        ("most_depth", np.int64),  # actions to the end, at most
        ("ngram", np.int64),  # how many actions a playout looks up at a time, its own included
        ("policy", np.int64),  # one of ngrams.KINDS, or a style of rule play
        ("parameter", np.float64),  # what the policy of playouts makes of it
        ("eta", np.float64),  # of Smooth-UCT, as the two below: how often UCB1 decides at first
        ("gamma", np.float64),  # at least
        ("d", np.float64),  # and how fast it falls
        ("room", np.int64),  # nodes the tree has room for; more between slices
        # Counted:
        ("choices", np.int64),  # made on the way down, in all iterations
        ("simulations", np.int64),  # where hypotheses take turns
        ("root", np.int64),  # where the simulation under way begins, where there are several
        ("nodes", np.int64),
        ("sets", np.int64),  # of the nodes, those in the table of information sets
        ("edges", np.int64),
        ("transpositions", np.int64),  # edges to a position that was known already
        ("depth_total", np.int64),
        ("depth_most", np.int64),
    ],
    align=True,
)
FOR_MATCH = "for_match"  # a field that says by being there what is searched for
LOCK, *OTHERS = [(name, RUN[name]) for name in RUN.names or ()]
MATCH_RUN = np.dtype([LOCK, (FOR_MATCH, np.int64), *OTHERS], align=True)


@kernel
def count_depth(run: Record, depth: int) -> None:
    """Count how deep an iteration went."""
    run.depth_total += depth
    run.depth_most = max(run.depth_most, depth)


@kernel
def write_reward_of_deal(run: Record, world: Record, rewards: Array) -> None:
    """A reward of any kind but that of the match."""
    rules.reward(world, run.reward, rewards)


@kernel
def write_reward_in_match(run: Record, world: Record, rewards: Array) -> None:
    """The reward of the match."""
    rules.reward(world, MATCH, rewards)


write_reward = by_field(FOR_MATCH, write_reward_in_match, write_reward_of_deal)  # (run, world, rewards)


def new_run(**values: float) -> Array:
    """A RUN record, in an array of one; it holds a root. Where the reward is that of the match, it is a MATCH_RUN."""
    run = new_records(1, MATCH_RUN if values.get("reward") == MATCH else RUN)
    run["nodes"] = run["discount"] = 1
    for name, value in values.items():
        run[name] = value
    return run
