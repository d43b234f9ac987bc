"""Collision detection for medical simulation: geometry goes in, contacts come out as NumPy arrays.

Units are metres, seconds and radians; the world frame is right-handed. A pose is seven numbers, the position and the unit
quaternion: ``x, y, z, w, x, y, z``. Arrays that palpate returns are read-only views of its own memory, which lives as long as a
view; they never change. Errors are subclasses of :class:`palpate.Error` with the text of the Rust library.

>>> import palpate
>>> scene = palpate.Scene()
>>> ball = scene.add("ball", palpate.sphere([0, 0.75, 0], 1.0))
>>> floor = scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0]))
>>> pair = scene.add_pair(ball, floor)
>>> scene.step().contacts
1
>>> contacts = scene.contacts(pair)
>>> contacts.depth
array([0.25])
>>> contacts.direction  # moves the ball out of the floor
array([[0., 1., 0.]])
"""

from . import haptics as haptics
from . import procedure as procedure
from . import settings as settings
from . import stepping as stepping
from ._detect import Detection, detect, detectors
from ._palpate import Function, Geometry, GeometryId, PairId, __version__
from .comparison import DiffReport, diff
from .contacts import CONTACT, EVENT, FEATURE, NONE, Change, Contacts, Kind
from .errors import (
    BusyError,
    CallbackFailedError,
    Error,
    FileError,
    InvalidArgumentError,
    InvalidHandleError,
    NotFoundError,
    OutOfRangeError,
    PanicError,
    UnsupportedError,
)
from .functions import difference, function, function_of_json, function_of_shape, grid, intersection, offset
from .functions import sampled, smooth_union, surface_grid, union, values
from .geometry import capsule, compound, cone, convex, cylinder, ellipsoid, from_json, implicit, line_mesh
from .geometry import oriented_box, plane, point_set, sphere, support, surface_mesh, tetra_mesh
from .mesh import MeshFile, cells, from_object, health, read_mesh, vertices, write_mesh
from .query import DISTANCE, HIT, NEAREST, Crossing, cast_rays, nearest, signed_distances
from .recording import Frame, Recorder, Replay, RingRecorder, recording_from_poses
from .response import Material, PbdRows, RigidRows, Side
from .scene import Pair, Scene, StepReport

__all__ = [
    "BusyError", "CONTACT", "CallbackFailedError", "Change", "Contacts", "Crossing", "DISTANCE", "Detection", "DiffReport", "EVENT", "Error",
    "FEATURE", "FileError", "Frame", "Function", "Geometry", "GeometryId", "HIT", "InvalidArgumentError", "InvalidHandleError",
    "Kind", "Material", "MeshFile", "NEAREST", "NONE", "NotFoundError", "OutOfRangeError", "Pair", "PairId", "PanicError",
    "PbdRows", "Recorder", "Replay", "RigidRows", "RingRecorder", "Scene", "Side", "StepReport", "UnsupportedError", "__version__", "capsule",
    "cast_rays", "cells", "compound", "cone", "convex", "cylinder", "detect", "detectors", "diff", "difference", "ellipsoid",
    "from_json", "from_object", "function", "function_of_json", "function_of_shape", "grid", "health", "implicit",
    "intersection", "line_mesh", "nearest", "offset", "oriented_box", "plane", "point_set", "read_mesh",
    "recording_from_poses", "sampled", "signed_distances", "smooth_union", "sphere", "support", "surface_grid",
    "surface_mesh", "tetra_mesh", "union", "values", "vertices", "write_mesh",
]
