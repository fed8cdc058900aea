"""A browser of this machine, steered by Playwright: what the tests of the pages and their benchmark use."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from facedown.errors import FacedownError, require_extra

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMED = "FACEDOWN_BROWSER"  # the environment's name for the program to use
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (  # it asks nobody on the net for anything
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


def browser_program() -> str | None:
    """The program of a Chromium: the one that is named, or one on the path."""
    named = os.environ.get(NAMED)
    return shutil.which(named) if named else next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def launched_browser() -> Iterator["Browser"]:
    """A browser without a window."""
    require_extra("playwright", "Playwright", "dev")
    program = browser_program()
    if program is None:
        raise FacedownError(f"expected a browser on the path, or named by {NAMED}, got none of {', '.join(PROGRAMS)}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        try:
            yield browser
        finally:
            browser.close()
