//! Capsules parallel to a surface have a contact at each end of the parallel interval.

use nalgebra::Rotation3;
use palpate_contact::{CollisionData, Contact, ContactId, FeatureKind, IdPart};
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::{Capsule, Geometry, Needs, SurfaceMesh, TetraMesh};
use palpate_math::{Point, Vector};
use palpate_tests::{Random, meshes};
use serde_json::{Value, json};

/// Cases of each kind.
const CASES: usize = 500;

/// Rounding error of a case's construction and its result, relative to its size.
const ROUNDING: f64 = 1e-12;

fn surface(corners: Vec<Point>, triangles: Vec<[u32; 3]>) -> SurfaceMesh {
    let mut mesh = SurfaceMesh::new(corners, triangles).expect("the ids are in range");
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    mesh
}

fn contacts(a: &dyn Geometry, axis: [Point; 2], radius: f64, settings: &Value) -> Vec<Contact> {
    let capsule = Capsule::from_ends(axis[0], axis[1], radius).expect("the ends are finite");
    let choice = Choice::default().with_settings(settings);
    let mut bound = Registry::standard().bind(a, &capsule, choice).expect("it binds");
    let mut out = CollisionData::new();
    bound.run(a, &capsule, &Context::new(), &mut out).expect("it runs");
    let mut ids: Vec<u64> = out.contacts.iter().map(|contact| contact.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), out.len(), "each has an id of its own");
    out.contacts
}

/// Whether the contacts are at these points of the surface, in any order, all with this direction and depth.
fn are_at(found: &[Contact], places: &[Point], direction: &Vector, depth: f64) {
    assert_eq!(found.len(), places.len(), "{found:#?}\n{places:?}");
    for contact in found {
        assert!((contact.depth - depth).abs() <= ROUNDING, "{contact:?}, wanted {depth}");
        assert!((Vector::from(contact.direction) - direction).norm() <= 1e3 * ROUNDING, "{contact:?}");
    }
    for place in places {
        let near = |contact: &&Contact| (Point::from(contact.a.point) - place).norm() <= 10.0 * ROUNDING;
        assert_eq!(found.iter().filter(near).count(), 1, "{place} among {found:#?}");
    }
}

/// Whether the contacts agree to the bit after scaling all lengths by a power of two.
fn are_scaled(small: &[Contact], large: &[Contact], factor: f64) {
    assert_eq!(small.len(), large.len());
    for (small, large) in small.iter().zip(large) {
        assert_eq!(
            (small.id, small.direction, small.a.weights),
            (large.id, large.direction, large.a.weights)
        );
        assert_eq!(small.depth * factor, large.depth);
        assert_eq!(small.a.point.map(|x| x * factor), large.a.point);
        assert_eq!(small.b.point.map(|x| x * factor), large.b.point);
    }
}

/// Where a line in a triangle's plane, from parameter 0 to 1, enters and leaves the triangle: bisection from a
/// point inside, by the signs of areas.
fn inside_from_to(start: Point, end: Point, inside: f64, corners: &[Point; 3]) -> [f64; 2] {
    let holds = |t: f64| {
        let place = start + (end - start) * t;
        let areas = [0, 1, 2].map(|k| (corners[k] - place).cross(&(corners[(k + 1) % 3] - place)));
        areas[0].dot(&areas[1]) >= 0.0 && areas[1].dot(&areas[2]) >= 0.0 && areas[2].dot(&areas[0]) >= 0.0
    };
    [0.0, 1.0].map(|far: f64| {
        if holds(far) {
            return far;
        }
        let (mut near, mut far) = (inside, far);
        for _ in 0..80 {
            let middle = 0.5 * (near + far);
            if holds(middle) { near = middle } else { far = middle }
        }
        near
    })
}

/// A capsule above a triangle, from outside or inside it to outside or inside.
#[test]
fn along_a_face_the_ends_of_what_lies_above_it() {
    let mut random = Random::new(21);
    let mut of_axis = [0; 3];
    for _ in 0..CASES {
        let corners = [(); 3].map(|()| Point::from(random.vector()));
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        if normal.norm() < 0.1 {
            continue;
        }
        let normal = normal.normalize();
        let weights = [random.between(0.1, 0.4), random.between(0.1, 0.4)];
        let inside =
            corners[0] + (corners[1] - corners[0]) * weights[0] + (corners[2] - corners[0]) * weights[1];
        let along = normal.cross(&random.direction()).normalize() * random.between(0.1, 2.0);
        let (before, height) = (random.between(0.0, 1.0), random.between(0.05, 0.3));
        let side = if random.one_in(2) { 1.0 } else { -1.0 };
        let start = inside - along * before;
        let lift = normal * (height * side);
        let axis = [start + lift, start + along + lift];
        let found = contacts(&surface(corners.to_vec(), vec![[0, 1, 2]]), axis, 0.5, &json!({}));
        let [from, to] = inside_from_to(start, start + along, before, &corners);
        are_at(&found, &[start + along * from, start + along * to], &(-normal * side), 0.5 - height);
        let kinds = found.iter().filter(|contact| contact.a.feature_kind() == FeatureKind::Triangle).count();
        assert_eq!(kinds, usize::from(from == 0.0) + usize::from(to == 1.0), "elsewhere it is an edge");
        of_axis[kinds] += 1;
        let one =
            contacts(&surface(corners.to_vec(), vec![[0, 1, 2]]), axis, 0.5, &json!({"manifold": false}));
        assert_eq!((one.len(), one[0].a.feature_kind()), (1, FeatureKind::Triangle));
        for power in [-30, 7, 30] {
            let factor = 2.0_f64.powi(power);
            let large = surface(corners.map(|corner| corner * factor).to_vec(), vec![[0, 1, 2]]);
            are_scaled(
                &found,
                &contacts(&large, axis.map(|end| end * factor), 0.5 * factor, &json!({})),
                factor,
            );
        }
    }
    assert!(
        of_axis.iter().all(|&count| count > CASES / 20),
        "none, one or both ends of the axis: {of_axis:?}"
    );
}

/// A capsule along the ridge of a roof, which may extend past either end of it.
#[test]
fn along_an_edge_the_ends_of_what_runs_beside_it() {
    let mut random = Random::new(22);
    let mut of_axis = [0; 3];
    for _ in 0..CASES {
        let turn = random.rotation();
        let shift = random.vector();
        let place = |point: Point| turn * point + shift;
        let [low, wide] = [random.between(0.2, 1.0), random.between(0.5, 1.0)];
        let roof = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, -low, wide], [1.0, -low, -wide]];
        let roof = roof.map(|corner| place(Point::from(corner)));
        let (from, length) = (random.between(-1.0, 1.5), random.between(0.2, 3.0));
        let height = random.between(0.05, 0.4);
        let (low, high) = (from.max(0.0), (from + length).min(2.0));
        if high - low < 0.01 {
            continue;
        }
        let mut axis = [from, from + length].map(|x| place(Point::new(x, height, 0.0)));
        if random.one_in(2) {
            axis.swap(0, 1);
        }
        let mesh = || surface(roof.to_vec(), vec![[0, 2, 1], [0, 1, 3]]);
        for edges in ["keep", "ignore"] {
            let found = contacts(&mesh(), axis, 0.5, &json!({"internal_edges": edges}));
            let places = [low, high].map(|x| place(Point::new(x, 0.0, 0.0)));
            are_at(&found, &places, &(turn * -Vector::y()), 0.5 - height);
            let vertices = found.iter().filter(|c| c.a.feature_kind() == FeatureKind::Vertex).count();
            assert_eq!(vertices, usize::from(low == 0.0) + usize::from(high == 2.0));
            of_axis[2 - vertices] += usize::from(edges == "keep");
        }
        assert_eq!(contacts(&mesh(), axis, 0.5, &json!({"manifold": false})).len(), 1);
    }
    assert!(
        of_axis.iter().all(|&count| count > CASES / 20),
        "none, one or both ends of the axis: {of_axis:?}"
    );
}

/// A flat floor of `n` by `n` squares of side one, in the plane y = 0, turned and moved.
fn floor(n: u32, place: impl Fn(Point) -> Point) -> (Vec<Point>, Vec<[u32; 3]>) {
    let row = n + 1;
    let corner = |k: u32| place(Point::new(f64::from(k % row), 0.0, f64::from(k / row)));
    let squares = (0..n * n).map(|k| k / n * row + k % n);
    let triangles = squares.flat_map(|k| [[k, k + row, k + 1], [k + 1, k + row, k + row + 1]]);
    ((0..row * row).map(corner).collect(), triangles.collect())
}

/// On a flat floor without internal edges the contacts are at the ends of the axis; with them, also at every edge
/// crossed.
#[test]
fn on_a_flat_floor_the_two_ends_of_the_axis() {
    let mut random = Random::new(23);
    let (mut crossed, mut along_a_side) = (0, 0);
    for case in 0..CASES {
        let turn = Rotation3::from_axis_angle(&Vector::y_axis(), random.between(0.0, 6.0));
        let place = |point: Point| turn * point;
        let (corners, triangles) = floor(8, place);
        let mesh = surface(corners, triangles);
        let mut ends = [(); 2].map(|()| [random.between(1.0, 7.0), random.between(1.0, 7.0)]);
        // Some of them exactly above a row of edges.
        if case % 5 == 0 {
            let row = f64::from(2 + random.below(5) as u32);
            ends = ends.map(|[x, _]| [x, row]);
            along_a_side += 1;
        }
        if (ends[0][0] - ends[1][0]).abs() < 0.01 {
            continue;
        }
        let [foot_a, foot_b] = ends.map(|[x, z]| place(Point::new(x, 0.0, z)));
        let axis = [foot_a, foot_b].map(|foot| foot + Vector::y() * 0.25);
        let found = contacts(&mesh, axis, 0.5, &json!({"internal_edges": "ignore"}));
        are_at(&found, &[foot_a, foot_b], &-Vector::y(), 0.25);
        let kept = contacts(&mesh, axis, 0.5, &json!({"internal_edges": "keep"}));
        let ends_of_axis = kept
            .iter()
            .filter(|contact| matches!(ContactId::parts(contact.id)[1], IdPart::Corner(_)))
            .count();
        assert_eq!(ends_of_axis, 2, "{kept:#?}");
        if case % 5 != 0 {
            let lines = |value: fn([f64; 2]) -> f64| {
                let [a, b] = ends.map(value);
                (a.max(b).floor() - a.min(b).floor()) as usize
            };
            let count = lines(|[x, _]| x) + lines(|[_, z]| z) + lines(|[x, z]| x + z);
            // Edges and vertices beside it and within range are in contact, too.
            let under = kept.iter().filter(|contact| contact.depth >= 0.25 - ROUNDING).count();
            assert_eq!(under, 2 + count, "{ends:?}");
            crossed += count;
        }
    }
    assert!(crossed > 4 * CASES && along_a_side >= CASES / 5, "{crossed} edges crossed");
}

/// The boundary of a floor that ends under the axis is a real end; so is the rim of a step down.
#[test]
fn where_the_floor_bends_away_the_stretch_ends() {
    let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, -2.0], [2.0, 0.0, 2.0], [4.0, -1.0, 0.0]];
    let mesh = surface(corners.map(Point::from).to_vec(), vec![[0, 2, 1], [1, 2, 3]]);
    let axis = [[1.0, 0.25, 0.0], [3.5, 0.25, 0.0]].map(Point::from);
    for edges in ["keep", "ignore"] {
        let found = contacts(&mesh, axis, 0.5, &json!({"internal_edges": edges}));
        let places = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]].map(Point::from);
        are_at(&found, &places, &-Vector::y(), 0.25);
    }
}

#[test]
fn a_capsule_on_a_block_of_tetrahedra_has_two_contacts() {
    let (vertices, cells) = meshes::tetra_block(&mut Random::new(1), [3, 1, 3], 0.0);
    let top = vertices.iter().map(|vertex| vertex.y).fold(f64::NEG_INFINITY, f64::max);
    let mut mesh = TetraMesh::new(vertices, cells).unwrap();
    mesh.prepare(Needs::all());
    let axis = [[-0.8, top + 0.25, -0.7], [0.75, top + 0.25, 0.6]].map(Point::from);
    let found = contacts(&mesh, axis, 0.5, &json!({}));
    let places = axis.map(|end| end - Vector::y() * 0.25);
    are_at(&found, &places, &-Vector::y(), 0.25);
}

/// A triangle wholly inside a capsule: it is pushed out at its closest point, like any other, and over its nearest side if
/// the axis pierces it.
#[test]
fn triangles_wholly_inside_a_capsule_are_met() {
    let mut random = Random::new(24);
    let (mut beside, mut through) = (0, 0);
    for _ in 0..CASES {
        let middle =
            Point::new(random.between(-1.0, 1.0), random.between(-0.3, 0.3), random.between(-0.3, 0.3));
        let corners = [(); 3].map(|()| middle + random.vector() * 0.3);
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        // Where the axis is nearly parallel to a face there are contacts at both ends.
        if normal.norm() < 1e-3 || normal.normalize().x.abs() < 0.02 {
            continue;
        }
        let axis = [Point::new(-2.0, 0.0, 0.0), Point::new(2.0, 0.0, 0.0)];
        let found = contacts(&surface(corners.to_vec(), vec![[0, 1, 2]]), axis, 1.0, &json!({}));
        assert_eq!(found.len(), 1, "{found:#?}");
        // The axis is the x axis: in projection along it, the triangle contains the origin or not.
        let [a, b, c] = corners.map(|corner| (corner.y, corner.z));
        let turn = |p: (f64, f64), q: (f64, f64)| p.0 * q.1 - p.1 * q.0;
        let turns = [turn(a, b), turn(b, c), turn(c, a)];
        let pierced = turns.iter().all(|&turn| turn > 0.0) || turns.iter().all(|&turn| turn < 0.0);
        if pierced {
            through += 1;
            // The axis is longer than the triangle is wide: the nearest of its sides, in projection.
            let to_side = |p: (f64, f64), q: (f64, f64)| (turn(p, q) / (q.0 - p.0).hypot(q.1 - p.1)).abs();
            let ways = [to_side(a, b), to_side(b, c), to_side(c, a)];
            let way = ways.into_iter().fold(f64::INFINITY, f64::min);
            assert!((found[0].depth - 1.0 - way).abs() <= ROUNDING, "{found:?} {way}");
        } else {
            beside += 1;
            let to_axis = |t: f64, p: &Point, q: &Point| (p + (q - p) * t).coords.yz().norm();
            let sides = [(0, 1), (1, 2), (2, 0)].into_iter();
            let sampled = sides.flat_map(|(p, q)| {
                (0..=400).map(move |k| to_axis(f64::from(k) / 400.0, &corners[p], &corners[q]))
            });
            let nearest = sampled.fold(f64::INFINITY, f64::min);
            let depth = found[0].depth;
            assert!(
                1.0 - nearest <= depth + ROUNDING && depth <= 1.0 - nearest + 2e-3,
                "{found:?}, {nearest}"
            );
        }
    }
    assert!(beside > CASES / 4 && through > CASES / 10, "{beside} beside, {through} through");
}
