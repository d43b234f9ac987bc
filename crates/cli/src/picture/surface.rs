//! Drawable surfaces: triangles with normals at their corners.

use palpate::math::{Point, Vector};
use std::f64::consts::TAU;

/// Smooth triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    pub(crate) points: Vec<Point>,
    pub(crate) normals: Vec<Vector>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// A mesh with normals that are the means of its triangles', weighted by area.
    pub(crate) fn of_mesh(points: &[Point], triangles: &[[u32; 3]]) -> Self {
        let mut normals = vec![Vector::zeros(); points.len()];
        for triangle in triangles {
            let [a, b, c] = triangle.map(|id| points[id as usize]);
            let area = (b - a).cross(&(c - a));
            triangle.iter().for_each(|&id| normals[id as usize] += area);
        }
        let unit = |normal: &Vector| normal.try_normalize(0.0).unwrap_or_else(Vector::y);
        let normals = normals.iter().map(unit).collect();
        Self { points: points.to_vec(), normals, triangles: triangles.to_vec() }
    }

    /// A tube of `radius` along a polyline, with round ends, `around` corners to a circle.
    pub(crate) fn tube(line: &[Point], radius: f64, around: usize) -> Self {
        let mut tube = Self::default();
        let (Some(first), Some(last)) = (line.first(), line.last()) else { return tube };
        let rings = around / 4;
        let mut side = Vector::zeros();
        let along = |index: usize| {
            let (before, after) = (index.saturating_sub(1), (index + 1).min(line.len() - 1));
            (line[after] - line[before]).try_normalize(0.0).unwrap_or_else(Vector::y)
        };
        // A quarter circle of rings forms each round end; between them there is one ring at every point.
        for ring in 0..rings {
            let angle = TAU / 4.0 * ring as f64 / rings as f64;
            tube.ring(first, &along(0), -libm::cos(angle), libm::sin(angle), radius, around, &mut side);
        }
        for (index, point) in line.iter().enumerate() {
            tube.ring(point, &along(index), 0.0, 1.0, radius, around, &mut side);
        }
        for ring in (0..rings).rev() {
            let angle = TAU / 4.0 * ring as f64 / rings as f64;
            let end = along(line.len() - 1);
            tube.ring(last, &end, libm::cos(angle), libm::sin(angle), radius, around, &mut side);
        }
        tube
    }

    /// Adds a circle whose normals lean `forward` along the line and `out` from it, and joins it to the one before.
    #[expect(clippy::too_many_arguments, reason = "a private step of `tube`, its arguments are the tube's")]
    fn ring(
        &mut self,
        center: &Point,
        along: &Vector,
        forward: f64,
        out: f64,
        radius: f64,
        around: usize,
        side: &mut Vector,
    ) {
        // The side direction is transported along the line, so that the tube does not twist.
        let carried = *side - along * side.dot(along);
        *side =
            carried.try_normalize(0.0).unwrap_or_else(|| palpate::math::direction::any_perpendicular(along));
        let other = along.cross(side);
        let start = self.points.len() as u32;
        for step in 0..around {
            let (sin, cos) = libm::sincos(TAU * step as f64 / around as f64);
            let normal = along * forward + (*side * cos + other * sin) * out;
            self.points.push(center + normal * radius);
            self.normals.push(normal);
        }
        let around = around as u32;
        for step in 0..around * u32::from(start > 0) {
            let next = (step + 1) % around;
            let (a, b, c, d) = (start - around + step, start - around + next, start + step, start + next);
            self.triangles.extend([[a, b, c], [b, d, c]]);
        }
    }

    /// A disc of `radius` round `center`, across `normal`.
    pub(crate) fn disc(center: &Point, normal: &Vector, radius: f64, around: usize) -> Self {
        let side = palpate::math::direction::any_perpendicular(normal);
        let other = normal.cross(&side);
        let mut disc =
            Self { points: vec![*center], normals: vec![*normal; around + 1], triangles: Vec::new() };
        for step in 0..around {
            let (sin, cos) = libm::sincos(TAU * step as f64 / around as f64);
            disc.points.push(center + (side * cos + other * sin) * radius);
            let next = (step + 1) % around;
            disc.triangles.push([0, step as u32 + 1, next as u32 + 1]);
        }
        disc
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tube_is_round_and_faces_outward() {
        let line = [Point::new(0.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0), Point::new(0.5, 2.0, 0.0)];
        let tube = Surface::tube(&line, 0.25, 16);
        for (point, normal) in tube.points.iter().zip(&tube.normals) {
            assert!((normal.norm() - 1.0).abs() < 1e-12);
            let nearest = line.map(|on_line| (point - normal * 0.25 - on_line).norm());
            assert!(nearest.iter().any(|&distance| distance < 1e-12));
        }
        for triangle in &tube.triangles {
            let [a, b, c] = triangle.map(|id| tube.points[id as usize]);
            let outward = triangle.iter().map(|&id| tube.normals[id as usize]).sum::<Vector>();
            assert!((b - a).cross(&(c - a)).dot(&outward) > -1e-9);
        }
    }
}
