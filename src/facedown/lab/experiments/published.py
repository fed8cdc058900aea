"""A figure as a paper printed it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """A figure as it was published; what was not published is None."""

    value: float
    half: float | None = None  # of its interval
    count: int | None = None
    unit: str = "games"
    rate: bool = False  # a share of 1, printed in per cent
    printed: str = ""  # in its own words, where they are others than a figure and its interval

    def __str__(self) -> str:
        return self.text()

    def text(self, signed: bool = True) -> str:
        """The figure as text, with or without a plus."""
        if self.printed:
            return self.printed
        if self.rate:
            return f"{100 * self.value:.1f} %" + ("" if self.half is None else f" ± {100 * self.half:.1f}")
        return f"{self.value:{'+' if signed else ''},.10g}" + ("" if self.half is None else f" ± {self.half:g}")


def between(least: float, most: float) -> Published:
    """A range in per cent, as a figure in its middle."""
    return Published((least + most) / 200, (most - least) / 200, rate=True, printed=f"{least:g}-{most:g} %")
