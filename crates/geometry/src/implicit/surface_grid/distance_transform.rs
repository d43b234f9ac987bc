//! Distance transform along one line: extends squared distances by one dimension.
//!
//! Felzenszwalb and Huttenlocher 2012, "Distance Transforms of Sampled Functions", Theory of Computing 8, section 2:
//! the lower envelope of parabolas.

/// The buffers of a line's transform, reused from line to line.
#[derive(Default)]
pub(super) struct Envelope {
    line: Vec<f64>,
    parabolas: Vec<Parabola>,
    lowest: Vec<f64>,
}

/// A parabola of the envelope: the index of its point, and the start of the interval in which it is the lowest.
struct Parabola {
    place: usize,
    from: f64,
}

impl Envelope {
    /// Computes for every point of a line, `spacing` apart, the minimum of `square + (distance along the line)²` over
    /// the squares of all points; infinite squares are skipped. Where two parabolas are equal up to rounding either may
    /// be used: the result is too large by at most some units in the last place of the square of the line's length and
    /// of the squares. Cost: linear.
    pub(super) fn transform(&mut self, squares: impl Iterator<Item = f64>, spacing: f64) -> &[f64] {
        self.line.clear();
        self.line.extend(squares);
        self.parabolas.clear();
        for (place, &square) in self.line.iter().enumerate() {
            if square == f64::INFINITY {
                continue;
            }
            let mut from = f64::NEG_INFINITY;
            while let Some(last) = self.parabolas.last() {
                let steps = (place - last.place) as f64 * spacing;
                let middle = 0.5 * spacing * (place + last.place) as f64;
                from = middle + (square - self.line[last.place]) / (2.0 * steps);
                if from > last.from {
                    break;
                }
                self.parabolas.pop();
                from = f64::NEG_INFINITY;
            }
            self.parabolas.push(Parabola { place, from });
        }
        let mut lowest = 0;
        self.lowest.clear();
        for place in 0..self.line.len() {
            let at = place as f64 * spacing;
            while self.parabolas.get(lowest + 1).is_some_and(|next| next.from <= at) {
                lowest += 1;
            }
            self.lowest.push(self.parabolas.get(lowest).map_or(f64::INFINITY, |parabola| {
                let way = at - parabola.place as f64 * spacing;
                self.line[parabola.place] + way * way
            }));
        }
        &self.lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_is_that_of_all_parabolas() {
        let mut state = 3_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut envelope = Envelope::default();
        let (mut passed_over, mut not_ones_own) = (0, 0);
        for round in 0..300 {
            let count = 1 + round % 40;
            let spacing = 0.5 + number();
            let scale = if round % 3 == 0 { 100.0 } else { 4.0 };
            let squares: Vec<f64> =
                (0..count).map(|_| if number() < 0.3 { f64::INFINITY } else { scale * number() }).collect();
            let found = envelope.transform(squares.iter().copied(), spacing);
            assert_eq!(found.len(), count);
            for (place, &value) in found.iter().enumerate() {
                let wanted = squares.iter().enumerate().map(|(other, square)| {
                    let way = (place as f64 - other as f64) * spacing;
                    square + way * way
                });
                let wanted = wanted.fold(f64::INFINITY, f64::min);
                assert!(value == wanted || (value - wanted).abs() <= 1e-12 * (40.0 + scale), "{round}");
                not_ones_own += usize::from(wanted < squares[place]);
                passed_over += usize::from(squares[place] == f64::INFINITY);
            }
        }
        assert!(passed_over > 1000 && not_ones_own > 2000, "{passed_over} {not_ones_own}");
    }

    #[test]
    fn a_line_without_a_finite_square_stays_infinite() {
        let squares = std::iter::repeat_n(f64::INFINITY, 3);
        assert_eq!(Envelope::default().transform(squares, 1.0), [f64::INFINITY; 3]);
    }
}
