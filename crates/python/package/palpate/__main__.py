"""The command ``palpate``: ``python -m palpate --help``."""

from __future__ import annotations

import signal
import sys

from ._palpate import command


def main() -> int:
    """Run the command with the arguments of the program; returns its exit status."""
    # Interrupts end the command at once, as they do without Python.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["palpate", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
