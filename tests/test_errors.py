import copy
import pickle

import pytest

import facedown as fd
from facedown.errors import FacedownError, NoRoom, UnknownName


def every_kind(kind: type[FacedownError] = FacedownError) -> list[type[FacedownError]]:
    return [kind, *(below for other in kind.__subclasses__() for below in every_kind(other))]


class TwoParts(fd.BadOption):
    """An error of somebody's own, with arguments of its own."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}")


ERRORS = [*(kind("expected\x00 one, got two") for kind in (NoRoom, fd.BadGame, fd.IllegalMove)), TwoParts("one", "two")]


@pytest.mark.parametrize("error", [*ERRORS, UnknownName("game", "chess", ["hearts", "cheat"])])
@pytest.mark.parametrize("twin_of", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy])
def test_an_error_keeps_its_class_and_message_in_another_process(error: FacedownError, twin_of: object) -> None:
    error.add_note("raised in a worker")
    twin = twin_of(error)  # type: ignore[operator]
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert twin.__notes__ == error.__notes__


def test_every_error_is_documented() -> None:
    from facedown import errors

    own = [kind for kind in every_kind() if kind.__module__ == errors.__name__]
    assert all(kind.__name__ in (errors.__doc__ or "") for kind in own)
