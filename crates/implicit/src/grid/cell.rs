//! The trilinear value of one cell as a polynomial of the position in it.

use palpate_math::Vector;

/// The polynomial of a cell: positions are in the cell's sizes from its first corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellValue {
    constant: f64,
    linear: Vector,
    /// The coefficients of y z, z x and x y.
    mixed: Vector,
    third: f64,
}

/// The value at a position with its derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub(super) value: f64,
    pub(super) gradient: Vector,
    /// Second derivatives along y and z, z and x, x and y.
    pub(super) mixed: Vector,
}

/// A polynomial of third degree on the interval from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic {
    pub(super) constant: f64,
    pub(super) linear: f64,
    pub(super) square: f64,
    pub(super) cubic: f64,
}

impl CellValue {
    /// Creates the polynomial from the eight samples, x varying fastest.
    pub(super) fn new(s: &[f64; 8]) -> Self {
        let [x, y, z] = [s[1] - s[0], s[2] - s[0], s[4] - s[0]];
        let twist = |a: usize, b: usize, ab: usize| (s[ab] - s[a]) - (s[b] - s[0]);
        let mixed = Vector::new(twist(4, 2, 6), twist(1, 4, 5), twist(2, 1, 3));
        let third = ((s[7] - s[6]) - (s[5] - s[4])) - ((s[3] - s[2]) - (s[1] - s[0]));
        Self { constant: s[0], linear: Vector::new(x, y, z), mixed, third }
    }

    /// Evaluates the polynomial at the corners of a box, x varying fastest.
    pub(super) fn at_corners(&self, low: &Vector, high: &Vector) -> [f64; 8] {
        let rows = [(low.y, low.z), (high.y, low.z), (low.y, high.z), (high.y, high.z)];
        let [[a, b], [c, d], [e, f], [g, h]] = rows.map(|(y, z)| {
            let along_x = self.linear.x + y * self.mixed.z + z * (self.mixed.y + y * self.third);
            let beside = self.constant + y * self.linear.y + z * (self.linear.z + y * self.mixed.x);
            [beside + low.x * along_x, beside + high.x * along_x]
        });
        [a, b, c, d, e, f, g, h]
    }

    /// Evaluates the polynomial and its derivatives.
    pub(super) fn at(&self, p: &Vector) -> Local {
        let yz_zx_xy = Vector::new(p.y * p.z, p.z * p.x, p.x * p.y);
        let mixed = self.mixed + p * self.third;
        let gradient = Vector::new(
            self.linear.x + self.mixed.z * p.y + mixed.y * p.z,
            self.linear.y + self.mixed.x * p.z + mixed.z * p.x,
            self.linear.z + self.mixed.y * p.x + mixed.x * p.y,
        );
        let value =
            self.constant + self.linear.dot(p) + self.mixed.dot(&yz_zx_xy) + self.third * (p.x * yz_zx_xy.x);
        Local { value, gradient, mixed }
    }

    /// Returns the value along the way from a position, given the derivatives there.
    pub(super) fn along(&self, from: &Local, way: &Vector) -> Cubic {
        let products = Vector::new(way.y * way.z, way.z * way.x, way.x * way.y);
        Cubic {
            constant: from.value,
            linear: from.gradient.dot(way),
            square: from.mixed.dot(&products),
            cubic: self.third * (way.x * products.x),
        }
    }
}

impl Cubic {
    pub(super) fn at(&self, s: f64) -> f64 {
        self.constant + s * (self.linear + s * (self.square + s * self.cubic))
    }

    /// Calls `visit` with the places between 0 and 1 where the derivative is zero: by the formula without cancellation.
    pub(super) fn for_each_stationary(&self, mut visit: impl FnMut(f64)) {
        let discriminant = self.square * self.square - 3.0 * self.cubic * self.linear;
        if discriminant >= 0.0 {
            let sum = -(self.square + discriminant.sqrt().copysign(self.square));
            for root in [sum / (3.0 * self.cubic), self.linear / sum] {
                if root > 0.0 && root < 1.0 {
                    visit(root);
                }
            }
        }
    }

    /// Returns a lower bound of the values: a function is at most an eighth of its greatest second derivative below the
    /// lower end.
    pub(super) fn below(&self) -> f64 {
        let bend = 2.0 * self.square.max(self.square + 3.0 * self.cubic);
        self.constant.min(self.at(1.0)) - 0.125 * bend.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: [f64; 8] = [0.5, -1.0, 2.0, 0.25, -0.75, 1.5, 3.0, -2.5];

    /// The corners have their samples, and the value is a mean of these.
    #[test]
    fn the_polynomial_interpolates_the_samples() {
        let cell = CellValue::new(&SAMPLES);
        for (corner, sample) in SAMPLES.iter().enumerate() {
            let at = Vector::from_fn(|axis, _| (corner >> axis & 1) as f64);
            assert!((cell.at(&at).value - sample).abs() < 1e-15 * 16.0);
        }
        let (low, high) = (Vector::new(0.25, -0.5, 0.125), Vector::new(1.25, 0.75, 0.5));
        for (corner, found) in cell.at_corners(&low, &high).into_iter().enumerate() {
            let at = Vector::from_fn(|axis, _| if corner >> axis & 1 == 1 { high[axis] } else { low[axis] });
            assert!((cell.at(&at).value - found).abs() < 1e-15 * 16.0);
        }
        let place = Vector::new(0.25, 0.5, 0.125);
        let weight = |corner: usize| -> f64 {
            (0..3).map(|axis| if corner >> axis & 1 == 1 { place[axis] } else { 1.0 - place[axis] }).product()
        };
        let mean: f64 = (0..8).map(|corner| weight(corner) * SAMPLES[corner]).sum();
        let found = cell.at(&place);
        assert!((found.value - mean).abs() < 1e-15 * 16.0);
        // A trilinear function has no second derivative along an axis: differences are exact.
        for axis in 0..3 {
            let step = Vector::ith(axis, 0.25);
            let (ahead, behind) = (cell.at(&(place + step)), cell.at(&(place - step)));
            assert!(((ahead.value - behind.value) * 2.0 - found.gradient[axis]).abs() < 1e-14);
            let next = (axis + 1) % 3;
            let bend = (ahead.gradient[next] - behind.gradient[next]) * 2.0;
            assert!((bend - found.mixed[(axis + 2) % 3]).abs() < 1e-14);
        }
    }

    #[test]
    fn along_a_line_the_value_is_the_cubic() {
        let cell = CellValue::new(&SAMPLES);
        let (from, way) = (Vector::new(0.1, 0.9, 0.3), Vector::new(0.7, -0.6, 0.5));
        let cubic = cell.along(&cell.at(&from), &way);
        let mut stationary = 0;
        cubic.for_each_stationary(|s| {
            stationary += 1;
            let slope = cell.at(&(from + way * s)).gradient.dot(&way);
            assert!(slope.abs() < 1e-13, "{slope}");
        });
        assert_eq!(stationary, 1);
        for step in 0..=20 {
            let s = f64::from(step) / 20.0;
            let value = cell.at(&(from + way * s)).value;
            assert!((cubic.at(s) - value).abs() < 1e-14 && value >= cubic.below());
        }
    }
}
