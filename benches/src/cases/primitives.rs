//! Pairs of primitives: time per pair, framework included.

use crate::inputs::{Posed, Primitive};
use crate::sample::Sample;
use crate::workload::BoundPair;
use crate::{Case, Fallible, Workload};
use palpate::contact::CollisionData;
use palpate::detect::Registry;
use palpate::math::{Aabb, Point};
use parry3d_f64::query::contact;

/// How many pairs one pass runs through: more than a branch predictor remembers.
const PAIRS: usize = 1_000;

/// How far the second primitive's centre may be from the first one's, in metres.
const SPREAD: f64 = 0.05;

/// Every pair of primitives, touching (`hit`) and apart (`miss`). The boxes overlap in both: a broad phase has passed.
pub fn primitives() -> Vec<Case> {
    macro_rules! cases {
        ($($name:ident: $a:ident, $b:ident;)*) => {
            vec![$(
                Case {
                    name: stringify!($name),
                    input: "hit",
                    size: PAIRS,
                    item: "pair",
                    make: |size| make(stringify!($name), [Primitive::$a, Primitive::$b], true, size),
                },
                Case {
                    name: stringify!($name),
                    input: "miss",
                    size: PAIRS,
                    item: "pair",
                    make: |size| make(stringify!($name), [Primitive::$a, Primitive::$b], false, size),
                },
            )*]
        };
    }
    cases! {
        sphere_sphere: Sphere, Sphere;
        sphere_capsule: Sphere, Capsule;
        sphere_cylinder: Sphere, Cylinder;
        sphere_oriented_box: Sphere, OrientedBox;
        capsule_capsule: Capsule, Capsule;
        capsule_oriented_box: Capsule, OrientedBox;
        oriented_box_oriented_box: OrientedBox, OrientedBox;
        plane_sphere: Plane, Sphere;
        plane_capsule: Plane, Capsule;
        plane_cylinder: Plane, Cylinder;
        plane_oriented_box: Plane, OrientedBox;
        plane_convex: Plane, OrientedBox;
        convex_convex: OrientedBox, OrientedBox;
    }
}

fn make(name: &'static str, kinds: [Primitive; 2], hit: bool, size: usize) -> Fallible<Workload> {
    let registry = Registry::standard();
    let mut sample = Sample::new(1);
    let mut out = CollisionData::new();
    let (mut bound, mut shapes) = (Vec::new(), Vec::new());
    while bound.len() < size {
        let [a, b] = pair(&mut sample, kinds)?;
        let mut candidate = BoundPair::new(&registry, name, a.palpate.clone(), b.palpate.clone())?;
        candidate.run(&mut out)?;
        let near: [Aabb; 2] = [a.palpate.bounds(), b.palpate.bounds()];
        if near[0].overlaps(&near[1]) && out.is_empty() != hit {
            bound.push(candidate);
            shapes.push((a.pose, a.parry, b.pose, b.parry));
        }
    }
    Ok(Workload::of_pairs_in_contact(size, bound).beside("contact", move || {
        let answers = shapes.iter().map(|(pose_a, a, pose_b, b)| contact(pose_a, &**a, pose_b, &**b, 0.0));
        answers.filter(|answer| matches!(std::hint::black_box(answer), Ok(Some(_)))).count()
    }))
}

fn pair(sample: &mut Sample, [a, b]: [Primitive; 2]) -> Fallible<[Posed; 2]> {
    let near = Point::from(sample.in_ball());
    Ok([a.sample(sample, near, 0.0)?, b.sample(sample, near, SPREAD)?])
}
