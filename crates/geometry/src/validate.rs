//! Input checks shared by all constructors.

use crate::GeometryError;
use palpate_math::{Point, Vector};

/// Limit of lengths and coordinates, so that fourth powers of their differences (squared areas) stay finite.
pub(crate) const LARGEST: f64 = 1e75;

/// Returns `value` if its magnitude does not exceed [`LARGEST`].
fn in_range(what: &str, value: f64) -> Result<f64, GeometryError> {
    match value.abs() <= LARGEST {
        true => Ok(value),
        false if value.is_finite() && value < 0.0 => {
            Err(GeometryError::TooSmall { what: what.to_owned(), value, least: -LARGEST })
        }
        false if value.is_finite() => {
            Err(GeometryError::TooLarge { what: what.to_owned(), value, most: LARGEST })
        }
        false => Err(GeometryError::NotFinite { what: what.to_owned(), value }),
    }
}

/// Returns `value` if it is finite.
pub(crate) fn finite(what: &str, value: f64) -> Result<f64, GeometryError> {
    if value.is_finite() { Ok(value) } else { Err(GeometryError::NotFinite { what: what.to_owned(), value }) }
}

/// Returns `value` if it is greater than 0 and does not exceed [`LARGEST`].
pub(crate) fn positive(what: &str, value: f64) -> Result<f64, GeometryError> {
    in_range(what, value)?;
    if value > 0.0 { Ok(value) } else { Err(GeometryError::NotPositive { what: what.to_owned(), value }) }
}

/// Returns `value` if it is not negative and does not exceed [`LARGEST`].
pub(crate) fn not_negative(what: &str, value: f64) -> Result<f64, GeometryError> {
    in_range(what, value)?;
    if value >= 0.0 { Ok(value) } else { Err(GeometryError::Negative { what: what.to_owned(), value }) }
}

/// Returns `point` if no coordinate exceeds [`LARGEST`].
pub(crate) fn finite_point(what: &str, point: Point) -> Result<Point, GeometryError> {
    finite_place(what, point.coords).map(Point::from)
}

/// Does the same for a point given as a vector.
pub(crate) fn finite_place(what: &str, place: Vector) -> Result<Vector, GeometryError> {
    place.iter().try_for_each(|&x| in_range(what, x).map(|_| ()))?;
    Ok(place)
}

/// Returns `vector` if all three components are finite.
pub(crate) fn finite_vector(what: &str, vector: Vector) -> Result<Vector, GeometryError> {
    match vector.iter().find(|x| !x.is_finite()) {
        None => Ok(vector),
        Some(&value) => Err(GeometryError::NotFinite { what: what.to_owned(), value }),
    }
}

/// Returns the unit vector along `vector`, if it is finite and not zero.
pub(crate) fn unit(what: &str, vector: Vector) -> Result<Vector, GeometryError> {
    finite_vector(what, vector)?;
    // Dividing by the largest component first prevents over- and underflow of the squares.
    let largest = vector.amax();
    if largest == 0.0 {
        return Err(GeometryError::NoDirection { what: what.to_owned() });
    }
    Ok((vector / largest).normalize())
}

/// Checks that no coordinate of a list of points exceeds [`LARGEST`]; the message names the vertex.
pub(crate) fn finite_points(points: &[Point]) -> Result<(), GeometryError> {
    let off = |point: &Point| !point.iter().all(|x| x.abs() <= LARGEST);
    match points.iter().position(off) {
        None => Ok(()),
        Some(index) => finite_point(&format!("a coordinate of vertex {index}"), points[index]).map(|_| ()),
    }
}

/// Checks that every cell names existing vertices.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_to_be_multiplied_is_refused_by_its_name_and_value() {
        let message =
            |value: f64| finite_point("the center", Point::new(0.0, value, 0.0)).unwrap_err().to_string();
        assert_eq!(message(1e308), "the center is 1e308: wanted 1e75 or less");
        assert_eq!(message(-1e80), "the center is -1e80: wanted -1e75 or more");
        assert_eq!(message(f64::INFINITY), "the center is inf: wanted a finite number");
        assert_eq!(message(f64::NAN), "the center is NaN: wanted a finite number");
        assert_eq!(finite_point("the center", Point::new(-LARGEST, LARGEST, 0.0)).map(|p| p.y), Ok(LARGEST));
        for value in [1e76, -1e308, f64::NAN, f64::NEG_INFINITY] {
            let points = [Point::origin(), Point::new(1.0, 2.0, value)];
            assert!(
                finite_points(&points).unwrap_err().to_string().starts_with("a coordinate of vertex 1 is ")
            );
        }
        assert!(positive("the radius", 1e76).is_err() && not_negative("the length", 1e308).is_err());
        assert_eq!(
            (positive("the radius", LARGEST), finite_points(&[Point::origin()])),
            (Ok(LARGEST), Ok(()))
        );
    }
}
