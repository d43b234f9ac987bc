//! A surface against a convex body, triangle by triangle, by the widths of their difference.

use super::body::Body;
use super::distance::on_triangle;
use super::expected::{Element, Expected};
use super::front::{Taken, is_flat, taken};
use super::surface::{Nearest, Surface, internal_ignored};
use super::width::least_widths;
use crate::{Case, Regime, Shape};
use palpate_math::{Point, Vector};

/// Corners of a triangle that are as far along a direction as the farthest but for this part of its size belong to the same
/// element.
const LEVEL: f64 = 1e-6;

/// The cosine under which a way leads neither outward nor inward.
const ALONG: f64 = 1e-9;

/// The same where the search ended in a curve, where a direction is good to the root of the depth.
const ALONG_A_CURVE: f64 = 1e-4;

/// What a triangle and the body have to do with each other.
struct Met {
    ids: [u32; 3],
    corners: [Point; 3],
    depth: f64,
    way: Way,
    /// Others as short as the first.
    ties: Vec<Way>,
}

/// A way in which a triangle leaves the body.
struct Way {
    /// The element that leaves last.
    element: Element,
    /// A place on it.
    place: Point,
    direction: Vector,
}

/// Whether an edge or a vertex is one between triangles that are nearer or deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voided {
    Yes,
    /// By no more than rounding.
    Perhaps,
    No,
}

struct Pair<'a> {
    case: &'a Case,
    surface: &'a Surface,
    origin: Vector,
    body: Body,
    radius: f64,
    /// What is farther apart than this is no contact.
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
        let way = ways.next().expect("there is a way out");
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

    /// Out along a direction, from below the plane through a place.
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

    /// A body wholly inside: one of its points leaves by the nearest place, at least as deep as its corners are; of a curved one
    /// some point is inside.
    fn held(&self) -> Expected {
        let corners = self.body.corners().iter().map(|corner| Point::from(self.origin + corner));
        let depths = corners.map(|corner| self.surface.nearest(&corner).0.distance + self.radius);
        let at_least = depths.fold(0.0, f64::max) + self.surface.thickness;
        Expected { optional: false, ..Expected::unknown(Element::Any, Element::Point, at_least) }
    }
}

/// What the deepest contact of a mesh and a convex body is at least: the deepest that one of its triangles is in the body.
/// Minus infinity where no triangle surely is, and for other pairs.
pub fn least_depth(case: &Case) -> f64 {
    let surface = match case.detector {
        "surface_mesh_convex" => Surface::of(&case.a),
        "tetra_mesh_convex" => super::volume::boundary_surface(&case.a),
        _ => return f64::NEG_INFINITY,
    };
    let volume = matches!(case.a, Shape::TetraMesh { .. });
    // What is behind a front leaves along its normal, as deep as that may be.
    if !volume && taken(case, surface.closed) == Taken::Front {
        return f64::NEG_INFINITY;
    }
    let depths = met(case, &surface).1.into_iter().map(|met| met.depth).filter(|depth| *depth > 0.0);
    depths.fold(f64::NEG_INFINITY, f64::max) + surface.thickness
}

/// What the triangles near a body have to do with it.
fn met<'a>(case: &'a Case, surface: &'a Surface) -> (Pair<'a>, Vec<Met>) {
    let origin = case.b.center();
    let body = Body::new(&case.b, &origin);
    let reach = 1.01 * (case.margin + surface.thickness) + 1e-6 * case.size();
    let pair = Pair { case, surface, origin, body, radius: case.b.rounding_radius(), reach };
    let near = surface.triangles.iter().filter(|(_, corners)| pair.surely_apart(corners) <= reach);
    let met: Vec<Met> = near.map(|(ids, corners)| pair.meet(ids, corners)).collect();
    (pair, met)
}

/// A surface against a convex body; `holds` tells what is inside.
pub(super) fn against_body(case: &Case, surface: &Surface, holds: impl Fn(&Point) -> bool) -> Vec<Expected> {
    let (pair, met) = met(case, surface);
    // What is out of reach is no contact, and hides none.
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
        // What touches the surface from inside has contacts with it, too.
        let touches = met.iter().any(|met| met.depth >= -verge);
        if !touches && (solid && clear || deepest < -verge) {
            return vec![pair.held()];
        }
        if solid || deepest <= verge {
            // Flat and on the surface, or in touch with it: inside or not, as rounding chooses.
            let either = std::iter::once(pair.held()).chain(contacts);
            return either.map(|contact| Expected { optional: true, ..contact }).collect();
        }
    }
    contacts
}

impl Pair<'_> {
    fn expected(&self, met: &Met, optional: bool) -> Expected {
        let verge = crate::laws::TRUTH * self.case.size();
        // A normal of faces or edges is exact; where the search ended in a curve or a corner, the direction is good to
        // the root of rounding only.
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

    /// Whether a way leads into a solid or behind a front; none where that is rounding's to say.
    fn leads_inward(&self, taken: Taken, met: &Met, way: &Way) -> Option<bool> {
        // A flat triangle has no front.
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
        // In special position any part of what is level may be named, which may have no front, or another.
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
        // The first of the deepest of those that count stands for its element.
        let counting = || (0..met.len()).filter(|&index| counts(index));
        let most = counting().map(|index| met[index].depth).fold(f64::NEG_INFINITY, f64::max);
        let kept = counting().find(|&index| met[index].depth >= most - verge);
        let elements: Vec<&Element> = met.iter().map(|met| &met.way.element).collect();
        let overlaps = met.iter().any(|met| met.depth >= -verge);
        let mut contacts = Vec::new();
        if solid && overlaps {
            // The body's own deepest point, where that is deeper than all else.
            contacts.push(Expected::unknown(Element::Any, Element::Point, most.max(0.0) + 3.0 * verge));
        }
        for (index, met) in met.iter().enumerate() {
            // Where a way outward is as short as one inward, rounding chooses.
            let ties = met.ties.iter().map(|way| self.leads_inward(taken, met, way));
            let tied = met.depth > verge
                && (inward[index].is_none() || ties.into_iter().any(|tie| tie != inward[index]));
            if !solid && (leads_inward(index) || tied) && met.depth > verge {
                let left = self.left_along(&surface.outward(&met.corners), &met.corners[0], met.ids);
                contacts.push(Expected { optional: tied, ..left });
            }
            // What touches, and no more, is in contact whichever way it leads; into a solid leads what is deeper than all else.
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
            // In special position another of several ways may be kept, or internal, or not.
            if !left_out || special || admitted || deeper {
                let unsure = special && inward[index].is_none() || voided[index] == Voided::Perhaps;
                let optional = tied || left_out || unsure || admitted || leads_inward(index);
                push_once(&mut contacts, self.expected(met, optional));
            }
        }
        contacts
    }

    /// Whether a neighbouring triangle is nearer, or reaches farther along the way.
    fn voided(&self, all: &Nearest, met: &Met) -> Voided {
        let Element::Of(wanted) = &met.way.element else { return Voided::No };
        if !self.ignores_internal() || wanted.len() > 2 {
            return Voided::No;
        }
        if all.has_another(&met.way.element) {
            return Voided::Yes;
        }
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
        // A direction that the search found in a curve is good to the root of rounding.
        let unsure = if self.case.search_tolerance().is_some() { ALONG_A_CURVE } else { 1e-7 };
        if farthest > unsure {
            Voided::Yes
        } else if farthest > 0.0 {
            Voided::Perhaps
        } else {
            Voided::No
        }
    }

    /// A volume has no inner edges, whether or not flat cells leave holes in its boundary.
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

/// A contact, unless there is one of the same elements; where one may be there, it may not.
fn push_once(contacts: &mut Vec<Expected>, contact: Expected) {
    let same = |other: &&Expected| (&other.a, &other.b) == (&contact.a, &contact.b);
    let before = contacts.iter().filter(same).map(|other| other.optional).reduce(|x, y| x && y);
    if before != Some(false) {
        contacts.push(Expected { optional: contact.optional || before.is_some(), ..contact });
    }
}

/// Whether `place` is the triangle's nearest to `point`, to `tolerance`.
pub(crate) fn is_nearest_place(corners: &[Point; 3], place: &Point, point: &Point, tolerance: f64) -> bool {
    (place - point).norm() <= on_triangle(point, corners).distance + tolerance
}
