"""A command in a terminal, as a person would run it."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence

from forking import ForkServer

PLAIN = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "LINES")}
PLAIN["TERM"] = "xterm-256color"
ALTERNATE, NORMAL = "\x1b[?1049h", "\x1b[?1049l"


class Terminal:
    """A command in a terminal of 80 by 24, and what it has shown."""

    def __init__(self, forks: ForkServer, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self.keyboard, screen = pty.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = forks.start(words, [os.ttyname(screen)] * 3, environment=environment)
        os.close(screen)
        self.shown = ""

    def interrupt(self) -> None:
        """Ctrl-C, as soon as a person could: one that comes while the line editor still starts up is lost in it."""
        time.sleep(0.5)
        self.process.send_signal(signal.SIGINT)

    def type(self, keys: str) -> None:
        os.write(self.keyboard, keys.encode())

    def wait_for(self, text: str, seconds: float = 120) -> None:
        """Read until a text has been shown, or the end for an empty one."""
        deadline = time.monotonic() + seconds
        while (not text or text not in self.shown) and time.monotonic() < deadline and self.read():
            pass
        assert text in self.shown, self.shown[-2000:]

    def read(self) -> bool:
        """Take in what is shown, if something is; False at the end."""
        if not select.select([self.keyboard], [], [], 0.1)[0]:
            return True
        try:
            read = os.read(self.keyboard, 65536)
        except OSError:  # how Linux tells the end
            read = b""
        self.shown += read.decode(errors="replace")
        return bool(read)

    def wait_for_prompt(self, after: int) -> None:
        """Read until there is another question for the person, after so much had been shown."""
        deadline = time.monotonic() + 120
        while "? for help" not in self.shown[after:]:
            assert time.monotonic() < deadline, self.shown[-2000:]
            self.read()

    def exit_code(self) -> int:
        self.wait_for("")
        return self.process.wait(10)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.keyboard)


Open = Callable[..., Terminal]
Run = Callable[..., tuple[int, str, str]]
