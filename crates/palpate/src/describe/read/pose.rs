//! The JSON forms of a shape's position and rotation.

use super::fields::Fields;
use super::number;
use crate::describe::DescriptionError;
use crate::geometry::Turn;
use crate::geometry::pose::{self, Pose, RIGID_TOLERANCE};
use crate::math::{Point, Vector};
use nalgebra::{Matrix3, Matrix4, UnitQuaternion};
use serde_json::Value;

/// How far the length of a `unit_quat_wxyz` may be from 1: the rounding error of thousands of successive rotations.
pub(crate) const EXACT_WITHIN: f64 = 1e-12;

/// The pose of a shape whose position is in the field `center`. Its rotation is in one of `unit_quat_wxyz`, `quat_wxyz`,
/// `matrix` and `angles_xyz`, or in the field of `turn`: `axis`, or `axes` (three rows, the directions of local x, y and z).
pub(crate) fn read(fields: &mut Fields<'_>, turn: Turn) -> Result<Pose, DescriptionError> {
    let matrix = fields.optional("matrix", matrix)?;
    let position = position(fields, "center", matrix.as_ref())?;
    let rotation = rotation(fields, matrix.as_ref(), turn)?;
    pose::from_rotation(position, rotation).map_err(DescriptionError::geometry)
}

/// The pose of a shape given by vertices: its position is in the field `position`, by default the origin.
pub(crate) fn read_where_stated(fields: &mut Fields<'_>) -> Result<Pose, DescriptionError> {
    let matrix = fields.optional("matrix", matrix)?;
    let stated = fields.get("position").is_some() || matrix.is_some();
    let position = if stated { position(fields, "position", matrix.as_ref())? } else { Point::origin() };
    let rotation = rotation(fields, matrix.as_ref(), Turn::Plain)?;
    pose::from_rotation(position, rotation).map_err(DescriptionError::geometry)
}

/// The rotation of a plane whose description is exact.
pub(crate) fn read_quaternion(
    fields: &mut Fields<'_>,
) -> Result<Option<UnitQuaternion<f64>>, DescriptionError> {
    fields.optional("unit_quat_wxyz", unit_quaternion)
}

/// The pose of the previous step, if the fields give one; omitted fields have the current value. The position is in
/// `previous_center`, or in `previous_position` for a shape given by vertices.
pub(crate) fn read_previous(fields: &mut Fields<'_>, now: &Pose) -> Result<Option<Pose>, DescriptionError> {
    let center = fields.optional("previous_center", number::point)?;
    let position = match center {
        Some(center) => Some(center),
        None => fields.optional("previous_position", number::point)?,
    };
    let rotation = match fields.optional("previous_unit_quat_wxyz", unit_quaternion)? {
        Some(rotation) => Some(rotation),
        None => fields.optional("previous_quat_wxyz", quaternion)?,
    };
    if position.is_none() && rotation.is_none() {
        return Ok(None);
    }
    let position = position.unwrap_or_else(|| Point::from(now.translation.vector));
    let rotation = rotation.unwrap_or(now.rotation);
    pose::from_rotation(position, rotation).map(Some).map_err(DescriptionError::geometry)
}

fn position(
    fields: &mut Fields<'_>,
    key: &'static str,
    matrix: Option<&Pose>,
) -> Result<Point, DescriptionError> {
    let stated = fields.get(key);
    let center = stated.map(|value| number::point(value).map_err(|error| error.at(key))).transpose()?;
    let of_matrix = matrix.map(|pose| Point::from(pose.translation.vector));
    match (center, of_matrix) {
        (Some(center), Some(other)) => {
            let size = center.coords.amax().max(other.coords.amax());
            let apart = (center - other).amax();
            if apart > RIGID_TOLERANCE * size {
                return Err(disagree(key, stated, "matrix"));
            }
            Ok(center)
        }
        (Some(center), None) => Ok(center),
        (None, Some(other)) => Ok(other),
        (None, None) => Err(DescriptionError::missing("3 finite numbers").at(key)),
    }
}

/// The rotation from the first rotation field present; all that are present must agree.
fn rotation(
    fields: &mut Fields<'_>,
    matrix: Option<&Pose>,
    turn: Turn,
) -> Result<UnitQuaternion<f64>, DescriptionError> {
    let mut said: Option<(&'static str, UnitQuaternion<f64>)> = None;
    let mut agree = |field, rotation: Option<UnitQuaternion<f64>>, value| match (&said, rotation) {
        (_, None) => Ok(()),
        (None, Some(rotation)) => {
            said = Some((field, rotation));
            Ok(())
        }
        (Some((other, first)), Some(second)) if apart(first, &second) > RIGID_TOLERANCE => {
            Err(disagree(field, value, other))
        }
        _ => Ok(()),
    };
    let value = fields.get("unit_quat_wxyz");
    agree("unit_quat_wxyz", read_field("unit_quat_wxyz", value, unit_quaternion)?, value)?;
    let value = fields.get("quat_wxyz");
    agree("quat_wxyz", read_field("quat_wxyz", value, quaternion)?, value)?;
    agree("matrix", matrix.map(|pose| pose.rotation), None)?;
    let value = fields.get("angles_xyz");
    agree("angles_xyz", read_field("angles_xyz", value, angles)?, value)?;
    if turn == Turn::Axes {
        let value = fields.get("axes");
        agree("axes", read_field("axes", value, axes)?, value)?;
    }
    if turn == Turn::Axis {
        return with_axis(fields, said);
    }
    Ok(said.map_or_else(UnitQuaternion::identity, |(_, rotation)| rotation))
}

/// An axis determines a rotation only partly: it must agree with a given rotation, and defines one if none is given.
fn with_axis(
    fields: &mut Fields<'_>,
    said: Option<(&'static str, UnitQuaternion<f64>)>,
) -> Result<UnitQuaternion<f64>, DescriptionError> {
    let value = fields.get("axis");
    let axis = read_field("axis", value, number::direction)?;
    match (said, axis) {
        (None, None) => Ok(UnitQuaternion::identity()),
        (Some((_, rotation)), None) => Ok(rotation),
        (None, Some(axis)) => {
            pose::rotation_from_axis(axis).map_err(|error| DescriptionError::geometry(error).at("axis"))
        }
        (Some((field, rotation)), Some(axis)) => {
            let unit = (axis / axis.amax()).normalize();
            if (rotation * Vector::y() - unit).amax() > RIGID_TOLERANCE {
                return Err(disagree("axis", value, field));
            }
            Ok(rotation)
        }
    }
}

fn read_field<T>(
    field: &'static str,
    value: Option<&Value>,
    read: impl FnOnce(&Value) -> Result<T, DescriptionError>,
) -> Result<Option<T>, DescriptionError> {
    value.map(|value| read(value).map_err(|error| error.at(field))).transpose()
}

/// A quaternion that is normalised.
fn quaternion(value: &Value) -> Result<UnitQuaternion<f64>, DescriptionError> {
    pose::rotation_from_wxyz(number::numbers(value)?).map_err(DescriptionError::geometry)
}

/// A quaternion of length 1 up to rounding error, which is not normalised again: a description is read back to the last bit.
fn unit_quaternion(value: &Value) -> Result<UnitQuaternion<f64>, DescriptionError> {
    let wxyz: [f64; 4] = number::numbers(value)?;
    let length = wxyz.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (length - 1.0).abs() > EXACT_WITHIN {
        let wanted = format!("length 1 within {EXACT_WITHIN:e}; `quat_wxyz` is normalised");
        return Err(DescriptionError::Field {
            field: String::new(),
            found: format!("a quaternion of length {length}"),
            wanted,
        });
    }
    pose::rotation_from_exact_wxyz(wxyz).map_err(DescriptionError::geometry)
}

fn angles(value: &Value) -> Result<UnitQuaternion<f64>, DescriptionError> {
    pose::rotation_from_angles_xyz(number::numbers(value)?).map_err(DescriptionError::geometry)
}

/// Row k is the direction of local axis k: column k of the rotation.
fn axes(value: &Value) -> Result<UnitQuaternion<f64>, DescriptionError> {
    let columns = number::rows::<3, 3>(value)?.map(Vector::from);
    pose::rotation_from_matrix(&Matrix3::from_columns(&columns)).map_err(DescriptionError::geometry)
}

fn matrix(value: &Value) -> Result<Pose, DescriptionError> {
    let rows = number::rows::<4, 4>(value)?;
    let matrix = Matrix4::from_fn(|row, column| rows[row][column]);
    pose::from_matrix(&matrix).map_err(DescriptionError::geometry)
}

/// The largest distance between the images of a unit vector under two rotations.
fn apart(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>) -> f64 {
    (a.to_rotation_matrix().matrix() - b.to_rotation_matrix().matrix()).amax()
}

fn disagree(field: &str, value: Option<&Value>, other: &str) -> DescriptionError {
    let found = value.map_or_else(|| "a different pose".to_owned(), Value::to_string);
    let wanted = format!("agreement with {other} to {RIGID_TOLERANCE:e}");
    DescriptionError::Field { field: field.to_owned(), found, wanted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pose(value: &Value, turn: Turn) -> Result<Pose, DescriptionError> {
        let mut fields = Fields::new(value)?;
        let pose = read(&mut fields, turn)?;
        fields.finish().map(|()| pose)
    }

    fn close(a: Vector, b: Vector) {
        assert!((a - b).amax() < 1e-12, "{a} is not {b}");
    }

    #[test]
    fn all_forms_of_a_quarter_turn_about_z_agree() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let quarter = std::f64::consts::FRAC_PI_2;
        let ways = [
            (json!({"center": [1, 2, 3], "quat_wxyz": [half, 0, 0, half]}), Turn::Plain),
            (json!({"center": [1, 2, 3], "angles_xyz": [0, 0, quarter]}), Turn::Plain),
            (json!({"matrix": [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]}), Turn::Plain),
            (json!({"center": [1, 2, 3], "axes": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]}), Turn::Axes),
            (json!({"center": [1, 2, 3], "axis": [-7, 0, 0]}), Turn::Axis),
            (json!({"center": [1, 2, 3], "axis": [-7, 0, 0], "quat_wxyz": [half, 0, 0, half]}), Turn::Axis),
        ];
        for (value, turn) in ways {
            let pose = pose(&value, turn).unwrap();
            close(pose.rotation * Vector::y(), -Vector::x());
            assert_eq!(pose.translation.vector, Vector::new(1.0, 2.0, 3.0), "{value}");
        }
    }

    #[test]
    fn disagreeing_fields_are_an_error_that_names_both() {
        let value = json!({"center": [0, 0, 0], "axis": [1, 0, 0], "quat_wxyz": [1, 0, 0, 0]});
        let message = pose(&value, Turn::Axis).unwrap_err().to_string();
        assert_eq!(message, "axis: found [1,0,0], wanted agreement with quat_wxyz to 1e-6");
        let matrix = json!([[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]);
        let message =
            pose(&json!({"center": [1, 2, 3.1], "matrix": matrix}), Turn::Plain).unwrap_err().to_string();
        assert!(message.starts_with("center: found [1,2,3.1], wanted agreement with matrix"), "{message}");
    }

    #[test]
    fn a_pose_that_is_not_rigid_names_its_field() {
        let message = pose(&json!({"center": [0, 0, 0], "quat_wxyz": [1, 1, 0, 0]}), Turn::Plain)
            .unwrap_err()
            .to_string();
        assert!(message.starts_with("quat_wxyz: the quaternion is not a rigid rotation"), "{message}");
        assert!(pose(&json!({}), Turn::Plain).unwrap_err().to_string().starts_with("center: found nothing"));
    }

    #[test]
    fn a_unit_quaternion_is_not_normalised_again() {
        // Off 1 by a few units in the last place, as products of rotations are.
        let off = 1.0 + 4.0 * f64::EPSILON;
        let read = |key: &str| pose(&json!({"center": [0, 0, 0], key: [off, 0, 0, 0]}), Turn::Plain);
        assert_eq!(read("unit_quat_wxyz").unwrap().rotation.w, off);
        assert_eq!(read("quat_wxyz").unwrap().rotation.w, 1.0);
        let value = json!({"center": [0, 0, 0], "unit_quat_wxyz": [1.00001, 0, 0, 0]});
        let message = pose(&value, Turn::Plain).unwrap_err().to_string();
        assert!(message.starts_with("unit_quat_wxyz: found a quaternion of length 1.00001"), "{message}");
    }

    #[test]
    fn a_previous_pose_defaults_to_the_current_pose() {
        let value = json!({"previous_quat_wxyz": [0, 1, 0, 0]});
        let now = Pose::translation(1.0, 2.0, 3.0);
        let previous = read_previous(&mut Fields::new(&value).unwrap(), &now).unwrap().unwrap();
        assert_eq!(previous.translation, now.translation);
        close(previous.rotation * Vector::y(), -Vector::y());
    }
}
