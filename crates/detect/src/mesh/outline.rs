//! Manifold reduction: selects at most four points of a manifold.

use crate::mesh::patch_view::cross;
use crate::room;
use palpate_convex::reduce_to_four;

/// The maximum number of points of a manifold.
pub(crate) const MOST_POINTS: usize = 4;

/// How far a point must project from the line of its neighbours to be a corner of an outline, relative to the largest
/// area.
const STRAIGHT: f64 = 1e-9;

/// The outline of a manifold's points, in the order of a convex polygon.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    places: Vec<[f64; 2]>,
    /// Indices of the points.
    order: Vec<usize>,
    sorted: Vec<usize>,
    kept: Vec<[f64; 2]>,
}

impl Outline {
    /// Gives the lists their first room.
    pub(crate) fn open(&mut self) {
        room::open(&mut self.places);
        room::open(&mut self.order);
        room::open(&mut self.sorted);
        room::open(&mut self.kept);
    }

    /// Sets the projected points; `is_polygon` states that they are the corners of a convex polygon, in order.
    pub(crate) fn reduce(&mut self, is_polygon: bool, places: impl Iterator<Item = [f64; 2]>) {
        self.places.clear();
        room::extend(&mut self.places, places);
        let count = self.places.len();
        self.order.clear();
        // A point may be on both chains of the hull for a while.
        room::make_room(&mut self.order, 2 * count);
        self.order.extend(0..count);
        if !is_polygon && self.places.len() > MOST_POINTS {
            self.find_hull(STRAIGHT);
        }
    }

    /// Returns the corners of the convex hull of projected points, counter-clockwise, as indices.
    pub(crate) fn hull(&mut self, places: impl Iterator<Item = [f64; 2]>) -> &[usize] {
        self.reduce(true, places);
        if self.places.len() > 1 {
            self.find_hull(0.0);
        }
        &self.order
    }

    /// Whether a point is a corner of the outline.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.order.contains(&index)
    }

    /// Returns the selected points, `first` at the front, and their number.
    pub(crate) fn keep_with(&mut self, first: usize) -> ([usize; MOST_POINTS], usize) {
        // The first point is deepest up to rounding error, and may lie on a straight part of the outline.
        let place = self.order.iter().position(|&index| index == first);
        let place = place.unwrap_or_else(|| {
            let aside = |k: &usize| {
                let [x, y] = [0, 1].map(|axis| self.places[self.order[*k]][axis] - self.places[first][axis]);
                x * x + y * y
            };
            let all = 0..self.order.len();
            let nearest = all.min_by(|p, q| aside(p).total_cmp(&aside(q))).unwrap_or(0);
            self.order[nearest] = first;
            nearest
        });
        self.kept.clear();
        room::extend(&mut self.kept, self.order.iter().map(|&index| self.places[index]));
        let (kept, count) = reduce_to_four(&self.kept, place);
        (kept.map(|k| self.order[k]), count)
    }

    /// Computes the convex hull of the points, counter-clockwise, without collinear points (Andrew 1979, Another
    /// efficient algorithm for convex hulls in two dimensions). A point is collinear that projects by less than `straight`, relative
    /// to the largest area.
    fn find_hull(&mut self, straight: f64) {
        let (places, chain) = (&self.places, &mut self.order);
        self.sorted.clear();
        room::make_room(&mut self.sorted, chain.len());
        self.sorted.append(chain);
        let sorted = &mut self.sorted;
        sorted.sort_unstable_by(|&p, &q| {
            let by = |axis: usize| places[p][axis].total_cmp(&places[q][axis]);
            by(0).then(by(1)).then(p.cmp(&q))
        });
        let (first, last) = (places[sorted[0]], places[sorted[sorted.len() - 1]]);
        let area = sorted.iter().map(|&k| cross(first, last, places[k]).abs()).fold(0.0, f64::max);
        let mut start = 0;
        for half in 0..2 {
            for step in 0..sorted.len() {
                let index = if half == 0 { sorted[step] } else { sorted[sorted.len() - 1 - step] };
                while chain.len() >= start + 2 {
                    let [p, q] = [2, 1].map(|back| places[chain[chain.len() - back]]);
                    if cross(p, q, places[index]) > straight * area {
                        break;
                    }
                    chain.pop();
                }
                chain.push(index);
            }
            chain.pop();
            start = chain.len();
        }
        if chain.is_empty() {
            chain.push(sorted[0]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square with points on its sides and inside, unordered.
    #[test]
    fn the_corners_of_the_hull_are_kept_and_points_on_its_sides_are_not() {
        let places =
            [[0.5, 0.0], [1.0, 1.0], [0.5, 0.5], [0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.5], [0.2, 0.7]];
        let mut outline = Outline::default();
        outline.reduce(false, places.into_iter());
        let (mut kept, count) = outline.keep_with(4);
        assert_eq!((kept[0], count), (4, 4));
        kept.sort_unstable();
        assert_eq!(kept, [1, 3, 4, 5]);
        outline.reduce(false, places.into_iter());
        let (kept, _) = outline.keep_with(6);
        assert_eq!(kept[0], 6, "the deepest is kept even on a side");
        assert!(kept.contains(&3) && kept.contains(&4), "it replaces a corner of its side: {kept:?}");
    }

    #[test]
    fn points_on_one_line_leave_its_ends() {
        let mut outline = Outline::default();
        outline.reduce(false, (0..6).map(|k| [f64::from(k), 2.0 * f64::from(k)]));
        let (kept, count) = outline.keep_with(5);
        assert_eq!((&kept[..count], count), (&[5, 0][..], 2));
    }
}
