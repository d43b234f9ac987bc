//! One pair of W1 as stored.

use crate::Fallible;

/// The shape of a side. Axes of capsules, cylinders and cones are local z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// The hull with this index in the pool.
    Hull(usize),
    /// Radius.
    Sphere(f64),
    /// Radius and half length of the axis.
    Capsule(f64, f64),
    /// Radius and half height.
    Cylinder(f64, f64),
    /// Radius of the base and half height; the apex toward +z.
    Cone(f64, f64),
    /// Half extents.
    Box([f64; 3]),
}

/// One side of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// The shape.
    pub kind: Kind,
    /// Orthonormal, row by row.
    pub rotation: [[f64; 3]; 3],
    /// The position of the shape's own origin, world frame.
    pub center: [f64; 3],
}

/// A pair and its reference values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// The first shape.
    pub a: Side,
    /// The second.
    pub b: Side,
    /// Signed distance: negative in contact.
    pub distance: f64,
    /// Error bound of the reference; negative if it is not certified.
    pub gap: f64,
    /// The pair of kinds, or the category of the degenerate set.
    pub category: u32,
}

/// Numbers per pair.
const WIDTH: usize = 40;

impl Record {
    /// All pairs of a file. Errors: a length that is no multiple of a pair's, an unknown kind.
    pub fn all(numbers: &[f64]) -> Fallible<Vec<Self>> {
        if !numbers.len().is_multiple_of(WIDTH) {
            return Err(
                format!("a cell holds {} numbers; a multiple of {WIDTH} is wanted", numbers.len()).into()
            );
        }
        numbers.chunks_exact(WIDTH).map(Self::one).collect()
    }

    fn one(n: &[f64]) -> Fallible<Self> {
        Ok(Self {
            a: Side::new(&n[0..4], &n[8..17], &n[17..20])?,
            b: Side::new(&n[4..8], &n[20..29], &n[29..32])?,
            distance: n[32],
            gap: n[33],
            category: n[38] as u32,
        })
    }
}

impl Side {
    fn new(kind: &[f64], rotation: &[f64], center: &[f64]) -> Fallible<Self> {
        let kind = match kind[0] as u32 {
            0 => Kind::Hull(kind[1] as usize),
            1 => Kind::Sphere(kind[1]),
            2 => Kind::Capsule(kind[1], kind[2]),
            3 => Kind::Cylinder(kind[1], kind[2]),
            4 => Kind::Cone(kind[1], kind[2]),
            5 => Kind::Box([kind[1], kind[2], kind[3]]),
            other => return Err(format!("a shape has type {other}; 0 to 5 are wanted").into()),
        };
        let row = |r: usize| [rotation[3 * r], rotation[3 * r + 1], rotation[3 * r + 2]];
        Ok(Self { kind, rotation: [row(0), row(1), row(2)], center: [center[0], center[1], center[2]] })
    }
}
