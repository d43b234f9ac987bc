"""What is thrown: nuts on bolts, a pair of gears, a ball in a bowl; frictionless, without rebound."""

from __future__ import annotations

import numpy as np
import shapes
from stepping import Stepped, deepest_of_slots, product, turn_of, turned, twist

import palpate
from palpate import batch

SPACING = 0.125e-3  # metres: of the grids of nut and bolt; a crest is 0.31 mm wide
OVERLAP = 5e-6  # metres: how far nuts are pushed into the thread along the axis, where times are measured
DENSITY = 7850.0  # kilograms per cubic metre
SECTORS = 8  # round the axis of a nut: the deepest contact of each, half of the height and flank has a row


def moments(vertices, cells):
    """Volume, centre and inertia about it (density 1) of a closed mesh."""
    a, b, c = (vertices[cells[:, k]] for k in range(3))
    six = np.einsum("ij,ij->i", a, np.cross(b, c))
    center = (six[:, None] * (a + b + c)).sum(axis=0) / 4 / six.sum()
    a, b, c = a - center, b - center, c - center
    second = sum(np.einsum("i,ij,ik->jk", six, p, p) for p in (a, b, c, a + b + c)) / 120
    return six.sum() / 6, center, np.trace(second) * np.eye(3) - second


class Models:
    """Two bodies as meshes, as grids and as points, and the pairs of both."""

    def __init__(self, first, second, spacing, threads=1):
        self.meshes = first, second
        surfaces = [palpate.surface_mesh(*mesh) for mesh in self.meshes]
        self.grids = [palpate.surface_grid(surface, spacing, threads=threads) for surface in surfaces]

    def worlds(self, margin=0.0, detection="static", threads=1):
        """Worlds with two pairs, vertices of the second in the first one's grid and the reverse; the ids of both grids, and of both points."""
        scene = palpate.Scene()
        bodies = [palpate.implicit(grid) for grid in self.grids] + [palpate.point_set(mesh[0]) for mesh in self.meshes]
        ids = [scene.add(name, body) for name, body in zip(("grid 0", "grid 1", "points 0", "points 1"), bodies)]
        detector = "implicit_point_set" if detection == "static" else "implicit_point_set_ccd"
        for a, b in ((0, 3), (1, 2)):
            scene.add_pair(ids[a], ids[b], detector=detector, margin=margin, detection=detection)
        return batch.Worlds(scene, threads), ids


class NutModels(Models):
    """Bolt and nut. The nut's frame is in its centre of mass."""

    def __init__(self, columns=64, rows=2, spacing=SPACING, threads=1):
        nut = shapes.nut(columns=columns, rows=rows)
        volume, self.center, inertia = moments(*nut)
        self.mass, self.inertia = DENSITY * volume, DENSITY * np.diag(inertia)
        super().__init__(shapes.bolt(columns=columns, rows=rows), (nut[0] - self.center, nut[1]), spacing, threads)

    def placed(self, turns, height=0.0):
        """Poses of nuts that rest on the bolt's thread at some turns above its lower end, or higher by ``height``."""
        out, angle = np.zeros((len(turns), 7)), 2 * np.pi * np.asarray(turns)
        out[:, 2] = shapes.PITCH * turns - shapes.AXIAL_PLAY + height + self.center[2]
        out[:, 3], out[:, 6] = np.cos(angle / 2), np.sin(angle / 2)
        return out


class Nuts(Stepped):
    """n nuts on bolts of their own, in the middle of the play. ``is_held``: continuous detection shortens motions."""

    def __init__(self, models, turns, step_length, is_held=True):
        super().__init__(step_length, 30e-6, is_held, np.array([0, 0, -9.81, 0, 0, 0]))
        self.models = models
        self.near, self.motion = models.worlds(0.12e-3), models.worlds(0.0, "continuous")
        self.places, self.velocities, self.angles = np.zeros((len(turns), 7)), np.zeros((len(turns), 6)), np.zeros(len(turns))
        self.put(np.arange(len(turns)), turns)

    def put(self, which, turns):
        """Put nuts at rest at turns above the lower end."""
        self.angles[which] = 2 * np.pi * np.asarray(turns)
        self.places[which] = self.models.placed(turns, shapes.AXIAL_PLAY)
        self.velocities[which] = 0

    def errors(self):
        """By how much each nut is above the height that belongs to its angle: no more than the play if it is still in its own turn."""
        axis = turned(self.places[:, 3:], np.tile([0, 0, 1.0], (len(self.places), 1)))
        lower = self.places[:, :3] - axis * self.models.center[2]
        return lower[:, 2] - shapes.PITCH * self.angles / (2 * np.pi)

    def step(self):
        before = self.places[:, 3:].copy()
        super().step()
        self.angles += twist(before, self.places[:, 3:])

    def states(self, ids, places):
        return {ids[1]: places, ids[3]: places}

    def moved(self, which, ways):
        turn = product(turn_of(ways[:, 3:]), self.places[which, 3:])
        return np.hstack([self.places[which, :3] + ways[:, :3], turn / np.linalg.norm(turn, axis=1, keepdims=True)])

    def rows(self, found, places):
        contacts, query = found.contacts, found.query_of_contact()
        world, is_second = query // 2, query % 2 == 1
        point = contacts.point_b - places[world, :3]
        direction = np.where(is_second[:, None], contacts.direction, -contacts.direction)
        sector = np.floor((np.arctan2(point[:, 1], point[:, 0]) / (2 * np.pi) + 0.5) * SECTORS).astype(int) % SECTORS
        place = (sector * 2 + (point[:, 2] > 0)) * 2 + (direction[:, 2] > 0)
        n, each = len(places), 4 * SECTORS
        slots, taken = deepest_of_slots(world * each + place, contacts.depth, n * each)
        jacobian, answers, gaps = np.zeros((n * each, 6)), np.zeros((n * each, 6)), np.full(n * each, np.inf)
        jacobian[slots] = np.hstack([direction[taken], np.cross(point[taken], direction[taken])])
        turn = places[world[taken], 3:]
        local = turned(turn * [1, -1, -1, -1], jacobian[slots, 3:]) / self.models.inertia
        answers[slots] = np.hstack([direction[taken] / self.models.mass, turned(turn, local)])
        gaps[slots] = -contacts.depth[taken]
        return jacobian.reshape(n, each, 6), answers.reshape(n, each, 6), gaps.reshape(n, each)


class Gears(Stepped):
    """n pairs of equal gears on axes along z: the first turns, the second rests. Places are the two angles."""

    def __init__(self, models, phases, speeds, step_length, is_held=True):
        super().__init__(step_length, 2e-4, is_held)
        self.near, self.motion = models.worlds(1e-2), models.worlds(0.0, "continuous")
        self.places = np.column_stack([phases, -phases])
        self.velocities = np.column_stack([speeds, np.zeros(len(speeds))])

    def errors(self):
        """The teeth by which the second is behind or ahead of the first."""
        return self.places.sum(axis=1) * shapes.TEETH / (2 * np.pi)

    def states(self, ids, places):
        out = {}
        for body, middle in enumerate(shapes.GEAR_MIDDLES):
            poses = np.zeros((len(places), 7))
            half = (places[:, body] + shapes.GEAR_PHASES[body]) / 2
            poses[:, 0], poses[:, 3], poses[:, 6] = middle, np.cos(half), np.sin(half)
            out[ids[body]] = out[ids[2 + body]] = poses
        return out

    def moved(self, which, ways):
        return self.places[which] + ways

    def rows(self, found, places):
        contacts, query = found.contacts, found.query_of_contact()
        # The direction moves the first body of the pair, which is gear 0 in the first pair and gear 1 in the second.
        direction = np.where((query % 2 == 1)[:, None], -contacts.direction, contacts.direction)
        point = contacts.point_b
        each = [(point[:, 0] - middle) * direction[:, 1] - point[:, 1] * direction[:, 0] for middle in shapes.GEAR_MIDDLES]
        jacobian = np.column_stack([each[0], -each[1]])
        slots, taken = deepest_of_slots(query // 2 * 2 + (each[0] > 0), contacts.depth, 2 * len(places))
        out, gaps = np.zeros((2 * len(places), 2)), np.full(2 * len(places), np.inf)
        out[slots], gaps[slots] = jacobian[taken], -contacts.depth[taken]
        out = out.reshape(len(places), 2, 2)
        return out, out, gaps.reshape(len(places), 2)


class Balls(Stepped):
    """n balls that do not turn, each in a bowl of its own. Places are their centres."""

    def __init__(self, bowl, radius, centers, velocities, step_length, is_held=True):
        super().__init__(step_length, 1e-4, is_held)
        made = []
        for margin, detection in ((2e-3, "static"), (0.0, "continuous")):
            scene = palpate.Scene()
            ids = scene.add("bowl", bowl), scene.add("ball", palpate.sphere([0, 0, 0], radius))
            scene.add_pair(*ids, margin=margin, detection=detection)
            made.append((batch.Worlds(scene, 1), ids))
        self.near, self.motion = made
        self.places, self.velocities = centers.copy(), velocities.copy()

    def states(self, ids, places):
        poses = np.zeros((len(places), 7))
        poses[:, :3], poses[:, 3] = places, 1
        return {ids[1]: poses}

    def moved(self, which, ways):
        return self.places[which] + ways

    def rows(self, found, places):
        slots, taken = deepest_of_slots(found.query_of_contact(), found.contacts.depth, len(places))
        jacobian, gaps = np.zeros((len(places), 1, 3)), np.full((len(places), 1), np.inf)
        jacobian[slots, 0], gaps[slots, 0] = -found.contacts.direction[taken], -found.contacts.depth[taken]
        return jacobian, jacobian, gaps
