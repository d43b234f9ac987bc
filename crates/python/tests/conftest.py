"""Fixtures: a scene that deforms, and its recording."""

import faulthandler
import pathlib

import numpy as np
import pytest

import palpate

faulthandler.enable()

#: The package's folder in the repository, with its documents.
HERE = pathlib.Path(__file__).resolve().parents[1]


def sheet(n: int = 12, size: float = 0.2):
    """A square sheet of n × n vertices in the plane y = 0, seen from above counter-clockwise."""
    grid = np.linspace(-size / 2, size / 2, n)
    x, z = np.meshgrid(grid, grid, indexing="ij")
    vertices = np.column_stack([x.ravel(), np.zeros(n * n), z.ravel()])
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    first = np.column_stack([corner, corner + 1, corner + n])
    second = np.column_stack([corner + 1, corner + n + 1, corner + n])
    return vertices, np.concatenate([first, second])


class Press:
    """A ball and a thread above a sheet that swings: contacts in most steps."""

    def __init__(self, threads: int = 1):
        self.rest, self.triangles = sheet()
        self.scene = palpate.Scene(threads)
        self.sheet = self.scene.add("sheet", palpate.surface_mesh(self.rest, self.triangles))
        self.ball = self.scene.add("ball", palpate.sphere([0, 0.02, 0], 0.02))
        line = np.column_stack([np.linspace(-0.08, 0.08, 20), np.full(20, 0.003), np.full(20, 0.05)])
        cells = np.column_stack([np.arange(19), np.arange(1, 20)])
        self.line = self.scene.add("thread", palpate.line_mesh(line, cells, 0.002))
        self.pairs = [self.scene.add_pair(self.ball, self.sheet), self.scene.add_pair(self.line, self.sheet)]

    def vertices(self, time: float):
        moved = self.rest.copy()
        moved[:, 1] = 0.006 * np.sin(40 * moved[:, 0] + 9 * time)
        return moved

    def pose(self, time: float):
        return [0.02 * np.sin(5 * time), 0.018, 0.01 * np.cos(7 * time), 1, 0, 0, 0]

    def step(self, time: float):
        self.scene.set_vertices(self.sheet, self.vertices(time))
        self.scene.set_pose(self.ball, self.pose(time))
        return self.scene.step()


@pytest.fixture
def press():
    return Press()


@pytest.fixture(scope="session")
def session(tmp_path_factory):
    """A recording of 40 frames, and the bytes of the contacts that were found when it was made."""
    press, path = Press(), tmp_path_factory.mktemp("session") / "press.vtkhdf"
    found = []
    with palpate.Recorder(path, press.scene) as recorder:
        for number in range(40):
            press.step(0.02 * number)
            recorder.record(0.02 * number)
            found.append([press.scene.contacts(pair).tobytes() for pair in press.pairs])
    assert sum(len(row[0]) > 0 and len(row[1]) > 0 for row in found) > 20
    return path, found
