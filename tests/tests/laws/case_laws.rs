//! The laws of single cases, over every detector and regime, with hit rates.

use crate::all_cases::{ALL, CASES, DetectorCases, REGISTRY};
use palpate_tests::laws::{LAWS, Law, law};
use palpate_tests::{Case, Regime, Shape, Subject};

/// Number of failures printed per detector.
const SHOWN: usize = 2;

/// Judges every case, and asserts that enough of them had contacts to judge.
fn judge_all(law: Law) {
    let subject = Subject::new(&REGISTRY);
    let mut failures = Vec::new();
    for DetectorCases { entry, cases } in ALL.iter() {
        let (mut failed, mut judged) = (0, 0);
        for case in cases.iter().filter(|case| law.degenerate || case.regime != Regime::Degenerate) {
            match (law.judge)(&subject, case) {
                Ok(contacts) => judged += usize::from(contacts > 0),
                Err(reason) => {
                    failed += 1;
                    if failed <= SHOWN {
                        failures.push(case.failure(law.name, &reason));
                    }
                }
            }
        }
        if failed > 0 {
            let all = cases.len();
            failures.push(format!("{}: {failed} of {all} cases break the law of {}", entry.name, law.name));
        }
        let least = least_judged(law, cases);
        if failed == 0 && judged < least {
            failures.push(format!("{}, {}: judged {judged} cases, wanted {least}", entry.name, law.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Nearly all deep, shallow, touching and near cases must have contacts, except those that a law exempts.
fn least_judged(law: Law, cases: &[Case]) -> usize {
    let primitive = |shape: &Shape| shape.vertices().is_empty() && !matches!(shape, Shape::Implicit { .. });
    let primitives = cases.iter().all(|case| primitive(&case.a) && primitive(&case.b));
    match law.name {
        "separation" if !primitives => 0,
        // Near cases are apart already.
        "separation" => 3 * *CASES * 9 / 10,
        // A detector named for two surfaces, where either may be the one with the vertices.
        "mirror" => 4 * *CASES * 7 / 10,
        _ => 4 * *CASES * 9 / 10,
    }
}

macro_rules! case_laws {
    ($($name:ident),*) => {
        $(
            #[test]
            fn $name() {
                judge_all(law(stringify!($name)).expect("a law by this name"));
            }
        )*

        #[test]
        fn every_law_that_judges_a_case_is_here() {
            let here = [$(stringify!($name)),*];
            assert_eq!(palpate_tests::laws::LAWS.map(|law| law.name), here);
        }
    };
}

case_laws! {
    // Proves: REQ-MIRROR, REQ-LAW-MIRROR
    mirror,
    // Proves: REQ-MOTION, REQ-LAW-MOTION
    motion,
    // Proves: REQ-SCALE, REQ-LAW-SCALE
    scale,
    // Proves: REQ-ORDER, REQ-LAW-ORDER
    order,
    // Proves: REQ-ONCE, REQ-LAW-ONCE
    once,
    // Proves: REQ-SEPARATION, REQ-LAW-SEPARATION
    separation,
    // Proves: REQ-NO-NAN, REQ-LAW-RECORD
    record,
    // Proves: REQ-LAW-BOUNDS
    bounds,
    // Proves: REQ-LAW-TRUTH
    truth,
    // Proves: REQ-MEMORY, REQ-LAW-MEMORY
    memory
}

#[test]
fn every_regime_hits() {
    let subject = Subject::new(&REGISTRY);
    let mut failures = Vec::new();
    let mut table = String::new();
    for DetectorCases { entry, cases } in ALL.iter() {
        table += &format!("{:34}", entry.name);
        for regime in Regime::ALL {
            let of_regime: Vec<&Case> = cases.iter().filter(|case| case.regime == regime).collect();
            let hits = of_regime.iter().filter(|case| !subject.contacts(case).unwrap().is_empty()).count();
            table += &format!(" {:>3}/{:<3}", hits, of_regime.len());
            let (least_cases, least_hits, most_hits) = match regime {
                Regime::Separated => (*CASES * 9 / 10, 0, 0),
                Regime::Degenerate => (*CASES, *CASES / 3, *CASES),
                _ => (*CASES * 9 / 10, *CASES * 9 / 10, *CASES),
            };
            if of_regime.len() < least_cases || hits < least_hits || hits > most_hits {
                failures.push(format!("{} {regime:?}: {hits} hits of {} cases", entry.name, of_regime.len()));
            }
        }
        table += "\n";
    }
    assert!(failures.is_empty(), "{}\n{table}", failures.join("\n"));
    println!("counted: detectors: {}", ALL.len());
    println!("counted: laws of a case: {}", LAWS.len());
    println!(
        "counted: cases of detectors, each judged by every law: {}",
        ALL.iter().map(|of| of.cases.len()).sum::<usize>()
    );
}

/// Each regime has the depths that its name says, relative to the size of the case.
#[test]
fn the_regimes_are_what_they_say() {
    let subject = Subject::new(&REGISTRY);
    for case in ALL.iter().flat_map(|cases| &cases.cases) {
        let deepest = subject.contacts(case).unwrap().deepest().map(|contact| contact.depth);
        let fits = match (case.regime, deepest) {
            (Regime::Deep | Regime::Shallow, Some(depth)) => depth > 0.0,
            (Regime::Touching, Some(depth)) => depth.abs() <= 1e-9 * case.size(),
            (Regime::Near, Some(depth)) => depth < 0.0 && depth >= -case.margin,
            (Regime::Separated, None) | (Regime::Degenerate, _) => true,
            _ => false,
        };
        assert!(fits, "{}", case.failure("regime", &format!("the deepest contact is {deepest:?}")));
    }
}
