//! Conversion of the pairs of a scene to the pairs of a session.

use super::RecordError;
use crate::detect::{Choice, Order};
use crate::recording::PairInfo;
use crate::scene::{Scene, SceneError};
use serde_json::{Map, Value};

/// The pairs in order, each with the name of its detector: the requested one, or else the default of the two kinds.
pub(super) fn pairs_of(scene: &Scene) -> Result<Vec<PairInfo>, RecordError> {
    let mut pairs = Vec::new();
    for id in scene.pairs().filter(|id| !id.is_of_groups()) {
        let pair = scene.pair(id)?;
        pairs.push(PairInfo {
            a: scene.name(pair.a())?.to_owned(),
            b: scene.name(pair.b())?.to_owned(),
            detector: Some(pair.requested_detector().unwrap_or(pair.detector()).to_owned()),
            margin: pair.margin(),
            settings: pair.requested_settings().map(ToString::to_string),
            exchanged: pair.orders().into_iter().map(|order| order == Order::Swapped).collect(),
        });
    }
    Ok(pairs)
}

/// The pairs with all settings of their detectors, the defaults included.
pub(super) fn with_all_settings(scene: &Scene, pairs: &[PairInfo]) -> Result<Vec<PairInfo>, RecordError> {
    let mut all = pairs.to_vec();
    for (info, id) in all.iter_mut().zip(scene.pairs()) {
        info.settings = Some(scene.pair(id)?.settings().to_string());
    }
    Ok(all)
}

/// All pairs of groups, near or not, as pairs of the session.
pub(super) fn pairs_of_groups(scene: &Scene) -> Result<Vec<PairInfo>, RecordError> {
    let mut pairs = Vec::new();
    for (a, b, options) in scene.pairs_of_groups() {
        let choice = Choice {
            detector: options.detector.as_deref(),
            settings: options.settings.as_ref(),
            orders: &options.orders,
            ignore_unknown_settings: true,
            detection: options.detection,
        };
        let bind = || {
            scene.registry().bind(scene.geometry(a)?, scene.geometry(b)?, choice).map_err(|reason| {
                let [a, b] = [a, b].map(|id| scene.name(id).unwrap_or_default().to_owned());
                SceneError::Pair { a, b, reason: Box::new(reason) }
            })
        };
        let (detector, settings) = match (&options.detector, &options.settings) {
            (Some(detector), None) => (detector.clone(), None),
            (requested, settings) => {
                let bound = bind()?;
                let detector = requested.clone().unwrap_or_else(|| bound.name().to_owned());
                (detector, settings.as_ref().map(|settings| applied(settings, &bound.settings())))
            }
        };
        pairs.push(PairInfo {
            a: scene.name(a)?.to_owned(),
            b: scene.name(b)?.to_owned(),
            detector: Some(detector),
            margin: options.margin,
            settings: settings.map(|settings| settings.to_string()),
            exchanged: options.orders.iter().map(|&order| order == Order::Swapped).collect(),
        });
    }
    Ok(pairs)
}

/// The requested settings that the bound detector has: pairs of groups ignore the others.
fn applied(requested: &Value, bound: &Value) -> Value {
    let (Value::Object(requested), Value::Object(bound)) = (requested, bound) else {
        return requested.clone();
    };
    requested
        .iter()
        .filter(|(name, _)| bound.contains_key(*name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect::<Map<_, _>>()
        .into()
}

/// Checks that the pairs are those of the session. Errors: the first difference.
pub(super) fn check(now: &[PairInfo], wanted: &[PairInfo]) -> Result<(), RecordError> {
    let name = |pair: &PairInfo| format!("{}:{}", pair.a, pair.b);
    let list = |pairs: &[PairInfo]| match pairs {
        [] => "no pair".to_owned(),
        pairs => pairs.iter().map(name).collect::<Vec<_>>().join(", "),
    };
    if now.iter().map(name).ne(wanted.iter().map(name)) {
        let (found, wanted) = (list(now), list(wanted));
        return Err(RecordError::Changed { what: "the pairs of the scene".to_owned(), found, wanted });
    }
    for (now, wanted) in now.iter().zip(wanted) {
        let differs = |what: &str, found: &dyn ToString, wanted: &dyn ToString| {
            let what = format!("pair {}, {what}", name(now));
            Err(RecordError::Changed { what, found: found.to_string(), wanted: wanted.to_string() })
        };
        if now.margin.to_bits() != wanted.margin.to_bits() {
            return differs("margin", &now.margin, &wanted.margin);
        }
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "the default".to_owned());
        if now.detector != wanted.detector {
            return differs("detector", &text(&now.detector), &text(&wanted.detector));
        }
        if now.settings != wanted.settings {
            return differs("settings", &text(&now.settings), &text(&wanted.settings));
        }
        if now.exchanged != wanted.exchanged {
            return differs("order of the detector's inputs", &"the opposite order", &"the same order");
        }
    }
    Ok(())
}
