//! The cases that are timed, stage by stage.

mod implicit;
mod lines;
mod points;
mod prepare;
mod primitives;
mod rays;
mod replays;
mod scenes;
mod surfaces;
mod volumes;

pub use implicit::implicit;
pub use lines::lines;
pub use points::points;
pub use prepare::prepare;
pub use primitives::primitives;
pub use rays::rays;
pub use replays::replays;
pub use scenes::scenes;
pub use surfaces::surfaces;
pub use volumes::volumes;

use crate::Case;

/// All cases, in the order of the table.
pub fn all() -> Vec<Case> {
    [
        primitives(),
        points(),
        rays(),
        implicit(),
        lines(),
        surfaces(),
        volumes(),
        prepare(),
        scenes(),
        replays(),
    ]
    .concat()
}

/// The numbers of vertices that point cases come in.
const VERTICES: [usize; 4] = [100, 1_000, 10_000, 100_000];

/// The numbers of cells that mesh cases come in.
const CELLS: [usize; 3] = [1_000, 10_000, 100_000];

#[cfg(test)]
mod tests {
    use super::*;
    use palpate::detect::Registry;

    #[test]
    fn every_detector_has_a_case() {
        let cases = all();
        for entry in Registry::standard().detectors() {
            assert!(cases.iter().any(|case| case.name == entry.name), "{} is not timed", entry.name);
        }
    }

    #[test]
    fn every_case_runs_and_finds_what_its_input_promises() {
        for case in all().into_iter().filter(|case| case.size <= 1_000) {
            let mut workload = case.workload().unwrap();
            let found = workload.ask().unwrap();
            assert_eq!(found, workload.ask().unwrap(), "{case}: another pass, another answer");
            match case.input {
                "miss" => assert_eq!(found, 0, "{case}"),
                "hit" => assert_eq!(found, case.size, "{case}"),
                _ => assert!(found > 0, "{case}"),
            }
        }
    }

    #[test]
    fn parry_answers_the_same_question() {
        let mut compared = 0;
        for case in primitives().into_iter().chain(points()).chain(rays()).filter(|case| case.size <= 1_000) {
            let mut workload = case.workload().unwrap();
            if let Some(found) = workload.ask_peer() {
                assert_eq!(found, workload.ask().unwrap(), "{case}");
                compared += 1;
            }
        }
        assert!(compared >= 20, "{compared} cases compared");
    }
}
