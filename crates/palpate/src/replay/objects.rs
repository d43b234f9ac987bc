//! A recorded object as a geometry: made once, then moved in place.

use super::template::{Form, Template};
use crate::geometry::{
    Capsule, Cone, Convex, Cylinder, Ellipsoid, Geometry, GeometryError, ImplicitBody, LineMesh, OrientedBox,
    Plane, PointSet, Pose, Sphere, SurfaceMesh, TetraMesh, pose,
};
use crate::math::{Point, Vector};
use crate::recording::{Primitive, State, Topology};
use std::any::Any;

/// The kinds that can be made, as the error for any other lists them.
pub(crate) const KINDS: &str = "point_set, line_mesh, surface_mesh, tetra_mesh, plane, sphere, capsule, cylinder, oriented_box, \
                                compound, and convex and implicit with a shape";

/// Why an object could not be made.
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

/// The geometry of an object of this kind with these cells in this state; of a compound its children are to be made. A mesh
/// whose cells do not fit its kind is of unknown kind.
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
                    Box::new(traits.tetra_mesh(points, cells.clone())?)
                }
                _ => return Err(Refusal::UnknownKind),
            })
        }
        (_, State::Primitive(primitive)) => shape(kind, template, primitive),
        _ => Err(Refusal::UnknownKind),
    }
}

fn shape(kind: &str, template: &Template, primitive: &Primitive) -> Made {
    let pose = pose_of(template, primitive)?;
    let [first, second, third] = primitive.size;
    let all = Vector::new(first, second, third);
    Ok(match (&template.form, kind) {
        (Form::Cone, _) => Box::new(Cone::new(pose, first, second)?),
        (Form::Ellipsoid, _) => Box::new(Ellipsoid::new(pose, all)?),
        (Form::Hull(convex), _) => {
            let mut convex = convex.as_ref().clone().with_margin(first)?;
            convex.set_pose(pose)?;
            Box::new(convex)
        }
        (Form::Body(body), _) => {
            let mut body = body.as_ref().clone().with_scale(first)?;
            body.set_pose(pose)?;
            Box::new(body)
        }
        (Form::Sized, "sphere") => {
            let mut sphere = Sphere::new(primitive.position, first)?;
            sphere.set_pose(pose)?;
            Box::new(sphere)
        }
        (Form::Sized, "capsule") => Box::new(Capsule::new(pose, first, second)?),
        (Form::Sized, "cylinder") => Box::new(Cylinder::new(pose, first, second)?),
        (Form::Sized, "oriented_box") => Box::new(OrientedBox::new(pose, all)?),
        (Form::Sized, "plane") => {
            let plane = Plane::new(primitive.position, pose.rotation * Vector::y())?;
            let mut plane = plane.with_two_sided(template.two_sided);
            if template.exact {
                place(&mut plane, pose, primitive)?;
            }
            Box::new(plane)
        }
        _ => return Err(Refusal::UnknownKind),
    })
}

/// Moves a geometry to a state of the same size; `false` when it is none that can be moved so.
pub(crate) fn move_to(
    geometry: &mut dyn Geometry,
    template: &Template,
    state: &State,
) -> Result<bool, GeometryError> {
    let any: &mut dyn Any = geometry;
    macro_rules! first_of {
        ($($type:ident),* => |$found:ident| $body:expr) => {
            $(if let Some($found) = any.downcast_mut::<$type>() {
                return $body;
            })*
        };
    }
    match state {
        State::Points(points) => {
            first_of!(PointSet, LineMesh, SurfaceMesh, TetraMesh => |mesh| replace(mesh, points));
        }
        State::Primitive(primitive) => {
            let pose = pose_of(template, primitive)?;
            first_of!(Plane => |plane| place(plane, pose, primitive).map(|()| true));
            first_of!(Sphere, Capsule, Cylinder, OrientedBox, Cone, Ellipsoid, Convex, ImplicitBody
                => |shape| shape.set_pose(pose).map(|()| true));
        }
    }
    Ok(false)
}

/// A normal that stands in place of a size is that of the plane to the bit.
fn place(plane: &mut Plane, pose: Pose, primitive: &Primitive) -> Result<(), GeometryError> {
    match primitive.size {
        [0.0, 0.0, 0.0] => plane.set_pose(pose),
        normal => plane.set_pose_and_normal(pose, normal.into()),
    }
}

/// What has vertices that can be moved in place.
trait Vertices {
    fn vertex_count(&self) -> usize;
    fn replace(&mut self, positions: &[Point]) -> Result<(), GeometryError>;
}

macro_rules! vertices {
    ($($mesh:ident => $count:expr),* $(,)?) => {$(
        impl Vertices for $mesh {
            fn vertex_count(&self) -> usize {
                let count: fn(&Self) -> usize = $count;
                count(self)
            }

            fn replace(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
                self.set_positions(positions)
            }
        }
    )*};
}

vertices! {
    PointSet => |points| points.len(),
    LineMesh => |mesh| mesh.points().len(),
    SurfaceMesh => |mesh| mesh.points().len(),
    TetraMesh => |mesh| mesh.points().len(),
}

fn replace(mesh: &mut impl Vertices, positions: &[Point]) -> Result<bool, GeometryError> {
    if mesh.vertex_count() != positions.len() {
        return Ok(false);
    }
    mesh.replace(positions).map(|()| true)
}

/// The pose at which a frame places a mesh or a compound.
pub(super) fn placement(position: Point, rotation_wxyz: [f64; 4]) -> Result<Pose, GeometryError> {
    pose::from_rotation(position, pose::rotation_from_exact_wxyz(rotation_wxyz)?)
}

fn pose_of(template: &Template, primitive: &Primitive) -> Result<Pose, GeometryError> {
    let read = if template.exact { pose::rotation_from_exact_wxyz } else { pose::rotation_from_wxyz };
    pose::from_rotation(primitive.position, read(primitive.rotation_wxyz)?)
}
