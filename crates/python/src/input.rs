//! Arrays and values in.

use crate::error::{Failure, Outcome};
use numpy::{PyArrayDescrMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use palpate::geometry::{Pose, pose};
use palpate::math::Point;
use palpate::serde_json::{Value, from_str};
use pyo3::prelude::*;

/// The value of a JSON text.
pub(crate) fn json(text: &str, what: &str) -> Outcome<Value> {
    from_str(text).map_err(|error| Failure::argument(format!("{what}: not valid JSON: {error}")))
}

/// An error that says what an array is and what is wanted.
fn other_array(array: &Bound<'_, PyAny>, what: &str, wanted: &str) -> Failure {
    let found = match array.cast::<PyUntypedArray>() {
        Ok(array) => format!("an array of {} with the shape {:?}", array.dtype().num_name(), array.shape()),
        Err(_) => format!(
            "a {}",
            array.get_type().name().map_or_else(|_| "value".to_owned(), |name| name.to_string())
        ),
    };
    Failure::argument(format!("{what}: found {found}, wanted {wanted}"))
}

/// Names of element types in messages.
trait NumName {
    fn num_name(&self) -> String;
}

impl NumName for Bound<'_, numpy::PyArrayDescr> {
    fn num_name(&self) -> String {
        self.str().map_or_else(|_| format!("type {}", self.num()), |name| name.to_string())
    }
}

/// Calls `visit` for each row of an n × N array of `float64` or `float32`, strided or not.
fn rows<const N: usize>(
    array: &Bound<'_, PyAny>,
    what: &str,
    mut visit: impl FnMut([f64; N]) -> Outcome,
) -> Outcome {
    let wanted = || format!("n × {N} of float64 or float32");
    if let Ok(array) = array.extract::<PyReadonlyArray2<'_, f64>>()
        && array.shape()[1] == N
    {
        // Of an array in Fortran's order the slice would be columns.
        if array.is_c_contiguous()
            && let Ok(flat) = array.as_slice()
        {
            return flat.as_chunks().0.iter().try_for_each(|row| visit(*row));
        }
        return array
            .as_array()
            .rows()
            .into_iter()
            .try_for_each(|row| visit(std::array::from_fn(|place| row[place])));
    }
    if let Ok(array) = array.extract::<PyReadonlyArray2<'_, f32>>()
        && array.shape()[1] == N
    {
        let rows = array.as_array();
        return rows
            .rows()
            .into_iter()
            .try_for_each(|row| visit(std::array::from_fn(|place| f64::from(row[place]))));
    }
    Err(other_array(array, what, &wanted()))
}

/// Points from an n × 3 array.
pub(crate) fn points(array: &Bound<'_, PyAny>, what: &str) -> Outcome<Vec<Point>> {
    let mut points = Vec::new();
    rows(array, what, |row: [f64; 3]| {
        points.push(Point::from(row));
        Ok(())
    })?;
    Ok(points)
}

/// The coordinates of points.
pub(crate) fn triples(points: &[Point]) -> Vec<[f64; 3]> {
    points.iter().map(|point| point.coords.into()).collect()
}

/// Rows of N numbers.
pub(crate) fn numbers<const N: usize>(array: &Bound<'_, PyAny>, what: &str) -> Outcome<Vec<[f64; N]>> {
    let mut list = Vec::new();
    rows(array, what, |row: [f64; N]| {
        list.push(row);
        Ok(())
    })?;
    Ok(list)
}

/// A pose of seven numbers: the position, then the unit quaternion w, x, y, z.
pub(crate) fn pose_of([x, y, z, rotation @ ..]: [f64; 7]) -> Outcome<Pose> {
    Ok(pose::from_wxyz(Point::new(x, y, z), rotation)?)
}

/// The seven numbers of a pose.
pub(crate) fn numbers_of(pose: &Pose) -> [f64; 7] {
    let (place, turn) = (pose.translation.vector, pose.rotation.quaternion());
    [place.x, place.y, place.z, turn.w, turn.i, turn.j, turn.k]
}

/// Poses from an n × 7 array.
pub(crate) fn poses(array: &Bound<'_, PyAny>, what: &str) -> Outcome<Vec<Pose>> {
    let mut poses = Vec::new();
    rows(array, what, |row: [f64; 7]| {
        let number = poses.len();
        let pose = pose_of(row).map_err(|failure| match failure {
            Failure::Own(class, text) => Failure::Own(class, format!("{what}[{number}]: {text}")),
            other => other,
        })?;
        poses.push(pose);
        Ok(())
    })?;
    Ok(poses)
}

/// Cells of N vertices from an m × N array of `int64`, `int32` or `uint32`.
pub(crate) fn cells<const N: usize>(array: &Bound<'_, PyAny>, what: &str) -> Outcome<Vec<[u32; N]>> {
    /// Converts the rows of an array of one element type.
    macro_rules! of_type {
        ($type:ty) => {
            if let Ok(array) = array.extract::<PyReadonlyArray2<'_, $type>>()
                && array.shape()[1] == N
            {
                let index = |(number, value): (usize, &$type)| {
                    u32::try_from(*value).map_err(|_| {
                        let place = [number / N.max(1), number % N.max(1)];
                        Failure::range(format!("{what}{place:?}: found {value}, wanted 0 to {}", u32::MAX))
                    })
                };
                let flat = array.as_array();
                let flat: Vec<u32> = flat.iter().enumerate().map(index).collect::<Outcome<_>>()?;
                return Ok(flat.as_chunks().0.to_vec());
            }
        };
    }
    of_type!(i64);
    of_type!(i32);
    of_type!(u32);
    Err(other_array(array, what, &format!("n × {N} of int64, int32 or uint32")))
}
