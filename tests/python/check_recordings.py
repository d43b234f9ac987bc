"""Replays recordings by other simulators with the palpate command, and compares with h5py's reading and with the other
simulator's own list of contacts.

    python check_recordings.py PALPATE RECORDINGS

PALPATE is the command, RECORDINGS the folder of the recordings. Exits with 1 at the first mismatch, with a line that
says which.
"""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent

# Per replay: the files of one folder and the pairs to detect.
REPLAYS = [
    ("r1a_liver2_capsule", ["organ_surface", "tool"], ["tool:organ_surface:point_set_surface_mesh", "organ_surface:tool"]),
    ("r1a_liver2_capsule", ["organ_tets", "tool"], ["organ_tets:tool:point_set_tetra_mesh"]),
    ("r1b_liver2_dental_probe", ["organ_surface", "tool"], ["tool:organ_surface:point_set_surface_mesh"]),
    ("r1b_liver2_dental_probe", ["organ_tets", "tool"], ["organ_tets:tool:point_set_tetra_mesh"]),
    ("r2a_thread_self", ["thread"], ["thread:thread"]),
    ("r2b_thread_liver2", ["thread", "organ_tets"], ["thread:thread", "thread:organ_tets"]),
    ("r3a", ["bodies", "tray"], ["bodies:tray"]),
    ("large/liver2_150k", ["organ_large", "tool"], ["tool:organ_large:point_set_surface_mesh"]),
]

# Metres: the radius that the other simulator gives the organ's elements, which its list adds to every depth.
FLEX_RADIUS = 0.0005

# Metres: how well the deepest depths of the two agree at least.
DEPTH_TOLERANCE = 1e-7

# Of the thread's length: how well points and depths of threads agree. The radius is stored in single precision.
THREAD_TOLERANCE = 1e-9


def fail(message):
    print(f"check_recordings: {message}", file=sys.stderr)
    sys.exit(1)


def run(palpate, *arguments):
    done = subprocess.run([palpate, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"palpate {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def check_inspection(palpate, path):
    """Name, frames and points as h5py reads them."""
    found = json.loads(run(palpate, "inspect", path, "--json"))
    with h5py.File(path) as file:
        root = file["VTKHDF"]
        frames = int(root["Steps"].attrs["NSteps"])
        points = int(root["NumberOfPoints"][0])
    (an_object,) = found["objects"]
    wanted = (path.stem, frames, points)
    if (an_object["name"], found["frames"], an_object["points"]) != wanted:
        fail(f"{path}: inspect says {an_object['name']}, {found['frames']} frames, {an_object['points']} points; wanted {wanted}")
    return frames


def check_replay(palpate, folder, name, stems, pairs, scratch):
    files = [folder / name / f"{stem}.vtkhdf" for stem in stems]
    frames = max(check_inspection(palpate, path) for path in files)
    options = [word for pair in pairs for word in ("--pair", pair)]
    digests = set()
    for threads in (1, 2, 4, 4):
        out = scratch / "contacts.h5"
        summary = json.loads(run(palpate, "replay", *files, *options, "--threads", threads, "--out", out, "--json"))
        digests.add(hashlib.sha256(out.read_bytes()).hexdigest())
        if summary["frames"] != frames:
            fail(f"{name}: replayed {summary['frames']} frames of {frames}")
    if len(digests) != 1:
        fail(f"{name}: the contacts differ between runs or numbers of threads")
    with h5py.File(out) as file:
        contacts, offsets = file["contacts"][:], file["frame_offsets"][:]
    if len(offsets) != frames + 1 or offsets[-1] != len(contacts):
        fail(f"{name}: {len(offsets)} offsets end at {offsets[-1]}, wanted {frames + 1} that end at {len(contacts)}")
    if contacts.dtype.names is None or len(contacts) == 0:
        fail(f"{name}: no structured array of contacts: {contacts.dtype}, {len(contacts)}")
    gap = contacts["a"]["point"] + contacts["depth"][:, None] * contacts["direction"] - contacts["b"]["point"]
    print(f"{name} {' '.join(pairs)}: {frames} frames, {len(contacts)} contacts, deepest {contacts['depth'].max():.6f} m")
    if np.abs(gap).max() > 1e-12:
        fail(f"{name}: the two points of a contact do not lie a depth apart: off by {np.abs(gap).max():e} m")


def check_exact_capsule(palpate, folder, scratch):
    """The exact capsule against the organ: a contact in every frame in which the other simulator lists one deeper than its
    flex radius, and the same deepest depth."""
    recording = folder / "r1a_liver2_capsule"
    session = scratch / "r1a.vtkhdf"
    subprocess.run([sys.executable, HERE / "r1a_capsule_session.py", recording, session], check=True)
    out = scratch / "r1a_contacts.h5"
    run(palpate, "replay", session, "--out", out)
    with h5py.File(out) as file:
        depths, offsets = file["contacts"]["depth"][:], file["frame_offsets"][:].astype(int)
    theirs = np.load(recording / "recording.npz")["contacts"]
    frames, worst = 0, 0.0
    for frame in range(len(offsets) - 1):
        listed = -theirs[theirs[:, 0] == frame][:, 15]
        if len(listed) == 0 or listed.max() <= FLEX_RADIUS:
            continue
        frames += 1
        found = depths[offsets[frame] : offsets[frame + 1]]
        if len(found) == 0:
            fail(f"r1a: frame {frame} has no contact; the other simulator lists one of {listed.max() - FLEX_RADIUS} m")
        worst = max(worst, abs(found.max() - (listed.max() - FLEX_RADIUS)))
    print(f"r1a, exact capsule: {frames} frames, deepest depths within {worst:.2e} m")
    if frames < 30 or worst > DEPTH_TOLERANCE:
        fail(f"r1a: {frames} frames compared, off by {worst:e} m, wanted {DEPTH_TOLERANCE:e}")


def segments_of(side):
    """The segments of a thread that a feature lies on: segment k joins points k and k + 1."""
    low, high = int(min(side["vertices"][: side["vertex_count"]])), int(max(side["vertices"][: side["vertex_count"]]))
    return [low] if high > low else [low - 1, low]


def check_thread(palpate, folder, name, scratch):
    """Every contact of a thread with itself that the other simulator lists is one of palpate's, on the same two segments.

    The file has single precision: the positions are replaced by those that the other simulator collided."""
    recording = np.load(folder / name / "recording.npz")
    positions = recording["thread_points"]
    thread, out = scratch / "thread.vtkhdf", scratch / "thread_contacts.h5"
    shutil.copy(folder / name / "thread.vtkhdf", thread)
    with h5py.File(thread, "r+") as file:
        del file["VTKHDF/Points"]
        file["VTKHDF/Points"] = positions.reshape(-1, 3)
    run(palpate, "replay", thread, "--pair", "thread:thread", "--out", out)
    with h5py.File(out) as file:
        contacts, offsets = file["contacts"][:], file["frame_offsets"][:].astype(int)
    length = np.linalg.norm(np.diff(positions[0], axis=0), axis=1).sum()
    listed = recording["contacts"]
    listed = listed[(listed[:, 1] >= 0) & (listed[:, 2] >= 0)]
    worst = 0.0
    for frame in range(len(offsets) - 1):
        found = {}
        for contact in contacts[offsets[frame] : offsets[frame + 1]]:
            middle = (contact["a"]["point"] + contact["b"]["point"]) / 2
            for a in segments_of(contact["a"]):
                for b in segments_of(contact["b"]):
                    found.setdefault((min(a, b), max(a, b)), []).append(np.append(middle, contact["depth"]))
        for row in listed[listed[:, 0] == frame]:
            segments = tuple(sorted(int(segment) for segment in row[1:3]))
            if segments not in found:
                fail(f"{name}: frame {frame} has no contact of segments {segments}; the other simulator lists one of {-row[15]} m")
            wanted = np.append(row[9:12], -row[15])
            worst = max(worst, min(np.abs(one - wanted).max() for one in found[segments]) / length)
    print(f"{name}: {len(listed)} contacts of the thread with itself, points and depths within {worst:.2e} of its length")
    if len(listed) < 500 or worst > THREAD_TOLERANCE:
        fail(f"{name}: {len(listed)} contacts compared, off by {worst:e} of the thread's length, wanted {THREAD_TOLERANCE:e}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    palpate, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        check_exact_capsule(palpate, folder, scratch)
        for name in ("r2a_thread_self", "r2b_thread_liver2"):
            check_thread(palpate, folder, name, scratch)
        for name, stems, pairs in REPLAYS:
            check_replay(palpate, folder, name, stems, pairs, scratch)


if __name__ == "__main__":
    main()
