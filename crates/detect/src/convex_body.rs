//! A convex geometry as the detectors see it: with its concrete core if known, so that queries run without
//! indirection.

use nalgebra::{Matrix3, Vector3};
use palpate_convex::{
    Ball, Capsule as CapsuleCore, Core, Curved, DynSupport, Ellipsoid as EllipsoidCore, Extreme, FacePolygon,
    Faces, Manifold, ManifoldPoint, Memory, NO_ID, QueryResult, RigidTransform, Rounded, Segment, Settings,
    SupportMap, Triangle, contact, contact_coherent, contact_within, contact_within_again, overlap_along,
};
use palpate_geometry::implicit::Exactness;
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::{ConvexCore, Geometry, Pose, RigidMotion};
use palpate_math::{Aabb, Point, direction, rounding};

type Space = Vector3<f64>;

/// A convex geometry in the frame in which it is plain, with the pose that places it.
#[derive(Clone, Copy)]
pub struct ConvexBody<'a> {
    pub(crate) shape: ConvexCore<'a>,
    pub(crate) pose: RigidTransform<Space>,
    map: &'a dyn SupportMap,
    geometry: &'a dyn Geometry,
}

impl<'a> ConvexBody<'a> {
    /// The body of a geometry; `None` when it is not convex.
    pub(crate) fn new(geometry: &'a dyn Geometry) -> Option<Self> {
        let convex = geometry.as_convex()?;
        let shape = match convex.core() {
            // A sphere has a closed form.
            ConvexCore::Ellipsoid(EllipsoidCore { radii }) if radii.x == radii.y && radii.y == radii.z => {
                ConvexCore::Ball(Ball { radius: radii.x })
            }
            core => core,
        };
        let pose = match shape {
            ConvexCore::Other => RigidTransform::identity(),
            _ => placed(convex.pose()),
        };
        Some(Self { shape, pose, map: convex.support_map(), geometry })
    }

    /// The support map, world frame.
    pub(crate) fn map(&self) -> &'a dyn SupportMap {
        self.map
    }

    /// Transforms a point from the body's frame to the world.
    pub(crate) fn placed(&self, own: &Space) -> Point {
        Point::from(self.pose.point(*own))
    }

    /// Transforms a direction from the body's frame to the world.
    pub(crate) fn turned(&self, own: &Space) -> Space {
        self.pose.rotation * own
    }

    /// The origin of the body's own frame.
    pub(crate) fn position(&self) -> Point {
        Point::from(self.pose.translation)
    }

    /// Returns the bounding radius around the origin of the body's frame.
    pub(crate) fn size(&self) -> f64 {
        bounding_radius(self)
    }

    /// Whether queries of it iterate to a curved surface, so that their directions have an error.
    pub(crate) fn is_curved(&self) -> bool {
        use ConvexCore::{Cone, Cylinder, Ellipsoid, Other};
        matches!(self.shape, Cylinder(_) | Cone(_) | Ellipsoid(_) | Other)
    }

    /// Returns the outward normal of the flat face that faces a unit world direction most; `None` without faces, and for a hull
    /// of so many that the search would cost more than it is worth.
    fn face_normal(&self, toward: &Space) -> Option<Space> {
        let own = self.pose.rotation.tr_mul(toward);
        let normal = match &self.shape {
            ConvexCore::Cuboid(_) => {
                let axis = own.iamax();
                Vector3::ith(axis, own[axis].signum())
            }
            ConvexCore::Cylinder(_) => Vector3::y() * own.y.signum(),
            ConvexCore::Cone(_) => -Vector3::y(),
            ConvexCore::Hull(hull) if hull.faces.len() <= MOST_FACES => {
                let normals = (0..hull.faces.len()).map(|face| hull.faces.normal(face));
                normals.max_by(|p, q| p.dot(&own).total_cmp(&q.dot(&own)))?
            }
            _ => return None,
        };
        Some(self.turned(&normal))
    }

    /// Returns a bounding box, world frame, by the support map along the axes.
    pub(crate) fn bounds(&self) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
            bounds.include(&self.map.support(&axis));
            bounds.include(&self.map.support(&-axis));
        }
        bounds.grown(bounds.largest_coordinate() * (16.0 * f64::EPSILON))
    }

    /// Returns the motion over the step: of a known core that of its pose, of a user's shape that of the geometry. A geometry
    /// without a previous pose is at rest.
    pub(crate) fn motion(&self) -> RigidMotion {
        let of_core = || self.geometry.as_convex().map(|convex| *convex.pose());
        let pose = if self.is_posed() { of_core() } else { self.geometry.pose() };
        let current = pose.unwrap_or_else(Pose::identity);
        match self.geometry.previous_pose() {
            Some(previous) if pose.is_some() => RigidMotion::new(&previous, &current),
            _ => RigidMotion::at_rest(&current),
        }
    }

    /// Returns the box of the body over the step.
    pub(crate) fn swept_bounds(&self) -> Aabb {
        self.geometry.bounds()
    }

    /// Whether the core is known in its own frame; otherwise its support points are in the world.
    pub(crate) fn is_posed(&self) -> bool {
        !matches!(self.shape, ConvexCore::Other)
    }

    /// The core of a body that [is curved](Self::is_curved), and its pose.
    pub(crate) fn curved(&self) -> (Curved<'a>, RigidTransform<Space>) {
        let core = match self.shape {
            ConvexCore::Cylinder(core) => Curved::Cylinder(core),
            ConvexCore::Cone(core) => Curved::Cone(core),
            ConvexCore::Ellipsoid(core) => Curved::Ellipsoid(core),
            _ => {
                let core = DynSupport::new(self.map);
                let pose = RigidTransform::new(self.pose.rotation, self.pose.point(core.middle()));
                return (Curved::Map(core), pose);
            }
        };
        (core, self.pose)
    }

    /// Returns the middle of the box of a user's shape, world frame.
    pub(crate) fn position_of_map(&self) -> Space {
        DynSupport::new(self.map).middle()
    }

    /// Returns the body at another pose; of a user's shape, moved by it from the place where it is.
    pub(crate) fn posed(&self, pose: RigidTransform<Space>) -> Self {
        Self { pose, ..*self }
    }

    /// Returns the signed distance function, if the body has an exact one.
    pub(crate) fn distance(&self) -> Option<&'a dyn ImplicitFunction> {
        self.geometry.as_implicit().filter(|solid| solid.exactness() == Exactness::DISTANCE)
    }
}

/// Converts the pose of a geometry to that of a convex core.
pub(crate) fn placed(pose: &Pose) -> RigidTransform<Space> {
    RigidTransform::new(pose.rotation.to_rotation_matrix().into_inner(), pose.translation.vector)
}

/// Calls `$body` with `$core` bound to the core of `$shape` and `$pose` to its pose. What is curved has one type: each type is a copy
/// of the queries for every other one.
macro_rules! with_core {
    ($convex:expr, $core:ident, $pose:ident => $body:expr) => {
        match &$convex.shape {
            ConvexCore::Ball($core) => {
                let $pose = &$convex.pose;
                $body
            }
            ConvexCore::Capsule($core) => {
                let $pose = &$convex.pose;
                $body
            }
            ConvexCore::Cuboid($core) => {
                let $pose = &$convex.pose;
                $body
            }
            ConvexCore::Hull($core) => {
                let $pose = &$convex.pose;
                $body
            }
            _ => {
                let ($core, $pose) = &$convex.curved();
                $body
            }
        }
    };
}
pub(crate) use with_core;

/// The contact of two bodies.
pub(crate) fn query(
    a: &ConvexBody<'_>,
    b: &ConvexBody<'_>,
    memory: &mut Memory<Space>,
    settings: &Settings,
) -> QueryResult<Space> {
    with_core!(a, first, first_pose => with_core!(b, second, second_pose => {
        contact((first, first_pose), (second, second_pose), memory, settings)
    }))
}

/// The contact of two bodies that are no farther apart than a margin; the memory is that of the pair.
pub(crate) fn query_within(
    a: &ConvexBody<'_>,
    b: &ConvexBody<'_>,
    margin: f64,
    memory: &mut Memory<Space>,
    settings: &Settings,
) -> Option<QueryResult<Space>> {
    with_core!(a, first, first_pose => with_core!(b, second, second_pose => {
        contact_within_again((first, first_pose), (second, second_pose), margin, memory, settings)
    }))
}

/// Like [`query_within`], starting from what the last such query with this memory found.
pub(crate) fn query_coherent(
    a: &ConvexBody<'_>,
    b: &ConvexBody<'_>,
    margin: f64,
    memory: &mut Memory<Space>,
    settings: &Settings,
) -> Option<QueryResult<Space>> {
    with_core!(a, first, first_pose => with_core!(b, second, second_pose => {
        contact_coherent((first, first_pose), (second, second_pose), margin, memory, settings)
    }))
}

/// The contact of a point and a body.
pub(crate) fn query_point(
    point: &Point,
    body: &ConvexBody<'_>,
    memory: &mut Memory<Space>,
    settings: &Settings,
) -> QueryResult<Space> {
    let (core, pose) = (&Ball { radius: 0.0 }, &RigidTransform::at(point.coords));
    with_core!(body, second, second_pose => contact((core, pose), (second, second_pose), memory, settings))
}

/// Returns the contact of a shape known by its support map alone, the first side, and a body.
pub(crate) fn query_map(
    shape: &dyn SupportMap,
    body: &ConvexBody<'_>,
    memory: &mut Memory<Space>,
    settings: &Settings,
) -> QueryResult<Space> {
    let core = DynSupport::new(shape);
    let pose = &RigidTransform::at(core.middle());
    let core = &Curved::Map(core);
    with_core!(body, second, second_pose => contact((core, pose), (second, second_pose), memory, settings))
}

/// Returns the contact of a segment with a radius, the first side, and a body.
pub(crate) fn query_segment(
    [start, end]: [&Point; 2],
    radius: f64,
    body: &ConvexBody<'_>,
    memory: &mut Memory<Space>,
    settings: &Settings,
) -> QueryResult<Space> {
    let middle = start + (end - start) * 0.5;
    let core = &Rounded { shape: Segment { ends: [start - middle, end - middle] }, radius };
    let pose = &RigidTransform::at(middle.coords);
    with_core!(body, second, second_pose => contact((core, pose), (second, second_pose), memory, settings))
}

/// Passes to `visit` the manifold of the contact found by a query of two bodies; no point is separated by more than `margin`.
pub(crate) fn manifold(
    a: &ConvexBody<'_>,
    b: &ConvexBody<'_>,
    found: &QueryResult<Space>,
    margin: f64,
    visit: impl FnOnce(&[ManifoldPoint]),
) {
    with_core!(a, first, first_pose => with_core!(b, second, second_pose => {
        Manifold::visit((first, first_pose), (second, second_pose), found, margin, visit);
    }))
}

/// Like [`manifold`], for the contact that [`query_coherent`] found with this memory.
pub(crate) fn coherent_manifold(
    a: &ConvexBody<'_>,
    b: &ConvexBody<'_>,
    found: &QueryResult<Space>,
    margin: f64,
    memory: &mut Memory<Space>,
    visit: impl FnOnce(&[ManifoldPoint]),
) {
    with_core!(a, first, first_pose => with_core!(b, second, second_pose => {
        Manifold::visit_coherent((first, first_pose), (second, second_pose), found, margin, memory, visit);
    }))
}

/// Returns the manifold of the contact of a segment with a radius (first side: corner 0 is its start) and a body.
pub(crate) fn manifold_of_segment<'m>(
    [start, end]: [&Point; 2],
    radius: f64,
    body: &ConvexBody<'_>,
    found: &QueryResult<Space>,
    margin: f64,
    manifold: &'m mut Manifold,
) -> &'m [ManifoldPoint] {
    let half = (end - start) * 0.5;
    let core = &CapsuleCore { radius, half_length: half.norm() };
    let axis = direction::unit_or(&half, &Vector3::y());
    let aside = direction::any_perpendicular(&axis);
    let turn = Matrix3::from_columns(&[aside, axis, aside.cross(&axis)]);
    let pose = &RigidTransform::new(turn, start.coords + half);
    with_core!(body, second, second_pose => {
        manifold.find((core, pose), (second, second_pose), found, margin)
    })
}

/// Writes the face of a body's core that faces a unit world direction into `face`, in the body's frame.
pub(crate) fn face_toward(body: &ConvexBody<'_>, direction: &Space, face: &mut FacePolygon) {
    let own = body.pose.rotation.tr_mul(direction);
    with_core!(body, core, _pose => core.face_toward(own, face));
}

/// Above this number of faces of a hull none is searched for.
const MOST_FACES: usize = 256;

/// Directions that differ by less are equal up to rounding error.
pub(crate) const EXACT: f64 = 64.0 * f64::EPSILON;

/// Angular error of an iterative query of curved bodies, as a sine.
pub(crate) const NEARLY: f64 = 1e-5;

/// Returns the contact along the normal of a face of either body, if its direction equals that up to the error of an iterative
/// query and the two overlap no more along it than along the direction, to rounding: a body that lies on a face is pushed
/// out straight, and does not creep.
pub(crate) fn along_face(
    a: &ConvexBody<'_>,
    b: &ConvexBody<'_>,
    found: &QueryResult<Space>,
) -> Option<QueryResult<Space>> {
    let normals = [b.face_normal(&found.direction), a.face_normal(&-found.direction).map(|normal| -normal)];
    let turned = |normal: &Space| (normal - found.direction).norm();
    let mut near = normals.into_iter().flatten().filter(|normal| turned(normal) <= NEARLY);
    let normal = near.next().filter(|normal| turned(normal) > EXACT)?;
    let depth = with_core!(a, first, first_pose => with_core!(b, second, second_pose => {
        overlap_along((first, first_pose), (second, second_pose), normal)
    }));
    let size = (a.pose.translation - b.pose.translation).norm() + a.size() + b.size();
    if depth > found.depth_upper + rounding::length(size) {
        return None;
    }
    let point_a = found.point_a + (found.direction - normal) * rounding_radius(a);
    let (depth_lower, depth_upper) = (found.depth_lower.min(depth), found.depth_upper.max(depth));
    let point_b = point_a + normal * depth;
    Some(QueryResult { depth, depth_lower, depth_upper, direction: normal, point_a, point_b, ..*found })
}

/// Returns the bounding radius around the origin of the body's frame.
pub(crate) fn bounding_radius(body: &ConvexBody<'_>) -> f64 {
    with_core!(body, core, _pose => Core::<Space>::bounding_radius(core) + Core::<Space>::radius(core))
}

/// Returns the radius by which the core is rounded.
pub(crate) fn rounding_radius(body: &ConvexBody<'_>) -> f64 {
    with_core!(body, core, _pose => Core::<Space>::radius(core))
}

/// Returns the greatest height of a body along a unit direction, in the frame of its pose.
pub(crate) fn height_along(body: &ConvexBody<'_>, along: &Space) -> f64 {
    with_core!(body, core, pose => {
        let own = pose.rotation.tr_mul(along);
        let farthest: Extreme<Space> = core.support(own, NO_ID);
        along.dot(&pose.translation) + own.dot(&farthest.point) + Core::<Space>::radius(core)
    })
}

/// Returns a support point of a body along a unit direction, in the frame of its pose.
pub(crate) fn support_along(body: &ConvexBody<'_>, along: &Space) -> Space {
    with_core!(body, core, pose => {
        let farthest: Extreme<Space> = core.support(pose.rotation.tr_mul(along), NO_ID);
        pose.point(farthest.point) + along * Core::<Space>::radius(core)
    })
}

/// Returns the contact of a bare triangle, the first side, and a body, if their distance is at most `reach`. The
/// origin of the triangle's frame is its first corner.
pub(crate) fn query_triangle_within(
    corners: &[Point; 3],
    b: &ConvexBody<'_>,
    reach: f64,
    memory: &mut Memory<Space>,
    settings: &Settings,
) -> Option<QueryResult<Space>> {
    let triangle = Triangle { corners: corners.map(|corner| corner - corners[0]) };
    let pose = RigidTransform::at(corners[0].coords);
    with_core!(b, body, body_pose => {
        contact_within((&triangle, &pose), (body, body_pose), reach, memory, settings)
    })
}
