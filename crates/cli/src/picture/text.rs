//! The letters of the legend, drawn as strokes of a round pen, smooth at any size.
//!
//! Coordinates of a letter: x to the right from its left side, y up from the base line; capitals and digits are 1 high.

use super::image::Image;

/// Width of the pen, relative to the height of a capital.
const PEN: f64 = 0.13;

/// Space between two letters, likewise.
const GAP: f64 = 0.17;

/// Straight pieces of a curve.
const PIECES: u32 = 16;

type Spot = [f64; 2];

/// A stroke of the pen.
enum Stroke {
    /// Straight pieces.
    Line(&'static [Spot]),
    /// A part of an ellipse: centre, half axes, and two angles in degrees, from +x towards +y.
    Arc(Spot, Spot, [f64; 2]),
    /// A quadratic curve from the first spot to the last.
    Curve([Spot; 3]),
}

use Stroke::{Arc, Curve, Line};

/// The width of a letter and its strokes; a letter that is not drawn is a space.
fn letter(letter: char) -> (f64, &'static [Stroke]) {
    const WHOLE: [f64; 2] = [0.0, 360.0];
    match letter {
        '0' => (0.62, &[Arc([0.31, 0.5], [0.26, 0.5], WHOLE)]),
        '1' => (0.46, &[Line(&[[0.06, 0.80], [0.30, 1.0], [0.30, 0.0]])]),
        '2' => (
            0.62,
            &[
                Arc([0.31, 0.71], [0.26, 0.29], [165.0, -40.0]),
                Line(&[[0.509, 0.524], [0.05, 0.0], [0.58, 0.0]]),
            ],
        ),
        '3' => (
            0.60,
            &[
                Arc([0.29, 0.75], [0.23, 0.25], [150.0, -90.0]),
                Arc([0.29, 0.25], [0.27, 0.25], [90.0, -155.0]),
            ],
        ),
        '4' => (0.64, &[Line(&[[0.45, 0.0], [0.45, 1.0], [0.03, 0.28], [0.61, 0.28]])]),
        '5' => (
            0.60,
            &[
                Line(&[[0.53, 1.0], [0.13, 1.0], [0.09, 0.55]]),
                Arc([0.28, 0.32], [0.27, 0.32], [135.0, -150.0]),
            ],
        ),
        '6' => (
            0.62,
            &[Arc([0.31, 0.31], [0.26, 0.31], WHOLE), Curve([[0.05, 0.31], [0.04, 0.80], [0.46, 1.0]])],
        ),
        '7' => (0.60, &[Line(&[[0.04, 1.0], [0.57, 1.0], [0.21, 0.0]])]),
        '8' => (0.62, &[Arc([0.31, 0.75], [0.22, 0.25], WHOLE), Arc([0.31, 0.25], [0.26, 0.25], WHOLE)]),
        '9' => (
            0.62,
            &[Arc([0.31, 0.69], [0.26, 0.31], WHOLE), Curve([[0.57, 0.69], [0.58, 0.20], [0.16, 0.0]])],
        ),
        '.' => (0.14, &[Line(&[[0.07, 0.02], [0.07, 0.02]])]),
        '(' => (0.30, &[Curve([[0.26, 1.08], [-0.06, 0.42], [0.26, -0.24]])]),
        ')' => (0.30, &[Curve([[0.04, 1.08], [0.36, 0.42], [0.04, -0.24]])]),
        'd' => (0.58, &[Arc([0.28, 0.34], [0.24, 0.34], WHOLE), Line(&[[0.52, 1.02], [0.52, 0.0]])]),
        'e' => (0.57, &[Line(&[[0.05, 0.37], [0.52, 0.37]]), Arc([0.29, 0.34], [0.24, 0.34], [5.0, 315.0])]),
        'h' => (
            0.57,
            &[
                Line(&[[0.06, 1.02], [0.06, 0.0]]),
                Curve([[0.06, 0.42], [0.12, 0.68], [0.31, 0.68]]),
                Curve([[0.31, 0.68], [0.50, 0.68], [0.50, 0.42]]),
                Line(&[[0.50, 0.42], [0.50, 0.0]]),
            ],
        ),
        'm' => (
            0.89,
            &[
                Line(&[[0.06, 0.68], [0.06, 0.0]]),
                Curve([[0.06, 0.42], [0.10, 0.68], [0.27, 0.68]]),
                Curve([[0.27, 0.68], [0.44, 0.68], [0.44, 0.42]]),
                Line(&[[0.44, 0.42], [0.44, 0.0]]),
                Curve([[0.44, 0.42], [0.48, 0.68], [0.65, 0.68]]),
                Curve([[0.65, 0.68], [0.82, 0.68], [0.82, 0.42]]),
                Line(&[[0.82, 0.42], [0.82, 0.0]]),
            ],
        ),
        'p' => (0.58, &[Arc([0.30, 0.34], [0.24, 0.34], WHOLE), Line(&[[0.06, 0.68], [0.06, -0.30]])]),
        't' => (
            0.40,
            &[
                Line(&[[0.17, 0.92], [0.17, 0.22]]),
                Curve([[0.17, 0.22], [0.17, -0.02], [0.37, 0.01]]),
                Line(&[[0.02, 0.67], [0.35, 0.67]]),
            ],
        ),
        _ => (0.30, &[]),
    }
}

impl Stroke {
    /// The stroke as straight pieces.
    fn pieces(&self) -> Vec<Spot> {
        let steps = (0..=PIECES).map(|step| f64::from(step) / f64::from(PIECES));
        match self {
            Line(spots) => spots.to_vec(),
            Arc([x, y], [a, b], [from, to]) => steps
                .map(|t| {
                    let (sin, cos) = libm::sincos((from + (to - from) * t).to_radians());
                    [x + a * cos, y + b * sin]
                })
                .collect(),
            Curve([p, q, r]) => steps
                .map(|t| {
                    let [i, j, k] = [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
                    [0, 1].map(|axis| i * p[axis] + j * q[axis] + k * r[axis])
                })
                .collect(),
        }
    }
}

/// The width of a text whose capitals are `height` pixels high.
pub(super) fn width(text: &str, height: f64) -> f64 {
    let letters: f64 = text.chars().map(|name| letter(name).0 + GAP).sum();
    (letters - GAP).max(0.0) * height
}

/// Writes a text whose capitals are `height` pixels high, from the left end of its base line.
pub(super) fn write(image: &mut Image, text: &str, left: f64, base: f64, height: f64, ink: [u8; 3]) {
    let mut at = left;
    for name in text.chars() {
        let (width, strokes) = letter(name);
        let pieces: Vec<Vec<Spot>> = strokes
            .iter()
            .map(|stroke| stroke.pieces().iter().map(|[x, y]| [at + x * height, base - y * height]).collect())
            .collect();
        draw(image, &pieces, PEN * height, ink);
        at += (width + GAP) * height;
    }
}

/// Draws the strokes of a letter with a pen of this width, all in pixels.
fn draw(image: &mut Image, strokes: &[Vec<Spot>], pen: f64, ink: [u8; 3]) {
    let spots = || strokes.iter().flatten();
    let range = |axis: usize| {
        let low = spots().map(|spot| spot[axis]).fold(f64::INFINITY, f64::min) - pen;
        let high = spots().map(|spot| spot[axis]).fold(f64::NEG_INFINITY, f64::max) + pen;
        (low.max(0.0) as usize)..=(high.max(0.0) as usize)
    };
    if spots().next().is_none() {
        return;
    }
    for row in range(1) {
        for column in range(0) {
            let center = [column as f64 + 0.5, row as f64 + 0.5];
            let distance =
                strokes.iter().map(|stroke| distance(&center, stroke)).fold(f64::INFINITY, f64::min);
            // The part of the pixel that the pen covers, nearly.
            image.blend(column, row, ink, (0.5 * pen - distance + 0.5).clamp(0.0, 1.0));
        }
    }
}

/// The distance of a spot to a chain of straight pieces.
fn distance(spot: &Spot, pieces: &[Spot]) -> f64 {
    let to_piece = |ends: &[Spot]| {
        let [along, off] =
            [[ends[1], ends[0]], [*spot, ends[0]]].map(|[to, from]| [to[0] - from[0], to[1] - from[1]]);
        let length2 = along[0] * along[0] + along[1] * along[1];
        let t = if length2 > 0.0 {
            ((along[0] * off[0] + along[1] * off[1]) / length2).clamp(0.0, 1.0)
        } else {
            0.0
        };
        libm::hypot(off[0] - t * along[0], off[1] - t * along[1])
    };
    pieces.windows(2).map(to_piece).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_legend_is_drawn_within_its_width() {
        for name in "0123456789.depth(mm)".chars() {
            let (width, strokes) = letter(name);
            assert!(!strokes.is_empty(), "{name}");
            for [x, y] in strokes.iter().flat_map(Stroke::pieces) {
                assert!((0.0..=width).contains(&x) && (-0.31..=1.09).contains(&y), "{name}: {x} {y}");
            }
        }
        assert_eq!(letter(' ').1.len(), 0);
    }

    #[test]
    fn the_distance_is_that_to_the_closest_piece() {
        let pieces = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]];
        assert_eq!(distance(&[2.0, 1.0], &pieces), 1.0);
        assert_eq!(distance(&[7.0, 7.0], &pieces), 5.0);
        assert_eq!(distance(&[1.0, 0.0], &[[1.0, 2.0], [1.0, 2.0]]), 2.0);
    }

    #[test]
    fn width_grows_with_the_letters() {
        assert_eq!(width("", 20.0), 0.0);
        assert!((width("00", 10.0) - (2.0 * 6.2 + 1.7)).abs() < 1e-12);
    }
}
