"""Contact by signed distances beside MuJoCo's and Newton's on the CPU: nut and bolt, gears, a ball in a bowl.

    python rivals.py [nut] [gears] [bowl] [depth] [newton] [--json FILE]

Needs numpy, libigl and the wheel of palpate (release), mujoco, newton and warp-lang. Every motion is the same for all: a body is thrown at
another one, without friction or rebound, in steps of several lengths. It has passed if it is beyond half a turn of the thread, half a tooth
or the middle of the wall at the end of some step, by its pose alone. Microseconds are CPU time of one thread for a whole step.
"""

import json
import sys
import time

import engines
import numpy as np
import shapes
from bodies import SPACING, Balls, Gears, Models, NutModels, Nuts
from stepping import turned

import palpate
from palpate import batch

COUNT = 16
RADIUS = 0.02  # metres: of the balls
NUT_SPEEDS = 0.1, 0.3, 1.0, 3.0  # metres per second along the axis: 40 to 1200 turns of the thread a second
GEAR_SPEEDS = 1.0, 10.0, 30.0, 100.0  # radians per second: 4 to 400 teeth a second
BALL_SPEEDS = 3.0, 10.0, 30.0, 100.0  # metres per second


def own(steps, off_of):
    """The largest distance that ``off_of`` tells in some steps, for each world, and the seconds."""
    start, off = time.process_time(), 0.0
    for _ in range(steps):
        off = np.maximum(off, off_of())
    return off, time.process_time() - start


def compare(report, name, runs, rates, speeds, duration, limit):
    """``runs``: by engine a function of speed, steps a second and steps, that returns how far off each world is, and the seconds."""
    for engine, run in runs.items():
        for rate in rates:
            steps, passed, cost = round(duration * rate), [], []
            for speed in speeds:
                off, seconds = run(speed, rate, steps)
                passed.append(int((off > limit).sum()))
                cost.append(1e6 * seconds / steps / COUNT)
            report[f"{name}, {engine}, {rate} Hz"] = row = {
                "speeds": speeds, f"passed of {COUNT}": passed, "µs a step": [round(x) for x in cost]}
            print(f"{name}, {engine}, {rate} Hz", row, flush=True)


def nut(report):
    """Nuts in the middle of their play are thrown along the axis, half of them down, half of them up."""
    models, rng = NutModels(), np.random.default_rng(3)
    turns, way = rng.uniform(3.5, 7.0, COUNT), np.where(np.arange(COUNT) % 2, 1.0, -1.0)

    def run(speed, rate, steps, is_held):
        some = Nuts(models, turns, 1 / rate, is_held)
        some.velocities[:, 2] = way * speed
        return own(steps, lambda: some.step() or np.abs(some.errors()) / shapes.PITCH)

    runs = {"palpate": lambda *given: run(*given, True), "palpate, static detection alone": lambda *given: run(*given, False)}
    for name, engine in engines.mujoco_nuts(models).items():
        runs[name] = lambda speed, rate, steps, engine=engine: engines.thrown_nuts(engine, turns, way * speed, rate, steps)
    compare(report, "nut", runs, (240, 1000, 2000), NUT_SPEEDS, 0.05, 0.5)


def gears(report):
    """A gear that turns is put into one that rests."""
    mesh = shapes.gear()
    models, phases = Models(mesh, mesh, 0.01), np.random.default_rng(3).uniform(0, 2 * np.pi / shapes.TEETH, COUNT)

    def run(speed, rate, steps, is_held):
        some = Gears(models, phases, np.full(COUNT, speed), 1 / rate, is_held)
        return own(steps, lambda: some.step() or np.abs(some.errors()))

    runs = {"palpate": lambda *given: run(*given, True), "palpate, static detection alone": lambda *given: run(*given, False)}
    for name, engine in engines.mujoco_gears(mesh).items():
        runs[name] = lambda speed, rate, steps, engine=engine: engines.thrown_gears(engine, phases, np.full(COUNT, speed), rate, steps)
    compare(report, "gears", runs, (240, 1000), GEAR_SPEEDS, 0.1, 0.5)


def bowl_of_grid(spacing=0.0125):
    upper = np.array([1.06, 1.06, shapes.BOWL_HEIGHT + 0.06])
    return palpate.implicit(palpate.sampled(shapes.bowl_distance, -upper[[0, 0, 0]], upper, spacing))


def directions(rng, count):
    """Directions down to the lower half of the bowl."""
    out = rng.normal(size=(count, 3))
    out[:, 2] = -np.abs(out[:, 2]) - 0.3
    return out / np.linalg.norm(out, axis=1)[:, None]


def bowl(report):
    """Balls are thrown from within at the wall of the bowl, 4 cm thick."""
    body, rng = bowl_of_grid(), np.random.default_rng(3)
    way = directions(rng, COUNT)
    centers = way * rng.uniform(0.3, 0.8, COUNT)[:, None]

    def run(speed, rate, steps, is_held):
        some = Balls(body, RADIUS, centers, way * speed, 1 / rate, is_held)
        return own(steps, lambda: some.step() or np.linalg.norm(some.places, axis=1))

    runs = {"palpate": lambda *given: run(*given, True), "palpate, static detection alone": lambda *given: run(*given, False)}
    one = engines.mujoco_bowl(RADIUS)
    runs["MuJoCo, its plugin"] = lambda speed, rate, steps: engines.thrown_balls(one, centers, way * speed, rate, steps)
    compare(report, "bowl", runs, (240, 1000), BALL_SPEEDS, 0.1, shapes.BOWL_RADIUS)


def deepest(found, pairs):
    out = np.zeros(len(found) // pairs)
    np.maximum.at(out, found.query_of_contact() // pairs, found.contacts.depth)
    return out


def errors(report, name, true, found):
    for engine, depths in found.items():
        report[f"depth, {name}, {engine}"] = row = {
            "true, µm": np.round(1e6 * true, 2).tolist(), "found, µm": np.round(1e6 * depths, 2).tolist(),
            "error at most, µm": 1e6 * float(np.abs(depths - true).max())}
        print(f"depth, {name}, {engine}", row, flush=True)


def depth(report):
    """The deepest contact, beside the deepest of many points of both surfaces; of a ball beside the formula of the bowl."""
    models, rng = NutModels(), np.random.default_rng(5)
    poses = models.placed(rng.uniform(2, 7, 6), np.linspace(-10e-6, -60e-6, 6))
    bolt, nut = models.meshes
    true = [engines.sampled_depth(bolt, (turned(np.tile(p[None, 3:], (len(nut[0]), 1)), nut[0]) + p[:3], nut[1])) for p in poses]
    worlds, ids = models.worlds()
    found = {f"palpate, grids of {1e3 * SPACING:g} mm": deepest(worlds.step({ids[1]: poses, ids[3]: poses}), 2)}
    scene = palpate.Scene()
    ids = [scene.add(name, palpate.surface_mesh(*mesh)) for name, mesh in zip(("bolt", "nut"), models.meshes)]
    scene.add_pair(*ids)
    found["palpate, meshes"] = deepest(batch.Worlds(scene).step({ids[1]: poses}), 1)
    found["MuJoCo, the same meshes"] = engines.mujoco_nuts(models)["MuJoCo, the same meshes"][0].depths(poses)
    errors(report, "nut", np.array(true), found)
    way, pushed = directions(rng, 6), np.linspace(1e-4, 5e-3, 6)
    centers = way * (shapes.BOWL_RADIUS - shapes.BOWL_HALF_WALL - RADIUS + pushed)[:, None]
    poses = np.hstack([centers, np.tile([1.0, 0, 0, 0], (6, 1))])
    found = {"palpate, grid of 12.5 mm": deepest(batch.detect(bowl_of_grid(), palpate.sphere([0, 0, 0], RADIUS), None, poses), 1),
             "palpate, grid of 6.25 mm": deepest(batch.detect(bowl_of_grid(0.00625), palpate.sphere([0, 0, 0], RADIUS), None, poses), 1),
             "MuJoCo, its plugin": engines.mujoco_bowl(RADIUS).depths(poses)}
    errors(report, "bowl", RADIUS - shapes.bowl_distance(centers), found)


def newton(report):
    report["newton"] = engines.newton(NutModels())
    print("newton", report["newton"], flush=True)


def main():
    report, every = {}, {"nut": nut, "gears": gears, "bowl": bowl, "depth": depth, "newton": newton}
    for name in [name for name in every if name in sys.argv] or list(every):
        every[name](report)
    if "--json" in sys.argv:
        with open(sys.argv[sys.argv.index("--json") + 1], "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1, ensure_ascii=False)


if __name__ == "__main__":
    main()
