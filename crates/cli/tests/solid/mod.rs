//! A convex solid of a case, from its definition alone: its support function, and the points in it.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde_json::Value;

type Vector = Vector3<f64>;

/// A solid, in its given frame.
pub struct Solid {
    shape: Shape,
    center: Vector,
    rotation: UnitQuaternion<f64>,
}

enum Shape {
    Sphere(f64),
    Box(Vector),
    Ellipsoid(Vector),
    /// Radius and half the length, along y.
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Hull(Vec<Vector>),
}

fn vector(value: &Value) -> Vector {
    Vector::from_fn(|axis, _| value[axis].as_f64().unwrap())
}

impl Solid {
    pub fn of(value: &Value) -> Self {
        let number = |key: &str| value[key].as_f64().unwrap();
        let shape = match value["type"].as_str().unwrap() {
            "Sphere" => Shape::Sphere(number("radius")),
            "OrientedBox" => Shape::Box(vector(&value["half_extents"])),
            "Ellipsoid" => Shape::Ellipsoid(vector(&value["radii"])),
            "Capsule" => Shape::Capsule(number("radius"), number("length") / 2.0),
            "Cylinder" => Shape::Cylinder(number("radius"), number("length") / 2.0),
            "Convex" => Shape::Hull(value["vertices"].as_array().unwrap().iter().map(vector).collect()),
            other => panic!("{other}"),
        };
        let place = [&value["center"], &value["position"]].into_iter().find(|place| place.is_array());
        let turn = &value["quat_wxyz"];
        let rotation = if turn.is_array() {
            let [w, x, y, z] = [0, 1, 2, 3].map(|index| turn[index].as_f64().unwrap());
            UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
        } else {
            UnitQuaternion::identity()
        };
        Self { shape, center: place.map_or_else(Vector::zeros, vector), rotation }
    }

    /// No point of the solid is farther from its centre.
    pub fn bounding_radius(&self) -> f64 {
        match &self.shape {
            Shape::Sphere(radius) => *radius,
            Shape::Box(half) => half.norm(),
            Shape::Ellipsoid(radii) => radii.amax(),
            Shape::Capsule(radius, half) => radius + half,
            Shape::Cylinder(radius, half) => radius.hypot(*half),
            Shape::Hull(points) => points.iter().map(|p| p.norm()).fold(0.0, f64::max),
        }
    }

    /// The support function of the solid along a unit direction, from the origin.
    pub fn extent(&self, direction: &Vector) -> f64 {
        let d = self.rotation.inverse() * direction;
        let own = match &self.shape {
            Shape::Sphere(radius) => *radius,
            Shape::Box(half) => half.dot(&d.abs()),
            Shape::Ellipsoid(radii) => radii.component_mul(&d).norm(),
            Shape::Capsule(radius, half) => radius + half * d.y.abs(),
            Shape::Cylinder(radius, half) => radius * d.x.hypot(d.z) + half * d.y.abs(),
            Shape::Hull(points) => points.iter().map(|p| p.dot(&d)).fold(f64::NEG_INFINITY, f64::max),
        };
        own + self.center.dot(direction)
    }

    /// Distance of a point outside, to first order; not positive inside.
    pub fn outside(&self, point: &Vector) -> f64 {
        let p = self.rotation.inverse() * (point - self.center);
        match &self.shape {
            Shape::Sphere(radius) => p.norm() - radius,
            Shape::Box(half) => (p.abs() - half).max(),
            Shape::Ellipsoid(radii) => (p.component_div(radii).norm() - 1.0) * radii.amax(),
            Shape::Capsule(radius, half) => {
                Vector::new(p.x, (p.y.abs() - half).max(0.0), p.z).norm() - radius
            }
            Shape::Cylinder(radius, half) => (p.x.hypot(p.z) - radius).max(p.y.abs() - half),
            Shape::Hull(points) => outside_hull(points, &p),
        }
    }
}

/// By every plane through three of the points that has all of them on one side.
fn outside_hull(points: &[Vector], p: &Vector) -> f64 {
    let mut farthest = f64::NEG_INFINITY;
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let normal = (b - a).cross(&(c - a)).normalize();
                let (low, high) = points.iter().fold((0.0_f64, 0.0_f64), |(low, high), q| {
                    let height = (q - a).dot(&normal);
                    (low.min(height), high.max(height))
                });
                let thin = 1e-12 * (b - a).norm();
                let height = (p - a).dot(&normal);
                if high <= thin {
                    farthest = farthest.max(height);
                }
                if low >= -thin {
                    farthest = farthest.max(-height);
                }
            }
        }
    }
    farthest
}
