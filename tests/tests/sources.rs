//! Forbidden in the sources of the crates: arithmetic that rounds differently from machine to machine, and files
//! too long to be read in one sitting.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose arithmetic decides or measures a contact.
const MEASURING: [&str; 7] = ["math", "bvh", "convex", "contact", "geometry", "detect", "procedure"];

/// Methods of `f64` (and of nalgebra) that the platform's library or a fused instruction computes.
const PLATFORM_METHODS: [&str; 22] = [
    "mul_add", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sin_cos", "exp", "exp2", "exp_m1",
    "ln", "ln_1p", "log", "log2", "log10", "powf", "cbrt", "sinh", "cosh", "tanh",
];

/// Of nalgebra: these call the platform's sine and cosine.
const PLATFORM_CALLS: [&str; 6] =
    ["from_axis_angle", "from_scaled_axis", "from_euler_angles", ".slerp(", ".angle(", "rotation_between"];

/// Lines of a file, its tests included.
const LONGEST: usize = 600;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The code without its tests and comments.
fn measuring_lines(text: &str) -> Vec<(usize, &str)> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    code.lines()
        .enumerate()
        .filter(|(_, line)| is_code(line))
        .map(|(number, line)| (number + 1, line))
        .collect()
}

/// The call on a line that the platform would compute, if there is one.
fn platform_call(line: &str) -> Option<String> {
    let line = line.split("//").next().unwrap_or_default();
    let method = PLATFORM_METHODS.iter().find_map(|name| {
        let called = [format!(".{name}("), format!("f64::{name}"), format!("f32::{name}")];
        called.into_iter().find(|call| line.contains(call.as_str()))
    });
    // palpate's own function of that name, computed by libm.
    let method = method.filter(|_| !line.contains("libm::"));
    method.or_else(|| PLATFORM_CALLS.iter().find(|call| line.contains(*call)).map(|call| (*call).to_owned()))
}

// Proves: REQ-SAME-BITS
#[test]
fn nothing_that_measures_a_contact_rounds_differently_elsewhere() {
    let mut failures = Vec::new();
    let mut lines = 0;
    for name in MEASURING {
        for file in rust_files(&crates().join(name).join("src")) {
            // Random input for the crate's own tests.
            if file.file_name().is_some_and(|name| name == "sample.rs") {
                continue;
            }
            let text = fs::read_to_string(&file).unwrap();
            for (number, line) in measuring_lines(&text) {
                lines += 1;
                if let Some(call) = platform_call(line) {
                    failures.push(format!("{}:{number}: {call}", file.display()));
                }
            }
        }
    }
    assert!(lines > 3000, "only {lines} lines were read");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_search_finds_what_it_looks_for() {
    for line in
        ["let x = a.mul_add(b, c);", "let s = f64::sin(t);", "angle.cos()", "v.angle(&w)", "x.powf(0.5)"]
    {
        assert!(platform_call(line).is_some(), "{line}");
    }
    for line in
        ["libm::atan2(y, x)", "x.sqrt()", "x.powi(2)", "// of sin(x)", "a.cosine(b)", "length.exponent()"]
    {
        assert!(platform_call(line).is_none(), "{line}");
    }
    let text = "let a = 1;\n// a comment\n#[cfg(test)]\nmod tests {\n    x.sin();\n}\n";
    assert_eq!(measuring_lines(text), [(1, "let a = 1;")]);
}

#[test]
fn no_file_is_too_long_to_be_read_in_one_sitting() {
    let mut files = 0;
    for entry in fs::read_dir(crates()).unwrap() {
        let source = entry.unwrap().path().join("src");
        if !source.is_dir() {
            continue;
        }
        for file in rust_files(&source) {
            files += 1;
            let lines = fs::read_to_string(&file).unwrap().lines().count();
            assert!(lines <= LONGEST, "{} has {lines} lines, wanted at most {LONGEST}", file.display());
        }
    }
    assert!(files > 100, "only {files} files were read");
}
