//! `palpate report`: a session, or two, as one page that a browser opens without a network.
//!
//! The script of the page and how it is built are in `crates/cli/page`.

mod collect;
mod drawn;
mod numbers;
mod page;
mod quantised;
mod run;
mod session;
mod stored;

pub(crate) use run::run;
