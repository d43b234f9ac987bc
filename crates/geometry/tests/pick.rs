//! Picking compared with slower methods: marching along the ray in small steps, floating-point tests of all triangles,
//! and cases by hand.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

mod shapes;

use palpate_contact::{FeatureKind, NONE};
use palpate_geometry::implicit::{ImplicitBody, Torus};
use palpate_geometry::pick::{Crossing, Hit, Ray, all_hits, first_hit, nearest_cell, nearest_vertex};
use palpate_geometry::{
    Capsule, Cone, Convex, Cylinder, Ellipsoid, Geometry, LineMesh, Needs, OrientedBox, Plane, PointSet,
    Pose, Sphere, SurfaceMesh, TetraMesh,
};
use palpate_math::{Point, Vector};
use shapes::{Numbers, bumpy_ball};
use std::sync::Arc;

/// Returns where a function changes its sign along a ray, by small steps and bisection.
fn marched(ray: &Ray, inside: impl Fn(&Point) -> bool) -> Vec<(f64, Crossing)> {
    const STEPS: u32 = 3000;
    let at = |step: u32| ray.length() * f64::from(step) / f64::from(STEPS);
    let mut found = Vec::new();
    let mut before = inside(&ray.at(0.0));
    for step in 1..=STEPS {
        let after = inside(&ray.at(at(step)));
        if after != before {
            let (mut low, mut high) = (at(step - 1), at(step));
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if inside(&ray.at(middle)) == before { low = middle } else { high = middle }
            }
            found.push((high, if after { Crossing::Enter } else { Crossing::Leave }));
            before = after;
        }
    }
    found
}

/// Asserts that the hits match the marched ones, except for pairs closer together than its steps. Returns their number.
fn agree(name: &str, ray: &Ray, hits: &[Hit], marched: &[(f64, Crossing)]) -> usize {
    let step = ray.length() / 3000.0;
    let mut rest: Vec<Hit> = hits.iter().filter(|hit| hit.crossing != Crossing::Graze).copied().collect();
    for &(distance, crossing) in marched {
        let near =
            rest.iter().position(|hit| (hit.distance - distance).abs() <= 1e-7 && hit.crossing == crossing);
        let index =
            near.unwrap_or_else(|| panic!("{name}: no {crossing:?} at {distance} of {ray:?}: {hits:?}"));
        rest.remove(index);
    }
    for pair in rest.chunks(2) {
        let near_another = pair.len() == 2 && pair[1].distance - pair[0].distance <= 2.0 * step;
        let at_an_end = pair.iter().all(|hit| hit.distance <= 1e-9 || hit.distance >= ray.length() - 1e-9);
        assert!(near_another || at_an_end, "{name}: {pair:?} is not on the surface of {ray:?}, {marched:?}");
    }
    assert!(hits.windows(2).all(|pair| pair[0].distance <= pair[1].distance), "{name}: {hits:?}");
    hits.len()
}

/// Asserts that the normal points outward: a short step along it leads outside, against it inside.
fn points_out(name: &str, hit: &Hit, inside: impl Fn(&Point) -> bool) {
    assert!((hit.normal.norm() - 1.0).abs() <= 1e-12, "{name}");
    let little = hit.normal * 1e-6;
    assert!(!inside(&(hit.point() + little)) && inside(&(hit.point() - little)), "{name}: {hit:?}");
}

#[test]
fn solids_are_met_where_marching_meets_them() {
    let mut numbers = Numbers(1);
    let corners: Vec<Point> = (0..14).map(|_| Point::from(numbers.vector())).collect();
    let mut total = 0;
    for round in 0..6 {
        let pose = numbers.pose();
        let solids: Vec<(&str, Box<dyn Geometry>)> = vec![
            ("sphere", Box::new(Sphere::new(Point::from(numbers.vector() * 0.3), 0.8).unwrap())),
            ("capsule", Box::new(Capsule::new(pose, 0.4, 1.1).unwrap())),
            ("cylinder", Box::new(Cylinder::new(pose, 0.5, 1.3).unwrap())),
            ("oriented_box", Box::new(OrientedBox::new(pose, Vector::new(0.9, 0.5, 0.2)).unwrap())),
            ("ellipsoid", Box::new(Ellipsoid::new(pose, Vector::new(0.9, 0.5, 0.3)).unwrap())),
            ("cone", Box::new(Cone::new(pose, 0.7, 1.2).unwrap())),
            ("hull", Box::new(Convex::new(pose, &corners).unwrap())),
            ("rounded hull", Box::new(Convex::new(pose, &corners[..8]).unwrap().with_radius(0.15).unwrap())),
            (
                "torus",
                Box::new(
                    ImplicitBody::new(pose, Arc::new(Torus::new(Pose::identity(), 0.7, 0.25).unwrap()))
                        .unwrap(),
                ),
            ),
        ];
        for (name, solid) in &solids {
            let implicit = solid.as_implicit().unwrap();
            let inside = |point: &Point| implicit.signed_distance(point).distance <= 0.0;
            for _ in 0..24 {
                let mut ray = numbers.ray();
                if round == 0 {
                    // Along the axes of the body, where the closed forms divide by zero.
                    let axis = [Vector::x(), Vector::y(), Vector::z()][(total % 3).min(2)];
                    ray = Ray::new(ray.at(1.0), pose.rotation * axis, 6.0).unwrap();
                }
                let hits = all_hits(solid.as_ref(), &ray).unwrap();
                total += agree(name, &ray, &hits, &marched(&ray, inside));
                for hit in &hits {
                    assert!(implicit.signed_distance(&hit.point()).distance.abs() <= 1e-9, "{name}: {hit:?}");
                    points_out(name, hit, inside);
                }
                assert_eq!(first_hit(solid.as_ref(), &ray).unwrap(), hits.first().copied(), "{name}");
            }
        }
    }
    assert!(total > 800, "{total} hits");
}

#[test]
fn a_far_origin_costs_no_digits_of_the_shape() {
    let ray = Ray::new(Point::new(-1e6, 0.25, 0.0), Vector::x(), f64::INFINITY).unwrap();
    let capsule = Capsule::new(Pose::identity(), 0.5, 1.0).unwrap();
    let hits = all_hits(&capsule, &ray).unwrap();
    let crossings: Vec<Crossing> = hits.iter().map(|hit| hit.crossing).collect();
    assert_eq!(crossings, [Crossing::Enter, Crossing::Leave]);
    assert!((hits[0].distance - (1e6 - 0.5)).abs() <= 1e-9 && (hits[0].normal + Vector::x()).norm() <= 1e-9);
}

#[test]
fn half_spaces_and_sheets() {
    let ray =
        |y: f64, along: f64| Ray::new(Point::new(0.0, y, 0.0), Vector::new(0.0, along, 0.0), 5.0).unwrap();
    let floor = Plane::new(Point::origin(), Vector::y()).unwrap();
    let met = |plane: &Plane, ray: Ray| {
        all_hits(plane, &ray).unwrap().first().map(|hit| (hit.distance, hit.normal.y, hit.crossing))
    };
    assert_eq!(met(&floor, ray(2.0, -1.0)), Some((2.0, 1.0, Crossing::Enter)));
    assert_eq!(met(&floor, ray(-2.0, 1.0)), Some((2.0, 1.0, Crossing::Leave)));
    assert_eq!(met(&floor, ray(2.0, 1.0)), None);
    assert_eq!(met(&floor, ray(6.0, -1.0)), None, "too far");
    let sheet = floor.with_two_sided(true);
    assert_eq!(met(&sheet, ray(-2.0, 1.0)), Some((2.0, -1.0, Crossing::Enter)));
    let beside = Ray::new(Point::new(0.0, 1.0, 0.0), Vector::x(), f64::INFINITY).unwrap();
    assert!(all_hits(&sheet, &beside).unwrap().is_empty());
}

/// Möller-Trumbore over all triangles.
fn by_arithmetic(ray: &Ray, mesh: &SurfaceMesh) -> Vec<f64> {
    let mut found = Vec::new();
    for triangle in 0..mesh.triangles().len() as u32 {
        let [a, b, c] = mesh.corners(triangle);
        let (first, second) = (b - a, c - a);
        let across = ray.direction().cross(&second);
        let determinant = first.dot(&across);
        let from = ray.origin() - a;
        let u = from.dot(&across) / determinant;
        let turned = from.cross(&first);
        let v = ray.direction().dot(&turned) / determinant;
        let distance = second.dot(&turned) / determinant;
        if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=ray.length()).contains(&distance) {
            found.push(distance);
        }
    }
    found.sort_by(f64::total_cmp);
    found
}

#[test]
fn triangles_are_met_where_plain_arithmetic_meets_them_with_and_without_a_tree() {
    let mut numbers = Numbers(2);
    let (positions, mut triangles) = bumpy_ball(24, 0.15, &mut numbers);
    let mut total = 0;
    for inward in [false, true] {
        if inward {
            triangles.iter_mut().for_each(|ids| ids.swap(1, 2));
        }
        let bare = SurfaceMesh::new(positions.clone(), triangles.clone()).unwrap();
        let mut prepared = bare.clone();
        prepared.prepare(Needs::TREE | Needs::NORMALS);
        for _ in 0..400 {
            let ray = numbers.ray();
            let hits = all_hits(&prepared, &ray).unwrap();
            assert_eq!(hits, all_hits(&bare, &ray).unwrap());
            let expected = by_arithmetic(&ray, &bare);
            assert_eq!(hits.len(), expected.len(), "{ray:?}: {hits:?}, {expected:?}");
            for (hit, distance) in hits.iter().zip(expected) {
                assert!((hit.distance - distance).abs() <= 1e-9);
                let sum: f64 = hit.feature.vertex_weights().iter().sum();
                let ids = hit.feature.vertex_ids().iter().zip(hit.feature.vertex_weights());
                let place = ids.fold(Vector::zeros(), |sum, (&id, weight)| {
                    sum + positions[id as usize].coords * *weight
                });
                assert!((sum - 1.0).abs() <= 1e-12 && (place - hit.point().coords).norm() <= 1e-9, "{hit:?}");
            }
            // From inside the first crossing leaves, from outside it enters; then they alternate.
            let (signed, _) = prepared.signed_distance(&ray.origin(), f64::INFINITY).unwrap();
            let mut inside = signed.distance < 0.0;
            for hit in &hits {
                assert_eq!(hit.crossing, if inside { Crossing::Leave } else { Crossing::Enter }, "{hits:?}");
                assert_eq!(hit.normal.dot(&ray.direction()) < 0.0, !inside);
                inside = !inside;
            }
            assert_eq!(first_hit(&prepared, &ray).unwrap(), hits.first().copied());
            total += hits.len();
        }
    }
    assert!(total > 600, "{total} hits");
}

/// A floor of squares split in two: hit exactly at its vertices and at the midpoints of its edges.
#[test]
fn a_floor_is_watertight_and_met_once_at_edges_and_vertices() {
    let at = |x: u32, z: u32| x + 9 * z;
    let positions = (0..81).map(|id| Point::new(f64::from(id % 9), 0.0, f64::from(id / 9))).collect();
    let cells = (0..64).map(|id| (id % 8, id / 8));
    let triangles = cells
        .flat_map(|(x, z)| {
            [[at(x, z), at(x, z + 1), at(x + 1, z)], [at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)]]
        })
        .collect();
    let mut floor = SurfaceMesh::new(positions, triangles).unwrap();
    floor.prepare(Needs::TREE);
    let mut kinds = [0; 5];
    for x in 0..=16 {
        for z in 0..=16 {
            let from = Point::new(0.5 * f64::from(x), 3.0, 0.5 * f64::from(z));
            for along in [Vector::new(0.0, -1.0, 0.0), Vector::new(0.0, -3.0, 0.0)] {
                let hits = all_hits(&floor, &Ray::new(from, along, 4.0).unwrap()).unwrap();
                assert_eq!(hits.len(), 1, "{from}");
                assert_eq!(
                    (hits[0].distance, hits[0].crossing, hits[0].normal),
                    (3.0, Crossing::Enter, Vector::y())
                );
                kinds[hits[0].feature.kind as usize] += 1;
            }
            let below = Point::new(from.x, -1.0, from.z);
            let hits = all_hits(&floor, &Ray::new(below, Vector::y(), f64::INFINITY).unwrap()).unwrap();
            assert_eq!((hits.len(), hits[0].crossing), (1, Crossing::Leave));
        }
    }
    let of = |kind: FeatureKind| kinds[kind as usize];
    assert_eq!((of(FeatureKind::Vertex), of(FeatureKind::Vertex) + of(FeatureKind::Edge)), (162, 578));
}

/// An octahedron hit at its corners and edges: through, into and past.
#[test]
fn corners_are_entered_left_and_grazed() {
    let corners = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    let positions = corners.map(|p| Point::from(p.map(f64::from))).to_vec();
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let mesh = SurfaceMesh::new(positions, triangles).unwrap();
    let crossings = |from: [f64; 3], along: [f64; 3]| {
        let ray = Ray::new(Point::from(from), Vector::from(along), 10.0).unwrap();
        let hits = all_hits(&mesh, &ray).unwrap();
        hits.iter().map(|hit| (hit.distance, hit.crossing, hit.feature.feature_kind())).collect::<Vec<_>>()
    };
    use Crossing::{Enter, Graze, Leave};
    use FeatureKind::{Edge, Vertex};
    assert_eq!(crossings([0.0, 3.0, 0.0], [0.0, -1.0, 0.0]), [(2.0, Enter, Vertex), (4.0, Leave, Vertex)]);
    assert_eq!(crossings([-4.0, 1.0, 0.0], [1.0, 0.0, 0.0]), [(4.0, Graze, Vertex)]);
    assert_eq!(crossings([-3.0, 0.5, 0.0], [1.0, 0.0, 0.0]), [(2.5, Enter, Edge), (3.5, Leave, Edge)]);
    // Past the edge between +x and +y, perpendicular to it.
    assert_eq!(crossings([0.5, 0.5, -4.0], [0.0, 0.0, 1.0]), [(4.0, Graze, Edge)]);
}

/// Triangles around a vertex, some of them folded back under others: hit from above at the vertex itself.
#[test]
fn at_a_folded_vertex_the_turns_of_its_triangles_count() {
    let crossing = |ring: &[[f64; 3]]| {
        let mut positions = vec![Point::origin()];
        positions.extend(ring.iter().map(|&[x, y, z]| Point::new(x, y, z)));
        let count = ring.len() as u32;
        let triangles = (0..count).map(|k| [0, 1 + k, 1 + (k + 1) % count]).collect();
        let fan = SurfaceMesh::new(positions, triangles).unwrap();
        let ray = Ray::new(Point::new(0.0, 5.0, 0.0), Vector::new(0.0, -1.0, 0.0), 9.0).unwrap();
        let hits = all_hits(&fan, &ray).unwrap();
        assert_eq!((hits.len(), hits[0].feature.vertex_ids()), (1, [0].as_slice()));
        hits[0].crossing
    };
    // One turn, with the second triangle folded back.
    let once = [[4.0, 0.5, 0.0], [-2.0, 1.0, -3.0], [2.0, -1.0, -3.0], [-4.0, 0.25, 1.0], [1.0, 0.75, 4.0]];
    assert_eq!(crossing(&once), Crossing::Enter);
    let mut reversed = once;
    reversed.reverse();
    assert_eq!(crossing(&reversed), Crossing::Leave);
    // Back and forth, without a full turn.
    assert_eq!(crossing(&[once[0], once[1], once[2]]), Crossing::Graze);
}

#[test]
fn tetrahedra_are_met_at_their_boundary_and_named() {
    let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0], [2.0, 2.0, 2.0]];
    let cells = vec![[0, 1, 2, 3], [1, 2, 4, 3]];
    let mut mesh = TetraMesh::new(corners.map(Point::from).to_vec(), cells).unwrap();
    let ray = Ray::between(Point::new(0.5, 0.25, -1.0), Point::new(0.5, 0.25, 9.0)).unwrap();
    let bare = all_hits(&mesh, &ray).unwrap();
    mesh.prepare(Needs::BOUNDARY | Needs::TREE);
    let hits = all_hits(&mesh, &ray).unwrap();
    assert_eq!(hits, bare);
    let told: Vec<_> =
        hits.iter().map(|hit| (hit.crossing, hit.feature.cell, hit.feature.vertex_count)).collect();
    assert_eq!(told, [(Crossing::Enter, 0, 3), (Crossing::Leave, 1, 3)]);
    assert_eq!((hits[0].distance, hits[0].normal), (1.0, -Vector::z()));
    // The face between the two, at 1.25, is not hit.
    assert!((hits[1].point().z - 1.75).abs() <= 1e-12);
}

#[test]
fn threads_and_particles_are_unions() {
    let mut numbers = Numbers(3);
    let positions: Vec<Point> = (0..30)
        .map(|k| Point::new(f64::from(k) / 15.0 - 1.0, 0.3 * numbers.number(), 0.3 * numbers.number()))
        .collect();
    let radius = 0.12;
    let thread = LineMesh::polyline(positions.clone()).unwrap().with_radius(radius).unwrap();
    let mut prepared = thread.clone();
    prepared.prepare(Needs::TREE);
    let particles = PointSet::new(positions.clone()).unwrap().with_radius(radius).unwrap();
    let from_segment = |point: &Point, cell: &[Point]| {
        let along = cell[1] - cell[0];
        let t = ((point - cell[0]).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        (point - (cell[0] + along * t)).norm()
    };
    let in_thread = |point: &Point| positions.windows(2).any(|cell| from_segment(point, cell) <= radius);
    let in_particles = |point: &Point| positions.iter().any(|center| (point - center).norm() <= radius);
    let mut total = 0;
    for _ in 0..150 {
        let ray = numbers.ray();
        let hits = all_hits(&prepared, &ray).unwrap();
        assert_eq!(hits, all_hits(&thread, &ray).unwrap());
        total += agree("thread", &ray, &hits, &marched(&ray, in_thread));
        for hit in &hits {
            points_out("thread", hit, in_thread);
            let ids = hit.feature.vertex_ids();
            assert!(hit.feature.cell != NONE && (ids.len() == 1 || ids[1] == ids[0] + 1));
        }
        let hits = all_hits(&particles, &ray).unwrap();
        total += agree("particles", &ray, &hits, &marched(&ray, in_particles));
    }
    assert!(total > 100, "{total} hits");
    assert!(all_hits(&LineMesh::polyline(positions).unwrap(), &numbers.ray()).unwrap().is_empty(), "bare");
}

#[test]
fn thick_surfaces_are_met_around() {
    let mut numbers = Numbers(4);
    let (positions, triangles) = bumpy_ball(8, 0.1, &mut numbers);
    let thickness = 0.1;
    let mut closed =
        SurfaceMesh::new(positions.clone(), triangles.clone()).unwrap().with_radius(thickness).unwrap();
    let mut open =
        SurfaceMesh::new(positions, triangles[5..].to_vec()).unwrap().with_radius(thickness).unwrap();
    let unprepared = closed.clone();
    closed.prepare(Needs::TREE | Needs::NORMALS);
    open.prepare(Needs::TREE | Needs::NORMALS);
    let mut total = 0;
    for _ in 0..40 {
        let ray = numbers.ray();
        for mesh in [&closed, &open] {
            let inside = |point: &Point| {
                let (signed, _) = mesh.signed_distance(point, f64::INFINITY).unwrap();
                let distance = if mesh.is_closed() { signed.distance } else { signed.distance.abs() };
                distance <= thickness
            };
            let hits = all_hits(mesh, &ray).unwrap();
            total += agree("thick surface", &ray, &hits, &marched(&ray, inside));
        }
        assert_eq!(all_hits(&closed, &ray).unwrap(), all_hits(&unprepared, &ray).unwrap());
    }
    assert!(total > 60, "{total} hits");
}

#[test]
fn the_nearest_cell_and_vertex_are_those_of_all() {
    let mut numbers = Numbers(5);
    let (positions, triangles) = bumpy_ball(12, 0.2, &mut numbers);
    let mut surface = SurfaceMesh::new(positions.clone(), triangles).unwrap();
    let mut thread = LineMesh::polyline(positions[..60].to_vec()).unwrap();
    let cells: Vec<[u32; 4]> = (0..40).map(|k| [k, k + 3, k + 17, k + 29]).collect();
    let mut tetra = TetraMesh::new(positions.clone(), cells).unwrap();
    let points = PointSet::new(positions.clone()).unwrap();
    let bare = (surface.clone(), thread.clone(), tetra.clone());
    surface.prepare(Needs::TREE);
    thread.prepare(Needs::TREE);
    tetra.prepare(Needs::TREE);
    let pairs: [(&dyn Geometry, &dyn Geometry); 3] =
        [(&surface, &bare.0), (&thread, &bare.1), (&tetra, &bare.2)];
    let mut inside = 0;
    for _ in 0..200 {
        let query = Point::from(numbers.vector() * 1.3);
        for (prepared, bare) in pairs {
            let found = nearest_cell(prepared, &query).unwrap();
            assert_eq!(Some(found), nearest_cell(bare, &query));
            let reached = (found.feature.surface_point() - query).norm();
            assert!((reached - found.distance).abs() <= 1e-12);
            inside += i32::from(found.distance == 0.0);
            let near = nearest_vertex(prepared, &query).unwrap();
            assert_eq!(Some(near), nearest_vertex(bare, &query));
            let vertex = near.feature.vertex_ids()[0] as usize;
            assert_eq!(near.feature.surface_point(), positions[vertex]);
            assert_eq!(near.distance, (positions[vertex] - query).norm());
            assert!(near.distance >= found.distance && near.feature.cell != NONE);
        }
        // No point of a grid of weights on any triangle is closer.
        let found = nearest_cell(&surface, &query).unwrap();
        for triangle in 0..surface.triangles().len() as u32 {
            let [a, b, c] = surface.corners(triangle);
            for (u, v) in
                (0..=4).flat_map(|i| (0..=4 - i).map(move |j| (f64::from(i) / 4.0, f64::from(j) / 4.0)))
            {
                let place = a + (b - a) * u + (c - a) * v;
                assert!((place - query).norm() >= found.distance - 1e-12);
            }
        }
        let least = positions.iter().map(|p| (p - query).norm()).fold(f64::INFINITY, f64::min);
        assert_eq!(nearest_vertex(&points, &query).unwrap().distance, least);
        assert_eq!(nearest_cell(&points, &query), None);
    }
    assert!(inside > 3, "{inside} inside of tetrahedra");
}

#[test]
fn what_cannot_be_met_is_refused_by_name() {
    struct Cloud;
    impl Geometry for Cloud {
        fn kind(&self) -> palpate_geometry::GeometryKind {
            palpate_geometry::GeometryKind::new("cloud")
        }
        fn bounds(&self) -> palpate_math::Aabb {
            palpate_math::Aabb::ALL
        }
        fn version(&self) -> palpate_geometry::Version {
            palpate_geometry::Version::default()
        }
    }
    let ray = Ray::new(Point::origin(), Vector::x(), 1.0).unwrap();
    let error = all_hits(&Cloud, &ray).unwrap_err().to_string();
    assert!(error.starts_with("the geometry is of kind cloud: wanted a kind that a ray can meet"), "{error}");
    assert!(
        nearest_cell(&Cloud, &Point::origin()).is_none()
            && nearest_vertex(&Cloud, &Point::origin()).is_none()
    );
}
