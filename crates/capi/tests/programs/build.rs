//! Compilers, and the installed library.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// What every program is compiled with.
const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// The folder of the crate.
pub(crate) fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for what the tests write.
pub(crate) fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("capi");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The folder of the library that was built with this test.
pub(crate) fn built() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

/// Where the library is installed, once for all tests.
pub(crate) fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = folder().join("prefix");
        let _ = std::fs::remove_dir_all(&prefix);
        let mut install = Command::new("sh");
        install.arg(crate_folder().join("install.sh")).arg("--prefix").arg(&prefix);
        well(install.arg("--built").arg(built()));
        prefix
    })
}

/// The output of a command that must succeed.
pub(crate) fn well(command: &mut Command) -> String {
    let output = run(command);
    let [out, err] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    out
}

/// The output of a command.
pub(crate) fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Whether a tool is there. With `PALPATE_C_TOOLS` it must be.
pub(crate) fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    assert!(found || std::env::var_os("PALPATE_C_TOOLS").is_none(), "{tool} is not installed");
    found
}

/// Which library a program is linked with.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Link {
    Shared,
    Static,
}

/// Compiles a program of `tests/c` (or another path) and returns its path.
pub(crate) fn compile(compiler: &str, source: &str, name: &str, link: Link, options: &[&str]) -> PathBuf {
    let program = folder().join(name);
    let mut command = Command::new(compiler);
    let standard = if source.ends_with(".c") { "-std=c99" } else { "-std=c++17" };
    command.args(WARNINGS).args([standard, "-g", "-O1"]).args(options);
    command.arg("-I").arg(prefix().join("include")).arg(crate_folder().join("tests/c").join(source));
    command.arg("-o").arg(&program);
    let lib = prefix().join("lib");
    match link {
        Link::Shared => {
            command
                .arg("-L")
                .arg(&lib)
                .args(["-lpalpate", "-lm"])
                .arg(format!("-Wl,-rpath,{}", lib.display()));
        }
        Link::Static => {
            command.arg(lib.join("libpalpate.a")).args(["-lpthread", "-ldl", "-lm"]);
        }
    }
    well(&mut command);
    program
}

/// gcc or clang, for C or C++, as far as they are there.
pub(crate) fn compilers(gcc: &'static str, clang: &'static str) -> Vec<&'static str> {
    let mut found = vec![gcc];
    if has(clang) {
        found.push(clang);
    }
    found
}
