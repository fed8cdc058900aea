"""What a function of a test file returns where nothing is compiled."""

import json
import os
import subprocess
import sys
from typing import Any

SCRIPT = """
import importlib, json, sys
module, name, *rest = sys.argv[1:]
print(json.dumps(getattr(importlib.import_module(module), name)(*map(json.loads, rest))))
"""


def interpreted(module: str, function: str, *arguments: Any) -> Any:
    """Call a function in a process of its own, in which warnings are errors; all that goes in and out is JSON."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, module, function, *map(json.dumps, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
