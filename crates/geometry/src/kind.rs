//! The kinds of geometry, by name.

use std::borrow::Cow;
use std::fmt;

/// The kind of a geometry: the same word in JSON, HDF5, C and Python. Open: a user's geometry brings its own word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GeometryKind(Cow<'static, str>);

impl GeometryKind {
    /// A geometry made of others.
    pub const COMPOUND: Self = Self::new("compound");
    /// A function of space.
    pub const IMPLICIT: Self = Self::new("implicit");
    /// Points without connection.
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
    /// A box in any orientation.
    pub const ORIENTED_BOX: Self = Self::new("oriented_box");
    /// A convex body known by its support map.
    pub const CONVEX: Self = Self::new("convex");

    /// The kinds that palpate names, in the order in which a detector's name lists its two kinds.
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

    /// A kind from a word known at compile time.
    pub const fn new(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// A kind from a word read at run time.
    pub fn from_name(name: &str) -> Self {
        Self::ORDER
            .into_iter()
            .find(|kind| kind.name() == name)
            .unwrap_or_else(|| Self(Cow::Owned(name.to_owned())))
    }

    /// The word.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The place in [`ORDER`](Self::ORDER); a user's kind comes after all of palpate's.
    pub fn rank(&self) -> usize {
        Self::ORDER.iter().position(|kind| kind == self).unwrap_or(Self::ORDER.len())
    }
}

impl fmt::Display for GeometryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
