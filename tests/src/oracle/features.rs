//! Vertices and edges of one body's surface in another: every vertex and every edge against every triangle, what is inside
//! by solid angle or by the tetrahedra.

use super::distance::{
    may_be_within, nearest_triangle, on_segment, on_triangle, piercing, segment_on_triangle,
};
use super::expected::{Element, Expected};
use super::farthest::{farthest, place};
use super::front::is_flat;
use super::surface::{Surface, exchanged};
use super::volume::Volume;
use crate::{Case, Regime, Shape};
use palpate_math::Point;
use std::collections::BTreeSet;

/// A body by its surface.
struct Body {
    surface: Surface,
    volume: Option<Volume>,
    vertices: Vec<Point>,
}

/// An edge by its ids and ends.
type Edge = ([u32; 2], [Point; 2]);

impl Body {
    fn of(shape: &Shape) -> Self {
        let vertices = shape.vertices().to_vec();
        match shape {
            Shape::TetraMesh { .. } => {
                let volume = Volume::of(shape);
                Self { surface: volume.boundary.clone(), volume: Some(volume), vertices }
            }
            _ => Self { surface: Surface::of(shape), volume: None, vertices },
        }
    }

    fn solid(&self) -> bool {
        self.volume.is_some() || self.surface.closed
    }

    fn holds(&self, point: &Point) -> bool {
        match &self.volume {
            Some(volume) => volume.holds(point),
            None => self.surface.holds(point),
        }
    }

    /// The vertices that the surface's triangles have.
    fn used(&self) -> Vec<u32> {
        let ids: BTreeSet<u32> = self.surface.triangles.iter().flat_map(|(ids, _)| *ids).collect();
        ids.into_iter().collect()
    }

    /// The edges in the order in which the triangles name them.
    fn edges(&self) -> Vec<Edge> {
        let mut seen = BTreeSet::new();
        let mut edges = Vec::new();
        for (ids, _) in &self.surface.triangles {
            for side in 0..3 {
                let (from, to) = (ids[side], ids[(side + 1) % 3]);
                let ids = [from.min(to), from.max(to)];
                if seen.insert(ids) {
                    edges.push((ids, ids.map(|id| self.vertices[id as usize])));
                }
            }
        }
        edges
    }

    /// The element that a point inside is met by.
    fn inner(&self, point: &Point) -> Element {
        match &self.volume {
            // On a face between two tetrahedra either may be named.
            Some(volume) => volume.cell_of(point).map_or(Element::Any, Element::of),
            None => self.surface.nearest(point).1,
        }
    }
}

/// The features of `of` in `into`, the sides in this order.
fn features(case: &Case, of: &Body, into: &Body, edge_pairs: bool) -> Vec<Expected> {
    let rims = of.surface.thickness + into.surface.thickness;
    let mut contacts = Vec::new();
    for vertex in of.used() {
        let point = of.vertices[vertex as usize];
        let (nearest, element) = into.surface.nearest(&point);
        let held = into.holds(&point);
        let sign = if held { -1.0 } else { 1.0 };
        contacts.push(Expected {
            a: Element::of([vertex]),
            b: if held { into.inner(&point) } else { element },
            depth: rims - sign * nearest.distance,
            direction: Some((point - nearest.place) * (sign / nearest.distance)),
            point_a: None,
            ..Expected::default()
        });
    }
    let of_vertices = contacts.len();
    let mut left: BTreeSet<(u32, [u32; 3])> = BTreeSet::new();
    for edge in of.edges() {
        let triangles = &into.surface.triangles;
        let crossings: Vec<Crossing> =
            triangles.iter().map(|(_, corners)| crossing(case, &edge.1, corners)).collect();
        let passes = crossings.contains(&Crossing::Sure);
        let touches = passes || crossings.contains(&Crossing::Grazing);
        if !passes && edge_pairs {
            let beside = beside(&edge, into, rims);
            contacts.extend(beside.map(|contact| Expected { optional: touches, ..contact }));
        }
        if into.solid() {
            contacts.extend(through(case, &edge, into, rims).filter(|_| touches));
            continue;
        }
        // A flat triangle has no normal to leave it by.
        let met = triangles.iter().zip(crossings).filter(|((_, corners), _)| !is_flat(corners));
        for ((ids, corners), crossing) in met.filter(|(_, crossing)| *crossing != Crossing::None) {
            let (end, contact) = left_by(&edge, ids, corners, rims);
            if left.insert((end, *ids)) {
                contacts.push(Expected { optional: crossing == Crossing::Grazing, ..contact });
            }
        }
    }
    if case.regime == Regime::Degenerate {
        // Whether an edge passes through or grazes is for exact predicates to say.
        contacts[of_vertices..].iter_mut().for_each(|contact| contact.optional = true);
    }
    contacts
}

/// Whether an edge passes through a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crossing {
    None,
    /// So near to a side of the triangle, or to an end of the edge, that rounding says.
    Grazing,
    Sure,
}

fn crossing(case: &Case, ends: &[Point; 2], corners: &[Point; 3]) -> Crossing {
    let verge = crate::laws::TRUTH * case.size();
    let Some((_, place)) = piercing(ends, corners) else {
        let near =
            may_be_within(ends, corners, verge) && segment_on_triangle(ends, corners).distance <= verge;
        return if near { Crossing::Grazing } else { Crossing::None };
    };
    let to_side = |side: usize| {
        (on_segment(&place, &corners[side], &corners[(side + 1) % 3]).1 - place).norm() <= verge
    };
    let at_an_end = ends.iter().any(|end| (end - place).norm() <= verge);
    if at_an_end || (0..3).any(to_side) { Crossing::Grazing } else { Crossing::Sure }
}

/// An edge through a solid's surface: its deepest place between crossings, where it is deeper than its ends.
fn through(case: &Case, (ids, ends): &Edge, into: &Body, rims: f64) -> Option<Expected> {
    let place = |t: f64| place(ends, t);
    let depth = |t: f64| into.surface.nearest(&place(t)).0.distance;
    let breaks = into.surface.breaks(ends);
    let mut best: Option<(f64, f64)> = None;
    for pair in
        breaks.windows(2).filter(|pair| pair[1] > pair[0] && into.holds(&place(0.5 * (pair[0] + pair[1]))))
    {
        let (t, _) = farthest(&into.surface.triangles, ends, [pair[0], pair[1]]);
        for t in [t, pair[0], pair[1]] {
            if best.is_none_or(|best| depth(t) > best.0) {
                best = Some((depth(t), t));
            }
        }
    }
    let (deepest, t) = best?;
    let at_ends =
        ends.iter().map(|end| if into.holds(end) { into.surface.nearest(end).0.distance } else { 0.0 });
    let at_ends = at_ends.fold(0.0, f64::max);
    let verge = crate::laws::TRUTH * case.size();
    (deepest > at_ends - verge).then(|| Expected {
        a: Element::of(*ids),
        // Where it is deepest it is mostly as near to one element as to another, and may pass from cell to cell.
        b: if into.volume.is_some() { Element::Any } else { nearest_once(into, &place(t), deepest) },
        depth: rims + deepest,
        // Deepest at an end but for rounding, or hardly inside at all.
        optional: deepest <= at_ends + verge,
        ..Expected::default()
    })
}

/// The nearest element, where no other is about as near.
fn nearest_once(into: &Body, point: &Point, distance: f64) -> Element {
    let near = |(ids, corners): &([u32; 3], [Point; 3])| {
        let nearest = on_triangle(point, corners);
        let element = || Element::of(nearest.part.0.iter().map(|&corner| ids[corner]));
        (nearest.distance <= distance * (1.0 + 1e-5)).then(element)
    };
    let mut ways: Vec<Element> = into.surface.triangles.iter().filter_map(near).collect();
    ways.dedup();
    if ways.len() == 1 { ways.remove(0) } else { Element::Any }
}

/// An edge beside the surface, nearest to an edge of it.
fn beside((ids, ends): &Edge, into: &Body, rims: f64) -> Option<Expected> {
    let triangles = &into.surface.triangles;
    let (index, nearest) = nearest_triangle(ends, triangles.iter().map(|(_, corners)| corners))?;
    let corners = triangles[index].0;
    let between = nearest.t > 0.0 && nearest.t < 1.0 && nearest.part.0.len() == 2;
    let (a, b) = (Element::of(*ids), Element::of(nearest.part.0.iter().map(|&corner| corners[corner])));
    between.then(|| Expected::of_cores([a, b], [nearest.on_segment, nearest.on_triangle], [rims, 0.0])).map(
        // The two share the thickness: where A's own point is, is not said.
        |contact| Expected { point_a: None, ..contact },
    )
}

/// An edge through a sheet's triangle, by the end that has the shorter way along the normal.
fn left_by((ids, ends): &Edge, triangle: &[u32; 3], corners: &[Point; 3], rims: f64) -> (u32, Expected) {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
    let heights = ends.map(|end| (end - corners[0]).dot(&normal));
    let end = usize::from(heights[1].abs() < heights[0].abs());
    let outward = normal * -heights[end].signum();
    let contact = Expected {
        a: Element::of([ids[end]]),
        b: Element::of(*triangle),
        depth: rims + heights[end].abs(),
        direction: Some(outward),
        point_a: None,
        ..Expected::default()
    };
    (ids[end], contact)
}

/// Features of the first in the second, then of the second in the first.
pub(super) fn two_bodies(case: &Case) -> Vec<Expected> {
    let (a, b) = (Body::of(&case.a), Body::of(&case.b));
    let mut contacts = features(case, &a, &b, true);
    contacts.extend(features(case, &b, &a, false).into_iter().map(exchanged));
    contacts
}
