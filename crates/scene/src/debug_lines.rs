//! Lines that show a scene: for a host's own renderer.

use crate::Scene;
use crate::object::Object;
use palpate_contact::Contact;
use palpate_geometry::{Compound, Geometry, Plane, TypedGeometry, downcast};
use palpate_math::{Aabb, Point, Vector};

/// A coloured segment.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct DebugLine {
    /// Both ends, world frame, metres.
    pub ends: [[f64; 3]; 2],
    /// Red, green, blue, opacity.
    pub color: [u8; 4],
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct DebugOptions {
    /// Edges of meshes, outlines of shapes, points as crosses.
    pub shapes: bool,
    /// The boxes of the broad phase, swept over the step.
    pub boxes: bool,
    /// Contacts: from the point of side A to that of side B, and the way out of A.
    pub contacts: bool,
    /// Metres: the length of the ways out and of crosses, and half the side of what is drawn of a plane.
    pub size: f64,
}

impl Default for DebugOptions {
    /// Shapes and contacts, for a scene of some centimetres.
    fn default() -> Self {
        Self { shapes: true, boxes: false, contacts: true, size: 0.01 }
    }
}

const OF_SHAPE: [u8; 4] = [150, 170, 190, 255];
const OF_PREVIEW: [u8; 4] = [110, 120, 130, 255];
const OF_BOX: [u8; 4] = [90, 200, 90, 255];
const OF_DEPTH: [u8; 4] = [230, 60, 50, 255];
const OF_MARGIN: [u8; 4] = [240, 190, 40, 255];
const OF_WAY_OUT: [u8; 4] = [60, 120, 240, 255];

/// Lines of a closed outline.
const OUTLINE: usize = 32;

impl Scene {
    /// Replaces `lines` by those that show the scene after its last step. The memory is reused.
    ///
    /// Meshes are drawn by the edges of their cells, convex shapes by three outlines, planes by a square and their normal, implicit
    /// bodies by their box.
    pub fn debug_lines(&self, options: &DebugOptions, lines: &mut Vec<DebugLine>) {
        lines.clear();
        let mut pen = Pen { lines, size: options.size };
        for object in self.objects.iter().flatten() {
            if options.shapes {
                pen.object(object);
            }
            if options.boxes {
                pen.aabb(&object.bounds(), OF_BOX);
            }
        }
        if options.contacts {
            self.all_contacts().for_each(|(_, contact)| pen.contact(contact));
        }
    }
}

struct Pen<'a> {
    lines: &'a mut Vec<DebugLine>,
    size: f64,
}

impl Pen<'_> {
    fn line(&mut self, a: Point, b: Point, color: [u8; 4]) {
        let ends = [a.coords.into(), b.coords.into()];
        // What is unbounded has no lines.
        if ends.iter().flatten().all(|x: &f64| x.is_finite()) {
            self.lines.push(DebugLine { ends, color });
        }
    }

    fn object(&mut self, object: &Object) {
        let first = self.lines.len();
        self.geometry(&*object.geometry);
        if let Some(pose) = object.placement() {
            for line in &mut self.lines[first..] {
                line.ends = line.ends.map(|end| (pose * Point::from(end)).coords.into());
            }
        }
    }

    fn geometry(&mut self, geometry: &dyn Geometry) {
        if let Some(compound) = downcast::<Compound>(geometry) {
            return compound.children().for_each(|(_, child)| self.geometry(child));
        }
        match TypedGeometry::of(geometry) {
            TypedGeometry::Plane(plane) => self.plane(plane),
            TypedGeometry::PointSet(points) => points.positions().iter().for_each(|point| self.cross(point)),
            TypedGeometry::LineMesh(mesh) => {
                self.edges(mesh.points().positions(), mesh.cells().iter().copied())
            }
            TypedGeometry::SurfaceMesh(mesh) => {
                self.edges(mesh.points().positions(), mesh.adjacency().edges.iter().copied());
            }
            TypedGeometry::TetraMesh(mesh) => {
                // The boundary is closed: every edge is in one of its triangles in ascending order.
                let sides = mesh.boundary_triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
                self.edges(mesh.points().positions(), sides.filter(|[a, b]| a < b));
            }
            _ => match geometry.as_convex() {
                Some(shape) => self.outlines(|direction| shape.support_map().support(direction)),
                None => self.aabb(&geometry.bounds_at_rest(), OF_PREVIEW),
            },
        }
    }

    /// Edges by their vertices; removed cells have none.
    fn edges(&mut self, points: &[Point], edges: impl Iterator<Item = [u32; 2]>) {
        for edge in edges {
            if let [Some(a), Some(b)] = edge.map(|vertex| points.get(vertex as usize)) {
                self.line(*a, *b, OF_SHAPE);
            }
        }
    }

    /// The farthest points along the directions of three circles: the outlines seen along the world's axes.
    fn outlines(&mut self, farthest: impl Fn(&Vector) -> Point) {
        for axis in 0..3 {
            let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
            let at = |step: usize| {
                let angle = std::f64::consts::TAU * (step % OUTLINE) as f64 / OUTLINE as f64;
                let mut direction = Vector::zeros();
                (direction[first], direction[second]) = (angle.cos(), angle.sin());
                farthest(&direction)
            };
            let mut last = at(0);
            for step in 1..=OUTLINE {
                let next = at(step);
                if last != next {
                    self.line(last, next, OF_SHAPE);
                }
                last = next;
            }
        }
    }

    fn plane(&mut self, plane: &Plane) {
        let (origin, turn) = (plane.position(), plane.pose().rotation);
        let corner = |x: f64, z: f64| origin + turn * Vector::new(x * self.size, 0.0, z * self.size);
        let corners = [corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)];
        for side in 0..4 {
            self.line(corners[side], corners[(side + 1) % 4], OF_SHAPE);
        }
        self.line(origin, origin + plane.normal() * self.size, OF_SHAPE);
    }

    fn cross(&mut self, point: &Point) {
        for axis in [Vector::x(), Vector::y(), Vector::z()] {
            self.line(point - axis * (0.5 * self.size), point + axis * (0.5 * self.size), OF_SHAPE);
        }
    }

    fn aabb(&mut self, bounds: &Aabb, color: [u8; 4]) {
        if bounds.is_empty() {
            return;
        }
        let corners = bounds.corners();
        for k in 0..8 {
            for axis in (0..3).filter(|axis| k >> axis & 1 == 0) {
                self.line(corners[k], corners[k | 1 << axis], color);
            }
        }
    }

    fn contact(&mut self, contact: &Contact) {
        let (a, b) = (contact.a.surface_point(), contact.b.surface_point());
        self.line(a, b, if contact.depth >= 0.0 { OF_DEPTH } else { OF_MARGIN });
        self.line(a, a + Vector::from(contact.direction) * self.size, OF_WAY_OUT);
    }
}
