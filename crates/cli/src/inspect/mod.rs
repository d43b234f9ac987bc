//! `palpate inspect`: the contents of a recording or a mesh file.

mod health;
mod mesh;
mod recording;
mod run;

pub(crate) use run::run;
