//! The laws that hold for a sheet and any other body.

use super::case::{Detectors, SheetCase};
use super::{OtherKind, SheetCell};
use crate::Shape;
use crate::compound::Body;
use crate::generate::thickened;
use crate::laws::solids::{Answer, Solid, exits, has_no_distance, small_motions, unless_jump};
use crate::random::Random;
use nalgebra::Translation3;
use palpate_contact::Contact;
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// Small motions of a case.
const MOTIONS: usize = 6;

/// Triangles of a sheet whose normals are sampled.
const FACES: usize = 40;

/// Steps of a sequence.
const STEPS: usize = 40;

/// Margins, relative to the unit of the case.
const MARGINS: [f64; 4] = [0.0, 0.001, 0.05, 0.3];

/// No contact is deeper than the overlap of the two bodies along any direction.
pub(super) fn least_exit(detectors: &Detectors<'_>, case: &SheetCase) -> Result<usize, String> {
    let answer = detectors.runs(case)?.run(case.margin)?;
    let mut judged = 0;
    for (i, part) in case.b.parts().iter().enumerate() {
        if has_no_distance(part) {
            continue;
        }
        let [a, b] = [Solid::new(&case.a.parts()[0]), Solid::new(part)];
        let children = [case.a.number(0), case.b.number(i)];
        judged += exits(&answer, children, &a, &b, case.tolerance())?;
        exits_at_faces(&answer, children, &a, &b, case.tolerance())?;
    }
    Ok(judged)
}

/// The same along the normals of the sheet's triangles.
fn exits_at_faces(
    answer: &Answer,
    children: [u32; 2],
    a: &Solid,
    b: &Solid,
    slack: f64,
) -> Result<(), String> {
    let step = a.triangles().len().div_ceil(FACES).max(1);
    let normals = a.triangles().iter().step_by(step).filter_map(|[p, q, r]| {
        let normal = (q - p).cross(&(r - p)).try_normalize(0.0)?;
        Some([normal, -normal])
    });
    let overlap = |u: Vector| Some((b.reach(&u)? + a.reach(&-u)?, u));
    let least = normals.flatten().filter_map(overlap).reduce(|x, y| if y.0 < x.0 { y } else { x });
    let Some((width, along)) = least else { return Ok(()) };
    match answer.of(children).find(|contact| contact.depth > width.max(0.0) + slack) {
        Some(contact) => {
            let deep = contact.depth;
            Err(format!("{deep} deep, but along the normal {along:?} they overlap by {width}: {contact:?}"))
        }
        None => Ok(()),
    }
}

/// Motions along the direction of the deepest contact, which change its depth the most.
fn along_deepest(answer: &Answer, case: &SheetCase) -> Vec<(Pose, f64)> {
    let deepest = answer.data.contacts.iter().max_by(|x, y| x.depth.total_cmp(&y.depth));
    let motions = |contact: &Contact| {
        let direction = Vector::from(contact.direction);
        let shift = |far: f64| (Pose::from(Translation3::from(direction * far)), far.abs());
        [1e-3 * case.unit, -1e-3 * case.unit, -0.5 * contact.depth].map(shift).to_vec()
    };
    deepest.map_or(Vec::new(), motions)
}

/// A small motion changes the deepest depth by no more than its largest displacement.
pub(super) fn steady(detectors: &Detectors<'_>, case: &SheetCase) -> Result<usize, String> {
    let mut runs = detectors.runs(case)?;
    let answer = runs.run(case.margin)?;
    let first = answer.depth();
    let mut judged = usize::from(first[1] > 0.0);
    let random = Random::named("steady sheets", case.number as u64);
    let small = small_motions(&case.b, random, -9.0, 1e-3 * case.unit).take(MOTIONS);
    for (motion, far) in small.chain(along_deepest(&answer, case)) {
        let next = runs.run_with(&case.moved_b(&motion), case.margin)?.depth();
        unless_jump(first, next, far, case.tolerance())?;
        judged += usize::from(next[1] > 0.0);
    }
    if case.way.norm() > 0.0 {
        let far = case.way.norm() / STEPS as f64;
        let mut last = first;
        for step in 1..=STEPS {
            let shift = case.way * (step as f64 / STEPS as f64);
            let next = runs.run_with(&case.b.map(|shape| shape.shifted(&shift)), case.margin)?.depth();
            unless_jump(last, next, far, case.tolerance())
                .map_err(|reason| format!("step {step} on its way {:?}: {reason}", case.way))?;
            last = next;
        }
        judged += 1;
    }
    Ok(judged)
}

/// What has become of a contact.
fn change(contact: &Contact, answer: &Answer) -> String {
    let now = answer.data.contacts.iter().find(|other| other.key() == contact.key());
    now.map_or("is gone".to_owned(), |now| {
        let moved = (Point::from(now.a.point) - Point::from(contact.a.point)).norm();
        let turned = (Vector::from(now.direction) - Vector::from(contact.direction)).norm();
        let (before, after) = (contact.depth, now.depth);
        format!("goes from {before} to {after} deep, its point by {moved}, its direction by {turned}")
    })
}

/// With a larger margin the contacts of overlapping bodies stay as they are. (The points of a manifold on a solid are
/// chosen among those within the margin. A depth of minus zero means that its bounds leave open whether the two touch.)
pub(super) fn monotone(detectors: &Detectors<'_>, case: &SheetCase) -> Result<usize, String> {
    if matches!(case.cell, SheetCell::Slab(_)) {
        return Ok(0);
    }
    let is_sure = |contact: &&Contact| contact.depth >= 0.0 && contact.depth.is_sign_positive();
    let mut runs = detectors.runs(case)?;
    let mut judged = 0;
    let mut last: Option<(f64, Answer)> = None;
    for share in MARGINS {
        let margin = share * case.unit;
        let answer = runs.run(margin)?;
        if let Some((smaller, before)) = &last {
            for contact in before.data.contacts.iter().filter(is_sure) {
                if !answer.data.contacts.iter().any(|other| other.same_bits(contact)) {
                    let margins = format!("margins of {smaller} and {margin}");
                    return Err(format!("{margins}: a contact {}: {contact:?}", change(contact, &answer)));
                }
                judged += 1;
            }
        }
        last = Some((margin, answer));
    }
    Ok(judged)
}

/// A body that only its radius makes thick gets deeper by as much as its radius grows.
pub(super) fn thicker(detectors: &Detectors<'_>, case: &SheetCase) -> Result<usize, String> {
    if !matches!(case.cell.other(), OtherKind::LineMesh | OtherKind::PointSet | OtherKind::Sheet) {
        return Ok(0);
    }
    let shape: &Shape = &case.b.parts()[0];
    let before = detectors.runs(case)?.run(0.0)?.depth();
    let mut judged = 0;
    for share in [1e-4, 0.01, 0.1] {
        let more = share * case.unit;
        let thick = Body::Whole(thickened(shape.clone(), shape.thickness() + more));
        let after = detectors.bound(&case.a, &thick, None)?.run(0.0)?.depth();
        let slack = case.tolerance();
        let low = if before[0] > slack { before[0] + more } else { 0.0 };
        if after[1] < low - slack || after[0] > before[1] + more + slack {
            let depths = format!("the depth goes from {} to {}", before[0], after[0]);
            return Err(format!("thicker by {more}, {depths}"));
        }
        judged += usize::from(after[0] > 0.0);
    }
    Ok(judged)
}

/// The two points of a contact are apart by the depth along the direction.
pub(super) fn in_place(detectors: &Detectors<'_>, case: &SheetCase) -> Result<usize, String> {
    let is_estimated =
        |part: &Shape| matches!(part, Shape::Implicit { function, .. } if !function.is_distance());
    if case.b.parts().iter().any(is_estimated) {
        return Ok(0);
    }
    let answer = detectors.runs(case)?.run(case.margin)?;
    for contact in &answer.data.contacts {
        let [p, q] = [Point::from(contact.a.point), Point::from(contact.b.point)];
        let direction = Vector::from(contact.direction);
        let gap = (p + direction * contact.depth - q).norm();
        if gap > case.tolerance() || (direction.norm() - 1.0).abs() > 1e-12 {
            return Err(format!("the points are not {} apart: {contact:?}", contact.depth));
        }
    }
    Ok(answer.data.len())
}
