//! The rows of both tables.

use palpate::detect::{Entry, MatrixCell, Registry, Served};
use serde::Serialize;

/// A detector.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    pub(super) a: String,
    pub(super) b: String,
    pub(super) name: &'a str,
    pub(super) aliases: Vec<&'a str>,
    pub(super) default: bool,
    #[serde(skip)]
    pub(super) takes: [String; 2],
    #[serde(skip)]
    pub(super) self_contact: bool,
    pub(super) elements_a: &'a str,
    pub(super) elements_b: &'a str,
    pub(super) at_most: &'a str,
    pub(super) sides: &'a str,
    pub(super) method: &'a str,
    pub(super) cost: &'a str,
    pub(super) source: &'a str,
}

impl<'a> Row<'a> {
    pub(super) fn new(registry: &'a Registry, entry: &'a Entry) -> Self {
        Self {
            a: entry.a.kind().to_string(),
            b: entry.b.kind().to_string(),
            name: entry.name,
            aliases: registry.aliases_of(entry.name).collect(),
            default: entry.default,
            takes: [entry.a.to_string(), entry.b.to_string()],
            self_contact: entry.self_contact,
            elements_a: entry.about.elements_a,
            elements_b: entry.about.elements_b,
            at_most: entry.about.at_most,
            sides: entry.about.sides,
            method: entry.about.method,
            cost: entry.about.cost,
            source: entry.about.source,
        }
    }
}

/// Two kinds and their detectors.
#[derive(Serialize)]
pub(super) struct CellRow {
    pub(super) a: String,
    pub(super) b: String,
    /// The default; null where there is none.
    pub(super) detector: Option<String>,
    /// Detectors that accept the two kinds when named.
    pub(super) others: Vec<&'static str>,
    pub(super) vertices_only: bool,
    /// Why there is none.
    pub(super) refused: Option<&'static str>,
}

impl CellRow {
    pub(super) fn new(cell: &MatrixCell) -> Self {
        let (a, b) = (cell.a.to_string(), cell.b.to_string());
        let (mut detector, mut others, mut only, mut refused) = (None, Vec::new(), false, None);
        match &cell.served {
            Served::By { detector: default, others: named, vertices_only } => {
                detector = Some((*default).to_owned());
                others.clone_from(named);
                only = *vertices_only;
            }
            Served::Children => detector = Some(format!("{a}_{b}")),
            Served::Refused(reason) => refused = Some(*reason),
            _ => {}
        }
        Self { a, b, detector, others, vertices_only: only, refused }
    }

    /// Whether the children of a compound determine the detectors.
    pub(super) fn by_children(&self) -> bool {
        self.detector.is_some() && self.a == "compound"
    }

    /// A description of what serves the pair.
    pub(super) fn served(&self) -> String {
        match (&self.detector, self.refused) {
            (Some(name), _) if self.by_children() => format!("{name}, by its children"),
            (Some(name), _) if self.vertices_only => format!("{name}, vertices only"),
            (Some(name), _) => name.clone(),
            (None, Some(reason)) => format!("refused: {reason}"),
            (None, None) => "none".to_owned(),
        }
    }
}
