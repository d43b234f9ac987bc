"""Compares palpate's readers of mesh files with meshio, VTK, trimesh and Gmsh.

    cargo build --release -p palpate-mesh-io --example dump_meshes
    python compare_meshes.py target/release/examples/dump_meshes [--meshes FOLDER] [--keep FOLDER]

Writes one set of meshes by the writers of meshio, VTK, trimesh and Gmsh with all their options, reads every file by the library
that wrote it and by palpate, and compares points, lines, triangles and tetrahedra. With --meshes it reads the files of a
folder too. Each file must be read with equal numbers, or refused with an error that names what is not read. Needs numpy,
meshio, vtk, trimesh and gmsh. Exits with status 1 at the end if a file was read differently.

Polygons are compared by their corners: palpate's triangles of a polygon use each of its sides once, and only its corners.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import meshio
import numpy as np
import trimesh
import vtk
from vtk.util.numpy_support import vtk_to_numpy

LINES, POLYGONS, TETRAHEDRA, LEFT_OUT, STRIPS = "lines", "polygons", "tetrahedra", "left out", "strips"
HEXAHEDRA, WEDGES, PYRAMIDS = "hexahedra", "wedges", "pyramids"

# The faces of cells that palpate cuts into tetrahedra.
FACES = {
    HEXAHEDRA: [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
    WEDGES: [(0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)],
    PYRAMIDS: [(0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)],
}


def cut(kind, ids):
    """The tetrahedra of a cell, as sets of corners: each face from its lowest vertex, joined to the lowest of the cell."""
    lowest, found = min(ids), []
    for face in FACES[kind]:
        corners = [ids[k] for k in face]
        if lowest not in corners:
            start = corners.index(min(corners))
            corners = corners[start:] + corners[:start]
            found += [tuple(sorted([corners[0], b, c, lowest])) for b, c in zip(corners[1:], corners[2:])]
    return found


class Mesh:
    """Points, and cells as lists of corners by kind, as the reference library has them."""

    def __init__(self, points):
        points = np.asarray(points, dtype=float).reshape(len(points), -1 if len(points) else 3)
        if points.shape[1] == 2:
            points = np.column_stack([points, np.zeros(len(points))])
        self.points = points
        self.cells = collections.defaultdict(list)


def of_meshio(mesh):
    found = Mesh(mesh.points)
    for block in mesh.cells:
        kind = {
            "line": LINES, "triangle": POLYGONS, "quad": POLYGONS, "tetra": TETRAHEDRA, "vertex": None, "polygon": POLYGONS,
            "hexahedron": HEXAHEDRA, "wedge": WEDGES, "pyramid": PYRAMIDS,
        }.get(block.type)
        corners = None
        if kind is None and block.type != "vertex":
            base = block.type.rstrip("0123456789")
            kind, corners = {
                "line": (LINES, 2), "triangle": (POLYGONS, 3), "quad": (POLYGONS, 4), "tetra": (TETRAHEDRA, 4),
                "hexahedron": (HEXAHEDRA, 8), "wedge": (WEDGES, 6), "pyramid": (PYRAMIDS, 5),
            }.get(base, (LEFT_OUT, None))
        if kind:
            found.cells[kind] += [list(map(int, cell))[:corners] for cell in block.data]
    return found


VTK_KINDS = {
    1: None, 2: None, 3: LINES, 4: LINES, 5: POLYGONS, 6: STRIPS, 7: POLYGONS, 8: "pixel", 9: POLYGONS, 10: TETRAHEDRA,
    11: "voxel", 12: HEXAHEDRA, 13: WEDGES, 14: PYRAMIDS,
}

# Curved cells and how many corners they have.
CURVED = {
    21: (LINES, 2), 22: (POLYGONS, 3), 23: (POLYGONS, 4), 24: (TETRAHEDRA, 4), 25: (HEXAHEDRA, 8), 26: (WEDGES, 6), 27: (PYRAMIDS, 5),
    28: (POLYGONS, 4), 29: (HEXAHEDRA, 8), 30: (POLYGONS, 4), 31: (WEDGES, 6), 32: (WEDGES, 6), 33: (HEXAHEDRA, 8), 34: (POLYGONS, 3),
    35: (LINES, 2), 71: (TETRAHEDRA, 4), 69: (POLYGONS, 3), 72: (HEXAHEDRA, 8),
}


def of_vtk(data):
    count = data.GetNumberOfPoints()
    found = Mesh(vtk_to_numpy(data.GetPoints().GetData()) if count else np.zeros((0, 3)))
    for index in range(data.GetNumberOfCells()):
        cell = data.GetCell(index)
        ids = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
        kind = VTK_KINDS.get(cell.GetCellType(), LEFT_OUT)
        if kind == "pixel":
            kind, ids = POLYGONS, [ids[0], ids[1], ids[3], ids[2]]
        if kind == "voxel":
            kind, ids = HEXAHEDRA, [ids[k] for k in (0, 1, 3, 2, 4, 5, 7, 6)]
        if cell.GetCellType() in CURVED:
            kind, corners = CURVED[cell.GetCellType()]
            ids = ids[:corners]
        if kind:
            found.cells[kind].append(ids)
    return found


def of_trimesh(mesh):
    found = Mesh(mesh.vertices)
    found.cells[POLYGONS] = [list(map(int, face)) for face in mesh.faces]
    return found


def difference(ours, theirs, merged=False):
    """What differs, or None. `merged`: one library has corners in one place as one vertex, the other has not."""
    points = np.array(ours["points"], dtype=float).reshape(-1, 3)
    # VTK keeps 32 bits of a number in ASCII too.
    place = lambda all_points: [tuple(map(float, np.float32(point + 0.0))) for point in all_points]
    if merged == "near":
        # Transformed: coordinates are rounded in other orders.
        soup = lambda at, cells: np.array([[at[i] for i in ids] for ids in cells])
        mine, wanted = soup(points, ours["triangles"]), soup(theirs.points, theirs.cells[POLYGONS])
        if mine.shape != wanted.shape:
            return f"triangles: {len(mine)} for {len(wanted)}"
        center = lambda all_corners: all_corners.mean(axis=1)
        normal = lambda all_corners: np.cross(all_corners[:, 1] - all_corners[:, 0], all_corners[:, 2] - all_corners[:, 0])
        mine, wanted = (np.column_stack([center(x), normal(x)]) for x in (mine, wanted))
        gaps = np.linalg.norm(mine[:, None, :] - wanted[None, :, :], axis=2)
        worst = max(gaps.min(axis=0).max(), gaps.min(axis=1).max())
        return f"triangles, by {worst}" if worst > 1e-5 else None
    if merged:
        # Numbers of vertices differ: compare by coordinates.
        at, other = place(points), place(theirs.points)
        mine = sorted(tuple(at[i] for i in ids) for ids in ours["triangles"])
        wanted = sorted(tuple(other[i] for i in ids) for ids in theirs.cells[POLYGONS])
        turned = lambda cells: sorted(min(c[k:] + c[:k] for k in range(3)) for c in cells)
        segments = sorted(tuple(at[i] for i in ids) for ids in ours["lines"])
        others = [tuple(other[i] for i in pair) for ids in theirs.cells[LINES] for pair in zip(ids, ids[1:])]
        if segments != sorted(others):
            return "lines"
        return None if turned(mine) == turned(wanted) else "triangles"
    if points.shape != theirs.points.shape:
        return f"{len(points)} points for {len(theirs.points)}"
    if not np.array_equal(points, theirs.points):
        return f"coordinates, by {np.abs(points - theirs.points).max()}"
    segments = [list(pair) for ids in theirs.cells[LINES] for pair in zip(ids, ids[1:])]
    if sorted(ours["lines"]) != sorted(segments):
        return f"lines: {len(ours['lines'])} for {len(segments)}"
    wanted = [tuple(sorted(ids)) for ids in theirs.cells[TETRAHEDRA]]
    wanted += [cell for kind in FACES for ids in theirs.cells[kind] for cell in cut(kind, ids)]
    if sorted(tuple(sorted(ids)) for ids in ours["tetrahedra"]) != sorted(wanted):
        return f"tetrahedra: {len(ours['tetrahedra'])} for {len(wanted)}"
    if not any(theirs.cells[kind] for kind in FACES) and sorted(ours["tetrahedra"]) != sorted(theirs.cells[TETRAHEDRA]):
        return "the order of the corners of tetrahedra"
    if sum(ours["cut_cells"].values()) != sum(len(theirs.cells[kind]) for kind in FACES):
        return f"cells cut: {ours['cut_cells']}"
    if sum(ours["left_out"].values()) != len(theirs.cells[LEFT_OUT]):
        return f"cells left out: {ours['left_out']} for {len(theirs.cells[LEFT_OUT])}"
    # Sides that no other triangle of the same polygon has in the other direction are the polygon's own.
    counts = sum(len(ids) - 2 for kind in (POLYGONS, STRIPS) for ids in theirs.cells[kind])
    if len(ours["triangles"]) != counts:
        return f"triangles: {len(ours['triangles'])} for {counts}"
    sides = collections.Counter()
    for a, b, c in ours["triangles"]:
        sides.update([(a, b), (b, c), (c, a)])
    wanted = collections.Counter()
    for ids in theirs.cells[POLYGONS]:
        wanted.update(zip(ids, ids[1:] + ids[:1]))
    for ids in theirs.cells[STRIPS]:
        for k in range(len(ids) - 2):
            a, b, c = ids[k : k + 3] if k % 2 == 0 else (ids[k + 1], ids[k], ids[k + 2])
            wanted.update([(a, b), (b, c), (c, a)])
    for side in wanted:
        if sides[side] < wanted[side]:
            return f"side {side}"
    net = lambda side: sides[side] - sides[side[::-1]] == wanted[side] - wanted[side[::-1]]
    return None if all(net(side) for side in [*sides, *wanted]) else "diagonals"


# -- what is written ------------------------------------------------------------------------------------------------


def meshes(random):
    """Named meshes for meshio: blocks of cells over random points."""
    points = random.uniform(-1, 1, (30, 3))
    triangles = np.array([random.choice(30, 3, replace=False) for _ in range(12)])
    lines = np.array([random.choice(30, 2, replace=False) for _ in range(7)])
    tetrahedra = np.array([random.choice(30, 4, replace=False) for _ in range(5)])
    angle = np.arange(6) * np.pi / 3
    ring = np.column_stack([np.cos(angle), np.sin(angle) * [1, 1, 0.5, 1, 1, 0.5], 0.1 * np.ones(6)])
    around = np.vstack([points, ring])
    quads = np.array([[30, 31, 32, 33], [33, 34, 35, 30]])
    hexahedra = np.array([[0, 1, 2, 3, 4, 5, 6, 7]])
    wedge, pyramid = np.array([[0, 1, 2, 3, 4, 5]]), np.array([[0, 1, 2, 3, 4]])
    curved = np.array([[0, 1, 2, 3, 4, 5]])
    ten, twenty = np.array([range(10), range(10, 20)]), np.array([range(20)])
    many = np.array([random.choice(30, 8, replace=False) for _ in range(6)])
    return {
        "triangles": (points, [("triangle", triangles)]),
        "lines": (points, [("line", lines)]),
        "tetrahedra": (points, [("tetra", tetrahedra)]),
        "quads": (around, [("quad", quads)]),
        "mixed": (around, [("line", lines), ("triangle", triangles), ("quad", quads), ("tetra", tetrahedra)]),
        "others": (points, [("tetra", tetrahedra), ("hexahedron", hexahedra), ("wedge", wedge), ("pyramid", pyramid), ("triangle6", curved)]),
        "hexahedra": (points, [("hexahedron", many)]),
        "wedges": (points, [("wedge", many[:, :6])]),
        "pyramids": (points, [("pyramid", many[:, :5])]),
        "curved": (points, [("tetra10", ten), ("hexahedron20", twenty), ("triangle6", curved)]),
        "tetra10": (points, [("tetra10", ten)]),
        "vertices": (points, [("vertex", np.array([[0], [3]])), ("triangle", triangles)]),
        "large": (points * 1e30, [("triangle", triangles)]),
        "none": (points, []),
    }


def by_meshio(folder, random):
    forms = [("obj", "obj", {}), ("off", "off", {}), ("stl", "stl", {"binary": False}), ("stl", "stl", {"binary": True})]
    forms += [("ply", "ply", {"binary": binary}) for binary in (False, True)]
    forms += [("vtk", kind, {"binary": binary}) for kind in ("vtk42", "vtk51") for binary in (False, True)]
    forms += [("vtu", "vtu", {"binary": False}), ("vtu", "vtu", {"binary": True, "compression": None})]
    forms += [("vtu", "vtu", {"binary": True, "compression": name}) for name in ("zlib", "lzma")]
    forms += [("msh", kind, {"binary": binary}) for kind in ("gmsh 2.2", "gmsh 4.0", "gmsh 4.1") for binary in (False, True)]
    forms += [("mesh", "medit", {}), ("inp", "abaqus", {}), ("node", "tetgen", {}), ("ele", "tetgen", {})]
    for name, (points, cells) in meshes(random).items():
        for single in (False, True):
            for index, (ending, form, options) in enumerate(forms):
                path = folder / f"meshio-{name}-{'float' if single else 'double'}-{index}-{form.replace(' ', '')}.{ending}"
                mesh = meshio.Mesh(points.astype(np.float32) if single else points, cells)
                if form.startswith("gmsh") and name != "none":
                    mesh.cell_data = {
                        key: [np.ones(len(block.data), dtype=int) for block in mesh.cells]
                        for key in ("gmsh:physical", "gmsh:geometrical")
                    }
                try:
                    if name == "none" and form in ("abaqus", "medit"):
                        raise ValueError("no cells")
                    # meshio never ends where it reads elements of TetGen of which there are none.
                    if form == "tetgen" and {kind for kind, _ in cells} != {"tetra"}:
                        raise ValueError("other cells")
                    if form.startswith("gmsh"):
                        meshio.gmsh.write(path, mesh, fmt_version=form.split()[1], **options)
                    else:
                        meshio.write(path, mesh, file_format=form, **options)
                except BaseException:  # A format that cannot hold the mesh; meshio ends the program in some cases.
                    path.unlink(missing_ok=True)
                    continue
                # meshio does not read its own files of version 4.0 in ASCII: the mesh that it wrote is compared.
                of_file = lambda path=path: of_meshio(read_by_meshio(path))
                written = lambda mesh=mesh: of_meshio(mesh)
                read = written if form == "gmsh 4.0" and not options["binary"] else of_file
                yield path, f"meshio {form} {options}", read, ending == "stl"


def read_by_meshio(path):
    try:
        return meshio.read(path)
    except SystemExit as error:
        raise ValueError("meshio does not read it") from error


def vtk_points(points, kind):
    found = vtk.vtkPoints()
    found.SetDataType(kind)
    for point in points:
        found.InsertNextPoint(point)
    return found


def vtk_sets(random):
    angle = np.arange(7) * 2 * np.pi / 7
    flat = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(7)]) * [2, 1, 1]
    points = np.vstack([flat, random.uniform(-1, 1, (20, 3))])

    def ids(cell):
        found = vtk.vtkIdList()
        for corner in cell:
            found.InsertNextId(int(corner))
        return found

    for kind_name, kind in [("float", vtk.VTK_FLOAT), ("double", vtk.VTK_DOUBLE)]:
        grid = vtk.vtkUnstructuredGrid()
        grid.SetPoints(vtk_points(points, kind))
        for kind_of_cell, cell in [
            (10, [7, 8, 9, 10]), (5, [1, 8, 12]), (7, range(7)), (9, [0, 1, 2, 3]), (3, [4, 5]), (4, [5, 6, 7, 8]),
            (6, [9, 10, 11, 12, 13]), (1, [3]), (2, [1, 2]), (8, [0, 1, 3, 2]), (12, range(7, 15)), (13, range(7, 13)),
            (14, range(7, 12)), (24, range(10, 20)), (11, range(8, 16)), (21, [3, 4, 5]), (22, range(6)), (23, range(8)),
            (25, range(20)), (26, range(15)), (27, range(13)), (28, range(9)), (29, range(27)), (31, range(12)), (34, range(7)),
            (41, [1, 2]), (15, range(10)),
        ]:
            grid.InsertNextCell(kind_of_cell, ids(cell))
        yield f"grid-{kind_name}", grid
        surface = vtk.vtkPolyData()
        surface.SetPoints(vtk_points(points, kind))
        for name, cells in [
            ("Verts", [[1], [2, 3]]), ("Lines", [[0, 1], [2, 3, 4, 5]]), ("Polys", [[7, 8, 9], list(range(7)), [0, 2, 4, 6]]),
            ("Strips", [[10, 11, 12, 13, 14]]),
        ]:
            array = vtk.vtkCellArray()
            for cell in cells:
                array.InsertNextCell(ids(cell))
            getattr(surface, "Set" + name)(array)
        yield f"surface-{kind_name}", surface
        for name, data in [("grid", grid), ("surface", surface)]:
            rich = data.NewInstance()
            rich.DeepCopy(data)
            scalars = vtk.vtkFloatArray()
            scalars.SetName("a name")
            for index in range(rich.GetNumberOfPoints()):
                scalars.InsertNextValue(index)
            rich.GetPointData().SetScalars(scalars)
            words = vtk.vtkStringArray()
            words.SetName("words")
            words.InsertNextValue("some text")
            rich.GetFieldData().AddArray(words)
            yield f"{name}-{kind_name}-data", rich
        empty = vtk.vtkPolyData()
        empty.SetPoints(vtk_points(points, kind))
        yield f"points-{kind_name}", empty
    sphere = vtk.vtkSphereSource()
    sphere.SetThetaResolution(60)
    sphere.SetPhiResolution(60)
    sphere.Update()
    yield "sphere", sphere.GetOutput()
    plain = vtk.vtkPolyData()
    plain.SetPoints(vtk_points(points, vtk.VTK_FLOAT))
    array = vtk.vtkCellArray()
    for cell in [[7, 8, 9], [10, 11, 12]]:
        array.InsertNextCell(ids(cell))
    plain.SetPolys(array)
    yield "plain", plain


def read_by_vtk(reader, path):
    reader.SetFileName(str(path))
    reader.Update()
    return of_vtk(reader.GetOutput())


def by_vtk(folder, random):
    for name, data in vtk_sets(random):
        is_grid = data.IsA("vtkUnstructuredGrid")
        for version in (42, 51):
            for binary in (False, True):
                path = folder / f"vtk-{name}-{version}-{binary}.vtk"
                writer = vtk.vtkUnstructuredGridWriter() if is_grid else vtk.vtkPolyDataWriter()
                writer.SetFileVersion(version)
                writer.SetFileTypeToBinary() if binary else writer.SetFileTypeToASCII()
                writer.SetFileName(str(path))
                writer.SetInputData(data)
                writer.Write()
                make = vtk.vtkUnstructuredGridReader if is_grid else vtk.vtkPolyDataReader
                yield path, f"VTK legacy {version} {'binary' if binary else 'ascii'}", lambda m=make, p=path: read_by_vtk(m(), p), False
        for mode in ("Ascii", "Binary", "Appended"):
            for encoded in (False, True) if mode == "Appended" else (False,):
                for compressor in (None, "ZLib", "LZ4", "LZMA"):
                    for header in (32, 64):
                        for order in ("Little", "Big"):
                            form = f"{mode} encoded={encoded} {compressor} UInt{header} {order}"
                            ending = "vtu" if is_grid else "vtp"
                            path = folder / f"vtk-{name}-{form.replace(' ', '-').replace('=', '')}.{ending}"
                            writer = vtk.vtkXMLUnstructuredGridWriter() if is_grid else vtk.vtkXMLPolyDataWriter()
                            getattr(writer, f"SetDataModeTo{mode}")()
                            writer.SetEncodeAppendedData(encoded)
                            writer.SetHeaderType(header)
                            getattr(writer, f"SetByteOrderTo{order}Endian")()
                            getattr(writer, f"SetCompressorTypeTo{compressor or 'None'}")()
                            writer.SetBlockSize(512)
                            writer.SetFileName(str(path))
                            writer.SetInputData(data)
                            writer.Write()
                            make = vtk.vtkXMLUnstructuredGridReader if is_grid else vtk.vtkXMLPolyDataReader
                            yield path, f"VTK XML {mode} encoded={encoded} {compressor}", lambda m=make, p=path: read_by_vtk(m(), p), False
        if is_grid:
            continue
        for ending, make_writer, make_reader in [
            ("ply", vtk.vtkPLYWriter, vtk.vtkPLYReader), ("stl", vtk.vtkSTLWriter, vtk.vtkSTLReader), ("obj", vtk.vtkOBJWriter, vtk.vtkOBJReader),
        ]:
            for binary in (False, True) if ending != "obj" else (False,):
                for order in ("Little", "Big") if ending == "ply" and binary else ("",):
                    path = folder / f"vtk-{name}-{binary}-{order}.{ending}"
                    writer = make_writer()
                    if ending != "obj":
                        writer.SetFileTypeToBinary() if binary else writer.SetFileTypeToASCII()
                    if order:
                        getattr(writer, f"SetDataByteOrderTo{order}Endian")()
                    writer.SetFileName(str(path))
                    writer.SetInputData(data)
                    writer.Write()
                    if not path.exists() or path.stat().st_size == 0:
                        continue
                    yield path, f"VTK {ending} binary={binary} {order}", lambda m=make_reader, p=path: read_by_vtk(m(), p), ending == "stl"


def by_trimesh(folder, _):
    for name, mesh in [("box", trimesh.creation.box()), ("ball", trimesh.creation.icosphere(subdivisions=2))]:
        for ending, kind, options in [
            ("obj", "obj", {}), ("off", "off", {}), ("stl", "stl", {}), ("stl", "stl_ascii", {}), ("ply", "ply", {}),
            ("ply", "ply", {"encoding": "ascii"}), ("ply", "ply", {"vertex_normal": True}), ("glb", "glb", {}),
        ]:
            path = folder / f"trimesh-{name}-{kind}-{len(options)}-{'-'.join(map(str, options.values()))}.{ending}"
            mesh.export(path, file_type=kind, **options)
            yield path, f"trimesh {kind} {options}", lambda p=path: of_trimesh(loaded(p)), ending in ("stl", "glb")
    yield from scenes(folder)


def loaded(path):
    found = trimesh.load(path, process=False)
    return found.to_geometry() if isinstance(found, trimesh.Scene) else found


def scenes(folder):
    """Scenes of several moved, scaled and mirrored bodies, as trimesh writes glTF."""
    scene = trimesh.Scene()
    for index in range(4):
        body = trimesh.creation.icosphere(subdivisions=1) if index % 2 else trimesh.creation.box()
        matrix = trimesh.transformations.rotation_matrix(0.7 * index, [1, 2, 3])
        matrix[:3, 3] = [index, 0.5 * index, -index]
        matrix[:3, :3] *= 0.5 + 0.3 * index
        scene.add_geometry(body, node_name=f"body {index}", transform=matrix)
    child = trimesh.creation.cylinder(1, 2, sections=9)
    scene.add_geometry(child, node_name="child", parent_node_name="body 2", transform=np.diag([1, -1, 1, 1.0]))
    for ending in ("glb", "gltf"):
        path = folder / ending / f"scene.{ending}"
        path.parent.mkdir(exist_ok=True)
        if ending == "glb":
            path.write_bytes(scene.export(file_type="glb"))
        else:
            for name, data in scene.export(file_type="gltf").items():
                (path.parent / name.replace("model.gltf", path.name)).write_bytes(data)
        yield path, f"trimesh scene {ending}", lambda p=path: of_trimesh(loaded(p)), "near"


def by_gmsh(folder, _):
    """A box with two physical groups, meshed by Gmsh, in every version; read back by Gmsh itself or meshio."""
    import gmsh

    gmsh.initialize(interruptible=False)
    gmsh.option.setNumber("General.Terminal", 0)
    for order in (1, 2, 3):
        for recombined in (False, True) if order == 1 else (False,):
            gmsh.model.add("box")
            gmsh.model.occ.addBox(0, 0, 0, 1, 0.7, 0.5)
            gmsh.model.occ.synchronize()
            gmsh.model.addPhysicalGroup(3, [1], 1, "the body")
            gmsh.model.addPhysicalGroup(2, [1, 2, 3, 4, 5, 6], 2, "skin")
            gmsh.option.setNumber("Mesh.MeshSizeMax", 0.3)
            gmsh.option.setNumber("Mesh.RecombineAll", int(recombined))
            gmsh.option.setNumber("Mesh.Recombine3DAll", int(recombined))
            gmsh.model.mesh.generate(3)
            gmsh.model.mesh.setOrder(order)
            for version in (2.2, 4.0, 4.1):
                for binary in (0, 1) if version != 4.0 else (0,):
                    gmsh.option.setNumber("Mesh.MshFileVersion", version)
                    gmsh.option.setNumber("Mesh.Binary", binary)
                    path = folder / f"gmsh-{order}-{recombined}-{version}-{binary}.msh"
                    gmsh.write(str(path))
                    yield path, f"Gmsh {version} binary={binary}", lambda p=path: of_meshio(read_by_meshio(p)), False
            gmsh.option.setNumber("Mesh.Binary", 0)
            for ending in ("inp", "mesh"):
                path = folder / f"gmsh-{order}-{recombined}.{ending}"
                gmsh.write(str(path))
                yield path, f"Gmsh {ending}", lambda p=path: of_meshio(read_by_meshio(p)), False
            gmsh.model.remove()
    gmsh.finalize()


def of_folder(folder):
    readers = {
        ".vtk": None, ".vtu": vtk.vtkXMLUnstructuredGridReader, ".vtp": vtk.vtkXMLPolyDataReader, ".ply": vtk.vtkPLYReader,
        ".stl": vtk.vtkSTLReader, ".obj": vtk.vtkOBJReader,
    }
    for path in sorted(folder.iterdir()):
        ending = path.suffix.lower()
        if ending == ".vtk":
            kind = "PolyData" if b"POLYDATA" in path.read_bytes()[:500].upper() else "UnstructuredGrid"
            make = getattr(vtk, f"vtk{kind}Reader")
            yield path, "folder", lambda m=make, p=path: read_by_vtk(m(), p), False
        elif ending in readers:
            yield path, "folder", lambda m=readers[ending], p=path: read_by_vtk(m(), p), ending in (".stl", ".obj")
        elif ending in (".off", ".msh"):
            yield path, "folder", lambda p=path: of_meshio(read_by_meshio(p)), False


# -- the comparison -------------------------------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump")
    parser.add_argument("--meshes", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    vtk.vtkObject.GlobalWarningDisplayOff()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        random = np.random.default_rng(7)
        files = [file for make in (by_meshio, by_vtk, by_trimesh, by_gmsh) for file in make(folder, random)]
        if arguments.meshes:
            files += list(of_folder(arguments.meshes))
        names = "\n".join(str(path) for path, *_ in files)
        output = subprocess.run([arguments.dump, "-"], input=names, capture_output=True, text=True, check=True).stdout
        answers = [json.loads(line) for line in output.splitlines()]
        assert len(answers) == len(files), (len(answers), len(files))
        outcomes, wrong = collections.defaultdict(collections.Counter), 0
        for (path, form, read, merged), ours in zip(files, answers):
            try:
                theirs = read()
            except Exception as error:
                theirs, problem = None, error
            if "error" in ours:
                reason = ours["error"].replace(str(path), "FILE")
                outcomes[form]["refused: " + reason] += 1
                continue
            if theirs is None:
                outcomes[form]["read by palpate only"] += 1
                print(f"only palpate reads {path.name}: {problem}")
                continue
            what = difference(ours, theirs, merged)
            outcomes[form]["equal" if what is None else "DIFFERENT"] += 1
            if what is not None:
                wrong += 1
                print(f"DIFFERENT {path.name} ({form}): {what}")
        total = collections.Counter()
        for form, counts in outcomes.items():
            print(f"{form}: " + "; ".join(f"{count} {what}" for what, count in counts.items()))
            for what, count in counts.items():
                total["refused" if what.startswith("refused") else what] += count
        print("all: " + ", ".join(f"{count} {what}" for what, count in total.items()))
        sys.exit(1 if wrong else 0)


main()
