//! The matrix of kinds: the detectors for each pair of kinds.

use super::registry::{is_exact, roles_are_clear, sees_vertices_only};
use crate::{Accepts, Entry, Order, Registry};
use palpate_geometry::GeometryKind;

/// Two kinds, and what finds their contacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixCell {
    /// The first kind, in the order of [`GeometryKind::ORDER`].
    pub a: GeometryKind,
    /// The second.
    pub b: GeometryKind,
    /// What serves them.
    pub served: Served,
}

/// What finds the contacts of two kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Served {
    /// A detector.
    By {
        /// The default.
        detector: &'static str,
        /// The other detectors that accept the two kinds by name.
        others: Vec<&'static str>,
        /// Whether only the vertices of a mesh are tested.
        vertices_only: bool,
    },
    /// The detectors of the compound's children.
    Children,
    /// None, for this reason.
    Refused(&'static str),
    /// None.
    Nobody,
}

impl Registry {
    /// The detectors of contacts of the current state.
    pub fn static_detectors(&self) -> impl Iterator<Item = &Entry> {
        self.detectors().iter().filter(|entry| !entry.continuous)
    }

    /// The detectors of first contacts of a motion.
    pub fn continuous_detectors(&self) -> impl Iterator<Item = &Entry> {
        self.detectors().iter().filter(|entry| entry.continuous)
    }

    /// All 78 unordered pairs of the kinds in [`GeometryKind::ORDER`], row by row.
    pub fn matrix(&self) -> Vec<MatrixCell> {
        let kinds = GeometryKind::ORDER;
        let rows = kinds.iter().enumerate();
        let pairs = rows.flat_map(|(index, a)| kinds[index..].iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| MatrixCell { a: a.clone(), b: b.clone(), served: self.served(a, b) }).collect()
    }

    fn served(&self, a: &GeometryKind, b: &GeometryKind) -> Served {
        let fits = |entry: &&Entry| order(entry, a, b).is_some();
        let defaults =
            || self.detectors().iter().filter(|entry| entry.default && !entry.continuous).filter(fits);
        let exact = defaults().find(|entry| is_exact(entry, a, b));
        let is_clear = |entry: &&Entry| roles_are_clear(entry, takes(entry, a, b), takes(entry, b, a));
        let in_order =
            |entry: &Entry| if order(entry, a, b) == Some(Order::Swapped) { (b, a) } else { (a, b) };
        let of_vertices = |entry: &Entry| {
            let (first, second) = in_order(entry);
            sees_vertices_only(entry, first, second)
        };
        // Detectors that test only vertices come last.
        let whole = || defaults().filter(is_clear).find(|entry| !of_vertices(entry));
        let clear = || whole().or_else(|| defaults().find(is_clear));
        if let Some(entry) = exact.or_else(clear) {
            let others = self.detectors().iter().filter(fits).map(|other| other.name);
            let (first, second) = in_order(entry);
            return Served::By {
                detector: entry.name,
                others: others.filter(|&other| other != entry.name).collect(),
                vertices_only: sees_vertices_only(entry, first, second),
            };
        }
        match self.refusal(a, b) {
            _ if *a == GeometryKind::COMPOUND || *b == GeometryKind::COMPOUND => Served::Children,
            Some(reason) => Served::Refused(reason),
            None => Served::Nobody,
        }
    }
}

impl Accepts {
    /// Whether the side accepts every geometry of one of palpate's own kinds.
    pub fn takes_kind(&self, kind: &GeometryKind) -> bool {
        const WITH_VERTICES: [GeometryKind; 4] = [
            GeometryKind::POINT_SET,
            GeometryKind::LINE_MESH,
            GeometryKind::SURFACE_MESH,
            GeometryKind::TETRA_MESH,
        ];
        const WITH_SUPPORT_MAP: [GeometryKind; 5] = [
            GeometryKind::SPHERE,
            GeometryKind::CAPSULE,
            GeometryKind::CYLINDER,
            GeometryKind::ORIENTED_BOX,
            GeometryKind::CONVEX,
        ];
        const WITH_DISTANCE: [GeometryKind; 7] = [
            GeometryKind::IMPLICIT,
            GeometryKind::PLANE,
            GeometryKind::SPHERE,
            GeometryKind::CAPSULE,
            GeometryKind::CYLINDER,
            GeometryKind::ORIENTED_BOX,
            GeometryKind::CONVEX,
        ];
        match self {
            Self::Kind(own) => own == kind,
            Self::Points => WITH_VERTICES.contains(kind),
            Self::SignedDistance => WITH_DISTANCE.contains(kind),
            Self::SupportMap | Self::ConvexSolid => WITH_SUPPORT_MAP.contains(kind),
            Self::Surface => [GeometryKind::SURFACE_MESH, GeometryKind::TETRA_MESH].contains(kind),
            // The requirements on the function are checked when a body is bound.
            Self::DistanceBound | Self::BoundedBody => *kind == GeometryKind::IMPLICIT,
        }
    }
}

fn takes(entry: &Entry, a: &GeometryKind, b: &GeometryKind) -> bool {
    entry.a.takes_kind(a) && entry.b.takes_kind(b)
}

fn order(entry: &Entry, a: &GeometryKind, b: &GeometryKind) -> Option<Order> {
    if takes(entry, a, b) { Some(Order::AsGiven) } else { takes(entry, b, a).then_some(Order::Swapped) }
}
