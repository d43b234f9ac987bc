"""A nut on a bolt (ISO metric thread M20) in many worlds, by grids of signed distances.

    python nut.py [times] [fall] [--json FILE]

Needs numpy and the wheel of palpate (release), and libigl for the check of `fall`. `times`: what a pass of collision detection costs for
PALPATE_WORLDS (512) worlds with the nut at random turns, and what each pair finds. `fall`: nuts fall for PALPATE_STEPS (10000) steps of
1/240 s in PALPATE_NUTS (32) worlds; none may get through the thread. Seconds are those of the process on its one thread.
"""

import json
import os
import sys
import time

import numpy as np
import shapes
from bodies import OVERLAP, SPACING, NutModels, Nuts
from engines import inside
from stepping import turned

import palpate
from palpate import batch

WORLDS = int(os.environ.get("PALPATE_WORLDS", "512"))
ROUNDS = int(os.environ.get("PALPATE_ROUNDS", "5"))
# The pairs that a user can choose: name, detector, detection, how many worlds are measured.
PAIRS = (
    ("nut's vertices in the bolt's grid", "implicit_point_set", "static", WORLDS),
    ("nut's vertices in the bolt's grid", "implicit_point_set_ccd", "continuous", WORLDS),
    ("both vertices in both grids", "both", "static", WORLDS),
    ("both vertices in both grids", "both", "continuous", WORLDS),
    ("mesh, mesh", "closed_surface_mesh_surface_mesh", "static", 16),
    ("mesh, mesh", "surface_mesh_surface_mesh_ccd", "continuous", 16),
    ("nut's mesh in the bolt's grid", "implicit_surface_mesh", "static", 2),
    ("nut's mesh in the bolt's grid", "implicit_surface_mesh_ccd", "continuous", 2),
)


def worlds_of(models, detector, detection):
    """Worlds with one of the pairs, and the ids of what moves with the nut."""
    if detector == "both":
        worlds, ids = models.worlds(0.0, detection)
        return worlds, (ids[1], ids[3])
    scene, (bolt, nut) = palpate.Scene(), models.meshes
    bolt = palpate.implicit(models.grids[0]) if detector.startswith("implicit") else palpate.surface_mesh(*bolt)
    nut = palpate.point_set(nut[0]) if "point_set" in detector else palpate.surface_mesh(*nut)
    ids = scene.add("bolt", bolt), scene.add("nut", nut)
    scene.add_pair(*ids, detector=detector, detection=detection)
    return batch.Worlds(scene, 1), ids[1:]


def times(report):
    """Nuts 5 µm in the thread; for continuous detection they come from 20 µm above it."""
    for spacing in (0.25e-3, SPACING):
        models = NutModels(spacing=spacing)
        turns = np.random.default_rng(1).uniform(0.5, 7.5, WORLDS)
        now, before = (models.placed(turns, height) for height in (-OVERLAP, 4 * OVERLAP))
        for name, detector, detection, n in PAIRS:
            if spacing != SPACING and n != WORLDS:
                continue
            worlds, moving = worlds_of(models, detector, detection)
            states = {id: now[:n] for id in moving}
            previous = {id: before[:n] for id in moving} if detection == "continuous" else None
            best = np.inf
            for _ in range(ROUNDS if n == WORLDS else 1):
                start = time.process_time()
                found = worlds.step(states, previous)
                best = min(best, time.process_time() - start)
            touching = (found.counts().reshape(n, -1).sum(axis=1) > 0).sum()
            row = {"µs a world": 1e6 * best / n, "ms for 512": 512e3 * best / n, "worlds": n, "touching": int(touching),
                   "contacts a world": len(found.contacts) / n, "deepest, µm": 1e6 * float(found.contacts.depth.max())}
            key = f"{name}, {detection} [{detector}], grid of {1e3 * spacing:g} mm"
            report[key] = row
            print(key, {name: round(value, 1) for name, value in row.items()}, flush=True)


def deepest(models, pose):
    """How deep the deepest vertex of the nut is in the bolt's mesh, or of the bolt in the nut's, by libigl."""
    bolt, nut = models.meshes
    placed = turned(np.tile(pose[None, 3:], (len(nut[0]), 1)), nut[0]) + pose[:3]
    near = (bolt[0][:, 2] > placed[:, 2].min() - 1e-3) & (bolt[0][:, 2] < placed[:, 2].max() + 1e-3)
    return max(inside(bolt, placed), inside((placed, nut[1]), bolt[0][near]))


def fall(report):
    """Every nut that has come down, or off the upper end, starts anew, pushed along the axis and spun at random."""
    n, steps = int(os.environ.get("PALPATE_NUTS", "32")), int(os.environ.get("PALPATE_STEPS", "10000"))
    models, rng = NutModels(), np.random.default_rng(7)
    nuts = Nuts(models, rng.uniform(5.5, 7.5, n), 1 / 240)
    kick(nuts, np.arange(n), rng)
    worst, depths, falls, passed, seconds = 0.0, [], n, 0, 0.0
    for step in range(steps):
        start = time.process_time()
        nuts.step()
        seconds += time.process_time() - start
        errors = np.abs(nuts.errors())
        worst = max(worst, float(errors.max()))
        gone = errors > shapes.PITCH / 2
        passed += int(gone.sum())
        if step % 100 == 99:
            depths += [deepest(models, nuts.places[world]) for world in range(step // 100 % 4, n, 4)]
        down = np.flatnonzero((nuts.angles < np.pi) | (nuts.angles > 16 * np.pi) | gone)
        nuts.put(down, rng.uniform(5.5, 7.5, len(down)))
        kick(nuts, down, rng)
        falls += len(down)
        if step % 500 == 499 or step + 1 == steps:
            report["fall"] = {
                "worlds": n, "steps of each": step + 1, "falls": falls, "passed a thread": passed,
                "off the helix at most, µm": 1e6 * worst, "play, µm": 1e6 * float(shapes.AXIAL_PLAY), "places asked of libigl": len(depths),
                "deepest, µm": 1e6 * max(depths, default=0.0), "detections repeated": nuts.again, "steps stopped": nuts.stopped,
                "µs a world and step": 1e6 * seconds / n / (step + 1)}
            print(report["fall"], flush=True)


def kick(nuts, which, rng):
    nuts.velocities[which, 2] = rng.uniform(-0.3, 0.3, len(which))
    nuts.velocities[which, 5] = rng.uniform(-20, 20, len(which))


def main():
    report = {}
    for name in [name for name in ("times", "fall") if name in sys.argv] or ["times", "fall"]:
        {"times": times, "fall": fall}[name](report)
    if "--json" in sys.argv:
        with open(sys.argv[sys.argv.index("--json") + 1], "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1, ensure_ascii=False)


if __name__ == "__main__":
    main()
