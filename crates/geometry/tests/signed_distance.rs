//! Signed distances of every kind of solid, compared with dense samples of its surface and simple inside formulas.
//!
//! A distance not greater than that of any sample, whose closest point is on the surface and at that distance, is
//! correct up to the density of the samples.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

mod shapes;

use palpate_contact::NONE;
use palpate_geometry::implicit::{Grid, ImplicitBody, ImplicitFunction, Sample, Torus};
use palpate_geometry::{
    Capsule, Compound, Cone, Convex, Cylinder, Ellipsoid, Geometry, LineMesh, Needs, OrientedBox, Plane,
    PointSet, Pose, Sphere, SurfaceMesh, TetraMesh, signed_distance,
};
use palpate_math::{Aabb, Point, Vector};
use shapes::{Numbers, Shape, bumpy_ball, cuboid, together};
use std::f64::consts::PI;
use std::sync::Arc;

/// A body with a formula for its interior and samples of its surface.
struct Known {
    name: &'static str,
    body: Box<dyn Geometry>,
    /// Negative inside, in the frame of the pose; not a distance.
    formula: fn(&Point) -> f64,
    pose: Pose,
    samples: Vec<Point>,
}

/// Samples a patch over two parameters from 0 to 1.
fn patch(steps: u32, place: impl Fn(f64, f64) -> [f64; 3]) -> Vec<Point> {
    let at = |k: u32| f64::from(k) / f64::from(steps);
    let both = (0..=steps).flat_map(|i| (0..=steps).map(move |j| (i, j)));
    both.map(|(i, j)| Point::from(place(at(i), at(j)))).collect()
}

fn round(radius: impl Fn(f64) -> f64, height: impl Fn(f64) -> f64, steps: u32) -> Vec<Point> {
    patch(steps, |u, v| {
        let around = 2.0 * PI * u;
        [radius(v) * around.cos(), height(v), radius(v) * around.sin()]
    })
}

fn flat(point: &Point) -> f64 {
    point.x.hypot(point.z)
}

const STEPS: u32 = 120;

fn known(numbers: &mut Numbers) -> Vec<Known> {
    let pose = numbers.pose();
    let arc = |v: f64| (PI * v).sin();
    let capsule = [
        round(|_| 0.4, |v| v - 0.5, STEPS),
        round(|v| 0.4 * (0.5 * PI * v).cos(), |v| 0.5 + 0.4 * (0.5 * PI * v).sin(), STEPS),
        round(|v| 0.4 * (0.5 * PI * v).cos(), |v| -0.5 - 0.4 * (0.5 * PI * v).sin(), STEPS),
    ];
    let cylinder = [
        round(|_| 0.5, |v| 1.2 * v - 0.6, STEPS),
        round(|v| 0.5 * v, |_| 0.6, STEPS),
        round(|v| 0.5 * v, |_| -0.6, STEPS),
    ];
    let cone = [round(|v| 0.7 * v, |v| 0.6 - 1.2 * v, STEPS), round(|v| 0.7 * v, |_| -0.6, STEPS)];
    let sides = |half: [f64; 3]| {
        let side = |axis: usize, sign: f64| {
            patch(STEPS, move |u, v| {
                let mut place = [0.0; 3];
                place[axis] = sign * half[axis];
                place[(axis + 1) % 3] = (2.0 * u - 1.0) * half[(axis + 1) % 3];
                place[(axis + 2) % 3] = (2.0 * v - 1.0) * half[(axis + 2) % 3];
                place
            })
        };
        (0..3).flat_map(|axis| [side(axis, 1.0), side(axis, -1.0)]).flatten().collect::<Vec<_>>()
    };
    let ring = patch(2 * STEPS, |u, v| {
        let (a, b) = (2.0 * PI * u, 2.0 * PI * v);
        [(0.7 + 0.25 * b.cos()) * a.cos(), 0.25 * b.sin(), (0.7 + 0.25 * b.cos()) * a.sin()]
    });
    let corners: Vec<Point> = (0..8)
        .map(|k| {
            Point::new(
                0.9 - 1.8 * f64::from(k & 1),
                0.5 - f64::from(k >> 1 & 1),
                0.4 - 0.8 * f64::from(k >> 2),
            )
        })
        .collect();
    let solid = |name, body: Box<dyn Geometry>, formula, samples: Vec<Point>| Known {
        name,
        body,
        formula,
        pose,
        samples: samples.iter().map(|sample| pose * sample).collect(),
    };
    vec![
        solid(
            "sphere",
            Box::new(Sphere::new(pose * Point::origin(), 0.8).unwrap()),
            |p| p.coords.norm() - 0.8,
            round(|v| 0.8 * arc(v), |v| 0.8 * (PI * v).cos(), 2 * STEPS),
        ),
        solid(
            "capsule",
            Box::new(Capsule::new(pose, 0.4, 1.0).unwrap()),
            |p| flat(p).hypot((p.y.abs() - 0.5).max(0.0)) - 0.4,
            capsule.concat(),
        ),
        solid(
            "cylinder",
            Box::new(Cylinder::new(pose, 0.5, 1.2).unwrap()),
            |p| (flat(p) - 0.5).max(p.y.abs() - 0.6),
            cylinder.concat(),
        ),
        solid(
            "cone",
            Box::new(Cone::new(pose, 0.7, 1.2).unwrap()),
            |p| (flat(p) - 0.7 * (0.6 - p.y) / 1.2).max(-0.6 - p.y),
            cone.concat(),
        ),
        solid(
            "box",
            Box::new(OrientedBox::new(pose, Vector::new(0.9, 0.5, 0.4)).unwrap()),
            |p| (p.x.abs() - 0.9).max(p.y.abs() - 0.5).max(p.z.abs() - 0.4),
            sides([0.9, 0.5, 0.4]),
        ),
        solid(
            "hull",
            Box::new(Convex::new(pose, &corners).unwrap()),
            |p| (p.x.abs() - 0.9).max(p.y.abs() - 0.5).max(p.z.abs() - 0.4),
            sides([0.9, 0.5, 0.4]),
        ),
        solid(
            "ellipsoid",
            Box::new(Ellipsoid::new(pose, Vector::new(0.9, 0.5, 0.3)).unwrap()),
            |p| (p.x / 0.9).powi(2) + (p.y / 0.5).powi(2) + (p.z / 0.3).powi(2) - 1.0,
            round(arc, |v| (PI * v).cos(), 2 * STEPS)
                .iter()
                .map(|p| Point::new(0.9 * p.x, 0.5 * p.y, 0.3 * p.z))
                .collect(),
        ),
        solid(
            "torus",
            Box::new(
                ImplicitBody::new(pose, Arc::new(Torus::new(Pose::identity(), 0.7, 0.25).unwrap())).unwrap(),
            ),
            |p| (flat(p) - 0.7).hypot(p.y) - 0.25,
            ring,
        ),
    ]
}

fn to_samples(point: &Point, samples: impl Iterator<Item = Point>) -> f64 {
    samples.map(|sample| (sample - point).norm_squared()).fold(f64::INFINITY, f64::min).sqrt()
}

#[test]
fn no_sample_of_a_surface_is_nearer_and_the_nearest_place_is_on_it() {
    let mut numbers = Numbers(21);
    let known = known(&mut numbers);
    for Known { name, body, formula, pose, samples } in &known {
        let (mut inside, mut outside) = (0, 0);
        for round in 0..60 {
            let point = Point::from(
                pose.translation.vector + numbers.vector() * if round % 3 == 0 { 2.0 } else { 0.5 },
            );
            let found = signed_distance(body.as_ref(), &point).unwrap();
            let local = |point: &Point| pose.inverse_transform_point(point);
            let signed = found.signed;
            assert!(found.is_exact && found.child == NONE);
            assert_eq!(signed.distance < 0.0, formula(&local(&point)) < 0.0, "{name} at {point}");
            let nearest = to_samples(&point, samples.iter().copied());
            assert!(signed.distance.abs() <= nearest + 1e-12, "{name} at {point}: {signed:?}, {nearest}");
            assert!(signed.distance.abs() >= nearest - 0.04, "{name} at {point}: {signed:?}, {nearest}");
            assert!(formula(&local(&signed.nearest)).abs() <= 1e-9, "{name} at {point}: {signed:?}");
            assert!((signed.nearest + signed.gradient * signed.distance - point).norm() <= 1e-12);
            assert!((signed.gradient.norm() - 1.0).abs() <= 1e-12);
            *if signed.distance < 0.0 { &mut inside } else { &mut outside } += 1;
        }
        assert!(inside >= 5 && outside >= 20, "{name}: {inside} {outside}");
    }
}

#[test]
fn half_spaces_have_an_inside_and_sheets_have_none() {
    let floor = Plane::new(Point::new(0.0, 1.0, 0.0), Vector::y()).unwrap();
    let at = |plane: &Plane, y: f64| signed_distance(plane, &Point::new(3.0, y, 0.0)).unwrap().signed;
    assert_eq!((at(&floor, -1.5).distance, at(&floor, 3.0).distance), (-2.5, 2.0));
    let sheet = floor.with_two_sided(true);
    assert_eq!((at(&sheet, -1.5).distance, at(&sheet, -1.5).gradient), (2.5, -Vector::y()));
}

/// Generates a star around the origin as a surface, and as tetrahedra from its centre.
fn star(numbers: &mut Numbers) -> (Shape, TetraMesh) {
    let (mut positions, triangles) = bumpy_ball(9, 0.4, numbers);
    let surface = (positions.clone(), triangles.clone());
    positions.push(Point::origin());
    let middle = positions.len() as u32 - 1;
    let cells = triangles.iter().map(|&[a, b, c]| [a, b, c, middle]).collect();
    (surface, TetraMesh::new(positions, cells).unwrap())
}

#[test]
fn meshes_have_the_distance_of_all_their_triangles() {
    let mut numbers = Numbers(22);
    let (shape, bare_tetra) = star(&mut numbers);
    let bare = SurfaceMesh::new(shape.0.clone(), shape.1.clone()).unwrap();
    let (mut prepared, mut tetra) = (bare.clone(), bare_tetra.clone());
    prepared.prepare(Needs::all());
    tetra.prepare(Needs::all());
    let thick = prepared.clone().with_radius(0.125).unwrap();
    let mut inside = 0;
    for _ in 0..300 {
        let point = Point::from(numbers.vector());
        let wanted = shapes::signed_distance(&shape, &point);
        let bodies: [&dyn Geometry; 4] = [&bare, &prepared, &bare_tetra, &tetra];
        for body in bodies {
            let found = signed_distance(body, &point).unwrap();
            assert!(found.is_exact && (found.signed.distance - wanted).abs() <= 1e-12, "{found:?} {wanted}");
            let signed = found.signed;
            assert!((signed.nearest + signed.gradient * signed.distance - point).norm() <= 1e-12);
        }
        let found = signed_distance(&thick, &point).unwrap();
        assert!((found.signed.distance - (wanted - 0.125)).abs() <= 1e-12);
        assert_eq!(found.is_exact, found.signed.distance >= 0.0);
        inside += usize::from(wanted < 0.0);
    }
    assert!((60..240).contains(&inside), "{inside}");
    let on_it = shape.0[5];
    assert_eq!(signed_distance(&tetra, &on_it).unwrap().signed.distance, 0.0);
}

/// Two intersecting boxes as one surface: inside, a wall of one within the other is closest.
#[test]
fn crossing_surfaces_are_exact_outside_alone() {
    let shape = together(cuboid([1.0, 0.5, 0.5], [0.0; 3]), cuboid([0.3, 1.0, 0.3], [0.1, 0.0, 0.07]));
    let mesh = SurfaceMesh::new(shape.0.clone(), shape.1.clone()).unwrap().examined();
    let mut numbers = Numbers(23);
    let mut seen = [0; 2];
    for _ in 0..300 {
        let point = Point::from(numbers.vector() * 1.3);
        let found = signed_distance(&mesh, &point).unwrap();
        let wanted = shapes::signed_distance(&shape, &point);
        assert!((found.signed.distance - wanted).abs() <= 1e-12);
        assert_eq!(found.is_exact, wanted >= 0.0);
        seen[usize::from(found.is_exact)] += 1;
    }
    assert!(seen[0] > 30 && seen[1] > 100, "{seen:?}");
}

/// Compares with the samples of each child that lie in no other: those of the union's surface.
#[test]
fn a_union_is_exact_outside_and_a_bound_inside() {
    let mut numbers = Numbers(24);
    // All at different poses, overlapping around the origin.
    let children: Vec<Known> = (0..4).map(|k| known(&mut numbers).swap_remove([0, 4, 2, 7][k])).collect();
    let holds =
        |known: &Known, point: &Point| (known.formula)(&known.pose.inverse_transform_point(point)) < -1e-9;
    let skin: Vec<Point> = children
        .iter()
        .enumerate()
        .flat_map(|(k, child)| {
            let others = children.iter().enumerate().filter(move |(other, _)| *other != k);
            let others: Vec<&Known> = others.map(|(_, other)| other).collect();
            child
                .samples
                .iter()
                .filter(move |sample| !others.iter().any(|other| holds(other, sample)))
                .copied()
        })
        .collect();
    let inside_of = |point: &Point| children.iter().filter(|child| holds(child, point)).count();
    let counts: Vec<Point> = (0..500).map(|_| Point::from(numbers.vector() * 0.7)).collect();
    let held: Vec<usize> = counts.iter().map(inside_of).collect();
    let compound = Compound::new(children.into_iter().map(|child| child.body).collect());
    let (mut outside, mut exact, mut bounds, mut short) = (0, 0, 0, 0);
    for (point, held) in counts.iter().zip(held) {
        let found = signed_distance(&compound, point).unwrap();
        let distance = found.signed.distance;
        assert_eq!(distance < 0.0, held > 0);
        let nearest = to_samples(point, skin.iter().copied());
        assert!(distance.abs() <= nearest + 1e-12, "{point}: {found:?}, {nearest}");
        let own = signed_distance(compound.child(found.child).unwrap(), point).unwrap();
        assert_eq!(own.signed, found.signed);
        if found.is_exact {
            assert!(distance.abs() >= nearest - 0.04, "{point}: {found:?}, {nearest}");
        }
        match (held, found.is_exact) {
            (0, true) => outside += 1,
            (0, false) => panic!("all children are exact"),
            (_, true) => exact += 1,
            (_, false) => {
                bounds += 1;
                short += usize::from(distance.abs() < nearest - 0.04);
            }
        }
    }
    assert!(outside > 40 && exact > 5 && bounds > 10 && short > 5, "{outside} {exact} {bounds} {short}");
}

#[test]
fn boxes_side_by_side_are_no_skin_where_they_touch() {
    let cube = |x: f64| OrientedBox::new(Pose::translation(x, 0.0, 0.0), Vector::repeat(1.0)).unwrap();
    let both = Compound::default().with(cube(-1.0)).with(cube(1.0));
    let at = |x: f64, y: f64| signed_distance(&both, &Point::new(x, y, 0.0)).unwrap();
    let by_the_wall = at(-0.25, 0.0);
    assert_eq!((by_the_wall.signed.distance, by_the_wall.is_exact), (-0.25, false));
    let by_the_top = at(-0.5, 0.75);
    assert_eq!((by_the_top.signed.distance, by_the_top.is_exact, by_the_top.child), (-0.25, true, 0));
    // On the common wall: the lowest child, on its surface.
    assert_eq!((at(0.0, 0.0).signed.distance, at(0.0, 0.0).child), (0.0, 0));
}

/// Mere bounds are reported as inexact, and functions with only a sign are rejected.
#[test]
fn bounds_say_so_and_what_has_no_distance_is_refused() {
    struct Sign;
    impl ImplicitFunction for Sign {
        fn sample(&self, point: &Point) -> Sample {
            Sample { value: point.y, gradient: Vector::y(), feature: NONE }
        }
        fn sublevel_bounds(&self, _: f64) -> Aabb {
            Aabb::ALL
        }
    }
    let grid = Grid::new(Point::origin(), Vector::repeat(1.0), [2; 3], vec![0.5; 8]).unwrap();
    let grid = ImplicitBody::new(Pose::identity(), Arc::new(grid)).unwrap();
    let sphere = Sphere::new(Point::new(3.0, 0.0, 0.0), 1.0).unwrap();
    let beside = Point::new(1.9, 0.5, 0.5);
    assert!(!signed_distance(&grid, &beside).unwrap().is_exact);
    let both = Compound::default().with(grid).with(sphere);
    let near_the_sphere = signed_distance(&both, &beside).unwrap();
    assert_eq!(
        (near_the_sphere.child, near_the_sphere.is_exact),
        (1, false),
        "the value of the grid is only a lower bound"
    );
    let message = |body: &dyn Geometry| signed_distance(body, &beside).unwrap_err().to_string();
    let sign = ImplicitBody::new(Pose::identity(), Arc::new(Sign)).unwrap();
    assert_eq!(message(&sign), "the geometry is of kind implicit: wanted a solid that has a distance");
    let points = vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
    let open = SurfaceMesh::new(points.clone(), vec![[0, 1, 2]]).unwrap();
    assert!(message(&open).contains("surface_mesh") && message(&Compound::default()).contains("compound"));
    assert!(message(&PointSet::new(points.clone()).unwrap()).contains("point_set"));
    let thread = LineMesh::polyline(points).unwrap();
    assert!(message(&Compound::default().with(sphere_of_one()).with(thread)).contains("line_mesh"));
    assert!(message(&TetraMesh::new(Vec::new(), Vec::new()).unwrap()).contains("tetra_mesh"));
}

fn sphere_of_one() -> Sphere {
    Sphere::new(Point::origin(), 1.0).unwrap()
}
