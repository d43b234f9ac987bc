//! The values of an implicit function at many places.

use arrayvec::ArrayVec;
use palpate_geometry::ImplicitBody;
use palpate_geometry::implicit::ImplicitFunction;
use palpate_math::{Aabb, Point};

/// Places whose values are asked for at once: of a large grid the samples of several are then on their way from memory.
const TOGETHER: usize = 32;

/// Bounds the rounding error of a value, relative to the coordinates.
const ROUNDING: f64 = 1e-9;

/// Calls `visit` with each vertex and place, in order, and a lower bound of the value there: to rounding error the value itself, which
/// takes less time than with its gradient. Minus infinity for a function of the user's, of which both take the same, and without a
/// Lipschitz constant, where a value is no distance. `bounds` is a box around the body.
pub(crate) fn values_at(
    body: &ImplicitBody,
    bounds: &Aabb,
    mut places: impl Iterator<Item = (usize, Point)>,
    mut visit: impl FnMut(usize, Point, f64),
) {
    let is_known = body.lipschitz().is_some() && body.function().describe().is_some();
    let (function, size) = (body.as_function(), bounds.largest_coordinate());
    loop {
        let (vertices, points): (ArrayVec<usize, TOGETHER>, ArrayVec<Point, TOGETHER>) =
            places.by_ref().take(TOGETHER).unzip();
        if vertices.is_empty() {
            return;
        }
        let mut values = [f64::NEG_INFINITY; TOGETHER];
        if is_known {
            function.values(&points, &mut values[..points.len()]);
        }
        for ((vertex, point), value) in vertices.into_iter().zip(points).zip(values) {
            visit(vertex, point, value - ROUNDING * (size + point.coords.amax()));
        }
    }
}
