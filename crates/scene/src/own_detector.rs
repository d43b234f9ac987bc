//! A detector of the caller's own for one pair, and the check of what it finds.

use crate::GeometryId;
use crate::object::Object;
use palpate_contact::{CollisionData, Contact, ContactKey, Feature, FeatureKind, NONE, Side};
use palpate_detect::{Bound, CollisionDetectionAlgorithm, Context, DetectError, Status, downcast};
use palpate_geometry::{Compound, Geometry, PointSet};
use std::fmt;
use std::sync::Arc;

/// Relative: how far the length of a direction may be from 1. A direction in `f32` is within it.
const UNIT_WITHIN: f64 = 1e-6;

type Make = dyn Fn([GeometryId; 2]) -> Box<dyn CollisionDetectionAlgorithm> + Send + Sync;

/// A detector of the caller's own for the pairs whose [options](crate::PairOptions) have it, in place of one of the registry.
///
/// It gets the geometries of the scene as they are, in the order of the pair, and writes contacts in the world frame: a geometry
/// that the scene has placed says where by [`Geometry::placement`]. It is asked when the boxes of the two are within the margin,
/// and one of the two has changed. Its contacts stay in its order, and are checked: finite points, unit directions, depths
/// within the margin, elements that the geometries have, and no two contacts with one key. What it refuses, or what the check
/// refuses, is the error of the step, with the names of the pair and of the detector; its contacts are then those of the last
/// step that succeeded.
#[derive(Clone)]
pub struct OwnDetector {
    name: Arc<str>,
    make: Arc<Make>,
}

impl OwnDetector {
    /// A detector of this name, for errors and recordings. `make` makes one without memory for every pair, from the ids of its
    /// sides A and B (equal for self-contact), and again when the pair is rebound: a geometry was replaced, or the scene
    /// restored. A replay needs a registered detector of this name.
    pub fn new(
        name: impl Into<String>,
        make: impl Fn([GeometryId; 2]) -> Box<dyn CollisionDetectionAlgorithm> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into().into(), make: Arc::new(make) }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The detector of a pair. Errors: settings, which it does not have.
    pub(crate) fn bind(&self, sides: [GeometryId; 2], has_settings: bool) -> Result<Bound, DetectError> {
        if has_settings {
            let reason = "found some: wanted none, it is the caller's own".to_owned();
            return Err(DetectError::Settings { name: self.name().to_owned(), reason });
        }
        Ok(Bound::of_own((self.make)(sides), sides[0] == sides[1]))
    }

    /// Replaces `out` by what the detector finds; `keys` is memory for the check.
    pub(crate) fn run(
        &self,
        (bound, keys): (&mut Bound, &mut Vec<ContactKey>),
        [a, b]: [&Object; 2],
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        let (first, second) = (&*a.geometry, &*b.geometry);
        let status = if bound.is_self() {
            bound.run_self(first, context, out)?
        } else {
            bound.run(first, second, context, out)?
        };
        let checked =
            check(&out.contacts, [first, second], context).and_then(|()| check_keys(&out.contacts, keys));
        checked.map_err(|reason| DetectError::Own { name: self.name().to_owned(), reason })?;
        Ok(status)
    }
}

impl fmt::Debug for OwnDetector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("OwnDetector").field(&self.name).finish()
    }
}

/// Two are equal if they make the same.
impl PartialEq for OwnDetector {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.make, &other.make)
    }
}

/// The name, for a reader of the options.
#[cfg(feature = "serde")]
impl serde::Serialize for OwnDetector {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name)
    }
}

/// A function cannot be read: always an error, which has the name.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for OwnDetector {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let text = format!(
            "found the detector {name} of the program that wrote this: wanted none; add it to the options"
        );
        Err(serde::de::Error::custom(text))
    }
}

/// Checks contacts. Errors: which one is wrong, what was found and what was wanted.
fn check(contacts: &[Contact], sides: [&dyn Geometry; 2], context: &Context<'_>) -> Result<(), String> {
    for (place, contact) in contacts.iter().enumerate() {
        let checked = check_numbers(contact, context).and_then(|()| {
            check_feature(&contact.a, sides[0], Side::A)?;
            check_feature(&contact.b, sides[1], Side::B)
        });
        checked.map_err(|reason| format!("contact {place} {reason}"))?;
    }
    Ok(())
}

/// No two contacts have one key. Errors: the id of two that have.
fn check_keys(contacts: &[Contact], keys: &mut Vec<ContactKey>) -> Result<(), String> {
    keys.clear();
    keys.extend(contacts.iter().map(Contact::key));
    keys.sort_unstable();
    match keys.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => {
            Err(format!("two contacts have the id {} with the same children: wanted another", two[0].id))
        }
        None => Ok(()),
    }
}

fn check_numbers(contact: &Contact, context: &Context<'_>) -> Result<(), String> {
    let Contact { direction, depth, depth_upper, time_of_impact, .. } = contact;
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length.is_nan() || (length - 1.0).abs() > UNIT_WITHIN {
        return Err(format!("has a direction of length {length}: wanted 1"));
    }
    if !(depth.is_finite() && context.reports(*depth)) {
        let margin = context.margin();
        return Err(format!("has the depth {depth}: wanted at least {} metres", -margin));
    }
    if !(depth_upper.is_finite() && depth_upper >= depth) {
        return Err(format!("has the depth_upper {depth_upper}: wanted at least its depth {depth}"));
    }
    if !(time_of_impact.is_nan() || (0.0..=1.0).contains(time_of_impact)) {
        return Err(format!("has the time_of_impact {time_of_impact}: wanted NaN, or from 0 to 1"));
    }
    Ok(())
}

/// The element of a side is one of the geometry, or of its child.
fn check_feature(feature: &Feature, geometry: &dyn Geometry, side: Side) -> Result<(), String> {
    let Feature { kind, vertex_count, vertices, child, weights, point, .. } = feature;
    let refused = |what: String| Err(format!("has on side {side:?} {what}"));
    if !point.iter().chain(weights).all(|x| x.is_finite()) {
        return refused("a point or weights that are not finite".to_owned());
    }
    let count = FeatureKind::ALL.get(*kind as usize).map(|kind| kind.vertex_count());
    if count != Some(*vertex_count) {
        return refused(format!(
            "{vertex_count} vertices for the kind {kind}: wanted as many as it has, kind 0 to 4"
        ));
    }
    let body = match (downcast::<Compound>(geometry), *child) {
        (Some(compound), child) => compound.child(child),
        (None, NONE) => Some(geometry),
        (None, _) => None,
    };
    let Some(body) = body else { return refused(format!("the child {child}, which is not there")) };
    let known = body.as_points().map_or(0, PointSet::len);
    let (used, rest) = vertices.split_at(*vertex_count as usize);
    if let Some(unknown) = used.iter().find(|&&id| id as usize >= known) {
        return refused(format!("the vertex {unknown}: wanted one of {known}"));
    }
    if rest.iter().any(|&id| id != NONE) {
        return refused(format!("vertices beyond its {vertex_count}: wanted {NONE} there"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::{PairOptions, Scene, SceneError};
    use palpate_geometry::{Needs, PointSet, Pose, Sphere};
    use palpate_math::{Point, Vector};
    use parking_lot::Mutex;

    /// Answers what it was given, and counts how often it was asked.
    #[derive(Clone, Default)]
    struct Given(Arc<Mutex<Answer>>);

    #[derive(Default)]
    struct Answer {
        contacts: Vec<Contact>,
        refuses: bool,
        asked: usize,
    }

    impl CollisionDetectionAlgorithm for Given {
        fn name(&self) -> &str {
            "given"
        }

        fn needs(&self) -> [Needs; 2] {
            [Needs::empty(); 2]
        }

        fn run(
            &mut self,
            _: &dyn Geometry,
            _: &dyn Geometry,
            _: &Context<'_>,
            out: &mut CollisionData,
        ) -> Result<Status, DetectError> {
            let mut answer = self.0.lock();
            answer.asked += 1;
            if answer.refuses {
                return Err(DetectError::Own { name: "given".to_owned(), reason: "as wanted".to_owned() });
            }
            out.contacts.extend(&answer.contacts);
            Ok(Status::default())
        }

        fn run_self(
            &mut self,
            a: &dyn Geometry,
            context: &Context<'_>,
            out: &mut CollisionData,
        ) -> Result<Status, DetectError> {
            self.run(a, a, context, out)
        }

        fn reset(&mut self) {}
    }

    impl Given {
        fn options(&self) -> PairOptions {
            let own = self.clone();
            PairOptions::default()
                .with_own_detector(OwnDetector::new("given", move |_| Box::new(own.clone())))
        }
    }

    fn touching(id: u64, depth: f64) -> Contact {
        let [a, b] =
            [Feature::vertex(0, NONE, Point::new(0.0, -depth, 0.0)), Feature::point(Point::origin())];
        Contact::exact(a, b, Vector::y(), depth, id)
    }

    fn scene(given: &Given) -> (Scene, GeometryId, crate::PairId) {
        let mut scene = Scene::standard();
        let points = PointSet::new(vec![Point::origin(), Point::new(0.0, 0.1, 0.0)]).unwrap();
        let cloud = scene.add("cloud", points).unwrap();
        let ball = scene.add("ball", Sphere::new(Point::new(0.0, -1.0, 0.0), 1.0).unwrap()).unwrap();
        let pair = scene.add_pair(cloud, ball, given.options()).unwrap();
        (scene, cloud, pair)
    }

    #[test]
    fn contacts_stay_in_the_order_and_the_frame_of_the_detector() {
        let given = Given::default();
        given.0.lock().contacts = vec![touching(9, 0.25), touching(3, 0.5)];
        let (mut scene, cloud, pair) = scene(&given);
        // A cloud that is placed by a pose: the contacts are not moved.
        scene.set_pose(cloud, Pose::translation(0.5, 0.0, 0.0)).unwrap();
        assert_eq!(scene.step().unwrap().contacts, 2);
        let found = scene.contacts(pair).unwrap();
        assert!(found.contacts.iter().zip(&given.0.lock().contacts).all(|(a, b)| a.same_bits(b)));
        assert_eq!(scene.pair(pair).unwrap().detector(), "given");
        assert_eq!(scene.pair(pair).unwrap().requested_detector(), Some("given"));
        // Asked again only when something has changed, and not where the two are apart.
        scene.step().unwrap();
        assert_eq!(given.0.lock().asked, 1);
        scene.set_pose(cloud, Pose::translation(0.0, 7.0, 0.0)).unwrap();
        assert_eq!(scene.step().unwrap().contacts, 0);
        assert_eq!(given.0.lock().asked, 1);
    }

    // Proves: REQ-C-OWN-DETECTOR
    #[test]
    fn what_cannot_be_a_contact_is_an_error_with_names_and_the_last_contacts_stay() {
        let given = Given::default();
        given.0.lock().contacts = vec![touching(1, 0.25)];
        let (mut scene, cloud, pair) = scene(&given);
        scene.step().unwrap();
        let with = |change: &dyn Fn(&mut Contact)| {
            let mut contact = touching(1, 0.25);
            change(&mut contact);
            vec![contact]
        };
        let wrong: [(Vec<Contact>, &str); 11] = [
            (with(&|c| c.direction = [0.0, 2.0, 0.0]), "contact 0 has a direction of length 2: wanted 1"),
            (with(&|c| c.direction[0] = f64::NAN), "a direction of length NaN"),
            (with(&|c| c.depth = -0.5), "has the depth -0.5: wanted at least -0 metres"),
            (with(&|c| c.depth_upper = 0.0), "has the depth_upper 0: wanted at least its depth 0.25"),
            (with(&|c| c.time_of_impact = 1.5), "has the time_of_impact 1.5"),
            (with(&|c| c.a.point[1] = f64::INFINITY), "has on side A a point or weights that are not finite"),
            (with(&|c| c.a.vertices[0] = 2), "has on side A the vertex 2: wanted one of 2"),
            (with(&|c| c.b = c.a), "has on side B the vertex 0: wanted one of 0"),
            (with(&|c| c.b.kind = 77), "has on side B 0 vertices for the kind 77"),
            (with(&|c| c.b.child = 0), "has on side B the child 0, which is not there"),
            (vec![touching(4, 0.1), touching(4, 0.2)], "two contacts have the id 4"),
        ];
        for (place, (contacts, text)) in wrong.into_iter().enumerate() {
            given.0.lock().contacts = contacts;
            scene.set_pose(cloud, Pose::translation(0.0, -1e-3 * (place as f64 + 1.0), 0.0)).unwrap();
            let refused = scene.step().unwrap_err().to_string();
            assert!(refused.starts_with("pair cloud:ball: detector given: "), "{refused}");
            assert!(refused.contains(text), "{refused}: wanted {text}");
            assert_eq!(scene.contacts(pair).unwrap().contacts[0].depth, 0.25);
        }
        given.0.lock().contacts = vec![touching(1, 0.125)];
        scene.step().unwrap();
        assert_eq!(scene.contacts(pair).unwrap().contacts[0].depth, 0.125);
    }

    #[test]
    fn a_failure_is_the_error_of_the_step_and_the_next_one_works() {
        let given = Given::default();
        given.0.lock().contacts = vec![touching(1, 0.25)];
        given.0.lock().refuses = true;
        let (mut scene, _, pair) = scene(&given);
        let SceneError::Pair { a, b, reason } = scene.step().unwrap_err() else { panic!("another error") };
        assert_eq!(
            (a.as_str(), b.as_str(), reason.to_string().as_str()),
            ("cloud", "ball", "detector given: as wanted")
        );
        given.0.lock().refuses = false;
        scene.step().unwrap();
        assert_eq!(scene.contacts(pair).unwrap().len(), 1);
    }

    #[test]
    fn pairs_are_bound_again_with_it_and_it_has_no_settings() {
        let given = Given::default();
        given.0.lock().contacts = vec![touching(1, 0.25)];
        let (mut scene, cloud, pair) = scene(&given);
        scene.step().unwrap();
        let saved = scene.save().unwrap();
        scene.replace(cloud, Box::new(Sphere::new(Point::origin(), 1.0).unwrap())).unwrap();
        assert!(scene.step().unwrap_err().to_string().contains("the vertex 0: wanted one of 0"));
        scene.restore(&saved).unwrap();
        scene.step().unwrap();
        assert_eq!((scene.contacts(pair).unwrap().len(), given.0.lock().asked), (1, 3));
        let refused = scene.set_settings(pair, serde_json::json!({})).unwrap_err().to_string();
        assert!(refused.contains("settings of detector given: found some: wanted none"), "{refused}");
        let itself = scene.add_pair(cloud, cloud, given.options()).unwrap();
        given.0.lock().contacts.iter_mut().for_each(|contact| contact.b = contact.a);
        assert_eq!(scene.step().unwrap().contacts, 2);
        assert!(scene.pair(itself).unwrap().is_self());
    }
}
