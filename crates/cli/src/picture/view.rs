//! The contents of a picture: bodies, contacts, and the viewpoint.

use super::camera::Camera;
use super::contacts;
use super::image::Image;
use super::layer::{Colour, Layer};
use super::legend;
use super::light::{Light, Material};
use super::palette::to_light;
use super::surface::Surface;
use palpate::contact::Contact;
use palpate::math::{Point, Vector};

/// Pixels of the picture.
const WIDTH: usize = 1120;
const HEIGHT: usize = 760;

/// Samples per pixel, in each direction.
const SAMPLES: usize = 3;

/// The angle of view, radians.
const ANGLE: f64 = 0.50;

/// Fraction of the background that shows through a translucent body.
const SEE_THROUGH: f64 = 0.45;

/// An object in the picture.
pub(crate) enum Body<'a> {
    /// A mesh: tissue.
    Mesh(&'a [Point], &'a [[u32; 3]]),
    /// A capsule between two ends: steel, translucent so that the contacts are visible.
    Capsule([Point; 2], f64),
    /// A thread along points.
    Thread(&'a [Point], f64),
}

/// A picture to be drawn.
pub(crate) struct View<'a> {
    pub(crate) bodies: Vec<Body<'a>>,
    /// The contacts to show; the surface points of both sides are drawn.
    pub(crate) contacts: Vec<Contact>,
    /// The target point.
    pub(crate) center: Point,
    /// Radius of the visible region, metres.
    pub(crate) radius: f64,
    /// The direction to the viewpoint.
    pub(crate) from: Vector,
}

const TISSUE: Material = Material { colour: [0.34, 0.055, 0.045], shine: 0.16, gloss: 46.0 };
const STEEL: Material = Material { colour: [0.42, 0.46, 0.52], shine: 0.75, gloss: 90.0 };
const SILK: Material = Material { colour: [0.72, 0.66, 0.50], shine: 0.15, gloss: 24.0 };

impl Body<'_> {
    fn surface(&self) -> Surface {
        match self {
            Self::Mesh(points, triangles) => Surface::of_mesh(points, triangles),
            Self::Capsule(ends, radius) => Surface::tube(ends, *radius, 64),
            Self::Thread(points, radius) => Surface::tube(points, *radius, 16),
        }
    }

    fn material(&self) -> &'static Material {
        match self {
            Self::Mesh(..) => &TISSUE,
            Self::Capsule(..) => &STEEL,
            Self::Thread(..) => &SILK,
        }
    }

    fn is_see_through(&self) -> bool {
        matches!(self, Self::Capsule(..))
    }
}

impl View<'_> {
    /// Draws the picture.
    pub(crate) fn draw(&self) -> Image {
        let distance = self.radius / libm::sin(0.5 * ANGLE);
        let eye = self.center + self.from.normalize() * distance;
        let camera = Camera::looking_at(eye, self.center, ANGLE);
        let surfaces: Vec<Surface> = self.bodies.iter().map(Body::surface).collect();
        let key = Vector::new(-0.55, 1.0, 0.35);
        let light = Light::new(key, self.center, 1.6 * self.radius, &surfaces.iter().collect::<Vec<_>>());

        let mut picture = Layer::new(WIDTH * SAMPLES, HEIGHT * SAMPLES);
        for (body, surface) in self.bodies.iter().zip(&surfaces).filter(|(body, _)| !body.is_see_through()) {
            draw_body(&mut picture, &camera, &light, body, surface);
        }
        background(&mut picture);
        for (body, surface) in self.bodies.iter().zip(&surfaces).filter(|(body, _)| body.is_see_through()) {
            let mut glass = Layer::new(picture.width, picture.height);
            draw_body(&mut glass, &camera, &light, body, surface);
            lay_over(&mut picture, &glass);
        }
        contacts::draw_discs(&mut picture, &camera, &self.contacts, self.radius);
        contacts::draw_directions(&mut picture, &camera, &self.contacts, self.radius);
        let mut image = Image::of_layer(&picture, SAMPLES);
        legend::draw(&mut image, contacts::deepest(&self.contacts));
        image
    }
}

fn draw_body(layer: &mut Layer, camera: &Camera, light: &Light, body: &Body<'_>, surface: &Surface) {
    let material = body.material();
    let shows_edges = matches!(body, Body::Mesh(..));
    layer.fill(camera, surface, |spot| {
        let colour = light.shade(material, spot, &camera.towards_eye(&spot.point));
        let at_edge = spot.weights.iter().any(|&weight| weight < 0.03);
        // The mesh edges are faintly visible: contacts are between mesh elements.
        if shows_edges && at_edge { colour.map(|light| light * 0.80) } else { colour }
    });
}

/// A soft background light.
fn background(layer: &mut Layer) {
    let (top, bottom) = ([0.80, 0.85, 0.90], [0.97, 0.98, 0.99]);
    for row in 0..layer.height {
        let part = row as f64 / layer.height as f64;
        let colour: Colour = [0, 1, 2].map(|k| to_light(top[k] * (1.0 - part) + bottom[k] * part));
        for pixel in row * layer.width..(row + 1) * layer.width {
            if layer.distances[pixel].is_infinite() {
                layer.colours[pixel] = colour;
            }
        }
    }
}

/// Composites a translucent layer over the picture, where it is closer.
fn lay_over(picture: &mut Layer, glass: &Layer) {
    for pixel in 0..picture.colours.len() {
        if glass.distances[pixel] < picture.distances[pixel] {
            let (front, behind) = (glass.colours[pixel], picture.colours[pixel]);
            // Against the bright background a body is opaque; over another body, that body is visible through it.
            let behind_is_body = picture.distances[pixel].is_finite();
            let through = if behind_is_body { SEE_THROUGH } else { 0.0 };
            picture.colours[pixel] = [0, 1, 2].map(|k| front[k] * (1.0 - through) + behind[k] * through);
        }
    }
}
