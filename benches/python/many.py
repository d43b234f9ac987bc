"""Many poses, distances and worlds in one call, beside Rust's loop and other engines from Python.

    python many.py [--json FILE]

Needs numpy and the wheel of palpate (release); of coal, rapier3d, libigl and mujoco those that are installed are measured. The Rust loops are the examples
`many_poses` and `many_worlds` of crate palpate (`cargo build --release -p palpate --examples`), found by PALPATE_MANY_POSES and
PALPATE_MANY_WORLDS. Rounds of all engines alternate; the figure is the least of them. PALPATE_LIVER names a mesh file of a closed surface for the
distances; PALPATE_ROUNDS, PALPATE_POSES, PALPATE_POINTS and PALPATE_WORLDS are the sizes.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import palpate
from palpate import batch

ROUNDS = int(os.environ.get("PALPATE_ROUNDS", "5"))


def poses(n, spread, seed):
    rng = np.random.default_rng(seed)
    turn = rng.normal(size=(n, 4))
    return np.column_stack([rng.uniform(-spread, spread, (n, 3)), turn / np.linalg.norm(turn, axis=1)[:, None]])


def least(tasks, rounds=ROUNDS):
    """Seconds of each task, the least of some rounds in turns."""
    best = {name: np.inf for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            seconds = task()
            best[name] = min(best[name], seconds if isinstance(seconds, float) else time.perf_counter() - start)
    return best


def shapes():
    hull = np.random.default_rng(3).normal(size=(24, 3))
    hull /= 2 * np.linalg.norm(hull, axis=1)[:, None]
    vertices, cells = ball(3)
    return {
        "box-box": (palpate.oriented_box([0.5, 0.4, 0.6]), palpate.oriented_box([0.5, 0.5, 0.5]), 1.2),
        "capsule-capsule": (palpate.capsule(0.3, 1.0), palpate.capsule(0.2, 0.8), 0.9),
        "ellipsoid-ellipsoid": (palpate.ellipsoid([0.5, 0.3, 0.4]), palpate.ellipsoid([0.6, 0.4, 0.3]), 0.9),
        "box-ellipsoid": (palpate.oriented_box([0.5, 0.4, 0.6]), palpate.ellipsoid([0.6, 0.4, 0.3]), 1.0),
        "hull-hull": (palpate.convex(hull), palpate.convex(hull * [0.8, 1.2, 1.0]), 0.9),
        "capsule-mesh": (palpate.capsule(0.1, 0.5), palpate.surface_mesh(vertices, cells), 1.0),
    }


def ball(rounds):
    """A ball of triangles: an octahedron, divided."""
    vertices = [np.array(v, float) for v in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))]
    cells = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(rounds):
        known, new = {}, []
        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in known:
                known[key] = len(vertices)
                point = vertices[a] + vertices[b]
                vertices.append(point / np.linalg.norm(point))
            return known[key]
        for a, b, c in cells:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            new += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        cells = new
    return np.array(vertices), np.array(cells)


def rust_loop(name, a, b, moves, folder):
    """The seconds of Rust's loop over the same poses; None without the example."""
    example = os.environ.get("PALPATE_MANY_POSES")
    if example is None:
        return None
    case, rows = os.path.join(folder, f"{name}.json"), os.path.join(folder, f"{name}.f64")
    with open(case, "w", encoding="utf-8") as file:
        file.write(json.dumps({"a": json.loads(a.to_json()), "b": json.loads(b.to_json())}))
    moves.tofile(rows)

    def run():
        out = subprocess.run([example, case, rows], capture_output=True, text=True, check=True).stdout
        return float(out.split()[0])

    return run


def coal_loop(kind, moves):
    """A loop of coal over the same poses."""
    import coal

    made = {
        "box-box": (coal.Box(1.0, 0.8, 1.2), coal.Box(1.0, 1.0, 1.0)),
        "capsule-capsule": (coal.Capsule(0.3, 1.0), coal.Capsule(0.2, 0.8)),
        "ellipsoid-ellipsoid": (coal.Ellipsoid(0.5, 0.3, 0.4), coal.Ellipsoid(0.6, 0.4, 0.3)),
        "box-ellipsoid": (coal.Box(1.0, 0.8, 1.2), coal.Ellipsoid(0.6, 0.4, 0.3)),
    }.get(kind)
    if made is None:
        return None
    a, b = made
    # The axis of a capsule is z there, y here.
    fixed = np.eye(3) if "capsule" not in kind else np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float).T
    turns = [rotation(row) @ fixed for row in moves]
    places = [row[:3] for row in moves]
    still = coal.Transform3s(fixed, np.zeros(3))
    depths = np.full(len(moves), -np.inf)

    def run():
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        start = time.perf_counter()
        for number in range(len(moves)):
            result.clear()
            coal.collide(a, coal.Transform3s(turns[number], places[number]), b, still, request, result)
        seconds = time.perf_counter() - start
        return seconds

    def check():
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        for number in range(len(moves)):
            result.clear()
            if coal.collide(a, coal.Transform3s(turns[number], places[number]), b, still, request, result):
                depths[number] = result.getContact(0).penetration_depth
        return depths

    return run, check


def rapier_world(kind, moves):
    """A world of rapier with as many pairs, ten metres apart: the seconds of one step of its collision pipeline, and of reading the pairs."""
    if kind != "box-box":
        return None
    import rapier3d

    every = rapier3d.ActiveCollisionTypes.all()
    side = int(np.ceil(len(moves) ** (1 / 3)))

    def run():
        colliders, bodies = rapier3d.ColliderSet(), rapier3d.RigidBodySet()
        for number, row in enumerate(moves):
            middle = 10.0 * np.array([number % side, number // side % side, number // side**2])
            turn = [float(x) for x in (row[4], row[5], row[6], row[3])]
            place = rapier3d.Isometry3([float(x) for x in middle + row[:3]], turn)
            first = rapier3d.Collider.cuboid(0.5, 0.4, 0.6).position(place).active_collision_types(every)
            second = rapier3d.Collider.cuboid(0.5, 0.5, 0.5).translation([float(x) for x in middle])
            colliders.insert(first.build())
            colliders.insert(second.active_collision_types(every).build())
        parts = rapier3d.IslandManager(), rapier3d.BroadPhaseBvh(), rapier3d.NarrowPhase()
        start = time.perf_counter()
        rapier3d.CollisionPipeline().step(0.0, *parts, bodies, colliders)
        found = parts[2].contact_pairs()
        seconds = time.perf_counter() - start
        run.found = len(found)
        return seconds

    return run


def rotation(row):
    w, x, y, z = row[3:]
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def many_poses(n, report):
    with tempfile.TemporaryDirectory() as folder:
        for name, (a, b, spread) in shapes().items():
            moves = poses(n, spread, 4)
            tasks = {"palpate": lambda: batch.detect(a, b, moves) and None}
            rust = rust_loop(name, a, b, moves, folder)
            if rust:
                tasks["rust loop"] = rust
            few = moves[:5000]
            try:
                other = coal_loop(name, few)
            except ImportError:
                other = None
            if other:
                tasks["coal loop"] = lambda: other[0]() * n / len(few)
            try:
                rapier = rapier_world(name, few)
            except ImportError:
                rapier = None
            if rapier:
                tasks["rapier world"] = lambda: rapier() * n / len(few)
            found = least(tasks)
            row = {key: 1e6 * seconds / n for key, seconds in found.items()}
            if other:
                mine, theirs = batch.detect(a, b, few), other[1]()
                deepest = np.array([mine.of(k).depth.max(initial=-np.inf) for k in range(len(few))])
                both = np.isfinite(deepest) & np.isfinite(theirs)
                row["deeper or less deep than coal by"] = float(np.abs(deepest[both] - np.abs(theirs[both])).max(initial=0))
                row["hit by one alone"] = int((np.isfinite(deepest) != np.isfinite(theirs)).sum())
            hits = float((batch.detect(a, b, moves).counts() > 0).mean())
            report[f"many poses, {name} (µs each, {n} poses, {hits:.0%} hit)"] = row


def distances(n, report):
    path = os.environ.get("PALPATE_LIVER")
    if path is None:
        return
    file = palpate.read_mesh(path)
    mesh = file.mesh()
    lower, upper = (np.array(corner) for corner in mesh.bounds())
    points = np.random.default_rng(9).uniform(lower - 0.1 * (upper - lower), upper + 0.1 * (upper - lower), (n, 3))
    tasks = {"palpate": lambda: palpate.signed_distances(palpate.surface_mesh(file.positions, file.triangles), points) is None}
    few, note = points[: max(n // 10, 1)], {}
    try:
        import igl

        vertices, faces = np.array(file.positions), np.array(file.triangles, dtype=np.int64)
        tasks["libigl (pseudonormals)"] = lambda: igl_seconds(igl, few, vertices, faces) * n / len(few)
        theirs = igl.signed_distance(few, vertices, faces)[0]
        mine = batch.signed_distance(mesh, few)
        note["differs from libigl by, of the diagonal"] = float(np.abs(mine - theirs).max() / np.linalg.norm(upper - lower))
    except ImportError:
        pass
    found = least(tasks, 2)
    report[f"signed distances, {len(file.triangles)} triangles (µs a point, {n} points, trees included)"] = {
        **{key: 1e6 * seconds / n for key, seconds in found.items()}, **note}


def igl_seconds(igl, points, vertices, faces):
    start = time.perf_counter()
    igl.signed_distance(points, vertices, faces)
    return time.perf_counter() - start


def worlds(n, report):
    """Worlds of the demo: an organ that deforms, a tool and a thread."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "palpate", "demo", "--out", folder], check=True, capture_output=True)
        replay = palpate.Replay(os.path.join(folder, "demo.vtkhdf"))
        scene, ids, states = palpate.Scene(), {}, {}
        for name in replay.objects:
            ids[name] = scene.add(name, replay.geometry(name, 0))
        for a, b, _ in replay.pairs:
            scene.add_pair(ids[a], ids[b])
        frames = [number % len(replay) for number in range(n)]
        for name in replay.objects:
            shown = [palpate.vertices(replay.geometry(name, number)) for number in range(len(replay))]
            if len(shown[0]):
                states[ids[name]] = np.stack([shown[number] for number in frames])
            else:
                states[ids[name]] = np.array([replay.geometry(name, number).pose() for number in frames])

        def loop():
            for number in range(n):
                for id, rows in states.items():
                    (scene.set_vertices if rows.ndim == 3 else scene.set_pose)(id, rows[number])
                scene.step()

        kinds = {threads: batch.Worlds(scene, threads) for threads in (1, 2, 8)}
        found = [one.step(states) for one in kinds.values()]
        assert len({one.contacts.tobytes() + one.offsets.tobytes() for one in found}) == 1

        def rust():
            command = [os.environ["PALPATE_MANY_WORLDS"], os.path.join(folder, "demo.vtkhdf"), str(n)]
            out = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            assert int(out[1]) == len(found[0].contacts), out
            return float(out[0])

        tasks = {"rust loop": rust} if "PALPATE_MANY_WORLDS" in os.environ else {}
        seconds = least(tasks | {"palpate, 1 thread": lambda: kinds[1].step(states) and None,
                         "palpate, 2 threads": lambda: kinds[2].step(states) and None, "a loop of one scene": loop}, 3)
        row = {key: 1e6 * value / n for key, value in seconds.items()}
        report[f"worlds of the demo (µs a world, {n} worlds, {len(found[0].contacts)} contacts)"] = row


STACK = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/>{}</worldbody></mujoco>"""
BODY = """<body pos="0 0 {}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"""


def mujoco_worlds(n, report):
    """A step (kinematics, collision, solver) of as many worlds of four stacked boxes with MuJoCo's batch, for the scale of the figures."""
    try:
        import mujoco
        import mujoco.batch
    except ImportError:
        return
    model = mujoco.MjModel.from_xml_string(STACK.format("".join(BODY.format(0.0999 + 0.1999 * k) for k in range(4))))
    several = {f"mujoco.batch, {k} threads": mujoco.batch.Batch(model, n, k) for k in (1, 2)}
    found = least({name: (lambda one=one: one.step() and None) for name, one in several.items()}, 3)
    report[f"worlds of four stacked boxes (µs a world, {n} worlds)"] = {k: 1e6 * s / n for k, s in found.items()}


def main():
    report = {}
    n = int(os.environ.get("PALPATE_POSES", "100000"))
    many_poses(n, report)
    distances(int(os.environ.get("PALPATE_POINTS", "1000000")), report)
    worlds(int(os.environ.get("PALPATE_WORLDS", "4096")), report)
    mujoco_worlds(int(os.environ.get("PALPATE_WORLDS", "4096")), report)
    for name, row in report.items():
        print(name)
        for key, value in row.items():
            print(f"    {key}: {value:.4g}")
    if "--json" in sys.argv:
        with open(sys.argv[sys.argv.index("--json") + 1], "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()
