//! The direction between the closest points of two elements.

use super::element::Element;
use super::moves::Shape;
use super::rigid::Place;
use super::step::{Step, When};
use palpate_convex::{Core, Extreme, Memory, NO_ID, RigidTransform, Settings, SupportMap, contact_within};
use palpate_geometry::Geometry;
use palpate_math::nearest::{point_segment, point_triangle, segment_segment};
use palpate_math::{Aabb, Point, Vector};

/// The memory of the convex queries.
pub(super) type ConvexMemory = Memory<Vector>;

/// Where two elements are, without radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Closest {
    /// They touch or intersect.
    Touching,
    /// They are farther apart than was asked.
    Beyond,
    /// The unit direction from B to A between their closest points, and their distance.
    Apart(Vector, f64),
}

impl Closest {
    fn new(between: Vector, within: f64) -> Self {
        match between.norm() {
            0.0 => Self::Touching,
            distance if distance > within => Self::Beyond,
            distance => Self::Apart(between / distance, distance),
        }
    }
}

/// Where two elements are, by their support maps or over a plane; `Beyond` if they are farther apart than `within`.
pub(super) fn closest(
    step: &Step<'_>,
    [a, b]: [&Element; 2],
    when: When,
    within: f64,
    memory: &mut ConvexMemory,
) -> Closest {
    for (plane, other, sign) in [(b, a, 1.0), (a, b, -1.0)] {
        if let Shape::HalfSpace { point, normal, is_two_sided } = &step.parts[plane.part].shape {
            let place = step.place(plane.part, when);
            let (point, normal) = (place.point(point), place.rotation * normal);
            return match above_plane(step, other, when, (&point, &normal), *is_two_sided) {
                Closest::Apart(_, distance) if distance > within => Closest::Beyond,
                Closest::Apart(normal, distance) => Closest::Apart(normal * sign, distance),
                touching => touching,
            };
        }
    }
    by_support(step, [a, b], when, within, memory)
}

/// The same, in closed form, of two elements of meshes with these [corners](Step::corners); `None` for a triangle beside more than a vertex.
pub(super) fn between_corners(
    [a, b]: [&Element; 2],
    [p, q]: [&[Point; 3]; 2],
    within: f64,
) -> Option<Closest> {
    if are_boxes_beyond(p, q, within) {
        return Some(Closest::Beyond);
    }
    let between = match (a.vertices().len(), b.vertices().len()) {
        (1, 1) => p[0] - q[0],
        (1, 2) => p[0] - point_segment(&p[0], &q[0], &q[1]).point,
        (2, 1) => point_segment(&q[0], &p[0], &p[1]).point - q[0],
        (1, 3) => p[0] - point_triangle(&p[0], &q[0], &q[1], &q[2]).point,
        (3, 1) => point_triangle(&q[0], &p[0], &p[1], &p[2]).point - q[0],
        (2, 2) => {
            let found = segment_segment(&p[0], &p[1], &q[0], &q[1]);
            found.point_a - found.point_b
        }
        _ => return None,
    };
    Some(Closest::new(between, within))
}

/// Whether the boxes of two elements are farther apart than `within` along an axis.
fn are_boxes_beyond(p: &[Point; 3], q: &[Point; 3], within: f64) -> bool {
    let (p, q) = (Aabb::from_points(p), Aabb::from_points(q));
    let apart = (p.min - q.max).sup(&(q.min - p.max));
    apart.max() > within
}

/// An element over a plane: the normal, toward the side on which the element is.
fn above_plane(
    step: &Step<'_>,
    element: &Element,
    when: When,
    (point, normal): (&Point, &Vector),
    is_two_sided: bool,
) -> Closest {
    let above = step.lowest(element, when, normal, point);
    if above > 0.0 {
        return Closest::Apart(*normal, above);
    }
    let below = step.lowest(element, when, &-normal, point);
    if is_two_sided && below > 0.0 { Closest::Apart(-normal, below) } else { Closest::Touching }
}

/// By GJK on the support maps.
fn by_support(
    step: &Step<'_>,
    [a, b]: [&Element; 2],
    when: When,
    within: f64,
    memory: &mut ConvexMemory,
) -> Closest {
    let origin = Set::middle(step, a, when);
    let [a, b] = [a, b].map(|element| Set::new(step, element, when, &origin));
    let rest = RigidTransform::identity();
    match contact_within((&a, &rest), (&b, &rest), within, memory, &Settings::default()) {
        None => Closest::Beyond,
        Some(found) if found.depth < 0.0 => Closest::Apart(found.direction, -found.depth),
        Some(_) => Closest::Touching,
    }
}

/// An element as the core of a convex query, relative to an origin.
struct Set<'a> {
    kind: SetKind<'a>,
    middle: Vector,
    bounding_radius: f64,
}

enum SetKind<'a> {
    Points([Vector; 3], usize),
    Solid(&'a dyn SupportMap, Place),
}

impl<'a> Set<'a> {
    /// A point of the element.
    fn middle(step: &Step<'_>, element: &Element, when: When) -> Point {
        match element.vertices().first() {
            Some(vertex) => step.position(element.part, *vertex, when),
            None => step.place(element.part, when).origin,
        }
    }

    fn new(step: &'a Step<'_>, element: &Element, when: When, origin: &Point) -> Self {
        let middle = Self::middle(step, element, when) - origin;
        match &step.parts[element.part].shape {
            Shape::Solid { geometry, reach } if let Some(map) = map_of(&**geometry) => {
                let mut place = step.place(element.part, when);
                place.origin = Point::from(place.origin - origin);
                let kind = SetKind::Solid(map, place);
                Self { kind, middle, bounding_radius: reach + middle.norm() }
            }
            _ => {
                let mut points = [Vector::zeros(); 3];
                for (point, id) in points.iter_mut().zip(element.vertices()) {
                    *point = step.position(element.part, *id, when) - origin;
                }
                let count = element.vertices().len().max(1);
                let largest = points[..count].iter().map(|point| point.norm()).fold(0.0, f64::max);
                Self { kind: SetKind::Points(points, count), middle, bounding_radius: largest }
            }
        }
    }
}

fn map_of(geometry: &dyn Geometry) -> Option<&dyn SupportMap> {
    geometry.as_convex().map(|convex| convex.support_map())
}

impl Core<Vector> for Set<'_> {
    const CURVED: bool = true;

    fn support(&self, direction: Vector, _near: u32) -> Extreme<Vector> {
        let point = match &self.kind {
            SetKind::Solid(map, place) => {
                place.point(&map.support(&place.rotation.tr_mul(&direction))).coords
            }
            SetKind::Points(points, count) => {
                let points = points[..*count].iter();
                let best = points.fold((f64::NEG_INFINITY, Vector::zeros()), |best, point| {
                    let height = point.dot(&direction);
                    if height > best.0 { (height, *point) } else { best }
                });
                best.1
            }
        };
        Extreme { point, id: NO_ID }
    }

    fn vertex(&self, _id: u32) -> Option<Vector> {
        None
    }

    fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    fn center(&self) -> Vector {
        self.middle
    }
}
