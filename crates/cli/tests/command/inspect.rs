//! `palpate inspect` of mesh files.

use crate::run::{palpate, text};
use serde_json::Value;

/// A box of quadrilaterals, wound outward.
const BOX: &str = "v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nv 0 0 4\nv 2 0 4\nv 2 3 4\nv 0 3 4\n\
    f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn inspected(name: &str, mesh: &str, more: &[&str]) -> (Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, mesh).unwrap();
    let arguments = [&["inspect", text(&path)], more].concat();
    let words = palpate(&arguments).well().stdout;
    let json = palpate(&[arguments, vec!["--json"]].concat()).well().stdout;
    (serde_json::from_str(&json).unwrap(), words)
}

#[test]
fn a_sound_box() {
    let (json, words) = inspected("box.obj", BOX, &[]);
    assert_eq!(
        (&json["points"], &json["triangles"], &json["split_polygons"]),
        (&8.into(), &12.into(), &6.into())
    );
    let surface = &json["surface"];
    assert_eq!((&surface["closed"], &surface["sides_by"]), (&true.into(), &"pseudonormals".into()));
    assert_eq!((surface["volume"].as_f64(), surface["area"].as_f64()), (Some(24.0), Some(52.0)));
    assert_eq!(surface["self_intersections"]["count"], 0);
    assert!(words.contains("surface: closed, oriented, manifold\n"), "{words}");
    assert!(words.contains("6 polygons cut into triangles"), "{words}");
}

#[test]
fn a_box_without_a_side_and_with_a_side_turned_over() {
    let open = BOX.replace("f 4 1 5 8\n", "").replace("f 3 4 8 7", "f 7 8 4 3");
    let (json, words) = inspected("open.obj", &open, &[]);
    let surface = &json["surface"];
    assert_eq!(
        (&surface["boundary_edges"]["count"], &surface["boundary_loops"]["count"]),
        (&4.into(), &1.into())
    );
    assert_eq!(surface["misoriented_edges"]["count"], 3);
    assert_eq!(surface["sides_by"], "winding_number");
    assert!(words.contains("boundary edges: 4 (0:3, 0:4, 3:7, 4:7)"), "{words}");
}

/// Gmsh files contain the boundary beside the volume.
#[test]
fn of_several_kinds_of_cells_the_caller_chooses() {
    let mesh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 6\n$EndNodes\n\
        $Elements\n2\n1 2 2 1 1 1 2 3\n2 4 2 1 1 1 2 3 4\n$EndElements\n";
    let (json, words) = inspected("tetra.msh", mesh, &[]);
    assert_eq!((&json["mesh"], json["tetra"]["volume"].as_f64()), (&"tetra_mesh".into(), Some(1.0)));
    assert_eq!(json["tetra"]["boundary"]["closed"], true);
    assert!(words.contains("its boundary, surface: closed"), "{words}");
    let (json, _) = inspected("tetra.msh", mesh, &["--cells", "triangles"]);
    assert_eq!((&json["mesh"], &json["surface"]["closed"]), (&"surface_mesh".into(), &false.into()));
}

/// A cube of 3 × 3 × 3 cells, each of six tetrahedra about its diagonal, without the cells that are left out.
fn cubes(without: &[[usize; 3]]) -> String {
    let (mut points, mut cells) = (String::new(), Vec::new());
    for id in 0..64 {
        points.push_str(&format!("{} {} {}\n", id % 4, id / 4 % 4, id / 16));
    }
    for cell in 0..27 {
        let at = [cell % 3, cell / 3 % 3, cell / 9];
        if without.contains(&at) {
            continue;
        }
        let id = |corner: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| at[axis] + (corner >> axis & 1));
            x + 4 * y + 16 * z
        };
        // The six ways from corner 0 to corner 7 along the axes.
        for path in [[1, 3], [3, 2], [2, 6], [6, 4], [4, 5], [5, 1]] {
            cells.push([id(0), id(path[0]), id(path[1]), id(7)]);
        }
    }
    let list: String = cells.iter().map(|[a, b, c, d]| format!("4 {a} {b} {c} {d}\n")).collect();
    let types = "10\n".repeat(cells.len());
    format!(
        "# vtk DataFile Version 3.0\ncubes\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 64 double\n{points}\
         CELLS {} {}\n{list}CELL_TYPES {}\n{types}",
        cells.len(),
        5 * cells.len(),
        cells.len()
    )
}

#[test]
fn the_cavities_of_a_tetra_mesh_are_no_faults() {
    let (json, words) = inspected("hollow.vtk", &cubes(&[[1, 1, 1]]), &[]);
    let boundary = &json["tetra"]["boundary"];
    assert_eq!((&boundary["cavities"], &boundary["inward_components"]), (&1.into(), &1.into()));
    assert_eq!(json["tetra"]["volume"].as_f64(), Some(26.0));
    assert_eq!(boundary["volume"].as_f64(), Some(26.0));
    assert!(words.contains("components: 2, one of them a cavity\n") && !words.contains("inward"), "{words}");
    let (whole, words) = inspected("whole.vtk", &cubes(&[]), &[]);
    assert_eq!(whole["tetra"]["boundary"]["cavities"], 0);
    assert!(words.contains("components: 1\n"), "{words}");
}

#[test]
fn an_unknown_volume_is_a_dash_and_a_unit_is_applied() {
    let open = BOX.replace("f 4 1 5 8\n", "");
    let (json, words) = inspected("open.obj", &open, &[]);
    assert_eq!(json["surface"]["volume"], Value::Null);
    assert!(words.contains("volume - (in the unit of the file)"), "{words}");
    let (json, words) = inspected("box.obj", BOX, &["--unit", "cm"]);
    assert_eq!(
        (&json["unit"], json["surface"]["volume"].as_f64().map(|volume| (volume * 1e9).round())),
        (&"m".into(), Some(24_000.0))
    );
    assert!(words.contains("(in m)"), "{words}");
    let shell = BOX.to_owned()
        + "v 0.5 0.5 0.5\nv 1 0.5 0.5\nv 0.5 1 0.5\nv 0.5 0.5 1\nf 9 10 11\nf 9 12 10\nf 9 11 12\nf 10 12 11\n";
    let (json, words) = inspected("shell.obj", &shell, &[]);
    assert_eq!(json["surface"]["cavities"], 1);
    assert!(words.contains("one of them a cavity"), "{words}");
}

#[test]
fn damage_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.obj");
    std::fs::write(&path, "v 0 0 0\nv 1 0 zero\n").unwrap();
    palpate(&["inspect", text(&path)]).refused(2, &["bad.obj", "line 2", "the z of a vertex", "\"zero\""]);
    std::fs::write(&path, BOX).unwrap();
    palpate(&["inspect", text(&path), "--cells", "lines"])
        .refused(2, &["8 points, 12 triangles", "wanted lines"]);
    let unknown = folder.path().join("mesh.fbx");
    std::fs::write(&unknown, BOX).unwrap();
    palpate(&["inspect", text(&unknown), "--cells", "lines"]).refused(2, &["\"fbx\"", "wanted one of obj"]);
}

/// A hundred thousand copies of one triangle are duplicates, not pairs that intersect; thousands of triangles through
/// each other are more pairs than are worth naming.
#[test]
fn very_many_triangles_in_one_place_take_no_longer_than_others() {
    let copies = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{}", "f 1 2 3\n".repeat(100_000));
    let (json, words) = inspected("copies.obj", &copies, &[]);
    assert_eq!(json["surface"]["duplicate_triangles"]["count"], 99_999);
    assert_eq!(json["surface"]["self_intersections"]["count"], 0);
    assert!(words.contains("duplicate triangles: 99"), "{words}");
    let crossing: String = (0..4000)
        .map(|k| format!("v {k} {} 0\nv {} {} 0\nv {k} {} 0\nf -3 -2 -1\n", -k, k + 9000, -k, 9000 - k))
        .collect();
    let (json, words) = inspected("crossing.obj", &crossing, &[]);
    let pairs = &json["surface"]["self_intersections"];
    assert_eq!((&pairs["at_least"], &pairs["first"][9]), (&true.into(), &[0, 10].as_slice().into()));
    assert!(pairs["count"].as_u64() > Some(100_000), "{pairs}");
    assert!(words.contains("pairs of triangles that intersect: at least "), "{words}");
    assert_eq!(json["surface"]["sides_by"], "winding_number");
}

/// Every file of a folder in a line, in the order of their names.
#[test]
fn a_folder_is_listed_with_a_verdict_for_each_file() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.obj", BOX);
    write("b.obj", &BOX.replace("f 3 4 8 7", "f 7 8 4 3"));
    write("c.stp", "ISO-10303-21;");
    write("d.ply", "ply\nformat");
    write("e", "MeshVersionFormatted 2");
    std::fs::create_dir(folder.path().join("f")).unwrap();
    let words = palpate(&["inspect", text(folder.path())]).well().stdout;
    let lines: Vec<&str> = words.lines().collect();
    assert_eq!(lines.len(), 5, "{words}");
    for (line, [name, verdict, what]) in lines.iter().zip([
        ["a.obj", "sound", "a closed surface: 8 points, 12 triangles"],
        ["b.obj", "flawed", "a closed surface"],
        ["c.stp", "unknown", "the ending is \"stp\", which is a CAD model"],
        ["d.ply", "refused", "line 2"],
        ["e", "unknown", "give it the ending .mesh"],
    ]) {
        assert!(line.starts_with(name) && line.contains(verdict) && line.contains(what), "{line}");
    }
    let json = palpate(&["inspect", text(folder.path()), "--json"]).well().stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json[1]["file"].as_str(), json[1]["verdict"].as_str()), (Some("b.obj"), Some("flawed")));
}

#[test]
fn an_unknown_file_is_told_by_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("organ.step");
    std::fs::write(&path, "ISO-10303-21;").unwrap();
    for command in ["inspect", "replay"] {
        palpate(&[command, text(&path)]).refused(2, &["which is a CAD model", "gmsh"]);
    }
}

#[test]
fn a_mended_surface_is_written_with_every_change_counted() {
    let folder = tempfile::tempdir().unwrap();
    let [path, out] = ["box.obj", "mended.ply"].map(|name| folder.path().join(name));
    std::fs::write(&path, BOX.replace("f 4 1 5 8\n", "v 0 0 0\n").replace("f 3 4 8 7", "f 7 8 4 3")).unwrap();
    let words = palpate(&["inspect", text(&path), "--mend", text(&out)]).well().stdout;
    for wanted in [
        "mended, written to ",
        "triangles turned over: 2\n",
        "holes filled: 1\n",
        "triangles added in holes: 2\n",
    ] {
        assert!(words.contains(wanted), "{words}");
    }
    let json = palpate(&["inspect", text(&out), "--json"]).well().stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["surface"]["sides_by"], json["surface"]["volume"].as_f64()),
        (&"pseudonormals".into(), Some(24.0))
    );
    let words = palpate(&["inspect", text(&out), "--mend", text(&path)]).well().stdout;
    assert!(words.contains("nothing was changed"), "{words}");
    palpate(&["inspect", text(&out), "--mend", text(&out)]).refused(2, &["--mend", "another name"]);
}
