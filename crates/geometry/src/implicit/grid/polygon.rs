//! Convex polygons in a plane, divided by lines.

use arrayvec::ArrayVec;

/// The most corners of a polygon: a triangle's three, one more for each of the six sides of a box, and some for the lines
/// that divide it further.
const MOST_CORNERS: usize = 16;

/// A position in the plane of a polygon.
pub(super) type Place = [f64; 2];

/// The parts of a polygon on both sides of a line.
#[expect(clippy::large_enum_variant, reason = "it is matched at once, and must not touch the heap")]
pub(super) enum Divided {
    /// All of it is where the height is zero or less.
    Below,
    /// All of it is where the height is zero or more, and not zero everywhere.
    Above,
    /// The part below and the part above.
    Both([Polygon; 2]),
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

    /// Creates a rectangle about the origin from half its sides.
    pub(super) fn rectangle([x, y]: Place) -> Self {
        Self { corners: [[-x, -y], [x, -y], [x, y], [-x, y]].into_iter().collect() }
    }

    /// Returns the mean of the corners.
    pub(super) fn center(&self) -> Place {
        let share = 1.0 / self.corners.len() as f64;
        let sum = self.corners.iter().fold([0.0; 2], |[x, y], corner| [x + corner[0], y + corner[1]]);
        sum.map(|sum| sum * share)
    }

    /// Divides the polygon where a linear function is zero. `None` if a part would have too many corners.
    pub(super) fn divided(&self, height: impl Fn(&Place) -> f64) -> Option<Divided> {
        let heights: ArrayVec<f64, MOST_CORNERS> = self.corners.iter().map(height).collect();
        if heights.iter().all(|height| *height <= 0.0) {
            return Some(Divided::Below);
        }
        if heights.iter().all(|height| *height >= 0.0) {
            return Some(Divided::Above);
        }
        let (mut below, mut above) = (Self::default(), Self::default());
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
        Some(Divided::Both([below, above]))
    }

    /// Divides the polygon through its centre, across its longest extent from there.
    pub(super) fn halved(&self) -> Option<Divided> {
        let center = self.center();
        let from_center = |corner: &Place| [corner[0] - center[0], corner[1] - center[1]];
        let ways = self.corners.iter().map(from_center);
        let [x, y] = ways.max_by(|a, b| squared(*a).total_cmp(&squared(*b)))?;
        self.divided(|corner| {
            let [along, across] = from_center(corner);
            along * x + across * y
        })
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
            let halves = parts.into_iter().flat_map(|part| match part.divided(line).unwrap() {
                Divided::Both(halves) => halves.to_vec(),
                _ => vec![part],
            });
            parts = halves.collect();
            let sum: f64 = parts.iter().map(area).sum();
            assert!((sum - whole).abs() < 1e-12 && parts.iter().all(|part| area(part) > 0.0), "{sum}");
        }
        assert!(parts.len() > 5, "{}", parts.len());
        let Some(Divided::Both(halves)) = parts[0].halved() else { panic!("not halved") };
        assert!(halves.iter().all(|half| area(half) > 0.0));
    }

    #[test]
    fn what_only_touches_the_line_is_not_divided() {
        let triangle = Polygon::triangle([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
        for (height, is_below) in [(1.0, false), (-1.0, true), (0.0, true)] {
            let divided = triangle.divided(|corner| height * corner[1]).unwrap();
            assert_eq!(matches!(divided, Divided::Below), is_below);
            assert_eq!(matches!(divided, Divided::Above), !is_below);
        }
    }
}
