//! The camera of a picture.

use nalgebra::{Matrix3, Vector3};
use palpate::math::{Point, Vector};

/// A camera, perspective or parallel, onto a square of width 2 around the origin: x right, y up, z away from the
/// eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    eye: Point,
    /// Rows: right, up, away.
    axes: Matrix3<f64>,
    lens: Lens,
}

#[derive(Clone, Copy, Debug)]
enum Lens {
    /// Magnification at distance 1.
    Perspective(f64),
    /// Length of one metre in the picture.
    Parallel(f64),
}

/// A projected point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// On the picture, -1 to 1 within a square picture.
    pub(crate) x: f64,
    /// Up.
    pub(crate) y: f64,
    /// Distance along the view, metres; positive in front of the camera.
    pub(crate) away: f64,
}

impl Camera {
    /// Looks from `eye` at `target`, +y up, with an angle of view in radians.
    pub(crate) fn looking_at(eye: Point, target: Point, angle: f64) -> Self {
        let factor = libm::cos(0.5 * angle) / libm::sin(0.5 * angle);
        Self { eye, axes: axes(target - eye), lens: Lens::Perspective(factor) }
    }

    /// Looks along `direction` at everything within `radius` of `center`, without perspective.
    pub(crate) fn parallel(center: Point, direction: Vector, radius: f64) -> Self {
        let direction = direction.normalize();
        Self {
            eye: center - direction * (2.0 * radius),
            axes: axes(direction),
            lens: Lens::Parallel(1.0 / radius),
        }
    }

    /// The projection of a point.
    pub(crate) fn see(&self, point: &Point) -> Seen {
        let seen = self.axes * (point - self.eye);
        let factor = match self.lens {
            Lens::Perspective(factor) => factor / seen.z,
            Lens::Parallel(factor) => factor,
        };
        Seen { x: seen.x * factor, y: seen.y * factor, away: seen.z }
    }

    /// The unit direction from a point to the eye.
    pub(crate) fn towards_eye(&self, point: &Point) -> Vector {
        match self.lens {
            Lens::Perspective(_) => (self.eye - point).normalize(),
            Lens::Parallel(_) => -self.away(),
        }
    }

    /// The direction into the picture.
    fn away(&self) -> Vector {
        self.axes.row(2).transpose()
    }

    /// Whether barycentric weights on the picture must be divided by the distance to get weights in space.
    pub(crate) fn is_perspective(&self) -> bool {
        matches!(self.lens, Lens::Perspective(_))
    }
}

fn axes(direction: Vector) -> Matrix3<f64> {
    let away = direction.normalize();
    let right = away.cross(&Vector3::y()).normalize();
    let up = right.cross(&away);
    Matrix3::from_rows(&[right.transpose(), up.transpose(), away.transpose()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_in_the_middle_and_right_is_right() {
        let camera = Camera::looking_at(Point::new(0.0, 0.0, 5.0), Point::origin(), 1.0);
        let middle = camera.see(&Point::origin());
        assert!(middle.x.abs() < 1e-15 && middle.y.abs() < 1e-15 && (middle.away - 5.0).abs() < 1e-15);
        assert!(camera.see(&Point::new(1.0, 0.0, 0.0)).x > 0.1);
        assert!(camera.see(&Point::new(0.0, 1.0, 0.0)).y > 0.1);
        assert_eq!(camera.towards_eye(&Point::origin()), Vector::z());
        let parallel = Camera::parallel(Point::origin(), -Vector::z(), 2.0);
        assert_eq!(parallel.see(&Point::new(1.0, 0.0, 1.0)).x, 0.5);
    }
}
