//! The law of coherence: a detector that is kept over the steps, with geometries that are moved in place, has the contacts of
//! one made afresh in every step, to the bit: at rest, after jitters of 1e-16 to 1e-2, jumps, and with margins that change.

use crate::all_cases::{ALL, DetectorCases, REGISTRY};
use palpate_contact::CollisionData;
use palpate_detect::Context;
use palpate_geometry::{Geometry, SurfaceMesh, TypedGeometry};
use palpate_tests::compare::same_within;
use palpate_tests::{ALL_NEEDS, Case, Random, Regime, Shape, Subject};
use std::any::Any;

/// Detectors that start a search from what the last one found: theirs agree within the rounding error of a case, relative to
/// its size.
const TO_ROUNDING: [(&str, f64); 1] = [("convex_convex", 1e-9)];

/// Cases of a detector in a regime.
const CASES: usize = 2;

/// What a mutant does not look at.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Blind {
    /// Nothing: the law itself.
    No,
    /// A motion this small, relative to the size of the case.
    Below(f64),
    /// The margin.
    Margin,
}

/// Steps of a case: `PALPATE_COHERENT_STEPS`, or a few.
fn steps() -> usize {
    std::env::var("PALPATE_COHERENT_STEPS").ok().and_then(|steps| steps.parse().ok()).unwrap_or(6)
}

/// The shapes and the margin of a step.
struct State {
    shapes: [Shape; 2],
    margin: f64,
    /// How far the last change moved something, relative to the size of the case.
    moved: f64,
}

impl State {
    /// Changes one thing, or nothing.
    fn change(&mut self, case: &Case, random: &mut Random) {
        let by = [1e-16, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2][random.below(6)];
        self.moved = 0.0;
        let side = random.below(2);
        let shape = &mut self.shapes[side];
        match random.below(8) {
            0 => {}
            1 => self.margin = case.margin * random.between(0.0, 2.0),
            2 => {
                // A jump, or the way back from one.
                self.shapes = [case.a.clone(), case.b.clone()];
                if random.one_in(2) {
                    self.shapes[side] =
                        self.shapes[side].shifted(&(random.direction() * (3.0 * case.size())));
                }
                self.moved = f64::INFINITY;
            }
            3 | 4 if !shape.vertices().is_empty() => {
                let vertices = shape.vertices_mut();
                let number = random.below(vertices.len());
                vertices[number] += random.direction() * (by * case.size());
                self.moved = by;
            }
            _ => {
                *shape = shape.shifted(&(random.direction() * (by * case.size())));
                self.moved = by;
            }
        }
    }
}

/// A geometry made in the position of `shape`, of the cells of `first`, and prepared there for the first time. What is decided
/// once and by rule not again after motion it has from the one that is kept: how cells are oriented, on which side of a surface
/// its inside is.
fn made_anew(first: &Shape, shape: &Shape, kept: &dyn Geometry) -> Box<dyn Geometry> {
    let mut fresh = first.build().expect("generated shapes are valid");
    shape.place(fresh.as_mut());
    let any: &mut dyn Any = fresh.as_mut();
    if let (Some(mesh), TypedGeometry::SurfaceMesh(kept)) =
        (any.downcast_mut::<SurfaceMesh>(), TypedGeometry::of(kept))
    {
        *mesh = mesh.clone().with_decided_sides(kept.sidedness(), kept.is_self_intersecting());
    }
    fresh.prepare(ALL_NEEDS);
    fresh
}

/// Compares the steps of a case; returns the number of contacts.
fn compare(subject: &Subject<'_>, case: &Case, blind: Blind) -> Result<usize, String> {
    let mut random = Random::named("coherent", case.number as u64);
    let mut state = State { shapes: [case.a.clone(), case.b.clone()], margin: case.margin, moved: 0.0 };
    let [mut a, mut b] = [case.a.prepared(), case.b.prepared()];
    let mut kept = subject.bind(case, a.as_ref(), b.as_ref())?;
    let (mut last, mut judged): (Option<CollisionData>, usize) = (None, 0);
    for step in 0..steps() {
        let margin = state.margin;
        if step > 0 {
            state.change(case, &mut random);
        }
        state.shapes[0].place(a.as_mut());
        state.shapes[1].place(b.as_mut());
        a.prepare(ALL_NEEDS);
        b.prepare(ALL_NEEDS);
        let context = Context::new().with_margin(state.margin);
        let is_unseen = match blind {
            Blind::No => false,
            Blind::Below(least) => state.moved <= least && state.margin == margin,
            Blind::Margin => state.moved == 0.0,
        };
        let found = match last.take().filter(|_| is_unseen) {
            Some(last) => last,
            None => subject.run(&mut kept, a.as_ref(), b.as_ref(), &context)?,
        };
        // Bound at the first step, so that two geometries of one kind keep their order.
        let mut fresh = subject.bind(case, case.a.prepared().as_ref(), case.b.prepared().as_ref())?;
        let fresh_a = made_anew(&case.a, &state.shapes[0], a.as_ref());
        let fresh_b = made_anew(&case.b, &state.shapes[1], b.as_ref());
        let wanted = subject.run(&mut fresh, fresh_a.as_ref(), fresh_b.as_ref(), &context)?;
        match TO_ROUNDING.iter().find(|(name, _)| *name == case.detector) {
            Some(&(_, tolerance)) => same_within(case, &wanted, &found, tolerance)?,
            None if found.same_bits(&wanted) => {}
            None => return Err(format!("step {step}: {found:?}, wanted {wanted:?}")),
        }
        judged += wanted.len();
        last = Some(found);
    }
    Ok(judged)
}

/// The cases of the law.
fn chosen(cases: &[Case]) -> impl Iterator<Item = &Case> {
    cases.iter().filter(|case| case.number < CASES && case.regime != Regime::Degenerate)
}

#[test]
fn what_is_kept_changes_no_bit() {
    let subject = Subject::new(&REGISTRY);
    let (mut failures, mut judged) = (Vec::new(), 0);
    for DetectorCases { cases, .. } in ALL.iter() {
        for case in chosen(cases) {
            match compare(&subject, case, Blind::No) {
                Ok(contacts) => judged += contacts,
                Err(reason) => failures.push(case.failure("coherence", &reason)),
            }
        }
    }
    let shown: Vec<&str> = failures.iter().map(String::as_str).take(6).collect();
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), shown.join("\n"));
    assert!(judged > 2000, "only {judged} contacts");
}

/// Detectors that keep their contacts although something moved by a billionth of the size, or the margin changed.
#[test]
fn a_change_that_is_not_looked_at_is_caught() {
    let subject = Subject::new(&REGISTRY);
    for blind in [Blind::Below(1e-9), Blind::Below(1e-12), Blind::Margin] {
        let (mut caught, mut asked) = (0, 0);
        for DetectorCases { cases, .. } in ALL.iter() {
            for case in chosen(cases).filter(|case| case.detector.starts_with("surface_mesh_")) {
                asked += 1;
                caught += usize::from(compare(&subject, case, blind).is_err());
            }
        }
        assert!(caught > asked / 40, "{blind:?}: {caught} of {asked}");
    }
}
