//! Colours for depths: blue is shallow, yellow is deep; distinguishable in grey and by the colour-blind.

use super::layer::Colour;

/// Anchors at equal steps, in sRGB (0 to 1).
const ANCHORS: [Colour; 5] =
    [[0.20, 0.33, 0.88], [0.10, 0.62, 0.92], [0.13, 0.82, 0.68], [0.62, 0.91, 0.32], [1.00, 0.95, 0.25]];

/// The linear colour of a fraction of the greatest depth, 0 to 1.
pub(crate) fn colour(part: f64) -> Colour {
    let place = part.clamp(0.0, 1.0) * (ANCHORS.len() - 1) as f64;
    let index = (place as usize).min(ANCHORS.len() - 2);
    let mix = place - index as f64;
    [0, 1, 2].map(|k| to_light(ANCHORS[index][k] * (1.0 - mix) + ANCHORS[index + 1][k] * mix))
}

/// Linear light from a picture's value (approximately the sRGB curve).
pub(crate) fn to_light(shown: f64) -> f64 {
    libm::pow(shown, 2.2)
}

/// A picture's value, 0 to 255, from linear light.
pub(crate) fn to_shown(light: f64) -> u8 {
    (libm::pow(light.clamp(0.0, 1.0), 1.0 / 2.2) * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_is_brighter() {
        let brightness = |part: f64| {
            let [r, g, b] = colour(part);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        for step in 0..20 {
            assert!(brightness((step + 1) as f64 / 20.0) > brightness(step as f64 / 20.0));
        }
        assert_eq!(to_shown(to_light(1.0)), 255);
    }
}
