//! The registry and the layouts of records, for the Python code and its tests.

use crate::{pbd, query, rigid, scene};
use palpate::contact::{Contact, Feature};
use palpate::detect::{Registry, SettingValues};
use palpate::serde_json::{Value, json};
use pyo3::prelude::*;

/// A record: its name, its size in bytes, and the name and place of every field.
pub(crate) type Layout = (&'static str, usize, Vec<(&'static str, usize)>);

/// The layout of a record.
macro_rules! layout {
    ($name:literal, $record:ty, $($field:ident),+ $(,)?) => {
        ($name, size_of::<$record>(), vec![$((stringify!($field), std::mem::offset_of!($record, $field))),+])
    };
}

pub(crate) use layout;

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
