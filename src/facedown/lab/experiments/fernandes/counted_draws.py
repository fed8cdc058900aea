"""How often samplers draw each world: a kernel, in a file without the large packages that its digest would read."""

from facedown.kernel import Array, Record, kernel
from facedown.worlds import literature


@kernel
def count_draws(hidden: Record, ways: Array, worlds: Array, counts: Array, rng: Array) -> None:
    """Draw worlds, as many as the last of the counts says, and count each; worlds are [world, holder]."""
    draws = counts[len(worlds)]
    counts[:] = 0
    for _ in range(draws):
        literature.draw_by_sampler(hidden, ways, rng)
        for world in range(len(worlds)):
            if hidden.held[0] == worlds[world, 0] and hidden.held[1] == worlds[world, 1]:
                counts[world] += 1
