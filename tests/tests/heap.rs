//! A settled step on one thread does not touch the heap: neither moving the geometry, nor preparing it, nor
//! detecting.

use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, MatrixCell, Registry, Served};
use palpate_geometry::implicit::Torus;
use palpate_geometry::pose::rotation_from_axis;
use palpate_geometry::{
    Capsule, Cone, Convex, Cylinder, Ellipsoid, Geometry, GeometryError, GeometryKind, ImplicitBody,
    OrientedBox, Pose, Sphere, SurfaceMesh,
};
use palpate_math::{Point, Vector};
use palpate_tests::cases::{cases, variants};
use palpate_tests::compound::compound_case;
use palpate_tests::{Case, Random, Regime, Shape};
use std::sync::Arc;

/// Frames before the step counts as settled.
const WARM: usize = 4;

/// Measured frames.
const MEASURED: usize = 8;

/// The positions of B over the frames: a small periodic swing.
fn swing(case: &Case) -> Vec<Shape> {
    let reach = 1e-3 * case.size();
    (0..4).map(|k| case.b.shifted(&Vector::new(0.0, reach * f64::from(k % 3), 0.0))).collect()
}

struct Stage {
    a: Box<dyn Geometry>,
    b: Box<dyn Geometry>,
    out: CollisionData,
}

/// Allocations of the measured frames, and contacts in them.
fn allocations(registry: &Registry, case: &Case) -> (u64, usize) {
    let mut stage = Stage { a: case.a.prepared(), b: case.b.prepared(), out: CollisionData::new() };
    let choice =
        Choice { detector: Some(case.detector), settings: case.settings.as_ref(), ..Choice::default() };
    let mut bound = registry.bind(stage.a.as_ref(), stage.b.as_ref(), choice).expect("the case binds");
    let places = swing(case);
    let [needs_a, needs_b] = bound.needs();
    let context = Context::new().with_margin(case.margin);
    let mut contacts = 0;
    let mut frame = |index: usize, stage: &mut Stage| {
        let Stage { a, b, out } = stage;
        case.a.place(a.as_mut());
        places[index % places.len()].place(b.as_mut());
        a.prepare(needs_a);
        b.prepare(needs_b);
        bound.run(a.as_ref(), b.as_ref(), &context, out).expect("the case runs");
        contacts += out.len();
    };
    for index in 0..WARM {
        frame(index, &mut stage);
    }
    let measured = allocation_counter::measure(|| {
        for index in WARM..WARM + MEASURED {
            frame(index, &mut stage);
        }
    });
    (measured.count_total, contacts)
}

// Proves: REQ-NO-HEAP
#[test]
fn a_settled_step_allocates_nothing() {
    let registry = Registry::standard();
    let mut failures = Vec::new();
    for entry in registry.static_detectors() {
        let mut with_contacts = 0;
        let count = variants(entry).len().max(4);
        for regime in [Regime::Deep, Regime::Near] {
            for case in cases(&registry, entry, regime, count).unwrap() {
                let (allocations, contacts) = allocations(&registry, &case);
                with_contacts += usize::from(contacts > 0);
                if allocations > 0 {
                    failures.push(format!(
                        "{} {regime:?} {}: {allocations} allocations",
                        entry.name, case.number
                    ));
                }
            }
        }
        assert!(with_contacts >= count, "{}: only {with_contacts} cases have contacts", entry.name);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The same for the children of a compound, moved one by one.
// Proves: REQ-NO-HEAP
#[test]
fn a_settled_step_of_a_compound_allocates_nothing() {
    let registry = Registry::standard();
    let served = |kind: &GeometryKind| {
        let of_kind = |cell: &MatrixCell| cell.a == *kind || cell.b == *kind;
        let by_detector = |cell: &MatrixCell| matches!(cell.served, Served::By { .. });
        *kind == GeometryKind::COMPOUND
            || registry.matrix().iter().any(|cell| of_kind(cell) && by_detector(cell))
    };
    for kind in GeometryKind::ORDER.into_iter().filter(served) {
        let mut with_contacts = 0;
        for number in 0..6 {
            let Some(case) = compound_case(&registry, &kind, Regime::Deep, number).unwrap() else { continue };
            let shift = Vector::new(0.0, 1e-4, 0.0);
            let places = [case.b.clone(), case.b.map(|shape| shape.shifted(&shift))];
            let (mut a, mut b) = (case.a.prepared(), case.b.prepared());
            let mut bound = registry.bind(a.as_ref(), b.as_ref(), Choice::default()).unwrap();
            let mut out = CollisionData::new();
            let mut frame = |index: usize| {
                case.a.place(a.as_mut());
                places[index % 2].place(b.as_mut());
                bound.run(a.as_ref(), b.as_ref(), &Context::new(), &mut out).unwrap();
                out.len()
            };
            with_contacts += usize::from((0..WARM).map(&mut frame).all(|contacts| contacts > 0));
            let measured = allocation_counter::measure(|| {
                for index in 0..MEASURED {
                    frame(index);
                }
            });
            assert_eq!(measured.count_total, 0, "{kind} {number}: {}", case.to_json());
        }
        assert!(with_contacts >= 5, "{kind}: only {with_contacts} cases have contacts");
    }
}

/// The same for self-contact.
// Proves: REQ-NO-HEAP
#[test]
fn a_settled_step_of_self_contact_allocates_nothing() {
    let registry = Registry::standard();
    for entry in registry.static_detectors().filter(|entry| entry.self_contact) {
        let mut random = Random::new(5);
        let (vertices, cells) = palpate_tests::meshes::walk(&mut random, 300);
        let shape = match entry.a.kind().name() {
            "point_set" => Shape::PointSet { vertices, radius: 0.05 },
            "line_mesh" => Shape::LineMesh { vertices, cells, radius: 0.05 },
            "surface_mesh" => {
                let (vertices, cells) = palpate_tests::meshes::bumpy(&mut random, 2, 0.1);
                // Mirrored in a plane beside its centre, so that it intersects itself.
                let (count, others) = (vertices.len() as u32, cells.clone());
                let others = others.into_iter().map(|ids| ids.map(|id| count + id));
                let mirrored = vertices.iter().map(|v| Point::new(0.7 - v.x, v.y, v.z));
                let vertices = vertices.iter().copied().chain(mirrored).collect();
                Shape::SurfaceMesh { vertices, cells: cells.into_iter().chain(others).collect(), radius: 0.0 }
            }
            _ => panic!("write a self-contact case for {}", entry.name),
        };
        let mut geometry = shape.prepared();
        let mut bound = registry.bind_self(geometry.as_ref(), Choice::named(entry.name)).unwrap();
        let mut out = CollisionData::new();
        let mut frame = || {
            shape.place(geometry.as_mut());
            geometry.prepare(bound.needs()[0]);
            bound.run_self(geometry.as_ref(), &Context::new(), &mut out).unwrap();
            out.len()
        };
        let contacts = (0..WARM).map(|_| frame()).max();
        let measured = allocation_counter::measure(|| {
            for _ in 0..MEASURED {
                frame();
            }
        });
        assert!(contacts > Some(20), "{contacts:?} contacts");
        assert_eq!(measured.count_total, 0, "{}", entry.name);
    }
}

/// Limit in bytes for the pairs of fifty tools with an organ of 100,000 vertices, excluding the geometry.
const MOST_BYTES: u64 = 20 << 20;

/// A tool at a point of the unit sphere, of about `size`.
fn tool(number: usize, at: Vector, size: f64) -> Result<Box<dyn Geometry>, GeometryError> {
    let mut random = Random::new(number as u64);
    let axis = Vector::new(0.3, 1.0, 0.1 * number as f64);
    let pose = palpate_geometry::pose::from_rotation(Point::from(at), rotation_from_axis(axis)?)?;
    let corners: Vec<Point> = (0..24).map(|_| Point::from(random.direction() * size)).collect();
    Ok(match number % 9 {
        0 => Box::new(Sphere::new(Point::from(at), size)?),
        1 => Box::new(Capsule::new(pose, size, 2.0 * size)?),
        2 => Box::new(OrientedBox::new(pose, Vector::repeat(size))?),
        3 => Box::new(Cylinder::new(pose, size, 2.0 * size)?),
        4 => Box::new(Cone::new(pose, size, 2.0 * size)?),
        5 => Box::new(Ellipsoid::new(pose, Vector::new(size, 2.0 * size, 0.5 * size))?),
        6 => Box::new(Convex::new(pose, &corners)?),
        7 => {
            let ring = Torus::new(Pose::identity(), size, 0.2 * size)?;
            Box::new(ImplicitBody::new(pose, Arc::new(ring))?)
        }
        _ => {
            let (vertices, cells) = palpate_tests::meshes::bumpy(&mut random, 3, 0.1);
            let vertices = vertices.iter().map(|vertex| Point::from(at + vertex.coords * size)).collect();
            Box::new(SurfaceMesh::new(vertices, cells)?)
        }
    })
}

#[test]
fn fifty_tools_over_an_organ_hold_little_beside_the_geometry() {
    let registry = Registry::standard();
    let (vertices, cells) = palpate_tests::meshes::icosphere(7);
    assert!(vertices.len() >= 100_000);
    let mut organ = SurfaceMesh::new(vertices, cells).unwrap();
    let mut random = Random::new(1);
    let mut tools: Vec<_> = (0..50).map(|number| tool(number, random.direction(), 0.05).unwrap()).collect();
    for tool in &mut tools {
        let bound = registry.bind(&organ, tool.as_ref(), Choice::default()).unwrap();
        let [of_organ, of_tool] = bound.needs();
        organ.prepare(of_organ);
        tool.prepare(of_tool);
    }
    let mut held = Vec::new();
    let measured = allocation_counter::measure(|| {
        for tool in &tools {
            let mut bound = registry.bind(&organ, tool.as_ref(), Choice::default()).unwrap();
            let mut out = CollisionData::new();
            bound.run(&organ, tool.as_ref(), &Context::new().with_margin(0.01), &mut out).unwrap();
            held.push((bound, out));
        }
    });
    assert!(held.iter().all(|(_, out)| !out.is_empty()), "every tool must be in contact");
    let bytes = u64::try_from(measured.bytes_current).unwrap();
    assert!(bytes > 100_000 && bytes < MOST_BYTES, "{measured:?}");
}

/// The allocation counter works: otherwise the tests above could not fail.
#[test]
fn the_counter_counts() {
    let measured = allocation_counter::measure(|| drop(std::hint::black_box(vec![1_u8; 100])));
    assert_eq!(measured.count_total, 1);
}
