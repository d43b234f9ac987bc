//! A line that begins with an asterisk: a keyword and its parameters.

/// A keyword, in capitals, and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Keyword {
    pub(super) name: String,
    parameters: Vec<(String, Option<String>)>,
}

impl Keyword {
    /// The keyword of a line without its continuation.
    pub(super) fn new(line: &str) -> Self {
        let mut words = line.trim_start_matches('*').split(',').map(str::trim);
        let name = words.next().unwrap_or_default().to_ascii_uppercase();
        let parameters = words.filter(|word| !word.is_empty()).map(|word| match word.split_once('=') {
            Some((key, value)) => {
                (key.trim().to_ascii_uppercase(), Some(value.trim().trim_matches('"').to_owned()))
            }
            None => (word.to_ascii_uppercase(), None),
        });
        Self { parameters: parameters.collect(), name }
    }

    /// The value of a parameter.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.parameters.iter().find(|(name, _)| name == key).and_then(|(_, value)| value.as_deref())
    }

    /// Whether there is a parameter of that name.
    pub(super) fn has(&self, key: &str) -> bool {
        self.parameters.iter().any(|(name, _)| name == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_values_or_none() {
        let keyword = Keyword::new("*element, type = C3D4 ,ELSET=\"Left lobe\", generate,");
        assert_eq!((keyword.name.as_str(), keyword.value("TYPE")), ("ELEMENT", Some("C3D4")));
        assert_eq!((keyword.value("ELSET"), keyword.value("GENERATE")), (Some("Left lobe"), None));
        assert!(keyword.has("GENERATE") && !keyword.has("UNSORTED"));
    }
}
