"""Haptics: a tool that follows a device and stays outside of everything, the force on the device, and tissue that another thread deforms.

A haptic loop has a scene of its own. What holds, and sources: ``docs/haptics.md``.

>>> import palpate
>>> from palpate import haptics
>>> scene = palpate.Scene()
>>> tool = scene.add("tool", palpate.sphere([0, 0.02, 0], 0.003))
>>> floor = scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0]))
>>> pair = scene.add_pair(tool, floor, margin=0.002)
>>> proxy, coupling = haptics.Proxy(scene, tool), haptics.Coupling()
>>> for tick in range(60):
...     device = [0, 0.02 - 0.0005 * tick, 0, 1, 0, 0, 0]
...     at = proxy.follow(device)
...     force, torque = coupling.wrench(device, at, 1e-3)
>>> at.is_outside, round(float(at.pose[1]), 4), round(float(force[1]), 3)  # the device is 9.5 mm in, the proxy rests on the floor
(True, 0.003, 5.0)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Sequence

import numpy as np

from . import _arrays, _palpate
from ._arrays import Floats, Pose
from ._palpate import GeometryId, GeometryReader
from .contacts import Contacts, view
from .scene import Scene


@dataclass(frozen=True, eq=False)
class Tick:
    """What a tick of a proxy came to."""

    #: The pose of the tool at the end of the tick: seven numbers.
    pose: Floats
    #: How far obstacles that moved have pushed the tool's origin, metres.
    pushed: Floats
    #: Contacts of the tool within the margin.
    contacts: int
    #: Detections.
    detections: int
    #: False only if obstacles have closed on the tool.
    is_outside: bool
    _own: _palpate.Tick


class Proxy:
    """A tool that follows a target without entering the obstacles that it has pairs with. It begins at the tool's present pose, which has
    to be outside.

    ``reach``: the greatest motion of a point of the tool between two detections, metres; the margin of its pairs must be at least as large.
    ``steps``: the greatest number of steps in a tick. Errors: a tool without pairs, or with a pair whose margin is below the reach.
    """

    def __init__(self, scene: Scene, tool: GeometryId, *, reach: float = 0.002, steps: int = 8) -> None:
        self._scene = scene
        self._own = _palpate.Proxy(scene._own, tool, reach, steps)

    def follow(self, target: Pose) -> Tick:
        """Move the tool toward a pose as far as it gets without entering an obstacle, sliding along what is in the way. Steps the scene
        some times; its contacts are then those of the tool's pose. Releases the interpreter's lock."""
        own = self._own.follow(self._scene._own, _arrays.pose7(target))
        pushed, contacts, detections, is_outside = own.rest()
        return Tick(np.array(own.pose()), np.array(pushed), contacts, detections, is_outside, own)


class Energy(NamedTuple):
    """Energies since a coupling was made, joules; ``to_device`` is at most the sum of the others."""

    #: Put in by the device: it moved against the force.
    from_device: float
    #: Put in by obstacles that pushed the proxy away from the device.
    from_obstacles: float
    #: Returned to the device.
    to_device: float


class Coupling:
    """A spring and a damper between a device and a proxy, which return no more energy than they received.

    ``stiffness``: newtons per metre; ``damping``: newton seconds per metre; ``angular_stiffness``: newton metres per radian; ``force_limit``:
    newtons; ``torque_limit``: newton metres.
    """

    def __init__(
        self,
        *,
        stiffness: float = 500.0,
        damping: float = 0.2,
        angular_stiffness: float = 0.0,
        force_limit: float = 5.0,
        torque_limit: float = 0.1,
    ) -> None:
        self._own = _palpate.Coupling(stiffness, damping, angular_stiffness, force_limit, torque_limit)

    def wrench(self, device: Pose, tick: Tick, step: float) -> tuple[Floats, Floats]:
        """Force (newtons) and torque (newton metres, about the device's origin) on the device at a pose after a tick, ``step`` seconds
        after the one before; world frame."""
        force, torque = self._own.wrench(_arrays.pose7(device), tick._own, step)
        return np.array(force), np.array(torque)

    @property
    def energy(self) -> Energy:
        """The energies exchanged so far."""
        return Energy(*self._own.energy())


class SnapshotReader:
    """The contacts of a scene for another thread: every step that succeeds publishes them, and reading never waits for one.

    >>> import palpate
    >>> from palpate import haptics
    >>> scene = palpate.Scene()
    >>> ball = scene.add("ball", palpate.sphere([0, 0.5, 0], 1))
    >>> pair = scene.add_pair(ball, scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0])))
    >>> reader = haptics.SnapshotReader(scene)
    >>> _ = scene.step()
    >>> contacts, step = reader.read()  # from any thread
    >>> contacts.depth, step
    (array([0.5]), 1)
    """

    def __init__(self, scene: Scene) -> None:
        self._own = _palpate.snapshots(scene._own)

    def read(self) -> tuple[Contacts, int]:
        """The contacts of all pairs in the newest finished step, in the order of the pairs, and its number (0 before the first)."""
        contacts, step = self._own.read()
        return view(contacts), step


class SharedChange(NamedTuple):
    """A shared geometry whose cells are others than before."""

    #: Its id in the scene that reads it.
    id: GeometryId
    #: Whether it had an inside.
    was_solid: bool
    #: Whether it has one now.
    is_solid: bool


def geometry_reader(scene: Scene, geometries: Sequence[GeometryId]) -> GeometryReader:
    """A reader of geometries for the scene of another thread: every step of ``scene`` that succeeds publishes them as they are then.
    Errors: a geometry that cannot be copied.

    >>> import palpate
    >>> from palpate import haptics
    >>> simulation, local = palpate.Scene(), palpate.Scene()
    >>> organ = simulation.add("organ", palpate.sphere([0, 0, 0], 0.1))
    >>> (shared,) = haptics.add_shared(local, haptics.geometry_reader(simulation, [organ]))
    >>> simulation.set_pose(organ, [0, 0.1, 0, 1, 0, 0, 0])
    >>> _ = simulation.step()
    >>> haptics.update_shared(local), haptics.shared_step(local, shared), local.pose(shared)[:3]
    (True, 1, array([0. , 0.1, 0. ]))
    """
    return _palpate.geometry_reader(scene._own, list(geometries))


def add_shared(scene: Scene, reader: GeometryReader) -> list[GeometryId]:
    """Add the geometries of a reader to the scene of this thread, with the names and groups that they have in their own; only that one
    moves them. Returns their ids here. Errors: a name that is in use; nothing is changed then."""
    return _palpate.add_shared(scene._own, reader)


def update_shared(scene: Scene) -> bool:
    """Take the newest finished state of all shared geometries, for the next step. Never waits. Returns whether there is a newer one.
    Errors: a geometry that was removed from its scene; then the state at hand is kept."""
    return _palpate.update_shared(scene._own)


def shared_changes(scene: Scene) -> list[SharedChange]:
    """The shared geometries whose cells are others since the last :func:`update_shared`."""
    return [SharedChange(*change) for change in _palpate.shared_changes(scene._own)]


def shared_step(scene: Scene, geometry: GeometryId) -> int | None:
    """The number of steps that the own scene of a shared geometry had made at the state at hand; ``None`` for another geometry."""
    return _palpate.shared_step(scene._own, geometry)
