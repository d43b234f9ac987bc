//! The installed package through pkg-config and CMake, and as a part of another build.

use crate::build::{Link, built, compile, crate_folder, folder, has, prefix, well};
use std::path::Path;
use std::process::Command;

/// What the smallest programs print.
const WANTED: &str = "0.250 m, way out 0.0 1.0 0.0\n";

// Proves: REQ-C-FIRST
#[test]
fn the_smallest_programs_find_a_contact() {
    for (compiler, source) in [("gcc", "first_contact.c"), ("g++", "first_contact.cpp")] {
        let source = crate_folder().join("examples").join(source);
        for (name, link) in [("shared", Link::Shared), ("static", Link::Static)] {
            let program =
                compile(compiler, source.to_str().unwrap(), &format!("first-{compiler}-{name}"), link, &[]);
            assert_eq!(well(&mut Command::new(program)), WANTED);
        }
    }
}

// Proves: REQ-C-PACKAGES
#[test]
fn pkg_config_finds_the_library() {
    if !has("pkg-config") {
        return;
    }
    let asked = |options: &[&str]| {
        let mut command = Command::new("pkg-config");
        command.env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig")).args(options).arg("palpate");
        well(&mut command).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(asked(&["--modversion"]), [env!("CARGO_PKG_VERSION")]);
    let program = folder().join("first-pkg-config");
    let mut compiler = Command::new("gcc");
    compiler.arg(crate_folder().join("examples/first_contact.c")).arg("-o").arg(&program);
    well(compiler.args(asked(&["--cflags", "--libs"])));
    assert_eq!(well(Command::new(&program).env("LD_LIBRARY_PATH", prefix().join("lib"))), WANTED);
    assert!(asked(&["--static", "--libs"]).contains(&"-lpthread".to_owned()));
}

/// Configures, builds and runs the programs of a CMake project.
fn cmake(project: &Path, build: &Path, options: &[String]) {
    let _ = std::fs::remove_dir_all(build);
    well(Command::new("cmake").arg("-S").arg(project).arg("-B").arg(build).args(options));
    well(Command::new("cmake").arg("--build").arg(build));
    for program in ["first_c", "first_cpp", "first_static"] {
        assert_eq!(well(&mut Command::new(build.join(program))), WANTED, "{program}");
    }
}

// Proves: REQ-C-PACKAGES
#[test]
fn cmake_finds_the_package_or_builds_it() {
    if !has("cmake") {
        return;
    }
    let project = crate_folder().join("examples");
    let found = format!("-DCMAKE_PREFIX_PATH={}", prefix().display());
    cmake(&project, &folder().join("cmake-package"), &[found]);
    let whole = ["-DPALPATE_AS_SUBDIRECTORY=ON".to_owned(), format!("-DPALPATE_BUILT={}", built().display())];
    cmake(&project, &folder().join("cmake-subdirectory"), &whole);
}

#[test]
fn the_library_is_stripped_and_has_a_soname() {
    let header = std::fs::read_to_string(prefix().join("include/palpate.h")).unwrap();
    let version = header.lines().find_map(|line| line.strip_prefix("#define PALPATE_ABI_VERSION ")).unwrap();
    let lib = prefix().join("lib");
    let shared = lib.join(format!("libpalpate.so.{version}"));
    let told = well(Command::new("readelf").arg("-d").arg("-S").arg("-W").arg(&shared));
    assert!(told.contains(&format!("Library soname: [libpalpate.so.{version}]")), "{told}");
    assert!(told.contains(".gnu_debuglink") && !told.contains(".debug_info"), "{told}");
    let file = lib.join(format!("debug/libpalpate.so.{}.debug", env!("CARGO_PKG_VERSION")));
    assert!(file.exists(), "{}", file.display());
}

/// The programs of the pages are the ones that are compiled.
// Proves: REQ-C-FIRST
#[test]
fn the_pages_show_the_programs_that_are_tested() {
    let page = std::fs::read_to_string(crate_folder().join("../../README.md")).unwrap();
    for (language, file) in [("c", "first_contact.c"), ("cpp", "first_contact.cpp")] {
        let program = std::fs::read_to_string(crate_folder().join("examples").join(file)).unwrap();
        assert!(page.contains(&format!("```{language}\n{program}```\n")), "README.md does not show {file}");
    }
    let guide = std::fs::read_to_string(crate_folder().join("../../docs/c.md")).unwrap();
    let program = std::fs::read_to_string(crate_folder().join("examples/first_contact.cpp")).unwrap();
    let shown = guide.split("```cpp\n").nth(1).unwrap().split("```").next().unwrap();
    for line in shown.lines() {
        assert!(program.contains(line.trim()), "docs/c.md shows {line:?}, which is not in first_contact.cpp");
    }
}

/// The smallest program in C#, with Mono: the declarations fit the library.
// Proves: REQ-C-SHARP
#[test]
fn csharp_finds_the_same_contact() {
    if !has("mcs") || !has("mono") {
        return;
    }
    let program = folder().join("first.exe");
    let mut compiler = Command::new("mcs");
    compiler.args(["-unsafe", "-langversion:7.2", "-warnaserror"]).arg(format!("-out:{}", program.display()));
    compiler.arg(crate_folder().join("examples/FirstContact.cs"));
    well(compiler.arg(crate_folder().join("csharp/NativeMethods.g.cs")));
    let run = well(Command::new("mono").arg(program).env("LD_LIBRARY_PATH", prefix().join("lib")));
    assert_eq!(run.replace('\r', ""), WANTED);
}
