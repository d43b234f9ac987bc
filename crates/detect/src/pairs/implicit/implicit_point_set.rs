//! Implicit body against points.

use crate::contact_ids::id_of_second;
use crate::pairs::NoSettings;
use crate::pairs::implicit::implicit_contact::Reach;
use crate::pairs::implicit::values_at::values_at;
use crate::{About, Chunk, Chunks, Context, Flags, PairDetector, Points, Status};
use palpate_contact::{CollisionData, Feature, IdPart};
use palpate_geometry::implicit::{ImplicitFunction, Sample};
use palpate_geometry::{ImplicitBody, PointSet};

/// Vertices per chunk: about ten microseconds of work.
const VERTICES_PER_CHUNK: usize = 256;

/// Implicit body against points (spheres, if they have a radius): the value and gradient of the function at each
/// vertex. Exact if the function is a distance; otherwise the value is used as the distance or, if only its sign is
/// meaningful, the value divided by the gradient's length, and the result is flagged. Points farther from the body's
/// box than radius and margin are not in contact.
#[derive(Default)]
pub struct ImplicitPointSet {
    chunks: Chunks,
}

impl PairDetector for ImplicitPointSet {
    type A = ImplicitBody;
    type B = Points;
    type Settings = NoSettings;

    const NAME: &'static str = "implicit_point_set";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "vertex",
        at_most: "one per vertex",
        sides: "one: the inside of the function is solid",
        method: "value and gradient of the function at each vertex; vertex order",
        cost: "O(vertices)",
        source: "Taubin 1994, Distance approximations for rasterizing implicit curves, section 3, where there is no distance",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: &PointSet,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let reach = Reach { body: a, radius: b.radius(), context };
        let bounds = a.sublevel_bounds(0.0).grown(reach.cutoff());
        let positions = b.positions();
        let job = |range: std::ops::Range<usize>, chunk: &mut Chunk| {
            let near = range.map(|vertex| (vertex, positions[vertex]));
            let near = near.filter(|(_, place)| bounds.contains_point(place));
            values_at(a, &bounds, near, |vertex, place, least| {
                if least > reach.cutoff() {
                    return;
                }
                let signed = a.signed_distance(&place);
                let sample =
                    Sample { value: signed.distance, gradient: signed.gradient, feature: signed.feature };
                let vertex = vertex as u32;
                let other = |point| Feature::vertex(vertex, b.owner(vertex), point);
                if let Some(contact) =
                    reach.at_place(&place, &sample, id_of_second(IdPart::Vertex(vertex)), other)
                {
                    chunk.flags |= reach.flags(sample.value);
                    chunk.contacts.push(contact);
                }
            });
        };
        let flags: Flags = self.chunks.run(context.executor(), positions.len(), VERTICES_PER_CHUNK, job, out);
        flags.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Contact;
    use palpate_geometry::implicit::Union;
    use palpate_geometry::{Pose, Sphere};
    use palpate_math::{Aabb, Point, Vector};
    use std::sync::Arc;

    fn detect(
        function: Arc<dyn ImplicitFunction>,
        points: &[[f64; 3]],
        margin: f64,
    ) -> (Vec<Contact>, Status) {
        let body = ImplicitBody::new(Pose::identity(), function).unwrap();
        let points = PointSet::new(points.iter().copied().map(Point::from).collect()).unwrap();
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(margin);
        let status = ImplicitPointSet::default().detect(&body, &points, &context, &mut out);
        (out.contacts, status)
    }

    fn ball(x: f64) -> Arc<dyn ImplicitFunction> {
        Arc::new(Sphere::new(Point::new(x, 0.0, 0.0), 1.0).unwrap())
    }

    #[test]
    fn a_vertex_leaves_along_the_gradient() {
        let (contacts, status) =
            detect(ball(0.0), &[[0.0, 0.75, 0.0], [0.0, 1.0, 0.0], [0.0, 1.1, 0.0]], 0.0);
        assert_eq!(contacts.len(), 2);
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [0.0, -1.0, 0.0]));
        assert_eq!((contacts[0].a.point, contacts[0].b.point), ([0.0, 1.0, 0.0], [0.0, 0.75, 0.0]));
        assert_eq!((contacts[1].depth, contacts[1].b.vertices[0]), (0.0, 1));
        assert_eq!(status.flags, Flags::empty());
    }

    #[test]
    fn a_depth_that_is_an_estimate_is_said_to_be() {
        let union: Arc<dyn ImplicitFunction> = Arc::new(Union::new(vec![ball(0.0), ball(0.5)]).unwrap());
        let (_, inside) = detect(union.clone(), &[[0.25, 0.0, 0.0]], 0.0);
        assert_eq!(inside.flags, Flags::NOT_A_DISTANCE);
        let (contacts, outside) = detect(union, &[[0.0, 1.25, 0.0]], 0.5);
        assert_eq!((contacts[0].depth, outside.flags), (-0.25, Flags::empty()));
    }

    struct Squared;

    impl ImplicitFunction for Squared {
        fn sample(&self, point: &Point) -> Sample {
            let value = point.coords.norm_squared() - 1.0;
            Sample { value, gradient: point.coords * 2.0, feature: palpate_contact::NONE }
        }

        fn sublevel_bounds(&self, _: f64) -> Aabb {
            Aabb::from_corners(&Point::new(-1.0, -1.0, -1.0), &Point::new(1.0, 1.0, 1.0))
        }
    }

    #[test]
    fn a_sign_and_a_gradient_are_enough_for_an_estimate() {
        let (contacts, status) = detect(Arc::new(Squared), &[[0.0, 0.96875, 0.0], [0.0, 0.0, 5.0]], 0.0);
        assert_eq!(contacts.len(), 1);
        assert!((contacts[0].depth - 0.03125).abs() < 1e-3, "{}", contacts[0].depth);
        assert_eq!(Vector::from(contacts[0].direction), -Vector::y());
        assert_eq!(status.flags, Flags::NOT_A_DISTANCE);
    }
}
