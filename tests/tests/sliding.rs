//! Bodies that slide over a flat floor of triangles touch the floor, not the edges between its triangles.

use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::{Capsule, Geometry, Needs, Pose, Sphere, SurfaceMesh};
use palpate_math::nearest::segment_triangle;
use palpate_math::{Point, Vector};
use palpate_tests::Random;
use serde_json::json;

const STEPS: usize = 1000;

/// Squares of the floor each way, each of two triangles, of side one.
const SQUARES: u32 = 12;

/// The corners and triangles of a flat floor in the plane y = 0, turned about y so that no edge lies along an axis.
fn grid() -> (Vec<Point>, Vec<[u32; 3]>) {
    let row = SQUARES + 1;
    let turn = nalgebra::Rotation3::from_axis_angle(&Vector::y_axis(), 0.37);
    let half = 0.5 * f64::from(SQUARES);
    let place = |k: u32| turn * Point::new(f64::from(k % row) - half, 0.0, f64::from(k / row) - half);
    let corners = (0..SQUARES * SQUARES).map(|k| k / SQUARES * row + k % SQUARES);
    let triangles = corners.flat_map(|k| [[k, k + row, k + 1], [k + 1, k + row, k + row + 1]]);
    ((0..row * row).map(place).collect(), triangles.collect())
}

fn prepared(corners: Vec<Point>, triangles: Vec<[u32; 3]>) -> SurfaceMesh {
    let mut mesh = SurfaceMesh::new(corners, triangles).expect("the ids are in range");
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    mesh
}

/// The floor alone, open.
fn floor() -> SurfaceMesh {
    let (corners, triangles) = grid();
    prepared(corners, triangles)
}

/// A closed slab, three deep, whose top is the floor.
fn slab() -> SurfaceMesh {
    let (mut corners, mut triangles) = grid();
    let below = corners.len() as u32;
    let sides: Vec<[u32; 2]> = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    let bottom: Vec<[u32; 3]> =
        triangles.iter().map(|&[a, b, c]| [a + below, c + below, b + below]).collect();
    triangles.extend(bottom);
    for &[from, to] in sides.iter().filter(|[from, to]| !sides.contains(&[*to, *from])) {
        triangles.extend([[to, from, from + below], [to, from + below, to + below]]);
    }
    let lower: Vec<Point> = corners.iter().map(|corner| corner - Vector::y() * 3.0).collect();
    corners.extend(lower);
    let slab = prepared(corners, triangles);
    assert!(slab.is_closed());
    slab
}

/// Poses along a straight path over the floor, the body slightly sunk into it.
fn way(random: &mut Random) -> Vec<Pose> {
    let turn = random.rotation();
    let at = |step: usize| {
        let s = step as f64 / STEPS as f64;
        let place = Vector::new(-3.0 + 6.1 * s, 0.0, 2.7 - 5.3 * s);
        Pose::from_parts(nalgebra::Translation3::from(place), turn)
    };
    (0..STEPS).map(at).collect()
}

/// The number of contacts along the path, and the largest deviation of a direction from the floor's normal.
fn slide(body: &dyn Fn(&Pose) -> Box<dyn Geometry>, floor: &SurfaceMesh, choice: Choice<'_>) -> (usize, f64) {
    let (mut count, mut worst) = (0, 0.0_f64);
    let mut bound = None;
    for pose in way(&mut Random::new(7)) {
        let mut body = body(&pose);
        body.prepare(Needs::all());
        let registry = Registry::standard();
        let bound =
            bound.get_or_insert_with(|| registry.bind(floor, body.as_ref(), choice).expect("it binds"));
        let mut out = CollisionData::new();
        bound.run(floor, body.as_ref(), &Context::new(), &mut out).expect("it runs");
        assert!(!out.is_empty(), "the body is in contact at every step: {pose}");
        count += out.len();
        for contact in &out.contacts {
            worst = worst.max((Vector::from(contact.direction) + Vector::y()).norm());
        }
    }
    (count, worst)
}

/// By default only a closed floor ignores its edges, and none does under iMSTK's name `alias`.
fn judge(alias: &str, body: impl Fn(&Pose) -> Box<dyn Geometry>) {
    let [ignore, keep] = ["ignore", "keep"].map(|edges| json!({"internal_edges": edges}));
    let with = |settings| Choice::default().with_settings(settings);
    let (open, closed) = (floor(), slab());
    let hidden = [(&open, with(&ignore)), (&closed, with(&ignore)), (&closed, Choice::default())];
    for (floor, choice) in hidden {
        let (contacts, worst) = slide(&body, floor, choice);
        assert!(contacts >= STEPS && worst <= 1e-13, "{contacts} contacts, off by {worst:e}");
    }
    let (hidden, _) = slide(&body, &closed, Choice::default());
    let kept = [
        (&open, with(&keep)),
        (&open, Choice::default()),
        (&closed, with(&keep)),
        (&closed, Choice::named(alias)),
    ];
    for (floor, choice) in kept {
        let (contacts, seen) = slide(&body, floor, choice);
        assert!(contacts > hidden && seen > 1e-3, "{contacts} contacts with edges kept, off by {seen:e}");
    }
}

/// Raises a pose so that a body that extends `down` below its origin is sunk by a twentieth of that.
fn sunk(pose: &Pose, down: f64) -> Pose {
    let mut pose = *pose;
    pose.translation.vector.y = 0.95 * down;
    pose
}

#[test]
fn a_ball_meets_the_floor_alone() {
    judge("SurfaceMeshToSphereCD", |pose| {
        let center = Point::from(sunk(pose, 0.8).translation.vector);
        Box::new(Sphere::new(center, 0.8).unwrap())
    });
}

#[test]
fn a_tilted_capsule_meets_the_floor_alone() {
    judge("SurfaceMeshToCapsuleCD", |pose| {
        let down = 0.4 + (pose.rotation * Vector::y() * 0.75).y.abs();
        Box::new(Capsule::new(sunk(pose, down), 0.4, 1.5).unwrap())
    });
}

/// A fan of triangles about a vertex, bent at random.
fn fan(random: &mut Random) -> SurfaceMesh {
    let around = 3 + random.below(5) as u32;
    let mut corners = vec![Point::origin()];
    for k in 0..around {
        let angle = f64::from(k) * 5.0 / f64::from(around) + random.between(0.0, 0.5);
        corners.push(Point::new(angle.cos(), random.between(-1.0, 1.0), angle.sin()));
    }
    prepared(corners, (1..around).map(|k| [0, k + 1, k]).collect())
}

/// Above a one-sided sheet, with edges ignored, within the margin: an element that faces away neither represents
/// the closest element that faces the body, nor hides it.
#[test]
fn the_nearest_element_that_faces_the_body_is_always_met() {
    let mut random = Random::new(35);
    let settings = json!({"sides": "one", "internal_edges": "ignore"});
    let mut behind = [0, 0];
    for case in 0..6000 {
        let mesh = fan(&mut random);
        let (middle, along) = (Point::from(random.vector() * 0.6), random.vector() * 0.3);
        let round = case % 2;
        let ends = if round == 0 { [middle; 2] } else { [middle - along, middle + along] };
        let radius = 1e-3;
        let body: Box<dyn Geometry> = match round {
            0 => Box::new(Sphere::new(middle, radius).unwrap()),
            _ => Box::new(Capsule::from_ends(ends[0], ends[1], radius).unwrap()),
        };
        let nearest = |triangle: u32| {
            let [a, b, c] = mesh.corners(triangle);
            let local = segment_triangle(&ends[0], &ends[1], &a, &b, &c);
            let feature = mesh.feature_of(triangle, local.feature);
            let away = (local.point_on_segment - local.point_on_triangle).dot(&mesh.outward(feature)) < 0.0;
            (local.distance_squared.sqrt(), mesh.has_front(feature) && away)
        };
        let all: Vec<_> = (0..mesh.triangles().len() as u32).map(nearest).collect();
        let least = |facing: bool| {
            let distances = all.iter().filter(|(_, away)| !(facing && *away)).map(|(distance, _)| *distance);
            distances.fold(f64::INFINITY, f64::min)
        };
        // Bodies that touch from behind are pushed through, and those that are pierced leave along a normal.
        if least(false) <= radius || least(true) == f64::INFINITY {
            continue;
        }
        let choice = Choice::default().with_settings(&settings);
        let mut bound = Registry::standard().bind(&mesh, body.as_ref(), choice).unwrap();
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(4.0);
        bound.run(&mesh, body.as_ref(), &context, &mut out).unwrap();
        let found = out.deepest().map(|contact| contact.depth);
        let wanted = radius - least(true);
        // An end of a capsule may be above a face that looks away from the rest of it.
        let most = if round == 0 { wanted } else { radius - least(false) };
        let fits = |found: f64| found >= wanted - 1e-12 && found <= most + 1e-12;
        assert!(found.is_some_and(fits), "case {case}: {found:?}, {wanted}");
        behind[round] += usize::from(least(true) > least(false));
    }
    assert!(behind.iter().all(|&count| count > 200), "{behind:?} whose closest element faces away");
}
