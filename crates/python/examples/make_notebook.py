"""Writes first_contacts.ipynb: the cells below, with what they print.

    python make_notebook.py
"""

import io
import json
import pathlib
from contextlib import redirect_stdout

CELLS = [
    "# From a mesh file to contacts, a recording and a plot\n\nAn organ (here a ball that this notebook writes to a file) is pressed by a tool.",
    """import numpy as np
import palpate

# A ball of 5 cm: a grid of a function that is called once, with all its points.
turn, rise = np.meshgrid(np.linspace(0, 2 * np.pi, 40, endpoint=False), np.linspace(-np.pi / 2, np.pi / 2, 21)[1:-1])
ring = np.stack([np.cos(rise) * np.cos(turn), np.sin(rise), np.cos(rise) * np.sin(turn)], axis=-1).reshape(-1, 3)
vertices = 0.05 * np.concatenate([ring, [[0, -1, 0], [0, 1, 0]]])
lower = (np.arange(18)[:, None] * 40 + np.arange(40)).ravel()
right = lower // 40 * 40 + (lower + 1) % 40
first, last = np.arange(40), 720 + np.arange(40)
cells = np.concatenate([
    np.column_stack([lower, lower + 40, right]), np.column_stack([right, lower + 40, right + 40]),
    np.column_stack([first, (first + 1) % 40, np.full(40, 760)]),
    np.column_stack([last, np.full(40, 761), 720 + (last + 1) % 40]),
])
palpate.write_mesh("organ.obj", palpate.surface_mesh(vertices, cells))
file = palpate.read_mesh("organ.obj")
print(file.summary)""",
    """organ = file.mesh()
report = palpate.health(organ)
print("closed:", report["closed"], "inward:", report["inward"])""",
    "A scene owns copies of the geometries. The contacts of a step are one array, with columns that are views of it.",
    """scene = palpate.Scene()
body = scene.add("organ", organ)
tool = scene.add("tool", palpate.capsule(0.004, 0.05, [0, 0.08, 0, 1, 0, 0, 0]))
pair = scene.add_pair(tool, body)
rest = scene.vertices(body)

with palpate.Recorder("session.vtkhdf", scene) as recorder:
    for step in range(60):
        time = step / 30
        scene.set_vertices(body, rest * (1 + 0.02 * np.sin(3 * time)))
        scene.set_pose(tool, [0, 0.082 - 0.004 * time, 0, 1, 0, 0, 0])
        scene.step()
        recorder.record(time)

contacts = scene.contacts(pair)
print(len(contacts), "contacts,", "deepest", np.round(1e3 * contacts.depth.max(), 2), "mm")""",
    "A replay is a sequence of frames, with the same contacts to the last bit.",
    """replay = palpate.Replay("session.vtkhdf")
deepest = [frame.contacts.depth.max(initial=0.0) for frame in replay]
print(len(replay), "frames,", sum(depth > 0 for depth in deepest), "in contact")
assert replay[-1].contacts.tobytes() == contacts.tobytes()""",
    """import matplotlib.pyplot as plt

figure = plt.figure(figsize=(8, 3))
line = figure.add_subplot(1, 2, 1)
line.plot(np.arange(len(replay)) / 30, 1e3 * np.array(deepest))
line.set(xlabel="time (s)", ylabel="depth (mm)")
contacts.plot(figure.add_subplot(1, 2, 2, projection="3d"))
figure.savefig("contacts.png")""",
]


def main() -> None:
    """Run the cells and write the notebook."""
    names: dict = {}
    cells = []
    for number, source in enumerate(CELLS):
        lines = source.splitlines(keepends=True)
        if "import" not in source and "=" not in source:
            cells.append({"cell_type": "markdown", "id": f"cell{number}", "metadata": {}, "source": lines})
            continue
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile(source, "notebook", "exec"), names)
        text = out.getvalue().splitlines(keepends=True)
        outputs = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
        cell = {"cell_type": "code", "execution_count": None, "id": f"cell{number}", "metadata": {}}
        cells.append({**cell, "outputs": outputs, "source": lines})
    book = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    path = pathlib.Path(__file__).resolve().with_name("first_contacts.ipynb")
    path.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
