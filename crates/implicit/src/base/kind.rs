//! Kinds of geometry, by name.

use std::borrow::Cow;
use std::fmt;

/// The kind of a geometry, with the same name in JSON, HDF5, C and Python. Open: user-defined geometries add their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GeometryKind(Cow<'static, str>);

impl GeometryKind {
    /// A geometry made of child geometries.
    pub const COMPOUND: Self = Self::new("compound");
    /// An implicit function.
    pub const IMPLICIT: Self = Self::new("implicit");
    /// Unconnected points.
    pub const POINT_SET: Self = Self::new("point_set");
    /// Segments between points.
    pub const LINE_MESH: Self = Self::new("line_mesh");
    /// Triangles between points.
    pub const SURFACE_MESH: Self = Self::new("surface_mesh");
    /// Tetrahedra between points.
    pub const TETRA_MESH: Self = Self::new("tetra_mesh");
    /// A half-space, or a two-sided plane.
    pub const PLANE: Self = Self::new("plane");
    /// A ball.
    pub const SPHERE: Self = Self::new("sphere");
    /// A segment with a radius.
    pub const CAPSULE: Self = Self::new("capsule");
    /// A solid cylinder with flat caps.
    pub const CYLINDER: Self = Self::new("cylinder");
    /// A box of any orientation.
    pub const ORIENTED_BOX: Self = Self::new("oriented_box");
    /// A convex body given by its support map.
    pub const CONVEX: Self = Self::new("convex");

    /// The built-in kinds, in the order in which a detector's name lists its two kinds.
    pub const ORDER: [Self; 12] = [
        Self::COMPOUND,
        Self::IMPLICIT,
        Self::POINT_SET,
        Self::LINE_MESH,
        Self::SURFACE_MESH,
        Self::TETRA_MESH,
        Self::PLANE,
        Self::SPHERE,
        Self::CAPSULE,
        Self::CYLINDER,
        Self::ORIENTED_BOX,
        Self::CONVEX,
    ];

    /// Creates a kind from a name known at compile time.
    pub const fn new(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// Creates a kind from a name read at run time.
    pub fn from_name(name: &str) -> Self {
        Self::ORDER
            .into_iter()
            .find(|kind| kind.name() == name)
            .unwrap_or_else(|| Self(Cow::Owned(name.to_owned())))
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Returns the index in [`ORDER`](Self::ORDER); user-defined kinds come after all built-in ones.
    pub fn rank(&self) -> usize {
        Self::ORDER.iter().position(|kind| kind == self).unwrap_or(Self::ORDER.len())
    }
}

impl fmt::Display for GeometryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
