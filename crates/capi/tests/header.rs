//! The header is the one that the crate describes, and its names are documented.
#![allow(clippy::unwrap_used)]

use std::path::Path;

/// The header that the sources describe.
fn generated() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new().with_config(config).with_crate(folder).generate().unwrap();
    let mut text = Vec::new();
    bindings.write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_header_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/palpate.h");
    let now = generated();
    if std::env::var_os("PALPATE_WRITE").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == now,
        "palpate.h is not that of the sources: PALPATE_WRITE=1 cargo test -p palpate-capi --test header"
    );
}

/// Every function and every field has a comment before it.
// Proves: REQ-C-DOCUMENTED
#[test]
fn everything_in_the_header_is_documented() {
    let text = generated();
    let lines: Vec<&str> = text.lines().collect();
    let (mut documented, mut bare) = (0, Vec::new());
    for (place, line) in lines.iter().enumerate() {
        let is_function =
            !line.starts_with([' ', '#', '/', '*', '}']) && line.contains("palpate_") && line.contains('(');
        let is_field = line.starts_with("    ")
            && !line.starts_with("     ")
            && line.ends_with(';')
            && !line.contains('(');
        if !(is_function || is_field) || line.starts_with("typedef") {
            continue;
        }
        match lines[..place].last() {
            Some(before) if before.trim_end().ends_with("*/") => documented += 1,
            _ => bare.push(*line),
        }
    }
    assert!(bare.is_empty(), "{bare:#?}");
    assert!(documented > 200, "{documented}");
}
