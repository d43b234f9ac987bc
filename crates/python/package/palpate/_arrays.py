"""Arrays and JSON on their way to Rust and back."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

#: Seven numbers: position and unit quaternion w, x, y, z.
Pose = npt.ArrayLike

IDENTITY = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


def numbers(value: npt.ArrayLike) -> npt.NDArray[Any]:
    """An array of float64 or float32 without a copy, where the value has or can give one; of others, as lists, float64."""
    array = np.asarray(value)
    return array if array.dtype in (np.float64, np.float32) else array.astype(np.float64)


def indices(value: npt.ArrayLike) -> npt.NDArray[Any]:
    """An array of int64, int32 or uint32."""
    array = np.asarray(value)
    if array.dtype in (np.int64, np.int32, np.uint32) or array.dtype.kind not in "iu":
        return array
    return array.astype(np.int64)


def wide(value: npt.ArrayLike, width: int) -> Floats:
    """An array of float64 of n × width without gaps, from any array whose last axes are of that width."""
    array = np.ascontiguousarray(value, dtype=np.float64)
    return array.reshape(-1, width)


def rows(memory: npt.NDArray[np.uint8], width: int) -> Floats:
    """Memory of Rust as n × width numbers."""
    return memory.view(np.float64).reshape(-1, width)


def pose7(value: Pose) -> list[float]:
    """The seven numbers of a pose, from these or from a rigid 4 × 4 matrix."""
    array = np.asarray(value, dtype=np.float64)
    return [float(x) for x in (poses7(array[None])[0] if array.shape == (4, 4) else array.ravel())]


def poses7(value: npt.ArrayLike) -> Floats:
    """n × 7 numbers, from these or from n rigid 4 × 4 matrices."""
    array = np.asarray(value, dtype=np.float64)
    if array.ndim != 3 or array.shape[1:] != (4, 4):
        return np.ascontiguousarray(array)
    turn = array[:, :3, :3]
    # The quaternion is the eigenvector of a symmetric matrix (Bar-Itzhack 2000, doi 10.2514/2.4654).
    k = np.empty((len(array), 4, 4))
    xx, yy, zz = turn[:, 0, 0], turn[:, 1, 1], turn[:, 2, 2]
    k[:, 0, 0], k[:, 1, 1] = xx - yy - zz, yy - xx - zz
    k[:, 2, 2], k[:, 3, 3] = zz - xx - yy, xx + yy + zz
    k[:, 0, 1] = k[:, 1, 0] = turn[:, 1, 0] + turn[:, 0, 1]
    k[:, 0, 2] = k[:, 2, 0] = turn[:, 2, 0] + turn[:, 0, 2]
    k[:, 1, 2] = k[:, 2, 1] = turn[:, 2, 1] + turn[:, 1, 2]
    k[:, 0, 3] = k[:, 3, 0] = turn[:, 2, 1] - turn[:, 1, 2]
    k[:, 1, 3] = k[:, 3, 1] = turn[:, 0, 2] - turn[:, 2, 0]
    k[:, 2, 3] = k[:, 3, 2] = turn[:, 1, 0] - turn[:, 0, 1]
    x, y, z, w = np.linalg.eigh(k)[1][:, :, 3].T
    sign = np.where(w < 0, -1.0, 1.0)
    return np.ascontiguousarray(np.column_stack([array[:, :3, 3], sign * w, sign * x, sign * y, sign * z]))


def _plain(value: Any) -> Any:
    """A value that JSON has. Numbers that it lacks become strings, so that the error can name their field."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def to_json(**fields: Any) -> str:
    """JSON of the fields that are given; ``None`` stands for those that are not."""
    return json.dumps({name: _plain(value) for name, value in fields.items() if value is not None})
