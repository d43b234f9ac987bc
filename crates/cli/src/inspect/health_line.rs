//! A mesh's health in a line.

use crate::words;
use palpate::geometry::health::{SurfaceHealth, TetraHealth};

/// The health of a surface.
pub(crate) fn surface_line(health: &SurfaceHealth) -> String {
    let word = |is: bool, word: &str| if is { word.to_owned() } else { format!("not {word}") };
    let mut words = vec![words::plural(health.triangles, "triangle")];
    words.push(word(health.is_closed(), "closed"));
    words.push(word(health.is_oriented(), "oriented"));
    words.push(word(health.is_manifold(), "manifold"));
    let crossings = health.self_intersections.count;
    if crossings > 0 {
        words.push(words::plural(crossings, "pair") + " intersect");
    }
    words.join(", ")
}

/// The health of a tetrahedral mesh, and of its boundary.
pub(crate) fn tetra_line(health: &TetraHealth) -> String {
    let tetrahedra = words::plural(health.tetrahedra, "tetrahedron").replace("tetrahedrons", "tetrahedra");
    let inverted = health.inverted_tetrahedra.count;
    format!("{tetrahedra}, {inverted} inverted; boundary: {}", surface_line(&health.boundary))
}
