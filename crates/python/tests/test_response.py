"""Rows of constraints: against differences of the gaps, and against a closed form."""

import numpy as np
import pytest
from conftest import Press

import palpate


def test_the_sparse_matrix_is_the_gradient_of_the_gaps():
    pytest.importorskip("scipy")
    press = Press()
    press.step(0.05)
    sides = {press.sheet: palpate.Side("particles"), press.line: palpate.Side("particles", len(press.rest))}
    particles = np.concatenate([press.scene.vertices(press.sheet), press.scene.vertices(press.line)])
    rows = palpate.PbdRows(0.01)
    rows.gather(press.scene, particles, sides)
    found, entries = rows.rows(particles)
    assert len(found) == press.scene.step().contacts > 10 and found["entry_count"].sum() == len(entries)
    matrix = rows.matrix(particles)
    assert matrix.shape == (len(found), particles.size)
    rng = np.random.default_rng(2)
    for _ in range(20):
        move = rng.normal(size=particles.shape)
        gaps = [rows.rows(particles + sign * 1e-6 * move)[0]["gap"] for sign in (1, -1)]
        np.testing.assert_allclose(matrix @ move.ravel(), (gaps[0] - gaps[1]) / 2e-6, atol=1e-6)


def test_rigid_bodies_stop():
    scene = palpate.Scene()
    ball = scene.add("ball", palpate.sphere([0, 0.5, 0], 0.5))
    floor = scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0]))
    scene.add_pair(ball, floor)
    scene.step()
    # A ball of 2 kg that falls with 3 m/s and slides with 1: the impulse along the normal is 6, and friction takes 0.05 times that:
    # less than what would make it roll.
    mass = [[0, 0.5, 0, 0.5, *(np.eye(3) * 5).ravel()]]
    rows = palpate.RigidRows(0.01)
    rows.gather(scene, mass, [[1, -3, 0, 0, 0, 0]], {ball: palpate.Side("rigid", 0)}, materials=palpate.Material(friction=0.05))
    velocity = rows.solve([[1, -3, 0, 0, 0, 0]], iterations=10)
    np.testing.assert_allclose(velocity[0, :3], [1 - 0.05 * 3, 0, 0], atol=1e-12)
    row = rows.rows()[0]
    np.testing.assert_allclose(row["impulses"][0], 6, atol=1e-12)
    pytest.importorskip("scipy")
    matrix = rows.matrix(1).toarray()
    np.testing.assert_allclose(matrix[0, :3], [0, 1, 0], atol=1e-12)
    assert matrix.shape == (3, 6)


def test_pbd_of_rigid_bodies():
    scene = palpate.Scene()
    ball = scene.add("ball", palpate.sphere([0, 0.4, 0], 0.5))
    floor = scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0]))
    scene.add_pair(ball, floor)
    scene.step()
    pose = [0, 0.4, 0, 1, 0, 0, 0]
    body = [[*pose, *pose, 1.0, 10.0, 10.0, 10.0]]
    rows = palpate.PbdRows(0.01)
    rows.gather(scene, np.empty((0, 3)), {ball: palpate.Side("rigid", 0)}, bodies=body)
    _, poses = rows.project(np.empty((0, 3)), np.empty((0, 3)), [], bodies=body)
    np.testing.assert_allclose(poses[0], [0, 0.5, 0, 1, 0, 0, 0], atol=1e-12)
    with pytest.raises(palpate.OutOfRangeError):
        rows.project([[0, 0, 0]], [[0, 0, 0]], [1.0], bodies=body)
