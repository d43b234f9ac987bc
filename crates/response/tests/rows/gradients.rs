//! Values and gradients against central differences in extended precision.

use crate::extended::{Extended, Triple};
use crate::sample::{Pair, Sample, count};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use palpate_math::{Point, Vector};
use palpate_response::Material;
use palpate_response::pbd::{Body, Positions, RigidBody, RowRef, Rows};

/// Relative to the largest gradient of the contact.
const TOLERANCE: f64 = 1e-7;

/// The step of the differences: its square is lost in truncation, its inverse times 1e-32 in rounding.
const STEP: f64 = 1e-10;

/// The distance of the two elements, written for this test: of points, lines and planes.
fn distance(sides: [usize; 2], a: &[Triple], b: &[Triple]) -> Extended {
    match sides {
        [1, 1] => (a[0] - b[0]).norm(),
        [1, 2] => (a[0] - b[0]).cross(b[1] - b[0]).norm() / (b[1] - b[0]).norm(),
        [1, 3] => {
            let normal = (b[1] - b[0]).cross(b[2] - b[0]);
            (a[0] - b[0]).dot(normal) / normal.norm()
        }
        [2, 2] => {
            let normal = (a[1] - a[0]).cross(b[1] - b[0]);
            (a[0] - b[0]).dot(normal) / normal.norm()
        }
        [m, n] => distance([n, m], b, a),
    }
}

/// The derivatives of a function of eight points.
fn differences(points: &[Point], value: impl Fn(&[Triple]) -> Extended) -> Vec<Vector> {
    let at: Vec<Triple> = points.iter().map(|&point| point.into()).collect();
    let derivative = |k: usize, axis: usize| {
        let shifted = |step: f64| {
            let mut points = at.clone();
            points[k].0[axis] = points[k].0[axis] + step.into();
            value(&points)
        };
        ((shifted(STEP) - shifted(-STEP)) / (2.0 * STEP).into()).to_f64()
    };
    (0..points.len()).map(|k| Vector::from_fn(|axis, _| derivative(k, axis))).collect()
}

/// The largest deviation of a row's gradients from those wanted, relative to the largest of them.
fn deviation(row: &RowRef<'_>, wanted: &[Vector]) -> f64 {
    let mut given = vec![Vector::zeros(); wanted.len()];
    row.gradients().for_each(|(k, gradient)| given[k] += gradient);
    let largest = wanted.iter().map(Vector::norm).fold(0.0, f64::max);
    given.iter().zip(wanted).map(|(given, wanted)| (given - wanted).norm()).fold(0.0, f64::max) / largest
}

/// Rows gathered at one place and re-projected at another have the value and the gradients of the elements there.
#[test]
fn element_gaps_have_exact_gradients() {
    for sides in [[1, 1], [1, 2], [2, 1], [1, 3], [3, 1], [2, 2]] {
        let mut sample = Sample::new(10);
        let (mut worst, mut compared, mut skipped, mut sign_changes) = (0.0_f64, 0, 0, 0);
        while compared < count() {
            // A radius of 0.1 on top of the distance: depth is what the radius exceeds the distance by.
            let pair = Pair::random(&mut sample, sides, 0.1);
            let mut rows = pair.rows(Material::HARD);
            let points = [pair.contact.a, pair.contact.b].map(|side| side.surface_point());
            let offset = (points[0] - points[1]).norm() + 0.1;
            rows.reproject(&pair.positions);
            let moved: Vec<Point> = pair.positions.iter().map(|p| p + sample.vector() * 0.2).collect();
            let before = rows.get(0).unwrap().direction();
            rows.reproject(&moved);
            let row = rows.get(0).unwrap();
            if row.is_beyond() && row.direction() == before {
                skipped += 1; // too far from its elements: it stays as it was
                continue;
            }
            compared += 1;
            let value = |points: &[Triple]| distance(sides, &points[..4], &points[4..]);
            let wanted = differences(&moved, value);
            // The closed form is positive where the row's direction keeps its side, or negative.
            let along: f64 = row.gradients().map(|(k, gradient)| gradient.dot(&wanted[k])).sum();
            let sign = along.signum();
            let wanted: Vec<Vector> = wanted.iter().map(|vector| vector * sign).collect();
            worst = worst.max(deviation(&row, &wanted));
            assert!(before.dot(&row.direction()) >= 0.0, "the side is kept");
            sign_changes += usize::from(sign < 0.0);
            // The gap is the closed form, less the offset that the row had when it was gathered.
            let at: Vec<Triple> = moved.iter().map(|&point| point.into()).collect();
            assert!((row.gap(&moved) + offset - value(&at).to_f64() * sign).abs() < 1e-9, "{sides:?}");
        }
        assert!(worst <= TOLERANCE, "{sides:?}: {worst:e}");
        assert!(skipped < count(), "{sides:?}: {skipped}");
        let is_signed = !matches!(sides, [1, 1 | 2] | [2, 1]);
        assert!(!is_signed || sign_changes > count() / 10, "{sides:?}: {sign_changes}");
    }
}

/// As found, a row of any elements is linear: its gradients are those of the weighted points along the direction.
#[test]
fn linear_gaps_have_exact_gradients() {
    for sides in [[1, 4], [4, 1], [3, 3], [2, 3], [4, 4], [1, 3], [2, 2]] {
        let mut sample = Sample::new(11);
        for _ in 0..count() {
            let pair = Pair::random(&mut sample, sides, 0.05);
            let rows = pair.rows(Material { thickness: 0.01, ..Material::HARD });
            let row = rows.get(0).unwrap();
            assert!((row.gap(&pair.positions) + 0.06).abs() < 1e-14, "minus the depth and the thickness");
            let direction = Triple::from(Vector::from(pair.contact.direction));
            let weights = [pair.contact.a.weights, pair.contact.b.weights];
            let point = |points: &[Triple], side: usize| {
                (0..4)
                    .map(|k| points[4 * side + k].times(weights[side][k].into()))
                    .reduce(|sum, next| sum + next)
                    .unwrap()
            };
            let wanted =
                differences(&pair.positions, |points| (point(points, 0) - point(points, 1)).dot(direction));
            assert!(deviation(&row, &wanted) <= TOLERANCE, "{sides:?}");
            // Friction: the slip along both tangents is that of the same two points.
            for (k, tangent) in row.tangents().into_iter().enumerate() {
                let along = Triple::from(tangent);
                let wanted =
                    differences(&pair.positions, |points| (point(points, 0) - point(points, 1)).dot(along));
                let slip = |at: usize, axis: usize| {
                    let mut moved = pair.positions.clone();
                    moved[at][axis] += 0.5;
                    row.slip(&moved, &pair.positions)[k] / 0.5
                };
                let given = (0..8).map(|at| Vector::from_fn(|axis, _| slip(at, axis)));
                let largest = wanted.iter().map(Vector::norm).fold(0.0, f64::max);
                let worst =
                    given.zip(&wanted).map(|(given, wanted)| (given - wanted).norm()).fold(0.0, f64::max);
                assert!(worst <= TOLERANCE * largest, "{sides:?}: tangent {k}, {worst:e}");
            }
        }
    }
}

/// A rotation by a small vector, to third order: the next term is below 1e-40 at the step of the differences.
fn turned(turn: Triple, vector: Triple) -> Triple {
    let once = turn.cross(vector);
    let twice = turn.cross(once);
    vector + once + twice.times(0.5.into()) + turn.cross(twice).times(Extended::from(1.0) / 6.0.into())
}

pub(crate) fn random_body(sample: &mut Sample, near: &Point) -> RigidBody {
    let center = near + sample.vector();
    let turn = UnitQuaternion::from_scaled_axis(sample.vector() * 3.0);
    let pose = Isometry3::from_parts(Translation3::from(center.coords), turn);
    let inertia = Vector::from_fn(|_, _| sample.between(0.5, 4.0));
    RigidBody::new(pose, sample.between(0.2, 3.0), inertia)
}

/// Vertex, edge, triangle and tetrahedron against a rigid body, and body against body: translations and rotations.
#[test]
fn gaps_to_rigid_bodies_have_exact_gradients() {
    for sides in [[1, 0], [2, 0], [3, 0], [4, 0], [0, 1], [0, 3], [0, 0]] {
        let mut sample = Sample::new(12);
        let mut worst = 0.0_f64;
        for _ in 0..count() {
            let pair = Pair::random(&mut sample, sides, 0.05);
            let points = [pair.contact.a.surface_point(), pair.contact.b.surface_point()];
            let bodies = points.map(|point| random_body(&mut sample, &point));
            let mut rows = Rows::new(0.01);
            let body = |side| if sides[side] == 0 { Body::Rigid(side) } else { Body::Particles(4 * side) };
            let positions = Positions { particles: &pair.positions, bodies: &bodies };
            rows.gather([pair.list()], positions, body, |_| Material::HARD).unwrap();
            let row = rows.get(0).unwrap();
            assert!((row.gap(positions) + 0.05).abs() < 1e-14);
            for (k, [linear, angular]) in row.body_gradients(&bodies) {
                let sign = if k == 0 { 1.0 } else { -1.0 };
                let center = Point::from(bodies[k].pose.translation.vector);
                let lever = Triple::from(points[k]) - center.into();
                let direction = Triple::from(row.direction());
                // Variables: the centre, and a rotation vector.
                let wanted = differences(&[center, Point::origin()], |at| {
                    (at[0] + turned(at[1], lever)).dot(direction)
                });
                worst = worst.max((linear - wanted[0] * sign).norm() / wanted[0].norm());
                worst = worst.max((angular - wanted[1] * sign).norm() / wanted[1].norm());
            }
            assert_eq!(row.body_gradients(&bodies).count(), sides.iter().filter(|&&n| n == 0).count());
        }
        assert!(worst <= TOLERANCE, "{sides:?}: {worst:e}");
    }
}
