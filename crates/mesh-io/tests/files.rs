//! Written files read back unchanged, and damaged files are errors.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate_geometry::{LineMesh, SurfaceMesh, TetraMesh};
use palpate_math::Point;
use palpate_mesh_io::{Contents, Format, Mesh, MeshIoError, read, read_bytes, write, write_bytes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Coordinates that have no short decimal form.
fn positions() -> Vec<Point> {
    let third = 1.0 / 3.0;
    [
        [0.0, -third, 1e-300],
        [1.0, 0.0, 0.0],
        [0.0, 1e17 * third, 0.0],
        [0.1 + 0.2, 0.0, 1.0],
        [-0.0, 2.0, 3.5],
    ]
    .map(Point::from)
    .to_vec()
}

fn meshes() -> [Mesh; 3] {
    [
        Mesh::Lines(LineMesh::new(positions(), vec![[0, 1], [1, 4], [3, 2]]).unwrap()),
        Mesh::Surface(SurfaceMesh::new(positions(), vec![[0, 1, 2], [2, 1, 3], [4, 0, 3]]).unwrap()),
        Mesh::Tetra(TetraMesh::new(positions(), vec![[0, 1, 2, 3], [4, 3, 2, 1]]).unwrap()),
    ]
}

fn same(mesh: &Mesh, contents: Contents) {
    let read = contents.clone().into_mesh().unwrap();
    match (mesh, read) {
        (Mesh::Lines(a), Mesh::Lines(b)) => assert_eq!(a.cells(), b.cells()),
        (Mesh::Surface(a), Mesh::Surface(b)) => assert_eq!(a.triangles(), b.triangles()),
        (Mesh::Tetra(a), Mesh::Tetra(b)) => assert_eq!(a.cells(), b.cells()),
        (_, other) => panic!("read as {other:?}"),
    }
    let bits =
        |points: &[Point]| points.iter().flat_map(|p| p.iter().map(|x| x.to_bits())).collect::<Vec<_>>();
    assert_eq!(bits(&contents.positions), bits(&positions()));
}

#[test]
fn what_is_written_reads_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let [lines, surface, tetra] = meshes();
    for (mesh, endings) in [
        (lines, vec!["obj", "ply", "vtu", "obj.gz"]),
        (surface, vec!["obj", "ply", "vtu"]),
        (tetra, vec!["vtu", "vtu.gz"]),
    ] {
        for ending in endings {
            let path = folder.path().join(format!("mesh.{ending}"));
            let report = write(&path, &mesh).unwrap();
            assert_eq!((report.vertices, report.removed_cells), (5, 0), "{ending}");
            same(&mesh, read(&path).unwrap());
        }
    }
}

#[test]
fn a_surface_survives_stl_to_32_bits() {
    let [_, surface, _] = meshes();
    let bytes = write_bytes(&surface, Format::Stl, "a.stl").unwrap().0;
    let contents = read_bytes(&bytes, Format::Stl, "a.stl").unwrap();
    // Numbered in the order of first use by the triangles: 0, 1, 2, 3, 4.
    assert_eq!(contents.triangles, [[0, 1, 2], [2, 1, 3], [4, 0, 3]]);
    for (read, written) in contents.positions.iter().zip(positions()) {
        assert_eq!(read.coords, written.coords.map(|x| f64::from(x as f32)));
    }
}

/// A grid of a thousand points, its cells, and which of them to remove.
fn cut_meshes() -> [Mesh; 3] {
    let points: Vec<Point> =
        (0..1000).map(|k| Point::from([k % 10, k / 10 % 10, k / 100].map(f64::from))).collect();
    let ids = |k: u32| [k, k + 1, k + 10, k + 100];
    let starts: Vec<u32> = (0..1000).filter(|k| k % 10 < 9 && k / 10 % 10 < 9 && k / 100 < 9).collect();
    let removed: Vec<u32> = (0..starts.len() as u32).filter(|k| k % 3 == 1 || *k > 700).collect();
    let tetrahedra = starts.iter().map(|&k| ids(k)).collect();
    let triangles = starts.iter().map(|&k| [k, k + 1, k + 10]).collect();
    let mut lines = LineMesh::new(points.clone(), starts.iter().map(|&k| [k, k + 1]).collect()).unwrap();
    let mut surface = SurfaceMesh::new(points.clone(), triangles).unwrap();
    let mut tetra = TetraMesh::new(points, tetrahedra).unwrap();
    lines.remove_cells(&removed).unwrap();
    surface.remove_cells(&removed).unwrap();
    tetra.remove_cells(&removed).unwrap();
    [Mesh::Lines(lines), Mesh::Surface(surface), Mesh::Tetra(tetra)]
}

/// Every writer writes what is left of a cut mesh, as of the mesh compacted before, and counts the rest.
#[test]
fn what_is_left_of_a_cut_mesh_is_written() {
    let mut files = 0;
    for mesh in cut_meshes() {
        let mut compacted = mesh.clone();
        match &mut compacted {
            Mesh::Lines(mesh) => drop(mesh.compact()),
            Mesh::Surface(mesh) => drop(mesh.compact()),
            Mesh::Tetra(mesh) => drop(mesh.compact()),
        }
        for format in [Format::Obj, Format::Ply, Format::Stl, Format::Vtu] {
            let Ok((bytes, report)) = write_bytes(&mesh, format, "mesh") else { continue };
            let (wanted, whole) = write_bytes(&compacted, format, "mesh").unwrap();
            assert!(bytes == wanted, "{format}");
            assert_eq!((report.vertices, report.cells, report.removed_cells), (1000, 467, 262), "{format}");
            assert_eq!((whole.cells, whole.removed_cells), (467, 0), "{format}");
            let contents = read_bytes(&bytes, format, "mesh").unwrap();
            let cells = contents.lines.len() + contents.triangles.len() + contents.tetrahedra.len();
            assert_eq!(cells, 467, "{format}");
            files += 1;
        }
    }
    assert_eq!(files, 3 + 4 + 1);
}

/// A mesh without cells is written as its vertices, in the formats of its kind.
#[test]
fn a_mesh_of_which_nothing_is_left_is_written_as_its_vertices() {
    let mut tetra = TetraMesh::new(positions(), vec![[0, 1, 2, 3]]).unwrap();
    tetra.remove_cells(&[0]).unwrap();
    let mesh = Mesh::Tetra(tetra);
    let (bytes, report) = write_bytes(&mesh, Format::Vtu, "mesh").unwrap();
    assert_eq!((report.vertices, report.cells, report.removed_cells), (5, 0, 1));
    assert_eq!(read_bytes(&bytes, Format::Vtu, "mesh").unwrap().summary(), "5 points");
    assert!(write_bytes(&mesh, Format::Obj, "mesh").unwrap_err().to_string().contains("obj for tetrahedra"));
}

#[test]
fn formats_that_cannot_hold_a_mesh_are_refused_by_name() {
    let [lines, _, tetra] = meshes();
    let error = |mesh: &Mesh, format| write_bytes(mesh, format, "out").unwrap_err().to_string();
    assert_eq!(
        error(&lines, Format::Stl),
        "out: the format is stl for lines: wanted vtu, which holds all kinds"
    );
    assert!(error(&tetra, Format::Obj).contains("obj for tetrahedra"));
    assert!(error(&lines, Format::Gmsh).contains("wanted obj, ply, stl or vtu"));
}

#[test]
fn a_missing_file_and_missing_cells_are_named() {
    let error = read("no/such/mesh.obj").unwrap_err();
    assert!(
        matches!(error, MeshIoError::Io { .. })
            && error.to_string().starts_with("no/such/mesh.obj: reading failed")
    );
    let [lines, ..] = meshes();
    let bytes = write_bytes(&lines, Format::Obj, "a.obj").unwrap().0;
    let contents = read_bytes(&bytes, Format::Obj, "a.obj").unwrap();
    let error = contents.into_surface().unwrap_err().to_string();
    assert_eq!(error, "a.obj: holds 5 points, 3 lines: wanted triangles");
}

const LEGACY_ASCII: &[u8] =
    b"# vtk DataFile Version 3.0\na test\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n\
    0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 2 9\n4 0 1 2 3\n3 0 1 2\nCELL_TYPES 2\n10 5\n";
const OFF: &[u8] = b"OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n4 0 1 2 3\n";
const GMSH_2: &[u8] =
    b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
    $Elements\n2\n1 2 2 1 1 1 2 3\n2 4 2 1 1 1 2 3 4\n$EndElements\n";
const GMSH_4: &[u8] = b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n\
    $EndNodes\n$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n";

fn binary_ply() -> Vec<u8> {
    let mut bytes =
        b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
        property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
            .to_vec();
    for x in [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32] {
        bytes.extend(x.to_le_bytes());
    }
    bytes.push(3);
    [0, 1, 2_i32].iter().for_each(|id| bytes.extend(id.to_le_bytes()));
    bytes
}

fn binary_legacy() -> Vec<u8> {
    let mut bytes =
        b"# vtk DataFile Version 3.0\na test\nBINARY\nDATASET POLYDATA\nPOINTS 3 float\n".to_vec();
    for x in [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32] {
        bytes.extend(x.to_be_bytes());
    }
    bytes.extend(b"\nPOLYGONS 1 4\n");
    [3, 0, 1, 2_i32].iter().for_each(|id| bytes.extend(id.to_be_bytes()));
    bytes.push(b'\n');
    bytes
}

/// A byte changed; bytes removed, duplicated or inserted; digits enlarged; the end truncated.
fn damaged(bytes: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..bytes.len().max(1));
        let length = random.random_range(1..9).min(bytes.len() - at.min(bytes.len()));
        match random.random_range(0..6) {
            0 if at < bytes.len() => bytes[at] = random.random_range(0..=255),
            1 => drop(bytes.drain(at..at + length)),
            2 => {
                let part = bytes[at..at + length].to_vec();
                bytes.splice(at..at, part);
            }
            3 => drop(bytes.splice(at..at, *b"99999999999")),
            4 => {
                if let Some(digit) = bytes.iter().skip(at).position(u8::is_ascii_digit) {
                    let place = at + digit;
                    bytes.splice(place..=place, b"4294967295".iter().copied());
                }
            }
            _ => bytes.truncate(at),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Every damaged copy is read or rejected, without a panic; those that are read form a mesh or give an error.
#[test]
fn damaged_files_are_errors() {
    let [lines, surface, tetra] = meshes();
    let written = |mesh: &Mesh, format| write_bytes(mesh, format, "mesh").unwrap().0;
    let originals = [
        (Format::Obj, written(&surface, Format::Obj)),
        (Format::Stl, written(&surface, Format::Stl)),
        (
            Format::Stl,
            b"solid\nfacet\nouter\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"
                .to_vec(),
        ),
        (Format::Ply, written(&lines, Format::Ply)),
        (Format::Ply, binary_ply()),
        (Format::Off, OFF.to_vec()),
        (Format::VtkLegacy, LEGACY_ASCII.to_vec()),
        (Format::VtkLegacy, binary_legacy()),
        (Format::Vtu, written(&tetra, Format::Vtu)),
        (Format::Gmsh, GMSH_2.to_vec()),
        (Format::Gmsh, GMSH_4.to_vec()),
    ];
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for (format, original) in originals {
        read_bytes(&original, format, "mesh").unwrap().into_mesh().unwrap();
        let (mut refused, mut read) = (0, 0);
        for _ in 0..400 {
            let copy = damaged(&original, &mut random);
            match read_bytes(&copy, format, "mesh") {
                Ok(contents) => {
                    assert!(contents.positions.len() <= copy.len() && contents.triangles.len() <= copy.len());
                    let _ = contents.into_mesh();
                    read += 1;
                }
                Err(error) => {
                    assert!(error.to_string().starts_with("mesh"), "{error}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 60, "{format}: {refused} refused, {read} read");
    }
}
