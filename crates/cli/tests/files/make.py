"""Makes the recordings of this folder: plain VTKHDF by h5py, a tetrahedron's surface in two frames.

    python3 make.py

`tetrahedron.vtkhdf` is right. `nan_vertex.vtkhdf`: vertex 2 of frame 1 has a NaN. `index_out_of_range.vtkhdf`: triangle 3 names vertex 9.
"""

import h5py
import numpy as np

POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype="f8")
TRIANGLES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], dtype="i8")
FRAMES = 2


def make(path, points, triangles):
    with h5py.File(path, "w", libver="earliest") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = np.array([2, 3], dtype="i8")
        root.attrs.create("Type", b"PolyData", dtype="S8")
        root["NumberOfPoints"] = np.full(1, len(POINTS), dtype="i8")
        root["Points"] = points.reshape(-1, 3)
        for kind in ["Vertices", "Lines", "Polygons", "Strips"]:
            cells = triangles if kind == "Polygons" else np.zeros((0, 3), dtype="i8")
            group = root.create_group(kind)
            group["NumberOfConnectivityIds"] = np.full(1, cells.size, dtype="i8")
            group["NumberOfCells"] = np.full(1, len(cells), dtype="i8")
            group["Offsets"] = 3 * np.arange(len(cells) + 1, dtype="i8")
            group["Connectivity"] = cells.ravel()
        steps = root.create_group("Steps")
        steps.attrs["NSteps"] = np.int64(FRAMES)
        steps["Values"] = 0.1 * np.arange(FRAMES)
        steps["PartOffsets"] = np.zeros(FRAMES, dtype="i8")
        steps["NumberOfParts"] = np.ones(FRAMES, dtype="i8")
        steps["PointOffsets"] = len(POINTS) * np.arange(FRAMES, dtype="i8")
        steps["CellOffsets"] = np.zeros((FRAMES, 4), dtype="i8")
        steps["ConnectivityIdOffsets"] = np.zeros((FRAMES, 4), dtype="i8")


moving = np.stack([POINTS, POINTS + 0.1])
bad_points = moving.copy()
bad_points[1, 2, 1] = np.nan
bad_triangles = TRIANGLES.copy()
bad_triangles[3, 2] = 9
make("tetrahedron.vtkhdf", np.stack([POINTS, POINTS + 0.1]), TRIANGLES)
make("nan_vertex.vtkhdf", bad_points, TRIANGLES)
make("index_out_of_range.vtkhdf", moving, bad_triangles)
