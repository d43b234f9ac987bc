//! Moves one geometry along a line until the pair is in the wanted regime.

use crate::random::Random;
use crate::{ALL_NEEDS, Case, Regime, Shape, Subject};
use palpate_detect::Context;
use palpate_math::{Point, Vector};

/// Touching cases overlap by at most this fraction of their size.
const TOUCHING: f64 = 1e-9;

/// Steps of the inward search for the first contact.
const STEPS: usize = 24;

/// The pair with B moved along `direction`, and the margin; `None` if the pair cannot be brought into the regime.
pub(crate) fn placed(
    subject: &Subject<'_>,
    case: &Case,
    direction: &Vector,
    random: &mut Random,
) -> Result<Option<Case>, String> {
    let mut line = Line::new(subject, case, direction)?;
    let Some(touching) = line.touching()? else { return Ok(None) };
    for _ in 0..8 {
        let (s, margin) = match case.regime {
            Regime::Deep => (touching * random.between(0.0, 0.7), 0.0),
            Regime::Shallow => {
                let exponent = random.between(-4.0, -2.0);
                (touching * (1.0 - 10.0_f64.powf(exponent)), 0.0)
            }
            Regime::Touching => (touching, 0.0),
            // The two touch when B moves back by the gap along the direction, so their distance is at most the gap.
            Regime::Near => {
                let gap = touching * random.between(0.02, 0.2);
                (touching + gap, 1.5 * gap)
            }
            _ => (touching * random.between(1.01, 2.0), 0.0),
        };
        let depth = line.depth(s)?;
        let good = match case.regime {
            Regime::Deep => depth >= 0.02 * touching,
            Regime::Shallow => depth >= 1e-6 * touching,
            Regime::Touching => depth.abs() <= TOUCHING * case.size(),
            _ => depth == f64::NEG_INFINITY,
        };
        // Behind a one-sided sheet nothing is within the margin only, and points within the margin are pushed
        // through it.
        let near =
            case.regime != Regime::Near || !crate::oracle::has_front(case) || line.within(s, margin)?;
        if good && near {
            let wider = random.one_in(3) && matches!(case.regime, Regime::Deep | Regime::Shallow);
            let margin = if wider { 0.1 * touching } else { margin };
            let b = case.b.shifted(&(direction * s));
            return Ok(Some(Case { margin, ..case.with_shapes(case.a.clone(), b) }));
        }
    }
    Ok(None)
}

struct Line<'a> {
    subject: &'a Subject<'a>,
    case: &'a Case,
    direction: &'a Vector,
    a: Box<dyn palpate_geometry::Geometry>,
    b: Box<dyn palpate_geometry::Geometry>,
    bound: palpate_detect::Bound,
    reach: f64,
}

impl<'a> Line<'a> {
    fn new(subject: &'a Subject<'a>, case: &'a Case, direction: &'a Vector) -> Result<Self, String> {
        let (a, b) = (case.a.prepared(), case.b.prepared());
        let bound = subject.bind(case, a.as_ref(), b.as_ref())?;
        let (center_a, center_b) = (Point::from(case.a.center()), Point::from(case.b.center()));
        let mut reach = case.a.reach_from(&center_a) + case.b.reach_from(&center_b);
        reach += (center_a - center_b).norm();
        // For a plane, the separation along the direction is longer than the distance.
        let along_normal = match (&case.a, &case.b) {
            (Shape::Plane { normal, .. }, _) | (_, Shape::Plane { normal, .. }) => {
                normal.dot(direction).abs()
            }
            _ => 1.0,
        };
        reach *= 1.05 / along_normal;
        Ok(Self { subject, case, direction, a, b, bound, reach })
    }

    /// The depth of the deepest contact with B moved by `s`; minus infinity without contact.
    fn depth(&mut self, s: f64) -> Result<f64, String> {
        self.case.b.shifted(&(self.direction * s)).place(self.b.as_mut());
        self.b.prepare(ALL_NEEDS);
        let out = self.subject.run(&mut self.bound, self.a.as_ref(), self.b.as_ref(), &Context::new())?;
        Ok(out.deepest().map_or(f64::NEG_INFINITY, |contact| contact.depth))
    }

    /// Whether the two are apart but within the margin with B moved by `s`.
    fn within(&mut self, s: f64, margin: f64) -> Result<bool, String> {
        self.case.b.shifted(&(self.direction * s)).place(self.b.as_mut());
        self.b.prepare(ALL_NEEDS);
        let context = Context::new().with_margin(margin);
        let out = self.subject.run(&mut self.bound, self.a.as_ref(), self.b.as_ref(), &context)?;
        Ok(out.deepest().is_some_and(|contact| contact.depth < 0.0))
    }

    /// The last position, moving outward, at which the two are in contact, to the rounding error of the depth.
    fn touching(&mut self) -> Result<Option<f64>, String> {
        let mut apart = self.reach;
        if self.depth(apart)? >= 0.0 {
            return Err(format!("a contact at {apart}, out of reach"));
        }
        let mut together = None;
        for step in (0..STEPS).rev() {
            let s = self.reach * step as f64 / STEPS as f64;
            let depth = self.depth(s)?;
            if depth >= 0.0 {
                together = Some((s, depth));
                break;
            }
            apart = s;
        }
        let Some(mut together) = together else { return Ok(None) };
        let mut before = None;
        for step in 0.. {
            let middle = 0.5 * (together.0 + apart);
            let no_place_between = middle <= together.0 || middle >= apart;
            if no_place_between || together.1 <= f64::EPSILON * self.case.size() {
                break;
            }
            // Extrapolated zero of the depth: just before it, just behind it, then bisection.
            let s = match (before, step % 3) {
                (Some((s, depth)), turn @ 0..2) => {
                    let way = together.1 * (together.0 - s) / (depth - together.1);
                    together.0 + way * [0.99, 1.01][turn]
                }
                _ => middle,
            };
            let s = if s > together.0 && s < apart { s } else { middle };
            let depth = self.depth(s)?;
            if depth >= 0.0 {
                before = Some(together);
                together = (s, depth);
            } else {
                apart = s;
            }
        }
        // A pair that touches only at isolated points of its initial position leaves no room for the regimes.
        Ok((together.0 > 1e-3 * self.reach).then_some(together.0))
    }
}
