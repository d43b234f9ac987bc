//! A surface against a convex body, triangle by triangle, by the widths of their Minkowski difference.

use super::body::Body;
use super::distance::on_triangle;
use super::expected::{Element, Expected};
use super::front::{Taken, is_flat, taken};
use super::surface::{Nearest, Surface, internal_ignored};
use super::width::least_widths;
use crate::{Case, Regime, Shape};
use palpate_math::{Point, Vector};

/// Corners of a triangle within this fraction of its size of the support point along a direction belong to the same
/// element.
const LEVEL: f64 = 1e-6;

/// Cosine below which a direction counts as neither outward nor inward.
const ALONG: f64 = 1e-9;

/// The same where the search ended on a curve, where the direction error is the square root of the depth error.
const ALONG_A_CURVE: f64 = 1e-4;

/// Relation of a triangle and the body.
struct Met {
    ids: [u32; 3],
    corners: [Point; 3],
    depth: f64,
    way: Way,
    /// Other directions as short as the first.
    ties: Vec<Way>,
}

/// A direction in which a triangle leaves the body.
struct Way {
    /// The element that leaves last.
    element: Element,
    /// A point on it.
    place: Point,
    direction: Vector,
}

/// Whether an edge or a vertex is between triangles that are closer or deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voided {
    Yes,
    /// Within rounding error.
    Perhaps,
    No,
}

struct Pair<'a> {
    case: &'a Case,
    surface: &'a Surface,
    origin: Vector,
    body: Body,
    radius: f64,
    /// Greater distances are no contact.
    reach: f64,
}

impl Pair<'_> {
    fn farthest(&self, direction: &Vector) -> Point {
        Point::from(self.origin + self.body.farthest(direction) + direction * self.radius)
    }

    /// A lower bound of the distance to a triangle, by a few directions.
    fn surely_apart(&self, corners: &[Point; 3]) -> f64 {
        let middle = (corners[0].coords + corners[1].coords + corners[2].coords) / 3.0;
        let towards = (self.origin - middle).try_normalize(0.0).unwrap_or_else(Vector::x);
        let mut most = 0.0_f64;
        for axis in [Vector::x(), Vector::y(), Vector::z(), towards] {
            for direction in [axis, -axis] {
                let end = corners.iter().map(|corner| corner.coords.dot(&direction));
                let end = end.fold(f64::NEG_INFINITY, f64::max);
                most = most.max(self.farthest(&-direction).coords.dot(&direction) - end);
            }
        }
        most
    }

    fn meet(&self, ids: &[u32; 3], corners: &[Point; 3]) -> Met {
        let triangle = Body::hull(corners.iter().map(|corner| corner.coords - self.origin).collect());
        let verge = crate::laws::TRUTH * self.case.size();
        let (width, ways) = least_widths(&triangle, &self.body, self.reach + self.radius, verge);
        let mut ways = ways.iter().map(|into_body| self.way(ids, corners, into_body));
        let way = ways.next().expect("there is an exit");
        Met { ids: *ids, corners: *corners, depth: width + self.radius, way, ties: ways.collect() }
    }

    fn way(&self, ids: &[u32; 3], corners: &[Point; 3], into_body: &Vector) -> Way {
        let heights = corners.map(|corner| (corner.coords - self.origin).dot(into_body));
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let size = (0..3).map(|k| (corners[k] - corners[(k + 1) % 3]).norm()).fold(0.0, f64::max);
        let level: Vec<usize> = (0..3).filter(|&k| heights[k] >= highest - LEVEL * size).collect();
        Way {
            element: Element::of(level.iter().map(|&k| ids[k])),
            place: corners[level[0]],
            direction: -into_body,
        }
    }

    /// Out along a direction, from below the plane through a point.
    fn left_along(&self, outward: &Vector, place: &Point, ids: [u32; 3]) -> Expected {
        let below = (place - self.farthest(&-outward)).dot(outward);
        Expected {
            a: Element::of(ids),
            b: Element::Point,
            depth: below + self.surface.thickness,
            direction: Some(-outward),
            point_a: None,
            ..Expected::default()
        }
    }

    /// A body wholly inside: one of its points leaves by the closest surface point, at least as deep as its corners
    /// are; a curved body has some point inside.
    fn held(&self) -> Expected {
        let corners = self.body.corners().iter().map(|corner| Point::from(self.origin + corner));
        let depths = corners.map(|corner| self.surface.nearest(&corner).0.distance + self.radius);
        let at_least = depths.fold(0.0, f64::max) + self.surface.thickness;
        Expected { optional: false, ..Expected::unknown(Element::Any, Element::Point, at_least) }
    }
}

/// A lower bound of the deepest contact of a mesh and a convex body: the deepest overlap of one of its triangles.
/// Minus infinity if no triangle certainly overlaps, and for other pairs.
pub fn least_depth(case: &Case) -> f64 {
    let surface = match case.detector {
        "surface_mesh_convex" => Surface::of(&case.a),
        "tetra_mesh_convex" => super::volume::boundary_surface(&case.a),
        _ => return f64::NEG_INFINITY,
    };
    let volume = matches!(case.a, Shape::TetraMesh { .. });
    // Bodies behind a front are pushed out along its normal, however deep.
    if !volume && taken(case, surface.closed) == Taken::Front {
        return f64::NEG_INFINITY;
    }
    let depths = met(case, &surface).1.into_iter().map(|met| met.depth).filter(|depth| *depth > 0.0);
    depths.fold(f64::NEG_INFINITY, f64::max) + surface.thickness
}

/// The relations of the triangles near a body to it.
fn met<'a>(case: &'a Case, surface: &'a Surface) -> (Pair<'a>, Vec<Met>) {
    let origin = case.b.center();
    let body = Body::new(&case.b, &origin);
    let reach = 1.01 * (case.margin + surface.thickness) + 1e-6 * case.size();
    let pair = Pair { case, surface, origin, body, radius: case.b.rounding_radius(), reach };
    let near = surface.triangles.iter().filter(|(_, corners)| pair.surely_apart(corners) <= reach);
    let met: Vec<Met> = near.map(|(ids, corners)| pair.meet(ids, corners)).collect();
    (pair, met)
}

/// A surface against a convex body; `holds` decides what is inside.
pub(super) fn against_body(case: &Case, surface: &Surface, holds: impl Fn(&Point) -> bool) -> Vec<Expected> {
    let (pair, met) = met(case, surface);
    // Elements out of range have no contact, and hide none.
    let shallowest = -case.margin - surface.thickness - crate::laws::TRUTH * case.size();
    let met: Vec<Met> = met.into_iter().filter(|met| met.depth >= shallowest).collect();
    let contacts = pair.contacts(&met);
    let verge = crate::laws::TRUTH * case.size();
    let overlaps = met.iter().any(|met| met.depth > verge);
    let extremes =
        (0..6).map(|k| pair.farthest(&Vector::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 })).coords);
    let middle = Point::from(extremes.sum::<Vector>() / 6.0);
    if !overlaps && holds(&middle) {
        let deepest = contacts.iter().map(|contact| contact.depth).fold(f64::NEG_INFINITY, f64::max);
        // A volume is a solid, though flat cells may leave holes in its boundary.
        let solid =
            !matches!(case.a, Shape::SurfaceMesh { .. }) || taken(case, surface.closed) != Taken::Sheet;
        let clear = surface.nearest(&middle).0.distance > verge;
        // A body that touches the surface from inside has contacts with it, too.
        let touches = met.iter().any(|met| met.depth >= -verge);
        if !touches && (solid && clear || deepest < -verge) {
            return vec![pair.held()];
        }
        if solid || deepest <= verge {
            // Flat and on the surface, or touching it: whether it is inside depends on rounding.
            let either = std::iter::once(pair.held()).chain(contacts);
            return either.map(|contact| Expected { optional: true, ..contact }).collect();
        }
    }
    contacts
}

impl Pair<'_> {
    fn expected(&self, met: &Met, optional: bool) -> Expected {
        let verge = crate::laws::TRUTH * self.case.size();
        // Normals of faces and edges are exact; where the search ended on a curve or at a corner, the direction
        // error is the square root of the rounding error.
        let exact = self.case.search_tolerance().is_none() && self.radius == 0.0 && met.depth > verge;
        Expected {
            a: met.way.element.clone(),
            b: Element::Point,
            depth: met.depth + self.surface.thickness,
            direction: exact.then_some(met.way.direction),
            point_a: None,
            optional,
            ..Expected::default()
        }
    }

    /// Whether a direction leads into a solid or behind a front; `None` if that depends on rounding.
    fn leads_inward(&self, taken: Taken, met: &Met, way: &Way) -> Option<bool> {
        // A degenerate triangle has no front.
        if taken == Taken::Sheet || is_flat(&met.corners) {
            return Some(false);
        }
        let along = if self.case.search_tolerance().is_some() { ALONG_A_CURVE } else { ALONG };
        let hides = |element: &Element| {
            let normal = self.surface.pseudonormal(element);
            let sure = normal.dot(&way.direction).abs() > along * normal.norm();
            sure.then(|| self.surface.hides(taken, element, &way.place, &(way.place - way.direction)))
        };
        let hidden = hides(&way.element);
        // In special position any of several equally high parts may be reported, with or without a front.
        let special = self.case.regime == Regime::Degenerate;
        let unsure = special && parts(&way.element).iter().any(|part| hides(part) != hidden);
        hidden.filter(|_| !unsure)
    }

    fn contacts(&self, met: &[Met]) -> Vec<Expected> {
        let Self { case, surface, .. } = self;
        let verge = crate::laws::TRUTH * case.size();
        let special = case.regime == Regime::Degenerate;
        let taken = taken(case, surface.closed);
        let solid = taken == Taken::Solid || matches!(case.a, Shape::TetraMesh { .. });
        let inward: Vec<Option<bool>> =
            met.iter().map(|met| self.leads_inward(taken, met, &met.way)).collect();
        let leads_inward = |index: usize| inward[index] == Some(true);
        let each = met.iter().map(|met| (met.ids, met.way.element.clone(), -met.depth));
        let all = Nearest(each.collect());
        let voided: Vec<Voided> = met.iter().map(|met| self.voided(&all, met)).collect();
        let counts = |index: usize| !leads_inward(index) && voided[index] != Voided::Yes;
        // The first of the deepest of those that count represents its element.
        let counting = || (0..met.len()).filter(|&index| counts(index));
        let most = counting().map(|index| met[index].depth).fold(f64::NEG_INFINITY, f64::max);
        let kept = counting().find(|&index| met[index].depth >= most - verge);
        let elements: Vec<&Element> = met.iter().map(|met| &met.way.element).collect();
        let overlaps = met.iter().any(|met| met.depth >= -verge);
        let mut contacts = Vec::new();
        if solid && overlaps {
            // The body's own deepest point, if it is deeper than all others.
            contacts.push(Expected::unknown(Element::Any, Element::Point, most.max(0.0) + 3.0 * verge));
        } else if overlaps && voided.iter().any(|voided| *voided != Voided::No) {
            // The exit of the whole body, where those of the triangles lead into their neighbours.
            contacts.push(Expected::unknown(Element::Any, Element::Point, most.max(0.0)));
        }
        for (index, met) in met.iter().enumerate() {
            // If an outward direction is as short as an inward one, the choice depends on rounding.
            let ties = met.ties.iter().map(|way| self.leads_inward(taken, met, way));
            let tied = met.depth > verge
                && (inward[index].is_none() || ties.into_iter().any(|tie| tie != inward[index]));
            if !solid && (leads_inward(index) || tied) && met.depth > verge {
                let left = self.left_along(&surface.outward(&met.corners), &met.corners[0], met.ids);
                contacts.push(Expected { optional: tied, ..left });
            }
            // An inward direction is admissible only for elements that just touch, and for the deepest of a solid.
            let touches = met.depth.abs() <= verge;
            let deeper = solid && met.depth > most - verge && met.depth > -verge;
            if leads_inward(index) && !tied && !touches && !deeper {
                continue;
            }
            let element = &met.way.element;
            let is_kept = kept.is_some_and(|kept| element == elements[kept]);
            let left_out = kept != Some(index) && (is_kept || voided[index] == Voided::Yes);
            // A voided one that is deeper than all that count may be the deepest of its kind.
            let admitted = voided[index] == Voided::Yes && met.depth > most - verge;
            // In special position another of several directions may be kept, or internal, or not.
            if !left_out || special || admitted || deeper {
                let unsure = special && inward[index].is_none() || voided[index] == Voided::Perhaps;
                let optional = tied || left_out || unsure || admitted || leads_inward(index);
                push_once(&mut contacts, self.expected(met, optional));
            }
        }
        contacts
    }

    /// Whether an adjacent triangle is closer, or extends farther along the direction.
    fn voided(&self, all: &Nearest, met: &Met) -> Voided {
        let Element::Of(wanted) = &met.way.element else { return Voided::No };
        let ignored = self.ignores_internal();
        let kept = self.case.settings.as_ref().is_some_and(|settings| settings["internal_edges"] == "keep");
        let overlaps = met.depth > -crate::laws::TRUTH * self.case.size();
        if wanted.len() > 2 || !ignored && (kept || !overlaps) {
            return Voided::No;
        }
        if ignored && all.has_another(&met.way.element) {
            return Voided::Yes;
        }
        // Whether it overlaps depends on rounding.
        let unsure_overlap = !ignored && met.depth <= crate::laws::TRUTH * self.case.size();
        let into_body = -met.way.direction;
        let mut farthest = 0.0_f64;
        for (ids, corners) in &self.surface.triangles {
            if wanted.iter().all(|id| ids.contains(id)) {
                for corner in corners {
                    let aside = corner - met.way.place;
                    farthest = farthest.max(aside.dot(&into_body) / aside.norm().max(f64::MIN_POSITIVE));
                }
            }
        }
        // The error of a direction that the search found on a curve is the square root of the rounding error.
        let unsure = if self.case.search_tolerance().is_some() { ALONG_A_CURVE } else { 1e-7 };
        if farthest > unsure && unsure_overlap {
            Voided::Perhaps
        } else if farthest > unsure {
            Voided::Yes
        } else if farthest > 0.0 {
            Voided::Perhaps
        } else {
            Voided::No
        }
    }

    /// A volume has no internal edges, even if flat cells leave holes in its boundary.
    fn ignores_internal(&self) -> bool {
        internal_ignored(self.case, self.surface.closed || matches!(self.case.a, Shape::TetraMesh { .. }))
    }
}

/// The edges and vertices of an element.
fn parts(element: &Element) -> Vec<Element> {
    let Element::Of(ids) = element else { return Vec::new() };
    let edges = ids.iter().enumerate().flat_map(|(k, id)| ids[..k].iter().map(|other| [*id, *other]));
    edges.map(Element::of).chain(ids.iter().map(|id| Element::of([*id]))).collect()
}

/// Adds a contact, unless there is a certain one of the same elements; beside an optional one it is optional, too.
fn push_once(contacts: &mut Vec<Expected>, contact: Expected) {
    let same = |other: &&Expected| (&other.a, &other.b) == (&contact.a, &contact.b);
    let before = contacts.iter().filter(same).map(|other| other.optional).reduce(|x, y| x && y);
    if before != Some(false) {
        contacts.push(Expected { optional: contact.optional || before.is_some(), ..contact });
    }
}

/// Whether `place` is the triangle's closest point to `point`, within `tolerance`.
pub(crate) fn is_nearest_place(corners: &[Point; 3], place: &Point, point: &Point, tolerance: f64) -> bool {
    (place - point).norm() <= on_triangle(point, corners).distance + tolerance
}
