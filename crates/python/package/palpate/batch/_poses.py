"""Many poses of two geometries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import _arrays, _palpate, query
from .._detect import Settings, When, options
from .._palpate import Geometry
from ..contacts import Contacts, view


@dataclass(frozen=True)
class Batch:
    """The contacts of many queries in one array."""

    #: All contacts, query after query.
    contacts: Contacts
    #: n + 1 numbers: the contacts of query ``k`` are ``contacts[offsets[k]:offsets[k + 1]]``.
    offsets: npt.NDArray[np.uint64]
    #: The caveats of each query, as bits in the order of ``docs/detect-json.md``.
    flags: npt.NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, number: int) -> Contacts:
        """The contacts of one query."""
        return self.contacts.between(int(self.offsets[number]), int(self.offsets[number + 1]))

    def counts(self) -> npt.NDArray[np.int64]:
        """The number of contacts of each query."""
        return np.diff(self.offsets).astype(np.int64)

    def query_of_contact(self) -> npt.NDArray[np.int64]:
        """The number of the query of each contact."""
        return np.repeat(np.arange(len(self)), self.counts())

    def padded(self, most: int) -> tuple[npt.NDArray[np.void], npt.NDArray[np.bool_]]:
        """The contacts as n × ``most`` records, zero beyond the count, and which queries have more than ``most`` (these lose the rest)."""
        counts = self.counts()
        out = np.zeros((len(self), most), self.contacts.dtype)
        rows = self.query_of_contact()
        place = np.arange(len(self.contacts)) - self.offsets[:-1].astype(np.int64)[rows]
        fits = place < most
        out[rows[fits], place[fits]] = self.contacts[fits]
        return out, counts > most


def batch_of(found: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8]]) -> Batch:
    """A batch from bytes."""
    return Batch(view(found[0]), found[1].view(np.uint64), found[2].view(np.uint32))


def detect(
    a: Geometry,
    b: Geometry,
    poses_a: npt.ArrayLike | None = None,
    poses_b: npt.ArrayLike | None = None,
    *,
    detector: str | None = None,
    settings: Settings | None = None,
    margin: float = 0.0,
    detection: When = "static",
    previous_a: npt.ArrayLike | None = None,
    previous_b: npt.ArrayLike | None = None,
    threads: int = 1,
) -> Batch:
    """The contacts of two geometries at many poses, n × 7 (position, unit quaternion w, x, y, z) or n × 4 × 4; a side without poses
    stays where it is. Meshes are placed by the poses, as by :meth:`palpate.Scene.set_pose`.

    ``previous_a``, ``previous_b``: as many poses that the bodies come from, for continuous detection; a side without is at rest.

    Every query stands for itself: the contacts are those of the first step of a scene with that pair, for any number of
    ``threads`` (0: one per core). The interpreter's lock is released. Errors: as :func:`palpate.detect`; lists of different lengths.
    """
    at, previous = _both(poses_a, poses_b), _both(previous_a, previous_b)
    return batch_of(_palpate.detect(a, b, at, previous, options(detector, settings, margin, detection), threads))


def _both(a: npt.ArrayLike | None, b: npt.ArrayLike | None) -> tuple[_arrays.Floats | None, _arrays.Floats | None]:
    return None if a is None else _arrays.poses7(a), None if b is None else _arrays.poses7(b)


def signed_distance(mesh: Geometry, points: npt.ArrayLike, *, threads: int = 1) -> npt.NDArray[np.float64]:
    """The signed distances of points, n × 3, to a solid: n numbers, metres, negative inside. :func:`palpate.signed_distances` tells the
    closest points, too."""
    found: npt.NDArray[np.float64] = query.signed_distances(mesh, points, threads=threads)["distance"]
    return found
