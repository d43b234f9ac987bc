//! `palpate inspect`: the contents of a recording, a mesh file or a folder.

mod folder;
mod health;
mod mend;
mod mesh;
mod recording;
mod run;

pub use health::report;
pub(crate) use run::run;
