//! The exported functions and the layout of every struct, as a list that is kept: a change of either is noticed.

use crate::build::{Link, compile, crate_folder, folder, prefix, well};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

/// The structs of the header with their fields. Of opaque ones there are none.
fn structs(header: &str) -> BTreeMap<String, Vec<String>> {
    let (mut found, mut current) = (BTreeMap::new(), None);
    let mut in_comment = false;
    for line in header.lines() {
        let line = line.trim();
        in_comment |= line.starts_with("/*");
        if in_comment {
            in_comment = !line.ends_with("*/");
            continue;
        }
        if let Some(name) = line.strip_prefix("typedef struct ").and_then(|rest| rest.strip_suffix(" {")) {
            current = Some((name.to_owned(), Vec::new()));
        } else if line.starts_with('}') {
            found.extend(current.take());
        } else if let Some((_, fields)) = &mut current {
            let name = line.trim_end_matches(';').split('[').next().unwrap_or_default();
            fields.push(name.rsplit([' ', '*']).next().unwrap_or_default().to_owned());
        }
    }
    found
}

/// A program that prints the size of every struct and the place of every field.
fn layout_program(structs: &BTreeMap<String, Vec<String>>) -> String {
    let mut text = "#include <palpate.h>\n#include <stdio.h>\nint main(void) {\n".to_owned();
    for (name, fields) in structs {
        writeln!(text, "printf(\"struct {name} %zu\\n\", sizeof({name}));").unwrap();
        for field in fields {
            writeln!(
                text,
                "printf(\"  {field} %zu %zu\\n\", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));"
            )
            .unwrap();
        }
    }
    text + "return 0;\n}\n"
}

// Proves: REQ-C-ABI
#[test]
fn functions_and_layouts_are_those_of_the_list() {
    let header = std::fs::read_to_string(crate_folder().join("include/palpate.h")).unwrap();
    let structs = structs(&header);
    assert!(structs.len() > 25, "{}", structs.len());
    let source = folder().join("layout.c");
    std::fs::write(&source, layout_program(&structs)).unwrap();
    let layouts =
        well(&mut Command::new(compile("gcc", source.to_str().unwrap(), "layout", Link::Shared, &[])));

    let mut nm = Command::new("nm");
    nm.args(["--dynamic", "--defined-only", "--format=posix"]).arg(prefix().join("lib/libpalpate.so"));
    let mut functions: Vec<String> = well(&mut nm)
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(|name| format!("function {name}"))
        .collect();
    functions.sort();
    let foreign: Vec<_> = functions.iter().filter(|line| !line.starts_with("function palpate_")).collect();
    assert!(foreign.is_empty(), "the library exports more than its interface: {foreign:?}");

    let now = format!("{}\n{layouts}", functions.join("\n"));
    let path = crate_folder().join("abi.txt");
    if std::env::var_os("PALPATE_WRITE").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    for line in kept.lines().filter(|line| line.starts_with("function")) {
        assert!(
            now.contains(&format!("{line}\n")),
            "{line} is gone: that breaks programs; a new ABI version?"
        );
    }
    assert!(
        kept == now,
        "functions or layouts have changed. If what was there is unchanged, make the list again: \
         PALPATE_WRITE=1 cargo test -p palpate-capi --test programs list"
    );
}

/// Every function of the header is in the library, and every exported one in the header.
// Proves: REQ-C-ABI
#[test]
fn the_header_declares_what_the_library_exports() {
    let header = std::fs::read_to_string(crate_folder().join("include/palpate.h")).unwrap();
    let list = std::fs::read_to_string(crate_folder().join("abi.txt")).unwrap();
    let functions = list.lines().filter_map(|line| line.strip_prefix("function "));
    let mut count = 0;
    for name in functions {
        assert!(header.contains(&format!("{name}(")), "{name} is not in the header");
        count += 1;
    }
    assert!(count > 90, "{count}");
}

/// A program that knows nothing of what came after version 1.
// Proves: REQ-C-ABI
#[test]
fn a_program_of_the_first_version_runs() {
    well(&mut Command::new(compile("gcc", "version_1.c", "version-1", Link::Shared, &[])));
}
