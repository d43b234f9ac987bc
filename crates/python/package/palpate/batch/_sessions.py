"""Many sessions: recordings cut into tasks that any engine can run, anywhere, in any order."""

from __future__ import annotations

import hashlib
import os
import tempfile
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from .. import _palpate
from .._arrays import to_json
from .._detect import When
from .._palpate import __version__
from ..contacts import CONTACT
from ..recording import replay_options

#: A contact with where it was found: the frame, the number of the pair in the replay, and the time in seconds.
RECORD = np.dtype([("frame", "<u8"), ("pair", "<u4"), ("reserved", "<u4"), ("time", "<f8"), ("contact", CONTACT)])

Records = npt.NDArray[np.void]


@dataclass(frozen=True)
class Task:
    """The frames ``start`` to ``stop`` (excluded) of a session: all that is needed to find their contacts. It can be pickled."""

    #: The files of the session: paths, or URLs that fsspec opens (``s3://…``).
    uris: tuple[str, ...]
    start: int
    stop: int
    #: The pairs, margin and detection of the replay, as JSON.
    options: str
    #: A hash of what the session's files hold.
    session: str

    @property
    def hash(self) -> str:
        """Names the result: a hash of the session, the frames, the options and palpate's version."""
        text = to_json(**{**asdict(self), "uris": None}, version=__version__)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def _local(uris: Iterable[str]) -> list[str]:
    """Local paths; remote files are copied to fsspec's cache first."""
    paths = []
    for uri in uris:
        if "://" in uri:
            import fsspec

            uri = fsspec.open_local(f"filecache::{uri}")
        paths.append(uri)
    return paths


def _digest(paths: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        digest.update(b"end of file")
    return digest.hexdigest()


def plan(
    paths: Iterable[str | os.PathLike[str] | Sequence[str | os.PathLike[str]]],
    slice: int | None = None,
    *,
    pairs: Sequence[Mapping[str, Any]] | None = None,
    margin: float | None = None,
    detection: When = "static",
) -> list[Task]:
    """The tasks of sessions, each a file or a list of files: one for every ``slice`` frames, or for each session if ``None``.

    A slice costs some tenths of a second beside its frames: cut only long sessions, into tasks of five seconds or more. Reads every
    file once, for its hash.
    """
    options, tasks = replay_options(pairs, margin, detection, 1.0), []
    for entry in paths:
        files = [entry] if isinstance(entry, (str, os.PathLike)) else list(entry)
        uris = tuple(os.fspath(file) for file in files)
        local = _local(uris)
        session = _digest(local)
        count = _palpate.Replay(local, options, 1).frame_count()
        step = slice or max(count, 1)
        tasks += [Task(uris, first, min(first + step, count), options, session) for first in range(0, count, step)]
    return tasks


def run(task: Task) -> Records:
    """The contacts of a task, an array of :data:`RECORD` in the order of the frames and pairs. The same bits on any machine of one
    kind, and as ``palpate replay``."""
    frames = list(range(task.start, task.stop))
    times, data, ends, _ = _palpate.Replay(_local(task.uris), task.options, 1).run(frames)
    counts = np.diff(ends.view(np.uint64)).astype(np.int64)
    pairs = len(counts) // max(len(frames), 1)
    out = np.zeros(int(counts.sum()), RECORD)
    place = np.repeat(np.arange(len(counts)), counts)
    frame = place // max(pairs, 1)
    out["frame"], out["pair"] = frame + task.start, place % max(pairs, 1)
    out["time"], out["contact"] = times.view(np.float64)[frame], data.view(CONTACT)
    return out


def name(task: Task, folder: str | os.PathLike[str]) -> Path:
    """The file of a task's result."""
    return Path(folder) / f"{task.hash}.npy"


def finished(task: Task, folder: str | os.PathLike[str]) -> bool:
    """Whether the result of a task is in the folder."""
    return name(task, folder).exists()


def save(task: Task, folder: str | os.PathLike[str]) -> str:
    """Run a task unless its result is there, and write it: whole or not at all. Returns the name of the file."""
    target = name(task, folder)
    if not target.exists():
        handle, part = tempfile.mkstemp(dir=target.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            np.save(file, run(task))
        os.replace(part, target)
    return str(target)


def run_all(
    tasks: Sequence[Task], folder: str | os.PathLike[str], executor: Executor | None = None
) -> list[Records]:
    """Run all tasks whose results are not in the folder, on an executor of ``concurrent.futures`` or one after the other; returns all
    results in the order of the tasks. What is there is not computed again."""
    os.makedirs(folder, exist_ok=True)
    wanted = [task for task in tasks if not finished(task, folder)]
    for _ in executor.map(save, wanted, [os.fspath(folder)] * len(wanted)) if executor else (save(t, folder) for t in wanted):
        pass
    return [np.load(name(task, folder)) for task in tasks]


def merge(tasks: Sequence[Task], results: Sequence[Records]) -> dict[str, Records]:
    """The contacts of each session, by the names of its files joined by ``;``, in the order of the frames, whatever the order of the
    tasks."""
    found: dict[str, list[tuple[int, Records]]] = {}
    for task, result in zip(tasks, results, strict=True):
        found.setdefault(";".join(task.uris), []).append((task.start, result))
    return {
        session: np.concatenate([rows for _, rows in sorted(parts, key=lambda part: part[0])])
        for session, parts in found.items()
    }
