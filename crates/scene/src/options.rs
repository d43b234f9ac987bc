//! Options of a pair or of the pairs between groups.

use crate::OwnDetector;
use palpate_detect::{Detection, Order};
use serde::Serialize;
use serde_json::Value;

/// Detector, settings and margin of a pair. The default is the registry's default detector with its default settings
/// and no margin.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
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
    /// A detector of the caller's own in place of one of the registry: `detector`, `settings`, `orders` and `detection` are then
    /// without meaning, but settings are refused.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub own_detector: Option<OwnDetector>,
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

    /// Sets a detector of the caller's own.
    #[must_use]
    pub fn with_own_detector(self, own_detector: OwnDetector) -> Self {
        Self { own_detector: Some(own_detector), ..self }
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

#[cfg(test)]
#[cfg(feature = "serde")]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::{DebugOptions, Groups};
    use serde_json::json;

    #[test]
    fn options_read_back_as_they_were() {
        let options = PairOptions {
            detector: Some("sphere_capsule".to_owned()),
            settings: Some(json!({"manifold": false})),
            margin: 1e-3 / 3.0,
            orders: vec![Order::Swapped, Order::AsGiven],
            detection: Detection::ContinuousThenStatic,
            own_detector: None,
        };
        let text = serde_json::to_string(&options).unwrap();
        assert!(
            text.contains(r#""orders":["swapped","as_given"],"detection":"continuous_then_static"}"#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<PairOptions>(&text).unwrap(), options);
        // What is left out has its default, and a wrong word is named.
        assert_eq!(serde_json::from_str::<PairOptions>("{}").unwrap(), PairOptions::default());
        let refused = serde_json::from_str::<PairOptions>(r#"{"magrin": 1}"#).unwrap_err().to_string();
        assert!(refused.contains("unknown field `magrin`"), "{refused}");
        let groups = Groups { membership: 6, mask: 1 };
        assert_eq!(serde_json::from_value::<Groups>(json!({"membership": 6, "mask": 1})).unwrap(), groups);
        let lines = DebugOptions { boxes: true, ..DebugOptions::default() };
        assert_eq!(serde_json::from_value::<DebugOptions>(json!({"boxes": true})).unwrap(), lines);
    }

    #[test]
    fn a_detector_of_the_callers_own_is_written_by_name_and_not_read() {
        let own = OwnDetector::new("probe", |_| unreachable!("it is not bound"));
        let text = serde_json::to_string(&PairOptions::default().with_own_detector(own)).unwrap();
        let refused = serde_json::from_str::<PairOptions>(&text).unwrap_err().to_string();
        assert!(refused.contains("found the detector probe of the program that wrote this"), "{refused}");
    }
}
