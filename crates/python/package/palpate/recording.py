"""Recorded sessions: written by a recorder, replayed frame by frame to the same contacts, bit for bit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Iterable, Iterator, Mapping, overload

import numpy as np
import numpy.typing as npt

from . import _arrays, _palpate
from ._detect import When, flag_names, settings_of
from ._palpate import Geometry
from .contacts import Contacts, view
from .errors import InvalidArgumentError
from .scene import Scene

Path = str | os.PathLike[str]


class Recorder:
    """Records a scene: call ``record`` after every step. A context manager, which finishes the file.

    Frames survive a crash of the process. ``error``: metres by which a kept point may be off, 0 for every bit; ``single``: coordinates
    as single floats; ``every``: of so many steps one is kept, the first. Errors: a file that exists, a geometry that cannot be recorded
    (functions of the caller).

    >>> import tempfile, palpate
    >>> path = tempfile.mkdtemp() + "/session.h5"
    >>> scene = palpate.Scene()
    >>> ball = scene.add("ball", palpate.sphere([0, 0.1, 0], 0.02))
    >>> floor = scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0]))
    >>> pair = scene.add_pair(ball, floor)
    >>> with palpate.Recorder(path, scene) as recorder:
    ...     for step in range(100):
    ...         time = 0.01 * step
    ...         scene.set_pose(ball, [0, 0.1 - 0.1 * time, 0, 1, 0, 0, 0])
    ...         _ = scene.step()
    ...         recorder.record(time)
    >>> replay = palpate.Replay(path)
    >>> len(replay), replay[99].contacts.depth.round(12)
    (100, array([0.019]))
    """

    def __init__(self, path: Path, scene: Scene, *, error: float = 0.0, single: bool = False, every: int = 1) -> None:
        if single and error:
            raise InvalidArgumentError(f"error is {error} and single is True: wanted one of them")
        self._scene = scene
        self._own = _palpate.Recorder(path, scene._own, error, single, every)

    def record(self, time: float) -> None:
        """Record the present state, with the time in seconds, which must increase."""
        self._own.record(self._scene._own, time)

    @property
    def frame_count(self) -> int:
        """The number of recorded steps."""
        return self._own.frame_count()

    def finish(self) -> None:
        """Complete the file."""
        self._own.finish()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None or self.frame_count:
            self.finish()


class RingRecorder:
    """Keeps the last ``seconds`` of a scene in at most ``bytes`` of memory: call ``record`` after every step, and ``write`` when
    something went wrong. ``depth`` (metres) and ``flags`` (names of caveats) are triggers.

    >>> import tempfile, palpate
    >>> path = tempfile.mkdtemp() + "/trainee.h5"
    >>> scene = palpate.Scene()
    >>> ball = scene.add("ball", palpate.sphere([0, 0.1, 0], 0.02))
    >>> floor = scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0]))
    >>> pair = scene.add_pair(ball, floor)
    >>> ring = palpate.RingRecorder(scene, 0.505, depth=0.0105)
    >>> for step in range(100):
    ...     time = 0.01 * step
    ...     scene.set_pose(ball, [0, 0.1 - 0.1 * time, 0, 1, 0, 0, 0])
    ...     _ = scene.step()
    ...     if reason := ring.record(time):
    ...         print(step, reason)
    ...         ring.write(path)
    91 a depth of more than 0.0105 m
    >>> len(palpate.Replay(path))
    51
    """

    def __init__(
        self,
        scene: Scene,
        seconds: float = 10.0,
        *,
        bytes: int = 256 << 20,
        depth: float | None = None,
        flags: Sequence[str] = (),
    ) -> None:
        self._scene = scene
        self._own = _palpate.Ring(scene._own, seconds, bytes, depth, list(flags))

    def record(self, time: float) -> str | None:
        """Keep the present state, with the time in seconds, which must increase. Returns which trigger fired, once until ``rearm``."""
        return self._own.record(self._scene._own, time)

    def rearm(self) -> None:
        """Let triggers fire again."""
        self._own.rearm()

    @property
    def frame_count(self) -> int:
        """The number of kept steps."""
        return self._own.size()[0]

    @property
    def seconds(self) -> float:
        """Seconds from the first kept step to the last."""
        return self._own.size()[1]

    @property
    def bytes(self) -> int:
        """Bytes of the kept steps."""
        return self._own.size()[2]

    def write(self, path: Path) -> None:
        """Write what is kept as a session, which replays to the same contacts, and go on. An existing file is replaced."""
        self._own.write(path)


@dataclass(frozen=True)
class Frame:
    """The contacts of a frame."""

    #: Its number, from 0.
    number: int
    #: Seconds.
    time: float
    #: The contacts of all pairs, in their order.
    contacts: Contacts
    #: The names of the objects of each pair, and its contacts.
    pairs: tuple[tuple[str, str, Contacts], ...]
    #: The caveats of each pair.
    flags: tuple[tuple[str, ...], ...]


class Replay(Sequence[Frame]):
    """A recorded session (or several files as one, with mesh files as objects that do not move), as a sequence of frames.

    ``pairs``: dictionaries with ``a``, ``b`` and optional ``detector``, ``margin``, ``settings``; those of the recording if ``None``,
    or all. Going forward costs a frame; a jump also reads the frame before. ``threads``: of the loops of a detector, 0 for one per core.
    Errors: a file that cannot be read, an unknown object.
    """

    def __init__(
        self,
        paths: Path | Iterable[Path],
        *,
        pairs: Sequence[Mapping[str, Any]] | None = None,
        margin: float | None = None,
        detection: When = "static",
        mesh_scale: float = 1.0,
        threads: int = 1,
    ) -> None:
        files = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
        options = replay_options(pairs, margin, detection, mesh_scale)
        self._own = _palpate.Replay(files, options, threads)

    @property
    def pairs(self) -> list[tuple[str, str, str]]:
        """The detected pairs: the names of both objects, and the detector."""
        return self._own.pairs()

    @property
    def objects(self) -> list[str]:
        """The names of the objects."""
        return self._own.objects()

    def geometry(self, name: str, frame: int) -> Geometry:
        """An object as it is in a frame, world frame."""
        return self._own.geometry(name, self._number(frame))

    def __len__(self) -> int:
        return self._own.frame_count()

    def _number(self, index: int) -> int:
        # A frame that does not exist is an error of the replay, which is an IndexError, too.
        return index + len(self) if index < 0 and index + len(self) >= 0 else abs(index)

    @overload
    def __getitem__(self, index: int) -> Frame: ...

    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...

    def __getitem__(self, index: int | slice) -> Frame | list[Frame]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = self._number(index)
        times, data, ends, flags = self._own.run([number])
        contacts, offsets = view(data), ends.view(np.uint64)
        pairs = tuple(
            (a, b, contacts.between(int(offsets[k]), int(offsets[k + 1]))) for k, (a, b, _) in enumerate(self._own.pairs())
        )
        names = tuple(flag_names(int(bits)) for bits in flags.view(np.uint32))
        return Frame(number, float(times.view(np.float64)[0]), contacts, pairs, names)

    def __iter__(self) -> Iterator[Frame]:
        return (self[number] for number in range(len(self)))


def replay_options(
    pairs: Sequence[Mapping[str, Any]] | None, margin: float | None, detection: When, mesh_scale: float
) -> str:
    """The options of a replay as JSON."""
    listed = None if pairs is None else [{**pair, "settings": settings_of(pair.get("settings"))} for pair in pairs]
    plain = None if listed is None else [{k: v for k, v in pair.items() if v is not None} for pair in listed]
    return _arrays.to_json(pairs=plain, margin=margin, detection=detection, mesh_scale=mesh_scale)


def recording_from_poses(
    path: Path,
    objects: Mapping[str, Geometry],
    poses: Mapping[str, npt.ArrayLike],
    times: npt.ArrayLike,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> None:
    """Make a recording of columns of poses: an episode of a robot with the meshes of its parts.

    ``objects``: geometries by name; ``poses``: n × 7 for those that move (or n × 4 × 4); ``times``: n seconds, ascending. ``pairs``: names
    of objects whose contacts a replay finds; all pairs that have a detector if ``None``.

    >>> import tempfile, numpy as np, palpate
    >>> path = tempfile.mkdtemp() + "/episode.h5"
    >>> poses = np.zeros((20, 7)); poses[:, 1] = np.linspace(0.2, 0.1, 20); poses[:, 3] = 1
    >>> parts = {"finger": palpate.capsule(0.01, 0.1), "table": palpate.plane([0, 0.06, 0], [0, 1, 0])}
    >>> palpate.recording_from_poses(path, parts, {"finger": poses}, np.arange(20) / 30)
    >>> [len(frame.contacts) for frame in palpate.Replay(path)][-3:]
    [1, 1, 1]
    """
    scene = Scene()
    ids = {name: scene.add(name, geometry) for name, geometry in objects.items()}
    moves = [(ids[name], _arrays.poses7(rows)) for name, rows in poses.items()]
    for a, b in pairs or []:
        scene.add_pair(ids[a], ids[b])
    if pairs is None:
        scene.add_all_pairs()
    moving = [id for id, _ in moves]
    for id, rows in moves:
        scene.set_pose(id, rows[0])
    with Recorder(path, scene) as recorder:
        for number, time in enumerate(np.asarray(times, dtype=np.float64)):
            scene.advance()
            scene.set_poses(moving, np.stack([rows[number] for _, rows in moves]) if moves else np.empty((0, 7)))
            recorder.record(float(time))
