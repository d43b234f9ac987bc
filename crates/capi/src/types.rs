//! Plain data that both sides share.

use crate::status::{Failure, Outcome};
use palpate::contact::{Contact, Feature};
use palpate::geometry::{Pose, pose};
use palpate::math::{Point, Vector};
use palpate::nalgebra::{Quaternion, Unit};
use std::mem::offset_of;

/// No vertex, cell, child, body or feature.
pub const PALPATE_NONE: u32 = u32::MAX;

/// A geometry of a scene: never reused within the scene, and never 0, which is none.
pub type palpate_geometry_id = u64;

/// A pair of a scene: never reused within the scene, and never 0, which is none.
pub type palpate_pair_id = u64;

/// A cell that the edge of a blade passes through.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_swept_cell {
    /// The cell.
    pub cell: u32,
    /// 0.
    pub reserved: u32,
    /// When the edge enters it and when it leaves it, 0 to 1: 0 if it was in it before, 1 if it is in it now.
    pub times: [f64; 2],
}

/// A rigid transform from local to world coordinates.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_pose {
    /// The local origin: world frame, metres.
    pub position: [f64; 3],
    /// Unit quaternion w, x, y, z. Used bit for bit if its length is 1 within 1e-12, brought to 1 within 1e-6, and refused
    /// beyond that.
    pub rotation: [f64; 4],
}

/// The length of a rotation that is used as it is.
const EXACT_WITHIN: f64 = 1e-12;

impl palpate_pose {
    pub(crate) const IDENTITY: Self = Self { position: [0.0; 3], rotation: [1.0, 0.0, 0.0, 0.0] };

    pub(crate) fn of(pose: &Pose) -> Self {
        let Quaternion { coords } = *pose.rotation.as_ref();
        Self { position: pose.translation.vector.into(), rotation: [coords.w, coords.x, coords.y, coords.z] }
    }

    pub(crate) fn checked(&self) -> Outcome<Pose> {
        let [w, x, y, z] = self.rotation;
        let length = (w * w + x * x + y * y + z * z).sqrt();
        let rotation = if (length - 1.0).abs() <= EXACT_WITHIN {
            Unit::new_unchecked(Quaternion::new(w, x, y, z))
        } else {
            pose::rotation_from_wxyz(self.rotation)?
        };
        Ok(pose::from_rotation(self.position.into(), rotation)?)
    }

    /// A pose; the identity for null.
    ///
    /// # Safety
    /// `pointer` is null or points to a pose.
    pub(crate) unsafe fn or_identity(pointer: *const Self) -> Outcome<Pose> {
        // SAFETY: the caller's promise.
        unsafe { pointer.as_ref() }.unwrap_or(&Self::IDENTITY).checked()
    }
}

/// Three numbers. Errors: null.
///
/// # Safety
/// `pointer` is null or points to three numbers.
pub(crate) unsafe fn three(pointer: *const f64, what: &str) -> Outcome<[f64; 3]> {
    if pointer.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: the caller's promise.
    Ok([0, 1, 2].map(|k| unsafe { pointer.add(k).read_unaligned() }))
}

/// A point. Errors and safety: as [`three`].
pub(crate) unsafe fn point(pointer: *const f64, what: &str) -> Outcome<Point> {
    // SAFETY: the caller's promise.
    unsafe { three(pointer, what) }.map(Point::from)
}

/// A vector. Errors and safety: as [`three`].
pub(crate) unsafe fn vector(pointer: *const f64, what: &str) -> Outcome<Vector> {
    // SAFETY: the caller's promise.
    unsafe { three(pointer, what) }.map(Vector::from)
}

/// The element of a side is a point of a shape without vertices (a sphere, a plane).
pub const PALPATE_FEATURE_POINT: u32 = 0;
/// The element is a vertex.
pub const PALPATE_FEATURE_VERTEX: u32 = 1;
/// The element is an edge, or a segment of a line mesh.
pub const PALPATE_FEATURE_EDGE: u32 = 2;
/// The element is a triangle.
pub const PALPATE_FEATURE_TRIANGLE: u32 = 3;
/// The element is a tetrahedron.
pub const PALPATE_FEATURE_TETRAHEDRON: u32 = 4;

/// One side of a contact: the element, and the position of the contact on it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_feature {
    /// One of `PALPATE_FEATURE_…`.
    pub kind: u32,
    /// 0 for a point, else 1 to 4.
    pub vertex_count: u32,
    /// Vertex ids, `PALPATE_NONE` beyond the count.
    pub vertices: [u32; 4],
    /// The cell that owns the element, of the highest dimension and the lowest number; for a shape without vertices the
    /// number of its feature (box face 0 to 5, capsule end 0 or 1), or `PALPATE_NONE`.
    pub cell: u32,
    /// The child of a compound, or `PALPATE_NONE`.
    pub child: u32,
    /// Barycentric weights of the vertices, which locate the contact on the bare element, before any radius; in a
    /// tetrahedron they locate the other side's point.
    pub weights: [f64; 4],
    /// The point on this side's own surface: world frame, metres.
    pub point: [f64; 3],
}

/// One contact between side A and side B of a pair. A static contact has `a.point + depth * direction == b.point`, up to
/// rounding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_contact {
    /// The element and the surface point of the first geometry.
    pub a: palpate_feature,
    /// The element and the surface point of the second geometry.
    pub b: palpate_feature,
    /// Unit vector that moves A out of B; B moves along its negative.
    pub direction: [f64; 3],
    /// Metres: zero or positive in contact, negative for a pair that is apart within the margin.
    pub depth: f64,
    /// A certified upper bound of the depth in metres; equals the depth where the method is exact.
    pub depth_upper: f64,
    /// 0 to 1 within the step for continuous detection, NaN for static detection.
    pub time_of_impact: f64,
    /// The same from step to step; with both children the key of the contact within its pair.
    pub id: u64,
}

/// Proves that a contact of C is a contact of Rust, field by field: contacts are handed out without a copy.
macro_rules! same_layout {
    ($($own:ident = $other:ident { $($field:ident),* $(,)? })*) => {$(
        const _: () = {
            assert!(size_of::<$own>() == size_of::<$other>());
            assert!(align_of::<$own>() == align_of::<$other>());
            $(assert!(offset_of!($own, $field) == offset_of!($other, $field));)*
        };
    )*};
}

same_layout! {
    palpate_feature = Feature { kind, vertex_count, vertices, cell, child, weights, point }
    palpate_contact = Contact { a, b, direction, depth, depth_upper, time_of_impact, id }
}

/// Contacts as C sees them: the same memory.
pub(crate) fn contacts_pointer(contacts: &[Contact]) -> *const palpate_contact {
    contacts.as_ptr().cast()
}
