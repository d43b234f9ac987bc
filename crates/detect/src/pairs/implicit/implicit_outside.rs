//! How deep a body may be in a solid that does not contain all of it, by how deep the solid's surface is in the body: a path
//! from a point in the solid to one outside crosses the surface.

use crate::pairs::implicit::implicit_contact::OF_ITS_OWN;
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::implicit::internal::BodyPiece;
use palpate_math::Point;

/// A connected piece of a body, of which a point is outside the solid.
pub(crate) struct FromOutside<'a> {
    function: &'a dyn ImplicitFunction,
    place: Point,
    /// The distance of the point from the solid.
    distance: f64,
    /// Minus its depth in the piece.
    value: f64,
    /// More than the error of how deep the surface is.
    error: f64,
}

impl<'a> FromOutside<'a> {
    /// `None` if a point at a distance from the solid does not show that any of the piece is outside, or if the piece may not
    /// be connected.
    pub(crate) fn new(piece: &BodyPiece<'a>, place: Point, distance: f64, size: f64) -> Option<Self> {
        let value = piece.function.sample(&place).value;
        let is_outside = piece.is_connected && distance > 0.0 && value < 0.0;
        is_outside.then_some(Self {
            function: piece.function,
            place,
            distance,
            value,
            error: OF_ITS_OWN * size,
        })
    }

    /// Returns an upper bound of the depth of the piece's points in the solid, if the surface is nowhere deeper than `entered`
    /// in the piece: minus infinity if all of the piece is outside, infinity if nothing is known.
    pub(crate) fn deepest(&self, entered: f64) -> f64 {
        if entered < -self.error {
            return f64::NEG_INFINITY;
        }
        // On the shortest path to the core the piece becomes deeper by the length of the path.
        if self.core_is_outside(entered) {
            return entered;
        }
        // On the straight path to the place a convex function falls at least as fast as linearly.
        if self.function.is_convex() {
            return entered.max(0.0) * (self.farthest() / -self.value);
        }
        f64::INFINITY
    }

    /// Whether the whole [core](ImplicitFunction::rounding) is outside: the surface does not reach it, and a point of it is.
    pub(crate) fn core_is_outside(&self, entered: f64) -> bool {
        let radius = self.function.rounding();
        entered < radius - self.error && self.value + radius + self.error < self.distance
    }

    /// Returns an upper bound of the distance of the piece's points from the place.
    fn farthest(&self) -> f64 {
        match self.function.oriented_bounds() {
            Some(bounds) => (bounds.center - self.place).norm() + bounds.reach(),
            None => {
                let bounds = self.function.sublevel_bounds(0.0);
                (self.place - bounds.min).abs().sup(&(bounds.max - self.place).abs()).norm()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::implicit::internal::{MeshSolid, Search};
    use palpate_geometry::implicit::{Offset, Torus};
    use palpate_geometry::{
        Capsule, Cylinder, Geometry, Needs, OrientedBox, Pose, SurfaceMesh, pose::from_rotation,
        pose::rotation_from_axis,
    };
    use palpate_math::Vector;
    use std::sync::Arc;

    /// A block with a step: one edge is concave.
    fn stair() -> SurfaceMesh {
        let profile = [[-1.0, -1.0], [1.0, -1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [-1.0, 1.0]];
        let corner = |k: usize| {
            let [x, y] = profile[k % 6];
            Point::new(x, y, if k < 6 { -0.8 } else { 0.8 })
        };
        let sides = (0..6_u32).flat_map(|k| {
            let next = (k + 1) % 6;
            [[k, next, next + 6], [k, next + 6, k + 6]]
        });
        let ends = [[0, 1, 3], [1, 2, 3], [0, 3, 5], [3, 4, 5]];
        let ends = ends.into_iter().flat_map(|[a, b, c]| [[c, b, a], [a + 6, b + 6, c + 6]]);
        let mut mesh = SurfaceMesh::new((0..12).map(corner).collect(), sides.chain(ends).collect()).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        mesh
    }

    /// Of the points of a body, none is deeper in the block than the bound by how deep the block's surface is in the body.
    #[test]
    fn no_point_is_deeper_than_the_bound() {
        let mesh = stair();
        let solid = MeshSolid::of_surface(&mesh).unwrap();
        let mut state = 47_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut by_core, mut by_place, mut apart, mut inside) = (0, 0, 0, 0);
        for case in 0..600 {
            let center = Point::new(random(), random(), random()) * 1.6;
            let turned = rotation_from_axis(Vector::new(random(), random(), random())).unwrap();
            let pose: Pose = from_rotation(center, turned).unwrap();
            let half = Vector::new(0.2, 0.5, 0.3);
            let function: Arc<dyn ImplicitFunction> = match case % 5 {
                0 => Arc::new(OrientedBox::new(pose, half).unwrap()),
                1 => Arc::new(Cylinder::new(pose, 0.3, 0.8).unwrap()),
                2 => Arc::new(Torus::new(pose, 0.5, 0.3).unwrap()),
                3 => Arc::new(Capsule::new(pose, 0.3, 0.5).unwrap()),
                _ => Arc::new(Offset::new(Arc::new(OrientedBox::new(pose, half).unwrap()), 0.25).unwrap()),
            };
            // The centre of a ring is in its hole, not in its body.
            let place = if case % 5 == 2 { center + turned * Vector::x() * 0.5 } else { center };
            let piece = BodyPiece { number: 0, function: function.as_ref(), ball: None, is_connected: true };
            let distance = solid.sample(&place).value;
            let Some(outside) = FromOutside::new(&piece, place, distance, 1.0) else { continue };
            let mut search = Search::default();
            let surface = (0..mesh.triangles().len() as u32).map(|triangle| mesh.corners(triangle));
            let values = surface.filter_map(|corners| search.below(function.as_ref(), &corners, 10.0));
            let entered = -values.map(|found| found.lower).fold(f64::INFINITY, f64::min);
            let bound = outside.deepest(entered);
            if entered < 0.0 {
                apart += 1;
            } else if outside.core_is_outside(entered) {
                by_core += 1;
            } else {
                by_place += usize::from(bound.is_finite());
            }
            let bounds = function.sublevel_bounds(0.0);
            for _ in 0..400 {
                let share = Vector::new(random(), random(), random());
                let point = bounds.center() + share.component_mul(&bounds.size()) * 0.5;
                let depth = -solid.sample(&point).value;
                if depth > 0.0 && function.sample(&point).value <= 0.0 {
                    inside += 1;
                    assert!(depth <= bound + 1e-12, "{case}: {depth} {bound} {entered}");
                }
            }
        }
        assert!(by_core > 60 && by_place > 60 && apart > 60, "{by_core} {by_place} {apart}");
        assert!(inside > 2_000, "{inside}");
    }
}
