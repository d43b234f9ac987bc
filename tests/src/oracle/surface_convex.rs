//! A surface against a convex body, triangle by triangle, by the widths of their difference.

use super::body::Body;
use super::distance::on_triangle;
use super::expected::{Element, Expected};
use super::front::{Taken, is_flat, taken};
use super::lines::first_of_each;
use super::surface::{Nearest, Surface, internal_ignored};
use super::width::least_width;
use crate::{Case, Shape};
use palpate_math::{Point, Vector};

/// Corners of a triangle that are as far along a direction as the farthest but for this part of its size belong to the same
/// element.
const LEVEL: f64 = 1e-6;

/// What a triangle and the body have to do with each other.
struct Met {
    ids: [u32; 3],
    corners: [Point; 3],
    element: Element,
    /// A place on the element.
    place: Point,
    direction: Vector,
    depth: f64,
}

struct Pair<'a> {
    case: &'a Case,
    surface: &'a Surface,
    origin: Vector,
    body: Body,
    radius: f64,
    /// What is farther apart than this is no contact.
    reach: f64,
}

impl Pair<'_> {
    fn farthest(&self, direction: &Vector) -> Point {
        Point::from(self.origin + self.body.farthest(direction) + direction * self.radius)
    }

    /// A lower bound of the distance to a triangle, by a few directions.
    fn surely_apart(&self, corners: &[Point; 3]) -> f64 {
        let middle = (corners[0].coords + corners[1].coords + corners[2].coords) / 3.0;
        let towards = (self.origin - middle).try_normalize(0.0).unwrap_or_else(Vector::x);
        let mut most = 0.0_f64;
        for axis in [Vector::x(), Vector::y(), Vector::z(), towards] {
            for direction in [axis, -axis] {
                let end = corners.iter().map(|corner| corner.coords.dot(&direction));
                let end = end.fold(f64::NEG_INFINITY, f64::max);
                most = most.max(self.farthest(&-direction).coords.dot(&direction) - end);
            }
        }
        most
    }

    fn meet(&self, ids: &[u32; 3], corners: &[Point; 3]) -> Met {
        let triangle = Body::hull(corners.iter().map(|corner| corner.coords - self.origin).collect());
        let (width, into_body) = least_width(&triangle, &self.body, self.reach + self.radius);
        let heights = corners.map(|corner| (corner.coords - self.origin).dot(&into_body));
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let size = (0..3).map(|k| (corners[k] - corners[(k + 1) % 3]).norm()).fold(0.0, f64::max);
        let level: Vec<usize> = (0..3).filter(|&k| heights[k] >= highest - LEVEL * size).collect();
        Met {
            ids: *ids,
            corners: *corners,
            element: Element::of(level.iter().map(|&k| ids[k])),
            place: corners[level[0]],
            direction: -into_body,
            depth: width + self.radius,
        }
    }

    /// Out along a direction, from below the plane through a place.
    fn left_along(&self, outward: &Vector, place: &Point, ids: [u32; 3]) -> Expected {
        let below = (place - self.farthest(&-outward)).dot(outward);
        Expected {
            a: Element::of(ids),
            b: Element::Point,
            depth: below + self.surface.thickness,
            direction: Some(-outward),
            point_a: None,
            optional: false,
        }
    }

    fn held(&self) -> Expected {
        let mut middle = Vector::zeros();
        for axis in 0..3 {
            let along = Vector::ith(axis, 1.0);
            middle[axis] = 0.5 * (self.farthest(&along)[axis] + self.farthest(&-along)[axis]);
        }
        let middle = Point::from(middle);
        let (nearest, element) = self.surface.nearest(&middle);
        let Element::Of(wanted) = &element else { unreachable!("a surface has vertices") };
        let owner = self.surface.triangles.iter().find(|(ids, _)| wanted.iter().all(|id| ids.contains(id)));
        let (ids, _) = owner.expect("the element is a triangle's");
        self.left_along(&(nearest.place - middle).normalize(), &nearest.place, *ids)
    }
}

/// A surface against a convex body; `holds` tells what is inside.
pub(super) fn against_body(case: &Case, surface: &Surface, holds: impl Fn(&Point) -> bool) -> Vec<Expected> {
    let origin = case.b.center();
    let body = Body::new(&case.b, &origin);
    let reach = 1.01 * (case.margin + surface.thickness) + 1e-6 * case.size();
    let pair = Pair { case, surface, origin, body, radius: case.b.rounding_radius(), reach };
    let near = surface.triangles.iter().filter(|(_, corners)| pair.surely_apart(corners) <= reach);
    let met = near.map(|(ids, corners)| pair.meet(ids, corners));
    let met: Vec<Met> = met.filter(|met| met.depth >= -reach).collect();
    let contacts = pair.contacts(&met);
    let verge = crate::laws::TRUTH * case.size();
    let overlaps = met.iter().any(|met| met.depth > verge);
    let extremes =
        (0..6).map(|k| pair.farthest(&Vector::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 })).coords);
    if !overlaps && holds(&Point::from(extremes.sum::<Vector>() / 6.0)) {
        let out_of_reach = contacts.iter().all(|contact| contact.depth < -verge);
        // A volume is a solid, though flat cells may leave holes in its boundary.
        let solid =
            !matches!(case.a, Shape::SurfaceMesh { .. }) || taken(case, surface.closed) != Taken::Sheet;
        if solid || out_of_reach {
            return vec![pair.held()];
        }
    }
    contacts
}

impl Pair<'_> {
    fn expected(&self, met: &Met, optional: bool) -> Expected {
        let verge = crate::laws::TRUTH * self.case.size();
        // A normal of faces or edges is exact; where the search ended in a curve or a corner, the direction is good to
        // the root of rounding only.
        let exact = self.case.search_tolerance().is_none() && self.radius == 0.0 && met.depth > verge;
        Expected {
            a: met.element.clone(),
            b: Element::Point,
            depth: met.depth + self.surface.thickness,
            direction: exact.then_some(met.direction),
            point_a: None,
            optional,
        }
    }

    /// The least motion of the body out of the triangle with the solid behind it: a prism deeper than the body.
    fn least_outward(&self, met: &Met, outward: &Vector) -> f64 {
        let deep = outward
            * (4.0 * (self.case.b.reach_from(&met.corners[0]) + self.case.a.reach_from(&met.corners[0])));
        let corners = met.corners.map(|corner| corner.coords - self.origin);
        let prism = Body::hull(corners.into_iter().chain(corners.map(|corner| corner - deep)).collect());
        least_width(&prism, &self.body, f64::INFINITY).0 + self.radius
    }

    fn contacts(&self, met: &[Met]) -> Vec<Expected> {
        let Self { case, surface, .. } = self;
        let verge = crate::laws::TRUTH * case.size();
        let taken = taken(case, surface.closed);
        // A flat triangle of a sheet has no front.
        let has_sides = |corners: &[Point; 3]| surface.closed || !is_flat(corners);
        let leads_inward = |met: &Met| {
            let leaves_to = met.place - met.direction;
            has_sides(&met.corners) && surface.hides(taken, &met.element, &met.place, &leaves_to)
        };
        // The deepest of those that lead outward is always kept.
        let height = |met: &Met| if leads_inward(met) { f64::INFINITY } else { -met.depth };
        let each = met.iter().map(|met| (met.ids, met.element.clone(), height(met)));
        let all = Nearest(each.collect());
        let mut contacts = Vec::new();
        for met in met {
            if leads_inward(met) {
                if met.depth > verge {
                    let outward = surface.outward(&met.corners);
                    let left = self.left_along(&outward, &met.corners[0], met.ids);
                    // Where a way outward is as short as the way inward, rounding chooses.
                    let tied = self.least_outward(met, &outward) <= met.depth + verge;
                    if tied {
                        contacts.push(self.expected(met, true));
                    }
                    contacts.push(Expected { optional: tied, ..left });
                }
                // What touches, and no more, is in contact whichever way it leads.
                if met.depth.abs() > verge {
                    continue;
                }
            }
            if internal_ignored(case, surface.closed) && all.is_internal(&met.element) {
                continue;
            }
            contacts.push(self.expected(met, false));
        }
        first_of_each(contacts)
    }
}

/// Whether `place` is the triangle's nearest to `point`, to `tolerance`.
pub(crate) fn is_nearest_place(corners: &[Point; 3], place: &Point, point: &Point, tolerance: f64) -> bool {
    (place - point).norm() <= on_triangle(point, corners).distance + tolerance
}
