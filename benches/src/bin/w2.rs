//! Runs workload W2: `w2 FOLDER [--json]`.

use palpate_benches::figures::{Figure, json};
use palpate_benches::w2::measure;
use palpate_benches::{Fallible, command};

fn main() -> Fallible<()> {
    command::run(&Figure::heading(), json, |folder, report| measure(command::wanted(folder)?, report))
}
