"""The contacts of a procedure: a needle with the thread behind it, a blade, two jaws, a tube in a tube.

All of it is geometry: forces, and the decision whether a tip punctures, are the solver's. Points are n × 3, in the world frame, metres;
the mesh of a call must have its vertices there (:meth:`palpate.Scene.set_vertices`): one that is placed by a pose is refused.
Arrays that are returned are read-only. What holds, and how it is tested: ``docs/procedure.md``.

>>> import numpy as np, palpate
>>> from palpate.procedure import Event, ShaftTracker
>>> corners = [[-1, 0, -1], [1, 0, -1], [0, 0, 1.5], [0, 1, 0], [0, -1, 0]]
>>> scene = palpate.Scene()
>>> skin = scene.add("skin", palpate.tetra_mesh(corners, [[0, 1, 2, 4], [0, 2, 1, 3]]))
>>> tracker, found = ShaftTracker(0.02), []
>>> for step in range(160):  # a needle of 0.3 m that moves down, and the thread behind it
...     back = np.array([0, 0.1, 0.2, 0.3])
...     row = np.column_stack([np.full(4, 0.05), 1.2 - 0.02 * step + back, np.full(4, 0.05)])
...     tracker.update(scene, skin, row, row + [0, 0.3, 0])
...     found.extend(tracker.events["kind"])
...     if tracker.candidate is not None:  # and the solver's force on the tip is enough
...         tracker.allow()
>>> [(kind.name, found.count(kind)) for kind in (Event.PUNCTURED, Event.EXITED, Event.PASSED, Event.WITHDRAWN)]
[('PUNCTURED', 1), ('EXITED', 1), ('PASSED', 2), ('WITHDRAWN', 2)]
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Sequence

import numpy as np
import numpy.typing as npt

from . import _arrays, _palpate
from ._arrays import Floats
from ._palpate import GeometryId
from .contacts import CONTACT, Contacts
from .scene import Scene

#: A place on a shaft: the section (0 the needle, 1 its thread), the segment within it from its front, the weight of the segment's rear
#: end, and the arc length from the tip, metres.
SHAFT_PLACE = np.dtype([("section", "<u4"), ("segment", "<u4"), ("weight", "<f8"), ("arc", "<f8")])

#: A place where a shaft passes through a surface: an id that lasts; a :class:`Passing`; the triangle, its vertices and their weights;
#: the place on the shaft; the point, metres; the cosine of the angle between shaft and normal.
SHAFT_CROSSING = np.dtype(
    [
        ("id", "<u8"),
        ("passing", "<u4"),
        ("triangle", "<u4"),
        ("vertices", "<u4", 3),
        ("reserved", "<u4"),
        ("weights", "<f8", 3),
        ("place", SHAFT_PLACE),
        ("point", "<f8", 3),
        ("cosine", "<f8"),
    ]
)

#: A part of a shaft in one tetrahedron: the cell, the places where it begins and ends (the end nearer to the tip first), and the weights
#: of the cell's vertices there.
SHAFT_STAY = np.dtype(
    [("cell", "<u4"), ("reserved", "<u4"), ("places", SHAFT_PLACE, 2), ("weights", "<f8", (2, 4))]
)

#: A change: the crossing (0 for the tip), an :class:`Event`, whether a puncture was allowed, and the triangles (slid) or sections
#: (passed) before and now.
SHAFT_EVENT = np.dtype([("id", "<u8"), ("kind", "<u4"), ("is_allowed", "<u4"), ("changed", "<u4", 2)])

#: Where a blade passed through an edge of a mesh: its vertices, the weight of the second, and the time, 0 to 1.
EDGE_CUT = np.dtype([("edge", "<u4", 2), ("weight", "<f8"), ("time", "<f8")])

#: A vertex that a cut has added: the vertices that it lies between (twice the same for a copy), and their weights.
NEW_VERTEX = np.dtype([("of", "<u4", 2), ("weights", "<f8", 2)])

#: A cell that a blade's edge passes through, and the times at which it enters and leaves it, 0 to 1.
SWEPT_CELL = np.dtype([("cell", "<u4"), ("reserved", "<u4"), ("times", "<f8", 2)])

#: A contact of a shaft with the wall of the vessel that it is in: the place on the shaft; the triangle of the wall; the branch of the
#: centreline (``palpate.NONE`` without one); the weights of the triangle's vertices; the point of the wall; the unit direction into the
#: lumen; the depth in metres, negative when it is near the wall only; the place on the branch.
LUMEN_CONTACT = np.dtype(
    [
        ("place", SHAFT_PLACE),
        ("triangle", "<u4"),
        ("branch", "<u4"),
        ("weights", "<f8", 3),
        ("point", "<f8", 3),
        ("direction", "<f8", 3),
        ("depth", "<f8"),
        ("branch_place", SHAFT_PLACE),
    ]
)

#: Holds a place of a shaft at a place in tissue in the two directions across the shaft; along it friction resists. ``tissue``, ``weights``:
#: up to four particles and their weights, which add up to 1. The shaft's segment is between two ``particles`` or, if ``is_rigid``, between
#: two ``ends`` in the frame of the rigid ``body``; ``weight`` is that of its second end. ``compliance`` in metres per newton, ``friction``
#: is Coulomb's coefficient, ``grip`` newtons. ``across``, ``along``: multipliers, 0 at the begin of a step. ``force`` (of the shaft on the
#: tissue, newtons) and ``offset`` (metres, across the shaft) are set by :func:`project_slidings`.
SLIDING = np.dtype(
    [
        ("tissue", "<u4", 4),
        ("weights", "<f8", 4),
        ("is_rigid", "<u4"),
        ("body", "<u4"),
        ("particles", "<u4", 2),
        ("ends", "<f8", (2, 3)),
        ("weight", "<f8"),
        ("compliance", "<f8"),
        ("friction", "<f8"),
        ("grip", "<f8"),
        ("across", "<f8", 3),
        ("along", "<f8"),
        ("force", "<f8", 3),
        ("offset", "<f8", 3),
    ]
)

Records = npt.NDArray[np.void]
Numbers = npt.NDArray[np.uint32]


class Passing(IntEnum):
    """How a shaft passes through a surface toward its tip."""

    IN = 0
    OUT = 1


class Event(IntEnum):
    """What changed about a shaft in a tissue."""

    TOUCHED = 0
    LEFT = 1
    PUNCTURED = 2
    EXITED = 3
    WITHDRAWN = 4
    SLID = 5
    PASSED = 6


@dataclass(frozen=True)
class Candidate:
    """The tip before a surface that it may puncture: the host decides whether it does."""

    #: The vertices of the element nearest to the tip: one, two or three. The contact of the tip has the same.
    vertices: tuple[int, ...]
    #: A triangle that has the element.
    triangle: int
    #: The point of the surface nearest to the tip: metres.
    point: tuple[float, float, float]
    #: Metres from the tip.
    distance: float
    #: Between the shaft's direction and the inward normal: 1 where the tip points straight in, below 0 where it points away.
    cosine: float


@dataclass(frozen=True)
class PunctureRule:
    """A rule for a puncture, as data: all three must hold.

    >>> from palpate.procedure import Candidate, PunctureRule
    >>> rule = PunctureRule(force=0.3, cosine=0.4)
    >>> straight = Candidate((3,), 1, (0, 1, 0), 0.01, 0.9)
    >>> rule.allows(straight, force=0.5), rule.allows(straight, force=0.2)
    (True, False)
    """

    #: The least force of the tip's contact, newtons.
    force: float = 0.0
    #: The least cosine of the angle to the inward normal.
    cosine: float = 0.0
    #: The least speed of the tip along the shaft, metres per second.
    speed: float = 0.0

    def allows(self, candidate: Candidate, force: float, speed: float = 0.0) -> bool:
        """Whether the tip, with this contact force and speed along the shaft, punctures the surface."""
        return force >= self.force and candidate.cosine >= self.cosine and speed >= self.speed


def _rows(rows: Sequence[npt.ArrayLike]) -> list[npt.NDArray[np.float64]]:
    return [np.ascontiguousarray(row, dtype=np.float64) for row in rows]


class ShaftTracker:
    """Follows a needle, and the thread behind it, through one tissue: a closed surface or a tetra mesh of a scene. Several tissues have
    a tracker each. One call at a time.

    ``touch``: the tip touches a surface that is no farther than this, metres. ``turned_cells``: for a mesh with cells turned inside out; the
    path is found some five times slower.

    >>> import palpate
    >>> from palpate.procedure import ShaftTracker
    >>> scene = palpate.Scene()
    >>> organ = scene.add("organ", palpate.tetra_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2, 3]]))
    >>> tracker = ShaftTracker(0.01)
    >>> tracker.update(scene, organ, [[0.25, 0.25, 0.125], [0.25, 0.25, -1]])
    >>> round(tracker.depth, 9), tracker.tip_cell, tracker.crossings["id"], tracker.crossings["place"]["arc"].round(9)
    (0.125, 0, array([1], dtype=uint64), array([0.125]))
    >>> tracker.update(scene, organ, [[0.25, 0.25, 0.125]])
    Traceback (most recent call last):
        ...
    palpate.errors.OutOfRangeError: the shaft has 1 point: wanted at least 2
    """

    def __init__(self, touch: float, *, turned_cells: bool = False) -> None:
        self._own = _palpate.ShaftTracker(touch, turned_cells)

    def update(self, scene: Scene, tissue: GeometryId, *sections: npt.ArrayLike) -> None:
        """Look at the shaft and the tissue as they are now. ``sections``: rows of points, n × 3 each, from its front backward: the
        needle from its tip, then the thread. Errors: fewer than two points, one that is not finite, an open surface, a mesh that is
        placed by a pose; nothing is changed then."""
        self._own.update(scene._own, tissue, _rows(sections))

    @property
    def crossings(self) -> Records:
        """The crossings, the nearest to the tip first: an array of :data:`SHAFT_CROSSING`."""
        return self._own.crossings().view(SHAFT_CROSSING)

    @property
    def path(self) -> Records:
        """The parts of the shaft in the cells of a tetra mesh, the nearest to the tip first: an array of :data:`SHAFT_STAY`."""
        return self._own.path().view(SHAFT_STAY)

    @property
    def events(self) -> Records:
        """What the last update changed, of crossings, then of the tip: an array of :data:`SHAFT_EVENT`."""
        return self._own.events().view(SHAFT_EVENT)

    @property
    def candidate(self) -> Candidate | None:
        """The surface near the tip, if the tip is outside and near it."""
        found = self._own.candidate()
        if found is None:
            return None
        vertices, triangle, point, distance, cosine = found
        return Candidate(tuple(vertices), triangle, (point[0], point[1], point[2]), distance, cosine)

    @property
    def depth(self) -> float:
        """How far the tip is in, along the shaft from the crossing nearest to it, metres; 0 if it is outside."""
        return self._own.tip()[0]

    @property
    def length(self) -> float:
        """The length of the shaft, metres."""
        return self._own.tip()[1]

    @property
    def tip_is_inside(self) -> bool:
        """Whether the tip is inside, if the rear end is outside."""
        return self._own.tip()[2]

    @property
    def tip_cell(self) -> int | None:
        """The tetrahedron that holds the tip."""
        return self._own.tip()[3]

    def allow(self) -> None:
        """Let the tip through the surface near it, until it has punctured it or left it."""
        self._own.allow()

    def is_let_through(
        self, section: npt.ArrayLike, segment: npt.ArrayLike, weight: npt.ArrayLike, distance: float
    ) -> npt.NDArray[np.bool_]:
        """Which surface contacts of the shaft to leave out, n: those inside the tissue, within ``distance`` (metres, along the shaft) of
        a crossing, and of the tip if it is allowed through. All others stay. Section, segment and the weight of its rear end are those of
        the contacts. Errors: no such segment."""
        places = np.broadcast_arrays(*(np.atleast_1d(np.asarray(part)) for part in (section, segment, weight)))
        lists = [int(x) for x in places[0].ravel()], [int(x) for x in places[1].ravel()]
        weights = [float(x) for x in places[2].ravel()]
        return self._own.is_let_through(*lists, weights, distance).view(np.bool_)

    def reset(self) -> None:
        """Forget everything but the ids that were given."""
        self._own.reset()


@dataclass(frozen=True, eq=False)
class Division:
    """What a cut made of a mesh. The cells that it did not touch, and all vertices that there were, keep their numbers."""

    #: Where the blade passed through edges, in order of time: an array of :data:`EDGE_CUT`.
    cuts: Records
    #: The number of the first new vertex.
    first_vertex: int
    #: The new vertices, from that number on: an array of :data:`NEW_VERTEX`.
    vertices: Records
    #: The cells that are gone, ascending.
    removed: Numbers
    #: The numbers of the new cells.
    cells: range
    #: For each new cell the one that it is part of.
    parents: Numbers

    def carry(self, field: npt.ArrayLike) -> Floats:
        """A field of the vertices, n × anything, with the values of the new vertices at its end: rest positions, temperatures."""
        values = np.asarray(field, dtype=np.float64)
        first, second = (values[self.vertices["of"][:, side]] for side in range(2))
        part = self.vertices["weights"][:, 1].reshape(-1, *[1] * (values.ndim - 1))
        # Of a copy the value itself, to the bit.
        new = np.where(np.equal(*self.vertices["of"].T).reshape(part.shape), first, (1 - part) * first + part * second)
        return np.concatenate([values, new])

    def carry_cells(self, field: npt.ArrayLike) -> npt.NDArray[np.generic]:
        """A field of the cells, n × anything, with the values of the new cells at its end: those of their parents."""
        values = np.asarray(field)
        return np.concatenate([values, values[self.parents]])


Row = npt.ArrayLike


class Blade:
    """Cuts one mesh (lines, triangles or tetrahedra) of a scene along what its edge, a row of points, sweeps, step by step.

    ``snap``: a cut nearer than this to an end of an edge, as a part of the edge, goes through the vertex there, 0 to 0.5. ``least``: no part
    is smaller, in metres, square or cubic metres.

    >>> import palpate
    >>> from palpate.procedure import Blade
    >>> scene = palpate.Scene()
    >>> organ = scene.add("organ", palpate.tetra_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2, 3]]))
    >>> before, now = [[-1, -1, 0.25], [-1, 2, 0.25]], [[2, -1, 0.25], [2, 2, 0.25]]
    >>> division = Blade().cut(scene, organ, before, now)
    >>> len(division.cuts), len(division.vertices), division.removed  # three edges are cut, and their new vertices doubled
    (3, 6, array([0], dtype=uint32))
    >>> division.carry([20.0, 20.0, 20.0, 40.0])[4:7]
    array([25., 25., 25.])
    """

    def __init__(self, *, snap: float = 0.1, least: float = 0.0) -> None:
        self._own = _palpate.Blade(snap, least)

    def cut(self, scene: Scene, mesh: GeometryId, before: Row, now: Row) -> Division:
        """Cut a mesh along what the edge sweeps from the points ``before`` to the points ``now``, n × 3 each with n of at least 2. A
        partial cut ends in a front, which the next one takes up. Errors: rows of different length, a mesh that is placed by a pose;
        nothing is changed then."""
        before, now = _rows([before, now])
        cuts, first_vertex, vertices, removed, cells, parents = self._own.cut(scene._own, mesh, before, now)
        return Division(
            cuts.view(EDGE_CUT),
            first_vertex,
            vertices.view(NEW_VERTEX),
            removed.view(np.uint32),
            range(*cells),
            parents.view(np.uint32),
        )

    def close(
        self, scene: Scene, mesh: GeometryId, first: tuple[Row, Row], second: tuple[Row, Row]
    ) -> tuple[Division, Division]:
        """Cut with scissors: along the sweeps (before, now) of both edges. Where they meet, the second takes up the front of the first."""
        return self.cut(scene, mesh, *first), self.cut(scene, mesh, *second)

    @property
    def front(self) -> Numbers:
        """The vertices at which the cut ends within the mesh, ascending."""
        return self._own.front().view(np.uint32)

    def lift(self) -> None:
        """End the cut: the next one begins another."""
        self._own.lift()


def swept_cells(scene: Scene, mesh: GeometryId, before: Row, now: Row) -> Records:
    """The cells that a blade's edge passes through, in the order in which it enters them: an array of :data:`SWEPT_CELL`. Nothing is
    cut."""
    before, now = _rows([before, now])
    return _palpate.swept_cells(scene._own, mesh, before, now).view(SWEPT_CELL)


def cauterize(scene: Scene, mesh: GeometryId, center: npt.ArrayLike, radius: float) -> Numbers:
    """Remove the cells of a mesh that a ball touches; returns their numbers, ascending."""
    place = [float(x) for x in np.asarray(center, dtype=np.float64).ravel()]
    return _palpate.cauterize(scene._own, mesh, place, radius).view(np.uint32)


@dataclass(frozen=True, eq=False)
class Grasp:
    """What two jaws hold."""

    #: The same from step to step while the jaws hold.
    id: int
    #: For each jaw the triangles of the tissue's surface that it touches, ascending.
    triangles: tuple[Numbers, Numbers]
    #: Their areas, square metres.
    areas: tuple[float, float]
    #: The tetrahedra between opposed contacts, ascending; none of a surface.
    cells: Numbers
    #: Opposed contacts, n × 2: for each contact of the first jaw that has one, its best of the second, by their places.
    pairs: npt.NDArray[np.uint64]
    #: How far the best pair is from slipping: 0 on the edge of slipping, at most 1.
    closure: float


class GraspTracker:
    """Follows what two jaws hold of one tissue.

    >>> import palpate
    >>> from palpate.procedure import GraspTracker
    >>> scene = palpate.Scene()
    >>> corners = [[-1, 0, -1], [1, 0, -1], [0, 0, 1.5], [0, 1, 0], [0, -1, 0]]
    >>> tissue = scene.add("tissue", palpate.tetra_mesh(corners, [[0, 1, 2, 4], [0, 2, 1, 3]]))
    >>> jaws = [scene.add(str(y), palpate.sphere([0, y, 0], 0.3)) for y in (1.2, -1.2)]
    >>> pairs = [scene.add_pair(jaw, tissue) for jaw in jaws]
    >>> _ = scene.step()
    >>> grasp = GraspTracker().update(scene, tissue, *map(scene.contacts, pairs), friction=0.5)
    >>> grasp.id, grasp.cells
    (1, array([0, 1], dtype=uint32))
    """

    def __init__(self) -> None:
        self._own = _palpate.GraspTracker()

    def update(
        self, scene: Scene, tissue: GeometryId, first: Contacts, second: Contacts, friction: float
    ) -> Grasp | None:
        """Look at the contacts of both jaws (side A) with the tissue (side B), with Coulomb's coefficient ``friction``. A grasp begins
        with the first opposed contacts, and ends when there are none. Errors: as :meth:`ShaftTracker.update`."""
        jaws = [np.ascontiguousarray(np.asarray(side, dtype=CONTACT)).view(np.uint8) for side in (first, second)]
        found = self._own.update(scene._own, tissue, (jaws[0], jaws[1]), friction)
        if found is None:
            return None
        id, one, other, areas, cells, pairs, closure = found
        triangles = (one.view(np.uint32), other.view(np.uint32))
        return Grasp(
            id, triangles, (areas[0], areas[1]), cells.view(np.uint32), pairs.view(np.uint64).reshape(-1, 2), closure
        )


class Centreline:
    """The centreline of a vessel: branches, n × 3 each, from their beginnings.

    >>> from palpate.procedure import Centreline
    >>> branch, place = Centreline([[0, 0, 0], [1, 0, 0]], [[0.5, 0, 0], [0.5, 1, 0]]).nearest([[0.6, 0.5, 0]])
    >>> branch, place["arc"]
    (array([1], dtype=uint32), array([0.5]))
    """

    def __init__(self, *branches: npt.ArrayLike) -> None:
        self._own = _palpate.Centreline(_rows(branches))

    def nearest(self, points: npt.ArrayLike) -> tuple[Numbers, Records]:
        """The branches nearest to points, n × 3 (``palpate.NONE`` without branches), and the places on them (:data:`SHAFT_PLACE`)."""
        branches, places = self._own.nearest(_arrays.wide(points, 3))
        return branches.view(np.uint32), places.view(SHAFT_PLACE)


def lumen_contacts(
    scene: Scene,
    vessel: GeometryId,
    *sections: npt.ArrayLike,
    radius: float,
    margin: float = 0.0,
    reach: float = 0.0,
    centreline: Centreline | None = None,
) -> Records:
    """The contacts of a shaft, rows of points as of :meth:`ShaftTracker.update` with this radius, with the wall of a vessel, a closed
    surface of the scene whose inside is the lumen: for each segment the deepest, if it is nearer to the wall than ``margin``, an array
    of :data:`LUMEN_CONTACT`. They are one-sided: a segment whose centreline is beyond the wall, by ``reach`` at most, is pushed back inside."""
    line = centreline or Centreline()
    return _palpate.lumen_contacts(
        scene._own, vessel, _rows(sections), line._own, (radius, margin, reach)
    ).view(LUMEN_CONTACT)


def project_slidings(
    slidings: Records,
    particles: npt.ArrayLike,
    previous: npt.ArrayLike,
    inverse_masses: npt.ArrayLike,
    step: float,
    *,
    bodies: npt.ArrayLike = (),
    iterations: int = 1,
) -> tuple[Records, Floats, Floats]:
    """Project constraints (an array of :data:`SLIDING`) in their order, ``iterations`` times, in a step of ``step`` seconds; returns them with
    their multipliers, forces and offsets, the particles, n × 3, and the poses of the bodies, n × 7. Particles and bodies are those of
    :meth:`palpate.PbdRows.project`. Keep one for every crossing, with the vertices and weights that it had when it was new, and set
    ``particles`` and ``weight`` anew in every step. Errors: a particle or a body that does not exist.

    >>> import numpy as np
    >>> from palpate.procedure import SLIDING, project_slidings
    >>> row = np.zeros(1, SLIDING)
    >>> row["tissue"][0, 0], row["weights"][0, 0], row["particles"], row["weight"] = 0, 1, [1, 2], 0.5
    >>> places = [[0.1, 0, 0], [0, -1, 0], [0, 1, 0]]  # a vertex of tissue beside a thread along y
    >>> row, moved, _ = project_slidings(row, places, places, [1, 1, 1], 0.01, iterations=20)
    >>> bool(np.abs(row["offset"]).max() < 1e-9), float(moved[0, 0].round(6))
    (True, 0.033333)
    """
    masses = [float(x) for x in np.asarray(inverse_masses, dtype=np.float64)]
    state = (_arrays.wide(particles, 3), _arrays.wide(previous, 3), masses, _arrays.wide(bodies, 18))
    given = np.ascontiguousarray(np.asarray(slidings, dtype=SLIDING)).view(np.uint8)
    rows, moved, poses = _palpate.project_slidings(given, state, step, iterations)
    return rows.view(SLIDING), _arrays.rows(moved, 3), _arrays.rows(poses, 7)
