//! Positions as 16-bit numbers: steps of the box of all positions, as differences from frame to frame.

use palpate::math::Point;

/// The positions of some points in some frames.
pub(super) struct Quantised {
    pub(super) low: [f64; 3],
    /// Metres per step, by axis.
    pub(super) step: [f64; 3],
    /// Of the first frame the steps, of each other the difference from the frame before, both modulo 2¹⁶.
    pub(super) values: Vec<i16>,
}

impl Quantised {
    /// Quantises frames of as many points each.
    pub(super) fn new(frames: &[Vec<Point>]) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for point in frames.iter().flatten() {
            for axis in 0..3 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        let step = [0, 1, 2].map(|axis| (high[axis] - low[axis]).max(0.0) / f64::from(u16::MAX));
        let mut before = vec![0_i16; 3 * frames.first().map_or(0, Vec::len)];
        let mut values = Vec::with_capacity(before.len() * frames.len());
        for points in frames {
            let coordinates = points.iter().flat_map(|point| [0, 1, 2].map(|axis| (axis, point[axis])));
            for ((axis, x), before) in coordinates.zip(&mut before) {
                let steps = if step[axis] > 0.0 { libm::round((x - low[axis]) / step[axis]) } else { 0.0 };
                let stored = (steps as i32 - 32768) as i16;
                values.push(stored.wrapping_sub(*before));
                *before = stored;
            }
        }
        Self { low, step, values }
    }

    /// Metres: the largest distance between a point and what is read.
    pub(super) fn error(&self) -> f64 {
        self.step.iter().map(|step| step * step / 4.0).sum::<f64>().sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_back_within_the_stated_error() {
        let frame = |shift: f64| -> Vec<Point> {
            (0..50).map(|i| Point::new(0.013 * f64::from(i) + shift, libm::sin(f64::from(i)), 2.0)).collect()
        };
        let frames = [frame(0.0), frame(0.3), frame(-0.7)];
        let quantised = Quantised::new(&frames);
        let mut stored = vec![0_i16; 150];
        let mut largest: f64 = 0.0;
        for (frame, differences) in frames.iter().zip(quantised.values.chunks(150)) {
            stored
                .iter_mut()
                .zip(differences)
                .for_each(|(stored, more)| *stored = stored.wrapping_add(*more));
            for (point, stored) in frame.iter().zip(stored.chunks(3)) {
                let read = |axis: usize| {
                    quantised.low[axis] + (f64::from(stored[axis]) + 32768.0) * quantised.step[axis]
                };
                largest = largest.max((Point::new(read(0), read(1), read(2)) - point).norm());
            }
        }
        assert!(largest <= quantised.error() * 1.000001 && largest > 0.3 * quantised.error(), "{largest}");
        assert!(quantised.error() < 2.5e-5);
        assert_eq!(Quantised::new(&[vec![Point::origin()]]).error(), 0.0);
    }
}
