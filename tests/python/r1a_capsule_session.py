"""Makes a session of palpate's from a recording by another simulator: its organ, and the exact capsule that pressed it.

    python r1a_capsule_session.py r1a_liver2_capsule session.vtkhdf

The folder has organ_surface.vtkhdf (the organ, as it is kept) and recording.npz (poses of the capsule, whose axis is its
local z there). The layout that is written is described in docs/recording.md.
"""

import json
import pathlib
import sys
import zlib

import h5py
import numpy as np

RADIUS = 0.007  # metres
LENGTH = 0.1  # metres, between the centres of the two ends

# Rotation by a quarter about x: the capsule's axis is +y in palpate, z in the recording.
Z_AXIS_FROM_Y_AXIS = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


def quaternion_wxyz(rotation):
    """The unit quaternion of a rotation matrix: from the largest of its four components, which never cancels
    (Shepperd 1978)."""
    trace = np.trace(rotation)
    largest = int(np.argmax([trace, *np.diag(rotation)]))
    if largest == 0:
        skew = rotation - rotation.T
        quaternion = np.array([1.0 + trace, skew[2, 1], skew[0, 2], skew[1, 0]])
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        quaternion = np.empty(4)
        quaternion[0] = rotation[k, j] - rotation[j, k]
        quaternion[1 + i] = 1.0 + rotation[i, i] - rotation[j, j] - rotation[k, k]
        quaternion[1 + j] = rotation[i, j] + rotation[j, i]
        quaternion[1 + k] = rotation[i, k] + rotation[k, i]
    return quaternion / np.linalg.norm(quaternion)


def crc32(*arrays):
    """CRC-32 over the bytes of arrays, one after the other."""
    checksum = 0
    for array in arrays:
        checksum = zlib.crc32(np.ascontiguousarray(array).tobytes(), checksum)
    return checksum


def main(folder, output):
    recording = np.load(folder / "recording.npz")
    times = recording["times"].astype("<f8")
    frames = len(times)
    poses = np.zeros((frames, 10))
    for frame in range(frames):
        poses[frame, 0:3] = recording["tool_pos"][frame]
        poses[frame, 3:7] = quaternion_wxyz(recording["tool_rot"][frame] @ Z_AXIS_FROM_Y_AXIS)
        poses[frame, 7:9] = RADIUS, LENGTH

    with h5py.File(folder / "organ_surface.vtkhdf") as organ, h5py.File(output, "w") as session:
        # The organ stays as it is: one PolyData, its triangles stored once.
        organ.copy("VTKHDF", session)
        vtk = session["VTKHDF"]
        count = int(vtk["NumberOfPoints"][0])
        triangles = vtk["Polygons/Connectivity"][:].astype("<i8")
        starts = vtk["Steps/PointOffsets"][:]
        checksums = []
        for frame in range(frames):
            points = vtk["Points"][starts[frame] : starts[frame] + count].astype("<f8")
            checksums.append(crc32(times[frame], points, poses[frame]))

        header = json.dumps(
            {
                "schema": 1,
                "time_step": float(np.mean(np.diff(times))),
                "frames": frames,
                "checksums": True,
                "times_crc32": crc32(times),
                "objects": [
                    {
                        "name": "organ_surface",
                        "kind": "surface_mesh",
                        "data": "/VTKHDF",
                        "closed": True,
                        "topologies": [{"first_frame": 0, "crc32": crc32(triangles)}],
                    },
                    {"name": "tool", "kind": "capsule", "data": "/palpate/poses/tool"},
                ],
                "pairs": [{"a": "organ_surface", "b": "tool"}],
                "metadata": {"origin": "MuJoCo, r1a_liver2_capsule", "tool": "exact capsule"},
            },
            indent=1,
        ).encode()
        session.attrs["palpate"] = np.bytes_("session 1")
        own = session.create_group("palpate")
        own["session"] = np.bytes_(header)
        own["session_crc32"] = np.uint32(zlib.crc32(header))
        own["times"] = times
        own["frame_crc32"] = np.array(checksums, dtype="u4")
        own["poses/tool"] = poses


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), sys.argv[2])
