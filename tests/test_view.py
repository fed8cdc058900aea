"""How views are written out: searches are seeded by that, and views compared."""

import numpy as np
import pytest

import facedown as fd
from facedown.view import ENTRIES, View


@pytest.mark.parametrize("number", [int, np.int64, np.int8])
def test_a_view_is_written_out_the_same_whatever_kind_of_numbers_its_history_has(number: type) -> None:
    state = fd.load("hearts32").deal(1)
    state.play(state.legal[0])
    view = state.view(0)
    [(mover, action)] = view.history
    ENTRIES.clear()
    own = View(view.game, view.data, 0, [(number(mover), number(action))])
    assert bytes(own) == bytes(view)
    assert bytes(view) == repr((view.game.full_name, 0, [(mover, action)])).encode() + view.data.tobytes()


def test_texts_of_entries_are_kept_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.view.ENTRIES_KEPT", 2)
    ENTRIES.clear()
    assert [ENTRIES[0, action] for action in range(5)] == [f"(0, {action})" for action in range(5)]
    assert len(ENTRIES) <= 2
