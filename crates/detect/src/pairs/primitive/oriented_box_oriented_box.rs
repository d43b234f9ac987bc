//! Oriented box against oriented box.

use crate::convex_body::placed;
use crate::pairs::ManifoldSettings;
use crate::pairs::primitive::manifold_points::{exactly, in_reach, own_point, push_points};
use crate::{About, Context, Flags, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_convex::{Cuboid, Manifold, Memory, Settings, contact};
use palpate_geometry::OrientedBox;
use palpate_math::{Vector, separating_axis};

/// Oriented box against oriented box: the best of fifteen separating axes if they overlap, and the clipped corners of
/// the two opposing faces. Boxes separated by less than the margin are handled by GJK.
pub struct OrientedBoxOrientedBox {
    settings: ManifoldSettings,
    memory: Memory<Vector>,
}

impl PairDetector for OrientedBoxOrientedBox {
    type A = OrientedBox;
    type B = OrientedBox;
    type Settings = ManifoldSettings;

    const NAME: &'static str = "oriented_box_oriented_box";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "four",
        sides: "one: both are solids",
        method: "overlapping: the best of fifteen separating axes, face axes before edge axes; separated \
            by less than the margin: GJK; manifold of the two opposing faces, the deepest first, then by \
            id",
        cost: "O(1)",
        source: "Gottschalk, Lin, Manocha 1996; Sutherland, Hodgman 1974",
    };

    fn new(settings: ManifoldSettings) -> Self {
        Self { settings, memory: Memory::default() }
    }

    fn detect(
        &mut self,
        a: &OrientedBox,
        b: &OrientedBox,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let poses = [placed(a.pose()), placed(b.pose())];
        let cuboids = [a, b].map(|solid| Cuboid { half_extents: solid.half_extents() });
        let b_in_a = poses[0].relative(&poses[1]);
        let axis = separating_axis(
            &cuboids[0].half_extents,
            &cuboids[1].half_extents,
            &b_in_a.rotation,
            &b_in_a.translation,
            context.margin(),
        );
        if axis.separation > context.margin() {
            return Status::default();
        }
        let (first, second) = ((&cuboids[0], &poses[0]), (&cuboids[1], &poses[1]));
        if axis.separation <= 0.0 {
            let direction = poses[0].rotation * axis.direction;
            // Overlapping boxes always share a corner as deep as the boxes: its position is not known yet.
            let found = exactly(poses[0].translation, -axis.separation, direction);
            let is_known = Manifold::visit(first, second, &found, context.margin(), |points| {
                let is_known = points[0].id != 0;
                if is_known {
                    let count = if self.settings.manifold { points.len() } else { 1 };
                    push_points(out, &found, &points[..count]);
                }
                is_known
            });
            if is_known {
                return Status::default();
            }
        }
        let found = contact(first, second, &mut self.memory, &Settings::default());
        if let Some(found) = in_reach(found, context) {
            if self.settings.manifold {
                Manifold::visit(first, second, &found, context.margin(), |points| {
                    push_points(out, &found, points);
                });
            } else {
                push_points(out, &found, &[own_point(&found)]);
            }
        }
        if found.status.converged() { Status::default() } else { Flags::ITERATION_LIMIT.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Contact;
    use palpate_geometry::Pose;
    use std::f64::consts::FRAC_PI_4;

    fn contacts(pose: Pose, margin: f64) -> Vec<Contact> {
        let solid = |pose| OrientedBox::new(pose, Vector::repeat(1.0)).unwrap();
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(margin);
        let mut detector = OrientedBoxOrientedBox::new(ManifoldSettings::default());
        detector.detect(&solid(pose), &solid(Pose::identity()), &context, &mut out);
        out.contacts
    }

    #[test]
    fn a_box_on_a_box_has_four_points_and_touching_counts() {
        for (height, depth) in [(1.875, 0.125), (2.0, 0.0)] {
            let found = contacts(Pose::translation(0.5, height, 0.25), 0.0);
            assert_eq!(found.len(), 4);
            for contact in &found {
                assert_eq!((contact.depth, contact.direction), (depth, [0.0, 1.0, 0.0]));
                assert_eq!((contact.a.cell, contact.b.cell, contact.b.point[1]), (3, 2, 1.0));
            }
        }
    }

    #[test]
    fn apart_there_are_points_within_the_margin_alone() {
        let apart = Pose::translation(0.5, 2.25, 0.25);
        assert!(contacts(apart, 0.0).is_empty());
        let found = contacts(apart, 0.5);
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|contact| contact.depth == -0.25));
    }

    /// Both on an edge, crossed: each extends by √2 toward the other.
    #[test]
    fn crossed_edges_have_one_point() {
        let lower = Pose::rotation(Vector::z() * FRAC_PI_4);
        let upper = Pose::new(Vector::y() * (2.0 * 2.0_f64.sqrt() - 0.125), Vector::x() * FRAC_PI_4);
        let found = contacts(lower.inverse() * upper, 0.0);
        assert_eq!(found.len(), 1);
        assert!((found[0].depth - 0.125).abs() < 1e-14);
        let middle = lower * palpate_math::Point::from(found[0].a.point);
        assert!((middle.coords - Vector::y() * (2.0_f64.sqrt() - 0.125)).norm() < 1e-14);
    }
}
