//! The cells, an implicit body's class by a partner's kind, and their cases.

use crate::classes::{Class, function};
use palpate_detect::Registry;
use palpate_geometry::GeometryKind;
use palpate_math::{Aabb, Vector};
use palpate_tests::generate::{anchor, generate_pair, members};
use palpate_tests::{Case, Function, Random, Regime, Shape, cases};
use serde_json::json;

/// How many cases in a row have the same function.
const OF_A_FUNCTION: usize = 8;

/// Where the numbers of the functions of second bodies begin.
const SECOND: usize = 1 << 24;

/// A partner: the detector, and which of its shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Partner {
    pub(crate) name: &'static str,
    pub(crate) detector: &'static str,
}

const fn partner(name: &'static str, detector: &'static str) -> Partner {
    Partner { name, detector }
}

/// All partners.
pub(crate) const PARTNERS: [Partner; 13] = [
    partner("sphere", "implicit_sphere"),
    partner("capsule", "implicit_capsule"),
    partner("plane", "implicit_plane"),
    partner("oriented_box", "implicit_convex"),
    partner("cylinder", "implicit_convex"),
    partner("hull", "implicit_convex"),
    partner("ellipsoid", "implicit_convex"),
    partner("cone", "implicit_convex"),
    partner("implicit", "implicit_implicit"),
    partner("point_set", "implicit_point_set"),
    partner("line_mesh", "implicit_line_mesh"),
    partner("surface_mesh", "implicit_surface_mesh"),
    partner("tetra_mesh", "implicit_tetra_mesh"),
];

impl Partner {
    /// Whether the partner is searched as a whole, and not by segments and triangles.
    pub(crate) fn is_solid(&self) -> bool {
        ["implicit_plane", "implicit_convex", "implicit_implicit"].contains(&self.detector)
    }

    pub(crate) fn is_mesh(&self) -> bool {
        ["surface_mesh", "tetra_mesh"].contains(&self.name)
    }

    fn kind(&self) -> GeometryKind {
        let all = members(&palpate_detect::Accepts::SupportMap);
        let meshes = members(&palpate_detect::Accepts::Points);
        let others = [GeometryKind::PLANE, GeometryKind::IMPLICIT];
        let mut kinds = all.into_iter().chain(meshes).chain(others);
        kinds.find(|kind| kind.name() == self.name).unwrap_or(GeometryKind::CONVEX)
    }

    /// Whether a shape of the kind is the one that is meant.
    fn is_meant(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Convex { .. } => self.name == "hull",
            Shape::Ellipsoid { .. } => self.name == "ellipsoid",
            Shape::Cone { .. } => self.name == "cone",
            _ => true,
        }
    }
}

/// A class of implicit bodies and a partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) class: Class,
    pub(crate) partner: Partner,
}

impl Cell {
    /// All cells.
    pub(crate) fn all() -> Vec<Self> {
        PARTNERS
            .into_iter()
            .flat_map(|partner| Class::ALL.into_iter().map(move |class| Self { class, partner }))
            .collect()
    }

    pub(crate) fn name(&self) -> String {
        format!("{}:{}", self.class.name(), self.partner.name)
    }

    /// A case of the cell, or `None` if none was found. Where a face lies on a body the deepest point alone is compared.
    pub(crate) fn case(&self, registry: &Registry, number: usize) -> Option<Case> {
        let mut random = Random::named(&self.name(), number as u64);
        let has_manifold = ["implicit_capsule", "implicit_convex"].contains(&self.partner.detector);
        let settings = has_manifold.then(|| json!({"manifold": false}));
        let kinds = [&GeometryKind::IMPLICIT, &self.partner.kind()];
        for _ in 0..100 {
            if self.class == Class::Generated {
                let entry = registry.entry(self.partner.detector).expect("a detector by this name");
                let regime = Regime::ALL[number % Regime::ALL.len()];
                let case = cases::case_of(registry, entry, kinds, &settings, regime, number, &mut random);
                let Some(case) = case.expect("kinds with generators") else { continue };
                if self.partner.is_meant(&case.b) {
                    return Some(case);
                }
                continue;
            }
            let (pair, direction) =
                generate_pair(kinds, Regime::Deep, false, &mut random).expect("kinds with generators");
            if self.partner.is_meant(&pair[1]) {
                let [a, b] = self.placed(pair, &direction, number, &mut random);
                let margin = if random.one_in(3) { random.between(0.0, 0.2) * extent(&a) } else { 0.0 };
                let Partner { detector, .. } = self.partner;
                return Some(Case { detector, regime: Regime::Deep, number, a, b, margin, settings });
            }
        }
        None
    }

    /// The function of a case and of some others, as it takes time to make a body of it. An intersection may be empty: then
    /// another is drawn.
    fn function(&self, number: usize) -> Function {
        let mut random = Random::named(self.class.name(), (number / OF_A_FUNCTION) as u64);
        loop {
            let function = function(self.class, &mut random);
            if extent_of(&function) > 0.0 {
                return function;
            }
        }
    }

    /// The pair with the implicit bodies of this class, and the partner apart along the direction.
    fn placed(
        &self,
        [a, b]: [Shape; 2],
        direction: &Vector,
        number: usize,
        random: &mut Random,
    ) -> [Shape; 2] {
        let a = replaced(a, 1.0, self.function(number));
        let b = match b {
            Shape::Implicit { .. } => {
                // Blends of ellipsoids have a search of their own over such and over those of rods.
                let others = match self.class {
                    Class::BlendOfEllipsoids => &[Class::BlendOfEllipsoids, Class::Blend],
                    _ => &Class::ALL[1..],
                };
                let class = others[number / OF_A_FUNCTION % others.len()];
                let partner = Self { class, ..*self };
                replaced(b, random.between(1.0, 3.0), partner.function(number + SECOND))
            }
            other => other,
        };
        let apart = anchor(&a, random) - anchor(&b, random);
        let reach = extent(&a) + if self.partner.is_mesh() { 0.3 } else { 0.5 } * extent(&b);
        let away = direction * (reach * random.between(0.0, 0.8));
        [a, b.shifted(&(apart + away))]
    }
}

/// The shape with another function, scaled to about the same extent times `factor`.
fn replaced(shape: Shape, factor: f64, function: Function) -> Shape {
    let wanted = factor * extent(&shape);
    match shape {
        Shape::Implicit { pose, .. } => {
            let scale = wanted / extent_of(&function);
            Shape::Implicit { pose, scale, function }
        }
        other => other,
    }
}

/// Half the diagonal of a shape's box; zero for an unbounded or an empty one.
pub(crate) fn extent(shape: &Shape) -> f64 {
    match shape {
        Shape::Implicit { scale, function, .. } => scale * extent_of(function),
        other => half_diagonal(&other.build().expect("generated shapes are valid").bounds()),
    }
}

fn extent_of(function: &Function) -> f64 {
    half_diagonal(&function.build().expect("generated functions are valid").sublevel_bounds(0.0))
}

fn half_diagonal(bounds: &Aabb) -> f64 {
    let half = 0.5 * bounds.diagonal_length();
    if bounds.is_empty() || !half.is_finite() { 0.0 } else { half }
}
