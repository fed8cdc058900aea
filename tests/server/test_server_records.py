"""Finished games of the store, listed by game."""

import facedown as fd
from facedown.server.records import newest
from facedown.store import Store


def test_a_game_is_listed_by_its_name_with_any_options_and_by_its_whole_text() -> None:
    with Store.open(":memory:") as store:
        for game in ("bisca", "bisca:hand_size=3", "sueca"):
            store.add_lines([fd.play(game, ["random"] * fd.load(game).seats, seed=1).to_json()])

        def listed(game: str) -> list[str]:
            return [one["game"] for one in newest(store.engine, 10, None, game)]

        assert listed("bisca") == ["bisca:hand_size=3", "bisca"]
        assert listed("bisca:hand_size=3") == ["bisca:hand_size=3"]
        assert listed("b%") == []
