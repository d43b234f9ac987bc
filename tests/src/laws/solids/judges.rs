//! The laws of solids, each judged separately.

use super::case::{Answer, Runs, SolidCase};
use super::overlap::surely_overlap;
use super::solid::Solid;
use super::{Stand, directions, function};
use crate::Shape;
use crate::compound::Body;
use crate::oracle::is_closed;
use crate::random::Random;
use nalgebra::{Translation3, UnitQuaternion};
use palpate_contact::{Contact, Feature, FeatureKind};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use std::collections::{HashMap, HashSet};

/// Directions sampled in every case.
const DIRECTIONS: usize = 200;

/// Contacts of a result whose points are judged; if there are more, a sample.
const PLACES: usize = 48;

/// Overlap by which two bodies certainly share a point, relative to the size of the case.
const SHARED: f64 = 1e-8;

/// Rounding error of a depth of zero, relative to the size of the case.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Distance by which the segment of a contact may miss a body, relative to the depth.
const LEANING: f64 = 0.0625;

/// Small motions of a case.
const MOTIONS: usize = 5;

/// Steps of a sequence.
const STEPS: usize = 40;

/// A law by name, and its judge, which returns the number of items judged.
#[derive(Clone, Copy)]
pub struct SolidLaw {
    /// The name.
    pub name: &'static str,
    /// The judge.
    pub judge: fn(&mut Runs, &SolidCase) -> Result<usize, String>,
}

/// The laws of solids.
pub const SOLID_LAWS: [SolidLaw; 7] = [
    SolidLaw { name: "least exit", judge: least_exit },
    SolidLaw { name: "seen", judge: seen },
    SolidLaw { name: "steady", judge: steady },
    SolidLaw { name: "in place", judge: in_place },
    SolidLaw { name: "in both", judge: in_both },
    SolidLaw { name: "told apart", judge: told_apart },
    SolidLaw { name: "same meaning", judge: same_meaning },
];

/// Whether the function of a shape does not measure its penetration depth.
pub(crate) fn has_no_distance(shape: &Shape) -> bool {
    matches!(shape, Shape::Implicit { function, .. } if !function::is_distance_outside(function))
}

/// No contact is deeper than the overlap of the two bodies along any direction.
fn least_exit(runs: &mut Runs, case: &SolidCase) -> Result<usize, String> {
    // A sheet is not a solid: its detectors have their own rules.
    if case.stand == Stand::Sheet {
        return Ok(0);
    }
    let answer = runs.run()?;
    let mut judged = 0;
    for (children, a, b) in case.part_pairs() {
        if has_no_distance(&a.shape) || has_no_distance(&b.shape) {
            continue;
        }
        judged += exits(&answer, children, &a, &b, case.tolerance())?;
    }
    Ok(judged)
}

/// No contact of two parts is deeper than their overlap along any direction: the number of contacts.
pub(crate) fn exits(
    answer: &Answer,
    children: [u32; 2],
    a: &Solid,
    b: &Solid,
    slack: f64,
) -> Result<usize, String> {
    // Moving A along u by this much separates the two.
    let overlap = |u: &Vector| Some(b.reach(u)? + a.reach(&-u)?);
    let mut least = (f64::INFINITY, Vector::zeros());
    for direction in directions(DIRECTIONS) {
        match overlap(&direction) {
            Some(width) if width < least.0 => least = (width, direction),
            Some(_) => {}
            None => return Ok(0),
        }
    }
    let mut judged = 0;
    for contact in answer.of(children).filter(|contact| contact.depth > 0.0) {
        let own = Vector::from(contact.direction);
        for (width, along) in [(least.0, least.1), (overlap(&own).unwrap_or(f64::INFINITY), own)] {
            if contact.depth > width + slack {
                let deep = contact.depth;
                return Err(format!("{deep} deep, but along {along:?} they overlap by {width}: {contact:?}"));
            }
        }
        judged += 1;
    }
    Ok(judged)
}

/// Parts that certainly share a point have a contact.
fn seen(runs: &mut Runs, case: &SolidCase) -> Result<usize, String> {
    let answer = runs.run()?;
    let mut judged = 0;
    // Bodies that only touch do so within the rounding error of their coordinates.
    let rounding = if case.stand == Stand::Touching { ROUNDING * case.size() } else { 0.0 };
    for (children, a, b) in case.part_pairs() {
        let in_contact = answer.of(children).any(|contact| contact.depth >= -rounding);
        let shared = case.shared.contains(&children);
        judged += usize::from(shared);
        if shared && !in_contact {
            return Err(format!("parts {children:?} share a point: {:?}", deepest(&answer, children)));
        }
        if shared && case.stand == Stand::Parts {
            let of_a = |contact: &Contact| Point::from(contact.a.point);
            let of_b = |contact: &Contact| Point::from(contact.b.point);
            every_part(&answer, children, &a, &b, case, &of_a)?;
            every_part(&answer, children, &b, &a, case, &of_b)?;
        }
    }
    Ok(judged)
}

fn deepest(answer: &Answer, children: [u32; 2]) -> Option<Contact> {
    answer.of(children).copied().max_by(|x, y| x.depth.total_cmp(&y.depth))
}

/// Each component of a mesh that certainly shares a point with the other body has its own contact.
fn every_part(
    answer: &Answer,
    children: [u32; 2],
    own: &Solid,
    other: &Solid,
    case: &SolidCase,
    place: &dyn Fn(&Contact) -> Point,
) -> Result<(), String> {
    for part in components(&own.shape) {
        let part = Solid::new(&part);
        let at_part = |contact: &Contact| part.signed(&place(contact)) <= case.tolerance();
        let met = answer.of(children).any(|contact| contact.depth >= 0.0 && at_part(contact));
        if !met && surely_overlap(&part, other, SHARED * case.size()) {
            return Err(format!("a part of {children:?} has no contact: {:?}", part.shape));
        }
    }
    Ok(())
}

/// The connected components of a surface mesh or a tetra mesh; none for other shapes.
fn components(shape: &Shape) -> Vec<Shape> {
    fn split<const N: usize>(count: usize, cells: &[[u32; N]]) -> Vec<Vec<[u32; N]>> {
        let mut label: Vec<u32> = (0..count as u32).collect();
        while let Some(cell) =
            cells.iter().find(|cell| cell.iter().any(|&v| label[v as usize] != label[cell[0] as usize]))
        {
            let (least, all) = (
                cell.iter().map(|&v| label[v as usize]).min().expect("corners"),
                cell.map(|v| label[v as usize]),
            );
            label.iter_mut().filter(|l| all.contains(l)).for_each(|l| *l = least);
        }
        let of = |part: u32| {
            cells.iter().filter(|cell| label[cell[0] as usize] == part).copied().collect::<Vec<_>>()
        };
        (0..count as u32).map(of).filter(|cells| !cells.is_empty()).collect()
    }
    match shape {
        Shape::SurfaceMesh { vertices, cells, radius } => split(vertices.len(), cells)
            .into_iter()
            .map(|cells| Shape::SurfaceMesh { vertices: vertices.clone(), cells, radius: *radius })
            .collect(),
        Shape::TetraMesh { vertices, cells } => split(vertices.len(), cells)
            .into_iter()
            .map(|cells| Shape::TetraMesh { vertices: vertices.clone(), cells })
            .collect(),
        _ => Vec::new(),
    }
}

/// Small motions of a body, each with the largest displacement of any point: by at least ten to the power of `least` of its
/// extent. A body without an extent is moved by `far`.
pub(crate) fn small_motions(
    body: &Body,
    mut random: Random,
    least: f64,
    far: f64,
) -> impl Iterator<Item = (Pose, f64)> {
    let (pivot, reach) = body.pivot();
    let motion = move |k: usize| {
        let exponent = random.between(least, -1.0);
        let far = if reach == 0.0 { far } else { reach * 10.0_f64.powf(exponent) };
        if k.is_multiple_of(2) || reach == 0.0 {
            return (Pose::from(Translation3::from(random.direction() * far)), far);
        }
        let turn = UnitQuaternion::from_scaled_axis(random.direction() * (far / reach));
        let shift = pivot.coords - turn * pivot.coords;
        (Pose::from_parts(Translation3::from(shift), turn), far)
    };
    (0..).map(motion)
}

/// The small motions of a case's B.
fn motions_of(case: &SolidCase) -> impl Iterator<Item = (Pose, f64)> {
    small_motions(&case.b, Random::named("steady", case.number as u64), -6.0, 0.0).take(MOTIONS)
}

/// A small motion changes the deepest depth by no more than its largest displacement.
fn steady(runs: &mut Runs, case: &SolidCase) -> Result<usize, String> {
    if case.stand == Stand::Sheet {
        return Ok(0);
    }
    let first = runs.run()?.depth();
    let mut judged = usize::from(first[1] > 0.0);
    for (motion, far) in motions_of(case) {
        let next = runs.run_with(&case.moved_b(&motion))?.depth();
        unless_jump(first, next, far, case.tolerance())?;
        judged += usize::from(next[1] > 0.0);
    }
    if case.way.norm() > 0.0 {
        let far = case.way.norm() / STEPS as f64;
        let mut last = first;
        for step in 1..=STEPS {
            let shift = case.way * (step as f64 / STEPS as f64);
            let next = runs.run_with(&case.b.map(|shape| shape.shifted(&shift)))?.depth();
            unless_jump(last, next, far, case.tolerance())
                .map_err(|reason| format!("{shift:?} on its way: {reason}"))?;
            last = next;
        }
        judged += 1;
    }
    Ok(judged)
}

/// An error if the depths of bodies `far` from each other differ by more.
pub(crate) fn unless_jump(x: [f64; 2], y: [f64; 2], far: f64, tolerance: f64) -> Result<(), String> {
    let slack = far + tolerance;
    if x[0] > y[1] + slack || y[0] > x[1] + slack {
        return Err(format!("moved by {far}, the depth goes from {} to {}", x[0], y[0]));
    }
    Ok(())
}

/// Each side's point is on or in its own body, and the two are separated by the depth along the direction.
fn in_place(runs: &mut Runs, case: &SolidCase) -> Result<usize, String> {
    let answer = runs.run()?;
    let slack = case.tolerance();
    let mut judged = 0;
    for (children, a, b) in case.part_pairs() {
        let count = answer.of(children).count();
        for contact in answer.of(children).step_by(count.div_ceil(PLACES).max(1)) {
            let [p, q] = [Point::from(contact.a.point), Point::from(contact.b.point)];
            let estimated = [&a, &b].map(|solid| is_estimated(&solid.shape));
            for (solid, place, estimated) in [(&a, p, estimated[0]), (&b, q, estimated[1])] {
                let off = solid.signed(&place);
                // A sheet's point may be the projection of a pushed-through point onto the plane of a triangle.
                let sheet = matches!(&solid.shape, Shape::SurfaceMesh { cells, .. } if !is_closed(cells));
                if off > slack && !estimated && !sheet {
                    return Err(format!("{place} is off its own body by {off}: {contact:?}"));
                }
            }
            let gap = (p + Vector::from(contact.direction) * contact.depth - q).norm();
            if gap > slack && !estimated.contains(&true) {
                return Err(format!("the points are not {} apart: {contact:?}", contact.depth));
            }
            judged += 1;
        }
    }
    Ok(judged)
}

/// The segment between the two points of a contact, one of several of overlapping convex bodies, has a point in
/// both. (A single contact has the points where the two last touch as they separate: for thin bodies these may miss
/// the other body.)
fn in_both(runs: &mut Runs, case: &SolidCase) -> Result<usize, String> {
    let answer = runs.run()?;
    let mut judged = 0;
    for (children, a, b) in case.part_pairs() {
        if !(is_convex(&a.shape) && is_convex(&b.shape)) || answer.of(children).count() < 2 {
            continue;
        }
        for contact in answer.of(children).filter(|contact| contact.depth > 0.0) {
            let [p, q] = [Point::from(contact.a.point), Point::from(contact.b.point)];
            let off = least_on_stretch(p, q, &|place| a.signed(place).max(b.signed(place)));
            // A corner of a slightly tilted body leaves it at once along the direction: by the tilt's share of the
            // depth.
            if off > case.tolerance() + LEANING * contact.depth {
                return Err(format!("no place of the contact is in both, by {off}: {contact:?}"));
            }
            judged += 1;
        }
    }
    Ok(judged)
}

/// Whether the far point of a function may lie off the surface.
fn is_estimated(shape: &Shape) -> bool {
    matches!(shape, Shape::Implicit { function, .. } if !function::is_distance(function))
}

fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::SurfaceMesh { .. } | Shape::TetraMesh { .. } | Shape::Implicit { .. })
}

/// The minimum on a segment of a function that is convex along it.
fn least_on_stretch(p: Point, q: Point, value: &dyn Fn(&Point) -> f64) -> f64 {
    let at = |t: f64| value(&(p + (q - p) * t));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let (x, y) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(x) < at(y) { high = y } else { low = x }
    }
    at(0.0).min(at(1.0)).min(at(0.5 * (low + high)))
}

type Key = (u64, u32, u32);

fn key(contact: &Contact) -> Key {
    (contact.id, contact.a.child, contact.b.child)
}

/// No two contacts of a result have the same key.
fn told_apart(runs: &mut Runs, case: &SolidCase) -> Result<usize, String> {
    let mut judged = 0;
    let motions = motions_of(case).map(|(motion, _)| case.moved_b(&motion));
    for b in std::iter::once(case.b.clone()).chain(motions) {
        let answer = runs.run_with(&b)?;
        let mut keys = HashSet::new();
        for contact in &answer.data.contacts {
            if !keys.insert(key(contact)) {
                return Err(format!("two contacts have the key {:?}: {contact:?}", key(contact)));
            }
        }
        judged += answer.data.len();
    }
    Ok(judged)
}

/// A side's kind and vertices, if it is an element of a mesh. A solid's cell that contains a point does not count:
/// it only locates the other side's element.
type Element = Option<(u32, Vec<u32>)>;

/// From step to step a key means the same element of at least one mesh.
fn same_meaning(runs: &mut Runs, case: &SolidCase) -> Result<usize, String> {
    let element = |side: &Feature| -> Element {
        let mut ids = side.vertex_ids().to_vec();
        ids.sort_unstable();
        let is_element = !matches!(side.feature_kind(), FeatureKind::Point | FeatureKind::Tetrahedron);
        is_element.then_some((side.kind, ids))
    };
    let mut meanings: HashMap<Key, [Element; 2]> = HashMap::new();
    let mut judged = 0;
    let motions = motions_of(case).map(|(motion, _)| case.moved_b(&motion));
    for b in std::iter::once(case.b.clone()).chain(motions) {
        for contact in &runs.run_with(&b)?.data.contacts {
            let elements = [element(&contact.a), element(&contact.b)];
            let meaning = meanings.entry(key(contact)).or_insert_with(|| elements.clone());
            let kept = (0..2).any(|side| meaning[side].is_some() && meaning[side] == elements[side]);
            let of_meshes = meaning.iter().chain(&elements).any(Option::is_some);
            if of_meshes && !kept {
                return Err(format!("the key {:?} means {meaning:?} and {elements:?}", key(contact)));
            }
            judged += 1;
        }
    }
    Ok(judged)
}
