"""Rows of constraints from the contacts of a scene's last step: position-based dynamics, and impulse solvers for rigid bodies.

Formulas, signs and sources: ``docs/constraints.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Literal, Mapping

import numpy as np
import numpy.typing as npt

from . import _arrays, _palpate
from ._arrays import Floats
from ._palpate import GeometryId, PairId
from .contacts import NONE
from .scene import Scene

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: A particle of a row: the gradient of the gap is ``weight * direction``; ``scale`` is a factor on its inverse mass.
PBD_ENTRY = np.dtype([("particle", "<u4"), ("reserved", "<u4"), ("weight", "<f8"), ("scale", "<f8")])

#: A contact as a constraint on its gap, metres, which a solver keeps at 0 or more.
PBD_ROW = np.dtype(
    [
        ("pair", "<u8"),
        ("id", "<u8"),
        ("children", "<u4", 2),
        ("direction", "<f8", 3),
        ("tangents", "<f8", (2, 3)),
        ("gap", "<f8"),
        ("multipliers", "<f8", 3),
        ("first_entry", "<u4"),
        ("entry_count", "<u4"),
        ("bodies", "<u4", 2),
        ("body_gradients", "<f8", (2, 3)),
        ("body_turns", "<f8", (2, 3)),
    ]
)

#: A contact as three velocity constraints: the normal and two tangents. ``jacobian``: for each constraint and side the linear, then
#: the angular part.
RIGID_ROW = np.dtype(
    [
        ("pair", "<u8"),
        ("id", "<u8"),
        ("children", "<u4", 2),
        ("bodies", "<u4", 2),
        ("direction", "<f8", 3),
        ("tangents", "<f8", (2, 3)),
        ("jacobian", "<f8", (3, 2, 6)),
        ("effective_masses", "<f8", 3),
        ("gap", "<f8"),
        ("target", "<f8"),
        ("impulses", "<f8", 3),
    ]
)


@dataclass(frozen=True)
class Side:
    """What a geometry moves with; geometries that are not listed do not move."""

    #: ``particles``: vertex v is particle ``index + v``; ``particle``: a shape carried by one; ``rigid``: the body ``index``;
    #: ``kinematic``: a motion that contacts do not change.
    kind: Literal["static", "particles", "particle", "rigid", "kinematic"]
    index: int = 0
    #: Of a kinematic body: a point, its velocity, the angular velocity; metres, metres and radians per second, world frame.
    motion: tuple[float, ...] = (0.0,) * 9


@dataclass(frozen=True)
class Material:
    """How the surfaces of a pair meet; hard, without friction and rebound by default."""

    #: Coulomb's coefficient of dynamic friction.
    friction: float = 0.0
    #: That of static friction; at least ``friction`` is used.
    static_friction: float = 0.0
    #: Metres: the moment against rolling is no greater than this times the normal force; rigid bodies only.
    rolling_friction: float = 0.0
    #: The speed of separation as a fraction of that of approach.
    restitution: float = 0.0
    #: Metres per second: slower approaches do not rebound.
    rebound_speed: float = 0.0
    #: Metres per newton.
    compliance: float = 0.0
    #: Metres: the gap that is kept.
    thickness: float = 0.0
    #: Factors on the inverse masses of sides A and B.
    inverse_mass_scale: tuple[float, float] = (1.0, 1.0)

    def numbers(self) -> list[float]:
        """The numbers in the order of the fields."""
        plain = [self.friction, self.static_friction, self.rolling_friction, self.restitution, self.rebound_speed, self.compliance, self.thickness]
        return [*plain, *self.inverse_mass_scale]


Sides = Mapping[GeometryId, Side]
Materials = Mapping[PairId | None, Material]
Records = npt.NDArray[np.void]


def _sides(sides: Sides) -> list[tuple[GeometryId, str, int, list[float]]]:
    return [(id, side.kind, side.index, list(side.motion)) for id, side in sides.items()]


def _materials(materials: Materials | Material | None) -> list[tuple[PairId | None, list[float]]]:
    if isinstance(materials, Material):
        materials = {None: materials}
    return [(pair, material.numbers()) for pair, material in (materials or {}).items()]


class PbdRows:
    """The rows of position-based dynamics (PBD, XPBD) for steps of ``step`` seconds.

    >>> import numpy as np, palpate
    >>> scene = palpate.Scene()
    >>> cloth = scene.add("cloth", palpate.point_set([[0, -0.01, 0], [1, 0.5, 0]]))
    >>> floor = scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0]))
    >>> pair = scene.add_pair(cloth, floor)
    >>> _ = scene.step()
    >>> rows, particles = palpate.PbdRows(0.01), scene.vertices(cloth)
    >>> rows.gather(scene, particles, {cloth: palpate.Side("particles")})
    >>> rows.rows(particles)[0]["gap"]
    array([-0.01])
    >>> rows.project(particles, particles, [1, 1])[0][0]
    array([0., 0., 0.])
    """

    def __init__(self, step: float) -> None:
        self._own = _palpate.Pbd(step)

    def gather(
        self,
        scene: Scene,
        particles: npt.ArrayLike,
        sides: Sides,
        *,
        bodies: npt.ArrayLike = (),
        materials: Materials | Material | None = None,
    ) -> None:
        """Replace the rows by those of the contacts of the scene's last step, one for each, in their order.

        ``particles``: the positions in which the contacts were found, n × 3. ``bodies``: rigid bodies, n × 18: the pose and the pose at
        the start of the step (7 each), the inverse mass, three inverse principal moments. ``materials``: one for all pairs, or by
        pair, with ``None`` for all others. Errors: a particle or a body that does not exist; there are then no rows.
        """
        particles, bodies = _arrays.wide(particles, 3), _arrays.wide(bodies, 18)
        self._own.gather(scene._own, particles, bodies, _sides(sides), _materials(materials))

    def rows(self, particles: npt.ArrayLike, bodies: npt.ArrayLike = ()) -> tuple[Records, Records]:
        """The rows (:data:`PBD_ROW`), with their gaps in the given positions, and all their particles (:data:`PBD_ENTRY`)."""
        rows, entries = self._own.rows(_arrays.wide(particles, 3), _arrays.wide(bodies, 18))
        return rows.view(PBD_ROW), entries.view(PBD_ENTRY)

    def matrix(self, particles: npt.ArrayLike, bodies: npt.ArrayLike = ()) -> csr_array:
        """The gradients of all gaps as a sparse matrix: m × (3 n + 6 b), three columns a particle, then six a body (translation,
        rotation). Needs scipy."""
        rows, entries = self.rows(particles, bodies)
        count, body_count = len(_arrays.wide(particles, 3)), len(_arrays.wide(bodies, 18))
        row = np.repeat(np.arange(len(rows)), rows["entry_count"])
        values = entries["weight"][:, None] * rows["direction"][row]
        columns = 3 * entries["particle"][:, None].astype(np.int64) + np.arange(3)
        parts = [(np.repeat(row, 3), columns.ravel(), values.ravel())]
        for side in range(2):
            has = np.flatnonzero(rows["bodies"][:, side] != NONE)
            first = 3 * count + 6 * rows["bodies"][has, side].astype(np.int64)
            six = np.hstack([rows["body_gradients"][has, side], rows["body_turns"][has, side]])
            parts.append((np.repeat(has, 6), (first[:, None] + np.arange(6)).ravel(), six.ravel()))
        return _sparse(parts, (len(rows), 3 * count + 6 * body_count))

    def project(
        self,
        particles: npt.ArrayLike,
        previous: npt.ArrayLike,
        inverse_masses: npt.ArrayLike,
        *,
        bodies: npt.ArrayLike = (),
        iterations: int = 1,
        warm: float = 0.0,
    ) -> tuple[Floats, Floats]:
        """Project all rows in their order, gap and friction, ``iterations`` times; returns the particles, n × 3, and the poses of the
        bodies, n × 7. ``previous``: positions at the start of the step. ``warm``: start from so much of the last step's multipliers."""
        masses = [float(x) for x in np.asarray(inverse_masses, dtype=np.float64)]
        state = (_arrays.wide(particles, 3), _arrays.wide(previous, 3), masses, _arrays.wide(bodies, 18))
        moved, poses = self._own.project(state, iterations, warm)
        return _arrays.rows(moved, 3), _arrays.rows(poses, 7)


class RigidRows:
    """The rows of an impulse solver for steps of ``step`` seconds.

    ``slop``: metres of penetration that are left alone; ``push_rate``: the part of the rest that is corrected in a step;
    ``most_push_speed``: metres per second; ``stabilization``: ``baumgarte`` or ``split_impulse``; ``friction_bound``: ``cone`` or ``pyramid``.
    """

    def __init__(
        self,
        step: float,
        *,
        slop: float = 0.0,
        push_rate: float = 0.2,
        most_push_speed: float = np.inf,
        stabilization: Literal["baumgarte", "split_impulse"] = "baumgarte",
        friction_bound: Literal["cone", "pyramid"] = "cone",
    ) -> None:
        split, pyramid = stabilization == "split_impulse", friction_bound == "pyramid"
        self._own = _palpate.Rigid(step, slop, push_rate, most_push_speed, split, pyramid)

    def gather(
        self,
        scene: Scene,
        masses: npt.ArrayLike,
        velocities: npt.ArrayLike,
        sides: Sides,
        *,
        materials: Materials | Material | None = None,
    ) -> None:
        """Replace the rows by those of the contacts of the scene's last step.

        ``masses``: n × 13, the centre of mass, the inverse mass, the inverse inertia row by row (world frame). ``velocities``: n × 6,
        linear, then angular. Errors: a body that does not exist; there are then no rows.
        """
        masses, velocities = _arrays.wide(masses, 13), _arrays.wide(velocities, 6)
        self._own.gather(scene._own, masses, velocities, _sides(sides), _materials(materials))

    def rows(self) -> Records:
        """The rows: an array of :data:`RIGID_ROW`."""
        return self._own.rows().view(RIGID_ROW)

    def matrix(self, body_count: int) -> csr_array:
        """The Jacobian as a sparse matrix: 3 m × 6 n, three rows a contact (normal, tangents). Needs scipy."""
        rows, parts = self.rows(), []
        for side in range(2):
            has = np.flatnonzero(rows["bodies"][:, side] != NONE)
            row = 3 * has[:, None] + np.arange(3)
            column = 6 * rows["bodies"][has, side].astype(np.int64)[:, None] + np.arange(6)
            shape = (len(has), 3, 6)
            places = [np.broadcast_to(row[:, :, None], shape), np.broadcast_to(column[:, None, :], shape)]
            parts.append((places[0].ravel(), places[1].ravel(), rows["jacobian"][has, :, side].ravel()))
        return _sparse(parts, (3 * len(rows), 6 * body_count))

    def solve(
        self, velocities: npt.ArrayLike, *, iterations: int = 1, warm: float = 0.0, push: bool = False
    ) -> Floats:
        """Solve all rows in their order, ``iterations`` times (projected Gauss–Seidel); returns the velocities, n × 6. With ``push`` they
        are the pseudo-velocities of split impulses, which begin at 0 in every step."""
        return _arrays.rows(self._own.solve(_arrays.wide(velocities, 6), iterations, warm, push), 6)


def _sparse(parts: Iterable[tuple[Any, Any, Any]], shape: tuple[int, int]) -> csr_array:
    from scipy.sparse import coo_array

    rows, columns, values = (np.concatenate(arrays) for arrays in zip(*parts))
    return coo_array((values, (rows, columns)), shape=shape).tocsr()
