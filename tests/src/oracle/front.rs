//! The sidedness of a surface, and the effect of a one-sided sheet on bodies behind it.

use super::expected::{Element, Expected};
use super::surface::Surface;
use crate::{Case, Shape};
use palpate_math::{Point, Vector};

/// Sidedness of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// Solid.
    Solid,
    /// One-sided sheet.
    Front,
    /// Two-sided sheet.
    Sheet,
}

/// The sidedness of a closed or open surface in the case.
pub(super) fn taken(case: &Case, closed: bool) -> Taken {
    let one_sided = case.has_front_asked();
    let two_sided = case.settings.as_ref().is_some_and(|settings| settings["sides"] == "two");
    match (closed, one_sided, two_sided) {
        (true, _, false) => Taken::Solid,
        (false, true, _) => Taken::Front,
        _ => Taken::Sheet,
    }
}

/// Whether a triangle is degenerate, without a usable normal.
pub(super) fn is_flat([a, b, c]: &[Point; 3]) -> bool {
    let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
    (b - a).cross(&(c - a)).norm() <= 1e-12 * longest
}

impl Surface {
    /// Whether some edge with the element belongs to one triangle only.
    fn is_border(&self, element: &Element) -> bool {
        let Element::Of(wanted) = element else { return false };
        if wanted.len() > 2 {
            return false;
        }
        let sides = self.triangles.iter().flat_map(|(ids, _)| (0..3).map(|k| [ids[k], ids[(k + 1) % 3]]));
        let alone = |[from, to]: [u32; 2]| {
            self.triangles.iter().filter(|(ids, _)| ids.contains(&from) && ids.contains(&to)).count() == 1
        };
        sides.filter(|side| wanted.iter().all(|id| side.contains(id))).any(alone)
    }

    /// Whether all triangles with the element are degenerate.
    fn is_flat(&self, element: &Element) -> bool {
        let Element::Of(wanted) = element else { return false };
        let with_it = self.triangles.iter().filter(|(ids, _)| wanted.iter().all(|id| ids.contains(id)));
        with_it.into_iter().all(|(_, corners)| is_flat(corners))
    }

    /// Whether the surface's element faces away from `point`, so that another element counts there.
    pub(super) fn hides(&self, taken: Taken, element: &Element, place: &Point, point: &Point) -> bool {
        match taken {
            Taken::Solid => self.faces_away(element, place, point),
            Taken::Front => {
                !self.is_border(element) && !self.is_flat(element) && self.faces_away(element, place, point)
            }
            Taken::Sheet => false,
        }
    }
}

/// Out through `place`, by the depth of some points below it.
pub(super) fn through(place: &Point, outward: Vector, points: &[Point], radii: [f64; 2]) -> (f64, Vector) {
    let below = points.iter().map(|point| (place - point).dot(&outward)).fold(f64::NEG_INFINITY, f64::max);
    (radii[0] + radii[1] + below, outward)
}

/// The exit of a segment or point (`core`) that touches a sheet from behind, the element through which it leads,
/// and whether an end of a segment leads there. `nearest` are the closest points of surface and core, for each
/// triangle.
pub(super) fn pushed_to_the_front<'a>(
    surface: &Surface,
    nearest: impl Iterator<Item = (&'a [u32; 3], Element, [Point; 2])>,
    core: &[Point],
    radii: [f64; 2],
) -> Option<(bool, Element, f64, Vector)> {
    let distance = |places: &[Point; 2]| (places[0] - places[1]).norm();
    let (ids, element, places) =
        nearest.reduce(|best, other| if distance(&other.2) < distance(&best.2) { other } else { best })?;
    let touches = distance(&places) <= radii[0] + radii[1];
    if !touches || !surface.hides(Taken::Front, &element, &places[0], &places[1]) {
        return None;
    }
    let outward = (places[0] - places[1]).normalize();
    let (depth, outward) = through(&places[0], outward, core, radii);
    // If an end of a segment is the closest, the other end leaves last, below another point of the triangle.
    let at_an_end = core.len() > 1 && core.contains(&places[1]);
    let element = match &element {
        Element::Of(on) if at_an_end && on.len() == 3 => Element::of(*ids),
        // Which of the triangles around an edge or a vertex it is depends on rounding.
        _ if at_an_end => Element::Any,
        _ => element,
    };
    Some((at_an_end, element, depth, outward))
}

/// Whether a case with a one-sided sheet is open.
pub(crate) fn has_front(case: &Case) -> bool {
    let open = |shape: &Shape| matches!(shape, Shape::SurfaceMesh { .. }) && !shape.is_solid();
    case.has_front_asked() && (open(&case.a) || open(&case.b))
}

/// A contact without a point.
pub(super) fn expected(elements: [Element; 2], depth: f64, direction: Vector) -> Expected {
    let [a, b] = elements;
    Expected { a, b, depth, direction: Some(direction), ..Expected::default() }
}
