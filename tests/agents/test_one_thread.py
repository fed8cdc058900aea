"""An agent is asked by one thread at a time: a second one is refused, and the first continues undisturbed."""

import threading
from typing import Any

import pytest

import facedown as fd
from facedown.agents import agents


class Waiting(fd.Agent):
    """An agent that thinks until it is told to end; it asks its parent, as agents may."""

    name = "waiting"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.begun, self.end = threading.Event(), threading.Event()

    def choose(self, view: fd.View) -> int:
        self.begun.set()
        assert self.end.wait(60)
        return view.legal[0]


class Twice(Waiting):
    """One that goes through its parent's method."""

    name = "twice"

    def choose(self, view: fd.View) -> int:
        return super().choose(view) + 0 * super().choose(view)


@pytest.mark.parametrize("kind", [Waiting, Twice])
def test_a_second_thread_is_refused_in_one_line(kind: type[Waiting]) -> None:
    view = fd.load("sueca").deal(1).view(0)
    agent, chosen = kind(), []
    thread = threading.Thread(target=lambda: chosen.append(agent.choose(view)))
    thread.start()
    assert agent.begun.wait(60)
    with pytest.raises(fd.FacedownError) as refused:
        agent.choose(view)
    agent.end.set()
    thread.join()
    expected = f"expected one thread at a time to ask {agent.name}, got a second one: make an agent for each"
    assert str(refused.value) == expected
    assert chosen == [view.legal[0]]
    assert agent.choose(view) == view.legal[0], "when the first is done, anybody may ask"


def test_an_agent_that_failed_can_be_asked_by_another_thread() -> None:
    state = fd.load("sueca").deal(1)
    while not state.over:
        state.play(state.legal[0])
    agent = fd.agent("ismcts:iterations=10")
    with pytest.raises(fd.BadOption):
        agent.choose(state.view(0))
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(agent.choose(fd.load("sueca").deal(1).view(0))))
    thread.start()
    thread.join()
    assert len(found) == 1


@pytest.mark.parametrize("name", ["sdmcts", "pmga", "ismcts"])
def test_what_is_asked_meanwhile_changes_nothing(name: str) -> None:
    """Before, choices of two threads mixed: sdmcts and pmga raised, or chose by the other's beliefs."""
    view, other = fd.load("cheat").deal(1).view(0), fd.load("cheat").deal(2).view(0)
    text = f"{name}:iterations=3000"
    alone = fd.agent(text)
    expected = alone.choose(view)
    shared = fd.agent(text)
    refused: list[str] = []
    done = threading.Event()

    def disturb() -> None:
        while not done.is_set():
            try:
                shared.choose(other)
            except fd.FacedownError as error:
                refused.append(str(error))

    thread = threading.Thread(target=disturb)
    thread.start()
    chosen: list[int] = []
    while len(chosen) < 3 or (not refused and len(chosen) < 500):
        try:
            chosen.append(shared.choose(view))
        except fd.FacedownError as error:
            refused.append(str(error))
    done.set()
    thread.join()
    assert set(chosen) == {expected}
    assert all("expected one thread at a time" in line for line in refused)


@pytest.mark.parametrize("name", agents())
def test_every_agent_is_guarded(name: str) -> None:
    assert hasattr(type(fd.agent(name)).choose, "__wrapped__")
