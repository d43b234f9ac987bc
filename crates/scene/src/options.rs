//! Options of a pair or of the pairs between groups.

use palpate_detect::{Detection, Order};
use serde::Serialize;
use serde_json::Value;

/// Detector, settings and margin of a pair. The default is the registry's default detector with its default settings
/// and no margin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairOptions {
    /// A detector's name or an alias; `None` for the default of the two kinds.
    pub detector: Option<String>,
    /// The detector's settings as a JSON object; omitted settings have the value of the alias or the default.
    pub settings: Option<Value>,
    /// Contact margin in metres: contacts closer than the margin are reported with negative depth.
    pub margin: f64,
    /// The order in which the inputs are passed to the detector if both are possible, from the
    /// [`Pair::orders`](crate::Pair::orders) of a pair to reproduce. Empty: ordered by content.
    pub orders: Vec<Order>,
    /// Static or continuous detection, or both, where no detector is named.
    pub detection: Detection,
}

impl PairOptions {
    /// Default options with these settings: a settings struct of the detector, or JSON.
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

    /// Sets the detector, by name or alias.
    #[must_use]
    pub fn with_detector(self, detector: impl Into<String>) -> Self {
        Self { detector: Some(detector.into()), ..self }
    }

    /// Sets static or continuous detection, or both.
    #[must_use]
    pub fn with_detection(self, detection: Detection) -> Self {
        Self { detection, ..self }
    }

    /// Sets the settings: a settings struct of the detector, or a JSON object with the settings that differ from those
    /// of the alias or the defaults. Settings that cannot be serialised as JSON are an error when the pair is bound.
    #[must_use]
    pub fn with_settings(self, settings: impl Serialize) -> Self {
        let refused =
            |error: serde_json::Error| Value::String(format!("settings that are not JSON: {error}"));
        Self { settings: Some(serde_json::to_value(settings).unwrap_or_else(refused)), ..self }
    }

    /// Sets the margin, in metres.
    #[must_use]
    pub fn with_margin(self, margin: f64) -> Self {
        Self { margin, ..self }
    }
}
