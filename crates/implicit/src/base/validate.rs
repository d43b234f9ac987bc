//! Input checks shared by all constructors.

use super::GeometryError;
use nalgebra::Isometry3;
use palpate_math::{Aabb, Point, Vector};

/// The largest magnitude of a coordinate or a size, in metres: 2^150, about 1.4e45. Sixth powers of the differences of such
/// coordinates (squared volumes) do not overflow.
pub const LARGEST: f64 = f64::from_bits((1023 + 150) << 52);

/// The least size that is not 0, in metres: 2^-150, about 7.0e-46. A size is a radius, a length, a scale, a margin, or the
/// largest extent of a list of vertices. A coordinate may be smaller.
pub const SMALLEST: f64 = f64::from_bits((1023 - 150) << 52);

/// Tolerance (relative to 1) of a quaternion's length, a matrix' columns or two representations of one rotation: the
/// error of seven printed digits.
pub const RIGID_TOLERANCE: f64 = 1e-6;

/// Returns `value` if its magnitude does not exceed [`LARGEST`].
pub fn in_range(what: &str, value: f64) -> Result<f64, GeometryError> {
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

/// Returns `value` if it is 0 or has a magnitude from [`SMALLEST`] to [`LARGEST`].
pub fn length(what: &str, value: f64) -> Result<f64, GeometryError> {
    in_range(what, value)?;
    if value != 0.0 && value.abs() < SMALLEST {
        return Err(GeometryError::TooSmall { what: what.to_owned(), value: value.abs(), least: SMALLEST });
    }
    Ok(value)
}

/// Returns `value` if it is finite.
pub fn finite(what: &str, value: f64) -> Result<f64, GeometryError> {
    if value.is_finite() { Ok(value) } else { Err(GeometryError::NotFinite { what: what.to_owned(), value }) }
}

/// Returns `value` if it is from [`SMALLEST`] to [`LARGEST`].
pub fn positive(what: &str, value: f64) -> Result<f64, GeometryError> {
    in_range(what, value)?;
    if value > 0.0 {
        length(what, value)
    } else {
        Err(GeometryError::NotPositive { what: what.to_owned(), value })
    }
}

/// Returns `value` if it is 0 or from [`SMALLEST`] to [`LARGEST`].
pub fn not_negative(what: &str, value: f64) -> Result<f64, GeometryError> {
    in_range(what, value)?;
    if value >= 0.0 {
        length(what, value)
    } else {
        Err(GeometryError::Negative { what: what.to_owned(), value })
    }
}

/// Returns `point` if no coordinate exceeds [`LARGEST`].
pub fn finite_point(what: &str, point: Point) -> Result<Point, GeometryError> {
    finite_place(what, point.coords).map(Point::from)
}

/// Does the same for a point given as a vector.
pub fn finite_place(what: &str, place: Vector) -> Result<Vector, GeometryError> {
    place.iter().try_for_each(|&x| in_range(what, x).map(|_| ()))?;
    Ok(place)
}

/// Returns `vector` if all three components are finite.
pub fn finite_vector(what: &str, vector: Vector) -> Result<Vector, GeometryError> {
    match vector.iter().find(|x| !x.is_finite()) {
        None => Ok(vector),
        Some(&value) => Err(GeometryError::NotFinite { what: what.to_owned(), value }),
    }
}

/// Returns the unit vector along `vector`, if it is finite and not zero.
pub fn unit(what: &str, vector: Vector) -> Result<Vector, GeometryError> {
    finite_vector(what, vector)?;
    // Dividing by the largest component first prevents over- and underflow of the squares.
    let largest = vector.amax();
    if largest == 0.0 {
        return Err(GeometryError::NoDirection { what: what.to_owned() });
    }
    Ok((vector / largest).normalize())
}

/// Checks that no coordinate of the translation exceeds [`LARGEST`] and that the rotation is finite and of length 1, within
/// [`RIGID_TOLERANCE`].
pub fn rigid(what: &str, pose: &Isometry3<f64>) -> Result<(), GeometryError> {
    finite_place(what, pose.translation.vector)?;
    for &value in pose.rotation.coords.iter() {
        finite("a component of the rotation", value)?;
    }
    let error = (pose.rotation.coords.norm() - 1.0).abs();
    if error <= RIGID_TOLERANCE {
        return Ok(());
    }
    Err(GeometryError::NotRigid { what: "the rotation".to_owned(), reason: "its length is not 1", error })
}

/// Checks that no coordinate of a list of points exceeds [`LARGEST`], and that their largest extent is 0 or at least
/// [`SMALLEST`]; the message names the vertex. Returns the box around the points.
pub fn finite_points(points: &[Point]) -> Result<Aabb, GeometryError> {
    let bounds = Aabb::from_finite(points);
    let is_within = |bounds: &Aabb| bounds.is_empty() || bounds.largest_coordinate() <= LARGEST;
    let Some(bounds) = bounds.filter(is_within) else {
        let off = |point: &&Point| !point.iter().all(|x| x.abs() <= LARGEST);
        let found = (0..).zip(points).find(|(_, point)| off(point));
        let (index, point) = found.expect("a coordinate beyond the range is in the list");
        return finite_point(&format!("a coordinate of vertex {index}"), *point).map(|_| Aabb::EMPTY);
    };
    extent("the extent of the vertices", &bounds)?;
    Ok(bounds)
}

/// Checks that the largest extent of a box is 0 or from [`SMALLEST`] to twice [`LARGEST`]; an empty or unbounded box has none.
pub fn extent(what: &str, bounds: &Aabb) -> Result<(), GeometryError> {
    if bounds.is_empty() {
        return Ok(());
    }
    let extent = bounds.size().amax();
    // Coordinates within the range may be twice as far apart.
    match extent.is_finite() && extent < LARGEST {
        true => length(what, extent).map(|_| ()),
        false if extent.is_finite() && extent > 2.0 * LARGEST => in_range(what, extent).map(|_| ()),
        false => Ok(()),
    }
}

/// Checks that every cell names existing vertices.
pub fn cells_in_range<const N: usize>(cells: &[[u32; N]], vertex_count: usize) -> Result<(), GeometryError> {
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
    use nalgebra::{Quaternion, Translation3, UnitQuaternion};

    fn message<T: std::fmt::Debug>(found: Result<T, GeometryError>) -> String {
        found.unwrap_err().to_string()
    }

    // Proves: REQ-NUMBERS
    #[test]
    fn the_limits_are_powers_of_two() {
        assert_eq!((LARGEST, SMALLEST), (2.0_f64.powi(150), 2.0_f64.powi(-150)));
    }

    // Proves: REQ-RANGE, REQ-NUMBERS
    #[test]
    fn what_is_out_of_range_is_refused_by_its_name_its_value_and_the_limit() {
        let at = |value: f64| message(finite_point("the center", Point::new(0.0, value, 0.0)));
        assert_eq!(at(1e308), "the center is 1e308: wanted 1.42724769270596e45 or less");
        assert_eq!(at(-1e80), "the center is -1e80: wanted -1.42724769270596e45 or more");
        assert_eq!(at(f64::INFINITY), "the center is inf: wanted a finite number");
        assert_eq!(at(f64::NAN), "the center is NaN: wanted a finite number");
        assert_eq!(
            finite_point("the center", Point::new(-LARGEST, LARGEST, 1e-300)).map(|p| p.y),
            Ok(LARGEST)
        );
        for value in [1e61, -1e308, f64::NAN, f64::NEG_INFINITY] {
            let points = [Point::origin(), Point::new(1.0, 2.0, value)];
            assert!(message(finite_points(&points)).starts_with("a coordinate of vertex 1 is "));
        }
        assert!(positive("the radius", 1e61).is_err() && not_negative("the length", 1e308).is_err());
        assert_eq!(
            message(positive("the radius", 1e-61)),
            "the radius is 1e-61: wanted 7.006492321624085e-46 or more"
        );
        assert!(message(not_negative("the length", 1e-300)).starts_with("the length is 1e-300: wanted 7.0"));
        assert!(message(positive("the radius", 0.0)).ends_with("wanted a number greater than 0"));
        let fine =
            [positive("", LARGEST), positive("", SMALLEST), not_negative("", 0.0), length("", -SMALLEST)];
        assert!(fine.iter().all(Result::is_ok), "{fine:?}");
    }

    #[test]
    fn vertices_may_coincide_but_not_nearly() {
        let wide = |extent: f64| finite_points(&[Point::origin(), Point::new(extent, 0.0, -0.5 * extent)]);
        assert!([0.0, SMALLEST, LARGEST].into_iter().all(|extent| wide(extent).is_ok()));
        assert!(message(wide(1e-61)).starts_with("the extent of the vertices is 1e-61: wanted 7.0"));
        let far = [-1.0, 1.0].map(|sign| Point::from(Vector::repeat(sign * LARGEST)));
        assert_eq!(finite_points(&far), Ok(Aabb::from_points(far)));
        assert_eq!(finite_points(&[]), Ok(Aabb::EMPTY));
        // A tiny coordinate is no tiny size.
        assert!(finite_points(&[Point::new(1e-300, 0.0, 0.0), Point::new(1.0, 1e-300, 0.0)]).is_ok());
    }

    #[test]
    fn a_rotation_must_be_finite_and_of_length_1() {
        let turned = |wxyz: [f64; 4]| {
            let [w, x, y, z] = wxyz;
            let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
            rigid("the position", &Isometry3::from_parts(Translation3::identity(), rotation))
        };
        assert!(turned([1.0, 0.0, 0.0, 0.0]).is_ok() && turned([0.6, 0.0, 0.0, -0.8]).is_ok());
        let nan = message(turned([1.0, f64::NAN, 0.0, 0.0]));
        assert_eq!(nan, "a component of the rotation is NaN: wanted a finite number");
        assert!(message(turned([f64::INFINITY, 0.0, 0.0, 0.0])).contains("is inf"));
        assert!(message(turned([0.0; 4])).contains("its length is not 1"));
        assert!(message(turned([1.0, 0.1, 0.0, 0.0])).contains("its length is not 1"));
    }
}
