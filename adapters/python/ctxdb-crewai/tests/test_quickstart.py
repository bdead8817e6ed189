"""The README's quickstart prints what the README says."""

import os
import re
import subprocess
import sys
import uuid
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def test_the_quickstart_prints_what_the_readme_shows() -> None:
    shown = re.search(r"```text\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    assert shown is not None
    user = f"u{uuid.uuid4().hex}"
    quickstart = PACKAGE / "examples/quickstart.py"
    ran = subprocess.run([sys.executable, quickstart], env={**os.environ, "CTXDB_USER": user}, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == shown[1]
