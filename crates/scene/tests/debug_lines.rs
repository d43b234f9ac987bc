//! The lines of shapes, boxes and contacts, by numbers that a reader can check.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use palpate_geometry::{Compound, LineMesh, OrientedBox, Plane, Pose, Sphere, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_scene::{DebugLine, DebugOptions, PairOptions, Scene};

fn lines(scene: &Scene, options: DebugOptions) -> Vec<DebugLine> {
    let mut lines = vec![DebugLine { ends: [[9.0; 3]; 2], color: [0; 4] }];
    scene.debug_lines(&options, &mut lines);
    lines
}

#[test]
fn a_ball_on_a_floor_has_outlines_a_square_and_a_contact() {
    let mut scene = Scene::standard();
    let ball = scene.add("ball", Sphere::new(Point::new(0.0, 0.75, 0.0), 1.0).unwrap()).unwrap();
    let floor = scene.add("floor", Plane::new(Point::origin(), Vector::y()).unwrap()).unwrap();
    scene.add_pair(ball, floor, PairOptions::default()).unwrap();
    scene.step().unwrap();
    let all = DebugOptions { size: 0.5, ..DebugOptions::default() };
    // Three circles of 32 lines, four sides and a normal, a contact and its way out.
    assert_eq!(lines(&scene, all).len(), 3 * 32 + 5 + 2);
    let contacts = lines(&scene, DebugOptions { shapes: false, ..all });
    assert_eq!(contacts[0].ends, [[0.0, -0.25, 0.0], [0.0, 0.0, 0.0]]);
    assert_eq!(contacts[1].ends, [[0.0, -0.25, 0.0], [0.0, 0.25, 0.0]]);
    let circles = lines(&scene, DebugOptions { contacts: false, ..all });
    let distance = |end: &[f64; 3]| (Point::from(*end) - Point::new(0.0, 0.75, 0.0)).norm();
    assert!(circles[..96].iter().flat_map(|line| &line.ends).all(|end| (distance(end) - 1.0).abs() < 1e-12));
    // The box of the ball; that of the floor has no end, but for its top, which is unbounded as well.
    let boxes = lines(&scene, DebugOptions { shapes: false, boxes: true, contacts: false, size: 1.0 });
    assert_eq!(boxes.len(), 12);
}

#[test]
fn meshes_are_drawn_by_their_edges_once_and_where_they_are_placed() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mut scene = Scene::standard();
    let mesh = scene.add("mesh", SurfaceMesh::new(corners.to_vec(), triangles).unwrap()).unwrap();
    scene.set_pose(mesh, Pose::translation(0.0, 0.0, 5.0)).unwrap();
    let found = lines(&scene, DebugOptions::default());
    assert_eq!(found.len(), 6, "a tetrahedron has six edges");
    assert!(found.iter().flat_map(|line| line.ends).all(|end| end[2] >= 5.0));
    let thread = LineMesh::polyline(corners.to_vec()).unwrap();
    let cube = OrientedBox::new(Pose::identity(), Vector::repeat(1.0)).unwrap();
    scene.replace(mesh, Box::new(Compound::default().with(thread).with(cube))).unwrap();
    // Three segments, and three squares.
    assert_eq!(lines(&scene, DebugOptions::default()).len(), 3 + 3 * 4);
}
