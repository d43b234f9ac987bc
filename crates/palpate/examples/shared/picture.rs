//! Pictures of frames of a recording as SVG: triangles and lines, painted from the farthest to the nearest.

use palpate::prelude::*;
use std::fmt::Write;

/// The width and height of a frame.
const SIZE: [f64; 2] = [420.0, 300.0];

/// A colour: red, green, blue.
pub(crate) type Color = [f64; 3];

pub(crate) const ORGAN: Color = [206.0, 120.0, 104.0];
pub(crate) const WOUND: Color = [150.0, 24.0, 34.0];
pub(crate) const STEEL: Color = [96.0, 112.0, 132.0];

/// A row of points.
pub(crate) struct Line {
    pub(crate) points: Vec<Point>,
    pub(crate) color: Color,
    pub(crate) width: f64,
}

/// What is drawn of a frame.
#[derive(Default)]
pub(crate) struct Shot {
    pub(crate) title: String,
    pub(crate) triangles: Vec<([Point; 3], Color)>,
    /// Where they are behind triangles, they are hidden.
    pub(crate) lines: Vec<Line>,
    /// Drawn over everything, dashed.
    pub(crate) inside: Vec<Line>,
    /// Drawn over everything.
    pub(crate) dots: Vec<(Point, Color)>,
}

/// An orthographic view.
pub(crate) struct View {
    right: Vector,
    up: Vector,
    /// Toward the eye.
    near: Vector,
    /// Per metre.
    scale: f64,
}

impl View {
    /// From a direction, with the origin in the middle; `scale` in units of the picture per metre.
    pub(crate) fn new(near: Vector, scale: f64) -> Self {
        let near = near.normalize();
        let right = Vector::y().cross(&near).normalize();
        Self { right, up: near.cross(&right), near, scale }
    }

    /// From the left and from the top.
    fn place(&self, point: &Point) -> [f64; 2] {
        let [x, y] = [self.right, self.up].map(|along| point.coords.dot(&along) * self.scale);
        [0.5 * SIZE[0] + x, 0.5 * SIZE[1] - y]
    }

    fn nearness(&self, point: &Point) -> f64 {
        point.coords.dot(&self.near)
    }

    fn path(&self, points: &[Point]) -> String {
        let places = points.iter().map(|point| self.place(point).map(|x| format!("{x:.1}")).join(" "));
        places.collect::<Vec<_>>().join("L")
    }

    fn triangle(&self, corners: &[Point; 3], of: Color) -> Option<(f64, String)> {
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).try_normalize(0.0)?;
        if normal.dot(&self.near) <= 0.0 {
            return None;
        }
        let light = (self.up * 0.75 + self.near * 0.56 - self.right * 0.35).normalize();
        let fill = color(of, 0.55 + 0.6 * normal.dot(&light).max(0.0));
        let nearness = corners.iter().map(|corner| self.nearness(corner)).sum::<f64>() / 3.0;
        Some((nearness, format!("<path d=\"M{}z\" color=\"{fill}\"/>", self.path(corners))))
    }

    fn line(&self, line: &Line, dashes: &str) -> String {
        let (path, stroke, width) = (self.path(&line.points), color(line.color, 1.0), line.width);
        format!("<path d=\"M{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\"{dashes}/>")
    }
}

/// A colour of some brightness.
fn color(of: Color, bright: f64) -> String {
    let [r, g, b] = of.map(|channel| (channel * bright).clamp(0.0, 255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn frame(shot: &Shot, view: &View) -> String {
    let mut items: Vec<(f64, String)> =
        shot.triangles.iter().filter_map(|(corners, of)| view.triangle(corners, *of)).collect();
    for line in &shot.lines {
        for ends in line.points.windows(2) {
            let piece = Line { points: ends.to_vec(), ..*line };
            // A little nearer than what it lies on.
            let nearness = view.nearness(&ends[0]).max(view.nearness(&ends[1])) + 1e-3;
            items.push((nearness, view.line(&piece, "")));
        }
    }
    items.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut text: String = items.into_iter().map(|(_, item)| item + "\n").collect();
    for line in &shot.inside {
        text += &(view.line(line, " stroke-dasharray=\"2.5 2\"") + "\n");
    }
    for (point, of) in &shot.dots {
        let ([x, y], fill) = (view.place(point), color(*of, 1.0));
        let _ =
            writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{fill}\" stroke=\"#fff\"/>");
    }
    text
}

/// The frames side by side, two in a row.
pub(crate) fn svg(shots: &[Shot], view: &View) -> String {
    let [width, height] = [2.0 * SIZE[0], shots.len().div_ceil(2) as f64 * SIZE[1]];
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (number, shot) in shots.iter().enumerate() {
        let [x, y] = [(number % 2) as f64 * SIZE[0], (number / 2) as f64 * SIZE[1]];
        let [w, h] = SIZE;
        let _ = write!(
            text,
            "<svg x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" stroke-width=\"0.6\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n\
             <g fill=\"currentColor\" stroke=\"currentColor\">\n{}</g><text x=\"12\" y=\"{}\">{}</text>\n</svg>\n",
            frame(shot, view),
            h - 12.0,
            shot.title
        );
    }
    text + "</svg>\n"
}

/// A geometry of a scene by its name.
pub(crate) fn named<'a, T: Geometry>(
    scene: &'a Scene,
    name: &str,
) -> Result<&'a T, Box<dyn std::error::Error>> {
    let id = scene.id(name).ok_or_else(|| format!("the recording has no {name}"))?;
    Ok(scene.geometry_as(id)?)
}

/// The surface of a mesh of a replayed scene; triangles of vertices that came with a cut are a wound.
pub(crate) fn surface(mesh: &TetraMesh, vertices_before: u32) -> Vec<([Point; 3], Color)> {
    let mut mesh = mesh.clone();
    mesh.prepare(Needs::BOUNDARY);
    let Some(boundary) = mesh.boundary() else { return Vec::new() };
    let positions = boundary.points().positions();
    let triangle = |ids: &[u32; 3]| {
        let is_wound = ids.iter().all(|id| *id >= vertices_before);
        (ids.map(|id| positions[id as usize]), if is_wound { WOUND } else { ORGAN })
    };
    let there = boundary.triangles().iter().filter(|ids| ids[0] != palpate::contact::NONE);
    there.map(triangle).collect()
}
