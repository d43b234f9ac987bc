//! The claims of the table in `docs/meshes.md` that no other test makes: every ending has a row, and what is not read is refused
//! by name or counted.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate_mesh_io::{Format, read_bytes};
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
