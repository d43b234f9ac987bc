//! Segments that cross triangles, by exact signs of volumes and brute force.

use palpate_math::Point;
use palpate_tests::oracle::crosses;

/// The segments of a polyline that cross triangles, with the triangles.
pub(crate) fn crossings(
    thread: &[Point],
    vertices: &[Point],
    triangles: &[[u32; 3]],
) -> Vec<(usize, [u32; 3])> {
    let mut found = Vec::new();
    for &triangle in triangles {
        let corners = triangle.map(|id| &vertices[id as usize]);
        let low = corners[0].inf(corners[1]).inf(corners[2]);
        let high = corners[0].sup(corners[1]).sup(corners[2]);
        for (number, ends) in thread.windows(2).enumerate() {
            let apart =
                (0..3).any(|k| ends[0][k].max(ends[1][k]) < low[k] || ends[0][k].min(ends[1][k]) > high[k]);
            if !apart && crosses([&ends[0], &ends[1]], corners) {
                found.push((number, triangle));
            }
        }
    }
    found
}

#[test]
fn crossings_are_counted() {
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
    let line = |x: f64, z: f64| [Point::new(x, 0.25, z), Point::new(x, 0.25, z - 1.0)];
    assert_eq!(crossings(&line(0.25, 0.5), &triangle, &[[0, 1, 2]]), [(0, [0, 1, 2])]);
    assert_eq!(crossings(&line(0.25, 0.5), &triangle, &[[0, 2, 1]]).len(), 1);
    assert!(crossings(&line(0.25, 1.5), &triangle, &[[0, 1, 2]]).is_empty());
    assert!(crossings(&line(0.8, 0.5), &triangle, &[[0, 1, 2]]).is_empty());
}
