//! Crossings of a shaft with a surface, in the order of the shaft.

use crate::crossing::{Crossing, CrossingId, Passing};
use crate::shaft::Shaft;
use crate::sides::segment_through;
use palpate_geometry::SurfaceMesh;
use palpate_math::Point;
use palpate_math::orient::orient3d;

/// Crossings closer together than this, relative to the length of the shaft, may be exchanged: rounding error.
const SAME_PLACE: f64 = 1e-12;

/// Crossings that have no id yet.
const NO_ID: CrossingId = CrossingId(0);

/// Appends the crossings of a shaft with a surface that has a tree, the nearest to the tip first, without ids.
pub(crate) fn find(shaft: &Shaft, surface: &SurfaceMesh, out: &mut Vec<Crossing>) {
    let Some(tree) = surface.tree() else { return };
    let turned = surface.winds_inward();
    for segment in 0..shaft.segments() {
        let [front, rear] = shaft.segment(segment);
        let Some((direction, bound)) = shaft.toward_front(segment) else { continue };
        tree.along_line(rear, &direction, bound, |triangle| {
            let corners = surface.corners(triangle);
            let through = segment_through([rear, front], corners.each_ref());
            if through != 0 {
                let passing = if (through > 0) == turned { Passing::In } else { Passing::Out };
                let weights = line_weights([rear, front], corners.each_ref());
                let [a, b, c] = corners;
                let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
                let place = shaft.place(segment, 1.0 - crossed_at([rear, front], corners.each_ref()));
                out.push(Crossing {
                    id: NO_ID,
                    passing,
                    triangle,
                    vertices: surface.triangles()[triangle as usize],
                    weights,
                    place,
                    point: shaft.point(&place),
                    cosine: normal.dot(&direction).abs(),
                });
            }
            bound
        });
    }
    out.sort_unstable_by(|x, y| x.place.arc.total_cmp(&y.place.arc).then(x.triangle.cmp(&y.triangle)));
    alternate(out, SAME_PLACE * shaft.length());
}

/// Where the segment from `p` to `q`, which passes through a triangle, meets it: 0 at `p`, 1 at `q`.
pub(crate) fn crossed_at([p, q]: [&Point; 2], [a, b, c]: [&Point; 3]) -> f64 {
    let [from, to] = [p, q].map(|point| orient3d(a, b, c, point));
    if from == to { 0.5 } else { (from / (from - to)).clamp(0.0, 1.0) }
}

/// The barycentric weights of the place where a line passes through a triangle.
pub(crate) fn line_weights([p, q]: [&Point; 2], [a, b, c]: [&Point; 3]) -> [f64; 3] {
    let volumes = [[b, c], [c, a], [a, b]].map(|[x, y]| orient3d(p, q, x, y));
    let sum: f64 = volumes.iter().sum();
    if sum == 0.0 { [1.0 / 3.0; 3] } else { volumes.map(|volume| volume / sum) }
}

/// Of crossings at one place, as far as rounding tells, lets those in and those out take turns.
fn alternate(crossings: &mut [Crossing], same: f64) {
    for index in 1..crossings.len() {
        let before = crossings[index - 1];
        if crossings[index].passing != before.passing {
            continue;
        }
        let near = |other: &&mut Crossing| other.place.arc - before.place.arc <= same;
        let mut others = crossings[index..].iter_mut().take_while(near);
        if let Some(at) = others.position(|other| other.passing != before.passing) {
            crossings[index..=index + at].rotate_right(1);
        }
    }
}
