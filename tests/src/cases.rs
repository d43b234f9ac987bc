//! The cases of a detector in a regime. No detector is named here, except for the settings to test.

use crate::degenerate::degenerate_pair;
use crate::generate::{generate_pair, members};
use crate::place::placed;
use crate::random::Random;
use crate::{Case, Regime, Subject};
use palpate_detect::{Entry, Registry};
use palpate_geometry::GeometryKind;
use serde_json::{Value, json};

/// Attempts to bring a pair into the regime.
const TRIES: usize = 12;

/// The finest search tolerance of implicit bodies that is tested.
const FINE: f64 = 1e-12;

/// The settings to test; detectors that are not listed are tested with their defaults.
pub fn settings(detector: &str) -> Vec<Option<Value>> {
    let others = match detector {
        "implicit_plane" => {
            let sides = ["one", "two"].map(|sides| json!({"sides": sides}));
            [sides.to_vec(), vec![json!({"tolerance": FINE})]].concat()
        }
        "plane_sphere" | "plane_convex" | "plane_cylinder" | "plane_oriented_box" | "point_set_plane" => {
            vec![json!({"sides": "one"}), json!({"sides": "two"})]
        }
        "point_set_surface_mesh" => {
            vec![json!({"sides": "one"}), json!({"sides": "two"})]
        }
        "surface_mesh_convex" => vec![
            json!({"sides": "one"}),
            json!({"sides": "two"}),
            json!({"sides": "two", "internal_edges": "keep"}),
            json!({"internal_edges": "ignore", "manifold": false}),
            json!({"internal_edges": "keep"}),
            json!({"manifold": false}),
        ],
        "line_mesh_surface_mesh" | "surface_mesh_capsule" => {
            let sides = ["one", "two"].map(|sides| json!({"sides": sides}));
            let kept = [true, false].map(|both| json!({"internal_edges": "keep", "manifold": both}));
            let ignored = json!({"sides": "one", "internal_edges": "ignore"});
            let sheet = json!({"sides": "two", "internal_edges": "keep", "manifold": false});
            [sides.to_vec(), kept.to_vec(), vec![ignored, sheet]].concat()
        }
        "surface_mesh_sphere" => {
            let two_kept = json!({"sides": "two", "internal_edges": "keep"});
            let edges = ["ignore", "keep"].map(|edges| json!({"internal_edges": edges}));
            let sides = ["one", "two"].map(|sides| json!({"sides": sides}));
            [sides.to_vec(), vec![two_kept], edges.to_vec()].concat()
        }
        "closed_surface_mesh_capsule" => vec![json!({"internal_edges": "keep", "manifold": false})],
        "tetra_mesh_convex" => vec![json!({"internal_edges": "keep"}), json!({"manifold": false})],
        "tetra_mesh_sphere" | "tetra_mesh_capsule" => {
            vec![json!({"internal_edges": "keep"})]
        }
        "plane_capsule" => {
            vec![json!({"sides": "one"}), json!({"sides": "two"}), json!({"manifold": false})]
        }
        "capsule_oriented_box" | "line_mesh_convex" | "oriented_box_oriented_box" => {
            vec![json!({"manifold": false})]
        }
        "implicit_capsule" | "implicit_convex" => {
            vec![json!({"manifold": false}), json!({"tolerance": FINE})]
        }
        "implicit_line_mesh" | "implicit_surface_mesh" | "implicit_tetra_mesh" | "implicit_implicit" => {
            vec![json!({"tolerance": FINE})]
        }
        "closed_surface_mesh_surface_mesh" => {
            let alone = ["both", "first"].map(|whose| json!({"vertices": whose, "edges": false}));
            let whose = ["first", "second"].map(|whose| json!({"vertices": whose}));
            [whose, alone].concat()
        }
        _ => Vec::new(),
    };
    std::iter::once(None).chain(others.into_iter().map(Some)).collect()
}

/// The pairs of kinds, with settings, on which a detector is tested.
pub fn variants(entry: &Entry) -> Vec<(GeometryKind, GeometryKind, Option<Value>)> {
    let mut variants = Vec::new();
    let (members_a, members_b) = (members(&entry.a), members(&entry.b));
    for (index, a) in members_a.iter().enumerate() {
        // If both sides accept the same kinds, the other order is left to the mirror law.
        let first = if entry.a == entry.b { index } else { 0 };
        for b in &members_b[first..] {
            for settings in settings(entry.name) {
                variants.push((a.clone(), b.clone(), settings));
            }
        }
    }
    variants
}

/// `count` cases of a detector in a regime, or fewer if some pairs cannot be brought into it. Errors: a kind
/// without a generator, a detector that refuses the pair.
pub fn cases(registry: &Registry, entry: &Entry, regime: Regime, count: usize) -> Result<Vec<Case>, String> {
    let variants = variants(entry);
    let mut cases = Vec::new();
    for number in 0..count {
        let mut random = Random::named(&format!("{} {regime:?}", entry.name), number as u64);
        let (a, b, settings) = &variants[number % variants.len()];
        cases.extend(case_of(registry, entry, [a, b], settings, regime, number, &mut random)?);
    }
    Ok(cases)
}

/// Whether a detector with these settings treats a solid as a sheet.
fn as_sheets(detector: &str, settings: &Option<Value>) -> bool {
    let two_sided = settings.as_ref().is_some_and(|settings| settings["sides"] == "two");
    two_sided || detector == "surface_mesh_surface_mesh"
}

/// One case of a detector for two kinds, in the order of its sides; `None` if no pair could be brought into the
/// regime. Errors as [`cases`].
pub fn case_of(
    registry: &Registry,
    entry: &Entry,
    kinds: [&GeometryKind; 2],
    settings: &Option<Value>,
    regime: Regime,
    number: usize,
    random: &mut Random,
) -> Result<Option<Case>, String> {
    for _ in 0..TRIES {
        let (case, direction) = draft(entry.name, regime, number, kinds, settings, random)?;
        let made = match direction {
            Some(direction) => placed(&Subject::new(registry), &case, &direction, random)?,
            None => Some(case),
        };
        if made.is_some() {
            return Ok(made);
        }
    }
    Ok(None)
}

type Draft = (Case, Option<palpate_math::Vector>);

fn draft(
    detector: &'static str,
    regime: Regime,
    number: usize,
    kinds: [&GeometryKind; 2],
    settings: &Option<Value>,
    random: &mut Random,
) -> Result<Draft, String> {
    let ([a, b], direction) = if regime == Regime::Degenerate {
        (degenerate_pair(kinds, random)?, None)
    } else {
        let (pair, direction) = generate_pair(kinds, regime, as_sheets(detector, settings), random)?;
        (pair, Some(direction))
    };
    let margin = if regime == Regime::Degenerate && random.one_in(3) { 0.25 * a.size() } else { 0.0 };
    let settings = settings.clone();
    Ok((Case { detector, regime, number, a, b, margin, settings }, direction))
}
