"""Implicit functions: negative inside a body.

>>> import palpate
>>> ball = palpate.function_of_shape(palpate.sphere([0, 0, 0], 1))
>>> bite = palpate.function_of_shape(palpate.sphere([1, 0, 0], 0.5))
>>> palpate.values(palpate.difference(ball, bite), [[0, 0, 0], [1, 0, 0]])
array([-0.5,  0.5])
"""

from __future__ import annotations

import json
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._arrays import Floats
from ._palpate import Function, Geometry


def function_of_json(description: dict[str, Any] | str) -> Function:
    """The function of a description with one key, as ``{"torus": {…}}`` (``docs/detect-json.md``)."""
    return Function.from_json(description if isinstance(description, str) else json.dumps(description))


def function_of_shape(shape: Geometry) -> Function:
    """The function of a solid shape: its signed distance."""
    return Function.of_shape(shape)


def function(
    sample: Callable[[float, float, float], tuple[float, tuple[float, float, float]]],
    lower: npt.ArrayLike,
    upper: npt.ArrayLike,
    *,
    lipschitz: float | None = 1.0,
    growth: float = 1.0,
    is_distance: bool = False,
) -> Function:
    """A function of the caller: ``sample(x, y, z)`` returns the value and its gradient; local frame, metres.

    ``lower`` and ``upper`` are the corners of a box around the body. ``lipschitz`` is by how much the value changes at most per
    metre (1 for a distance, ``None`` if unknown: then detectors that need it refuse the body), ``growth`` by how much the box has
    to grow per metre to contain all values up to a level. It is called for one point at a time, from any thread that steps a
    scene, some hundred times a contact: :func:`sampled` asks a vectorised function once instead.
    """
    lower, upper = _three(lower), _three(upper)
    return Function.callback(sample, lower, upper, lipschitz, growth, is_distance)


def grid(origin: npt.ArrayLike, spacing: npt.ArrayLike, values: npt.ArrayLike) -> Function:
    """A grid of signed distances: ``values[i, j, k]`` is that at ``origin + spacing * [i, j, k]``; interpolated in between."""
    return Function.grid(_three(origin), _three(np.broadcast_to(spacing, 3)), np.asarray(values, dtype=np.float64))


def sampled(
    function: Callable[[Floats], npt.ArrayLike], lower: npt.ArrayLike, upper: npt.ArrayLike, spacing: float
) -> Function:
    """The grid of a vectorised function, which is called once with all points of the grid, n × 3, and returns n values.

    >>> import numpy as np
    >>> import palpate
    >>> ball = palpate.sampled(lambda points: np.linalg.norm(points, axis=1) - 1, [-1.5] * 3, [1.5] * 3, 0.1)
    >>> palpate.values(ball, [[0, 0, 1]]).round(12)
    array([0.])
    """
    lower, upper = np.asarray(lower, dtype=np.float64), np.asarray(upper, dtype=np.float64)
    size = np.ceil((upper - lower) / spacing).astype(int) + 1
    places = np.stack(np.meshgrid(*[np.arange(n) for n in size], indexing="ij"), axis=-1)
    points = (lower + spacing * places).reshape(-1, 3)
    return grid(lower, [spacing] * 3, np.asarray(function(points), dtype=np.float64).reshape(size))


def surface_grid(surface: Geometry, spacing: float, *, band: float | None = None, threads: int = 1) -> Function:
    """The signed distances of a closed surface mesh on a grid. Those within ``band`` metres (three diagonals of a cell by
    default) are exact, the others bounds. ``threads``: 0 for one per core; the grid is the same."""
    return Function.of_surface(surface, spacing, band, threads)


def union(*functions: Function) -> Function:
    """Inside of any of the functions."""
    return Function.combine("union", list(functions), 0.0)


def intersection(*functions: Function) -> Function:
    """Inside of all of the functions."""
    return Function.combine("intersection", list(functions), 0.0)


def difference(*functions: Function) -> Function:
    """Inside of the first, and outside of the others."""
    return Function.combine("difference", list(functions), 0.0)


def smooth_union(*functions: Function, radius: float) -> Function:
    """The union, its seams filled by a radius in metres."""
    return Function.combine("smooth_union", list(functions), radius)


def offset(function: Function, distance: float) -> Function:
    """A function grown by a distance in metres, shrunk if it is negative."""
    return Function.combine("offset", [function], distance)


def values(function: Function, points: npt.ArrayLike) -> Floats:
    """The values at points, n × 3."""
    return function.values(_arrays.numbers(points)).view(np.float64)


def _three(value: npt.ArrayLike) -> tuple[float, float, float]:
    x, y, z = (float(x) for x in np.asarray(value, dtype=np.float64).ravel())
    return x, y, z
