"""The guard and the loop of a step: nothing passes, by closed forms, whatever the solver does."""

import numpy as np
import pytest

import palpate
from palpate.stepping import Guard, Moves, Moving, Stepper


def cloth(n: int, height: float):
    """An n × n sheet of side 1 and its triangles."""
    x, z = np.meshgrid(np.linspace(-0.5, 0.5, n), np.linspace(-0.5, 0.5, n), indexing="ij")
    vertices = np.stack([x.ravel(), np.full(n * n, height), z.ravel()], axis=1)
    cells = []
    for i in range(n - 1):
        for j in range(n - 1):
            a = i * n + j
            cells += [[a, a + 1, a + n], [a + n, a + 1, a + n + 1]]
    return vertices, np.array(cells)


def least_distance(vertices, cells, point):
    """From a point to triangles, sampled: an upper bound."""
    weights = [(i / 12, j / 12, (12 - i - j) / 12) for i in range(13) for j in range(13 - i)]
    samples = np.einsum("sk,mkx->msx", np.array(weights), vertices[cells])
    return np.linalg.norm(samples - point, axis=-1).min()


def test_nothing_passes_a_guard():
    rng = np.random.default_rng(4)
    vertices, cells = cloth(9, 0.4)
    guard = Guard()
    sheet = guard.add(palpate.surface_mesh(vertices, cells), Moves("particles"))
    ball = guard.add(palpate.sphere([0, 0, 0], 0.1), Moves("tool", 0))
    pair = guard.add_pair(sheet, ball, 0.001)
    pose, shortened, held = np.array([[0.0, 0, 0, 1, 0, 0, 0]]), 0, 0
    for step in range(400):
        ends = vertices + rng.normal(size=vertices.shape) * 0.2 - [0, 0.05, 0]
        poses = pose + [[*rng.normal(size=3) * 0.1, 0, 0, 0, 0]]
        free = guard.is_free(vertices, ends, start_poses=pose, poses=poses)
        after, moved, report = guard.hold(vertices, ends, start_poses=pose, poses=poses)
        assert free == (len(report.shortened) == 0) or not free
        if free:
            np.testing.assert_array_equal(after, ends)
        shortened += len(report.shortened)
        held += len(report.contradictions)
        assert set(report.shortened["pair"]) <= {pair} and (report.shortened["lost"] >= 0).all()
        # No farther from the start than the wanted end.
        ways = [np.linalg.norm(end - vertices, axis=1) for end in (after, ends)]
        assert (ways[0] <= ways[1] * (1 + 1e-12)).all()
        slowed = guard.slow(after, (ends - vertices) / 0.01, 0.01)
        assert (np.linalg.norm(slowed, axis=1) <= ways[1] / 0.01 * (1 + 1e-12)).all()
        vertices, pose = after.copy(), moved.copy()
        assert least_distance(vertices, cells, pose[0, :3]) > 0.1
    assert shortened > 500 and held > 20


def test_errors_of_a_guard_say_what_is_wrong():
    guard = Guard()
    ball = guard.add(palpate.sphere([0, 0, 0], 0.1), Moves("body", 0))
    with pytest.raises(palpate.OutOfRangeError, match="body 7 of the guard"):
        guard.add_pair(ball, 7, 0.1)
    with pytest.raises(palpate.InvalidArgumentError, match="wanted fixed, particles, body or tool"):
        guard.add(palpate.sphere([0, 0, 0], 0.1), Moves("rigid"))  # type: ignore[arg-type]
    wall = guard.add(palpate.plane([0, -1, 0], [0, 1, 0]))
    guard.add_pair(ball, wall, 0.01)
    rest = [[0, 0, 0, 1, 0, 0, 0]]
    with pytest.raises(palpate.Error, match="finite"):
        guard.hold([], [], start_poses=rest, poses=[[0, np.nan, 0, 1, 0, 0, 0]])
    _, _, report = guard.hold([], [], start_poses=rest, poses=[[0, -9, 0, 1, 0, 0, 0]])
    with pytest.raises(palpate.OutOfRangeError, match="wanted those of all"):
        guard.slow_bodies([], 0.01)
    velocity = guard.slow_bodies([[0, -900, 0, 0, 0, 0]], 0.01)
    assert -95 < velocity[0, 1] <= 0 and report.shortened["body"][0] == 1


class Draped:
    """A sheet that falls on a ball, stretched by springs, with a solver that does one iteration."""

    def __init__(self):
        self.rest, self.cells = cloth(13, 0.3)
        self.scene = palpate.Scene()
        self.sheet = self.scene.add("sheet", palpate.surface_mesh(self.rest, self.cells, radius=0.002))
        self.ball = self.scene.add("ball", palpate.sphere([0, 0, 0], 0.2))
        self.scene.add_pair(self.sheet, self.ball, margin=0.005, detection="continuous_then_static")
        self.stepper = Stepper(self.scene, 1 / 60, 0.0005, {self.sheet: Moves("particles")})
        edges = np.concatenate([self.cells[:, [0, 1]], self.cells[:, [1, 2]], self.cells[:, [2, 0]]])
        self.edges = np.unique(np.sort(edges, axis=1), axis=0)
        self.lengths = np.linalg.norm(np.subtract(*self.rest[self.edges.T]), axis=1)
        self.moving = Moving(self.rest.copy(), np.zeros_like(self.rest))

    def solve(self, moving, rows):
        start = moving.particles.copy()
        places = start + moving.velocities / 60 + [0, -9.81 / 3600, 0]
        for _ in range(10):
            way = places[self.edges[:, 0]] - places[self.edges[:, 1]]
            length = np.linalg.norm(way, axis=1)
            push = way * (0.15 * (1 - self.lengths / length))[:, None]
            np.subtract.at(places, self.edges[:, 0], push)
            np.add.at(places, self.edges[:, 1], push)
        places, _ = rows.project(places, start, np.ones(len(places)))
        moving.particles, moving.velocities = places, (places - start) * 60


# Proves: REQ-PY-GUARD
def test_a_sheet_falls_on_a_ball():
    draped, rows = Draped(), 0
    for step in range(45):
        moving = draped.moving

        def counted(moving, given):
            nonlocal rows
            rows += len(given.rows(moving.particles)[0])
            draped.solve(moving, given)

        stepped = draped.stepper.step(draped.scene, moving, counted)
        draped.moving = stepped.moving
        assert 1 <= stepped.detections <= 3
        assert least_distance(draped.moving.particles, draped.cells, [0, 0, 0]) > 0.2
    # It lies on the ball: the middle is held where gravity alone would have taken it 2.7 m down.
    assert rows > 500 and draped.moving.particles[:, 1].max() > 0.15


def test_a_solver_that_fails_ends_the_step_and_the_next_is_right():
    draped, other = Draped(), Draped()

    def fails(moving, rows):
        raise ZeroDivisionError("the solver's own")

    with pytest.raises(ZeroDivisionError, match="the solver's own"):
        draped.stepper.step(draped.scene, draped.moving, fails)

    def uses_the_scene(moving, rows):
        draped.scene.step()

    with pytest.raises(palpate.BusyError):
        draped.stepper.step(draped.scene, draped.moving, uses_the_scene)

    def loses_one(moving, rows):
        moving.particles, moving.velocities = moving.particles[1:], moving.velocities[1:]

    with pytest.raises(palpate.OutOfRangeError, match="the solver returned 168 particles"):
        draped.stepper.step(draped.scene, draped.moving, loses_one)
    for _ in range(30):
        for each in (draped, other):
            each.moving = each.stepper.step(each.scene, each.moving, each.solve).moving
    assert draped.moving.particles.tobytes() == other.moving.particles.tobytes()
    with pytest.raises(palpate.InvalidArgumentError, match="a stepper"):
        Stepper(draped.scene, 0.0, 0.001, {})
