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


# Proves: REQ-PY-GUARD
def test_nothing_passes_a_guard():
    rng = np.random.default_rng(4)
    vertices, cells = cloth(9, 0.4)
    guard = Guard()
    sheet = guard.add(palpate.surface_mesh(vertices, cells), Moves("particles"))
    ball = guard.add(palpate.sphere([0, 0, 0], 0.1), Moves("tool", 0))
    pair = guard.add_pair(sheet, ball, 0.001)
    pose, shortened, held, free_steps = np.array([[0.0, 0, 0, 1, 0, 0, 0]]), 0, 0, 0
    for step in range(400):
        ends = vertices + rng.normal(size=vertices.shape) * 0.2 - [0, 0.05, 0]
        poses = pose + [[*rng.normal(size=3) * 0.1, 0, 0, 0, 0]]
        free = guard.is_free(vertices, ends, start_poses=pose, poses=poses)
        after, moved, report = guard.hold(vertices, ends, start_poses=pose, poses=poses)
        free_steps += free
        if free:
            assert len(report.shortened) == 0
            np.testing.assert_array_equal(after, ends)
        shortened += len(report.shortened)
        held += len(report.contradictions)
        assert set(report.shortened["pair"]) <= {pair} and (report.shortened["lost"] >= 0).all()
        # No farther from the start than the wanted end.
        ways = [np.linalg.norm(end - vertices, axis=1) for end in (after, ends)]
        assert (ways[0] <= ways[1] * (1 + 1e-12)).all()
        velocities = (ends - vertices) / 0.01
        slowed = guard.slow(after, velocities, 0.01)
        assert (np.linalg.norm(slowed, axis=1) <= ways[1] / 0.01 * (1 + 1e-12)).all()
        lost = ends - after
        faster = np.flatnonzero((lost * velocities).sum(axis=1) > 1e-6)
        assert (np.linalg.norm(slowed[faster], axis=1) < np.linalg.norm(velocities[faster], axis=1)).all()
        vertices, pose = after.copy(), moved.copy()
        assert least_distance(vertices, cells, pose[0, :3]) > 0.1
    assert shortened > 500 and held > 20 and free_steps > 50


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
    with pytest.raises(palpate.OutOfRangeError, match="0 velocities: wanted all, 1 at least"):
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


def test_a_solver_that_ignores_the_rows_lets_nothing_through():
    draped, shortened = Draped(), 0

    def falls(moving, rows):
        moving.velocities = moving.velocities - [0, 9.81 / 60, 0]
        moving.particles = moving.particles + moving.velocities / 60

    for step in range(40):
        stepped = draped.stepper.step(draped.scene, draped.moving, falls)
        draped.moving = stepped.moving
        shortened += len(stepped.report.shortened)
        assert least_distance(draped.moving.particles, draped.cells, [0, 0, 0]) > 0.2 + 0.002
    assert shortened > 100 and draped.moving.particles[:, 1].min() < -1


def test_functions_of_the_host_are_called_by_threads_and_may_fail():
    calls = [0, False]

    def distance(x, y, z):
        calls[0] += 1
        if calls[1]:
            raise ZeroDivisionError("the function's own")
        length = max((x * x + y * y + z * z) ** 0.5, 1e-9)
        return length - 0.2, (x / length, y / length, z / length)

    ball = palpate.implicit(palpate.function(distance, [-0.2] * 3, [0.2] * 3))
    vertices, cells = cloth(5, 0.22)
    scene = palpate.Scene(threads=4)
    sheet = scene.add("sheet", palpate.surface_mesh(vertices, cells, radius=0.002))
    other = scene.add("ball", ball)
    scene.add_pair(sheet, other, margin=0.005)
    stepper = Stepper(scene, 1 / 60, 0.0005, {sheet: Moves("particles")})
    moving = Moving(vertices, np.zeros_like(vertices) - [0, 1, 0])

    def falls(moving, rows):
        moving.particles = moving.particles + moving.velocities / 60

    for step in range(3):
        moving = stepper.step(scene, moving, falls).moving
    assert calls[0] > 100 and least_distance(moving.particles, cells, [0, 0, 0]) > 0.2
    calls[1] = True
    with pytest.raises(palpate.CallbackFailedError):
        stepper.step(scene, moving, falls)
    calls[1] = False
    moving = stepper.step(scene, moving, falls).moving
    assert least_distance(moving.particles, cells, [0, 0, 0]) > 0.2


def test_what_moves_has_to_exist():
    draped, other = Draped(), Draped()
    draped.moving = Moving(draped.rest[:5], np.zeros((5, 3)))
    with pytest.raises(palpate.OutOfRangeError, match='geometry "sheet" moves with particles up to number 169: found 5'):
        draped.stepper.step(draped.scene, draped.moving, draped.solve)
    with pytest.raises(palpate.InvalidHandleError):
        Stepper(draped.scene, 0.01, 0.001, {other.sheet: Moves("particles")})
    with pytest.raises(palpate.OutOfRangeError, match="wanted 2, as particles"):
        Guard().slow([[0, 0, 0], [0, 0, 0]], [[0, 0, 0]], 0.01)
    guard = Guard()
    tool = guard.add(palpate.sphere([0, 0, 0], 0.1), Moves("tool", 2**64 - 1))
    guard.add_pair(tool, guard.add(palpate.plane([0, -1, 0], [0, 1, 0])), 0.01)
    with pytest.raises(palpate.OutOfRangeError):
        guard.hold([], [])


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
