//! Every kind and every pair of the matrix through C and C++: the contacts of Rust, bit for bit.

use crate::build::{Link, compile, compilers, folder, has, run, well};
use crate::shapes::Body;
use palpate::contact::{CollisionData, Contact};
use palpate::detect::{Choice, Context, Registry};
use palpate::geometry::{GeometryKind, Pose};
use palpate::math::{Point, Vector};
use palpate::serde_json::Value;
use palpate_tests::cases::cases;
use palpate_tests::{Function, Regime, Shape};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// Cases of each detector in each regime.
const CASES: usize = 2;

struct Question {
    detector: Option<String>,
    settings: Option<Value>,
    margin: f64,
    sides: [Body; 2],
}

impl Question {
    /// The contacts as `palpate detect` finds them: bound, prepared, run.
    fn answer(&self, registry: &Registry) -> CollisionData {
        let [mut a, mut b] = [&self.sides[0], &self.sides[1]].map(Body::build);
        let choice = Choice {
            detector: self.detector.as_deref(),
            settings: self.settings.as_ref(),
            ..Choice::default()
        };
        let mut bound = registry.bind(&*a, &*b, choice).unwrap();
        let [needs_a, needs_b] = bound.needs();
        a.prepare(needs_a);
        b.prepare(needs_b);
        let (context, mut out) = (Context::new().with_margin(self.margin), CollisionData::new());
        bound.run(&*a, &*b, &context, &mut out).unwrap();
        out
    }

    fn write(&self, to: &mut String) {
        let settings = self.settings.as_ref().map_or_else(|| "-".to_owned(), Value::to_string);
        let detector = self.detector.as_deref().unwrap_or("-");
        write!(to, "{detector} {:x} {settings} ", self.margin.to_bits()).unwrap();
        self.sides.iter().for_each(|side| side.write(to));
        to.push('\n');
    }
}

/// A body of a kind that reaches a little beyond y = 0, from below or, turned by half a turn about z, from above.
fn body(kind: &GeometryKind, turned: bool) -> Body {
    let sign = if turned { -1.0 } else { 1.0 };
    let at = |x: f64, y: f64, z: f64| Point::new(sign * x, sign * y, z);
    let pose = |y: f64| Pose::from(at(0.0, y, 0.0).coords);
    let corners = vec![at(0.0, 0.05, 0.0), at(1.0, -0.95, -1.0), at(-1.0, -0.95, -1.0), at(0.0, -0.95, 1.5)];
    let (radius, middle) = (0.5, at(0.0, -0.45, 0.0));
    let ball = |center: Point| Shape::Sphere { center, radius };
    Body::Whole(match kind.name() {
        "compound" => return Body::Children(vec![ball(at(7.0, 0.0, 0.0)), ball(middle)]),
        "implicit" => Shape::Implicit {
            pose: Pose::identity(),
            scale: 1.0,
            function: Function::Primitive(Box::new(Shape::OrientedBox {
                pose: pose(-0.45),
                half_extents: Vector::repeat(0.5),
            })),
        },
        "point_set" => Shape::PointSet { vertices: vec![at(0.0, -0.05, 0.0)], radius: 0.1 },
        "line_mesh" => Shape::LineMesh {
            vertices: vec![at(-0.3, -0.05, 0.0), at(0.4, -0.05, 0.0)],
            cells: vec![[0, 1]],
            radius: 0.1,
        },
        "surface_mesh" => Shape::SurfaceMesh {
            vertices: corners,
            cells: vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
            radius: 0.0,
        },
        "tetra_mesh" => Shape::TetraMesh { vertices: corners, cells: vec![[0, 1, 2, 3]] },
        "plane" => {
            let normal = Vector::new(0.0, sign, 0.0);
            Shape::Plane { position: at(0.0, 0.05, 0.0), normal, two_sided: false }
        }
        "sphere" => ball(middle),
        "capsule" => Shape::Capsule { pose: pose(-0.45), radius: 0.25, length: 0.5 },
        "cylinder" => Shape::Cylinder { pose: pose(-0.45), radius, length: 1.0 },
        "oriented_box" => Shape::OrientedBox { pose: pose(-0.45), half_extents: Vector::new(0.5, 0.5, 0.25) },
        "convex" => Shape::Convex { pose: Pose::identity(), corners, margin: 0.0 },
        other => panic!("write a body of kind {other}"),
    })
}

/// Every two kinds in either order, but for the one pair that is refused; then generated cases of every detector.
fn questions(registry: &Registry) -> Vec<Question> {
    let mut questions = Vec::new();
    for a in &GeometryKind::ORDER {
        for b in &GeometryKind::ORDER {
            if *a == GeometryKind::PLANE && a == b {
                continue;
            }
            let sides = [body(a, false), body(b, true)];
            questions.push(Question { detector: None, settings: None, margin: 0.0, sides });
        }
    }
    assert_eq!(questions.len(), 12 * 12 - 1);
    for entry in registry.static_detectors() {
        for regime in Regime::ALL {
            for case in cases(registry, entry, regime, CASES).unwrap() {
                questions.push(Question {
                    detector: Some(case.detector.to_owned()),
                    settings: case.settings.clone(),
                    margin: case.margin,
                    sides: [Body::Whole(case.a), Body::Whole(case.b)],
                });
            }
        }
    }
    questions
}

/// The file of the cases, and the bytes that every program has to write.
fn wanted() -> &'static (std::path::PathBuf, Vec<u8>) {
    static WANTED: OnceLock<(std::path::PathBuf, Vec<u8>)> = OnceLock::new();
    WANTED.get_or_init(|| {
        let registry = Registry::standard();
        let questions = questions(&registry);
        let (mut text, mut bytes) = (format!("{}\n", questions.len()), Vec::new());
        let (mut contacts, mut with_contacts) = (0, 0);
        for question in &questions {
            question.write(&mut text);
            let found = question.answer(&registry);
            bytes.extend_from_slice(&(found.len() as u64).to_ne_bytes());
            for contact in &found.contacts {
                bytes.extend_from_slice(bytes_of(contact));
            }
            contacts += found.len();
            with_contacts += usize::from(!found.is_empty());
        }
        assert!(
            questions.len() > 600 && with_contacts > 350,
            "{with_contacts} of {}, {contacts}",
            questions.len()
        );
        let path = folder().join("cases.txt");
        std::fs::write(&path, text).unwrap();
        (path, bytes)
    })
}

fn bytes_of(contact: &Contact) -> &[u8] {
    // SAFETY: a contact has no padding (232 bytes of fields), so all of its bytes are written.
    unsafe { std::slice::from_raw_parts(std::ptr::from_ref(contact).cast(), size_of::<Contact>()) }
}

/// Runs a program on the cases and compares what it writes.
fn is_the_same(program: &Path) {
    let (cases, wanted) = wanted();
    let out = program.with_extension("out");
    well(Command::new(program).arg(cases).arg(&out));
    let found = std::fs::read(out).unwrap();
    assert_eq!(found.len(), wanted.len(), "{}", program.display());
    let differs = found.iter().zip(wanted).position(|(a, b)| a != b);
    assert_eq!(differs, None, "{}", program.display());
}

// Proves: REQ-C-SAME
#[test]
fn every_pair_of_kinds_in_c_has_the_contacts_of_rust_to_the_bit() {
    for compiler in compilers("gcc", "clang") {
        is_the_same(&compile(compiler, "cases.c", &format!("cases-{compiler}"), Link::Shared, &[]));
    }
}

// Proves: REQ-C-SAME
#[test]
fn every_pair_of_kinds_in_cpp_has_the_contacts_of_rust_to_the_bit() {
    for compiler in compilers("g++", "clang++") {
        is_the_same(&compile(compiler, "cases.cpp", &format!("cases-{compiler}"), Link::Shared, &[]));
        let without = ["-DPALPATE_NO_EXCEPTIONS", "-fno-exceptions", "-fno-rtti"];
        let name = format!("cases-{compiler}-plain");
        is_the_same(&compile(compiler, "cases.cpp", &name, Link::Static, &without));
    }
}

/// Heap errors and leaks, by the sanitizer of the compiler: its allocator serves the library, too.
#[test]
fn no_address_is_misused_and_nothing_is_lost() {
    let program = compile("gcc", "cases.c", "cases-address", Link::Static, &["-fsanitize=address,undefined"]);
    is_the_same(&program);
}

/// The same with valgrind, on every seventh pair of kinds, since it is some thirty times slower; on all cases with
/// `PALPATE_VALGRIND`.
#[test]
fn valgrind_finds_no_error_and_no_loss() {
    if !has("valgrind") {
        return;
    }
    let (cases, _) = wanted();
    let text = std::fs::read_to_string(cases).unwrap();
    let (most, step) =
        if std::env::var_os("PALPATE_VALGRIND").is_some() { (usize::MAX, 1) } else { (143, 7) };
    let few: Vec<&str> = text.lines().skip(1).take(most).step_by(step).collect();
    let path = folder().join("few.txt");
    std::fs::write(&path, format!("{}\n{}\n", few.len(), few.join("\n"))).unwrap();
    let program = compile("gcc", "cases.c", "cases-valgrind", Link::Shared, &[]);
    let mut command = Command::new("valgrind");
    command.args([
        "--leak-check=full",
        "--error-exitcode=9",
        "--errors-for-leak-kinds=definite,indirect,possible",
    ]);
    let output = run(command.arg(&program).arg(&path).arg(program.with_extension("out")));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    assert!(
        told.contains("ERROR SUMMARY: 0 errors") && told.contains("definitely lost: 0 bytes")
            || told.contains("All heap blocks were freed"),
        "{told}"
    );
}
