//! `evidence pages` writes the pages of `docs/evidence/`.
//! `evidence report LOG FOLDER [--claimed]` writes the same with the results of a run, and fails where they do not
//! show what they should; with `--claimed` also where the run counted less than `data/counts.json` says.
//! `evidence claim LOG` writes the counts of a run to `data/counts.json`.

use palpate_evidence::{
    Evidence, Run, anomalies_page, check, long_runs, pages, requirements_page, testing_page,
};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let wrong = match arguments.as_slice() {
        ["pages"] => {
            for (name, text) in pages(&root, &Evidence::read(&root)?)? {
                fs::write(root.join("docs/evidence").join(name), text)?;
            }
            Vec::new()
        }
        ["claim", log] => {
            let counts = Run::read(&fs::read_to_string(log)?).counts;
            fs::write(root.join("data/counts.json"), serde_json::to_string_pretty(&counts)? + "\n")?;
            Vec::new()
        }
        ["report", log, folder] => report(&root, log, Path::new(folder), false)?,
        ["report", log, folder, "--claimed"] => report(&root, log, Path::new(folder), true)?,
        _ => vec!["usage: evidence pages | report LOG FOLDER [--claimed] | claim LOG".to_owned()],
    };
    for line in &wrong {
        writeln!(std::io::stderr(), "{line}")?;
    }
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes the pages of a run, and returns what it did not show.
fn report(root: &Path, log: &str, folder: &Path, is_claimed: bool) -> Result<Vec<String>, Box<dyn Error>> {
    let evidence = Evidence::read(root)?;
    let run = Run::read(&fs::read_to_string(log)?);
    fs::create_dir_all(folder)?;
    for name in ["anomalies.json", "requirements.json"] {
        fs::copy(root.join("data").join(name), folder.join(name))?;
    }
    fs::write(folder.join("requirements.md"), requirements_page(&evidence, Some(&run)))?;
    fs::write(folder.join("anomalies.md"), anomalies_page(&evidence.anomalies))?;
    fs::write(folder.join("testing.md"), testing_page(&run.counts, &long_runs(root)?))?;
    fs::write(folder.join("counts.json"), serde_json::to_string_pretty(&run.counts)? + "\n")?;
    let mut wrong = check(&evidence, Some(&run));
    if is_claimed {
        let claimed: BTreeMap<String, u64> =
            serde_json::from_str(&fs::read_to_string(root.join("data/counts.json"))?)?;
        for (name, claimed) in claimed {
            let found = run.counts.get(&name).copied().unwrap_or_default();
            if found < claimed {
                wrong.push(format!("{name}: the run counted {found}, data/counts.json says {claimed}"));
            }
        }
    }
    let (ids, tests) = (evidence.requirements.len(), evidence.marks.len());
    writeln!(std::io::stdout(), "{ids} requirements, {tests} marks of tests, {} wrong", wrong.len())?;
    Ok(wrong)
}
