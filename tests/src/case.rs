//! A pair of geometries for one detector, in one regime.

use crate::Shape;
use crate::case_json::case_json;
use palpate_contact::Contact;
use serde_json::Value;

/// Relative position of the two geometries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Regime {
    /// Deeply overlapping.
    Deep,
    /// Overlapping by a hundredth of their size or less.
    Shallow,
    /// Overlapping by no more than rounding.
    Touching,
    /// Apart by less than the margin.
    Near,
    /// Apart, without a margin.
    Separated,
    /// Coincident centres, zero lengths, flat cells, duplicate points, exact lattice coordinates.
    Degenerate,
}

impl Regime {
    /// All regimes.
    pub const ALL: [Self; 6] =
        [Self::Deep, Self::Shallow, Self::Touching, Self::Near, Self::Separated, Self::Degenerate];
    /// Regimes in general position.
    pub const GENERAL: [Self; 5] = [Self::Deep, Self::Shallow, Self::Touching, Self::Near, Self::Separated];
}

/// The default search tolerances of curved and of implicit bodies.
const OF_CURVED: f64 = 1e-10;
const OF_IMPLICIT: f64 = 1e-9;

/// Depth errors may be so many times the tolerance: sizes of bodies are not that of the case.
const SEARCHED: f64 = 4.0;

/// A pair of geometries, given in the order of the detector's sides.
#[derive(Clone, Debug)]
pub struct Case {
    /// The detector.
    pub detector: &'static str,
    /// Relative position of the two geometries.
    pub regime: Regime,
    /// Index of the case in its detector and regime.
    pub number: usize,
    /// The first side.
    pub a: Shape,
    /// The second side.
    pub b: Shape,
    /// The margin in metres.
    pub margin: f64,
    /// The detector's settings, or its defaults.
    pub settings: Option<Value>,
}

impl Case {
    /// The largest coordinate or length, to which tolerances are relative.
    pub fn size(&self) -> f64 {
        self.a.size().max(self.b.size()).max(self.margin)
    }

    /// The coarser of the resolutions of both shapes, in metres: to it a depth is known, and no better.
    pub fn resolution(&self) -> f64 {
        self.a.resolution().max(self.b.resolution())
    }

    /// What of the error of a depth is due to that resolution: none where a grid has a closed form, at a point and along a segment.
    pub fn depth_resolution(&self) -> f64 {
        let in_closed_form =
            ["implicit_point_set", "implicit_sphere", "implicit_capsule", "implicit_line_mesh"];
        if in_closed_form.contains(&self.detector) { 0.0 } else { self.resolution() }
    }

    /// Distance between the two bare cores at a contact: if it is tiny, rounding makes the direction meaningless.
    pub fn core_distance(&self, contact: &Contact) -> f64 {
        (self.a.rounding_radius() + self.b.rounding_radius() - contact.depth).abs()
    }

    /// Depth error that the search of an iterative detector may leave, relative to the size of the case; `None` if
    /// the detector is exact to rounding.
    pub fn search_tolerance(&self) -> Option<f64> {
        let curved = |shape: &Shape| {
            matches!(shape, Shape::Cylinder { .. } | Shape::Cone { .. } | Shape::Ellipsoid { .. })
        };
        let searches = ["convex_convex", "line_mesh_convex", "surface_mesh_convex", "tetra_mesh_convex"];
        let least_value = self.detector.starts_with("implicit_")
            && !["implicit_point_set", "implicit_sphere"].contains(&self.detector);
        let searched =
            least_value || searches.contains(&self.detector) && (curved(&self.a) || curved(&self.b));
        let asked = self.settings.as_ref().and_then(|settings| settings["tolerance"].as_f64());
        let default = if least_value { OF_IMPLICIT } else { OF_CURVED };
        let resolution = self.depth_resolution() / self.size();
        searched.then_some(SEARCHED * asked.unwrap_or(default).max(resolution))
    }

    /// Whether the detector reports a manifold of several points for one contact area.
    pub fn has_manifold(&self) -> bool {
        let one = self.settings.as_ref().is_some_and(|settings| settings["manifold"] == false);
        let several = [
            "capsule_oriented_box",
            "convex_convex",
            "oriented_box_oriented_box",
            "plane_convex",
            "plane_cylinder",
            "plane_oriented_box",
        ];
        !one && several.contains(&self.detector)
    }

    /// Whether a face or segment that lies on a body is reported by several points, each with its own depth.
    pub fn has_lying_points(&self) -> bool {
        let one = self.settings.as_ref().is_some_and(|settings| settings["manifold"] == false);
        !one && ["implicit_capsule", "implicit_convex", "line_mesh_convex"].contains(&self.detector)
    }

    /// The same case with one contact for what lies on a body.
    #[must_use]
    pub fn with_single_points(&self) -> Self {
        let mut single = self.clone();
        single.settings.get_or_insert_with(|| serde_json::json!({}))["manifold"] = false.into();
        single
    }

    /// Whether flat patches of triangles report several points each: the oracle knows only the deepest contact.
    pub fn has_patch_manifolds(&self) -> bool {
        let settings = |key: &str| self.settings.as_ref().map(|settings| settings[key].clone());
        let meshes = ["surface_mesh_convex", "tetra_mesh_convex"].contains(&self.detector);
        let off = settings("manifold").is_some_and(|manifold| manifold == false);
        meshes && !off && settings("internal_edges").is_none_or(|edges| edges != "keep")
    }

    /// Whether a surface pushes to one side only: a closed one outward, an open one to its front.
    pub fn has_front_asked(&self) -> bool {
        let asked = self.settings.as_ref().is_some_and(|settings| settings["sides"] == "one");
        asked && !self.detector.contains("plane") || self.detector == "closed_surface_mesh_capsule"
    }

    /// The same case with other geometries.
    #[must_use]
    pub fn with_shapes(&self, a: Shape, b: Shape) -> Self {
        Self { a, b, ..self.clone() }
    }

    /// The same case with every length multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            margin: self.margin * factor,
            ..self.with_shapes(self.a.scaled(factor), self.b.scaled(factor))
        }
    }

    /// The case as an input line for `palpate detect`.
    pub fn to_json(&self) -> String {
        case_json(self.number, self.detector, [&self.a, &self.b], self.margin, self.settings.as_ref())
    }

    /// `reason`, with the data needed to reproduce the failure.
    pub fn failure(&self, law: &str, reason: &str) -> String {
        let Self { detector, regime, number, .. } = self;
        format!("{law}: {detector}, {regime:?} case {number}: {reason}\n{}", self.to_json())
    }
}
