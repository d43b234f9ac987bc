//! What has changed between two JSON values, in a few words.

use serde_json::Value;

/// The most changes that are named one by one.
const NAMED: usize = 3;

/// The members that differ, each with both values; `None` if the two are equal.
pub(super) fn value_changes(was: &Value, is: &Value) -> Option<String> {
    let mut found = Vec::new();
    collect("", was, is, &mut found);
    let more = found.len().saturating_sub(NAMED);
    found.truncate(NAMED);
    let mut text = found.join("; ");
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    (!text.is_empty()).then_some(text)
}

fn collect(path: &str, was: &Value, is: &Value, found: &mut Vec<String>) {
    let inner = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match (was, is) {
        (Value::Object(was), Value::Object(is)) => {
            for (name, value) in was {
                collect(&inner(name), value, is.get(name).unwrap_or(&Value::Null), found);
            }
            for (name, value) in is.iter().filter(|(name, _)| !was.contains_key(*name)) {
                collect(&inner(name), &Value::Null, value, found);
            }
        }
        (Value::Array(was), Value::Array(is)) if was.len() == is.len() && was.len() > 4 => {
            for (number, (was, is)) in was.iter().zip(is).enumerate() {
                collect(&format!("{path}[{number}]"), was, is, found);
            }
        }
        (was, is) if was != is => {
            let name = if path.is_empty() { "value" } else { path };
            let word = |value: &Value| if value.is_null() { "none".to_owned() } else { value.to_string() };
            found.push(format!("{name} was {}, is {}", word(was), word(is)));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_that_differ_are_named_with_both_values() {
        let was = json!({"radius": 0.002, "closed": true, "a": {"b": [1, 2]}});
        assert_eq!(value_changes(&was, &was), None);
        let is = json!({"radius": 0.002001, "a": {"b": [1, 3]}, "new": 1});
        assert_eq!(
            value_changes(&was, &is).unwrap(),
            "a.b was [1,2], is [1,3]; closed was true, is none; radius was 0.002, is 0.002001; and 1 more"
        );
        assert_eq!(value_changes(&json!(1), &json!(2)).unwrap(), "value was 1, is 2");
        let many = |x: i32| json!({ "list": [0, 1, x, 3, 4] });
        assert_eq!(value_changes(&many(2), &many(7)).unwrap(), "list[2] was 2, is 7");
    }
}
