//! Pairs of primitives: time per pair, framework included.

use crate::inputs::{Posed, Primitive};
use crate::sample::Sample;
use crate::workload::BoundPair;
use crate::{Case, Fallible, Workload};
use palpate::contact::CollisionData;
use palpate::detect::{Choice, Registry};
use palpate::geometry::Geometry;
use palpate::math::{Aabb, Point};
use parry3d_f64::glamx::DPose3;
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher, contact};
use parry3d_f64::shape::Shape;
use serde_json::json;
use std::sync::Arc;

/// Number of pairs in one pass: more than a branch predictor remembers.
const PAIRS: usize = 1_000;

/// Largest distance of the second primitive's centre from the first one's, in metres.
const SPREAD: f64 = 0.05;

/// The query for the pairs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// All points of touching pairs; parry's manifold.
    Points,
    /// The deepest point of touching pairs, by the setting `manifold`.
    Deepest,
    /// The same for a detector that reports only one point.
    OnlyPoint,
    /// Pairs that are apart.
    Nothing,
}

/// Every pair of primitives, touching (`hit`) and apart (`miss`). The boxes overlap in both, as after a broad
/// phase.
pub fn primitives() -> Vec<Case> {
    macro_rules! case {
        ($name:ident, $input:expr, $a:ident, $b:ident, $asked:ident) => {
            Case {
                name: stringify!($name),
                input: $input,
                size: PAIRS,
                item: "pair",
                make: |size| make(stringify!($name), [Primitive::$a, Primitive::$b], Asked::$asked, size),
            }
        };
    }
    macro_rules! single {
        ($($name:ident: $a:ident, $b:ident;)*) => {
            [$(
                case!($name, "hit", $a, $b, OnlyPoint),
                case!($name, "miss", $a, $b, Nothing),
            )*]
        };
    }
    macro_rules! manifold {
        ($($name:ident $which:literal: $a:ident, $b:ident;)*) => {
            [$(
                case!($name, concat!($which, "hit, all points"), $a, $b, Points),
                case!($name, concat!($which, "hit, the deepest"), $a, $b, Deepest),
                case!($name, concat!($which, "miss"), $a, $b, Nothing),
            )*]
        };
    }
    let single = single! {
        sphere_sphere: Sphere, Sphere;
        sphere_capsule: Sphere, Capsule;
        sphere_cylinder: Sphere, Cylinder;
        sphere_oriented_box: Sphere, OrientedBox;
        plane_sphere: Plane, Sphere;
    };
    let manifold = manifold! {
        plane_capsule "": Plane, Capsule;
        plane_cylinder "": Plane, Cylinder;
        plane_oriented_box "": Plane, OrientedBox;
        plane_convex "hull, ": Plane, Hull;
        capsule_capsule "": Capsule, Capsule;
        capsule_oriented_box "": Capsule, OrientedBox;
        oriented_box_oriented_box "": OrientedBox, OrientedBox;
        convex_convex "sphere and hull, ": Sphere, Hull;
        convex_convex "capsule and cylinder, ": Capsule, Cylinder;
        convex_convex "capsule and hull, ": Capsule, Hull;
        convex_convex "cylinders, ": Cylinder, Cylinder;
        convex_convex "cylinder and box, ": Cylinder, OrientedBox;
        convex_convex "cylinder and hull, ": Cylinder, Hull;
        convex_convex "box and hull, ": OrientedBox, Hull;
        convex_convex "hulls, ": Hull, Hull;
    };
    single.into_iter().chain(manifold).collect()
}

/// Two parry shapes at their poses.
type Shapes = [(DPose3, Box<dyn Shape>); 2];

fn make(name: &'static str, kinds: [Primitive; 2], asked: Asked, size: usize) -> Fallible<Workload> {
    let registry = Registry::standard();
    let mut sample = Sample::new(1);
    let mut out = CollisionData::new();
    let (mut pairs, mut shapes) = (Vec::new(), Vec::new());
    while pairs.len() < size {
        let [a, b] = pair(&mut sample, kinds)?;
        let geometries: [Arc<dyn Geometry>; 2] = [Arc::from(a.palpate), Arc::from(b.palpate)];
        let [first, second] = geometries.clone();
        BoundPair::new(&registry, name, first, second)?.run(&mut out)?;
        let near: [Aabb; 2] = geometries.each_ref().map(|geometry| geometry.bounds());
        if near[0].overlaps(&near[1]) && out.is_empty() == (asked == Asked::Nothing) {
            pairs.push(geometries);
            shapes.push([(a.pose, a.parry), (b.pose, b.parry)]);
        }
    }
    let workload = bound(&registry, name, asked, pairs)?;
    Ok(match asked {
        Asked::Points => workload.beside("contact_manifold", manifolds(shapes)),
        _ => workload.beside("contact", deepest(shapes)),
    })
}

fn bound(
    registry: &Registry,
    name: &str,
    asked: Asked,
    pairs: Vec<[Arc<dyn Geometry>; 2]>,
) -> Fallible<Workload> {
    let settings = json!({ "manifold": false });
    let choice = match asked {
        Asked::Deepest => Choice::named(name).with_settings(&settings),
        _ => Choice::named(name),
    };
    let [a, b] = pairs.first().ok_or("no pairs")?;
    Ok(Workload::of_strangers(registry.bind(&**a, &**b, choice)?, pairs))
}

fn deepest(shapes: Vec<Shapes>) -> impl FnMut() -> usize {
    move || {
        let answers =
            shapes.iter().map(|[(pose_a, a), (pose_b, b)]| contact(pose_a, &**a, pose_b, &**b, 0.0));
        answers.filter(|answer| matches!(std::hint::black_box(answer), Ok(Some(_)))).count()
    }
}

/// Each pair has a manifold that keeps its buffers, but not the points of the previous pass, which parry would only
/// update.
fn manifolds(shapes: Vec<Shapes>) -> impl FnMut() -> usize {
    let mut manifolds: Vec<ContactManifold<(), ()>> = shapes.iter().map(|_| ContactManifold::new()).collect();
    move || {
        let mut touching = 0;
        for ([(pose_a, a), (pose_b, b)], manifold) in shapes.iter().zip(&mut manifolds) {
            manifold.points.clear();
            let b_in_a = pose_a.inv_mul(pose_b);
            let asked = DefaultQueryDispatcher
                .contact_manifold_convex_convex(&b_in_a, &**a, &**b, None, None, 0.0, manifold);
            touching += usize::from(asked.is_ok() && !std::hint::black_box(&manifold.points).is_empty());
        }
        touching
    }
}

fn pair(sample: &mut Sample, [a, b]: [Primitive; 2]) -> Fallible<[Posed; 2]> {
    let near = Point::from(sample.in_ball());
    Ok([a.sample(sample, near, 0.0)?, b.sample(sample, near, SPREAD)?])
}
