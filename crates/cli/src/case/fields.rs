//! The fields of a JSON object, read by name; unread fields are errors.

use super::{CaseError, number};
use palpate::math::Vector;
use serde_json::{Map, Value};

/// An object that records which keys are read.
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    known: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The fields of `value`, which must be an object.
    pub(crate) fn new(value: &'a Value) -> Result<Self, CaseError> {
        let object = value.as_object().ok_or_else(|| CaseError::found(value, "an object"))?;
        Ok(Self { object, known: Vec::new() })
    }

    /// The value of `key`, if present.
    pub(crate) fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.push(key);
        self.object.get(key)
    }

    /// The value of `key` as converted by `read`, if present.
    pub(crate) fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&'a Value) -> Result<T, CaseError>,
    ) -> Result<Option<T>, CaseError> {
        self.get(key).map(|value| read(value).map_err(|error| error.at(key))).transpose()
    }

    /// The value of `key` as converted by `read`; a missing key is an error.
    pub(crate) fn required<T>(
        &mut self,
        key: &'static str,
        wanted: &str,
        read: impl FnOnce(&'a Value) -> Result<T, CaseError>,
    ) -> Result<T, CaseError> {
        self.optional(key, read)?.ok_or_else(|| CaseError::missing(wanted).at(key))
    }

    /// Rejects unread keys.
    pub(crate) fn finish(self) -> Result<(), CaseError> {
        match self.object.keys().find(|key| !self.known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let wanted = format!("one of {}", self.known.join(", "));
                let found = "an unknown key".to_owned();
                Err(CaseError::Field { field: key.clone(), found, wanted })
            }
        }
    }
}

/// `true` or `false`.
pub(crate) fn boolean(value: &Value) -> Result<bool, CaseError> {
    value.as_bool().ok_or_else(|| CaseError::found(value, "true or false"))
}

/// A text.
pub(crate) fn text(value: &Value) -> Result<&str, CaseError> {
    value.as_str().ok_or_else(|| CaseError::found(value, "a text"))
}

/// A size that is greater than 0.
pub(crate) fn size(fields: &mut Fields<'_>, key: &'static str) -> Result<f64, CaseError> {
    fields.required(key, "a number greater than 0", number::positive)
}

/// Three sizes that are greater than 0.
pub(crate) fn sizes(fields: &mut Fields<'_>, key: &'static str) -> Result<Vector, CaseError> {
    const WANTED: &str = "3 numbers greater than 0";
    fields.required(key, WANTED, |value| {
        let sizes = number::vector(value)?;
        let all_positive = sizes.iter().all(|&x| x > 0.0);
        if all_positive { Ok(sizes) } else { Err(CaseError::found(value, WANTED)) }
    })
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
