//! Closed meshes with a vertex, or a point of an edge, on the other's surface.

use super::case::{Detectors, SheetCase};
use super::{SheetCell, SheetStand};
use crate::Shape;
use crate::compound::Body;
use crate::laws::solids::{Solid, unless_jump};
use crate::random::Random;
use nalgebra::{Translation3, UnitQuaternion};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// Placements of a case.
const PLACEMENTS: usize = 5;

/// Motions from a placement.
const MOTIONS: usize = 6;

/// Bodies that touch to rounding are as deep as the same bodies moved by almost nothing.
pub(super) fn on_the_surface(detectors: &Detectors<'_>, case: &SheetCase) -> Result<usize, String> {
    if case.stand != SheetStand::Surfaces || !matches!(case.cell, SheetCell::Closed(_)) {
        return Ok(0);
    }
    let mut random = Random::named("on the surface", case.number as u64);
    let a = &case.a.parts()[0];
    let mut judged = 0;
    for placement in 0..PLACEMENTS {
        let b = placed(a, &case.b.parts()[0], &mut random);
        let mut runs = detectors.bound(&case.a, &Body::Whole(b.clone()), None)?;
        let before = runs.run(0.0)?.depth();
        for _ in 0..MOTIONS {
            let exponent = random.between(-12.0, -9.0);
            let far = 10.0_f64.powf(exponent) * case.unit;
            let moved = Body::Whole(b.shifted(&(random.direction() * far)));
            let after = runs.run_with(&moved, 0.0)?.depth();
            unless_jump(before, after, far, case.tolerance()).map_err(|reason| {
                let b = Body::Whole(b.clone());
                format!("placement {placement}, {reason}: {}", SheetCase { b, ..case.clone() }.to_json())
            })?;
        }
        judged += usize::from(before[1] > 0.0);
    }
    Ok(judged)
}

/// B, sometimes parallel to A, with a vertex or a point of an edge at a random place of A's surface, to
/// rounding or to the bit.
fn placed(a: &Shape, b: &Shape, random: &mut Random) -> Shape {
    let b = if random.one_in(3) {
        b.clone()
    } else {
        let pivot = b.center();
        let turn: UnitQuaternion<f64> = random.rotation();
        b.moved(&Pose::from_parts(Translation3::from(pivot - turn * pivot), turn))
    };
    let target = place_on(&Solid::new(a), random);
    let vertex = random.below(b.vertices().len());
    if random.one_in(3) {
        let [start, end] = random.pick(Solid::new(&b).edges());
        return b.shifted(&(target - (start + (end - start) * (2.0 / 3.0))));
    }
    let mut b = b.shifted(&(target - b.vertices()[vertex]));
    match random.below(3) {
        0 => b.vertices_mut()[vertex] = target,
        1 => {
            let last = f64::EPSILON * target.coords.amax();
            b = b.shifted(&(random.vector() * last));
        }
        _ => {}
    }
    b
}

/// A place in a face, on an edge, or at a vertex.
fn place_on(solid: &Solid, random: &mut Random) -> Point {
    let [a, b, c] = random.pick(solid.triangles());
    match random.below(4) {
        0 => a,
        1 => a + (b - a) * random.between(0.1, 0.9),
        _ => {
            let weights: [f64; 2] = [random.between(0.1, 0.5), random.between(0.1, 0.4)];
            let way: Vector = (b - a) * weights[0] + (c - a) * weights[1];
            a + way
        }
    }
}
