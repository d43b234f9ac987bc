//! Points in the order of a space-filling curve.

use palpate_math::{Aabb, Point};

use crate::morton::{GRID, code_of_cell, sort};

/// The numbers of points in the order of a space-filling curve: points that follow each other are mostly close. Keeps its
/// memory.
#[derive(Clone, Debug, Default)]
pub struct CurveOrder {
    /// The place of each point on the curve above its number.
    codes: Vec<u64>,
    spare: Vec<u64>,
}

impl CurveOrder {
    /// Orders the points in a box; the others are left out. Points of the same cell of the curve ascend.
    ///
    /// # Panics
    /// If there are 2³² points or more.
    pub fn sort(&mut self, points: &[Point], bounds: &Aabb) {
        assert!(u32::try_from(points.len()).is_ok(), "{} points; fewer than 2^32 are ordered", points.len());
        let size = bounds.size().max();
        let per_length = if size > 0.0 { f64::from(GRID) / size } else { 0.0 };
        let cell = |point: &Point, axis: usize| {
            // NaN and negative numbers become zero.
            (((point[axis] - bounds.min[axis]) * per_length) as u32).min(GRID as u32 - 1)
        };
        self.codes.clear();
        let inside = (0_u64..).zip(points).filter(|(_, point)| bounds.contains_point(point));
        self.codes.extend(inside.map(|(number, point)| {
            let code = code_of_cell([cell(point, 0), cell(point, 1), cell(point, 2)]);
            u64::from(code) << 32 | number
        }));
        sort(&mut self.codes, &mut self.spare);
    }

    /// Returns the number of points in order.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether no points are ordered.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Returns the number of the point at a place.
    ///
    /// # Panics
    /// If there are no more points than `place`.
    #[inline]
    pub fn number(&self, place: usize) -> u32 {
        self.codes[place] as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;
    use palpate_math::Vector;

    /// Each point of the box once, and the way along all of them a small part of that in the order of their numbers.
    #[test]
    fn every_point_comes_once_and_the_way_is_short() {
        let mut sample = Sample::new(71);
        let mut order = CurveOrder::default();
        for count in [0, 1, 100, 5_000] {
            let points: Vec<Point> = (0..count).map(|_| sample.point() * 1e3 + Vector::repeat(1e4)).collect();
            let bounds = Aabb::from_points(&points[..count / 2]);
            order.sort(&points, &bounds);
            let mut numbers: Vec<u32> = (0..order.len()).map(|place| order.number(place)).collect();
            let way = |numbers: &[u32]| {
                let step = |pair: &[u32]| (points[pair[0] as usize] - points[pair[1] as usize]).norm();
                numbers.windows(2).map(step).sum::<f64>()
            };
            let along_curve = way(&numbers);
            numbers.sort_unstable();
            let inside: Vec<u32> =
                (0..count as u32).filter(|&number| bounds.contains_point(&points[number as usize])).collect();
            assert_eq!(numbers, inside);
            assert_eq!(order.is_empty(), inside.is_empty());
            assert!(count < 5_000 || 8.0 * along_curve < way(&numbers), "{along_curve}");
        }
    }

    #[test]
    fn points_in_one_place_ascend() {
        let mut order = CurveOrder::default();
        let points = vec![Point::new(1.0, 2.0, 3.0); 300];
        order.sort(&points, &Aabb::from_points(&points));
        assert!((0..300).all(|place| order.number(place) == place as u32));
    }
}
