"""The contacts of two recordings, compared."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from . import _palpate

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class DiffReport:
    """What differs. ``str(report)`` is the verdict with the first and the largest difference, and a line per pair."""

    #: Differences that count.
    differences: int
    _text: str = field(repr=False)
    _json: str = field(repr=False)
    #: The report as JUnit XML, with a test for every pair.
    junit: str = field(repr=False)

    @property
    def agrees(self) -> bool:
        """Whether nothing that counts differs."""
        return self.differences == 0

    @cached_property
    def data(self) -> dict[str, Any]:
        """The whole report; the keys are those of ``palpate diff --json``."""
        return json.loads(self._json)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return self._text


def diff(
    was: Path,
    now: Path,
    *,
    tolerance: float | None = None,
    angle: float | None = None,
    relative: float | None = None,
    unit_tolerance: float | None = None,
    same_within: float | None = None,
    allow_empty: bool = False,
) -> DiffReport:
    """Compare the contacts of two files, the baseline first: sessions (which are replayed), files of contacts, or snapshots.

    Without tolerances every bit counts, and the order. ``tolerance``: metres, of depths and points (1e-9); ``angle``: degrees, of directions
    (6e-5); ``relative``: of depths, added (0); ``unit_tolerance``: of weights and times (1e-6). ``same_within``: metres; a contact no farther
    away is the same one, whatever its id, its elements and the order. A baseline without contacts is a difference, unless ``allow_empty``.
    Errors: a file that cannot be read.

    >>> import tempfile, palpate
    >>> folder = tempfile.mkdtemp()
    >>> floor = palpate.plane([0, 0, 0], [0, 1, 0])
    >>> for name, height in [("was", 0.09), ("now", 0.08)]:
    ...     parts = {"ball": palpate.sphere([0, height, 0], 0.1), "floor": floor}
    ...     palpate.recording_from_poses(f"{folder}/{name}.h5", parts, {}, [0.0])
    >>> report = palpate.diff(f"{folder}/was.h5", f"{folder}/now.h5", tolerance=1e-6)
    >>> report.agrees, report.data["first"]["kinds"]
    (False, ['moved', 'deeper', 'values'])
    >>> palpate.diff(f"{folder}/was.h5", f"{folder}/now.h5", tolerance=0.1).agrees
    True
    """
    asked = [tolerance, angle, relative, unit_tolerance]
    policy = "same_within" if same_within is not None else "exact" if all(x is None for x in asked) else "tolerance"
    length = tolerance if tolerance is not None else same_within if same_within is not None else 1e-9
    turned = 1e-6 if angle is None else math.radians(angle)
    unit = 1e-6 if unit_tolerance is None else unit_tolerance
    numbers = (length, turned, relative or 0.0, unit)
    return DiffReport(*_palpate.diff((was, now), policy, numbers, same_within, allow_empty))
