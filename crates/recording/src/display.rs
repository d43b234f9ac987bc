//! Primitive shapes as triangles, for display only: not read back.

use crate::frame::Primitive;
use crate::session::Topology;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Points around a circle.
const AROUND: u32 = 24;
/// Rows of points from the equator to a pole of a sphere.
const ROWS: u32 = 6;

/// The triangles of one primitive, and the placement of their points for a size.
pub(crate) struct Display {
    shape: Shape,
    topology: Topology,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// Two half spheres, shifted along +y and -y: a sphere if the shift is zero.
    Capsule,
    Cylinder,
    Box,
    /// A square of this half side.
    Plane {
        half_side: f64,
    },
}

impl Display {
    /// The display of a kind, or `None` if the kind is unknown. `extent` is the size of the scene in metres, which
    /// determines how much of a plane to show.
    pub(crate) fn new(kind: &str, extent: f64) -> Option<Self> {
        let shape = match kind {
            "sphere" | "capsule" => Shape::Capsule,
            "cylinder" => Shape::Cylinder,
            "oriented_box" => Shape::Box,
            "plane" => Shape::Plane { half_side: 0.75 * extent },
            _ => return None,
        };
        let triangles = match shape {
            // Rows of both halves, stitched; the two poles are rows of coincident points, for simplicity.
            Shape::Capsule => stitched(2 * (ROWS + 1)),
            Shape::Cylinder => stitched(4),
            Shape::Box => stitched_box(),
            Shape::Plane { .. } => vec![[0, 1, 2], [0, 2, 3]],
        };
        Some(Self { shape, topology: Topology::Triangles(triangles) })
    }

    /// The triangles, the same in every frame.
    pub(crate) fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Appends the points of a primitive in the world, three numbers each.
    pub(crate) fn points(&self, primitive: &Primitive, out: &mut Vec<f64>) {
        let [w, x, y, z] = primitive.rotation_wxyz;
        let rotation = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
        let [a, b, c] = primitive.size;
        let mut push = |x: f64, y: f64, z: f64| {
            let point = primitive.position + rotation * Vector3::new(x, y, z);
            out.extend_from_slice(&[point.x, point.y, point.z]);
        };
        match self.shape {
            Shape::Capsule => {
                for half in [1.0, -1.0] {
                    for row in 0..=ROWS {
                        // From the pole of the upper half down to the pole of the lower one.
                        let row = if half > 0.0 { ROWS - row } else { row };
                        let latitude = std::f64::consts::FRAC_PI_2 * f64::from(row) / f64::from(ROWS);
                        let y = half * (0.5 * b + a * libm::sin(latitude));
                        ring(a * libm::cos(latitude), |x, z| push(x, y, z));
                    }
                }
            }
            Shape::Cylinder => {
                for (radius, y) in [(0.0, 0.5), (a, 0.5), (a, -0.5), (0.0, -0.5)] {
                    ring(radius, |x, z| push(x, y * b, z));
                }
            }
            Shape::Box => {
                for corner in 0..8 {
                    let side = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                    push(side(0) * a, side(1) * b, side(2) * c);
                }
            }
            Shape::Plane { half_side } => {
                for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)] {
                    push(x * half_side, 0.0, z * half_side);
                }
            }
        }
    }
}

fn ring(radius: f64, mut push: impl FnMut(f64, f64)) {
    for step in 0..AROUND {
        let angle = std::f64::consts::TAU * f64::from(step) / f64::from(AROUND);
        push(radius * libm::cos(angle), radius * libm::sin(angle));
    }
}

/// Triangles between rows of points around +y, from top to bottom, counter-clockwise seen from outside.
fn stitched(rows: u32) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    for row in 0..rows - 1 {
        for step in 0..AROUND {
            let next = (step + 1) % AROUND;
            let (a, b) = (row * AROUND + step, row * AROUND + next);
            let (c, d) = (a + AROUND, b + AROUND);
            triangles.push([a, b, d]);
            triangles.push([a, d, c]);
        }
    }
    triangles
}

/// Twelve triangles over the corners of a box, whose bits 0, 1, 2 are the sides in x, y, z.
fn stitched_box() -> Vec<[u32; 3]> {
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    fn mesh(kind: &str, size: [f64; 3]) -> (Vec<f64>, Vec<[u32; 3]>) {
        let display = Display::new(kind, 1.0).unwrap();
        let primitive = Primitive { position: Point::origin(), rotation_wxyz: [1.0, 0.0, 0.0, 0.0], size };
        let mut points = Vec::new();
        display.points(&primitive, &mut points);
        let Topology::Triangles(triangles) = display.topology().clone() else { panic!("not triangles") };
        (points, triangles)
    }

    /// Six times the signed volume, positive if the triangles face outward.
    fn volume(points: &[f64], triangles: &[[u32; 3]]) -> f64 {
        let corner = |index: u32| Vector3::from_column_slice(&points[index as usize * 3..][..3]);
        triangles.iter().map(|&[a, b, c]| corner(a).dot(&corner(b).cross(&corner(c)))).sum::<f64>() / 6.0
    }

    #[test]
    fn solids_face_outward_and_nearly_have_their_volume() {
        let pi = std::f64::consts::PI;
        let cases = [
            ("sphere", [1.0, 0.0, 0.0], 4.0 / 3.0 * pi),
            ("capsule", [1.0, 3.0, 0.0], 4.0 / 3.0 * pi + 3.0 * pi),
            ("cylinder", [1.0, 3.0, 0.0], 3.0 * pi),
            ("oriented_box", [1.0, 2.0, 3.0], 48.0),
        ];
        for (kind, size, wanted) in cases {
            let (points, triangles) = mesh(kind, size);
            let found = volume(&points, &triangles);
            assert!(
                found > 0.93 * wanted && found <= wanted * (1.0 + 1e-12),
                "{kind}: {found}, wanted {wanted}"
            );
            assert!(triangles.iter().flatten().all(|&index| (index as usize) < points.len() / 3), "{kind}");
        }
    }
}
