//! Random insertions into blocks of tetrahedra, beside brute force in exact integers ([`exact`]), and the ids of sliding
//! crossings beside those of many small steps.
//!
//! `PALPATE_INSERTIONS` sets the number of insertions; a million take about ten minutes in a release build.

mod cost;
mod cuts;
mod exact;
mod grasp;
mod recorded;
mod sliding;

use exact::Lattice;
use palpate_geometry::{Geometry, Needs, TetraMesh};
use palpate_math::Point;
use palpate_procedure::{Crossing, CrossingId, Passing, Shaft, ShaftTracker, Stay};
use palpate_tests::Random;
use palpate_tests::meshes::tetra_block;

/// Lattice points along the side of a cube of the block.
const CUBE: i64 = 8;

/// A shift of at most this many lattice points turns no tetrahedron of a cube inside out.
const GENTLE: i64 = 1;

fn insertions() -> usize {
    let asked =
        std::env::var("PALPATE_INSERTIONS").ok().map(|count| count.parse().expect("a number of insertions"));
    asked.unwrap_or(300)
}

/// A block of tetrahedra on the lattice.
struct Block {
    vertices: Vec<Lattice>,
    cells: Vec<[u32; 4]>,
    /// Metres of a lattice step.
    unit: f64,
}

impl Block {
    /// Of up to 27 cubes, with vertices shifted by up to `shift` lattice points, and some cells removed.
    fn new(random: &mut Random, shift: i64) -> Self {
        let n = [0; 3].map(|_| 1 + random.below(3) as u32);
        let (vertices, mut cells) = tetra_block(random, n, 0.0);
        let places =
            (0..=n[0]).flat_map(|i| (0..=n[1]).flat_map(move |j| (0..=n[2]).map(move |k| [i, j, k])));
        let mut moved = |x: u32| CUBE * i64::from(x) + random.below(2 * shift as usize + 1) as i64 - shift;
        let vertices: Vec<Lattice> = places.zip(vertices).map(|(place, _)| place.map(&mut moved)).collect();
        if random.one_in(3) {
            cells.retain(|_| !random.one_in(4));
        }
        let unit = [2f64.powi(-6), 2f64.powi(-16), 8.0][random.below(3)];
        Self { vertices, cells, unit }
    }

    fn point(&self, at: Lattice) -> Point {
        Point::from(at.map(|x| x as f64 * self.unit))
    }

    fn positions(&self) -> Vec<Point> {
        self.vertices.iter().map(|at| self.point(*at)).collect()
    }

    /// Shifts every vertex anew, gently.
    fn deform(&mut self, random: &mut Random) {
        let mut shift = || random.below(2 * GENTLE as usize + 1) as i64 - GENTLE;
        let mut moved = |x: i64| (x + CUBE / 2).div_euclid(CUBE) * CUBE + shift();
        self.vertices.iter_mut().for_each(|at| *at = at.map(&mut moved));
    }

    fn mesh(&self) -> TetraMesh {
        let mut mesh = TetraMesh::new(self.positions(), self.cells.clone()).expect("cells of its vertices");
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        mesh
    }

    fn corners<const N: usize>(&self, ids: &[u32; N]) -> [Lattice; N] {
        ids.map(|id| self.vertices[id as usize])
    }

    /// A point of the lattice in or near the block: any, or a vertex, the middle of an edge, a point beside a face.
    fn place(&self, random: &mut Random) -> Lattice {
        if self.cells.is_empty() || !random.one_in(4) {
            return [0; 3].map(|_| random.below(5 * CUBE as usize) as i64 - CUBE);
        }
        let [a, b, c, _] = self.corners(&random.pick(&self.cells));
        match random.below(3) {
            0 => a,
            1 => [0, 1, 2].map(|axis| (a[axis] + b[axis]) / 2),
            _ => [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3),
        }
    }

    /// A shaft from the tip; the rear end is outside.
    fn shaft(&self, random: &mut Random) -> Vec<Lattice> {
        let mut points: Vec<Lattice> = (0..1 + random.below(4)).map(|_| self.place(random)).collect();
        // Through two places of the block, and on.
        if random.one_in(3) {
            let [from, to] = [self.place(random), self.place(random)];
            points.push([0, 1, 2].map(|axis| 2 * from[axis] - to[axis]));
        }
        points.push([-100, random.below(40) as i64, random.below(40) as i64]);
        points.dedup();
        points
    }
}

fn shaft_of(block: &Block, points: &[Lattice]) -> Shaft {
    let points: Vec<Point> = points.iter().map(|at| block.point(*at)).collect();
    Shaft::new(&[&points]).expect("points of the lattice")
}

/// The stays, divided at the points of the shaft, as the oracle has them, without those of no length.
fn divided(stays: &[Stay]) -> Vec<exact::Part> {
    let mut parts = Vec::new();
    for Stay { cell, places: [front, rear], .. } in stays {
        for segment in front.segment..=rear.segment {
            let from = if segment == front.segment { front.weight } else { 0.0 };
            let to = if segment == rear.segment { rear.weight } else { 1.0 };
            parts.push(exact::Part { cell: *cell, segment: segment as usize, from, to });
        }
    }
    parts.retain(|part| part.to - part.from > 1e-9);
    parts
}

/// In any order: parts that begin at one place, to rounding, have none.
fn assert_same(mut found: Vec<exact::Part>, mut wanted: Vec<exact::Part>, what: &str) {
    let key = |part: &exact::Part| (part.segment, part.cell);
    found.sort_by_key(key);
    wanted.retain(|part| part.to - part.from > 1e-9);
    wanted.sort_by_key(key);
    assert_eq!(
        found.iter().map(key).collect::<Vec<_>>(),
        wanted.iter().map(key).collect::<Vec<_>>(),
        "{what}"
    );
    for (found, wanted) in found.iter().zip(&wanted) {
        let near = (found.from - wanted.from).abs() < 1e-9 && (found.to - wanted.to).abs() < 1e-9;
        assert!(near, "{what}: {found:?}, {wanted:?}");
    }
}

/// What the insertions hit.
#[derive(Debug, Default)]
struct Tally {
    crossed: usize,
    inside: usize,
    stays: usize,
    touching: usize,
    deformed: usize,
    kept: usize,
}

/// A shaft in a block as it is now, beside brute force; the tracker may know an earlier step.
fn check(
    (block, mesh, points): (&Block, &TetraMesh, &[Lattice]),
    tracker: &mut ShaftTracker,
    tally: &mut Tally,
    what: &str,
) {
    let cells: Vec<(u32, [Lattice; 4])> =
        (0..).zip(&block.cells).map(|(cell, ids)| (cell, block.corners(ids))).collect();
    let triangles: Vec<(u32, [Lattice; 3])> =
        (0..).zip(mesh.boundary_triangles()).map(|(at, ids)| (at, block.corners(ids))).collect();
    let shaft = shaft_of(block, points);
    let wanted = exact::crossings(points, &triangles);
    tracker.update(&shaft, mesh).expect("the shaft and the mesh are valid");
    let found = tracker.crossings();
    // Crossings at one place, to rounding, are in any order.
    let mut names: [Vec<(usize, u32, bool)>; 2] = [
        found.iter().map(|c| (c.place.segment as usize, c.triangle, c.passing == Passing::In)).collect(),
        wanted.iter().map(|c| (c.segment, c.triangle, c.inward)).collect(),
    ];
    names.iter_mut().for_each(|names| names.sort_unstable());
    assert_eq!(names[0], names[1], "{what}");
    for (found, wanted) in found.iter().zip(&wanted) {
        let at = f64::from(found.place.segment) + found.place.weight;
        let exactly = wanted.segment as f64 + wanted.weight;
        assert!((at - exactly).abs() < 1e-9, "{what}: {at}, {exactly}");
        tally.touching += usize::from(found.weights.iter().any(|weight| weight.abs() < 1e-12));
    }
    let senses = found.iter().map(|c| if c.passing == Passing::In { 1 } else { -1 });
    let tip_is_inside = cells.iter().any(|(_, corners)| exact::holds(corners, points[0]));
    assert_eq!(senses.sum::<i32>(), i32::from(tip_is_inside), "{what}: {found:?}");
    assert_same(divided(tracker.path()), exact::parts(points, &cells), what);
    for two in tracker.path().windows(2) {
        assert!(two[0].places[0].arc <= two[1].places[0].arc, "{what}: in order");
    }
    for stay in tracker.path() {
        let corners = mesh.corners(stay.cell);
        for (place, weights) in stay.places.iter().zip(&stay.weights) {
            let at: palpate_math::Vector =
                corners.iter().zip(weights).map(|(corner, weight)| corner.coords * *weight).sum();
            let off = (at - shaft.point(place).coords).norm();
            assert!(off < 1e-9 * 100.0 * block.unit, "{what}: {off}");
        }
    }
    let mut other = ShaftTracker::new(0.0).with_turned_cells();
    other.update(&shaft, mesh).expect("the shaft and the mesh are valid");
    assert_same(divided(other.path()), divided(tracker.path()), what);
    tally.crossed += found.len();
    tally.inside += usize::from(tip_is_inside);
    tally.stays += tracker.path().len();
}

/// One in two insertions goes on for a step or two, in which the tissue deforms and the shaft moves or is another one.
// Proves: REQ-CROSSINGS
#[test]
fn no_crossing_is_lost_or_doubled_and_the_path_has_no_gap() {
    let mut tally = Tally::default();
    for number in 0..insertions() {
        let mut random = Random::named("insertion", number as u64);
        let mut block = Block::new(&mut random, GENTLE);
        let mut mesh = block.mesh();
        let mut points = block.shaft(&mut random);
        let mut tracker = ShaftTracker::new(0.0);
        check((&block, &mesh, &points), &mut tracker, &mut tally, &format!("insertion {number}"));
        for step in 0..random.below(4).saturating_sub(1) {
            let before: Vec<(CrossingId, Passing)> =
                tracker.crossings().iter().map(|crossing| (crossing.id, crossing.passing)).collect();
            block.deform(&mut random);
            mesh.set_positions(&block.positions()).unwrap();
            mesh.prepare(Needs::TREE | Needs::BOUNDARY);
            if random.one_in(4) {
                points = block.shaft(&mut random);
            } else {
                let shift = [0; 3].map(|_| random.below(3) as i64 - 1);
                points.iter_mut().for_each(|at| *at = [0, 1, 2].map(|axis| at[axis] + shift[axis]));
            }
            let what = format!("insertion {number}, step {step}");
            check((&block, &mesh, &points), &mut tracker, &mut tally, &what);
            // An id names one crossing, which passes the same way as before.
            for (at, crossing) in tracker.crossings().iter().enumerate() {
                let same = |other: &Crossing| other.id == crossing.id;
                assert!(!tracker.crossings()[..at].iter().any(same), "{what}: {:?}", crossing.id);
                let known = before.iter().find(|(id, _)| *id == crossing.id);
                assert!(
                    known.is_none_or(|(_, passing)| *passing == crossing.passing),
                    "{what}: {crossing:?}"
                );
                tally.kept += usize::from(known.is_some());
            }
            tally.deformed += 1;
        }
    }
    let (count, Tally { crossed, inside, stays, touching, deformed, kept }) = (insertions(), &tally);
    assert!(
        *crossed > count && *inside > count / 8 && *stays > 2 * count && *touching > count / 20,
        "{tally:?}"
    );
    assert!(*deformed > count / 2 && *kept > count / 4, "{tally:?}");
}

/// Vertices shifted so far that tetrahedra overlap and are turned inside out.
#[test]
fn turned_cells_are_all_listed() {
    let mut turned = 0;
    for number in 0..insertions() {
        let mut random = Random::named("turned", number as u64);
        let block = Block::new(&mut random, CUBE);
        let mesh = block.mesh();
        let cells: Vec<(u32, [Lattice; 4])> =
            (0..).zip(&block.cells).map(|(cell, ids)| (cell, block.corners(ids))).collect();
        let points = block.shaft(&mut random);
        let mut tracker = ShaftTracker::new(0.0).with_turned_cells();
        tracker.update(&shaft_of(&block, &points), &mesh).unwrap();
        let parts = exact::parts(&points, &cells);
        turned += usize::from(!mesh.inverted_cells().is_empty() && !parts.is_empty());
        assert_same(divided(tracker.path()), parts, &format!("case {number}"));
    }
    assert!(turned > insertions() / 10, "{turned}");
}
