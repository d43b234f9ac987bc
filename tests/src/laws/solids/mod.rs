//! The laws of solids: every pair of two bodies that have an inside, by the registry's default detector, with
//! independent judges.
//!
//! | law | |
//! |---|---|
//! | least exit | no contact is deeper than the overlap of the two along any direction |
//! | seen | two that certainly share a point have a contact, in every part |
//! | steady | a small motion changes the deepest depth by no more than its largest displacement |
//! | in place | each side's point is on or in its own body, and the two are apart by the depth |
//! | in both | the segment between the points of a manifold's contact has a point in both bodies |
//! | told apart | no two contacts of a result have the same key |
//! | same meaning | from step to step a key means the same elements |

mod case;
mod form;
mod function;
mod judges;
mod kind;
mod mutation;
mod overlap;
mod pair;
mod solid;

pub(crate) use judges::{exits, has_no_distance, small_motions, unless_jump};
pub(crate) use overlap::goes_through;
pub(crate) use pair::body;
pub(crate) use solid::Solid;

pub use case::{Answer, Runs, SolidCase, TOLERANCE};
pub use form::{Form, grid_box};
pub use judges::{SOLID_LAWS, SolidLaw};
pub use kind::{Cell, SolidKind, cell_name, cells};
pub use mutation::SolidMutation;
pub use pair::{Stand, solid_case};

use crate::Shape;
use palpate_math::Vector;

/// Directions evenly spread over the sphere (a golden-angle spiral), including the axes.
pub fn directions(count: usize) -> Vec<Vector> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let spiral = (0..count.saturating_sub(6)).map(|k| {
        let y = 1.0 - 2.0 * (k as f64 + 0.5) / count.saturating_sub(6) as f64;
        let (across, angle) = ((1.0 - y * y).sqrt(), golden * k as f64);
        Vector::new(across * angle.cos(), y, across * angle.sin())
    });
    let axes = (0..3).flat_map(|axis| [1.0, -1.0].map(|sign| Vector::ith(axis, sign)));
    axes.chain(spiral).collect()
}

/// Whether two shapes certainly share a point: by edges through faces, and by corners that are inside by `slack`.
pub fn meet_by_elements(a: &Shape, b: &Shape, slack: f64) -> bool {
    let [a, b] = [a, b].map(solid::Solid::new);
    let inside = |x: &solid::Solid, y: &solid::Solid| {
        x.places().iter().any(|place| y.signed(place) <= -slack && x.signed(place) <= -slack)
    };
    let few = |x: &solid::Solid| x.shape.vertices().is_empty();
    overlap::meet_by_elements(&a, &b, slack) || few(&a) && inside(&a, &b) || few(&b) && inside(&b, &a)
}
