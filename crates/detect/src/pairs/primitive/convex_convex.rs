//! Convex body against convex body, by GJK and EPA.

use crate::convex_body::{
    along_face, bounding_radius, coherent_manifold, manifold, query, query_coherent, query_within,
};
use crate::pairs::primitive::accumulated::Accumulated;
use crate::pairs::primitive::manifold_points::{in_reach, own_point, push_points};
use crate::{About, AnyConvex, Context, ConvexBody, Flags, PairDetector, Status};
use nalgebra::Vector3;
use palpate_contact::CollisionData;
use palpate_convex::{Memory, QueryResult, Settings, Termination};
use serde::{Deserialize, Serialize};

/// Settings of [`ConvexConvex`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConvexSettings {
    /// The maximum gap between the certified bounds of the depth, relative to the size of the two bodies.
    pub tolerance: f64,
    /// Whether the contact area is reported as a manifold of up to four points (the default), or as the deepest point
    /// only.
    pub manifold: bool,
    /// Whether the deepest points of up to four steps are accumulated instead, moved with the two bodies and dropped
    /// when they separate. The contacts then depend on previous steps by design: the law that memory affects only
    /// time does not hold, and B's point may be off its surface by up to `breaking`.
    pub accumulate: bool,
    /// How far the two anchors of an accumulated point may separate, across the direction and beyond the margin along
    /// it, relative to the bounding radius of the smaller body.
    pub breaking: f64,
    /// Whether overlapping polyhedra start from the contact of the last step, which takes about half the time. The contacts
    /// are certified all the same, and the same up to rounding; but their last bits depend on previous steps, so that a
    /// replay of single frames may differ in them. By default every step is searched from scratch. Not used without a
    /// manifold.
    pub coherent: bool,
}

impl Default for ConvexSettings {
    fn default() -> Self {
        Self {
            tolerance: Settings::default().tolerance,
            manifold: true,
            accumulate: false,
            breaking: 0.02,
            coherent: false,
        }
    }
}

/// Convex body against convex body by support maps: the distance or the penetration depth, each with a certified
/// upper bound, and a contact manifold.
pub struct ConvexConvex {
    settings: ConvexSettings,
    search: Settings,
    memory: Memory<Vector3<f64>>,
    accumulated: Accumulated,
}

impl PairDetector for ConvexConvex {
    type A = AnyConvex;
    type B = AnyConvex;
    type Settings = ConvexSettings;

    const NAME: &'static str = "convex_convex";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "four",
        sides: "one: both are solids",
        method: "GJK for the distance, EPA for the depth; closed forms if a body is a sphere; cores and \
            radii handle round bodies that barely touch; certified bounds; manifold of the two opposing \
            faces: the deepest point first, then by id; or only the deepest, or the deepest of several \
            steps",
        cost: "O(iterations), each with a support point of both; the manifold O(corners of one face × \
            corners of the other)",
        source: "Gilbert, Johnson, Keerthi 1988; van den Bergen 2001; Montanari, Petrinic, Barbieri 2017; \
                 Sutherland, Hodgman 1974",
    };

    fn new(settings: ConvexSettings) -> Self {
        let search = Settings { tolerance: settings.tolerance, ..Settings::default() };
        Self { settings, search, memory: Memory::default(), accumulated: Accumulated::default() }
    }

    fn detect(
        &mut self,
        a: ConvexBody<'_>,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        if self.settings.accumulate {
            let found = query(&a, &b, &mut self.memory, &self.search);
            self.push_gathered(&a, &b, &found, context, out);
            return ended(&found);
        }
        // Without a manifold the deepest point of parallel faces would depend on the last step.
        let coherent = self.settings.coherent && self.settings.manifold;
        let query = if coherent { query_coherent } else { query_within };
        let Some(found) = query(&a, &b, context.margin(), &mut self.memory, &self.search) else {
            return Status::default();
        };
        let found = self.straight(&a, &b, found);
        if let Some(found) = in_reach(found, context) {
            let margin = context.margin();
            if coherent {
                coherent_manifold(&a, &b, &found, margin, &mut self.memory, |points| {
                    push_points(out, &found, points)
                });
            } else if self.settings.manifold {
                manifold(&a, &b, &found, margin, |points| push_points(out, &found, points));
            } else {
                push_points(out, &found, &[own_point(&found)]);
            }
        }
        ended(&found)
    }

    fn reset(&mut self) {
        self.accumulated.clear();
        self.memory.forget();
    }
}

fn ended(found: &QueryResult<Vector3<f64>>) -> Status {
    match found.status {
        Termination::Exact | Termination::Converged => Status::default(),
        _ => Flags::ITERATION_LIMIT.into(),
    }
}

impl ConvexConvex {
    /// Returns the contact of a curved body along the normal of the face that it lies on, if its direction is that up to the
    /// error of the query.
    fn straight(
        &self,
        a: &ConvexBody<'_>,
        b: &ConvexBody<'_>,
        found: QueryResult<Vector3<f64>>,
    ) -> QueryResult<Vector3<f64>> {
        let iterated = self.settings.manifold && found.status == Termination::Converged;
        let along = (iterated && (a.is_curved() || b.is_curved())).then(|| along_face(a, b, &found));
        along.flatten().unwrap_or(found)
    }

    fn push_gathered(
        &mut self,
        a: &ConvexBody<'_>,
        b: &ConvexBody<'_>,
        found: &QueryResult<Vector3<f64>>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) {
        let breaking = self.settings.breaking.max(0.0) * bounding_radius(a).min(bounding_radius(b));
        let found = in_reach(*found, context).unwrap_or(*found);
        let points = self.accumulated.step([&a.pose, &b.pose], &found, context.margin(), breaking);
        push_points(out, &found, points);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Contact;
    use palpate_geometry::{Convex, Cylinder, Geometry, OrientedBox, Pose};
    use palpate_math::{Point, Vector};

    fn cube(pose: Pose) -> OrientedBox {
        OrientedBox::new(pose, Vector::repeat(1.0)).unwrap()
    }

    fn contacts(detector: &mut ConvexConvex, pose: Pose) -> Vec<Contact> {
        let (lying, floor) = (cube(pose), cube(Pose::translation(0.0, -2.0, 0.0)));
        let [a, b] = [&lying, &floor].map(|shape| ConvexBody::new(shape as &dyn Geometry).unwrap());
        let mut out = CollisionData::new();
        detector.detect(a, b, &Context::new(), &mut out);
        out.contacts
    }

    fn with(settings: ConvexSettings) -> ConvexConvex {
        ConvexConvex::new(settings)
    }

    #[test]
    fn a_manifold_is_the_default_and_the_deepest_point_alone_a_setting() {
        let pose = Pose::translation(0.5, -0.125, 0.25);
        let four = contacts(&mut with(ConvexSettings::default()), pose);
        assert_eq!(four.len(), 4);
        assert!(four.iter().all(|contact| (contact.a.cell, contact.b.cell) == (3, 2)));
        let one = contacts(&mut with(ConvexSettings { manifold: false, ..ConvexSettings::default() }), pose);
        assert_eq!((one.len(), one[0].depth, one[0].id), (1, 0.125, 0));
    }

    /// In the plane of the side, by the frame of the hull: gravity along a direction that is off by 1e-11 would let the cylinder
    /// creep.
    #[test]
    fn a_cylinder_on_a_rounded_hull_is_pushed_out_along_the_normal_of_the_side() {
        let corners: Vec<Point> =
            (0..8).map(|k| [0, 1, 2].map(|axis| f64::from(2 * (k >> axis & 1) - 1)).into()).collect();
        let (mut inexact, mut count) = (0, 0);
        for turn in 0..40 {
            let angle = f64::from(turn);
            let place = Pose::new(Vector::new(0.3, -0.2, 0.1), Vector::new(0.1, 0.07, -0.05) * angle);
            let floor = Convex::new(place, &corners).unwrap().with_radius(0.125).unwrap();
            // Lies along x, rotated about the normal and about its own axis.
            let lying = Pose::new(Vector::y() * (1.125 + 0.25 - 1e-5), Vector::y() * (0.37 * angle))
                * Pose::new(Vector::zeros(), Vector::z() * std::f64::consts::FRAC_PI_2)
                * Pose::new(Vector::zeros(), Vector::y() * (0.11 * angle));
            let cylinder = Cylinder::new(place * lying, 0.25, 1.0).unwrap();
            let [a, b] = [&cylinder as &dyn Geometry, &floor].map(|shape| ConvexBody::new(shape).unwrap());
            let up = place.rotation * Vector::y();
            let find = |manifold: bool| {
                let mut out = CollisionData::new();
                let mut detector = with(ConvexSettings { manifold, ..ConvexSettings::default() });
                detector.detect(a, b, &Context::new(), &mut out);
                out.contacts
            };
            let off = |contact: &Contact| (Vector::from(contact.direction) - up).norm();
            let contacts = find(true);
            assert_eq!(contacts.len(), 2, "{turn}");
            for contact in &contacts {
                assert!(off(contact) < 1e-14 && (contact.depth - 1e-5).abs() < 1e-14, "{turn}: {contact:?}");
                let own = place.inverse() * Point::from(contact.b.point);
                assert!((own.y - 1.125).abs() < 1e-14, "{turn}: {own}");
            }
            inexact += u32::from(off(&find(false)[0]) > 1e-13);
            count += 1;
        }
        assert!(2 * inexact > count, "{inexact} of {count} queries are off by themselves");
    }

    /// Rocks from corner to corner while it settles.
    fn rocking(step: usize) -> Pose {
        let lean = [[1.0, 0.3], [-1.0, 0.3], [-0.3, -1.0], [1.0, -0.3]][step % 4];
        let turn = Vector::new(lean[0], 0.0, lean[1]) * 1e-3;
        Pose::new(Vector::new(0.5, -0.01, 0.25), turn)
    }

    #[test]
    fn a_box_that_settles_gathers_four_points_and_one_that_leaves_loses_them() {
        let settings = ConvexSettings { accumulate: true, ..ConvexSettings::default() };
        let mut detector = with(settings);
        let counts: Vec<usize> = (0..4).map(|step| contacts(&mut detector, rocking(step)).len()).collect();
        assert_eq!(counts, [1, 2, 3, 4]);
        let before: Vec<u64> = contacts(&mut detector, rocking(4)).iter().map(|contact| contact.id).collect();
        let settled = contacts(&mut detector, Pose::translation(0.5, -0.01, 0.25));
        assert_eq!(settled.len(), 4);
        let mut ids: Vec<u64> = settled.iter().map(|contact| contact.id).collect();
        let mut known = before.clone();
        ids.sort_unstable();
        known.sort_unstable();
        assert_eq!(ids, known, "a point keeps its id");
        for contact in &settled {
            let between = Vector::from(contact.b.point) - Vector::from(contact.a.point);
            assert!((between - Vector::from(contact.direction) * contact.depth).norm() < 1e-15);
            assert!((contact.depth - 0.01).abs() < 2e-3);
        }
        // Sliding by more than the threshold drops all but the new point; so does separating.
        assert_eq!(contacts(&mut detector, Pose::translation(0.7, -0.01, 0.25)).len(), 1);
        assert!(contacts(&mut detector, Pose::translation(0.7, 1.0, 0.25)).is_empty());
        assert_eq!(contacts(&mut detector, rocking(0)).len(), 1);
        contacts(&mut detector, rocking(1));
        PairDetector::reset(&mut detector);
        assert_eq!(contacts(&mut detector, rocking(2)).len(), 1, "forgotten");
    }
}
