//! Which tests prove what: a comment `// Proves: REQ-A, REQ-B` above a test, and `# Proves: …` in Python.

use crate::EvidenceError;
use crate::error::read;
use std::path::Path;

/// A test that names what it proves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The requirement.
    pub id: String,
    /// The file, from the root of the repository.
    pub file: String,
    /// The line of the comment, from 1.
    pub line: usize,
    /// The test, as the test harness names it; nothing where no test follows.
    pub test: Option<TestName>,
}

/// A test as it is named in the output of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestName {
    /// The test binary without its hash, `pytest` for Python.
    pub target: String,
    /// The path of the test within it.
    pub path: String,
}

const COMMENT: &str = "Proves: ";

/// How many lines may stand between a comment and its test.
const NEAR: usize = 12;

/// The marks of all tests of the repository at `root`, by file and line.
///
/// # Errors
/// Where a folder or a file cannot be read.
pub fn marks(root: &Path) -> Result<Vec<Mark>, EvidenceError> {
    let mut files = Vec::new();
    for folder in ["crates", "tests"] {
        sources(&root.join(folder), &mut files)?;
    }
    files.sort();
    let mut marks = Vec::new();
    for path in files {
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        of_file(&name, &read(path)?, &mut marks);
    }
    Ok(marks)
}

fn sources(folder: &Path, files: &mut Vec<std::path::PathBuf>) -> Result<(), EvidenceError> {
    let failed = |source| EvidenceError::File { path: folder.to_owned(), source };
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            sources(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "py") {
            files.push(path);
        }
    }
    Ok(())
}

fn of_file(file: &str, text: &str, marks: &mut Vec<Mark>) {
    let lines: Vec<&str> = text.lines().collect();
    // Modules that are open at a line, with their indentation; the sources are formatted.
    let mut modules: Vec<(usize, &str)> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let code = line.trim_start();
        if code == "}" {
            modules.retain(|(outer, _)| *outer < indent);
        } else if let Some(name) = inline_module(code) {
            modules.push((indent, name));
        }
        let Some(ids) = comment(code) else { continue };
        let test = test_below(&lines[number + 1..], file.ends_with(".py")).map(|function| {
            let inner = modules.iter().map(|(_, name)| *name);
            named(file, inner.chain([function]))
        });
        for id in ids.split(',') {
            let id = id.trim().to_owned();
            marks.push(Mark { id, file: file.to_owned(), line: number + 1, test: test.clone() });
        }
    }
}

/// The ids of a comment that is a mark.
fn comment(code: &str) -> Option<&str> {
    let text = code.strip_prefix("// ").or_else(|| code.strip_prefix("# "))?;
    text.strip_prefix(COMMENT).filter(|ids| ids.starts_with("REQ-"))
}

fn inline_module(code: &str) -> Option<&str> {
    code.strip_prefix("mod ")?.strip_suffix(" {")
}

/// The function of the test that follows: one with the attribute, or a name in the list of a macro.
fn test_below<'a>(lines: &[&'a str], is_python: bool) -> Option<&'a str> {
    let mut has_attribute = false;
    for line in lines.iter().take(NEAR) {
        let code = line.trim();
        let identifier = |text: &'a str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next();
        if is_python {
            match code.strip_prefix("def ") {
                Some(rest) => return identifier(rest).filter(|name| name.starts_with("test_")),
                None if code.starts_with('#') || code.starts_with('@') => continue,
                None => return None,
            }
        }
        if code.starts_with("#[test]") {
            has_attribute = true;
        } else if let Some(rest) = code.strip_prefix("fn ") {
            return identifier(rest).filter(|_| has_attribute);
        } else if code.starts_with("//") || code.starts_with("#[") {
            continue;
        } else {
            // `name,` in the list of a macro that makes the tests.
            let name = code.strip_suffix(',').unwrap_or(code);
            return Some(name).filter(|name| !name.is_empty() && identifier(name) == Some(name));
        }
    }
    None
}

/// The name that the harness gives to a test of a file: its binary, and the path of its modules.
fn named<'a>(file: &'a str, inner: impl Iterator<Item = &'a str>) -> TestName {
    let parts: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    let (folder, rest) = match parts.as_slice() {
        ["crates", folder, rest @ ..] => (*folder, rest),
        [folder, rest @ ..] => (*folder, rest),
        [] => ("", [].as_slice()),
    };
    let library =
        if folder == "palpate" { folder.to_owned() } else { format!("palpate_{}", folder.replace('-', "_")) };
    let (target, outer) = match rest {
        _ if file.ends_with(".py") => ("pytest".to_owned(), rest.get(1..).unwrap_or_default()),
        ["src", outer @ ..] => (library, outer),
        // tests/NAME.rs or tests/NAME/main.rs, and likewise examples.
        [_, target, outer @ ..] => ((*target).to_owned(), outer),
        _ => (library, rest),
    };
    let outer = outer.iter().copied().filter(|name| !["lib", "main", "mod"].contains(name));
    TestName { target, path: outer.chain(inner).collect::<Vec<_>>().join("::") }
}

#[test]
fn tests_are_named_as_the_harness_names_them() {
    let text = "\
mod tests {
    // Proves: REQ-A, REQ-B
    /// It holds.
    #[test]
    fn it_holds() {
    }
}

// Proves: REQ-C
#[test]
fn at_the_end() {}

laws!(
    // Proves: REQ-D
    mirror,
    motion
);
// Proves: REQ-E
fn no_test() {}
// Proves: what is no id is prose.
";
    let told = |file: &str| {
        let mut marks = Vec::new();
        of_file(file, text, &mut marks);
        let name = |mark: &Mark| mark.test.as_ref().map(|test| format!("{} {}", test.target, test.path));
        marks.iter().map(|mark| (mark.id.clone(), name(mark))).collect::<Vec<_>>()
    };
    let found = told("crates/mesh-io/src/read/mod.rs");
    let inner = Some("palpate_mesh_io read::tests::it_holds".to_owned());
    assert_eq!(found[0], ("REQ-A".to_owned(), inner.clone()));
    assert_eq!(found[1], ("REQ-B".to_owned(), inner));
    assert_eq!(found[2].1.as_deref(), Some("palpate_mesh_io read::at_the_end"));
    assert_eq!(found[3].1.as_deref(), Some("palpate_mesh_io read::mirror"));
    assert_eq!(found[4], ("REQ-E".to_owned(), None));
    assert_eq!(found.len(), 5);
    for (file, wanted) in [
        ("tests/tests/laws/main.rs", "laws at_the_end"),
        ("tests/tests/laws/case_laws.rs", "laws case_laws::at_the_end"),
        ("tests/tests/heap.rs", "heap at_the_end"),
        ("crates/palpate/src/lib.rs", "palpate at_the_end"),
        ("crates/palpate/examples/suture.rs", "suture at_the_end"),
    ] {
        assert_eq!(told(file)[2].1.as_deref(), Some(wanted), "{file}");
    }
    let mut marks = Vec::new();
    of_file("crates/python/tests/test_views.py", "# Proves: REQ-A\n@slow\ndef test_it(path):\n", &mut marks);
    assert_eq!(
        marks[0].test,
        Some(TestName { target: "pytest".into(), path: "test_views.py::test_it".into() })
    );
}
