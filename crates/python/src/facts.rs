//! The registry and the layouts of records, for the Python code and its tests.

use crate::layout::{Layout, layout};
use crate::{blade, guard, pbd, procedure, query, rigid, scene, sliding};
use palpate::contact::{Contact, Feature};
use palpate::detect::{Registry, SettingValues};
use palpate::serde_json::{Value, json};
use pyo3::prelude::*;

/// The layouts of all records that arrays view.
#[pyfunction]
pub(crate) fn layouts() -> Vec<Layout> {
    let mut all = vec![
        layout!("feature", Feature, kind, vertex_count, vertices, cell, child, weights, point),
        layout!("contact", Contact, a, b, direction, depth, depth_upper, time_of_impact, id),
    ];
    all.extend(query::layouts());
    all.push(scene::layout());
    all.extend(pbd::layouts());
    all.push(rigid::layout());
    all.extend(procedure::layouts());
    all.extend(blade::layouts());
    all.push(sliding::layout());
    all.extend(guard::layouts());
    all
}

/// The detectors, with their settings, as JSON.
#[pyfunction]
pub(crate) fn detectors() -> String {
    let registry = Registry::standard();
    let all = registry.detectors().iter().map(|entry| {
        let settings = entry.settings().into_iter().map(|setting| {
            let values: Value = match setting.values {
                SettingValues::Boolean => json!("boolean"),
                SettingValues::Number => json!("number"),
                SettingValues::Words(words) => json!(words),
                _ => Value::Null,
            };
            json!({"name": setting.name, "values": values, "default": setting.default, "meaning": setting.meaning})
        });
        json!({
            "name": entry.name,
            "settings_type": entry.settings_type(),
            "settings": settings.collect::<Vec<_>>(),
            "method": entry.about.method,
            "elements": [entry.about.elements_a, entry.about.elements_b],
        })
    });
    Value::from(all.collect::<Vec<_>>()).to_string()
}
