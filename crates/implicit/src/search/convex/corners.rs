//! Place in a solid as a mixture of a few of its support points.

use palpate_math::{Point, Vector};

/// Up to four support points with positive weights that sum up to one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    points: [Point; 4],
    weights: [f64; 4],
    count: usize,
}

impl Corners {
    /// A single support point.
    pub(super) fn new(point: Point) -> Self {
        Self { points: [point; 4], weights: [1.0, 0.0, 0.0, 0.0], count: 1 }
    }

    pub(super) fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// Returns the mixture.
    pub(super) fn place(&self) -> Point {
        if self.count == 1 {
            return self.points[0];
        }
        // Relative to the first: exact where all are equal.
        let base = self.points[0];
        let offset: Vector = (1..self.count).map(|k| (self.points[k] - base) * self.weights[k]).sum();
        base + offset
    }

    /// Adds a point without any weight; returns false if it is there already or there is no room.
    pub(super) fn add(&mut self, point: Point) -> bool {
        if self.count == 4 || self.points().contains(&point) {
            return false;
        }
        self.points[self.count] = point;
        self.weights[self.count] = 0.0;
        self.count += 1;
        true
    }

    /// Returns the edges from the first point to the others.
    pub(super) fn edges(&self) -> [Vector; 3] {
        std::array::from_fn(|k| {
            if k + 1 < self.count { self.points[k + 1] - self.points[0] } else { Vector::zeros() }
        })
    }

    /// Returns how far a step can go, at most one, until a weight vanishes, and the number of that point. The step is
    /// of the weights of all points but the first.
    pub(super) fn room(&self, step: &[f64; 3]) -> (f64, Option<usize>) {
        let mut room = (1.0, None);
        for k in 0..self.count {
            let change = self.change(step, k);
            if change < 0.0 && self.weights[k] < -change * room.0 {
                room = (self.weights[k] / -change, Some(k));
            }
        }
        room
    }

    /// Returns the step to the last point alone.
    pub(super) fn toward_last(&self) -> [f64; 3] {
        std::array::from_fn(|k| {
            if k + 2 == self.count { 1.0 - self.weights[k + 1] } else { -self.weights[k + 1] }
        })
    }

    fn change(&self, step: &[f64; 3], k: usize) -> f64 {
        if k == 0 { -step[..self.count - 1].iter().sum::<f64>() } else { step[k - 1] }
    }

    /// Returns the mixture after a part of a step.
    pub(super) fn moved(&self, step: &[f64; 3], part: f64) -> Self {
        let mut moved = *self;
        for k in 0..self.count {
            moved.weights[k] = (self.weights[k] + part * self.change(step, k)).max(0.0);
        }
        moved
    }

    /// Drops a point, whose weight has vanished, and evens out the rounding error of the weights.
    pub(super) fn without(&self, dropped: Option<usize>) -> Self {
        let mut rest = *self;
        if let Some(dropped) = dropped.filter(|_| self.count > 1) {
            rest.points.copy_within(dropped + 1.., dropped);
            rest.weights.copy_within(dropped + 1.., dropped);
            rest.count -= 1;
        }
        let sum: f64 = rest.weights[..rest.count].iter().sum();
        for weight in &mut rest.weights[..rest.count] {
            *weight /= sum;
        }
        rest
    }
}
