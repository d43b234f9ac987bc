//! The cases of every detector in every regime, generated once for all laws.

use palpate_detect::{Entry, Registry};
use palpate_tests::{Case, Regime, cases};
use std::sync::LazyLock;

/// Cases of every detector in every regime; the environment variable `PALPATE_CASES` sets more, for a longer run.
pub(crate) static CASES: LazyLock<usize> = LazyLock::new(|| {
    std::env::var("PALPATE_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(24).max(24)
});

/// The detectors under test.
pub(crate) static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// The environment variable `PALPATE_DETECTOR` restricts the run to one detector.
static ONLY: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("PALPATE_DETECTOR").ok());

/// All cases of a detector.
pub(crate) struct DetectorCases {
    pub(crate) entry: &'static Entry,
    pub(crate) cases: Vec<Case>,
}

pub(crate) static ALL: LazyLock<Vec<DetectorCases>> = LazyLock::new(|| {
    let of_entry = |entry: &'static Entry| {
        let of_regime =
            |regime| cases::cases(&REGISTRY, entry, regime, *CASES).unwrap_or_else(|error| panic!("{error}"));
        DetectorCases { entry, cases: Regime::ALL.into_iter().flat_map(of_regime).collect() }
    };
    let asked = |entry: &&Entry| ONLY.as_ref().is_none_or(|only| only == entry.name);
    REGISTRY.static_detectors().filter(asked).map(of_entry).collect()
});
