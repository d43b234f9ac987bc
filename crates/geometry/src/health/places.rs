//! Coincident vertices.

use palpate_math::Point;

/// Returns for each vertex the lowest vertex with the same three coordinates: itself, if it is unique.
pub(crate) fn lowest_in_place(positions: &[Point]) -> Vec<u32> {
    let key = |vertex: u32| {
        let p = positions[vertex as usize];
        [p.x, p.y, p.z]
    };
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    // Coordinates are finite; zeros of either sign are equal.
    let compare =
        |a: &u32, b: &u32| key(*a).partial_cmp(&key(*b)).unwrap_or(std::cmp::Ordering::Equal).then(a.cmp(b));
    order.sort_unstable_by(compare);
    let mut lowest: Vec<u32> = (0..positions.len() as u32).collect();
    for group in order.chunk_by(|&a, &b| key(a) == key(b)) {
        for &vertex in group {
            lowest[vertex as usize] = group[0];
        }
    }
    lowest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_coordinates_are_one_place() {
        let points =
            [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, -0.0, 0.0], [1.0, 1e-300, 0.0], [-0.0, 0.0, 0.0]];
        assert_eq!(lowest_in_place(&points.map(Point::from)), [0, 1, 0, 3, 1]);
    }
}
