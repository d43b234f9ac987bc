//! The result as JUnit XML, which test servers read.

use super::report::Report;
use std::fmt::Write;

impl Report {
    /// A test suite with one test per pair, and one for what concerns no single pair. The failures have the counts and the first
    /// findings of the pair.
    pub fn junit(&self) -> String {
        let mut cases = String::new();
        let mut failures = 0;
        let mut case = |name: &str, message: Option<String>, lines: &[String]| {
            let name = escaped(name);
            let Some(message) = message else {
                let _ = writeln!(cases, "    <testcase classname=\"palpate.diff\" name=\"{name}\"/>");
                return;
            };
            failures += 1;
            let _ = writeln!(
                cases,
                "    <testcase classname=\"palpate.diff\" name=\"{name}\">\n      <failure message=\"{}\">{}</failure>\n    </testcase>",
                escaped(&message),
                escaped(&lines.join("\n"))
            );
        };
        let of = |pair: Option<&str>| -> Vec<String> {
            let own = self.findings.iter().filter(|finding| finding.pair.as_deref() == pair);
            own.map(ToString::to_string).collect()
        };
        let mut general = of(None);
        if self.input_counts {
            general.splice(..0, self.input.iter().cloned());
        }
        case("frames and input", general.first().cloned(), &general);
        for pair in &self.pairs {
            let message = (!pair.counts.is_empty()).then(|| pair.to_string());
            case(&pair.pair, message, &of(Some(&pair.pair)));
        }
        let tests = self.pairs.len() + 1;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"palpate diff\" tests=\"{tests}\" \
             failures=\"{failures}\">\n{cases}  </testsuite>\n</testsuites>\n"
        )
    }
}

/// Text of XML; characters that XML does not have are left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => out.push(letter),
        }
    }
    out
}
