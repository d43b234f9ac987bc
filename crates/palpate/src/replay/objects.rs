//! A recorded object as a geometry: created once, then moved in place.

use super::template::{Form, Template};
use crate::describe::MeshTraits;
use crate::geometry::{Geometry, GeometryError, Plane, Pose, pose};
use crate::math::{Point, Vector};
use crate::recording::{Primitive, State, Topology};
use std::any::Any;

/// The kinds that can be created, as listed in the error for an unknown kind.
pub(crate) const KINDS: &str = "point_set, line_mesh, surface_mesh, tetra_mesh, plane, sphere, capsule, cylinder, oriented_box, \
                                compound, and convex and implicit with a shape";

/// Reason why an object could not be created.
pub(crate) enum Refusal {
    Geometry(GeometryError),
    UnknownKind,
}

impl From<GeometryError> for Refusal {
    fn from(error: GeometryError) -> Self {
        Self::Geometry(error)
    }
}

type Made = Result<Box<dyn Geometry>, Refusal>;

/// Creates the geometry of an object from its kind, cells and state. A compound is created without children. A mesh
/// whose cells do not match its kind counts as unknown kind.
pub(crate) fn make(kind: &str, template: &Template, cells: &Topology, state: &State) -> Made {
    match (&template.form, state) {
        (Form::Mesh(traits), State::Points(points)) => {
            let points = points.clone();
            Ok(match (kind, cells) {
                ("point_set", _) => Box::new(traits.point_set(points)?),
                ("line_mesh", Topology::Lines(cells)) => Box::new(traits.line_mesh(points, cells.clone())?),
                ("surface_mesh", Topology::Triangles(cells)) => {
                    Box::new(traits.surface_mesh(points, cells.clone())?)
                }
                ("tetra_mesh", Topology::Tetrahedra(cells)) => {
                    let inverted = traits.inverted.as_ref().or(template.inverted.as_ref()).cloned();
                    let traits = MeshTraits { inverted, ..traits.clone() };
                    Box::new(traits.tetra_mesh(points, cells.clone())?)
                }
                _ => return Err(Refusal::UnknownKind),
            })
        }
        (_, State::Primitive(primitive)) => shape(template, primitive),
        _ => Err(Refusal::UnknownKind),
    }
}

fn shape(template: &Template, primitive: &Primitive) -> Made {
    let pose = pose_of(template, primitive)?;
    let first = primitive.size[0];
    Ok(match &template.form {
        Form::Sized(shape) => shape.make(pose, primitive.size)?,
        Form::Hull(convex) => {
            let mut convex = convex.as_ref().clone().with_radius(first)?;
            convex.set_pose(pose)?;
            Box::new(convex)
        }
        Form::Body(body) => {
            let mut body = body.as_ref().clone().with_scale(first)?;
            body.set_pose(pose)?;
            Box::new(body)
        }
        Form::Plane => {
            let plane = Plane::new(primitive.position, pose.rotation * Vector::y())?;
            let mut plane = plane.with_two_sided(template.two_sided);
            if template.exact {
                place(&mut plane, pose, primitive)?;
            }
            Box::new(plane)
        }
        Form::Mesh(_) | Form::Compound | Form::Unknown => return Err(Refusal::UnknownKind),
    })
}

/// Moves a geometry to a state of the same size; `false` if it cannot be moved in place.
pub(crate) fn move_to(
    geometry: &mut dyn Geometry,
    template: &Template,
    state: &State,
) -> Result<bool, GeometryError> {
    match state {
        State::Points(points) => {
            if geometry.as_points().is_none_or(|own| own.len() != points.len()) {
                return Ok(false);
            }
            geometry.set_positions(points)?;
        }
        State::Primitive(primitive) => {
            if geometry.pose().is_none() {
                return Ok(false);
            }
            let pose = pose_of(template, primitive)?;
            let any: &mut dyn Any = geometry;
            match any.downcast_mut::<Plane>() {
                Some(plane) => place(plane, pose, primitive)?,
                None => geometry.set_pose(pose)?,
            }
        }
    }
    Ok(true)
}

/// Moves a plane. The recording stores its normal, bit for bit, in place of a size.
fn place(plane: &mut Plane, pose: Pose, primitive: &Primitive) -> Result<(), GeometryError> {
    match primitive.size {
        [0.0, 0.0, 0.0] => plane.set_pose(pose),
        normal => plane.set_pose_and_normal(pose, normal.into()),
    }
}

/// The pose at which a frame places a mesh or a compound.
pub(super) fn placement(position: Point, rotation_wxyz: [f64; 4]) -> Result<Pose, GeometryError> {
    pose::from_rotation(position, pose::rotation_from_exact_wxyz(rotation_wxyz)?)
}

fn pose_of(template: &Template, primitive: &Primitive) -> Result<Pose, GeometryError> {
    let read = if template.exact { pose::rotation_from_exact_wxyz } else { pose::rotation_from_wxyz };
    pose::from_rotation(primitive.position, read(primitive.rotation_wxyz)?)
}
