//! A picture as a PNG file.

use super::layer::{Colour, Layer};
use super::palette::{to_light, to_shown};
use crate::error::CommandError;
use crate::output::Output;
use std::io;
use std::path::Path;

/// Pixels in sRGB: red, green, blue.
pub(crate) struct Image {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Image {
    /// The layer with blocks of `samples` × `samples` pixels averaged, for antialiasing.
    pub(crate) fn of_layer(layer: &Layer, samples: usize) -> Self {
        let (width, height) = (layer.width / samples, layer.height / samples);
        let mut pixels = Vec::with_capacity(width * height);
        for row in 0..height {
            for column in 0..width {
                pixels.push(mean(layer, column * samples, row * samples, samples).map(to_shown));
            }
        }
        Self { width, height, pixels }
    }

    /// Paints a pixel, if it is within the picture.
    pub(crate) fn paint(&mut self, column: usize, row: usize, colour: [u8; 3]) {
        if column < self.width && row < self.height {
            self.pixels[row * self.width + column] = colour;
        }
    }

    /// Mixes a colour into a pixel, if it is within the picture: 0 leaves the pixel, 1 paints it.
    pub(crate) fn blend(&mut self, column: usize, row: usize, colour: [u8; 3], part: f64) {
        if column < self.width && row < self.height {
            let pixel = &mut self.pixels[row * self.width + column];
            for (old, new) in pixel.iter_mut().zip(colour) {
                let [from, to] = [*old, new].map(|value| to_light(f64::from(value) / 255.0));
                *old = to_shown(from + (to - from) * part);
            }
        }
    }

    /// Writes the picture. Errors: a file that cannot be written.
    pub(crate) fn write(&self, path: &Path) -> Result<(), CommandError> {
        let mut output = Output::create(Some(path))?;
        let mut encoder = png::Encoder::new(&mut output, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::Adaptive);
        let failed = |error: png::EncodingError| CommandError::io(path, "writing", io::Error::other(error));
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(failed)?;
        writer.finish().map_err(failed)?;
        output.finish()
    }
}

fn mean(layer: &Layer, column: usize, row: usize, samples: usize) -> Colour {
    let mut sum = [0.0; 3];
    for y in row..row + samples {
        for colour in &layer.colours[y * layer.width + column..][..samples] {
            (0..3).for_each(|k| sum[k] += colour[k].min(1.0));
        }
    }
    sum.map(|sum| sum / (samples * samples) as f64)
}
