"""Detection of one pair, and what detectors there are."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Literal, Mapping

import numpy as np

from . import _arrays, _palpate
from ._palpate import Geometry
from .contacts import Contacts, view

#: Contacts of the current state, first contacts of the motion since the last ``advance``, or both.
When = Literal["static", "continuous", "continuous_then_static"]

#: A settings dataclass of :mod:`palpate.settings`, or a dictionary with the settings that differ from the defaults.
Settings = Any

#: The flags of a detection by their bits.
FLAGS = (
    "budget_exhausted",
    "iteration_limit",
    "open_surface",
    "not_a_distance",
    "vertices_only",
    "winding_number",
    "open_impact",
    "self_intersecting",
)


@dataclass(frozen=True)
class Detection:
    """What :func:`detect` found."""

    #: The contacts, in the detector's order.
    contacts: Contacts
    #: Caveats, as ``open_surface``; see ``docs/detect-json.md``.
    flags: tuple[str, ...]


def settings_of(settings: Settings | None) -> dict[str, Any] | None:
    """The settings that are given, as a dictionary."""
    if settings is None:
        return None
    if is_dataclass(settings) and not isinstance(settings, type):
        return {name: value for name, value in asdict(settings).items() if value is not None}
    if isinstance(settings, Mapping):
        return dict(settings)
    raise TypeError(f"settings: found a {type(settings).__name__}, wanted a dataclass of palpate.settings or a dictionary")


def options(
    detector: str | None, settings: Settings | None, margin: float, detection: When = "static"
) -> str:
    """The options of a pair as JSON."""
    return _arrays.to_json(detector=detector, settings=settings_of(settings), margin=margin, detection=detection)


def flag_names(bits: int) -> tuple[str, ...]:
    """The names of flags."""
    return tuple(name for place, name in enumerate(FLAGS) if bits >> place & 1)


def detect(
    a: Geometry,
    b: Geometry | None,
    *,
    detector: str | None = None,
    settings: Settings | None = None,
    margin: float = 0.0,
) -> Detection:
    """The contacts of two geometries where they are; of ``a`` with itself if ``b`` is ``None``. The same as ``palpate detect``.

    ``detector``: a name of :func:`detectors` or an alias; the default of the two kinds if ``None``. ``margin``: metres; closer pairs
    are reported too, with negative depth. Errors: a pair that no detector serves, an unknown detector or setting.
    """
    found = _palpate.detect(a, b, (None, None), (None, None), options(detector, settings, margin), 1)
    return Detection(view(found[0]), flag_names(int(found[2].view(np.uint32)[0])))


def detectors() -> list[dict[str, Any]]:
    """All detectors: their names, methods, and settings with values, defaults and meanings."""
    found: list[dict[str, Any]] = json.loads(_palpate.detectors())
    return found
