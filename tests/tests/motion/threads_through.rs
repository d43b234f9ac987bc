//! Threads and points that pass through others between two frames.

use super::*;
use palpate_geometry::implicit::ImplicitFunction;

fn step(detector: &str, a: &mut dyn Geometry, b: &mut dyn Geometry) -> Vec<Contact> {
    a.prepare(Needs::all());
    b.prepare(Needs::all());
    run(&Registry::standard(), detector, [a, b], &Context::new()).0.contacts
}

/// The toolkit that the detector is named for finds none of these below 3.1 mm.
#[test]
fn perpendicular_threads_that_cross_are_found_at_every_length() {
    let mut random = Random::new(11);
    for exponent in -4..=2 {
        let length = 10.0_f64.powi(exponent);
        for _ in 0..200 {
            let turn = Pose::new(random.vector() * length, random.vector() * 3.0);
            let (s, t) = (random.between(-0.9, 0.9) * 0.5, random.between(-0.9, 0.9) * 0.5);
            let fast = random.between(0.1, 10.0);
            let still = [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]];
            let crossing = |y: f64| [[s, y, t - 0.5], [s, y, t + 0.5]];
            let place = |points: [[f64; 3]; 2]| -> Vec<Point> {
                points.iter().map(|point| turn * Point::from(Vector::from(*point) * length)).collect()
            };
            let mut a = LineMesh::polyline(place(still)).unwrap();
            let mut b = LineMesh::polyline(place(crossing(-fast))).unwrap();
            b.set_previous(&place(crossing(fast))).unwrap();
            let found = step("LineMeshToLineMeshCCD", &mut a, &mut b);
            assert_eq!(found.len(), 1, "length {length}, {s}, {t}");
            assert!((found[0].time_of_impact - 0.5).abs() < 1e-5);
            // A is moved the way that B moves: along its +y, which is where B came from, negated.
            let along = turn.rotation * Vector::y();
            let away = found[0].direction_of(palpate_contact::Side::B).dot(&along);
            assert!((away - 1.0).abs() < 1e-9, "{away}");
            assert!((found[0].depth - fast * length).abs() < 1e-9 * length * (1.0 + fast));
        }
    }
}

/// Pushed to any depth in one step or in many, a vertex keeps the contact at which it entered.
#[test]
fn a_vertex_pushed_into_a_body_stays_at_its_entry() {
    let registry = Registry::standard();
    for depth in [1e-3, 1e-2, 0.1, 1.0] {
        for steps in [1, 2, 100] {
            let ball: Arc<dyn ImplicitFunction> = Arc::new(Sphere::new(Point::origin(), 1.0).unwrap());
            let mut body = ImplicitBody::new(Pose::identity(), ball).unwrap();
            let entry = Vector::new(0.6, 0.8, 0.0);
            // Inward at a slant, so that the nearest side is another one than the entry.
            let way = Vector::new(-0.5, -0.7, 0.3).normalize();
            let at = |pushed: f64| Point::from(entry * 1.0 + way * (pushed - 0.01));
            let mut vertex = PointSet::new(vec![at(0.0)]).unwrap();
            body.prepare(Needs::all());
            let mut bound =
                registry.bind(&body, &vertex, Choice::named("ImplicitGeometryToPointSetCCD")).unwrap();
            let mut out = CollisionData::new();
            let mut entered: Option<[f64; 3]> = None;
            for number in 1..=steps {
                vertex.advance();
                vertex.set_positions(&[at((depth + 0.01) * f64::from(number) / f64::from(steps))]).unwrap();
                bound.run(&body, &vertex, &Context::new(), &mut out).unwrap();
                assert!(out.len() <= 1);
                let Some(contact) = out.contacts.first() else { continue };
                let place = *entered.get_or_insert(contact.a.point);
                assert_eq!(contact.a.point, place, "depth {depth}, step {number} of {steps}");
                let outward = contact.direction_of(palpate_contact::Side::B);
                let off = (Point::from(place) - vertex.positions()[0]).dot(&outward);
                assert!((contact.depth - off).abs() < 1e-12);
            }
            let place = Point::from(entered.expect("it is inside"));
            assert!(
                (place.coords.norm() - 1.0).abs() < 1e-9 && (place.coords - entry).norm() < 1e-4,
                "{place}"
            );
            // It rests, inside: the contact stays. Then it is pulled out, and the contact is gone.
            for _ in 0..3 {
                vertex.advance();
                bound.run(&body, &vertex, &Context::new(), &mut out).unwrap();
                assert_eq!(out.contacts[0].a.point, entered.unwrap());
            }
            vertex.advance();
            vertex.set_positions(&[at(-1.0)]).unwrap();
            bound.run(&body, &vertex, &Context::new(), &mut out).unwrap();
            vertex.advance();
            bound.run(&body, &vertex, &Context::new(), &mut out).unwrap();
            assert!(out.is_empty(), "depth {depth}: {:?}", out.contacts);
        }
    }
}

/// A vertex that leaves the inside of a solid is not held, one that enters is; a sheet holds both.
#[test]
fn what_leaves_a_solid_is_no_contact() {
    let corner = |k: u32| Point::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1));
    let box_triangles = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    let (inside, outside) = (Point::new(0.4, 0.9, 0.3), Point::new(0.4, 1.5, 0.3));
    for (sheet, from, to, wanted) in [
        (false, inside, outside, 0),
        (false, outside, inside, 1),
        (true, inside, outside, 1),
        (true, outside, inside, 1),
    ] {
        let mesh = SurfaceMesh::new((0..8).map(corner).collect(), box_triangles.to_vec()).unwrap();
        let mut mesh = mesh.with_closed(!sheet);
        let mut vertex = PointSet::new(vec![to]).unwrap();
        vertex.set_previous(&[from]).unwrap();
        let found = step("point_set_surface_mesh_ccd", &mut vertex, &mut mesh);
        assert_eq!(found.len(), wanted, "sheet: {sheet}, from {from}");
        for contact in found {
            let back = (from - to).normalize();
            assert!((contact.direction_of(palpate_contact::Side::A) - back).norm() < 1e-12, "{contact:?}");
        }
    }
}
