//! A recorded session as a regression test: its contacts must match a stored snapshot.
//!
//! Run it with `cargo run -p palpate --example ci_replay`: the first run stores the snapshot, later ones compare.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::prelude::*;
use palpate::recording::WriterOptions;
use palpate::snapshot::{ContactSnapshot, Difference, SnapshotOptions, session};
use std::path::Path;

#[path = "shared/shapes.rs"]
mod shapes;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Records a ball pressed into an organ by 5 mm plus `more` metres, as a running simulator would.
fn record(path: &Path, more: f64) -> Result<()> {
    let (vertices, triangles) = shapes::ellipsoid(Vector::new(0.05, 0.02, 0.04), 3);
    let mut scene = Scene::standard();
    let organ = scene.add("organ", SurfaceMesh::new(vertices, triangles)?)?;
    let tool = scene.add("tool", Sphere::new(Point::origin(), 0.005)?)?;
    scene.add_pair(tool, organ, PairOptions::default())?;

    let overwrite = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let mut recorder = Recorder::create_with(path, &scene, overwrite)?;
    for step in 0..10 {
        let part = f64::from(step) / 9.0;
        scene.advance();
        scene.set_pose(tool, Pose::translation(0.003, 0.025 - (0.005 + more) * part, 0.001))?;
        scene.step()?;
        recorder.record(&scene, 0.01 * f64::from(step))?;
    }
    recorder.finish()?;
    Ok(())
}

/// Replays a recording and compares its contacts with the stored snapshot; stores a snapshot if there is none yet.
fn check(recording: &Path, stored: &Path) -> Result<Vec<Difference>> {
    let taken = session(recording, &SnapshotOptions::default())?;
    if !stored.exists() {
        std::fs::write(stored, taken.to_string())?;
    }
    let wanted: ContactSnapshot = std::fs::read_to_string(stored)?.parse()?;
    Ok(wanted.differences(&taken)?)
}

fn main() -> Result<()> {
    let folder = std::env::temp_dir();
    let (recording, stored) =
        (folder.join("palpate_session.vtkhdf"), folder.join("palpate_session.snapshot"));
    record(&recording, 0.0)?;
    let differences = check(&recording, &stored)?;
    println!("{} differences from {}", differences.len(), stored.display());
    differences.iter().for_each(|difference| println!("{difference}"));
    Ok(())
}

#[test]
fn the_same_session_has_the_same_contacts_and_a_changed_one_does_not() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (recording, stored) = (folder.path().join("session.vtkhdf"), folder.path().join("contacts.snapshot"));
    record(&recording, 0.0)?;
    assert!(check(&recording, &stored)?.is_empty(), "the first time it is stored");
    assert!(std::fs::read_to_string(&stored)?.contains("triangle"));
    record(&recording, 0.0)?;
    assert!(check(&recording, &stored)?.is_empty(), "the second time it is compared");
    record(&recording, 1e-6)?;
    assert!(!check(&recording, &stored)?.is_empty(), "a micrometre is found");
    Ok(())
}
