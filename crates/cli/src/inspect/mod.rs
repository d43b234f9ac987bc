//! `palpate inspect`: the contents of a recording, a mesh file or a folder.

mod folder;
mod health;
mod health_line;
mod mend;
mod mesh;
mod recording;
mod run;

pub use health::report;
pub(crate) use health_line::{surface_line, tetra_line};
pub(crate) use run::run;
