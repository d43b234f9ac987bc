//! Touching is a contact of depth zero; a body wholly inside a solid is in contact with it.

use crate::all_cases::REGISTRY;
use nalgebra::{Translation3, UnitQuaternion};
use palpate_detect::Entry;
use palpate_geometry::{GeometryKind, Pose};
use palpate_math::{Point, Vector};
use palpate_tests::cases::variants;
use palpate_tests::generate::generate;
use palpate_tests::{Case, Function, Random, Regime, Shape, Subject, meshes};
use serde_json::Value;

/// Shapes of a kind that touch the plane y = 0 from above at the origin (and perhaps beside it), without rounding.
fn resting_on_the_origin(kind: &GeometryKind) -> Vec<Shape> {
    let upright = Pose::translation(0.0, 2.0, 0.0);
    // Cyclic permutation y to z, z to x, x to y: the axis is horizontal.
    let turned = UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(0.5, 0.5, 0.5, 0.5));
    let lying = |height: f64| Pose::from_parts(Translation3::new(0.0, height, 0.0), turned);
    let peak = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    match kind.name() {
        "sphere" => vec![Shape::Sphere { center: peak(0.0, 1.0, 0.0), radius: 1.0 }],
        "capsule" => vec![
            Shape::Capsule { pose: upright, radius: 1.0, length: 2.0 },
            Shape::Capsule { pose: lying(0.5), radius: 0.5, length: 2.0 },
            Shape::Capsule { pose: lying(0.5), radius: 0.5, length: 0.0 },
        ],
        "cylinder" => vec![
            Shape::Cylinder { pose: upright, radius: 0.5, length: 4.0 },
            Shape::Cylinder { pose: lying(0.5), radius: 0.5, length: 2.0 },
        ],
        "plane" => {
            let (position, normal) = (Point::origin(), -Vector::y());
            [false, true].map(|two_sided| Shape::Plane { position, normal, two_sided }).to_vec()
        }
        "oriented_box" => {
            vec![Shape::OrientedBox { pose: upright, half_extents: Vector::new(1.0, 2.0, 0.5) }]
        }
        "convex" => {
            // An octahedron, a flat square, a rounded segment, and a point.
            let octahedron = (0..3).flat_map(|axis| [1.0, -1.0].map(|sign| Vector::ith(axis, sign)));
            let corners = octahedron.map(Point::from).collect();
            let square = [1.0, -1.0].into_iter().flat_map(|x| [1.0, -1.0].map(|z| peak(x, 0.0, z))).collect();
            let segment = vec![peak(-1.0, 0.5, 0.0), peak(1.0, 0.5, 0.0)];
            let identity = Pose::identity();
            vec![
                Shape::Ellipsoid { pose: upright, radii: Vector::new(1.0, 2.0, 0.5) },
                Shape::Ellipsoid { pose: lying(0.5), radii: Vector::new(0.5, 2.0, 0.5) },
                Shape::Cone { pose: upright, radius: 0.5, length: 4.0 },
                Shape::Convex { pose: Pose::translation(0.0, 1.0, 0.0), corners, margin: 0.0 },
                Shape::Convex { pose: identity, corners: square, margin: 0.0 },
                Shape::Convex { pose: identity, corners: segment, margin: 0.5 },
                Shape::Convex { pose: identity, corners: vec![Point::origin()], margin: 0.0 },
            ]
        }
        "point_set" => vec![
            Shape::PointSet { vertices: vec![peak(3.0, 2.0, 0.0), Point::origin()], radius: 0.0 },
            Shape::PointSet { vertices: vec![peak(0.0, 0.5, 0.0), peak(0.0, 4.0, 1.0)], radius: 0.5 },
        ],
        "line_mesh" => {
            let cells = vec![[0, 1], [1, 2]];
            let bare = vec![peak(-2.0, 3.0, 0.0), Point::origin(), peak(1.0, 2.0, 1.0)];
            let thread = vec![peak(-1.0, 0.25, 0.0), peak(0.0, 0.25, 0.0), peak(1.0, 0.25, 0.0)];
            vec![
                Shape::LineMesh { vertices: bare, cells: cells.clone(), radius: 0.0 },
                Shape::LineMesh { vertices: thread, cells, radius: 0.25 },
            ]
        }
        "surface_mesh" => {
            let (vertices, cells) = meshes::box_surface(peak(0.0, 0.0, 0.0), peak(2.0, 1.0, 1.0));
            let pyramid =
                vec![peak(0.0, 0.0, 0.0), peak(1.0, 1.0, 0.0), peak(-1.0, 1.0, 1.0), peak(0.0, 1.0, -1.0)];
            let sheet = vec![peak(0.0, 0.0, 0.0), peak(2.0, 1.0, 0.0), peak(0.0, 1.0, 2.0)];
            let above = |points: Vec<Point>| points.into_iter().map(|p| p + Vector::y() * 0.5).collect();
            vec![
                Shape::SurfaceMesh { vertices, cells, radius: 0.0 },
                Shape::SurfaceMesh {
                    vertices: pyramid,
                    cells: vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
                    radius: 0.0,
                },
                Shape::SurfaceMesh { vertices: above(sheet), cells: vec![[0, 2, 1]], radius: 0.5 },
            ]
        }
        "tetra_mesh" => {
            let vertices =
                vec![peak(0.0, 0.0, 0.0), peak(1.0, 1.0, 0.0), peak(-1.0, 1.0, 1.0), peak(0.0, 1.0, -1.0)];
            let (block, cells) = meshes::tetra_block(&mut Random::new(1), [2, 2, 2], 0.0);
            let block = block.into_iter().map(|point| point + Vector::new(0.0, 1.0, 0.0)).collect();
            vec![
                Shape::TetraMesh { vertices, cells: vec![[0, 1, 2, 3]] },
                Shape::TetraMesh { vertices: block, cells },
            ]
        }
        "implicit" => {
            let primitive = |shape: Shape| Function::Primitive(Box::new(shape));
            let ball = |x: f64| primitive(Shape::Sphere { center: peak(x, 1.0, 0.0), radius: 1.0 });
            let block =
                || primitive(Shape::OrientedBox { pose: upright, half_extents: Vector::new(1.0, 2.0, 0.5) });
            let standing = Pose::from_parts(Translation3::new(0.0, 1.25, 0.0), turned);
            let grid = Function::Grid {
                origin: peak(-1.0, 0.0, -1.0),
                spacing: Vector::new(1.0, 0.5, 2.0),
                size: [3, 3, 2],
                values: vec![-4.0; 18],
            };
            let functions = [
                ball(0.0),
                block(),
                primitive(Shape::Capsule { pose: lying(0.5), radius: 0.5, length: 2.0 }),
                primitive(Shape::Cylinder { pose: upright, radius: 0.5, length: 4.0 }),
                Function::Torus { pose: standing, major: 1.0, minor: 0.25 },
                Function::Union(vec![ball(0.0), ball(1.0)]),
                Function::Intersection(vec![block(), ball(0.0)]),
                Function::Offset {
                    of: Box::new(primitive(Shape::Sphere { center: peak(0.0, 1.0, 0.0), radius: 0.5 })),
                    distance: 0.5,
                },
                grid,
            ];
            let pose = Pose::identity();
            functions.map(|function| Shape::Implicit { pose, scale: 1.0, function }).to_vec()
        }
        other => panic!("write touching shapes for kind {other}"),
    }
}

fn case(entry: &'static Entry, number: usize, a: Shape, b: Shape, settings: &Option<Value>) -> Case {
    let (regime, margin) = (Regime::Touching, 0.0);
    Case { detector: entry.name, regime, number, a, b, margin, settings: settings.clone() }
}

/// Every pair of shapes that touch at the origin, turned and moved exactly.
// Proves: REQ-CLOSED-SETS
#[test]
fn touching_is_a_contact_of_depth_zero() {
    let subject = Subject::new(&REGISTRY);
    let mut failures = Vec::new();
    for entry in REGISTRY.static_detectors() {
        let mut tried = 0;
        for (kind_a, kind_b, settings) in variants(entry) {
            for a in resting_on_the_origin(&kind_a) {
                for b in resting_on_the_origin(&kind_b) {
                    // Half a turn about x puts it below.
                    let below = UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(0.0, 1.0, 0.0, 0.0));
                    let b = b.moved(&Pose::from_parts(Translation3::identity(), below));
                    if !vertices_touch(entry, &a, &b, settings.as_ref()) {
                        continue;
                    }
                    for number in 0..4 {
                        let mut random = Random::named(entry.name, number as u64);
                        let shift = Translation3::from(random.lattice_point(3, 1.0).coords);
                        let motion = Pose::from_parts(shift, random.exact_rotation());
                        let factor = 2.0_f64.powi(random.below(7) as i32 - 3);
                        let [a, b] = [&a, &b].map(|shape| shape.moved(&motion).scaled(factor));
                        let case = case(entry, number, a, b, &settings);
                        tried += 1;
                        let deepest = subject.contacts(&case).unwrap().deepest().map(|contact| contact.depth);
                        let verge = case.search_tolerance().unwrap_or(0.0) * case.size();
                        if !deepest.is_some_and(|depth| depth.abs() <= verge) {
                            let reason = format!("the deepest contact is {deepest:?}, wanted 0");
                            failures.push(case.failure("closed sets", &reason));
                        }
                    }
                }
            }
        }
        assert!(tried >= 4, "{} is not tested", entry.name);
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures[..failures.len().min(6)].join("\n")
    );
}

/// If a detector uses the vertices of one side only, one of these must touch.
fn vertices_touch(entry: &Entry, a: &Shape, b: &Shape, settings: Option<&Value>) -> bool {
    let vertex_touches = |shape: &Shape| {
        let r = shape.thickness();
        shape.vertices().iter().any(|vertex| vertex.x == 0.0 && vertex.z == 0.0 && vertex.y.abs() == r)
    };
    match (entry.name, settings.and_then(|settings| settings["vertices"].as_str())) {
        ("closed_surface_mesh_surface_mesh", Some("first")) => vertex_touches(a),
        ("closed_surface_mesh_surface_mesh", Some("second")) => vertex_touches(b),
        ("closed_surface_mesh_surface_mesh", _) => vertex_touches(a) || vertex_touches(b),
        ("implicit_point_set", _) => vertex_touches(b),
        (name, _) if name.starts_with("point_set") => vertex_touches(a) || matches!(b, Shape::Plane { .. }),
        _ => true,
    }
}

/// A point well inside a solid, and a lower bound of its distance to the surface; `None` for shapes without an
/// inside.
fn inside(shape: &Shape) -> Option<(Point, f64)> {
    match shape {
        Shape::Sphere { center, radius } => Some((center + Vector::repeat(0.3 * radius), 0.4 * radius)),
        Shape::Capsule { pose, radius, length } => {
            Some((pose * Point::new(0.2 * radius, 0.4 * length, 0.0), 0.6 * radius))
        }
        Shape::Cylinder { pose, radius, length } => {
            Some((pose * Point::new(0.0, 0.2 * length, 0.4 * radius), 0.25 * radius.min(*length)))
        }
        Shape::OrientedBox { pose, half_extents } => {
            Some((pose * Point::from(half_extents * 0.5), 0.4 * half_extents.min()))
        }
        Shape::Ellipsoid { pose, radii } => Some((pose * Point::from(radii * 0.3), 0.3 * radii.min())),
        // The centre of the axis is half a radius, foreshortened, from the wall.
        Shape::Cone { pose, radius, length } => {
            let slant = (radius * radius + length * length).sqrt();
            Some((
                Point::from(pose.translation.vector),
                0.9 * (0.5 * radius * length / slant).min(0.5 * length),
            ))
        }
        // The hull of many points spread around the origin extends some distance to all sides.
        Shape::Convex { pose, corners, .. } if corners.len() >= 12 => {
            let sum = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner.coords);
            Some((pose * Point::from(sum / corners.len() as f64), 0.05))
        }
        Shape::Implicit { pose, scale, function } => {
            inside(&primitive_inside(function)?.scaled(*scale).moved(pose))
        }
        Shape::Plane { position, normal, two_sided: false } => {
            Some((position - normal.normalize() * 50.0, 10.0))
        }
        // The corner tetrahedron's own centre, or the centre of a ball.
        Shape::TetraMesh { vertices, cells } => {
            let corners = cells[0].map(|id| vertices[id as usize]);
            let middle = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner.coords) * 0.25;
            Some((Point::from(middle), 0.02))
        }
        Shape::SurfaceMesh { vertices, .. } if shape.is_solid() && vertices.len() != 60 => {
            let sum = vertices.iter().fold(Vector::zeros(), |sum, vertex| sum + vertex.coords);
            Some((Point::from(sum / vertices.len() as f64), 0.1))
        }
        _ => None,
    }
}

/// A primitive that lies wholly in an implicit body.
fn primitive_inside(function: &Function) -> Option<&Shape> {
    match function {
        Function::Primitive(shape) => Some(shape),
        Function::Union(parts) | Function::SmoothUnion { of: parts, .. } => primitive_inside(&parts[0]),
        Function::Offset { of, .. } => primitive_inside(of),
        _ => None,
    }
}

// Proves: REQ-CLOSED-SETS
#[test]
fn a_body_wholly_inside_a_solid_is_in_contact() {
    let subject = Subject::new(&REGISTRY);
    let mut failures = Vec::new();
    for entry in REGISTRY.static_detectors() {
        let mut tried = 0;
        for (number, (kind_a, kind_b, settings)) in variants(entry).iter().cycle().take(40).enumerate() {
            let mut random = Random::named(entry.name, number as u64);
            let holder_is_a = number % 2 == 0;
            let (holder, held) = if holder_is_a { (kind_a, kind_b) } else { (kind_b, kind_a) };
            let holder = generate(holder, 1.0, &mut random).unwrap();
            let small = generate(held, 1.0, &mut random).unwrap();
            let Some((place, room)) = inside(&holder) else { continue };
            if WITHOUT_AN_INSIDE.contains(&entry.name) {
                continue;
            }
            if matches!(small, Shape::Plane { .. }) || one_way(settings.as_ref(), holder_is_a, &holder) {
                continue;
            }
            let reach = small.reach_from(&Point::origin());
            let small = small.scaled(0.5 * room / reach).shifted(&place.coords);
            let (a, b) = if holder_is_a { (holder, small) } else { (small, holder) };
            // A function evaluated at vertices does not detect what they enclose.
            if !holder_is_a && entry.name == "implicit_point_set" {
                continue;
            }
            // A detector of vertices against a solid does not treat the point set as a solid.
            if holder_is_a && entry.name.starts_with("point_set") {
                continue;
            }
            tried += 1;
            let case = case(entry, number, a, b, settings);
            match subject.contacts(&case) {
                Ok(found) if found.deepest().is_some_and(|contact| contact.depth > 0.0) => {}
                other => failures.push(case.failure("closed sets", &format!("wholly inside, but {other:?}"))),
            }
        }
        let solid = !WITHOUT_AN_INSIDE.contains(&entry.name);
        assert!(!solid || tried >= 4, "{} is tested {tried} times", entry.name);
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures[..failures.len().min(6)].join("\n")
    );
}

/// Detectors for which no input is a solid.
const WITHOUT_AN_INSIDE: [&str; 4] =
    ["point_set_point_set", "point_set_line_mesh", "line_mesh_line_mesh", "surface_mesh_surface_mesh"];

/// Settings that make the outer body a sheet, or use only its vertices.
fn one_way(settings: Option<&Value>, holder_is_a: bool, holder: &Shape) -> bool {
    let Some(settings) = settings else { return false };
    let sheet = settings["sides"] == "two" && matches!(holder, Shape::Plane { .. });
    let holders_vertices = if holder_is_a { "first" } else { "second" };
    sheet || settings["vertices"] == holders_vertices
}
