//! Programs in C and C++, compiled without a warning against the installed library.
//!
//! gcc is needed. clang, CMake, pkg-config and valgrind are used where they are; with `PALPATE_C_TOOLS` set a missing one is
//! a failure.
#![allow(clippy::unwrap_used)]

mod abi;
mod build;
mod cases;
mod checks;
mod install;
mod procedure;
mod shapes;
