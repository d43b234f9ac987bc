//! The timed cases, stage by stage.

mod compounds;
mod implicit;
mod lines;
mod motion;
mod points;
mod prepare;
mod primitives;
mod rays;
mod replays;
mod response;
mod scenes;
mod surfaces;
mod volumes;

pub use compounds::compounds;
pub use implicit::implicit;
pub use lines::lines;
pub use motion::motion;
pub use points::points;
pub use prepare::prepare;
pub use primitives::primitives;
pub use rays::rays;
pub use replays::replays;
pub use response::response;
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
        compounds(),
        lines(),
        motion(),
        surfaces(),
        volumes(),
        prepare(),
        scenes(),
        response(),
        replays(),
    ]
    .concat()
}

/// The numbers of vertices of point cases.
const VERTICES: [usize; 4] = [100, 1_000, 10_000, 100_000];

/// The numbers of cells of mesh cases.
const CELLS: [usize; 3] = [1_000, 10_000, 100_000];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workload;
    use palpate::detect::{Registry, Served};

    #[test]
    fn every_detector_has_a_case() {
        let cases = all();
        for entry in
            Registry::standard().static_detectors().chain(Registry::standard().continuous_detectors())
        {
            assert!(cases.iter().any(|case| case.name == entry.name), "{} is not timed", entry.name);
        }
    }

    /// The smallest input of every case; for pairs a tenth of it, which is sufficient here.
    fn small(cases: Vec<Case>) -> impl Iterator<Item = (Case, usize, Workload)> {
        cases.into_iter().filter(|case| case.size <= 1_000).map(|case| {
            let size = if case.item == "pair" { case.size / 10 } else { case.size };
            (case, size, (case.make)(size).unwrap())
        })
    }

    #[test]
    fn every_case_finds_what_its_input_promises_and_every_cell_has_one() {
        let mut timed = Vec::new();
        for (case, size, mut workload) in small(all()) {
            let found = workload.ask().unwrap();
            assert_eq!(found, workload.ask().unwrap(), "{case}: two passes differ");
            if case.input.ends_with("miss") {
                assert_eq!(found, 0, "{case}");
            } else if case.input.contains("hit") {
                assert_eq!(found, size, "{case}");
            } else if case.item == "pair" {
                assert!(found >= size, "{case}: {found}");
            } else {
                assert!(found > 0, "{case}");
            }
            timed.extend(workload.cell);
        }
        for cell in Registry::standard().matrix() {
            let kinds = [cell.a.clone(), cell.b.clone()];
            let is_timed =
                timed.iter().any(|[a, b]| kinds == [a.clone(), b.clone()] || kinds == [b.clone(), a.clone()]);
            let refused = matches!(cell.served, Served::Refused(_));
            assert!(is_timed != refused, "{} {}: timed {is_timed}", cell.a, cell.b);
        }
    }

    /// parry may miss one in a hundred manifolds: those of a support face whose corners are all above a plane.
    #[test]
    fn parry_answers_the_same_question() {
        let mut compared = 0;
        for (case, size, mut workload) in small([primitives(), points(), rays()].concat()) {
            let Some(found) = workload.ask_peer() else { continue };
            let own = workload.ask().unwrap();
            let missed = if workload.peer() == Some("contact_manifold") { size / 100 } else { 0 };
            assert!(found <= own && own - found <= missed, "{case}: {found}, not {own}");
            compared += 1;
        }
        assert!(compared >= 60, "{compared} cases compared");
    }
}
