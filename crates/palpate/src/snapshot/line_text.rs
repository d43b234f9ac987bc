//! The line of a contact as text: `vertex 4 cell 2 ~ point id 4 | lengths | direction and weights`.

use super::line::{self, ContactLine};
use crate::contact::{ContactKey, NONE};
use std::fmt;

impl fmt::Display for ContactLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} |", self.name())?;
        self.lengths.iter().chain(&self.depth_upper).try_for_each(|length| write!(f, " {length}"))?;
        write!(f, " |")?;
        let units = self.direction.iter().chain(&self.weights).chain(&self.time_of_impact);
        units.into_iter().try_for_each(|unit| write!(f, " {unit}"))
    }
}

impl ContactLine {
    /// Parses the text written by [`Display`](fmt::Display).
    pub(super) fn parse(line: &str) -> Option<Self> {
        let [name, lengths, units] = line.split(" | ").collect::<Vec<_>>().try_into().ok()?;
        let (elements, id) = name.rsplit_once(" id ")?;
        let (a, b) = elements.split_once(" ~ ")?;
        let (lengths, depth_upper) = with_last(numbers(lengths)?, line::LENGTHS.len())?;
        let (mut units, time_of_impact) = with_last(numbers(units)?, 3 + vertices(a) + vertices(b))?;
        let weights = units.split_off(3);
        Some(Self {
            key: ContactKey { id: id.parse().ok()?, children: [child(a)?, child(b)?] },
            elements: elements.to_owned(),
            lengths: lengths.try_into().ok()?,
            depth_upper,
            direction: units.try_into().ok()?,
            weights,
            time_of_impact,
        })
    }
}

/// Number of vertices that an element names: `edge 1 7 cell 4` names two.
fn vertices(element: &str) -> usize {
    element.split(' ').skip(1).take_while(|word| word.parse::<u32>().is_ok()).count()
}

fn child(element: &str) -> Option<u32> {
    element.split_once(" child ").map_or(Some(NONE), |(_, child)| child.parse().ok())
}

fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split(' ').map(|word| word.parse().ok()).collect()
}

/// The first `count` numbers, and an optional last one.
fn with_last(mut numbers: Vec<f64>, count: usize) -> Option<(Vec<f64>, Option<f64>)> {
    let last = (numbers.len() == count + 1).then(|| numbers.pop()).flatten();
    (numbers.len() == count).then_some((numbers, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_is_written() {
        for text in [
            "edge 1 7 cell 4 child 2 ~ point id 9 | 0.5 1 2 3 1 2.5 3 0.75 | 0 1 0 0.25 0.75",
            "point ~ point cell 5 child 3 id 18446744073709551615 | -0.5 1 2 3 1 2.5 3 | 0 1 0 0.5",
            "tetrahedron 1 2 3 4 cell 0 ~ vertex 9 cell 0 id 1 | 0.5 1 2 3 1 2.5 3 | 0 1 0 0 0 1 0 1",
        ] {
            assert_eq!(ContactLine::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn incomplete_lines_are_refused() {
        let text = "edge 1 7 child 2 ~ point id 9 | 0.5 1 2 3 1 2.5 3 | 0 1 0 0.25 0.75";
        assert!(ContactLine::parse(text).is_some());
        for (from, to) in [
            (" id 9", ""),
            (" ~ ", " "),
            ("child 2", "child two"),
            ("| 0.5 1 2 3 1 2.5 3 |", "| 0.5 1 2 3 1 2.5 |"),
            ("0.25 0.75", "0.25"),
            ("0.75", "0.75 | 1"),
            ("0.5 1", "half 1"),
        ] {
            assert_eq!(ContactLine::parse(&text.replace(from, to)), None, "{from}");
        }
    }
}
