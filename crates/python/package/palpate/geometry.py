"""Geometries: shapes, meshes, implicit bodies and compounds.

Each function returns a :class:`palpate.Geometry`, which does not change: a scene works on a copy, and moves that. Arrays may be of
float64 or float32 and strided; cells of int64, int32 or uint32. A pose is seven numbers (position, unit quaternion w, x, y, z) or a
rigid 4 × 4 matrix. Errors: a value that a shape does not take, named as in ``docs/detect-json.md``.

>>> import palpate
>>> palpate.capsule(radius=0.01, length=0.1, center=[0, 1, 0]).kind
'capsule'
"""

from __future__ import annotations

import json
from typing import Any, Callable, Literal, Sequence

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._arrays import IDENTITY, Pose
from ._palpate import Function, Geometry

#: How a surface tells inside from outside.
Sidedness = Literal["auto", "pseudonormals", "winding_number"]


def _shape(kind: str, pose: Pose | None, **fields: Any) -> Geometry:
    if pose is not None:
        seven = _arrays.pose7(pose)
        fields.update(center=seven[:3], quat_wxyz=seven[3:])
    return Geometry.from_json(_arrays.to_json(type=kind, **fields))


def from_json(description: str | dict[str, Any]) -> Geometry:
    """The geometry of a description in JSON, as text or as a dictionary (``docs/detect-json.md``).

    >>> import palpate
    >>> palpate.from_json({"type": "Sphere", "center": [0, 0, 0], "radius": 1}).kind
    'sphere'
    """
    return Geometry.from_json(description if isinstance(description, str) else _arrays.to_json(**description))


def sphere(center: npt.ArrayLike, radius: float) -> Geometry:
    """A ball. Metres."""
    return _shape("Sphere", None, center=np.asarray(center), radius=radius)


def capsule(
    radius: float,
    length: float,
    pose: Pose | None = None,
    *,
    center: npt.ArrayLike = (0, 0, 0),
    axis: npt.ArrayLike | None = None,
) -> Geometry:
    """A capsule: ``length`` is that of its straight part, along local +y (``axis`` where that points, if no pose is given)."""
    return _shape("Capsule", pose, center=np.asarray(center), axis=_list(axis), radius=radius, length=length)


def cylinder(
    radius: float,
    length: float,
    pose: Pose | None = None,
    *,
    center: npt.ArrayLike = (0, 0, 0),
    axis: npt.ArrayLike | None = None,
) -> Geometry:
    """A cylinder along local +y."""
    return _shape("Cylinder", pose, center=np.asarray(center), axis=_list(axis), radius=radius, length=length)


def cone(radius: float, length: float, pose: Pose = IDENTITY) -> Geometry:
    """A cone along local +y, its apex up, its centre halfway."""
    return _shape("Cone", pose, radius=radius, length=length)


def plane(position: npt.ArrayLike, normal: npt.ArrayLike, two_sided: bool = False) -> Geometry:
    """A plane: everything below the normal is solid, or with ``two_sided`` nothing is."""
    return _shape("Plane", None, position=np.asarray(position), normal=np.asarray(normal), two_sided=two_sided)


def oriented_box(half_extents: npt.ArrayLike, pose: Pose = IDENTITY) -> Geometry:
    """A box with three half extents, metres."""
    return _shape("OrientedBox", pose, half_extents=np.asarray(half_extents))


def ellipsoid(radii: npt.ArrayLike, pose: Pose = IDENTITY) -> Geometry:
    """An ellipsoid with three radii, metres."""
    return _shape("Ellipsoid", pose, radii=np.asarray(radii))


def convex(vertices: npt.ArrayLike, pose: Pose = IDENTITY, *, margin: float = 0.0) -> Geometry:
    """The convex hull of points, n × 3, with a radius ``margin`` all round."""
    seven = _arrays.pose7(pose)
    place = {"position": seven[:3], "quat_wxyz": seven[3:]}
    return _shape("Convex", None, vertices=_arrays.numbers(vertices), margin=margin, **place)


def support(function: Callable[[float, float, float], Sequence[float]], pose: Pose = IDENTITY) -> Geometry:
    """A convex shape by its support function: the point of the shape that is farthest along a direction (any length but 0), local
    frame. Every detector of convex bodies takes it; it has one contact per pair.

    The function may be called from any thread that steps a scene. Errors that it raises arrive as
    :class:`palpate.CallbackFailedError`.

    >>> import palpate
    >>> octahedron = palpate.support(lambda x, y, z: (1.0 if x > 0 else -1.0, 0.0, 0.0) if abs(x) >= max(abs(y), abs(z))
    ...     else (0.0, 1.0 if y > 0 else -1.0, 0.0) if abs(y) >= abs(z) else (0.0, 0.0, 1.0 if z > 0 else -1.0))
    >>> floor = palpate.plane([0, -0.75, 0], [0, 1, 0])
    >>> palpate.detect(octahedron, floor).contacts.depth
    array([0.25])
    """
    return Geometry.support(function, _arrays.pose7(pose))


def point_set(vertices: npt.ArrayLike, radius: float = 0.0) -> Geometry:
    """Points or particles, n × 3, with one radius."""
    return Geometry.mesh("point_set", _arrays.numbers(vertices), np.empty((0, 1), np.int64), radius, None, "auto")


def line_mesh(vertices: npt.ArrayLike, cells: npt.ArrayLike, radius: float = 0.0) -> Geometry:
    """Segments (threads, wires): vertices n × 3, cells m × 2."""
    vertices, cells = _arrays.numbers(vertices), _arrays.indices(cells)
    return Geometry.mesh("line_mesh", vertices, cells, radius, None, "auto")


def surface_mesh(
    vertices: npt.ArrayLike,
    cells: npt.ArrayLike,
    radius: float = 0.0,
    *,
    closed: bool | None = None,
    sidedness: Sidedness = "auto",
) -> Geometry:
    """Triangles: vertices n × 3, cells m × 3, counter-clockwise seen from outside; ``radius`` is a thickness.

    ``closed``: whether it is a solid; found by the edges if ``None``.

    >>> import numpy as np
    >>> import palpate
    >>> mesh = palpate.surface_mesh(np.eye(4, 3, dtype=np.float32), [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
    >>> palpate.cells(mesh).dtype, palpate.health(mesh)["closed"]
    (dtype('uint32'), True)
    """
    return Geometry.mesh("surface_mesh", _arrays.numbers(vertices), _arrays.indices(cells), radius, closed, sidedness)


def tetra_mesh(vertices: npt.ArrayLike, cells: npt.ArrayLike) -> Geometry:
    """Tetrahedra: vertices n × 3, cells m × 4."""
    return Geometry.mesh("tetra_mesh", _arrays.numbers(vertices), _arrays.indices(cells), 0.0, None, "auto")


def implicit(function: Function, pose: Pose = IDENTITY, scale: float = 1.0) -> Geometry:
    """The body where a function is negative: all lengths times ``scale``, then placed by the pose."""
    return function.body(_arrays.pose7(pose), scale)


def compound(children: Sequence[Geometry]) -> Geometry:
    """Several geometries as one; contacts name the child, from 0."""
    return Geometry.compound(list(children))


def describe(geometry: Geometry) -> dict[str, Any]:
    """The description of a geometry, which gives the same contacts, bit for bit."""
    description: dict[str, Any] = json.loads(geometry.to_json())
    return description


def _list(value: npt.ArrayLike | None) -> Any:
    return None if value is None else np.asarray(value)
