//! The neighbours of a corner at which many triangles meet, by the half-space they lie in.
//!
//! A pole of a finely divided cone, or an end of a space curve, is a corner of most triangles of its hull. What looks at
//! all of them for every facet there takes a number of steps that grows with the square of the hull's size.

use nalgebra::Vector3;
use palpate_math::{Aabb, Point};

type Vector = Vector3<f64>;

/// The greatest number of entries that are searched linearly.
const FEW: usize = 16;

/// The neighbours of one corner, in a tree of boxes.
#[derive(Clone, Debug)]
pub(super) struct Star {
    /// What the caller calls the entries, and where they are; each node of the tree has a range of them.
    entries: Vec<(u32, Point)>,
    /// The box of every node in the order of a walk through the tree, and the index of the node after its descendants.
    nodes: Vec<(Aabb, usize)>,
}

impl Star {
    /// Cost: `n (log n)^2`.
    pub(super) fn new(entries: Vec<(u32, Point)>) -> Self {
        let mut star = Self { entries, nodes: Vec::new() };
        star.build(0, star.entries.len());
        star
    }

    fn build(&mut self, start: usize, end: usize) {
        let entries = &mut self.entries[start..end];
        let bounds = Aabb::from_points(entries.iter().map(|entry| entry.1));
        let node = self.nodes.len();
        self.nodes.push((bounds, 0));
        if entries.len() > FEW {
            let axis = bounds.longest_axis();
            entries.sort_unstable_by(|x, y| x.1[axis].total_cmp(&y.1[axis]).then(x.0.cmp(&y.0)));
            let middle = (start + end) / 2;
            self.build(start, middle);
            self.build(middle, end);
        }
        self.nodes[node].1 = self.nodes.len();
    }

    /// Appends the entries whose computed height along a unit normal from `place` is at least `lowest`, in ascending order.
    pub(super) fn not_below(&self, normal: &Vector, place: &Vector, lowest: f64, out: &mut Vec<u32>) {
        let first = out.len();
        self.walk(normal, place, lowest, out);
        out[first..].sort_unstable();
    }

    fn walk(&self, normal: &Vector, place: &Vector, lowest: f64, out: &mut Vec<u32>) {
        // Every node halves the entries of its parent: a stack of ranges says which are the node's.
        let mut ranges = vec![(0, self.entries.len())];
        let mut node = 0;
        while let Some((start, end)) = ranges.pop() {
            let (bounds, after) = &self.nodes[node];
            if highest(bounds, normal, place) < lowest {
                node = *after;
            } else if end - start > FEW {
                let middle = (start + end) / 2;
                ranges.extend([(middle, end), (start, middle)]);
                node += 1;
            } else {
                let is_kept = |entry: &&(u32, Point)| (entry.1.coords - place).dot(normal) >= lowest;
                out.extend(self.entries[start..end].iter().filter(is_kept).map(|entry| entry.0));
                node += 1;
            }
        }
    }
}

/// An upper bound of the heights of the points of a box along a normal from `place`, rounding error included.
fn highest(bounds: &Aabb, normal: &Vector, place: &Vector) -> f64 {
    let (mut sum, mut size) = (0.0, 0.0);
    for axis in 0..3 {
        let corner = if normal[axis] > 0.0 { bounds.max[axis] } else { bounds.min[axis] };
        sum += (corner - place[axis]) * normal[axis];
        size += (corner.abs() + place[axis].abs()) * normal[axis].abs();
    }
    sum + 16.0 * f64::EPSILON * size
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_slow_way_agrees() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut number = move || rng.random_range(-1.0..1.0);
        let mut some = 0;
        for count in [1, 16, 17, 40, 3000] {
            let points: Vec<Point> = (0..count).map(|_| Point::new(number(), number(), number())).collect();
            let star = Star::new((0..).zip(points.iter().copied()).collect());
            for _ in 0..50 {
                let normal = Vector::new(number(), number(), number()).normalize();
                let (place, lowest) = (Vector::new(number(), number(), number()), 0.7 * number() + 0.7);
                let is_wanted = |id: &u32| (points[*id as usize].coords - place).dot(&normal) >= lowest;
                let wanted: Vec<u32> = (0..count).filter(is_wanted).collect();
                let mut found = vec![7];
                star.not_below(&normal, &place, lowest, &mut found);
                assert_eq!(found[1..], wanted, "{count}");
                some += usize::from(!wanted.is_empty() && wanted.len() < points.len());
            }
        }
        assert!(some > 80, "{some}");
    }
}
