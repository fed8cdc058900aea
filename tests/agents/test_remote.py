"""A player somewhere else, here at the other end of a socket."""

import json
import socket
from threading import Thread

import pytest

import facedown as fd
from facedown.agents.remote import Remote


class Line:
    """One end of a socket, for messages of a line each."""

    def __init__(self, end: socket.socket) -> None:
        self.file = end.makefile("rw")

    def ask(self, view: fd.View) -> str:
        """Send what a seat sees, and wait for the answer."""
        history = [(seat, view.game.text(action)) for seat, action in view.history]
        self.file.write(json.dumps([view.position, history]) + "\n")
        self.file.flush()
        return self.file.readline().strip()

    def answer(self, game: fd.Game, player: fd.Agent) -> None:
        """Answer questions until there are no more."""
        for line in self.file:
            view = game.view(*json.loads(line), trusted=False)
            self.file.write(game.text(player.choose(view)) + "\n")
            self.file.flush()


@pytest.mark.parametrize("name", ["hearts", "cheat"])
def test_a_game_with_somebody_at_the_other_end_of_a_socket_is_the_same_as_at_home(name: str) -> None:
    game = fd.load(name)
    others = ["random"] * (game.seats - 1)
    at_home = fd.play(game, [fd.agent("expert", 7), *others], seed=3)
    here, there = socket.socketpair()
    with here, there:
        elsewhere = Thread(target=Line(there).answer, args=(game, fd.agent("expert", 7)))
        elsewhere.start()
        line = Line(here)
        record = fd.play(game, [Remote(line.ask, "Ada"), *others], seed=3)
        line.file.close()
        here.shutdown(socket.SHUT_RDWR)
        elsewhere.join()
    assert (record.actions, record.scores) == (at_home.actions, at_home.scores)
    assert record.agents == ["Ada", *others]
    assert record.seconds is not None
    assert all(seconds is not None for (seat, _), seconds in zip(record.history, record.seconds, strict=False) if seat == 0)


def test_an_answer_may_be_a_number_and_an_illegal_one_is_refused() -> None:
    assert fd.play("bisca", [Remote(lambda view: view.legal[0]), "random"], seed=1).agents[0] == "remote"
    with pytest.raises(fd.IllegalMove):
        fd.play("bisca", [Remote(lambda view: -1), "random"], seed=1)
    with pytest.raises(fd.FacedownError):
        fd.play("bisca", [Remote(lambda view: "no card"), "random"], seed=1)
