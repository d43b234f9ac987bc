//! Runs workload W4: `w4 FOLDER [--json]`.

use palpate_benches::figures::{Figure, json};
use palpate_benches::w4::measure;
use palpate_benches::{Fallible, command};

fn main() -> Fallible<()> {
    command::run(&Figure::heading(), json, |folder, report| measure(command::wanted(folder)?, report))
}
