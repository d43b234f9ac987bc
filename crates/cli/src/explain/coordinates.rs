//! A vector as it is printed.

use palpate::convex::VectorSpace;

/// Two or three coordinates.
pub(crate) type Coordinates = Vec<f64>;

/// The coordinates, without negative zeros.
pub(crate) fn coordinates<V: VectorSpace>(vector: V) -> Coordinates {
    (0..V::DIMENSION).map(|index| vector.coordinate(index) + 0.0).collect()
}
