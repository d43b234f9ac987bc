//! Lighting: a key light that casts shadows, a sky, a rim light, and materials.

use super::camera::Camera;
use super::layer::{Colour, Layer, Spot};
use super::surface::Surface;
use palpate::math::{Point, Vector};

/// The reflection of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    pub(crate) colour: Colour,
    /// Strength of the highlight.
    pub(crate) shine: f64,
    /// Its sharpness.
    pub(crate) gloss: f64,
}

/// Pixels along an edge of the shadow map.
const SHADOW_PIXELS: usize = 1600;

/// How much closer to the light an occluder has to be, as a fraction of the scene's radius.
const SHADOW_BIAS: f64 = 0.012;

/// The key light and its shadow map.
pub(crate) struct Light {
    /// Unit vector to the light.
    direction: Vector,
    camera: Camera,
    map: Layer,
    bias: f64,
}

impl Light {
    /// A light from `direction` on surfaces within `radius` of `center`.
    pub(crate) fn new(direction: Vector, center: Point, radius: f64, surfaces: &[&Surface]) -> Self {
        let direction = direction.normalize();
        let camera = Camera::parallel(center, -direction, radius);
        let mut map = Layer::new(SHADOW_PIXELS, SHADOW_PIXELS);
        for surface in surfaces {
            map.fill(&camera, surface, |_| [0.0; 3]);
        }
        Self { direction, camera, map, bias: SHADOW_BIAS * radius }
    }

    /// The colour of a spot seen from the direction `towards_eye`.
    pub(crate) fn shade(&self, material: &Material, spot: &Spot, towards_eye: &Vector) -> Colour {
        let n = if spot.normal.dot(towards_eye) < 0.0 { -spot.normal } else { spot.normal };
        let lit = self.lit(&spot.point);
        // Light scatters in tissue: the edge of the shadow is soft, and warm where the tissue is thin.
        let facing = n.dot(&self.direction);
        let diffuse = lit * ((facing + 0.25) / 1.25).max(0.0);
        let sky = 0.5 + 0.5 * n.y;
        let half = (self.direction + towards_eye).normalize();
        let highlight = lit * material.shine * libm::pow(n.dot(&half).max(0.0), material.gloss);
        let rim = libm::pow(1.0 - n.dot(towards_eye).clamp(0.0, 1.0), 3.0);
        [0, 1, 2].map(|k| {
            let warm = [1.0, 0.95, 0.88][k];
            let cool = [0.30, 0.34, 0.42][k];
            let ground = [0.16, 0.13, 0.12][k];
            let ambient = cool * sky + ground * (1.0 - sky);
            material.colour[k] * (warm * 0.95 * diffuse + ambient + 0.25 * rim * sky) + highlight
        })
    }

    /// The fraction of the key light that reaches a point: the mean over a few texels of the shadow map.
    fn lit(&self, point: &Point) -> f64 {
        const REACH: isize = 3;
        let seen = self.camera.see(point);
        let [x, y] = self.map.pixel(&seen).map(|place| place as isize);
        let mut lit = 0.0;
        for row in -REACH..=REACH {
            for column in -REACH..=REACH {
                let (column, row) = (x + 2 * column, y + 2 * row);
                let inside = (0..SHADOW_PIXELS as isize).contains(&column)
                    && (0..SHADOW_PIXELS as isize).contains(&row);
                let nearest = if inside {
                    self.map.distances[row as usize * SHADOW_PIXELS + column as usize]
                } else {
                    f64::INFINITY
                };
                lit += if nearest < seen.away - self.bias { 0.0 } else { 1.0 };
            }
        }
        lit / ((2 * REACH + 1) * (2 * REACH + 1)) as f64
    }
}
