"""The real command as a process of its own: its words, and an environment without anything of the developer's terminal."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIGHTER = (sys.executable, "-m", "lighter")


def clean_environment(**changes: str) -> dict[str, str]:
    """Give the environment to run it in, with variables of one's own."""
    own = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    return {
        **own,
        "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("core", "cli")),
        "PYTHONUTF8": "1",
        "PYTHON": sys.executable,
        "TERM": "xterm-256color",
        **changes,
    }
