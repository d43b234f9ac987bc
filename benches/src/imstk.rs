//! palpate on the inputs of published timings of iMSTK's mesh–mesh detectors.
//!
//! Two unit icospheres with centres 1.7 apart. Each step both meshes move, so that normals and trees are updated, and the
//! pair is detected on one thread. The figures of iMSTK are milliseconds of CPU time per update, compiled with `-O3` for
//! x86-64-v3, the median of up to 15, measured once on another machine with two shared cores: they are constants here.

use std::fmt;

use cpu_time::ThreadTime;
use palpate::contact::CollisionData;
use palpate::detect::{Choice, Context, Registry};
use palpate::geometry::{Geometry, SurfaceMesh};
use palpate::math::{Point, Vector};
use palpate_tests::meshes::{Triangles, icosphere};
use serde_json::{Value, json};

use crate::Fallible;
use crate::timing::median;

/// Distance of the centres, in radii.
const APART: f64 = 1.7;

/// Timed steps of a row.
const STEPS: usize = 41;

/// How far the meshes move from step to step, in radii.
const SHIFT: f64 = 1e-4;

/// Subdivisions of the icospheres: 80 to 20,480 triangles.
const LEVELS: [usize; 5] = [1, 2, 3, 4, 5];

/// A detector of iMSTK, the one here that answers the same question, and iMSTK's time by level; `None` where it was not
/// measured to the end.
struct Counterpart {
    imstk: &'static str,
    palpate: &'static str,
    /// Settings, as JSON.
    settings: &'static str,
    imstk_ms: [Option<f64>; LEVELS.len()],
}

const COUNTERPARTS: [Counterpart; 3] = [
    Counterpart {
        imstk: "SurfaceMeshToSurfaceMeshCD",
        palpate: "surface_mesh_surface_mesh",
        settings: "{}",
        imstk_ms: [Some(0.30), Some(4.4), Some(65.0), Some(1000.0), Some(15_642.0)],
    },
    Counterpart {
        imstk: "ClosedSurfaceMeshToMeshCD, vertex pass",
        palpate: "closed_surface_mesh_surface_mesh",
        settings: r#"{"edges": false, "vertices": "first"}"#,
        imstk_ms: [Some(0.052), Some(0.92), Some(14.3), Some(167.0), Some(2363.0)],
    },
    Counterpart {
        imstk: "ClosedSurfaceMeshToMeshCD, with edges",
        palpate: "closed_surface_mesh_surface_mesh",
        settings: "{}",
        imstk_ms: [Some(8.7), Some(225.0), Some(7236.0), None, None],
    },
];

/// The times of one detector on meshes of one size.
#[derive(Clone, Debug)]
pub struct Row {
    /// iMSTK's detector.
    pub operation: &'static str,
    /// Triangles of each mesh.
    pub triangles: usize,
    /// palpate's contacts.
    pub contacts: usize,
    /// palpate's milliseconds of a step: both meshes updated and detected, the median.
    pub ms: f64,
    /// Of these, milliseconds of detection alone.
    pub detection_ms: f64,
    /// iMSTK's milliseconds of an update.
    pub imstk_ms: Option<f64>,
}

impl Row {
    /// The heading of the lines of rows.
    pub fn heading() -> String {
        format!(
            "{:<40} {:>9} {:>8} {:>10} {:>13} {:>10} {:>8}",
            "iMSTK's detector", "triangles", "contacts", "palpate ms", "detection ms", "iMSTK ms", "times"
        )
    }

    /// How many times as fast palpate is.
    pub fn times(&self) -> Option<f64> {
        self.imstk_ms.map(|imstk| imstk / self.ms)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        write!(
            f,
            "{:<40} {:>9} {:>8} {:>10.4} {:>13.4} {:>10} {:>8}",
            self.operation,
            self.triangles,
            self.contacts,
            self.ms,
            self.detection_ms,
            shown(self.imstk_ms, 3),
            shown(self.times(), 0)
        )
    }
}

/// Times every detector at every size. Errors: a mesh cannot be made, a detector refuses.
pub fn measure(report: &mut dyn FnMut(&Row)) -> Fallible<Vec<Row>> {
    measure_up_to(LEVELS.len(), STEPS, report)
}

fn measure_up_to(sizes: usize, steps: usize, report: &mut dyn FnMut(&Row)) -> Fallible<Vec<Row>> {
    let mut rows = Vec::new();
    for counterpart in &COUNTERPARTS {
        for (&level, &imstk_ms) in LEVELS.iter().zip(&counterpart.imstk_ms).take(sizes) {
            let row = row(counterpart, &icosphere(level), imstk_ms, steps)?;
            report(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

fn row(counterpart: &Counterpart, ball: &Triangles, imstk_ms: Option<f64>, steps: usize) -> Fallible<Row> {
    let (positions, triangles) = ball;
    let mut meshes = [0.0, APART].map(|x| {
        let placed = positions.iter().map(|position| position + Vector::x() * x).collect();
        SurfaceMesh::new(placed, triangles.clone())
    });
    let [Ok(a), Ok(b)] = &mut meshes else { return Err("an icosphere is no surface".into()) };
    let settings: Value = serde_json::from_str(counterpart.settings)?;
    let choice =
        Choice { detector: Some(counterpart.palpate), settings: Some(&settings), ..Choice::default() };
    let mut bound = Registry::standard().bind(&*a, &*b, choice)?;
    let [needs_a, needs_b] = bound.needs();
    let mut out = CollisionData::new();
    let (mut times, mut detections) = (Vec::new(), Vec::new());
    // The first step is not timed: it makes what later ones update.
    for step in 0..=steps {
        let aside = Vector::new(0.0, SHIFT * step as f64, 0.0);
        let moved = |x: f64| -> Vec<Point> {
            positions.iter().map(|position| position + Vector::x() * x + aside * x).collect()
        };
        let (on_a, on_b) = (moved(0.0), moved(APART));
        let start = ThreadTime::now();
        for (mesh, positions, needs) in [(&mut *a, &on_a, needs_a), (&mut *b, &on_b, needs_b)] {
            mesh.set_positions(positions)?;
            mesh.prepare(needs);
        }
        let updated = start.elapsed();
        bound.run(&*a, &*b, &Context::new(), &mut out)?;
        let all = start.elapsed();
        if step > 0 {
            times.push(all.as_secs_f64() * 1e3);
            detections.push((all - updated).as_secs_f64() * 1e3);
        }
    }
    let [ms, detection_ms] = [times, detections].map(|mut values| median(&mut values));
    let operation = counterpart.imstk;
    Ok(Row { operation, triangles: triangles.len(), contacts: out.len(), ms, detection_ms, imstk_ms })
}

/// Returns the rows as a list of objects with the keys `operation, triangles, contacts, ms, detection_ms, imstk_ms, times`.
pub fn json(rows: &[Row]) -> String {
    let object = |row: &Row| {
        json!({
            "operation": row.operation,
            "triangles": row.triangles,
            "contacts": row.contacts,
            "ms": row.ms,
            "detection_ms": row.detection_ms,
            "imstk_ms": row.imstk_ms,
            "times": row.times(),
        })
    };
    Value::Array(rows.iter().map(object).collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The balls overlap in a lens of radius 0.53; every detector finds contacts there, at every size.
    #[test]
    fn every_row_has_contacts_and_is_written() {
        let rows = measure_up_to(3, 3, &mut |_| {}).unwrap();
        assert_eq!(rows.len(), 9);
        for row in &rows {
            assert!(row.contacts > 0 && row.ms >= row.detection_ms, "{row}");
        }
        let text = json(&rows);
        let parsed: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(parsed.as_array().unwrap().len(), rows.len());
        assert_eq!(parsed[2]["triangles"], 1280);
    }
}
