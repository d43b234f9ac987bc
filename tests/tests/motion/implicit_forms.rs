//! Edges, triangles and solids against implicit bodies whose first impact has a closed form.

use palpate_contact::{CollisionData, Contact, FeatureKind};
use palpate_detect::{Choice, Context, DetectError, Detection, Flags, Registry};
use palpate_geometry::implicit::{ImplicitFunction, Sample};
use palpate_geometry::{
    Capsule, Cylinder, Geometry, ImplicitBody, LineMesh, Needs, OrientedBox, Pose, Sphere, SurfaceMesh, pose,
};
use palpate_math::{Aabb, Point, Vector};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

fn continuous() -> Choice<'static> {
    Choice { detection: Detection::Continuous, ..Choice::default() }
}

fn contacts(a: &dyn Geometry, b: &dyn Geometry) -> Vec<Contact> {
    let mut out = CollisionData::new();
    let mut bound = Registry::standard().bind(a, b, continuous()).unwrap();
    let status = bound.run(a, b, &Context::new(), &mut out).unwrap();
    assert_eq!(status.flags, Flags::empty());
    out.contacts
}

fn only(a: &dyn Geometry, b: &dyn Geometry) -> Contact {
    let found = contacts(a, b);
    assert_eq!(found.len(), 1, "{found:#?}");
    found[0]
}

/// A time is no later than the true one, and earlier by no more than the tolerance of some steps.
fn check_time(found: f64, wanted: f64) {
    assert!(found <= wanted && found >= wanted - 1e-5, "{found}, wanted {wanted}");
}

fn ball() -> ImplicitBody {
    ImplicitBody::new(Pose::identity(), Arc::new(Sphere::new(Point::origin(), 1.0).unwrap())).unwrap()
}

/// A rod along x, a thousand times as long as thick.
fn thin_rod() -> ImplicitBody {
    let along = pose::from_rotation(Point::origin(), pose::rotation_from_axis(Vector::x()).unwrap()).unwrap();
    ImplicitBody::new(Pose::identity(), Arc::new(Capsule::new(along, 0.001, 2.0).unwrap())).unwrap()
}

fn falling<const N: usize>(corners: [[f64; 2]; N], from: f64, to: f64) -> [Vec<Point>; 2] {
    [from, to].map(|y| corners.map(|[x, z]| Point::new(x, y, z)).to_vec())
}

fn segment(ends: [[f64; 2]; 2], from: f64, to: f64) -> LineMesh {
    let [before, now] = falling(ends, from, to);
    let mut lines = LineMesh::polyline(now).unwrap();
    lines.set_previous(&before).unwrap();
    lines.prepare(Needs::all());
    lines
}

fn triangle(corners: [[f64; 2]; 3], from: f64, to: f64) -> SurfaceMesh {
    let [before, now] = falling(corners, from, to);
    let mut mesh = SurfaceMesh::new(now, vec![[0, 1, 2]]).unwrap();
    mesh.set_previous(&before).unwrap();
    mesh.prepare(Needs::all());
    mesh
}

#[test]
fn a_segment_and_a_triangle_fall_on_a_ball_between_their_vertices() {
    let found = only(&ball(), &segment([[-5.0, 0.0], [7.0, 0.0]], 3.0, -3.0));
    check_time(found.time_of_impact, 1.0 / 3.0);
    assert_eq!(found.b.feature_kind(), FeatureKind::Edge);
    assert!((found.b.weights[1] - 5.0 / 12.0).abs() < 1e-4, "{found:?}");
    assert!((found.depth - 4.0).abs() < 1e-5 && (found.direction[1] + 1.0).abs() < 1e-6, "{found:?}");
    let found = only(&ball(), &triangle([[-5.0, -4.0], [5.0, -4.0], [0.0, 6.0]], 3.0, -3.0));
    check_time(found.time_of_impact, 1.0 / 3.0);
    assert_eq!(found.b.feature_kind(), FeatureKind::Triangle);
    assert!((found.depth - 4.0).abs() < 1e-5, "{found:?}");
    // An edge that comes first has the contact, and the triangle none.
    let found = only(&ball(), &triangle([[-5.0, 0.0], [5.0, 0.0], [0.0, 6.0]], 3.0, -3.0));
    assert_eq!(found.b.feature_kind(), FeatureKind::Edge);
}

#[test]
fn what_is_thin_is_met_on_the_way() {
    // In one step from a metre above to a metre below a rod of 2 mm.
    let found = only(&thin_rod(), &segment([[0.3, -1.0], [0.3, 1.0]], 1.0, -1.0));
    check_time(found.time_of_impact, 0.4995);
    let found = contacts(&thin_rod(), &triangle([[-0.4, -1.0], [0.6, -1.0], [0.1, 1.0]], 1.0, -1.0));
    assert!(!found.is_empty());
    found.iter().for_each(|contact| check_time(contact.time_of_impact, 0.4995));
    // Beside it nothing.
    assert!(contacts(&thin_rod(), &segment([[1.002, -1.0], [1.002, 1.0]], 1.0, -1.0)).is_empty());
}

#[test]
fn solids_fall_on_a_ball() {
    let pose = |y: f64| Pose::translation(0.0, y, 0.0);
    let mut block = OrientedBox::new(pose(-4.0), Vector::repeat(0.5)).unwrap();
    block.set_previous_pose(pose(4.0)).unwrap();
    let mut drum = Cylinder::new(pose(-4.0), 0.3, 1.0).unwrap();
    drum.set_previous_pose(pose(4.0)).unwrap();
    let mut rod = Capsule::new(pose(-4.0), 0.1, 0.8).unwrap();
    rod.set_previous_pose(pose(4.0)).unwrap();
    let mut other = Sphere::new(Point::new(0.0, -4.0, 0.0), 0.5).unwrap();
    other.set_previous_pose(pose(4.0)).unwrap();
    for solid in [&block as &dyn Geometry, &drum, &rod, &other] {
        // All reach half a metre below their middle: contact when that is at 1.5 m.
        let found = only(&ball(), solid);
        check_time(found.time_of_impact, 2.5 / 8.0);
        assert!((found.depth - 5.5).abs() < 1e-4, "{}: {found:?}", solid.kind());
        assert!((found.direction[1] + 1.0).abs() < 1e-3, "{}: {found:?}", solid.kind());
    }
}

#[test]
fn a_rod_that_turns_hits_an_implicit_ball_at_a_known_angle() {
    let turned = |angle: f64| {
        let axis = pose::rotation_from_axis(Vector::x()).unwrap();
        pose::from_rotation(Point::origin(), Pose::rotation(Vector::z() * angle).rotation * axis).unwrap()
    };
    let (radius, distance, at) = (0.01, 1.9_f64, 0.7_f64);
    let mut rod = Capsule::new(turned(FRAC_PI_2), radius, 4.0).unwrap();
    rod.set_previous_pose(turned(0.0)).unwrap();
    let ball = Sphere::new(Point::origin(), 0.1).unwrap();
    let place = Pose::translation(distance * at.cos(), distance * at.sin(), 0.0);
    let ball = ImplicitBody::new(place, Arc::new(ball)).unwrap();
    let between = ((radius + 0.1) / distance).asin();
    check_time(only(&ball, &rod).time_of_impact, (at - between) / FRAC_PI_2);
}

/// A function with a sign alone.
struct Sign;

impl ImplicitFunction for Sign {
    fn sample(&self, point: &Point) -> Sample {
        let value = point.coords.norm_squared() - 1.0;
        Sample { value, gradient: point.coords * 2.0, feature: palpate_contact::NONE }
    }

    fn sublevel_bounds(&self, _: f64) -> Aabb {
        Aabb { min: Point::new(-1.0, -1.0, -1.0), max: Point::new(1.0, 1.0, 1.0) }
    }
}

#[test]
fn a_pair_without_a_proof_is_refused_when_it_is_bound() {
    let body = ImplicitBody::new(Pose::identity(), Arc::new(Sign)).unwrap();
    let block = OrientedBox::new(Pose::identity(), Vector::repeat(0.5)).unwrap();
    let lines = segment([[0.0, 0.0], [1.0, 0.0]], 1.0, -1.0);
    let registry = Registry::standard();
    for other in [&block as &dyn Geometry, &lines] {
        let refused = registry.bind(&body, other, continuous());
        assert!(matches!(refused, Err(DetectError::NoContinuousDetector { .. })));
    }
    let named = registry.bind(&body, &block, Choice::named("implicit_convex_ccd"));
    let Err(error) = named else { panic!("an implicit body without a Lipschitz constant") };
    assert!(error.to_string().contains("bounds the distance"), "{error}");
}
