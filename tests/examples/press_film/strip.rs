//! Frames of the film side by side as SVG: triangles and pieces of the capsule, painted from the farthest to the nearest.

use crate::{Film, Shot};
use palpate_math::{Point, Vector};
use palpate_tests::xpbd::Press;
use std::fmt::Write;

/// Columns and rows of frames.
const FRAMES: [usize; 2] = [3, 2];

/// The width and height of a frame.
const SIZE: [f64; 2] = [300.0, 220.0];

/// Pieces of the capsule.
const PIECES: usize = 25;

/// Colours as red, green, blue.
const ORGAN: [f64; 3] = [196.0, 92.0, 74.0];
const TOOL: [f64; 3] = [120.0, 142.0, 168.0];

/// An orthographic view of everything that the film shows.
struct View {
    right: Vector,
    up: Vector,
    /// Towards the eye.
    near: Vector,
    middle: [f64; 2],
    /// Per metre.
    scale: f64,
}

impl View {
    fn of(film: &Film) -> Self {
        let near = Vector::new(0.45, -0.75, 0.48).normalize();
        let right = Vector::z().cross(&near).normalize();
        let up = near.cross(&right);
        let range = |along: &Vector| {
            let places = film.shots.iter().flat_map(|shot| &shot.surface).map(|p| p.coords.dot(along));
            places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
        };
        let ranges = [range(&right), range(&up)];
        let scale = (0..2).map(|k| 0.85 * SIZE[k] / (ranges[k][1] - ranges[k][0])).fold(f64::MAX, f64::min);
        Self { right, up, near, middle: ranges.map(|[low, high]| 0.5 * (low + high)), scale }
    }

    /// Places from the left and from the top.
    fn place(&self, point: &Point) -> [f64; 2] {
        let [x, y] = [self.right, self.up].map(|along| point.coords.dot(&along));
        [
            0.5 * SIZE[0] + (x - self.middle[0]) * self.scale,
            0.55 * SIZE[1] - (y - self.middle[1]) * self.scale,
        ]
    }

    fn nearness(&self, point: &Point) -> f64 {
        point.coords.dot(&self.near)
    }
}

/// A colour of some brightness.
fn color(of: [f64; 3], bright: f64) -> String {
    let [r, g, b] = of.map(|channel| (channel * bright).clamp(0.0, 255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// What is painted of a frame, with its nearness.
fn items(film: &Film, shot: &Shot, view: &View) -> Vec<(f64, String)> {
    let light = (view.up * 0.75 + view.near * 0.56 - view.right * 0.35).normalize();
    let mut items = Vec::new();
    for ids in &film.triangles {
        let [a, b, c] = ids.map(|id| shot.surface[id as usize]);
        let normal = (b - a).cross(&(c - a));
        if normal.dot(&view.near) <= 0.0 {
            continue;
        }
        let fill = color(ORGAN, 0.5 + 0.65 * normal.normalize().dot(&light).max(0.0));
        let path = [a, b, c].map(|p| view.place(&p).map(|x| format!("{x:.1}")).join(" ")).join("L");
        let middle = (view.nearness(&a) + view.nearness(&b) + view.nearness(&c)) / 3.0;
        items.push((middle, format!("<path d=\"M{path}z\" fill=\"{fill}\" stroke=\"{fill}\"/>")));
    }
    let [from, to] = shot.ends;
    let at = |k: usize| from + (to - from) * (k as f64 / PIECES as f64);
    for k in 0..PIECES {
        let middle = view.nearness(&nalgebra::center(&at(k), &at(k + 1))) + 0.5 * Press::RADIUS;
        let [[x0, y0], [x1, y1]] = [at(k), at(k + 1)].map(|p| view.place(&p));
        let (stroke, width) = (color(TOOL, 0.8), 2.0 * Press::RADIUS * view.scale);
        let line = format!(
            "<path d=\"M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}\" stroke=\"{stroke}\" stroke-width=\"{width:.1}\" stroke-linecap=\"round\"/>"
        );
        items.push((middle, line));
    }
    items.sort_by(|one, other| one.0.total_cmp(&other.0));
    items
}

/// Frames that are evenly spread over the film, with their times.
pub(crate) fn strip(film: &Film) -> String {
    let view = View::of(film);
    let [columns, rows] = FRAMES;
    let [width, height] = [columns as f64 * SIZE[0], rows as f64 * SIZE[1]];
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let last = film.shots.len() - 1;
    for k in 0..columns * rows {
        let shot = &film.shots[k * last / (columns * rows - 1)];
        let [x, y] = [(k % columns) as f64 * SIZE[0], (k / columns) as f64 * SIZE[1]];
        let _ = writeln!(
            svg,
            "<svg x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" stroke-width=\"0.5\">",
            SIZE[0], SIZE[1]
        );
        for (_, item) in items(film, shot, &view) {
            let _ = writeln!(svg, "{item}");
        }
        let _ = writeln!(svg, "<text x=\"8\" y=\"18\">{:.2} s</text>\n</svg>", shot.time);
    }
    svg + "</svg>\n"
}
