//! A recorded object as a geometry: made once, then moved in place.

use crate::geometry::{
    Capsule, Cylinder, Geometry, GeometryError, LineMesh, OrientedBox, Plane, PointSet, Pose, Sphere,
    SurfaceMesh, TetraMesh, pose,
};
use crate::math::{Point, Vector};
use crate::recording::{ObjectInfo, Primitive, State, Topology};
use crate::scene::{GeometryId, Scene, SceneError};

/// The kinds that can be made, as the error for any other lists them.
pub(crate) const KINDS: &str =
    "point_set, line_mesh, surface_mesh, tetra_mesh, plane, sphere, capsule, cylinder, oriented_box";

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

/// The geometry of an object with these cells in this state. The kind's word decides; a mesh whose cells do not fit it
/// is of unknown kind.
pub(crate) fn make(info: &ObjectInfo, cells: &Topology, state: &State) -> Result<Box<dyn Geometry>, Refusal> {
    match state {
        State::Points(points) => mesh(info, cells, points),
        State::Primitive(primitive) => shape(info, primitive),
    }
}

fn mesh(info: &ObjectInfo, cells: &Topology, points: &[Point]) -> Result<Box<dyn Geometry>, Refusal> {
    let radius = info.radius.unwrap_or(0.0);
    let points = points.to_vec();
    Ok(match (info.kind.as_str(), cells) {
        ("point_set", _) => Box::new(PointSet::new(points)?.with_radius(radius)?),
        ("line_mesh", Topology::Lines(cells)) => {
            Box::new(LineMesh::new(points, cells.clone())?.with_radius(radius)?)
        }
        ("surface_mesh", Topology::Triangles(cells)) => {
            let mesh = SurfaceMesh::new(points, cells.clone())?.with_radius(radius)?;
            Box::new(match info.closed {
                Some(closed) => mesh.with_closed(closed),
                None => mesh,
            })
        }
        ("tetra_mesh", Topology::Tetrahedra(cells)) => Box::new(TetraMesh::new(points, cells.clone())?),
        _ => return Err(Refusal::UnknownKind),
    })
}

fn shape(info: &ObjectInfo, primitive: &Primitive) -> Result<Box<dyn Geometry>, Refusal> {
    let pose = pose_of(primitive)?;
    let [first, second, third] = primitive.size;
    Ok(match info.kind.as_str() {
        "sphere" => Box::new(Sphere::new(primitive.position, first)?),
        "capsule" => Box::new(Capsule::new(pose, first, second)?),
        "cylinder" => Box::new(Cylinder::new(pose, first, second)?),
        "oriented_box" => Box::new(OrientedBox::new(pose, Vector::new(first, second, third))?),
        "plane" => {
            let plane = Plane::new(primitive.position, pose.rotation * Vector::y())?;
            Box::new(plane.with_two_sided(info.two_sided.unwrap_or(false)))
        }
        _ => return Err(Refusal::UnknownKind),
    })
}

/// Moves the geometry of an object to a state of the same size; `false` when it is none that can be moved so.
pub(crate) fn move_to(
    scene: &mut Scene,
    id: GeometryId,
    kind: &str,
    state: &State,
) -> Result<Result<bool, GeometryError>, SceneError> {
    Ok(match state {
        State::Points(points) => match kind {
            "point_set" => replace(scene.geometry_mut::<PointSet>(id)?, points),
            "line_mesh" => replace(scene.geometry_mut::<LineMesh>(id)?, points),
            "surface_mesh" => replace(scene.geometry_mut::<SurfaceMesh>(id)?, points),
            "tetra_mesh" => replace(scene.geometry_mut::<TetraMesh>(id)?, points),
            _ => Ok(false),
        },
        State::Primitive(primitive) => match pose_of(primitive) {
            Err(error) => Err(error),
            Ok(pose) => match kind {
                "sphere" => scene.geometry_mut::<Sphere>(id)?.set_pose(pose),
                "capsule" => scene.geometry_mut::<Capsule>(id)?.set_pose(pose),
                "cylinder" => scene.geometry_mut::<Cylinder>(id)?.set_pose(pose),
                "oriented_box" => scene.geometry_mut::<OrientedBox>(id)?.set_pose(pose),
                "plane" => scene.geometry_mut::<Plane>(id)?.set_pose(pose),
                _ => return Ok(Ok(false)),
            }
            .map(|()| true),
        },
    })
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

fn pose_of(primitive: &Primitive) -> Result<Pose, GeometryError> {
    pose::from_wxyz(primitive.position, primitive.rotation_wxyz)
}
