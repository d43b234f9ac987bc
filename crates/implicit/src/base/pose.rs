//! Rigid poses and their representations: quaternion, matrix, successive rotations, an axis.
//!
//! A pose maps local coordinates to the world: `world = rotation * local + translation`.

use super::GeometryError;
pub use super::validate::RIGID_TOLERANCE;
use super::validate::{finite, finite_point, finite_vector, rigid, unit};
use nalgebra::{Isometry3, Matrix3, Matrix4, Quaternion, Rotation3, Translation3, UnitQuaternion};
use palpate_math::{Point, Vector};

/// A rigid transform: rotation, then translation.
pub type Pose = Isometry3<f64>;

/// Creates the unit quaternion `wxyz`. Errors: a non-finite number; a length that differs from 1 by more than
/// [`RIGID_TOLERANCE`].
pub fn rotation_from_wxyz(wxyz: [f64; 4]) -> Result<UnitQuaternion<f64>, GeometryError> {
    Ok(UnitQuaternion::from_quaternion(checked_quaternion(wxyz)?))
}

/// The quaternion of `wxyz` as it is, its length not brought to 1: for what is to be repeated to the bit. Errors as
/// [`rotation_from_wxyz`].
pub fn rotation_from_exact_wxyz(wxyz: [f64; 4]) -> Result<UnitQuaternion<f64>, GeometryError> {
    checked_quaternion(wxyz).map(UnitQuaternion::new_unchecked)
}

fn checked_quaternion(wxyz: [f64; 4]) -> Result<Quaternion<f64>, GeometryError> {
    for value in wxyz {
        finite("a component of the quaternion", value)?;
    }
    let quaternion = Quaternion::new(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
    let error = (quaternion.norm() - 1.0).abs();
    if error > RIGID_TOLERANCE {
        return Err(not_rigid("the quaternion", "its length is not 1", error));
    }
    Ok(quaternion)
}

/// Creates the pose with its origin at `position` and the rotation `wxyz`.
pub fn from_wxyz(position: Point, wxyz: [f64; 4]) -> Result<Pose, GeometryError> {
    from_rotation(position, rotation_from_wxyz(wxyz)?)
}

/// Creates the pose with its origin at `position` and the rotation `rotation`.
pub fn from_rotation(position: Point, rotation: UnitQuaternion<f64>) -> Result<Pose, GeometryError> {
    let position = finite_point("the position", position)?;
    Ok(Pose::from_parts(Translation3::from(position.coords), rotation))
}

/// Creates the pose of a rigid 4 × 4 matrix. Errors: a non-finite number; a last row other than 0 0 0 1; a rotation
/// part that scales, shears or mirrors by more than [`RIGID_TOLERANCE`].
pub fn from_matrix(matrix: &Matrix4<f64>) -> Result<Pose, GeometryError> {
    for &value in matrix.iter() {
        finite("an entry of the matrix", value)?;
    }
    let last_row = [0.0, 0.0, 0.0, 1.0];
    let row_error = (0..4).map(|k| (matrix[(3, k)] - last_row[k]).abs()).fold(0.0, f64::max);
    if row_error > 0.0 {
        return Err(not_rigid("the matrix", "its last row is not 0 0 0 1", row_error));
    }
    let rotation = rotation_from_matrix(&matrix.fixed_view::<3, 3>(0, 0).into_owned())?;
    from_rotation(Point::new(matrix[(0, 3)], matrix[(1, 3)], matrix[(2, 3)]), rotation)
}

/// Creates the rotation of a 3 × 3 matrix, checked as in [`from_matrix`].
pub fn rotation_from_matrix(matrix: &Matrix3<f64>) -> Result<UnitQuaternion<f64>, GeometryError> {
    for &value in matrix.iter() {
        finite("an entry of the rotation", value)?;
    }
    let error = (matrix.transpose() * matrix - Matrix3::identity()).amax();
    if error > RIGID_TOLERANCE {
        return Err(not_rigid("the matrix", "its columns are not orthonormal", error));
    }
    if matrix.determinant() < 0.0 {
        return Err(not_rigid("the matrix", "it mirrors", 2.0));
    }
    Ok(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*matrix)))
}

/// Creates the rotation by three successive angles in radians: about x, then about the new y, then about the new z
/// (Casalino, GJK_EPA, appendix B): `R = Rx Ry Rz`.
pub fn rotation_from_angles_xyz(angles: [f64; 3]) -> Result<UnitQuaternion<f64>, GeometryError> {
    let mut rotation = Quaternion::identity();
    for (axis, angle) in angles.into_iter().enumerate() {
        finite("an angle", angle)?;
        let (sin, cos) = libm::sincos(0.5 * angle);
        let mut imaginary = Vector::zeros();
        imaginary[axis] = sin;
        rotation *= Quaternion::from_parts(cos, imaginary);
    }
    Ok(UnitQuaternion::from_quaternion(rotation))
}

/// Creates the shortest rotation from local +y to `axis` (any non-zero length). For `axis` = -y: half a turn about x.
pub fn rotation_from_axis(axis: Vector) -> Result<UnitQuaternion<f64>, GeometryError> {
    let axis = unit("the axis", finite_vector("the axis", axis)?)?;
    // Half-way quaternion (1 + y·axis, y × axis); 1 + y·axis cancels near -y, where its alternative form is accurate.
    let side = axis.x * axis.x + axis.z * axis.z;
    let w = if axis.y > 0.0 { 1.0 + axis.y } else { side / (1.0 - axis.y) };
    if side == 0.0 && axis.y < 0.0 {
        return Ok(UnitQuaternion::from_quaternion(Quaternion::new(0.0, 1.0, 0.0, 0.0)));
    }
    Ok(UnitQuaternion::from_quaternion(Quaternion::new(w, axis.z, 0.0, -axis.x)))
}

/// Checks that a pose can be that of a geometry. Errors: a number that is not finite, a position out of
/// [range](super::LARGEST), a rotation whose length differs from 1 by more than [`RIGID_TOLERANCE`].
pub fn check(pose: &Pose) -> Result<(), GeometryError> {
    rigid("the position", pose)
}

fn not_rigid(what: &str, reason: &'static str, error: f64) -> GeometryError {
    GeometryError::NotRigid { what: what.to_owned(), reason, error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    fn close(a: Vector, b: Vector) {
        assert!((a - b).norm() <= 4.0 * f64::EPSILON, "{a} is not {b}");
    }

    #[test]
    fn successive_rotations_are_about_the_turned_axes() {
        // Quarter turns about x, then the new y: x is unchanged by the first, and turned about the new y (world z) to
        // world y.
        let rotation = rotation_from_angles_xyz([FRAC_PI_2, FRAC_PI_2, 0.0]).unwrap();
        close(rotation * Vector::x(), Vector::y());
        close(rotation * Vector::y(), Vector::z());
        close(rotation * Vector::z(), Vector::x());
    }

    #[test]
    fn a_matrix_and_its_quaternion_agree() {
        let rotation = rotation_from_angles_xyz([0.3, -1.1, 2.0]).unwrap();
        let pose = from_rotation(Point::new(1.0, 2.0, 3.0), rotation).unwrap();
        let again = from_matrix(&pose.to_homogeneous()).unwrap();
        close(again * Vector::new(1.0, 2.0, 3.0), pose * Vector::new(1.0, 2.0, 3.0));
        assert_eq!(again.translation, pose.translation);
    }

    #[test]
    fn the_axis_is_where_local_y_goes_also_close_to_its_opposite() {
        for axis in [Vector::x(), -Vector::y(), Vector::new(1e-9, -1.0, 2e-9), Vector::new(0.3, -0.2, 5.0)] {
            close(rotation_from_axis(axis).unwrap() * Vector::y(), axis.normalize());
        }
    }

    #[test]
    fn what_is_not_rigid_is_refused_by_name() {
        let mirror = Matrix4::from_diagonal(&nalgebra::Vector4::new(-1.0, 1.0, 1.0, 1.0));
        let scaled = Matrix4::from_diagonal(&nalgebra::Vector4::new(2.0, 2.0, 2.0, 1.0));
        assert!(from_matrix(&mirror).unwrap_err().to_string().contains("mirrors"));
        assert!(from_matrix(&scaled).unwrap_err().to_string().contains("orthonormal"));
        assert!(from_wxyz(Point::origin(), [0.0; 4]).unwrap_err().to_string().contains("length is not 1"));
        assert!(from_wxyz(Point::origin(), [f64::NAN, 0.0, 0.0, 0.0]).is_err());
        assert!(rotation_from_axis(Vector::zeros()).unwrap_err().to_string().contains("the axis"));
    }

    #[test]
    fn an_exact_quaternion_keeps_its_bits() {
        // One whose length rounding has left beside 1.
        let wxyz = [0.1, 0.2, 0.3, 0.86_f64.sqrt() * (1.0 + 1e-9)];
        let exact = rotation_from_exact_wxyz(wxyz).unwrap();
        assert_eq!([exact.w, exact.i, exact.j, exact.k], wxyz);
        assert_ne!(rotation_from_wxyz(wxyz).unwrap(), exact);
        assert!(rotation_from_exact_wxyz([0.0; 4]).is_err());
    }
}
