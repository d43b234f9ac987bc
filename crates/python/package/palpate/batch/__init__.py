"""Many poses, many worlds, many sessions: one call each, on threads or machines, with the same bits as a plain loop.

>>> import numpy as np, palpate, palpate.batch
>>> box = palpate.oriented_box([0.5, 0.5, 0.5])
>>> poses = np.zeros((1000, 7)); poses[:, 1] = np.linspace(0.9, 1.1, 1000); poses[:, 3] = 1
>>> found = palpate.batch.detect(box, box, poses)
>>> len(found), len(found.of(0)), len(found.of(999))
(1000, 4, 0)
"""

from ._poses import Batch, detect, signed_distance
from ._sessions import Task, finished, merge, name, plan, run, run_all
from ._worlds import Worlds
from .engines import dask, ray

__all__ = [
    "Batch", "Task", "Worlds", "dask", "detect", "finished", "merge", "name", "plan", "ray", "run", "run_all",
    "signed_distance",
]
