"""Scenes: arrays of every type, errors, events, queries, callbacks."""

import math
import subprocess
import sys

import numpy as np
import pytest
from conftest import sheet

import palpate


@pytest.mark.parametrize("floats", [np.float64, np.float32])
@pytest.mark.parametrize("integers", [np.int64, np.int32, np.uint32, np.uint8])
def test_meshes_from_any_array(floats, integers):
    vertices, cells = sheet(6)
    # Every third row of a wider array, its columns backwards.
    wide = np.zeros((len(vertices) * 3, 5), floats)
    wide[::3, 3:0:-1] = vertices
    mesh = palpate.surface_mesh(wide[::3, 3:0:-1], cells.astype(integers))
    np.testing.assert_array_equal(palpate.vertices(mesh), vertices.astype(floats).astype(float))
    np.testing.assert_array_equal(palpate.cells(mesh), cells)
    assert palpate.vertices(palpate.surface_mesh(vertices.tolist(), cells.tolist())).shape == vertices.shape


# Proves: REQ-PY-ERRORS
def test_errors_are_classes_with_the_text_of_rust():
    vertices, cells = sheet(3)
    wrong = [
        (palpate.InvalidArgumentError, "vertices: found an array of float64 with the shape [9, 2], wanted n × 3",
         lambda: palpate.surface_mesh(vertices[:, :2], cells)),
        (palpate.OutOfRangeError, "cells[0, 0]: found -1, wanted 0 to 4294967295",
         lambda: palpate.surface_mesh(vertices, cells - 1)),
        (palpate.OutOfRangeError, "", lambda: palpate.surface_mesh(vertices, cells + 8)),
        (palpate.InvalidArgumentError, "radius: found \"nan\", wanted", lambda: palpate.sphere([0, 0, 0], math.nan)),
        (palpate.InvalidArgumentError, "", lambda: palpate.point_set([[0, 0, math.inf]])),
        (palpate.NotFoundError, "sphere_spere", lambda: palpate.detect(
            palpate.sphere([0, 0, 0], 1), palpate.sphere([0, 0, 0], 1), detector="sphere_spere")),
        (palpate.UnsupportedError, "plane", lambda: palpate.detect(
            palpate.plane([0, 0, 0], [0, 1, 0]), palpate.plane([0, 0, 0], [0, 1, 0]))),
        (palpate.FileError, "no_such_file", lambda: palpate.read_mesh("no_such_file.obj")),
        (palpate.FileError, "no_such_file", lambda: palpate.Replay("no_such_file.h5")),
    ]
    for kind, text, call in wrong:
        with pytest.raises(kind) as caught:
            call()
        assert text in str(caught.value) and isinstance(caught.value, palpate.Error), caught.value
    one, other = palpate.Scene(), palpate.Scene()
    ball = one.add("ball", palpate.sphere([0, 0, 0], 1))
    with pytest.raises(palpate.InvalidHandleError):
        other.set_pose(ball, [0, 0, 0, 1, 0, 0, 0])
    with pytest.raises(palpate.InvalidArgumentError, match="ball"):
        one.add("ball", palpate.sphere([0, 0, 0], 1))


def test_groups_events_and_state(press):
    scene = press.scene
    scene.set_events(True)
    press.step(0.0)
    events = scene.events()
    assert len(events) > 0 and (events["change"] == palpate.Change.BEGAN).all()
    saved = scene.save()
    press.step(0.3)
    first = scene.all_contacts()[0].tobytes()
    changes = set(scene.events()["change"].tolist())
    assert palpate.Change.PERSISTS in changes or palpate.Change.ENDED in changes
    scene.restore(saved)
    press.step(0.3)
    contacts, pairs = scene.all_contacts()
    assert contacts.tobytes() == first and set(pairs.tolist()) <= {int(pair) for pair in scene.pairs()}
    scene.set_pose(press.ball, [0, 5, 0, 1, 0, 0, 0])
    scene.step()
    assert scene.events()["change"].tolist().count(palpate.Change.ENDED) > 0
    scene.restore(saved)
    scene.set_asleep(press.ball, True)
    wanted = scene.step().contacts
    scene.set_pose(press.ball, [0, 5, 0, 1, 0, 0, 0])
    assert scene.step().contacts == wanted > 0
    scene.set_asleep(press.ball, False)
    assert scene.step().contacts < wanted
    grouped = palpate.Scene()
    tool = grouped.add("tool", palpate.sphere([0, 0.5, 0], 0.6), groups=1)
    floor = grouped.add("floor", palpate.plane([0, 0, 0], [0, 1, 0]), groups=2)
    grouped.add_pairs_between(1, 2, margin=0.1)
    assert grouped.step().contacts == 1
    pair = grouped.pair(grouped.active_pairs()[0])
    assert {pair.a, pair.b} == {tool, floor} and pair.margin == 0.1
    grouped.remove(tool)
    assert list(grouped) == ["floor"] and grouped.step().contacts == 0


# Proves: REQ-PY-WORLDS
def test_threads_change_nothing():
    from conftest import Press

    runs = [Press(threads) for threads in (1, 2)]
    for number in range(20):
        [run.step(0.02 * number) for run in runs]
        one, two = (run.scene.all_contacts()[0].tobytes() for run in runs)
        assert one == two and len(one) > 0


def test_continuous_detection_stops_a_bullet():
    scene = palpate.Scene()
    vertices, cells = sheet()
    wall = scene.add("wall", palpate.surface_mesh(vertices, cells))
    bullet = scene.add("bullet", palpate.sphere([0.003, 1, 0.004], 0.001))
    pair = scene.add_pair(bullet, wall, detection="continuous")
    scene.advance()
    scene.set_pose(bullet, [0.003, -1, 0.004, 1, 0, 0, 0])
    scene.step()
    # It touches when its centre is a radius above: after 0.999 of 2 metres.
    np.testing.assert_allclose(scene.contacts(pair).time_of_impact, [0.4995], atol=1e-6)


def test_queries_against_closed_forms():
    rng = np.random.default_rng(3)
    points = rng.normal(size=(500, 3))
    ball = palpate.sphere([0.1, 0.2, 0.3], 0.7)
    wanted = np.linalg.norm(points - [0.1, 0.2, 0.3], axis=1) - 0.7
    for threads in (1, 2):
        found = palpate.signed_distances(ball, points, threads=threads)
        np.testing.assert_allclose(found["distance"], wanted, atol=1e-14)
    np.testing.assert_allclose(points - found["distance"][:, None] * found["gradient"], found["nearest"], atol=1e-12)
    vertices, cells = sheet(9)
    mesh = palpate.surface_mesh(vertices, cells)
    hits = palpate.cast_rays(mesh, points * [0.02, 0, 0.02] + [0, 1, 0], [[0, -1, 0]])
    np.testing.assert_allclose(hits["distance"], 1.0, atol=1e-12)
    np.testing.assert_allclose(hits["normal"], np.tile([0, 1, 0], (500, 1)), atol=1e-12)
    assert np.isinf(palpate.cast_rays(mesh, [[5, 1, 0]], [[0, -1, 0]])["distance"]).all()
    found = palpate.nearest(mesh, points, vertices=True)
    brute = np.linalg.norm(points[:, None] - vertices[None], axis=2).min(axis=1)
    np.testing.assert_allclose(found["distance"], brute, atol=1e-14)
    scene = palpate.Scene()
    placed = scene.add("mesh", mesh)
    scene.set_pose(placed, [0, 2, 0, 1, 0, 0, 0])
    np.testing.assert_allclose(scene.cast_rays(placed, [[0, 5, 0]], [[0, -1, 0]])["distance"], [3], atol=1e-12)


def test_functions_of_the_caller_are_as_palpates_own():
    def distance(x, y, z):
        length = max(math.sqrt(x * x + y * y + z * z), 1e-12)
        return length - 1, (x / length, y / length, z / length)

    body = palpate.implicit(palpate.function(distance, [-1] * 3, [1] * 3, is_distance=True))
    points = palpate.point_set([[0, 0.9, 0], [0.5, 0, 0], [2, 0, 0]])
    own = palpate.implicit(palpate.function_of_shape(palpate.sphere([0, 0, 0], 1)))
    found, wanted = (palpate.detect(points, shape).contacts for shape in (body, own))
    assert len(found) == 2
    np.testing.assert_allclose(np.sort(found.depth), np.sort(wanted.depth), atol=1e-9)

    def corner(x, y, z):
        return tuple(math.copysign(1.0, c) for c in (x, y, z))

    box, shape = palpate.oriented_box([1, 1, 1]), palpate.support(corner)
    ball = palpate.sphere([0.2, 1.4, 0.1], 0.5)
    for other in (ball, palpate.ellipsoid([0.3, 0.5, 0.4], [0, 1.3, 0, 1, 0, 0, 0])):
        found, wanted = palpate.detect(shape, other).contacts, palpate.detect(box, other).contacts
        assert len(found) == 1
        np.testing.assert_allclose(found.depth, wanted.depth.max(), atol=1e-8)


# Proves: REQ-PY-CALLBACKS
def test_an_error_of_a_function_arrives_and_leaves_the_scene_as_it_was():
    fails = [False]

    def distance(x, y, z):
        if fails[0]:
            raise KeyError("out of range")
        length = max(math.sqrt(x * x + y * y + z * z), 1e-12)
        return length - 1, (x / length, y / length, z / length)

    scene = palpate.Scene(threads=2)
    body = scene.add("body", palpate.implicit(palpate.function(distance, [-1] * 3, [1] * 3, is_distance=True)))
    point = scene.add("point", palpate.point_set([[0, 0.9, 0]]))
    pair = scene.add_pair(point, body)
    scene.step()
    before = scene.contacts(pair).tobytes()
    fails[0] = True
    scene.set_vertices(point, [[0, 0.8, 0]])
    with pytest.raises(palpate.CallbackFailedError, match="out of range") as caught:
        scene.step()
    assert isinstance(caught.value.__cause__, KeyError) and scene.contacts(pair).tobytes() == before
    fails[0] = False
    scene.step()
    np.testing.assert_allclose(scene.contacts(pair).depth, [0.2], atol=1e-9)


def test_grids():
    ball = palpate.surface_mesh(*icosphere())
    grid = palpate.implicit(palpate.surface_grid(ball, 0.05))
    own = palpate.implicit(palpate.sampled(lambda p: np.linalg.norm(p, axis=1) - 1, [-1.4] * 3, [1.4] * 3, 0.05))
    points = palpate.point_set([[0, 0.9, 0], [0.6, 0, 0.5]])
    for body in (grid, own):
        np.testing.assert_allclose(np.sort(palpate.detect(points, body).contacts.depth), [0.1, 0.219], atol=0.02)


def icosphere(rounds: int = 3):
    """A ball of triangles."""
    t = (1 + 5**0.5) / 2
    vertices = [(-1, t, 0), (1, t, 0), (-1, -t, 0), (1, -t, 0), (0, -1, t), (0, 1, t), (0, -1, -t), (0, 1, -t),
                (t, 0, -1), (t, 0, 1), (-t, 0, -1), (-t, 0, 1)]
    cells = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
             (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    vertices = [np.array(v) / np.linalg.norm(v) for v in vertices]
    for _ in range(rounds):
        middle, new = {}, []
        for a, b, c in cells:
            ab, bc, ca = (_middle(vertices, middle, *edge) for edge in ((a, b), (b, c), (c, a)))
            new += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        cells = new
    return np.array(vertices), np.array(cells)


def _middle(vertices, middle, a, b):
    key = (min(a, b), max(a, b))
    if key not in middle:
        point = vertices[a] + vertices[b]
        middle[key] = len(vertices)
        vertices.append(point / np.linalg.norm(point))
    return middle[key]


def test_mesh_files_and_objects_of_other_libraries(tmp_path):
    vertices, cells = icosphere(1)
    mesh = palpate.surface_mesh(vertices, cells)
    for ending in ("obj", "ply", "vtu", "obj.gz"):
        palpate.write_mesh(tmp_path / f"ball.{ending}", mesh)
        read = palpate.read_mesh(tmp_path / f"ball.{ending}")
        np.testing.assert_array_equal(read.triangles, cells)
        np.testing.assert_array_equal(read.positions, vertices)
        assert read.mesh(0.001).bounds()[1][1] == pytest.approx(0.001, rel=0.2)
    report = palpate.health(mesh)
    assert report["closed"] and report["oriented"] and not report["inward"] and report["triangles"] == len(cells)

    class Trimesh:
        is_watertight = True
    Trimesh.vertices, Trimesh.faces = vertices, cells

    class Meshio:
        points, cells_dict = vertices, {"triangle": cells}

    class PolyData:
        points, faces, lines = vertices, np.column_stack([np.full(len(cells), 3), cells]).ravel(), np.empty(0, int)

    class UnstructuredGrid:
        points, celltypes, cells_dict = vertices, np.full(len(cells), 5), {5: cells}

    for other in (Trimesh, Meshio, PolyData, UnstructuredGrid):
        found = palpate.from_object(other(), 2.0)
        np.testing.assert_array_equal(palpate.cells(found), cells)
        np.testing.assert_array_equal(palpate.vertices(found), vertices * 2)
    with pytest.raises(palpate.UnsupportedError):
        palpate.from_object(object())


# Proves: REQ-PY-COMMAND
def test_the_command_comes_with_the_package(tmp_path):
    run = subprocess.run([sys.executable, "-m", "palpate", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == f"palpate {palpate.__version__}"
    run = subprocess.run([sys.executable, "-m", "palpate", "repaly"], capture_output=True, text=True, check=False)
    assert run.returncode == 2 and "replay" in run.stderr


def test_cutting():
    vertices, cells = sheet(4)
    scene = palpate.Scene()
    mesh = scene.add("sheet", palpate.surface_mesh(vertices, cells))
    ball = scene.add("ball", palpate.sphere(vertices[5] + [0.001, 0.004, 0.002], 0.005))
    pair = scene.add_pair(ball, mesh)
    assert scene.step().contacts > 0
    near = np.flatnonzero((cells == 5).any(axis=1))
    scene.remove_cells(mesh, near)
    assert scene.step().contacts == 0
    with pytest.raises(palpate.OutOfRangeError):
        scene.remove_cells(mesh, near[:1])
    new = scene.add_cells(mesh, cells[near])
    assert len(new) == len(near) and scene.step().contacts > 0
    assert set(scene.contacts(pair)["b"]["cell"].tolist()) <= set(new)
    split = scene.split_cell(mesh, new[0], vertices[cells[near[0]]].mean(axis=0))
    assert len(split) == 3 and len(scene.vertices(mesh)) == 17
    now = scene.compact_cells(mesh)
    assert (now[near] == palpate.NONE).all() and now.max(where=now != palpate.NONE, initial=0) == len(cells) + 1
    with pytest.raises(palpate.UnsupportedError):
        scene.remove_cells(ball, [0])
