"""The other engines: the same nuts, gears and balls in MuJoCo and Newton; and depths by libigl."""

from __future__ import annotations

import time

import bodies
import numpy as np
import shapes
from stepping import turned, twist

# As stiff as MuJoCo allows: a time constant of two steps. Without friction or gravity unless a body says so.
WORLD = """<mujoco>{extension}<option timestep="{step}" sdf_iterations="15" sdf_initpoints="60" gravity="0 0 {gravity}"/>
<default><geom condim="1" solref="{soft} 1" solimp=".95 .99 .0001"/></default><asset>{asset}</asset><worldbody>{body}</worldbody></mujoco>"""


def numbers(array):
    return " ".join(f"{x:.9g}" for x in np.asarray(array).ravel())


def from_mesh(name, mesh):
    """The asset of a mesh, and the geom of type sdf whose distances MuJoCo keeps in an octree."""
    return "", f'<mesh name="{name}" vertex="{numbers(mesh[0])}" face="{numbers(mesh[1])}"/>', f'<geom type="sdf" mesh="{name}" density="7850"/>'


def from_plugin(name, kind, **settings):
    """The extension, asset and geom of a shape of MuJoCo's plugin."""
    keys = "".join(f'<config key="{key}" value="{value}"/>' for key, value in settings.items())
    return (f'<plugin plugin="mujoco.sdf.{kind}"><instance name="{name}">{keys}</instance></plugin>',
            f'<mesh name="{name}"><plugin instance="{name}"/></mesh>', f'<geom type="sdf" mesh="{name}"><plugin instance="{name}"/></geom>')


class Mujoco:
    """A model for each number of steps a second. ``parts``: what :func:`from_mesh` or :func:`from_plugin` made; ``body``: its XML with the
    geoms ``{0}`` and ``{1}``."""

    def __init__(self, parts, body, gravity=0.0):
        self.parts, self.body, self.gravity, self.made = parts, body, gravity, {}

    def model(self, rate):
        import mujoco

        if rate not in self.made:
            extension = "".join(part[0] for part in self.parts)
            text = WORLD.format(extension=f"<extension>{extension}</extension>" if extension else "", step=1 / rate, soft=2 / rate,
                                gravity=self.gravity, asset="".join(part[1] for part in self.parts),
                                body=self.body.format(*[part[2] for part in self.parts]))
            model = mujoco.MjModel.from_xml_string(text)
            self.made[rate] = model, mujoco.MjData(model)
        return self.made[rate]

    def run(self, rate, steps, places, velocities, seen):
        """Step each world; ``seen(world, data)`` after every step. Returns the seconds."""
        import mujoco

        model, data = self.model(rate)
        start = time.process_time()
        for world, (place, velocity) in enumerate(zip(places, velocities)):
            mujoco.mj_resetData(model, data)
            data.qpos[:], data.qvel[:] = place, velocity
            seen(world, data)
            for _ in range(steps):
                mujoco.mj_step(model, data)
                seen(world, data)
        return time.process_time() - start

    def depths(self, places):
        """The depth of the deepest contact at each place, 0 without one."""
        import mujoco

        model, data = self.model(240)
        out = []
        for place in places:
            mujoco.mj_resetData(model, data)
            data.qpos[:] = place
            mujoco.mj_forward(model, data)
            out.append(max((-one.dist for one in data.contact), default=0.0))
        return np.array(out)


FREE = "{0}<body><freejoint/>{1}</body>"


def mujoco_nuts(models):
    """By name: the engine, the pitch, the height of a nut's origin above its lower end, the height of a nut that is engaged at turn 0."""
    of_meshes = [from_mesh(name, mesh) for name, mesh in zip(("bolt", "nut"), models.meshes)]
    of_plugin = [from_plugin(kind, kind, radius=0.26) for kind in ("bolt", "nut")]
    return {
        "MuJoCo, the same meshes": (Mujoco(of_meshes, FREE, -9.81), shapes.PITCH, models.center[2], 0.0),
        "MuJoCo, its plugin": (Mujoco(of_plugin, FREE, -9.81), 1 / 12, 0.0, -0.5),
    }


def thrown_nuts(engine, turns, speeds, rate, steps):
    """By how many turns nuts are off the helix at most, and the seconds. Speeds are scaled with the pitch."""
    one, pitch, origin, start = engine
    if start:  # The plugin's bolt has six turns, below its head.
        turns = 3.5 - turns
    places, velocities = np.zeros((len(turns), 7)), np.zeros((len(turns), 6))
    places[:, 2] = pitch * turns + start + origin
    places[:, 3], places[:, 6] = np.cos(np.pi * turns), np.sin(np.pi * turns)
    velocities[:, 2] = speeds * pitch / shapes.PITCH
    angles, before, off = 2 * np.pi * turns, places[:, 3:].copy(), np.zeros(len(turns))

    def seen(world, data):
        angles[world] += twist(before[world, None], data.qpos[None, 3:7])[0]
        before[world] = data.qpos[3:7]
        lower = data.qpos[2] - turned(before[world, None], np.array([[0, 0, origin]]))[0, 2] - start
        off[world] = max(off[world], abs(lower / pitch - angles[world] / (2 * np.pi)))

    return off, one.run(rate, steps, places, velocities, seen)


HINGES = "".join(
    f'<body pos="{middle} 0 0"><joint type="hinge" axis="0 0 1"/>{{{k}}}</body>' for k, middle in enumerate(shapes.GEAR_MIDDLES))


def mujoco_gears(mesh):
    """By name: the engine, and the angles of both gears that are engaged without contact."""
    plugin = Mujoco([from_plugin(f"gear{k}", "gear", alpha=0) for k in range(2)], HINGES)
    tries = np.linspace(0, 2 * np.pi / shapes.TEETH, 200, endpoint=False)
    free = plugin.depths([[0.0, phase] for phase in tries]) <= 0
    # The middle of the free phases: those of a circle.
    middle = np.angle(np.exp(1j * shapes.TEETH * tries[free]).sum()) / shapes.TEETH
    same = Mujoco([from_mesh(f"gear{k}", mesh) for k in range(2)], HINGES)
    return {"MuJoCo, the same meshes": (same, shapes.GEAR_PHASES), "MuJoCo, its plugin": (plugin, (0.0, middle))}


def thrown_gears(engine, phases, speeds, rate, steps):
    """By how many teeth the gears are off at most, and the seconds."""
    one, (first, second) = engine
    off = np.zeros(len(phases))

    def seen(world, data):
        off[world] = max(off[world], abs(data.qpos.sum() - first - second) * shapes.TEETH / (2 * np.pi))

    places = np.column_stack([first + phases, second - phases])
    return off, one.run(rate, steps, places, np.column_stack([speeds, np.zeros(len(speeds))]), seen)


def mujoco_bowl(radius):
    settings = {"height": shapes.BOWL_HEIGHT, "radius": shapes.BOWL_RADIUS, "thickness": shapes.BOWL_HALF_WALL}
    ball = f'<geom type="sphere" size="{radius}"/>'
    return Mujoco([from_plugin("bowl", "bowl", **settings), ("", "", ball)], FREE)


def thrown_balls(one, centers, velocities, rate, steps):
    """How far balls are from the middle of the bowl at most, and the seconds."""
    far = np.zeros(len(centers))

    def seen(world, data):
        far[world] = max(far[world], float(np.linalg.norm(data.qpos[:3])))

    turn, still = np.tile([1.0, 0, 0, 0], (len(centers), 1)), np.zeros((len(centers), 3))
    return far, one.run(rate, steps, np.hstack([centers, turn]), np.hstack([velocities, still]), seen)


def inside(mesh, points):
    """How deep the deepest of the points is in a mesh, metres, by libigl's closest triangle and winding number; 0 outside."""
    import igl

    distance = igl.signed_distance(points, *mesh, sign_type=igl.SIGNED_DISTANCE_TYPE_FAST_WINDING_NUMBER)[0]
    return float(max(-distance.min(), 0.0))


def divided(mesh, pieces):
    """Points of a mesh: of each triangle a lattice of so many pieces a side, corners included."""
    a, b, c = (mesh[0][mesh[1][:, k]] for k in range(3))
    weights = [(i / pieces, j / pieces) for i in range(pieces + 1) for j in range(pieces + 1 - i)]
    return np.concatenate([a + u * (b - a) + v * (c - a) for u, v in weights])


def sampled_depth(first, second, pieces=6):
    """The depth of the deepest of many points of either of two meshes in the other, by libigl."""
    deepest = 0.0
    for mesh, other in ((first, second), (second, first)):
        points = divided(mesh, pieces)
        low, high = other[0].min(axis=0), other[0].max(axis=0)
        deepest = max(deepest, inside(other, points[((points > low) & (points < high)).all(axis=1)]))
    return deepest


def newton(models, worlds=4):
    """What Newton says to grids on the CPU, and its time for a pass of worlds of the same nut and bolt as meshes without grids."""
    import newton as engine
    import warp

    config = engine.ModelBuilder.ShapeConfig(margin=0.0, gap=0.12e-3, density=bodies.DENSITY)
    meshes = [engine.Mesh(v.astype(np.float32), c.astype(np.int32).ravel()) for v, c in models.meshes]
    try:
        meshes[0].build_sdf(max_resolution=256)
        said = "grids are built"
    except RuntimeError as error:
        said = str(error)
    pose = models.placed(np.array([4.0]), -bodies.OVERLAP)[0]
    one = engine.ModelBuilder()
    one.add_shape_mesh(-1, mesh=meshes[0], cfg=config)
    body = one.add_body(xform=warp.transform(warp.vec3(*pose[:3]), warp.quat(*pose[[4, 5, 6, 3]])))
    one.add_shape_mesh(body, mesh=meshes[1], cfg=config)
    several = engine.ModelBuilder()
    several.replicate(one, worlds)
    model = several.finalize(device="cpu")
    pipeline = engine.CollisionPipeline(model, reduce_contacts=True, rigid_contact_max=2000 * worlds, broad_phase="sap")
    state, contacts, best = model.state(), pipeline.contacts(), np.inf
    for _ in range(4):  # The first one compiles.
        start = time.process_time()
        pipeline.collide(state, contacts)
        best = min(best, time.process_time() - start)
    count = int(contacts.rigid_contact_count.numpy()[0])
    return {"to grids it says": said, "meshes without grids, µs a world": 1e6 * best / worlds, "contacts a world": count / worlds}
