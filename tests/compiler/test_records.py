"""Records are NumPy's own, but quicker."""

from typing import Any

import numpy as np
import pytest

from facedown.compiler.records import as_records

INNER = np.dtype([("a", np.int8), ("b", np.uint64, 2)])
KIND = np.dtype([("hands", np.uint64, 4), ("to_move", np.int8), ("size", np.int16), ("one", INNER), ("many", INNER, 3)])


@pytest.fixture
def both() -> tuple[Any, Any]:
    """The same bytes as quick records and as NumPy's."""
    data = np.frombuffer(np.random.default_rng(1).bytes(3 * KIND.itemsize), KIND)
    return as_records(data.copy()), data.copy().view(np.recarray)


def plain(value: Any) -> Any:
    """What can be compared: the text of what is in it."""
    return repr(value.tolist()) if hasattr(value, "tolist") else value


@pytest.mark.parametrize("name", [*(KIND.names or ()), "dtype", "nbytes", "shape"])
def test_a_name_means_what_it_means_to_numpy(name: str, both: tuple[Any, Any]) -> None:
    quick, own = both
    assert plain(getattr(quick[1], name)) == plain(getattr(own[1], name))
    assert plain(getattr(quick[1:], name)) == plain(getattr(own[1:], name))


def test_records_within_records_have_attributes_too(both: tuple[Any, Any]) -> None:
    quick, own = both
    assert quick[2].one.b.tolist() == own[2].one.b.tolist()
    assert quick[2].many[1].a == own[2].many[1].a
    assert quick.one[2].a == own.one[2].a
    assert quick[[2, 0]][0].to_move == own[2].to_move


def test_what_is_written_is_in_the_array(both: tuple[Any, Any]) -> None:
    for records in both:
        records[1].to_move = 5
        records[1].hands[2] = 7
        records[1].one.a = 3
        records[0].many[2].b[1] = 9
        records.to_move[2] = 4
        with pytest.raises(AttributeError):
            records[1].no_such_field = 1
    quick, own = both
    assert quick.tobytes() == own.tobytes()
    assert (quick[1].to_move, quick[1].hands[2], quick[2].to_move) == (5, 7, 4)


def test_an_unknown_name_is_refused(both: tuple[Any, Any]) -> None:
    for records in both:
        with pytest.raises(AttributeError, match="no attribute 'hand'"):
            _ = records[0].hand


def test_memory_is_shared_and_the_kind_is_equal() -> None:
    data = np.zeros(2, KIND)
    records = as_records(data)
    records[1].to_move = 1
    assert data["to_move"].tolist() == [0, 1]
    assert records.dtype == KIND
    assert records.copy()[1].to_move == 1
