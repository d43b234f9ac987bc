//! Bodies on a common grid, as scenes are built by hand: their faces and edges are parallel and their corners level to rounding.
//! A motion of either by a little changes the deepest depth by no more, whatever rounding decides.

use nalgebra::{Translation3, UnitQuaternion};
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use palpate_tests::selection::on_all_cores;
use palpate_tests::{Random, Shape, meshes};

/// Cases of each pair of kinds.
const CASES: u64 = 1_000;

/// Distances up to this are reported.
const MARGIN: f64 = 0.25;

/// The part of a depth that may be lost where one rule takes the place of another, in metres; bodies are 0.25 to 2 large.
const BETWEEN_RULES: f64 = 1e-4;

/// How far one body is turned off the grid.
const TILTS: [f64; 8] = [0.0, 0.0, 1e-17, 1e-16, 1e-15, 1e-13, 1e-11, 1e-7];

/// One box of so many may stand on a vertex beside a corner of the overlap, where rounding decides which is the deepest.
const MOST_WITHOUT_A_CORNER: usize = 1_000;

const KINDS: [&str; 11] = [
    "sphere",
    "capsule",
    "cylinder",
    "cone",
    "box",
    "ellipsoid",
    "hull",
    "points",
    "thread",
    "surface",
    "tetrahedra",
];

fn length(random: &mut Random) -> f64 {
    random.pick(&[0.125, 0.25, 0.375, 0.5, 0.75])
}

/// The corners of a box, of a prism of six sides, or of a wedge.
fn corners(half: &Vector, random: &mut Random) -> Vec<Point> {
    let outline: &[[f64; 2]] = match random.below(3) {
        0 => &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]],
        1 => &[[1.0, 0.0], [0.5, 1.0], [-0.5, 1.0], [-1.0, 0.0], [-0.5, -1.0], [0.5, -1.0]],
        _ => &[[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]],
    };
    let level =
        |z: f64| outline.iter().map(move |[x, y]| Point::from(half.component_mul(&Vector::new(*x, *y, z))));
    level(-1.0).chain(level(1.0)).collect()
}

/// A body about the origin along the axes.
fn body(kind: &str, random: &mut Random) -> Shape {
    let pose = Pose::identity();
    let (radius, long) = (length(random), 2.0 * length(random));
    let half = Vector::new(length(random), length(random), length(random));
    let steps = || [-1.0, -0.5, 0.0, 0.5, 1.0].into_iter();
    match kind {
        "sphere" => Shape::Sphere { center: Point::origin(), radius },
        "capsule" => Shape::Capsule { pose, radius, length: long },
        "cylinder" => Shape::Cylinder { pose, radius, length: long },
        "cone" => Shape::Cone { pose, radius, length: long },
        "box" => Shape::OrientedBox { pose, half_extents: half },
        "ellipsoid" => Shape::Ellipsoid { pose, radii: half },
        "hull" => Shape::Convex { pose, corners: corners(&half, random), margin: 0.0 },
        "points" => {
            let places = steps().flat_map(|x| steps().map(move |z| Vector::new(x, 0.0, z)));
            let vertices = places.map(|place| Point::from(place.component_mul(&half))).collect();
            Shape::PointSet { vertices, radius: 0.0625 }
        }
        "thread" => {
            let vertices = steps().map(|y| Point::new(0.0, y * half.y, 0.0)).collect();
            Shape::LineMesh { vertices, cells: (0..4).map(|k| [k, k + 1]).collect(), radius: 0.03125 }
        }
        "surface" => {
            let (vertices, cells) = meshes::box_surface(Point::from(-half), Point::from(half));
            let (vertices, cells) = divided(vertices, cells, random.below(3));
            Shape::SurfaceMesh { vertices, cells, radius: 0.0 }
        }
        _ => {
            let count = [1, 1, random.pick(&[1, 2])];
            let (vertices, cells) = meshes::tetra_block(random, count, 0.0);
            Shape::TetraMesh { vertices, cells }
        }
    }
}

/// A mesh with its triangles divided in four, several times.
fn divided(vertices: Vec<Point>, mut cells: Vec<[u32; 3]>, times: usize) -> meshes::Triangles {
    let mut places: Vec<Vector> = vertices.iter().map(|vertex| vertex.coords).collect();
    for _ in 0..times {
        cells = meshes::divided(&mut places, &cells, |a, b| (a + b) * 0.5);
    }
    (places.into_iter().map(Point::from).collect(), cells)
}

/// Puts a body on the grid, turned by right angles and tilted slightly.
fn on_grid(shape: &Shape, random: &mut Random) -> Shape {
    let tilt = UnitQuaternion::from_scaled_axis(random.direction() * random.pick(&TILTS));
    let place = random.lattice_point(8, 0.0625).coords;
    shape.moved(&Pose::from_parts(Translation3::from(place), random.exact_rotation() * tilt))
}

fn contacts(registry: &Registry, a: &Shape, b: &Shape, margin: f64) -> Vec<Contact> {
    let [a, b] = [a.prepared(), b.prepared()];
    let mut bound =
        registry.bind(a.as_ref(), b.as_ref(), Choice::default()).expect("all kinds have detectors");
    let mut out = CollisionData::new();
    bound.run(a.as_ref(), b.as_ref(), &Context::new().with_margin(margin), &mut out).expect("it runs");
    out.contacts
}

fn deepest(registry: &Registry, a: &Shape, b: &Shape) -> f64 {
    contacts(registry, a, b, MARGIN).iter().map(|contact| contact.depth).fold(-MARGIN, f64::max)
}

/// The number of failures, and the first of them.
fn told(failures: &[String]) -> String {
    format!("{} failures\n{}", failures.len(), failures[..failures.len().min(4)].join("\n"))
}

/// Moves the second body by as little as the rounding of its place and more. Returns what failed, and the number that overlap.
fn moved_a_little(registry: &Registry, [first, second]: [&str; 2]) -> (Vec<String>, u64) {
    let mut random = Random::named(&format!("{first} {second}"), 1);
    let (mut failures, mut overlapping) = (Vec::new(), 0);
    for case in 0..CASES {
        let [a, b] = [first, second].map(|kind| on_grid(&body(kind, &mut random), &mut random));
        // Half of all grids are along the axes.
        let grid = if case % 2 == 0 { Pose::identity() } else { random.pose(1.0) };
        let [a, b] = [a.moved(&grid), b.moved(&grid)];
        let by = 10.0_f64.powf(random.between(-12.0, -5.0));
        let moved = b.shifted(&(random.direction() * by));
        let depths = [&b, &moved].map(|b| deepest(registry, &a, b));
        overlapping += u64::from(depths[0] > 0.0);
        if (depths[0] - depths[1]).abs() > by + BETWEEN_RULES {
            failures.push(format!(
                "{first} and {second}, case {case}: moved by {by:e}, {depths:?}\n{a:?}\n{b:?}"
            ));
        }
    }
    (failures, overlapping)
}

// Proves: REQ-SOLID-STEADY
#[test]
fn what_rounding_decides_changes_no_depth() {
    let registry = Registry::standard();
    let pairs: Vec<_> = KINDS
        .iter()
        .enumerate()
        .flat_map(|(index, first)| KINDS[index..].iter().map(|second| [*first, *second]))
        .collect();
    assert_eq!(pairs.len(), 66);
    let (mut failures, mut overlapping) = (Vec::new(), 0);
    for (failed, count) in on_all_cores(&pairs, |pair| moved_a_little(&registry, *pair)) {
        failures.extend(failed);
        overlapping += count;
    }
    assert!(overlapping > 30_000, "{overlapping}");
    assert!(failures.is_empty(), "{}", told(&failures));
}

/// Depths of the box in the block.
const OVERLAPS: [f64; 3] = [1e-3, 1e-4, 1e-6];

/// A box as a body, a hull, a surface or a division into tetrahedra.
fn block(kind: &str, half: &Vector, random: &mut Random) -> Shape {
    let pose = Pose::identity();
    let (vertices, cells) = meshes::box_surface(Point::from(-half), Point::from(*half));
    match kind {
        "box" => Shape::OrientedBox { pose, half_extents: *half },
        "hull" => Shape::Convex { pose, corners: vertices, margin: 0.0 },
        "surface" => {
            let (vertices, cells) = divided(vertices, cells, random.below(3));
            Shape::SurfaceMesh { vertices, cells, radius: 0.0 }
        }
        _ => {
            let (vertices, cells) = meshes::tetra_block(random, [1; 3], 0.0);
            let low = vertices.iter().fold(Vector::repeat(f64::MAX), |low, vertex| low.inf(&vertex.coords));
            let to = |vertex: &Point| Point::from(half.component_mul(&vertex.coords.component_div(&-low)));
            Shape::TetraMesh { vertices: vertices.iter().map(to).collect(), cells }
        }
    }
}

/// A box on a block that it overlaps by `depth`, or is apart from if that is negative, in the frame of a grid.
struct Stack {
    a: Shape,
    b: Shape,
    grid: Pose,
    depth: f64,
    /// The rectangle in which they overlap.
    low: [f64; 2],
    high: [f64; 2],
}

impl Stack {
    /// The box lies `beside` the grid, by this much along each axis; `None` if the two hardly overlap.
    fn of(
        [below, on_top]: [&str; 2],
        beside: [f64; 2],
        depths: &[f64],
        is_turned: bool,
        random: &mut Random,
    ) -> Option<Self> {
        let halves = [0; 2].map(|_| Vector::from_fn(|_, _| length(random)));
        let place = random.lattice_point(8, 0.0625);
        let [x, y] = [place.x + beside[0], place.y + beside[1]];
        let low = [x - halves[1].x, y - halves[1].y];
        let low = [low[0].max(-halves[0].x), low[1].max(-halves[0].y)];
        let high = [(x + halves[1].x).min(halves[0].x), (y + halves[1].y).min(halves[0].y)];
        if (0..2).any(|axis| high[axis] - low[axis] < 0.0625) {
            return None;
        }
        let depth = random.pick(depths);
        let tilt = UnitQuaternion::from_scaled_axis(random.direction() * random.pick(&TILTS[..5]));
        let place = Translation3::new(x, y, halves[0].z + halves[1].z - depth);
        let grid = if is_turned { random.pose(1.0) } else { Pose::identity() };
        let a = block(below, &halves[0], random).moved(&grid);
        let b = block(on_top, &halves[1], random).moved(&(grid * Pose::from_parts(place, tilt)));
        Some(Self { a, b, grid, depth, low, high })
    }

    /// The corners of the overlap without a contact that carries the box there. Panics if a contact is deeper than the overlap.
    fn corners_without_support(&self, registry: &Registry) -> Vec<[f64; 2]> {
        let found = contacts(registry, &self.a, &self.b, 1e-3);
        let Self { grid, depth, low, high, .. } = self;
        assert!(found.iter().all(|contact| contact.depth <= depth + 1e-9), "{depth}: {}", self.told(&found));
        let up = grid.rotation * Vector::z();
        let holds = found.iter().filter(|contact| {
            (contact.depth - depth).abs() < 1e-9
                && Vector::from(contact.direction).dot(&up).abs() > 1.0 - 1e-9
        });
        let places: Vec<Point> = holds.map(|contact| grid.inverse() * Point::from(contact.a.point)).collect();
        let corners = [low[0], high[0]].into_iter().flat_map(|x| [[x, low[1]], [x, high[1]]]);
        let is_near = |place: &Point, [x, y]: [f64; 2]| (place.x - x).abs().max((place.y - y).abs()) <= 1e-6;
        corners.filter(|corner| places.iter().all(|place| !is_near(place, *corner))).collect()
    }

    fn told(&self, found: &[Contact]) -> String {
        format!("{found:?}\n{:?}\n{:?}", self.a, self.b)
    }
}

/// Judges boxes on blocks: returns what failed, and the number judged.
fn boxes_on_blocks(
    [below, on_top]: [&[&str]; 2],
    beside: &[f64],
    depths: &[f64],
    random: u64,
) -> (Vec<String>, usize) {
    let registry = Registry::standard();
    let (mut failures, mut judged) = (Vec::new(), 0);
    for below in below {
        let mut random = Random::named(below, random);
        for case in 0..2_000 {
            let on_top = random.pick(on_top);
            let beside = [0; 2].map(|_| random.pick(beside));
            let stack = Stack::of([below, on_top], beside, depths, case % 2 == 1, &mut random);
            let Some(stack) = stack else { continue };
            judged += 1;
            let missed = stack.corners_without_support(&registry);
            if !missed.is_empty() {
                let found = contacts(&registry, &stack.a, &stack.b, 1e-3);
                let told = stack.told(&found);
                failures.push(format!("{on_top} on {below}, case {case}: none at {missed:?}, {told}"));
            }
        }
    }
    (failures, judged)
}

/// A box rests on a block at each corner of where they overlap, wherever their sides are level and however the block is divided.
#[test]
fn a_box_is_supported_at_the_corners_of_the_overlap() {
    let kinds = ["box", "hull", "surface", "tetrahedra"];
    let (failures, judged) = boxes_on_blocks([&kinds, &["box", "hull"]], &[0.0], &OVERLAPS, 2);
    assert!(judged > 4_000, "{judged}");
    assert!(failures.len() * MOST_WITHOUT_A_CORNER < judged, "{}", told(&failures));
}

/// So does a mesh on a mesh, also where their sides are level, or nearer to each other than the two overlap.
#[test]
fn a_mesh_is_supported_at_the_corners_of_the_overlap() {
    let (kinds, beside) = (["surface", "tetrahedra"], [0.0, 0.0, 1e-12, -1e-9, 1e-6, -1e-5, 1e-4]);
    let (failures, judged) = boxes_on_blocks([&kinds; 2], &beside, &OVERLAPS, 3);
    assert!(judged > 2_000, "{judged}");
    assert!(failures.is_empty(), "{}", told(&failures));
}

/// So does one that touches, or is apart by less than the margin. Where two corners touch, the direction between them is rounding error.
#[test]
fn a_mesh_beside_another_has_contacts_at_the_corners_of_the_overlap() {
    let kinds = ["surface", "tetrahedra"];
    for (depths, most) in [(&[-1e-6, -1e-4, -9e-4][..], 0.0), (&[0.0], 0.005)] {
        let (failures, judged) = boxes_on_blocks([&kinds; 2], &[0.0], depths, 4);
        assert!(judged > 2_000, "{judged}");
        assert!(failures.len() as f64 <= most * judged as f64, "{}", told(&failures));
    }
}
