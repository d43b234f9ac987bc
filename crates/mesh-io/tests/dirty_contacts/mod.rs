//! Contacts of dirty surfaces: the laws of solids hold, or the pair is flagged.

use crate::winding::turns;
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Choice, Context, Flags, Registry};
use palpate_geometry::{Capsule, Geometry, OrientedBox, Pose, Sphere, SurfaceMesh};
use palpate_math::{Point, Vector};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The laws, as they are counted.
pub(crate) const LAWS: [&str; 4] = ["least exit", "seen", "steady", "in place"];

/// How often a surface and a body were looked at, how often they had contacts, and how often each law did not hold.
#[derive(Default)]
pub(crate) struct Judged {
    pub(crate) cases: usize,
    pub(crate) touching: usize,
    pub(crate) broken: [usize; 4],
    /// Cases in which a law did not hold and the pair was not flagged.
    pub(crate) silent: usize,
}

/// A body of a size, with a point of it, at a place.
fn body(kind: usize, size: f64, at: &Point, tool: &SurfaceMesh) -> (Box<dyn Geometry>, Point) {
    let pose = Pose::new(at.coords, Vector::new(0.3, -1.1, 0.7));
    match kind {
        0 => (Box::new(Sphere::new(*at, size).unwrap()), *at),
        1 => (Box::new(Capsule::new(pose, 0.4 * size, 3.0 * size).unwrap()), *at),
        2 => (Box::new(OrientedBox::new(pose, Vector::new(size, 0.5 * size, 0.8 * size)).unwrap()), *at),
        _ => {
            let bounds = tool.bounds();
            let scale = 2.0 * size / bounds.size().norm();
            let place = |p: &Point| pose * Point::from((p - bounds.center()) * scale);
            let placed: Vec<Point> = tool.points().positions().iter().map(place).collect();
            let first = placed[0];
            (Box::new(SurfaceMesh::new(placed, tool.triangles().to_vec()).unwrap()), first)
        }
    }
}

/// How far a geometry reaches along a direction.
fn reach(geometry: &dyn Geometry, along: &Vector) -> f64 {
    match (geometry.as_convex(), geometry.as_points()) {
        (Some(shape), _) => shape.support_map().support(along).coords.dot(along),
        (None, Some(points)) => {
            points.positions().iter().map(|p| p.coords.dot(along)).fold(f64::NEG_INFINITY, f64::max)
        }
        (None, None) => f64::INFINITY,
    }
}

fn detect(mesh: &SurfaceMesh, body: &mut dyn Geometry) -> (Vec<Contact>, Flags) {
    let mut bound = Registry::standard().bind(mesh, body, Choice::default()).unwrap();
    let [needs, of_body] = bound.needs();
    let mut mesh = mesh.clone();
    mesh.prepare(needs);
    body.prepare(of_body);
    let mut out = CollisionData::new();
    let status = bound.run(&mesh, body, &Context::new(), &mut out).unwrap();
    (out.contacts, status.flags)
}

fn deepest(contacts: &[Contact]) -> f64 {
    contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max)
}

/// Puts bodies near a surface and looks whether the laws hold.
pub(crate) fn judge(mesh: &SurfaceMesh, tool: &SurfaceMesh, poses: usize, random: &mut ChaCha8Rng) -> Judged {
    let (mut judged, whole) = (Judged::default(), mesh.bounds().size().norm());
    let tolerance = 1e-9 * whole;
    for pose in 0..poses {
        let corners = mesh.corners(random.random_range(0..mesh.triangles().len() as u32));
        let size = whole * random.random_range(0.01..0.08);
        let mut off = |reach: f64| [0; 3].map(|_| random.random_range(-reach..reach));
        let at = corners[0] + Vector::from(off(0.06 * whole));
        let step = Vector::from(off(0.2 * size));
        let (mut one, inner) = body(pose % 4, size, &at, tool);
        let (mut moved, _) = body(pose % 4, size, &(at + step), tool);
        let [(contacts, flags), (after, _)] = [&mut one, &mut moved].map(|body| detect(mesh, body.as_mut()));
        let is_too_deep = |contact: &Contact| {
            let u = Vector::from(contact.direction);
            contact.depth > reach(one.as_ref(), &u) + reach(mesh, &-u) + tolerance
        };
        let turns = turns(&inner, mesh).abs();
        let is_unseen = turns > 0.5 + 1e-6 && contacts.is_empty();
        let change = (deepest(&contacts) - deepest(&after)).abs();
        let is_off = |contact: &Contact| {
            let weights =
                contact.a.weights.iter().zip(contact.a.vertices).take(contact.a.vertex_count as usize);
            let place = weights.fold(Vector::zeros(), |sum, (weight, vertex)| {
                sum + mesh.points().positions()[vertex as usize].coords * *weight
            });
            (place - Vector::from(contact.a.point)).norm() > tolerance
        };
        let broken = [
            contacts.iter().any(is_too_deep),
            is_unseen,
            change > step.norm() + tolerance,
            contacts.iter().any(is_off),
        ];
        judged.cases += 1;
        judged.touching += usize::from(!contacts.is_empty());
        judged.broken.iter_mut().zip(broken).for_each(|(count, broken)| *count += usize::from(broken));
        let is_flagged = flags.contains(Flags::WINDING_NUMBER)
            && (!mesh.is_self_intersecting() || flags.contains(Flags::SELF_INTERSECTING));
        judged.silent += usize::from(broken.contains(&true) && !is_flagged);
        assert!(is_flagged, "a dirty surface is flagged: {flags:?}");
    }
    judged
}
