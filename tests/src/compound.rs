//! Cases of compounds: the cases of their children's detectors, with further children.

use crate::case_json::shape_json;
use crate::cases::case_of;
use crate::generate::{anchor, generate};
use crate::laws::refitted;
use crate::random::Random;
use crate::{ALL_NEEDS, Case, Regime, Shape};
use palpate_contact::NONE;
use palpate_detect::{Choice, Registry, Served};
use palpate_geometry::{Compound, Geometry, GeometryKind, Pose};
use palpate_math::{Point, Vector};
use serde_json::{Value, json};
use std::any::Any;

/// A geometry that may be a compound.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A plain geometry.
    Whole(Shape),
    /// A compound of these children.
    Children(Vec<Shape>),
}

impl Body {
    /// The children, or the geometry itself.
    pub fn parts(&self) -> &[Shape] {
        match self {
            Self::Whole(shape) => std::slice::from_ref(shape),
            Self::Children(children) => children,
        }
    }

    /// The child number in a contact with the part at `index`.
    pub fn number(&self, index: usize) -> u32 {
        match self {
            Self::Whole(_) => NONE,
            Self::Children(_) => index as u32,
        }
    }

    /// The mean of the parts' positions, and the body's extent from there.
    pub(crate) fn pivot(&self) -> (Point, f64) {
        let parts = self.parts();
        let middle = parts.iter().map(Shape::center).sum::<Vector>() / parts.len() as f64;
        let middle = Point::from(middle);
        (middle, parts.iter().map(|part| part.reach_from(&middle)).fold(0.0, f64::max))
    }

    /// The same with every part changed.
    #[must_use]
    pub fn map(&self, change: impl FnMut(&Shape) -> Shape) -> Self {
        let parts: Vec<Shape> = self.parts().iter().map(change).collect();
        self.of(parts)
    }

    fn of(&self, mut parts: Vec<Shape>) -> Self {
        match self {
            Self::Whole(_) => Self::Whole(parts.remove(0)),
            Self::Children(_) => Self::Children(parts),
        }
    }

    /// The geometry, everything prepared.
    pub fn prepared(&self) -> Box<dyn Geometry> {
        self.made_of(self.parts().iter().map(Shape::prepared).collect())
    }

    /// The geometry with refitted trees, everything prepared.
    pub fn refitted(&self, random: &mut Random) -> Box<dyn Geometry> {
        self.made_of(self.parts().iter().map(|shape| refitted(shape, random)).collect())
    }

    fn made_of(&self, mut parts: Vec<Box<dyn Geometry>>) -> Box<dyn Geometry> {
        match self {
            Self::Whole(_) => parts.remove(0),
            Self::Children(_) => Box::new(Compound::new(parts)),
        }
    }

    /// Moves a geometry built from such a body to the position of this one, and prepares it.
    pub fn place(&self, geometry: &mut dyn Geometry) {
        match self {
            Self::Whole(shape) => shape.place(geometry),
            Self::Children(children) => {
                let any: &mut dyn Any = geometry;
                let compound: &mut Compound = any.downcast_mut().expect("built from such a body");
                for (number, child) in children.iter().enumerate() {
                    child.place(compound.child_dyn_mut(number as u32).expect("as many children"));
                }
            }
        }
        geometry.prepare(ALL_NEEDS);
    }

    /// The geometry of a case.
    pub fn json(&self) -> Value {
        match self {
            Self::Whole(shape) => shape_json(shape),
            Self::Children(children) => {
                let children: Vec<Value> = children.iter().map(shape_json).collect();
                json!({"type": "Compound", "children": children})
            }
        }
    }
}

/// A pair of which one side or both are compounds.
#[derive(Clone, Debug)]
pub struct CompoundCase {
    /// Relative position of its first child and the other geometry, or of the first children of two compounds.
    /// Other children are anywhere near; in the separated regime, far away.
    pub regime: Regime,
    /// Index of the case in the regime.
    pub number: usize,
    /// The first side.
    pub a: Body,
    /// The second side.
    pub b: Body,
    /// The parts of both sides that are in the regime.
    pub leading: [usize; 2],
    /// The margin in metres.
    pub margin: f64,
}

impl CompoundCase {
    /// The same with every length multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let [a, b] = [&self.a, &self.b].map(|body| body.map(|shape| shape.scaled(factor)));
        Self { a, b, margin: self.margin * factor, ..self.clone() }
    }

    /// The same after a rigid motion of both.
    #[must_use]
    pub fn moved(&self, motion: &Pose) -> Self {
        let [a, b] = [&self.a, &self.b].map(|body| body.map(|shape| shape.moved(motion)));
        Self { a, b, ..self.clone() }
    }

    /// The same with the sides exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        let [a, b] = self.leading;
        Self { a: self.b.clone(), b: self.a.clone(), leading: [b, a], ..self.clone() }
    }

    /// The case as an input line for `palpate detect`.
    pub fn to_json(&self) -> String {
        let (a, b) = (self.a.json(), self.b.json());
        json!({"id": self.number, "a": a, "b": b, "options": {"margin": self.margin}}).to_string()
    }
}

/// A case of compounds against a kind; `None` if the pair could not be brought into the regime. The kinds of the
/// children cycle with `number`, over those for which the registry has a detector.
pub fn compound_case(
    registry: &Registry,
    other: &GeometryKind,
    regime: Regime,
    number: usize,
) -> Result<Option<CompoundCase>, String> {
    let mut random = Random::named(&format!("compound {other} {regime:?}"), number as u64);
    let children = if *other == GeometryKind::COMPOUND {
        vec![GeometryKind::SPHERE, GeometryKind::CAPSULE, GeometryKind::ORIENTED_BOX, GeometryKind::POINT_SET]
    } else {
        partners(registry, other)
    };
    if children.is_empty() {
        return Err(format!("no kind has a detector against {other}"));
    }
    let child = &children[number % children.len()];
    let opposite = if *other == GeometryKind::COMPOUND { random.pick(&ROUND) } else { other.clone() };
    let Some(case) = leading(registry, child, &opposite, regime, number, &mut random)? else {
        return Ok(None);
    };
    let [first, met] = [&case.a, &case.b];
    let mut parts = vec![first.clone()];
    for _ in 0..1 + random.below(2) {
        let kind = random.pick(&children);
        parts.push(beside(&kind, met, regime, &mut random)?);
    }
    // The leading child is not always the first.
    let place = random.below(parts.len());
    parts.swap(0, place);
    let b = if *other == GeometryKind::COMPOUND {
        let kind = random.pick(&ROUND);
        let mut near = beside(&kind, first, regime, &mut random)?;
        if regime == Regime::Separated {
            // Apart from every child of the first, not just one.
            near = met.clone();
        }
        Body::Children(vec![near, met.clone()])
    } else {
        Body::Whole(met.clone())
    };
    let leading = [place, b.parts().len() - 1];
    let case = CompoundCase { regime, number, a: Body::Children(parts), b, leading, margin: case.margin };
    Ok(Some(if random.one_in(2) { case } else { case.exchanged() }))
}

/// Kinds that have a detector with every child kind of two compounds.
const ROUND: [GeometryKind; 2] = [GeometryKind::SPHERE, GeometryKind::CAPSULE];

/// Attempts to make a pair for the detector of the previous one.
const TRIES: usize = 8;

/// The kinds that have a detector against `other`.
fn partners(registry: &Registry, other: &GeometryKind) -> Vec<GeometryKind> {
    let mut partners = Vec::new();
    for cell in registry.matrix() {
        let partner = if cell.a == *other { &cell.b } else { &cell.a };
        let is_cell = cell.a == *other || cell.b == *other;
        if is_cell && matches!(cell.served, Served::By { .. }) && !partners.contains(partner) {
            partners.push(partner.clone());
        }
    }
    partners
}

/// A case of the child's own detector, the child first.
fn leading(
    registry: &Registry,
    child: &GeometryKind,
    other: &GeometryKind,
    regime: Regime,
    number: usize,
    random: &mut Random,
) -> Result<Option<Case>, String> {
    let found = registry.matrix().into_iter().find_map(|cell| {
        let is_cell = (cell.a == *child && cell.b == *other) || (cell.a == *other && cell.b == *child);
        match cell.served {
            Served::By { detector, .. } if is_cell => Some(detector),
            _ => None,
        }
    });
    let detector = found.ok_or_else(|| format!("no detector for {child} and {other}"))?;
    let entry = registry.entry(detector).ok_or("a detector of the matrix is registered")?;
    // Another detector may be bound to the pair that was made (open surfaces have their own): then a pair is made
    // for that one.
    let mut entry = entry;
    for _ in 0..TRIES {
        let own_order = entry.a.takes_kind(child) && entry.b.takes_kind(other);
        let kinds = if own_order { [child, other] } else { [other, child] };
        let Some(case) = case_of(registry, entry, kinds, &None, regime, number, random)? else {
            return Ok(None);
        };
        let bound = registry.bind(case.a.prepared().as_ref(), case.b.prepared().as_ref(), Choice::default());
        let taker = bound.map_err(|error| error.to_string())?.name().to_owned();
        if taker == entry.name {
            let own = case.with_shapes(case.b.clone(), case.a.clone());
            return Ok(Some(if own_order { case } else { own }));
        }
        entry = registry.entry(&taker).ok_or("a detector by its name")?;
    }
    Ok(None)
}

/// A shape near another; in the separated regime, far from it.
fn beside(kind: &GeometryKind, met: &Shape, regime: Regime, random: &mut Random) -> Result<Shape, String> {
    let center = palpate_math::Point::from(met.center());
    let reach = met.reach_from(&center);
    let size = if reach > 0.0 { reach } else { 0.1 * met.size().max(0.5) };
    let shape = generate(kind, size * random.between(0.3, 1.0), random)?;
    if regime != Regime::Separated {
        let shift = anchor(met, random) - anchor(&shape, random);
        return Ok(shape.shifted(&(shift + random.vector() * (0.5 * size))));
    }
    let to = |place: Vector| shape.shifted(&(place - shape.center()));
    Ok(match (met, &shape) {
        // With its solid side away from the other.
        (_, Shape::Plane { normal, .. }) => to(center.coords - normal.normalize() * (3.0 * size)),
        (Shape::Plane { normal, .. }, _) => {
            let own = shape.reach_from(&palpate_math::Point::from(shape.center()));
            to(center.coords + normal.normalize() * (3.0 * (own + size)))
        }
        _ => {
            let own = shape.reach_from(&palpate_math::Point::from(shape.center()));
            to(center.coords + random.direction() * (3.0 * (own + size)))
        }
    })
}
