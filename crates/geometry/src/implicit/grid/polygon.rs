//! Convex polygons in a plane, divided by lines.

use arrayvec::ArrayVec;

/// The most corners of a polygon: a triangle's three, one more for each of the six sides of a box, and some for the lines
/// that divide it further.
pub(super) const MOST_CORNERS: usize = 16;

/// A position in the plane of a polygon.
pub(super) type Place = [f64; 2];

/// Where a polygon is, seen from a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Divided {
    /// All of it is where the height is zero or less.
    Below,
    /// All of it is where the height is zero or more, and not zero everywhere.
    Above,
    /// On both sides.
    Both,
}

/// A convex polygon: its corners in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Polygon {
    pub(super) corners: ArrayVec<Place, MOST_CORNERS>,
}

impl Polygon {
    pub(super) fn triangle(corners: [Place; 3]) -> Self {
        Self { corners: corners.into_iter().collect() }
    }

    /// Returns the mean of the corners.
    pub(super) fn center(&self) -> Place {
        let share = 1.0 / self.corners.len() as f64;
        let sum = self.corners.iter().fold([0.0; 2], |[x, y], corner| [x + corner[0], y + corner[1]]);
        sum.map(|sum| sum * share)
    }

    /// Divides the polygon where a linear function is zero, and writes both parts if there are two. `None` if a part would
    /// have too many corners.
    pub(super) fn divide(
        &self,
        height: impl Fn(&Place) -> f64,
        [below, above]: &mut [Self; 2],
    ) -> Option<Divided> {
        let mut heights = [0.0; MOST_CORNERS];
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (to, corner) in heights.iter_mut().zip(&self.corners) {
            *to = height(corner);
            (low, high) = (low.min(*to), high.max(*to));
        }
        if high <= 0.0 {
            return Some(Divided::Below);
        }
        if low >= 0.0 {
            return Some(Divided::Above);
        }
        below.corners.clear();
        above.corners.clear();
        let count = self.corners.len();
        for (index, (corner, height)) in self.corners.iter().zip(&heights).enumerate() {
            if *height <= 0.0 {
                below.corners.try_push(*corner).ok()?;
            }
            if *height >= 0.0 {
                above.corners.try_push(*corner).ok()?;
            }
            let next = if index + 1 < count { index + 1 } else { 0 };
            if (*height < 0.0 && heights[next] > 0.0) || (*height > 0.0 && heights[next] < 0.0) {
                let t = height / (height - heights[next]);
                let other = &self.corners[next];
                let crossing = [0, 1].map(|axis| corner[axis] + t * (other[axis] - corner[axis]));
                below.corners.try_push(crossing).ok()?;
                above.corners.try_push(crossing).ok()?;
            }
        }
        Some(Divided::Both)
    }

    /// Writes the part of the polygon where a linear function is zero or less, given its values at the corners. `None` if it
    /// would have too many corners.
    pub(super) fn cut(&self, heights: &[f64; MOST_CORNERS], below: &mut Self) -> Option<()> {
        below.corners.clear();
        let count = self.corners.len();
        for (index, corner) in self.corners.iter().enumerate() {
            let next = if index + 1 < count { index + 1 } else { 0 };
            let (height, ahead) = (heights[index], heights[next]);
            if height <= 0.0 {
                below.corners.try_push(*corner).ok()?;
            }
            if (height < 0.0 && ahead > 0.0) || (height > 0.0 && ahead < 0.0) {
                let other = &self.corners[next];
                let t = height / (height - ahead);
                let crossing = [0, 1].map(|axis| corner[axis] + t * (other[axis] - corner[axis]));
                below.corners.try_push(crossing).ok()?;
            }
        }
        Some(())
    }

    /// Divides the polygon through its centre, across its longest extent from there.
    pub(super) fn halve(&self, halves: &mut [Self; 2]) -> Option<Divided> {
        let center = self.center();
        let from_center = |corner: &Place| [corner[0] - center[0], corner[1] - center[1]];
        let ways = self.corners.iter().map(from_center);
        let [x, y] = ways.max_by(|a, b| squared(*a).total_cmp(&squared(*b)))?;
        let height = |corner: &Place| {
            let [along, across] = from_center(corner);
            along * x + across * y
        };
        self.divide(height, halves)
    }
}

fn squared([x, y]: Place) -> f64 {
    x * x + y * y
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(polygon: &Polygon) -> f64 {
        let corners = &polygon.corners;
        let next = |index: usize| corners[(index + 1) % corners.len()];
        let twice = (0..corners.len()).map(|k| corners[k][0] * next(k)[1] - corners[k][1] * next(k)[0]);
        0.5 * twice.sum::<f64>()
    }

    #[test]
    fn the_parts_have_the_area_of_the_whole() {
        let mut parts = vec![Polygon::triangle([[0.0, 0.0], [4.0, 1.0], [1.0, 3.0]])];
        let whole = area(&parts[0]);
        for round in 0..6 {
            let across = f64::from(round) - 2.0;
            let line = |corner: &Place| corner[0] + across * corner[1] - 1.5;
            let mut halves = [Polygon::default(), Polygon::default()];
            let halves = parts.into_iter().flat_map(|part| match part.divide(line, &mut halves).unwrap() {
                Divided::Both => halves.to_vec(),
                _ => vec![part],
            });
            parts = halves.collect();
            let sum: f64 = parts.iter().map(area).sum();
            assert!((sum - whole).abs() < 1e-12 && parts.iter().all(|part| area(part) > 0.0), "{sum}");
        }
        assert!(parts.len() > 5, "{}", parts.len());
        let mut halves = [Polygon::default(), Polygon::default()];
        assert_eq!(parts[0].halve(&mut halves), Some(Divided::Both));
        assert!(halves.iter().all(|half| area(half) > 0.0));
    }

    #[test]
    fn what_only_touches_the_line_is_not_divided() {
        let triangle = Polygon::triangle([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
        for (height, is_below) in [(1.0, false), (-1.0, true), (0.0, true)] {
            let mut parts = [Polygon::default(), Polygon::default()];
            let divided = triangle.divide(|corner| height * corner[1], &mut parts).unwrap();
            assert_eq!(divided, if is_below { Divided::Below } else { Divided::Above });
        }
    }
}
