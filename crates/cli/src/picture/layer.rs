//! A layer under construction: colour and distance of the closest surface, and rasterised triangles.

use super::camera::{Camera, Seen};
use super::surface::Surface;
use palpate::math::{Point, Vector};

/// Red, green, blue, 0 to 1, linear (not sRGB).
pub(crate) type Colour = [f64; 3];

/// Colour and distance per pixel.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) colours: Vec<Colour>,
    /// Metres from the eye; infinite where empty.
    pub(crate) distances: Vec<f64>,
}

/// A point on a surface shown by a pixel.
pub(crate) struct Spot {
    pub(crate) point: Point,
    /// Unit, pointing outward.
    pub(crate) normal: Vector,
    /// Barycentric weights in the triangle.
    pub(crate) weights: [f64; 3],
}

impl Layer {
    /// An empty layer.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let pixels = width * height;
        Self { width, height, colours: vec![[0.0; 3]; pixels], distances: vec![f64::INFINITY; pixels] }
    }

    /// Half the picture's height in pixels: the scale from the camera's square to pixels.
    pub(crate) fn scale(&self) -> f64 {
        0.5 * self.height as f64
    }

    /// Pixel coordinates of a projected point.
    pub(crate) fn pixel(&self, seen: &Seen) -> [f64; 2] {
        [0.5 * self.width as f64 + seen.x * self.scale(), self.scale() - seen.y * self.scale()]
    }

    /// Fills the triangles of a surface where they are closer than the existing ones, coloured by `shade`.
    pub(crate) fn fill(
        &mut self,
        camera: &Camera,
        surface: &Surface,
        mut shade: impl FnMut(&Spot) -> Colour,
    ) {
        self.cover(camera, surface, 0.0, |layer, pixel, distance, spot| {
            layer.distances[pixel] = distance;
            layer.colours[pixel] = shade(spot);
        });
    }

    /// Visits the pixels of a surface that are closer than the existing ones, or farther by no more than `bias`
    /// metres.
    pub(crate) fn cover(
        &mut self,
        camera: &Camera,
        surface: &Surface,
        bias: f64,
        mut visit: impl FnMut(&mut Self, usize, f64, &Spot),
    ) {
        for triangle in &surface.triangles {
            let corners = triangle.map(|id| surface.points[id as usize]);
            let normals = triangle.map(|id| surface.normals[id as usize]);
            let seen = corners.map(|corner| camera.see(&corner));
            if seen.iter().any(|seen| seen.away <= 0.0) {
                continue;
            }
            let pixels = seen.map(|seen| self.pixel(&seen));
            let by_distance = seen.map(|seen| if camera.is_perspective() { 1.0 / seen.away } else { 1.0 });
            self.cover_triangle(&pixels, |layer, pixel, flat| {
                let weights = in_space(flat, &by_distance);
                let mix = |values: [f64; 3]| (0..3).map(|k| weights[k] * values[k]).sum::<f64>();
                let distance = mix(seen.map(|seen| seen.away));
                if distance > layer.distances[pixel] + bias {
                    return;
                }
                let point = Point::from((0..3).map(|k| corners[k].coords * weights[k]).sum::<Vector>());
                let normal = (0..3).map(|k| normals[k] * weights[k]).sum::<Vector>();
                let normal = normal.try_normalize(0.0).unwrap_or_else(Vector::y);
                visit(layer, pixel, distance, &Spot { point, normal, weights });
            });
        }
    }

    /// Visits the pixels whose centre is inside a triangle, with the centre's barycentric weights.
    fn cover_triangle(
        &mut self,
        [a, b, c]: &[[f64; 2]; 3],
        mut visit: impl FnMut(&mut Self, usize, [f64; 3]),
    ) {
        let area = cross(a, b, c);
        if area == 0.0 {
            return;
        }
        let range = |k: usize, limit: usize| {
            let (low, high) = (a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k]));
            (low - 0.5).ceil().max(0.0) as usize
                ..((high - 0.5).floor() + 1.0).clamp(0.0, limit as f64) as usize
        };
        let columns = range(0, self.width);
        for row in range(1, self.height) {
            for column in columns.clone() {
                let p = [column as f64 + 0.5, row as f64 + 0.5];
                let weights = [cross(b, c, &p) / area, cross(c, a, &p) / area, cross(a, b, &p) / area];
                if weights.iter().all(|&weight| weight >= 0.0) {
                    visit(self, row * self.width + column, weights);
                }
            }
        }
    }
}

/// Weights in space from those on the picture.
fn in_space(flat: [f64; 3], by_distance: &[f64; 3]) -> [f64; 3] {
    let scaled = [0, 1, 2].map(|k| flat[k] * by_distance[k]);
    let sum: f64 = scaled.iter().sum();
    scaled.map(|weight| weight / sum)
}

/// Twice the signed area of a triangle.
fn cross(a: &[f64; 2], b: &[f64; 2], c: &[f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearer_of_two_triangles_is_seen() {
        let camera = Camera::looking_at(Point::new(0.0, 0.0, 4.0), Point::origin(), 1.0);
        let mut layer = Layer::new(40, 40);
        for (z, red) in [(0.0, 0.25), (1.0, 0.5), (-1.0, 1.0)] {
            let corners = [Point::new(-9.0, -9.0, z), Point::new(9.0, -9.0, z), Point::new(0.0, 20.0, z)];
            layer.fill(&camera, &Surface::of_mesh(&corners, &[[0, 1, 2]]), |_| [red, 0.0, 0.0]);
        }
        let middle = 20 * 40 + 20;
        assert_eq!(layer.colours[middle][0], 0.5);
        assert!((layer.distances[middle] - 3.0).abs() < 1e-12);
    }
}
