"""Seeing contacts: matplotlib and rerun (extras ``plot`` and ``rerun``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .contacts import Contacts
from .mesh import cells, vertices
from .recording import Replay

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(contacts: Contacts, axes: Axes | None = None, scale: float = 1.0) -> Axes:
    """Draw contacts on three-dimensional axes of matplotlib: the points of side A, coloured by depth, and arrows along the direction
    with the length of the depth times ``scale``. Returns the axes."""
    if axes is None:
        import matplotlib.pyplot as pyplot

        axes = pyplot.figure().add_subplot(projection="3d")
    points, arrows = contacts.point_a, contacts.direction * (scale * contacts.depth[:, None])
    drawing: Any = axes
    if len(contacts):
        drawing.scatter(*points.T, c=contacts.depth)
        drawing.quiver(*points.T, *arrows.T)
    drawing.set(xlabel="x (m)", ylabel="y (m)", zlabel="z (m)")
    return axes


def to_rerun(session: Replay, path: str | None = None, every: int = 1, arrow_scale: float = 10.0) -> int:
    """Log a session with its contacts to rerun: meshes as they move, contact points, and arrows of their depths. With ``path`` to a
    ``.rrd`` file, else to the recording of ``rerun.init``. Returns the number of frames."""
    import rerun

    if path is not None:
        rerun.init("palpate")
        rerun.save(path)
    frames = range(0, len(session), every)
    for number in frames:
        frame = session[number]
        rerun.set_time("session", duration=frame.time)
        for name in session.objects:
            geometry = session.geometry(name, number)
            corners = vertices(geometry)
            found = cells(geometry)
            if found.shape[1] == 3 and len(found):
                rerun.log(name, rerun.Mesh3D(vertex_positions=corners, triangle_indices=found))
            elif found.shape[1] == 2 and len(found):
                rerun.log(name, rerun.LineStrips3D(list(corners[found])))
            elif len(corners):
                rerun.log(name, rerun.Points3D(corners))
        for a, b, contacts in frame.pairs:
            place = f"contacts/{a}:{b}"
            depths = contacts.direction * (arrow_scale * contacts.depth[:, None])
            rerun.log(place, rerun.Arrows3D(origins=contacts.point_a, vectors=depths))
            rerun.log(f"{place}/points", rerun.Points3D(np.ascontiguousarray(contacts.point_a)))
    return len(frames)
