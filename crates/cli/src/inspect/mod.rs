//! `palpate inspect`: what is in a recording or in a mesh file.

mod health;
mod mesh;
mod recording;
mod run;

pub(crate) use run::run;
