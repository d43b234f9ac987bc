"""Writes VTKHDF files with VTK's own writer in every combination of its options, and compares what palpate reads with
what h5py reads.

    python check_vtk_files.py DUMP [FOLDER]

DUMP is the example `dump_recording` of palpate-recording, FOLDER where the files are written (default: a temporary
one; what is there already is not written again). Every file must be read with h5py's numbers, or refused with a reason that is listed here. Exits with 1 at the first
mismatch, with a line that says which.
"""

import collections
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk
from vtk.util.vtkAlgorithm import VTKPythonAlgorithmBase

STEPS = 3
TIMES = [0.0, 0.25, 0.75]

# What palpate has no geometry for, by the words of its refusal.
REFUSED = {
    "quads": "polygon of 4 corners",
    "mixed": "another kind",
    "strips": "triangle strip",
    "hexahedra": "hexahedron",
    # Also where VTK writes offsets of an external part one row too early, and reads them so.
    "parts of two kinds": "",
    "empty block": "",
}


def points(step, motion, dtype, shift):
    count = 9 if motion == "changing" and step == 2 else 8
    moved = 0.1 * step if motion != "static" else 0.0
    array = np.array([[i % 2 + moved, (i // 2) % 2 + shift, i // 4 + i / 3] for i in range(count)], dtype=dtype)
    result = vtk.vtkPoints()
    result.SetDataType(vtk.VTK_FLOAT if dtype == np.float32 else vtk.VTK_DOUBLE)
    result.SetData(numpy_to_vtk(array, deep=True))
    return result


def cell_array(cells):
    result = vtk.vtkCellArray()
    for cell in cells:
        result.InsertNextCell(len(cell), cell)
    return result


def make(kind, step, motion, dtype, shift=0.0):
    """A data set and its cells as palpate has them."""
    more = motion == "changing" and step == 2
    lines = [[0, 1], [1, 2], [2, 3]] + ([[3, 8]] if more else [])
    triangles = [[0, 1, 2], [1, 3, 2], [4, 5, 6]] + ([[6, 7, 8]] if more else [])
    tets = [[0, 1, 2, 4], [1, 2, 4, 7]] + ([[1, 2, 4, 8]] if more else [])
    if kind in ("tets", "hexahedra", "triangles in a grid", "lines in a grid"):
        data = vtk.vtkUnstructuredGrid()
        types = {"tets": (vtk.VTK_TETRA, tets), "hexahedra": (vtk.VTK_HEXAHEDRON, [list(range(8))]),
                 "triangles in a grid": (vtk.VTK_TRIANGLE, triangles), "lines in a grid": (vtk.VTK_LINE, lines)}
        cell_type, cells = types[kind]
        data.SetPoints(points(step, motion, dtype, shift))
        data.SetCells(cell_type, cell_array(cells))
        return data
    data = vtk.vtkPolyData()
    data.SetPoints(points(step, motion, dtype, shift))
    if kind in ("vertices", "mixed"):
        data.SetVerts(cell_array([[i] for i in range(4)]))
    if kind in ("lines", "mixed"):
        data.SetLines(cell_array(lines))
    if kind == "polyline":
        data.SetLines(cell_array([[0, 1, 2, 3], [4, 5, 6]]))
    if kind == "triangles":
        data.SetPolys(cell_array(triangles))
    if kind == "quads":
        data.SetPolys(cell_array([[0, 1, 3, 2]]))
    if kind == "strips":
        data.SetStrips(cell_array([[0, 1, 2, 3]]))
    radius = numpy_to_vtk(np.full(data.GetNumberOfPoints(), 0.5, dtype=dtype), deep=True)
    radius.SetName("radius")
    data.GetPointData().AddArray(radius)
    return data


SIMPLE = ["points", "vertices", "lines", "polyline", "triangles", "tets", "triangles in a grid", "lines in a grid",
          "quads", "mixed", "strips", "hexahedra"]
COMPOSITE = ["blocks", "nested blocks", "collection", "parts", "parts of two kinds", "one part", "empty block"]


def compose(kind, step, motion, dtype):
    if kind in ("blocks", "nested blocks", "empty block"):
        data = vtk.vtkMultiBlockDataSet()
        first = make("triangles", step, motion, dtype)
        if kind == "nested blocks":
            inner = vtk.vtkMultiBlockDataSet()
            inner.SetBlock(0, make("lines", step, motion, dtype, 1.0))
            inner.GetMetaData(0).Set(vtk.vtkCompositeDataSet.NAME(), "inner")
            second = inner
        elif kind == "empty block":
            second = vtk.vtkPolyData()
        else:
            second = make("tets", step, motion, dtype, 1.0)
        for at, (name, block) in enumerate([("one", first), ("two", second)]):
            data.SetBlock(at, block)
            data.GetMetaData(at).Set(vtk.vtkCompositeDataSet.NAME(), name)
        return data
    if kind == "collection":
        data = vtk.vtkPartitionedDataSetCollection()
        for at, part in enumerate(["triangles", "tets"]):
            partitions = vtk.vtkPartitionedDataSet()
            partitions.SetPartition(0, make(part, step, motion, dtype, float(at)))
            data.SetPartitionedDataSet(at, partitions)
            data.GetMetaData(at).Set(vtk.vtkCompositeDataSet.NAME(), f"set{at}")
        assembly = vtk.vtkDataAssembly()
        assembly.SetRootNodeName("root")
        for at in range(2):
            assembly.AddDataSetIndex(assembly.AddNode(f"set{at}"), at)
        data.SetDataAssembly(assembly)
        return data
    data = vtk.vtkPartitionedDataSet()
    kinds = {"parts": ["triangles", "triangles"], "parts of two kinds": ["triangles", "lines"], "one part": ["triangles"]}
    for at, part in enumerate(kinds[kind]):
        data.SetPartition(at, make(part, step, motion, dtype, float(at)))
    return data


class Source(VTKPythonAlgorithmBase):
    """The steps of a data set; a mesh at rest is the same object in every step, as VTK's filters keep it."""

    def __init__(self, kind, motion, dtype):
        self.datas = [(compose if kind in COMPOSITE else make)(kind, step, motion, dtype) for step in range(STEPS)]
        if motion == "static":
            self.datas = [self.datas[0]] * STEPS
        self.temporal = motion != "none"
        VTKPythonAlgorithmBase.__init__(
            self, nInputPorts=0, nOutputPorts=1, outputType=self.datas[0].GetClassName())

    def RequestInformation(self, request, inputs, outputs):
        keys = vtk.vtkStreamingDemandDrivenPipeline
        if self.temporal:
            outputs.GetInformationObject(0).Set(keys.TIME_STEPS(), TIMES, STEPS)
            outputs.GetInformationObject(0).Set(keys.TIME_RANGE(), [TIMES[0], TIMES[-1]], 2)
        return 1

    def RequestData(self, request, inputs, outputs):
        information = outputs.GetInformationObject(0)
        key = vtk.vtkStreamingDemandDrivenPipeline.UPDATE_TIME_STEP()
        time = information.Get(key) if information.Has(key) else TIMES[0]
        step = min(range(STEPS), key=lambda at: abs(TIMES[at] - time))
        output = vtk.vtkDataObject.GetData(outputs, 0)
        output.ShallowCopy(self.datas[step])
        if self.temporal:
            output.GetInformation().Set(vtk.vtkDataObject.DATA_TIME_STEP(), TIMES[step])
        return 1


def write(path, kind, motion, dtype, options):
    source = Source(kind, motion, dtype)
    writer = vtk.vtkHDFWriter()
    writer.SetInputConnection(source.GetOutputPort())
    writer.SetFileName(str(path))
    for name, value in options.items():
        getattr(writer, f"Set{name}")(value)
    writer.Write()
    return path.exists() and path.stat().st_size > 0


def blocks_of(file):
    """The data sets of a file by name, as h5py follows the links of the assembly."""
    root = file["VTKHDF"]
    if root.attrs["Type"] not in (b"MultiBlockDataSet", b"PartitionedDataSetCollection"):
        return {None: root}
    found = {}

    def visit(group):
        for name in group:
            inner = group[name]
            if "Type" in inner.attrs:
                found[name] = inner
            else:
                visit(inner)

    visit(root["Assembly"])
    return found


def steps_of(block):
    """The points of every step as h5py reads them."""
    counts = block["NumberOfPoints"][:]
    values = block["Points"][:]
    if "Steps" not in block:
        return [values[: counts.sum()]]
    steps = block["Steps"]
    number = steps.attrs["NSteps"]
    parts = steps["NumberOfParts"][:] if "NumberOfParts" in steps else np.ones(number, dtype=int)
    firsts, starts = steps["PartOffsets"][:], steps["PointOffsets"][:]
    return [values[starts[k]: starts[k] + counts[firsts[k]: firsts[k] + parts[k]].sum()] for k in range(number)]


def compare(path, found, label):
    with h5py.File(path) as file:
        blocks = blocks_of(file)
        names = [block["name"] for block in found["objects"]]
        if None not in blocks and sorted(names) != sorted(blocks):
            fail(f"{label}: objects {names}, h5py has {sorted(blocks)}")
        for at, name in enumerate(names):
            wanted = steps_of(blocks[None] if None in blocks else blocks[name])
            for frame, states in enumerate(found["frames"]):
                here = wanted[min(frame, len(wanted) - 1)]
                if not np.array_equal(np.array(states[at]["state"], dtype=float).reshape(-1, 3), here.astype(float)):
                    fail(f"{label}: points of {name} in frame {frame} differ from h5py's")
        if len(found["frames"]) not in {1} | {len(steps_of(block)) for block in blocks.values()}:
            fail(f"{label}: {len(found['frames'])} frames")


# Point ids of the cells of the first frame, of objects by kind, as they were made.
CELLS = {"lines": 6, "lines in a grid": 6, "polyline": 10, "triangles": 9, "triangles in a grid": 9, "tets": 8,
         "points": 0, "vertices": 0, "one part": 9, "parts": 18}


def fail(message):
    print(f"check_vtk_files: {message}", file=sys.stderr)
    sys.exit(1)


def cases():
    for kind in SIMPLE + COMPOSITE:
        for motion, dtype in itertools.product(["none", "static", "moving", "changing"], [np.float32, np.float64]):
            for level, chunk in itertools.product([0, 4], [2, 25000]):
                for steps in [0, 1] if motion != "none" else [0]:
                    for composite, partitions in itertools.product([0, 1], [0, 1]) if kind in COMPOSITE else [(0, 0)]:
                        options = {"CompressionLevel": level, "ChunkSize": chunk, "UseExternalTimeSteps": steps,
                                   "UseExternalComposite": composite, "UseExternalPartitions": partitions,
                                   "WriteAllTimeSteps": int(motion != "none")}
                        yield kind, motion, dtype, options


def main():
    dump, folder = sys.argv[1], (sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    vtk.vtkObject.GlobalWarningDisplayOff()
    written = []
    unwritten = collections.Counter()
    for number, (kind, motion, dtype, options) in enumerate(cases()):
        # Their folders differ, since external files have names of their own.
        place = pathlib.Path(folder) / str(number)
        place.mkdir(parents=True, exist_ok=True)
        path = place / "data.vtkhdf"
        label = f"{number} {kind}, {motion}, {dtype.__name__}, {options}"
        if path.exists() or write(path, kind, motion, dtype, options):
            written.append((path, kind, label))
        else:
            unwritten[kind] += 1
    outcomes = collections.Counter()
    reasons = collections.Counter()
    for start in range(0, len(written), 200):
        batch = written[start:start + 200]
        run = subprocess.run([dump, *(str(path) for path, _, _ in batch)], capture_output=True, text=True, check=True)
        for (path, kind, label), line in zip(batch, run.stdout.splitlines(), strict=True):
            found = json.loads(line)
            if "error" in found:
                reason = found["error"].split(": ", 1)[1]
                reasons[f"{kind}: {reason}"] += 1
                if REFUSED.get(kind) is None or REFUSED[kind] not in reason:
                    try:
                        with h5py.File(path) as file:
                            readable = all(len(steps_of(block)) for block in blocks_of(file).values())
                    except (KeyError, OSError, ValueError, AttributeError):
                        readable = False
                    if readable:
                        fail(f"{label}: refused: {found['error']}")
                    outcomes["refused, h5py has no points either"] += 1
                    continue
                outcomes["refused by name"] += 1
                continue
            compare(path, found, label)
            cells = len(found["frames"][0][0]["cells"])
            if kind in CELLS and cells != CELLS[kind]:
                fail(f"{label}: {cells} point ids of cells, wanted {CELLS[kind]}")
            outcomes["read as h5py reads"] += 1
    print(f"{len(written)} files by VTK {vtk.VTK_VERSION}: {dict(outcomes)}; not written by VTK: {dict(unwritten)}")
    for reason, count in sorted(reasons.items()):
        print(f"  {count} times {reason[:200]}")
    if outcomes["read as h5py reads"] < 1000:
        fail("too few files were read")


if __name__ == "__main__":
    main()
