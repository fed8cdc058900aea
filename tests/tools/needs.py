"""What some tests need and not every machine has: a PostgreSQL server, Ray, Optuna, a browser, Node.

Without it they are skipped, or fail where FACEDOWN_REQUIRE names it. FACEDOWN_TEST_POSTGRES is the URL of a server to use,
whose user may create databases; otherwise one is started for the tests if its programs are installed. FACEDOWN_BROWSER is
the program of a browser to use; otherwise one that is on the path.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import make_url

from facedown.server.browser import PROGRAMS, browser_program

NUMBERS = count()
REQUIRED = {name.strip() for name in os.environ.get("FACEDOWN_REQUIRE", "").split(",")} - {""}

# Speed, for nothing here has to outlive the tests; and no port, so that nothing else is in the way.
SETTINGS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "listen_addresses="]


def required(name: str) -> bool:
    """Whether tests that need something have to run."""
    return name in REQUIRED


def do_without(name: str, reason: str) -> NoReturn:
    """Skip a test that needs what is not there, or fail if that is required."""
    if required(name):
        pytest.fail(f"FACEDOWN_REQUIRE names {name}: {reason}")
    pytest.skip(reason)


def node() -> str:
    """The program Node."""
    return shutil.which("node") or do_without("node", "Node is not installed")


def browser() -> None:
    """A browser that Playwright can steer."""
    if browser_program() is None:
        do_without("browser", f"none of these is installed: {', '.join(PROGRAMS)}")


def server_programs() -> Path | None:
    """The folder with PostgreSQL's programs; Debian does not put it on the path."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None)


def server_user() -> str | None:
    """Who runs the server: it refuses root."""
    if os.geteuid() != 0:
        return None
    names = {user.pw_name for user in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def postgres_server() -> Iterator[str]:
    """The URL of a server: one that was named, or one that lives as long as the tests."""
    named = os.environ.get("FACEDOWN_TEST_POSTGRES")
    if named:
        yield named
        return
    programs = server_programs()
    if programs is None:
        do_without("postgres", "no PostgreSQL server is installed")
    user = server_user()
    folder = Path(tempfile.mkdtemp(prefix="facedown-"))
    try:
        if user:
            shutil.chown(folder, user)

        def run(program: str, *arguments: str) -> None:
            command = [str(programs / program), "-D", str(folder / "data"), *arguments]
            subprocess.run(command, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=120)

        run("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-locale", "--no-sync")
        options = " ".join(f"-c {setting}" for setting in [*SETTINGS, f"unix_socket_directories={folder}"])
        run("pg_ctl", "start", "--wait", "-o", options, "-l", str(folder / "log"))
        try:
            yield f"postgresql://postgres@/postgres?host={folder}"
        finally:
            run("pg_ctl", "stop", "--mode=immediate", "--wait")
    except (OSError, subprocess.SubprocessError) as error:
        do_without("postgres", f"PostgreSQL could not be started: {error}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def empty_database(server: str) -> Iterator[str]:
    """The URL of a new database on a server, for as long as it is needed."""
    import psycopg

    name = f"facedown_test_{os.getpid()}_{next(NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
