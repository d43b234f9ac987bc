//! A guidewire in a vessel that branches: driven, kicked and pulled back, it never leaves the lumen.
//!
//! `PALPATE_GUIDEWIRE_STEPS` sets the number of steps.

use crate::steps;
use palpate::prelude::*;
use palpate::procedure::{Centreline, LumenLimits, Shaft, ShaftTracker, lumen_contacts};
use palpate::response::guard::{Guard, Moves, Start};
use palpate::response::pbd::Distance;
use palpate_tests::{Random, meshes};
use std::collections::BTreeMap;

/// Of the vessel and of the wire, metres.
const WIDE: f64 = 2.5e-3;
const RADIUS: f64 = 0.4e-3;

/// Between particles of the wire, metres.
const SPACING: f64 = 0.7e-3;

/// The branches, from the heart on.
fn branches() -> [[Point; 2]; 3] {
    let at = |x: f64, y: f64| Point::new(x, y, 0.0) * 1e-3;
    [[at(0.0, -12.0), at(0.0, 0.0)], [at(0.0, 0.0), at(-8.0, 11.0)], [at(0.0, 0.0), at(8.0, 11.0)]]
}

fn distance(point: &Point, [from, to]: &[Point; 2]) -> f64 {
    let t = (point - from).dot(&(to - from)) / (to - from).norm_squared();
    (point - (from + (to - from) * t.clamp(0.0, 1.0))).norm()
}

/// The surface at a distance from the branches, by marching tetrahedra (A. Doi, A. Koide 1991): closed, wound outward.
fn vessel() -> SurfaceMesh {
    let (vertices, cells) = meshes::tetra_block(&mut Random::new(12), [26, 32, 8], 0.1);
    let vertices: Vec<Point> = vertices.iter().map(|vertex| vertex * 16e-3).collect();
    let depth =
        |at: &Point| branches().iter().map(|branch| WIDE - distance(at, branch)).fold(-WIDE, f64::max);
    let depths: Vec<f64> = vertices.iter().map(depth).collect();
    let (mut places, mut points, mut triangles) = (BTreeMap::new(), Vec::new(), Vec::new());
    for cell in &cells {
        let (inner, outer): (Vec<u32>, Vec<u32>) = cell.iter().partition(|&&id| depths[id as usize] > 0.0);
        let mut on = |from: u32, to: u32| {
            *places.entry([from, to]).or_insert_with(|| {
                let [p, q] = [from, to].map(|id| vertices[id as usize]);
                let [d, e] = [from, to].map(|id| depths[id as usize]);
                points.push(p + (q - p) * (d / (d - e)).clamp(0.01, 0.99));
                points.len() as u32 - 1
            })
        };
        let found: Vec<[u32; 3]> = match (&inner[..], &outer[..]) {
            (&[a], &[x, y, z]) => vec![[on(a, x), on(a, y), on(a, z)]],
            (&[a, b, c], &[x]) => vec![[on(a, x), on(b, x), on(c, x)]],
            (&[a, b], &[x, y]) => {
                let corners = [on(a, x), on(a, y), on(b, y), on(b, x)];
                vec![[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
            }
            _ => continue,
        };
        for [a, b, c] in found {
            let [p, q, r] = [a, b, c].map(|id| points[id as usize]);
            let outward = vertices[outer[0] as usize] - vertices[inner[0] as usize];
            let is_turned = (q - p).cross(&(r - p)).dot(&outward) < 0.0;
            triangles.push(if is_turned { [a, c, b] } else { [a, b, c] });
        }
    }
    let mut surface = SurfaceMesh::new(points, triangles).unwrap();
    surface.prepare(Needs::TREE | Needs::NORMALS);
    surface
}

/// Pulls the wire along its ends and keeps its lengths.
fn drive(particles: &mut [Point], random: &mut Random, step: usize, lengths: &mut [Distance]) {
    let last = particles.len() - 1;
    let forward = if step % 1500 < 1100 { 0.3e-3 } else { -0.8e-3 };
    let before = particles.to_vec();
    for k in 0..=last {
        let along = (before[k.saturating_sub(1)] - before[(k + 1).min(last)]).normalize();
        particles[k] += along * forward + random.vector() * 0.1e-3;
    }
    // The tip is bent, to one side and then to the other.
    let side = if (step / 1500).is_multiple_of(2) { 1.0 } else { -1.0 };
    particles[0] += Vector::new(0.5e-3 * side, 0.0, 0.0);
    // Kicks far through the wall.
    if random.one_in(4) {
        let at = random.below(last + 1);
        particles[at] += random.vector() * 8e-3;
    }
    let masses = vec![1.0; particles.len()];
    for _ in 0..10 {
        lengths.iter_mut().for_each(|length| length.project(particles, &masses, 1.0));
    }
}

#[test]
fn a_guidewire_never_leaves_the_vessel() {
    let steps = steps("PALPATE_GUIDEWIRE_STEPS", 200);
    let vessel = vessel();
    assert!(vessel.is_closed() && vessel.triangles().len() > 2000);
    let lines = branches();
    let line = Centreline::new(&lines.each_ref().map(|branch| &branch[..])).unwrap();
    let mut particles: Vec<Point> =
        (0..16).map(|k| Point::new(0.0, -1.2e-3 - SPACING * f64::from(k), 0.0)).collect();
    let segments: Vec<[usize; 2]> = (1..particles.len()).map(|k| [k - 1, k]).collect();
    let mut lengths: Vec<Distance> =
        segments.iter().map(|ids| Distance::new(*ids, &particles, 0.0)).collect();
    let mut guard = Guard::new();
    let wire = LineMesh::polyline(particles.clone()).unwrap().with_radius(RADIUS).unwrap();
    let wire = guard.add(&wire, Moves::Particles(0)).unwrap();
    let wall = guard.add(&vessel, Moves::Fixed).unwrap();
    guard.add_pair(wire, wall, -0.5 * RADIUS).unwrap();
    let limits = LumenLimits { radius: RADIUS, margin: 0.1e-3, reach: 2e-3 };
    let (mut random, mut contacts, mut shaft) =
        (Random::new(4), Vec::new(), Shaft::new(&[&particles]).unwrap());
    let mut tracker = ShaftTracker::new(0.0);
    let (mut touching, mut held, mut beyond, mut in_branch) = (0, 0, 0, [0; 3]);
    for step in 0..steps {
        let start = particles.clone();
        drive(&mut particles, &mut random, step, &mut lengths);
        shaft.set(&[&particles]).unwrap();
        lumen_contacts(&shaft, &vessel, &line, &limits, &mut contacts).unwrap();
        for contact in contacts.iter().filter(|contact| contact.depth > 0.0) {
            let front = contact.place.segment as usize;
            for (at, weight) in [(front, 1.0 - contact.place.weight), (front + 1, contact.place.weight)] {
                particles[at] += contact.direction * (contact.depth * weight);
            }
            beyond += usize::from(contact.depth > RADIUS);
        }
        let report = guard.hold(Start { particles: &start, poses: &[] }, &mut particles, &mut []).unwrap();
        held += usize::from(!report.is_empty());
        touching += contacts.len();
        shaft.set(&[&particles]).unwrap();
        tracker.update(&shaft, &vessel).unwrap();
        assert!(tracker.crossings().is_empty(), "step {step}: {:?}", tracker.crossings());
        let (tip, _) = vessel.signed_distance(&particles[0], f64::INFINITY).unwrap();
        assert!(tip.distance < 0.0, "step {step}: the tip is {} m outside", tip.distance);
        // The centreline's branch is that nearest to the tip.
        let place = line.nearest(&particles[0]).unwrap();
        let least = lines.iter().map(|branch| distance(&particles[0], branch)).fold(f64::INFINITY, f64::min);
        let own = (line.point(&place).unwrap() - particles[0]).norm();
        assert!((own - least).abs() < 1e-12, "step {step}");
        in_branch[place.branch] += 1;
    }
    println!(
        "{steps} steps: {touching} contacts, {beyond} beyond the wall, held in {held}, tip in {in_branch:?}"
    );
    assert!(touching > steps && held > steps / 10 && beyond > steps / 10);
    assert!(steps < 5000 || in_branch.iter().all(|&count| count > steps / 50), "{in_branch:?}");
}
