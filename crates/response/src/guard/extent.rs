//! Where the parts of bodies can be in a step.

use super::mesh::Mesh;
use super::moves::Shape;
use super::rigid::{Place, Rigid};
use crate::ResponseError;
use palpate_geometry::Geometry;
use palpate_math::{Aabb, Point, Vector};

/// What is known of a part in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// A box that contains the part, without its radius, wherever the guard leaves it.
    pub(super) bounds: Aabb,
    /// By how much a query of its tree has to be grown.
    pub(super) growth: f64,
}

/// The box of what particles can reach, and the tree fitted to them: one pass over their places.
pub(super) fn of_particles(
    mesh: &mut Mesh,
    first: usize,
    start: &[Point],
    end: &[Point],
) -> Result<Extent, ResponseError> {
    let range = first..first + mesh.vertices;
    let (starts, ends) = (&start[range.clone()], &end[range]);
    // The squares of the longest way and of the largest distance from an anchor; NaN and infinity stay in the sum.
    let (mut longest, mut off, mut sum) = (0.0_f64, 0.0_f64, 0.0);
    let mut include = |start: &Point, end: &Point, anchor: &Point| {
        let (way, away) = ((end - start).norm_squared(), (start - anchor).norm_squared());
        longest = if way > longest { way } else { longest };
        off = if away > off { away } else { off };
        sum += way;
    };
    let anchors = mesh.anchors().unwrap_or(starts);
    if mesh.is_all_used() {
        let all = starts.iter().zip(ends).zip(anchors);
        all.for_each(|((start, end), anchor)| include(start, end, anchor));
    } else {
        let used = mesh.used().iter().map(|id| *id as usize);
        used.for_each(|id| include(&starts[id], &ends[id], &anchors[id]));
    }
    if !sum.is_finite() {
        let is_wrong = |k: &usize| !(end[*k] - start[*k]).iter().all(|x| x.is_finite());
        let wrong = mesh.used().iter().map(|id| first + *id as usize).find(is_wrong);
        return Err(ResponseError::NotFinite { what: "particle", index: wrong.unwrap_or(first) });
    }
    let growth = mesh.fit(starts, ends, longest.max(off));
    Ok(Extent { bounds: mesh.fitted_bounds().grown(off.sqrt() + longest.sqrt()), growth })
}

/// The box of what a body can reach.
pub(super) fn of_body(shape: &Shape, rigid: Option<&Rigid>) -> Extent {
    let place = rigid.map(|rigid| rigid.start);
    let world = |bounds: &Aabb| place.map_or(*bounds, |place| to_world(bounds, &place));
    let (bounds, radius) = match shape {
        Shape::HalfSpace { .. } => (Aabb::ALL, 0.0),
        Shape::Mesh(mesh) => {
            let bounds = mesh.local_bounds();
            let far = bounds.min.coords.abs().sup(&bounds.max.coords.abs()).norm();
            (world(bounds), far)
        }
        Shape::Implicit { reach, .. } if reach.is_infinite() => {
            return Extent { bounds: Aabb::ALL, growth: 0.0 };
        }
        Shape::Implicit { body, reach } => (world(&body.bounds_at_rest()), *reach),
        Shape::Solid { geometry, reach } => {
            let mut bounds = Aabb::EMPTY;
            if let Some(convex) = geometry.as_convex() {
                for axis in [Vector::x(), Vector::y(), Vector::z()] {
                    bounds.include(&convex.support_map().support(&axis));
                    bounds.include(&convex.support_map().support(&-axis));
                }
            }
            (world(&bounds), *reach)
        }
    };
    let growth = rigid.map_or(0.0, |rigid| rigid.reach(radius));
    Extent { bounds: bounds.grown(growth).padded(), growth }
}

pub(super) fn largest_finite(bounds: &Aabb) -> f64 {
    let corners = bounds.min.iter().chain(bounds.max.iter());
    corners.filter(|x| x.is_finite()).fold(0.0, |largest, x| largest.max(x.abs()))
}

/// The box around a moved box.
fn to_world(bounds: &Aabb, place: &Place) -> Aabb {
    if bounds.is_empty() {
        return *bounds;
    }
    let center = place.point(&bounds.center());
    let half = place.rotation.abs() * (bounds.size() * 0.5);
    Aabb { min: center - half, max: center + half }
}
