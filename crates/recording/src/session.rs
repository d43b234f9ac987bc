//! The description of a session: its objects, the pairs to detect, and metadata.

use std::collections::BTreeMap;

/// A recorded session, without its frames.
///
/// Lengths are in metres, times in seconds, coordinates in the right-handed world frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionInfo {
    /// The objects; [`Frame::states`](crate::Frame::states) has one state for each, in this order.
    pub objects: Vec<ObjectInfo>,
    /// The pairs to detect. If empty, the replay chooses.
    pub pairs: Vec<PairInfo>,
    /// Seconds from one frame to the next, if constant.
    pub time_step: Option<f64>,
    /// Free-form notes: who, when, with what.
    pub metadata: BTreeMap<String, String>,
}

/// One object of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectInfo {
    /// Unique in the session.
    pub name: String,
    /// The kind as in palpate's registry: `surface_mesh`, `line_mesh`, `tetra_mesh`, `point_set`, `sphere`,
    /// `capsule`, `cylinder`, `plane`, `oriented_box`; other kinds are kept unchanged.
    pub kind: String,
    /// Thickness of an object made of points, lines or triangles, metres.
    pub radius: Option<f64>,
    /// Whether a surface mesh bounds a solid, if the session declares it.
    pub closed: Option<bool>,
    /// Whether a plane has two sides, or else bounds a half-space.
    pub two_sided: Option<bool>,
    /// By what a closed surface mesh tells inside from outside: `pseudonormals` or `winding_number`, if the session says it.
    /// In the first frame, where there is a shape: that changes it later.
    pub sidedness: Option<String>,
    /// The geometry in the first frame as JSON, in the words of `docs/detect-json.md`, where there is more to it than the
    /// fields above and its states tell. Its rotations are then taken to the bit.
    pub shape: Option<String>,
    /// Whether the points of a mesh, or the parts of a compound, are in the object's own frame: then every frame has a
    /// pose that places them in the world.
    pub placed: bool,
    /// Of a child of a compound: which compound, and which of its children.
    pub part_of: Option<PartOf>,
    /// The cells in the first frame.
    pub topology: Topology,
}

/// The place of an object in a compound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartOf {
    /// The name of the compound, which is an object of the session.
    pub compound: String,
    /// The child's number in it. Numbers need not be consecutive.
    pub child: u32,
}

/// The cells of an object: ids of its points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// A primitive shape: no points, a [`State::Primitive`](crate::State::Primitive) per frame.
    #[default]
    None,
    /// Points without cells.
    Points,
    /// Segments.
    Lines(Vec<[u32; 2]>),
    /// Triangles.
    Triangles(Vec<[u32; 3]>),
    /// Tetrahedra.
    Tetrahedra(Vec<[u32; 4]>),
}

impl Topology {
    /// The number of cells: 0 for primitives and for points.
    pub fn cell_count(&self) -> usize {
        match self {
            Self::None | Self::Points => 0,
            Self::Lines(cells) => cells.len(),
            Self::Triangles(cells) => cells.len(),
            Self::Tetrahedra(cells) => cells.len(),
        }
    }

    /// The point ids of all cells, cell by cell.
    pub fn indices(&self) -> &[u32] {
        match self {
            Self::None | Self::Points => &[],
            Self::Lines(cells) => cells.as_flattened(),
            Self::Triangles(cells) => cells.as_flattened(),
            Self::Tetrahedra(cells) => cells.as_flattened(),
        }
    }

    /// Points per cell: 0 for primitives and for points.
    pub fn points_per_cell(&self) -> usize {
        match self {
            Self::None | Self::Points => 0,
            Self::Lines(_) => 2,
            Self::Triangles(_) => 3,
            Self::Tetrahedra(_) => 4,
        }
    }

    /// The kind of geometry with such cells; `None` for primitives, whose kind does not follow from the cells.
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Points => Some("point_set"),
            Self::Lines(_) => Some("line_mesh"),
            Self::Triangles(_) => Some("surface_mesh"),
            Self::Tetrahedra(_) => Some("tetra_mesh"),
        }
    }

    /// No cells, of the type of a kind of geometry; points for kinds that are not meshes.
    pub(crate) fn empty(kind: &str) -> Self {
        match kind {
            "line_mesh" => Self::Lines(Vec::new()),
            "surface_mesh" => Self::Triangles(Vec::new()),
            "tetra_mesh" => Self::Tetrahedra(Vec::new()),
            _ => Self::Points,
        }
    }

    /// CRC-32 (zlib's) of the point ids as 64-bit little-endian integers, as they are stored; 0 without cells.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let mut wide = [0_i64; 512];
        for part in self.indices().chunks(wide.len()) {
            for (wide, &index) in wide.iter_mut().zip(part) {
                *wide = i64::from(index);
            }
            hasher.update(bytemuck::cast_slice(&wide[..part.len()]));
        }
        hasher.finalize()
    }
}

/// One pair of objects to detect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairInfo {
    /// Name of the first object.
    pub a: String,
    /// Name of the second; the same as `a` for self-contact.
    pub b: String,
    /// The detector by name, or `None` for the default of the two kinds.
    pub detector: Option<String>,
    /// Metres within which contacts are reported before the two touch.
    pub margin: f64,
    /// The detector's settings as JSON; `None` for its defaults.
    pub settings: Option<String>,
    /// Whether the two objects reach the detector in exchanged order, where either order would do; with a compound, then
    /// the same for every pair of its children. Empty: the detector's choice.
    pub exchanged: Vec<bool>,
}
