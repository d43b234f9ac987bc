"""Queries of a geometry, for many points or rays in one call.

>>> import palpate
>>> ball = palpate.sphere([0, 0, 0], 1)
>>> palpate.signed_distances(ball, [[0, 0, 3], [0, 0, 0.5]])["distance"]
array([ 2. , -0.5])
>>> palpate.cast_rays(ball, [[-5, 0, 0]], [[1, 0, 0]])["distance"]
array([4.])
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _palpate
from ._palpate import Geometry
from .contacts import FEATURE

#: A signed distance: metres, negative inside; the closest point of the surface; the unit gradient; the cell, or the number of a
#: shape's feature; the child of a compound; whether it is exact.
DISTANCE = np.dtype(
    [
        ("distance", "<f8"),
        ("nearest", "<f8", 3),
        ("gradient", "<f8", 3),
        ("feature", "<u4"),
        ("child", "<u4"),
        ("is_exact", "<u4"),
        ("reserved", "<u4"),
    ]
)

#: The closest cell or vertex: the distance to the bare element, infinite if there is none, and the element.
NEAREST = np.dtype([("distance", "<f8"), ("feature", FEATURE)])

#: The first hit of a ray: its distance, infinite without a hit; the outward normal; the element; a :class:`Crossing`.
HIT = np.dtype(
    [("distance", "<f8"), ("normal", "<f8", 3), ("feature", FEATURE), ("crossing", "<u4"), ("reserved", "<u4")]
)

Records = npt.NDArray[np.void]


class Crossing(IntEnum):
    """How a ray meets a surface."""

    ENTER = 0
    LEAVE = 1
    GRAZE = 2
    NONE = 0xFFFF_FFFF


def signed_distances(geometry: Geometry, points: npt.ArrayLike, *, threads: int = 1) -> Records:
    """The signed distances of points, n × 3, to a solid: an array of :data:`DISTANCE`. The first call builds the trees of a mesh.
    Errors: a geometry without an inside. ``threads``: 0 for one per core; the answers are the same."""
    return _palpate.signed_distances(geometry, _arrays.numbers(points), threads).view(DISTANCE)


def nearest(geometry: Geometry, points: npt.ArrayLike, *, vertices: bool = False, threads: int = 1) -> Records:
    """The cells closest to points, n × 3, or the closest vertices: an array of :data:`NEAREST`. Bare elements, without radius."""
    return _palpate.nearest(geometry, _arrays.numbers(points), vertices, threads).view(NEAREST)


def cast_rays(
    geometry: Geometry,
    origins: npt.ArrayLike,
    directions: npt.ArrayLike,
    lengths: npt.ArrayLike = np.inf,
    *,
    threads: int = 1,
) -> Records:
    """The first hits of rays, n × 3 origins and directions of any length but 0, no farther than ``lengths`` metres: an array of
    :data:`HIT`. Errors: a kind that no ray can meet."""
    origins, directions = _arrays.wide(origins, 3), _arrays.wide(directions, 3)
    length: Any = np.broadcast_to(np.asarray(lengths, dtype=np.float64), len(origins))
    origins, directions = np.broadcast_arrays(origins, directions)
    return _palpate.cast_rays(geometry, np.column_stack([origins, directions, length]), threads).view(HIT)
