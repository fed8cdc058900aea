"""A store that facedown wrote before the rooms were rebuilt, `version_0001.sql`: it opens, and its games play again."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import facedown as fd
from facedown.arena.replay import Replay
from facedown.store import Store
from facedown.store.places import REVISION

WRITTEN = Path(__file__).with_name("version_0001.sql")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The store as a file."""
    place = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(place)) as connection:
        connection.executescript(WRITTEN.read_text())
    return place


def test_an_old_store_opens_after_an_upgrade_with_all_its_games(old: Path) -> None:
    with pytest.raises(fd.StoreError, match="run `facedown store upgrade` to bring it up to date"):
        Store.open(old)
    assert Store.upgrade(old) == ("0001", REVISION)
    with Store.open(old) as store:
        assert (store.count(), store.count("spring")) == (5, 2)
        assert [store.game(number).record.game for number in range(1, 6)] == [
            *["cheat:ranks=5,hand_size=3"] * 2,
            "hearts:passing=left",
            "bisca",
            "magic",
        ]


def test_the_games_of_an_old_store_play_again_to_the_same_end(old: Path) -> None:
    Store.upgrade(old)
    with Store.open(old) as store:
        records = [store.game(number).record for number in range(1, 6)]
    for record in records:
        end = Replay(record).states[-1]  # refuses a record whose actions, scores or hidden actions the rules contradict
        assert (end.over, end.history, end.scores) == (True, record.history, record.scores)
