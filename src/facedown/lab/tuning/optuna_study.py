"""Optuna, an optional dependency: a study, and the parameters of a tuning as its distributions."""

from typing import TYPE_CHECKING

from facedown.errors import FacedownError
from facedown.lab.tuning.space import Parameter

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.study import Study


def require_optuna() -> None:
    """Refuse to start without Optuna."""
    try:
        import optuna  # noqa: F401  # whether it is there
    except ImportError:
        raise FacedownError("expected Optuna for method optuna, got none: run pip install 'facedown[tune]'") from None


def new_study(seed: int) -> "Study":
    """A silent study in memory: its trials are in the store as runs."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))


def distribution(parameter: Parameter) -> "BaseDistribution":
    """A parameter as an Optuna distribution."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if parameter.choices:
        return CategoricalDistribution(parameter.choices)
    if parameter.whole:
        low, last = int(parameter.low), parameter.grid()[-1] if not parameter.log else int(parameter.high)
        assert isinstance(last, int)  # Optuna warns of a range that does not end on a step
        return IntDistribution(low, last, log=parameter.log, step=int(parameter.step or 1))
    if parameter.step:
        last = parameter.grid()[-1]
        assert isinstance(last, float)
        return FloatDistribution(parameter.low, last, step=parameter.step)
    return FloatDistribution(parameter.low, parameter.high, log=parameter.log)
