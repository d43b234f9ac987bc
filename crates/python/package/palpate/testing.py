"""For tests of a simulator: the contacts of recordings against stored snapshots."""

from __future__ import annotations

import os
from pathlib import Path

from . import _palpate

#: Set this environment variable to 1 to write snapshots anew.
UPDATE = "PALPATE_UPDATE_SNAPSHOTS"


def snapshot(
    path: str | os.PathLike[str],
    *,
    every: int = 1,
    deepest: int | None = None,
    tolerance: float | None = None,
    unit_tolerance: float = 1e-6,
) -> str:
    """The contacts of a recorded session as stable text, as ``palpate snapshot`` writes it.

    ``every``: frames 0, ``every``, 2 ``every`` … ``deepest``: only so many contacts of each pair and frame. ``tolerance``: of lengths,
    metres; by default a power of ten at or above 1e-9 of the scene. ``unit_tolerance``: of directions and weights.
    """
    return _palpate.take_snapshot(path, every, deepest, tolerance, unit_tolerance)


def differences(was: str, now: str) -> list[str]:
    """The differences of two snapshots beyond their tolerance, a line each."""
    return _palpate.snapshot_differences(was, now)


def assert_contacts(
    session: str | os.PathLike[str],
    stored: str | os.PathLike[str],
    *,
    every: int = 1,
    deepest: int | None = None,
    tolerance: float | None = None,
    unit_tolerance: float = 1e-6,
) -> None:
    """Fail if the contacts of a session differ from the stored snapshot; write it where there is none, or if the environment
    variable ``PALPATE_UPDATE_SNAPSHOTS`` is 1. For pytest: the message lists up to 20 differences.

    >>> import pathlib, tempfile, palpate, palpate.testing
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> parts = {"ball": palpate.sphere([0, 1, 0], 0.1), "floor": palpate.plane([0, 0.95, 0], [0, 1, 0])}
    >>> palpate.recording_from_poses(folder / "s.h5", parts, {}, [0.0])
    >>> palpate.testing.assert_contacts(folder / "s.h5", folder / "s.txt")  # writes it
    >>> palpate.testing.assert_contacts(folder / "s.h5", folder / "s.txt")  # compares
    """
    now = snapshot(session, every=every, deepest=deepest, tolerance=tolerance, unit_tolerance=unit_tolerance)
    stored = Path(stored)
    if os.environ.get(UPDATE) == "1" or not stored.exists():
        stored.write_text(now, encoding="utf-8")
        return
    found = differences(stored.read_text(encoding="utf-8"), now)
    if found:
        more = [f"and {len(found) - 20} more"] if len(found) > 20 else []
        lines = "\n".join([*found[:20], *more])
        raise AssertionError(f"the contacts of {os.fspath(session)} differ from {stored}:\n{lines}")
