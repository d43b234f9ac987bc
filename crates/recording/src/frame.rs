//! One frame of a session: the state of all objects at one time.

use crate::{Point, Topology};
use crc32fast::Hasher;

/// The state of every object at one time. Reused from frame to frame by
/// [`Reader::read_frame`](crate::Reader::read_frame).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Seconds.
    pub time: f64,
    /// One state per object, in the order of [`SessionInfo::objects`](crate::SessionInfo::objects).
    pub states: Vec<State>,
    /// Objects whose cells are not those of the frame before: after a cut, a tear, a remeshing. Always empty in
    /// the first frame, whose cells [`ObjectInfo::topology`](crate::ObjectInfo::topology) holds.
    pub changes: Vec<TopologyChange>,
    /// Objects whose [`ObjectInfo::shape`](crate::ObjectInfo::shape) is not that of the frame before. Always empty in the
    /// first frame.
    pub shapes: Vec<ShapeChange>,
    /// The poses of the meshes that are [placed](crate::ObjectInfo::placed), one for each, in their order.
    pub placements: Vec<Placement>,
}

/// One object in one frame; world frame, metres.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// Positions of the points of a mesh or point set: `n`, in the order that the cells count them; in the object's own
    /// frame where it is [placed](crate::ObjectInfo::placed).
    Points(Vec<Point>),
    /// A primitive shape, or the pose of any other object that has one.
    Primitive(Primitive),
}

/// Pose and size of a primitive shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Primitive {
    /// The shape's centre; for a plane any point on it.
    pub position: Point,
    /// World from shape, a unit quaternion, real part first. The axis of a capsule or cylinder and the normal of a
    /// plane are the shape's +y.
    pub rotation_wxyz: [f64; 4],
    /// Sphere: radius, 0, 0. Capsule and cylinder: radius, length between the end centres, 0. Oriented box: half
    /// extents. Plane: 0, 0, 0, or its unit normal where that is known to the bit. Cone: radius of the base, length, 0.
    /// Ellipsoid: its radii. Convex hull: margin, 0, 0. Implicit body: scale, 0, 0. Compound: 0, 0, 0.
    pub size: [f64; 3],
}

impl Primitive {
    /// Position, rotation and size as the ten numbers of a row in the file.
    pub(crate) fn to_row(self) -> [f64; 10] {
        let ([x, y, z], [qw, qx, qy, qz], [a, b, c]) =
            (self.position.coords.into(), self.rotation_wxyz, self.size);
        [x, y, z, qw, qx, qy, qz, a, b, c]
    }

    /// The inverse of [`Primitive::to_row`].
    pub(crate) fn from_row(row: [f64; 10]) -> Self {
        let [x, y, z, qw, qx, qy, qz, a, b, c] = row;
        Self { position: Point::new(x, y, z), rotation_wxyz: [qw, qx, qy, qz], size: [a, b, c] }
    }
}

impl State {
    /// The number of points; `None` for a primitive.
    pub fn point_count(&self) -> Option<usize> {
        match self {
            Self::Points(points) => Some(points.len()),
            Self::Primitive(_) => None,
        }
    }

    /// CRC-32 (zlib's) of the coordinates, or of position, rotation and size, as little-endian doubles.
    pub fn checksum(&self) -> u32 {
        let mut hasher = Hasher::new();
        self.update(&mut hasher);
        hasher.finalize()
    }

    /// The coordinates as bytes, little-endian doubles.
    fn update(&self, hasher: &mut Hasher) {
        match self {
            Self::Points(points) => hasher.update(coordinate_bytes(points)),
            Self::Primitive(primitive) => hasher.update(bytemuck::bytes_of(&primitive.to_row())),
        }
    }
}

/// The cells of one object from this frame on.
#[derive(Clone, Debug, PartialEq)]
pub struct TopologyChange {
    /// Index into [`SessionInfo::objects`](crate::SessionInfo::objects).
    pub object: usize,
    /// The new cells.
    pub topology: Topology,
}

/// The shape of one object from this frame on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeChange {
    /// Index into [`SessionInfo::objects`](crate::SessionInfo::objects).
    pub object: usize,
    /// The new [`ObjectInfo::shape`](crate::ObjectInfo::shape).
    pub shape: String,
}

/// Where the frame of a placed mesh is in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Index into [`SessionInfo::objects`](crate::SessionInfo::objects).
    pub object: usize,
    /// The origin of the mesh's frame.
    pub position: Point,
    /// World from mesh, a unit quaternion, real part first.
    pub rotation_wxyz: [f64; 4],
}

impl Placement {
    /// Returns the placement in a session in which the objects of its file follow `base` others.
    pub(crate) fn counted_from(&self, base: usize) -> Self {
        Self { object: base + self.object, ..*self }
    }

    /// As a row of the file, which is that of a primitive without a size.
    pub(crate) fn to_row(self) -> [f64; 10] {
        let (position, rotation_wxyz) = (self.position, self.rotation_wxyz);
        Primitive { position, rotation_wxyz, size: [0.0; 3] }.to_row()
    }

    /// The inverse of [`Placement::to_row`].
    pub(crate) fn from_row(object: usize, row: [f64; 10]) -> Self {
        let Primitive { position, rotation_wxyz, .. } = Primitive::from_row(row);
        Self { object, position, rotation_wxyz }
    }
}

/// The bytes of `n` points: `3 n` doubles in the host's order, which is little-endian wherever this crate builds.
pub(crate) fn coordinate_bytes(points: &[Point]) -> &[u8] {
    bytemuck::cast_slice(points)
}

/// CRC-32 (zlib's) of a frame: its time, then the states of the objects in their order, each followed by its placement if
/// it has one, all as little-endian doubles. Objects are numbered from `first`.
pub(crate) fn checksum(time: f64, first: usize, states: &[State], placements: &[Placement]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(&time.to_le_bytes());
    for (object, state) in (first..).zip(states) {
        state.update(&mut hasher);
        if let Some(placement) = placements.iter().find(|placement| placement.object == object) {
            hasher.update(bytemuck::bytes_of(&placement.to_row()));
        }
    }
    hasher.finalize()
}
