//! Contacts on the picture: a disc on the surface, coloured by depth, and a stroke along the direction.

use super::camera::Camera;
use super::layer::{Colour, Layer};
use super::palette;
use super::surface::Surface;
use palpate::contact::Contact;
use palpate::math::{Point, Vector};

/// Sizes as fractions of the view's radius.
const DISC: f64 = 0.014;
const STROKE_WIDTH: f64 = 0.0030;
const STROKE_LENGTH: f64 = 0.24;
/// The shortest stroke, as a fraction of the longest.
const SHORTEST: f64 = 0.25;
/// How far a disc may be behind the surface on which it lies.
const BIAS: f64 = 0.04;

/// The greatest depth of all contacts, metres; never 0, so that it can be a divisor.
pub(super) fn deepest(contacts: &[Contact]) -> f64 {
    contacts.iter().map(|contact| contact.depth).fold(f64::MIN_POSITIVE, f64::max)
}

/// A disc half-way between the two surface points of each contact, the deepest last.
pub(super) fn draw_discs(layer: &mut Layer, camera: &Camera, contacts: &[Contact], view_radius: f64) {
    let deepest = deepest(contacts);
    for contact in by_depth(contacts) {
        let point = nalgebra::center(&contact.a.surface_point(), &contact.b.surface_point());
        let normal = camera.towards_eye(&point);
        let part = contact.depth / deepest;
        let radius = view_radius * DISC * (0.7 + 0.3 * part);
        let rim = Surface::disc(&point, &normal, radius * 1.28, 24);
        paint(layer, camera, &rim, view_radius * BIAS, palette::colour(part).map(|light| light * 0.12), 0.8);
        let disc = Surface::disc(&point, &normal, radius, 24);
        paint(layer, camera, &disc, view_radius * BIAS, palette::colour(part), 1.0);
    }
}

/// A stroke from the surface of each contact along the direction that moves side A out, longer where it is deeper.
pub(super) fn draw_directions(layer: &mut Layer, camera: &Camera, contacts: &[Contact], view_radius: f64) {
    let deepest = deepest(contacts);
    for contact in by_depth(contacts) {
        let part = contact.depth / deepest;
        let start = contact.a.surface_point();
        let length = view_radius * STROKE_LENGTH * (SHORTEST + (1.0 - SHORTEST) * part);
        let end = start + Vector::from(contact.direction) * length;
        let colour = palette::colour(part);
        for (widen, shade) in [(1.9, 0.10), (1.0, 1.0)] {
            let width = view_radius * STROKE_WIDTH * widen;
            for shape in arrow(&start, &end, width, camera) {
                paint(layer, camera, &shape, f64::INFINITY, colour.map(|light| light * shade), 0.9);
            }
        }
    }
}

/// A stroke and its head, facing the eye.
fn arrow(start: &Point, end: &Point, width: f64, camera: &Camera) -> Vec<Surface> {
    let along = end - start;
    let Some(side) = along.cross(&camera.towards_eye(start)).try_normalize(0.0) else { return Vec::new() };
    let neck = start + along * 0.82;
    let (thin, broad) = (side * width, side * width * 3.0);
    let normal = camera.towards_eye(start);
    let flat = |points: Vec<Point>, triangles: Vec<[u32; 3]>| {
        let normals = vec![normal; points.len()];
        Surface { points, normals, triangles }
    };
    let tip = end + along.normalize() * width;
    vec![
        flat(vec![start - thin, start + thin, neck + thin, neck - thin], vec![[0, 1, 2], [0, 2, 3]]),
        flat(vec![neck - broad, neck + broad, tip], vec![[0, 1, 2]]),
    ]
}

/// Blends a colour into the picture, leaving its distances unchanged.
fn paint(layer: &mut Layer, camera: &Camera, shape: &Surface, bias: f64, colour: Colour, strength: f64) {
    layer.cover(camera, shape, bias, |layer, pixel, _, _| {
        let below = layer.colours[pixel];
        layer.colours[pixel] = [0, 1, 2].map(|k| colour[k] * strength + below[k] * (1.0 - strength));
    });
}

/// The deepest last, so that it is on top.
fn by_depth(contacts: &[Contact]) -> Vec<&Contact> {
    let mut sorted: Vec<_> = contacts.iter().collect();
    sorted.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    sorted
}
