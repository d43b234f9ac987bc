//! The laws of solids on the closed meshes of the shared folder, against tools of a hundredth to six tenths of
//! their size. Runs if `PALPATE_SHARED` names the shared folder; then a missing file is a failure.
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_POSES` | poses of every mesh and tool; default 3 |
//! | `PALPATE_CELLS` | only the pairs whose name (`malleus.obj:capsule`) contains one of these words |
//! | `PALPATE_FAILED_CASES` | a file to which the failing cases are written |

#![allow(clippy::print_stdout, reason = "prints a table of the pairs")]

use nalgebra::Translation3;
use palpate_detect::Registry;
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use palpate_mesh_io::{Contents, read};
use palpate_tests::compound::Body;
use palpate_tests::laws::solids::{Runs, SOLID_LAWS, SolidCase, SolidKind, Stand, meet_by_elements};
use palpate_tests::meshes::{self, CLOSED};
use palpate_tests::{Random, Shape};
use std::path::{Path, PathBuf};

/// The laws that are judged here; the others are tested on generated cases.
const JUDGED: [&str; 4] = ["least exit", "seen", "steady", "told apart"];

const TOOLS: [SolidKind; 6] = [
    SolidKind::OrientedBox,
    SolidKind::Cylinder,
    SolidKind::Capsule,
    SolidKind::Sphere,
    SolidKind::Convex,
    SolidKind::SurfaceMesh,
];

fn folder() -> Option<PathBuf> {
    std::env::var_os("PALPATE_SHARED").map(|shared| PathBuf::from(shared).join("data/meshes"))
}

/// The mesh moved to the origin and scaled to about two units.
fn organ(path: &Path) -> Shape {
    let Contents { positions, triangles, tetrahedra, .. } =
        read(path).unwrap_or_else(|error| panic!("{error}"));
    let (mut low, mut high) = (Vector::repeat(f64::MAX), Vector::repeat(f64::MIN));
    for point in &positions {
        (low, high) = (low.inf(&point.coords), high.sup(&point.coords));
    }
    let (middle, half) = ((low + high) / 2.0, (high - low).max() / 2.0);
    let vertices = positions.iter().map(|point| Point::from((point.coords - middle) / half)).collect();
    if tetrahedra.is_empty() {
        Shape::SurfaceMesh { vertices, cells: triangles, radius: 0.0 }
    } else {
        Shape::TetraMesh { vertices, cells: tetrahedra }
    }
}

/// A tool of unit extent, thin or thick.
fn tool(kind: SolidKind, random: &mut Random) -> Shape {
    let pose = Pose::identity();
    let mut half = || random.pick(&[0.1, 0.3, 0.6]);
    let half_extents = Vector::new(half(), half(), half());
    match kind {
        SolidKind::OrientedBox => Shape::OrientedBox { pose, half_extents },
        SolidKind::Cylinder => Shape::Cylinder { pose, radius: half_extents.x, length: 2.0 * half_extents.y },
        SolidKind::Capsule => Shape::Capsule { pose, radius: half_extents.x, length: 2.0 * half_extents.y },
        // In place of the ball, an ellipsoid.
        SolidKind::Sphere => Shape::Ellipsoid { pose, radii: half_extents },
        SolidKind::Convex => {
            let corners =
                (0..14).map(|_| Point::from(random.direction().component_mul(&half_extents))).collect();
            Shape::Convex { pose, corners, margin: 0.0 }
        }
        _ => {
            let (mut vertices, cells) = meshes::bumpy(random, 1, 0.2);
            vertices.iter_mut().for_each(|p| p.coords.component_mul_assign(&half_extents));
            Shape::SurfaceMesh { vertices, cells, radius: 0.0 }
        }
    }
}

/// A tool near the surface of a mesh.
fn case(name: &str, organ: &Shape, kind: SolidKind, number: usize) -> SolidCase {
    let mut random = Random::named(&format!("{name} {kind:?}"), number as u64);
    let exponent = random.between(-2.0, -0.22);
    let size = 10.0_f64.powf(exponent);
    let turn = Pose::from_parts(Translation3::identity(), random.rotation());
    let shape = tool(kind, &mut random).moved(&turn).scaled(size);
    let place = random.pick(organ.vertices()) + random.vector() * (0.3 * size);
    let shape = shape.shifted(&place.coords);
    let shared = if meet_by_elements(organ, &shape, 1e-7) { vec![[u32::MAX; 2]] } else { Vec::new() };
    let own =
        if matches!(organ, Shape::TetraMesh { .. }) { SolidKind::TetraMesh } else { SolidKind::SurfaceMesh };
    SolidCase {
        cell: [own, if kind == SolidKind::Sphere { SolidKind::Convex } else { kind }],
        stand: Stand::General,
        number,
        a: Body::Whole(organ.clone()),
        b: Body::Whole(shape),
        margin: 0.0,
        shared,
        way: Vector::zeros(),
    }
}

#[test]
fn real_meshes_keep_the_laws_of_solids() {
    let Some(folder) = folder() else { return };
    let poses = std::env::var("PALPATE_POSES").map_or(3, |poses| poses.parse().expect("a number of poses"));
    let asked = std::env::var("PALPATE_CELLS").unwrap_or_default();
    let asked: Vec<&str> = asked.split_whitespace().collect();
    let registry = Registry::standard();
    let laws: Vec<_> = SOLID_LAWS.iter().filter(|law| JUDGED.contains(&law.name)).collect();
    let (mut failures, mut failed_cases, mut shared, mut all) = (Vec::new(), String::new(), 0, 0);
    for file in CLOSED {
        // The manifest counts it as not closed: its boundary is not a manifold, but tetrahedra are solid all the
        // same.
        let organ = organ(&folder.join(file));
        for kind in TOOLS {
            let name = format!("{file}:{kind:?}");
            if !asked.is_empty() && !asked.iter().any(|word| name.contains(word)) {
                continue;
            }
            let mut wrong = vec![0; laws.len()];
            for number in 0..poses {
                let case = case(file, &organ, kind, number);
                shared += usize::from(!case.shared.is_empty());
                all += 1;
                for (count, law) in wrong.iter_mut().zip(&laws) {
                    let judged =
                        Runs::new(&registry, &case, None).and_then(|mut runs| (law.judge)(&mut runs, &case));
                    if let Err(reason) = judged {
                        *count += 1;
                        let reason: String = reason.chars().take(300).collect();
                        failures.push(format!("{name} {number}, {}: {reason}", law.name));
                        failed_cases += &format!("{}\n", case.to_json());
                    }
                }
            }
            let told: Vec<String> =
                laws.iter().zip(&wrong).map(|(law, count)| format!("{} {count}", law.name)).collect();
            println!("{name:40} of {poses} wrong: {}", told.join(", "));
        }
    }
    if let Ok(path) = std::env::var("PALPATE_FAILED_CASES") {
        std::fs::write(path, failed_cases).expect("the file of failed cases is written");
    }
    assert!(2 * shared >= all, "{shared} of {all} share a point");
    let shown: Vec<&str> = failures.iter().take(20).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} break a law:\n{}", failures.len(), shown.join("\n"));
}
