//! Errors of binding and detecting a pair.

use crate::nearest_name::did_you_mean;
use palpate_geometry::{GeometryKind, LARGEST, Needs, SMALLEST};

/// Why a pair was refused. The message names the thing, what was found and what was wanted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// No registered detector accepts the two kinds.
    #[error(
        "no detector for {a} and {b}: register one, or choose another pair (`palpate detectors` lists them)"
    )]
    NoDetector {
        /// The kind of the first input.
        a: GeometryKind,
        /// The kind of the second input.
        b: GeometryKind,
    },
    /// No registered detector finds first contacts of the motion of the two kinds.
    #[error("no continuous detector for {a} and {b}: wanted two kinds with one of {known}")]
    NoContinuousDetector {
        /// The kind of the first input.
        a: GeometryKind,
        /// The kind of the second input.
        b: GeometryKind,
        /// The names of the continuous detectors.
        known: String,
    },
    /// Two kinds between which there are no contacts to find.
    #[error("{a} and {b} are refused: {reason}")]
    Refused {
        /// The kind of the first input.
        a: GeometryKind,
        /// The kind of the second input.
        b: GeometryKind,
        /// Why.
        reason: &'static str,
    },
    /// A pair of which one geometry is placed by a pose needs a moved copy of the other.
    #[error(
        "a {kind} cannot be cloned and moved: wanted a geometry with try_clone and copy_moved, since the other of the pair is \
         placed by a pose"
    )]
    NotPlaceable {
        /// The kind of the geometry that cannot be cloned.
        kind: GeometryKind,
    },
    /// A child of a compound is refused.
    #[error("{children}: {source}")]
    Child {
        /// Which child of which geometry, or of both.
        children: String,
        /// Why.
        source: Box<DetectError>,
    },
    /// No registered detector finds contacts of a geometry with itself.
    #[error("no detector for {kind} with itself: wanted a kind with self-contact ({known})")]
    NoSelfDetector {
        /// The kind of the geometry.
        kind: GeometryKind,
        /// The kinds that have one.
        known: String,
    },
    /// No detector and no alias has this name.
    #[error("unknown detector {name:?}: {}wanted one of {known}", did_you_mean(nearest))]
    UnknownDetector {
        /// The name asked for.
        name: String,
        /// The names of the detectors that take the two geometries; of all, if none does.
        known: String,
        /// The name that is spelled most like it, if one is close.
        nearest: Option<String>,
    },
    /// The named detector does not accept the two kinds.
    #[error(
        "detector {name} does not accept {a} and {b}: wanted {wanted_a} and {wanted_b}{}",
        fitting_words(fitting)
    )]
    DoesNotFit {
        /// The detector.
        name: String,
        /// The kind of the first input.
        a: GeometryKind,
        /// The kind of the second input.
        b: GeometryKind,
        /// What its first side takes.
        wanted_a: Box<str>,
        /// What its second side takes.
        wanted_b: Box<str>,
        /// The names of the detectors that take the two geometries, separated by commas; empty if none does.
        fitting: Box<str>,
    },
    /// The settings are not the detector's.
    #[error("settings of detector {name}: {reason}")]
    Settings {
        /// The detector.
        name: String,
        /// What is wrong with them.
        reason: String,
    },
    /// A detector of this name is registered already.
    #[error("a detector named {name} is registered already: wanted a new name")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// An alias names a detector that is not registered.
    #[error("alias {alias} stands for detector {name}, which is not registered: register it first")]
    AliasOfNothing {
        /// The alias.
        alias: String,
        /// The detector it names.
        name: String,
    },
    /// A detector of the caller's own failed, or found what cannot be a contact.
    #[error("detector {name}: {reason}")]
    Own {
        /// The detector.
        name: String,
        /// Why.
        reason: String,
    },
    /// Derived data is not up to date.
    #[error("the {kind} is not prepared: wanted {needs:?} up to date; call prepare() after its last change")]
    NotPrepared {
        /// The kind of the geometry.
        kind: GeometryKind,
        /// What the detector needs.
        needs: Needs,
    },
    /// The margin is not a length.
    #[error("the margin is {margin:?}: wanted 0, or from {SMALLEST:e} to {LARGEST:e} metres")]
    Margin {
        /// The margin found.
        margin: f64,
    },
    /// A pair bound for self-contact was run as a pair of two, or the other way round.
    #[error("detector {name} was bound for {bound}: wanted a call for {bound}")]
    BoundOtherwise {
        /// The detector.
        name: String,
        /// The call it was bound for.
        bound: &'static str,
    },
    /// A pool of threads could not be made.
    #[error("a pool of {threads} threads could not be made: {reason}")]
    Threads {
        /// How many were wanted.
        threads: usize,
        /// Why not.
        reason: String,
    },
}

fn fitting_words(fitting: &str) -> String {
    if fitting.is_empty() { String::new() } else { format!("; the two are taken by {fitting}") }
}
