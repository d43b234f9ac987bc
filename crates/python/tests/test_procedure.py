"""Needle and thread, blade, jaws, a tube in a tube: errors, closed forms, and the answers of Rust to the bit."""

import os
import pathlib

import numpy as np
import pytest

import palpate
from palpate import procedure
from palpate.procedure import Blade, Centreline, Event, GraspTracker, ShaftTracker

CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]


def wedge(kind="tetra_mesh"):
    scene = palpate.Scene()
    if kind == "tetra_mesh":
        return scene, scene.add("organ", palpate.tetra_mesh(CORNERS, [[0, 1, 2, 3]]))
    return scene, scene.add("organ", palpate.surface_mesh(CORNERS, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))


@pytest.mark.parametrize("kind", ["tetra_mesh", "surface_mesh"])
def test_a_needle_enters_and_its_contacts_are_left_out(kind):
    scene, organ = wedge(kind)
    tracker, seen = ShaftTracker(0.05), []
    for step in range(14):
        tip = np.array([0.25, 0.25, -0.1 + 0.03 * step])
        tracker.update(scene, organ, [tip, tip - [0, 0, 0.2], tip - [0, 0, 0.6]])
        seen += [Event(kind) for kind in tracker.events["kind"]]
        if tracker.candidate:
            assert tracker.candidate.cosine == pytest.approx(1) and len(tracker.candidate.vertices) == 3
            assert procedure.PunctureRule(force=1).allows(tracker.candidate, force=2)
            tracker.allow()
    assert seen == [Event.TOUCHED, Event.PUNCTURED]
    (crossing,) = tracker.crossings
    assert crossing["passing"] == procedure.Passing.IN and crossing["cosine"] == pytest.approx(1)
    assert tracker.tip_is_inside and tracker.depth == pytest.approx(0.29) and tracker.length == pytest.approx(0.6)
    assert len(tracker.path) == (kind == "tetra_mesh") and tracker.tip_cell == (0 if kind == "tetra_mesh" else None)
    through = tracker.is_let_through(0, [0, 0, 1, 1], [0.0, 0.9, 0.5, 1.0], 0.05)
    assert through.tolist() == [True, True, False, False] and not tracker.crossings.flags.writeable
    tracker.reset()
    assert len(tracker.crossings) == 0 and not tracker.tip_is_inside


def test_a_cut_carries_fields_over_and_scissors_close():
    scene, organ = wedge()
    row = np.array([[0.0, -1, 0.25], [0, 2, 0.25]])
    ahead = [row + [x, 0, 0] for x in (-1, 0.3, 2)]
    swept = procedure.swept_cells(scene, organ, ahead[0], ahead[2])
    assert swept["cell"].tolist() == [0] and (np.diff(swept["times"]) > 0).all()
    blade = Blade(snap=0.05)
    first, second = blade.close(scene, organ, (ahead[0], ahead[1]), (ahead[2], ahead[1]))
    vertices = scene.vertices(organ)
    for field in (np.array(CORNERS, dtype=float), np.array([0.0, 1, 0, 0])):
        field = second.carry(first.carry(field))
        np.testing.assert_allclose(field, vertices if field.ndim == 2 else vertices[:, 0], atol=1e-15)
    kept = np.array([7])
    for division in (first, second):
        kept = division.carry_cells(kept)
    assert set(kept) == {7} and len(kept) == second.cells.stop
    assert len(first.cuts) + len(second.cuts) == 3 and len(blade.front) == 0
    blade.lift()
    gone = procedure.cauterize(scene, organ, [0, 0, 1], 0.01)
    assert 0 < len(gone) < len(second.cells) + len(first.cells)


def test_errors_are_of_palpate():
    scene, organ = wedge()
    ball, sheet = scene.add("ball", palpate.sphere([0, 0, 0], 1)), scene.add("sheet", palpate.surface_mesh(CORNERS, [[0, 1, 2]]))
    line, tracker = [[0, 0, 0], [0, 0, 1]], ShaftTracker(0.01)
    wrong = [
        (palpate.OutOfRangeError, lambda: tracker.update(scene, organ, line[:1])),
        (palpate.InvalidArgumentError, lambda: tracker.update(scene, organ, [[0, 0, np.nan], [0, 0, 1]])),
        (palpate.InvalidArgumentError, lambda: tracker.update(scene, organ, [[0, 0], [0, 1]])),
        (palpate.UnsupportedError, lambda: tracker.update(scene, ball, line)),
        (palpate.UnsupportedError, lambda: tracker.update(scene, sheet, line)),
        (palpate.OutOfRangeError, lambda: tracker.is_let_through(0, 3, 0.5, 0.1)),
        (palpate.InvalidArgumentError, lambda: ShaftTracker(-1)),
        (palpate.InvalidArgumentError, lambda: Blade(snap=0.7)),
        (palpate.OutOfRangeError, lambda: Blade().cut(scene, organ, line, line[:1])),
        (palpate.UnsupportedError, lambda: Blade().cut(scene, ball, line, line)),
        (palpate.InvalidArgumentError, lambda: procedure.cauterize(scene, organ, [0, 0, 0], -1)),
        (palpate.UnsupportedError, lambda: procedure.lumen_contacts(scene, organ, line, radius=0.1)),
        (palpate.OutOfRangeError, lambda: Centreline(line[:1])),
        (palpate.OutOfRangeError, lambda: procedure.project_slidings(np.zeros(1, procedure.SLIDING), [], [], [], 0.01)),
        (palpate.InvalidArgumentError, lambda: procedure.project_slidings(np.zeros(0, procedure.SLIDING), [], [], [], 0)),
    ]
    for kind, call in wrong:
        with pytest.raises(kind):
            call()
        assert issubclass(kind, palpate.Error)
    scene.set_pose(organ, [1, 0, 0, 1, 0, 0, 0])
    with pytest.raises(palpate.UnsupportedError, match="wanted its vertices in the world frame"):
        tracker.update(scene, organ, line)


class Script:
    """The numbers that a test of the C interface wrote, and the answers of Rust (`crates/capi/tests/programs/procedure.rs`)."""

    def __init__(self, path):
        self.words = iter(path.with_suffix(".txt").read_text(encoding="utf-8").split())
        self.wanted = np.frombuffer(path.with_suffix(".out").read_bytes(), dtype=np.uint64)
        self.place = 0

    def whole(self):
        return int(next(self.words))

    def number(self):
        return np.array([int(next(self.words), 16)], dtype=np.uint64).view(np.float64)[0]

    def points(self):
        return np.array([self.number() for _ in range(3 * self.whole())]).reshape(-1, 3)

    def cells(self, width):
        return np.array([self.whole() for _ in range(width * self.whole())]).reshape(-1, width)

    def put(self, *values):
        """Compares values: whole numbers as such, floating-point numbers by their bits."""
        flat = [np.asarray(value).ravel() for value in values]
        bits = [part.view(np.uint64) if part.dtype == np.float64 else part.astype(np.uint64) for part in flat]
        found = np.concatenate(bits) if bits else np.empty(0, dtype=np.uint64)
        wanted = self.wanted[self.place : self.place + len(found)]
        np.testing.assert_array_equal(found, wanted)
        self.place += len(found)

    def near(self, *values):
        """Compares floating-point numbers up to rounding."""
        found = np.concatenate([np.asarray(value, dtype=np.float64).ravel() for value in values])
        wanted = self.wanted[self.place : self.place + len(found)].view(np.float64)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
        self.place += len(found)

    def put_records(self, records):
        """Compares the fields of records in their order, but for what is reserved."""
        self.put(len(records))
        for record in records:
            self.put(*leaves(record))


def leaves(record):
    for name in record.dtype.names:
        if name == "reserved":
            continue
        value = record[name]
        if value.dtype.names and value.ndim:
            for part in value:
                yield from leaves(part)
        elif value.dtype.names:
            yield from leaves(value)
        else:
            yield np.array(value)


def follow(script, scene, tissue):
    tracker = ShaftTracker(script.number())
    for _ in range(script.whole()):
        scene.set_vertices(tissue, script.points())
        tracker.update(scene, tissue, script.points(), script.points())
        script.put_records(tracker.crossings)
        script.put_records(tracker.path)
        script.put_records(tracker.events[["kind", "id", "is_allowed", "changed"]])
        candidate = tracker.candidate
        cell = palpate.NONE if tracker.tip_cell is None else tracker.tip_cell
        script.put(tracker.depth, tracker.length, int(tracker.tip_is_inside), cell, int(candidate is not None))
        if candidate:
            script.put(candidate.distance, candidate.cosine, candidate.vertices, candidate.point)
            tracker.allow()
        script.put(tracker.is_let_through(1, [0, 1, 2], 0.5, 0.05))


def hold(script, scene, tissue):
    tracker, steps = GraspTracker(), script.whole()
    jaws = [scene.add(name, palpate.sphere([0, 9, 0], script.number())) for name in ("first", "second")]
    pairs = [scene.add_pair(jaw, tissue) for jaw in jaws]
    held = 0
    for _ in range(steps):
        for jaw in jaws:
            scene.set_pose(jaw, [script.number(), script.number(), script.number(), 1, 0, 0, 0])
        scene.step()
        grasp = tracker.update(scene, tissue, *map(scene.contacts, pairs), friction=0.5)
        if grasp is None:
            script.put(0, 0.0, [0.0, 0.0], 0, 0, 0, 0)
            continue
        held += 1
        script.put(grasp.id, grasp.closure, grasp.areas)
        for numbers in (*grasp.triangles, grasp.cells):
            script.put(len(numbers), numbers)
        script.put(len(grasp.pairs), grasp.pairs)
    assert held >= 2


def divide(script, scene, tissue):
    blade = Blade(snap=script.number())
    for _ in range(script.whole()):
        before, now = script.points(), script.points()
        script.put_records(procedure.swept_cells(scene, tissue, before, now))
        made = blade.cut(scene, tissue, before, now)
        script.put_records(made.cuts)
        script.put(made.first_vertex)
        script.put_records(made.vertices)
        script.put(len(made.removed), made.removed, made.cells.start, len(made.parents), made.parents)
        script.put(len(blade.front), blade.front)
    blade.lift()
    script.put(len(blade.front))
    gone = procedure.cauterize(scene, tissue, [script.number() for _ in range(3)], script.number())
    script.put(len(gone), gone)


def line(script, scene):
    vessel = scene.add("vessel", palpate.surface_mesh(script.points(), script.cells(3)))
    centreline = Centreline(script.points(), script.points())
    wire = script.points()
    radius, margin, reach = (script.number() for _ in range(3))
    script.put_records(
        procedure.lumen_contacts(scene, vessel, wire, radius=radius, margin=margin, reach=reach, centreline=centreline)
    )


def slide(script):
    now, before = script.points(), script.points()
    rows = np.zeros(2, procedure.SLIDING)
    rows["tissue"], rows["weights"], rows["particles"] = [0, 1, 2, 0], [0.5, 0.25, 0.25, 0], [3, 4]
    rows["weight"], rows["friction"], rows["grip"], rows["compliance"] = 0.375, 0.3, 0.1, 1e-5
    rows["is_rigid"][1], rows["ends"][1, :, 1] = 1, [-0.5, 0.5]
    pose = still = [0, 0, 0, 1, 0, 0, 0]
    for iterations in (5, 4):
        body = [[*pose, *still, 2, 30, 30, 30]]
        rows, now, (pose,) = procedure.project_slidings(
            rows, now, before, [1, 1, 1, 2, 2], 0.01, bodies=body, iterations=iterations
        )
    # Between two calls the rotation of the body is brought to length 1.
    script.near(now, pose)
    for row in rows:
        script.near(*(row[name] for name in ("across", "along", "force", "offset")))


# Proves: REQ-PY-SAME
def test_the_answers_are_those_of_rust_to_the_bit():
    path = os.environ.get("PALPATE_PROCEDURE")
    if path is None:
        pytest.skip("PALPATE_PROCEDURE names no script")
    script, scene = Script(pathlib.Path(path)), palpate.Scene()
    tissue = scene.add("tissue", palpate.tetra_mesh(script.points(), script.cells(4)))
    follow(script, scene, tissue)
    hold(script, scene, tissue)
    divide(script, scene, tissue)
    line(script, scene)
    slide(script)
    assert script.place == len(script.wanted) > 5000
