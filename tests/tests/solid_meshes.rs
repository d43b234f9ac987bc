//! Two solids made of triangles or tetrahedra: overlaps are found, no contact is deeper than the shortest
//! separating motion, small motions change the depth by little, and each side's point is on its own body. Judged by
//! separating axes, support functions and closed forms of boxes. `PALPATE_SOLID_CASES` sets the number of cases of
//! a test; default 300.

use nalgebra::{Translation3, UnitQuaternion};
use palpate_contact::{CollisionData, Contact, FeatureKind};
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::{Geometry, Needs, Pose, SurfaceMesh, TetraMesh};
use palpate_math::{Point, Vector};
use palpate_tests::{ALL_NEEDS, Random, meshes};
use std::collections::HashSet;

/// Error left by rounding and the search for the deepest point, for bodies of size one.
const TOLERANCE: f64 = 1e-9;

fn cases(share: u64) -> u64 {
    let asked = std::env::var("PALPATE_SOLID_CASES").ok().and_then(|count| count.parse().ok());
    (asked.unwrap_or(300) / share).max(20)
}

/// An oriented box.
#[derive(Clone, Debug)]
struct Block {
    pose: Pose,
    half: Vector,
}

impl Block {
    /// With edges between a hundredth and one, near the origin.
    fn thin(random: &mut Random) -> Self {
        let half = Vector::from_fn(|_, _| 10.0_f64.powf(random.between(-2.0, 0.0)));
        Self { pose: random.pose(0.5), half }
    }

    fn corners(&self) -> Vec<Point> {
        let corner = |k: usize| {
            let sign = |axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
            self.pose * Point::from(Vector::from_fn(|axis, _| sign(axis) * self.half[axis]))
        };
        (0..8).map(corner).collect()
    }

    fn surface(&self) -> SurfaceMesh {
        let (_, triangles) = meshes::box_surface(Point::origin(), Point::new(1.0, 1.0, 1.0));
        let mut mesh = SurfaceMesh::new(self.corners(), triangles).expect("the ids are in range");
        mesh.prepare(ALL_NEEDS);
        mesh
    }

    /// Six tetrahedra.
    fn tetrahedra(&self) -> TetraMesh {
        let cells = vec![[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];
        let mut mesh = TetraMesh::new(self.corners(), cells).expect("the ids are in range");
        mesh.prepare(ALL_NEEDS);
        mesh
    }

    fn axes(&self) -> [Vector; 3] {
        [Vector::x(), Vector::y(), Vector::z()].map(|axis| self.pose * axis)
    }

    /// The depth of a point inside; negative outside, where it is a lower bound.
    fn depth(&self, point: &Point) -> f64 {
        let local = self.pose.inverse() * point;
        (0..3).map(|axis| self.half[axis] - local[axis].abs()).fold(f64::INFINITY, f64::min)
    }
}

/// The overlap of the bodies along a direction: the motion of A along it that separates them.
fn overlap(a: &[Point], b: &[Point], direction: &Vector) -> f64 {
    let heights = |points: &[Point]| points.iter().map(|p| p.coords.dot(direction)).collect::<Vec<_>>();
    let most = heights(b).into_iter().fold(f64::NEG_INFINITY, f64::max);
    most - heights(a).into_iter().fold(f64::INFINITY, f64::min)
}

/// The least overlap of two boxes over their fifteen axes in both directions. Negative when they are apart.
fn least_exit(a: &Block, b: &Block) -> f64 {
    let mut axes: Vec<Vector> = a.axes().into_iter().chain(b.axes()).collect();
    for x in a.axes() {
        axes.extend(b.axes().iter().map(|y| x.cross(y)).filter(|axis| axis.norm() > 1e-6));
    }
    let (a, b) = (a.corners(), b.corners());
    let either = |axis: &Vector| {
        let axis = axis.normalize();
        overlap(&a, &b, &axis).min(overlap(&a, &b, &-axis))
    };
    axes.iter().map(either).fold(f64::INFINITY, f64::min)
}

fn detect(a: &dyn Geometry, b: &dyn Geometry) -> Vec<Contact> {
    let mut bound = Registry::standard().bind(a, b, Choice::default()).expect("the pair is served");
    let mut out = CollisionData::new();
    bound.run(a, b, &Context::new(), &mut out).expect("they are prepared");
    let keys: HashSet<_> = out.contacts.iter().map(|c| (c.id, c.a.child, c.b.child)).collect();
    assert_eq!(keys.len(), out.contacts.len(), "duplicate key: {:#?}", out.contacts);
    out.contacts
}

fn deepest(contacts: &[Contact]) -> f64 {
    contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max)
}

/// All ways of turning a pair of boxes into a pair of meshes.
fn each_kind(a: &Block, b: &Block, mut judge: impl FnMut(&str, Vec<Contact>)) {
    judge("surfaces", detect(&a.surface(), &b.surface()));
    judge("tetrahedra", detect(&a.tetrahedra(), &b.tetrahedra()));
    judge("surface and tetrahedra", detect(&a.surface(), &b.tetrahedra()));
    judge("tetrahedra and surface", detect(&a.tetrahedra(), &b.surface()));
}

#[test]
fn thin_boxes_that_overlap_are_in_contact_and_none_is_deeper_than_the_way_out() {
    let (mut meeting, mut crossing) = (0, 0);
    for number in 0..cases(1) {
        let mut random = Random::named("thin boxes", number);
        let (a, b) = (Block::thin(&mut random), Block::thin(&mut random));
        let exit = least_exit(&a, &b);
        if exit.abs() < TOLERANCE {
            continue;
        }
        let (corners_a, corners_b) = (a.corners(), b.corners());
        let no_corner =
            corners_a.iter().all(|p| b.depth(p) < 0.0) && corners_b.iter().all(|p| a.depth(p) < 0.0);
        meeting += u32::from(exit > 0.0);
        crossing += u32::from(exit > 0.0 && no_corner);
        each_kind(&a, &b, |kind, contacts| {
            let found = !contacts.is_empty();
            assert_eq!(found, exit > 0.0, "{number}, {kind}: they overlap by {exit}\n{a:?}\n{b:?}");
            if !found {
                return;
            }
            let depth = deepest(&contacts);
            assert!(depth <= exit + TOLERANCE, "{number}, {kind}: depth {depth}, least exit {exit}");
            for _ in 0..50 {
                let direction = random.direction();
                assert!(depth <= overlap(&corners_a, &corners_b, &direction) + TOLERANCE);
            }
            let corners = corners_a.iter().map(|p| b.depth(p)).chain(corners_b.iter().map(|p| a.depth(p)));
            let inside = corners.fold(0.0, f64::max);
            assert!(depth >= inside - TOLERANCE, "{number}, {kind}: {depth} deep, a corner {inside}");
            for contact in &contacts {
                in_place(contact, [&a, &b], &format!("{number}, {kind}"));
            }
        });
    }
    assert!(meeting > cases(1) as u32 / 6 && crossing > cases(1) as u32 / 20, "{meeting}, {crossing}");
}

/// Each side's point is on its own body, and the two are separated by the depth along the direction.
fn in_place(contact: &Contact, blocks: [&Block; 2], what: &str) {
    let [on_a, on_b] = [&contact.a, &contact.b].map(|side| side.surface_point());
    let direction = Vector::from(contact.direction);
    assert!((direction.norm() - 1.0).abs() < TOLERANCE);
    let apart = on_a + direction * contact.depth - on_b;
    assert!(apart.norm() < TOLERANCE, "{what}: {apart} in {contact:?}");
    for (point, block) in [on_a, on_b].iter().zip(blocks) {
        let off = block.depth(point);
        assert!(off > -TOLERANCE, "{what}: {off} off its body in {contact:?}");
    }
    assert!(contact.depth_upper >= contact.depth && contact.depth >= 0.0);
}

/// Moves a body by no more than `way` at any point within `reach` of its centre.
fn nudged(block: &Block, way: f64, random: &mut Random) -> Block {
    let reach = block.half.norm();
    let (part, axis) = (random.between(0.0, 1.0), random.direction());
    let turn = UnitQuaternion::from_scaled_axis(axis * (part * way / reach));
    let shift = Translation3::from(random.direction() * ((1.0 - part) * way));
    let pose = Pose::from_parts(shift * block.pose.translation, turn * block.pose.rotation);
    Block { pose, half: block.half }
}

#[test]
fn small_motions_of_thin_boxes_change_the_depth_by_no_more() {
    let mut inside = 0;
    for number in 0..cases(1) {
        let mut random = Random::named("nudged boxes", number);
        let (a, mut b) = (Block::thin(&mut random), Block::thin(&mut random));
        if number % 3 == 0 {
            // A rod about as long as the other body is wide, parallel to it except for a small rotation.
            let turn = UnitQuaternion::from_scaled_axis(random.vector() * 0.01);
            let pose = Pose::from_parts(a.pose.translation, turn * a.pose.rotation);
            b = Block { pose, half: a.half.component_mul(&Vector::new(1.0, 0.3, 0.3)) };
        }
        let way = 10.0_f64.powf(random.between(-6.0, -1.0));
        let moved = nudged(&b, way, &mut random);
        let mut before = Vec::new();
        each_kind(&a, &b, |_, contacts| before.push(deepest(&contacts)));
        let mut index = 0;
        each_kind(&a, &moved, |kind, contacts| {
            let (from, to) = (before[index], deepest(&contacts));
            assert!((from - to).abs() <= way + TOLERANCE, "{number}, {kind}: {from} to {to} by {way}");
            inside += u32::from(from > 0.0);
            index += 1;
        });
    }
    assert!(inside > cases(1) as u32, "{inside}");
}

/// Non-convex bodies: contacts are compared with samples of their points.
#[test]
fn bodies_with_dents_are_seen_no_deeper_than_the_way_out_and_steady() {
    let (mut meeting, mut by_edges) = (0, 0);
    for number in 0..cases(4) {
        let mut random = Random::named("dented", number);
        let [a, b] = [0, 1].map(|_| {
            let level = random.below(2);
            let (corners, triangles) = meshes::bumpy(&mut random, level, 0.3);
            let pose = random.pose(1.0);
            let size = random.between(0.3, 1.0);
            let corners: Vec<Point> = corners.iter().map(|p| pose * (p * size)).collect();
            (corners, triangles)
        });
        let surface = |(corners, triangles): &(Vec<Point>, Vec<[u32; 3]>), shift: Vector| {
            let corners = corners.iter().map(|p| p + shift).collect();
            let mut mesh = SurfaceMesh::new(corners, triangles.clone()).expect("the ids are in range");
            mesh.prepare(ALL_NEEDS);
            mesh
        };
        let still = surface(&a, Vector::zeros());
        let contacts = detect(&still, &surface(&b, Vector::zeros()));
        let depth = deepest(&contacts);
        let crossed = cross(&a, &b) || cross(&b, &a);
        let only_edges = contacts.iter().all(|contact| contact.a.feature_kind() == FeatureKind::Edge);
        assert!(!crossed || !contacts.is_empty(), "{number}: an edge goes through a face");
        meeting += u32::from(!contacts.is_empty());
        by_edges += u32::from(!contacts.is_empty() && only_edges);
        if !contacts.is_empty() {
            for _ in 0..200 {
                let exit = overlap(&a.0, &b.0, &random.direction());
                assert!(depth <= exit + TOLERANCE, "{number}: depth {depth}, least exit {exit}");
            }
        }
        let way = 10.0_f64.powf(random.between(-6.0, -1.0));
        let moved = deepest(&detect(&still, &surface(&b, random.direction() * way)));
        assert!((depth - moved).abs() <= way + TOLERANCE, "{number}: {depth} to {moved} by {way}");
    }
    assert!(meeting > cases(4) as u32 / 3, "{meeting} intersect, {by_edges} by edges only");
}

/// Whether an edge of the first clearly passes through a triangle of the second, by volumes.
fn cross(a: &(Vec<Point>, Vec<[u32; 3]>), b: &(Vec<Point>, Vec<[u32; 3]>)) -> bool {
    let volume = |p: &Point, q: &Point, r: &Point, s: &Point| (q - p).cross(&(r - p)).dot(&(s - p));
    let through = |p: &Point, q: &Point, ids: &[u32; 3]| {
        let [x, y, z] = ids.map(|id| b.0[id as usize]);
        let ends = [volume(&x, &y, &z, p), volume(&x, &y, &z, q)];
        let sides = [volume(p, q, &x, &y), volume(p, q, &y, &z), volume(p, q, &z, &x)];
        let sure = 1e-9;
        ends[0] * ends[1] < -sure * sure
            && (sides.iter().all(|&side| side > sure) || sides.iter().all(|&side| side < -sure))
    };
    a.1.iter().flat_map(|&[x, y, z]| [[x, y], [y, z], [z, x]]).any(|edge| {
        let [p, q] = edge.map(|id| a.0[id as usize]);
        b.1.iter().any(|ids| through(&p, &q, ids))
    })
}

fn block(low: [f64; 3], high: [f64; 3]) -> Block {
    let (low, high) = (Point::from(low), Point::from(high));
    Block { pose: Translation3::from(nalgebra::center(&low, &high).coords).into(), half: (high - low) * 0.5 }
}

/// A cube on its edge over a cube's edge: only the two edges detect it.
#[test]
fn a_cube_turned_onto_the_edge_of_another_meets_it_edge_with_edge() {
    let eighth = std::f64::consts::FRAC_PI_4;
    let about = |axis, angle| UnitQuaternion::from_axis_angle(&axis, angle);
    let turn = about(Vector::x_axis(), eighth) * about(Vector::z_axis(), eighth);
    let turned =
        Block { pose: Pose::from_parts(Translation3::new(0.0, 0.8, 0.8), turn), half: Vector::repeat(0.4) };
    each_kind(&turned, &block([-0.5; 3], [0.5; 3]), |kind, contacts| {
        assert_eq!(contacts.len(), 1, "{kind}: {contacts:#?}");
        let [contact] = contacts[..] else { return };
        assert_eq!(
            (contact.a.feature_kind(), contact.b.feature_kind()),
            (FeatureKind::Edge, FeatureKind::Edge)
        );
        // The edge is 0.4 √2 from its cube's centre, which is 0.3 √2 from the other edge.
        assert!((contact.depth - 0.1 * 2.0_f64.sqrt()).abs() < 1e-12, "{}", contact.depth);
        let outward = Vector::new(0.0, 1.0, 1.0).normalize();
        assert!((Vector::from(contact.direction) - outward).norm() < 1e-12);
    });
}

/// Two crossed rods, one on top of the other, half sunk: exactly four edge pairs, however the two are rotated.
#[test]
fn crossed_rods_are_lifted_off_by_their_edges() {
    let mut random = Random::named("crossed rods", 0);
    for number in 0..20 {
        let turn = if number == 0 { Pose::identity() } else { random.pose(2.0) };
        let turned = |block: Block| Block { pose: turn * block.pose, ..block };
        let lying = turned(block([-8.0, 0.0, -1.0], [8.0, 2.0, 1.0]));
        let across = turned(block([-1.5, 1.5, -8.0], [1.5, 3.5, 8.0]));
        each_kind(&lying, &across, |kind, contacts| {
            assert_eq!(contacts.len(), 4, "{number}, {kind}: {contacts:#?}");
            for contact in contacts {
                assert!((contact.depth - 0.5).abs() < 1e-12);
                assert!((Vector::from(contact.direction) + turn * Vector::y()).norm() < 1e-9);
            }
        });
    }
}

/// A box that extends into another past its side: edges parallel to the top and below it are as deep at their inner
/// end as everywhere, and have no further contact. One of them is closest to a side through which it cannot leave.
#[test]
fn edges_parallel_below_a_face_tell_no_more_than_their_ends() {
    let floor = block([-4.0; 3], [4.0, 0.0, 4.0]);
    for mirrored in [false, true] {
        let (low, high) = if mirrored { (0.0, 6.0) } else { (-6.0, 0.0) };
        let reaching = block([low, -0.25, 2.0], [high, 2.0, 3.875]);
        each_kind(&reaching, &floor, |kind, contacts| {
            let of = |kind: FeatureKind| contacts.iter().filter(|c| c.a.feature_kind() == kind).count();
            let vertices = contacts.iter().filter(|contact| {
                contact.a.feature_kind() == FeatureKind::Vertex
                    && contact.b.feature_kind() != FeatureKind::Vertex
            });
            let mut depths: Vec<f64> = vertices.map(|contact| contact.depth).collect();
            depths.sort_by(f64::total_cmp);
            assert_eq!(depths, [0.125, 0.25], "{kind}: {contacts:#?}");
            assert_eq!((contacts.len(), of(FeatureKind::Edge)), (3, 1), "{kind}: {contacts:#?}");
        });
    }
}

/// Coplanar faces that overlap like a cross, with no corner of one in the other: a contact of depth zero.
#[test]
fn solids_that_touch_by_crossing_edges_are_in_contact() {
    let (a, b) = (block([-1.5, -0.5, -0.5], [1.5, 0.5, 0.5]), block([-0.5, -2.5, -2.0], [0.5, -0.5, 1.0]));
    each_kind(&a, &b, |kind, contacts| {
        assert!(!contacts.is_empty(), "{kind}");
        for contact in contacts {
            assert_eq!((contact.depth, contact.direction), (0.0, [0.0, 1.0, 0.0]), "{kind}");
        }
    });
}

/// A rod in a cube as its ends emerge: the middle of its edges stays as deep.
#[test]
fn the_depth_of_a_rod_does_not_jump_as_its_ends_pass_the_surface() {
    let cube = block([-1.0; 3], [1.0; 3]);
    for half in [0.5, 0.9, 0.999, 1.0, 1.001, 1.1] {
        let rod = block([-half, -0.01, -0.01], [half, 0.01, 0.01]);
        each_kind(&rod, &cube, |kind, contacts| {
            let depth = deepest(&contacts);
            assert!((depth - 0.99).abs() < 0.02, "{kind}, {half}: {depth}");
        });
    }
}

#[test]
fn a_sheet_wholly_inside_of_a_closed_surface_is_in_contact() {
    let corners = [[-0.25, 0.0, -0.25], [0.25, 0.0, -0.25], [0.0, 0.0, 0.25]].map(Point::from);
    let mut sheet = SurfaceMesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("the ids are in range");
    sheet.prepare(Needs::TREE | Needs::NORMALS);
    let cube = block([-1.0; 3], [1.0; 3]).surface();
    for contacts in [detect(&sheet, &cube), detect(&cube, &sheet)] {
        assert_eq!(contacts.iter().filter(|contact| contact.depth == 0.75).count(), 3);
        // The edges along x come within 0.75 of a side at their ends; the middle of the one at z = -0.25 does, too.
        assert!(contacts.iter().all(|contact| contact.depth >= 0.75 && contact.depth <= 1.0));
    }
}

/// A rod through a thin plate is pushed out by its shorter end, not over the plate's sides.
#[test]
fn a_rod_through_a_plate_leaves_by_its_end() {
    let plate = block([-4.0, -0.125, -4.0], [4.0, 0.125, 4.0]);
    let rod = block([-0.5, -0.5, -0.5], [0.5, 6.0, 0.5]);
    each_kind(&rod, &plate, |kind, contacts| {
        assert!((deepest(&contacts) - 0.625).abs() < 1e-12, "{kind}: {contacts:#?}");
    });
}

/// An edge just below a face and parallel to it is as deep at its ends: it has no contact of its own, in either
/// direction.
#[test]
fn an_edge_parallel_to_a_face_is_as_deep_at_either_end() {
    let floor = block([-4.0, -4.0, -4.0], [4.0, 0.0, 4.0]);
    let sunk = block([-1.0, -0.25, -1.0], [1.0, 2.0, 1.0]);
    each_kind(&sunk, &floor, |kind, contacts| {
        assert_eq!(contacts.len(), 4, "{kind}: {contacts:#?}");
        assert!(contacts.iter().all(|contact| contact.depth == 0.25), "{kind}");
    });
    // Tilted: either end of an edge may be the deeper one.
    for turned in [false, true] {
        let tilt = if turned { 0.02 } else { -0.02 };
        let turn = UnitQuaternion::from_axis_angle(&Vector::z_axis(), tilt);
        let pose = Pose::from_parts(Translation3::new(0.0, 0.8, 0.0), turn);
        let tilted = Block { pose, half: Vector::repeat(1.0) };
        each_kind(&tilted, &floor, |kind, contacts| {
            assert_eq!(contacts.len(), 4, "{kind}: {contacts:#?}");
            let vertex = |contact: &Contact| contact.a.feature_kind() == FeatureKind::Vertex;
            assert!(contacts.iter().all(vertex), "{kind}");
        });
    }
}

/// Boxes on a lattice, with edges parallel to the other's faces: an edge inside has a contact only if it is deeper
/// than its ends, whichever end that is.
#[test]
fn an_edge_inside_tells_more_than_either_of_its_ends() {
    let mut told = 0;
    for number in 0..cases(1) {
        let mut random = Random::named("lattice boxes", number);
        let [a, b] = [0, 1].map(|_| {
            let corner = random.lattice_point(8, 0.25);
            let size = Vector::from_fn(|_, _| 0.25 * (1 + random.below(12)) as f64);
            block(corner.into(), (corner + size).into())
        });
        let corners = [a.corners(), b.corners()];
        each_kind(&a, &b, |kind, contacts| {
            for contact in &contacts {
                let sides =
                    [(&contact.a, &contact.b, &corners[0], &b), (&contact.b, &contact.a, &corners[1], &a)];
                for (own, other, corners, block) in sides {
                    let edge = |side: &palpate_contact::Feature| side.feature_kind() == FeatureKind::Edge;
                    let vertex = other.feature_kind() == FeatureKind::Vertex;
                    if !edge(own) || edge(other) || vertex {
                        continue;
                    }
                    let ends = own.vertex_ids().iter().map(|&id| block.depth(&corners[id as usize]));
                    let ends = ends.fold(0.0, f64::max);
                    assert!(contact.depth > ends + TOLERANCE, "{number}, {kind}: ends {ends}, {contact:#?}");
                    told += 1;
                }
            }
        });
    }
    assert!(told > 100, "{told}");
}
