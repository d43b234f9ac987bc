//! One geometry as a recording has it: what is told once, and what every frame tells.

use crate::describe::{DescriptionError, without_coordinates};
use crate::geometry::implicit::ImplicitFunction;
use crate::geometry::pose::RIGID_TOLERANCE;
use crate::geometry::{
    Capsule, Compound, Cone, Convex, Cylinder, Ellipsoid, Geometry, ImplicitBody, LineMesh, OrientedBox,
    Plane, Pose, Sidedness, Sphere, SurfaceMesh, TetraMesh,
};
use crate::math::{Point, Vector};
use crate::recording::{ObjectInfo, Placement, Primitive, State, Topology};
use std::any::{Any, TypeId};
use std::sync::Arc;

/// What decides the contacts of a geometry beside what its states and cells tell; two that are equal have the same
/// description.
#[derive(Clone)]
pub(crate) struct Traits {
    rust_type: TypeId,
    /// A mesh's radius; 1 for a plane of two sides.
    number: f64,
    surface: Option<(bool, Sidedness)>,
    inverted: Vec<u32>,
    hull: Option<(Vec<Vector>, Vec<[u32; 3]>)>,
    function: Option<Arc<dyn ImplicitFunction>>,
}

impl Traits {
    pub(crate) fn of(geometry: &dyn Geometry) -> Self {
        let any: &dyn Any = geometry;
        let surface = any.downcast_ref::<SurfaceMesh>();
        let two_sided = any.downcast_ref::<Plane>().map(|plane| f64::from(u8::from(plane.two_sided())));
        let hull = any.downcast_ref::<Convex>().map(Convex::hull);
        Self {
            rust_type: any.type_id(),
            number: geometry.as_points().map_or(two_sided.unwrap_or(0.0), |points| points.radius()),
            surface: surface.map(|mesh| (mesh.is_closed(), mesh.sidedness())),
            inverted: any.downcast_ref().map(TetraMesh::inverted_cells).unwrap_or_default(),
            hull: hull.map(|hull| (hull.points().to_vec(), hull.triangles().to_vec())),
            function: any.downcast_ref::<ImplicitBody>().map(|body| body.function().clone()),
        }
    }
}

impl PartialEq for Traits {
    fn eq(&self, other: &Self) -> bool {
        let same_function = match (&self.function, &other.function) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (one, two) => one.is_none() && two.is_none(),
        };
        same_function
            && self.rust_type == other.rust_type
            && self.number.to_bits() == other.number.to_bits()
            && (self.surface, &self.inverted) == (other.surface, &other.inverted)
            && self.hull == other.hull
    }
}

/// The description that the recording keeps.
pub(crate) fn shape(geometry: &dyn Geometry) -> Result<String, DescriptionError> {
    without_coordinates(geometry).map(|shape| shape.to_string())
}

/// A geometry as an object of a session: of this name, with its own cells.
pub(crate) fn info(name: String, geometry: &dyn Geometry) -> Result<ObjectInfo, DescriptionError> {
    let any: &dyn Any = geometry;
    Ok(ObjectInfo {
        name,
        kind: geometry.kind().name().to_owned(),
        radius: geometry.as_points().map(|points| points.radius()),
        closed: any.downcast_ref().map(SurfaceMesh::is_closed),
        two_sided: any.downcast_ref().map(Plane::two_sided),
        shape: Some(shape(geometry)?),
        topology: topology(geometry),
        ..ObjectInfo::default()
    })
}

/// The cells.
pub(crate) fn topology(geometry: &dyn Geometry) -> Topology {
    let any: &dyn Any = geometry;
    if let Some(mesh) = any.downcast_ref::<LineMesh>() {
        return Topology::Lines(mesh.cells().to_vec());
    }
    if let Some(mesh) = any.downcast_ref::<SurfaceMesh>() {
        return Topology::Triangles(mesh.triangles().to_vec());
    }
    if let Some(mesh) = any.downcast_ref::<TetraMesh>() {
        return Topology::Tetrahedra(mesh.cells().to_vec());
    }
    if geometry.as_points().is_some() { Topology::Points } else { Topology::None }
}

/// Whether the cells are these.
pub(crate) fn has_cells(geometry: &dyn Geometry, topology: &Topology) -> bool {
    let any: &dyn Any = geometry;
    match topology {
        Topology::Lines(cells) => any.downcast_ref().is_some_and(|mesh: &LineMesh| mesh.cells() == cells),
        Topology::Triangles(cells) => {
            any.downcast_ref().is_some_and(|mesh: &SurfaceMesh| mesh.triangles() == cells)
        }
        Topology::Tetrahedra(cells) => {
            any.downcast_ref().is_some_and(|mesh: &TetraMesh| mesh.cells() == cells)
        }
        Topology::Points | Topology::None => true,
    }
}

/// Puts the state of a geometry in `state`, whose buffer is reused. Errors: the length of a quaternion that is not 1.
pub(crate) fn take_state(geometry: &dyn Geometry, state: &mut State) -> Result<(), f64> {
    if let Some(points) = geometry.as_points() {
        match state {
            State::Points(buffer) => {
                buffer.clear();
                buffer.extend_from_slice(points.positions());
            }
            State::Primitive(_) => *state = State::Points(points.positions().to_vec()),
        }
        return Ok(());
    }
    let (pose, size) = pose_and_size(geometry);
    let (position, rotation_wxyz) = rigid(&pose)?;
    *state = State::Primitive(Primitive { position, rotation_wxyz, size });
    Ok(())
}

/// The pose that places the object `number` as the frame has it: of a mesh a placement, of a compound its state. Errors: the
/// length of a quaternion that is not 1.
pub(crate) fn place(pose: &Pose, number: usize, state: &mut State) -> Result<Option<Placement>, f64> {
    let (position, rotation_wxyz) = rigid(pose)?;
    Ok(match state {
        State::Points(_) => Some(Placement { object: number, position, rotation_wxyz }),
        State::Primitive(primitive) => {
            (primitive.position, primitive.rotation_wxyz) = (position, rotation_wxyz);
            None
        }
    })
}

/// Position and quaternion of a pose. Errors: the length of a quaternion that is not 1.
fn rigid(pose: &Pose) -> Result<(Point, [f64; 4]), f64> {
    let q = &pose.rotation;
    let length = q.coords.norm();
    if (length - 1.0).abs() > RIGID_TOLERANCE {
        return Err(length);
    }
    Ok((Point::from(pose.translation.vector), [q.w, q.i, q.j, q.k]))
}

/// The pose of a shape and its sizes as a row of the recording has them; of a compound, whose children have poses of their
/// own, the identity.
fn pose_and_size(geometry: &dyn Geometry) -> (Pose, [f64; 3]) {
    let any: &dyn Any = geometry;
    macro_rules! first_of {
        ($($type:ident: |$shape:ident| $size:expr;)*) => {
            $(if let Some($shape) = any.downcast_ref::<$type>() {
                return (*$shape.pose(), $size);
            })*
        };
    }
    first_of! {
        Sphere: |shape| [shape.radius(), 0.0, 0.0];
        Capsule: |shape| [shape.radius(), shape.length(), 0.0];
        Cylinder: |shape| [shape.radius(), shape.length(), 0.0];
        OrientedBox: |shape| shape.half_extents().into();
        Plane: |shape| shape.normal().into();
        Cone: |shape| [shape.radius(), shape.length(), 0.0];
        Ellipsoid: |shape| shape.radii().into();
        Convex: |shape| [shape.margin(), 0.0, 0.0];
        ImplicitBody: |shape| [shape.scale(), 0.0, 0.0];
    }
    (Pose::identity(), [0.0; 3])
}

/// The children of a compound; none of anything else.
pub(crate) fn children(geometry: &dyn Geometry) -> impl Iterator<Item = (u32, &dyn Geometry)> {
    let any: &dyn Any = geometry;
    any.downcast_ref().into_iter().flat_map(Compound::children)
}
