//! Contact manifold of a solid's face that lies on an implicit body.
//!
//! The function is evaluated at the corners of the support face. Where the face lies on the body, to a degree, a corner
//! within range whose gradient agrees with the contact direction is a point with its own depth. Where the body's surface
//! is flat and ends below the face, the points are where the outline of the face leaves it.

use crate::ConvexBody;
use crate::contact_ids::id_of_second;
use crate::convex_body::{face_toward, rounding_radius};
use crate::mesh::{Outline, PatchView};
use crate::pairs::implicit::implicit_contact::Reach;
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_convex::FacePolygon;
use palpate_geometry::ConvexCore;
use palpate_geometry::implicit::{ImplicitFunction, Sample};
use palpate_math::{Point, Vector, direction};

/// The smallest cosine of the angle between the gradients at a corner and at the contact point.
const FACING: f64 = 0.9;

/// The same where the surface counts as flat: an angle of 1.4 milliradians, as between coplanar triangles.
const FLAT: f64 = 1.0 - 1e-6;

/// The greatest slope from the contact to a corner: a degree. Beyond it the face does not lie on the body.
const LYING: f64 = 0.0175;

/// Accuracy of the search for the deepest point, relative to the size of the solid.
const LEVEL: f64 = 1e-9;

/// How far the contact may be above the solid's support point, relative to the size of the solid: a body's deepest
/// point may be inside the solid, where no face is below it.
const RAISED: f64 = 1e-6;

/// Halvings of an interval in which the surface ends: to rounding.
const HALVINGS: usize = 48;

/// The share of the way to a corner over which a surface must be flat to count.
const NARROW: f64 = 0.05;

/// A corner of the face, or where its outline leaves the surface.
#[derive(Clone, Copy, Debug)]
struct FacePoint {
    /// The point of the solid's core.
    place: Point,
    sample: Sample,
    part: IdPart,
    feature: u32,
}

/// The manifold search and its reusable memory.
#[derive(Debug, Default)]
pub(crate) struct FaceManifold {
    face: FacePolygon,
    corners: Vec<(Point, bool)>,
    points: Vec<FacePoint>,
    outline: Outline,
}

/// A solid that touches an implicit body.
#[derive(Clone, Copy)]
struct Touching<'a> {
    reach: &'a Reach<'a>,
    /// The contact's gradient, unit.
    outward: Vector,
    /// The contact's place on the solid's core, and the value there.
    own: Point,
    value: f64,
    /// The accuracy of that value.
    level: f64,
}

impl Touching<'_> {
    /// Returns the function at a point of the core within range, if its gradient agrees with the contact's to a cosine, and
    /// its value to a slope.
    fn at(&self, place: &Point, cosine: f64) -> Option<Sample> {
        let value = self.reach.body.as_function().value(place);
        let rise = (value - self.value).abs();
        if value > self.reach.cutoff() || rise > LYING * (place - self.own).norm() + self.level {
            return None;
        }
        let sample = self.reach.body.sample(place);
        let outward = direction::unit_or(&sample.gradient, &Vector::zeros());
        (outward.dot(&self.outward) >= cosine).then_some(sample)
    }

    /// Returns the last point at which the surface is flat on the way from a point where it is to one where it is not; it is
    /// flat over [`NARROW`] of the way.
    fn last_flat(&self, from: &Point, to: &Point) -> Point {
        let (mut inside, mut outside) = (NARROW, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (inside + outside);
            if self.at(&(from + (to - from) * middle), FLAT).is_some() {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        from + (to - from) * inside
    }
}

impl FaceManifold {
    /// Adds the contact of a solid at its deepest point, or the points of its face there: at most four, the deepest
    /// first, then by id. The first has the certified bound of `deepest`.
    pub(crate) fn write(
        &mut self,
        reach: &Reach<'_>,
        solid: &ConvexBody<'_>,
        deepest: Contact,
        out: &mut CollisionData,
    ) {
        let before = out.len();
        self.points.clear();
        let outward = -Vector::from(deepest.direction);
        let radius = rounding_radius(solid);
        let own = Point::from(deepest.b.point) + outward * radius;
        let lowest = solid.map().support(&-outward) + outward * radius;
        if (own - lowest).dot(&outward) <= RAISED * solid.size() {
            let reach = &Reach { radius, ..*reach };
            let (value, level) = (radius - deepest.depth, LEVEL * solid.size());
            let touching = Touching { reach, outward, own, value, level };
            self.find(&touching, solid);
            if self.points.len() > 1 {
                self.push(&touching, solid, &deepest, out);
            }
        }
        if out.len() == before {
            out.push(deepest);
        }
    }

    /// Finds the points of the face toward the body.
    fn find(&mut self, touching: &Touching<'_>, solid: &ConvexBody<'_>) {
        face_toward(solid, &-touching.outward, &mut self.face);
        self.corners.clear();
        // The line of a round wall depends on the direction, which is accurate only where the surface is flat.
        let is_round = matches!(solid.shape, ConvexCore::Cylinder(_) | ConvexCore::Cone(_));
        let cosine = if is_round && self.face.corners().len() == 2 { FLAT } else { FACING };
        for corner in self.face.corners() {
            let place = solid.placed(&corner.point);
            let sample = touching.at(&place, cosine);
            self.corners.push((place, sample.is_some()));
            self.points.extend(sample.map(|sample| {
                let (part, feature) = (IdPart::Corner(corner.id), corner.feature);
                FacePoint { place, sample, part, feature }
            }));
        }
        let count = self.corners.len();
        if self.points.len() == count {
            return;
        }
        if self.points.is_empty() {
            // The surface ends all around: from the contact, which may be at its border, then from the middle of that and of
            // what was found.
            self.extend_from(touching, &touching.own);
            if !self.points.is_empty() {
                let own = touching.own.coords;
                let sum = self.points.iter().fold(own, |sum, point| sum + point.place.coords);
                let middle = Point::from(sum / (self.points.len() + 1) as f64);
                self.points.clear();
                self.extend_from(touching, &middle);
            }
            return;
        }
        for side in 0..if count == 2 { 1 } else { count } {
            let [here, there] = [side, (side + 1) % count].map(|k| self.corners[k]);
            let (from, to) = match (here.1, there.1) {
                (true, false) => (here.0, there.0),
                (false, true) => (there.0, here.0),
                _ => continue,
            };
            self.extend_to(touching, &from, &to, IdPart::Side(self.face.corners()[side].id));
        }
    }

    /// Adds the ends of the flat surface on the ways from a point to all corners.
    fn extend_from(&mut self, touching: &Touching<'_>, from: &Point) {
        for k in 0..self.corners.len() {
            let part = IdPart::Corner(self.face.corners()[k].id);
            let to = self.corners[k].0;
            self.extend_to(touching, from, &to, part);
        }
    }

    /// Adds the end of the flat surface on the way between two points, if it is flat over some of the way.
    fn extend_to(&mut self, touching: &Touching<'_>, from: &Point, to: &Point, part: IdPart) {
        let is_flat = |share: f64| touching.at(&(from + (to - from) * share), FLAT).is_some();
        if !(is_flat(NARROW) && is_flat(0.0)) {
            return;
        }
        let place = touching.last_flat(from, to);
        let feature = self.face.feature();
        let sample = touching.at(&place, FLAT);
        self.points.extend(sample.map(|sample| FacePoint { place, sample, part, feature }));
    }

    /// Adds the selected points; the contact itself replaces the deepest if it is deeper.
    fn push(
        &mut self,
        touching: &Touching<'_>,
        solid: &ConvexBody<'_>,
        deepest: &Contact,
        out: &mut CollisionData,
    ) {
        let Touching { reach, outward, .. } = *touching;
        let view = PatchView::new(&outward, solid.position(), solid.size());
        let is_polygon = self.points.len() == self.corners.len();
        self.outline.reduce(is_polygon, self.points.iter().map(|point| view.at(&point.place)));
        let number = |point: &FacePoint| id_of_second(point.part);
        let rank = |&index: &usize| number(&self.points[index]);
        let lowest = self.points.iter().map(|point| point.sample.value).fold(f64::INFINITY, f64::min);
        // Depths that differ by rounding error are equal.
        let equal =
            (0..self.points.len()).filter(|&index| self.points[index].sample.value <= lowest + view.level);
        let Some(first) = equal.min_by_key(rank) else { return };
        let (mut kept, count) = self.outline.keep_with(first);
        kept[1..count].sort_unstable_by_key(rank);
        let is_deeper = deepest.depth > reach.radius - lowest + touching.level;
        for (order, &index) in kept[..count].iter().enumerate() {
            let point = &self.points[index];
            let contact = reach.at_place(&point.place, &point.sample, number(point), |on_solid| {
                Feature::numbered(point.feature, on_solid)
            });
            if order > 0 {
                contact.into_iter().for_each(|contact| out.push(contact));
                continue;
            }
            let first = contact.filter(|_| !is_deeper).unwrap_or(*deepest);
            out.push(Contact { depth_upper: first.depth.max(deepest.depth_upper), ..first });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Choice, Context, Registry};
    use palpate_contact::Contact;
    use palpate_geometry::{
        Capsule, Convex, Cylinder, Geometry, ImplicitBody, OrientedBox, Plane, Pose, Sphere,
    };
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    /// A slab with its top at y = 0.
    fn slab(half: f64) -> ImplicitBody {
        let half = Vector::new(half, 1.0, half);
        ImplicitBody::new(
            Pose::identity(),
            Arc::new(OrientedBox::new(Pose::translation(0.0, -1.0, 0.0), half).unwrap()),
        )
        .unwrap()
    }

    fn contacts(a: &dyn Geometry, b: &dyn Geometry, margin: f64) -> Vec<Contact> {
        let mut bound = Registry::standard().bind(a, b, Choice::default()).unwrap();
        let mut out = palpate_contact::CollisionData::new();
        bound.run(a, b, &Context::new().with_margin(margin), &mut out).unwrap();
        out.contacts
    }

    /// A pose turned about the vertical and tilted about an oblique horizontal axis.
    fn resting(height: f64, tilt: f64) -> Pose {
        let turn = nalgebra::UnitQuaternion::from_axis_angle(&Vector::y_axis(), 0.3);
        let axis = nalgebra::Unit::new_normalize(Vector::new(1.0, 0.0, 0.6));
        let tilted = nalgebra::UnitQuaternion::from_axis_angle(&axis, tilt);
        Pose::from_parts(nalgebra::Translation3::new(0.1, height, -0.2), tilted * turn)
    }

    /// On its face, on its cap, on its side: the points that the same body has on a plane.
    #[test]
    fn a_face_has_the_points_that_it_has_on_a_plane() {
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap();
        let lying = |pose: Pose| {
            pose * nalgebra::UnitQuaternion::from_axis_angle(&Vector::z_axis(), std::f64::consts::FRAC_PI_2)
        };
        let corners: Vec<Point> = (0..8)
            .map(|k| Point::from(Vector::from_fn(|axis, _| if k >> axis & 1 == 0 { -0.5 } else { 0.5 })))
            .collect();
        for tilt in [0.0, 1e-9, 1e-6, 1e-3] {
            let at = |height: f64| resting(height, tilt);
            let bodies: [(Box<dyn Geometry>, usize); 5] = [
                (Box::new(OrientedBox::new(at(0.499), Vector::repeat(0.5)).unwrap()), 4),
                (Box::new(Convex::new(at(0.499), &corners).unwrap()), 4),
                (Box::new(Cylinder::new(at(0.499), 0.4, 1.0).unwrap()), 4),
                (Box::new(Cylinder::new(lying(at(0.399)), 0.4, 1.0).unwrap()), 2),
                (Box::new(Capsule::new(lying(at(0.399)), 0.4, 1.0).unwrap()), 2),
            ];
            for (body, count) in bodies {
                let found = contacts(&slab(5.0), &*body, 0.01);
                let wanted = contacts(&plane, &*body, 0.01);
                assert_eq!((found.len(), wanted.len()), (count, count), "{tilt} {:?}", body.kind());
                for contact in &wanted {
                    let near = |other: &&Contact| {
                        let apart = |p: [f64; 3], q: [f64; 3]| (Point::from(p) - Point::from(q)).norm();
                        apart(other.b.point, contact.b.point) < 1e-9
                            && apart(other.direction, contact.direction) < 1e-9
                            && (other.depth - contact.depth).abs() < 1e-9
                    };
                    // The cap of a tilted cylinder touches between two corners of its polygon; which of the others are
                    // kept with that point is a matter of ties.
                    let is_cap = body.kind() == palpate_geometry::GeometryKind::CYLINDER && count == 4;
                    assert!(is_cap || found.iter().any(|other| near(&other)), "{tilt} {contact:?} {found:?}");
                }
                assert!((found[0].depth - wanted[0].depth).abs() < 1e-9);
            }
        }
    }

    /// A box over the edge of a slab, and one on a narrow pedestal: the points are on the border of the surface below.
    #[test]
    fn where_the_surface_ends_below_the_face_so_do_the_points() {
        let block =
            |x: f64| OrientedBox::new(Pose::translation(x, 0.499, 0.0), Vector::new(0.5, 0.5, 0.5)).unwrap();
        let places = |half: f64, x: f64| {
            let mut places: Vec<[f64; 2]> = contacts(&slab(half), &block(x), 0.0)
                .iter()
                .map(|contact| {
                    assert!((contact.depth - 0.001).abs() < 1e-9 && contact.direction[1] < -1.0 + 1e-9);
                    [contact.b.point[0], contact.b.point[2]]
                })
                .collect();
            places.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
            places
        };
        let near = |found: Vec<[f64; 2]>, wanted: [[f64; 2]; 4]| {
            assert_eq!(found.len(), 4, "{found:?}");
            for (found, wanted) in found.iter().zip(wanted) {
                // A millimetre deep, the nearest exit turns a millimetre before the border.
                let apart = (found[0] - wanted[0]).hypot(found[1] - wanted[1]);
                assert!(apart < 0.0015, "{found:?} {wanted:?}");
            }
        };
        near(places(2.0, 1.8), [[1.3, -0.5], [1.3, 0.5], [2.0, -0.5], [2.0, 0.5]]);
        near(places(0.25, 0.0), [[-0.25, -0.25], [-0.25, 0.25], [0.25, -0.25], [0.25, 0.25]]);
        let beside = places(0.25, 0.2);
        let middle = beside.iter().map(|place| place[0]).sum::<f64>() / beside.len() as f64;
        assert!(beside.len() >= 3 && middle.abs() < 0.15, "{beside:?}");
    }

    /// No point is invented where the body is curved.
    #[test]
    fn on_a_ball_a_face_has_one_point() {
        let ball = ImplicitBody::new(Pose::identity(), Arc::new(Sphere::new(Point::origin(), 1.0).unwrap()));
        let block = OrientedBox::new(Pose::translation(0.1, 1.499, 0.2), Vector::repeat(0.5)).unwrap();
        assert_eq!(contacts(&ball.unwrap(), &block, 0.0).len(), 1);
    }

    #[test]
    fn one_contact_on_request() {
        let block = OrientedBox::new(resting(0.499, 0.0), Vector::repeat(0.5)).unwrap();
        let settings = serde_json::json!({ "manifold": false });
        let choice = Choice { settings: Some(&settings), ..Choice::default() };
        let floor = slab(5.0);
        let mut bound = Registry::standard().bind(&floor, &block, choice).unwrap();
        let mut out = palpate_contact::CollisionData::new();
        bound.run(&floor, &block, &Context::new(), &mut out).unwrap();
        assert_eq!((out.len(), out.contacts[0].id), (1, 0));
    }
}
