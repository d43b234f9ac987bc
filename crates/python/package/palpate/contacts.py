"""Contacts as arrays.

One contact is one record of 232 bytes, the same in Rust, C and HDF5:

=================  =========  ======================================================================================
field              type       meaning
=================  =========  ======================================================================================
``a``, ``b``       FEATURE    the element and the surface point of either side
``direction``      3 f64      unit vector that moves A out of B
``depth``          f64        metres: 0 or more in contact, negative within the margin
``depth_upper``    f64        certified upper bound of the depth; equal to it where the method is exact
``time_of_impact`` f64        0 to 1 within the step for continuous detection, else NaN
``id``             u64        stable from step to step for one pair
=================  =========  ======================================================================================

A feature (88 bytes) has a ``kind`` (:class:`Kind`), ``vertex_count``, ``vertices`` (4 u32, ``NONE`` beyond the count), ``cell``,
``child``, ``weights`` (4 f64, barycentric) and ``point`` (3 f64, world frame, metres).
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Marks an absent vertex, cell or child.
NONE = 0xFFFF_FFFF

#: One side of a contact.
FEATURE = np.dtype(
    [
        ("kind", "<u4"),
        ("vertex_count", "<u4"),
        ("vertices", "<u4", 4),
        ("cell", "<u4"),
        ("child", "<u4"),
        ("weights", "<f8", 4),
        ("point", "<f8", 3),
    ]
)

#: A contact.
CONTACT = np.dtype(
    [
        ("a", FEATURE),
        ("b", FEATURE),
        ("direction", "<f8", 3),
        ("depth", "<f8"),
        ("depth_upper", "<f8"),
        ("time_of_impact", "<f8"),
        ("id", "<u8"),
    ]
)

#: An event of a contact: its pair and key, a :class:`Change`, and its place in the pair's contacts (``NONE`` if it ended).
EVENT = np.dtype([("pair", "<u8"), ("id", "<u8"), ("children", "<u4", 2), ("change", "<u4"), ("contact", "<u4")])


class Kind(IntEnum):
    """The kind of element of a side; its number is that of its vertices."""

    POINT = 0
    VERTEX = 1
    EDGE = 2
    TRIANGLE = 3
    TETRAHEDRON = 4


class Change(IntEnum):
    """What a step changed about a contact."""

    BEGAN = 0
    PERSISTS = 1
    ENDED = 2


class Contacts(np.ndarray[Any, np.dtype[np.void]]):
    """A read-only array of :data:`CONTACT` records that views memory of palpate, with its columns as plain arrays.

    Columns are views, too: ``torch.from_dlpack(contacts.depth.copy())`` takes a writeable copy of one.

    >>> import palpate
    >>> found = palpate.detect(palpate.sphere([0, 0.9, 0], 1), palpate.plane([0, 0, 0], [0, 1, 0]))
    >>> found.contacts.shape, found.contacts.point_a.shape
    ((1,), (1, 3))
    >>> found.contacts["depth"] is not found.contacts.depth and found.contacts.depth.base is not None
    True
    """

    def _column(self, name: str, side: str | None = None) -> npt.NDArray[Any]:
        records = self.view(np.ndarray)
        return records[side][name] if side else records[name]

    @property
    def point_a(self) -> npt.NDArray[np.float64]:
        """Surface points of side A, n × 3: world frame, metres."""
        return self._column("point", "a")

    @property
    def point_b(self) -> npt.NDArray[np.float64]:
        """Surface points of side B, n × 3: world frame, metres."""
        return self._column("point", "b")

    @property
    def direction(self) -> npt.NDArray[np.float64]:
        """Unit vectors that move A out of B, n × 3."""
        return self._column("direction")

    @property
    def depth(self) -> npt.NDArray[np.float64]:
        """Depths in metres, n: 0 or more in contact, negative within the margin."""
        return self._column("depth")

    @property
    def depth_upper(self) -> npt.NDArray[np.float64]:
        """Certified upper bounds of the depths, n."""
        return self._column("depth_upper")

    @property
    def time_of_impact(self) -> npt.NDArray[np.float64]:
        """Times within the step, 0 to 1, n; NaN for static detection."""
        return self._column("time_of_impact")

    @property
    def id(self) -> npt.NDArray[np.uint64]:
        """Ids, n: stable from step to step for one pair."""
        return self._column("id")

    @property
    def kind_a(self) -> npt.NDArray[np.uint32]:
        """The :class:`Kind` of the elements of side A, n."""
        return self._column("kind", "a")

    @property
    def kind_b(self) -> npt.NDArray[np.uint32]:
        """The :class:`Kind` of the elements of side B, n."""
        return self._column("kind", "b")

    @property
    def vertices_a(self) -> npt.NDArray[np.uint32]:
        """Vertex numbers of the elements of side A, n × 4; ``NONE`` beyond the count."""
        return self._column("vertices", "a")

    @property
    def vertices_b(self) -> npt.NDArray[np.uint32]:
        """Vertex numbers of the elements of side B, n × 4; ``NONE`` beyond the count."""
        return self._column("vertices", "b")

    def between(self, start: int, stop: int) -> Contacts:
        """The contacts from ``start`` to ``stop`` (excluded): a view."""
        return self[start:stop].view(Contacts)

    def plot(self, axes: Axes | None = None, scale: float = 1.0) -> Axes:
        """Draw the contacts with matplotlib (the extra ``plot``): points of side A, and arrows of their depth times ``scale``."""
        from .viz import plot

        return plot(self, axes, scale)


def view(data: npt.NDArray[np.uint8]) -> Contacts:
    """Contacts from bytes."""
    return data.view(CONTACT).view(Contacts)
