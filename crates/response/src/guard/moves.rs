//! What a guarded body moves with, and its vertices and solids.

use super::mesh::Mesh;
use crate::ResponseError;
use nalgebra::Isometry3;
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::{Capsule, Compound, Geometry, ImplicitBody, Plane, Sphere, TypedGeometry, downcast};
use palpate_math::{Aabb, Point, Vector};

/// What a guarded body moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// Vertex `v` of the mesh is particle `first + v`.
    Particles(usize),
    /// A rigid body, by the index of its pose. A shape is taken in its own frame; the coordinates of a mesh, of points and
    /// of the children of a compound are in the frame of the pose.
    Body(usize),
    /// The same, moved by the host: the other side of a pair gives up its motion first.
    Tool(usize),
    /// At rest where the geometry is.
    Fixed,
}

impl Moves {
    /// The index of the pose of a rigid body.
    pub(super) fn pose(self) -> Option<usize> {
        match self {
            Self::Body(index) | Self::Tool(index) => Some(index),
            Self::Particles(_) | Self::Fixed => None,
        }
    }
}

/// A part of a body: one mesh, one convex solid, one implicit body or one half-space.
pub(super) struct Part {
    pub(super) moves: Moves,
    pub(super) shape: Shape,
    /// Metres: the radius around the vertices of a mesh; that of a solid is in its support map.
    pub(super) radius: f64,
}

/// In world coordinates for a fixed body, in the frame of the pose for a rigid one.
pub(super) enum Shape {
    Mesh(Box<Mesh>),
    /// A convex shape, with the distance of its farthest point from the origin of the frame.
    Solid {
        geometry: Box<dyn Geometry>,
        reach: f64,
    },
    /// A body given by a function, with the same distance; infinite for an unbounded one.
    Implicit {
        body: Box<ImplicitBody>,
        reach: f64,
    },
    HalfSpace {
        point: Point,
        normal: Vector,
        is_two_sided: bool,
    },
}

impl Part {
    pub(super) fn mesh(&self) -> Option<&Mesh> {
        match &self.shape {
            Shape::Mesh(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// Appends the parts of a geometry at rest, whose coordinates are in the frame of a pose. Errors: a kind that the guard does
    /// not know.
    pub(super) fn append_fixed(
        geometry: &dyn Geometry,
        frame: &Isometry3<f64>,
        out: &mut Vec<Self>,
    ) -> Result<(), ResponseError> {
        Self::append_placed(geometry, Moves::Fixed, frame, out)
    }

    /// Appends the parts of a geometry. Errors: a kind that the guard does not know.
    pub(super) fn append(
        geometry: &dyn Geometry,
        moves: Moves,
        out: &mut Vec<Self>,
    ) -> Result<(), ResponseError> {
        let own = match moves {
            Moves::Body(_) | Moves::Tool(_) => geometry.pose().map(|pose| pose.inverse()),
            Moves::Fixed => None,
            Moves::Particles(_) => return Self::append_particles(geometry, moves, out),
        };
        Self::append_placed(geometry, moves, &own.unwrap_or_else(Isometry3::identity), out)
    }

    fn append_particles(
        geometry: &dyn Geometry,
        moves: Moves,
        out: &mut Vec<Self>,
    ) -> Result<(), ResponseError> {
        let (mesh, radius) = Mesh::of(geometry).ok_or_else(|| unknown(geometry, "a mesh of particles"))?;
        out.push(Self { moves, shape: Shape::Mesh(Box::new(mesh.without_positions())), radius });
        Ok(())
    }

    fn append_placed(
        geometry: &dyn Geometry,
        moves: Moves,
        frame: &Isometry3<f64>,
        out: &mut Vec<Self>,
    ) -> Result<(), ResponseError> {
        let (shape, radius) = match TypedGeometry::of(geometry) {
            TypedGeometry::Compound(compound) => return Self::append_children(compound, moves, frame, out),
            TypedGeometry::Sphere(sphere) => sphere_part(sphere, frame),
            TypedGeometry::Capsule(capsule) => capsule_part(capsule, frame),
            TypedGeometry::Plane(plane) => (half_space(plane, frame), 0.0),
            TypedGeometry::ImplicitBody(body) => (implicit(body, frame)?, 0.0),
            TypedGeometry::Other if let Some(body) = geometry.as_implicit_body().and_then(downcast) => {
                (implicit(body, frame)?, 0.0)
            }
            _ => match Mesh::of(geometry) {
                Some((mesh, radius)) => (Shape::Mesh(Box::new(mesh.moved(frame))), radius),
                None => (solid(geometry, frame)?, 0.0),
            },
        };
        out.push(Self { moves, shape, radius });
        Ok(())
    }

    fn append_children(
        compound: &Compound,
        moves: Moves,
        frame: &Isometry3<f64>,
        out: &mut Vec<Self>,
    ) -> Result<(), ResponseError> {
        compound.children().try_for_each(|(_, child)| Self::append_placed(child, moves, frame, out))
    }
}

fn sphere_part(sphere: &Sphere, frame: &Isometry3<f64>) -> (Shape, f64) {
    (Shape::Mesh(Box::new(Mesh::new(vec![frame * sphere.center()], &[[0]]))), sphere.radius())
}

fn capsule_part(capsule: &Capsule, frame: &Isometry3<f64>) -> (Shape, f64) {
    let ends = capsule.ends().map(|end| frame * end).to_vec();
    (Shape::Mesh(Box::new(Mesh::new(ends, &[[0, 1]]))), capsule.radius())
}

fn half_space(plane: &Plane, frame: &Isometry3<f64>) -> Shape {
    Shape::HalfSpace {
        point: frame * plane.position(),
        normal: frame * plane.normal(),
        is_two_sided: plane.two_sided(),
    }
}

/// A convex shape, moved to the frame of the body.
fn solid(geometry: &dyn Geometry, frame: &Isometry3<f64>) -> Result<Shape, ResponseError> {
    let wanted = "a mesh, a plane, a convex shape with a pose, an implicit body, or a compound of these";
    let refused = || unknown(geometry, wanted);
    let mut own = geometry.try_clone().ok_or_else(refused)?;
    let pose = own.pose().ok_or_else(refused)?;
    own.set_pose(frame * pose).map_err(|_| refused())?;
    let convex = own.as_convex().ok_or_else(refused)?;
    let axes = [Vector::x(), Vector::y(), Vector::z()];
    let ends = axes.iter().flat_map(|axis| [*axis, -axis]).map(|way| convex.support_map().support(&way));
    let bounds = Aabb::from_points(ends);
    Ok(Shape::Solid { geometry: own, reach: farthest(&bounds) })
}

/// An implicit body, moved to the frame of the body.
fn implicit(body: &ImplicitBody, frame: &Isometry3<f64>) -> Result<Shape, ResponseError> {
    let refused = || unknown(body, "an implicit body whose function has a Lipschitz constant");
    let mut own = body.clone();
    Geometry::set_pose(&mut own, frame * body.pose()).map_err(|_| refused())?;
    own.lipschitz().ok_or_else(refused)?;
    let bounds = own.bounds_at_rest();
    let reach = if own.is_bounded() { farthest(&bounds) } else { f64::INFINITY };
    Ok(Shape::Implicit { body: Box::new(own), reach })
}

/// The distance of the farthest corner of a box from the origin.
fn farthest(bounds: &Aabb) -> f64 {
    bounds.min.coords.abs().sup(&bounds.max.coords.abs()).norm()
}

fn unknown(geometry: &dyn Geometry, wanted: &'static str) -> ResponseError {
    ResponseError::NotGuarded { kind: geometry.kind(), wanted }
}
