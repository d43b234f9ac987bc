"""Motion that lets nothing through: a guard for any solver, and the loop of a step around a position-based one.

What holds, and why: ``docs/using-contacts.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Collection, Literal, Mapping

import numpy as np
import numpy.typing as npt

from . import _arrays, _palpate
from ._arrays import Floats
from ._arrays import rows as _rows
from ._palpate import Geometry, GeometryId
from .response import Material, Materials, PbdRows, Records, _materials
from .scene import Scene

#: A motion that was shortened: ``body`` is 0 for a particle, 1 for a rigid body; ``lost`` metres, ``lost_turn`` radians.
SHORTENED = np.dtype(
    [("body", "<u4"), ("reserved", "<u4"), ("index", "<u8"), ("pair", "<u8"), ("lost", "<f8"), ("lost_turn", "<f8")]
)

#: A tool that did not get where it was moved to: ``missing`` metres along ``direction`` away from the other side of the pair.
CONTRADICTION = np.dtype([("tool", "<u8"), ("pair", "<u8"), ("missing", "<f8"), ("direction", "<f8", 3)])


@dataclass(frozen=True)
class Moves:
    """What a geometry moves with.

    ``particles``: vertex v is particle ``index + v``; ``body``: the rigid body ``index``; ``tool``: the same, moved by the host, before
    which the other side gives way; ``fixed``: it is at rest.
    """

    kind: Literal["fixed", "particles", "body", "tool"]
    index: int = 0


FIXED = Moves("fixed")


@dataclass(frozen=True, eq=False)
class GuardReport:
    """What a guard has done in a step; nothing in most."""

    #: Every motion that was shortened: an array of :data:`SHORTENED`, particles first.
    shortened: Records
    #: Every tool that was cut short: an array of :data:`CONTRADICTION`.
    contradictions: Records
    #: Pairs of elements that could meet in the step, each of which is proved not to.
    near: int
    #: Pairs of elements that touch or cross at the start of the step: these are not guarded.
    crossing: int
    #: Passes over the pairs; 1 if nothing was shortened.
    rounds: int
    #: Pairs of elements that were put back to where they were.
    frozen: int


def _report(told: _palpate._Told) -> GuardReport:
    shortened, contradictions, counts = told
    return GuardReport(shortened.view(SHORTENED), contradictions.view(CONTRADICTION), *counts)


class Guard:
    """Shortens the motion of a step, whatever solver it comes from, so that nothing that was apart passes through anything.

    >>> import palpate
    >>> from palpate.stepping import Guard, Moves
    >>> guard = Guard()
    >>> ball = guard.add(palpate.sphere([0, 0, 0], 0.5), Moves("body", 0))
    >>> wall = guard.add(palpate.plane([0, 0, 0], [0, 1, 0]))
    >>> pair = guard.add_pair(ball, wall, 0.01)
    >>> start, end = [[0, 2, 0, 1, 0, 0, 0]], [[0, -9, 0, 1, 0, 0, 0]]
    >>> _, poses, report = guard.hold([], [], start_poses=start, poses=end)
    >>> bool(poses[0, 1] > 0.5), report.shortened["body"]
    (True, array([1], dtype=uint32))
    """

    def __init__(self) -> None:
        self._own = _palpate.Guard()

    def add(self, geometry: Geometry, moves: Moves = FIXED) -> int:
        """Add a geometry, and return its number. The coordinates of a mesh that moves with a body are in the frame of its pose. Errors:
        a kind that the guard does not know."""
        return self._own.add(geometry, moves.kind, moves.index)

    def replace(self, body: int, geometry: Geometry) -> None:
        """Give a body another geometry: after a cut."""
        self._own.replace(body, geometry)

    def add_pair(self, a: int, b: int, distance: float) -> int:
        """Keep two bodies, or one and itself, at least ``distance`` metres apart, between their surfaces; negative to let radii overlap by
        that much. Returns the number of the pair. Errors: a distance that with both radii is not above 0."""
        return self._own.add_pair(a, b, distance)

    def hold(
        self,
        start: npt.ArrayLike,
        particles: npt.ArrayLike,
        *,
        start_poses: npt.ArrayLike = (),
        poses: npt.ArrayLike = (),
    ) -> tuple[Floats, Floats, GuardReport]:
        """Shorten the motion of particles (n × 3) and poses (n × 7) since the start of the step; returns where they end (read-only
        arrays), and what was shortened. Errors: a place that is not finite, by name; lists of different lengths."""
        places = _places(start, start_poses), _places(particles, poses)
        ends, to, told = self._own.hold(*places)
        return _rows(ends, 3), _rows(to, 7), _report(told)

    def is_free(
        self,
        start: npt.ArrayLike,
        particles: npt.ArrayLike,
        *,
        start_poses: npt.ArrayLike = (),
        poses: npt.ArrayLike = (),
    ) -> bool:
        """Whether :meth:`hold` is proved to change nothing."""
        return self._own.is_free(_places(start, start_poses), _places(particles, poses))

    def slow(self, particles: npt.ArrayLike, velocities: npt.ArrayLike, step: float) -> Floats:
        """The velocities of all particles, n × 3, without what led against the last shortening; ``step`` in seconds. A read-only array."""
        return _rows(self._own.slow(_arrays.wide(particles, 3), _arrays.wide(velocities, 3), step), 3)

    def slow_bodies(self, velocities: npt.ArrayLike, step: float) -> Floats:
        """The same for the velocities and spins of all bodies, n × 6. Those of tools stay. A read-only array."""
        return _rows(self._own.slow_bodies(_arrays.wide(velocities, 6), step), 6)


def _places(particles: npt.ArrayLike, poses: npt.ArrayLike) -> tuple[Floats, Floats]:
    return _arrays.wide(particles, 3), _arrays.wide(poses, 7)


def _none(width: int) -> Callable[[], Floats]:
    return lambda: np.empty((0, width))


@dataclass(eq=False)
class Moving:
    """What moves. World frame; metres, seconds, radians."""

    #: All particles, n × 3.
    particles: npt.ArrayLike = field(default_factory=_none(3))
    #: Their velocities, n × 3.
    velocities: npt.ArrayLike = field(default_factory=_none(3))
    #: All rigid bodies, n × 18: the pose and the pose at the start of the step (7 each), the inverse mass, three inverse principal moments.
    bodies: npt.ArrayLike = field(default_factory=_none(18))
    #: Their velocities and spins, n × 6.
    body_velocities: npt.ArrayLike = field(default_factory=_none(6))

    def _arrays(self) -> tuple[Floats, Floats, Floats, Floats]:
        wide = _arrays.wide
        particles, velocities = wide(self.particles, 3), wide(self.velocities, 3)
        return particles, velocities, wide(self.bodies, 18), wide(self.body_velocities, 6)


def _moving(taken: _palpate._Taken) -> Moving:
    particles, velocities, bodies, spins = (memory.copy() for memory in taken)
    return Moving(_rows(particles, 3), _rows(velocities, 3), _rows(bodies, 18), _rows(spins, 6))


@dataclass(frozen=True, eq=False)
class Stepped:
    """What a step has done."""

    #: What moves, at the end of the step.
    moving: Moving
    #: Detections made.
    detections: int
    #: Metres: how far the motion is beyond what the last detection covers.
    excess: float
    #: What the guard has shortened.
    report: GuardReport


class Stepper:
    """The loop of a step of ``step`` seconds over a scene, for a position-based solver: predict, detect, gather the rows, solve, again if the
    motion left what the detection covered, and a guard that keeps ``distance`` metres.

    ``moves``: what each geometry moves with, others are at rest; ``substeps`` of the solver, for whose length rows are made; ``detections``
    in a step at most; ``unguarded``: geometries that the guard leaves out. Pairs may be added to the scene later, geometries not.
    Errors: a step that is not positive; a geometry that the guard does not know.

    >>> import numpy as np, palpate
    >>> from palpate.stepping import Moves, Moving, Stepper
    >>> scene = palpate.Scene()
    >>> dust = scene.add("dust", palpate.point_set([[0, 0.01, 0]], radius=0.001))
    >>> floor = scene.add("floor", palpate.oriented_box([1, 0.5, 1], [0, -0.5, 0, 1, 0, 0, 0]))
    >>> pair = scene.add_pair(dust, floor, margin=0.002, detection="continuous_then_static")
    >>> stepper = Stepper(scene, 0.01, 0.0001, {dust: Moves("particles")})
    >>> def solve(moving, rows):  # from the start of the step to its end
    ...     start = moving.particles.copy()
    ...     moving.particles, _ = rows.project(start + 0.01 * moving.velocities, start, [1.0])
    ...     moving.velocities = (moving.particles - start) / 0.01
    >>> moving = Moving([[0, 0.01, 0]], [[0, -30.0, 0]])
    >>> moving = stepper.step(scene, moving, solve).moving
    >>> bool(moving.particles[0, 1] >= 0.001)
    True
    """

    def __init__(
        self,
        scene: Scene,
        step: float,
        distance: float,
        moves: Mapping[GeometryId, Moves],
        *,
        substeps: int = 1,
        detections: int = 3,
        unguarded: Collection[GeometryId] = (),
    ) -> None:
        given = [(id, moved.kind, moved.index) for id, moved in moves.items()]
        self._own = _palpate.Stepper(scene._own, (step, distance), (substeps, detections), given, list(unguarded))
        self._rows = PbdRows(step / max(substeps, 1))

    def step(
        self,
        scene: Scene,
        moving: Moving,
        solve: Callable[[Moving, PbdRows], object],
        *,
        materials: Materials | Material | None = None,
    ) -> Stepped:
        """One step. ``solve`` is called once per detection with what moves at the start of the step and the rows; it moves everything to
        the end of the step and sets the velocities, by assigning the arrays or in place. It must not use the scene. What it raises ends
        the step. Errors: of the scene, of rows, of the guard."""

        def solved(taken: _palpate._Taken) -> tuple[Floats, Floats, Floats, Floats]:
            state = _moving(taken)
            solve(state, self._rows)
            return state._arrays()

        taken, detections, excess, told = self._own.step(
            scene._own, moving._arrays(), _materials(materials), self._rows._own, solved
        )
        return Stepped(_moving(taken), detections, excess, _report(told))
