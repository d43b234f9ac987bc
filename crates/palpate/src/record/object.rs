//! One geometry as a recorded object: the data stored once, and the data of every frame.

use crate::describe::{DescriptionError, sidedness_word, without_coordinates};
use crate::geometry::implicit::ImplicitFunction;
use crate::geometry::pose::RIGID_TOLERANCE;
use crate::geometry::{Compound, Geometry, Pose, Sidedness, SurfaceMesh, TypedGeometry, cells_left};
use crate::math::{Point, Vector};
use crate::recording::{ObjectInfo, Placement, Primitive, State, Topology};
use std::any::{Any, TypeId};
use std::sync::Arc;

/// The properties, besides states and cells, that affect the contacts of a geometry. Equal traits give the same
/// description.
#[derive(Clone)]
pub(crate) struct Traits {
    rust_type: TypeId,
    /// The radius of a mesh; 1 for a two-sided plane.
    number: f64,
    /// Of a surface: whether it is closed, its sidedness, and whether it intersected itself when that was decided.
    surface: Option<(bool, Sidedness, bool)>,
    inverted: Vec<u32>,
    hull: Option<(Vec<Vector>, Vec<[u32; 3]>)>,
    function: Option<Arc<dyn ImplicitFunction>>,
}

impl Traits {
    pub(crate) fn of(geometry: &dyn Geometry) -> Self {
        let any: &dyn Any = geometry;
        let mut traits = Self {
            rust_type: any.type_id(),
            number: geometry.as_points().map_or(0.0, |points| points.radius()),
            surface: None,
            inverted: Vec::new(),
            hull: None,
            function: None,
        };
        match TypedGeometry::of(geometry) {
            TypedGeometry::SurfaceMesh(mesh) => {
                traits.surface = Some((mesh.is_closed(), mesh.sidedness(), mesh.is_self_intersecting()));
            }
            TypedGeometry::TetraMesh(mesh) => traits.inverted = mesh.inverted_cells(),
            TypedGeometry::Plane(plane) => traits.number = f64::from(u8::from(plane.two_sided())),
            TypedGeometry::Convex(body) => {
                traits.hull = Some((body.hull().points().to_vec(), body.hull().triangles().to_vec()));
            }
            TypedGeometry::ImplicitBody(body) => traits.function = Some(body.function().clone()),
            _ => {}
        }
        traits
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

/// The description that the recording stores.
pub(crate) fn shape(geometry: &dyn Geometry) -> Result<String, DescriptionError> {
    without_coordinates(geometry).map(|shape| shape.to_string())
}

/// A geometry as an object of a session, with this name and its own cells.
pub(crate) fn info(name: String, geometry: &dyn Geometry) -> Result<ObjectInfo, DescriptionError> {
    let typed = TypedGeometry::of(geometry);
    let surface = if let TypedGeometry::SurfaceMesh(mesh) = typed { Some(mesh) } else { None };
    Ok(ObjectInfo {
        name,
        kind: geometry.kind().name().to_owned(),
        radius: geometry.as_points().map(|points| points.radius()),
        closed: surface.map(SurfaceMesh::is_closed),
        two_sided: if let TypedGeometry::Plane(plane) = typed { Some(plane.two_sided()) } else { None },
        sidedness: surface.map(|mesh| sidedness_word(mesh.sidedness()).to_owned()),
        shape: Some(shape(geometry)?),
        topology: topology(geometry),
        ..ObjectInfo::default()
    })
}

/// The cells, without removed ones, whose numbers are in the description.
pub(crate) fn topology(geometry: &dyn Geometry) -> Topology {
    match TypedGeometry::of(geometry) {
        TypedGeometry::LineMesh(mesh) => Topology::Lines(cells_left(mesh.cells()).copied().collect()),
        TypedGeometry::SurfaceMesh(mesh) => {
            Topology::Triangles(cells_left(mesh.triangles()).copied().collect())
        }
        TypedGeometry::TetraMesh(mesh) => Topology::Tetrahedra(cells_left(mesh.cells()).copied().collect()),
        _ if geometry.as_points().is_some() => Topology::Points,
        _ => Topology::None,
    }
}

/// Whether the geometry has exactly these cells, without removed ones.
pub(crate) fn has_cells(geometry: &dyn Geometry, topology: &Topology) -> bool {
    match (topology, TypedGeometry::of(geometry)) {
        (Topology::Lines(cells), TypedGeometry::LineMesh(mesh)) => cells_left(mesh.cells()).eq(cells),
        (Topology::Triangles(cells), TypedGeometry::SurfaceMesh(mesh)) => {
            cells_left(mesh.triangles()).eq(cells)
        }
        (Topology::Tetrahedra(cells), TypedGeometry::TetraMesh(mesh)) => cells_left(mesh.cells()).eq(cells),
        (Topology::Points | Topology::None, _) => true,
        _ => false,
    }
}

/// Writes the state of a geometry to `state`, reusing its buffer. Errors: a quaternion whose length is not 1; the error
/// is the length.
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

/// Stores the pose at which the scene places object `number`: a mesh returns it as a placement, a compound has it in
/// its state. Errors: a quaternion whose length is not 1; the error is the length.
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

/// Position and quaternion of a pose. Errors: a quaternion whose length is not 1; the error is the length.
fn rigid(pose: &Pose) -> Result<(Point, [f64; 4]), f64> {
    let q = &pose.rotation;
    let length = q.coords.norm();
    if (length - 1.0).abs() > RIGID_TOLERANCE {
        return Err(length);
    }
    Ok((Point::from(pose.translation.vector), [q.w, q.i, q.j, q.k]))
}

/// The pose and the sizes of a shape, as in a row of the recording. The identity for a compound, whose children have
/// their own poses.
fn pose_and_size(geometry: &dyn Geometry) -> (Pose, [f64; 3]) {
    let typed = TypedGeometry::of(geometry);
    let size = match typed {
        TypedGeometry::Plane(shape) => shape.normal().into(),
        TypedGeometry::Convex(shape) => [shape.radius(), 0.0, 0.0],
        TypedGeometry::ImplicitBody(shape) => [shape.scale(), 0.0, 0.0],
        _ => match typed.sized() {
            Some(shape) => shape.sizes(),
            None => return (Pose::identity(), [0.0; 3]),
        },
    };
    (geometry.pose().unwrap_or_else(Pose::identity), size)
}

/// The children of a compound; empty for other geometries.
pub(crate) fn children(geometry: &dyn Geometry) -> impl Iterator<Item = (u32, &dyn Geometry)> {
    let compound = match TypedGeometry::of(geometry) {
        TypedGeometry::Compound(compound) => Some(compound),
        _ => None,
    };
    compound.into_iter().flat_map(Compound::children)
}
