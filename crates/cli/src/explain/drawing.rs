//! The iterations as small pictures side by side, in SVG.

use super::Answered;
use super::panel::{Panel, panels};
use super::report::Report;
use std::fmt::Write;

/// Pictures in a row.
const COLUMNS: usize = 4;
/// The width of a picture, and its height without text, in SVG units.
const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 220.0;
/// The height of the text below a picture, and of a line of it.
const WORDS: f64 = 104.0;
const LINE: f64 = 16.0;
/// The height of a case's title.
const TITLE: f64 = 30.0;
/// Margin around a picture.
const FREE: f64 = 18.0;

const STYLE: &str = "text{font:12px sans-serif;fill:#222}.title{font-size:16px;font-weight:bold}\
.name{font-weight:bold}.outline{fill:#eef2f6;stroke:#b8c4d0}.edge{stroke:#2c5f8a;stroke-width:1.5}\
.hidden{stroke:#8fb0cc;stroke-dasharray:3 3}.vertex{fill:#2c5f8a}.nearest{stroke:#d1495b;stroke-width:3;\
fill:#d1495b;fill-opacity:.2;stroke-linejoin:round;stroke-linecap:round}.arrow{stroke:#111;stroke-width:1.5}\
.tip{fill:#111}.support{fill:none;stroke:#e08e0b;stroke-width:2}.origin{stroke:#111}.error{fill:#b00020}";

/// A drawing of every case, one below the other.
pub(crate) fn svg(answers: &[Answered]) -> String {
    let mut body = String::new();
    let mut top = 0.0;
    for answered in answers {
        top += case(&mut body, answered, top);
    }
    let width = COLUMNS as f64 * WIDTH;
    let height = f64::max(top, 1.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\">\n<style>{STYLE}</style>\n<rect width=\"{width}\" height=\"{height}\" \
         fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

/// Draws a case below `top` and returns its height.
fn case(out: &mut String, answered: &Answered, top: f64) -> f64 {
    text(out, "title", [FREE, top + 20.0], &answered.name);
    let report = match &answered.report {
        Ok(report) => report,
        Err(error) => {
            text(out, "error", [FREE, top + TITLE + LINE], error);
            return TITLE + 2.0 * LINE;
        }
    };
    let (panels, left_out) = panels(report);
    let frame = Frame::around(report, &panels);
    let first_of_last = if left_out > 0 { panels.len() / 2 } else { panels.len() };
    for (index, panel) in panels.iter().enumerate() {
        let (row, column) = (index / COLUMNS, index % COLUMNS);
        let corner = [column as f64 * WIDTH, top + TITLE + row as f64 * (HEIGHT + WORDS)];
        draw(out, panel, report, &frame, corner);
        if index == first_of_last {
            let place = [corner[0] + FREE, corner[1] + 10.0];
            text(out, "error", place, &format!("{left_out} iterations are left out before this one"));
        }
    }
    TITLE + panels.len().div_ceil(COLUMNS) as f64 * (HEIGHT + WORDS)
}

/// Maps points of a case to a picture.
struct Frame {
    middle: [f64; 2],
    scale: f64,
}

impl Frame {
    /// A frame that contains a whole case and the origin.
    fn around(report: &Report, panels: &[Panel]) -> Self {
        let (mut low, mut high) = ([0.0_f64; 2], [0.0_f64; 2]);
        let drawn = panels.iter().flat_map(|panel| panel.vertices.iter().chain(&panel.support));
        for point in report.outline.iter().chain(drawn) {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        let fit = |room: f64, axis: usize| (room - 2.0 * FREE) / (high[axis] - low[axis]);
        let scale = fit(WIDTH, 0).min(fit(HEIGHT, 1));
        let middle = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]));
        // Coincident points have no extent to fit to the picture.
        Self { middle, scale: if scale.is_finite() { scale } else { 1.0 } }
    }

    fn place(&self, point: &[f64; 2], corner: [f64; 2]) -> [f64; 2] {
        let x = (point[0] - self.middle[0]) * self.scale;
        let y = (point[1] - self.middle[1]) * self.scale;
        [corner[0] + 0.5 * WIDTH + x, corner[1] + 0.5 * HEIGHT - y]
    }
}

fn draw(out: &mut String, panel: &Panel, report: &Report, frame: &Frame, corner: [f64; 2]) {
    let at = |point: &[f64; 2]| frame.place(point, corner);
    shape(out, "outline", &report.outline.iter().map(at).collect::<Vec<_>>());
    for edge in &panel.edges {
        line(out, if edge.hidden { "edge hidden" } else { "edge" }, at(&edge.ends[0]), at(&edge.ends[1]));
    }
    shape(out, "nearest", &panel.nearest.iter().map(at).collect::<Vec<_>>());
    for vertex in &panel.vertices {
        dot(out, "vertex", at(vertex), 2.5);
    }
    let [x, y] = at(&[0.0, 0.0]);
    line(out, "origin", [x - 4.0, y], [x + 4.0, y]);
    line(out, "origin", [x, y - 4.0], [x, y + 4.0]);
    if let Some(tip) = &panel.arrow {
        arrow(out, [x, y], at(tip));
    }
    if let Some(support) = &panel.support {
        dot(out, "support", at(support), 5.0);
    }
    let mut place = [corner[0] + FREE, corner[1] + HEIGHT + 10.0];
    text(out, "name", place, &panel.title);
    for words in &panel.lines {
        place[1] += LINE;
        text(out, "words", place, words);
    }
}

/// A polygon; a line for two points, a dot for one.
fn shape(out: &mut String, class: &str, points: &[[f64; 2]]) {
    match points {
        [] => {}
        [point] => dot(out, class, *point, 3.0),
        [from, to] => line(out, class, *from, *to),
        _ => {
            let points: Vec<_> = points.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
            put(out, format_args!("<polygon class=\"{class}\" points=\"{}\"/>\n", points.join(" ")));
        }
    }
}

/// An arrow.
fn arrow(out: &mut String, from: [f64; 2], to: [f64; 2]) {
    line(out, "arrow", from, to);
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = (dx * dx + dy * dy).sqrt();
    if length > 0.0 {
        let (x, y) = (dx / length, dy / length);
        let back = |side: f64| [to[0] - 7.0 * x - side * y, to[1] - 7.0 * y + side * x];
        shape(out, "tip", &[to, back(3.0), back(-3.0)]);
    }
}

fn line(out: &mut String, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
    put(
        out,
        format_args!(
            "<line class=\"{class}\" x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\"/>\n"
        ),
    );
}

fn dot(out: &mut String, class: &str, [x, y]: [f64; 2], radius: f64) {
    put(out, format_args!("<circle class=\"{class}\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\"/>\n"));
}

fn text(out: &mut String, class: &str, [x, y]: [f64; 2], words: &str) {
    put(out, format_args!("<text class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\">{}</text>\n", escaped(words)));
}

fn put(out: &mut String, what: std::fmt::Arguments<'_>) {
    out.write_fmt(what).expect("writing to a text does not fail");
}

/// Text escaped for SVG and HTML, without characters that XML forbids.
pub(crate) fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for letter in words.chars() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            _ if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => text.push(' '),
            _ => text.push(letter),
        }
    }
    text
}
