//! The colour bar of depths.

use super::image::Image;
use super::palette;
use super::text;

/// Pixels of the bar.
const WIDTH: usize = 16;
const HEIGHT: usize = 200;
/// From the right and upper edges.
const MARGIN: usize = 36;
/// Room for the title above the bar.
const TITLE: usize = 34;
/// Room for the numbers beside the bar.
const NUMBERS: usize = 60;
/// Height of a capital in pixels.
const LETTERS: f64 = 15.0;
const INK: [u8; 3] = [52, 60, 70];

/// Draws the bar from 0 to `deepest` metres in the upper right corner.
pub(super) fn draw(image: &mut Image, deepest: f64) {
    let left = image.width - MARGIN - NUMBERS - WIDTH;
    let top = MARGIN + TITLE;
    for row in 0..HEIGHT {
        let part = 1.0 - row as f64 / (HEIGHT - 1) as f64;
        let colour = palette::colour(part).map(palette::to_shown);
        (0..WIDTH).for_each(|column| image.paint(left + column, top + row, colour));
    }
    frame(image, left, top);
    const TICKS: usize = 4;
    for tick in 0..=TICKS {
        let part = tick as f64 / TICKS as f64;
        let row = top + HEIGHT - 1 - ((HEIGHT - 1) as f64 * part) as usize;
        (0..5).for_each(|column| image.paint(left + WIDTH + column, row, INK));
        let middle = row as f64 + 0.5 + 0.5 * LETTERS;
        text::write(
            image,
            &format!("{:.1}", part * deepest * 1e3),
            (left + WIDTH + 11) as f64,
            middle,
            LETTERS,
            INK,
        );
    }
    const HEAD: &str = "depth (mm)";
    let right = (image.width - MARGIN) as f64;
    let start = right - text::width(HEAD, LETTERS);
    text::write(image, HEAD, start, (top - TITLE) as f64 + LETTERS, LETTERS, INK);
}

fn frame(image: &mut Image, left: usize, top: usize) {
    for column in left - 1..=left + WIDTH {
        image.paint(column, top - 1, INK);
        image.paint(column, top + HEIGHT, INK);
    }
    for row in top - 1..=top + HEIGHT {
        image.paint(left - 1, row, INK);
        image.paint(left + WIDTH, row, INK);
    }
}
