//! `palpate detectors`.

use crate::run::palpate;
use palpate::detect::{Registry, Served};
use serde_json::{Value, json};

#[test]
fn the_table_of_detectors_is_that_of_the_registry() {
    let registry = Registry::standard();
    let rows: Vec<Value> = serde_json::from_str(&palpate(&["detectors", "--json"]).well().stdout).unwrap();
    assert_eq!(rows.len(), registry.detectors().len());
    let table = palpate(&["detectors"]).well().stdout;
    let keys = [
        "a",
        "b",
        "name",
        "aliases",
        "default",
        "elements_a",
        "elements_b",
        "at_most",
        "sides",
        "method",
        "cost",
        "source",
    ];
    for row in &rows {
        let object = row.as_object().unwrap();
        assert_eq!(object.len(), keys.len());
        assert!(keys.iter().all(|key| object.contains_key(*key)), "{row}");
        assert!(table.contains(row["name"].as_str().unwrap()));
    }
    let capsule = rows.iter().find(|row| row["name"] == "sphere_capsule").unwrap();
    assert_eq!(
        (&capsule["a"], &capsule["b"], &capsule["default"]),
        (&json!("sphere"), &json!("capsule"), &json!(true))
    );
    assert!(capsule["aliases"].as_array().unwrap().contains(&json!("SphereToCapsuleCD")));
}

#[test]
fn the_matrix_is_that_of_the_registry() {
    let matrix = Registry::standard().matrix();
    let rows: Vec<Value> =
        serde_json::from_str(&palpate(&["detectors", "--matrix", "--json"]).well().stdout).unwrap();
    assert_eq!(rows.len(), 78);
    for (row, cell) in rows.iter().zip(&matrix) {
        assert_eq!((&row["a"], &row["b"]), (&json!(cell.a.name()), &json!(cell.b.name())));
        match &cell.served {
            Served::By { detector, others, vertices_only } => {
                assert_eq!((&row["detector"], &row["others"]), (&json!(detector), &json!(others)));
                assert_eq!(row["vertices_only"], json!(vertices_only));
            }
            Served::Children => assert_eq!(row["detector"], json!(format!("{}_{}", cell.a, cell.b))),
            Served::Refused(reason) => {
                assert_eq!((&row["detector"], &row["refused"]), (&Value::Null, &json!(reason)))
            }
            _ => assert_eq!((&row["detector"], &row["refused"]), (&Value::Null, &Value::Null)),
        }
    }
}

/// The grid has the mark of every pair twice: in the row of the one kind and in that of the other.
#[test]
fn the_grid_is_that_of_the_registry() {
    let grid = palpate(&["detectors", "--matrix"]).well().stdout;
    let rows: Vec<Vec<&str>> =
        grid.lines().skip(1).take(12).map(|line| line.split_whitespace().collect()).collect();
    let kinds: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    let mut refused = 0;
    for cell in Registry::standard().matrix() {
        let at = |kind: &str| kinds.iter().position(|name| *name == kind).unwrap();
        let (a, b) = (at(cell.a.name()), at(cell.b.name()));
        let wanted = match &cell.served {
            Served::By { vertices_only: true, .. } => "v",
            Served::By { .. } => "D",
            Served::Children => "c",
            _ => "-",
        };
        refused += usize::from(wanted == "-");
        assert_eq!((rows[a][2 + b], rows[b][2 + a]), (wanted, wanted), "{} {}", cell.a, cell.b);
    }
    assert_eq!(refused, 1);
}

#[test]
fn a_detector_is_shown_with_its_settings_and_a_kind_with_its_detectors() {
    let page = palpate(&["detectors", "convex_convex"]).well().stdout;
    for setting in Registry::standard().entry("convex_convex").unwrap().settings() {
        assert!(page.contains(&format!("\n  {} (", setting.name)), "{} in {page}", setting.name);
    }
    let kind = palpate(&["detectors", "plane"]).well().stdout;
    for word in ["plane_sphere", "plane_convex, by name", "plane with plane: refused"] {
        assert!(kind.contains(word), "{word} in {kind}");
    }
}

/// `docs/detectors.md` is generated from the registry.
#[test]
fn the_page_of_the_detectors_is_that_of_the_registry() {
    let page = palpate(&["detectors", "--markdown"]).well().stdout;
    let kept =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/detectors.md")).unwrap();
    let differs = page.lines().zip(kept.lines()).find(|(wanted, found)| wanted != found);
    assert!(page == kept, "docs/detectors.md is old: {differs:?}; make it again as it says");
    for entry in Registry::standard().detectors() {
        assert!(page.contains(&format!("\n### {}\n", entry.name)), "{} is missing", entry.name);
    }
}

/// `docs/settings.md` is generated from the registry.
#[test]
fn the_page_of_the_settings_is_that_of_the_registry() {
    let page = palpate(&["detectors", "--settings"]).well().stdout;
    let kept =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md")).unwrap();
    let differs = page.lines().zip(kept.lines()).find(|(wanted, found)| wanted != found);
    assert!(page == kept, "docs/settings.md is old: {differs:?}; make it again as it says");
    for entry in Registry::standard().detectors() {
        assert!(page.contains(entry.name), "{} is missing", entry.name);
    }
}
