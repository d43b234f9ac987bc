//! Implicit body against implicit body.

use crate::pairs::ImplicitSettings;
use crate::pairs::implicit::implicit_contact::{Reach, flags_of, flags_of_nothing, flags_of_search};
use crate::pairs::implicit::implicit_convex::ImplicitConvex;
use crate::port::{BoundedLipschitzBody, SolidView};
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Feature};
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::implicit::internal::{CylinderDomain, Solid};
use palpate_geometry::{Cylinder, ImplicitBody, OrientedBox, Pose};

/// Two implicit bodies: the point of the smaller one, interior included, where the function of the larger one is
/// minimal, by a certified search: over boxes and cylinders as [`ImplicitConvex`] does, over other convex bodies
/// likewise, over others by dividing space. The smaller body is the one whose box in its own frame has the
/// shorter diagonal; in a tie the second.
#[derive(Default)]
pub struct ImplicitImplicit {
    convex: ImplicitConvex,
}

impl PairDetector for ImplicitImplicit {
    type A = BoundedLipschitzBody;
    type B = BoundedLipschitzBody;
    type Settings = ImplicitSettings;

    const NAME: &'static str = "implicit_implicit";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one: both are solids",
        method: "the certified minimum of the larger body's function over the smaller body: by support \
            points, by outer approximation for intersections and differences, box by box for \
            grids, else by branch and bound",
        cost: "some hundred evaluations of both functions; some thousand where branch and bound decides",
        source: "Macklin and others 2020, Local optimization for robust signed distance field collision; \
            Horst and Tuy, Global Optimization; Piyavskii 1972; Everett 1963",
    };

    fn new(settings: ImplicitSettings) -> Self {
        Self { convex: ImplicitConvex::with_tolerance(settings.tolerance) }
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: &ImplicitBody,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let a_is_smaller = diagonal(a) < diagonal(b);
        let (large, small) = if a_is_smaller { (b, a) } else { (a, b) };
        let reach = Reach { body: large, radius: 0.0, context };
        let near = large.sublevel_bounds(0.0).grown(context.margin());
        let Some(root) =
            small.as_function().oriented_bounds().filter(|_| near.overlaps(&small.sublevel_bounds(0.0)))
        else {
            return Status::default();
        };
        self.convex.search.relative_to(small.radius().min(large.radius()));
        let found = match solid_of(small).filter(|_| large.as_function().rounded_circle().is_none()) {
            Some(solid) => self.convex.least(large, solid, reach.cutoff()),
            None => self.convex.search.below_in_body(large, small, &root, reach.cutoff()),
        };
        let Some(found) = found else { return flags_of_nothing(&self.convex.search).into() };
        let contact = reach.at_minimum(&found, diagonal(small), 0, Feature::point);
        out.push(if a_is_smaller { contact.mirrored() } else { contact });
        (flags_of(large, found.sample.value) | flags_of_search(&found)).into()
    }
}

/// Returns the solid of a body whose function is a box or a cylinder.
fn solid_of(body: &ImplicitBody) -> Option<SolidView<'_>> {
    let described = body.function().describe()?;
    let scale = body.scale();
    let placed = |local: &Pose| {
        let mut local = *local;
        local.translation.vector *= scale;
        body.pose() * local
    };
    let distance = Solid::new(body, body.sublevel_bounds(0.0))
        .with_oriented_bounds(body.as_function().oriented_bounds());
    if let Some(own) = described.own::<OrientedBox>() {
        let half_extents = own.half_extents() * scale;
        return Some(SolidView::Box { pose: placed(own.pose()), half_extents, distance });
    }
    let own: &Cylinder = described.own()?;
    let domain = CylinderDomain::at(&placed(own.pose()), own.radius() * scale, 0.5 * own.length() * scale);
    Some(SolidView::Cylinder { domain, distance })
}

/// Returns the diagonal of the body's box in its own frame, which is invariant under motion.
fn diagonal(body: &ImplicitBody) -> f64 {
    body.function().sublevel_bounds(0.0).diagonal_length() * body.scale()
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Contact;
    use palpate_geometry::implicit::{Intersection, Torus};
    use palpate_geometry::{Capsule, Sphere};
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    fn body(function: impl ImplicitFunction + 'static) -> ImplicitBody {
        ImplicitBody::new(Pose::identity(), Arc::new(function)).unwrap()
    }

    fn contact(a: &ImplicitBody, b: &ImplicitBody) -> Option<Contact> {
        let mut out = CollisionData::new();
        let status = ImplicitImplicit::default().detect(a, b, &Context::new(), &mut out);
        assert!(status.flags.is_empty() || !out.is_empty());
        out.contacts.first().copied()
    }

    #[test]
    fn a_link_of_a_chain_touches_where_it_hangs() {
        let ring = body(Torus::new(Pose::identity(), 3.0, 0.5).unwrap());
        let turned = palpate_geometry::pose::rotation_from_axis(Vector::z()).unwrap();
        let link = |x: f64| {
            let pose = palpate_geometry::pose::from_rotation(Point::new(x, 0.0, 0.0), turned).unwrap();
            body(Torus::new(pose, 2.0, 0.5).unwrap())
        };
        // Their circles pass through each other's centres: at 4.25 the tubes' axes are 0.75 apart.
        let found = contact(&ring, &link(4.25)).unwrap();
        assert!((found.depth - 0.25).abs() < 1e-9, "{found:?}");
        assert!(contact(&ring, &link(3.0)).is_none(), "linked, but not touching");
    }

    #[test]
    fn of_two_the_smaller_is_searched_whichever_comes_first() {
        let large = body(Sphere::new(Point::origin(), 2.0).unwrap());
        let small = body(Capsule::new(Pose::translation(2.25, 0.0, 0.0), 0.5, 1.0).unwrap());
        let (one, other) = (contact(&large, &small).unwrap(), contact(&small, &large).unwrap());
        assert!((one.depth - 0.25).abs() < 1e-9 && one.same_bits(&other.mirrored()));
        assert!((Vector::from(one.direction) + Vector::x()).norm() < 1e-4);
    }

    #[test]
    fn in_the_hollow_of_a_shell_there_is_room() {
        let ball =
            |r: f64| -> Arc<dyn ImplicitFunction> { Arc::new(Sphere::new(Point::origin(), r).unwrap()) };
        let shell = body(Intersection::difference(vec![ball(4.0), ball(3.0)]).unwrap());
        let inside = |x: f64| body(Sphere::new(Point::new(x, 0.0, 0.0), 1.0).unwrap());
        assert!(contact(&shell, &inside(1.0)).is_none());
        assert!((contact(&shell, &inside(2.25)).unwrap().depth - 0.25).abs() < 1e-9);
    }
}
