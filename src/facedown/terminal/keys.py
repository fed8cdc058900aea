"""Single keys from a terminal, so that arrow keys can point at cards; text is left to the line editor.

Only the keys before a text, and its first letter, are read here. The terminal goes back to what it was, whatever happens.
"""

import codecs
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

ESCAPE_SECONDS = 0.05  # within which the rest of an arrow key's bytes come
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
KEYS = {"\r": "enter", "\n": "enter", "\x04": "end"}
ENDING = ("SIGTERM", "SIGHUP")


def keys_can_be_read() -> bool:
    """Whether stdin and stdout are a person's terminal, and of a kind whose keys can be read."""
    try:
        import readline  # noqa: F401  # takes over after the first key
        import termios  # noqa: F401

        files = sys.stdin.fileno(), sys.stdout.fileno()
    except (ImportError, OSError, ValueError, AttributeError):
        return False
    return files == (0, 1) and all(map(os.isatty, files))  # the line editor knows no other files


class Keys:
    """The keys of a terminal, one by one, until the line editor takes over."""

    def __init__(self, file: int, show: Callable[[], None], again: Callable[[], None], signals: int | None = None) -> None:
        """`signals` is a file that has something to read when a signal has come, to whatever thread."""
        self.file = file
        self.show = show  # keys are shown again: the line editor does not show them itself otherwise
        self.again = again
        self.signals = signals
        self.was_stopped = False

    def next(self) -> str:
        """The next key: left, right, up, down, enter, the end of input, a character, or nothing for other keys."""
        self.wait()
        letter = read_letter(self.file)
        if letter == "\x1b":
            return read_arrow(self.file)
        return KEYS.get(letter, letter if letter.isprintable() else "")

    def wait(self) -> None:
        """Wait for a key; after a stop, draw again.

        Not in the handler of the signal: it may come while something is being written, which cannot be begun twice.
        """
        files = [self.file, *([] if self.signals is None else [self.signals])]
        while self.file not in (ready := select.select(files, [], [])[0]):
            os.read(ready[0], 512)
            if self.was_stopped:
                self.was_stopped = False
                self.again()


@contextmanager
def key_by_key(file: int, again: Callable[[], None]) -> Iterator[Keys]:
    """Take keys as they come, without showing them; Ctrl-C works as ever.

    Keys come one by one until the end, so that none is lost before the line editor takes over. `again` is called when a
    program that was stopped (Ctrl-Z) resumes.
    """
    import termios

    before = termios.tcgetattr(file)
    now = termios.tcgetattr(file)
    now[3] &= ~(termios.ICANON | termios.ECHO)
    now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0

    def take() -> None:
        termios.tcsetattr(file, termios.TCSADRAIN, now)  # what was typed ahead stays

    def show() -> None:
        now[3] |= termios.ECHO
        take()

    def resume() -> None:
        take()
        keys.was_stopped = True

    with signal_pipe() as signals:
        keys = Keys(file, show, again, signals)
        with on_signals({"SIGCONT": resume}):
            take()
            try:
                yield keys
            finally:
                termios.tcsetattr(file, termios.TCSADRAIN, before)


def read_letter(file: int) -> str:
    """One character, of several bytes perhaps."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    while True:
        byte = os.read(file, 1)
        if not byte:
            return "\x04"
        if letter := decoder.decode(byte):
            return letter


def read_arrow(file: int) -> str:
    """What follows an escape: an arrow key, or nothing of meaning here."""
    sequence = ""
    while len(sequence) < 8 and select.select([file], [], [], ESCAPE_SECONDS)[0]:
        sequence += read_letter(file)
        if len(sequence) > 1 and (sequence[-1].isalpha() or sequence[-1] == "~"):
            break
    return ARROWS.get(sequence[1:], "") if sequence[:1] in ("[", "O") else ""


@contextmanager
def leaving_in_order() -> Iterator[None]:
    """Let a request to end close what is open, so that the terminal is left as it was found."""
    numbers = {name: int(getattr(signal, name, 0)) for name in ENDING}
    with on_signals({name: partial(sys.exit, 128 + number) for name, number in numbers.items()}):
        yield


@contextmanager
def on_signals(actions: Mapping[str, Callable[[], object]]) -> Iterator[None]:
    """Do something when a signal comes, of those that this system has; only the main thread can."""
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for name, action in actions.items():
            if number := getattr(signal, name, None):
                before[number] = signal.signal(number, partial(_do, action))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def signal_pipe() -> Iterator[int | None]:
    """A file that has something to read when a signal has come: another thread may have got it, and this one wait on."""
    if threading.current_thread() is not threading.main_thread():
        yield None
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield reader
    finally:
        signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)


def _do(action: Callable[[], object], number: int, frame: object) -> None:
    action()
