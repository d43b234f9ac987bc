//! Self-intersection test for two triangles that share an edge or a corner.
//!
//! Adjacent triangles of a surface always touch where they are joined; the surface intersects itself if they do so
//! beyond that.

use crate::Point;
use crate::intersect::segment_triangle;
use crate::orient::{orient2d_along, orient3d, widest_view};

/// Whether the triangles `a b c` and `a b d`, joined at the edge `a b`, intersect beyond it, i.e. are folded onto each
/// other. Decided exactly; never true for a degenerate triangle.
pub fn meet_beyond_edge(a: &Point, b: &Point, c: &Point, d: &Point) -> bool {
    if orient3d(a, b, c, d) != 0.0 {
        return false;
    }
    let Some(axis) = widest_view(a, b, c) else { return false };
    let (c_side, d_side) = (orient2d_along(axis, a, b, c), orient2d_along(axis, a, b, d));
    (c_side > 0.0 && d_side > 0.0) || (c_side < 0.0 && d_side < 0.0)
}

/// Whether the triangles `v a b` and `v c d`, joined at the corner `v`, intersect beyond it. Decided exactly.
///
/// The intersection of two triangles is convex, hence contains a segment from `v` if it is more than `v`; extended
/// outward from `v` that ends at the side opposite `v` of one of them. So testing those two sides suffices. Degenerate
/// triangles, whose opposite side may pass through `v`, may be reported as intersecting there.
pub fn meet_beyond_corner(v: &Point, [a, b]: [&Point; 2], [c, d]: [&Point; 2]) -> bool {
    segment_triangle(a, b, v, c, d).is_some() || segment_triangle(c, d, v, a, b).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intersect::triangle_triangle;
    use crate::sample::Sample;

    const O: Point = Point::new(0.0, 0.0, 0.0);
    const X: Point = Point::new(4.0, 0.0, 0.0);
    const Y: Point = Point::new(0.0, 4.0, 0.0);

    #[test]
    fn only_a_fold_meets_beyond_the_edge() {
        assert!(meet_beyond_edge(&O, &X, &Y, &Point::new(9.0, 1.0, 0.0)));
        assert!(!meet_beyond_edge(&O, &X, &Y, &Point::new(9.0, -1.0, 0.0)));
        assert!(!meet_beyond_edge(&O, &X, &Y, &Point::new(0.0, 4.0, f64::MIN_POSITIVE)));
        assert!(!meet_beyond_edge(&O, &X, &Point::new(7.0, 0.0, 0.0), &Y), "a flat one");
    }

    /// For any winding, order and plane of the triangles.
    #[test]
    fn a_fold_is_seen_however_the_corners_are_named() {
        let turned = |p: &Point| [*p, Point::new(p.y, p.z, p.x), Point::new(p.z, p.x, p.y)];
        let mirrored = |p: &Point| Point::new(p.x, -p.y, p.z);
        let (folded, open) = (Point::new(9.0, 1.0, 0.0), Point::new(9.0, -1.0, 0.0));
        for plane in 0..3 {
            for mirror in [false, true] {
                let at = |p: &Point| turned(&if mirror { mirrored(p) } else { *p })[plane];
                let [a, b, c, folded, open] = [O, X, Y, folded, open].map(|p| at(&p));
                for [a, b] in [[&a, &b], [&b, &a]] {
                    assert!(meet_beyond_edge(a, b, &c, &folded) && meet_beyond_edge(a, b, &folded, &c));
                    assert!(!meet_beyond_edge(a, b, &c, &open) && !meet_beyond_edge(a, b, &open, &c));
                }
            }
        }
    }

    #[test]
    fn beyond_a_corner() {
        let through = [&Point::new(1.0, 1.0, 1.0), &Point::new(1.0, 1.0, -1.0)];
        assert!(meet_beyond_corner(&O, [&X, &Y], through));
        let above = [&Point::new(1.0, 1.0, 1.0), &Point::new(1.0, 2.0, 1.0)];
        assert!(!meet_beyond_corner(&O, [&X, &Y], above));
        let beside = [&Point::new(-1.0, -1.0, 0.0), &Point::new(-1.0, -2.0, 0.0)];
        assert!(!meet_beyond_corner(&O, [&X, &Y], beside));
        let within = [&Point::new(1.0, 2.0, 0.0), &Point::new(2.0, 1.0, 0.0)];
        assert!(meet_beyond_corner(&O, [&X, &Y], within));
        // Along an edge of the other, from the shared corner.
        assert!(meet_beyond_corner(&O, [&X, &Y], [&Point::new(1.0, 0.0, 0.0), &Point::new(1.0, 0.0, 3.0)]));
    }

    /// The full intersection of two triangles joined at a corner is that corner, or extends beyond it.
    #[test]
    fn the_ends_of_the_whole_meeting_agree() {
        let mut sample = Sample::new(31);
        let (mut beyond, mut only_there) = (0, 0);
        for _ in 0..20000 {
            let [v, a, b, c, d] = std::array::from_fn(|_| sample.grid_point(2));
            if widest_view(&v, &a, &b).is_none() || widest_view(&v, &c, &d).is_none() {
                continue;
            }
            let whole = triangle_triangle([&v, &a, &b], [&v, &c, &d]).expect("they share a corner");
            let farthest = whole.ends.iter().map(|end| (end - v).norm()).fold(0.0, f64::max);
            assert_eq!(meet_beyond_corner(&v, [&a, &b], [&c, &d]), farthest > 1e-9, "{v} {a} {b} {c} {d}");
            if farthest > 1e-9 { beyond += 1 } else { only_there += 1 }
        }
        assert!(beyond > 3000 && only_there > 3000, "{beyond} beyond, {only_there} only at the corner");
    }
}
