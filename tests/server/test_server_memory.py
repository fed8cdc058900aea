"""A server forgets what nobody needs, and its workers take no more memory than they may."""

import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from facedown.server import hall
from serving import served

TAKES_TOO_MUCH = """
import numpy
from facedown.server import thinking
thinking.WORKER_MEMORY = 256 << 20
thinking.bound_memory()
numpy.ones(1 << 20)
try:
    numpy.ones(1 << 27)
except MemoryError:
    print("refused")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound memory")
def test_a_worker_that_takes_too_much_memory_is_refused_it() -> None:
    ran = subprocess.run([sys.executable, "-c", TAKES_TOO_MUCH], capture_output=True, text=True, check=True)
    assert ran.stdout == "refused\n"


def test_a_table_where_nobody_is_is_forgotten_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "ABANDONED_AFTER", 0.2)
    monkeypatch.setattr(hall, "SWEEPS_EVERY", 0.05)
    with served(tmp_path / "store.sqlite") as server, httpx.Client(base_url=server.url, timeout=60) as api:
        made = api.post("/api/tables", json={"game": "bisca", "seats": [{"open": True}] * 2}).json()
        assert api.get(f"/api/tables/{made['id']}").status_code == 200
        time.sleep(1.0)
        assert api.get(f"/api/tables/{made['id']}").status_code == 404
    with served(tmp_path / "store.sqlite") as server:
        assert httpx.get(f"{server.url}/api/tables/{made['id']}").status_code == 404
