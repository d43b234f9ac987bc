//! Geometry of kind `implicit`: a function with a pose and a scale.

use super::{Cell, CellValues, Description, Exactness, ImplicitFunction, Sample};
use crate::shape::{Placed, posed, posed_geometry};
use crate::validate::{extent, positive, rigid};
use crate::{Geometry, GeometryError, GeometryKind, Pose, Version};
use palpate_implicit::internal::{Piece, Posed, Search, is_bounded, pieces};
use palpate_math::{Aabb, Point};
use std::sync::Arc;

/// A body given by an implicit function, scaled, then posed. As an [`ImplicitFunction`] it works in the world frame.
#[derive(Clone)]
pub struct ImplicitBody {
    placed: Placed,
    scale: f64,
    function: Arc<dyn ImplicitFunction>,
    /// The function's box, in its own frame.
    bounds: Aabb,
    inner: Option<Point>,
    pieces: Arc<[Piece]>,
}

/// A piece of a body, world frame: [`ImplicitBody::over_pieces`].
#[derive(Clone, Copy)]
pub struct BodyPiece<'a> {
    /// Its number, independent of the pose.
    pub number: u32,
    /// The body's function restricted to the piece and its surroundings.
    pub function: &'a dyn ImplicitFunction,
    /// The centre and radius of a ball inside it, if an interior point was found.
    pub ball: Option<(Point, f64)>,
    /// Whether it is known to be connected.
    pub is_connected: bool,
}

posed!(ImplicitBody);

impl ImplicitBody {
    /// Creates the body of a function at `pose`. Errors: a non-finite pose, a function out of [range](crate::LARGEST). Cost: a search for an interior point,
    /// at most some thousand evaluations of the function.
    pub fn new(pose: Pose, function: Arc<dyn ImplicitFunction>) -> Result<Self, GeometryError> {
        rigid("the position", &pose)?;
        let bounds = function.sublevel_bounds(0.0);
        extent("the extent of the function", &bounds)?;
        let inner = place_inside(function.as_ref());
        let pieces = pieces(function.as_ref()).into();
        Ok(Self { placed: Placed::new(pose), scale: 1.0, function, bounds, inner, pieces })
    }

    /// Returns the body with all lengths of the function multiplied by `scale`. Errors: a number that is not finite and
    /// greater than 0, a scaled function out of [range](crate::LARGEST).
    pub fn with_scale(self, scale: f64) -> Result<Self, GeometryError> {
        let scale = positive("the scale", scale)?;
        extent("the extent of the scaled function", &scaled(&self.bounds, scale))?;
        Ok(Self { scale, placed: self.placed.changed(), ..self })
    }

    /// Returns the scale factor of all lengths of the function.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns the body as a function, world frame.
    pub fn as_function(&self) -> &dyn ImplicitFunction {
        self
    }

    /// Returns the function, in its local frame.
    pub fn function(&self) -> &Arc<dyn ImplicitFunction> {
        &self.function
    }

    /// Returns an interior point, world frame: the centre of the function's box if it is inside, else approximately the
    /// deepest point of the function. `None` for an unbounded body, or if no such point was found.
    pub fn inner_point(&self) -> Option<Point> {
        self.inner.map(|point| self.posed().to_world(&point))
    }

    /// Calls `visit` with every piece of the body: the parts of a union, and for parts not known to be connected all
    /// components separated by more than about a twentieth of the box.
    pub fn over_pieces(&self, visit: &mut dyn FnMut(&BodyPiece<'_>)) {
        let mut part = 0;
        let mut of_part = |function: &dyn ImplicitFunction| {
            for (number, piece) in (0..).zip(self.pieces.iter()).filter(|(_, piece)| piece.part == part) {
                self.with_piece(function, number, piece, visit);
            }
            part += 1;
        };
        if !self.function.over_parts(&mut of_part) {
            of_part(self.function.as_ref());
        }
    }

    fn with_piece(
        &self,
        function: &dyn ImplicitFunction,
        number: u32,
        piece: &Piece,
        visit: &mut dyn FnMut(&BodyPiece<'_>),
    ) {
        let posed = self.posed();
        let ball = piece.ball.map(|(center, radius)| (posed.to_world(&center), radius * self.scale));
        piece.with_function(function, &mut |function| {
            let function = &Posed { function, ..posed };
            visit(&BodyPiece { number, function, ball, is_connected: piece.connected });
        });
    }

    /// Returns the number of [pieces](Self::over_pieces).
    pub fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// Returns half the diagonal of the body's box in its own frame, in metres; infinite for an unbounded body.
    pub fn radius(&self) -> f64 {
        0.5 * self.bounds.diagonal_length() * self.scale
    }

    /// Whether the body is bounded.
    pub fn is_bounded(&self) -> bool {
        is_bounded(&self.bounds)
    }

    fn at<'a>(&'a self, pose: &'a Pose) -> Posed<'a> {
        Posed { pose, scale: self.scale, function: self.function.as_ref() }
    }

    fn posed(&self) -> Posed<'_> {
        self.at(&self.placed.pose)
    }
}

/// Returns a box with all coordinates multiplied; an empty one is empty.
fn scaled(bounds: &Aabb, scale: f64) -> Aabb {
    if bounds.is_empty() { *bounds } else { Aabb { min: bounds.min * scale, max: bounds.max * scale } }
}

/// Returns an interior point of a bounded function.
fn place_inside(function: &dyn ImplicitFunction) -> Option<Point> {
    let bounds = function.sublevel_bounds(0.0);
    if bounds.is_empty() || !is_bounded(&bounds) {
        return None;
    }
    let middle = bounds.center();
    if function.sample(&middle).value < 0.0 {
        return Some(middle);
    }
    if function.lipschitz().is_none() && !function.is_convex() {
        return None;
    }
    Search::default().deepest_in(function, &bounds.into())
}

impl ImplicitFunction for ImplicitBody {
    fn sample(&self, point: &Point) -> Sample {
        self.posed().sample(point)
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        let posed = self.posed();
        if level == 0.0 { posed.box_to_world(&self.bounds) } else { posed.sublevel_bounds(level) }
    }

    fn lipschitz(&self) -> Option<f64> {
        self.function.lipschitz()
    }

    fn resolution(&self) -> f64 {
        self.function.resolution() * self.scale
    }

    fn exactness(&self) -> Exactness {
        self.function.exactness()
    }

    fn is_convex(&self) -> bool {
        self.function.is_convex()
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        self.posed().bound_below(cell)
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Posed { of: self.function.as_ref(), pose: &self.placed.pose, scale: self.scale })
    }

    fn content(&self) -> Vec<f64> {
        Geometry::content(self)
    }
}

impl ImplicitBody {
    /// Returns the box at a pose.
    fn bounds_at(&self, pose: &Pose) -> Aabb {
        self.at(pose).box_to_world(&self.bounds)
    }
}

impl Geometry for ImplicitBody {
    fn kind(&self) -> GeometryKind {
        GeometryKind::IMPLICIT
    }

    fn version(&self) -> Version {
        self.placed.version
    }

    fn advance(&mut self) {
        self.placed.advance();
    }

    fn content(&self) -> Vec<f64> {
        let mut content = self.function.content();
        content.push(self.scale);
        self.placed.content(&content)
    }

    fn as_implicit(&self) -> Option<&dyn ImplicitFunction> {
        Some(self)
    }

    posed_geometry!(|own, other| own.scale == other.scale && Arc::ptr_eq(&own.function, &other.function));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Intersection, Torus};
    use crate::{OrientedBox, Plane, Sphere, pose};
    use palpate_math::Vector;

    fn block() -> Arc<dyn ImplicitFunction> {
        Arc::new(OrientedBox::new(Pose::identity(), Vector::new(1.0, 2.0, 3.0)).unwrap())
    }

    #[test]
    fn pose_and_scale_move_the_body() {
        let turned = pose::rotation_from_axis(Vector::x()).unwrap();
        let at = pose::from_rotation(Point::new(10.0, 0.0, 0.0), turned).unwrap();
        let body = ImplicitBody::new(at, block()).unwrap().with_scale(2.0).unwrap();
        // Local +y, four long, lies along world x.
        let above = body.signed_distance(&Point::new(15.0, 0.0, 0.0));
        assert!((above.distance - 1.0).abs() < 1e-14 && (above.gradient - Vector::x()).norm() < 1e-14);
        assert!((above.nearest - Point::new(14.0, 0.0, 0.0)).norm() < 1e-14);
        let bounds = Geometry::bounds(&body);
        assert!(bounds.contains_point(&Point::new(14.0, 2.0, 6.0)) && bounds.max.x < 14.001);
        assert_eq!(body.inner_point(), Some(Point::new(10.0, 0.0, 0.0)));
        assert!(body.clone().with_scale(0.0).is_err());
    }

    #[test]
    fn bounds_cover_both_frames() {
        let mut body = ImplicitBody::new(Pose::identity(), block()).unwrap();
        body.advance();
        body.set_pose(Pose::translation(5.0, 0.0, 0.0)).unwrap();
        let bounds = Geometry::bounds(&body);
        assert!(bounds.min.x <= -1.0 && bounds.max.x >= 6.0);
        assert_eq!(body.previous_pose(), Some(&Pose::identity()));
    }

    #[test]
    fn a_place_inside_is_found_where_the_middle_is_a_hole() {
        let ring = Arc::new(Torus::new(Pose::identity(), 3.0, 0.5).unwrap());
        let ring = ImplicitBody::new(Pose::identity(), ring).unwrap();
        let inside = ring.inner_point().unwrap();
        assert!(ring.sample(&inside).value < -0.4, "{inside}");
        let floor = Arc::new(Plane::new(Point::origin(), Vector::y()).unwrap());
        let floor = ImplicitBody::new(Pose::identity(), floor).unwrap();
        assert!(floor.inner_point().is_none() && !floor.is_bounded());
        let ball = |x: f64| -> Arc<dyn ImplicitFunction> {
            Arc::new(Sphere::new(Point::new(x, 0.0, 0.0), 1.0).unwrap())
        };
        let nothing = Arc::new(Intersection::new(vec![ball(0.0), ball(1.99), ball(4.0)]).unwrap());
        assert!(ImplicitBody::new(Pose::identity(), nothing).unwrap().inner_point().is_none());
    }

    /// A squared radius: not a distance, except to first order near the surface.
    struct Squared;

    impl ImplicitFunction for Squared {
        fn sample(&self, point: &Point) -> Sample {
            let value = point.coords.norm_squared() - 4.0;
            Sample { value, gradient: point.coords * 2.0, feature: palpate_contact::NONE }
        }

        fn sublevel_bounds(&self, _: f64) -> Aabb {
            Aabb { min: Point::new(-2.0, -2.0, -2.0), max: Point::new(2.0, 2.0, 2.0) }
        }
    }

    #[test]
    fn of_a_sign_and_a_gradient_the_distance_is_to_first_order() {
        let body = ImplicitBody::new(Pose::identity(), Arc::new(Squared)).unwrap();
        let near = body.signed_distance(&Point::new(0.0, 2.125, 0.0));
        assert!((near.distance - 0.125).abs() < 0.01 && near.gradient == Vector::y());
        assert_eq!(body.signed_distance(&Point::origin()).gradient, Vector::y());
        assert!(!body.exactness().is_distance());
    }
}
