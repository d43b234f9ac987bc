//! Moved out by its deepest contact, a convex body is free after a few moves, and it has not gone far.

use super::case::{Detectors, SheetCase};
use super::other::Reach;
use super::seen::overlaps;
use super::{OtherKind, SheetCell, SheetStand};
use crate::Shape;
use crate::laws::solids::directions;
use palpate_math::{Point, Vector};
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// Moves out of a convex sheet or a slab through which the body goes.
const FEW: usize = 4;

/// Moves out of any sheet.
const SOME: usize = 8;

/// The way out, relative to the shortest.
const DETOUR: f64 = 1.5;

/// Every move goes farther than the depth by this much of the unit.
const FARTHER: f64 = 1e-9;

/// Depth by which the two still overlap, relative to the size of the case.
const OVERLAP: f64 = 1e-7;

/// Directions of the search for the shortest way out.
const SEARCHED: usize = 400;

/// Directions about an edge of the border.
const ABOUT_EDGE: usize = 48;

/// Steps of the local search.
const REFINED: usize = 200;

/// Starting points of the local search.
const STARTS: usize = 6;

/// Moved out by its deepest contact, a convex body is free after a few moves.
pub(super) fn progress(detectors: &Detectors<'_>, case: &SheetCase) -> Result<usize, String> {
    if !case.flat || !is_convex(case) || case.stand == SheetStand::Surfaces {
        return Ok(0);
    }
    let (mut judged, mut reasons) = (0, Vec::new());
    for settings in variants(case) {
        match leaves(detectors, case, settings.as_ref()) {
            Ok(count) => judged += count,
            Err(reason) => reasons.push(format!("settings {}: {reason}", json!(settings))),
        }
    }
    if reasons.is_empty() { Ok(judged) } else { Err(reasons.join("; ")) }
}

/// The law for one choice of settings.
fn leaves(detectors: &Detectors<'_>, case: &SheetCase, settings: Option<&Value>) -> Result<usize, String> {
    let Some(way) = walk(detectors, case, settings)? else { return Ok(0) };
    // A sheet with a front may let a body out on the farther side.
    let one_sided = settings.is_some_and(|settings| settings["sides"] == "one");
    let least = if case.convex && !one_sided { shortest(case) } else { f64::INFINITY };
    if way > DETOUR * least + case.tolerance() + 2.0 * SOME as f64 * FARTHER * case.unit {
        return Err(format!("free after {way}, the shortest way is {least}"));
    }
    Ok(1)
}

fn is_convex(case: &SheetCase) -> bool {
    match (case.cell.other(), &case.b.parts()[0]) {
        (OtherKind::LineMesh, Shape::LineMesh { cells, .. }) => cells.len() == 1,
        (kind, _) => OtherKind::CONVEX.contains(&kind),
    }
}

/// The settings of the detector under which the law holds.
fn variants(case: &SheetCase) -> Vec<Option<Value>> {
    if matches!(case.cell, SheetCell::Slab(_)) {
        return vec![None];
    }
    vec![None, Some(json!({"internal_edges": "ignore"})), Some(json!({"sides": "one"}))]
}

/// The length of the way out; `None` if there was nothing to leave.
fn walk(
    detectors: &Detectors<'_>,
    case: &SheetCase,
    settings: Option<&Value>,
) -> Result<Option<f64>, String> {
    let mut runs = detectors.bound(&case.a, &case.b, settings)?;
    let few = match case.cell {
        SheetCell::Slab(_) => case.stand != SheetStand::General,
        _ => case.convex && case.stand == SheetStand::Through,
    };
    let most = if few { FEW } else { SOME };
    let (mut b, mut way, mut depths) = (case.b.clone(), 0.0, Vec::new());
    loop {
        let answer = runs.run_with(&b, 0.0)?;
        let deepest = answer.data.contacts.iter().max_by(|x, y| x.depth.total_cmp(&y.depth));
        let Some(deepest) = deepest.filter(|contact| contact.depth > 2.0 * case.tolerance()) else {
            if overlaps(&case.a.parts()[0], &b, OVERLAP * case.size()) {
                return Err(format!("still overlapping without a contact after {depths:?}"));
            }
            return Ok((!depths.is_empty()).then_some(way));
        };
        depths.push(deepest.depth);
        if depths.len() > most {
            return Err(format!("not free after {most} moves: {depths:?}"));
        }
        let far = deepest.depth + FARTHER * case.unit;
        let shift = -Vector::from(deepest.direction) * far;
        b = b.map(|shape| shape.shifted(&shift));
        way += far;
    }
}

/// The shortest way out of a convex A: no less than the true one.
fn shortest(case: &SheetCase) -> f64 {
    let b = Reach::new(&case.b);
    let (points, radius) = outline(case);
    let of_a = |u: &Vector| points.iter().map(|p| p.coords.dot(u)).fold(f64::NEG_INFINITY, f64::max) + radius;
    let overlap = |u: &Vector| b.along(u) + of_a(&-u);
    let mut found: Vec<(f64, Vector)> =
        starts(&points).into_iter().map(|direction| (overlap(&direction), direction)).collect();
    found.sort_by(|x, y| x.0.total_cmp(&y.0));
    let refined = found.iter().take(STARTS).map(|start| refine(*start, &overlap));
    refined.fold(f64::INFINITY, f64::min)
}

/// The vertices of A and its radius.
fn outline(case: &SheetCase) -> (Vec<Point>, f64) {
    let shape = &case.a.parts()[0];
    (shape.vertices().to_vec(), shape.thickness())
}

/// Directions: evenly spread, the axes of the flat body, and about each of its sides.
fn starts(points: &[Point]) -> Vec<Vector> {
    let middle = points.iter().map(|p| p.coords).sum::<Vector>() / points.len() as f64;
    let spread = points.iter().map(|p| (p.coords - middle) * (p.coords - middle).transpose());
    let axes = nalgebra::SymmetricEigen::new(spread.sum::<nalgebra::Matrix3<f64>>()).eigenvectors;
    let mut starts = directions(SEARCHED);
    for axis in 0..3 {
        let own: Vector = axes.column(axis).into();
        let [x, y] = [1, 2].map(|turn| -> Vector { axes.column((axis + turn) % 3).into() });
        starts.extend([own, -own]);
        starts.extend((0..ABOUT_EDGE).map(|k| {
            let angle = TAU * k as f64 / ABOUT_EDGE as f64;
            x * angle.cos() + y * angle.sin()
        }));
    }
    starts
}

/// A local search with shrinking steps.
fn refine(start: (f64, Vector), overlap: &dyn Fn(&Vector) -> f64) -> f64 {
    let (mut best, mut step) = (start, 0.1);
    for _ in 0..REFINED {
        let (_, u) = best;
        let x = u.cross(&Vector::ith(u.iamin(), 1.0)).normalize();
        let y = u.cross(&x);
        let tried = (0..8).map(|k| {
            let angle = TAU * f64::from(k) / 8.0;
            let v = (u + (x * angle.cos() + y * angle.sin()) * step).normalize();
            (overlap(&v), v)
        });
        let next = tried.reduce(|x, y| if y.0 < x.0 { y } else { x });
        match next {
            Some(next) if next.0 < best.0 => best = next,
            _ => step *= 0.5,
        }
        if step < 1e-9 {
            break;
        }
    }
    best.0
}
