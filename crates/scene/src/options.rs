//! Options of a pair or of the pairs between groups.

use palpate_detect::Order;
use serde::Serialize;
use serde_json::Value;

/// How a pair is to be detected; the default is the registry's own choice, with its default settings and no margin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairOptions {
    /// A detector's name or an alias; `None` for the default of the two kinds.
    pub detector: Option<String>,
    /// The detector's settings as a JSON object; settings that are left out have the alias's value or the default.
    pub settings: Option<Value>,
    /// Metres: pairs closer than it are reported too, with negative depth.
    pub margin: f64,
    /// The order in which the inputs reach the detector where both are possible: the [`Pair::orders`](crate::Pair::orders) of
    /// another pair that this one repeats. Empty: by content.
    pub orders: Vec<Order>,
}

impl PairOptions {
    /// The default options with these settings: a settings struct of the detector, or JSON.
    ///
    /// ```
    /// use palpate_detect::pairs::{InternalEdges, SurfaceMeshConvexSettings};
    /// use palpate_scene::PairOptions;
    ///
    /// let settings = SurfaceMeshConvexSettings { internal_edges: InternalEdges::Keep, ..Default::default() };
    /// let options = PairOptions::of(settings).with_margin(1e-3);
    /// ```
    pub fn of(settings: impl Serialize) -> Self {
        Self::default().with_settings(settings)
    }

    /// The same with a detector by name or alias.
    #[must_use]
    pub fn with_detector(self, detector: impl Into<String>) -> Self {
        Self { detector: Some(detector.into()), ..self }
    }

    /// The same with settings: a settings struct of the detector, or a JSON object with those that differ from the alias's or the
    /// defaults. What cannot be written as JSON is an error when the pair is bound.
    #[must_use]
    pub fn with_settings(self, settings: impl Serialize) -> Self {
        let refused =
            |error: serde_json::Error| Value::String(format!("settings that are not JSON: {error}"));
        Self { settings: Some(serde_json::to_value(settings).unwrap_or_else(refused)), ..self }
    }

    /// The same with a margin in metres.
    #[must_use]
    pub fn with_margin(self, margin: f64) -> Self {
        Self { margin, ..self }
    }
}
