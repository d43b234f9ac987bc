//! A user's geometry that holds an implicit body has the detectors of implicit bodies.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::implicit::{Torus, Union};
use palpate_geometry::{
    Geometry, GeometryKind, ImplicitBody, LineMesh, Needs, OrientedBox, Pose, Sphere, Version,
};
use palpate_math::{Aabb, Point, Vector};
use std::sync::Arc;

/// Rings of wire.
struct Stent(ImplicitBody);

impl Geometry for Stent {
    fn kind(&self) -> GeometryKind {
        GeometryKind::new("stent")
    }

    fn bounds(&self) -> Aabb {
        Geometry::bounds(&self.0)
    }

    fn version(&self) -> Version {
        self.0.version()
    }

    fn as_implicit_body(&self) -> Option<&dyn Geometry> {
        Some(&self.0)
    }
}

/// A ring beside the others.
fn ring(x: f64) -> ImplicitBody {
    let ring = Torus::new(Pose::translation(x, 0.1, 0.0), 0.5, 0.2).unwrap();
    ImplicitBody::new(Pose::identity(), Arc::new(ring)).unwrap()
}

fn rings() -> ImplicitBody {
    let ring = |y: f64| -> Arc<dyn palpate_geometry::implicit::ImplicitFunction> {
        Arc::new(Torus::new(Pose::translation(0.0, y, 0.0), 1.0, 0.1).unwrap())
    };
    let rings = Union::new(vec![ring(-0.3), ring(0.0), ring(0.3)]).unwrap();
    ImplicitBody::new(Pose::identity(), Arc::new(rings)).unwrap()
}

#[test]
fn its_contacts_are_those_of_the_body_that_it_holds() {
    let (stent, body) = (Stent(rings()), rings());
    let mut thread =
        LineMesh::new(vec![Point::new(-2.0, 0.05, 0.0), Point::new(2.0, 0.3, 0.1)], vec![[0, 1]]).unwrap();
    thread.prepare(Needs::TREE);
    let others: [Box<dyn Geometry>; 4] = [
        Box::new(Sphere::new(Point::new(1.1, 0.0, 0.1), 0.2).unwrap()),
        Box::new(OrientedBox::new(Pose::translation(1.2, 0.1, 0.0), Vector::repeat(0.2)).unwrap()),
        Box::new(thread),
        Box::new(ring(0.6)),
    ];
    let registry = Registry::standard();
    for other in &others {
        let found = |stent: &dyn Geometry| {
            let mut out = CollisionData::new();
            let mut bound = registry.bind(stent, other.as_ref(), Choice::default()).unwrap();
            bound.run(stent, other.as_ref(), &Context::new(), &mut out).unwrap();
            out
        };
        let (of_stent, of_body) = (found(&stent), found(&body));
        assert!(of_stent.same_bits(&of_body) && !of_body.is_empty(), "{}", other.kind());
    }
}
