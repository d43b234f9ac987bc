"""Scenes: geometries and pairs, stepped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Iterator, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from . import _arrays, _palpate, query
from ._arrays import Floats, Pose
from ._detect import Settings, When, options, settings_of
from ._palpate import Geometry, GeometryId, PairId
from .contacts import EVENT, Contacts, view


class StepReport(NamedTuple):
    """What a step did."""

    #: Near pairs: those whose detector ran, and those that are unchanged.
    pairs_run: int
    #: Near pairs of which neither geometry has changed: they keep their contacts.
    pairs_unchanged: int
    #: Pairs that the broad phase culled.
    pairs_apart: int
    #: All contacts.
    contacts: int


@dataclass(frozen=True)
class Pair:
    """A pair of a scene."""

    #: Side A of its contacts.
    a: GeometryId
    #: Side B; the same for self-contact.
    b: GeometryId
    #: The name of its detector.
    detector: str
    #: Metres.
    margin: float
    #: The caveats of the last step.
    flags: tuple[str, ...]


class Scene:
    """Geometries by name, pairs of them, and the contacts of the last step. The world frame, metres.

    ``threads``: those of the loops of a detector, 0 for one per core; the contacts are the same bit for bit. A scene serves one call
    at a time, from any thread: another one meanwhile raises :class:`palpate.BusyError`. ``step`` releases the interpreter's lock.

    >>> import palpate
    >>> scene = palpate.Scene()
    >>> tool = scene.add("tool", palpate.sphere([0, 0, 0], 0.01))
    >>> organ = scene.add("organ", palpate.oriented_box([0.1, 0.1, 0.1]))
    >>> pair = scene.add_pair(tool, organ, margin=0.001)
    >>> scene.set_pose(tool, [0, 0.105, 0, 1, 0, 0, 0])
    >>> scene.step()
    StepReport(pairs_run=1, pairs_unchanged=0, pairs_apart=0, contacts=1)
    >>> scene.contacts(pair).depth.round(12)
    array([0.005])
    >>> scene.pair(pair).detector
    'sphere_oriented_box'
    """

    def __init__(self, threads: int = 1) -> None:
        self._own = _palpate.Scene(threads)

    def add(self, name: str, geometry: Geometry, *, groups: int = 1, mask: int = 0xFFFF_FFFF) -> GeometryId:
        """Add a copy of a geometry. ``groups`` and ``mask`` are bits: two geometries pass if each is in a group of the other's mask;
        they matter to :meth:`add_pairs_between`. Errors: a name that is in use."""
        return self._own.add(name, geometry, groups, mask)

    def remove(self, geometry: GeometryId) -> None:
        """Remove a geometry and its pairs."""
        self._own.remove(geometry)

    def replace(self, geometry: GeometryId, by: Geometry) -> None:
        """Replace a geometry by another one of any kind, with the same id and name. Its pairs start without memory."""
        self._own.replace(geometry, by)

    def geometry(self, geometry: GeometryId) -> Geometry:
        """A copy of a geometry as it is now; of one that is placed by :meth:`set_pose`, in its own frame."""
        return self._own.geometry(geometry)

    def geometries(self) -> dict[str, GeometryId]:
        """All geometries by name, in the order in which they were added."""
        return {name: id for id, name in self._own.geometries()}

    def pose(self, geometry: GeometryId) -> Floats:
        """The pose of a geometry: seven numbers."""
        return np.array(self._own.pose(geometry))

    def set_pose(self, geometry: GeometryId, pose: Pose) -> None:
        """Move a geometry. A mesh is placed: its vertices stay as they are in its own frame, its contacts are in the world."""
        self._own.set_pose(geometry, _arrays.pose7(pose))

    def set_poses(self, geometries: Sequence[GeometryId], poses: npt.ArrayLike) -> None:
        """Move several geometries: n × 7."""
        self._own.set_poses(list(geometries), _arrays.poses7(poses))

    def set_asleep(self, geometry: GeometryId, is_asleep: bool) -> None:
        """Say that a geometry rests, or that it may move again. A pair of two that sleep, or of one that sleeps and one that has not
        changed, keeps its contacts and is not looked at, wherever the sleeping ones are moved meanwhile."""
        self._own.set_asleep(geometry, is_asleep)

    def vertices(self, geometry: GeometryId) -> Floats:
        """The vertices of a mesh now, n × 3, a copy; in its own frame."""
        return _arrays.rows(self._own.vertices(geometry), 3)

    def set_vertices(self, geometry: GeometryId, vertices: npt.ArrayLike) -> None:
        """Move the vertices of a mesh, n × 3, float64 or float32, strided or not. Errors: another number of vertices, one that is
        not finite; nothing is changed then."""
        self._own.set_vertices(geometry, _arrays.numbers(vertices))

    def remove_cells(self, geometry: GeometryId, cells: npt.ArrayLike) -> None:
        """Remove cells of a mesh. All others keep their numbers; a removed number is not used again until :meth:`compact_cells`.
        Errors: a cell that is not there, or is named twice; nothing is changed then."""
        _palpate.remove_cells(self._own, geometry, [int(cell) for cell in np.asarray(cells).ravel()])

    def add_cells(self, geometry: GeometryId, cells: npt.ArrayLike, vertices: npt.ArrayLike = ()) -> range:
        """Add vertices, k × 3, then cells that may name them; returns the numbers of the cells. Errors: an index out of range, a
        coordinate that is not finite; nothing is changed then."""
        added = _arrays.wide(vertices, 3)
        return range(*_palpate.add_cells(self._own, geometry, added, _arrays.indices(cells)))

    def split_cell(self, geometry: GeometryId, cell: int, point: npt.ArrayLike) -> range:
        """Divide a cell by a new vertex at a point of the mesh's own frame, in as many cells as it has vertices; returns their
        numbers."""
        return range(*_palpate.split_cell(self._own, geometry, cell, [float(x) for x in np.asarray(point)]))

    def compact_cells(self, geometry: GeometryId) -> npt.NDArray[np.uint32]:
        """Number the cells anew, without the removed ones; returns for each cell before its number now, or ``palpate.NONE``. The
        vertices keep their numbers."""
        return _palpate.compact_cells(self._own, geometry).view(np.uint32)

    def advance(self) -> None:
        """Make the present state the previous one, for continuous detection. Call it before moving."""
        self._own.advance()

    def add_pair(
        self,
        a: GeometryId,
        b: GeometryId,
        *,
        detector: str | None = None,
        settings: Settings | None = None,
        margin: float = 0.0,
        detection: When = "static",
    ) -> PairId:
        """Add the pair of two geometries, sides A and B of its contacts; self-contact if ``b`` is ``a``. Errors: a pair that no
        detector serves, an unknown detector or setting, a negative margin."""
        return self._own.add_pair(a, b, options(detector, settings, margin, detection))

    def add_pairs_between(
        self,
        first: int,
        second: int,
        *,
        detector: str | None = None,
        settings: Settings | None = None,
        margin: float = 0.0,
        detection: When = "static",
    ) -> None:
        """Detect all pairs of a member of one of the groups ``first`` (bits) with one of ``second``, now and later."""
        self._own.add_pairs_between(first, second, options(detector, settings, margin, detection))

    def add_all_pairs(self, *, margin: float = 0.0) -> tuple[list[PairId], list[tuple[GeometryId, GeometryId]]]:
        """Add all pairs that have a detector; returns them, and those that have none."""
        return self._own.add_all_pairs(options(None, None, margin))

    def remove_pair(self, pair: PairId) -> None:
        """Remove a pair."""
        self._own.remove_pair(pair)

    def set_margin(self, pair: PairId, margin: float) -> None:
        """Change the margin of a pair, metres, from the next step on."""
        self._own.set_margin(pair, margin)

    def settings(self, pair: PairId) -> dict[str, Any]:
        """All settings of a pair."""
        found: dict[str, Any] = json.loads(self._own.settings(pair))
        return found

    def set_settings(self, pair: PairId, settings: Settings) -> None:
        """Replace the settings of a pair; it has no contacts until the next step."""
        self._own.set_settings(pair, _arrays.to_json(**(settings_of(settings) or {})))

    def pair(self, pair: PairId) -> Pair:
        """The geometries, detector, margin and flags of a pair."""
        a, b, detector, margin, flags = self._own.pair(pair)
        return Pair(a, b, detector, margin, tuple(flags))

    def pairs(self) -> list[PairId]:
        """All pairs, in the order of their ids."""
        return self._own.pairs(False)

    def active_pairs(self) -> list[PairId]:
        """The pairs whose detector ran in the last step."""
        return self._own.pairs(True)

    def step(self) -> StepReport:
        """Find the contacts of all pairs in the present state. Errors: a function of the caller that raised; then the contacts
        are those of the last step that succeeded."""
        return StepReport(*self._own.step())

    def contacts(self, pair: PairId) -> Contacts:
        """The contacts of a pair in the last step. The array stays as it is when the scene steps on."""
        return view(self._own.contacts(pair))

    def all_contacts(self) -> tuple[Contacts, npt.NDArray[np.uint64]]:
        """The contacts of all pairs, in the order of the pairs, and the number of the pair of each (``int(pair)``)."""
        contacts, pairs = self._own.all_contacts()
        return view(contacts), pairs.view(np.uint64)

    def set_events(self, is_on: bool) -> None:
        """Turn events on or off."""
        self._own.set_events(is_on)

    def events(self) -> npt.NDArray[np.void]:
        """What the last step changed: an array of :data:`palpate.EVENT`. Empty unless :meth:`set_events` was called."""
        return self._own.events().view(EVENT)

    def signed_distances(self, geometry: GeometryId, points: npt.ArrayLike, *, threads: int = 1) -> query.Records:
        """As :func:`palpate.signed_distances`, of a geometry where it is now."""
        return query.signed_distances(self._own.placed(geometry), points, threads=threads)

    def nearest(
        self, geometry: GeometryId, points: npt.ArrayLike, *, vertices: bool = False, threads: int = 1
    ) -> query.Records:
        """As :func:`palpate.nearest`, of a geometry where it is now."""
        return query.nearest(self._own.placed(geometry), points, vertices=vertices, threads=threads)

    def cast_rays(
        self,
        geometry: GeometryId,
        origins: npt.ArrayLike,
        directions: npt.ArrayLike,
        lengths: npt.ArrayLike = np.inf,
        *,
        threads: int = 1,
    ) -> query.Records:
        """As :func:`palpate.cast_rays`, of a geometry where it is now."""
        return query.cast_rays(self._own.placed(geometry), origins, directions, lengths, threads=threads)

    def save(self) -> _palpate.Saved:
        """The state of the scene, for :meth:`restore`: what follows is the same to the bit both times."""
        return self._own.save()

    def restore(self, saved: _palpate.Saved) -> None:
        """Give the scene back the state that :meth:`save` kept."""
        self._own.restore(saved)

    def __iter__(self) -> Iterator[str]:
        return iter(self.geometries())
