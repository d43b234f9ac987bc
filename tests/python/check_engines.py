"""Checks that sessions cut into tasks have the contacts of the whole replay, bit for bit, on every engine at hand.

    python check_engines.py FOLDER...

Each folder below FOLDER with .vtkhdf files is a session. Needs numpy and the wheel of palpate; threads and processes of concurrent.futures are
always run, Dask and Ray if they are installed. One worker of Dask and one of Ray is killed in mid-run. Then the time of the
largest session on a process of a pool, with the file of its result, is compared with a plain call.
"""

import os
import signal
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from palpate import batch


def sessions(roots):
    for root in roots:
        for folder in sorted({path.parent for path in Path(root).rglob("*.vtkhdf")}):
            yield [str(path) for path in sorted(folder.glob("*.vtkhdf"))]


def plan(files, step=None):
    """The tasks of a session; of one with a single object, of its contacts with itself."""
    name = Path(files[0]).stem
    return batch.plan([files], step, pairs=[{"a": name, "b": name}] if len(files) == 1 else None)


def on_dask(tasks, folder, kills):
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        return batch.dask(client, tasks, folder, killer(pids[0]) if kills else None)


def on_ray(tasks, folder, kills):
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        pid = ray.get(ray.remote(lambda: os.getpid()).remote()) if kills else None
        return batch.ray(tasks, folder, killer(pid) if kills else None)
    finally:
        ray.shutdown()


def killer(pid):
    """Kills a worker when the third task is done."""

    def progress(done, total):
        if done == 3:
            os.kill(pid, signal.SIGKILL)

    return progress


def on(executor):
    def run(tasks, folder, kills):
        with executor(2) as pool:
            return batch.run_all(tasks, folder, pool)

    return run


def installed(module):
    try:
        __import__(module)
        return True
    except ImportError:
        return False


def main():
    engines = {"threads": on(ThreadPoolExecutor), "processes": on(ProcessPoolExecutor)}
    engines |= {"Dask": on_dask} if installed("distributed") else {}
    engines |= {"Ray": on_ray} if installed("ray") else {}
    wholes, slices = [], []
    for files in sessions(sys.argv[1:]):
        (whole,) = plan(files)
        step = max((whole.stop - whole.start) // 7, 1)
        wholes.append(whole)
        slices += plan(files, step)
    begun = time.perf_counter()
    serial = {";".join(task.uris): batch.run(task) for task in wholes}
    seconds = time.perf_counter() - begun
    contacts = sum(map(len, serial.values()))
    print(f"serial: {len(serial)} sessions, {contacts} contacts, {seconds:.1f} s")
    failed = contacts == 0
    for engine, run in engines.items():
        with tempfile.TemporaryDirectory() as folder:
            merged = batch.merge(slices, run(slices, folder, True))
            differ = [name for name, rows in serial.items() if merged[name].tobytes() != rows.tobytes()]
            stamps = {path: path.stat().st_mtime_ns for path in Path(folder).iterdir()}
            run(slices, folder, False)
            again = sum(path.stat().st_mtime_ns != stamps.get(path) for path in Path(folder).iterdir())
        failed |= bool(differ) or again > 0
        print(f"{engine}: {len(slices)} tasks, {len(differ)} sessions differ, {again} computed again", *differ)
    longest = max(wholes, key=lambda task: len(serial[";".join(task.uris)]))
    loops, pooled = [], []
    with ProcessPoolExecutor(1) as pool:
        pool.submit(os.getpid).result()
        for _ in range(3):
            begun = time.perf_counter()
            batch.run(longest)
            loops.append(time.perf_counter() - begun)
            with tempfile.TemporaryDirectory() as folder:
                begun = time.perf_counter()
                batch.run_all([longest], folder, pool)
                pooled.append(time.perf_counter() - begun)
    plain, whole = np.median(loops), np.median(pooled)
    print(f"one task: {plain:.2f} s, on a process of a pool with its file {whole:.2f} s ({whole / plain - 1:+.1%})")
    sys.exit(failed)


if __name__ == "__main__":
    main()
