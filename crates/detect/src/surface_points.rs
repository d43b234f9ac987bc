//! Sample points of a convex body, fixed in its frame; used to test containment in a mesh.

use crate::ConvexBody;
use palpate_convex::{Core, Cuboid, FacedHull};
use palpate_geometry::ConvexCore;
use palpate_math::Vector;

/// Points around a rim or a ring.
const AROUND: usize = 16;

/// The maximum number of pieces of a long edge or wall.
const MOST_PIECES: usize = 8;

/// Hulls with more corners than this are sampled at their corners only.
const SMALL_HULL: usize = 64;

/// The cosines of the first quarter turn in steps of 1/16 turn, correctly rounded on every platform.
const QUARTER: [f64; 5] =
    [1.0, 0.923_879_532_511_286_7, std::f64::consts::FRAC_1_SQRT_2, 0.382_683_432_365_089_8, 0.0];

/// Returns the cosine and the sine of `k`/16 turns.
fn turn(k: usize) -> [f64; 2] {
    let (cos, sin) = (QUARTER[k % 4], QUARTER[4 - k % 4]);
    match k / 4 % 4 {
        0 => [cos, sin],
        1 => [-sin, cos],
        2 => [-cos, -sin],
        _ => [sin, -cos],
    }
}

/// Returns the directions to the corners, edges and faces of a cube.
fn cube_directions() -> impl Iterator<Item = Vector> {
    let signs = [-1.0, 0.0, 1.0];
    let all = signs.into_iter().flat_map(move |x| {
        signs.into_iter().flat_map(move |y| signs.into_iter().map(move |z| Vector::new(x, y, z)))
    });
    all.filter(|direction| direction.amax() > 0.0).map(|direction| direction.normalize())
}

/// Returns the number of pieces of a length, about its ratio to the body's thickness.
fn pieces(length: f64, thickness: f64) -> usize {
    let least = length / MOST_PIECES as f64;
    if length > 0.0 { ((length / thickness.max(least)).ceil() as usize).clamp(1, MOST_PIECES) } else { 1 }
}

impl ConvexBody<'_> {
    /// Returns the radius of the body around its core.
    pub(crate) fn core_radius(&self) -> f64 {
        match &self.shape {
            ConvexCore::Ball(ball) => ball.radius,
            ConvexCore::Capsule(capsule) => capsule.radius,
            ConvexCore::Hull(hull) => hull.radius,
            _ => 0.0,
        }
    }

    /// Visits sample points of the core's surface in the body's frame, where they are fixed: corners, points along long
    /// edges and walls, face centres, rings of round bodies. For a shape known only by its support map, whose frame is
    /// the world's, visits its support points in 26 directions.
    ///
    /// `visit` may return the number of a ball that contains the point, of whose other points none is of interest: faces
    /// of a hull within one ball are left out.
    pub(crate) fn for_each_surface_point(&self, visit: &mut dyn FnMut(Vector) -> Option<usize>) {
        if let ConvexCore::Hull(hull) = &self.shape {
            return points_of_hull(hull, visit);
        }
        let mut place = |point: Vector| {
            visit(point);
        };
        match &self.shape {
            ConvexCore::Ball(_) => place(Vector::zeros()),
            ConvexCore::Capsule(capsule) => {
                let count = 2 * pieces(capsule.half_length, capsule.radius);
                (0..=count).for_each(|k| place(Vector::y() * between(capsule.half_length, k, count)));
            }
            ConvexCore::Cuboid(cuboid) => points_of_box(cuboid, &mut place),
            ConvexCore::Hull(_) => {}
            ConvexCore::Cylinder(cylinder) => {
                let count = pieces(2.0 * cylinder.half_length, 2.0 * cylinder.radius);
                let ring = |k| (between(cylinder.half_length, k, count), cylinder.radius);
                points_of_rings((0..=count).map(ring), &mut place);
                place(Vector::y() * cylinder.half_length);
                place(Vector::y() * -cylinder.half_length);
            }
            ConvexCore::Cone(cone) => {
                let count = pieces(2.0 * cone.half_length, cone.radius);
                let ring = |k: usize| {
                    (between(cone.half_length, k, count), cone.radius * (1.0 - k as f64 / count as f64))
                };
                points_of_rings((0..count).map(ring), &mut place);
                place(Vector::y() * cone.half_length);
                place(Vector::y() * -cone.half_length);
            }
            ConvexCore::Ellipsoid(ellipsoid) => {
                cube_directions().for_each(|direction| place(direction.component_mul(&ellipsoid.radii)));
            }
            ConvexCore::Other => {
                cube_directions().for_each(|direction| place(self.map().support(&direction).coords));
            }
        }
    }
}

/// Returns point `k` of `count` equal divisions of the interval from `-half` to `half`.
fn between(half: f64, k: usize, count: usize) -> f64 {
    half * (2.0 * k as f64 / count as f64 - 1.0)
}

fn points_of_rings(rings: impl Iterator<Item = (f64, f64)>, place: &mut dyn FnMut(Vector)) {
    for (height, radius) in rings {
        for k in 0..AROUND {
            let [cos, sin] = turn(k);
            place(Vector::new(radius * cos, height, radius * sin));
        }
    }
}

/// Visits corners, points along the edges, and the centres of the sides.
fn points_of_box(cuboid: &Cuboid<Vector>, place: &mut dyn FnMut(Vector)) {
    let half = cuboid.half_extents;
    for id in 0..8 {
        cuboid.vertex(id).into_iter().for_each(&mut *place);
    }
    for axis in 0..3 {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let count = pieces(half[axis], half[next].min(half[last]));
        for k in 1..count {
            for (u, v) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                let mut point = half;
                point[axis] = between(half[axis], k, count);
                point[next] *= u;
                point[last] *= v;
                place(point);
            }
        }
        place(Vector::ith(axis, half[axis]));
        place(Vector::ith(axis, -half[axis]));
    }
}

/// Visits the corners, and for a small hull also the midpoints of its edges and the centres of its faces.
fn points_of_hull(hull: &FacedHull<'_>, visit: &mut dyn FnMut(Vector) -> Option<usize>) {
    let points = hull.hull.points();
    if points.len() > SMALL_HULL {
        return points.iter().for_each(|point| {
            visit(*point);
        });
    }
    let mut balls = [None; SMALL_HULL];
    balls.iter_mut().zip(points).for_each(|(ball, point)| *ball = visit(*point));
    for face in 0..hull.faces.len() {
        let corners = hull.faces.corners(face);
        let Some(&(mut start)) = corners.first() else { continue };
        let ball = balls[start as usize];
        // A ball that contains the corners contains the face.
        if ball.is_some() && corners.iter().all(|&corner| balls[corner as usize] == ball) {
            continue;
        }
        let sum: Vector = corners.iter().map(|&corner| points[corner as usize]).sum();
        visit(sum / corners.len() as f64);
        for &end in corners[1..].iter().chain(&corners[..1]) {
            if start < end {
                visit((points[start as usize] + points[end as usize]) * 0.5);
            }
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::implicit::ImplicitFunction;
    use palpate_geometry::{Capsule, Cone, Convex, Cylinder, Ellipsoid, Geometry, OrientedBox, Pose, Sphere};
    use palpate_math::Point;

    /// The points are on the core's surface, by the shapes' distance functions, and reach its extents along the axes.
    #[test]
    fn the_points_lie_on_the_core_and_reach_its_ends() {
        let pose = Pose::new(Vector::new(1.0, -2.0, 0.5), Vector::new(0.3, 0.2, -0.7));
        let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]].map(Point::from);
        let rod = OrientedBox::new(pose, Vector::new(1.0, 0.1, 0.2)).unwrap();
        let shapes: [(&dyn Geometry, &dyn ImplicitFunction); 7] = [
            (&rod, &rod),
            (
                &Sphere::new(Point::new(1.0, 2.0, 3.0), 0.5).unwrap(),
                &Sphere::new(Point::new(1.0, 2.0, 3.0), 0.5).unwrap(),
            ),
            (&Capsule::new(pose, 0.25, 2.0).unwrap(), &Capsule::new(pose, 0.25, 2.0).unwrap()),
            (&Cylinder::new(pose, 0.5, 3.0).unwrap(), &Cylinder::new(pose, 0.5, 3.0).unwrap()),
            (&Cone::new(pose, 0.5, 3.0).unwrap(), &Cone::new(pose, 0.5, 3.0).unwrap()),
            (
                &Ellipsoid::new(pose, Vector::new(1.0, 0.5, 2.0)).unwrap(),
                &Ellipsoid::new(pose, Vector::new(1.0, 0.5, 2.0)).unwrap(),
            ),
            (&Convex::new(pose, &corners).unwrap(), &Convex::new(pose, &corners).unwrap()),
        ];
        for (geometry, solid) in shapes {
            let body = ConvexBody::new(geometry).unwrap();
            let (mut count, radius) = (0, body.core_radius());
            let mut highest = f64::NEG_INFINITY;
            let along = pose.rotation * Vector::y();
            body.for_each_surface_point(&mut |own| {
                let point = Point::from(body.pose.point(own));
                let distance = solid.signed_distance(&point).distance + radius;
                assert!(distance.abs() < 1e-12, "{point} is {distance} from the core's surface");
                highest = highest.max(point.coords.dot(&along));
                count += 1;
                None
            });
            let end = body.map().support(&along).coords.dot(&along) - radius;
            assert!(count > 0 && (highest - end).abs() < 1e-12, "{highest} {end}");
        }
    }

    /// Of a box as a hull, with the corners of one side in a ball: that side has no centre, and three sides still have the edges
    /// that they share with it.
    #[test]
    fn a_face_in_one_ball_is_left_out() {
        let corners: Vec<Point> =
            (0..8).map(|k| [0, 1, 2].map(|axis| f64::from(2 * (k >> axis & 1) - 1)).into()).collect();
        let hull = Convex::new(Pose::identity(), &corners).unwrap();
        let body = ConvexBody::new(&hull).unwrap();
        let visited = |ball: fn(&Vector) -> Option<usize>| {
            let mut all = Vec::new();
            body.for_each_surface_point(&mut |point| {
                all.push(point);
                ball(&point)
            });
            all
        };
        assert_eq!(visited(|_| None).len(), 8 + 12 + 6);
        let above = visited(|point| (point.x > 0.5).then_some(0));
        assert!(above.len() < 26 && !above.contains(&Vector::new(1.0, 0.0, 0.0)));
        assert!(above.contains(&Vector::new(-1.0, 0.0, 0.0)) && above.contains(&Vector::new(0.0, 1.0, 1.0)));
        assert_eq!(visited(|_| Some(7)).len(), 8);
        assert_eq!(visited(|point| (point.x > 0.5).then_some(usize::from(point.y > 0.0))).len(), 26);
    }
}
