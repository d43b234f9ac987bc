"""Arrays view memory that outlives everything else, and that nobody writes to."""

import gc
import os
import threading

import numpy as np
import pytest
from conftest import Press

import palpate
from palpate import _palpate, procedure, query, response, stepping
from palpate.batch import detect

ROUNDS = int(os.environ.get("PALPATE_PYTHON_ROUNDS", "3000"))


# Proves: REQ-PY-RECORDS
def test_dtypes_have_the_layouts_of_the_records():
    dtypes = {
        "feature": palpate.FEATURE,
        "contact": palpate.CONTACT,
        "event": palpate.EVENT,
        "distance": query.DISTANCE,
        "nearest": query.NEAREST,
        "hit": query.HIT,
        "pbd_entry": response.PBD_ENTRY,
        "pbd_row": response.PBD_ROW,
        "rigid_row": response.RIGID_ROW,
        "shaft_place": procedure.SHAFT_PLACE,
        "shaft_crossing": procedure.SHAFT_CROSSING,
        "shaft_stay": procedure.SHAFT_STAY,
        "shaft_event": procedure.SHAFT_EVENT,
        "lumen_contact": procedure.LUMEN_CONTACT,
        "edge_cut": procedure.EDGE_CUT,
        "new_vertex": procedure.NEW_VERTEX,
        "swept_cell": procedure.SWEPT_CELL,
        "sliding": procedure.SLIDING,
        "shortened": stepping.SHORTENED,
        "contradiction": stepping.CONTRADICTION,
    }
    layouts = _palpate.layouts()
    assert {name for name, _, _ in layouts} == set(dtypes)
    for name, size, fields in layouts:
        dtype = dtypes[name]
        assert dtype.itemsize == size, name
        assert [(field, dtype.fields[field][1]) for field in dtype.names] == fields, name
    assert palpate.CONTACT.itemsize == 232


# Proves: REQ-PY-VIEWS
def test_a_view_shows_its_own_step_whatever_comes_after(press):
    press.step(0.0)
    contacts = press.scene.contacts(press.pairs[0])
    depth, before = contacts.depth, contacts.tobytes()
    assert len(contacts) > 0 and not contacts.flags.writeable and not depth.flags.writeable
    with pytest.raises(ValueError):
        depth[0] = 1.0
    with pytest.raises(ValueError):
        contacts.flags.writeable = True
    for time in range(1, 50):
        press.step(0.02 * time)
    assert contacts.tobytes() == before and press.scene.contacts(press.pairs[0]).tobytes() != before
    wanted = depth.copy()
    del contacts, press
    gc.collect()
    scratch = [np.full(4096, 7.0) for _ in range(200)]
    assert (depth == wanted).all() and len(scratch) == 200


# Proves: REQ-PY-RECORDS
def test_columns_are_views_of_one_memory():
    found = detect(palpate.oriented_box([1, 1, 1]), palpate.oriented_box([1, 1, 1]), [[0, 1.9, 0, 1, 0, 0, 0]])
    contacts = found.contacts
    assert len(contacts) == 4
    for column in (contacts.point_a, contacts.point_b, contacts.direction, contacts.depth, contacts.id, contacts.vertices_a):
        assert np.shares_memory(column, contacts) and len(column) == 4
    # Of equal boxes one above the other: 0.1 deep, the contact points on the faces.
    np.testing.assert_allclose(contacts.depth, 0.1, atol=1e-12)
    np.testing.assert_allclose(np.abs(contacts.point_a[:, [0, 2]]), 1, atol=1e-12)
    np.testing.assert_allclose(contacts.direction, np.tile([0, 1, 0], (4, 1)), atol=1e-12)
    np.testing.assert_array_equal(np.from_dlpack(contacts.depth.copy()), contacts.depth)


def resident() -> int:
    """Bytes of memory in use, on Linux."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def churn(rounds: int, failures: list):
    """Steps, keeps some views and drops others; a view must stay as it was."""
    try:
        press, kept = Press(), []
        for number in range(rounds):
            press.step(0.003 * number)
            contacts = press.scene.contacts(press.pairs[number % 2])
            column = contacts.point_a if number % 3 else contacts["b"]["point"]
            kept.append((column, column.copy()))
            if number % 7 == 0:
                del contacts
            if number % 101 == 0:
                gc.collect()
            if len(kept) > 50:
                view, copy = kept.pop(number % 50)
                if not np.array_equal(view, copy):
                    failures.append(number)
            if number % 997 == 0:
                # The scene goes, its views stay.
                press = Press()
    except BaseException as error:  # of a thread, for the test
        failures.append(error)


# Proves: REQ-PY-VIEWS
def test_views_threads_and_collection():
    failures: list = []
    churn(300, failures)
    gc.collect()
    before = resident()
    threads = [threading.Thread(target=churn, args=(ROUNDS, failures)) for _ in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    gc.collect()
    assert failures == []
    # One round keeps some kilobytes: a leak of each would be far more than this.
    assert resident() - before < (40 << 20) + 200 * ROUNDS


# Proves: REQ-PY-BUSY
def test_a_scene_serves_one_call_at_a_time():
    is_armed, started, go_on = threading.Event(), threading.Event(), threading.Event()

    def sample(x, y, z):
        if is_armed.is_set():
            started.set()
            go_on.wait(10)
        length = max((x * x + y * y + z * z) ** 0.5, 1e-9)
        return length - 1, (x / length, y / length, z / length)

    scene = palpate.Scene()
    body = scene.add("body", palpate.implicit(palpate.function(sample, [-1] * 3, [1] * 3, is_distance=True)))
    point = scene.add("points", palpate.point_set([[0, 0.9, 0]]))
    pair = scene.add_pair(point, body)
    is_armed.set()
    thread = threading.Thread(target=scene.step)
    thread.start()
    assert started.wait(10)
    with pytest.raises(palpate.BusyError):
        scene.step()
    go_on.set()
    thread.join()
    np.testing.assert_allclose(scene.contacts(pair).depth, [0.1], atol=1e-9)
