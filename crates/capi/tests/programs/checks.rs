//! Misuse, callbacks, threads.

use crate::build::{Link, compile, compilers, well};
use std::process::Command;

// Proves: REQ-C-BUSY
#[test]
fn wrong_calls_are_statuses_with_texts() {
    for compiler in compilers("gcc", "clang") {
        let shared = compile(compiler, "misuse.c", &format!("misuse-{compiler}"), Link::Shared, &[]);
        well(&mut Command::new(shared));
    }
    let watched = ["-fsanitize=address,undefined"];
    well(&mut Command::new(compile("gcc", "misuse.c", "misuse-address", Link::Static, &watched)));
}

// Proves: REQ-C-CALLBACKS
#[test]
fn callbacks_may_throw_and_the_host_may_own_the_threads() {
    for compiler in compilers("g++", "clang++") {
        let program = compile(compiler, "host.cpp", &format!("host-{compiler}"), Link::Shared, &["-pthread"]);
        well(&mut Command::new(program));
    }
    let watched = ["-fsanitize=address,undefined", "-pthread"];
    well(&mut Command::new(compile("g++", "host.cpp", "host-address", Link::Static, &watched)));
}

/// The sanitizer watches the accesses of the program; the library is not built with it.
// Proves: REQ-C-SCENES
#[test]
fn two_scenes_on_two_threads_race_for_nothing() {
    let watched = ["-fsanitize=thread", "-pthread"];
    let program = compile("g++", "host.cpp", "host-thread", Link::Shared, &watched);
    well(Command::new(program).arg("watched"));
}

#[test]
fn the_adapters_give_the_elements_of_their_simulators() {
    for compiler in compilers("g++", "clang++") {
        let program = compile(compiler, "adapters.cpp", &format!("adapters-{compiler}"), Link::Shared, &[]);
        well(&mut Command::new(program));
    }
}
