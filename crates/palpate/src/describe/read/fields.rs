//! The fields of a JSON object, read by name; unread fields are errors.

use crate::describe::DescriptionError;
use crate::detect::nearest_name;
use serde_json::{Map, Value};

/// An object whose keys are noted as they are read.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    known: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The fields of `value`. Errors: it is not an object.
    pub fn new(value: &'a Value) -> Result<Self, DescriptionError> {
        let object = value.as_object().ok_or_else(|| DescriptionError::found(value, "an object"))?;
        Ok(Self { object, known: Vec::new() })
    }

    /// The value of `key`, if present.
    pub fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.push(key);
        self.object.get(key)
    }

    /// The value of `key` converted by `read`; `None` if the key is absent.
    pub fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&'a Value) -> Result<T, DescriptionError>,
    ) -> Result<Option<T>, DescriptionError> {
        self.get(key).map(|value| read(value).map_err(|error| error.at(key))).transpose()
    }

    /// The value of `key` converted by `read`. Errors: the key is absent.
    pub fn required<T>(
        &mut self,
        key: &'static str,
        wanted: &str,
        read: impl FnOnce(&'a Value) -> Result<T, DescriptionError>,
    ) -> Result<T, DescriptionError> {
        self.optional(key, read)?.ok_or_else(|| DescriptionError::missing(wanted).at(key))
    }

    /// Rejects keys that were not read.
    pub fn finish(self) -> Result<(), DescriptionError> {
        match self.object.keys().find(|key| !self.known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let wanted = one_of(key, &self.known);
                let found = "an unknown key".to_owned();
                Err(DescriptionError::Field { field: key.clone(), found, wanted })
            }
        }
    }
}

/// The words for what is wanted in place of an unknown word: `one of a, b`, and which of them is meant.
pub(super) fn one_of(word: &str, known: &[&str]) -> String {
    let meant = nearest_name(word, known.iter().copied());
    let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant:?}?)"));
    format!("one of {}{meant}", known.join(", "))
}

/// `true` or `false`.
pub fn boolean(value: &Value) -> Result<bool, DescriptionError> {
    value.as_bool().ok_or_else(|| DescriptionError::found(value, "true or false"))
}

/// A string.
pub fn text(value: &Value) -> Result<&str, DescriptionError> {
    value.as_str().ok_or_else(|| DescriptionError::found(value, "a text"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unknown_and_missing_keys_are_named() {
        let value = json!({"radius": 1, "radios": 2});
        let mut fields = Fields::new(&value).unwrap();
        fields.get("radius");
        assert_eq!(
            fields.finish().unwrap_err().to_string(),
            "radios: found an unknown key, wanted one of radius (did you mean \"radius\"?)"
        );
        let mut fields = Fields::new(&value).unwrap();
        let error = fields.required("center", "3 finite numbers", |_| Ok(())).unwrap_err();
        assert_eq!(error.at("a").to_string(), "a.center: found nothing, wanted 3 finite numbers");
    }
}
