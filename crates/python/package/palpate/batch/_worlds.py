"""Many worlds: copies of a scene, stepped together."""

from __future__ import annotations

from typing import Mapping

import numpy as np
import numpy.typing as npt

from .. import _arrays, _palpate
from .._palpate import GeometryId
from ..contacts import Contacts
from ..scene import Scene
from ._poses import Batch, batch_of

States = Mapping[GeometryId, npt.ArrayLike]


class Worlds:
    """Any number of worlds with the geometries and pairs of one scene, whose states are arrays.

    There are as many copies of the scene as ``threads`` (0: one per core), not as worlds. A world's contacts depend on its states alone:
    they are the same bit for bit for any number of threads, and as those of a new scene with that state, since detectors have no
    memory from step to step here. Later changes of the scene do not matter.

    >>> import numpy as np, palpate, palpate.batch
    >>> scene = palpate.Scene()
    >>> ball = scene.add("ball", palpate.sphere([0, 0, 0], 1))
    >>> floor = scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0]))
    >>> pair = scene.add_pair(ball, floor)
    >>> worlds = palpate.batch.Worlds(scene)
    >>> poses = np.zeros((512, 7)); poses[:, 1] = np.linspace(0.5, 1.5, 512); poses[:, 3] = 1
    >>> found = worlds.step({ball: poses})
    >>> len(found), int(found.counts().sum()), worlds.of(found, 0, 0).depth
    (512, 256, array([0.5]))
    """

    def __init__(self, scene: Scene, threads: int = 1) -> None:
        self._own = _palpate.Worlds(scene._own, threads)

    @property
    def pairs(self) -> int:
        """The number of pairs of each world: those of the scene in their order, then those of groups."""
        return self._own.pairs

    def step(self, states: States, previous: States | None = None) -> Batch:
        """Step n worlds: ``states`` are poses, n × 7, or vertices, n × V × 3, of the geometries that differ from world to world.
        ``previous``: their states a step before, of the same geometries, for continuous detection.

        Returns the contacts of world ``w`` and pair ``p`` as those of query ``w * pairs + p``. Arrays of float64 without gaps are read
        where they are; do not write to them meanwhile. Errors: as a scene's step; arrays of another shape.
        """
        count = len(np.asarray(next(iter(states.values())))) if states else 1
        before, now = ([(id, _flat(rows)) for id, rows in (given or {}).items()] for given in (previous, states))
        return batch_of(self._own.step(count, before, now))

    def of(self, batch: Batch, world: int, pair: int) -> Contacts:
        """The contacts of one pair of one world."""
        return batch.of(world * self.pairs + pair)


def _flat(rows: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = np.asarray(rows)
    if array.shape[-2:] == (4, 4):
        array = _arrays.poses7(array)
    return _arrays.wide(array, 3 if array.ndim == 3 else 7)
