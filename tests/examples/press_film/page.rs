//! The film as a page that plays it.

use crate::Film;
use palpate_math::Point;
use palpate_tests::xpbd::Press;
use std::fmt::Write;

/// Coordinates are multiples of this, metres.
const UNIT: f64 = 1e-5;

const PAGE: &str = include_str!("page.html");

/// The page: triangles and places as numbers in base 64, of 16 bits each.
pub(crate) fn page(film: &Film) -> String {
    let triangles = film.triangles.iter().flatten().map(|id| *id as u16);
    let places = film.shots.iter().flat_map(|shot| shot.surface.iter().chain(&shot.ends)).flat_map(units);
    let (mut times, mut depths) = (String::new(), String::new());
    for shot in &film.shots {
        let _ = write!(times, "{:.3},", shot.time);
        let _ = write!(depths, "{:.4},", shot.depth);
    }
    // Data last: its digits must not be taken for a word.
    PAGE.replace("TIMES", &times)
        .replace("DEPTHS", &depths)
        .replace("VERTICES", &film.shots[0].surface.len().to_string())
        .replace("RADIUS", &Press::RADIUS.to_string())
        .replace("UNIT", &UNIT.to_string())
        .replace("WORST", &format!("{:.2}", 100.0 * film.worst))
        .replace("STEPS", &film.steps.to_string())
        .replace("TRIANGLES", &base64(triangles))
        .replace("PLACES", &base64(places))
}

/// Coordinates as 16 bits in two's complement.
fn units(point: &Point) -> [u16; 3] {
    [0, 1, 2].map(|k| ((point[k] / UNIT).round() as i16) as u16)
}

/// Numbers, the lower byte first, in base 64.
fn base64(numbers: impl Iterator<Item = u16>) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = numbers.flat_map(u16::to_le_bytes).collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0_u32, |word, k| word << 8 | u32::from(chunk.get(k).copied().unwrap_or(0)));
        for k in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}
