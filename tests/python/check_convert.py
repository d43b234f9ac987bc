"""Round trips of meshes through `palpate convert`, read by other tools: vertices and cells must come back.

    cargo build --release -p palpate-cli
    python tests/python/check_convert.py target/release/palpate FOLDER_OF_MESHES

Every mesh of the folder is converted to each format that can hold it (also gzipped, and as a recording and a compact session), and from
there to VTU again. VTK, meshio and trimesh read the files. VTU, OBJ, PLY and recordings must have the same vertices, to the last bit, and
the same cells in the same order; STL, which has 32-bit corners and no vertices, the corners of every triangle rounded to 32 bits. Needs
numpy, meshio, vtk and trimesh. Prints the counts.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import tempfile

import meshio
import numpy as np
import trimesh
import vtk
from vtk.util.numpy_support import vtk_to_numpy

#: The number of vertices of a cell by what `palpate convert` says of a mesh.
SIZES = {"a line mesh": 2, "a surface": 3, "a tetra mesh": 4}
#: The formats that hold a kind of mesh.
FORMATS = {
    2: ["vtu", "obj", "vtu.gz", "vtkhdf"],
    3: ["vtu", "obj", "ply", "stl", "vtu.gz", "ply.gz", "vtkhdf"],
    4: ["vtu", "vtu.gz", "vtkhdf"],
}
MESHIO = {2: "line", 3: "triangle", 4: "tetra"}
counts = collections.Counter()


def convert(palpate, source, out, *more):
    done = subprocess.run([palpate, "convert", source, out, "--json", *more], capture_output=True, text=True)
    assert done.returncode == 0, (source, out, done.stderr)
    return json.loads(done.stdout)


def of_vtk(path, size):
    """Points and cells of a VTU, OBJ, PLY or STL file by VTK."""
    readers = {
        ".vtu": vtk.vtkXMLUnstructuredGridReader, ".obj": vtk.vtkOBJReader, ".ply": vtk.vtkPLYReader, ".stl": vtk.vtkSTLReader,
        ".vtkhdf": vtk.vtkHDFReader,
    }
    reader = readers[path.suffix]()
    reader.SetFileName(str(path))
    if path.suffix == ".stl":
        reader.MergingOff()
    reader.Update()
    data = reader.GetOutputDataObject(0)
    points = vtk_to_numpy(data.GetPoints().GetData())
    if data.IsA("vtkPolyData"):
        cells = data.GetLines() if size == 2 else data.GetPolys()
    else:
        cells = data.GetCells()
    offsets, ids = vtk_to_numpy(cells.GetOffsetsArray()), vtk_to_numpy(cells.GetConnectivityArray())
    assert (np.diff(offsets) == size).all(), path
    return points, ids.reshape(-1, size)


def of_meshio(path, size):
    mesh = meshio.read(path)
    return mesh.points, np.concatenate([block.data for block in mesh.cells if block.type == MESHIO[size]])


def of_trimesh(path, size):
    mesh = trimesh.load(path, process=False, maintain_order=True)
    return np.asarray(mesh.vertices), np.asarray(mesh.faces)


def same(where, found, wanted, single):
    """Whether points and cells are those wanted: all of them, or the corners of the cells rounded to 32 bits."""
    (points, cells), (own_points, own_cells) = found, wanted
    if single:
        corners = points[cells].astype(np.float32)
        assert corners.shape == own_points[own_cells].shape, where
        assert np.array_equal(corners, own_points[own_cells].astype(np.float32)), where
    else:
        assert np.array_equal(cells, own_cells), where
        rounded = own_points.astype(np.float32) if points.dtype == np.float32 else own_points
        assert points.shape == own_points.shape and np.array_equal(points, rounded), where
    counts[where[1]] += 1


def check(palpate, source, folder):
    first = folder / "first.vtu"
    said = convert(palpate, source, first)
    size = SIZES[said["kind"]]
    own = of_vtk(first, size)
    assert (len(own[0]), len(own[1])) == (said["vertices"], said["cells"]), source
    assert own[0].dtype == np.float64
    for ending in FORMATS[size]:
        out, back = folder / f"out.{ending}", folder / "back.vtu"
        lost = convert(palpate, source, out)["lost"]
        single = ending.startswith("stl")
        assert single or not any("digits" in line for line in lost), (source, ending, lost)
        convert(palpate, out, back)
        same((source.name, f"{ending} and back by palpate"), of_vtk(back, size), own, single)
        if ending.endswith("gz"):
            continue
        same((source.name, f"{ending} by VTK"), of_vtk(out, size), own, single)
        # The OBJ reader of meshio leaves lines out.
        if ending != "vtkhdf" and (ending, size) != ("obj", 2):
            same((source.name, f"{ending} by meshio"), of_meshio(out, size), own, single)
            if size == 3 and ending != "vtu":
                same((source.name, f"{ending} by trimesh"), of_trimesh(out, size), own, single)
        if ending == "vtkhdf":
            compact = folder / "out.palpate"
            convert(palpate, out, compact)
            convert(palpate, compact, back)
            same((source.name, "palpate and back by palpate"), of_vtk(back, size), own, False)
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("palpate", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    meshes = sorted(path for path in arguments.folder.iterdir() if path.is_file())
    assert meshes, arguments.folder
    for mesh in meshes:
        with tempfile.TemporaryDirectory() as folder:
            said = check(arguments.palpate.resolve(), mesh, pathlib.Path(folder))
            print(f"{mesh.name}: {said['kind']} of {said['vertices']} vertices and {said['cells']} cells")
    for what, count in sorted(counts.items()):
        print(f"{count} {what}")
    print(f"{sum(counts.values())} comparisons of {len(meshes)} meshes agree")


if __name__ == "__main__":
    main()
