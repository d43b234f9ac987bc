//! The expected result of a detector.

use super::{
    convex, features, implicit_pairs, lines, points, solid, surface, thread_surface, triangles, volume,
};
use crate::{Case, Shape};
use palpate_math::{Point, Vector};

/// One side of an expected contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// Any element.
    Any,
    /// A point of a shape without vertices.
    Point,
    /// The element of these vertices, sorted.
    Of(Vec<u32>),
}

impl Element {
    /// The element of these vertices.
    pub(crate) fn of(ids: impl IntoIterator<Item = u32>) -> Self {
        let mut ids: Vec<u32> = ids.into_iter().collect();
        ids.sort_unstable();
        Self::Of(ids)
    }
}

/// An expected contact.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The element of the first side.
    pub a: Element,
    /// That of the second.
    pub b: Element,
    /// The depth in metres; NaN if the oracle does not know it.
    pub depth: f64,
    /// If unknown: a lower bound of the depth, found by sampling.
    pub at_least: f64,
    /// The unit direction that moves A out, if unique.
    pub direction: Option<Vector>,
    /// A's surface point, if unique.
    pub point_a: Option<Point>,
    /// Whether the contact may be absent because of rounding.
    pub optional: bool,
}

impl Default for Expected {
    /// Any touching contact.
    fn default() -> Self {
        Self {
            a: Element::Any,
            b: Element::Any,
            depth: 0.0,
            at_least: f64::NEG_INFINITY,
            direction: None,
            point_a: None,
            optional: false,
        }
    }
}

impl Expected {
    /// An optional contact between elements of which the oracle knows only a lower bound of the depth.
    pub(crate) fn unknown(a: Element, b: Element, at_least: f64) -> Self {
        Self { a, b, depth: f64::NAN, at_least, optional: true, ..Self::default() }
    }

    /// Whether a contact may be this deep, to a tolerance.
    pub fn may_be(&self, depth: f64, tolerance: f64) -> bool {
        if self.is_known() {
            (depth - self.depth).abs() <= tolerance
        } else {
            depth >= self.at_least - tolerance
        }
    }

    /// Whether the oracle knows its depth.
    pub fn is_known(&self) -> bool {
        !self.depth.is_nan()
    }

    /// A contact of two rounded cores, given their closest points and radii.
    pub(crate) fn of_cores(elements: [Element; 2], cores: [Point; 2], radii: [f64; 2]) -> Self {
        let [a, b] = elements;
        let offset = cores[0] - cores[1];
        let distance = offset.norm();
        let direction = offset / distance;
        let point_a = Some(cores[0] - direction * radii[0]);
        Self {
            a,
            b,
            depth: radii[0] + radii[1] - distance,
            direction: Some(direction),
            point_a,
            ..Self::default()
        }
    }
}

/// The contacts of a case in the detector's stated order, the sides in its own. Contacts as shallow as the margin, to
/// `tolerance` of the case's size, are optional. Errors: a detector that the oracle does not know.
pub fn expected(case: &Case, tolerance: f64) -> Result<Vec<Expected>, String> {
    let contacts = match case.detector {
        "implicit_implicit" => implicit_pairs::two_bodies(case),
        "implicit_point_set" => implicit_pairs::against_points(case),
        "implicit_line_mesh" => implicit_pairs::against_lines(case),
        "implicit_surface_mesh" | "implicit_tetra_mesh" => implicit_pairs::against_surface(case),
        "implicit_plane" => implicit_pairs::against_plane(case),
        "implicit_sphere" => implicit_pairs::against_sphere(case),
        "implicit_capsule" => implicit_pairs::against_capsule(case),
        "implicit_convex" => implicit_pairs::against_solid(case),
        "sphere_sphere" | "sphere_capsule" | "capsule_capsule" => solid::round_pair(case),
        "sphere_cylinder" | "sphere_oriented_box" => solid::sphere_solid(case),
        "plane_sphere" | "plane_capsule" => solid::plane_round(case),
        "plane_convex" | "plane_cylinder" | "plane_oriented_box" => convex::plane_convex(case),
        "convex_convex" | "capsule_oriented_box" | "oriented_box_oriented_box" => convex::two_bodies(case),
        "point_set_sphere"
        | "point_set_capsule"
        | "point_set_cylinder"
        | "point_set_oriented_box"
        | "point_set_plane" => points::against_solid(case),
        "point_set_convex" => points::against_convex(case),
        "point_set_point_set" => points::against_points(case),
        "point_set_line_mesh" => points::against_segments(case),
        "point_set_surface_mesh" => surface::points_against_surface(case),
        "closed_surface_mesh_surface_mesh" if is_by_vertices(case) => surface::two_surfaces(case),
        "surface_mesh_surface_mesh" => triangles::against_triangles(case),
        "surface_mesh_sphere" => surface::against_sphere(case),
        "surface_mesh_capsule" | "closed_surface_mesh_capsule" => surface::against_capsule(case),
        "point_set_tetra_mesh" => volume::points_against_volume(case),
        "closed_surface_mesh_surface_mesh" | "surface_mesh_tetra_mesh" | "tetra_mesh_tetra_mesh" => {
            features::two_bodies(case)
        }
        "surface_mesh_convex" => surface::against_convex(case),
        "tetra_mesh_convex" => volume::volume_against_convex(case),
        "tetra_mesh_sphere" | "tetra_mesh_capsule" => volume::volume_against_round(case),
        "line_mesh_tetra_mesh" => volume::lines_against_volume(case),
        "line_mesh_sphere" | "line_mesh_capsule" => lines::against_round(case),
        "line_mesh_line_mesh" => lines::against_lines(case),
        "line_mesh_surface_mesh" => thread_surface::lines_against_surface(case),
        "line_mesh_convex" => lines::against_convex(case, tolerance * case.size()),
        other => return Err(format!("write an oracle for detector {other}")),
    };
    Ok(in_reach(contacts, case.margin, tolerance * case.size()))
}

/// Whether edges are not tested.
fn is_by_vertices(case: &Case) -> bool {
    case.settings.as_ref().is_some_and(|settings| settings["edges"] == false)
}

/// The contacts of a detector's geometry with itself, likewise.
pub fn expected_of_self(
    detector: &str,
    shape: &Shape,
    margin: f64,
    tolerance: f64,
) -> Result<Vec<Expected>, String> {
    let contacts = match detector {
        "point_set_point_set" => points::against_itself(shape),
        "line_mesh_line_mesh" => lines::against_itself(shape),
        "surface_mesh_surface_mesh" => triangles::against_itself(shape),
        other => return Err(format!("write an oracle for self-contact by detector {other}")),
    };
    Ok(in_reach(contacts, margin, tolerance * shape.size()))
}

fn in_reach(mut contacts: Vec<Expected>, margin: f64, verge: f64) -> Vec<Expected> {
    contacts.retain(|contact| !contact.is_known() || contact.depth >= -margin - verge);
    for contact in &mut contacts {
        contact.optional |= (contact.depth + margin).abs() <= verge;
    }
    contacts
}
