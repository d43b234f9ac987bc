//! The same bytes for any number of threads, on meshes big enough to be split.

use crate::all_cases::REGISTRY;
use palpate_detect::{Context, Pool};
use palpate_geometry::{GeometryKind, Pose};
use palpate_math::{Point, Vector};
use palpate_tests::cases::variants;
use palpate_tests::compare::same_bits;
use palpate_tests::generate::{anchor, generate};
use palpate_tests::{Case, Function, Random, Regime, Shape, Subject, meshes};

/// Thousands of vertices of a mesh kind; a primitive of ordinary size.
fn large(kind: &GeometryKind, random: &mut Random) -> Shape {
    let radius = 0.02;
    match kind.name() {
        "point_set" => {
            Shape::PointSet { vertices: (0..6000).map(|_| Point::from(random.vector())).collect(), radius }
        }
        "line_mesh" => {
            let (vertices, cells) = meshes::walk(random, 1500);
            Shape::LineMesh { vertices, cells, radius }
        }
        "surface_mesh" => {
            let (vertices, cells) = meshes::bumpy(random, 4, 0.02);
            Shape::SurfaceMesh { vertices, cells, radius: 0.0 }
        }
        "tetra_mesh" => {
            let (vertices, cells) = meshes::tetra_block(random, [11, 11, 11], 0.1);
            Shape::TetraMesh { vertices, cells }
        }
        "implicit" => {
            // Through the whole mesh.
            let pose = Pose::identity();
            let function = Function::Torus { pose, major: 0.8, minor: 0.4 };
            Shape::Implicit { pose, scale: 1.5, function }
        }
        _ => {
            let shape = generate(kind, 1.5, random).unwrap_or_else(|error| panic!("{error}"));
            shape.shifted(&-anchor(&shape, random).coords)
        }
    }
}

// Proves: REQ-ORDER, REQ-NO-HEAP
#[test]
fn one_two_four_and_eight_threads_give_the_same_bytes() {
    let pools = [1, 2, 4, 8].map(|threads| Pool::new(threads).unwrap());
    let subject = Subject::new(&REGISTRY);
    for entry in REGISTRY.static_detectors() {
        let mut most = 0;
        for (number, (kind_a, kind_b, settings)) in variants(entry).into_iter().enumerate() {
            let mut random = Random::named(entry.name, number as u64);
            let a = large(&kind_a, &mut random);
            let b = large(&kind_b, &mut random).moved(&Pose::translation(0.3, 0.1, -0.2));
            let b = if let Shape::Plane { normal, .. } = b {
                Shape::Plane { position: Point::origin() + Vector::repeat(0.1), normal, two_sided: false }
            } else {
                b
            };
            let (regime, margin) = (Regime::Deep, 0.01);
            let case = Case { detector: entry.name, regime, number, a, b, margin, settings };
            let (a, b) = (case.a.prepared(), case.b.prepared());
            let context = Context::new().with_margin(margin);
            let mut bound = subject.bind(&case, a.as_ref(), b.as_ref()).unwrap();
            let serial = subject.run(&mut bound, a.as_ref(), b.as_ref(), &context).unwrap();
            most = most.max(serial.len());
            for pool in &pools {
                let context = context.with_executor(pool);
                let mut fresh = subject.bind(&case, a.as_ref(), b.as_ref()).unwrap();
                for bound in [&mut bound, &mut fresh] {
                    let parallel = subject.run(bound, a.as_ref(), b.as_ref(), &context).unwrap();
                    same_bits(&serial, &parallel).unwrap_or_else(|reason| panic!("{}: {reason}", entry.name));
                }
            }
        }
        // Primitives have a single contact; contacts of meshes come from several chunks.
        let meshes = [entry.a.kind(), entry.b.kind()].iter().any(|kind| kind.name().ends_with("_mesh"));
        // A solid that contains the centre of a primitive has few contacts with it.
        let solid = ["tetra_mesh", "closed_surface_mesh"].iter().any(|kind| entry.name.starts_with(kind));
        let held = solid && !entry.b.kind().name().ends_with("_mesh");
        let many = (meshes && !held) || entry.name.starts_with("point_set");
        let least = if many { 100 } else { 1 };
        assert!(most >= least, "{}: at most {most} contacts", entry.name);
    }
}
