//! Ids of crossings that slide: one step gives the ids that many small steps give, in which nothing moves far.

use palpate_geometry::{Geometry, Needs, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_procedure::{CrossingId, Event, Passing, Shaft, ShaftTracker};
use palpate_tests::Random;
use palpate_tests::meshes::tetra_block;

/// Steps of which each is divided.
const STEPS: usize = 40;
const SUBSTEPS: usize = 64;

/// The surface of a block of cubes, prepared; bent by `bend`.
fn organ(surface: &SurfaceMesh, bend: f64) -> SurfaceMesh {
    let mut bent = surface.clone();
    let place = |p: &Point| Point::new(p.x, p.y + bend * (p.x * p.x + p.z), p.z + 0.5 * bend * p.y);
    let positions: Vec<Point> = surface.points().positions().iter().map(place).collect();
    bent.set_positions(&positions).expect("as many positions");
    bent.prepare(Needs::TREE | Needs::NORMALS);
    bent
}

/// A curved needle and its thread, at a time of its way through the block.
fn shaft(start: Vector, drift: Vector, time: f64) -> Shaft {
    let at = |s: f64| {
        let forward = 4.0 * time - s;
        Point::new(0.3 * (0.8 * forward).sin(), forward - 1.6, 0.2 * (1.1 * forward).cos())
            + start
            + drift * time
    };
    let needle: Vec<Point> = (0..=12).map(|k| at(0.1 * f64::from(k))).collect();
    let thread: Vec<Point> = (12..=60).map(|k| at(0.1 * f64::from(k))).collect();
    Shaft::new(&[&needle, &thread]).expect("two sections of points")
}

fn ids(tracker: &ShaftTracker) -> Vec<(CrossingId, Passing)> {
    tracker.crossings().iter().map(|crossing| (crossing.id, crossing.passing)).collect()
}

#[test]
fn crossings_keep_their_ids() {
    let (mut kept, mut passed, mut slid, mut differ) = (0, 0, 0, 0);
    for number in 0..12 {
        let mut random = Random::named("sliding", number as u64);
        let (vertices, cells) = tetra_block(&mut random, [8, 8, 8], 0.1);
        let mesh = palpate_geometry::TetraMesh::new(vertices.clone(), cells).unwrap();
        let surface = SurfaceMesh::new(vertices, mesh.boundary_triangles().to_vec()).unwrap();
        let (start, drift) = (random.vector() * 0.3, random.vector() * 0.4);
        let bend = random.between(-0.2, 0.2);
        let at = |time: f64| (shaft(start, drift, time), organ(&surface, bend * (6.0 * time).sin()));
        let [mut coarse, mut fine] = [0, 1].map(|_| ShaftTracker::new(0.05));
        let mut pairs: Vec<(CrossingId, CrossingId)> = Vec::new();
        for step in 0..STEPS {
            for part in 1..=SUBSTEPS {
                let time = (step * SUBSTEPS + part) as f64 / (STEPS * SUBSTEPS) as f64;
                let (needle, organ) = at(time);
                fine.update(&needle, &organ).unwrap();
                let is_event = |event: &&Event| matches!(event, Event::Passed { sections: [0, 1], .. });
                passed += fine.events().iter().filter(is_event).count();
                slid += fine.events().iter().filter(|event| matches!(event, Event::Slid { .. })).count();
                if part == SUBSTEPS {
                    coarse.update(&needle, &organ).unwrap();
                }
            }
            let [few, many] = [ids(&coarse), ids(&fine)];
            assert_eq!(few.len(), many.len());
            for ((few, _), (many, _)) in few.into_iter().zip(many) {
                let known = pairs.iter().find(|(one, other)| *one == few || *other == many);
                match known {
                    Some(known) if *known == (few, many) => kept += 1,
                    Some(_) => differ += 1,
                    None => pairs.push((few, many)),
                }
            }
        }
    }
    assert_eq!(differ, 0, "of {kept}");
    assert!(kept > 400 && passed > 12 && slid > 40, "{kept} {passed} {slid}");
}
