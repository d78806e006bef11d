"""What the installed command runs: the command line, so that Ctrl-C ends it quietly even while it is still being loaded."""

import sys


def main() -> None:
    """Load the command line, run it, and exit with its status."""
    try:
        from lighter_cli.main import main as run  # noqa: PLC0415 - loading it is what takes the time

        run()
    except KeyboardInterrupt:
        sys.exit(130)  # exits.INTERRUPTED, which may not be loaded yet
