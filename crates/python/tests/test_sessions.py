"""Recorded sessions: the same contacts when replayed, in any order, in slices, by any engine."""

import json
import os
import pickle
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from test_matrix import COMMAND, bits, contact

import palpate
import palpate.testing
from palpate import batch


def test_a_replay_finds_what_was_found(session):
    path, found = session
    replay = palpate.Replay(path)
    assert len(replay) == 40 and replay.objects == ["sheet", "ball", "thread"]
    order = [*range(40), 7, 33, 8, -1, 0, 39]
    for index in order:
        frame = replay[index]
        assert [contacts.tobytes() for _, _, contacts in frame.pairs] == found[index]
        assert frame.time == pytest.approx(0.02 * (index % 40))
    assert [frame.number for frame in replay[3:9:2]] == [3, 5, 7]
    assert sum(1 for _ in replay) == 40 and replay[3].pairs[0][:2] == ("ball", "sheet")
    for index in (40, 400, -41):
        with pytest.raises(IndexError):
            replay[index]


def test_a_recorder_does_not_overwrite(session, press):
    with pytest.raises(palpate.FileError):
        palpate.Recorder(session[0], press.scene)


def test_snapshots(session, tmp_path):
    stored = tmp_path / "stored.txt"
    options = {"every": 10, "deepest": 3}
    palpate.testing.assert_contacts(session[0], stored, **options)
    palpate.testing.assert_contacts(session[0], stored, **options)
    text = stored.read_text(encoding="utf-8")
    place = text.index("\n  ")  # the first contact: before it are the objects
    changed = text[:place] + text[place:].replace("0.01", "0.02", 1)
    assert changed != text
    stored.write_text(changed, encoding="utf-8")
    with pytest.raises(AssertionError, match="differ"):
        palpate.testing.assert_contacts(session[0], stored, **options)


def test_fewer_bits_and_steps(session, press, tmp_path):
    files = {name: tmp_path / f"{name}.h5" for name in ("exact", "rough", "last")}
    exact = palpate.Recorder(files["exact"], press.scene)
    rough = palpate.Recorder(files["rough"], press.scene, error=1e-5, every=2)
    ring = palpate.RingRecorder(press.scene, 0.095)
    for number in range(30):
        press.step(0.01 * number)
        for recorder in (exact, rough, ring):
            recorder.record(0.01 * number)
    exact.finish(), rough.finish(), ring.write(files["last"])
    assert len(palpate.Replay(files["rough"])) == 15 and ring.frame_count == 10 and ring.bytes > 0
    assert files["rough"].stat().st_size < 0.8 * files["exact"].stat().st_size
    report = palpate.diff(files["exact"], files["exact"])
    assert report.agrees and "the contacts agree" in str(report) and "<testsuite" in report.junit
    # The ring's frames are the last of the recorder's, to the bit: twenty are lost.
    lost = palpate.diff(files["exact"], files["last"])
    assert lost.differences == 20 and lost.data["first"]["kinds"] == ["frame"]
    assert palpate.diff(files["last"], files["rough"], tolerance=1e-12).differences > 5
    for wrong in ({"tolerance": -1.0}, {"angle": float("nan")}):
        with pytest.raises(palpate.Error):
            palpate.diff(files["exact"], files["exact"], **wrong)
    with pytest.raises(palpate.InvalidArgumentError):
        palpate.Recorder(tmp_path / "no.h5", press.scene, error=1e-6, single=True)
    with pytest.raises(palpate.InvalidArgumentError, match="open_surface"):
        palpate.RingRecorder(press.scene, flags=["no_such_flag"])


def serial(path):
    """The contacts of all frames, in the order of frames and pairs."""
    return b"".join(contacts.tobytes() for frame in palpate.Replay(path) for _, _, contacts in frame.pairs)


@pytest.mark.parametrize("slice", [None, 1, 7, 40, 1000])
def test_slices_equal_the_whole(session, slice, tmp_path):
    path, _ = session
    tasks = batch.plan([path], slice)
    assert len(tasks) == -(-40 // min(slice or 40, 40)) and len({task.hash for task in tasks}) == len(tasks)
    tasks = pickle.loads(pickle.dumps(tasks))[::-1]
    with ThreadPoolExecutor(2) as pool:
        results = batch.run_all(tasks, tmp_path / "results", pool)
    merged = batch.merge(tasks, results)
    (records,) = merged.values()
    assert records["contact"].tobytes() == serial(path)
    assert (np.diff(records["frame"].astype(int)) >= 0).all() and set(records["pair"]) == {0, 1}


def test_results_that_are_there_are_not_computed_again(session, tmp_path, monkeypatch):
    tasks = batch.plan([session[0]], 10)
    first = batch.run_all(tasks, tmp_path)
    from palpate.batch import _sessions

    monkeypatch.setattr(_sessions, "run", lambda task: pytest.fail("computed again"))
    assert [one.tobytes() for one in batch.run_all(tasks, tmp_path)] == [one.tobytes() for one in first]
    # Another margin is another result.
    other = batch.plan([session[0]], 10, margin=0.001)
    assert not {task.hash for task in other} & {task.hash for task in tasks}


def test_dask_with_a_worker_that_is_killed(session, tmp_path):
    distributed = pytest.importorskip("distributed")
    tasks = batch.plan([session[0]], 2)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "processes": True}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        pids = client.run(os.getpid)
        done = []

        def progress(count, total):
            done.append((count, total))
            if len(done) == 3:
                os.kill(next(iter(pids.values())), signal.SIGKILL)

        results = batch.dask(client, tasks, tmp_path, progress)
        assert done[-1] == (20, 20)
        assert batch.dask(client, tasks, tmp_path, lambda *_: pytest.fail("computed again"))[3].tobytes() == results[3].tobytes()
    (records,) = batch.merge(tasks, results).values()
    assert records["contact"].tobytes() == serial(session[0])


#: The recordings of the folder, and the pairs to replay: as tests/python/check_recordings.py.
SHARED = [
    ("r1a_liver2_capsule", ["organ_surface", "tool"], [("organ_surface", "tool", None)]),
    ("r1a_liver2_capsule", ["organ_tets", "tool"], [("organ_tets", "tool", "point_set_tetra_mesh")]),
    ("r1b_liver2_dental_probe", ["organ_surface", "tool"], [("tool", "organ_surface", "point_set_surface_mesh")]),
    ("r1b_liver2_dental_probe", ["organ_tets", "tool"], [("organ_tets", "tool", "point_set_tetra_mesh")]),
    ("r2a_thread_self", ["thread"], [("thread", "thread", None)]),
    ("r2b_thread_liver2", ["thread", "organ_tets"], [("thread", "thread", None), ("thread", "organ_tets", None)]),
]

#: Some ten seconds each.
LARGE = [
    ("r3a", ["bodies", "tray"], [("bodies", "tray", None)]),
    ("large/liver2_150k", ["organ_large", "tool"], [("tool", "organ_large", "point_set_surface_mesh")]),
]


@pytest.mark.skipif("PALPATE_SHARED" not in os.environ, reason="PALPATE_SHARED names no folder")
def test_recordings_of_the_folder_equal_the_command(tmp_path):
    folder = os.path.join(os.environ["PALPATE_SHARED"], "data", "recordings")
    found = 0
    for name, files, pairs in SHARED + LARGE if "PALPATE_PYTHON_LARGE" in os.environ else SHARED:
        paths = [os.path.join(folder, name, f"{file}.vtkhdf") for file in files]
        assert all(map(os.path.exists, paths)), paths
        named = [{"a": a, "b": b, "detector": detector} for a, b, detector in pairs]
        frames = len(palpate.Replay(paths, pairs=named))
        tasks = batch.plan([paths], max(frames // 3, 1), pairs=named)
        with ThreadPoolExecutor(2) as pool:
            (records,) = batch.merge(tasks, batch.run_all(tasks, tmp_path / "results", pool)).values()
        out, words = tmp_path / "contacts.json", [":".join(filter(None, pair)) for pair in pairs]
        command = [*COMMAND, "replay", *paths, "--out", str(out), *(word for pair in words for word in ("--pair", pair))]
        subprocess.run(command, check=True, capture_output=True)
        wanted = [
            (frame["frame"], place, bits(one))
            for frame in json.loads(out.read_text(encoding="utf-8"))["frames"]
            for place, pair in enumerate(frame["pairs"])
            for one in pair["contacts"]
        ]
        out.unlink()
        got = [(int(row["frame"]), int(row["pair"]), bits(contact(row["contact"]))) for row in records]
        assert got == wanted, (name, files)
        found += len(got)
    assert found > 2000, found
