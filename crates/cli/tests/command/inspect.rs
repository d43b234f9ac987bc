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
