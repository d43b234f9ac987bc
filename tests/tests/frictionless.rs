//! Round bodies that slide without friction over flat floors of triangles keep their speed, and resting ones keep
//! their contacts, as on a plane, however the floor is triangulated.

use nalgebra::Rotation3;
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Bound, Choice, Context, Registry};
use palpate_geometry::{Capsule, Geometry, LineMesh, Needs, Plane, Sphere, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_tests::Random;
use palpate_tests::selection::on_all_cores;
use serde_json::{Value, json};

/// The length and width of a floor and, if it is closed, its depth, in metres; it begins at the origin and is
/// centred in z.
const FLOOR: [f64; 3] = [1.2, 0.04, 0.02];

/// The path length of every body, in metres.
const WAY: f64 = 1.0;

/// The displacement in a time step, in metres.
const STEP: f64 = 0.001;

/// Allowed loss of speed along the path, relative to it.
const SPEED: f64 = 1e-6;

/// Allowed deviation of a direction from the floor's normal.
const TILT: f64 = 1e-9;

/// Triangulation of a floor.
#[derive(Clone, Copy, Debug)]
enum Cut {
    Regular,
    Random,
    Needles,
}

/// A floor at its own pose.
struct Floor {
    mesh: SurfaceMesh,
    turn: Rotation3<f64>,
    shift: Vector,
}

impl Floor {
    fn new(cut: Cut, closed: bool) -> Self {
        let mut random = Random::new(31);
        let (turn, shift) = (Rotation3::new(random.vector()), random.vector() * 0.1);
        let (mut corners, mut triangles) = top(cut, &mut random);
        if closed {
            close(&mut corners, &mut triangles);
        }
        let corners = corners.into_iter().map(|corner| turn * corner + shift).collect();
        let mut mesh = SurfaceMesh::new(corners, triangles).expect("the ids are in range");
        mesh.prepare(Needs::all());
        assert_eq!(mesh.is_closed(), closed);
        Self { mesh, turn, shift }
    }

    /// Transforms a point from the floor's frame to the world.
    fn place(&self, point: Point) -> Point {
        self.turn * point + self.shift
    }

    fn up(&self) -> Vector {
        self.turn * Vector::y()
    }

    fn settings(&self) -> Value {
        if self.mesh.is_closed() { json!({}) } else { json!({"internal_edges": "ignore"}) }
    }
}

/// The vertices and triangles of the top.
fn top(cut: Cut, random: &mut Random) -> (Vec<Point>, Vec<[u32; 3]>) {
    let [length, width] = match cut {
        Cut::Regular | Cut::Random => [0.004, 0.004],
        Cut::Needles => [0.04, 0.0001],
    };
    let counts = [FLOOR[0] / length, FLOOR[1] / width].map(|count| count.round() as u32);
    let mut corners = Vec::new();
    for k in 0..(counts[0] + 1) * (counts[1] + 1) {
        let (i, j) = (k % (counts[0] + 1), k / (counts[0] + 1));
        let inner = i > 0 && i < counts[0] && j > 0 && j < counts[1];
        let shake = if inner && !matches!(cut, Cut::Regular) { 0.24 } else { 0.0 };
        let mut along = |index: u32, step: f64| step * (f64::from(index) + shake * random.between(-1.0, 1.0));
        let (x, z) = (along(i, length), along(j, width) - 0.5 * FLOOR[1]);
        corners.push(Point::new(x, 0.0, z));
    }
    let row = counts[0] + 1;
    let mut triangles = Vec::new();
    for k in 0..counts[0] * counts[1] {
        let first = k / counts[0] * row + k % counts[0];
        let [a, b, c, d] = [first, first + row, first + 1, first + row + 1];
        if matches!(cut, Cut::Random) && random.one_in(2) {
            triangles.extend([[a, b, d], [a, d, c]]);
        } else {
            triangles.extend([[a, b, c], [c, b, d]]);
        }
    }
    (corners, triangles)
}

/// Adds the walls and the bottom.
fn close(corners: &mut Vec<Point>, triangles: &mut Vec<[u32; 3]>) {
    let below = corners.len() as u32;
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let all: std::collections::HashSet<[u32; 2]> = triangles.iter().flat_map(sides).collect();
    let mut border: Vec<_> = all.iter().filter(|[from, to]| !all.contains(&[*to, *from])).collect();
    border.sort_unstable();
    triangles.extend(triangles.clone().iter().map(|&[a, b, c]| [a + below, c + below, b + below]));
    for &&[from, to] in &border {
        triangles.extend([[to, from, from + below], [to, from + below, to + below]]);
    }
    let lower: Vec<Point> = corners.iter().map(|corner| corner - Vector::y() * FLOOR[2]).collect();
    corners.extend(lower);
}

const RADIUS: f64 = 0.005;

/// A body of rigidly connected particles: one for a ball, the two ends of a capsule's axis, the vertices of a
/// thread.
#[derive(Clone, Copy, Debug)]
enum Body {
    Ball,
    /// With the slope of its axis.
    Capsule(f64),
    Thread,
}

impl Body {
    /// Its particles around the origin, in the frame of a floor, the lowest at height zero.
    fn particles(self) -> Vec<Vector> {
        let heading = Vector::new(0.8, 0.0, 0.6);
        match self {
            Self::Ball => vec![Vector::zeros()],
            Self::Capsule(slope) => {
                let end = heading * 0.02 + Vector::y() * (0.02 * slope);
                vec![Vector::zeros(), end]
            }
            Self::Thread => (0..9).map(|k| heading * (0.003 * f64::from(k) - 0.012)).collect(),
        }
    }

    fn geometry(self, particles: &[Point]) -> Box<dyn Geometry> {
        let mut body: Box<dyn Geometry> = match self {
            Self::Ball => Box::new(Sphere::new(particles[0], RADIUS).expect("generated shapes are valid")),
            Self::Capsule(_) => Box::new(
                Capsule::from_ends(particles[0], particles[1], RADIUS).expect("generated shapes are valid"),
            ),
            Self::Thread => Box::new(
                LineMesh::polyline(particles.to_vec())
                    .expect("generated shapes are valid")
                    .with_radius(RADIUS)
                    .expect("generated shapes are valid"),
            ),
        };
        body.prepare(Needs::all());
        body
    }
}

fn bound(floor: &Floor, body: &dyn Geometry, settings: &Value) -> Bound {
    let choice = Choice::default().with_settings(settings);
    Registry::standard().bind(body, &floor.mesh, choice).expect("it binds")
}

fn run(bound: &mut Bound, floor: &Floor, body: &dyn Geometry, margin: f64) -> Vec<Contact> {
    let mut out = CollisionData::new();
    bound.run(body, &floor.mesh, &Context::new().with_margin(margin), &mut out).expect("it runs");
    out.contacts
}

/// The final speed along the floor, the largest tilt of a direction, and the fewest contacts of a step.
fn slide(floor: &Floor, body: Body, speed: f64, settings: &Value) -> (f64, f64, usize) {
    let up = floor.up();
    let shape: Vec<Vector> = body.particles().into_iter().map(|particle| floor.turn * particle).collect();
    let along = floor.turn * Vector::new(1.0, 0.0, 0.011).normalize();
    let mut at = floor.place(Point::new(0.1, RADIUS - 1e-6, -0.0061));
    let mut velocity = along * speed;
    let mut detector = None;
    let (mut tilt, mut fewest) = (0.0_f64, usize::MAX);
    let time = STEP / speed;
    for _ in 0..(WAY / STEP) as usize {
        velocity -= up * (9.81 * time);
        let particles: Vec<Point> = shape.iter().map(|offset| at + offset).collect();
        let geometry = body.geometry(&particles);
        let bound = detector.get_or_insert_with(|| bound(floor, geometry.as_ref(), settings));
        let contacts = run(bound, floor, geometry.as_ref(), 1e-5);
        fewest = fewest.min(contacts.len());
        let mut deepest = 0.0_f64;
        for contact in &contacts {
            let outward = Vector::from(contact.direction);
            tilt = tilt.max((outward - up).norm());
            deepest = deepest.max(contact.depth);
        }
        // Frictionless rigid contacts: impulses one after the other until none is left.
        for _ in 0..8 {
            for contact in contacts.iter().filter(|contact| contact.depth >= 0.0) {
                let outward = Vector::from(contact.direction);
                velocity -= outward * velocity.dot(&outward).min(0.0);
            }
        }
        at += velocity * time + up * (0.2 * (deepest - 1e-6).max(0.0));
    }
    ((velocity - up * velocity.dot(&up)).norm(), tilt, fewest)
}

fn judge(body: Body, fewest_contacts: usize) {
    let floors = [Cut::Regular, Cut::Random, Cut::Needles].map(|cut| [(cut, true), (cut, false)]);
    let slides =
        floors.as_flattened().iter().flat_map(|&(cut, closed)| [(cut, closed, 0.1), (cut, closed, 1.0)]);
    on_all_cores(&Vec::from_iter(slides), |&(cut, closed, speed)| {
        let floor = Floor::new(cut, closed);
        let (after, tilt, fewest) = slide(&floor, body, speed, &floor.settings());
        let case = format!("{body:?} over {cut:?}, closed: {closed}, {speed} m/s");
        assert!((after - speed).abs() <= SPEED * speed, "{case}: {after} m/s at the end");
        assert!(tilt <= TILT, "{case}: tilted by {tilt:e}");
        assert!(fewest >= fewest_contacts, "{case}: {fewest} contacts");
    });
}

#[test]
fn a_ball_keeps_its_speed() {
    judge(Body::Ball, 1);
}

#[test]
fn a_lying_capsule_keeps_its_speed() {
    judge(Body::Capsule(0.0), 2);
}

#[test]
fn a_tilted_capsule_keeps_its_speed() {
    judge(Body::Capsule(1e-6), 2);
    judge(Body::Capsule(0.3), 1);
}

#[test]
fn a_thread_keeps_its_speed() {
    judge(Body::Thread, 9);
}

/// Control: the tests above fail without the rule for internal edges.
#[test]
fn with_internal_edges_a_thread_loses_its_way() {
    let floor = Floor::new(Cut::Regular, true);
    let kept = json!({"internal_edges": "keep", "manifold": false});
    let (after, tilt, _) = slide(&floor, Body::Thread, 0.1, &kept);
    assert!((after - 0.1).abs() > 0.01 && tilt > 0.1, "{after} m/s, tilted by {tilt}");
}

/// Capsules at every tilt above a floor, inside its border: exactly the points that a plane has.
#[test]
fn over_a_floor_a_capsule_has_the_contacts_of_a_plane() {
    let mut random = Random::new(32);
    let mut both = 0;
    for cut in [Cut::Regular, Cut::Random, Cut::Needles] {
        for closed in [true, false] {
            let floor = Floor::new(cut, closed);
            let plane =
                Plane::new(floor.place(Point::origin()), floor.up()).expect("generated shapes are valid");
            for case in 0..150 {
                let slope = match case % 4 {
                    0 => 0.0,
                    1 => 10.0_f64.powf(random.between(-12.0, -2.0)),
                    _ => random.between(0.0, 1.0),
                };
                let (angle, length) = (random.between(0.0, 6.3), random.between(0.001, 0.01));
                let heading = Vector::new(angle.cos(), 0.0, angle.sin()) + Vector::y() * slope;
                let low = Point::new(random.between(0.3, 0.9), random.between(0.0001, 1.0) * RADIUS, 0.0);
                let low = low + Vector::z() * random.between(-0.004, 0.004);
                let mut ends = [low, low + heading * length].map(|end| floor.place(end));
                if random.one_in(2) {
                    ends.swap(0, 1);
                }
                let body = Capsule::from_ends(ends[0], ends[1], RADIUS).expect("generated shapes are valid");
                let margin = if random.one_in(2) { 0.001 } else { 0.0 };
                let mut detector = bound(&floor, &body, &floor.settings());
                let found = run(&mut detector, &floor, &body, margin);
                let mut wanted = CollisionData::new();
                let context = Context::new().with_margin(margin);
                let mut over_plane = Registry::standard()
                    .bind(&body, &plane, Choice::default())
                    .expect("generated shapes are valid");
                over_plane.run(&body, &plane, &context, &mut wanted).expect("generated shapes are valid");
                let verge = |contact: &&Contact| (contact.depth + margin).abs() > 1e-12;
                let wanted: Vec<_> = wanted.contacts.iter().filter(verge).collect();
                let found: Vec<_> = found.iter().filter(verge).collect();
                let text = format!(
                    "{cut:?}, closed: {closed}, case {case}, slope {slope:e}:\n{found:#?}\n{wanted:#?}"
                );
                assert_eq!(found.len(), wanted.len(), "{text}");
                for contact in &wanted {
                    let same = |other: &&&Contact| {
                        let apart = (Point::from(other.a.point) - Point::from(contact.a.point)).norm();
                        let turned = Vector::from(other.direction) - Vector::from(contact.direction);
                        (other.depth - contact.depth).abs() <= 1e-12
                            && apart <= 1e-11
                            && turned.norm() <= TILT
                    };
                    assert_eq!(found.iter().filter(same).count(), 1, "{text}");
                }
                both += usize::from(wanted.len() == 2);
            }
        }
    }
    assert!(both > 300, "{both} with both ends");
}

/// The ids of a capsule's contacts, sorted.
fn keys(floor: &Floor, detector: &mut Option<Bound>, ends: [Point; 2]) -> Vec<u64> {
    let body = Capsule::from_ends(ends[0], ends[1], RADIUS).expect("generated shapes are valid");
    let detector = detector.get_or_insert_with(|| bound(floor, &body, &floor.settings()));
    let mut keys: Vec<u64> = run(detector, floor, &body, 0.0).iter().map(|contact| contact.id).collect();
    keys.sort_unstable();
    keys
}

/// A capsule of 16 mm that rocks about its centre, sunk so far that both ends stay in contact: anywhere, with an
/// end above a vertex, and with one past the border. Floors of needles are excluded: over triangles much narrower
/// than the capsule a tilted one may have a third contact.
#[test]
fn a_rocking_capsule_keeps_two_contacts() {
    let mut random = Random::new(33);
    for cut in [Cut::Regular, Cut::Random] {
        for closed in [true, false] {
            let floor = Floor::new(cut, closed);
            for case in 0..60 {
                let angle = random.between(-0.6, 0.6);
                let half = Vector::new(angle.cos(), 0.0, angle.sin()) * 0.008;
                let mut middle =
                    Point::new(random.between(0.2, 1.0), RADIUS - 2e-5, random.between(-0.004, 0.004));
                match case % 3 {
                    1 => {
                        let to_vertex = |place: f64| (place / 0.004).round() * 0.004;
                        let foot = Point::new(to_vertex(middle.x), middle.y, to_vertex(middle.z));
                        middle = foot - half;
                    }
                    2 => {
                        middle.x = FLOOR[0] - random.between(-0.003, 0.003);
                    }
                    _ => {}
                }
                let mut detector = None;
                let mut first = None;
                for power in -12..=-2 {
                    for sign in [-1.0, 0.0, 1.0] {
                        let tilt = sign * 10.0_f64.powi(power) * if power == -2 { 0.1 } else { 1.0 };
                        let lifted = half + Vector::y() * (0.008 * tilt);
                        let ends = [middle - lifted, middle + lifted].map(|end| floor.place(end));
                        let found = keys(&floor, &mut detector, ends);
                        let text = format!("{cut:?}, closed: {closed}, case {case}, tilt {tilt:e}");
                        assert_eq!(found.len(), 2, "{text}");
                        assert_eq!(first.get_or_insert_with(|| found.clone()), &found, "{text}");
                    }
                }
            }
        }
    }
}

/// An end above an edge or a vertex of the floor that moves by a billionth of the floor's size keeps one triangle.
#[test]
fn above_an_edge_the_lowest_triangle_stays() {
    let mut random = Random::new(34);
    for closed in [true, false] {
        let floor = Floor::new(Cut::Regular, closed);
        for case in 0..40 {
            let corner =
                Point::new(0.004 * f64::from(80 + case), RADIUS - 1e-5, 0.004 * f64::from(case % 5) - 0.008);
            let along = if case % 2 == 0 { Vector::z() } else { Vector::x() };
            // Above a vertex, or above the middle of an edge.
            let foot = corner + along * if case % 4 < 2 { 0.0 } else { 0.002 };
            let away = Vector::new(0.0071, 0.0, 0.0023);
            let mut detector = None;
            let mut first = None;
            for _ in 0..20 {
                let moved = foot + random.vector() * 1e-9;
                let found = keys(&floor, &mut detector, [moved, moved + away].map(|end| floor.place(end)));
                assert_eq!(found.len(), 2, "case {case}");
                assert_eq!(first.get_or_insert_with(|| found.clone()), &found, "case {case}");
            }
        }
    }
}
