//! Whether two bodies certainly share a point: by edges that pierce faces, and by points inside both.

use super::solid::{Solid, Triangle};
use palpate_math::{Point, Vector};

/// Steps of the search from one starting point.
const STEPS: usize = 30;

/// Number of starting points of a search.
const STARTS: usize = 2;

/// Whether two solids certainly share a point: an edge passes through a face, its ends off the face's plane by
/// `slack`; a corner of one is inside the other by `slack`; or a search finds a point inside both.
pub(crate) fn surely_overlap(a: &Solid, b: &Solid, slack: f64) -> bool {
    meet_by_elements(a, b, slack) || common_point(a, b, slack).is_some()
}

/// The same without the search, which is slow for many triangles.
pub(crate) fn meet_by_elements(a: &Solid, b: &Solid, slack: f64) -> bool {
    pierces(a, b, slack) || pierces(b, a, slack) || holds_corner(a, b, slack) || holds_corner(b, a, slack)
}

/// Whether a corner of one body is inside the other.
fn holds_corner(corners: &Solid, holder: &Solid, slack: f64) -> bool {
    let bounds = holder.bounds();
    let near = |corner: &Point| is_within(&bounds, std::slice::from_ref(corner));
    corners.edges.iter().any(|[corner, _]| near(corner) && holder.signed(corner) <= -slack)
}

/// Whether points may be inside a box, judged by their common bounds.
fn is_within(bounds: &[Vector; 2], points: &[Point]) -> bool {
    (0..3).all(|axis| {
        points.iter().any(|p| p[axis] >= bounds[0][axis]) && points.iter().any(|p| p[axis] <= bounds[1][axis])
    })
}

/// Whether an edge of one passes through a face of the other.
fn pierces(edges: &Solid, faces: &Solid, slack: f64) -> bool {
    if edges.edges.is_empty() || faces.triangles.is_empty() {
        return false;
    }
    let bounds = [edges.bounds(), faces.bounds()];
    let near: Vec<&Triangle> =
        faces.triangles.iter().filter(|face| is_within(&bounds[0], &face[..])).collect();
    let edges = edges.edges.iter().filter(|edge| is_within(&bounds[1], &edge[..]));
    let pierces = |edge: &[Point; 2]| near.iter().any(|face| goes_through(edge, face, slack));
    edges.into_iter().any(pierces)
}

/// Whether a segment certainly passes through a triangle: its ends off the plane by `slack`, the crossing inside
/// the sides by a millionth.
pub(crate) fn goes_through([start, end]: &[Point; 2], [a, b, c]: &Triangle, slack: f64) -> bool {
    let normal = (b - a).cross(&(c - a));
    let area = normal.norm();
    if area <= slack * slack {
        return false;
    }
    let [low, high] = [start, end].map(|p| (p - a).dot(&normal) / area);
    if low.min(high) > -slack || low.max(high) < slack {
        return false;
    }
    let place = start + (end - start) * (low / (low - high));
    let weight = |p: &Point, q: &Point| (q - p).cross(&(place - p)).dot(&normal) / (area * area);
    weight(a, b) > 1e-6 && weight(b, c) > 1e-6 && weight(c, a) > 1e-6
}

/// A point inside both by `slack`, if a search finds one.
pub(crate) fn common_point(a: &Solid, b: &Solid, slack: f64) -> Option<Point> {
    let value = |p: &Point| a.signed(p).max(b.signed(p));
    let mut starts: Vec<(f64, Point)> =
        a.places().into_iter().chain(b.places()).map(|place| (value(&place), place)).collect();
    starts.sort_by(|x, y| x.0.total_cmp(&y.0));
    let first = starts.first()?;
    if first.0 <= -slack {
        return Some(first.1);
    }
    let mut searched = starts.iter().take(STARTS).map(|start| lowest_near(*start, [a, b], slack));
    searched.find(|place| place.0 <= -slack).map(|place| place.1)
}

/// Descends until the larger of two signed distances is low enough: along fixed directions with adaptive steps, and
/// along the gradients of the two toward points where both are equal.
fn lowest_near(mut place: (f64, Point), solids: [&Solid; 2], slack: f64) -> (f64, Point) {
    let value = |p: Point| (solids[0].signed(&p).max(solids[1].signed(&p)), p);
    let compass = super::directions(14);
    let mut step = place.0.abs().max(slack);
    for _ in 0..STEPS {
        let here = solids.map(|solid| solid.signed(&place.1));
        let slopes = solids.map(|solid| slope(solid, &place.1, 1e-3 * step));
        let level = 0.5 * (here[0] - here[1]);
        let mean = slopes[0] * here[0].max(0.0) + slopes[1] * here[1].max(0.0);
        let guessed = [slopes[0] * -level, slopes[1] * level, mean * -0.5, mean * -1.0];
        let ways = compass.iter().map(|direction| direction * step).chain(guessed);
        let best = ways.map(|way| value(place.1 + way)).reduce(|x, y| if y.0 < x.0 { y } else { x });
        match best {
            Some(best) if best.0 < place.0 => (place, step) = (best, 1.5 * step),
            _ => step *= 0.4,
        }
        if place.0 <= -slack || step < 1e-3 * slack {
            break;
        }
    }
    place
}

/// The gradient of the signed distance, by finite differences.
fn slope(solid: &Solid, place: &Point, step: f64) -> Vector {
    let along = |axis: usize| {
        let way = Vector::ith(axis, step);
        (solid.signed(&(place + way)) - solid.signed(&(place - way))) / (2.0 * step)
    };
    Vector::new(along(0), along(1), along(2))
}
