"""Many poses and many worlds equal plain loops, bit for bit, for any number of threads."""

import numpy as np
import pytest
from conftest import Press, sheet
from test_matrix import BOX, SKIN, shapes

import palpate
from palpate import batch


def random_poses(rng, n, spread):
    turn = rng.normal(size=(n, 4))
    return np.column_stack([rng.uniform(-spread, spread, (n, 3)), turn / np.linalg.norm(turn, axis=1)[:, None]])


# Proves: REQ-PY-WORLDS
def test_many_poses_equal_one_scene_at_a_time():
    rng = np.random.default_rng(5)
    hits = 0
    for a in shapes(rng):
        for b in ({"type": "OrientedBox", "center": [0, 0, 0], "half_extents": [0.5, 0.4, 0.6]},
                  {"type": "SurfaceMesh", "vertices": BOX, "cells": SKIN}):
            first, second = palpate.from_json(a), palpate.from_json(b)
            poses_a, poses_b = random_poses(rng, 300, 1.2), random_poses(rng, 300, 0.2)
            # What has no pose of its own is placed; planes turn, and the others move.
            found = [batch.detect(first, second, poses_a, poses_b, margin=0.01, threads=n) for n in (1, 2, 8)]
            assert len({one.contacts.tobytes() + one.offsets.tobytes() for one in found}) == 1
            for number in range(0, 300, 25):
                scene = palpate.Scene()
                ids = scene.add("a", first), scene.add("b", second)
                pair = scene.add_pair(*ids, margin=0.01)
                scene.set_poses(ids, [poses_a[number], poses_b[number]])
                scene.step()
                one = scene.contacts(pair)
                assert one.tobytes() == found[0].of(number).tobytes(), (a["type"], b["type"], number)
                hits += len(one) > 0
    assert hits > 100, hits


def test_many_motions_equal_one_scene_at_a_time():
    rng = np.random.default_rng(8)
    mesh = palpate.surface_mesh(BOX, SKIN)
    tool = palpate.oriented_box([0.02, 0.3, 0.02])
    before, after = random_poses(rng, 200, 2.0), random_poses(rng, 200, 2.0)
    before_mesh, after_mesh = random_poses(rng, 200, 0.1), random_poses(rng, 200, 0.1)
    swept = [
        batch.detect(mesh, tool, after_mesh, after, previous_a=previous, previous_b=before, detection="continuous", threads=n)
        for previous in (before_mesh, None)
        for n in (1, 2)
    ]
    assert swept[0].contacts.tobytes() == swept[1].contacts.tobytes() and swept[2].offsets.tobytes() == swept[3].offsets.tobytes()
    hits = 0
    for number in range(0, 200, 5):
        for found, first in ((swept[0], before_mesh), (swept[2], after_mesh)):
            scene = palpate.Scene()
            ids = scene.add("a", mesh), scene.add("b", tool)
            pair = scene.add_pair(*ids, detection="continuous")
            scene.set_poses(ids, [first[number], before[number]])
            scene.advance()
            scene.set_poses(ids, [after_mesh[number], after[number]])
            scene.step()
            assert scene.contacts(pair).tobytes() == found.of(number).tobytes(), number
        hits += len(swept[0].of(number)) > 0
    # What lies on the way is not seen at its end.
    still = batch.detect(mesh, tool, after_mesh, after).counts() > 0
    assert hits > 10 and ((swept[0].counts() > 0) & ~still).sum() > 40


def test_errors_of_motions_name_the_list():
    box, poses = palpate.oriented_box([1, 1, 1]), np.tile([0.0, 0, 0, 1, 0, 0, 0], (3, 1))
    with pytest.raises(palpate.InvalidArgumentError, match="previous_b has 2 poses: wanted 3"):
        batch.detect(box, box, poses, poses, previous_b=poses[:2], detection="continuous")
    with pytest.raises(palpate.InvalidArgumentError, match="wanted continuous detection"):
        batch.detect(box, box, poses, previous_a=poses)
    with pytest.raises(palpate.InvalidArgumentError, match="previous_b without poses_b"):
        batch.detect(box, box, poses, previous_b=poses, detection="continuous")


def test_matrices_are_poses():
    rng = np.random.default_rng(6)
    poses = random_poses(rng, 50, 1)
    w, x, y, z = poses[:, 3:].T
    matrices = np.zeros((50, 4, 4))
    matrices[:, 3, 3], matrices[:, :3, 3] = 1, poses[:, :3]
    matrices[:, :3, :3] = np.moveaxis(np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]), 2, 0)
    box = palpate.oriented_box([0.5, 0.6, 0.7])
    one, two = (batch.detect(box, box, p, margin=5.0).contacts for p in (poses, matrices))
    np.testing.assert_allclose(one.depth, two.depth, atol=1e-12)


def test_padded():
    box = palpate.oriented_box([1, 1, 1])
    found = batch.detect(box, box, [[0, 1.9, 0, 1, 0, 0, 0], [0, 5, 0, 1, 0, 0, 0], [0, -1.9, 0, 1, 0, 0, 0]])
    rows, overflow = found.padded(3)
    assert found.counts().tolist() == [4, 0, 4] and overflow.tolist() == [True, False, True]
    assert rows["id"][2].tolist() == found.of(2).id[:3].tolist() and not rows[1]["depth"].any()


def test_wrong_lists_are_errors():
    box = palpate.oriented_box([1, 1, 1])
    with pytest.raises(palpate.InvalidArgumentError, match="poses_b has 2 poses: wanted 3"):
        batch.detect(box, box, np.tile([0, 0, 0, 1, 0, 0, 0], (3, 1)), np.tile([0, 0, 0, 1, 0, 0, 0], (2, 1)))
    with pytest.raises(palpate.InvalidArgumentError, match=r"poses_a\[1\]"):
        batch.detect(box, box, [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 2, 0, 0, 0]])
    with pytest.raises(palpate.UnsupportedError):
        batch.detect(palpate.plane([0, 0, 0], [0, 1, 0]), palpate.plane([0, 0, 0], [0, 1, 0]), threads=2)


def test_signed_distances_of_a_cube():
    points = np.random.default_rng(8).uniform(-2, 2, (2000, 3))
    outside = np.maximum(np.abs(points) - 1, 0)
    wanted = np.linalg.norm(outside, axis=1) + np.minimum(np.max(np.abs(points) - 1, axis=1), 0)
    mesh = palpate.surface_mesh(BOX, SKIN)
    for threads in (1, 2):
        np.testing.assert_allclose(batch.signed_distance(mesh, points, threads=threads), wanted, atol=1e-14)


# Proves: REQ-PY-WORLDS
def test_many_worlds_equal_plain_loops():
    press, n = Press(), 70
    times = 0.02 * np.arange(n)
    vertices, poses = np.stack([press.vertices(t) for t in times]), np.stack([press.pose(t) for t in times])
    found = []
    for threads in (1, 2, 8):
        worlds = batch.Worlds(press.scene, threads)
        assert worlds.pairs == 2
        # A second step, of other states, leaves nothing behind.
        worlds.step({press.sheet: vertices[::-1], press.ball: poses[::-1]})
        found.append(worlds.step({press.sheet: vertices, press.ball: poses}))
    assert len({one.contacts.tobytes() + one.offsets.tobytes() + one.flags.tobytes() for one in found}) == 1
    hits = 0
    for number, time in enumerate(times):
        plain = Press()
        plain.step(time)
        for pair in range(2):
            contacts = plain.scene.contacts(plain.pairs[pair])
            assert worlds.of(found[0], number, pair).tobytes() == contacts.tobytes(), (number, pair)
            hits += len(contacts) > 0
    assert hits > n


def test_many_worlds_with_motion():
    scene = palpate.Scene()
    vertices, cells = sheet()
    wall = scene.add("wall", palpate.surface_mesh(vertices, cells))
    bullet = scene.add("bullet", palpate.sphere([0, 1, 0], 0.001))
    scene.add_pair(bullet, wall, detection="continuous")
    n = 60
    start = np.tile([0.003, 1.0, 0.004, 1, 0, 0, 0], (n, 1))
    end = start.copy()
    end[:, 1] = np.linspace(-1, 0.5, n)
    for threads in (1, 3):
        found = batch.Worlds(scene, threads).step({bullet: end}, previous={bullet: start})
        hit = found.counts() > 0
        assert (hit == (end[:, 1] < 0.001)).all() and hit.sum() > 30
        # It touches 0.999 metres below its start.
        np.testing.assert_allclose(found.contacts.time_of_impact, 0.999 / (1 - end[hit, 1]), atol=1e-6)
    with pytest.raises(palpate.InvalidArgumentError):
        batch.Worlds(scene).step({bullet: end, wall: np.zeros((n, 3, 3))})


def test_worlds_and_queries_have_no_memory_of_each_other():
    ball, point = palpate.implicit(palpate.function_of_shape(palpate.sphere([0, 0, 0], 1))), palpate.point_set([[0, 0, 0]])
    scene = palpate.Scene()
    ids = scene.add("ball", ball), scene.add("point", point)
    scene.add_pair(*ids, detection="continuous")
    # In the first world the point comes in from the left; in the second it is inside, at the right, from the start.
    before, now = np.tile([0.0, 0, 0, 1, 0, 0, 0], (2, 2, 1))
    before[:, 0], now[:, 0] = [-2, 0.9], [-0.9, 0.8]
    found = batch.Worlds(scene).step({ids[1]: now}, {ids[1]: before}).contacts
    np.testing.assert_allclose(found.depth, [0.1, 0.2], atol=1e-12)
    np.testing.assert_allclose(found.direction[:, 0], [1, -1], atol=1e-12)
    found = batch.detect(ball, point, None, np.concatenate([now, before]), detection="continuous").contacts
    np.testing.assert_allclose(found.depth, [0.1, 0.2, 0.1], atol=1e-12)


def test_functions_of_the_caller_in_many_worlds():
    fails = [False]

    def corner(x, y, z):
        if fails[0]:
            raise OSError("no answer")
        return tuple(np.where(np.array([x, y, z]) < 0, -1.0, 1.0))

    scene = palpate.Scene()
    box = scene.add("box", palpate.support(corner))
    scene.add_pair(box, scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0])))
    poses = np.tile([0, 0.0, 0, 1, 0, 0, 0], (40, 1))
    poses[:, 1] = np.linspace(0.5, 1.5, 40)
    worlds = batch.Worlds(scene, 2)
    wanted = worlds.step({box: poses})
    np.testing.assert_allclose(wanted.contacts.depth, 1 - poses[poses[:, 1] <= 1, 1], atol=1e-9)
    fails[0] = True
    with pytest.raises(palpate.CallbackFailedError, match="no answer"):
        worlds.step({box: poses + [0, 0.001, 0, 0, 0, 0, 0]})
    with pytest.raises(palpate.CallbackFailedError):
        scene.add("other", palpate.support(corner))
    fails[0] = False
    assert worlds.step({box: poses}).contacts.tobytes() == wanted.contacts.tobytes()
