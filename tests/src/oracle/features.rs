//! Vertices and edges of one body's surface in another: every vertex and every edge against every triangle, inside
//! decided by solid angle or by the tetrahedra. Crossing edges are in [`crossings`](super::crossings).

use super::crossings::{Crossed, EdgeOf, Faces, crossed, exits, faces as faces_of, is_sharp_at};
use super::distance::{
    may_be_within, nearest_triangle, on_segment, on_triangle, piercing, segment_on_triangle,
};
use super::expected::{Element, Expected};
use super::farthest::{farthest, place};
use super::front::{Taken, is_flat};
use super::sheet_exit::{Way, one_way};
use super::surface::{Surface, exchanged, exit_of};
use super::volume::Volume;
use crate::{Case, Regime, Shape};
use palpate_math::{Aabb, Point};
use std::collections::BTreeSet;

/// A body by its surface.
struct Body {
    surface: Surface,
    volume: Option<Volume>,
    vertices: Vec<Point>,
}

/// An edge by its ids and ends.
pub(super) type Edge = ([u32; 2], [Point; 2]);

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

    /// The vertices used by the surface's triangles.
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

    /// The element reported for a point inside.
    fn inner(&self, point: &Point) -> Element {
        match &self.volume {
            // On a face between two tetrahedra either may be reported.
            Some(volume) => volume.cell_of(point).map_or(Element::Any, Element::of),
            None => self.surface.nearest(point).1,
        }
    }
}

/// The features of one body in the other, in this order of sides.
struct Features {
    vertices: Vec<Expected>,
    /// In the order of the edges.
    edges: Vec<EdgeContact>,
    /// The exits of edges from faces that they pierce, with depth and whether rounding may hide them.
    exits: Vec<(f64, bool)>,
}

/// A contact of an edge.
enum EdgeContact {
    /// The deepest point of a part inside.
    Inside { edge: [u32; 2], part: [f64; 2], contact: Expected },
    /// Of two crossing edges.
    Crossed(Crossed),
    /// Beside another edge, or through a sheet.
    Other(Expected),
}

fn features(case: &Case, of: &Body, into: &Body, second: bool) -> Features {
    let rims = of.surface.thickness + into.surface.thickness;
    let vertices = vertices(of, into, rims);
    let (mut edges, mut depths) = (Vec::new(), Vec::new());
    let (own, faces) = (EdgeOf::of(&of.surface), Faces::of(&into.surface));
    let others = EdgeOf::of(&into.surface);
    let mut left: BTreeSet<(u32, [u32; 3])> = BTreeSet::new();
    for edge in of.edges() {
        let triangles = &into.surface.triangles;
        let crossings: Vec<Crossing> =
            triangles.iter().map(|(_, corners)| crossing(case, &edge.1, corners)).collect();
        let passes = crossings.contains(&Crossing::Sure);
        let touches = passes || crossings.contains(&Crossing::Grazing);
        let held = edge.1.iter().any(|end| into.solid() && into.holds(end));
        if !passes && !second && !held {
            // A solid has no edge between coplanar triangles.
            let flat = |contact: &Expected| {
                let Element::Of(ids) = &contact.b else { return false };
                let other = [ids[0], ids[ids.len() - 1]];
                into.solid() && others.is_flat(&other) || of.solid() && own.is_flat(&edge.0)
            };
            let beside = beside(&edge, into, rims).map(|contact| {
                let optional = touches || flat(&contact);
                Expected { optional, ..contact }
            });
            edges.extend(beside.map(EdgeContact::Other));
        }
        if into.solid() {
            let verge = crate::laws::TRUTH * case.size();
            for (index, crossing) in crossings.iter().enumerate().filter(|(_, at)| **at != Crossing::None) {
                let sure = *crossing == Crossing::Sure;
                let exit = exits(&faces, index, &edge, verge);
                depths.push((rims + exit.least, !sure));
                let solids = [of.solid(), into.solid()];
                let found = crossed(&own, &faces, &edge, &exit.sides, solids, verge);
                let faced = faces_of(&of.surface, &edge.0, &into.surface.outward(&triangles[index].1));
                let mut others = crossed(&own, &faces, &edge, &exit.farther, solids, verge);
                others.retain_mut(|pair| {
                    pair.contact.optional = true;
                    !faced && pair.contact.depth <= shallow(of, into)
                });
                for mut pair in found.into_iter().chain(others) {
                    pair.contact.depth += rims;
                    pair.contact.optional |= !sure;
                    let known = |other: &EdgeContact| matches!(other, EdgeContact::Crossed(other) if other.edges == pair.edges);
                    match edges.iter_mut().find(|other| known(other)) {
                        Some(EdgeContact::Crossed(other)) => other.contact.optional &= pair.contact.optional,
                        _ => edges.push(EdgeContact::Crossed(pair)),
                    }
                }
            }
            let flat = own.is_flat(&edge.0);
            edges.extend(through(case, &edge, into, rims).into_iter().map(|mut found| {
                if let EdgeContact::Inside { contact, .. } = &mut found {
                    contact.optional |= flat;
                }
                found
            }));
            continue;
        }
        // A degenerate triangle has no normal.
        let met = triangles.iter().zip(crossings).enumerate();
        let met =
            met.filter(|(_, ((_, corners), crossing))| !is_flat(corners) && *crossing != Crossing::None);
        for (index, ((ids, corners), crossing)) in met {
            let (end, contact) = left_by(&edge, ids, corners, rims);
            let verge = crate::laws::TRUTH * case.size();
            let (way, ways) = exit_of(&into.surface, Taken::Sheet, &edge.1, index, verge);
            let optional = crossing == Crossing::Grazing;
            if (way - (contact.depth - rims)).abs() > verge {
                edges.extend(out_of_sheet(&edge, (way, &ways), contact, rims));
                continue;
            }
            // As near as another exit, to rounding.
            let as_near = ways.iter().any(|way| matches!(way, Way::Over(..)));
            if left.insert((end, *ids)) {
                let optional = optional || as_near;
                edges.push(EdgeContact::Other(Expected { optional, ..contact }));
            }
        }
    }
    Features { vertices, edges, exits: depths }
}

/// How deep a corner or an edge may leave through a face that it faces: a tenth of the smaller of two solids; others leave by their
/// nearest exit.
fn shallow(of: &Body, into: &Body) -> f64 {
    if !of.solid() || !into.solid() {
        return f64::NEG_INFINITY;
    }
    let size = |body: &Body| {
        let bounds = Aabb::from_points(&body.vertices);
        (bounds.max - bounds.min).norm()
    };
    0.1 * size(of).min(size(into))
}

fn vertices(of: &Body, into: &Body, rims: f64) -> Vec<Expected> {
    let contact = |vertex: u32| {
        let point = of.vertices[vertex as usize];
        let (nearest, element) = into.surface.nearest(&point);
        let held = into.holds(&point);
        let sign = if held { -1.0 } else { 1.0 };
        let outward = (point - nearest.place) * (sign / nearest.distance);
        let may_lead_along = nearest.distance <= shallow(of, into) && is_sharp_at(&of.surface, vertex);
        if held && may_lead_along && !faces_of(&of.surface, &[vertex], &outward) {
            // It may leave through a face that it faces. That this is no longer than the least exit is another law.
            let at_least = rims + nearest.distance;
            let unknown = Expected::unknown(Element::of([vertex]), Element::Any, at_least);
            return Expected { optional: false, ..unknown };
        }
        Expected {
            a: Element::of([vertex]),
            b: if held { into.inner(&point) } else { element },
            depth: rims - sign * nearest.distance,
            direction: Some(outward),
            point_a: None,
            ..Expected::default()
        }
    };
    of.used().into_iter().map(contact).collect()
}

/// Whether an edge passes through a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crossing {
    None,
    /// So close to a side of the triangle, or to an end of the edge, that it depends on rounding.
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

/// The parts of an edge inside a solid: the deepest point of each, if it is deeper than the ends inside.
fn through(case: &Case, (ids, ends): &Edge, into: &Body, rims: f64) -> Vec<EdgeContact> {
    /// Shorter pieces are rounding gaps between two triangles.
    const SHORTEST: f64 = 1e-11;
    let depth = |t: f64| into.surface.nearest(&place(ends, t)).0.distance;
    let breaks = into.surface.breaks(ends);
    let mut parts: Vec<[f64; 2]> = Vec::new();
    for pair in breaks.windows(2).filter(|pair| pair[1] - pair[0] > SHORTEST) {
        if into.holds(&place(ends, 0.5 * (pair[0] + pair[1]))) {
            match parts.last_mut() {
                Some(last) if pair[0] - last[1] <= SHORTEST => last[1] = pair[1],
                _ => parts.push([pair[0], pair[1]]),
            }
        }
    }
    let verge = crate::laws::TRUTH * case.size();
    let inside = |part: [f64; 2]| {
        let (t, deepest) = breaks
            .windows(2)
            .filter(|pair| pair[1] > pair[0] && part[0] <= pair[0] && pair[1] <= part[1])
            .map(|pair| farthest(&into.surface.triangles, ends, [pair[0], pair[1]]))
            .reduce(|x, y| if y.1 > x.1 { y } else { x })?;
        let at_ends = [0, 1].map(|end| {
            let own = part[end] == end as f64 && into.holds(&ends[end]);
            if own { depth(end as f64) } else { 0.0 }
        });
        let at_ends = at_ends[0].max(at_ends[1]);
        let contact = Expected {
            a: Element::of(*ids),
            // The deepest point is usually equidistant from two elements, and may be in either of two cells.
            b: if into.volume.is_some() {
                Element::Any
            } else {
                nearest_once(into, &place(ends, t), deepest)
            },
            depth: rims + deepest,
            // Deepest at an end within rounding, or barely inside.
            optional: deepest <= at_ends + verge,
            ..Expected::default()
        };
        let found = EdgeContact::Inside { edge: *ids, part, contact };
        (deepest > at_ends - verge).then_some(found)
    };
    parts.into_iter().filter_map(inside).collect()
}

/// The closest element, unless another is about as close.
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

/// An edge beside the surface, closest to an edge of it.
fn beside((ids, ends): &Edge, into: &Body, rims: f64) -> Option<Expected> {
    let triangles = &into.surface.triangles;
    let (index, nearest) = nearest_triangle(ends, triangles.iter().map(|(_, corners)| corners))?;
    let corners = triangles[index].0;
    let between = nearest.t > 0.0 && nearest.t < 1.0 && nearest.part.0.len() == 2;
    let (a, b) = (Element::of(*ids), Element::of(nearest.part.0.iter().map(|&corner| corners[corner])));
    between.then(|| Expected::of_cores([a, b], [nearest.on_segment, nearest.on_triangle], [rims, 0.0])).map(
        // The two share the thickness, so A's own point is not determined.
        |contact| Expected { point_a: None, ..contact },
    )
}

/// An edge through a sheet's triangle, pushed out by the end with the shorter distance along the normal.
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

/// An edge through a sheet that leaves over a border, or by an end through another triangle.
fn out_of_sheet(edge: &Edge, (way, ways): (f64, &[Way]), contact: Expected, rims: f64) -> Vec<EdgeContact> {
    let contact = Expected { depth: rims + way, direction: None, ..contact };
    let (a, b) = match one_way(ways) {
        Some(Way::Over(other, at)) if *at > 0.0 && *at < 1.0 => (Element::of(edge.0), Element::of(*other)),
        Some(Way::End(end, ids)) => (Element::of([edge.0[*end]]), Element::of(ids.iter().copied())),
        _ => (Element::Any, Element::Any),
    };
    // Of several edges with the same exit one stands for all.
    vec![EdgeContact::Other(Expected { a, b, optional: true, ..contact })]
}

/// Whether a case is a solid against a sheet: which of several edges with the same exit stands for all is up to rounding.
pub(super) fn solid_and_sheet(case: &Case) -> bool {
    let detectors = ["closed_surface_mesh_surface_mesh", "surface_mesh_tetra_mesh"];
    detectors.contains(&case.detector) && Body::of(&case.a).solid() != Body::of(&case.b).solid()
}

/// Features of the first in the second, then of the second in the first, then the exit of an edge from a face that
/// is deeper than all others.
pub(super) fn two_bodies(case: &Case) -> Vec<Expected> {
    let bodies = [Body::of(&case.a), Body::of(&case.b)];
    let whose = case.settings.as_ref().and_then(|settings| settings["vertices"].as_str()).unwrap_or("both");
    let of = |side: usize| {
        let left_out = ["second", "first"][side] == whose;
        (!left_out).then(|| features(case, &bodies[side], &bodies[1 - side], side == 1))
    };
    let mut found = [of(0), of(1)];
    // Pairs of edges are reported from the first side if they are found there.
    let pairs_of = |features: &Option<Features>| {
        let edges = features.iter().flat_map(|features| &features.edges);
        edges
            .filter_map(|edge| if let EdgeContact::Crossed(pair) = edge { Some(pair.clone()) } else { None })
            .collect::<Vec<_>>()
    };
    let [of_first, of_second] = [pairs_of(&found[0]), pairs_of(&found[1])];
    if let Some(second) = &mut found[1] {
        second.edges.retain_mut(|edge| {
            let EdgeContact::Crossed(pair) = edge else { return true };
            let [own, other] = pair.edges;
            let known = of_first.iter().find(|first| first.edges == [other, own]);
            pair.contact.optional |= known.is_some();
            known.is_none_or(|known| known.contact.optional)
        });
    }
    let verge = crate::laws::TRUTH * case.size();
    let mut contacts = Vec::new();
    for (side, features) in found.iter().enumerate() {
        let Some(features) = features else { continue };
        let solid = bodies[1 - side].solid();
        let mut all = features.vertices.clone();
        let first_edge = all.len();
        for edge in &features.edges {
            all.extend(match edge {
                EdgeContact::Other(contact) => Some(contact.clone()),
                EdgeContact::Crossed(pair) => Some(pair.contact.clone()),
                EdgeContact::Inside { edge, part, contact } if solid => {
                    let own = of_first.iter().map(|pair| (pair.edges[side], pair.at[side], &pair.contact));
                    let other =
                        of_second.iter().map(|pair| (pair.edges[1 - side], pair.at[1 - side], &pair.contact));
                    told_by_crossing(*edge, *part, contact, own.chain(other), verge)
                }
                EdgeContact::Inside { .. } => None,
            });
        }
        if case.regime == Regime::Degenerate {
            // Whether an edge passes through or grazes is decided by exact predicates, not by this oracle.
            all[first_edge..].iter_mut().for_each(|contact| contact.optional = true);
        }
        contacts.extend(all.into_iter().map(|contact| if side == 0 { contact } else { exchanged(contact) }));
    }
    let exits = found.iter().flatten().flat_map(|features| features.exits.iter().copied()).collect();
    contacts.extend(deepest_exit(case, &contacts, exits, verge));
    if bodies[0].solid() != bodies[1].solid() {
        // A chord of the solid through the sheet, if it is deeper than all others.
        let most = contacts.iter().filter(|contact| !contact.optional).map(|contact| contact.depth);
        let most = most.fold(0.0, f64::max);
        contacts.push(Expected::unknown(Element::Any, Element::Any, most - verge));
    }
    contacts
}

/// The contact of an edge inside, unless a crossing in the same part is as deep.
fn told_by_crossing<'a>(
    edge: [u32; 2],
    part: [f64; 2],
    contact: &Expected,
    crossings: impl Iterator<Item = ([u32; 2], f64, &'a Expected)>,
    verge: f64,
) -> Option<Expected> {
    let mut contact = contact.clone();
    for (_, at, crossing) in crossings.filter(|(of, ..)| *of == edge) {
        if at < part[0] - 1e-9 || at > part[1] + 1e-9 || crossing.depth < contact.depth - verge {
            continue;
        }
        if !crossing.optional && crossing.depth > contact.depth + verge {
            return None;
        }
        contact.optional = true;
    }
    Some(contact)
}

/// The exits of edges from faces: the deepest is reported if it is deeper than all others.
fn deepest_exit(
    case: &Case,
    contacts: &[Expected],
    mut exits: Vec<(f64, bool)>,
    verge: f64,
) -> Vec<Expected> {
    let told = contacts.iter().filter(|contact| contact.depth >= -case.margin);
    let most = told.clone().map(|contact| contact.depth).fold(f64::NEG_INFINITY, f64::max);
    let sure = told.filter(|contact| !contact.optional).map(|contact| contact.depth);
    let sure = sure.fold(f64::NEG_INFINITY, f64::max);
    exits.sort_by(|x, y| y.0.total_cmp(&x.0));
    let may_be = exits.iter().filter(|(depth, _)| *depth >= sure - verge);
    let mut wanted: Vec<Expected> =
        may_be.map(|&(depth, _)| Expected { depth, optional: true, ..Expected::default() }).collect();
    if let (Some(first), Some((depth, false))) = (wanted.first_mut(), exits.first())
        && *depth > most + verge
    {
        first.optional = case.regime == Regime::Degenerate;
    }
    wanted
}
