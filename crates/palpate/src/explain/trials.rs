//! Runs of the pair's own detector with another margin or another setting.

use super::children::detectors;
use super::explanation::{Stage, Step, counted};
use crate::contact::Contact;
use crate::contact_text::elements;
use crate::detect::SettingValues;
use crate::geometry::{LARGEST, SMALLEST};
use crate::scene::{PairId, PairOptions, Scene, SceneError};
use serde_json::{Value, json};

/// The first margin that is tried, relative to how far the search goes.
const FIRST_PART: f64 = 1e-9;

/// How exactly the margin of a motion is found, relative to it.
const MARGIN_PART: f64 = 1e-9;

/// The contacts of a pair with other options. The pair stays as it is.
fn contacts_with(scene: &mut Scene, pair: PairId, options: PairOptions) -> Result<Vec<Contact>, SceneError> {
    let [a, b] = [scene.pair(pair)?.a(), scene.pair(pair)?.b()];
    let trial = scene.add_pair(a, b, options)?;
    let found = scene.step().and_then(|_| scene.contacts(trial).map(|found| found.contacts.clone()));
    scene.remove_pair(trial)?;
    found
}

/// The options of a pair with its own detector and the order of its inputs.
pub(super) fn own_options(scene: &Scene, pair: PairId) -> Result<PairOptions, SceneError> {
    let pair = scene.pair(pair)?;
    let orders = pair.orders();
    Ok(PairOptions { orders, margin: pair.margin(), ..pair.options().clone() })
}

/// The elements that the detector reports first when the margin grows, and the distance.
pub(super) struct Nearest {
    pub(super) contact: Contact,
    /// Metres between the elements; of a continuous detector the smallest margin with which it reports them, to 1e-9 of it.
    pub(super) distance: f64,
}

/// The nearest elements by the detector: the margin grows by factors of two up to `reach` metres. `None` if the detector reports
/// nothing even then.
pub(super) fn nearest(scene: &mut Scene, pair: PairId, reach: f64) -> Result<Option<Nearest>, SceneError> {
    let own = own_options(scene, pair)?;
    let first = |scene: &mut Scene, margin: f64| -> Result<Option<Contact>, SceneError> {
        let found = contacts_with(scene, pair, PairOptions { margin, ..own.clone() })?;
        Ok(found.into_iter().max_by(|one, two| one.depth.total_cmp(&two.depth)))
    };
    let (mut low, mut margin) = (own.margin, (FIRST_PART * reach).max(2.0 * own.margin).max(SMALLEST));
    while margin <= (2.0 * reach).min(LARGEST) {
        let Some(mut contact) = first(scene, margin)? else {
            low = margin;
            margin *= 2.0;
            continue;
        };
        if contact.time_of_impact.is_nan() {
            return Ok(Some(Nearest { contact, distance: -contact.depth }));
        }
        // The depth of a motion is no distance: that is where its contact first appears.
        let mut high = margin;
        while high - low > MARGIN_PART * high && 0.5 * (low + high) >= SMALLEST {
            let middle = 0.5 * (low + high);
            match first(scene, middle)? {
                Some(nearer) => (contact, high) = (nearer, middle),
                None => low = middle,
            }
        }
        return Ok(Some(Nearest { contact, distance: high }));
    }
    Ok(None)
}

/// The step that names the nearest elements.
pub(super) fn nearest_step(nearest: &Nearest, margin: f64) -> Step {
    let Nearest { contact, distance } = nearest;
    let (names, distance) = (elements(contact), *distance);
    let way = if contact.time_of_impact.is_nan() { "apart" } else { "apart on their way" };
    let text = format!(
        "The nearest elements are {names}, {distance} m {way}; contacts are reported from {margin} m on."
    );
    let values = [
        ("distance", json!(distance)),
        ("elements", json!(names)),
        ("point_a", json!(contact.a.point)),
        ("point_b", json!(contact.b.point)),
        ("margin", json!(margin)),
    ];
    Step::new(Stage::Nearest, text, values)
}

/// For each value of each setting that changes the number of contacts or the greatest depth: what it changes.
pub(super) fn settings(
    scene: &mut Scene,
    pair: PairId,
    contacts: &[Contact],
) -> Result<Vec<Step>, SceneError> {
    let mut steps = Vec::new();
    let names = detectors(scene, pair)?;
    for name in &names {
        let Some(entry) = scene.registry().entry(name) else { continue };
        let all: Vec<_> =
            entry.settings().into_iter().map(|setting| (setting.name, setting.values)).collect();
        let defaults = entry.default_settings();
        for (setting, values) in all {
            let values: Vec<Value> = match values {
                SettingValues::Boolean => vec![json!(false), json!(true)],
                SettingValues::Words(words) => words.iter().map(|word| json!(word)).collect(),
                _ => continue,
            };
            let now = scene.pair(pair)?.settings();
            let current = now.get(&setting).or(defaults.get(&setting)).cloned().unwrap_or(Value::Null);
            for value in values.into_iter().filter(|value| *value != current) {
                // Values that do not go together are refused when the pair is bound.
                let Ok(found) = with_setting(scene, pair, &setting, &value) else { continue };
                steps.extend(setting_step(&setting, [&current, &value], [contacts, &found]));
            }
        }
    }
    steps.dedup();
    Ok(steps)
}

/// Of a pair without contacts whose detector was named: what the default detector would report, if that is anything.
pub(super) fn default_detector(
    scene: &mut Scene,
    pair: PairId,
    contacts: &[Contact],
) -> Result<Option<Step>, SceneError> {
    let named = scene.pair(pair)?.requested_detector().is_some();
    if !(named && contacts.is_empty()) {
        return Ok(None);
    }
    let own = scene.pair(pair)?;
    let (margin, detection) = (own.margin(), own.options().detection);
    let name = own.detector().to_owned();
    let [a, b] = [own.a(), own.b()];
    let options = PairOptions { margin, detection, ..PairOptions::default() };
    // There may be no default.
    let Ok(trial) = scene.add_pair(a, b, options) else { return Ok(None) };
    let found = scene.step().and_then(|_| {
        let pair = scene.pair(trial)?;
        Ok((pair.detector().to_owned(), pair.contacts().contacts.clone()))
    });
    scene.remove_pair(trial)?;
    let (default, found) = found?;
    let Some(depth) = deepest(&found).filter(|_| default != name) else { return Ok(None) };
    let count = counted(found.len());
    let text = format!(
        "The detector {name} was asked for: the default, {default}, would report {count}, the deepest {depth} m."
    );
    let values = [("detector", json!(default)), ("contacts", json!(found.len())), ("deepest", json!(depth))];
    Ok(Some(Step::new(Stage::Detector, text, values)))
}

/// The contacts of a pair with one setting changed.
fn with_setting(
    scene: &mut Scene,
    pair: PairId,
    setting: &str,
    value: &Value,
) -> Result<Vec<Contact>, SceneError> {
    let mut settings = scene.pair(pair)?.settings();
    if !settings.is_object() {
        settings = json!({});
    }
    settings[setting] = value.clone();
    let own = own_options(scene, pair)?;
    // A single detector by its name; of children and of detectors in turn each chooses as it did.
    let name = scene.pair(pair)?.detector();
    let single = scene.registry().entry(name).map(|entry| entry.name.to_owned());
    let detector = single.or(own.detector.clone());
    contacts_with(scene, pair, PairOptions { detector, settings: Some(settings), ..own })
}

fn setting_step(name: &str, [current, other]: [&Value; 2], [was, is]: [&[Contact]; 2]) -> Option<Step> {
    let [before, after] = [was, is].map(deepest);
    if was.len() == is.len() && before == after {
        return None;
    }
    let depth = |depth: Option<f64>| depth.map_or(String::new(), |depth| format!(", the deepest {depth} m"));
    let text = format!(
        "The setting {name} is {current}: with {other} there would be {}{} instead of {}{}.",
        counted(is.len()),
        depth(after),
        was.len(),
        depth(before)
    );
    let values = [
        ("setting", json!(name)),
        ("value", current.clone()),
        ("other", other.clone()),
        ("contacts", json!(is.len())),
        ("deepest", json!(after)),
    ];
    Some(Step::new(Stage::Setting, text, values))
}

/// Metres; `None` without contacts.
pub(super) fn deepest(contacts: &[Contact]) -> Option<f64> {
    contacts.iter().map(|contact| contact.depth).reduce(f64::max)
}
