//! The laws of solids on the closed meshes of the shared folder, against tools of a hundredth to six tenths of
//! their size, and against each other. Runs if `PALPATE_SHARED` names the shared folder; then a missing file is a failure.
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_POSES` | poses of every mesh and tool, and of every two meshes; default 3, and 1 of each mesh and the next |
//! | `PALPATE_CELLS` | only the pairs whose name (`malleus.obj:capsule`) contains one of these words |
//! | `PALPATE_FAILED_CASES` | a file to which the failing cases are appended |

#![allow(clippy::print_stdout, reason = "prints a table of the pairs")]

use nalgebra::Translation3;
use palpate_detect::Registry;
use palpate_geometry::{Pose, Sidedness, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_mesh_io::{Contents, read};
use palpate_tests::compound::Body;
use palpate_tests::laws::solids::{Runs, SOLID_LAWS, SolidCase, SolidKind, Stand, meet_by_elements};
use palpate_tests::meshes::{self, CLOSED};
use palpate_tests::{Random, Shape};
use std::io::Write;
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

/// A mesh of a file, which need not be sound.
struct Organ {
    shape: Shape,
    /// What its health requires.
    sidedness: Sidedness,
}

/// The mesh moved to the origin and scaled to about two units.
fn organ(path: &Path) -> Organ {
    let Contents { positions, triangles, tetrahedra, .. } =
        read(path).unwrap_or_else(|error| panic!("{error}"));
    let (mut low, mut high) = (Vector::repeat(f64::MAX), Vector::repeat(f64::MIN));
    for point in &positions {
        (low, high) = (low.inf(&point.coords), high.sup(&point.coords));
    }
    let (middle, half) = ((low + high) / 2.0, (high - low).max() / 2.0);
    let vertices = positions.iter().map(|point| Point::from((point.coords - middle) / half)).collect();
    if tetrahedra.is_empty() {
        let mesh = SurfaceMesh::new(vertices, triangles).unwrap_or_else(|error| panic!("{error}"));
        let sidedness = mesh.health().sidedness();
        let (vertices, cells) = (mesh.points().positions().to_vec(), mesh.triangles().to_vec());
        Organ { shape: Shape::SurfaceMesh { vertices, cells, radius: 0.0 }, sidedness }
    } else {
        let shape = Shape::TetraMesh { vertices, cells: tetrahedra };
        Organ { shape, sidedness: Sidedness::Pseudonormals }
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

/// What makes a tool, its kind, and how it tells inside from outside if it is a surface mesh.
type Made<'a> = (&'a dyn Fn(&mut Random) -> Shape, SolidKind, Sidedness);

/// A tool near the surface of a mesh.
fn case(name: &str, organ: &Organ, (make, kind, sidedness): Made<'_>, number: usize) -> SolidCase {
    let Organ { shape: organ, sidedness: of_organ } = organ;
    let mut random = Random::named(name, number as u64);
    let exponent = random.between(-2.0, -0.22);
    let size = 10.0_f64.powf(exponent);
    let turn = Pose::from_parts(Translation3::identity(), random.rotation());
    let shape = make(&mut random).moved(&turn).scaled(size);
    let place = random.pick(organ.vertices()) + random.vector() * (0.3 * size);
    let shape = shape.shifted(&place.coords);
    let shared = if meet_by_elements(organ, &shape, 1e-7) { vec![[u32::MAX; 2]] } else { Vec::new() };
    SolidCase {
        cell: [kind_of(organ), kind],
        stand: Stand::General,
        number,
        a: Body::Whole(organ.clone()),
        b: Body::Whole(shape),
        margin: 0.0,
        shared,
        way: Vector::zeros(),
        sidedness: [*of_organ, sidedness],
    }
}

fn kind_of(mesh: &Shape) -> SolidKind {
    if matches!(mesh, Shape::TetraMesh { .. }) { SolidKind::TetraMesh } else { SolidKind::SurfaceMesh }
}

/// The verdicts of all cases.
#[derive(Default)]
struct Verdicts {
    failures: Vec<String>,
    failed_cases: String,
    shared: usize,
    all: usize,
}

impl Verdicts {
    /// Judges the first poses of a pair, unless `PALPATE_CELLS` leaves it out, and prints its line of the table.
    fn judge(&mut self, name: &str, poses: usize, case: impl Fn(usize) -> SolidCase) {
        let asked = std::env::var("PALPATE_CELLS").unwrap_or_default();
        let mut asked = asked.split_whitespace().peekable();
        if asked.peek().is_some() && !asked.any(|word| name.contains(word)) {
            return;
        }
        let registry = Registry::standard();
        let laws: Vec<_> = SOLID_LAWS.iter().filter(|law| JUDGED.contains(&law.name)).collect();
        let mut wrong = vec![0; laws.len()];
        for number in 0..poses {
            let case = case(number);
            self.shared += usize::from(!case.shared.is_empty());
            self.all += 1;
            for (count, law) in wrong.iter_mut().zip(&laws) {
                let judged =
                    Runs::new(&registry, &case, None).and_then(|mut runs| (law.judge)(&mut runs, &case));
                if let Err(reason) = judged {
                    *count += 1;
                    let reason: String = reason.chars().take(300).collect();
                    self.failures.push(format!("{name} {number}, {}: {reason}", law.name));
                    self.failed_cases += &format!("{}\n", case.to_json());
                }
            }
        }
        let told: Vec<String> =
            laws.iter().zip(&wrong).map(|(law, count)| format!("{} {count}", law.name)).collect();
        println!("{name:48} of {poses} wrong: {}", told.join(", "));
    }

    /// Panics if a law is broken, or if less than this part of the cases overlap.
    fn end(&self, overlapping: f64) {
        if let Ok(path) = std::env::var("PALPATE_FAILED_CASES") {
            // Appended: the tests of this file run side by side.
            let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
            let written = file.and_then(|mut file| file.write_all(self.failed_cases.as_bytes()));
            written.expect("the file of failed cases is written");
        }
        let Self { failures, shared, all, .. } = self;
        assert!(*shared as f64 >= overlapping * *all as f64, "{shared} of {all} share a point");
        let shown: Vec<&str> = failures.iter().take(20).map(String::as_str).collect();
        assert!(failures.is_empty(), "{} break a law:\n{}", failures.len(), shown.join("\n"));
    }
}

/// The number of poses asked for.
fn poses() -> Option<usize> {
    let poses = std::env::var("PALPATE_POSES").ok()?;
    Some(poses.parse().expect("a number of poses"))
}

#[test]
fn real_meshes_keep_the_laws_of_solids() {
    let Some(folder) = folder() else { return };
    let mut verdicts = Verdicts::default();
    for file in CLOSED {
        // The manifest counts one as not closed: its boundary is not a manifold, but tetrahedra are solid all the same.
        let organ = organ(&folder.join(file));
        for kind in TOOLS {
            let tool_kind = if kind == SolidKind::Sphere { SolidKind::Convex } else { kind };
            let make = |random: &mut Random| tool(kind, random);
            let of_pose = |number| {
                case(
                    &format!("{file} {kind:?}"),
                    &organ,
                    (&make, tool_kind, Sidedness::Pseudonormals),
                    number,
                )
            };
            verdicts.judge(&format!("{file}:{kind:?}"), poses().unwrap_or(3), of_pose);
        }
    }
    verdicts.end(0.5);
}

/// Every mesh as a tool of every mesh, if a number of poses is asked for; otherwise of the next one.
#[test]
fn real_meshes_keep_the_laws_of_solids_against_each_other() {
    let Some(folder) = folder() else { return };
    let organs = CLOSED.map(|file| organ(&folder.join(file)));
    let mut verdicts = Verdicts::default();
    for (index, (file, organ)) in CLOSED.iter().zip(&organs).enumerate() {
        let others = if poses().is_some() { 0..CLOSED.len() } else { 1..2 };
        for other in others.map(|step| (index + step) % CLOSED.len()) {
            let name = format!("{file}:{}", CLOSED[other]);
            let Organ { shape, sidedness } = &organs[other];
            let make = |_: &mut Random| shape.clone();
            let of_pose = |number| case(&name, organ, (&make, kind_of(shape), *sidedness), number);
            verdicts.judge(&name, poses().unwrap_or(1), of_pose);
        }
    }
    verdicts.end(0.25);
}
