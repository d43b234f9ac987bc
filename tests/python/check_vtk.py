"""Checks that VTK and h5py read the files that palpate writes, and read the same.

    python check_vtk.py session.vtkhdf [more.vtkhdf ...] [--contacts contacts.h5]

Of a session: vtkHDFReader steps through time, and has at every step and for every object the points and cells that h5py
reads in the same file, and the points that palpate's checksums promise. Of contacts: h5py reads a structured array whose
columns fit one another, and, if there are points for VTK, vtkHDFReader has them at every step. Says what it has compared;
exits with status 1 at the first difference.
"""

import argparse
import json
import sys
import zlib

import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

CATEGORIES = ["Vertices", "Lines", "Polygons", "Strips"]
CONTACT_FIELDS = ("a", "b", "direction", "depth", "depth_upper", "time_of_impact", "id")


def demand(condition, *what):
    if not condition:
        sys.exit("check_vtk: " + " ".join(str(word) for word in what))


def step_of_h5py(group, step):
    """Points, and per category offsets and point ids, of one step of a dataset, by the rules of VTKHDF."""
    steps = group["Steps"]
    part = int(steps["PartOffsets"][step])
    demand(int(steps["NumberOfParts"][step]) == 1, group.name, "has several parts in step", step)
    start = int(steps["PointOffsets"][step])
    points = group["Points"][start : start + int(group["NumberOfPoints"][part])]
    poly = group.attrs["Type"] == b"PolyData"
    cells = []
    for column, place in enumerate([group[name] for name in CATEGORIES] if poly else [group]):
        index = (step, column) if poly else step
        count = int(place["NumberOfCells"][part])
        first = int(steps["CellOffsets"][index]) + part
        ids = int(steps["ConnectivityIdOffsets"][index])
        offsets = place["Offsets"][first : first + count + 1]
        connectivity = place["Connectivity"][ids : ids + int(place["NumberOfConnectivityIds"][part])]
        cells.append((offsets, connectivity))
    return points, cells


def step_of_vtk(data):
    """The same of a vtkPolyData or vtkUnstructuredGrid."""
    points = vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else np.zeros((0, 3))
    if data.IsA("vtkPolyData"):
        arrays = [data.GetVerts(), data.GetLines(), data.GetPolys(), data.GetStrips()]
    else:
        arrays = [data.GetCells()]
    found = []
    for array in arrays:
        offsets, connectivity = array.GetOffsetsArray(), array.GetConnectivityArray()
        found.append((vtk_to_numpy(offsets), vtk_to_numpy(connectivity)))
    return points, found


def leaves(data):
    """The datasets of a composite by name; a single one has the name ''."""
    if not data.IsA("vtkCompositeDataSet"):
        return {"": data}
    found = {}
    iterator = data.NewIterator()
    iterator.InitTraversal()
    while not iterator.IsDoneWithTraversal():
        name = iterator.GetCurrentMetaData().Get(vtk.vtkCompositeDataSet.NAME())
        found[name] = iterator.GetCurrentDataObject()
        iterator.GoToNextItem()
    return found


def same_cells(wanted, found):
    # VTK gives empty arrays other offsets than the file.
    return all(
        (len(ids) == 0 and len(other_ids) == 0)
        or (np.array_equal(offsets, other_offsets) and np.array_equal(ids, other_ids))
        for (offsets, ids), (other_offsets, other_ids) in zip(wanted, found, strict=True)
    )


def reader_of(path):
    reader = vtk.vtkHDFReader()
    demand(reader.CanReadFile(path), path, "is not accepted by vtkHDFReader")
    reader.SetFileName(path)
    reader.UpdateInformation()
    return reader


def check_session(path):
    with h5py.File(path) as file:
        root = file["VTKHDF"]
        composite = root.attrs["Type"] == b"MultiBlockDataSet"
        names = list(root["Assembly"]) if composite else [""]
        groups = {name: root[name] if name else root for name in names}
        times = root["Steps/Values"][:]
        reader = reader_of(path)
        demand(reader.GetNumberOfSteps() == len(times), path, "has", reader.GetNumberOfSteps(), "steps in VTK")
        numbers = 0
        for step, time in enumerate(times):
            reader.SetStep(step)
            reader.Update()
            demand(reader.GetTimeValue() == time, path, "step", step, "is at", reader.GetTimeValue(), "in VTK")
            found = leaves(reader.GetOutputDataObject(0))
            demand(sorted(found) == sorted(groups), path, "has the blocks", sorted(found), "in VTK")
            for name, group in groups.items():
                points, cells = step_of_h5py(group, step)
                vtk_points, vtk_cells = step_of_vtk(found[name])
                demand(np.array_equal(points, vtk_points), path, name, "step", step, "has other points in VTK")
                demand(same_cells(cells, vtk_cells), path, name, "step", step, "has other cells in VTK")
                numbers += points.size
        checked = check_frames(path, file)
    print(f"{path}: {len(names)} object(s), {len(times)} steps, {numbers} coordinates; {checked}")


def check_frames(path, file):
    """Compares what h5py reads with the checksums of palpate's frames."""
    if "palpate/frame_crc32" not in file:
        return "no checksums"
    text = file["palpate/session"][()]
    demand(zlib.crc32(text) == int(file["palpate/session_crc32"][()]), path, "has a header of another checksum")
    header = json.loads(text)
    times = file["palpate/times"][:]
    for frame, stored in enumerate(file["palpate/frame_crc32"][:]):
        checksum = zlib.crc32(times[frame].tobytes())
        for entry in header["objects"]:
            data = file[entry["data"]]
            if isinstance(data, h5py.Group):
                state = step_of_h5py(data, frame)[0].astype("<f8")
            else:
                state = data[min(frame, len(data) - 1)]
            checksum = zlib.crc32(state.tobytes(), checksum)
            if isinstance(data, h5py.Group) and "placement" in entry:
                poses = file[entry["placement"]]
                checksum = zlib.crc32(poses[min(frame, len(poses) - 1)].tobytes(), checksum)
        demand(checksum == stored, path, "frame", frame, "has another checksum")
    return f"{len(times)} checksums"


def check_contacts(path):
    with h5py.File(path) as file:
        contacts = file["contacts"][:]
        pairs = file["pair"][:]
        offsets = file["frame_offsets"][:]
        demand(contacts.dtype.names == CONTACT_FIELDS, path, "has the fields", contacts.dtype.names)
        demand(contacts.dtype.itemsize == 232, path, "has records of", contacts.dtype.itemsize, "bytes")
        demand(len(pairs) == len(contacts) == offsets[-1], path, "has columns of several lengths")
        demand(np.all(np.diff(offsets.astype("i8")) >= 0) and offsets[0] == 0, path, "has offsets that fall")
        demand(np.all(pairs < len(file["pairs/a"])), path, "names pairs that are not there")
        lengths = np.linalg.norm(contacts["direction"], axis=1)
        demand(np.all(np.abs(lengths - 1.0) < 1e-12), path, "has directions that are not of unit length")
        steps = "no points for VTK"
        if "VTKHDF" in file:
            reader = reader_of(path)
            demand(reader.GetNumberOfSteps() == len(offsets) - 1, path, "has other steps in VTK")
            for step, (start, end) in enumerate(zip(offsets[:-1], offsets[1:])):
                reader.SetStep(step)
                reader.Update()
                data = reader.GetOutputDataObject(0)
                demand(data.GetNumberOfPoints() == end - start, path, "step", step, "has other points in VTK")
                if start == end:
                    continue
                wanted = contacts[start:end]
                points, arrays = vtk_to_numpy(data.GetPoints().GetData()), data.GetPointData()
                demand(np.array_equal(points, wanted["a"]["point"]), path, "step", step, "has other points in VTK")
                for name, values in [("direction", wanted["direction"]), ("depth", wanted["depth"]), ("pair", pairs[start:end])]:
                    found = vtk_to_numpy(arrays.GetArray(name))
                    demand(np.array_equal(found, values), path, "step", step, "has another", name, "in VTK")
            steps = f"{len(offsets) - 1} steps in VTK"
    print(f"{path}: {len(contacts)} contacts in {len(offsets) - 1} frames; {steps}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sessions", nargs="*", metavar="SESSION")
    parser.add_argument("--contacts", action="append", default=[], metavar="FILE")
    arguments = parser.parse_args()
    demand(arguments.sessions or arguments.contacts, "nothing to check")
    for path in arguments.sessions:
        check_session(path)
    for path in arguments.contacts:
        check_contacts(path)


if __name__ == "__main__":
    main()
