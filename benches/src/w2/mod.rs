//! Workload W2: closest points, spheres and a tool against an organ at rest and one that deforms, palpate beside parry.
//!
//! `organ_SIZE.bin` and `tool.bin` are meshes: the numbers of vertices and triangles, the vertices, the triangles;
//! `frames_SIZE.bin` holds the organ's vertices in 100 frames, `tool_poses.bin` a rotation (row by row) and a
//! translation for each frame, `points.bin` points, `spheres.bin` centres and radii. All numbers are little-endian
//! `f64`.
//!
//! Both sides decide about the candidates of their trees by the same exact tests of triangles, so that the ratios are
//! those of the trees. For signed closest points each side uses its mesh. [`measure_threads`] compares palpate on several
//! threads with itself on one.

mod frames;
mod input;
mod queries;
mod threads;

use std::path::Path;

pub use input::Input;
pub use threads::{Scaling, measure_threads};

use crate::Fallible;
use crate::figures::Figure;

/// Measures all sizes of the folder. Errors: a file is missing or malformed.
pub fn measure(folder: &Path, mut report: impl FnMut(&Figure)) -> Fallible<Vec<Figure>> {
    let mut figures = Vec::new();
    for size in ["5k", "20k", "80k"] {
        let input = Input::read(folder, size)?;
        let mut add = |figure: Figure| {
            report(&figure);
            figures.push(figure);
        };
        add(queries::closest(&input)?);
        add(queries::spheres(&input)?);
        add(frames::at_rest(&input)?);
        add(frames::refitted(&input)?);
        add(frames::rebuilt(&input)?);
        add(frames::prepared(&input)?);
    }
    Ok(figures)
}
