//! Penetration depth of a box and a triangle, by separating axes.

use crate::{Point, Vector, triangle};

/// The result of [`box_triangle_overlap`], in the frame of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxTriangleOverlap {
    /// How far the triangle must move along `direction` to separate from the box.
    pub depth: f64,
    /// Unit, moves the triangle out of the box.
    pub direction: Vector,
    /// The triangle's contact point. Moved by `depth` along `direction` it is on the box's surface.
    pub on_triangle: Point,
}

/// By how much an axis must improve on those before it, relative to the sizes of both.
const BETTER: f64 = 32.0 * f64::EPSILON;

/// Maximum distance of the contact point from the box or the triangle by rounding error, relative to the sizes of both.
const BESIDE: f64 = 64.0 * f64::EPSILON;

/// The features in contact after separation.
#[derive(Clone, Copy)]
enum Touching {
    /// The triangle and a corner of the box.
    Triangle,
    /// The face of the box perpendicular to this axis and a corner of the triangle.
    Face(usize),
    /// An edge of the box along this axis, and the edge of the triangle from the corner with this number to the next.
    Edges(usize, usize),
}

struct Best {
    depth: f64,
    direction: Vector,
    touching: Touching,
}

/// Returns the contact for the best of the thirteen axes of a box about the origin and a triangle (Akenine-Moller 2001,
/// doi:10.1080/10867651.2001.10487535): the triangle's normal, the box's axes, the cross products of an edge of each.
/// Ties go to the first in that order.
///
/// `None` if the two are apart or only touch, if the triangle is degenerate, or if rounding leaves no unique contact
/// point: then a general method must decide. Costs about a tenth of a microsecond.
pub fn box_triangle_overlap(half: &Vector, corners: &[Point; 3]) -> Option<BoxTriangleOverlap> {
    let [a, b, c] = corners;
    let size = half.amax() + a.coords.amax().max(b.coords.amax()).max(c.coords.amax());
    let normal = triangle::unit_normal(a, b, c)?;
    let range = |heights: [f64; 3]| {
        let [first, second, third] = heights;
        (first.min(second).min(third), first.max(second).max(third))
    };
    // The corners of a needle are not all at one height along its normal.
    let leave = |reach: f64, (low, high): (f64, f64)| {
        if reach - low <= reach + high { (reach - low, 1.0) } else { (reach + high, -1.0) }
    };
    let (depth, sign) = leave(half.dot(&normal.abs()), range([a, b, c].map(|p| normal.dot(&p.coords))));
    let mut best = Best { depth, direction: normal * sign, touching: Touching::Triangle };
    for axis in 0..3 {
        let (depth, sign) = leave(half[axis], range([a[axis], b[axis], c[axis]]));
        if depth < best.depth - BETTER * size {
            best = Best { depth, direction: Vector::ith(axis, sign), touching: Touching::Face(axis) };
        }
    }
    if best.depth <= BESIDE * size {
        return None;
    }
    for edge in 0..3 {
        let (from, to, apex) = (&corners[edge], &corners[(edge + 1) % 3], &corners[(edge + 2) % 3]);
        for axis in 0..3 {
            best.try_edges(half, [from, to, apex], (axis, edge), size);
        }
    }
    if best.depth <= BESIDE * size {
        return None;
    }
    let on_triangle = best.point(half, corners, BESIDE * size)?;
    Some(BoxTriangleOverlap { depth: best.depth, direction: best.direction, on_triangle })
}

impl Best {
    /// Tries the cross product of two edges, which becomes the best if it improves. The two edges can be the contact
    /// features only toward the side on which the triangle's edge is lower than its third corner.
    #[inline]
    fn try_edges(
        &mut self,
        half: &Vector,
        [from, to, apex]: [&Point; 3],
        (axis, edge): (usize, usize),
        size: f64,
    ) {
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        // The cross product of the axis and the edge.
        let (across_j, across_k) = (from[k] - to[k], to[j] - from[j]);
        let height = across_j * from[j] + across_k * from[k];
        let rise = across_j * (apex[j] - from[j]) + across_k * (apex[k] - from[k]);
        let sign = if rise >= 0.0 { 1.0 } else { -1.0 };
        let overlap = half[j] * across_j.abs() + half[k] * across_k.abs() - sign * height;
        let square = across_j * across_j + across_k * across_k;
        let to_beat = self.depth - BETTER * size;
        // Early out without a square root.
        if square == 0.0 || overlap > 0.0 && overlap * overlap >= to_beat * to_beat * square {
            return;
        }
        let depth = overlap / square.sqrt();
        if depth < to_beat {
            let mut direction = Vector::zeros();
            direction[j] = sign * across_j / square.sqrt();
            direction[k] = sign * across_k / square.sqrt();
            *self = Self { depth, direction, touching: Touching::Edges(axis, edge) };
        }
    }

    /// Returns the triangle's contact point, if it lies in the triangle and on the surface of the box after separation.
    fn point(&self, half: &Vector, corners: &[Point; 3], beside: f64) -> Option<Point> {
        let Self { depth, direction, touching } = self;
        let corner = |k: usize| if direction[k] < 0.0 { -half[k] } else { half[k] };
        let [a, b, c] = corners;
        let point = match *touching {
            Touching::Triangle => {
                let point = Point::new(corner(0), corner(1), corner(2)) - direction * *depth;
                let is_in = |[from, to]: [&Point; 2]| {
                    let along = to - from;
                    direction.cross(&along).dot(&(point - from)) * self.turn(corners)
                        >= -beside * along.norm()
                };
                return [[a, b], [b, c], [c, a]].into_iter().all(is_in).then_some(point);
            }
            Touching::Face(axis) => {
                let lower = |p: Point, q: &Point| {
                    if q[axis] * direction[axis] < p[axis] * direction[axis] { *q } else { p }
                };
                lower(lower(*a, b), c)
            }
            Touching::Edges(axis, edge) => {
                let (from, along) = (corners[edge], corners[(edge + 1) % 3] - corners[edge]);
                let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
                let by = if along[j].abs() >= along[k].abs() { j } else { k };
                let t = (corner(by) - direction[by] * depth - from[by]) / along[by];
                let slack = beside / along.norm();
                if !(-slack..=1.0 + slack).contains(&t) {
                    return None;
                }
                from + along * t.clamp(0.0, 1.0)
            }
        };
        let moved = point + direction * *depth;
        let is_on_box = (0..3).all(|k| moved[k].abs() <= half[k] + beside);
        is_on_box.then_some(point)
    }

    /// Returns the sign of the winding of the corners about the direction.
    fn turn(&self, [a, b, c]: &[Point; 3]) -> f64 {
        if (b - a).cross(&(c - a)).dot(&self.direction) < 0.0 { -1.0 } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nearest::point_triangle;
    use crate::sample::Sample;

    /// Returns how far the triangle must move along a direction of any length to separate from the box, times that
    /// length.
    fn overlap(half: &Vector, corners: &[Point; 3], along: &Vector) -> f64 {
        let lowest = corners.iter().map(|corner| corner.coords.dot(along)).fold(f64::INFINITY, f64::min);
        half.dot(&along.abs()) - lowest
    }

    /// The brute-force reference: all thirteen axes, in both directions.
    fn least_overlap(half: &Vector, corners: &[Point; 3]) -> f64 {
        let [a, b, c] = corners;
        let axes = [0, 1, 2].map(|k| Vector::ith(k, 1.0));
        let edges = [b - a, c - b, a - c];
        let crossed = axes.iter().flat_map(|axis| edges.iter().map(|edge| axis.cross(edge)));
        let all = crossed.chain(axes).chain([edges[0].cross(&edges[1])]);
        let both = all.flat_map(|axis| [axis, -axis]).filter(|axis| axis.norm() > 1e-9);
        both.map(|axis| overlap(half, corners, &axis) / axis.norm()).fold(f64::INFINITY, f64::min)
    }

    fn random(sample: &mut Sample, reach: f64) -> Vector {
        Vector::from([0; 3].map(|_| reach * (2.0 * sample.fraction() - 1.0)))
    }

    #[test]
    fn the_depth_is_the_least_overlap_and_the_point_is_in_both() {
        let mut sample = Sample::new(5);
        let (mut found_any, mut kinds) = (0, [0; 3]);
        for case in 0..20_000 {
            let half = random(&mut sample, 1.0).abs() + Vector::repeat(0.01);
            let middle = random(&mut sample, 1.0);
            let spread = [0.1, 0.5, 3.0][case % 3];
            let corners = [0; 3].map(|_| Point::from(middle + random(&mut sample, spread)));
            let wanted = least_overlap(&half, &corners);
            let found = box_triangle_overlap(&half, &corners);
            assert!(wanted > -1e-12 || found.is_none(), "case {case}: apart by {}", -wanted);
            if wanted < 1e-9 {
                continue;
            }
            let Some(found) = found else { panic!("case {case}: overlap by {wanted}") };
            found_any += 1;
            assert!((found.depth - wanted).abs() < 1e-13, "case {case}: {found:?} {wanted}");
            assert!((found.direction.norm() - 1.0).abs() < 1e-14);
            assert!((overlap(&half, &corners, &found.direction) - found.depth).abs() < 1e-13, "case {case}");
            let [a, b, c] = &corners;
            let off = point_triangle(&found.on_triangle, a, b, c).distance_squared.sqrt();
            let moved = found.on_triangle + found.direction * found.depth;
            let beyond = moved.coords.abs() - half;
            assert!(off < 1e-13 && beyond.max().abs() < 1e-13, "case {case}: {off} {beyond}");
            let zeros = found.direction.iter().filter(|x| **x == 0.0).count();
            kinds[zeros] += 1;
        }
        assert!(found_any > 4000 && kinds.iter().all(|&count| count > 300), "{found_any} {kinds:?}");
    }

    #[test]
    fn where_a_general_method_has_to_tell_nothing_is_found() {
        let half = Vector::repeat(1.0);
        let line = [[0.0; 3], [0.1, 0.1, 0.1], [0.2, 0.2, 0.2]].map(Point::from);
        assert!(box_triangle_overlap(&half, &line).is_none());
        let touching = [[1.0, 0.0, 0.0], [1.5, 1.0, 0.2], [1.4, 0.3, -0.6]].map(Point::from);
        assert!(box_triangle_overlap(&half, &touching).is_none());
    }

    /// A floor into which the box has sunk: the box's corners are equally deep.
    #[test]
    fn along_a_floor_the_direction_is_its_normal() {
        let half = Vector::new(0.5, 0.25, 0.5);
        let floor = [[-4.0, -0.125, 3.0], [4.0, -0.125, 3.0], [0.0, -0.125, -4.0]].map(Point::from);
        let found = box_triangle_overlap(&half, &floor).unwrap();
        assert_eq!((found.depth, found.direction), (0.125, -Vector::y()));
    }
}
