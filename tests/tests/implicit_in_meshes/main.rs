//! Implicit bodies in several parts, and thin ones, against closed surfaces and tetrahedral meshes: every part in
//! the mesh is found, no contact is deeper than the shortest separation, and small motions change depths by no more
//! than the displacement.
//!
//! `PALPATE_IMPLICIT_CASES` sets the number of cases; default 240.

mod bodies;
mod brute;

use bodies::{Body, Part};
use brute::Mesh;
use nalgebra::Translation3;
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Choice, Context, Flags, Registry};
use palpate_geometry::implicit::ImplicitBody;
use palpate_geometry::{Geometry, Pose};
use palpate_math::{Point, Vector};
use palpate_tests::{Random, meshes};

/// Error of depths and points left by searches and rounding, relative to the size of a case.
const ROUNDING: f64 = 2e-9;

/// Directions along which the separation is measured.
const DIRECTIONS: usize = 200;

/// Displacements of a body for the test of steadiness, relative to the size.
const STEPS: [f64; 3] = [1e-5, 1e-3, 3e-2];

/// Relative position of a body and a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Regime {
    Inside,
    Crossing,
    Around,
    Anywhere,
}

struct Case {
    body: Body,
    mesh: Mesh,
    size: f64,
}

fn draw(number: usize) -> (Case, Regime) {
    let mut random = Random::named("implicit in meshes", number as u64);
    let regime = [Regime::Inside, Regime::Crossing, Regime::Around, Regime::Anywhere][number % 4];
    let mesh = match random.below(5) {
        0 => {
            let half =
                Point::new(random.between(0.5, 1.0), random.between(0.5, 1.0), random.between(0.5, 1.0));
            Mesh::surface(meshes::box_surface(-half, half))
        }
        1 => Mesh::surface(meshes::bumpy(&mut random, 2, 0.05)),
        2 => {
            // Two boxes: a mesh in parts.
            let (mut corners, mut cells) =
                meshes::box_surface(Point::new(-1.0, -0.7, -0.7), Point::new(-0.1, 0.7, 0.7));
            let (others, more) = meshes::box_surface(Point::new(0.1, -0.6, -0.6), Point::new(1.0, 0.6, 0.6));
            cells.extend(more.iter().map(|ids| ids.map(|id| id + corners.len() as u32)));
            corners.extend(others);
            Mesh::surface((corners, cells))
        }
        _ => Mesh::cells(meshes::tetra_block(&mut random, [2, 2, 2], 0.2)),
    };
    let pose = random.pose(0.5);
    let mesh = mesh.moved(&pose);
    let (parts, reach) = match regime {
        Regime::Inside => (1 + random.below(3), 0.35),
        Regime::Crossing => (1 + random.below(3), 0.9),
        Regime::Around => (1, 3.0),
        Regime::Anywhere => (2 + random.below(2), 1.6),
    };
    let parts = (0..parts).map(|_| Part::random(&mut random, reach, regime == Regime::Around)).collect();
    let pose = Pose::from_parts(pose.translation, random.rotation());
    let body = Body { parts, pose };
    let size = mesh.reach().max(body.reach());
    (Case { body, mesh, size }, regime)
}

impl Case {
    fn contacts(&self, body: &ImplicitBody, mesh: &dyn Geometry) -> (Vec<Contact>, Flags) {
        let mut bound = Registry::standard().bind(body, mesh, Choice::default()).expect("it binds");
        let mut out = CollisionData::new();
        let status = bound.run(body, mesh, &Context::new(), &mut out).expect("it runs");
        if bound.order() == palpate_detect::Order::Swapped {
            out.mirror();
        }
        (out.contacts, status.flags)
    }

    fn judge(&self, seed: u64) -> Result<Judged, String> {
        let mesh = self.mesh.build();
        let body = self.body.build();
        let (contacts, flags) = self.contacts(&body, mesh.as_ref());
        if flags.contains(Flags::BUDGET_EXHAUSTED) {
            return Ok(Judged { flagged: true, ..Judged::default() });
        }
        let verge = ROUNDING * self.size;
        let deepest = contacts.iter().map(|contact| contact.depth).fold(f64::NEG_INFINITY, f64::max);
        self.records(&contacts)?;
        let seen = self.seen(&contacts)?;
        let exit = self.least_exit(seed);
        if deepest > exit + verge {
            return Err(format!("depth {deepest} of a least exit of {exit}"));
        }
        self.steady(deepest.max(0.0), mesh.as_ref(), seed)?;
        let limited = flags.contains(Flags::ITERATION_LIMIT);
        Ok(Judged { seen, in_contact: !contacts.is_empty(), limited, ..Judged::default() })
    }

    /// Each point is on its own body, or on the mesh; and the depth connects them.
    fn records(&self, contacts: &[Contact]) -> Result<(), String> {
        let verge = ROUNDING * self.size;
        for contact in contacts {
            let (a, b) = (Point::from(contact.a.point), Point::from(contact.b.point));
            let joined = (a + Vector::from(contact.direction) * contact.depth - b).norm() <= verge;
            let bounded = contact.depth_upper >= contact.depth;
            // The value of a union is not a distance inside: there the point may be in another part.
            if !joined || !bounded || self.body.value(&a) > verge || self.mesh.distance(&b) > verge {
                return Err(format!("a point is not in place: {contact:?}"));
            }
        }
        let mut ids: Vec<u64> = contacts.iter().map(|contact| contact.id).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.len() == contacts.len() { Ok(()) } else { Err("an id twice".to_owned()) }
    }

    /// No sampled point of a part is deeper in the mesh than a contact in that part; returns the number of parts
    /// inside.
    fn seen(&self, contacts: &[Contact]) -> Result<usize, String> {
        let verge = ROUNDING * self.size;
        let mut seen = 0;
        for part in &self.body.parts {
            let depths = part.places().into_iter().map(|place| -self.mesh.signed(&(self.body.pose * place)));
            let deepest = depths.fold(f64::NEG_INFINITY, f64::max);
            let of_part = |contact: &&Contact| {
                let a = self.body.pose.inverse_transform_point(&Point::from(contact.a.point));
                part.value(&a) <= 1e-6 * self.size
            };
            let own = contacts.iter().filter(of_part);
            let found = own.map(|contact| contact.depth_upper).fold(f64::NEG_INFINITY, f64::max);
            if deepest >= 0.0 {
                seen += 1;
            }
            if deepest >= 0.0 && found < deepest - verge {
                return Err(format!("{part:?} is {deepest} deep, but the deepest contact {found}"));
            }
        }
        Ok(seen)
    }

    fn least_exit(&self, seed: u64) -> f64 {
        let mut random = Random::new(seed);
        let axes = (0..6).map(|k| Vector::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 }));
        let faces = self.mesh.normals().into_iter();
        let directions: Vec<Vector> =
            axes.chain(faces).chain((0..DIRECTIONS).map(|_| random.direction())).collect();
        let overlap = |u: &Vector| self.mesh.farthest(u) + self.body.farthest(&-u);
        directions.iter().map(overlap).fold(f64::INFINITY, f64::min)
    }

    fn steady(&self, depth: f64, mesh: &dyn Geometry, seed: u64) -> Result<(), String> {
        let mut random = Random::new(seed ^ 1);
        for step in STEPS {
            let way = random.direction() * (step * self.size);
            let mut body = self.body.clone();
            body.pose = Translation3::from(way) * body.pose;
            let (contacts, _) = self.contacts(&body.build(), mesh);
            let moved = contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max);
            if (moved - depth).abs() > way.norm() + ROUNDING * self.size {
                return Err(format!("moved by {}, the depth goes from {depth} to {moved}", way.norm()));
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Judged {
    seen: usize,
    in_contact: bool,
    limited: bool,
    flagged: bool,
}

#[test]
fn every_part_in_a_mesh_is_seen_no_deeper_than_the_least_exit_and_steady() {
    let asked = std::env::var("PALPATE_IMPLICIT_CASES").ok().and_then(|text| text.parse().ok());
    let count: usize = asked.unwrap_or(240);
    let (mut failures, mut limited, mut flagged) = (Vec::new(), 0, 0);
    let mut hits = std::collections::HashMap::<Regime, [usize; 3]>::new();
    for number in 0..count {
        let (case, regime) = draw(number);
        match case.judge(number as u64) {
            Ok(judged) => {
                let tally = hits.entry(regime).or_default();
                tally[0] += 1;
                tally[1] += usize::from(judged.in_contact);
                tally[2] += judged.seen;
                limited += usize::from(judged.limited);
                flagged += usize::from(judged.flagged);
            }
            Err(reason) => failures.push(format!("case {number}, {regime:?}: {reason}")),
        }
    }
    println!("{hits:?}, {limited} met a limit, {flagged} a budget, {} wrong", failures.len());
    assert!(
        failures.is_empty(),
        "{} of {count}:\n{}",
        failures.len(),
        failures[..failures.len().min(12)].join("\n")
    );
    for (regime, [cases, in_contact, seen]) in hits {
        let enough = match regime {
            Regime::Inside => in_contact == cases && seen >= cases,
            Regime::Crossing | Regime::Around => 2 * in_contact >= cases,
            Regime::Anywhere => 3 * in_contact >= cases,
        };
        assert!(enough, "{regime:?}: {in_contact} of {cases} in contact, {seen} parts");
    }
    assert!(12 * limited <= count && flagged == 0, "{limited} met a limit, {flagged} a budget");
}
