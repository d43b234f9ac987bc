"""Every pair of kinds through Python, from arrays, equals ``palpate detect`` bit for bit."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import palpate

#: Cases of the generator of the Rust tests (`write_cases`), where the gate has written them.
CASES = os.environ.get("PALPATE_CASES")
#: The command to compare with: the one of the gate, or the one of the package.
COMMAND = [os.environ["PALPATE_COMMAND"]] if "PALPATE_COMMAND" in os.environ else [sys.executable, "-m", "palpate"]

MESHES = {"PointSet": palpate.point_set, "LineMesh": palpate.line_mesh, "SurfaceMesh": palpate.surface_mesh}
BOX = [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]
SKIN = [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4], [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6],
        [3, 0, 4], [3, 4, 7]]
FILLING = [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]]


def geometry(case):
    """A geometry: meshes from arrays, all else from its description."""
    fields = dict(case)
    kind = fields.pop("type")
    if kind == "Compound" and set(fields) == {"children"}:
        return palpate.compound([geometry(child) for child in fields["children"]])
    if "previous_vertices" in fields or "inverted" in fields or kind not in (*MESHES, "TetrahedralMesh"):
        return palpate.from_json(case)
    vertices, cells = np.array(fields.pop("vertices"), dtype=float).reshape(-1, 3), fields.pop("cells", None)
    # Not without gaps, and of another type than the one that is cheapest to read.
    vertices = np.asfortranarray(vertices)
    if kind == "PointSet":
        return palpate.point_set(vertices, **fields)
    make = MESHES.get(kind, palpate.tetra_mesh)
    corners = {"LineMesh": 2, "SurfaceMesh": 3}.get(kind, 4)
    return make(vertices, np.array(cells, dtype=np.int32).reshape(-1, corners), **fields)


def feature(side):
    """A side as in JSON."""
    found = {"kind": palpate.Kind(side["kind"]).name.lower(), "point": side["point"].tolist()}
    count = int(side["vertex_count"])
    if count:
        found["vertices"], found["weights"] = side["vertices"][:count].tolist(), side["weights"][:count].tolist()
    for name in ("cell", "child"):
        if side[name] != palpate.NONE:
            found[name] = int(side[name])
    return found


def contact(record):
    """A contact as in JSON."""
    time = float(record["time_of_impact"])
    return {
        "a": feature(record["a"]),
        "b": feature(record["b"]),
        "direction": record["direction"].tolist(),
        "depth": float(record["depth"]),
        "depth_bounds": [float(record["depth"]), float(record["depth_upper"])],
        "time_of_impact": None if np.isnan(time) else time,
        "id": int(record["id"]),
    }


def bits(value):
    """JSON text, in which -0.0 and 0.0 differ."""
    return json.dumps(value, sort_keys=True)


def check(cases, folder):
    """Compares all cases; returns how many had contacts, and the pairs of kinds."""
    path = pathlib.Path(folder) / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    answers = subprocess.run([*COMMAND, "detect", str(path)], capture_output=True, text=True, check=False).stdout
    hits, kinds = 0, set()
    for case, line in zip(cases, answers.splitlines(), strict=True):
        answer, options = json.loads(line), case.get("options", {})
        try:
            a = geometry(case["a"])
            b = None if case["b"] == "self" else geometry(case["b"])
            settings = {"settings": options.get("settings"), "margin": options.get("margin", 0.0)}
            found = palpate.detect(a, b, detector=case.get("detector"), **settings)
        except palpate.Error as error:
            assert "error" in answer and str(error) in answer["error"], (case, error, answer)
            continue
        assert "error" not in answer, (case, answer)
        assert bits([contact(record) for record in found.contacts]) == bits(answer["contacts"]), case
        assert list(found.flags) == answer["flags"], case
        hits += bool(answer["contacts"])
        kinds.add((a.kind, b.kind if b else "self"))
    return hits, kinds


def shapes(rng):
    """One geometry of each kind near the origin."""
    turn = rng.normal(size=4)
    pose = {"center": rng.uniform(-0.3, 0.3, 3).tolist(), "quat_wxyz": (turn / np.linalg.norm(turn)).tolist()}
    place = {"position": pose["center"], "quat_wxyz": pose["quat_wxyz"]}
    shift = rng.uniform(-0.3, 0.3, 3)
    box = (np.array(BOX) * rng.uniform(0.4, 0.8, 3) + shift).tolist()
    line = (rng.uniform(-1, 1, (6, 3))).tolist()
    return [
        {"type": "Sphere", "center": pose["center"], "radius": 0.7},
        {"type": "Capsule", **pose, "radius": 0.3, "length": 0.9},
        {"type": "Cylinder", **pose, "radius": 0.5, "length": 0.8},
        {"type": "Plane", "position": pose["center"], "normal": rng.normal(size=3).tolist()},
        {"type": "OrientedBox", **pose, "half_extents": [0.5, 0.6, 0.4]},
        {"type": "Ellipsoid", **pose, "radii": [0.5, 0.8, 0.4]},
        {"type": "Cone", **pose, "radius": 0.6, "length": 0.9},
        {"type": "Convex", "vertices": line, "margin": 0.05},
        {"type": "PointSet", "vertices": line, "radius": 0.05},
        {"type": "LineMesh", "vertices": line, "cells": [[k, k + 1] for k in range(5)], "radius": 0.05},
        {"type": "SurfaceMesh", "vertices": box, "cells": SKIN},
        {"type": "TetrahedralMesh", "vertices": box, "cells": FILLING},
        {"type": "Implicit", "function": {"torus": {"center": [0, 0, 0], "major": 0.6, "minor": 0.25}}, **place},
        {"type": "Compound", "children": [
            {"type": "Sphere", "center": box[0], "radius": 0.4}, {"type": "SurfaceMesh", "vertices": box, "cells": SKIN}]},
    ]


# Proves: REQ-PY-SAME
def test_every_pair_of_kinds(tmp_path):
    rng = np.random.default_rng(14)
    cases = []
    for number in range(4):
        first, second = shapes(rng), shapes(rng)
        cases += [{"a": a, "b": b, "options": {"margin": 0.01 * (number % 2)}} for a in first for b in second]
        cases += [{"a": a, "b": "self"} for a in first]
    hits, kinds = check(cases, tmp_path)
    # All of 13 kinds (hulls, ellipsoids and cones are one) with all in either order, but a plane with a plane.
    assert len(kinds) >= 12 * 12 - 1 and hits > 500, (len(kinds), hits)


# Proves: REQ-PY-SAME
@pytest.mark.skipif(CASES is None, reason="PALPATE_CASES names no file")
def test_generated_cases_of_every_detector(tmp_path):
    lines = pathlib.Path(CASES).read_text(encoding="utf-8").splitlines()
    hits, _ = check([json.loads(line) for line in lines], tmp_path)
    assert hits > len(lines) // 4, (hits, len(lines))
