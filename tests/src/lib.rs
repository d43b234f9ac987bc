//! The laws of the detectors, the generators of their test cases, and the oracle, which shares no function with a
//! detector.
//!
//! ```text
//! Registry ── cases::cases(entry, regime) ──► Case ── laws::LAWS (over a Subject, mutated or not) ──► contacts judged
//! solids::cells() ── solids::solid_case(cell, stand) ──► SolidCase ── solids::SOLID_LAWS ──► every two solids, judged
//! sheets::sheet_cells() ── sheets::sheet_case(cell, stand) ──► SheetCase ── sheets::SHEET_LAWS ──► a sheet and every body
//! solver::World ──► bodies that rest and slide, by the contacts that they get
//! xpbd::World ──► threads, cloth, soft solids and tools, by the contacts that they get
//! ```

mod case;
pub mod case_json;
pub mod cases;
pub mod compare;
pub mod compound;
mod degenerate;
mod function;
pub mod generate;
pub mod generate_function;
pub mod laws;
pub mod meshes;
mod mutation;
pub mod oracle;
mod place;
pub mod random;
pub mod selection;
mod shape;
pub mod solver;
mod subject;
pub mod xpbd;

pub use case::{Case, Regime};
pub use degenerate::degenerate_pair;
pub use function::Function;
pub use mutation::Mutation;
pub use random::Random;
pub use shape::{ALL_NEEDS, Shape};
pub use subject::Subject;
