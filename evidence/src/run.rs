//! Results and counts of a run, from what `cargo test -- --show-output` and `pytest -v` print.

use crate::marks::TestName;
use std::collections::BTreeMap;

/// What a test came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It was left out.
    Ignored,
    /// It failed.
    Failed,
}

/// A run of the tests.
#[derive(Clone, Debug, Default)]
pub struct Run {
    results: BTreeMap<TestName, Outcome>,
    /// What tests counted, by its name: the sum over all tests that print `counted: NAME: NUMBER`.
    pub counts: BTreeMap<String, u64>,
}

impl Run {
    /// Reads what the runs printed, one after the other.
    pub fn read(log: &str) -> Self {
        let mut run = Self::default();
        let mut target = String::new();
        for line in log.lines() {
            if let Some(name) = started(line) {
                target = name;
            } else if let Some((path, outcome)) = result(line) {
                run.add(TestName { target: target.clone(), path: path.to_owned() }, outcome);
            } else if let Some((path, outcome)) = pytest_result(line) {
                run.add(TestName { target: "pytest".to_owned(), path: path.to_owned() }, outcome);
            } else if let Some((name, number)) = counted(line) {
                *run.counts.entry(name.to_owned()).or_default() += number;
            }
        }
        for (test, outcome) in &run.results {
            let name = match (test.target.as_str(), outcome) {
                (_, Outcome::Ignored | Outcome::Failed) => continue,
                ("doc", _) => "examples in the documentation that ran",
                ("pytest", _) => "Python tests that passed",
                _ => "tests that passed",
            };
            *run.counts.entry(name.to_owned()).or_default() += 1;
        }
        run
    }

    /// Of tests with one name, the worst result counts.
    fn add(&mut self, test: TestName, outcome: Outcome) {
        let known = self.results.entry(test).or_insert(outcome);
        *known = outcome.max(*known);
    }

    /// What a test came to, if it ran.
    pub fn outcome(&self, test: &TestName) -> Option<Outcome> {
        self.results.get(test).copied()
    }

    /// Whether tests of this kind ran at all: `pytest` may be left out of a run.
    pub fn has_target(&self, target: &str) -> bool {
        self.results.keys().any(|test| test.target == target)
    }
}

/// The binary that a line says is started, without its hash; `doc` for examples in the documentation.
fn started(line: &str) -> Option<String> {
    let line = line.trim_start();
    if line.starts_with("Doc-tests ") {
        return Some("doc".to_owned());
    }
    let path = line.strip_prefix("Running ")?.rsplit_once('(')?.1.strip_suffix(')')?;
    let name = path.rsplit('/').next()?;
    Some(name.rsplit_once('-')?.0.to_owned())
}

fn result(line: &str) -> Option<(&str, Outcome)> {
    let (path, outcome) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let outcome = match outcome {
        "ok" => Outcome::Passed,
        "FAILED" => Outcome::Failed,
        text if text.starts_with("ignored") => Outcome::Ignored,
        _ => return None,
    };
    Some((path.trim_end_matches(" - should panic"), outcome))
}

/// `tests/test_views.py::test_it[7] PASSED [ 10%]`, or `PASSED tests/test_views.py::test_it[7]` of a summary.
fn pytest_result(line: &str) -> Option<(&str, Outcome)> {
    let mut words = line.split_whitespace();
    let (one, two) = (words.next()?, words.next()?);
    let (path, word) = if one.contains(".py::") { (one, two) } else { (two, one) };
    let outcome = match word {
        "PASSED" => Outcome::Passed,
        "SKIPPED" => Outcome::Ignored,
        "FAILED" | "ERROR" => Outcome::Failed,
        _ => return None,
    };
    let path = path.split('[').next().filter(|path| path.contains(".py::"))?;
    Some((path.strip_prefix("tests/").unwrap_or(path), outcome))
}

fn counted(line: &str) -> Option<(&str, u64)> {
    let (name, number) = line.strip_prefix("counted: ")?.rsplit_once(": ")?;
    Some((name, number.trim().parse().ok()?))
}

#[test]
fn results_and_counts_are_read() {
    let log = "     Running unittests src/lib.rs (target/debug/deps/palpate_math-0a1b)\n\
               test a::tests::one ... ok\ntest a::two ... FAILED\ntest a::three ... ignored, slow\n\
               \x20    Running tests/laws/main.rs (target/debug/deps/laws-22)\ntest mirror ... ok\n\
               counted: cases: 12\ncounted: cases: 30\n   Doc-tests palpate\n\
               test crates/palpate/src/lib.rs - (line 3) ... ok\n\
               tests/test_views.py::test_it[1] PASSED   [ 1%]\ntests/test_views.py::test_it[2] FAILED [ 2%]\n\
               PASSED tests/test_batch.py::test_padded\n";
    let run = Run::read(log);
    let outcome = |target: &str, path: &str| {
        run.outcome(&TestName { target: target.to_owned(), path: path.to_owned() })
    };
    assert_eq!(outcome("palpate_math", "a::tests::one"), Some(Outcome::Passed));
    assert_eq!(outcome("palpate_math", "a::two"), Some(Outcome::Failed));
    assert_eq!(outcome("palpate_math", "a::three"), Some(Outcome::Ignored));
    assert_eq!(outcome("laws", "mirror"), Some(Outcome::Passed));
    assert_eq!(outcome("laws", "motion"), None);
    assert_eq!(outcome("pytest", "test_views.py::test_it"), Some(Outcome::Failed));
    assert_eq!(outcome("pytest", "test_batch.py::test_padded"), Some(Outcome::Passed));
    assert_eq!(run.counts["cases"], 42);
    assert_eq!(run.counts["tests that passed"], 2);
    assert_eq!(run.counts["examples in the documentation that ran"], 1);
    assert!(run.has_target("pytest") && !run.has_target("heap"));
}
