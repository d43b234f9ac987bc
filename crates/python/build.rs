//! Links the extension module without symbols where the linker takes the option. `strip` of a profile would compile every dependency once more.

#![allow(clippy::print_stdout)] // what a build script says to cargo

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-s");
    }
}
