//! Part of a segment inside a tetrahedron.
//!
//! Source: M. Cyrus and J. Beck, "Generalized two- and three-dimensional clipping", Computers & Graphics 3 (1978), with
//! exact predicates for the decision whether the result is empty.

use crate::Point;
use crate::intersect::segment_triangle;
use crate::orient::orient3d_error;
use crate::tetrahedron::{face_corners, six_volumes, volume_opposite};

/// Returns the interval of the segment from `p` to `q` inside the closed tetrahedron, as weights of `q`, the smaller
/// first; `None` if they do not intersect.
///
/// *Whether* they intersect is decided exactly: touching a vertex, an edge or a face counts, and gives two equal
/// weights. The ends of the interval are accurate up to rounding error, amplified for thin tetrahedra. The corners may
/// be in either order; a tetrahedron of (exactly) zero volume has no interior and intersects nothing.
pub fn segment_tetrahedron(p: &Point, q: &Point, corners: [&Point; 4]) -> Option<(f64, f64)> {
    let sign = match six_volumes(corners) {
        0.0 => return None,
        volume => volume.signum(),
    };
    // Positive inside the face, for either end.
    let mut p_depths = [0.0; 4];
    let mut q_depths = [0.0; 4];
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for corner in 0..4 {
        let p_depth = sign * volume_opposite(corners, corner, p);
        let q_depth = sign * volume_opposite(corners, corner, q);
        if p_depth < 0.0 && q_depth < 0.0 {
            return None;
        }
        let crossing = p_depth / (p_depth - q_depth);
        // Where a segment in the plane of a face crosses it is rounding error: the other faces bound it.
        let is_clear = || {
            let face = face_corners(corner).map(|k| corners[k]);
            (p_depth - q_depth).abs() > orient3d_error(face, [p, q])
        };
        if p_depth < 0.0 && is_clear() {
            enter = enter.max(crossing);
        } else if q_depth < 0.0 && is_clear() {
            leave = leave.min(crossing);
        }
        (p_depths[corner], q_depths[corner]) = (p_depth, q_depth);
    }
    let inside = |depths: [f64; 4]| depths.iter().all(|&depth| depth >= 0.0);
    if !(inside(p_depths) || inside(q_depths) || meets_a_face(p, q, corners)) {
        return None;
    }
    if enter > leave {
        // They do intersect, within rounding error of a single point.
        let middle = 0.5 * (enter + leave);
        (enter, leave) = (middle, middle);
    }
    Some((enter, leave))
}

fn meets_a_face(p: &Point, q: &Point, corners: [&Point; 4]) -> bool {
    (0..4).any(|corner| {
        let [i, j, k] = face_corners(corner);
        segment_triangle(p, q, corners[i], corners[j], corners[k]).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, scaled};
    use crate::tetrahedron::contains;

    const O: Point = Point::new(0.0, 0.0, 0.0);
    const X: Point = Point::new(4.0, 0.0, 0.0);
    const Y: Point = Point::new(0.0, 4.0, 0.0);
    const Z: Point = Point::new(0.0, 0.0, 4.0);

    fn meet(p: [f64; 3], q: [f64; 3]) -> Option<(f64, f64)> {
        let (p, q) = (Point::from(p), Point::from(q));
        let found = segment_tetrahedron(&p, &q, [&O, &X, &Y, &Z]);
        assert_eq!(
            segment_tetrahedron(&p, &q, [&X, &O, &Y, &Z]),
            found,
            "with the corners the other way around"
        );
        found
    }

    #[test]
    fn through_into_out_of_and_within() {
        assert_eq!(meet([-1.0, 1.0, 1.0], [3.0, 1.0, 1.0]), Some((0.25, 0.75)));
        assert_eq!(meet([-1.0, 1.0, 1.0], [1.0, 1.0, 1.0]), Some((0.5, 1.0)));
        assert_eq!(meet([1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]), Some((0.0, 0.5)));
        assert_eq!(meet([0.5, 0.5, 0.5], [1.0, 1.0, 1.0]), Some((0.0, 1.0)));
        assert_eq!(meet([-2.0, 1.0, 1.0], [-1.0, 1.0, 1.0]), None);
        assert_eq!(meet([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]), Some((0.0, 1.0)));
    }

    #[test]
    fn touching_counts_and_passing_does_not() {
        // A vertex, an edge, the interior of a face from outside, and along an edge.
        assert_eq!(meet([-1.0, 4.0, 0.0], [1.0, 4.0, 0.0]), Some((0.5, 0.5)));
        assert_eq!(meet([-1.0, 1.0, 1.0], [1.0, -1.0, 1.0]), Some((0.5, 0.5)));
        assert_eq!(meet([1.0, 1.0, -1.0], [1.0, 1.0, 0.0]), Some((1.0, 1.0)));
        assert_eq!(meet([-4.0, 0.0, 0.0], [8.0, 0.0, 0.0]), Some((1.0 / 3.0, 2.0 / 3.0)));
        assert_eq!(meet([-1.0, 1.0, 1.0], [1.0, (-1.0_f64).next_down(), 1.0]), None);
        assert_eq!(meet([1.0, 1.0, -1.0], [1.0, 1.0, -f64::MIN_POSITIVE]), None);
    }

    #[test]
    fn a_flat_tetrahedron_is_met_by_nothing() {
        let flat = [&O, &X, &Y, &Point::new(4.0, 4.0, 0.0)];
        assert_eq!(segment_tetrahedron(&Point::new(1.0, 1.0, -1.0), &Point::new(1.0, 1.0, 1.0), flat), None);
    }

    /// In the plane of a face up to rounding: the ends are those of the segment in the triangle.
    #[test]
    fn a_segment_in_a_face_is_bounded_by_its_edges() {
        let mut sample = Sample::new(15);
        let mut meeting = 0;
        for _ in 0..6000 {
            let corners = [sample.point(), sample.point(), sample.point(), sample.point()];
            // Barycentric coordinates of both ends.
            let weights = [(), ()].map(|()| {
                let [u, v] = [(); 2].map(|()| sample.point().x);
                [u, v, 1.0 - u - v]
            });
            let [p, q] = weights.map(|weights| {
                Point::from((0..3).map(|k| corners[k].coords * weights[k]).sum::<crate::Vector>())
            });
            let (mut first, mut last) = (0.0_f64, 1.0_f64);
            for (at_p, at_q) in weights[0].iter().zip(&weights[1]) {
                let t = at_p / (at_p - at_q);
                match (*at_p < 0.0, *at_q < 0.0) {
                    (true, true) => last = -1.0,
                    (true, false) => first = first.max(t),
                    (false, true) => last = last.min(t),
                    (false, false) => {}
                }
            }
            // A thin tetrahedron amplifies the error.
            let volume = six_volumes(corners.each_ref()).abs();
            let size = corners.iter().chain([&p, &q]).map(|point| point.coords.amax()).fold(0.0, f64::max);
            let is_thin = volume < 1e-3 * size.powi(3);
            if let Some((enter, leave)) = segment_tetrahedron(&p, &q, corners.each_ref())
                && first < last
                && !is_thin
            {
                assert!(
                    (enter - first).abs() + (leave - last).abs() < 1e-9,
                    "{enter} {leave} {first} {last}"
                );
                meeting += 1;
            }
        }
        assert!(meeting > 100, "{meeting}");
    }

    /// Compares with closely spaced points of the segment, each tested individually.
    #[test]
    fn sampled_points_agree() {
        let mut sample = Sample::new(14);
        let mut meeting = 0;
        for _ in 0..1500 {
            let corners = [sample.point(), sample.point(), sample.point(), sample.point()];
            let (p, q) = (sample.point(), sample.point());
            let found = segment_tetrahedron(&p, &q, corners.each_ref());
            let inside = (0..=400)
                .map(|step| f64::from(step) / 400.0)
                .filter(|t| contains(corners.each_ref(), &(p + (q - p) * *t)))
                .fold(None, |range: Option<(f64, f64)>, t| Some((range.map_or(t, |(first, _)| first), t)));
            match (found, inside) {
                (Some((enter, leave)), Some((first, last))) => {
                    assert!(enter <= first + 1e-12 && first - enter <= 1.0 / 400.0 + 1e-12);
                    assert!(leave >= last - 1e-12 && leave - last <= 1.0 / 400.0 + 1e-12);
                    meeting += 1;
                }
                (Some((enter, leave)), None) => assert!(leave - enter <= 1.0 / 400.0),
                (None, Some(_)) => {
                    panic!("a point of the segment is inside, and the segment does not intersect")
                }
                (None, None) => {}
            }
            for power in [-30, 30] {
                let [p, q] = [p, q].map(|p| scaled(&p, power));
                let corners = corners.map(|p| scaled(&p, power));
                assert_eq!(segment_tetrahedron(&p, &q, corners.each_ref()), found);
            }
        }
        assert!(meeting > 150, "{meeting} of 1500 meet");
    }
}
