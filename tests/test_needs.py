"""What is required and does not run is a failure, not a silence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import needs

SOME_TESTS = ["tests/test_needs.py", "-k", "test_nothing"]


def test_nothing() -> None:
    pass


def run_tests(workers: int, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-n", f"{workers}", "-p", "no:cacheprovider", *SOME_TESTS]
    root = Path(__file__).parent.parent
    return subprocess.run(
        command,
        cwd=root,
        env={**os.environ, "FACEDOWN_REQUIRE": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_session_without_what_is_required_fails_and_says_so() -> None:
    result = run_tests(1, FACEDOWN_REQUIRE="postgres, ray")
    assert result.returncode == 1
    assert "FACEDOWN_REQUIRE: expected tests that need postgres, ray, got none" in result.stdout
    assert run_tests(0).returncode == 0


def test_a_test_that_lacks_something_is_skipped_or_fails_where_that_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "REQUIRED", {"ray"})
    assert (needs.required("ray"), needs.required("postgres")) == (True, False)
    with pytest.raises(pytest.fail.Exception, match="FACEDOWN_REQUIRE names ray: there is none"):
        needs.do_without("ray", "there is none")
    with pytest.raises(pytest.skip.Exception, match="there is none"):
        needs.do_without("postgres", "there is none")


def test_a_server_that_cannot_be_started_is_done_without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FACEDOWN_TEST_POSTGRES", raising=False)
    monkeypatch.setattr(needs, "REQUIRED", set())
    monkeypatch.setattr(needs, "server_programs", lambda: tmp_path)
    with pytest.raises(pytest.skip.Exception, match="PostgreSQL could not be started"), needs.postgres_server():
        pass
    monkeypatch.setattr(needs, "server_programs", lambda: None)
    with pytest.raises(pytest.skip.Exception, match="no PostgreSQL server is installed"), needs.postgres_server():
        pass


def test_a_browser_that_is_not_there_is_done_without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(needs, "REQUIRED", set())
    monkeypatch.setenv("FACEDOWN_BROWSER", str(tmp_path / "none"))
    with pytest.raises(pytest.skip.Exception, match="none of these is installed: chromium"):
        needs.browser()
    monkeypatch.setattr(needs, "REQUIRED", {"browser"})
    with pytest.raises(pytest.fail.Exception, match="FACEDOWN_REQUIRE names browser"):
        needs.browser()
