//! Hostile and odd files of every format: read as other readers read them, or refused by name.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate_math::Limits;
use palpate_mesh_io::{Contents, Format, ReadOptions, read, read_bytes, read_bytes_with, read_with};
use std::io::Read;
use std::time::{Duration, Instant};

const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const STL: &str = "solid a\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\nendsolid a\n";
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
const OFF: &str = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
const LEGACY: &str = "# vtk DataFile Version 3.0\na test\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n\
    POLYGONS 1 4\n3 0 1 2\n";
const VTU: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\">\n<UnstructuredGrid>\n\
    <Piece NumberOfPoints=\"3\" NumberOfCells=\"1\">\n<Points>\n\
    <DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0</DataArray>\n</Points>\n<Cells>\n\
    <DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2</DataArray>\n\
    <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">3</DataArray>\n\
    <DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">5</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
const GMSH: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n\
    $Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n";

const MEDIT: &str = "MeshVersionFormatted 2\nDimension 3\nVertices\n3\n0 0 0 0\n1 0 0 0\n0 1 0 0\nTriangles\n1\n1 2 3 0\nEnd\n";

/// One triangle in every format in text.
const TEXTS: [(Format, &str); 8] = [
    (Format::Medit, MEDIT),
    (Format::Obj, OBJ),
    (Format::Stl, STL),
    (Format::Ply, PLY),
    (Format::Off, OFF),
    (Format::VtkLegacy, LEGACY),
    (Format::Vtu, VTU),
    (Format::Gmsh, GMSH),
];

fn is_the_triangle(contents: &Contents) -> bool {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(palpate_math::Point::from);
    contents.positions == points && contents.triangles == [[0, 1, 2]]
}

fn error(bytes: &[u8], format: Format) -> String {
    read_bytes(bytes, format, "mesh").map(|contents| contents.summary()).unwrap_err().to_string()
}

#[test]
fn byte_order_marks_ends_of_lines_and_tabs_are_read_in_every_format() {
    for (format, text) in TEXTS {
        let marked = format!("\u{feff}{text}");
        let windows = text.replace('\n', "\r\n");
        let blanks = text.replace('\n', " \t\n");
        for text in [text, &marked, &windows, &blanks] {
            let contents = read_bytes(text.as_bytes(), format, "mesh").unwrap();
            assert!(is_the_triangle(&contents), "{format}: {text:?}");
        }
    }
}

#[test]
fn capitals_are_read_where_other_readers_read_them() {
    for (format, text) in TEXTS {
        let capitals = text.to_uppercase();
        match format {
            Format::Stl | Format::Off | Format::VtkLegacy | Format::Gmsh | Format::Medit => {
                assert!(
                    is_the_triangle(&read_bytes(capitals.as_bytes(), format, "mesh").unwrap()),
                    "{format}"
                );
            }
            // Keywords are read; names of elements and properties differ in capitals.
            Format::Ply => {
                let contents = read_bytes(capitals.as_bytes(), format, "mesh").unwrap();
                assert_eq!(contents.summary(), "1 FACE left out, 3 VERTEX left out");
            }
            _ => assert!(error(capitals.as_bytes(), format).starts_with("mesh"), "{format}"),
        }
    }
}

#[test]
fn numbers_that_are_not_finite_or_not_understood_are_named_in_every_format() {
    for (format, text) in TEXTS {
        for (word, wanted) in [
            ("nan", "NaN: wanted a finite number"),
            ("inf", "inf: wanted a finite number"),
            ("1.0D0", "\"1.0D0\""),
        ] {
            let broken = text.replacen("1 0 0", &format!("1 {word} 0"), 1);
            assert_ne!(broken, text);
            let error = error(broken.as_bytes(), format);
            assert!(error.contains(wanted), "{format}: {error}");
        }
        let large = text.replacen("1 0 0", if format == Format::Gmsh { "1 1e999 0" } else { "1e999 0 0" }, 1);
        let error = error(large.as_bytes(), format);
        assert!(error.contains("inf: wanted a finite number"), "{format}: {error}");
    }
}

#[test]
fn numbers_of_binary_files_that_are_not_finite_are_named() {
    let mut stl = vec![b' '; 80];
    stl.extend(1_u32.to_le_bytes());
    for x in [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, f32::NAN, 0.0, 0.0, 1.0, 0.0] {
        stl.extend(x.to_le_bytes());
    }
    stl.extend([0, 0]);
    assert!(error(&stl, Format::Stl).contains("byte 108: the y of vertex 1 is NaN"));
    let mut ply = PLY.split("end_header").next().unwrap().replace("ascii", "binary_big_endian").into_bytes();
    ply.extend(b"end_header\n");
    let place = ply.len() + 12;
    for x in [0.0, 0.0, 0.0, 1.0, 0.0, f32::NEG_INFINITY, 0.0, 1.0, 0.0] {
        ply.extend(x.to_be_bytes());
    }
    ply.extend([3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
    assert!(error(&ply, Format::Ply).contains(&format!("byte {place}: the z of vertex 1 is -inf")));
    let mut legacy = LEGACY.split("0 0 0").next().unwrap().replace("ASCII", "BINARY").into_bytes();
    let place = legacy.len() + 12;
    for x in [0.0, 0.0, 0.0, f32::NAN, 0.0, 0.0, 0.0, 1.0, 0.0] {
        legacy.extend(x.to_be_bytes());
    }
    assert!(error(&legacy, Format::VtkLegacy).contains(&format!("byte {place}: the x of vertex 1 is NaN")));
}

#[test]
fn continued_lines_of_an_obj_file_are_read() {
    let text = "v 0 0 0\r\nv 1 0 \\\r\n 0\r\nv 0 1 0\r\nf 1 \\\r\n  2 \\\r\n  3\r\n";
    assert!(is_the_triangle(&read_bytes(text.as_bytes(), Format::Obj, "mesh").unwrap()));
}

#[test]
fn elements_without_properties_are_refused_at_once() {
    let text = "ply\nformat binary_little_endian 1.0\nelement junk 999999999999\nelement vertex 3\nproperty float x\n\
        property float y\nproperty float z\nend_header\n";
    let bytes = [text.as_bytes(), &[0; 36]].concat();
    let start = Instant::now();
    let wanted =
        "mesh, line 4: the number of properties of the 999999999999 elements \"junk\" is 0: wanted 1 or more";
    assert_eq!(error(&bytes, Format::Ply), wanted);
    for count in ["999999999999", "18446744073709551615"] {
        let many = PLY.replace("vertex 3", &format!("vertex {count}"));
        assert!(error(many.as_bytes(), Format::Ply).contains("line 13: behind the values of an element"));
        let many =
            text.replace("element junk 999999999999\n", "").replace("vertex 3", &format!("vertex {count}"));
        let bytes = [many.as_bytes(), &[0; 36]].concat();
        assert!(error(&bytes, Format::Ply).contains("an element \"vertex\" is cut off: 0 bytes are left"));
        let many =
            text.replace("element vertex 3", &format!("element other {count}\nproperty list uchar int w"));
        let bytes = [many.replace("element junk 999999999999\n", "").as_bytes(), &[0; 36]].concat();
        let error = error(&bytes, Format::Ply);
        assert!(error.contains("an element \"other\" is cut off"), "{error}");
    }
    assert!(start.elapsed() < Duration::from_secs(5));
}

/// A grid whose points are compressed, in a block of `expanded` zeros that the head of the array declares, or of as
/// many as it should have.
fn compressed(expanded: usize, honest: bool, points: usize) -> Vec<u8> {
    let mut packed = Vec::new();
    let zeros = std::io::repeat(0).take(expanded as u64);
    flate2::read::ZlibEncoder::new(zeros, flate2::Compression::fast()).read_to_end(&mut packed).unwrap();
    let declared = if honest { expanded } else { 12 * points };
    let mut appended = Vec::new();
    for number in [1, declared as u64, 0, packed.len() as u64] {
        appended.extend(number.to_le_bytes());
    }
    appended.extend(packed);
    let head = VTU
        .replace("version=\"0.1\"", "version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"")
        .replace("NumberOfPoints=\"3\"", &format!("NumberOfPoints=\"{points}\""))
        .replace("format=\"ascii\">0 0 0 1 0 0 0 1 0<", "format=\"appended\" offset=\"0\"><")
        .replace("</VTKFile>\n", "<AppendedData encoding=\"raw\">_");
    [head.as_bytes(), &appended, b"</AppendedData></VTKFile>\n"].concat()
}

#[test]
fn compressed_data_expand_to_no_more_than_their_piece_declares_and_the_limit() {
    let contents = read_bytes(&compressed(36, true, 3), Format::Vtu, "mesh").unwrap();
    assert_eq!((contents.positions.len(), contents.triangles.len()), (3, 1));
    // Declared by the head of the array, not by the piece.
    let bomb = compressed(256 << 20, true, 3);
    assert!(bomb.len() < 4 << 20, "{}", bomb.len());
    let start = Instant::now();
    let wanted =
        "mesh, line 6: the number of bytes of an array is 268435456: wanted 36, as the piece declares";
    assert_eq!(error(&bomb, Format::Vtu), wanted);
    // Declared by neither.
    let bomb = compressed(256 << 20, false, 3);
    assert!(error(&bomb, Format::Vtu).contains("line 6: the data of an array is cut off or damaged"));
    // Declared by both.
    let bomb = compressed(12 << 20, true, 1 << 20);
    let limits = Limits { expanded_bytes: 10 << 20, expansion_ratio: 10, ..Limits::DEFAULT };
    let error = read_bytes_with(&bomb, Format::Vtu, "mesh", &limits).unwrap_err().to_string();
    let wanted = "mesh, line 6: the number of bytes of the arrays up to here, expanded, is 12582912: wanted at most 10485760, the limit expanded_bytes";
    assert_eq!(error, wanted);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(read_bytes(&bomb, Format::Vtu, "mesh").unwrap().positions.len(), 1 << 20);
}

// Proves: REQ-LIMIT-POLYGON-CORNERS, REQ-LIMIT-MESH-BYTES
#[test]
fn limits_of_corners_and_of_bytes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.obj");
    let polygon: String = (1..=500).map(|corner| format!(" {corner}")).collect();
    std::fs::write(&path, format!("{}f{polygon}\n", "v 0 0 0\n".repeat(500))).unwrap();
    assert_eq!(read(&path).unwrap().triangles.len(), 498);
    let mut options = ReadOptions::default();
    options.limits.polygon_corners = 499;
    let error = read_with(&path, &options).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "line 501: the number of corners of a face is 500: wanted at most 499, the limit polygon_corners"
        ),
        "{error}"
    );
    let bytes = std::fs::metadata(&path).unwrap().len();
    let mut options = ReadOptions::default();
    options.limits.mesh_bytes = bytes;
    assert!(read_with(&path, &options).is_ok());
    options.limits.mesh_bytes = bytes - 1;
    let error = read_with(&path, &options).unwrap_err().to_string();
    let wanted = format!(
        "mesh.obj: the number of bytes is {bytes}: wanted at most {}, the limit mesh_bytes",
        bytes - 1
    );
    assert!(error.ends_with(&wanted), "{error}");
}

#[test]
fn a_directory_is_no_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.obj");
    std::fs::create_dir(&path).unwrap();
    for special_files in [false, true] {
        let options = ReadOptions { special_files, ..ReadOptions::default() };
        let error = read_with(&path, &options).unwrap_err().to_string();
        assert!(error.ends_with("mesh.obj: the file is a directory: wanted a regular file"), "{error}");
    }
}

/// Also through links. A pipe that nobody writes to would never end, a device never either.
#[cfg(unix)]
// Proves: REQ-NO-PIPES
#[test]
fn pipes_and_devices_are_refused_unopened_unless_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("mesh.obj");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let error = read(&pipe).unwrap_err().to_string();
    assert!(error.ends_with("mesh.obj: the file is a named pipe: wanted a regular file"), "{error}");
    let endless = folder.path().join("mesh.stl");
    std::os::unix::fs::symlink("/dev/zero", &endless).unwrap();
    let error = read(&endless).unwrap_err().to_string();
    assert!(error.ends_with("mesh.stl: the file is a device: wanted a regular file"), "{error}");
    let mut options = ReadOptions { special_files: true, ..ReadOptions::default() };
    options.limits.mesh_bytes = 1 << 20;
    let error = read_with(&endless, &options).unwrap_err().to_string();
    assert!(error.ends_with("is 1048577: wanted at most 1048576, the limit mesh_bytes"), "{error}");
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, OBJ).unwrap()
    });
    assert!(is_the_triangle(&read_with(&pipe, &options).unwrap()));
    writer.join().unwrap();
}

/// Counts that are larger than what follows, or smaller.
#[test]
fn counts_that_are_not_those_of_the_file_are_refused() {
    for (format, from, to) in [
        (Format::Ply, "face 1", "face 0"),
        (Format::Ply, "face 1", "face 2"),
        (Format::Off, "3 1 0", "3 0 0"),
        (Format::Off, "3 1 0", "2 1 0"),
        (Format::Off, "3 1 0", "4 1 0"),
        (Format::Vtu, "NumberOfCells=\"1\"", "NumberOfCells=\"0\""),
        (Format::Vtu, "NumberOfCells=\"1\"", "NumberOfCells=\"2\""),
        (Format::Vtu, "NumberOfPoints=\"3\"", "NumberOfPoints=\"2\""),
        (Format::Gmsh, "$Elements\n1", "$Elements\n0"),
        (Format::Gmsh, "$Elements\n1", "$Elements\n2"),
        (Format::Gmsh, "$Nodes\n3", "$Nodes\n2"),
        (Format::Stl, " endloop\n", ""),
        (Format::Stl, "endsolid a\n", ""),
        (Format::VtkLegacy, "POINTS 3", "POINTS 2"),
        (Format::Medit, "Vertices\n3", "Vertices\n2"),
        (Format::Medit, "Triangles\n1", "Triangles\n2"),
        (Format::Medit, "Vertices\n3", "Vertices\n99999999999"),
    ] {
        let text = TEXTS.iter().find(|(other, _)| *other == format).unwrap().1;
        assert!(text.contains(from));
        let error = error(text.replacen(from, to, 1).as_bytes(), format);
        assert!(error.starts_with("mesh"), "{format} with {to:?}: {error}");
    }
}

/// A gzip bomb, and a document of glTF with arrays of which no byte is in the file.
// Proves: REQ-LIMIT-EXPANDED-BYTES
#[test]
fn what_expands_stays_within_its_limit() {
    let mut packed = Vec::new();
    let zeros = std::io::repeat(b'\n').take(400 << 20);
    flate2::read::GzEncoder::new(zeros, flate2::Compression::fast()).read_to_end(&mut packed).unwrap();
    assert!(packed.len() < 4 << 20);
    let limits = Limits { expanded_bytes: 1 << 20, expansion_ratio: 10, ..Limits::DEFAULT };
    let small = read_bytes_with(&packed, Format::Obj, "mesh", &limits).unwrap_err().to_string();
    assert!(small.contains("the limit expanded_bytes"), "{small}");
    let zeros = "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\
        \"accessors\":[{\"componentType\":5126,\"count\":COUNT,\"type\":\"VEC3\"}]}";
    assert!(read_bytes(zeros.replace("COUNT", "3").as_bytes(), Format::Gltf, "mesh").is_ok());
    for count in ["99999999999", "18446744073709551615"] {
        let message = error(zeros.replace("COUNT", count).as_bytes(), Format::Gltf);
        assert!(message.contains("the limit expanded_bytes"), "{message}");
    }
}

/// An ending that no reader knows: the content is looked at.
#[test]
fn unknown_files_are_told_by_their_content() {
    let folder = tempfile::tempdir().unwrap();
    let error = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        read(folder.path().join(name)).unwrap_err().to_string()
    };
    assert!(error("liver", PLY.as_bytes()).contains("begins like PLY"));
    assert!(error("liver.txt", MEDIT.as_bytes()).ends_with("give it the ending .mesh"));
    assert!(error("liver.step", b"").contains("which is a CAD model"));
    assert!(
        read(folder.path().join("none.foo"))
            .unwrap_err()
            .to_string()
            .contains("the ending is \"foo\": wanted")
    );
}
