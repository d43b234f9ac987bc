//! The laws of the detectors, over every registered detector.

mod all_cases;
mod case_laws;
mod closed_sets;
mod coherent;
mod compounds;
mod history;
mod matrix;
mod mutants;
mod range;
mod self_contact;
mod silence;
mod threads;
mod trees;
