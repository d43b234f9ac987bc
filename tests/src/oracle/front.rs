//! How a surface is taken, and what a sheet with a front does to what is behind it.

use super::expected::{Element, Expected};
use super::surface::Surface;
use crate::{Case, Shape};
use palpate_math::{Point, Vector};

/// What a surface is to another body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It has an inside.
    Solid,
    /// It has a front.
    Front,
    /// It has two sides alike.
    Sheet,
}

/// How the case takes a surface that is closed or not.
pub(super) fn taken(case: &Case, closed: bool) -> Taken {
    let one_sided = case.has_front_asked();
    let two_sided = case.settings.as_ref().is_some_and(|settings| settings["sides"] == "two");
    match (closed, one_sided, two_sided) {
        (true, _, false) => Taken::Solid,
        (false, true, _) => Taken::Front,
        _ => Taken::Sheet,
    }
}

/// Whether a triangle has no normal worth the name.
pub(super) fn is_flat([a, b, c]: &[Point; 3]) -> bool {
    let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
    (b - a).cross(&(c - a)).norm() <= 1e-12 * longest
}

impl Surface {
    /// Whether some edge with the element is one triangle's alone.
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

    /// Whether all triangles with the element are flat.
    fn is_flat(&self, element: &Element) -> bool {
        let Element::Of(wanted) = element else { return false };
        let with_it = self.triangles.iter().filter(|(ids, _)| wanted.iter().all(|id| ids.contains(id)));
        with_it.into_iter().all(|(_, corners)| is_flat(corners))
    }

    /// Whether something else counts at `point`, since the surface's element looks away from it.
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

/// Out through `place`, by as much as some points reach below it.
pub(super) fn through(place: &Point, outward: Vector, points: &[Point], radii: [f64; 2]) -> (f64, Vector) {
    let below = points.iter().map(|point| (place - point).dot(&outward)).fold(f64::NEG_INFINITY, f64::max);
    (radii[0] + radii[1] + below, outward)
}

/// The way out of a segment or point (`core`) that touches a sheet from behind, the element through which it leads, and
/// whether an end of a segment leads there;
/// `nearest` are the nearest places of surface and core to each other, of each triangle.
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
    // Where an end of a segment is the nearest, the other leaves last, below another place of the triangle.
    let at_an_end = core.len() > 1 && core.contains(&places[1]);
    let element = match &element {
        Element::Of(on) if at_an_end && on.len() == 3 => Element::of(*ids),
        // Which of the triangles about an edge or a vertex, rounding says.
        _ if at_an_end => Element::Any,
        _ => element,
    };
    Some((at_an_end, element, depth, outward))
}

/// Whether a case with a front is open.
pub(crate) fn has_front(case: &Case) -> bool {
    let open = |shape: &Shape| matches!(shape, Shape::SurfaceMesh { .. }) && !shape.is_solid();
    case.has_front_asked() && (open(&case.a) || open(&case.b))
}

/// A contact without a place.
pub(super) fn expected(elements: [Element; 2], depth: f64, direction: Vector) -> Expected {
    let [a, b] = elements;
    Expected { a, b, depth, direction: Some(direction), ..Expected::default() }
}
