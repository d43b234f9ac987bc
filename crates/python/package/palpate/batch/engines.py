"""Tasks on an engine that exists. ``concurrent.futures`` needs no code: see :func:`palpate.batch.run_all`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Callable, Sequence

import numpy as np

from ._sessions import Records, Task, finished, name, save

if TYPE_CHECKING:
    from distributed import Client


def dask(
    client: Client,
    tasks: Sequence[Task],
    folder: str | os.PathLike[str],
    progress: Callable[[int, int], None] | None = None,
) -> list[Records]:
    """Run tasks on a cluster of Dask (the extra ``dask``), all of whose workers share ``folder``; returns the results in the order of the
    tasks. ``progress`` is called with the number of tasks done and their total. Workers that die are replaced by the cluster, and
    their tasks run again; what is in the folder is not computed again."""
    from distributed import as_completed

    os.makedirs(folder, exist_ok=True)
    wanted = [task for task in tasks if not finished(task, folder)]
    # The hash is the key: a task that is submitted twice runs once.
    keys = [f"palpate-{task.hash}" for task in wanted]
    futures = [client.submit(save, task, os.fspath(folder), key=key, retries=3) for task, key in zip(wanted, keys)]
    for done, future in enumerate(as_completed(futures), len(tasks) - len(wanted) + 1):
        future.result()
        if progress is not None:
            progress(done, len(tasks))
    return [np.load(name(task, folder)) for task in tasks]


def ray(
    tasks: Sequence[Task],
    folder: str | os.PathLike[str],
    progress: Callable[[int, int], None] | None = None,
) -> list[Records]:
    """As :func:`dask`, on the cluster of Ray that ``ray.init`` has joined or started."""
    import ray as engine

    os.makedirs(folder, exist_ok=True)
    wanted = [task for task in tasks if not finished(task, folder)]
    remote = engine.remote(max_retries=3)(save)
    waiting = [remote.remote(task, os.fspath(folder)) for task in wanted]
    while waiting:
        ended, waiting = engine.wait(waiting, num_returns=1)
        engine.get(ended)
        if progress is not None:
            progress(len(tasks) - len(waiting), len(tasks))
    return [np.load(name(task, folder)) for task in tasks]
