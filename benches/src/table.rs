//! The table of figures.

use crate::{Case, Timing};
use serde_json::{Value, json};

/// One measured row.
pub struct Row {
    case: Case,
    timing: Timing,
    growth: Option<f64>,
}

impl Row {
    /// The row of `case`; `before` is the row above it, from which the growth is computed if it is a smaller size
    /// of the same case.
    pub fn new(case: Case, timing: Timing, before: Option<&Row>) -> Self {
        let growth = before.and_then(|before| growth(before, &case, &timing));
        Self { case, timing, growth }
    }

    /// The row as an object.
    pub fn to_json(&self) -> Value {
        let peer = self.timing.peer.as_ref();
        json!({
            "name": self.case.name,
            "input": self.case.input,
            "size": self.case.size,
            "item": self.case.item,
            "items": self.timing.items,
            "contacts": self.timing.contacts,
            "palpate_ns": self.timing.palpate,
            "pass_us": self.timing.palpate * self.timing.items as f64 * 1e-3,
            "growth": self.growth,
            "parry_query": peer.map(|peer| peer.query),
            "parry_ns": peer.map(|peer| peer.nanoseconds),
            "ratio": peer.map(|peer| peer.ratio),
        })
    }

    /// The row as text, under [`header`].
    pub fn to_text(&self) -> String {
        let name = format!("{} · {}", self.case.name, self.case.input);
        let (query, peer, ratio) = match &self.timing.peer {
            Some(peer) => (peer.query, figure(peer.nanoseconds), figure(peer.ratio)),
            None => ("", String::new(), String::new()),
        };
        let growth = self.growth.map_or_else(String::new, |growth| format!("{growth:.2}"));
        let pass = self.timing.palpate * self.timing.items as f64 * 1e-3;
        line([
            &name,
            &self.case.size.to_string(),
            self.case.item,
            &self.timing.contacts.to_string(),
            &figure(pass),
            &figure(self.timing.palpate),
            &growth,
            &peer,
            &ratio,
            query,
        ])
    }
}

/// The exponent p of `time of a pass ~ size^p` from the smaller size to this one.
fn growth(before: &Row, case: &Case, timing: &Timing) -> Option<f64> {
    let same = before.case.name == case.name && before.case.input == case.input;
    (same && before.case.size < case.size).then(|| {
        let pass = |timing: &Timing| timing.palpate * timing.items as f64;
        let sizes = case.size as f64 / before.case.size as f64;
        (pass(timing) / pass(&before.timing)).ln() / sizes.ln()
    })
}

/// Three significant digits, without an exponent.
fn figure(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        size if size >= 0.9995 => 2,
        size if size >= 0.09995 => 3,
        _ => 4,
    };
    format!("{value:.decimals$}")
}

/// The names of the columns.
pub fn header() -> String {
    line([
        "what",
        "size",
        "item",
        "contacts",
        "pass µs",
        "ns",
        "growth",
        "parry ns",
        "ratio",
        "parry's query",
    ])
}

fn line(cells: [&str; 10]) -> String {
    let [what, size, item, contacts, pass, ns, growth, peer, ratio, query] = cells;
    let text = format!(
        "{what:<56} {size:>6} {item:<11} {contacts:>8} {pass:>10} {ns:>8} {growth:>6} {peer:>8} {ratio:>6}  {query}"
    );
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PeerTiming, Workload};

    fn row(size: usize, nanoseconds: f64, before: Option<&Row>) -> Row {
        let make = |size| Ok(Workload::new(size, || Ok(0)));
        let case = Case { name: "sphere_sphere", input: "hit", size, item: "pair", make };
        let peer = PeerTiming { query: "contact", nanoseconds: 2.0 * nanoseconds, ratio: 0.5 };
        let timing = Timing { contacts: 3, items: size, palpate: nanoseconds, peer: Some(peer) };
        Row::new(case, timing, before)
    }

    #[test]
    fn growth_is_the_exponent_of_the_whole_pass() {
        let small = row(100, 10.0, None);
        assert_eq!(small.growth, None);
        let large = row(10_000, 10.0, Some(&small));
        assert!((large.growth.unwrap() - 1.0).abs() < 1e-12);
        assert!(row(10_000, 0.1, Some(&small)).growth.unwrap().abs() < 1e-12);
    }

    #[test]
    fn figures_have_three_significant_digits() {
        let figures = [12_345.6, 99.96, 99.94, 1.0, 0.5, 0.09, 0.00389].map(figure);
        assert_eq!(figures, ["12346", "100", "99.9", "1.00", "0.500", "0.0900", "0.0039"]);
    }

    #[test]
    fn a_row_has_its_figures_in_both_forms() {
        let row = row(1_000, 12.5, None);
        assert_eq!(row.to_json()["palpate_ns"], 12.5);
        assert_eq!(row.to_json()["ratio"], 0.5);
        let text = row.to_text();
        assert!(text.contains("12.5") && text.contains("25.0") && text.ends_with("contact"), "{text}");
    }
}
