//! Laws of motion: what every continuous detector of the registry obeys.
//!
//! - *Caught*: what static detection finds at the end of a step and not at its start has an impact within the step.
//! - *Apart before*: earlier than the first impact static detection finds nothing.
//! - *Back and forth*: a motion with an impact between two states apart has one when it is reversed.
//! - *Mirror*, *scale*, *once*, *threads*: as for static detectors, to the bit.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "prints the figures of a long run")]

mod convex_forms;
mod convex_samples;
mod implicit_forms;
mod linked_loops;
mod threads_through;

use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Choice, Context, Detection, Entry, Flags, Pool, Registry};
use palpate_geometry::implicit::{ImplicitFunction, Torus, Union};
use palpate_geometry::{
    Convex, Geometry, GeometryKind, ImplicitBody, LineMesh, Needs, OrientedBox, Plane, PointSet, Pose,
    RigidMotion, ShapeType, Sphere, SurfaceMesh, TetraMesh,
};
use palpate_math::{Point, Vector};
use palpate_tests::Random;
use palpate_tests::meshes::{bumpy, sheet, tetra_block, walk};
use std::sync::Arc;

const CASES: u64 = 500;

/// Motions for a detector: fewer of those that search, of which a case takes milliseconds.
fn cases_for(entry: &Entry) -> u64 {
    if entry.about.method.contains("branch and bound") { CASES / 4 } else { CASES }
}

/// Points, cells and sizes of a geometry, without its place.
#[derive(Clone)]
enum Body {
    Points(Vec<Point>, f64),
    Lines(Vec<Point>, Vec<[u32; 2]>, f64),
    Surface(Vec<Point>, Vec<[u32; 3]>, f64),
    Tetra(Vec<Point>, Vec<[u32; 4]>),
    Implicit(Arc<dyn ImplicitFunction>),
    Solid(Solid),
}

/// A shape by its sizes.
#[derive(Clone)]
enum Solid {
    Sized(&'static ShapeType, [f64; 3]),
    Hull(Vec<Point>, f64),
    Plane(bool),
}

impl Solid {
    /// A shape of this kind; of `convex` a hull, an ellipsoid or a cone.
    fn of_kind(kind: &str, random: &mut Random) -> Self {
        let name = match kind {
            "plane" => return Self::Plane(random.one_in(2)),
            "sphere" => "Sphere",
            "capsule" => "Capsule",
            "cylinder" => "Cylinder",
            "oriented_box" => "OrientedBox",
            _ => match random.below(4) {
                0 => "Ellipsoid",
                1 => "Cone",
                _ => {
                    let points =
                        (0..4 + random.below(12)).map(|_| Point::from(random.vector() * 0.5)).collect();
                    return Self::Hull(points, if random.one_in(2) { 0.0 } else { 0.05 });
                }
            },
        };
        // One in four is thin: a needle or a plate.
        let mut sizes = [0, 1, 2].map(|_| random.between(0.1, 0.6));
        if random.one_in(4) {
            sizes[0] = random.between(0.001, 0.01);
        }
        let shape_type = ShapeType::named(name).unwrap();
        let count: usize = shape_type.sizes().iter().map(|field| field.count()).sum();
        sizes[count..].fill(0.0);
        Self::Sized(shape_type, sizes)
    }

    fn at(&self, pose: Pose, previous: Option<Pose>, scale: f64) -> Box<dyn Geometry> {
        match self {
            Self::Sized(shape_type, sizes) => {
                let mut shape = shape_type.make(pose, sizes.map(|size| size * scale)).unwrap();
                previous.iter().for_each(|&previous| shape.set_previous_pose(previous).unwrap());
                shape
            }
            Self::Hull(points, radius) => {
                let points: Vec<Point> = points.iter().map(|point| point * scale).collect();
                let mut hull = Convex::new(pose, &points).unwrap().with_radius(radius * scale).unwrap();
                previous.iter().for_each(|&previous| hull.set_previous_pose(previous).unwrap());
                Box::new(hull)
            }
            Self::Plane(two_sided) => {
                let mut plane = Plane::new(Point::origin(), Vector::y()).unwrap().with_two_sided(*two_sided);
                plane.set_pose(pose).unwrap();
                previous.iter().for_each(|&previous| plane.set_previous_pose(previous).unwrap());
                Box::new(plane)
            }
        }
    }
}

/// A body of about the size 1 about the origin.
fn body(kind: &GeometryKind, random: &mut Random) -> Body {
    let radius = if random.one_in(2) { 0.0 } else { random.between(0.01, 0.1) };
    let half =
        |points: Vec<Point>| points.iter().map(|point| Point::from(point.coords * 0.5)).collect::<Vec<_>>();
    match kind.name() {
        "point_set" => {
            let points = (0..12).map(|_| Point::from(random.vector() * 0.5)).collect();
            Body::Points(points, if random.one_in(4) { 0.0 } else { random.between(0.05, 0.2) })
        }
        "line_mesh" => {
            let (points, cells) = walk(random, 8);
            Body::Lines(points, cells, random.between(0.05, 0.2))
        }
        "surface_mesh" if random.one_in(3) => {
            let (points, cells) = sheet(random, 3);
            Body::Surface(half(points), cells, random.between(0.01, 0.1))
        }
        "surface_mesh" => {
            let (points, cells) = bumpy(random, 1, 0.2);
            Body::Surface(half(points), cells, radius)
        }
        "tetra_mesh" => {
            let (points, cells) = tetra_block(random, [1, 1, 2], 0.1);
            Body::Tetra(half(points), cells)
        }
        "implicit" => {
            let function: Arc<dyn ImplicitFunction> = match random.below(3) {
                0 => Arc::new(Sphere::new(Point::origin(), 0.5).unwrap()),
                1 => Arc::new(Torus::new(Pose::identity(), 0.5, 0.15).unwrap()),
                _ => {
                    let brick = OrientedBox::new(Pose::identity(), Vector::new(0.5, 0.1, 0.3)).unwrap();
                    let ball = Sphere::new(Point::new(0.3, 0.2, 0.0), 0.25).unwrap();
                    Arc::new(Union::new(vec![Arc::new(brick), Arc::new(ball)]).unwrap())
                }
            };
            Body::Implicit(function)
        }
        shape => Body::Solid(Solid::of_kind(shape, random)),
    }
}

/// A body that moves from one place to another; the vertices of a mesh also by themselves.
#[derive(Clone)]
struct Moving {
    body: Body,
    from: Vector,
    to: Vector,
    turn: Pose,
    /// The rotation at the end, of a shape.
    turn_to: Pose,
    shake: Vec<Vector>,
}

impl Moving {
    fn new(kind: &GeometryKind, random: &mut Random, reach: f64) -> Self {
        let shake = (0..64).map(|_| random.vector() * 0.05).collect();
        let turn = Pose::rotation(random.direction() * random.between(0.0, 3.0));
        let (from, to) = (random.vector() * reach, random.vector() * reach);
        let body = body(kind, random);
        let turn_to = match body {
            Body::Solid(_) => Pose::rotation(random.direction() * random.between(0.0, 3.0)),
            _ => turn,
        };
        Self { body, from, to, turn, turn_to, shake }
    }

    /// The same motion from its end to its start.
    fn reversed(&self) -> Self {
        let mut reversed = self.clone();
        (reversed.from, reversed.to) = (self.to, self.from);
        (reversed.turn, reversed.turn_to) = (self.turn_to, self.turn);
        let rest = match &mut reversed.body {
            Body::Points(rest, _)
            | Body::Lines(rest, ..)
            | Body::Surface(rest, ..)
            | Body::Tetra(rest, _) => rest,
            Body::Implicit(_) | Body::Solid(_) => return reversed,
        };
        let inverse = self.turn.inverse();
        for ((point, shake), back) in rest.iter_mut().zip(&self.shake).zip(&mut reversed.shake) {
            *point += inverse * shake;
            *back = -*shake;
        }
        reversed
    }

    fn points(&self, rest: &[Point], time: f64, scale: f64) -> Vec<Point> {
        let at = |(point, shake): (&Point, &Vector)| {
            let turned = self.turn * point;
            let [start, end] = [turned + self.from, turned + self.to + shake];
            Point::from((start.coords * (1.0 - time) + end.coords * time) * scale)
        };
        rest.iter().zip(&self.shake).map(at).collect()
    }

    /// The geometry at `time`, with the previous state at `before`, prepared.
    fn at(&self, before: Option<f64>, time: f64, scale: f64) -> Box<dyn Geometry> {
        let places = |rest: &[Point]| {
            (self.points(rest, time, scale), before.map(|before| self.points(rest, before, scale)))
        };
        let mut geometry: Box<dyn Geometry> = match &self.body {
            Body::Points(rest, radius) => {
                let (now, before) = places(rest);
                let mut set = PointSet::new(now).unwrap().with_radius(radius * scale).unwrap();
                before.iter().for_each(|before| set.set_previous(before).unwrap());
                Box::new(set)
            }
            Body::Lines(rest, cells, radius) => {
                let (now, before) = places(rest);
                let mut lines =
                    LineMesh::new(now, cells.clone()).unwrap().with_radius(radius * scale).unwrap();
                before.iter().for_each(|before| lines.set_previous(before).unwrap());
                Box::new(lines)
            }
            Body::Surface(rest, cells, radius) => {
                let (now, before) = places(rest);
                let mut mesh =
                    SurfaceMesh::new(now, cells.clone()).unwrap().with_radius(radius * scale).unwrap();
                before.iter().for_each(|before| mesh.set_previous(before).unwrap());
                Box::new(mesh)
            }
            Body::Tetra(rest, cells) => {
                let (now, before) = places(rest);
                let mut mesh = TetraMesh::new(now, cells.clone()).unwrap();
                before.iter().for_each(|before| mesh.set_previous(before).unwrap());
                Box::new(mesh)
            }
            Body::Implicit(function) => {
                let pose = |time: f64| {
                    let place = (self.from * (1.0 - time) + self.to * time) * scale;
                    Pose::from_parts(place.into(), self.turn.rotation)
                };
                let body = ImplicitBody::new(pose(time), function.clone()).unwrap();
                let mut body = body.with_scale(scale).unwrap();
                before.iter().for_each(|&before| body.set_previous_pose(pose(before)).unwrap());
                Box::new(body)
            }
            Body::Solid(solid) => {
                let pose =
                    |place: &Vector, turn: &Pose| Pose::from_parts((place * scale).into(), turn.rotation);
                let motion = RigidMotion::new(&pose(&self.from, &self.turn), &pose(&self.to, &self.turn_to));
                solid.at(motion.at(time), before.map(|before| motion.at(before)), scale)
            }
        };
        geometry.prepare(Needs::all());
        geometry
    }
}

/// Two moving bodies of the kinds of an entry.
struct Pair {
    kinds: [GeometryKind; 2],
    a: Moving,
    b: Moving,
}

impl Pair {
    fn new(entry: &Entry, number: u64) -> Self {
        let mut random = Random::named(entry.name, number);
        // A tetrahedral mesh where a surface is taken, any shape where a convex one is.
        let mut kind = |kind: GeometryKind| match kind.name() {
            "surface_mesh" if random.one_in(4) => GeometryKind::TETRA_MESH,
            "convex" => [
                GeometryKind::SPHERE,
                GeometryKind::CAPSULE,
                GeometryKind::CYLINDER,
                GeometryKind::ORIENTED_BOX,
                GeometryKind::CONVEX,
                GeometryKind::CONVEX,
            ][random.below(6)]
            .clone(),
            _ => kind,
        };
        let kinds = [kind(entry.a.kind()), kind(entry.b.kind())];
        let [a, b] = kinds.clone().map(|kind| Moving::new(&kind, &mut random, 1.2));
        Self { kinds, a, b }
    }

    fn still(&self, registry: &Registry, time: f64) -> CollisionData {
        let [a, b] = [&self.a, &self.b].map(|moving| moving.at(None, time, 1.0));
        let mut out = CollisionData::new();
        let mut bound = registry.bind(&*a, &*b, Choice::default()).unwrap();
        bound.run(&*a, &*b, &Context::new(), &mut out).unwrap();
        out
    }

    fn moving(&self, registry: &Registry, entry: &Entry, scale: f64) -> (CollisionData, Flags) {
        let [a, b] = [&self.a, &self.b].map(|moving| moving.at(Some(0.0), 1.0, scale));
        run(registry, entry.name, [&*a, &*b], &Context::new())
    }

    fn name(&self) -> String {
        format!("{} and {}", self.kinds[0], self.kinds[1])
    }
}

fn run(
    registry: &Registry,
    name: &str,
    [a, b]: [&dyn Geometry; 2],
    context: &Context<'_>,
) -> (CollisionData, Flags) {
    let mut out = CollisionData::new();
    let status = registry.bind(a, b, Choice::named(name)).unwrap().run(a, b, context, &mut out).unwrap();
    (out, status.flags)
}

fn first(contacts: &[Contact]) -> f64 {
    contacts.iter().map(|contact| contact.time_of_impact).fold(f64::INFINITY, f64::min)
}

// Proves: REQ-CAUGHT, REQ-APART-BEFORE, REQ-BACK-AND-FORTH
#[test]
fn what_is_in_contact_at_the_end_alone_is_caught_and_nothing_is_before_the_first_impact() {
    let registry = Registry::standard();
    for entry in registry.continuous_detectors() {
        let (mut caught, mut through, mut wrong) = (0, 0, Vec::new());
        let cases = cases_for(entry);
        for number in 0..cases {
            let pair = Pair::new(entry, number);
            if !pair.still(&registry, 0.0).is_empty() {
                continue;
            }
            let (found, _) = pair.moving(&registry, entry, 1.0);
            let times = found.contacts.iter().map(|contact| contact.time_of_impact);
            assert!(times.clone().all(|time| (0.0..=1.0).contains(&time)), "{} {number}", entry.name);
            if !pair.still(&registry, 1.0).is_empty() {
                caught += 1;
                if found.is_empty() {
                    wrong.push(format!("{number} ({}) is missed", pair.name()));
                }
            } else if !found.is_empty() {
                through += 1;
                let back = Pair { kinds: pair.kinds.clone(), a: pair.a.reversed(), b: pair.b.reversed() };
                if back.moving(&registry, entry, 1.0).0.is_empty() {
                    wrong.push(format!("{number} ({}) is missed when reversed", pair.name()));
                }
            }
            let earliest = first(&found.contacts).min(1.0);
            for part in [0.5, 0.9, 0.999] {
                if !pair.still(&registry, earliest * part).is_empty() {
                    wrong.push(format!("{number} ({}) is in contact at {part} of {earliest}", pair.name()));
                }
            }
        }
        assert!(wrong.is_empty(), "{}: {wrong:#?}", entry.name);
        let enough = caught * CASES >= 20 * cases && through * CASES >= 5 * cases;
        assert!(enough, "{}: {caught} caught, {through} through", entry.name);
    }
}

// Proves: REQ-MIRROR
#[test]
fn contacts_are_mirrored_scaled_and_once() {
    let registry = Registry::standard();
    let pools = [1, 2, 4].map(|threads| Pool::new(threads).unwrap());
    for entry in registry.continuous_detectors() {
        let mut contacts = 0;
        let cases = cases_for(entry);
        for number in 0..cases / 4 {
            let pair = Pair::new(entry, number);
            let (found, flags) = pair.moving(&registry, entry, 1.0);
            contacts += found.len();
            let [a, b] = [&pair.a, &pair.b].map(|moving| moving.at(Some(0.0), 1.0, 1.0));
            let (mut exchanged, _) = run(&registry, entry.name, [&*b, &*a], &Context::new());
            let same_sides = entry.a == entry.b;
            exchanged.mirror();
            assert!(
                exchanged.same_bits(&found) || same_sides && a.content() == b.content(),
                "{} {number}: exchanged",
                entry.name
            );
            let mut ids: Vec<u64> = found.contacts.iter().map(|contact| contact.id).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), found.len(), "{} {number}: once", entry.name);
            for scale in [2.0_f64.powi(-30), 2.0_f64.powi(20)] {
                let (scaled, scaled_flags) = pair.moving(&registry, entry, scale);
                assert_eq!(scaled_flags, flags);
                assert_eq!(scaled.len(), found.len(), "{} {number}: {scale}", entry.name);
                for (one, other) in found.contacts.iter().zip(&scaled.contacts) {
                    assert_eq!(one.id, other.id);
                    assert_eq!(one.time_of_impact.to_bits(), other.time_of_impact.to_bits());
                    assert_eq!(one.direction, other.direction);
                    assert_eq!(one.depth * scale, other.depth);
                }
            }
            for pool in &pools {
                let context = Context::new().with_executor(pool);
                assert!(run(&registry, entry.name, [&*a, &*b], &context).0.same_bits(&found));
            }
        }
        let wanted = if entry.about.at_most == "one" { 30 } else { 100 };
        assert!(contacts as u64 * CASES >= wanted * cases, "{}: {contacts} contacts", entry.name);
    }
}

// Proves: REQ-NO-HEAP
#[test]
fn a_settled_step_allocates_nothing() {
    let registry = Registry::standard();
    for entry in registry.continuous_detectors() {
        let mut with_contacts = 0;
        for number in 0..40 {
            let pair = Pair::new(entry, number);
            let [a, b] = [&pair.a, &pair.b].map(|moving| moving.at(Some(0.0), 1.0, 1.0));
            let mut bound = registry.bind(&*a, &*b, Choice::named(entry.name)).unwrap();
            let mut out = CollisionData::new();
            let mut step = || {
                bound.run(&*a, &*b, &Context::new(), &mut out).unwrap();
            };
            step();
            step();
            let counted = allocation_counter::measure(step);
            assert_eq!(counted.count_total, 0, "{} {number}", entry.name);
            with_contacts += usize::from(!out.is_empty());
        }
        assert!(with_contacts > 4, "{}", entry.name);
    }
}

#[test]
fn static_detection_follows_for_what_has_no_impact() {
    let registry = Registry::standard();
    // Two threads: one pair of segments crosses in the step, another has been in contact all the time.
    let points = |x: f64| vec![Point::new(x, 0.0, -1.0), Point::new(x, 0.0, 1.0)];
    let still = LineMesh::new([points(0.0), points(5.0)].concat(), vec![[0, 1], [2, 3]]).unwrap();
    let mut still = still.with_radius(0.01).unwrap();
    let across = |x: f64, y: f64| vec![Point::new(x - 1.0, y, 0.0), Point::new(x + 1.0, y, 0.0)];
    let mut moving = LineMesh::new([across(0.0, -1.0), across(5.0, 0.01)].concat(), vec![[0, 1], [2, 3]])
        .unwrap()
        .with_radius(0.01)
        .unwrap();
    moving.set_previous(&[across(0.0, 1.0), across(5.0, 0.01)].concat()).unwrap();
    still.prepare(Needs::all());
    moving.prepare(Needs::all());
    let found = |choice| {
        let mut out = CollisionData::new();
        let mut bound = registry.bind(&still, &moving, choice).unwrap();
        bound.run(&still, &moving, &Context::new(), &mut out).unwrap();
        (bound.name().to_owned(), out.contacts)
    };
    let of = |detection| Choice { detection, ..Choice::default() };
    let (name, both) = found(of(Detection::ContinuousThenStatic));
    assert_eq!(name, "line_mesh_line_mesh_ccd+line_mesh_line_mesh");
    assert_eq!(both.len(), 2, "{both:#?}");
    let (_, again) = found(Choice::named(name.as_str()));
    assert!(both.iter().zip(&again).all(|(a, b)| a.same_bits(b)));
    assert_eq!(found(of(Detection::Static)).1.len(), 1, "the crossing is missed");
    assert_eq!(found(of(Detection::Continuous)).1.len(), 2, "in contact at the start is an impact at time 0");
}
