//! A pair that cannot be detected is an error when it is bound, and the error names both kinds.

use palpate_detect::{Choice, DetectError, Registry};
use palpate_geometry::{Compound, Geometry, GeometryKind, Sphere, Version};
use palpate_math::{Aabb, Point};
use palpate_tests::Random;
use palpate_tests::generate::generate;

/// A geometry of a kind for which there is no shape yet, or of a user's own.
struct Foreign(GeometryKind);

impl Geometry for Foreign {
    fn kind(&self) -> GeometryKind {
        self.0.clone()
    }

    fn bounds(&self) -> Aabb {
        Aabb::from_point(Point::origin())
    }

    fn version(&self) -> Version {
        Version::default()
    }
}

/// One of each kind except compounds, and one of a user's kind.
fn one_of_each() -> Vec<Box<dyn Geometry>> {
    let mut random = Random::new(9);
    let users = GeometryKind::new("bezier_patch");
    let kinds = GeometryKind::ORDER.into_iter().chain([users]);
    kinds
        .filter(|kind| *kind != GeometryKind::COMPOUND)
        .map(|kind| match generate(&kind, 1.0, &mut random) {
            Ok(shape) => shape.prepared(),
            Err(_) => Box::new(Foreign(kind)) as Box<dyn Geometry>,
        })
        .collect()
}

// Proves: REQ-NO-SILENCE
#[test]
fn every_pair_of_kinds_binds_or_is_refused_by_name() {
    let registry = Registry::standard();
    let geometries = one_of_each();
    let (mut bound, mut refused) = (0, 0);
    for a in &geometries {
        for b in &geometries {
            let (a, b) = (a.as_ref(), b.as_ref());
            match registry.bind(a, b, Choice::default()) {
                Ok(found) => {
                    bound += 1;
                    let exchanged =
                        registry.bind(b, a, Choice::default()).expect("it binds with exchanged inputs");
                    assert_eq!(found.name(), exchanged.name());
                }
                Err(error) => {
                    refused += 1;
                    let silent =
                        matches!(error, DetectError::NoDetector { .. } | DetectError::Refused { .. });
                    assert!(silent, "{error:?}");
                    let text = error.to_string();
                    assert!(text.contains(a.kind().name()) && text.contains(b.kind().name()), "{text}");
                    assert!(registry.bind(b, a, Choice::default()).is_err());
                }
            }
        }
    }
    // A user's kind against everything, and two planes.
    assert!(bound > 60 && refused >= 24, "{bound} bound, {refused} refused");
}

/// A compound can be bound if its child can, and is refused with the child's own error otherwise.
// Proves: REQ-NO-SILENCE
#[test]
fn a_compound_binds_as_its_child_does() {
    let registry = Registry::standard();
    let child = || Sphere::new(Point::origin(), 1.0).expect("a sphere");
    let compound = Compound::default().with(child());
    for other in &one_of_each() {
        let of_child = registry.bind(&child(), other.as_ref(), Choice::default());
        let exchanged = registry.bind(other.as_ref(), &compound, Choice::default());
        match (of_child.err(), registry.bind(&compound, other.as_ref(), Choice::default()).err()) {
            (None, None) => assert!(exchanged.is_ok()),
            (Some(own), Some(DetectError::Child { children, source })) => {
                assert_eq!((children.as_str(), *source), ("child 0 of the first geometry", own));
                assert!(exchanged.is_err());
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A named detector accepts the kinds of its row, and refuses all others with both names.
// Proves: REQ-NO-SILENCE
#[test]
fn a_named_detector_refuses_other_kinds_by_name() {
    let registry = Registry::standard();
    let geometries = one_of_each();
    for entry in registry.detectors() {
        for a in &geometries {
            for b in &geometries {
                let (a, b) = (a.as_ref(), b.as_ref());
                let fits = (entry.a.takes(a) && entry.b.takes(b)) || (entry.a.takes(b) && entry.b.takes(a));
                match registry.bind(a, b, Choice::named(entry.name)) {
                    Ok(_) => assert!(fits, "{} took {} and {}", entry.name, a.kind(), b.kind()),
                    Err(error) => {
                        let text = error.to_string();
                        assert!(!fits, "{text}");
                        assert!(text.contains(a.kind().name()) && text.contains(b.kind().name()), "{text}");
                    }
                }
            }
        }
    }
}

// Proves: REQ-NO-SILENCE, REQ-SELF-CONTACT
#[test]
fn self_contact_binds_or_is_refused_by_name() {
    let registry = Registry::standard();
    let mut bound = 0;
    for geometry in &one_of_each() {
        match registry.bind_self(geometry.as_ref(), Choice::default()) {
            Ok(_) => bound += 1,
            Err(error) => assert!(error.to_string().contains(geometry.kind().name()), "{error}"),
        }
    }
    assert!(bound > 0);
}
