//! Checks that every constructor shares: parse once, then trust the types.

use crate::GeometryError;
use palpate_math::{Point, Vector};

/// `value`, when it is finite.
pub(crate) fn finite(what: &str, value: f64) -> Result<f64, GeometryError> {
    if value.is_finite() { Ok(value) } else { Err(GeometryError::NotFinite { what: what.to_owned(), value }) }
}

/// `value`, when it is finite and greater than 0.
pub(crate) fn positive(what: &str, value: f64) -> Result<f64, GeometryError> {
    finite(what, value)?;
    if value > 0.0 { Ok(value) } else { Err(GeometryError::NotPositive { what: what.to_owned(), value }) }
}

/// `value`, when it is finite and not negative.
pub(crate) fn not_negative(what: &str, value: f64) -> Result<f64, GeometryError> {
    finite(what, value)?;
    if value >= 0.0 { Ok(value) } else { Err(GeometryError::Negative { what: what.to_owned(), value }) }
}

/// `point`, when all three coordinates are finite.
pub(crate) fn finite_point(what: &str, point: Point) -> Result<Point, GeometryError> {
    finite_vector(what, point.coords).map(Point::from)
}

/// `vector`, when all three components are finite.
pub(crate) fn finite_vector(what: &str, vector: Vector) -> Result<Vector, GeometryError> {
    match vector.iter().find(|x| !x.is_finite()) {
        None => Ok(vector),
        Some(&value) => Err(GeometryError::NotFinite { what: what.to_owned(), value }),
    }
}

/// The unit vector along `vector`, when it is finite and not zero.
pub(crate) fn unit(what: &str, vector: Vector) -> Result<Vector, GeometryError> {
    finite_vector(what, vector)?;
    // Dividing by the largest component first keeps the squares from over- and underflowing.
    let largest = vector.amax();
    if largest == 0.0 {
        return Err(GeometryError::NoDirection { what: what.to_owned() });
    }
    Ok((vector / largest).normalize())
}

/// Checks that every point of a list is finite; the message names the vertex.
pub(crate) fn finite_points(points: &[Point]) -> Result<(), GeometryError> {
    for (index, point) in points.iter().enumerate() {
        if let Some(&value) = point.iter().find(|x| !x.is_finite()) {
            return Err(GeometryError::NotFinite { what: format!("a coordinate of vertex {index}"), value });
        }
    }
    Ok(())
}

/// Checks that every cell names vertices that are there.
pub(crate) fn cells_in_range<const N: usize>(
    cells: &[[u32; N]],
    vertex_count: usize,
) -> Result<(), GeometryError> {
    for (cell, ids) in cells.iter().enumerate() {
        if let Some(&id) = ids.iter().find(|&&id| id as usize >= vertex_count) {
            return Err(GeometryError::IndexOutOfRange { cell, vertex: u64::from(id), vertex_count });
        }
    }
    Ok(())
}
