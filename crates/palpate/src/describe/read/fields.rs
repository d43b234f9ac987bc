//! The fields of a JSON object, read by name; unread fields are errors.

use crate::describe::DescriptionError;
use serde_json::{Map, Value};

/// An object whose keys are noted as they are read.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    known: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The fields of `value`, which has to be an object.
    pub fn new(value: &'a Value) -> Result<Self, DescriptionError> {
        let object = value.as_object().ok_or_else(|| DescriptionError::found(value, "an object"))?;
        Ok(Self { object, known: Vec::new() })
    }

    /// The value of `key`, where there is one.
    pub fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.push(key);
        self.object.get(key)
    }

    /// What `read` makes of the value of `key`.
    pub fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&'a Value) -> Result<T, DescriptionError>,
    ) -> Result<Option<T>, DescriptionError> {
        self.get(key).map(|value| read(value).map_err(|error| error.at(key))).transpose()
    }

    /// What `read` makes of the value of `key`, which has to be there.
    pub fn required<T>(
        &mut self,
        key: &'static str,
        wanted: &str,
        read: impl FnOnce(&'a Value) -> Result<T, DescriptionError>,
    ) -> Result<T, DescriptionError> {
        self.optional(key, read)?.ok_or_else(|| DescriptionError::missing(wanted).at(key))
    }

    /// Refuses keys that nobody asked for.
    pub fn finish(self) -> Result<(), DescriptionError> {
        match self.object.keys().find(|key| !self.known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let wanted = format!("one of {}", self.known.join(", "));
                let found = "an unknown key".to_owned();
                Err(DescriptionError::Field { field: key.clone(), found, wanted })
            }
        }
    }
}

/// `true` or `false`.
pub fn boolean(value: &Value) -> Result<bool, DescriptionError> {
    value.as_bool().ok_or_else(|| DescriptionError::found(value, "true or false"))
}

/// A text.
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
            "radios: found an unknown key, wanted one of radius"
        );
        let mut fields = Fields::new(&value).unwrap();
        let error = fields.required("center", "3 finite numbers", |_| Ok(())).unwrap_err();
        assert_eq!(error.at("a").to_string(), "a.center: found nothing, wanted 3 finite numbers");
    }
}
