//! The contact of two elements at their impact.

use crate::contact_ids::id_of;
use palpate_contact::{Contact, Feature, IdPart};
use palpate_math::continuous::{Impact, MovingPoint};
use palpate_math::{Point, Vector, direction};

/// An element over the step: one to three vertices.
#[derive(Clone, Copy)]
pub(crate) struct Element<'a> {
    /// The vertices; those beyond `ids` are not read.
    pub(crate) moving: &'a [MovingPoint],
    pub(crate) ids: &'a [u32],
    /// The cell that owns the element.
    pub(crate) cell: u32,
    /// Its number: of the edge or the triangle; not read of a vertex.
    pub(crate) number: u32,
    pub(crate) radius: f64,
}

impl Element<'_> {
    fn at(&self, weights: &[f64], time: f64) -> Point {
        let sum = self
            .moving
            .iter()
            .zip(weights)
            .fold(Vector::zeros(), |sum, (vertex, &weight)| sum + vertex.at(time).coords * weight);
        Point::from(sum)
    }

    /// The displacement of the weighted point over the step.
    fn displacement(&self, weights: &[f64]) -> Vector {
        self.moving
            .iter()
            .zip(weights)
            .fold(Vector::zeros(), |sum, (vertex, &weight)| sum + vertex.displacement() * weight)
    }

    /// The directions along the element at a time: none of a vertex, one of an edge, two of a triangle.
    fn along(&self, time: f64) -> [Vector; 2] {
        match self.moving {
            [a, b] => [b.at(time) - a.at(time), Vector::zeros()],
            [a, b, c] => [b.at(time) - a.at(time), c.at(time) - a.at(time)],
            _ => [Vector::zeros(); 2],
        }
    }

    fn feature(&self, weights: &[f64], point: Point) -> (Feature, IdPart) {
        match (self.ids, weights) {
            (&[a, b], &[first, second]) => {
                (Feature::edge([a, b], [first, second], self.cell, point), IdPart::Edge(self.number))
            }
            (&[a, b, c], &[first, second, third]) => (
                Feature::triangle([a, b, c], [first, second, third], self.cell, point),
                IdPart::Triangle(self.number),
            ),
            _ => (Feature::vertex(self.ids[0], self.cell, point), IdPart::Vertex(self.ids[0])),
        }
    }
}

/// An impact of two elements as a contact.
pub(crate) struct AtImpact {
    pub(crate) contact: Contact,
    /// Unit vectors along which the elements approach each other: of A relative to B. Zero at rest.
    pub(crate) approach: Vector,
    /// From B's point to A's; zero where they touch.
    pub(crate) between: Vector,
}

/// Returns the contact at an impact within `separation`, radii and margin. The direction is from B's point to A's if these are apart, and else the common
/// normal of both elements, against the motion of A relative to B.
pub(crate) fn contact_at(a: &Element<'_>, b: &Element<'_>, impact: &Impact, separation: f64) -> AtImpact {
    let (weights_a, weights_b) =
        (&impact.weights[..a.ids.len()], &impact.weights[a.ids.len()..][..b.ids.len()]);
    let time = impact.time.upper;
    let (point_a, point_b) = (a.at(weights_a, time), b.at(weights_b, time));
    let approach = a.displacement(weights_a) - b.displacement(weights_b);
    let between = point_a - point_b;
    let sum = a.radius + b.radius;
    // The distance of two bare elements at an impact is rounding: it has no direction.
    let is_apart = separation > 0.0 && between.norm() > SMALL * separation;
    let direction = if is_apart {
        between.normalize()
    } else {
        let start = a.at(weights_a, 0.0) - b.at(weights_b, 0.0);
        against(&approach, common_normal(a, b, time), start)
    };
    let end = a.at(weights_a, 1.0) - b.at(weights_b, 1.0);
    let depth = sum - direction.dot(&end);
    let (feature_a, part_a) = a.feature(weights_a, point_a - direction * a.radius);
    let (feature_b, part_b) = b.feature(weights_b, point_b + direction * b.radius);
    let contact = Contact {
        time_of_impact: impact.time.lower,
        ..Contact::exact(feature_a, feature_b, direction, depth, id_of(part_a, part_b))
    };
    AtImpact { contact, approach, between: if is_apart { between } else { Vector::zeros() } }
}

/// Axes closer than this part of the radii have no direction between them that rounding leaves.
const SMALL: f64 = 1e-9;

/// The unit normal of both elements at a time: of the triangle, of both edges, or of the edge and the motion.
fn common_normal(a: &Element<'_>, b: &Element<'_>, time: f64) -> Option<Vector> {
    let ([a0, a1], [b0, b1]) = (a.along(time), b.along(time));
    let normal = match (a.ids.len(), b.ids.len()) {
        (3, _) => a0.cross(&a1),
        (_, 3) => b0.cross(&b1),
        _ => a0.cross(&b0),
    };
    let size = [a0, a1, b0, b1].iter().fold(0.0_f64, |size, along| size.max(along.norm_squared()));
    (normal.norm() > SMALL * size).then(|| normal.normalize())
}

/// The unit direction against the motion: along the normal if there is one, and else along the part of the motion.
fn against(approach: &Vector, normal: Option<Vector>, start: Vector) -> Vector {
    let Some(normal) = normal else {
        let way = if approach.amax() > 0.0 { -*approach } else { start };
        return way.try_normalize(0.0).unwrap_or_else(|| direction::any_perpendicular(&Vector::x()));
    };
    // The side from which A comes: by the motion, or where that is along the normal's plane, by the start.
    let (closing, side) = (approach.dot(&normal), start.dot(&normal));
    let decided = closing.abs() > SMALL * approach.norm();
    let outward = if decided { closing < 0.0 } else { side >= 0.0 };
    if outward { normal } else { -normal }
}
