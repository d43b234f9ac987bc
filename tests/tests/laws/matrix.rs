//! Every two kinds have a detector, or a refusal with a reason.

use crate::all_cases::REGISTRY;
use palpate_detect::{Choice, MatrixCell, Served};
use palpate_geometry::{Compound, Geometry, GeometryKind};
use palpate_tests::Random;
use palpate_tests::generate::generate;

/// Maximum number of pairs without a detector.
const MOST_REFUSALS: usize = 3;

fn names(cells: &[MatrixCell], is_one: impl Fn(&Served) -> bool) -> Vec<(&str, &str)> {
    let those = cells.iter().filter(|cell| is_one(&cell.served));
    those.map(|cell| (cell.a.name(), cell.b.name())).collect()
}

// Proves: REQ-MATRIX, REQ-ALL-PAIRS
#[test]
fn every_cell_is_served_or_refused_with_a_reason() {
    let cells = REGISTRY.matrix();
    assert_eq!(cells.len(), 78);
    let refused = names(&cells, |served| matches!(served, Served::Refused(_)));
    assert!(refused.len() <= MOST_REFUSALS, "{refused:?}");
    assert!(refused.contains(&("plane", "plane")));
    for cell in &cells {
        if let Served::Refused(reason) = cell.served {
            assert!(reason.split_whitespace().count() > 8, "a reason, not {reason:?}");
        }
    }
    assert_eq!(names(&cells, |served| matches!(served, Served::Nobody)), [], "no detector serves them");
    let by_vertices = names(&cells, |served| matches!(served, Served::By { vertices_only: true, .. }));
    assert_eq!(by_vertices, [], "a mesh is served by its vertices only");
}

/// The matrix agrees with the binding of geometries of these kinds.
// Proves: REQ-MATRIX
#[test]
fn the_matrix_is_what_binding_does() {
    let mut random = Random::new(31);
    let mut one = |kind: &GeometryKind| -> Option<Box<dyn Geometry>> {
        if *kind == GeometryKind::COMPOUND {
            return Some(Box::new(Compound::default()));
        }
        generate(kind, 1.0, &mut random).ok().map(|shape| shape.prepared())
    };
    let mut compared = 0;
    for cell in REGISTRY.matrix() {
        let (Some(a), Some(b)) = (one(&cell.a), one(&cell.b)) else { continue };
        let bound = REGISTRY.bind(a.as_ref(), b.as_ref(), Choice::default());
        let name = bound.as_ref().map(|bound| bound.name().to_owned());
        match (&cell.served, name) {
            (Served::By { detector, others, .. }, Ok(name)) => {
                // For some geometries of the two kinds another default may be used.
                assert!(*detector == name || others.contains(&name.as_str()), "{detector}, not {name}");
                for other in others {
                    let by_name = REGISTRY.bind(a.as_ref(), b.as_ref(), Choice::named(*other));
                    assert_eq!(by_name.map(|bound| bound.name().to_owned()), Ok((*other).to_owned()));
                }
            }
            (Served::Children, Ok(name)) => assert_eq!(name, format!("{}_{}", cell.a, cell.b)),
            (Served::Refused(reason), Err(error)) => assert!(error.to_string().contains(reason)),
            (Served::Nobody, Err(_)) => {}
            other => panic!("{other:?} for {} and {}", cell.a, cell.b),
        }
        compared += 1;
    }
    assert!(compared >= 66, "{compared} cells compared");
}
