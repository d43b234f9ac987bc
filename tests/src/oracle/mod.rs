//! An independent, slow answer for every pair: brute force over all cells, without a tree, from bare points. It
//! shares no function with the detectors, nor with the geometry below them.

mod axis_ends;
mod body;
mod convex;
mod crossings;
pub(crate) mod distance;
mod expected;
mod farthest;
mod features;
mod front;
pub(crate) mod hull;
mod implicit;
mod implicit_pairs;
mod least;
mod lines;
mod lying;
mod manifold;
mod patches;
mod piercing;
mod points;
mod region;
mod sampled;
mod sheet_exit;
mod signed;
mod solid;
mod surface;
mod surface_convex;
mod thread_surface;
mod triangles;
mod volume;
mod width;

pub use expected::{Element, Expected, expected, expected_of_self};
pub(crate) use front::has_front;
pub use lying::judge as judge_lying;
pub use manifold::judge as judge_manifold;
pub use patches::judge as judge_patches;
pub use piercing::crosses;
pub use signed::signed_distance;
pub use surface::is_closed;
pub(crate) use surface_convex::is_nearest_place;
pub use surface_convex::least_depth;

use crate::{Case, Shape};
use palpate_contact::{Contact, ContactId, IdPart};
use palpate_math::{Point, Vector};

/// Whether the oracle knows only the deepest contact of a case: of a thread or a solid through a sheet.
pub fn knows_the_deepest_only(case: &Case) -> bool {
    thread_surface::threads_through(case) || features::solid_and_sheet(case)
}

/// The ends of the axis of a capsule, cylinder or cone.
pub(crate) fn axis_ends(shape: &Shape) -> Option<[Point; 2]> {
    match shape {
        Shape::Capsule { pose, length, .. }
        | Shape::Cylinder { pose, length, .. }
        | Shape::Cone { pose, length, .. } => {
            let half = Vector::new(0.0, 0.5 * length, 0.0);
            Some([pose * Point::from(-half), pose * Point::from(half)])
        }
        _ => None,
    }
}

/// The distance of a contact's surface point from the surface of a primitive or an implicit body, given also the
/// point without the shape's radius.
pub(crate) fn off_surface(shape: &Shape, point: &Point, bare: &Point, case: &Case) -> f64 {
    match shape {
        Shape::Implicit { .. } => implicit_pairs::off_surface(shape, point, case),
        _ => solid::off_surface(shape, point, bare),
    }
}

/// If one body of a pair is searched for the deepest point, its interior included: whether it is this one.
pub(crate) fn is_searched(case: &Case, shape: &Shape) -> bool {
    implicit_pairs::is_searched(case, shape)
}

/// How far a contact's point in the searched body is from being in it with the reported depth in the other. The
/// point may be one of many.
pub(crate) fn off_deepest(case: &Case, contact: &Contact) -> f64 {
    let direction = Vector::from(contact.direction);
    let place = if is_searched(case, &case.a) {
        contact.a.surface_point() + direction * case.a.rounding_radius()
    } else {
        contact.b.surface_point() - direction * case.b.rounding_radius()
    };
    implicit_pairs::off_deepest(case, &place, contact.depth)
}

/// Whether a contact belongs to the deepest point of an implicit body's piece in a mesh, by its id.
pub(crate) fn is_of_piece(case: &Case, contact: &Contact) -> bool {
    let detectors = ["implicit_surface_mesh", "implicit_tetra_mesh"];
    detectors.contains(&case.detector)
        && ContactId::parts(contact.id).iter().any(|part| matches!(part, IdPart::Inside(_)))
}

/// For such a contact, how far its point is from being in the body.
pub(crate) fn off_body(case: &Case, contact: &Contact) -> f64 {
    let (body, side) = match &case.a {
        Shape::Implicit { .. } => (&case.a, &contact.a),
        _ => (&case.b, &contact.b),
    };
    implicit_pairs::off_body(case, body, &side.surface_point())
}

/// Difference between the value of an implicit body at the point of a contact on a mesh and the reported depth;
/// `None` for other detectors, which do not search elements.
pub(crate) fn off_least_of_element(case: &Case, contact: &Contact) -> Option<f64> {
    if is_of_piece(case, contact) {
        return Some(off_body(case, contact));
    }
    let searched = ["implicit_line_mesh", "implicit_surface_mesh", "implicit_tetra_mesh"];
    searched.contains(&case.detector).then(|| {
        let radius = case.b.thickness();
        let place = Point::from(contact.b.point) - Vector::from(contact.direction) * radius;
        implicit_pairs::off_value(case, &place, radius - contact.depth)
    })
}

/// The distance of `point` from the axis of a capsule, or from the segments of a thread; infinite for other shapes.
pub(crate) fn distance_to_axis(shape: &Shape, point: &Point) -> f64 {
    let off = |[start, end]: [Point; 2]| (distance::on_segment(point, &start, &end).1 - point).norm();
    if let Shape::LineMesh { vertices, cells, .. } = shape {
        let segments = cells.iter().map(|ids| ids.map(|id| vertices[id as usize]));
        return segments.map(off).fold(f64::INFINITY, f64::min);
    }
    axis_ends(shape).map_or(f64::INFINITY, off)
}
