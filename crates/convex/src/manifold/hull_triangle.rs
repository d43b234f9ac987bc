//! Penetration depth of a convex hull and a triangle, by separating axes.
//!
//! The least exit of two polyhedra is along a face normal of one or along the cross product of an edge of each. Two edges
//! count only where both are extreme: where the Gauss map's arc of the hull's edge, between the normals of its two faces,
//! crosses the half circle of the triangle's edge (Gregorius, "The separating axis test between convex polyhedra", GDC
//! 2013). A sign per face and edge of the triangle finds those.

use nalgebra::Vector3;

use super::hull_faces::HullFaces;
use super::hull_planes::TriangleHeights;
use crate::support::{Core, Hull, NO_ID};

type Vector = Vector3<f64>;

/// Up to this many faces, those of 64 corners, the axes take less time than GJK and EPA.
const MOST_FACES: usize = 128;

/// The edges of that many faces, all of them triangles.
const MOST_EDGES: usize = MOST_FACES / 2 * 3;

/// By how much an axis must improve on those before it, relative to the sizes of both.
const BETTER: f64 = 32.0 * f64::EPSILON;

/// The largest distance of a contact point from the hull or the triangle by rounding error, relative to the sizes of both.
const BESIDE: f64 = 64.0 * f64::EPSILON;

/// A hull and a triangle, by [`HullFaces::meet_triangle`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HullTriangle {
    /// They are farther apart than asked for.
    Apart,
    /// They overlap.
    Overlap {
        /// How far the triangle must move along `direction` to separate from the hull.
        depth: f64,
        /// Unit, moves the triangle out of the hull.
        direction: Vector3<f64>,
        /// The triangle's contact point. Moved by `depth` along `direction` it is on the hull's surface.
        on_triangle: Vector3<f64>,
    },
}

/// The features in contact after separation.
#[derive(Clone, Copy)]
enum Touching {
    /// A face of the hull and a corner of the triangle.
    Face,
    /// The triangle and this corner of the hull.
    Triangle(Vector),
    /// An edge of the hull, by its number, and the edge of the triangle from this corner to the next.
    Edges(usize, usize),
}

struct Best {
    depth: f64,
    direction: Vector,
    touching: Touching,
}

impl HullFaces {
    /// Returns how a triangle overlaps the hull of which these are the faces, both in the hull's frame and without its
    /// rounding, or that they are farther apart than `reach`. Equally short exits go to the hull's faces first, then to
    /// the triangle.
    ///
    /// `None` if the two are nearer than `reach` or only touch, if rounding leaves no unique contact point, if the triangle
    /// or a face is degenerate, or if there are many faces: then a general method must decide. Cost: linear in the faces.
    pub fn meet_triangle(
        &self,
        hull: &Hull,
        corners: &[Vector3<f64>; 3],
        reach: f64,
    ) -> Option<HullTriangle> {
        if self.edges.is_empty() || self.len() > MOST_FACES || self.edges.len() > MOST_EDGES {
            return None;
        }
        let size = hull.bounding_radius() + corners.iter().fold(0.0, |most, c| c.amax().max(most));
        let (better, beside) = (BETTER * size, BESIDE * size);
        let is_apart = |overlap: f64| overlap < -reach - beside;
        let mut signs = [0; MOST_FACES];
        let TriangleHeights { height, plane, deepest } = self.planes.look_at(corners, &mut signs);
        if is_apart(-height) {
            return Some(HullTriangle::Apart);
        }
        let mut best = Best { depth: -height, direction: self.normal(plane), touching: Touching::Face };
        let edges = [0, 1, 2].map(|k| corners[(k + 1) % 3] - corners[k]);
        let normal = edges[0].cross(&edges[1]);
        let area = normal.norm();
        if area <= beside * edges.iter().fold(0.0, |most: f64, edge| most.max(edge.norm())) {
            return None;
        }
        // The exit of the deepest corner is a lower bound of the depth: a face that reaches it is the answer.
        if best.depth > beside && best.depth <= deepest + better {
            let on_triangle = self.point(&best, hull, corners, beside)?;
            return Some(HullTriangle::Overlap { depth: best.depth, direction: best.direction, on_triangle });
        }
        let normal = normal / area;
        for direction in [normal, -normal] {
            let top = hull.support(direction, NO_ID).point;
            let depth = direction.dot(&(top - corners[0]));
            if is_apart(depth) {
                return Some(HullTriangle::Apart);
            }
            if depth < best.depth - better {
                best = Best { depth, direction, touching: Touching::Triangle(top) };
            }
        }
        if best.depth <= beside {
            return None;
        }
        self.try_edges(hull, (corners, &edges), &signs, better, &mut best);
        if is_apart(best.depth) {
            return Some(HullTriangle::Apart);
        }
        if best.depth <= beside {
            return None;
        }
        let on_triangle = self.point(&best, hull, corners, beside)?;
        Some(HullTriangle::Overlap { depth: best.depth, direction: best.direction, on_triangle })
    }

    /// Tries the cross products of the edges, each of which becomes the best if it improves by more than `better`, up to
    /// one along which the two do not overlap. `signs` says per face whether each edge of the triangle rises above it.
    fn try_edges(
        &self,
        hull: &Hull,
        (corners, edges): (&[Vector; 3], &[Vector; 3]),
        signs: &[u8; MOST_FACES],
        better: f64,
        best: &mut Best,
    ) {
        // Which edges cross is unpredictable: they are listed, and most pairs of edges fail, without a branch.
        let (mut pairs, mut count) = ([0_u16; 3 * MOST_EDGES + 1], 0);
        for (number, edge) in (0..).zip(&self.edges) {
            let crossing = signs[edge.faces[0] as usize] ^ signs[edge.faces[1] as usize];
            for k in 0..3 {
                pairs[count] = 4 * number + k;
                count += usize::from(crossing >> k & 1);
            }
        }
        for pair in &pairs[..count] {
            let (number, k) = (usize::from(pair / 4), usize::from(pair % 4));
            let edge = &self.edges[number];
            let start = hull.points()[edge.ends[0] as usize];
            let across = (hull.points()[edge.ends[1] as usize] - start).cross(&edges[k]);
            // The exit is between the normals of both faces.
            let outward = if signs[edge.faces[0] as usize] >> k & 1 == 0 { 1.0 } else { -1.0 };
            let overlap = across.dot(&(start - corners[k])) * outward;
            let square = across.norm_squared();
            let to_beat = best.depth - better;
            let is_above = across.dot(&edges[(k + 2) % 3]) * outward <= 0.0;
            let is_less = (overlap <= 0.0) | (overlap * overlap < to_beat * to_beat * square);
            if is_above & is_less & (square > 0.0) {
                let length = square.sqrt();
                let found = (overlap / length, across * (outward / length));
                if found.0 < to_beat
                    && let Some((depth, direction)) = confirmed(found, hull, (corners, &edges[k]), better)
                    && depth < to_beat
                {
                    *best = Best { depth, direction, touching: Touching::Edges(number, k) };
                }
                if best.depth <= 0.0 {
                    return;
                }
            }
        }
    }

    /// Returns the triangle's contact point, if it lies in the triangle and on the surface of the hull after separation.
    fn point(&self, best: &Best, hull: &Hull, corners: &[Vector; 3], beside: f64) -> Option<Vector> {
        let Best { depth, direction, touching } = *best;
        match touching {
            Touching::Face => {
                let lower =
                    |p: Vector, q: &Vector| if q.dot(&direction) < p.dot(&direction) { *q } else { p };
                let point = lower(lower(corners[0], &corners[1]), &corners[2]);
                let moved = point + direction * depth;
                // A merged face may be flat only up to rounding error.
                let top = hull.support(direction, NO_ID).point;
                let is_on_face = (top - moved).dot(&direction).abs() <= beside;
                (is_on_face && self.planes.beyond(&moved) <= beside).then_some(point)
            }
            Touching::Triangle(top) => {
                let point = top - direction * depth;
                let [a, b, c] = corners;
                let turn = (b - a).cross(&(c - a)).dot(&direction).signum();
                let is_in = |[from, to]: [&Vector; 2]| {
                    let along = to - from;
                    direction.cross(&along).dot(&(point - from)) * turn >= -beside * along.norm()
                };
                [[a, b], [b, c], [c, a]].into_iter().all(is_in).then_some(point)
            }
            Touching::Edges(number, k) => {
                let [start, end] = self.edges[number].ends.map(|end| hull.points()[end as usize]);
                let (along, other) = (corners[(k + 1) % 3] - corners[k], end - start);
                // The lines meet once the triangle has moved.
                let between = start - corners[k] - direction * depth;
                let across = along.cross(&other);
                let square = across.norm_squared();
                let [t, s] = [between.cross(&other), between.cross(&along)].map(|v| v.dot(&across) / square);
                let is_on = |t: f64, length: f64| t * length >= -beside && (t - 1.0) * length <= beside;
                (is_on(t, along.norm()) && is_on(s, other.norm()))
                    .then(|| corners[k] + along * t.clamp(0.0, 1.0))
            }
        }
    }
}

/// Returns the overlap along a direction found from two edges, and that direction, by all corners of both bodies. Where the
/// edges are parallel up to rounding, or the triangle's is short, which faces they rise above is rounding too, and the direction
/// turns about the edge: then it is made perpendicular to it.
fn confirmed(
    (depth, direction): (f64, Vector),
    hull: &Hull,
    (corners, edge): (&[Vector; 3], &Vector),
    better: f64,
) -> Option<(f64, Vector)> {
    let along = |direction: &Vector| {
        let lowest = corners.iter().map(|corner| corner.dot(direction)).fold(f64::INFINITY, f64::min);
        hull.support(*direction, NO_ID).point.dot(direction) - lowest
    };
    if along(&direction) <= depth + better {
        return Some((depth, direction));
    }
    let level = (direction - edge * (edge.dot(&direction) / edge.norm_squared())).try_normalize(0.0)?;
    Some((along(&level), level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConvexHull;
    use palpate_math::Point;
    use palpate_math::nearest::point_triangle;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn between(rng: &mut ChaCha8Rng, reach: f64) -> Vector {
        Vector::from_fn(|_, _| rng.random_range(-reach..reach))
    }

    fn hull(points: &[Point]) -> Hull {
        let triangles = ConvexHull::new(points).triangles;
        Hull::new(points.iter().map(|point| point.coords).collect(), triangles).unwrap()
    }

    /// The hull of random points, or a box cut by planes: faces of many corners.
    fn random_hull(rng: &mut ChaCha8Rng, case: usize) -> Hull {
        let count = [4, 5, 8, 24, 60][case % 5];
        let points: Vec<Point> = match case % 3 {
            0 => {
                (0..8).map(|k: u32| Point::from([0, 1, 2].map(|bit| f64::from(k >> bit & 1) - 0.5))).collect()
            }
            _ => (0..count).map(|_| Point::from(between(rng, 1.0))).collect(),
        };
        hull(&points)
    }

    /// How far the triangle must move along `along`, of any length, to leave the hull, times that length: by all corners.
    fn overlap(hull: &Hull, corners: &[Vector; 3], along: &Vector) -> f64 {
        let top = hull.points().iter().map(|point| point.dot(along)).fold(f64::NEG_INFINITY, f64::max);
        let lowest = corners.iter().map(|corner| corner.dot(along)).fold(f64::INFINITY, f64::min);
        top - lowest
    }

    /// The least overlap along the normals and the cross products of all edges of the hull's triangles and of the triangle.
    fn least_overlap(hull: &Hull, triangles: &[[u32; 3]], corners: &[Vector; 3]) -> f64 {
        let edges_of = |[a, b, c]: [Vector; 3]| [b - a, c - b, a - c];
        let own = edges_of(*corners);
        let mut least = f64::INFINITY;
        let mut try_axis = |axis: Vector| {
            let length = axis.norm();
            if length > 1e-9 {
                for axis in [axis, -axis] {
                    least = least.min(overlap(hull, corners, &axis) / length);
                }
            }
        };
        try_axis(own[0].cross(&own[1]));
        for triangle in triangles {
            let edges = edges_of(triangle.map(|id| hull.points()[id as usize]));
            try_axis(edges[0].cross(&edges[1]));
            for edge in edges {
                own.iter().for_each(|other| try_axis(edge.cross(other)));
            }
        }
        least
    }

    #[test]
    fn the_depth_is_the_least_overlap_and_the_point_is_in_both() {
        let mut rng = ChaCha8Rng::seed_from_u64(71);
        let (mut overlapping, mut apart, mut kinds) = (0, 0, [0; 3]);
        for case in 0..6_000 {
            let hull = random_hull(&mut rng, case);
            let points: Vec<Point> = hull.points().iter().copied().map(Point::from).collect();
            let triangles = ConvexHull::new(&points).triangles;
            let faces = HullFaces::new(&hull);
            let (middle, spread) = (between(&mut rng, 1.0), [0.1, 0.5, 3.0][case % 7 % 3]);
            let corners = [0; 3].map(|_| middle + between(&mut rng, spread));
            let reach = [0.0, 0.125][case % 2];
            let wanted = least_overlap(&hull, &triangles, &corners);
            match faces.meet_triangle(&hull, &corners, reach) {
                None => assert!(wanted < 1e-9, "case {case}: no unique point at {wanted}"),
                Some(HullTriangle::Apart) => {
                    apart += 1;
                    assert!(wanted < -reach, "case {case}: {wanted}");
                }
                Some(HullTriangle::Overlap { depth, direction, on_triangle }) => {
                    overlapping += 1;
                    assert!((depth - wanted).abs() < 1e-12, "case {case}: {depth} for {wanted}");
                    assert!((direction.norm() - 1.0).abs() < 1e-14);
                    assert!((overlap(&hull, &corners, &direction) - depth).abs() < 1e-12, "case {case}");
                    let [a, b, c] = corners.map(Point::from);
                    let nearest = point_triangle(&on_triangle.into(), &a, &b, &c).point;
                    assert!((nearest - Point::from(on_triangle)).norm() < 1e-12, "case {case}");
                    let moved = on_triangle + direction * depth;
                    assert!(faces.planes.beyond(&moved).abs() < 1e-12, "case {case}: off the surface");
                    let normal = (b - a).cross(&(c - a)).normalize();
                    let is_of_hull = (0..faces.len()).any(|face| faces.normal(face) == direction);
                    let kind = if is_of_hull {
                        0
                    } else if normal.dot(&direction).abs() > 1.0 - 1e-12 {
                        1
                    } else {
                        2
                    };
                    kinds[kind] += 1;
                }
            }
        }
        assert!(overlapping > 1_000 && apart > 500, "{overlapping} {apart}");
        assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
    }

    /// Boxes and prisms, and triangles with an edge along one of theirs, turned by angles from none to 0.1.
    #[test]
    fn an_edge_of_the_triangle_may_be_parallel_to_one_of_the_hull() {
        let mut rng = ChaCha8Rng::seed_from_u64(72);
        let (mut overlapping, mut open) = (0, 0);
        for case in 0..30_000 {
            let half = Vector::from_fn(|_, _| 10.0_f64.powf(rng.random_range(-1.5..0.5)));
            let turn = nalgebra::Rotation3::new(between(&mut rng, 3.0));
            let cut = if case % 2 == 0 { 1.0 } else { rng.random_range(0.1..0.9) };
            let signs = (0..8).map(|k: u32| [0, 1, 2].map(|bit| f64::from(k >> bit & 1) * 2.0 - 1.0));
            let points: Vec<Point> = signs
                .map(|[x, y, z]| {
                    Point::from(turn * half.component_mul(&Vector::new(x * (1.0 + z * (1.0 - cut)), y, z)))
                })
                .collect();
            let triangles = ConvexHull::new(&points).triangles;
            let hull = hull(&points);
            let faces = HullFaces::new(&hull);
            let slight = if case % 3 == 1 { 10.0_f64.powf(rng.random_range(-17.0..-1.0)) } else { 0.0 };
            let tilt = nalgebra::Rotation3::new(between(&mut rng, 1.0) * slight);
            let along = turn * (tilt * Vector::y()) * rng.random_range(0.01..1.0);
            let start = turn * half.component_mul(&between(&mut rng, 1.2));
            let corners = [start, start + along, start + between(&mut rng, 0.5)];
            let wanted = least_overlap(&hull, &triangles, &corners);
            match faces.meet_triangle(&hull, &corners, 0.0) {
                None => open += 1,
                Some(HullTriangle::Apart) => assert!(wanted < 0.0, "case {case}: {wanted}, {slight:e}"),
                Some(HullTriangle::Overlap { depth, .. }) => {
                    overlapping += 1;
                    assert!((depth - wanted).abs() < 1e-12, "case {case}: {depth} for {wanted}, {slight:e}");
                }
            }
        }
        assert!(overlapping > 10_000 && open < 5_000, "{overlapping} {open}");
    }

    #[test]
    fn what_has_no_unique_answer_is_left_to_others() {
        let corners = (0..8).map(|k: u32| Point::from([0, 1, 2].map(|bit| f64::from(k >> bit & 1))));
        let cube = hull(&corners.collect::<Vec<_>>());
        let faces = HullFaces::new(&cube);
        assert_eq!((faces.len(), faces.edges.len()), (6, 12));
        let meet = |corners: [[f64; 3]; 3]| faces.meet_triangle(&cube, &corners.map(Vector::from), 0.0);
        let side = |x: f64| [[x, 0.25, 0.25], [x, 0.75, 0.25], [x, 0.5, 0.75]];
        assert!(matches!(meet(side(1.5)), Some(HullTriangle::Apart)));
        assert!(meet(side(1.0)).is_none(), "touching");
        assert!(meet([[0.5; 3], [0.75; 3], [0.875; 3]]).is_none(), "without an area");
        let Some(HullTriangle::Overlap { depth, direction, .. }) = meet(side(0.75)) else { panic!() };
        assert_eq!((depth, direction), (0.25, Vector::x()));
        let flat = hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from));
        let flat_faces = HullFaces::new(&flat);
        assert!(flat_faces.meet_triangle(&flat, &side(0.75).map(Vector::from), 0.0).is_none());
    }
}
