//! A crate depends only on crates of a lower floor; the floors are those of `docs/architecture.md`.

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// The floor of every crate.
const FLOORS: [(&str, usize); 19] = [
    ("palpate-files", 0),
    ("palpate-math", 0),
    ("palpate-bvh", 1),
    ("palpate-convex", 1),
    ("palpate-contact", 1),
    ("palpate-implicit", 2),
    ("palpate-geometry", 3),
    ("palpate-recording", 4),
    ("palpate-mesh-io", 4),
    ("palpate-detect", 4),
    ("palpate-response", 4),
    ("palpate-procedure", 4),
    ("palpate-scene", 5),
    ("palpate-haptics", 6),
    ("palpate", 7),
    ("palpate-cli", 8),
    ("palpate-capi", 8),
    ("palpate-python", 9),
    ("palpate-tests", usize::MAX),
];

/// Parts of the names of collision libraries, on which palpate's crates must not depend.
const COLLISION_CRATES: [&str; 8] =
    ["parry", "rapier", "ncollide", "nphysics", "avian", "gjk", "coal", "collision"];

/// The normal dependencies of every member in `crates/`, optional ones included.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let packages = metadata["packages"].as_array().expect("a list of packages");
    packages
        .iter()
        .filter(|package| text(&package["manifest_path"]).contains("/crates/"))
        .map(|package| {
            let all = package["dependencies"].as_array().expect("a list of dependencies");
            // The kind of a normal dependency is null; those of tests and build scripts have a name.
            let normal = all.iter().filter(|dependency| dependency["kind"].is_null());
            (text(&package["name"]), normal.map(|dependency| text(&dependency["name"])).collect())
        })
        .collect()
}

fn floor(name: &str) -> Option<usize> {
    FLOORS.iter().find(|(crate_name, _)| *crate_name == name).map(|(_, floor)| *floor)
}

// Proves: REQ-FLOORS
#[test]
fn every_crate_stands_on_lower_floors_alone() {
    let dependencies = dependencies();
    assert!(dependencies.len() >= 11, "only {:?}", dependencies.keys());
    let mut stairs = 0;
    for (name, on) in &dependencies {
        let own =
            floor(name).unwrap_or_else(|| panic!("{name} has no floor: give it one here and in the table"));
        for other in on.iter().filter(|other| other.starts_with("palpate")) {
            let below = floor(other).unwrap_or_else(|| panic!("{other} has no floor"));
            assert!(
                below < own,
                "{name} (floor {own}) depends on {other} (floor {below}): wanted a lower floor"
            );
            stairs += 1;
        }
    }
    assert!(stairs >= 20, "only {stairs} dependencies were checked");
}

// Proves: REQ-HDF5-APART
#[test]
fn only_the_recording_crate_knows_hdf5() {
    let dependencies = dependencies();
    for (name, on) in &dependencies {
        let hdf5 = on.iter().find(|other| other.contains("hdf5"));
        let may = name == "palpate-recording";
        assert!(hdf5.is_none() || may, "{name} depends on {hdf5:?}: only palpate-recording may");
    }
    assert!(dependencies["palpate-recording"].iter().any(|other| other.contains("hdf5")));
}

// Proves: REQ-NO-PEER
#[test]
fn no_crate_leans_on_another_collision_library() {
    for (name, on) in &dependencies() {
        let others = on.iter().filter(|other| !other.starts_with("palpate"));
        let found: Vec<_> =
            others.filter(|other| COLLISION_CRATES.iter().any(|word| other.contains(word))).collect();
        assert!(found.is_empty(), "{name} depends on {found:?}");
    }
}
