//! Settings of detectors as data: for documentation and tools.

use crate::Entry;
use serde_json::Value;

/// A setting of a detector.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The key in JSON and the field of the settings struct.
    pub name: String,
    /// Its values.
    pub values: SettingValues,
    /// The default.
    pub default: Value,
    /// The effect, in one or two sentences.
    pub meaning: &'static str,
}

/// The values that a setting accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingValues {
    /// True or false.
    Boolean,
    /// A number.
    Number,
    /// One of these words.
    Words(&'static [&'static str]),
    /// Documented by the detector alone, as that of a user's detector.
    Other,
}

/// A setting has the same meaning in every detector that has it.
const KNOWN: [(&str, SettingValues, &str); 9] = [
    (
        "sides",
        SettingValues::Words(&["as_given", "one", "two"]),
        "Sidedness of the surface or the plane. `as_given`: a closed surface is a solid, an open one a two-sided sheet, a plane as it was \
         made. `one`: an open surface and a plane push to their front. `two`: pushes to the side on which the other body is.",
    ),
    (
        "internal_edges",
        SettingValues::Words(&["as_given", "ignore", "keep"]),
        "Whether contacts on internal edges and vertices, where an adjacent triangle is closer to the body, are kept. `as_given`: ignored \
         on closed surfaces and tetra meshes, on one-sided sheets by `surface_mesh_convex` alone; kept elsewhere. Ignore them on \
         floors and organs that bodies slide over. `keep` also disables manifolds on flat patches.",
    ),
    (
        "manifold",
        SettingValues::Boolean,
        "Whether a contact area is reported by several points (up to four, two for a capsule or a segment) or by one.",
    ),
    (
        "tolerance",
        SettingValues::Number,
        "The maximum gap between the certified bounds of a depth, relative to the size of the bodies; for curved and implicit bodies.",
    ),
    (
        "accumulate",
        SettingValues::Boolean,
        "Whether the deepest points of up to four steps are kept as a persistent manifold. Contacts then depend on earlier steps.",
    ),
    (
        "breaking",
        SettingValues::Number,
        "How far the anchors of an accumulated point may separate, relative to the bounding radius of the smaller body.",
    ),
    (
        "coherent",
        SettingValues::Boolean,
        "Whether overlapping polyhedra start from the contact of the last step: faster, the same up to rounding.",
    ),
    (
        "vertices",
        SettingValues::Words(&["both", "first", "second"]),
        "The surface whose vertices and edges are tested against the other.",
    ),
    (
        "edges",
        SettingValues::Boolean,
        "Whether edges are tested beside vertices. Without them, bodies that cross with no vertex inside have no contact.",
    ),
];

impl Entry {
    /// Returns the name of the settings struct, without its path.
    pub fn settings_type(&self) -> &'static str {
        let path = self.settings_path();
        path.rsplit("::").next().unwrap_or(path)
    }

    /// Returns all settings of the detector, in the order of their names.
    pub fn settings(&self) -> Vec<Setting> {
        let Value::Object(defaults) = self.default_settings() else { return Vec::new() };
        let setting = |(name, default): (String, Value)| {
            let known = KNOWN.iter().find(|(known, ..)| *known == name);
            let (values, meaning) =
                known.map_or((SettingValues::Other, ""), |&(_, values, meaning)| (values, meaning));
            Setting { name, values, default, meaning }
        };
        let mut settings: Vec<Setting> = defaults.into_iter().map(setting).collect();
        settings.sort_by(|a, b| a.name.cmp(&b.name));
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Order, Registry};
    use serde_json::json;
    use std::collections::BTreeSet;

    /// Every detector accepts the listed values, and rejects others.
    #[test]
    fn the_listed_values_are_those_that_detectors_accept() {
        let mut seen = BTreeSet::new();
        let mut tried = 0;
        for entry in Registry::standard().detectors() {
            for Setting { name, values, default, meaning } in entry.settings() {
                let accepts =
                    |value: &Value| entry.accepts_settings(&json!({ name.as_str(): value }), Order::AsGiven);
                assert!(!meaning.is_empty(), "{}: {name} is not documented", entry.name);
                assert!(accepts(&default), "{}: {name}", entry.name);
                let (good, bad): (Vec<Value>, Value) = match values {
                    SettingValues::Boolean => (vec![json!(true), json!(false)], json!("true")),
                    SettingValues::Number => (vec![json!(1e-6)], json!("1e-6")),
                    SettingValues::Words(words) => {
                        (words.iter().map(|word| json!(word)).collect(), json!("none"))
                    }
                    SettingValues::Other => panic!("{}: {name} has unknown values", entry.name),
                };
                assert!(good.iter().all(accepts), "{}: {name}", entry.name);
                assert!(!accepts(&bad), "{}: {name} accepts {bad}", entry.name);
                tried += good.len();
                seen.insert(name);
            }
        }
        assert!(KNOWN.iter().all(|(name, ..)| seen.contains(*name)), "{seen:?}");
        assert!(tried > 60, "only {tried} values");
    }
}
