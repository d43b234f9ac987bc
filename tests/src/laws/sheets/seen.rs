//! What certainly shares a point has a contact.

use super::case::{Detectors, SheetCase};
use crate::Shape;
use crate::compound::Body;
use crate::laws::solids::{Solid, goes_through};
use crate::oracle::is_closed;
use palpate_math::Point;

/// Depth by which a point is certainly inside, relative to the size of the case.
const INSIDE: f64 = 1e-7;

/// Points sampled over all triangles of a mesh, about.
const SAMPLES: usize = 300;

/// Two that certainly share a point have a contact, every part of a compound its own.
pub(super) fn seen(detectors: &Detectors<'_>, case: &SheetCase) -> Result<usize, String> {
    let answer = detectors.runs(case)?.run(case.margin)?;
    let a = Solid::new(&case.a.parts()[0]);
    let mut judged = 0;
    for (i, part) in case.b.parts().iter().enumerate() {
        let children = [case.a.number(0), case.b.number(i)];
        if surely_meet(&a, part, INSIDE * case.size()) {
            judged += 1;
            if !answer.of(children).any(|contact| contact.depth > 0.0) && is_thick(&a, part) {
                let all: Vec<f64> = answer.of(children).map(|contact| contact.depth).collect();
                return Err(format!("parts {children:?} share a point, but their contacts are {all:?} deep"));
            }
        }
    }
    Ok(judged)
}

/// Whether bodies that share a point are in each other by some depth: two sheets that cross need a thickness.
fn is_thick(a: &Solid, part: &Shape) -> bool {
    let sheet = matches!(part, Shape::SurfaceMesh { cells, .. } if !is_closed(cells));
    !sheet || a.shape().thickness() + part.thickness() > 0.0
}

/// Whether a mesh and a body certainly overlap.
pub(super) fn overlaps(a: &Shape, b: &Body, slack: f64) -> bool {
    let a = Solid::new(a);
    b.parts().iter().any(|part| surely_meet(&a, part, slack))
}

fn surely_meet(a: &Solid, part: &Shape, slack: f64) -> bool {
    let vertex = |id: &u32| part.vertices()[*id as usize];
    let pierced = |edge: &[Point; 2]| a.triangles().iter().any(|face| goes_through(edge, face, slack));
    match part {
        Shape::LineMesh { cells, .. } => {
            cells.iter().any(|[start, end]| pierced(&[vertex(start), vertex(end)]))
        }
        Shape::PointSet { vertices, radius } => {
            let reach = radius + a.shape().thickness() - slack;
            vertices.iter().any(|point| a.distance_to_surface(point) < reach)
        }
        Shape::SurfaceMesh { cells, .. } if !is_closed(cells) => cells
            .iter()
            .any(|[p, q, r]| [[p, q], [q, r], [r, p]].iter().any(|ends| pierced(&ends.map(vertex)))),
        _ => {
            let solid = Solid::new(part);
            samples(a).iter().any(|place| solid.signed(place) <= -slack)
        }
    }
}

/// Points spread over the triangles of a mesh.
fn samples(mesh: &Solid) -> Vec<Point> {
    let of_each = (SAMPLES / mesh.triangles().len().max(1)).max(1);
    // The fractional parts of multiples of two irrational numbers are spread evenly over a square, which is
    // folded.
    let place = |[a, b, c]: &[Point; 3], k: usize| {
        let [s, t] = [0.754_877_666, 0.569_840_291].map(|step: f64| (step * (k as f64 + 0.5)).fract());
        let [s, t] = if s + t > 1.0 { [1.0 - s, 1.0 - t] } else { [s, t] };
        a + (b - a) * s + (c - a) * t
    };
    let corners = mesh.edges().iter().map(|[start, _]| *start);
    corners
        .chain(mesh.triangles().iter().flat_map(|face| (0..of_each).map(move |k| place(face, k))))
        .collect()
}
