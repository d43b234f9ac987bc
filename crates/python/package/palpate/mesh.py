"""Mesh files, meshes of other libraries, and the health of meshes."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _palpate, geometry
from ._arrays import Floats
from ._palpate import Geometry
from .errors import InvalidArgumentError, UnsupportedError

Cells = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class MeshFile:
    """What a mesh file holds, in the order and the unit of the file."""

    #: n × 3.
    positions: Floats
    #: m × 2.
    lines: Cells
    #: m × 3.
    triangles: Cells
    #: m × 4.
    tetrahedra: Cells
    #: The names of its parts.
    parts: tuple[str, ...]
    #: What it holds, in words.
    summary: str

    def mesh(self, scale: float = 1.0, **options: Any) -> Geometry:
        """The mesh of the cells of highest dimension, times ``scale`` metres per unit of the file."""
        return _mesh(self.positions * scale, self.lines, self.triangles, self.tetrahedra, options)


def _mesh(
    positions: npt.ArrayLike, lines: npt.ArrayLike, triangles: npt.ArrayLike, tetrahedra: npt.ArrayLike, options: dict[str, Any]
) -> Geometry:
    if len(np.asarray(tetrahedra)):
        return geometry.tetra_mesh(positions, tetrahedra)
    if len(np.asarray(triangles)):
        return geometry.surface_mesh(positions, triangles, **options)
    if len(np.asarray(lines)):
        return geometry.line_mesh(positions, lines, **options)
    return geometry.point_set(positions, **options)


def read_mesh(path: str | os.PathLike[str], part: str | None = None) -> MeshFile:
    """Read a mesh file (OBJ, STL, PLY, OFF, VTK, VTU, Gmsh, MEDIT, TetGen, Vega, Abaqus, glTF), or one of its named parts.
    Errors: a file that cannot be read or is damaged; the message names the place."""
    positions, lines, triangles, tetrahedra, parts, summary = _palpate.read_mesh(path, part)

    def cells_of(flat: npt.NDArray[np.uint8], corners: int) -> Cells:
        return flat.view(np.uint32).reshape(-1, corners)

    cells = (cells_of(lines, 2), cells_of(triangles, 3), cells_of(tetrahedra, 4))
    return MeshFile(_arrays.rows(positions, 3), cells[0], cells[1], cells[2], tuple(parts), summary)


def write_mesh(path: str | os.PathLike[str], mesh: Geometry) -> None:
    """Write a mesh in the format of the file's extension: VTU, OBJ, PLY or STL, with ``.gz`` compressed."""
    _palpate.write_mesh(path, mesh)


def vertices(mesh: Geometry) -> Floats:
    """The vertices of a geometry, n × 3; none of one that has none."""
    return _arrays.rows(mesh.vertices(), 3)


def cells(mesh: Geometry) -> Cells:
    """The cells of a mesh, m × 2, 3 or 4; none of a geometry that has none."""
    flat, corners = mesh.cells()
    return flat.view(np.uint32).reshape(-1, corners)


def health(mesh: Geometry) -> dict[str, Any]:
    """The report of ``palpate inspect --json`` on a surface or a tetra mesh: what is open, degenerate, doubled, crossing."""
    report: dict[str, Any] = json.loads(mesh.health())
    return report


def from_object(mesh: Any, scale: float = 1.0, **options: Any) -> Geometry:
    """The mesh of a ``trimesh.Trimesh``, a ``pyvista``/VTK data set or a ``meshio.Mesh``, by its arrays; none of these is imported.

    ``scale``: metres per unit of the mesh. ``options``: as of :func:`palpate.surface_mesh`. Errors: an object without the arrays of
    one of them, polygons that are no triangles (pyvista: call ``triangulate()`` first).
    """
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces") and hasattr(mesh, "is_watertight"):
        return geometry.surface_mesh(np.asarray(mesh.vertices) * scale, np.asarray(mesh.faces), **options)
    points = getattr(mesh, "points", None)
    if points is None:
        name = type(mesh).__name__
        raise UnsupportedError(f"the mesh is a {name}: wanted arrays as of trimesh, pyvista or meshio")
    points = np.asarray(points) * scale
    none = np.empty((0, 3), np.int64)
    if hasattr(mesh, "cells_dict") and isinstance(mesh.cells_dict, dict) and not hasattr(mesh, "celltypes"):
        found = mesh.cells_dict
        return _mesh(points, found.get("line", none), found.get("triangle", none), found.get("tetra", none), options)
    if hasattr(mesh, "celltypes"):
        # The numbers of VTK's types: 3 line, 5 triangle, 10 tetrahedron.
        found = mesh.cells_dict
        return _mesh(points, found.get(3, none), found.get(5, none), found.get(10, none), options)
    faces = np.asarray(mesh.faces) if getattr(mesh, "n_faces_strict", len(mesh.faces)) else none.ravel()
    if len(faces):
        return geometry.surface_mesh(points, _of_size(faces, 3), **options)
    lines = np.asarray(getattr(mesh, "lines", none.ravel()))
    return geometry.line_mesh(points, _segments(lines), **options) if len(lines) else geometry.point_set(points, **options)


def _of_size(flat: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """VTK's list of cells, each with its size before it."""
    rows = flat.reshape(-1, size + 1) if len(flat) % (size + 1) == 0 else flat[None]
    if rows.shape[1] != size + 1 or not (rows[:, 0] == size).all():
        raise InvalidArgumentError("the faces: found polygons of several sizes, wanted triangles")
    return rows[:, 1:]


def _segments(flat: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The segments of VTK's list of polylines."""
    segments, place = [], 0
    while place < len(flat):
        line = flat[place + 1 : place + 1 + flat[place]]
        segments.append(np.column_stack([line[:-1], line[1:]]))
        place += 1 + int(flat[place])
    return np.concatenate(segments)
