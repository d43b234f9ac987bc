//! The panels of a case: one per iteration, with picture and text.

use super::coordinates::Coordinates;
use super::outline::seen;
use super::polytope::{self, Edge};
use super::report::{EpaIteration, GjkIteration, Report};
use crate::words::significant;

/// Maximum number of panels. Beyond it the middle iterations are omitted: those of a curved pair look alike.
pub(crate) const MOST_PANELS: usize = 24;

/// One small picture.
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// The simplex or polytope.
    pub(crate) edges: Vec<Edge>,
    /// Its vertices.
    pub(crate) vertices: Vec<[f64; 2]>,
    /// The feature closest to the origin: a point, an edge or a triangle.
    pub(crate) nearest: Vec<[f64; 2]>,
    /// From the origin to the closest point, or the same distance along the normal.
    pub(crate) arrow: Option<[f64; 2]>,
    /// The support point found.
    pub(crate) support: Option<[f64; 2]>,
}

/// The panels of a case, in the order of the iterations, and the number omitted.
pub(crate) fn panels(report: &Report) -> (Vec<Panel>, usize) {
    let mut makers: Vec<Box<dyn Fn() -> Panel + '_>> = Vec::new();
    for (index, step) in report.gjk.iterations.iter().enumerate() {
        makers.push(Box::new(move || of_gjk(index, step)));
    }
    makers.push(Box::new(|| end_of_gjk(report)));
    for (index, step) in report.epa.iter().flat_map(|epa| epa.iterations.iter().enumerate()) {
        makers.push(Box::new(move || of_epa(report, index, step)));
    }
    let left_out = makers.len().saturating_sub(MOST_PANELS);
    let first = if left_out > 0 { MOST_PANELS / 2 } else { makers.len() };
    let shown = makers.iter().take(first).chain(makers.iter().skip(first + left_out));
    (shown.map(|make| make()).collect(), left_out)
}

fn of_gjk(index: usize, step: &GjkIteration) -> Panel {
    let place = match &step.nearest {
        Some(nearest) => format!("nearest {}", tuple(nearest)),
        None => format!("first direction {}", tuple(&step.direction)),
    };
    Panel {
        title: format!("GJK {}: {}", index + 1, step.feature),
        lines: vec![place, format!("support {}", tuple(&step.support)), interval("distance", &step.bounds)],
        edges: polytope::edges(&step.simplex),
        vertices: step.simplex.iter().map(seen).collect(),
        nearest: step.simplex.iter().map(seen).collect(),
        arrow: step.nearest.as_ref().map(seen),
        support: Some(seen(&step.support)),
    }
}

fn end_of_gjk(report: &Report) -> Panel {
    let mut lines = vec![format!("simplex of {}", report.gjk.simplex.len())];
    // If EPA has no iterations, the result is shown here.
    if report.epa.as_ref().is_none_or(|epa| epa.iterations.is_empty()) {
        lines.extend(answer(report));
    }
    Panel {
        title: format!("GJK ends: {}", report.gjk.ended),
        lines,
        edges: polytope::edges(&report.gjk.simplex),
        vertices: report.gjk.simplex.iter().map(seen).collect(),
        nearest: Vec::new(),
        arrow: None,
        support: None,
    }
}

fn of_epa(report: &Report, index: usize, step: &EpaIteration) -> Panel {
    let vertices = polytope::vertices(report, index);
    let mut lines = vec![
        format!("normal {} at {}", tuple(&step.normal), short(step.distance)),
        format!("support {}", tuple(&step.support)),
        interval("depth", &step.bounds),
    ];
    let last = report.epa.as_ref().filter(|epa| epa.iterations.len() == index + 1);
    if let Some(epa) = last {
        let [depth, way] = answer(report);
        lines.extend([format!("{}: {depth}", epa.ended), way]);
    }
    let arrow: Coordinates = step.normal.iter().map(|x| x * step.distance).collect();
    Panel {
        title: format!("EPA {}: {}", index + 1, step.feature),
        lines,
        edges: polytope::edges(&vertices),
        vertices: vertices.iter().map(seen).collect(),
        nearest: step.facet.iter().map(seen).collect(),
        arrow: Some(seen(&arrow)),
        support: Some(seen(&step.support)),
    }
}

/// The result in two lines.
pub(crate) fn answer(report: &Report) -> [String; 2] {
    let contact = &report.contact;
    [format!("depth {}", short(contact.depth)), format!("A moves along {}", tuple(&contact.direction))]
}

/// An interval, without an unknown end.
pub(crate) fn interval(what: &str, [lower, upper]: &[f64; 2]) -> String {
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) => format!("{} ≤ {what} ≤ {}", short(*lower), short(*upper)),
        (true, false) => format!("{} ≤ {what}", short(*lower)),
        (false, true) => format!("{what} ≤ {}", short(*upper)),
        (false, false) => String::new(),
    }
}

/// Coordinates formatted for reading.
pub(crate) fn tuple(point: &Coordinates) -> String {
    format!("({})", point.iter().map(|&x| short(x)).collect::<Vec<_>>().join(", "))
}

/// A number with as many digits as fit the picture.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e6).contains(&size) { format!("{value:.2e}") } else { significant(value, 3) }
}
