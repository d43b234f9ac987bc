//! The command as a user runs it: arguments in, exit status, output and files out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

mod bad_input;
mod compound;
mod demo;
mod detect;
mod detectors;
mod diff;
mod docs;
mod explain;
mod explain_detectors;
mod files;
mod inspect;
mod matrix;
mod new_user;
mod replay;
mod run;
mod snapshot;
