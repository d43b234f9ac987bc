//! The evidence of this repository fits together, and the checks see what does not.

use palpate_evidence::{Evidence, State, check, fields_page, pages};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn problems(root: &Path) -> Vec<String> {
    check(&Evidence::read(root).expect("the evidence is read"), None)
}

#[test]
fn every_requirement_has_a_test_and_every_mark_a_requirement() {
    let evidence = Evidence::read(&root()).unwrap();
    assert!(evidence.requirements.len() > 100 && evidence.marks.len() > 150, "hardly anything was read");
    let wrong = check(&evidence, None);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_pages_are_up_to_date_and_the_same_whenever_they_are_made() {
    for (name, text) in pages(&root(), &Evidence::read(&root()).unwrap()).unwrap() {
        let path = root().join("docs/evidence").join(name);
        let kept = fs::read_to_string(&path).unwrap_or_default();
        let again = "cargo run -p palpate-evidence --example evidence -- pages";
        assert!(kept == text, "docs/evidence/{name} is not up to date: `{again}` writes it");
    }
    let made = || pages(&root(), &Evidence::read(&root()).unwrap()).unwrap();
    assert_eq!(made(), made());
}

#[test]
fn the_page_of_the_fields_has_the_open_anomalies_of_today() {
    let evidence = Evidence::read(&root()).unwrap();
    let page = fs::read_to_string(root().join("docs/evidence.md")).unwrap();
    let has = |id: &str| page.contains(&format!("| {id} |"));
    for anomaly in &evidence.anomalies {
        assert_eq!(has(&anomaly.id), anomaly.state == State::Open, "{}", anomaly.id);
    }
    for id in ["REQ-GUARD", "REQ-SEPARATION"] {
        assert!(has(id), "docs/evidence.md has no {id}");
    }
    // A defect that is mended leaves the page.
    let mut mended = evidence;
    mended.anomalies.iter_mut().for_each(|anomaly| anomaly.state = State::Mended);
    assert!(!fields_page(&page, &mended).contains("| ANO-"));
}

/// What the checks read, in a folder of its own.
fn copy() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for name in ["crates", "tests", "evidence", "docs", "data", "README.md"] {
        copy_into(&root().join(name), &folder.path().join(name));
    }
    folder
}

fn copy_into(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("it can be copied");
        for entry in fs::read_dir(from).expect("it can be copied") {
            let name = entry.expect("it can be copied").file_name();
            copy_into(&from.join(&name), &to.join(&name));
        }
    } else if from.extension().is_some_and(|extension| {
        ["rs", "py", "md", "json"].contains(&extension.to_str().expect("a name in UTF-8"))
    }) {
        fs::copy(from, to).expect("it can be copied");
    }
}

/// Changes a file of a copy, and returns what the checks say then.
fn after(copy: &Path, file: &str, change: impl Fn(&str) -> String) -> Vec<String> {
    let path = copy.join(file);
    let text = fs::read_to_string(&path).expect("the file is there");
    let changed = change(&text);
    assert_ne!(changed, text, "{file} was not changed");
    fs::write(&path, changed).expect("it can be written");
    let found = problems(copy);
    fs::write(&path, text).expect("it can be written");
    found
}

/// The text without the test of this name: from its mark to its end.
fn without(text: &str, name: &str) -> String {
    let function = text.find(&format!("fn {name}(")).expect("the test is there");
    let start = text[..function].rfind("// Proves:").expect("it has a mark");
    let end = function + text[function..].find("\n}\n").expect("it ends") + 3;
    format!("{}{}", &text[..start], &text[end..])
}

#[test]
fn a_deleted_test_a_renamed_requirement_and_one_without_a_test_are_seen() {
    let copy = copy();
    let copy = copy.path();
    assert_eq!(problems(copy), [""; 0]);
    // The only test of a guarantee is gone.
    for (file, test, id) in [
        ("tests/tests/laws/history.rs", "contacts_do_not_depend_on_the_previous_state", "REQ-PRESENT"),
        ("tests/tests/solids.rs", "what_shares_a_point_is_seen", "REQ-SOLID-SEEN"),
        ("tests/tests/sheets.rs", "the_deepest_contact_leads_out", "REQ-SHEET-PROGRESS"),
    ] {
        let told = after(copy, file, |text| without(text, test));
        assert!(told.iter().any(|line| line.starts_with(&format!("{id} has no test"))), "{told:?}");
    }
    // One test of several is gone: the page of the requirements is no longer that of the sources.
    let file = copy.join("tests/tests/heap.rs");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, without(&text, "a_settled_step_of_a_compound_allocates_nothing")).unwrap();
    let evidence = Evidence::read(copy).unwrap();
    assert_eq!(check(&evidence, None), [""; 0]);
    let kept = fs::read_to_string(copy.join("docs/evidence/requirements.md")).unwrap();
    assert_ne!(pages(copy, &evidence).unwrap()[0].1, kept);
    fs::write(&file, text).unwrap();
    // A requirement has another name.
    for id in ["REQ-NO-HEAP", "REQ-LIMIT-THREADS", "REQ-C-ABI"] {
        let renamed = |text: &str| text.replace(&format!("\"{id}\""), &format!("\"{id}-2\""));
        let told = after(copy, "data/requirements.json", renamed);
        assert!(
            told.iter().any(|line| line.ends_with(&format!("{id} is not in data/requirements.json"))),
            "{told:?}"
        );
        assert!(told.iter().any(|line| line.starts_with(&format!("{id}-2 has no test"))), "{told:?}");
    }
    // A promise more: in the file of the requirements, as a row of a page, as a law.
    let more =
        r#"[{"id": "REQ-MORE", "page": "README.md", "quote": "Collision detection for medical simulation"},"#;
    let told = after(copy, "data/requirements.json", |text| text.replacen('[', more, 1));
    assert!(told.iter().any(|line| line.starts_with("REQ-MORE has no test")), "{told:?}");
    let row = "| mirror |";
    let told = after(copy, "docs/architecture.md", |text| {
        text.replacen(row, &format!("| bright | it shines |\n{row}"), 1)
    });
    assert!(told.iter().any(|line| line.contains("\"bright\" is no requirement")), "{told:?}");
    let law = "Law { name: \"mirror\"";
    let more = format!("Law {{ name: \"bright\", judge: bright, degenerate: true }},\n    {law}");
    let told = after(copy, "tests/src/laws/mod.rs", |text| text.replacen(law, &more, 1));
    assert!(told.iter().any(|line| line.contains("the law \"bright\" is no requirement")), "{told:?}");
    // A page no longer says what a requirement quotes.
    let told = after(copy, "docs/c.md", |text| text.replace("bit for bit", "nearly"));
    assert!(told.iter().any(|line| line.starts_with("REQ-C-SAME: docs/c.md does not say")), "{told:?}");
}

/// The links of every page lead to files that are there, and to headings that they have.
#[test]
fn links_of_the_pages_lead_somewhere() {
    let root = root();
    let mut files = vec!["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
        .into_iter()
        .map(|name| root.join(name))
        .collect::<Vec<_>>();
    for folder in ["docs", "docs/evidence"] {
        let entries = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    let (mut links, mut wrong) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for link in targets(&text) {
            links += 1;
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            let has_heading = || {
                heading.is_empty()
                    || headings(&fs::read_to_string(&target).unwrap_or_default())
                        .contains(&heading.to_owned())
            };
            if !target.exists() || !has_heading() {
                wrong.push(format!("{}: {link}", file.display()));
            }
        }
    }
    assert!(links > 300, "only {links} links were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The relative targets of the links of a page, outside of code.
fn targets(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let prose = text.lines().filter(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    });
    let links = prose.flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
    links.filter(|link| !link.contains("://") && !link.is_empty()).collect()
}

/// The headings of a page, as links name them.
fn headings(text: &str) -> Vec<String> {
    let titles = text
        .lines()
        .filter_map(|line| line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim()));
    let name = |title: &str| {
        let kept = title
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .collect::<String>();
        kept.replace(' ', "-")
    };
    titles.map(name).collect()
}

/// The sidebar of the site names every page of `docs/`, in the order of a reader's day.
#[test]
fn the_sidebar_names_every_page() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let parts = summary.lines().filter_map(|line| line.strip_prefix("# ")).collect::<Vec<_>>();
    let wanted = ["Try", "Link", "Record", "Use contacts", "Settings", "Formats", "Methods", "Evidence"];
    assert_eq!(parts[1..], wanted, "docs/SUMMARY.md has its parts in another order");
    for folder in ["docs", "docs/evidence"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = format!(
                "{}{name}",
                folder.strip_prefix("docs").unwrap().trim_start_matches('/').to_owned()
                    + if folder == "docs" { "" } else { "/" }
            );
            if name.ends_with(".md") && name != "SUMMARY.md" {
                assert!(summary.contains(&format!("]({path})")), "docs/SUMMARY.md has no link to {path}");
            }
        }
    }
}
