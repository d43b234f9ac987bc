//! The claims of the table in `docs/meshes.md`: every one has a test, here or elsewhere; every ending has a row, and what is not
//! read is refused by name or counted.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

#[path = "fuzz/seeds.rs"]
#[allow(dead_code, reason = "shared with the fuzz test")]
mod seeds;

mod claims_list;

use claims_list::{READ, TOOLS};
use palpate_math::Limits;
use palpate_mesh_io::{Contents, Format, read_bytes, read_bytes_beside};
use std::path::Path;

/// The rows of the table: formats, what is read, what is not, what is written, by what it was checked.
fn rows() -> Vec<[String; 5]> {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/meshes.md")).unwrap();
    let start = text.find("| format | read |").unwrap();
    let lines = text[start..].lines().skip(2).take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<String> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        cells.try_into().unwrap()
    };
    lines.map(row).collect()
}

#[test]
fn every_format_has_a_row_and_what_is_written_is() {
    let rows = rows();
    let names = |row: &[String; 5]| row[0].to_lowercase();
    for ending in Format::ENDINGS {
        let is_its = |row: &&[String; 5]| {
            let words = names(row).replace(['`', ',', '.'], " ").replace("vtk legacy", "vtk");
            words.split_whitespace().any(|word| word == ending)
        };
        let row = rows.iter().find(is_its).unwrap_or_else(|| panic!("no row for .{ending}"));
        let mesh = read_bytes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Format::Obj, "a.obj")
            .unwrap()
            .into_mesh()
            .unwrap();
        let format = Format::of(&Path::new("a").with_extension(ending)).unwrap();
        let is_written = palpate_mesh_io::write_bytes(&mesh, format, "a").is_ok();
        let claims = !row[3].is_empty() && (ending != "vtp" || !row[3].starts_with("VTU"));
        assert_eq!(is_written, claims, ".{ending} is written: {:?}", row[3]);
        assert!(!row[4].is_empty(), ".{ending} was checked with something");
    }
}

fn error(bytes: &[u8], format: Format) -> String {
    read_bytes(bytes, format, "mesh").map(|contents| contents.summary()).unwrap_err().to_string()
}

#[test]
fn what_is_not_read_is_refused_by_name() {
    for (bytes, format, wanted) in [
        ("OFF BINARY\n", Format::Off, "the encoding is BINARY: wanted ASCII"),
        ("4OFF\n", Format::Off, "the number of coordinates is 4: wanted 3"),
        (
            "# vtk DataFile Version 3.0\na\nASCII\nDATASET STRUCTURED_GRID\n",
            Format::VtkLegacy,
            "the data set is a structured grid",
        ),
        ("<VTKFile type=\"ImageData\"><ImageData/></VTKFile>", Format::Vtu, "the data set is ImageData"),
        ("*NGEN\n1, 2\n", Format::Abaqus, "a keyword is *NGEN"),
        ("*INSTANCE, NAME=a, PART=b\n1., 0., 0.\n", Format::Abaqus, "wanted an instance that is not moved"),
        (
            "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}",
            Format::Gltf,
            "a required extension is KHR_draco_mesh_compression",
        ),
        ("{\"asset\":{\"version\":\"1.0\"}}", Format::Gltf, "the version is 1.0: wanted 2.0"),
    ] {
        let found = error(bytes.as_bytes(), format);
        assert!(found.contains(wanted), "{found}");
    }
    for ending in ["meshb", "face", "edge", "poly"] {
        let found = Format::of(&Path::new("a").with_extension(ending)).unwrap_err().to_string();
        assert!(found.contains(", which is a"), "{found}");
    }
}

#[test]
fn what_is_left_out_is_counted() {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\ncurv 0 1 1 2\nsurf 0 1 0 1 1\n";
    let summary = read_bytes(obj.as_bytes(), Format::Obj, "a").unwrap().summary();
    assert!(
        summary.contains("1 lines \"curv\" left out") && summary.contains("1 lines \"surf\" left out"),
        "{summary}"
    );
    let polygon = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n\
        $Elements\n1 1 1 1\n2 1 34 1\n1 1 2 3\n$EndElements\n";
    let summary = read_bytes(polygon.as_bytes(), Format::Gmsh, "a").unwrap().summary();
    assert!(summary.contains("1 elements of Gmsh's type 34 left out"), "{summary}");
    let skinned = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"skin\":0}],\"meshes\":[{\"primitives\":[\
        {\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":0}]}]}],\
        \"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}";
    let summary = read_bytes(skinned.as_bytes(), Format::Gltf, "a").unwrap().summary();
    assert!(
        summary.contains("1 skins left out") && summary.contains("1 sets of morph targets left out"),
        "{summary}"
    );
}

/// The claims of a cell: its parts between commas, colons and semicolons outside brackets.
fn claims(cell: &str) -> Vec<String> {
    let (mut found, mut depth) = (vec![String::new()], 0);
    for letter in cell.chars() {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        match letter {
            ',' | ':' | ';' if depth == 0 => found.push(String::new()),
            _ => found.iter_mut().last().unwrap().push(letter),
        }
    }
    found.iter().map(|claim| claim.trim().to_owned()).filter(|claim| !claim.is_empty()).collect()
}

/// Every claim of what is read, what is not and what is written is listed with a test, and the test is there.
#[test]
fn every_claim_has_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rows = rows();
    assert_eq!(rows.len(), READ.len(), "rows of the table and of the list");
    for (row, (format, listed)) in rows.iter().zip(READ) {
        assert_eq!(row[0], *format);
        let claimed: Vec<String> = row[1..4].iter().flat_map(|cell| claims(cell)).collect();
        let named: Vec<&str> = listed.iter().map(|(claim, ..)| *claim).collect();
        assert_eq!(claimed, named, "{format}");
        for (claim, file, test) in *listed {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            assert!(text.contains(&format!("fn {test}()")), "{format}, {claim}: no test {test} in {file}");
        }
    }
}

/// Every tool of a row writes files of that format in the script that compares, or reads them there.
#[test]
fn every_tool_is_compared_with() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/python/compare_meshes.py");
    let script = std::fs::read_to_string(script).unwrap();
    for row in rows() {
        for tool in claims(&row[4]).iter().filter(|tool| *tool != "by hand") {
            let line = TOOLS.iter().find(|(format, name, _)| *format == row[0] && name == tool);
            let (_, _, line) = line.unwrap_or_else(|| panic!("{} with {tool} is not listed", row[0]));
            assert!(script.contains(line), "{} with {tool}: no {line:?}", row[0]);
        }
    }
}

/// What two files hold alike.
fn mesh(contents: &Contents) -> impl PartialEq + std::fmt::Debug {
    let Contents { positions, lines, triangles, tetrahedra, .. } = contents.clone();
    (positions, lines, triangles, tetrahedra)
}

#[test]
fn compressed_and_binary_files_hold_the_mesh_of_the_others() {
    for (kind, format) in [("UnstructuredGrid", Format::Vtu), ("PolyData", Format::Vtp)] {
        let files = seeds::vtk_xml(kind);
        let read: Vec<Contents> =
            files.iter().map(|bytes| read_bytes(bytes, format, "mesh").unwrap()).collect();
        assert_eq!((read.len(), read[0].positions.len()), (5, 12));
        assert!(read.iter().all(|contents| mesh(contents) == mesh(&read[0])), "raw, zlib, LZ4, LZMA");
    }
    let read: Vec<Contents> =
        seeds::gmsh_binary().iter().map(|bytes| read_bytes(bytes, Format::Gmsh, "mesh").unwrap()).collect();
    assert_eq!(mesh(&read[0]), mesh(&read[2]), "either byte order of version 2");
    assert_eq!(mesh(&read[1]), mesh(&read[3]), "either byte order of version 4");
    for contents in &read {
        assert_eq!(contents.part("organ").map(|part| !part.tetrahedra.is_empty()), Some(true));
        assert_eq!(contents.positions[1].x, (std::f64::consts::TAU / 12.0).cos());
    }
}

#[test]
fn strips_of_ply_and_attributes_of_vtk() {
    let ply = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n\
        element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n5 0 1 2 3 4\n";
    let contents = read_bytes(ply.as_bytes(), Format::Ply, "a").unwrap();
    assert_eq!(contents.triangles, [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
    let vtk = "# vtk DataFile Version 3.0\na\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\nPOLYGONS 1 4\n3 0 1 2\n\
        CELL_DATA 1\nSCALARS a float 1\nLOOKUP_TABLE default\n7\nPOINT_DATA 3\nNORMALS n float\n0 0 1 0 0 1 0 0 1\n";
    assert_eq!(read_bytes(vtk.as_bytes(), Format::VtkLegacy, "a").unwrap().triangles, [[0, 1, 2]]);
}

/// Four corners of a square and the first again, in every mode, in a node that is scaled and moved; the buffer lies beside.
#[test]
fn primitives_nodes_and_buffers_of_gltf() {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
    let buffer: Vec<u8> =
        corners.iter().flat_map(|[x, y]| [*x, *y, 0.0_f32]).flat_map(f32::to_le_bytes).collect();
    let read = |mode: u32, count: u32| {
        let text = format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":1,\"scenes\":[{{\"nodes\":[1]}},{{\"nodes\":[0]}}],\"nodes\":[\
             {{\"name\":\"tool\",\"mesh\":0,\"scale\":[2,2,2],\"translation\":[1,0,0]}},{{\"mesh\":0}}],\"meshes\":[{{\"primitives\":[\
             {{\"attributes\":{{\"POSITION\":0}},\"mode\":{mode}}}]}}],\"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\
             \"count\":{count},\"type\":\"VEC3\"}}],\"bufferViews\":[{{\"buffer\":0,\"byteLength\":60}}],\"buffers\":[\
             {{\"uri\":\"b.bin\",\"byteLength\":60}}]}}"
        );
        let beside = |name: &str| (name == "b.bin").then(|| buffer.clone());
        let contents =
            read_bytes_beside(text.as_bytes(), Format::Gltf, "a.gltf", &Limits::DEFAULT, &beside).unwrap();
        assert_eq!(contents.positions[1], [3.0, 0.0, 0.0].into(), "scaled and moved");
        assert_eq!(contents.part("tool").unwrap().positions.len(), contents.positions.len());
        contents
    };
    assert_eq!(read(1, 4).lines, [[0, 1], [2, 3]]);
    assert_eq!(read(2, 4).lines, [[0, 1], [1, 2], [2, 3], [3, 0]]);
    assert_eq!(read(3, 4).lines, [[0, 1], [1, 2], [2, 3]]);
    assert_eq!(read(4, 3).triangles, [[0, 1, 2]]);
    assert_eq!(read(5, 4).triangles.len(), 2);
    assert_eq!(read(6, 4).triangles, [[0, 1, 2], [0, 2, 3]]);
    let ring = read(3, 5);
    assert_eq!((ring.positions.len(), ring.lines[3]), (4, [3, 0]), "corners in one place are one vertex");
    // Within the file, as text and as binary.
    let within = [(seeds::gltf(), Format::Gltf), (seeds::glb(), Format::Glb)];
    let [text, binary] = within.map(|(files, format)| read_bytes(&files[0], format, "a").unwrap());
    assert_eq!(mesh(&text), mesh(&binary));
    assert!(text.part("a").is_some() && text.triangles.len() > 3);
}
